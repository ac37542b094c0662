/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by file.c, save*.c and recovery.c.
 *
 * A save fills a temporary file before that takes the place of another:
 *
 *     .gpuwl-save-XXXXXX              while it is written
 *     .gpuwl-save-XXXXXX-INODE-HASH   before the exchange with the file
 *
 * INODE is the inode of the new file, HASH is the hash of the contents to be
 * replaced, both hexadecimal. The writer holds a lock on its file; the lock ends
 * with the process. An unlocked file may be removed if it is the new one (its
 * inode is INODE) or holds the replaced contents (HASH). Any other contents
 * under such a name belong to another program, and are kept.
 */
#ifndef BASE_FILE_PRIVATE_H
#define BASE_FILE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/text.h"

/* Both return false and append to err, unless it is NULL: "WHAT PATH: text of
 * errno", and "PATH WHY". */
bool file_failed(struct text *err, const char *what, const char *path);
bool file_refused(struct text *err, const char *path, const char *why);

struct file_stamp file_stamp_of(
    const struct stat *st, const struct text *contents);
/* Reads a whole regular file, which stays open. name: for err. */
bool file_read_open(int fd, const char *name, struct text *out,
    struct file_stamp *stamp, struct text *err);
/* True if fd is a regular file with the contents that stamp describes. Moves
 * the file offset. */
bool file_has_contents(int fd, const struct file_stamp *stamp);

/*
 * Makes a file of mode 0600 at path. own: replaces a file of this process;
 * otherwise path must not exist (EEXIST in err: another process was quicker).
 * sync: syncs the file and its folder.
 */
bool file_make_private(const char *path, const struct text *contents, bool own,
    bool sync, struct text *err);
/* Syncs the folder of path, as far as the file system can. */
void folder_sync(const char *path);

struct temporary {
	int fd;           /* -1: none */
	struct text path; /* "" once the file has another name */
};

/* Makes one in the folder of path: mode 0600, writable, locked. False, with
 * errno. */
bool temporary_open(struct temporary *t, const char *path);
/* Renames it to the longer name. False, with errno. */
bool temporary_announce(struct temporary *t, uint64_t hash);
/* Closes the file; temporary_remove() also removes it from its folder. */
void temporary_close(struct temporary *t);
void temporary_remove(struct temporary *t);
/* Renames it to path, which must not exist. plain: without flags of renameat2().
 * False, with errno: EEXIST. */
bool temporary_move_new(struct temporary *t, const char *path, bool plain);
/* Renames it to path, over what is there. False, with errno. */
bool temporary_move_over(struct temporary *t, const char *path);

/*
 * Copies owner, group, access control list, mode and extended attributes of the
 * file at path, whose status is old, to fd, an empty file of mode 0600. Never
 * grants access that the old file refused: what cannot be kept grants less. lost
 * gets the names of what was not kept. False, with errno.
 */
bool attributes_keep(
    int fd, const char *path, const struct stat *old, struct text *lost);

/* Result of one attempt to save. */
enum attempt {
	TRY_DONE, /* or the next step may go on */
	TRY_CONFLICT,
	TRY_FAILED,
	TRY_BY_FORCE,
	TRY_AGAIN, /* the file changed meanwhile */
};

/* A save in progress. */
struct save {
	const struct save_seam *seam; /* NULL: none */
	const char *name;             /* of the file, for err */
	char *target;                 /* its path, without links */
	const struct text *contents;
	const struct file_stamp *stamp;
	bool force;
	bool exists;
	int fd;             /* the file, locked; -1: not readable */
	struct stat before; /* its status when compared with stamp */
	bool in_place;      /* it was written in place */
	struct temporary new;
	struct stat written; /* status of new, before the exchange */
	struct text lost;    /* names of attributes that are not kept */
	struct text *err;
};

/* Each appends the reason to s->err; save_fail*() read errno. */
enum attempt save_fail(const struct save *s);
enum attempt save_fail_in_folder(const struct save *s);
enum attempt save_changed(const struct save *s);

bool save_is_same_file(const struct stat *a, const struct stat *b);

/* Moves the filled new file to its place. */
enum attempt save_place(struct save *s);

/* Appends why the file with status st can only be written in place; nothing if
 * it can be replaced. */
void save_explain_in_place(
    const struct save *s, const struct stat *st, struct text *why);
/* Writes the file in place, after its new text is in a recovery file. */
enum attempt save_in_place(struct save *s);

/* Moments at which tests interfere with a save. */
enum save_moment {
	SAVE_CHECKED, /* the file was compared, the new one is not written */
	SAVE_FILLED,  /* the new file is written and synced */
	SAVE_READY,   /* compared again; the rename follows */
	SAVE_PLACED,  /* the new file is in place */
};

struct save_seam {
	void (*at)(void *arg, enum save_moment moment);
	void *arg;
	bool plain; /* acts like a file system whose rename has no flags */
};

/* Calls the seam, if there is one. */
void save_pass(const struct save *s, enum save_moment moment);

/* Saves like file_save(), with a seam (NULL: none). */
enum save_result file_save_through(const struct save_seam *seam,
    const char *path, const struct text *contents, struct file_stamp *stamp,
    bool force, struct text *err);

#endif
