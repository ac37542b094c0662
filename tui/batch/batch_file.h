/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Files that batch mode writes. */
#ifndef TUI_BATCH_BATCH_FILE_H
#define TUI_BATCH_BATCH_FILE_H

#include <stdbool.h>

struct plan;

/* "-"; path may be NULL. */
bool batch_is_stdout(const char *path);
/* A line on standard error; false. */
bool batch_can_not(const char *path, int error);
/* Standard output, or a new file; -1, and a line, if it can't be written. */
int batch_create(const struct plan *plan, const char *path);

#endif
