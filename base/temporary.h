/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The file that a save fills before it takes the place of another:
 *
 *     .gpuwl-save-XXXXXX              what is being written
 *     .gpuwl-save-XXXXXX-INODE-HASH   about to be exchanged with the file
 *
 * INODE is the number of what was written, HASH of the contents that it is to
 * replace, both hexadecimal. The writer holds a lock on its file while it
 * lives, which ends with it. So what may be removed later is known for sure: a
 * file that is not locked, and holds either what was written (its number is
 * INODE), or the text that was to be replaced (HASH). Any other text under
 * such a name is of another program, and stays.
 */
#ifndef BASE_TEMPORARY_H
#define BASE_TEMPORARY_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

struct temporary {
	int fd; /* -1: none */
	struct text path;
};

/* A new one in the folder of path, mode 0600, open for writing, locked. False,
 * with errno. */
bool temporary_open(struct temporary *t, const char *path);
/* It has the longer name from now on. False, with errno. */
bool temporary_announce(struct temporary *t, uint64_t hash);
/* Closes it; also removes what has its name. */
void temporary_close(struct temporary *t);
void temporary_remove(struct temporary *t);

/* Names nothing: it becomes path, if there is nothing. plain: without flags of
 * rename. False, with errno: EEXIST. */
bool temporary_move_new(struct temporary *t, const char *path, bool plain);
/* Names nothing: it becomes path, whatever is there. False, with errno. */
bool temporary_move_over(struct temporary *t, const char *path);

#endif
