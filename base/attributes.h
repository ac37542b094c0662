/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Copies a file's attributes to the new one that takes its place. */
#ifndef BASE_ATTRIBUTES_H
#define BASE_ATTRIBUTES_H

#include <stdbool.h>
#include <sys/stat.h>

struct text;

/*
 * The file fd, which is empty and of mode 0600, gets owner, group, access
 * control list, mode and extended attributes of the file at path, whose status
 * is old. At no time it can be opened by anybody whom the old one kept out:
 * what can't be kept gives less. lost gets the names of that, "" if all is as
 * it was. False, with errno.
 */
bool attributes_keep(
    int fd, const char *path, const struct stat *old, struct text *lost);

#endif
