/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The field under the cursor of a line that is typed, in two lines: its name,
 * unit and the value that is meant now, and the step's syntax; what may be
 * written, and what follows.
 * The words are those of the tables (parser/step_table.c).
 */
#include "tui/input/typed_step.h"

#include <inttypes.h>
#include <string.h>
#include <strings.h>

#include "base/text.h"
#include "base/units.h"
#include "parser/annotation.h"
#include "parser/step_parse.h"

#define NEAR_LINES 1000 /* searched for an earlier use of a context */

struct typed_meaning {
	const struct step_scene *scene;
	const struct typed_step *typed;
	struct text *out; /* gets the meaning of the value */
};

/* Each adds the meaning of the part, if it has one. */
typedef void meaning_fn(const struct typed_meaning *e);

static struct field
typed_part(const struct typed_meaning *e)
{
	return (struct field){e->typed->part, (uint32_t)e->typed->len};
}

static void
add_place(const struct typed_meaning *e, size_t line)
{
	const struct document *doc = e->scene->doc;
	size_t row, column;

	document_position(doc, line, 0, &row, &column);
	text_addf(e->out, "line %zu, step %zu", row,
	    document_step_of_line(doc, line));
}

static bool
uses_context(const struct step *step, uint64_t context)
{
	return step != NULL && step_has_context(step) &&
	    step->context == context;
}

static void
mean_context(const struct typed_meaning *e)
{
	const struct document *doc = e->scene->doc;
	uint64_t context;
	size_t line = e->scene->line;

	if (scan_number(typed_part(e), STEP_MAX_NUMBER, &context) != NUMBER_OK)
		return;
	text_addf(e->out, "context %" PRIu64, context);
	for (size_t i = 0; i < NEAR_LINES && line-- > 0; i++)
		if (uses_context(document_line_step(doc, line), context)) {
			text_adds(e->out, ", as in ");
			add_place(e, line);
			return;
		}
}

static void
mean_engine(const struct typed_meaning *e)
{
	struct scan scan = {.text = e->typed->part};
	struct engine_name name = {0};
	unsigned n;

	parse_engine(&scan, typed_part(e), &name);
	if (scan.failed || name.class >= N_CLASSES)
		return;
	n = e->scene->profile->n_engines[name.class];
	if (n == 0 || (unsigned)name.instance > n) {
		text_addf(e->out, "the device has %u of this class", n);
		return;
	}
	text_adds(e->out, engine_class_help[name.class]);
	if (name.instance > 0)
		text_addf(e->out, " engine %d of %u", name.instance, n);
	else if (n > 1 && e->typed->field == FIELD_ENGINE)
		text_addf(e->out, ", the first of %u", n);
	else if (n > 1)
		text_addf(e->out, ", all %u", n);
}

static void
mean_duration(const struct typed_meaning *e)
{
	struct step step = {.kind = e->typed->kind};
	char from[UNITS_LEN], to[UNITS_LEN];
	struct duration d;

	if (!duration_read(step_duration_kind(&step), e->typed->part,
		e->typed->len, &d, NULL))
		return;
	format_duration(from, (nsec)d.min_us * NSEC_PER_USEC);
	format_duration(to, (nsec)d.max_us * NSEC_PER_USEC);
	text_adds(e->out, from);
	if (d.max_us != d.min_us)
		text_addf(e->out, " to %s, random for each submission", to);
}

static void
add_objects(const struct typed_meaning *e, const struct dep *dep)
{
	text_addf(e->out, "%s object%s %" PRIu32,
	    dep->kind == DEP_READ ? "reads" : "writes",
	    dep->first != dep->last ? "s" : "", dep->first);
	if (dep->first != dep->last)
		text_addf(e->out, " to %" PRIu32, dep->last);
	text_addf(e->out, " of working set %" PRIu32, dep->set);
}

/* The step's own text follows. */
static void
explain_offset(const struct typed_meaning *e, size_t back, const char *before)
{
	const struct document *doc = e->scene->doc;
	const char *text;
	size_t line, len;

	typed_step_back(e->scene, e->typed, back, &line);
	if (line < document_n_lines(doc)) {
		text_adds(e->out, before);
		add_place(e, line);
		text_adds(e->out, ": ");
		text = document_line_text(doc, line, &len);
		text_add_visible(e->out, text, len < 80 ? len : 80);
	} else {
		text_adds(e->out,
		    back <= e->typed->steps_before ? "a step of this line"
						   : "before the first step");
	}
}

static void
mean_dependency(const struct typed_meaning *e)
{
	struct dep dep;

	if (!dep_read(e->typed->part, e->typed->len, &dep))
		return;
	switch (dep.kind) {
	case DEP_DATA:
		explain_offset(e, dep.back,
		    e->typed->field == FIELD_DEPENDENCIES ? "data of " : "");
		break;
	case DEP_FENCE: explain_offset(e, dep.back, "end of "); break;
	case DEP_SUBMIT: explain_offset(e, dep.back, "start of "); break;
	case DEP_READ:
	case DEP_WRITE: add_objects(e, &dep); break;
	}
}

static void
mean_mask(const struct typed_meaning *e)
{
	unsigned slices = e->scene->profile->slices, n;
	int64_t mask;

	if (!value_read(
		VALUE_SLICE_MASK, e->typed->part, e->typed->len, &mask, NULL))
		return;
	n = (unsigned)__builtin_popcountll(
	    (uint64_t)mask & ((UINT64_C(1) << slices) - 1));
	text_addf(
	    e->out, "%u of %u slice%s", n, slices, slices == 1 ? "" : "s");
}

static void
mean_preemption(const struct typed_meaning *e)
{
	char buf[UNITS_LEN];
	int64_t us;

	if (value_read(
		VALUE_PREEMPTION, e->typed->part, e->typed->len, &us, NULL))
		text_addf(e->out, "a point every %s",
		    format_duration(buf, (nsec)us * NSEC_PER_USEC));
}

static meaning_fn *const meanings[N_STEP_FIELDS] = {
    [FIELD_CONTEXT] = mean_context,
    [FIELD_ENGINE] = mean_engine,
    [FIELD_DURATION] = mean_duration,
    [FIELD_DEPENDENCIES] = mean_dependency,
    [FIELD_DELAY] = mean_duration,
    [FIELD_PERIOD] = mean_duration,
    [FIELD_SYNC] = mean_dependency,
    [FIELD_ADVANCE] = mean_dependency,
    [FIELD_TERMINATE] = mean_dependency,
    [FIELD_SLICE_MASK] = mean_mask,
    [FIELD_PREEMPTION] = mean_preemption,
    [FIELD_MAP] = mean_engine,
    [FIELD_BONDED] = mean_engine,
    [FIELD_MASTER] = mean_engine,
    [FIELD_ROWS] = mean_engine,
};

/* Returns the meaning that the table has for the part; NULL: none. */
static const char *
listed_meaning(const struct typed_step *typed)
{
	const struct field_value *v = field_infos[typed->field].values;

	for (; v != NULL && v->value != NULL; v++)
		if (strlen(v->value) == typed->len &&
		    strncasecmp(v->value, typed->part, typed->len) == 0)
			return v->meaning;
	return NULL;
}

/* Adds what the value means, else what the field decides. */
static void
explain_value(const struct typed_meaning *e)
{
	const struct typed_step *typed = e->typed;
	const char *listed = listed_meaning(typed);
	struct typed_meaning inner = *e;
	struct text meaning = {0};

	inner.out = &meaning;
	if (listed != NULL)
		text_adds(&meaning, listed);
	else if (meanings[typed->field] != NULL)
		meanings[typed->field](&inner);
	if (meaning.len > 0) {
		text_add_visible(e->out, typed->part, typed->len);
		text_addf(e->out, " = %s", text_str(&meaning));
	} else {
		text_adds(e->out, field_infos[typed->field].help);
	}
	text_free(&meaning);
}

static void
explain_field(const struct typed_meaning *e)
{
	const struct typed_step *typed = e->typed;
	const struct step_info *step = &step_infos[typed->kind];
	const struct field_info *field = &field_infos[typed->field];

	text_adds(e->out, field->name);
	if (field->unit != NULL)
		text_addf(e->out, " (%s)", field->unit);
	text_adds(e->out, ": ");
	explain_value(e);
	text_addf(e->out, "\t%s\n", step->syntax);
	field_form_print(typed->field, e->out);
	text_adds(e->out, "; then ");
	if (typed->number + 1u < step->n_fields)
		text_addf(e->out, ".%s",
		    field_infos[step->fields[typed->number + 1]].name);
	else
		text_adds(e->out, "Enter");
}

/* The first field, or one too many. */
static void
explain_kind(const struct typed_meaning *e)
{
	const struct step_info *step = &step_infos[e->typed->kind];

	text_adds(e->out, step->summary);
	if (e->typed->number == 0) {
		text_adds(e->out, ": ");
		text_add_visible(e->out, e->typed->part, e->typed->len);
	}
	if (e->typed->kind == STEP_BATCH && e->typed->number == 0) {
		text_adds(e->out, " = ");
		mean_context(e);
	}
	text_addf(e->out, "\n%s, e.g. %s", step->syntax, step->example);
}

/* Explains the word of an annotation that has byte `at`, and the syntax. */
static void
explain_annotation(const char *text, size_t at, struct text *out)
{
	const char *word = text + at, *help;
	enum annotation_kind kind;
	size_t len;
	bool known;

	while (word > text && strchr(" \t", word[-1]) == NULL)
		word--;
	word += strncmp(word, "#@", 2) == 0 ? 2 : 0;
	len = strcspn(word, " \t");
	help = annotation_word_help(word, len);
	known = annotation_kind_typed(text, strlen(text), &kind);
	if (help != NULL) {
		text_add_visible(out, word, strcspn(word, "= \t"));
		text_addf(out, ": %s\n", help);
	} else {
		text_addf(out, "annotation: %s\n",
		    known ? annotation_help(kind)
			  : "what the next batch contains");
	}
	if (known)
		annotation_syntax_print(kind, out);
	else
		text_adds(out, "Tab lists the words");
}

void
typed_explain(const struct step_scene *scene, const char *text, size_t at,
    struct text *out)
{
	struct typed_step typed = typed_step_at(text, at);
	struct typed_meaning e = {scene, &typed, out};

	if (strncmp(text + strspn(text, " \t"), "#@", 2) == 0)
		explain_annotation(text, at, out);
	if (typed_is_comment(text))
		return;
	if (typed.kind == N_STEP_KINDS)
		text_addf(out, "%s: %s\n%s", field_infos[FIELD_NONE].name,
		    field_infos[FIELD_NONE].help, field_infos[FIELD_NONE].form);
	else if (typed.number == 0 || typed.field == FIELD_NONE)
		explain_kind(&e);
	else
		explain_field(&e);
}
