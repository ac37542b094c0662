/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scheduler execlists: to come. */
#include "tests/naive/world.h"

const struct naive_rules naive_execlists;
