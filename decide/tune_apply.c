/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits of documents, with the functions that the console's edits use, so that
 * comments, spacing and references stay. Lines are found by their identities:
 * earlier edits move them.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "decide/tune.h"
#include "parser/document/edit.h"
#include "run/plan.h"

/* How an edit is made, and shown. */
struct tune_edit_of {
	const struct tune *tune;
	const struct tune_target *target;
	int64_t value;
};

static bool
find_line(const struct document *doc, uint32_t identity, size_t *line)
{
	const struct line *found = document_identified(doc, identity);

	return found != NULL && document_line_index(doc, found, line);
}

/* Returns the number of the step whose governing one is edited. */
static size_t
setting_step(const struct document *doc, const struct tune_target *target)
{
	size_t line = 0, n = document_n_lines(doc);

	if (target->identity != 0 && find_line(doc, target->identity, &line))
		return document_step_of_line(doc, line) + 1;
	for (line = 0; line < n; line++) {
		const struct step *step = document_line_step(doc, line);

		if (step != NULL && step->kind == STEP_BATCH &&
		    step->context == target->context)
			break;
	}
	return line < n ? document_step_of_line(doc, line) : 0;
}

static bool
apply_setting(
    struct document *doc, const struct tune_edit_of *e, struct text *err)
{
	size_t at = setting_step(doc, e->target);
	uint32_t context = e->target->context;

	if (e->target->kind == TUNE_PRIORITY)
		return edit_priority(
		    doc, context, at, (int)e->value, NULL, err);
	if (e->target->kind == TUNE_SSEU)
		return edit_sseu(doc, context, at, e->value, NULL, err);
	return edit_preemption(doc, context, at, (uint64_t)e->value, NULL, err);
}

/* Writes name as the engine of the context's batches that wanted() finds. */
static bool
rename_batches(struct document *doc, const struct tune_edit_of *e,
    const char *name,
    bool (*wanted)(const struct tune_edit_of *e, struct engine_name engine),
    struct text *err)
{
	for (size_t i = 0; i < document_n_lines(doc); i++) {
		const struct step *step = document_line_step(doc, i);

		if (step == NULL || step->kind != STEP_BATCH ||
		    step->context != e->target->context ||
		    !wanted(e, step->batch.engine))
			continue;
		if (!edit_engine(doc, i, name, err))
			return false;
	}
	return true;
}

/* True for engines that have to be named otherwise with load balancing. */
static bool
names_one(const struct tune_edit_of *e, struct engine_name engine)
{
	(void)e;
	return engine.instance > 0;
}

/* True if a batch of a context without a map of several names that engine. */
static bool
names_engine_now(const struct tune_edit_of *e, struct engine_name engine)
{
	struct engine_name render = {.class = CLASS_RCS, .gt = -1};
	bool is_default = engine.class == CLASS_DEFAULT;
	engine_mask match = device_match(
	    e->tune->device, is_default ? render : engine);

	if (e->target->identity != 0)
		return engine.instance > 0;
	return (match & -match) == UINT64_C(1) << e->target->now;
}

static bool
apply_engines(
    struct document *doc, const struct tune_edit_of *e, struct text *err)
{
	const char *name = e->tune->device->engines[e->value].name;
	size_t line;

	if (e->target->identity != 0 &&
	    (!find_line(doc, e->target->identity, &line) ||
		!edit_engine(doc, line, name, err)))
		return false;
	return !e->target->whole_context ||
	    rename_batches(doc, e, name, names_engine_now, err);
}

static bool
insert_balance(struct document *doc, const struct tune_edit_of *e, bool map,
    size_t at, struct text *err)
{
	struct text t = {0};
	bool done;

	if (map)
		text_addf(&t, "M.%" PRIu32 ".%s\n", e->target->context,
		    engine_class_names[e->target->class]);
	text_addf(&t, "B.%" PRIu32, e->target->context);
	done = edit_insert(doc, at, text_str(&t), t.len, err);
	text_free(&t);
	return done;
}

static bool
apply_balance(
    struct document *doc, const struct tune_edit_of *e, struct text *err)
{
	const char *name = engine_class_names[e->target->class];
	bool has_map = e->target->identity != 0;
	size_t line = edit_line_below_settings(doc);

	if (has_map &&
	    (!find_line(doc, e->target->identity, &line) ||
		!edit_engine(doc, line, name, err)))
		return false;
	if (!e->target->has_balance &&
	    !insert_balance(doc, e, !has_map, line + has_map, err))
		return false;
	return e->target->has_balance ||
	    rename_batches(doc, e, name, names_one, err);
}

static const struct tune_kind_info {
	const char *name;
	bool (*apply)(struct document *doc, const struct tune_edit_of *e,
	    struct text *err);
	char letter; /* of the step that sets it */
} kind_table[N_TUNE_KINDS] = {
    [TUNE_PRIORITY] = {"priority", apply_setting, 'P'},
    [TUNE_ENGINES] = {"engines", apply_engines, 0},
    [TUNE_BALANCE] = {"balance", apply_balance, 0},
    [TUNE_SSEU] = {"sseu", apply_setting, 'S'},
    [TUNE_PREEMPT] = {"preempt", apply_setting, 'X'},
};

const char *
tune_kind_name(enum tune_kind kind)
{
	return kind_table[kind].name;
}

bool
tune_apply_to(const struct tune *t, const struct tune_set *set, size_t source,
    struct document *doc, struct text *err)
{
	bool ok = true;

	edit_group_begin(doc);
	for (size_t i = 0; i < set->n && ok; i++) {
		struct tune_edit_of e = {
		    .tune = t,
		    .target = &t->targets[set->list[i].target],
		    .value = set->list[i].value,
		};

		if (e.target->source == source)
			ok = kind_table[e.target->kind].apply(doc, &e, err);
	}
	edit_group_end(doc);
	return ok;
}

bool
tune_apply(const struct tune *t, const struct tune_set *set, struct plan *plan,
    struct text *err)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (!plan->sources[i].is_alias &&
		    !tune_apply_to(t, set, i, plan->sources[i].doc, err))
			return false;
	return true;
}

bool
tune_print_document(const struct tune *t, const struct tune_set *set,
    struct plan *plan, size_t source, struct text *out, struct text *err)
{
	struct document *doc = plan->sources[source].doc;
	uint64_t before = document_revision(doc);
	bool ok = tune_apply_to(t, set, source, doc, err);

	if (ok)
		document_print_file(doc, out);
	if (document_revision(doc) != before)
		edit_undo(doc);
	return ok;
}

static void
add_edited_row(const struct tune_edit_of *e, struct text *out)
{
	const struct document *doc =
	    e->tune->plan->sources[e->target->source].doc;
	size_t line, row, column;

	if (!find_line(doc, e->target->identity, &line))
		return;
	document_position(doc, line, 0, &row, &column);
	text_addf(out, " at line %zu", row);
}

/* "P.1.1 -> P.1.0 at line 14"; "P.2.1, inserted". */
static void
add_setting_words(const struct tune_edit_of *e, struct text *out)
{
	char letter = kind_table[e->target->kind].letter;
	uint32_t context = e->target->context;

	if (e->target->identity != 0)
		text_addf(out, "%c.%" PRIu32 ".%" PRId64 " -> ", letter,
		    context, e->target->now);
	text_addf(out, "%c.%" PRIu32 ".%" PRId64, letter, context, e->value);
	if (e->target->identity != 0)
		add_edited_row(e, out);
	else
		text_adds(out, ", inserted");
}

/* Appends the engine of a batch, or those of a map, as they are written. */
static void
add_engine_field(const struct tune_edit_of *e, struct text *out)
{
	const struct document *doc =
	    e->tune->plan->sources[e->target->source].doc;
	unsigned field = e->target->whole_context ? 2 : 1;
	uint32_t col, len;
	const char *text;
	size_t line, unused;

	if (!find_line(doc, e->target->identity, &line))
		return;
	text = document_line_text(doc, line, &unused);
	document_field(doc, line, field, &col, &len);
	text_add(out, text + col, len);
}

/* "1.VECS -> 1.VECS2 at line 30"; "M.1.VCS1 -> M.1.VCS2 at line 3"; "VCS1 -> VCS2 in
 * 3 batches of context 1". */
static void
add_engine_words(const struct tune_edit_of *e, struct text *out)
{
	const struct hw_engine *engines = e->tune->device->engines;
	const char *to = engines[e->value].name;
	const char *map = e->target->whole_context ? "M." : "";
	uint32_t context = e->target->context;

	if (e->target->identity != 0) {
		text_addf(out, "%s%" PRIu32 ".", map, context);
		add_engine_field(e, out);
		text_addf(out, " -> %s%" PRIu32 ".%s", map, context, to);
		add_edited_row(e, out);
	} else {
		text_addf(out, "%s -> %s in %u batches of context %" PRIu32,
		    engines[e->target->now].name, to, e->target->n_lines,
		    context);
	}
}

static void
add_balance_words(const struct tune_edit_of *e, struct text *out)
{
	const char *name = engine_class_names[e->target->class];
	uint32_t context = e->target->context;
	unsigned n = e->target->n_lines - (e->target->has_balance ? 1 : 2);

	text_addf(out, "M.%" PRIu32 ".%s", context, name);
	if (!e->target->has_balance)
		text_addf(out, " and B.%" PRIu32, context);
	if (e->target->identity != 0)
		add_edited_row(e, out);
	else
		text_adds(out, ", inserted");
	if (n > 0)
		text_addf(out, ", and %u batch%s name%s %s", n,
		    n == 1 ? "" : "es", n == 1 ? "s" : "", name);
}

void
tune_add_edit(
    const struct tune *t, const struct tune_edit *edit, struct text *out)
{
	struct tune_edit_of e = {t, &t->targets[edit->target], edit->value};

	if (kind_table[e.target->kind].letter != 0)
		add_setting_words(&e, out);
	else if (e.target->kind == TUNE_ENGINES)
		add_engine_words(&e, out);
	else
		add_balance_words(&e, out);
	if (t->plan->n_sources > 1) {
		text_adds(out, " in ");
		source_add_title(t->plan, e.target->source, out);
	}
}
