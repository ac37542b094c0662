/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The tables of the language as text: what may be written in a field, for the
 * console, and the manual's list of steps.
 */
#include <ctype.h>
#include <string.h>

#include "base/text.h"
#include "parser/step.h"

void
field_form_print(enum step_field field, struct text *t)
{
	const struct field_info *info = &field_infos[field];
	const struct field_value *v = info->values;
	const char *before = "";

	if (info->form != NULL) {
		text_adds(t, info->form);
		before = "; ";
	}
	for (; v != NULL && v->value != NULL; v++) {
		if (v->meaning == NULL)
			continue;
		text_addf(t, "%s%s = %s", before, v->value, v->meaning);
		before = ", ";
	}
}

/* Appends a text so that roff shows it as it is. */
static void
add_man_text(struct text *out, const char *s)
{
	for (; *s != 0; s++) {
		if (*s == '-' || *s == '\\')
			text_addc(out, '\\');
		text_addc(out, *s);
	}
}

/* Appends words as the beginning of a sentence. */
static void
begin_man_sentence(struct text *out, const char *s)
{
	size_t at = out->len;

	add_man_text(out, s);
	out->data[at] = (char)toupper((unsigned char)out->data[at]);
}

static void
print_man_field(struct text *out, enum step_field field)
{
	const struct field_info *info = &field_infos[field];
	struct text form = {0};

	text_adds(out, ".TP\n\\fI");
	add_man_text(out, info->name);
	text_adds(out, "\\fR");
	if (info->unit != NULL)
		text_addf(out, " (%s)", info->unit);
	text_addc(out, '\n');
	begin_man_sentence(out, info->help);
	text_adds(out, ": ");
	field_form_print(field, &form);
	add_man_text(out, text_str(&form));
	text_adds(out, ".\n");
	if (info->details != NULL) {
		add_man_text(out, info->details);
		text_addc(out, '\n');
	}
	text_free(&form);
}

/* Prints a kind, and its fields that were not printed before. */
static void
print_man_step(struct text *out, enum step_kind kind, bool seen[N_STEP_FIELDS])
{
	const struct step_info *info = &step_infos[kind];
	bool any = false;

	text_adds(out, ".TP\n\\fB");
	add_man_text(out, info->syntax);
	text_adds(out, "\\fR\n");
	begin_man_sentence(out, info->summary);
	text_adds(out, ".\nExample: \\fB");
	add_man_text(out, info->example);
	text_adds(out, "\\fR.\n");
	if (info->details != NULL) {
		add_man_text(out, info->details);
		text_addc(out, '\n');
	}
	for (unsigned i = 0; i < info->n_fields; i++) {
		if (seen[info->fields[i]])
			continue;
		if (!any)
			text_adds(out, ".RS\n");
		any = true;
		print_man_field(out, info->fields[i]);
		seen[info->fields[i]] = true;
	}
	if (any)
		text_adds(out, ".RE\n");
}

void
steps_print_man(struct text *out)
{
	bool seen[N_STEP_FIELDS] = {[FIELD_NONE] = true};

	for (enum step_kind k = 0; k < N_STEP_KINDS; k++)
		print_man_step(out, k, seen);
}
