/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Descriptors that calls of the device return. */
#ifndef DEVICE_PRELOAD_FILES_H
#define DEVICE_PRELOAD_FILES_H

struct call;

/* Returns the descriptor of a reply with WIRE_FD_RETURN as open(2) would: -1,
 * with errno, for an error in result. */
int files_result(const struct call *c, int result);

/* Gives the text of a live file that fd has its present content, as a read at the
 * beginning of a file of sysfs does. Nothing for other descriptors. Keeps errno. */
void files_renew(int fd);

#endif
