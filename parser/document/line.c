/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cuts a text into lines and a line into fields, parses it, and diagnoses a
 * line that has no step kind.
 */
#include "parser/document/line.h"

#include <ctype.h>
#include <string.h>

#include "parser/annotation.h"
#include "parser/step_parse.h"

static const struct step fence_step = {.kind = STEP_FENCE};

size_t
separator_length(uint8_t separator)
{
	static const uint8_t lengths[] = {
	    [SEP_NONE] = 0, [SEP_NEWLINE] = 1, [SEP_CRLF] = 2, [SEP_COMMA] = 1};

	return lengths[separator];
}

const char *
separator_text(uint8_t separator)
{
	static const char *const texts[] = {[SEP_NONE] = "",
	    [SEP_NEWLINE] = "\n",
	    [SEP_CRLF] = "\r\n",
	    [SEP_COMMA] = ","};

	return texts[separator];
}

/* True for control bytes but tabs, which are blanks. */
static bool
is_control(char c)
{
	return ((unsigned char)c < 0x20 && c != '\t') || c == 0x7f;
}

/* Ends the line at p, which is a separator or the end of the text. */
static void
cut_at(struct raw_line *raw, const char *p, const char *end)
{
	raw->next = p;
	raw->separator = SEP_NONE;
	if (p < end) {
		raw->next = p + 1;
		raw->separator = *p == ',' ? SEP_COMMA : SEP_NEWLINE;
	}
	if (raw->separator == SEP_NEWLINE && p > raw->text && p[-1] == '\r') {
		raw->separator = SEP_CRLF;
		p--;
	}
	raw->len = (uint32_t)(p - raw->text);
	while (p > raw->trimmed.s && scan_is_blank(p[-1]))
		p--;
	raw->trimmed.len = (uint32_t)(p - raw->trimmed.s);
}

static void
cut_comment(struct raw_line *raw, const char *end, enum document_source source)
{
	const char *p = raw->trimmed.s;

	while (p < end && *p != '\n' && (*p != ',' || source == SOURCE_FILE))
		p++;
	cut_at(raw, p, end);
	raw->kind = LINE_COMMENT;
	if (raw->trimmed.len > 1 && raw->trimmed.s[1] == '@')
		raw->kind = LINE_ANNOTATION;
}

/* Cuts a step into fields. All bytes that end a field sort at or below the dot,
 * so most bytes need one comparison. */
static void
cut_step(struct raw_line *raw, const char *end)
{
	const char *p = raw->trimmed.s, *field = p;

	for (; p < end; p++) {
		if ((unsigned char)*p > '.')
			continue;
		if (*p == '.') {
			if (raw->n_fields <= MAX_FIELDS)
				raw->fields[raw->n_fields] = (struct field){
				    field, (uint32_t)(p - field)};
			raw->n_fields++;
			field = p + 1;
		} else if (*p == ',' || *p == '\n') {
			break;
		}
	}
	cut_at(raw, p, end);
	raw->kind = raw->trimmed.len ? LINE_STEP : LINE_BLANK;
	p = raw->trimmed.s + raw->trimmed.len;
	if (raw->n_fields <= MAX_FIELDS)
		raw->fields[raw->n_fields] = (struct field){
		    field, p > field ? (uint32_t)(p - field) : 0};
	raw->n_fields++;
}

void
line_cut(struct raw_line *raw, const char *text, const char *end,
    enum document_source source)
{
	const char *p = text;

	raw->text = text;
	raw->n_fields = 0;
	while (p < end && scan_is_blank(*p) && (*p != '\r' || p + 1 == end))
		p++;
	raw->trimmed.s = p;
	if (p < end && *p == '#')
		cut_comment(raw, end, source);
	else
		cut_step(raw, end);
}

void
line_recut(
    struct raw_line *raw, const struct line *line, enum document_source source)
{
	line_cut(raw, line->text, line->text + line->len, source);
	raw->separator = line->separator;
}

/* Finds the kind whose letter is this one in the other case. */
static bool
other_case(struct field first, enum step_kind *kind)
{
	char c = first.len == 1 ? first.s[0] : 0;
	char other = (char)(isupper((unsigned char)c) ? tolower(c)
						      : toupper(c));
	struct field f = {&other, 1};

	return isalpha((unsigned char)c) && step_kind_of(f, kind);
}

/* Diagnoses a first field that no step begins with. */
static void
diagnose_kind(struct scan *scan, const struct raw_line *raw)
{
	struct field first = raw->fields[0];
	enum step_kind other;

	if (other_case(first, &other))
		scan_error(scan, first,
		    "unknown step '%s': did you mean '%c', e.g. %s",
		    quote(first).s, step_infos[other].letter,
		    step_infos[other].syntax);
	else if (!first.len)
		scan_error(scan, first,
		    "empty step kind: expected a batch, %s, or the letter of "
		    "another step",
		    step_infos[STEP_BATCH].syntax);
	else
		scan_error(scan, first,
		    "unknown step '%s': expected a batch, %s, or a step that "
		    "begins with one of d p s t q f a T P S X M B b G w W",
		    quote(first).s, step_infos[STEP_BATCH].syntax);
}

static void
diagnose_count(
    struct scan *scan, const struct raw_line *raw, enum step_kind kind)
{
	const char *end = raw->trimmed.s + raw->trimmed.len;
	uint32_t wanted = step_n_fields(kind);

	if (raw->n_fields < wanted) {
		struct field at = {end, 0};
		const struct step_info *info = &step_infos[kind];

		scan_error(scan, at, "missing %s: expected %s, e.g. %s",
		    field_infos[info->fields[raw->n_fields]].name, info->syntax,
		    info->example);
	} else {
		struct field at = raw->fields[wanted], dot = {at.s - 1, 1};

		at.len = (uint32_t)(end - at.s);
		if (at.len)
			scan_error(scan, at,
			    "unexpected '%s' at the end: expected %s",
			    quote(at).s, step_infos[kind].syntax);
		else
			scan_error(scan, dot,
			    "unexpected dot at the end: expected %s",
			    step_infos[kind].syntax);
	}
}

static bool
has_control(struct field f)
{
	for (uint32_t i = 0; i < f.len; i++)
		if (is_control(f.s[i]))
			return true;
	return false;
}

/* Diagnoses a control byte or, if blanks are not allowed, a blank inside the
 * line: clearer than an error in the field it is in. True if it did. */
static bool
diagnose_bytes(struct scan *scan, struct field f, bool blanks)
{
	for (uint32_t i = 0; i < f.len; i++) {
		struct field at = {f.s + i, 1};

		if (is_control(f.s[i])) {
			scan_error(scan, at,
			    "invalid byte 0x%02x: expected visible text",
			    (unsigned char)f.s[i]);
			return true;
		}
		if (blanks && (f.s[i] == ' ' || f.s[i] == '\t')) {
			while (at.s + at.len < f.s + f.len &&
			    scan_is_blank(at.s[at.len]))
				at.len++;
			scan_error(scan, at,
			    "blank inside a step: expected fields joined by "
			    "dots, and each step on its own line");
			return true;
		}
	}
	return false;
}

/* Finds the kind of a step. Five fields are taken for a batch, so that an
 * invalid context is diagnosed as such. */
static bool
kind_of(const struct raw_line *raw, enum step_kind *kind)
{
	if (step_kind_of(raw->fields[0], kind))
		return true;
	if (raw->n_fields != MAX_FIELDS)
		return false;
	*kind = STEP_BATCH;
	return true;
}

/* Parses a step; false if the line has errors. */
static bool
parse_step(struct scan *scan, const struct raw_line *raw, struct step *step)
{
	enum step_kind kind;

	if (scan->diags && diagnose_bytes(scan, raw->trimmed, true))
		return false;
	if (!kind_of(raw, &kind)) {
		if (scan->diags)
			diagnose_kind(scan, raw);
		return false;
	}
	if (raw->n_fields != step_n_fields(kind)) {
		if (scan->diags)
			diagnose_count(scan, raw, kind);
		return false;
	}
	step_parse(scan, raw->fields, kind, step);
	return !scan->failed;
}

static bool
is_fence_text(const struct raw_line *raw)
{
	return raw->trimmed.len == 1 && raw->trimmed.s[0] == 'f';
}

/* Parses and keeps the line's annotation, if it is one. False if it has errors.
 */
static bool
read_annotation(struct line *line, struct arena *arena)
{
	struct annotation a, *kept;

	if (line->kind != LINE_ANNOTATION)
		return true;
	if (annotation_parse(arena, line->text, line->len, 0, &a, NULL)) {
		kept = arena_alloc(arena, sizeof(*kept));
		*kept = a;
		line->annotation = kept;
	}
	line->annotation_kind = (uint8_t)a.kind;
	if (a.resume)
		line->pass = PASS_RESUMES;
	else if (a.suspend)
		line->pass = PASS_BEGINS;
	return line->annotation != NULL;
}

/* Parses the line's step; one that fails leaves no memory in use. */
static void
make_step(struct line *line, const struct raw_line *raw, struct arena *arena)
{
	struct scan scan = {.arena = arena, .text = raw->text};
	const struct arena_block *block = arena->blocks;
	char *at = arena->at;
	struct step *step;

	if (is_fence_text(raw)) {
		line->step = &fence_step;
		return;
	}
	step = arena_alloc(arena, sizeof(*step));
	if (parse_step(&scan, raw, step)) {
		line->step = step;
		return;
	}
	arena_rewind(arena, block, at);
	line->kind = LINE_BAD;
	line->problems = PROBLEM_SYNTAX;
}

struct line *
line_make(struct arena *arena, const struct raw_line *raw)
{
	struct line *line = arena_alloc(arena, sizeof(*line));

	*line = (struct line){
	    .text = raw->text,
	    .len = raw->len,
	    .kind = raw->kind,
	    .separator = raw->separator,
	};
	if (raw->kind == LINE_STEP) {
		make_step(line, raw, arena);
	} else if (raw->trimmed.len &&
	    (has_control(raw->trimmed) || !read_annotation(line, arena))) {
		line->problems = PROBLEM_SYNTAX;
	}
	return line;
}

void
line_diagnose(
    const struct raw_line *raw, uint32_t index, struct diag_list *diags)
{
	struct arena arena = {0};
	struct scan scan = {&arena, raw->text, diags, index, false};
	struct annotation annotation;
	struct step step;

	if (raw->kind == LINE_STEP)
		parse_step(&scan, raw, &step);
	else if (!diagnose_bytes(&scan, raw->trimmed, false) &&
	    raw->kind == LINE_ANNOTATION)
		annotation_parse(
		    &arena, raw->text, raw->len, index, &annotation, diags);
	arena_free(&arena);
}

void
line_field(const struct line *line, enum document_source source, unsigned field,
    uint32_t *col, uint32_t *len)
{
	struct raw_line raw;
	struct field rest, part = {0};

	line_recut(&raw, line, source);
	rest = part = raw.trimmed;
	for (unsigned i = 0; i <= field; i++)
		if (!scan_part(&rest, '.', &part))
			part = (struct field){
			    raw.trimmed.s + raw.trimmed.len, 0};
	*col = (uint32_t)(part.s - line->text);
	*len = part.len;
}
