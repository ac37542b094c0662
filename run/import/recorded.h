/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A recording (--record) as a trace: it is run again, and its requests are taken. */
#ifndef RUN_IMPORT_RECORDED_H
#define RUN_IMPORT_RECORDED_H

#include <stdbool.h>

#include "trace/import/import.h"

/* True if the file begins as a recording does. */
bool recorded_is(const char *path);
/* Adds the requests of a recording. False: err says why not. */
bool recorded_read(struct import *im, const char *path, struct text *err);

#endif
