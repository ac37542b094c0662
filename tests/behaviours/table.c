/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/behaviours/table.h"

#include <stdio.h>
#include <string.h>

bool
behaviour_has(const struct behaviour *b, enum remark_kind kind)
{
	return b->remark != NULL && b->remark->kind == kind;
}

static const char *
result(const struct entry *entry)
{
	if (entry->behaviour->check == NULL)
		return "not applicable: ";
	return entry->passed ? "passed: " : "FAILED: ";
}

static void
print_remark(const struct remark *remark)
{
	static const char *const kinds[] = {
	    [REMARK_NOT_APPLICABLE] = "",
	    [REMARK_DIAGNOSTICS] = "; diagnostics only: ",
	    [REMARK_INSTEAD] = "; instead: ",
	    [REMARK_ONLY] = "; no others: ",
	};

	if (remark != NULL)
		printf("%s%s", kinds[remark->kind], remark->text);
	putchar('\n');
}

static void
print_counts(const struct table *t)
{
	size_t passed = 0, failed = 0, diagnostics = 0, instead = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct entry *entry = &t->entries[i];
		const struct behaviour *b = entry->behaviour;

		if (b->check == NULL)
			continue;
		passed += entry->passed;
		failed += !entry->passed;
		diagnostics += behaviour_has(b, REMARK_DIAGNOSTICS);
		instead += behaviour_has(b, REMARK_INSTEAD);
	}
	printf("%zu passed, %zu failed, %zu not applicable; "
	       "%zu check diagnostics only, %zu have something instead\n",
	    passed, failed, t->n - passed - failed, diagnostics, instead);
}

void
table_print(const struct table *t)
{
	int width = 0;

	for (size_t i = 0; i < t->n; i++) {
		int len = (int)strlen(t->entries[i].behaviour->name);

		if (len > width)
			width = len;
	}
	for (size_t i = 0; i < t->n; i++) {
		const struct entry *entry = &t->entries[i];
		const struct behaviour *b = entry->behaviour;

		printf("%-4s %3u  %-*s  %s%s", entry->section, b->row, width,
		    b->name, result(entry),
		    b->check == NULL ? "" : b->schedulers);
		print_remark(b->remark);
	}
	print_counts(t);
}

void
table_print_checks(const struct table *t)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct behaviour *b = t->entries[i].behaviour;

		if (b->check != NULL && !behaviour_has(b, REMARK_DIAGNOSTICS))
			puts(t->entries[i].title);
	}
}
