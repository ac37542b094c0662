/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document and its file: reading, atomic saving, the recovery file and
 * changes on disk (the manual, SAVING).
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/text.h"

#define FILE_MAX_BYTES (256u << 20) /* refused above, with a text */

/* What a file was when it was last read or written by us. */
struct file_stamp {
	bool exists;
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec mtime;
	struct timespec ctime; /* of a change that keeps size and mtime, too */
	uint64_t hash;         /* of the contents */
};

/*
 * The absolute path of the file that path means in the end, with all links
 * followed, also where it does not exist yet. NULL, with errno: not even its
 * folder is there. Freed with free.
 */
char *file_final_path(const char *path);
/* The same, or where there is no such folder the path made absolute. */
char *file_absolute_path(const char *path);

/* Reads a regular file whole. */
bool file_read(const char *path, struct text *out, struct file_stamp *stamp,
    struct text *err);

/* Was the file changed, made or removed by somebody else since stamp? A file
 * touched but equal in contents has not changed. */
bool file_changed(const char *path, const struct file_stamp *stamp);

enum save_result {
	SAVE_DONE,
	SAVE_CONFLICT, /* nothing written: the file is not what stamp says */
	SAVE_FAILED,
	SAVE_BY_FORCE, /* nothing written: only in place, which force does */
};

/*
 * Atomic: temporary file in the same folder, fsync, exchanged with the file,
 * fsync of the folder. The file that came out is compared with *stamp again,
 * and put back if another program was quicker: SAVE_CONFLICT. Other savers of
 * this program wait (a lock on the file); one that does not get on is not
 * waited for longer than a second. force writes over whatever is there.
 *
 * Mode, access control list, extended attributes and symbolic links are kept,
 * the owner and group where allowed; with SAVE_DONE err says what could not be
 * kept. Anything but a regular file is refused. A file with several names (or
 * one of another in a sticky folder) can only be written in place, which is not
 * atomic: SAVE_BY_FORCE, or with force after a recovery file is on the disk.
 * *stamp is renewed.
 */
enum save_result file_save(const char *path, const struct text *contents,
    struct file_stamp *stamp, bool force, struct text *err);

/* Removes what saves that were killed have left in the folder of path: files of
 * this user's by their name, which no living process has locked and which hold
 * nothing but our own text, or what it was to replace. */
void file_remove_dead(const char *path);

/*
 * Recovery: unsaved edits of path stand in a file beside it,
 * ".NAME.gpuwl-recover" (in a folder of state_folder.h for unnamed documents,
 * where the file is not there, the folder can't be written, and where the one
 * beside belongs to another process), together with the pid that edits. A
 * caller that edits for long passes the path as file_absolute_path() gave it at
 * the beginning: then what is kept is found again though the folder went
 * meanwhile, and came back. A recovery file of another process, live or dead,
 * is never overwritten nor removed but by recovered_remove. path NULL or "" is
 * an unnamed document: the number-th of this process.
 */
bool recovery_write(const char *path, unsigned number,
    const struct text *contents, struct text *err);
/* The same of a path, on the disk when it returns; where gets the file. */
bool recovery_write_synced(const char *path, const struct text *contents,
    struct text *where, struct text *err);
void recovery_remove(const char *path, unsigned number);

/* What a process that is dead has left. */
struct recovered {
	char *file; /* that it stands in */
	struct text contents;
	struct timespec when; /* it was written */
	bool put_off;         /* somebody has seen it, and keeps it for later */
};

/* The skip-th (from 0) that was left of path; with path NULL of any unnamed
 * document. Freed with recovered_free. */
bool recovery_find(const char *path, unsigned skip, struct recovered *found);
void recovered_remove(const struct recovered *found);
void recovered_put_off(const struct recovered *found);
void recovered_free(struct recovered *found);

#endif
