/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads what a search may edit: kinds of edits, and contexts that stay as they
 * are. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "decide/tune.h"
#include "parser/document/document.h"
#include "parser/value.h"
#include "run/plan.h"

/* Reads the name of a kind. */
static bool
read_kind(const char *s, size_t len, unsigned *kinds)
{
	for (size_t i = 0; i < N_TUNE_KINDS; i++) {
		const char *name = tune_kind_name((enum tune_kind)i);

		if (strlen(name) != len || strncmp(s, name, len) != 0)
			continue;
		*kinds |= 1u << i;
		return true;
	}
	return false;
}

bool
tune_read_kinds(const char *s, unsigned *kinds, struct text *err)
{
	*kinds = s == NULL ? TUNE_ALL : 0;
	while (s != NULL) {
		size_t len = strcspn(s, ",");

		if (!read_kind(s, len, kinds)) {
			text_adds(err, "invalid kind of edits '");
			text_add_visible(err, s, len);
			text_adds(err,
			    "': expected priority, sseu, preempt, engines or "
			    "balance, with commas between them, e.g. "
			    "priority,engines");
			return false;
		}
		s = s[len] == ',' ? s + len + 1 : NULL;
	}
	return true;
}

/* True if a step of a document has that context. */
static bool
has_context(const struct document *doc, uint32_t context)
{
	size_t n = document_n_lines(doc);

	for (size_t i = 0; i < n; i++) {
		const struct step *step = document_line_step(doc, i);

		if (step != NULL && step_has_context(step) &&
		    step->context == context)
			return true;
	}
	return false;
}

/* True if a document that is meant has the context. */
static bool
plan_has_context(const struct plan *plan, const struct tune_kept *kept)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		if (kept->source != TUNE_ALL_SOURCES && kept->source != i)
			continue;
		if (kept->context == UINT32_MAX ||
		    has_context(plan->sources[i].doc, kept->context))
			return true;
	}
	return false;
}

/* Reads "2", "1:2" or "1:*". */
static bool
read_kept(const char *s, size_t len, struct tune_kept *kept)
{
	const char *colon = memchr(s, ':', len);
	size_t before = colon != NULL ? (size_t)(colon - s) : 0;
	int64_t value;

	*kept = (struct tune_kept){.source = TUNE_ALL_SOURCES};
	if (colon != NULL) {
		if (!value_read(VALUE_CONTEXT, s, before, &value, NULL))
			return false;
		kept->source = (size_t)value - 1;
		s += before + 1;
		len -= before + 1;
	}
	if (colon != NULL && len == 1 && *s == '*') {
		kept->context = UINT32_MAX;
		return true;
	}
	if (!value_read(VALUE_BATCH_CONTEXT, s, len, &value, NULL))
		return false;
	kept->context = (uint32_t)value;
	return true;
}

static bool
take_kept(const char *s, size_t len, const struct plan *plan,
    struct tune_kept *kept, struct text *err)
{
	if (read_kept(s, len, kept) && plan_has_context(plan, kept))
		return true;
	text_adds(err, "invalid context '");
	text_add_visible(err, s, len);
	text_adds(err,
	    "': expected contexts of the workloads, with commas between them: "
	    "2, or 1:2 of the first workload, or 1:* for all of that");
	return false;
}

bool
tune_read_keep(const char *s, const struct plan *plan, struct tune_kept **keep,
    size_t *n, struct text *err)
{
	*keep = s != NULL ? mem_calloc(strlen(s) + 1, sizeof **keep) : NULL;
	*n = 0;
	while (s != NULL) {
		size_t len = strcspn(s, ",");

		if (!take_kept(s, len, plan, &(*keep)[*n], err)) {
			free(*keep);
			*keep = NULL;
			return false;
		}
		++*n;
		s = s[len] == ',' ? s + len + 1 : NULL;
	}
	return true;
}
