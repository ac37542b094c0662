/* SPDX-License-Identifier: GPL-3.0-or-later */
/* -L and -l: the GPUs of this machine and their engines, through libdrm; the
 * model's where there is none. Return the exit status. */
#ifndef CLI_DEVICES_H
#define CLI_DEVICES_H

struct options;

int devices_list(const struct options *o);
int devices_list_engines(const struct options *o);

#endif
