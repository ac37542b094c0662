/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Shared by reading, saving and recovery. */
#ifndef BASE_FILE_PRIVATE_H
#define BASE_FILE_PRIVATE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/stat.h>

#include "base/file.h"

struct temporary;
struct text;

/* Append why, if there is a place for it: "WHAT PATH: text of errno", and
 * "PATH WHY". False. */
bool file_failed(struct text *err, const char *what, const char *path);
bool file_refused(struct text *err, const char *path, const char *why);

struct file_stamp file_stamp_of(
    const struct stat *st, const struct text *contents);
/* All of fd, which stays open. name is for err. */
bool file_read_open(int fd, const char *name, struct text *out,
    struct file_stamp *stamp, struct text *err);
/* Is the regular file fd, read from its beginning, what the stamp is of? */
bool file_has_contents(int fd, const struct file_stamp *stamp);
bool file_write_all(int fd, const char *bytes, size_t len);

/* Makes a file of mode 0600 at path, which names nothing, or with own a file of
 * this process: that is replaced. EEXIST in err: another process was quicker.
 * sync: it is on the disk then, its folder's entry too. */
bool file_make_private(const char *path, const struct text *contents, bool own,
    bool sync, struct text *err);
/* The folder of path is on the disk, as far as the file system can. */
void file_sync_folder(const char *path);

/* For tests, to come between: called with what a save has in its hands. */
enum save_moment {
	SAVE_CHECKED, /* the file is what was read, the new one not written */
	SAVE_FILLED,  /* the new one is written and synced */
	SAVE_READY,   /* looked at again; the next step is the rename */
	SAVE_PLACED,  /* the new one is in place */
};

struct save_seam {
	void (*at)(void *arg, enum save_moment moment);
	void *arg;
	bool plain; /* as a file system whose rename has no flags */
};

enum save_result file_save_through(const struct save_seam *seam,
    const char *path, const struct text *contents, struct file_stamp *stamp,
    bool force, struct text *err);

#endif
