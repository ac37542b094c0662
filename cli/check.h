/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --check and --format: descriptors looked at, not run. Return the exit
 * status (the manual, EXIT STATUS). */
#ifndef CLI_CHECK_H
#define CLI_CHECK_H

struct options;

int check_run(const struct options *o);
int format_run(const struct options *o);
/* --layer-dump: the messages of a file (layerstream/message.h) as text. */
int layer_dump_run(const struct options *o);

#endif
