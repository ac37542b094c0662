/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef DEVICE_PRELOAD_FUTEX_H
#define DEVICE_PRELOAD_FUTEX_H

#include <stdbool.h>

/* Serves futex(2) of a program, with its arguments, in virtual time. False: it is
 * for the kernel. Else the result; -1, with errno. Words are of one process. */
bool futex_in_turn(const long a[6], int *result);

#endif
