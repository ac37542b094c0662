/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document and its file: reading, atomic saving, the recovery file, and
 * changes by other programs (the manual, SAVING). Functions that fail append
 * the reason to err, which may be NULL.
 */
#ifndef BASE_FILE_H
#define BASE_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "base/text.h"

#define FILE_MAX_BYTES (256u << 20) /* larger files are refused */

/* Identity and contents of a file when this program last read or wrote it. */
struct file_stamp {
	bool exists;
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec mtime;
	/* Differs also if size and mtime were restored. */
	struct timespec ctime;
	uint64_t hash; /* of the contents */
};

/*
 * Returns the absolute path of the file that path means, with all links
 * followed; the file need not exist. The caller frees it. NULL, with errno: its
 * folder does not exist.
 */
char *file_final_path(const char *path);
/* Like file_final_path(), but without a folder returns path made absolute. */
char *file_absolute_path(const char *path);

/* Reads a whole regular file; replaces out. stamp may be NULL. */
bool file_read(const char *path, struct text *out, struct file_stamp *stamp,
    struct text *err);

/* Reads fd to its end and appends to out; repeats after a signal. False, with
 * errno: EFBIG if out would have more than max bytes. */
bool file_read_all(int fd, size_t max, struct text *out);
/* Writes to fd until all is written or a write fails; repeats after a signal.
 * Returns the bytes written; errno says why they are less than len. */
size_t file_write_some(int fd, const char *bytes, size_t len);
/* Writes all. False, with errno. */
bool file_write_all(int fd, const char *bytes, size_t len);
/* Writes text to the file at path, which is made. over: one that exists is
 * overwritten, else it is left, and the call fails. */
bool file_write(
    const char *path, bool over, const struct text *text, struct text *err);

/* True if another program changed, made or removed the file since stamp. A
 * touched file with the same contents has not changed. */
bool file_changed(const char *path, const struct file_stamp *stamp);

enum save_result {
	SAVE_DONE,
	SAVE_CONFLICT, /* nothing written: the file is not what stamp says */
	SAVE_FAILED,
	SAVE_BY_FORCE, /* nothing written: only in place, which force does */
};

/*
 * Saves atomically: fills and syncs a temporary file in the same folder,
 * exchanges it with the file, syncs the folder. The file that came out is
 * compared with *stamp; if another program was quicker, it is put back and the
 * result is SAVE_CONFLICT. A lock on the file makes other saves of this program
 * wait, for a second at most. force writes over whatever is there.
 *
 * Mode, access control list, extended attributes and symbolic links are kept,
 * owner and group where allowed; after SAVE_DONE err says what could not be.
 * Only regular files are accepted. A file with several hard links, or another
 * user's in a sticky folder, can only be written in place, which is not atomic:
 * SAVE_BY_FORCE, or with force after a recovery file is on the disk.
 *
 * SAVE_DONE renews *stamp; other results leave it.
 */
enum save_result file_save(const char *path, const struct text *contents,
    struct file_stamp *stamp, bool force, struct text *err);

/* Removes what killed saves left in the folder of path: this user's temporary
 * files that no process has locked and whose contents are not lost with them. */
void file_remove_dead(const char *path);

/*
 * Recovery: unsaved edits of path, with the pid of the editor, are in a file
 * beside it, ".NAME.gpuwl-recover". They are in a folder of state_folder.h
 * instead for unnamed documents, where the file does not exist, where its
 * folder is not writable, and where another process owns the file beside.
 *
 * Only recovered_remove() removes a recovery file of another process, live or
 * dead; nothing overwrites one. path NULL or "": the number-th unnamed document
 * of this process. Pass the path that file_absolute_path() returned when editing
 * began, so that the file is found again after its folder was away meanwhile.
 */
bool recovery_write(const char *path, unsigned number,
    const struct text *contents, struct text *err);
/* Writes one for a named document and syncs it. where gets its path. */
bool recovery_write_synced(const char *path, const struct text *contents,
    struct text *where, struct text *err);
void recovery_remove(const char *path, unsigned number);

/* Edits that a dead process left. */
struct recovered {
	char *file; /* path of the recovery file */
	struct text contents;
	struct timespec when; /* last written */
	bool put_off;         /* the user chose to keep it for later */
};

/* Finds the skip-th (from 0) recovery of path; path NULL: of any unnamed
 * document. The caller frees *found with recovered_free(). False: none. */
bool recovery_find(const char *path, unsigned skip, struct recovered *found);
/* Removes the file. */
void recovered_remove(const struct recovered *found);
/* Marks the file as kept for later: its owner becomes 0. */
void recovered_put_off(const struct recovered *found);
/* Frees the memory only. */
void recovered_free(struct recovered *found);

#endif
