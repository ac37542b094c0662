/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * trace.dat, version 6 (doc/model/traces.md "trace.dat"): pages of events, in
 * front of which room is left for the header. That has the formats of the
 * events, and the tasks and the size of the pages as they were when it was
 * written last: at the start, each time that the file has doubled, and at the
 * end.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "trace/kernel/writer.h"

#define PAGE      4096
#define PAGE_HEAD 16 /* bytes: time, bytes used */

/* The header has this room; tasks beyond it have no name. A hole in the file. */
#define HEADER_ROOM (32 * PAGE)
#define TASKS_ROOM  (HEADER_ROOM - 8 * PAGE)

#define FIRST_ID 1000 /* of an event, by enum kernel_event_kind */

/* Heads of events: 5 bits of the length in words, or one of these. */
enum { LENGTH_FOLLOWS, MOST_WORDS = 28, TIME_EXTEND = 30 };
#define DELTA_BITS 27

struct dat_writer {
	struct kernel_writer writer;
	unsigned sets;
	struct text tasks; /* "PID COMM\n" of each */
	struct text page;  /* without its head */
	uint64_t page_ns, last_ns;
	struct text record;
	uint64_t n_pages;     /* given to the sink */
	uint64_t next_header; /* n_pages at which it is written again */
};

static void
add_le(struct text *t, uint64_t n, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		text_addc(t, (char)(n >> 8 * i));
}

/* Adds a string with its zero. */
static void
add_dat_string(struct text *t, const char *s)
{
	text_add(t, s, strlen(s) + 1);
}

/* Adds a text with its length before it. */
static void
add_sized(struct text *t, const char *s)
{
	add_le(t, strlen(s), 8);
	text_adds(t, s);
}

static void
add_page_formats(struct text *t)
{
	add_dat_string(t, "header_page");
	add_sized(t,
	    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	    "\tfield: local_t commit;\toffset:8;\tsize:8;\tsigned:1;\n"
	    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	    "\tfield: char data;\toffset:16;\tsize:4080;\tsigned:0;\n");
	add_dat_string(t, "header_event");
	add_sized(t,
	    "# compressed entry header\n"
	    "\ttype_len    :    5 bits\n"
	    "\ttime_delta  :   27 bits\n"
	    "\tarray       :   32 bits\n"
	    "\n"
	    "\tpadding     : type == 29\n"
	    "\ttime_extend : type == 30\n"
	    "\ttime_stamp : type == 31\n"
	    "\tdata max type_len  == 28\n");
}

static bool
has_event(const struct dat_writer *d, unsigned kind, const char *system)
{
	return (d->sets >> kernel_events[kind].set & 1) != 0 &&
	    strcmp(kernel_events[kind].system, system) == 0;
}

/* Adds the formats of a system's events. Returns false if it has none. */
static bool
add_system(struct text *t, const struct dat_writer *d, const char *system)
{
	struct text format = {0};
	unsigned n = 0;

	for (unsigned i = 0; i < N_KERNEL_EVENTS; i++)
		n += has_event(d, i, system);
	if (n == 0)
		return false;
	add_dat_string(t, system);
	add_le(t, n, 4);
	for (unsigned i = 0; i < N_KERNEL_EVENTS; i++) {
		if (!has_event(d, i, system))
			continue;
		text_clear(&format);
		kernel_describe(
		    &format, (enum kernel_event_kind)i, FIRST_ID + i);
		add_sized(t, text_str(&format));
	}
	text_free(&format);
	return true;
}

static void
add_systems(struct text *t, const struct dat_writer *d)
{
	static const char *const systems[] = {
	    "i915", "dma_fence", "gpu_scheduler"};
	struct text list = {0};
	unsigned n = 0;

	for (size_t i = 0; i < sizeof(systems) / sizeof(*systems); i++)
		n += add_system(&list, d, systems[i]);
	add_le(t, 0, 4); /* ftrace's own */
	add_le(t, n, 4);
	text_add(t, text_str(&list), list.len);
	text_free(&list);
}

/* Adds what is behind the tasks: the clock and the place of the pages. */
static void
add_dat_options(struct text *t, uint64_t n_pages)
{
	enum { OPTION_CLOCK = 4, OPTION_UNAME = 5 };
	static const char uname[] = "Linux gpuwl-top model";

	add_le(t, 1, 4); /* CPUs */
	text_add(t, "options  ", 10);
	add_le(t, OPTION_CLOCK, 2);
	add_le(t, 0, 4);
	add_le(t, OPTION_UNAME, 2);
	add_le(t, sizeof(uname), 4);
	add_dat_string(t, uname);
	add_le(t, 0, 2);
	text_add(t, "flyrecord", 10);
	add_le(t, HEADER_ROOM, 8);
	add_le(t, n_pages * PAGE, 8);
	add_sized(t, "[mono]\n");
}

static void
make_header(struct text *t, const struct dat_writer *d)
{
	text_add(t, "\x17\x08\x44tracing6", 12);
	add_le(t, 0, 1); /* little endian */
	add_le(t, 8, 1); /* bytes of a long */
	add_le(t, PAGE, 4);
	add_page_formats(t);
	add_systems(t, d);
	add_le(t, 0, 4); /* kallsyms */
	add_le(t, 0, 4); /* formats of printk */
	add_le(t, d->tasks.len, 8);
	text_add(t, text_str(&d->tasks), d->tasks.len);
	add_dat_options(t, d->n_pages);
}

static void
write_header(struct dat_writer *d)
{
	struct sink *out = &d->writer.out;
	struct text header = {0};

	sink_flush(out);
	make_header(&header, d);
	if (out->error == 0 &&
	    pwrite(out->fd, header.data, header.len, 0) != (ssize_t)header.len)
		out->error = errno;
	text_free(&header);
	d->next_header = 2 * d->n_pages + 16;
}

static void
put_dat_page(struct dat_writer *d)
{
	size_t used = d->page.len;
	struct text head = {0};

	if (used == 0)
		return;
	add_le(&head, d->page_ns, 8);
	add_le(&head, used, 8);
	sink_add(&d->writer.out, head.data, head.len);
	while (d->page.len < PAGE - PAGE_HEAD)
		text_addc(&d->page, '\0');
	sink_add(&d->writer.out, d->page.data, d->page.len);
	text_clear(&d->page);
	text_free(&head);
	if (++d->n_pages >= d->next_header)
		write_header(d);
}

/* Adds the head of the event, with the time since the one before. */
static void
add_event_head(struct text *page, uint64_t delta, size_t len)
{
	bool fits = len <= 4 * MOST_WORDS;

	if (delta >> DELTA_BITS != 0) {
		uint64_t low = delta & ((1u << DELTA_BITS) - 1);

		add_le(page, low << 5 | TIME_EXTEND, 4);
		add_le(page, delta >> DELTA_BITS, 4);
		delta = 0;
	}
	add_le(page, delta << 5 | (fits ? len / 4 : LENGTH_FOLLOWS), 4);
	if (!fits)
		add_le(page, len + 4, 4);
}

static void
put_dat_event(struct kernel_writer *w, const struct kernel_record *r)
{
	struct dat_writer *d = (struct dat_writer *)w;
	size_t most;

	text_clear(&d->record);
	kernel_encode(&d->record, r, FIRST_ID + (unsigned)r->event);
	most = d->record.len + 16;
	if (d->page.len + most > PAGE - PAGE_HEAD)
		put_dat_page(d);
	if (d->page.len == 0)
		d->page_ns = d->last_ns = r->time_ns;
	add_event_head(&d->page, r->time_ns - d->last_ns, d->record.len);
	text_add(&d->page, d->record.data, d->record.len);
	d->last_ns = r->time_ns;
}

static void
add_dat_task(struct kernel_writer *w, int32_t pid, const char *comm)
{
	struct dat_writer *d = (struct dat_writer *)w;

	if (d->tasks.len < TASKS_ROOM)
		text_addf(&d->tasks, "%d %s\n", pid, comm);
}

static int
close_dat(struct kernel_writer *w)
{
	struct dat_writer *d = (struct dat_writer *)w;
	int error;

	put_dat_page(d);
	write_header(d);
	error = sink_close(&w->out);
	text_free(&d->tasks);
	text_free(&d->page);
	text_free(&d->record);
	free(d);
	return error;
}

/* Returns 0, else the errno that says why pages and header can't be written to
 * their places. */
static int
begin_file(int fd)
{
	int flags = fcntl(fd, F_GETFL);
	struct stat st;

	if (fstat(fd, &st) != 0)
		return errno;
	if (!S_ISREG(st.st_mode) || flags < 0 || (flags & O_APPEND) != 0)
		return ESPIPE;
	return lseek(fd, HEADER_ROOM, SEEK_SET) < 0 ? errno : 0;
}

struct kernel_writer *
kernel_dat_writer_new(int fd, unsigned sets)
{
	static const struct kernel_writer_ops ops = {
	    .task = add_dat_task,
	    .put = put_dat_event,
	    .close = close_dat,
	};
	struct dat_writer *d = mem_calloc(1, sizeof(*d));

	d->writer.ops = &ops;
	d->sets = sets;
	sink_init(&d->writer.out, fd, NULL);
	d->writer.out.error = begin_file(fd);
	add_dat_task(&d->writer, 0, "<idle>");
	write_header(d);
	return &d->writer;
}
