/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes and removes a tree: folders, files, links. */
#include "device/tree/tree.h"

#include <errno.h>
#include <fcntl.h>
#include <fts.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "device/tree/tree_private.h"
#include "device/wire/live.h"

/* Returns the path of name in the folder of w. */
static const char *
tree_path(struct tree_writer *w, const char *name)
{
	text_clear(&w->path);
	text_addf(&w->path, "%s/%s", text_str(&w->folder), name);
	return text_str(&w->path);
}

/* Makes a folder, and those above it that are missing. Returns 0, or errno. */
static int
make_folder(int root, char *path)
{
	char *slash;
	int e;

	if (mkdirat(root, path, 0755) == 0 || errno == EEXIST)
		return 0;
	slash = strrchr(path, '/');
	if (errno != ENOENT || slash == NULL)
		return errno;
	*slash = 0;
	e = make_folder(root, path);
	*slash = '/';
	if (e == 0 && mkdirat(root, path, 0755) != 0)
		e = errno;
	return e;
}

void
tree_folder(struct tree_writer *w, const char *fmt, ...)
{
	va_list ap;

	if (w->failed != 0)
		return;
	text_clear(&w->folder);
	va_start(ap, fmt);
	text_addv(&w->folder, fmt, ap);
	va_end(ap);
	w->failed = make_folder(w->root, w->folder.data);
}

/* Makes the file name; -1: it failed. */
static int
new_file(struct tree_writer *w, const char *name, mode_t mode)
{
	int fd;

	if (w->failed != 0)
		return -1;
	fd = openat(w->root, tree_path(w, name),
	    O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
	if (fd < 0)
		w->failed = errno;
	return fd;
}

/* Makes the file name with that text. */
static void
tree_text(struct tree_writer *w, const char *name, mode_t mode,
    const char *text, size_t len)
{
	int fd = new_file(w, name, mode);

	if (fd < 0)
		return;
	if (!file_write_all(fd, text, len))
		w->failed = errno;
	close(fd);
}

void
tree_bytes(
    struct tree_writer *w, const char *name, const void *data, size_t len)
{
	tree_text(w, name, 0644, data, len);
}

void
tree_file(struct tree_writer *w, const char *name, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	tree_text(w, name, 0444, text_str(&t), t.len);
	text_free(&t);
}

void
tree_open_file(struct tree_writer *w, const char *name, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	tree_text(w, name, 0644, text_str(&t), t.len);
	text_free(&t);
}

void
tree_live(
    struct tree_writer *w, const char *name, mode_t mode, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	tree_text(w, name, WIRE_LIVE | mode, text_str(&t), t.len);
	text_free(&t);
}

void
tree_link(struct tree_writer *w, const char *name, const char *fmt, ...)
{
	struct text to = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&to, fmt, ap);
	va_end(ap);
	if (w->failed == 0 &&
	    symlinkat(text_str(&to), w->root, tree_path(w, name)) != 0)
		w->failed = errno;
	text_free(&to);
}

void
tree_sparse(struct tree_writer *w, const char *name, mode_t mode, uint64_t size)
{
	/* The kernel clears set-user-ID when a file is resized. */
	int fd = new_file(w, name, 0600);

	if (fd < 0)
		return;
	if (ftruncate(fd, (off_t)size) != 0 || fchmod(fd, mode) != 0)
		w->failed = errno;
	close(fd);
}

bool
tree_write(const char *root, const struct tree_device *device, struct text *err)
{
	struct tree_writer w = {.device = device};
	mode_t mask;

	w.root = open(root, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	if (w.root < 0) {
		text_addf(err, "%s: %s", root, strerror(errno));
		return false;
	}
	mask = umask(0);
	tree_put_nodes(&w);
	tree_put_pci(&w);
	tree_put_engines(&w);
	tree_put_pmu(&w);
	tree_put_debugfs(&w);
	umask(mask);
	if (w.failed != 0)
		text_addf(err, "%s/%s: %s", root,
		    w.path.len > 0 ? w.path.data : text_str(&w.folder),
		    strerror(w.failed));
	close(w.root);
	text_free(&w.folder);
	text_free(&w.path);
	return w.failed == 0;
}

/* Removes an entry of a walk, which comes to a folder before and after what is in
 * it. Returns 0, or errno. */
static int
remove_entry(const FTSENT *entry)
{
	int failed = 0;

	if (entry->fts_info == FTS_D)
		return 0;
	if (entry->fts_info == FTS_DNR || entry->fts_info == FTS_ERR)
		return entry->fts_errno;
	if (entry->fts_info == FTS_DP)
		failed = rmdir(entry->fts_accpath);
	else
		failed = unlink(entry->fts_accpath);
	return failed != 0 && errno != ENOENT ? errno : 0;
}

bool
tree_remove(const char *root, struct text *err)
{
	char *const paths[] = {(char *)(uintptr_t)root, NULL};
	/* The kinds of entries are known without a stat of each. */
	FTS *walk = fts_open(
	    paths, FTS_PHYSICAL | FTS_NOCHDIR | FTS_NOSTAT, NULL);
	const FTSENT *entry;
	int e = walk != NULL ? 0 : errno;

	while (e == 0 && (entry = fts_read(walk)) != NULL)
		e = remove_entry(entry);
	if (walk != NULL)
		fts_close(walk);
	if (e == 0)
		return true;
	text_addf(err, "%s: %s", root, strerror(e));
	return false;
}
