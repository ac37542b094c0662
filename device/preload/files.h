/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors that calls of the device return. */
#ifndef DEVICE_PRELOAD_FILES_H
#define DEVICE_PRELOAD_FILES_H

struct call;

/* Returns the descriptor of a reply with WIRE_FD_RETURN as open(2) would: -1,
 * with errno, for an error in result. */
int files_result(const struct call *c, int result);

#endif
