/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The step and the field under the cursor of a line that is typed, which may
 * not parse yet, and the lines of the document that its offsets lead to.
 */
#include "tui/input/typed_step.h"

#include <stdio.h>
#include <string.h>

#include "parser/step_parse.h"

#define BLANKS " \t"

bool
typed_is_comment(const char *text)
{
	return text[strspn(text, BLANKS)] == '#';
}

/* Sets kind and field from the number of the field. */
static void
name_field(struct typed_step *t)
{
	struct field first = {t->step, (uint32_t)strcspn(t->step, ".,")};

	t->kind = N_STEP_KINDS;
	t->field = FIELD_NONE;
	while (first.len > 0 && strchr(BLANKS, first.s[first.len - 1]) != NULL)
		first.len--;
	if (!step_kind_of(first, &t->kind))
		t->kind = N_STEP_KINDS;
	else if (t->number < step_infos[t->kind].n_fields)
		t->field = step_infos[t->kind].fields[t->number];
}

static struct typed_step
first_part(const char *text)
{
	const char *begin = text + strspn(text, BLANKS);

	return (struct typed_step){.step = begin, .part = begin};
}

/* Returns where the part ends: at a separator, or at the end of the text. */
static const char *
part_end(const struct typed_step *t)
{
	return t->part + strcspn(t->part, "./|,");
}

/* Moves on to the next part; false: the text has no more. */
static bool
next_part(struct typed_step *t)
{
	const char *end = part_end(t);

	if (*end == 0)
		return false;
	t->part = end + 1;
	t->number += *end == '.';
	if (*end == ',') {
		t->part += strspn(t->part, BLANKS);
		t->step = t->part;
		t->steps_before++;
		t->number = 0;
	}
	return true;
}

/* Completes a part that was found. */
static void
finish_part(struct typed_step *t)
{
	t->len = (size_t)(part_end(t) - t->part);
	while (t->len > 0 && strchr(BLANKS, t->part[t->len - 1]) != NULL)
		t->len--;
	name_field(t);
}

struct typed_step
typed_step_at(const char *text, size_t at)
{
	struct typed_step t = first_part(text);

	while (part_end(&t) < text + at && next_part(&t))
		;
	finish_part(&t);
	return t;
}

const struct step *
typed_step_back(const struct step_scene *scene, const struct typed_step *typed,
    size_t back, size_t *line)
{
	const struct document *doc = scene->doc;
	size_t at = document_step_of_line(doc, scene->line);

	*line = document_n_lines(doc);
	if (back <= typed->steps_before || back - typed->steps_before > at)
		return NULL;
	*line = document_line_of_step(doc, at - (back - typed->steps_before));
	return document_line_step(doc, *line);
}

static bool
refers_to_steps(enum step_field field)
{
	return field == FIELD_DEPENDENCIES || field == FIELD_SYNC ||
	    field == FIELD_ADVANCE || field == FIELD_TERMINATE;
}

/* Sets the target of the part; false if it has none in the document. */
static bool
target_of_part(const struct step_scene *scene, const struct typed_step *typed,
    struct typed_target *target)
{
	struct dep dep;

	if (!refers_to_steps(typed->field) ||
	    !dep_read(typed->part, typed->len, &dep) || dep.back == 0)
		return false;
	typed_step_back(scene, typed, dep.back, &target->line);
	snprintf(target->offset, sizeof(target->offset), "%.*s",
	    (int)(typed->len < sizeof(target->offset) ? typed->len
						      : sizeof(target->offset)),
	    typed->part);
	return target->line < document_n_lines(scene->doc);
}

size_t
typed_targets(const struct step_scene *scene, const char *text,
    struct typed_target *list, size_t max)
{
	struct typed_step typed = first_part(text);
	size_t n = 0;

	if (typed_is_comment(text))
		return 0;
	do {
		finish_part(&typed);
		if (n < max)
			n += target_of_part(scene, &typed, &list[n]);
	} while (next_part(&typed));
	return n;
}
