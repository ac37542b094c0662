/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A tree that is being written. After the first failure the functions do
 * nothing, so that only the end needs a check. */
#ifndef DEVICE_TREE_TREE_PRIVATE_H
#define DEVICE_TREE_TREE_PRIVATE_H

#include <sys/types.h>

#include "base/text.h"
#include "device/tree/tree.h"

/* Text of an error state when no hang was captured. */
#define NO_ERROR_STATE "No error state collected\n"

struct tree_writer {
	const struct tree_device *device;
	int root;           /* descriptor of the root */
	struct text folder; /* path below the root where files are put */
	struct text path;   /* of the last file, below the root */
	int failed;         /* errno; 0: all is well */
};

/* Files are put into this folder below the root from now on; makes it, with
 * those above it. */
void tree_folder(struct tree_writer *w, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));
/* Writes an ordinary file that programs may write to, without effect. */
void tree_open_file(struct tree_writer *w, const char *name, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* Writes an ordinary file that they may only read. */
void tree_file(struct tree_writer *w, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
void tree_bytes(
    struct tree_writer *w, const char *name, const void *data, size_t len);
/* Makes a link with the text that fmt gives. */
void tree_link(struct tree_writer *w, const char *name, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* Writes a live file with permissions `mode`; the text is what a program reads
 * and overwrites where the device leaves the file to it. */
void tree_live(struct tree_writer *w, const char *name, mode_t mode,
    const char *fmt, ...) __attribute__((format(printf, 4, 5)));
/* Makes a live file of size bytes of zero; WIRE_NODE in mode: a node, size is
 * its device number. */
void tree_sparse(
    struct tree_writer *w, const char *name, mode_t mode, uint64_t size);

/* Parts of the tree. */
void tree_put_pci(struct tree_writer *w);
void tree_put_nodes(struct tree_writer *w);
void tree_put_engines(struct tree_writer *w);
void tree_put_pmu(struct tree_writer *w);
void tree_put_debugfs(struct tree_writer *w);

#endif
