/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/trace_reader.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"
#include "tests/support/trace_reader_private.h"

struct seen *
seen_add_event(struct seen_trace *t, enum seen_kind kind)
{
	t->events = mem_grow(t->events, t->n, &t->cap, sizeof(*t->events));
	t->events[t->n] = (struct seen){
	    .kind = kind, .latency = -1, .queue = -1, .pid = -1};
	return &t->events[t->n++];
}

void
seen_add_arrow(struct seen_trace *t, uint64_t id, bool leads, size_t event)
{
	t->arrows = mem_grow(
	    t->arrows, t->n_arrows, &t->cap_arrows, sizeof(*t->arrows));
	t->arrows[t->n_arrows++] = (struct seen_arrow){id, leads, event};
}

struct seen_row *
seen_add_row(
    struct seen_trace *t, uint32_t group, uint32_t number, const char *name)
{
	struct seen_row *row;

	assert_null(seen_row_name(t, group, number));
	t->rows = mem_grow(t->rows, t->n_rows, &t->cap_rows, sizeof(*t->rows));
	row = &t->rows[t->n_rows++];
	*row = (struct seen_row){group, number, 0, ""};
	snprintf(row->name, sizeof(row->name), "%s", name);
	return row;
}

const char *
seen_row_name(const struct seen_trace *t, uint32_t group, uint32_t number)
{
	for (size_t i = 0; i < t->n_rows; i++)
		if (t->rows[i].group == group && t->rows[i].number == number)
			return t->rows[i].name;
	return NULL;
}

void
seen_free(struct seen_trace *t)
{
	free(t->events);
	free(t->arrows);
	free(t->rows);
	*t = (struct seen_trace){0};
}

/* Perfetto: fields of protobuf. */

struct bytes {
	const uint8_t *at, *end;
};

struct field {
	uint32_t number;
	uint64_t n;     /* types 0, 1, 5 */
	struct bytes b; /* type 2 */
};

static uint64_t
take_varint(struct bytes *b)
{
	uint64_t n = 0;

	for (unsigned shift = 0; shift < 64; shift += 7) {
		assert_true(b->at < b->end);
		n |= (uint64_t)(*b->at & 0x7f) << shift;
		if (*b->at++ < 0x80)
			return n;
	}
	fail_msg("a number does not end");
	return 0;
}

static uint64_t
take_fixed(struct bytes *b, unsigned size)
{
	uint64_t n = 0;

	assert_true(b->end - b->at >= size);
	for (unsigned i = 0; i < size; i++)
		n |= (uint64_t)*b->at++ << 8 * i;
	return n;
}

static bool
take(struct bytes *b, struct field *f)
{
	uint64_t head, len;

	if (b->at == b->end)
		return false;
	head = take_varint(b);
	*f = (struct field){.number = (uint32_t)(head >> 3)};
	assert_true(f->number > 0);
	switch (head & 7) {
	case 0: f->n = take_varint(b); break;
	case 1: f->n = take_fixed(b, 8); break;
	case 2:
		len = take_varint(b);
		assert_true(len <= (uint64_t)(b->end - b->at));
		f->b = (struct bytes){b->at, b->at + len};
		b->at += len;
		break;
	case 5: f->n = take_fixed(b, 4); break;
	default: fail_msg("type %u of a field", (unsigned)(head & 7));
	}
	return true;
}

static void
take_text(struct bytes b, char *out, size_t size)
{
	snprintf(out, size, "%.*s", (int)(b.end - b.at), (const char *)b.at);
}

/* Interned data: by their field and id, names, or the pid of a context. */
enum { EVENTS = 2, ARGUMENTS = 3, CONTEXTS = 23, STAGES = 24, TEXTS = 29 };

struct names {
	struct known {
		uint32_t field;
		uint64_t iid, pid;
		char name[128];
	} * list;
	size_t n, cap;
};

static const struct known *
known_as(const struct names *names, uint32_t field, uint64_t iid)
{
	for (size_t i = names->n; i-- > 0;)
		if (names->list[i].field == field && names->list[i].iid == iid)
			return &names->list[i];
	fail_msg("no %u for id %llu", field, (unsigned long long)iid);
	return NULL;
}

static const char *
name_of(const struct names *names, uint32_t field, uint64_t iid)
{
	return known_as(names, field, iid)->name;
}

static void
see_names(struct names *names, struct bytes data)
{
	struct field f, g;

	while (take(&data, &f)) {
		struct known k = {.field = f.number};

		assert_true(f.number == EVENTS || f.number == ARGUMENTS ||
		    f.number == CONTEXTS || f.number == STAGES ||
		    f.number == TEXTS);
		while (take(&f.b, &g)) {
			if (g.number == 1)
				k.iid = g.n;
			else if (g.number == 2 && f.number == CONTEXTS)
				k.pid = g.n;
			else if (g.number == 2)
				take_text(g.b, k.name, sizeof(k.name));
		}
		assert_true(k.iid != 0);
		names->list = mem_grow(
		    names->list, names->n, &names->cap, sizeof(k));
		names->list[names->n++] = k;
	}
}

/* All three clocks show the same time; Arm's loader needs MONOTONIC_RAW, 5. */
static void
see_clocks(struct seen_trace *t, struct bytes snapshot)
{
	struct field f, g;
	unsigned seen = 0;

	while (take(&snapshot, &f)) {
		uint64_t id = 0, at = UINT64_MAX;

		if (f.number != 1)
			continue;
		while (take(&f.b, &g)) {
			assert_in_range(g.number, 1, 2);
			*(g.number == 1 ? &id : &at) = g.n;
		}
		assert_true(at != UINT64_MAX);
		assert_true(seen == 0 || at == t->begin);
		t->begin = at;
		seen |= 1u << id;
	}
	assert_int_equal(seen, 1u << 3 | 1u << 5 | 1u << 6);
}

#define ROOT 1

static void
see_track(struct seen_trace *t, struct bytes track)
{
	struct field f;
	uint64_t uuid = 0, parent = 0, order = 0, rank = UINT64_MAX;
	char name[64] = "";

	while (take(&track, &f)) {
		if (f.number == 1)
			uuid = f.n;
		else if (f.number == 2)
			take_text(f.b, name, sizeof(name));
		else if (f.number == 5)
			parent = f.n;
		else if (f.number == 11)
			order = f.n;
		else if (f.number == 12)
			rank = f.n;
	}
	assert_true(name[0] != '\0');
	/* Groups have one parent, their tracks the group; all have an order. */
	if ((uint32_t)uuid == 0 || uuid == ROOT)
		assert_int_equal(order, 3);
	if (uuid != ROOT) {
		assert_int_equal(parent,
		    (uint32_t)uuid == 0 ? ROOT : uuid & ~(uint64_t)UINT32_MAX);
		assert_true(rank != UINT64_MAX);
	}
	seen_add_row(t, (uint32_t)(uuid >> 32), (uint32_t)uuid, name)->rank =
	    (uint32_t)rank;
}

static void
keep_text(char *out, size_t size, const char *text)
{
	size_t len = text != NULL ? strnlen(text, size - 1) : 0;

	if (len > 0)
		memcpy(out, text, len);
	out[len] = 0;
}

void
seen_keep_argument(
    struct seen *s, const char *name, int64_t n, const char *text)
{
	if (strcmp(name, "request") == 0)
		s->request = n;
	else if (strcmp(name, "execution") == 0)
		s->tag = (uint64_t)n;
	else if (strcmp(name, "iteration") == 0)
		s->iteration = n;
	else if (strcmp(name, "late_ns") == 0)
		s->late = n;
	else if (strcmp(name, "latency_ns") == 0)
		s->latency = n;
	else if (strcmp(name, "queue_ns") == 0)
		s->queue = n;
	else if (strcmp(name, "at") == 0)
		keep_text(s->at, sizeof(s->at), text);
	else if (strcmp(name, "text") == 0)
		keep_text(s->text, sizeof(s->text), text);
}

static void
see_argument(struct seen *s, const struct names *names, struct bytes note)
{
	struct field f;
	char name[32] = "", text[128] = "";
	uint64_t n = 0;

	while (take(&note, &f)) {
		if (f.number == 1)
			keep_text(
			    name, sizeof(name), name_of(names, ARGUMENTS, f.n));
		else if (f.number == 4)
			n = f.n;
		else if (f.number == 6)
			take_text(f.b, text, sizeof(text));
		else if (f.number == 10)
			take_text(f.b, name, sizeof(name));
		else if (f.number == 17)
			keep_text(
			    text, sizeof(text), name_of(names, TEXTS, f.n));
	}
	seen_keep_argument(s, name, (int64_t)n, text);
}

/* Ends the slice that is open in its row, the last one there. */
static void
end_slice(struct seen_trace *t, uint32_t group, uint32_t number, uint64_t at)
{
	size_t i = t->n;

	while (i > 0 &&
	    (t->events[i - 1].kind != SEEN_SLICE ||
		t->events[i - 1].group != group ||
		t->events[i - 1].number != number))
		i--;
	assert_true(i > 0);
	assert_int_equal(t->events[i - 1].end, UINT64_MAX);
	assert_true(t->events[i - 1].start <= at);
	t->events[i - 1].end = at;
}

static double
as_double(uint64_t bits)
{
	double value;

	memcpy(&value, &bits, sizeof(value));
	return value;
}

static void
see_event(struct seen_trace *t, const struct names *names, struct bytes event,
    uint64_t at)
{
	static const enum seen_kind kinds[] = {
	    [1] = SEEN_SLICE, [3] = SEEN_INSTANT, [4] = SEEN_COUNTER};
	struct bytes again = event;
	uint64_t type = 0, uuid = 0;
	struct seen *s;
	struct field f;

	while (take(&event, &f)) {
		if (f.number == 9)
			type = f.n;
		else if (f.number == 11)
			uuid = f.n;
	}
	assert_in_range(type, 1, 4);
	assert_non_null(
	    seen_row_name(t, (uint32_t)(uuid >> 32), (uint32_t)uuid));
	if (type == 2) {
		end_slice(t, (uint32_t)(uuid >> 32), (uint32_t)uuid, at);
		return;
	}
	s = seen_add_event(t, kinds[type]);
	s->group = (uint32_t)(uuid >> 32);
	s->number = (uint32_t)uuid;
	s->start = at;
	s->end = type == 1 ? UINT64_MAX : 0;
	if (type == 4)
		snprintf(s->name, sizeof(s->name), "%s",
		    seen_row_name(t, s->group, s->number));
	while (take(&again, &f)) {
		if (f.number == 4)
			see_argument(s, names, f.b);
		else if (f.number == 10)
			keep_text(s->name, sizeof(s->name),
			    name_of(names, EVENTS, f.n));
		else if (f.number == 23)
			take_text(f.b, s->name, sizeof(s->name));
		else if (f.number == 30)
			s->value = (double)(int64_t)f.n;
		else if (f.number == 44)
			s->value = as_double(f.n);
		else if (f.number == 47 || f.number == 48)
			seen_add_arrow(t, f.n, f.number == 48, t->n - 1);
	}
}

static void
see_extra(struct seen *s, struct bytes data)
{
	char name[32] = "", value[32] = "";
	struct field f;

	while (take(&data, &f))
		take_text(f.b, f.number == 1 ? name : value, 32);
	if (strcmp(name, "Labels") != 0)
		return;
	memcpy(s->label, value, sizeof(value));
	assert_int_equal(value[0], 't');
	s->tag = strtoull(value + 1, NULL, 10);
}

/* Sizes of a launch: fields of a grid or a group. */
static void
see_launch(struct seen *s, struct bytes launch)
{
	struct field f, g;

	while (take(&launch, &f))
		while (take(&f.b, &g)) {
			assert_in_range(g.number, 1, 3);
			(f.number == 1 ? s->grid : s->local)[g.number - 1] =
			    (uint32_t)g.n;
		}
}

/* The fields that Perfetto has had since 2026. */
static void
see_newer(struct seen *s, const struct names *names, const struct field *f)
{
	if (f->number == 5 && f->n != 0)
		s->pid = (int64_t)known_as(names, CONTEXTS, f->n)->pid;
	else if (f->number == 16)
		s->pass = f->n;
	else if (f->number == 17)
		take_text(f->b, s->title, sizeof(s->title));
	else if (f->number == 18 && s->n_waits < 8)
		s->waits[s->n_waits++] = f->n;
	else if (f->number == 20)
		keep_text(
		    s->title, sizeof(s->title), name_of(names, EVENTS, f->n));
	else if (f->number == 21)
		see_launch(s, f->b);
}

static void
see_stage(struct seen_trace *t, const struct names *names, struct bytes stage,
    uint64_t at)
{
	struct seen *s = seen_add_event(t, SEEN_STAGE);
	struct field f;

	s->start = s->end = at;
	while (take(&stage, &f)) {
		see_newer(s, names, &f);
		if (f.number == 1)
			s->id = f.n;
		else if (f.number == 2)
			s->end = at + f.n;
		else if (f.number == 6)
			see_extra(s, f.b);
		else if (f.number == 13)
			snprintf(s->name, sizeof(s->name), "%s",
			    name_of(names, STAGES, f.n));
		else if (f.number == 14)
			snprintf(s->stage, sizeof(s->stage), "%.63s",
			    name_of(names, STAGES, f.n));
	}
}

static void
see_packet(struct seen_trace *t, struct names *names, struct bytes packet)
{
	struct bytes again = packet;
	struct field f;
	uint64_t at = UINT64_MAX;

	while (take(&packet, &f)) {
		if (f.number == 8)
			at = f.n;
		assert_true(f.number != 58); /* all in the one clock */
	}
	while (take(&again, &f)) {
		switch (f.number) {
		case 6: see_clocks(t, f.b); break;
		case 11: see_event(t, names, f.b, at); break;
		case 12: see_names(names, f.b); break;
		case 53: see_stage(t, names, f.b, at); break;
		case 60: see_track(t, f.b); break;
		case 1: /* ftrace events and tasks: test_trace_kernel.c */
		case 2:
		case 8:
		case 10:
		case 13: break;
		default: fail_msg("field %u of a packet", f.number);
		}
	}
}

void
seen_perfetto(struct seen_trace *t, const char *path)
{
	struct names names = {0};
	struct bytes all;
	struct field f;
	size_t len;
	char *text = read_whole(path, &len);

	*t = (struct seen_trace){.begin = UINT64_MAX};
	all = (struct bytes){(uint8_t *)text, (uint8_t *)text + len};
	while (take(&all, &f)) {
		assert_int_equal(f.number, 1);
		see_packet(t, &names, f.b);
	}
	assert_true(t->begin != UINT64_MAX);
	for (size_t i = 0; i < t->n; i++)
		assert_true(t->events[i].kind != SEEN_SLICE ||
		    t->events[i].end != UINT64_MAX);
	free(names.list);
	free(text);
}
