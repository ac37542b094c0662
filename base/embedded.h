/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files of workloads/, built into the program so that it needs no data
 * files. The build writes the definitions with tools/embed.sh.
 */
#ifndef BASE_EMBEDDED_H
#define BASE_EMBEDDED_H

#include <stddef.h>

struct embedded_file {
	const char *path; /* "workloads/desktop.wsim" */
	const char *data; /* zero terminated */
	size_t len;       /* without the zero */
};

extern const struct embedded_file embedded_files[];
extern const size_t n_embedded_files;

#endif
