/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A document and its file: reading, atomic saving, the recovery file and
 * changes on disk (design section 3).
 */
#ifndef PARSER_FILE_H
#define PARSER_FILE_H

#include <stdbool.h>
#include <sys/stat.h>

#include "parser/document.h"
#include "parser/text.h"

#define FILE_MAX_BYTES (256u << 20) /* refused above, with a text */

/* What a file was when it was last read or written by us. */
struct file_stamp {
	bool exists;
	dev_t dev;
	ino_t ino;
	off_t size;
	struct timespec mtime;
	uint64_t hash; /* of the contents */
};

/* Reads a regular file whole. */
bool file_read(const char *path, struct text *out, struct file_stamp *stamp,
    struct text *err);

/* Was the file changed, made or removed by somebody else since stamp? A file
 * touched but equal in contents has not changed. */
bool file_changed(const char *path, const struct file_stamp *stamp);

enum save_result { SAVE_DONE, SAVE_CONFLICT, SAVE_FAILED };

/*
 * Atomic: temporary file in the same folder, fsync, rename, fsync of the
 * folder. Mode (and owner where allowed) and symbolic links are kept; what is
 * no regular file is refused. SAVE_CONFLICT, nothing written, if the file
 * changed since *stamp, unless force. *stamp is renewed.
 */
enum save_result file_save(const char *path, const struct text *contents,
    struct file_stamp *stamp, bool force, struct text *err);

/*
 * Recovery: unsaved edits of path stand in a file beside it,
 * ".NAME.gpuwl-recover" (in a folder of state_folder.h for unnamed documents,
 * where the folder can't be written, and where the one beside belongs to
 * somebody else), together with the pid that edits. That of another process,
 * live or dead, is never overwritten nor removed but by recovered_remove. path
 * NULL or "" is an unnamed document: the number-th of this process.
 */
bool recovery_write(const char *path, unsigned number,
    const struct text *contents, struct text *err);
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
