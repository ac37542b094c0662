/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A table that --requests wrote. Columns are known by their heading. A step that ran
 * on several engines of a class is one of a virtual engine.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "trace/import/import_private.h"

enum table_column {
	COLUMN_CLIENT,
	COLUMN_STEP,
	COLUMN_CONTEXT,
	COLUMN_ENGINE,
	COLUMN_SUBMIT,
	COLUMN_READY,
	COLUMN_START,
	COLUMN_END,
	COLUMN_RUN,
	N_TABLE_COLUMNS,
	COLUMN_CONTENTS = N_TABLE_COLUMNS, /* of programs only */
};

static const char *const table_columns[] = {"client", "step", "context",
    "engine", "submit_ns", "ready_ns", "start_ns", "end_ns", "run_ns",
    "contents"};

#define MAX_COLUMNS       64
#define MAX_TABLE_CLIENTS 1000000

struct table_row {
	uint64_t numbers[N_TABLE_COLUMNS]; /* "-": NSEC_NEVER */
	uint8_t engine;                    /* number of a bit */
	bool empty;                        /* a batch without commands */
};

struct table {
	struct import *im;
	int places[N_TABLE_COLUMNS + 1]; /* -1: there is none */
	struct table_row *rows;
	size_t n, cap;
	uint64_t n_lines, n_bad, first_bad;
};

/* Cuts the next field off. False: there is none. */
static bool
next_table_field(const char **at, const char *end, struct slice *field)
{
	const char *tab;

	if (*at > end)
		return false;
	tab = memchr(*at, '\t', (size_t)(end - *at));
	field->s = *at;
	field->len = (size_t)((tab != NULL ? tab : end) - *at);
	*at = tab != NULL ? tab + 1 : end + 1;
	return true;
}

static bool
is_word(struct slice field, const char *word)
{
	return strlen(word) == field.len &&
	    memcmp(word, field.s, field.len) == 0;
}

static bool
read_heading(struct table *t, const char *line, size_t len)
{
	const char *at = line, *end = line + len;
	struct slice field;

	for (int c = 0; c <= COLUMN_CONTENTS; c++)
		t->places[c] = -1;
	for (int i = 0; i < MAX_COLUMNS && next_table_field(&at, end, &field);
	     i++)
		for (int c = 0; c <= COLUMN_CONTENTS; c++)
			if (is_word(field, table_columns[c]))
				t->places[c] = i;
	for (int c = 0; c < N_TABLE_COLUMNS; c++)
		if (t->places[c] < 0)
			return false;
	return true;
}

static bool
read_table_number(struct slice field, uint64_t *n)
{
	*n = NSEC_NEVER;
	if (field.len == 1 && *field.s == '-')
		return true;
	*n = 0;
	for (size_t i = 0; i < field.len; i++)
		if (field.s[i] < '0' || field.s[i] > '9' ||
		    __builtin_mul_overflow(*n, 10u, n) ||
		    __builtin_add_overflow(*n, (uint64_t)(field.s[i] - '0'), n))
			return false;
	return field.len > 0 && *n <= NSEC_MAX;
}

static bool
read_table_engine(struct slice field, uint8_t *engine)
{
	for (unsigned c = 0; c < N_CLASSES; c++) {
		size_t len = strlen(engine_class_names[c]);
		uint64_t n = 1;

		if (field.len < len ||
		    strncasecmp(field.s, engine_class_names[c], len) != 0)
			continue;
		if (field.len > len &&
		    !read_table_number(
			(struct slice){field.s + len, field.len - len}, &n))
			continue;
		if (n < 1 || n > INFER_MAX_INSTANCES)
			continue;
		*engine = (uint8_t)(c * INFER_MAX_INSTANCES + n - 1);
		return true;
	}
	*engine = NO_ENGINE;
	return field.len == 1 && *field.s == '-';
}

static bool
read_row(
    const struct table *t, const char *line, size_t len, struct table_row *row)
{
	const char *at = line, *end = line + len;
	struct slice field;
	unsigned found = 0;

	row->empty = false;
	for (int i = 0; next_table_field(&at, end, &field); i++) {
		row->empty |= i == t->places[COLUMN_CONTENTS] &&
		    is_word(field, "empty");
		for (int c = 0; c < N_TABLE_COLUMNS; c++) {
			if (t->places[c] != i)
				continue;
			found++;
			if (c == COLUMN_ENGINE
				? !read_table_engine(field, &row->engine)
				: !read_table_number(field, &row->numbers[c]))
				return false;
		}
	}
	return found == N_TABLE_COLUMNS &&
	    row->numbers[COLUMN_CLIENT] < MAX_TABLE_CLIENTS &&
	    row->numbers[COLUMN_CONTEXT] <= UINT32_MAX &&
	    row->numbers[COLUMN_STEP] <= UINT32_MAX &&
	    row->numbers[COLUMN_SUBMIT] != NSEC_NEVER;
}

static bool
take_table_line(void *data, const char *line, size_t len)
{
	struct table *t = data;
	struct table_row row;

	if (len > 0 && line[len - 1] == '\r')
		len--;
	if (t->n_lines++ == 0)
		return read_heading(t, line, len);
	if (len == 0)
		return true;
	if (!read_row(t, line, len, &row)) {
		if (t->n_bad++ == 0)
			t->first_bad = t->n_lines;
		return true;
	}
	t->rows = mem_grow(t->rows, t->n, &t->cap, sizeof(*t->rows));
	t->rows[t->n++] = row;
	return true;
}

/* Rows as requests */

/* The engines that a step ran on, or those that a context's steps moved
 * between. */
struct engine_set {
	struct chain_node node;
	uint64_t engines;
};

static struct engine_set *
set_of(struct import *im, struct chains *sets, const struct table_row *row,
    bool by_step)
{
	uint64_t key = row->numbers[COLUMN_CLIENT] << 44 ^
	    row->numbers[COLUMN_CONTEXT] << 20 ^
	    (by_step ? row->numbers[COLUMN_STEP] + 1 : 0);
	struct chain_node *node = chains_find(sets, NULL, key);
	struct engine_set *set;

	if (node != NULL)
		return (struct engine_set *)(void *)node;
	set = arena_alloc(&im->arena, sizeof(*set));
	*set = (struct engine_set){.node = {.n = key}};
	chains_add(sets, &set->node);
	return set;
}

static void
find_moved(struct table *t, struct chains *steps, struct chains *contexts)
{
	for (size_t i = 0; i < t->n; i++)
		if (t->rows[i].engine != NO_ENGINE)
			set_of(t->im, steps, &t->rows[i], true)->engines |= 1ull
			    << t->rows[i].engine;
	for (size_t i = 0; i < t->n; i++) {
		uint64_t set = set_of(t->im, steps, &t->rows[i], true)->engines;

		if ((set & (set - 1)) != 0)
			set_of(t->im, contexts, &t->rows[i], false)->engines |=
			    set;
	}
}

static void
add_table_row(struct table *t, const struct table_row *row, uint32_t client,
    uint64_t moved)
{
	const uint64_t *n = row->numbers;
	uint64_t bit = 1ull << row->engine;
	bool is_virtual = (moved & bit) != 0;
	bool is_open = n[COLUMN_END] == NSEC_NEVER;
	struct infer_request r = {.client = client,
	    .context = (uint32_t)n[COLUMN_CONTEXT],
	    .slot = is_virtual ? 0 : row->engine + 1u,
	    .class = (uint8_t)(row->engine / INFER_MAX_INSTANCES),
	    .instance = (uint8_t)(row->engine % INFER_MAX_INSTANCES + 1),
	    .allowed = is_virtual ? moved : bit,
	    .queued_ns = n[COLUMN_SUBMIT],
	    .ready_ns = n[COLUMN_READY],
	    .start_ns = n[COLUMN_START],
	    .end_ns = n[COLUMN_END],
	    .run_ns = is_open ? NSEC_NEVER : n[COLUMN_RUN],
	    .origin = n[COLUMN_STEP] + 1,
	    .priority = INFER_NO_PRIORITY};

	import_add_request(t->im, &r);
}

/* Leaves out the empty batches of each client before its first one with work, if it
 * has one: they only ask the kernel something (doc/model/infer.md "Acts"). */
static void
drop_questions(struct table *t)
{
	struct map32 works = {0}; /* by client: its first row with work */
	size_t kept = 0;

	for (size_t i = 0; i < t->n; i++) {
		uint32_t client = (uint32_t)t->rows[i].numbers[COLUMN_CLIENT];

		if (!t->rows[i].empty && i < MAP32_NONE &&
		    map32_get(&works, client) == MAP32_NONE)
			map32_add(&works, client, (uint32_t)i);
	}
	for (size_t i = 0; i < t->n; i++) {
		uint32_t client = (uint32_t)t->rows[i].numbers[COLUMN_CLIENT];
		uint32_t first = map32_get(&works, client);

		if (first == MAP32_NONE || i >= first)
			t->rows[kept++] = t->rows[i];
	}
	t->im->counts.n_questions += t->n - kept;
	t->n = kept;
	map32_free(&works);
}

/* Names of clients follow their numbers in the table. */
static void
add_rows(struct table *t)
{
	struct chains steps = {0}, contexts = {0};
	struct map32 clients = {0};

	find_moved(t, &steps, &contexts);
	for (size_t i = 0; i < t->n; i++) {
		struct table_row *row = &t->rows[i];
		uint32_t number = (uint32_t)row->numbers[COLUMN_CLIENT];
		uint32_t client = map32_get(&clients, number);
		uint64_t ran_on = set_of(t->im, &steps, row, true)->engines;

		if (row->engine == NO_ENGINE && ran_on != 0)
			row->engine = (uint8_t)__builtin_ctzll(ran_on);

		if (client == MAP32_NONE) {
			char name[32];

			snprintf(name, sizeof(name), "client%" PRIu32, number);
			client = import_add_client(t->im, name, -1);
			map32_add(&clients, number, client);
		}
		if (row->engine == NO_ENGINE)
			t->im->counts.n_incomplete++;
		else
			add_table_row(t, row, client,
			    set_of(t->im, &contexts, row, false)->engines);
	}
	map32_free(&clients);
	chains_free(&steps);
	chains_free(&contexts);
}

bool
requests_file_read(struct import_source *s, struct text *err)
{
	struct table t = {.im = s->im};
	bool ok = source_lines(s, take_table_line, &t, err);

	if (ok && t.places[COLUMN_RUN] < 0) {
		text_add_visible(err, s->path, strlen(s->path));
		text_adds(err,
		    ":1: a column is missing: expected those of --requests");
		ok = false;
	}
	s->im->counts.n_broken += t.n_bad;
	if (s->im->counts.first_broken == 0)
		s->im->counts.first_broken = t.first_bad;
	if (ok) {
		drop_questions(&t);
		add_rows(&t);
	}
	free(t.rows);
	return ok;
}
