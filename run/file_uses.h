/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that the program reads and writes, so that none is written that is
 * read, and no two outputs are one file: however they are spelled, whichever
 * links lead to them, whether they exist or not. Only regular files count (and
 * what could become one): a pipe, a terminal or /dev/null may be shared.
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
	FILES_WRITTEN_IN, /* a folder, for error-N.txt and error-N.json */
};

struct file_use {
	enum file_use_kind kind;
	char *who;  /* what it is: "a workload", "--json" */
	char *name; /* as it was given, fit to be shown */
	char *path; /* absolute, without links; NULL: an open file */
	bool exists;
	dev_t dev;
	ino_t ino;
};

/* Zeroed at first. */
struct file_uses {
	struct file_use *list;
	size_t n, cap;
};

void file_uses_free(struct file_uses *uses);
/* path NULL or "-" is no file. */
void file_uses_add(struct file_uses *uses, enum file_use_kind kind,
    const char *who, const char *path);
/* A standard stream, if it is a regular file. */
void file_uses_add_stream(
    struct file_uses *uses, enum file_use_kind kind, const char *who, int fd);

/* The files that options name; the layer's outputs only if wanted, for the
 * console's come and go. */
void file_uses_add_options(
    struct file_uses *uses, const struct options *o, bool layer_outputs);
/* The workloads' files, and those that annotations name. */
void file_uses_add_workloads(struct file_uses *uses, const struct plan *plan);
void file_uses_add_named(struct file_uses *uses, const struct plan *plan);
/* Files that are read count no more. */
void file_uses_drop_read(struct file_uses *uses);

/* False: err names an output, and what it is besides. */
bool file_uses_are_apart(const struct file_uses *uses, struct text *err);
/* May path be written, as a further output? who as above, NULL: not to be said
 * in err. */
bool file_uses_may_write(const struct file_uses *uses, const char *who,
    const char *path, struct text *err);
/* The same for the use of that name that is among them, or for none. Opens, and
 * with flags O_CREAT makes, the file; looks once more, and only then empties
 * it, if flags have O_TRUNC. -1, with err; errno is 0 if it was not the system's. */
int file_uses_open(const struct file_uses *uses, const char *who,
    const char *path, int flags, struct text *err);

#endif
