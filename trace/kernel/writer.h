/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of a kernel trace: records of one CPU, in the order of time, as text or
 * as trace.dat (doc/model/traces.md).
 */
#ifndef TRACE_KERNEL_WRITER_H
#define TRACE_KERNEL_WRITER_H

#include "trace/kernel/events.h"
#include "trace/sink.h"

struct kernel_writer;

struct kernel_writer_ops {
	/* Has the name of a task, before its first record. NULL: not used. */
	void (*task)(struct kernel_writer *w, int32_t pid, const char *comm);
	void (*put)(struct kernel_writer *w, const struct kernel_record *r);
	/* Writes the rest and frees. Returns errno of the first write that
	 * failed, 0 if there was none. */
	int (*close)(struct kernel_writer *w);
};

/* The first member of each writer. */
struct kernel_writer {
	const struct kernel_writer_ops *ops;
	struct sink out;
};

/* Text as `trace-cmd report -t` prints it, with ns. */
struct kernel_writer *kernel_text_writer_new(int fd);
/* Text as `perf script` prints it, with us. */
struct kernel_writer *kernel_perf_writer_new(int fd);
/* trace.dat, version 6. fd must be a file that can seek. */
struct kernel_writer *kernel_dat_writer_new(int fd, unsigned sets);

#endif
