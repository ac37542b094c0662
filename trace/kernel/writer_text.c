/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A kernel trace as text: as trace-cmd report -t prints it, and as perf script
 * does. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "trace/kernel/writer.h"

struct text_writer {
	struct kernel_writer writer;
	struct text line;
	bool perf;
};

#define NS_PER_S  UINT64_C(1000000000)
#define NS_PER_US 1000

#define NAME_WIDTH 21 /* columns of an event's name with its colon */

static void
print_report_head(struct text *line, const struct kernel_record *r)
{
	size_t name;

	text_addf(line,
	    "%16s-%-5" PRId32 " [%03" PRIu32 "] %5" PRIu64 ".%09" PRIu64 ": ",
	    r->comm, r->pid, r->cpu, r->time_ns / NS_PER_S,
	    r->time_ns % NS_PER_S);
	name = line->len;
	text_adds(line, kernel_events[r->event].name);
	text_addc(line, ':');
	while (line->len < name + NAME_WIDTH)
		text_addc(line, ' ');
	text_addc(line, ' ');
}

static void
print_perf_head(struct text *line, const struct kernel_record *r)
{
	const struct kernel_event *e = &kernel_events[r->event];

	text_addf(line,
	    "%16s %5" PRId32 " [%03" PRIu32 "] %5" PRIu64 ".%06" PRIu64
	    ": %s:%s: ",
	    r->pid != 0 ? r->comm : "swapper", r->pid, r->cpu,
	    r->time_ns / NS_PER_S, r->time_ns % NS_PER_S / NS_PER_US, e->system,
	    e->name);
}

static void
put_line(struct kernel_writer *w, const struct kernel_record *r)
{
	struct text_writer *t = (struct text_writer *)w;

	text_clear(&t->line);
	if (t->perf)
		print_perf_head(&t->line, r);
	else
		print_report_head(&t->line, r);
	kernel_print(&t->line, r);
	text_addc(&t->line, '\n');
	sink_add(&w->out, t->line.data, t->line.len);
}

static int
close_text(struct kernel_writer *w)
{
	struct text_writer *t = (struct text_writer *)w;
	int error = sink_close(&w->out);

	text_free(&t->line);
	free(t);
	return error;
}

static struct kernel_writer *
text_writer_new(int fd, bool perf)
{
	static const struct kernel_writer_ops ops = {
	    .put = put_line,
	    .close = close_text,
	};
	struct text_writer *t = mem_calloc(1, sizeof(*t));

	t->writer.ops = &ops;
	t->perf = perf;
	sink_init(&t->writer.out, fd, NULL);
	return &t->writer;
}

struct kernel_writer *
kernel_text_writer_new(int fd)
{
	static const char head[] = "cpus=1\n";
	struct kernel_writer *w = text_writer_new(fd, false);

	sink_add(&w->out, head, sizeof(head) - 1);
	return w;
}

struct kernel_writer *
kernel_perf_writer_new(int fd)
{
	return text_writer_new(fd, true);
}
