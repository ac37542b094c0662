/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of behaviours (tests/behaviours/behaviour.h): each entry is a test. The role
 * `:behaviours` runs each in a process of its own and prints the table of results
 * (`make behaviours`). For the mutation run (tests/mutants), --checks prints the entries
 * that a fault in the engine must fail, and --failed those that fail. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/behaviours/alone.h"
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/table.h"
#include "tests/runner/test.h"

static const struct behaviours *const files[] = {
    &behaviours_kunit,
    &behaviours_kunit_clients,
    &behaviours_igt_schedule,
    &behaviours_igt_slices,
    &behaviours_igt_balancer,
    &behaviours_igt_parallel,
    &behaviours_igt_fence,
    &behaviours_igt_fair,
    &behaviours_igt_device,
    &behaviours_igt_hangs,
    &behaviours_igt_persistence,
    &behaviours_igt_resets,
    &behaviours_selftests,
    &behaviours_selftests_guc,
    &behaviours_selftests_resets,
    &behaviours_rules,
};

#define N_FILES (sizeof files / sizeof *files)

static struct table table;

static void
check(void **state)
{
	const struct entry *entry = *state;
	const char *rest = entry->behaviour->schedulers;
	char sched[16];

	while (*rest != '\0') {
		size_t len = strcspn(rest, " ");

		assert_in_range(len, 1, sizeof sched - 1);
		memcpy(sched, rest, len);
		sched[len] = '\0';
		rest += len + (rest[len] == ' ');
		/* says which scheduler failed */
		print_message("%s\n", sched);
		entry->behaviour->check(sched);
	}
}

static void
add(struct table *t, const char *section, const struct behaviour *b)
{
	struct entry *entry = &t->entries[t->n++];
	struct text title = {0};

	text_addf(&title, "%s #%u %s", section, b->row, b->name);
	entry->section = section;
	entry->behaviour = b;
	entry->title = title.data;
	entry->place = t->n;
}

/* Sorts by section and row, and keeps the order of entries in a row. */
static int
compare(const void *a, const void *b)
{
	const struct entry *x = a, *y = b;
	int sections = strcmp(x->section, y->section);

	if (sections != 0)
		return sections;
	if (x->behaviour->row != y->behaviour->row)
		return x->behaviour->row < y->behaviour->row ? -1 : 1;
	return x->place < y->place ? -1 : 1;
}

/* Each entry has a check or says why not, and the rows of each file are in
 * order. */
TEST(table_is_whole)
{
	for (size_t f = 0; f < N_FILES; f++) {
		unsigned row = 0;

		for (size_t i = 0; i < files[f]->n; i++) {
			const struct behaviour *b = &files[f]->list[i];

			assert_true((b->check == NULL) ==
			    behaviour_has(b, REMARK_NOT_APPLICABLE));
			assert_true(
			    (b->check == NULL) == (b->schedulers == NULL));
			assert_true(b->row >= row);
			row = b->row;
		}
	}
}

/* The number of rows of each section, and row 18 of 5.8 with its parameters. */
static const struct section {
	const char *name;
	unsigned rows;
} sections[] = {{"2.9", 5}, {"5.8", 19}, {"6.1", 61}, {"6.2", 16}, {"9", 10}};

#define CLIENT_SETS_ROW 18 /* of 5.8: ten sets, with one and two credits */
#define CLIENT_SETS     20

static size_t
entries_of_row(const struct table *t, const char *section, unsigned row)
{
	size_t n = 0;

	for (size_t i = 0; i < t->n; i++) {
		n += strcmp(t->entries[i].section, section) == 0 &&
		    t->entries[i].behaviour->row == row;
	}
	return n;
}

/* No row is missing, none is unknown, and no entry is there twice. */
TEST(no_row_is_left_out)
{
	const struct table *t = &table;
	size_t known = 0;

	for (size_t s = 0; s < sizeof sections / sizeof *sections; s++) {
		for (unsigned row = 1; row <= sections[s].rows; row++) {
			size_t n = entries_of_row(t, sections[s].name, row);

			if (n == 0)
				fail_msg("section %s: nothing for row %u",
				    sections[s].name, row);
			known += n;
		}
	}
	assert_int_equal(known, t->n);
	assert_int_equal(
	    entries_of_row(t, "5.8", CLIENT_SETS_ROW), CLIENT_SETS);
	for (size_t i = 0; i < t->n; i++) {
		for (size_t k = 0; k < i; k++)
			assert_string_not_equal(
			    t->entries[i].title, t->entries[k].title);
	}
}

static void
make_table(struct table *t)
{
	size_t n = 0;

	for (size_t f = 0; f < N_FILES; f++)
		n += files[f]->n;
	*t = (struct table){.entries = mem_calloc(n, sizeof *t->entries)};
	for (size_t f = 0; f < N_FILES; f++) {
		for (size_t i = 0; i < files[f]->n; i++)
			add(t, files[f]->section, &files[f]->list[i]);
	}
	qsort(t->entries, t->n, sizeof *t->entries, compare);
	for (size_t i = 0; i < t->n; i++)
		t->entries[i].test = (struct test){.file = __FILE__,
		    .name = t->entries[i].title,
		    .run = check,
		    .given = &t->entries[i]};
}

/* They live as long as the program. */
TEST_SOURCE(behaviours)
{
	make_table(&table);
	for (size_t i = 0; i < table.n; i++) {
		struct entry *entry = &table.entries[i];

		if (entry->behaviour->check != NULL)
			runner_add(&entry->test);
	}
}

/* Runs each check; print: a line for each that fails, and how. */
static unsigned
run_alone(bool print)
{
	unsigned failed = 0;

	for (size_t i = 0; i < table.n; i++) {
		struct entry *entry = &table.entries[i];
		const char *how;

		if (entry->behaviour->check == NULL)
			continue;
		how = alone_run(&entry->test);
		entry->passed = how == NULL;
		failed += !entry->passed;
		if (print && how != NULL)
			printf("%s: %s\n", entry->title, how);
	}
	return failed;
}

ROLE(behaviours)
{
	const char *mode = argc > 1 ? argv[1] : "";
	unsigned failed;

	make_table(&table);
	if (strcmp(mode, "--checks") == 0) {
		table_print_checks(&table);
		return 0;
	}
	failed = run_alone(strcmp(mode, "--failed") == 0);
	if (strcmp(mode, "--failed") == 0)
		return 0;
	table_print(&table);
	return failed != 0;
}
