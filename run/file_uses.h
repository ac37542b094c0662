/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that the program reads and writes, so that no input is written
 * over, and no two outputs are one file, however their paths are spelled,
 * through links, whether they exist or not. Only regular files, and paths where
 * one would be created, count: a pipe, a terminal or /dev/null may be shared.
 */
#ifndef RUN_FILE_USES_H
#define RUN_FILE_USES_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/stat.h>

struct options;
struct plan;
struct text;

enum file_use_kind {
	FILE_READ,
	FILE_WRITTEN,
	FILES_WRITTEN_IN, /* hang dumps in a folder */
};

struct file_use {
	enum file_use_kind kind;
	char *who;  /* the use: "a workload", "--json" */
	char *name; /* as given, printable */
	char *path; /* absolute, links resolved; NULL: a stream */
	bool exists;
	dev_t dev;
	ino_t ino;
};

/* Zeroed at first; freed with file_uses_free(). */
struct file_uses {
	struct file_use *list;
	size_t n, cap;
};

void file_uses_free(struct file_uses *uses);
/* Adds a use of path. NULL and "-" are ignored. */
void file_uses_add(struct file_uses *uses, enum file_use_kind kind,
    const char *who, const char *path);
/* Adds a standard stream if it is a regular file. */
void file_uses_add_stream(
    struct file_uses *uses, enum file_use_kind kind, const char *who, int fd);

/* Adds the files of options. layer_outputs: with those of the layer, which a
 * session adds itself, as they come and go. */
void file_uses_add_options(
    struct file_uses *uses, const struct options *o, bool layer_outputs);
/* Adds the files of workloads, and the files that annotations name. */
void file_uses_add_workloads(struct file_uses *uses, const struct plan *plan);
void file_uses_add_named(struct file_uses *uses, const struct plan *plan);
/* Removes the files that are read. */
void file_uses_drop_read(struct file_uses *uses);

/* True if no output is used twice. False: err names the output and the other
 * use. */
bool file_uses_are_apart(const struct file_uses *uses, struct text *err);
/* True if path may be written as a further output. who: as in struct file_use;
 * NULL: not named in err. False: err says why. */
bool file_uses_may_write(const struct file_uses *uses, const char *who,
    const char *path, struct text *err);
/* Opens path for writing, if it is used by none but an output of the name who.
 * Checks again after open(), and only then empties the file if flags have
 * O_TRUNC. -1: err says why; errno is 0 if no system call failed. */
int file_uses_open(const struct file_uses *uses, const char *who,
    const char *path, int flags, struct text *err);
/* Empties a file that was opened without O_TRUNC, if it is a regular one. False:
 * err says why. */
bool file_uses_empty(const char *path, int fd, struct text *err);

#endif
