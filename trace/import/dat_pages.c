/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pages of a trace.dat: each cpu has its own, in the order of time, so the next
 * event of all is the earliest of the cpus' next ones.
 */
#include <stdlib.h>
#include <string.h>

#include "trace/import/dat_private.h"

/* Kinds of entries in a page; those up to 28 are lengths in words. */
#define ENTRY_PADDING 29
#define ENTRY_EXTEND  30
#define ENTRY_STAMP   31

#define PAGE_MISSED   (1ull << 31) /* events were lost before the page */
#define PAGE_STORED   (1ull << 30) /* their number is behind the data */
#define PAGES_BETWEEN 256          /* calls of progress */

static uint64_t
page_number(
    const struct dat *d, const struct dat_cpu *c, uint32_t at, unsigned size)
{
	return dat_number(d, c->page + at, size);
}

/* Reads the next page of a cpu. False: there is none. */
static bool
next_page(struct dat *d, struct dat_cpu *c)
{
	uint64_t len = c->end - c->offset, commit;
	uint32_t most;

	if (len < d->data_offset)
		return false;
	len = len < d->page_size ? len : d->page_size;
	most = (uint32_t)len - d->data_offset;
	/* The first page is the longest. */
	if (c->page == NULL)
		c->page = mem_calloc(len, 1);
	d->at = c->offset;
	if (!dat_take(d, c->page, len, "a page"))
		return false;
	c->offset += len;
	d->source->done += len;
	commit = page_number(d, c, 8, d->long_size);
	c->used = (uint32_t)(commit & (PAGE_STORED - 1));
	if (c->used > most) {
		d->im->counts.n_cut++;
		c->used = most;
	}
	if (commit & PAGE_MISSED)
		d->im->counts.n_lost += (commit & PAGE_STORED) != 0 &&
			c->used + d->long_size <= most
		    ? page_number(d, c, d->data_offset + c->used, d->long_size)
		    : 1;
	c->record.time = page_number(d, c, 0, 8);
	c->at = 0;
	return true;
}

/* Returns the length of an entry: more than any page where it would not fit. */
static uint32_t
whole_length(uint32_t head, uint32_t more)
{
	return more > UINT32_MAX - head ? UINT32_MAX : head + more;
}

/* Looks at the entry at c->at of the page. Sets *len to its length in all; 0:
 * the page is over or broken. Returns true if it is an event. */
static bool
look_at_entry(struct dat *d, struct dat_cpu *c, uint32_t *len)
{
	uint32_t at = d->data_offset + c->at, head, kind, more, words;
	uint64_t delta;

	*len = 0;
	if (c->at + 4 > c->used)
		return false;
	head = (uint32_t)page_number(d, c, at, 4);
	kind = d->is_big ? head >> 27 : head & 31;
	delta = d->is_big ? head & ((1u << 27) - 1) : head >> 5;
	more = c->at + 8 <= c->used ? (uint32_t)page_number(d, c, at + 4, 4)
				    : 0;
	switch (kind) {
	case ENTRY_PADDING:
		if (delta == 0)
			return false; /* the rest of the page is empty */
		*len = whole_length(4, more);
		c->record.time += delta;
		return false;
	case ENTRY_EXTEND:
		*len = 8;
		c->record.time += delta | (uint64_t)more << 27;
		return false;
	case ENTRY_STAMP:
		*len = 8;
		c->record.time = (c->record.time & ~((1ull << 59) - 1)) |
		    delta | (uint64_t)more << 27;
		return false;
	default: break;
	}
	c->record.time += delta;
	words = kind == 0 ? 4 : 0;
	c->record.bytes = c->page + at + 4 + words;
	c->record.len = kind > 0 ? 4 * kind : more >= 4 ? more - 4 : 0;
	*len = whole_length(4 + words, c->record.len);
	return true;
}

/* Finds the next event of a cpu. */
static void
find_next(struct dat *d, struct dat_cpu *c)
{
	c->has_next = false;
	while (!c->has_next) {
		uint32_t len;
		bool is_event;

		if (c->page == NULL || c->at >= c->used) {
			if (!next_page(d, c))
				return;
			continue;
		}
		is_event = look_at_entry(d, c, &len);
		if (len == 0 || len > c->used - c->at) {
			d->im->counts.n_cut += len != 0;
			c->at = c->used;
			continue;
		}
		c->at += (len + 3) & ~3u;
		c->has_next = is_event && c->record.len >= DAT_COMMON_LEN;
	}
}

static void
take_dat_event(struct dat *d, const struct dat_cpu *c)
{
	const struct dat_format *f = dat_format_of(d, &c->record);
	const struct dat_task *task;
	struct read_event e;

	if (f == NULL)
		return;
	dat_decode(d, &c->record, f, &e);
	task = dat_find_task(d, e.pid);
	if (task != NULL) {
		e.tgid = task->tgid;
		if (task->comm != NULL)
			e.comm = (struct slice){task->comm, strlen(task->comm)};
	}
	dat_hand_over(d->im, &e);
}

static struct dat_cpu *
earliest(struct dat *d)
{
	struct dat_cpu *best = NULL;

	for (uint32_t i = 0; i < d->n_cpus; i++) {
		struct dat_cpu *c = &d->cpus[i];

		if (c->has_next &&
		    (best == NULL || c->record.time < best->record.time))
			best = c;
	}
	return best;
}

bool
dat_read_pages(struct dat *d)
{
	uint64_t told = 0;
	struct dat_cpu *c;

	for (uint32_t i = 0; i < d->n_cpus; i++)
		find_next(d, &d->cpus[i]);
	while ((c = earliest(d)) != NULL) {
		take_dat_event(d, c);
		find_next(d, c);
		if (d->source->done - told < PAGES_BETWEEN * d->page_size)
			continue;
		told = d->source->done;
		if (!import_tell_progress(d->im, told, d->source->size))
			return dat_fail(d, "stopped");
	}
	return d->err->len == 0;
}
