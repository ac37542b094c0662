/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A trace.dat as a machine of either endianness has it. Texts of formats are the
 * program's; the bytes around them are put here again, so that a fault of the
 * writer does not hide one of the reader.
 */
#include "tests/support/dat_file.h"
#include "tests/runner/test.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define DAT_PAGE 65536 /* bytes, as some machines have them */
#define DAT_ID   300   /* of the first event */

static void
add_number(const struct dat_made *m, struct text *t, uint64_t n, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		text_addc(t, (char)(n >> 8 * (m->is_big ? size - 1 - i : i)));
}

static void
add_part(const struct dat_made *m, struct text *t, const char *part)
{
	add_number(m, t, strlen(part), 8);
	text_adds(t, part);
}

/* The record's numbers at their places, its texts behind them. */
static void
encode_record(
    const struct dat_made *m, struct text *t, const struct kernel_record *r)
{
	const struct kernel_event *e = &kernel_events[r->event];
	struct text texts = {0};
	size_t fixed = 8;

	for (const struct kernel_field *f = e->fields;
	     f < e->fields + KERNEL_MAX_FIELDS && f->size > 0; f++)
		fixed = (fixed + f->size - 1) / f->size * f->size + f->size;
	add_number(m, t, DAT_ID + (unsigned)r->event, 2);
	add_number(m, t, 0, 2);
	add_number(m, t, (uint32_t)r->pid, 4);
	for (const struct kernel_field *f = e->fields;
	     f < e->fields + KERNEL_MAX_FIELDS && f->size > 0; f++) {
		while (t->len % f->size != 0)
			text_addc(t, '\0');
		if (f->kind < N_KFIELD_NUMBERS) {
			add_number(m, t, r->numbers[f->kind], f->size);
		} else {
			const char *s = kernel_text(r, f->kind);
			uint64_t len = strlen(s) + 1;

			add_number(m, t, len << 16 | (fixed + texts.len), 4);
			text_add(&texts, s, len);
		}
	}
	text_add(t, text_str(&texts), texts.len);
	while (t->len % 4 != 0)
		text_addc(t, '\0');
	text_free(&texts);
}

/* 5 bits of the length in words, 27 of the time since the event before. */
static void
add_head(const struct dat_made *m, struct text *t, uint64_t kind, uint64_t time)
{
	add_number(m, t, m->is_big ? kind << 27 | time : time << 5 | kind, 4);
}

void
dat_made_event(struct dat_made *m, unsigned cpu, const struct kernel_record *r)
{
	struct text *page = cpu == 0 ? &m->page : &m->other, record = {0};
	uint64_t delta = r->time_ns - m->last_ns[cpu];

	encode_record(m, &record, r);
	if (delta >> 27 != 0) {
		add_head(m, page, 30, delta & ((1u << 27) - 1));
		add_number(m, page, delta >> 27, 4);
		delta = 0;
	}
	if (record.len <= 4 * (size_t)28) {
		add_head(m, page, record.len / 4, delta);
	} else {
		add_head(m, page, 0, delta);
		add_number(m, page, record.len + 4, 4);
	}
	text_add(page, record.data, record.len);
	m->last_ns[cpu] = r->time_ns;
	text_free(&record);
	assert_true(page->len < DAT_PAGE - 32);
}

static void
add_formats(const struct dat_made *m, struct text *t)
{
	add_number(m, t, 0, 4); /* ftrace's own */
	add_number(m, t, 1, 4);
	text_add(t, "all", 4);
	add_number(m, t, N_KERNEL_EVENTS, 4);
	for (unsigned i = 0; i < N_KERNEL_EVENTS; i++) {
		struct text format = {0};

		kernel_describe(&format, (enum kernel_event_kind)i, DAT_ID + i);
		add_part(m, t, text_str(&format));
		text_free(&format);
	}
}

static void
add_page(const struct dat_made *m, struct text *t, const struct text *page,
    uint64_t n_lost)
{
	size_t end = t->len + DAT_PAGE;

	add_number(m, t, 0, 8); /* time */
	add_number(
	    m, t, page->len | (n_lost > 0 ? 3ull << 30 : 0), m->long_size);
	text_add(t, text_str(page), page->len);
	if (n_lost > 0)
		add_number(m, t, n_lost, m->long_size);
	while (t->len < end)
		text_addc(t, '\0');
}

static void
add_dat_head(const struct dat_made *m, struct text *t)
{
	char page[256];

	text_add(t, "\x17\x08\x44tracing6", 12);
	add_number(m, t, m->is_big, 1);
	add_number(m, t, m->long_size, 1);
	add_number(m, t, DAT_PAGE, 4);
	text_add(t, "header_page", 12);
	snprintf(page, sizeof(page),
	    "\tfield: u64 timestamp;\toffset:0;\tsize:8;\tsigned:0;\n"
	    "\tfield: local_t commit;\toffset:8;\tsize:%u;\tsigned:1;\n"
	    "\tfield: int overwrite;\toffset:8;\tsize:1;\tsigned:1;\n"
	    "\tfield: char data;\toffset:%u;\tsize:%u;\tsigned:0;\n",
	    m->long_size, 8 + m->long_size, DAT_PAGE - 8 - m->long_size);
	add_part(m, t, page);
	text_add(t, "header_event", 13);
	add_part(m, t,
	    "\ttype_len    :    5 bits\n\ttime_delta  :   27 bits\n"
	    "\tarray       :   32 bits\n\n\tpadding     : type == 29\n"
	    "\ttime_extend : type == 30\n\tdata max type_len  == 28\n");
	add_formats(m, t);
	add_number(m, t, 0, 4); /* symbols */
	add_number(m, t, 0, 4); /* formats of printk */
	add_part(m, t, "0 <idle>\n77 my game: [x]-1\n");
	add_number(m, t, 2, 4); /* cpus */
}

void
dat_made_write(struct dat_made *m, const char *path)
{
	struct text t = {0};
	FILE *f = fopen(path, "wb");
	uint64_t first;

	add_dat_head(m, &t);
	text_add(&t, "options  \0\0", 12);
	text_add(&t, "flyrecord", 10);
	first = (t.len + 32 + DAT_PAGE - 1) / DAT_PAGE * DAT_PAGE;
	for (unsigned i = 0; i < 2; i++) {
		add_number(m, &t, first + (uint64_t)i * DAT_PAGE, 8);
		add_number(m, &t, DAT_PAGE, 8);
	}
	while (t.len < first)
		text_addc(&t, '\0');
	add_page(m, &t, &m->page, m->n_lost);
	add_page(m, &t, &m->other, 0);
	assert_non_null(f);
	assert_int_equal(fwrite(t.data, 1, t.len, f), t.len);
	assert_int_equal(fclose(f), 0);
	text_free(&t);
	text_free(&m->page);
	text_free(&m->other);
	*m = (struct dat_made){.is_big = m->is_big, .long_size = m->long_size};
}
