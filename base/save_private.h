/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A save on its way: what its steps (save.c) share. */
#ifndef BASE_SAVE_PRIVATE_H
#define BASE_SAVE_PRIVATE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/file_private.h"
#include "base/temporary.h"
#include "base/text.h"

/* The result of a try. */
enum attempt {
	TRY_DONE, /* or nothing is in the way so far */
	TRY_CONFLICT,
	TRY_FAILED,
	TRY_BY_FORCE,
	TRY_AGAIN, /* the file has changed meanwhile */
};

struct save {
	const struct save_seam *seam; /* NULL */
	const char *name;             /* of the file, for err */
	char *target;                 /* where it is, without links */
	const struct text *contents;
	const struct file_stamp *stamp;
	bool force;
	bool exists;
	int fd;             /* the file as it is now, locked; -1 */
	struct stat before; /* it, when it was compared with stamp */
	bool in_place;      /* it has been written over */
	struct temporary new;
	struct stat written; /* new, before it was in place */
	struct text lost;    /* what is not kept of the file */
	struct text *err;
};

/* The seam's turn, if there is one. */
void save_pass(const struct save *s, enum save_moment moment);

/* Each says why in err. */
enum attempt save_fail(const struct save *s); /* errno */
enum attempt save_fail_in_folder(const struct save *s);
enum attempt save_changed(const struct save *s);

bool save_is_same_file(const struct stat *a, const struct stat *b);

/* Moves the new file, which is filled, to its place. */
enum attempt save_place(struct save *s);

/* Why the file, whose status is st, can't be replaced, only written over; ""
 * if it can be. */
void save_explain_in_place(
    const struct save *s, const struct stat *st, struct text *why);
/* Writes over it, when its text is in a recovery file. */
enum attempt save_in_place(struct save *s);

#endif
