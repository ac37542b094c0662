/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace-kernel: a run as a kernel would have traced it, in the format that
 * the file's name chooses.
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/kernel/log.h"
#include "trace/kernel/writer.h"

struct kernel_output {
	struct output output;
	struct kernel_log log;
	struct kernel_writer *writer; /* NULL: nothing was watched so far */
};

static bool
ends_in(const char *path, const char *end)
{
	size_t len = strlen(path), n = strlen(end);

	return len >= n && strcasecmp(path + len - n, end) == 0;
}

static bool
is_text_path(const char *path)
{
	return ends_in(path, ".txt") || strcmp(path, "-") == 0;
}

static struct kernel_writer *
new_kernel_writer(const char *path, int fd, unsigned sets)
{
	if (ends_in(path, ".perf"))
		return kernel_perf_writer_new(fd);
	if (is_text_path(path))
		return kernel_text_writer_new(fd);
	return kernel_dat_writer_new(fd, sets);
}

/* The header of a trace.dat is written again behind its pages. */
static bool
may_be_written(const struct output_target *target, struct text *err)
{
	int flags = fcntl(target->fd, F_GETFL);
	struct stat st;

	if (ends_in(target->path, ".perf") || is_text_path(target->path) ||
	    (fstat(target->fd, &st) == 0 && S_ISREG(st.st_mode) &&
		(flags & O_APPEND) == 0))
		return true;
	text_add_visible(err, target->path, strlen(target->path));
	text_adds(err,
	    ": cannot have a trace.dat, which is not written from its "
	    "beginning to its end: expected a regular file, e.g. trace.dat, "
	    "or a name that ends in .txt or .perf, which any file can have");
	return false;
}

static void
put_kernel_record(struct kernel_log *log, const struct kernel_record *r)
{
	struct kernel_writer *w =
	    container_of(log, struct kernel_output, log)->writer;

	w->ops->put(w, r);
}

static void
name_writer_task(struct kernel_log *log, int32_t pid, const char *comm)
{
	struct kernel_writer *w =
	    container_of(log, struct kernel_output, log)->writer;

	if (w->ops->task != NULL)
		w->ops->task(w, pid, comm);
}

static struct output *
kernel_open(const struct output_target *target, struct text *err)
{
	struct kernel_output *k;

	if (!may_be_written(target, err))
		return NULL;
	k = mem_calloc(1, sizeof(*k));
	k->log.put = put_kernel_record;
	k->log.task = name_writer_task;
	k->log.sets = target->events != 0 ? target->events : KERNEL_ALL_SETS;
	return &k->output;
}

static void
kernel_watch(struct output *o, const struct output_launch *launch)
{
	struct kernel_output *k = (struct kernel_output *)o;

	if (k->writer == NULL) {
		k->writer = new_kernel_writer(o->path, o->fd, k->log.sets);
		o->sink = &k->writer->out;
	}
	kernel_log_watch(&k->log, launch);
}

static void
kernel_leave(struct output *o)
{
	kernel_log_leave(&((struct kernel_output *)o)->log);
}

static int
kernel_close(struct output *o)
{
	struct kernel_output *k = (struct kernel_output *)o;
	int error = 0;

	kernel_leave(o);
	if (k->writer != NULL)
		error = k->writer->ops->close(k->writer);
	kernel_log_free(&k->log);
	free(k);
	return error;
}

const struct output_ops output_kernel = {
    .option = "--trace-kernel",
    .open = kernel_open,
    .watch = kernel_watch,
    .leave = kernel_leave,
    .close = kernel_close,
};
