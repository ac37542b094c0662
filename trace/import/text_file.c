/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A trace as text: its lines, one after the other, whatever their number. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "trace/import/import_private.h"
#include "trace/import/text_line.h"

#define BLOCK    ((size_t)256 << 10)
#define MAX_LINE ((size_t)64 << 10)

/* The bytes of a file that are not lines yet. */
struct line_buffer {
	char *bytes;
	size_t n;
	bool skips; /* the rest of a line that is too long */
};

/* Hands the whole lines over. False: handle wants no more. */
static bool
hand_over(struct line_buffer *b, source_line_fn *handle, void *data)
{
	size_t at = 0;
	bool goes_on = true;

	while (goes_on) {
		char *end = memchr(b->bytes + at, '\n', b->n - at);

		if (end == NULL)
			break;
		if (!b->skips)
			goes_on = handle(
			    data, b->bytes + at, (size_t)(end - b->bytes) - at);
		b->skips = false;
		at = (size_t)(end - b->bytes) + 1;
	}
	memmove(b->bytes, b->bytes + at, b->n - at);
	b->n -= at;
	if (b->n >= MAX_LINE) {
		goes_on = goes_on &&
		    (b->skips || handle(data, b->bytes, MAX_LINE));
		b->skips = true;
		b->n = 0;
	}
	return goes_on;
}

/* Reads another block; 0: the end, -1: err says why not. */
static int
read_block(struct import_source *s, struct line_buffer *b, struct text *err)
{
	ssize_t n;

	if (s->len > 0) {
		memcpy(b->bytes + b->n, s->begin, s->len);
		b->n += s->len;
		s->done += s->len;
		s->len = 0;
		return 1;
	}
	do
		n = read(s->fd, b->bytes + b->n, BLOCK);
	while (n < 0 && errno == EINTR);
	if (n < 0) {
		text_add_visible(err, s->path, strlen(s->path));
		text_addf(err, ": %s", strerror(errno));
		return -1;
	}
	b->n += (size_t)n;
	s->done += (uint64_t)n;
	if (import_tell_progress(s->im, s->done, s->size))
		return n > 0;
	text_add_visible(err, s->path, strlen(s->path));
	text_adds(err, ": stopped");
	return -1;
}

bool
source_lines(struct import_source *s, source_line_fn *handle, void *data,
    struct text *err)
{
	struct line_buffer b = {.bytes = mem_calloc(2 * BLOCK + MAX_LINE, 1)};
	int more = 1;
	bool goes_on = true;

	while (goes_on && more > 0) {
		more = read_block(s, &b, err);
		goes_on = hand_over(&b, handle, data);
	}
	if (goes_on && more == 0 && b.n > 0 && !b.skips)
		handle(data, b.bytes, b.n);
	free(b.bytes);
	return more >= 0;
}

static bool
take_trace_line(void *data, const char *line, size_t len)
{
	struct import *im = data;
	struct import_counts *c = &im->counts;
	struct read_event e;
	uint64_t n_lost = 0;

	c->n_lines++;
	switch (text_line_read(line, len, &e, &n_lost)) {
	case TEXT_LINE_EVENT:
		im->has_ns_times |= e.time % NSEC_PER_USEC != 0;
		assemble_event(im, &e);
		break;
	case TEXT_LINE_BROKEN:
		c->n_broken++;
		if (im->broken_event != NULL)
			break;
		c->first_broken = c->n_lines;
		im->broken_kind = e.kind;
		im->broken_event = arena_copy(&im->arena, e.name.s, e.name.len);
		break;
	case TEXT_LINE_CYCLES:
		if (c->n_cycles++ == 0)
			c->first_cycles = c->n_lines;
		break;
	case TEXT_LINE_LOST: c->n_lost += n_lost; break;
	case TEXT_LINE_OTHER: break;
	}
	return true;
}

bool
text_file_read(struct import_source *s, struct text *err)
{
	uint64_t before = s->im->counts.n_events;
	uint64_t cycles_before = s->im->counts.n_cycles;

	if (!source_lines(s, take_trace_line, s->im, err))
		return false;
	if (s->im->counts.n_events > before)
		return true;
	text_add_visible(err, s->path, strlen(s->path));
	if (s->im->counts.n_cycles > cycles_before)
		text_addf(err,
		    ":%llu: times are not in seconds: the trace's clock counts cycles "
		    "(x86-tsc) or events (counter): expected a clock of nanoseconds, e.g. "
		    "trace-cmd record -C mono",
		    (unsigned long long)s->im->counts.first_cycles);
	else if (s->im->broken_event != NULL)
		text_addf(err,
		    ":%llu: %s without its fields: expected e.g. '%s: %s'",
		    (unsigned long long)s->im->counts.first_broken,
		    s->im->broken_event, s->im->broken_event,
		    read_event_example(s->im->broken_kind));
	else
		text_adds(err,
		    ":1: not a trace: expected text of trace-cmd report, perf "
		    "script or tracefs, a trace.dat, or a table that --requests "
		    "wrote");
	return false;
}
