/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Atomic replacement of a file, for saving and for recovery. */
#ifndef PARSER_FILE_PRIVATE_H
#define PARSER_FILE_PRIVATE_H

#include <stdbool.h>
#include <sys/stat.h>

struct text;

/* The new file has the mode and owner of old, or without old the mode. st is
 * what it is then; name what it is called in err. sync: also after a loss of power it is the one or the
 * other. */
bool file_replace(const char *path, const char *name,
    const struct text *contents, const struct stat *old, mode_t mode, bool sync,
    struct stat *st, struct text *err);

#endif
