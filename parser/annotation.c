/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The language of `#@` lines: a table of the kinds of annotation and one of
 * their options (annotation_rows.h), read word by word. The same tables say which words may be
 * typed next (annotation_words()).
 */
#include "parser/annotation.h"

#include <string.h>

#include "base/text.h"
#include "parser/annotation_rows.h"
#include "parser/annotation_value.h"

/* Reads a line word by word. */
struct annotation_reader {
	struct scan scan;
	struct annotation *a;
	const char *at, *end;
	unsigned words; /* options read so far, bits of enum word */
	/* Lists of a, until they are copied to the arena. */
	struct attachment attachments[ANNOTATION_ATTACHMENTS];
	struct spec_constant constants[ANNOTATION_CONSTANTS];
};

#define BIT WORD_BIT
#define PASS_WORDS                                                             \
	(BIT(WORD_DRAWS) | BIT(WORD_SUBPASSES) | BIT(WORD_ATTACH) |            \
	    BIT(WORD_SUSPEND) | BIT(WORD_RESUME) | BIT(WORD_WEIGHT))

#define TRANSFER(name, help)                                                   \
	{                                                                      \
		name, NULL, help, FIRST_AMOUNT, true, BIT(WORD_WEIGHT), NULL   \
	}

const struct kind_row annotation_kinds[N_ANNOTATION_KINDS] = {
    [ANNOTATION_LABEL_PUSH] = {"label", "push",
	"push a label on the ring's stack", FIRST_LABEL, false, 0,
	"push or pop a label"},
    [ANNOTATION_LABEL_POP] = {"label", "pop", "pop the newest label",
	FIRST_NONE, false, 0, "push or pop a label"},
    [ANNOTATION_RENDERPASS] = {"renderpass", NULL, "a render pass", FIRST_AREA,
	true, PASS_WORDS, NULL},
    [ANNOTATION_DISPATCH] = {"dispatch", NULL, "a compute dispatch",
	FIRST_GROUPS, true,
	BIT(WORD_LOCAL) | BIT(WORD_SPIRV) | BIT(WORD_INDIRECT) |
	    BIT(WORD_WEIGHT),
	NULL},
    [ANNOTATION_TRACERAYS] = {"tracerays", NULL, "a ray tracing dispatch",
	FIRST_RAYS, true, BIT(WORD_INDIRECT) | BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_COPYBUFFER] = {"copybuffer", NULL, "a copy to a buffer",
	FIRST_AMOUNT, true, BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_FILLBUFFER] = {"fillbuffer", NULL, "a fill of a buffer",
	FIRST_AMOUNT_OR_WHOLE, true, BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_COPYIMAGE] = {"copyimage", NULL, "a copy to an image",
	FIRST_AMOUNT, true, BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_CLEARIMAGE] = {"clearimage", NULL, "a clear of an image",
	FIRST_AMOUNT, true, BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_BLITIMAGE] = TRANSFER("blitimage", "a blit to an image"),
    [ANNOTATION_RESOLVEIMAGE] = TRANSFER(
	"resolveimage", "a resolve of samples into an image"),
    [ANNOTATION_MIPMAPS] = TRANSFER(
	"mipmaps", "the levels of detail of an image"),
    [ANNOTATION_BUFFERTOIMAGE] = TRANSFER(
	"buffertoimage", "a copy of a buffer to an image"),
    [ANNOTATION_IMAGETOBUFFER] = TRANSFER(
	"imagetobuffer", "a copy of an image to a buffer"),
    [ANNOTATION_MEMORYTOIMAGE] = TRANSFER(
	"memorytoimage", "a copy of memory to an image"),
    [ANNOTATION_COPYMEMORY] = TRANSFER("copymemory", "a copy of memory"),
    [ANNOTATION_COPYTENSOR] = TRANSFER("copytensor", "a copy of a tensor"),
    [ANNOTATION_COPYQUERY] = TRANSFER(
	"copyquery", "a copy of query results to a buffer"),
    [ANNOTATION_ASCOPY] = TRANSFER(
	"ascopy", "a copy of an acceleration structure"),
    [ANNOTATION_ASTOMEMORY] = TRANSFER(
	"astomemory", "a copy of an acceleration structure to memory"),
    [ANNOTATION_MEMORYTOAS] = TRANSFER(
	"memorytoas", "a copy of memory to an acceleration structure"),
    [ANNOTATION_MICROMAPCOPY] = TRANSFER(
	"micromapcopy", "a copy of a micromap"),
    [ANNOTATION_MICROMAPTOMEMORY] = TRANSFER(
	"micromaptomemory", "a copy of a micromap to memory"),
    [ANNOTATION_MEMORYTOMICROMAP] = TRANSFER(
	"memorytomicromap", "a copy of memory to a micromap"),
    [ANNOTATION_ASBUILD] = {"asbuild", NULL,
	"a build of an acceleration structure", FIRST_AMOUNT, true,
	BIT(WORD_FASTTRACE) | BIT(WORD_UPDATE) | BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_DATAGRAPH] = {"datagraph", NULL, "a data graph", FIRST_NONE,
	true, BIT(WORD_WEIGHT), NULL},
    [ANNOTATION_SECONDARY_BEGIN] = {"secondary", "begin",
	"a secondary command buffer begins", FIRST_NONE, false, BIT(WORD_TIMES),
	"begin or end a secondary command buffer"},
    [ANNOTATION_SECONDARY_END] = {"secondary", "end",
	"the secondary command buffer ends", FIRST_NONE, false, 0,
	"begin or end a secondary command buffer"},
    [ANNOTATION_ONCE] = {"once", NULL,
	"the command buffer is recorded for each iteration", FIRST_NONE, false,
	0, NULL},
    [ANNOTATION_WEIGHT] = {"weight=", NULL, "share of the batch's time",
	FIRST_NONE, false, 0, NULL},
};

/* Words without a value. */
#define READ_FLAG(flag)                                                        \
	static void read_##flag(                                               \
	    struct annotation_reader *r, struct field value)                   \
	{                                                                      \
		(void)value;                                                   \
		r->a->flag = true;                                             \
	}

READ_FLAG(suspend)
READ_FLAG(resume)
READ_FLAG(indirect)
READ_FLAG(fast_trace)
READ_FLAG(update)

static void
read_draws(struct annotation_reader *r, struct field value)
{
	r->a->draws = (int64_t)annotation_number(
	    &r->scan, value, "draws", 0, ANNOTATION_SIZE_MAX);
}

static void
read_subpasses(struct annotation_reader *r, struct field value)
{
	r->a->subpasses = (uint32_t)annotation_number(
	    &r->scan, value, "subpasses", 1, ANNOTATION_SIZE_MAX);
}

static void
read_attach(struct annotation_reader *r, struct field value)
{
	annotation_attachments(&r->scan, value, r->a);
}

static void
read_local(struct annotation_reader *r, struct field value)
{
	annotation_local(&r->scan, value, r->a->local);
}

static void
read_spirv(struct annotation_reader *r, struct field value)
{
	annotation_spirv(&r->scan, value, r->a);
}

static void
read_times(struct annotation_reader *r, struct field value)
{
	r->a->times = (uint32_t)annotation_number(
	    &r->scan, value, "times", 1, ANNOTATION_TIMES_MAX);
}

static void
read_weight(struct annotation_reader *r, struct field value)
{
	r->a->weight = (uint32_t)annotation_number(
	    &r->scan, value, "weight", 1, ANNOTATION_WEIGHT_MAX);
}

const struct word_row annotation_options[N_WORDS] = {
    [WORD_DRAWS] = {"draws=", "N", "draw calls", read_draws},
    [WORD_SUBPASSES] = {"subpasses=", "N", "subpasses, 1 by default",
	read_subpasses},
    [WORD_ATTACH] = {"attach=", "C0:clear:store,...",
	"attachments: C0 to C7, D, S, how each is loaded and stored",
	read_attach},
    [WORD_SUSPEND] = {"suspend", "", "a later batch continues the pass",
	read_suspend},
    [WORD_RESUME] = {"resume", "", "continues a suspended pass", read_resume},
    [WORD_LOCAL] = {"local=", "XxYxZ", "size of a group", read_local},
    [WORD_SPIRV] = {"spirv=", "FILE:ENTRY",
	"shader that has the size of a group", read_spirv},
    [WORD_INDIRECT] = {"indirect", "", "the size is known only after the batch",
	read_indirect},
    [WORD_FASTTRACE] = {"fasttrace", "",
	"built for fast tracing, not for a fast build", read_fast_trace},
    [WORD_UPDATE] = {"update", "", "an update of one that was built before",
	read_update},
    [WORD_TIMES] = {"times=", "N", "executions, 1 by default", read_times},
    [WORD_WEIGHT] = {"weight=", "N", "share of the batch's time, 1 by default",
	read_weight},
};

static void
skip_blanks(struct annotation_reader *r)
{
	while (r->at < r->end && scan_is_blank(*r->at))
		r->at++;
}

/* Returns the byte after the closing quote of a label that begins at p, or end
 * without one. */
static const char *
quoted_end(const char *p, const char *end)
{
	for (p++; p < end; p++) {
		if (*p == '\\' && p + 1 < end)
			p++;
		else if (*p == '"')
			return p + 1;
	}
	return end;
}

/* Returns the next word or label; empty at the end of the line. */
static struct field
reader_next(struct annotation_reader *r)
{
	const char *from;

	skip_blanks(r);
	from = r->at;
	if (r->at < r->end && *r->at == '"')
		r->at = quoted_end(r->at, r->end);
	while (r->at < r->end && !scan_is_blank(*r->at))
		r->at++;
	return (struct field){from, (uint32_t)(r->at - from)};
}

/* True if f is the name, or name=VALUE for a name that ends in '='. */
static bool
reader_is(struct field f, const char *name, struct field *value)
{
	size_t n = strlen(name);

	if (f.len < n || memcmp(f.s, name, n) != 0)
		return false;
	*value = (struct field){f.s + n, f.len - (uint32_t)n};
	return name[n - 1] == '=' || f.len == n;
}

/* Appends names of options: "draws=, indirect or weight=". */
static void
list_words(struct text *t, unsigned mask)
{
	for (unsigned i = 0, n = 0; i < N_WORDS; i++) {
		if (!(mask & BIT(i)))
			continue;
		mask &= ~BIT(i);
		if (n++)
			text_adds(t, mask ? ", " : " or ");
		text_adds(t, annotation_options[i].name);
	}
}

static void
unknown_word(
    struct annotation_reader *r, const struct kind_row *row, struct field f)
{
	struct text expected = {0};

	list_words(&expected, row->words & ~r->words);
	scan_error(&r->scan, f, "unexpected '%s': expected %s", quote(f).s,
	    expected.len ? text_str(&expected) : "the end of the line");
	text_free(&expected);
}

static bool
is_constant(struct field f)
{
	return f.len && f.s[0] >= '0' && f.s[0] <= '9' &&
	    memchr(f.s, '=', f.len) != NULL;
}

/* Reads an option of an annotation of that kind. */
static void
reader_word(
    struct annotation_reader *r, const struct kind_row *row, struct field f)
{
	struct field value;

	if (is_constant(f) && (row->words & BIT(WORD_SPIRV))) {
		annotation_constant(&r->scan, f, r->a);
		return;
	}
	for (unsigned i = 0; i < N_WORDS; i++) {
		if (!(row->words & BIT(i)) ||
		    !reader_is(f, annotation_options[i].name, &value))
			continue;
		if (r->words & BIT(i))
			scan_error(&r->scan, f,
			    "repeated option %.*s: expected it once",
			    (int)strcspn(annotation_options[i].name, "="),
			    annotation_options[i].name);
		r->words |= BIT(i);
		annotation_options[i].read(r, value);
		return;
	}
	unknown_word(r, row, f);
}

/* True if f is an option of a pass that is resumed, which needs no area: it has
 * the area that it began with. */
static bool
has_no_area(struct annotation_reader *r, struct field *f)
{
	const struct kind_row *row = &annotation_kinds[ANNOTATION_RENDERPASS];
	struct annotation_reader look = *r;
	struct field value, word = *f;
	bool other = !word.len || word.s[0] < '0' || word.s[0] > '9';

	for (; word.len; word = reader_next(&look))
		if (reader_is(
			word, annotation_options[WORD_RESUME].name, &value))
			break;
	if (!word.len || !other)
		return false;
	reader_word(r, row, *f);
	return true;
}

static void
read_operand(struct annotation_reader *r, const struct kind_row *row)
{
	struct annotation *a = r->a;
	struct field f;

	if (row->first == FIRST_NONE)
		return;
	f = reader_next(r);
	switch (row->first) {
	case FIRST_LABEL: annotation_quoted(&r->scan, f, a); break;
	case FIRST_AREA:
		if (!has_no_area(r, &f))
			annotation_sizes(
			    &r->scan, f, "area", "1920x1080", 1, a->size, 2);
		break;
	case FIRST_GROUPS:
		annotation_sizes(
		    &r->scan, f, "groups", "64x64x1", 0, a->size, 3);
		break;
	case FIRST_RAYS:
		annotation_sizes(
		    &r->scan, f, "rays", "1920x1080x1", 0, a->size, 3);
		break;
	default:
		annotation_amount(&r->scan, f,
		    row->first == FIRST_AMOUNT_OR_WHOLE, &a->amount);
	}
}

/* Diagnoses options that are valid by themselves but not together. */
static void
check_together(struct annotation_reader *r, struct field whole)
{
	const struct annotation *a = r->a;

	if (a->local[0] && a->spirv.len)
		scan_error(&r->scan, whole,
		    "conflicting local= and spirv=: expected one of them for "
		    "the group size");
	if (a->n_constants && !(r->words & BIT(WORD_SPIRV)))
		scan_error(&r->scan, whole,
		    "constants without SPIR-V: expected spirv=FILE, e.g. "
		    "spirv=blur.spv:main");
}

/* Names are in the order of the table; some have two rows. */
static void
diagnose_unknown(struct annotation_reader *r, struct field f)
{
	struct text names = {0};

	for (unsigned i = 0; i < N_ANNOTATION_KINDS; i++) {
		const char *name = annotation_kinds[i].name;

		if (i > 0 && strcmp(name, annotation_kinds[i - 1].name) == 0)
			continue;
		if (i > 0)
			text_adds(
			    &names, i + 1 < N_ANNOTATION_KINDS ? ", " : " or ");
		text_adds(&names, name);
	}
	scan_error(&r->scan, f, "unknown annotation '%s': expected %s",
	    quote(f).s, text_str(&names));
	text_free(&names);
}

static void
diagnose_name(struct annotation_reader *r, struct field f)
{
	if (!f.len)
		scan_error(&r->scan, f,
		    "empty annotation: expected one, e.g. "
		    "#@ label push \"Shadow\"");
	else
		diagnose_unknown(r, f);
}

/* Returns the row of a line that begins with f; NULL after an error. */
static const struct kind_row *
reader_kind(struct annotation_reader *r, struct field f)
{
	struct field value, second;
	unsigned i = 0;

	while (i < N_ANNOTATION_KINDS &&
	    !reader_is(f, annotation_kinds[i].name, &value))
		i++;
	if (i == N_ANNOTATION_KINDS) {
		diagnose_name(r, f);
		return NULL;
	}
	if (i == ANNOTATION_WEIGHT)
		read_weight(r, value);
	if (annotation_kinds[i].second) {
		second = reader_next(r);
		if (reader_is(second, annotation_kinds[i + 1].second, &value)) {
			i++;
		} else if (!reader_is(
			       second, annotation_kinds[i].second, &value)) {
			scan_error(&r->scan, second,
			    "invalid word '%s' after %s: expected %s or %s",
			    quote(second).s, annotation_kinds[i].name,
			    annotation_kinds[i].second,
			    annotation_kinds[i + 1].second);
			return NULL;
		}
	}
	r->a->kind = (enum annotation_kind)i;
	return &annotation_kinds[i];
}

/* Begins after the `#@` of a line, if it has one. */
static void
reader_init(struct annotation_reader *r, struct annotation *a, const char *text,
    size_t len)
{
	r->scan = (struct scan){.text = text};
	r->a = a;
	r->at = text;
	r->end = text + len;
	r->words = 0;
	a->attachments = r->attachments;
	a->constants = r->constants;
	skip_blanks(r);
	if (r->end - r->at >= 2 && r->at[0] == '#' && r->at[1] == '@')
		r->at += 2;
}

bool
annotation_parse(struct arena *arena, const char *text, size_t len,
    uint32_t line, struct annotation *out, struct diag_list *diags)
{
	const struct kind_row *row;
	struct annotation_reader r;
	struct field f;

	*out = (struct annotation){.text = {text, (uint32_t)len},
	    .size = {ANNOTATION_UNKNOWN, ANNOTATION_UNKNOWN,
		ANNOTATION_UNKNOWN},
	    .draws = ANNOTATION_UNKNOWN,
	    .subpasses = 1,
	    .times = 1};
	reader_init(&r, out, text, len);
	r.scan.diags = diags;
	r.scan.line = line;
	f = reader_next(&r);
	row = reader_kind(&r, f);
	if (row != NULL) {
		read_operand(&r, row);
		for (f = reader_next(&r); f.len; f = reader_next(&r))
			reader_word(&r, row, f);
		skip_blanks(&r);
		check_together(&r, out->text);
	}
	annotation_copy_lists(arena, out);
	return row != NULL && !r.scan.failed;
}

bool
annotation_is_workload(enum annotation_kind kind)
{
	return annotation_kinds[kind].workload;
}

/* Words that complete the typed one. */
struct annotation_offers {
	const char **list;
	size_t n, max;
	struct field typed;
};

static void
offer_word(struct annotation_offers *o, const char *word)
{
	for (size_t i = 0; i < o->n; i++)
		if (strcmp(o->list[i], word) == 0)
			return;
	if (o->n < o->max && strlen(word) >= o->typed.len &&
	    strncmp(word, o->typed.s, o->typed.len) == 0)
		o->list[o->n++] = word;
}

static void
offer_names(struct annotation_offers *o, struct field name)
{
	struct field value;

	for (unsigned i = 0; i < N_ANNOTATION_KINDS; i++) {
		const struct kind_row *row = &annotation_kinds[i];

		if (!name.len)
			offer_word(o, row->name);
		else if (row->second && reader_is(name, row->name, &value))
			offer_word(o, row->second);
	}
}

/* first: the operand is not there yet. */
static void
offer_options(struct annotation_offers *o, const struct annotation_reader *r,
    const struct kind_row *row, bool first)
{
	unsigned left = row->words & ~r->words;

	if (first && row->first == FIRST_AMOUNT_OR_WHOLE)
		offer_word(o, "whole");
	if (first && row->first == FIRST_AREA)
		left = WORD_BIT(WORD_RESUME);
	else if (first && row->first != FIRST_NONE)
		return;
	for (unsigned i = 0; i < N_WORDS; i++)
		if (left & WORD_BIT(i))
			offer_word(o, annotation_options[i].name);
}

/* Returns where the last word of text begins. */
static const char *
last_word(const char *text, size_t len)
{
	const char *p = text + len;

	while (p > text && !scan_is_blank(p[-1]) && p[-1] != '@')
		p--;
	return p;
}

size_t
annotation_words(
    const char *text, size_t len, const char **list, size_t max, size_t *typed)
{
	const char *last = last_word(text, len);
	struct annotation_offers o = {
	    list, 0, max, {last, (uint32_t)(text + len - last)}};
	const struct kind_row *row;
	struct annotation a = {0};
	struct annotation_reader r;
	struct field f;
	bool first = true;

	*typed = o.typed.len;
	reader_init(&r, &a, text, (size_t)(last - text));
	f = reader_next(&r);
	row = f.len ? reader_kind(&r, f) : NULL;
	if (row == NULL) {
		offer_names(&o, f);
		return o.n;
	}
	for (f = reader_next(&r); f.len; f = reader_next(&r)) {
		reader_word(&r, row, f);
		first = false;
	}
	offer_options(&o, &r, row, first);
	return o.n;
}

bool
annotation_kind_typed(const char *text, size_t len, enum annotation_kind *kind)
{
	struct annotation a = {0};
	struct annotation_reader r;
	struct field f;

	reader_init(&r, &a, text, len);
	f = reader_next(&r);
	if (!f.len || !reader_kind(&r, f))
		return false;
	*kind = a.kind;
	return true;
}
