/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See execute.h. */
#include "tui/console/execute.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "parser/document/document.h"
#include "tui/console/arrange.h"
#include "tui/console/command_prompt.h"

static const struct command_row *const tables[] = {
    commands_of_files,
    commands_of_run,
    commands_of_screen,
    commands_of_table,
    commands_of_settings,
    commands_of_tweaks,
    commands_of_launches,
    commands_of_comparing,
    commands_of_layer,
};

static command_fn *
runner(enum command command)
{
	for (size_t i = 0; i < sizeof(tables) / sizeof(*tables); i++)
		for (const struct command_row *r = tables[i]; r->run != NULL;
		     r++)
			if (r->command == command)
				return r->run;
	return NULL;
}

/* Blanks at the end are nobody's argument. */
static void
trim_end(struct text *t)
{
	while (t->len > 0 && strchr(" \t\r", t->data[t->len - 1]) != NULL)
		t->data[--t->len] = 0;
}

/* ":12" goes to line 12 of the descriptor, or to the last. */
static bool
go_to_line(struct ui *ui, const char *typed)
{
	const struct document *doc =
	    ui->session->plan->sources[ui->selection.source].doc;
	size_t rows = document_n_lines(doc), row, column;
	int64_t wanted;

	if (!parse_integer(typed, &wanted) || wanted < 0)
		return false;
	text_clear(&ui->message);
	arrange_show(ui, PART_DESCRIPTOR);
	/* Lines that were joined by commas have one number. */
	for (size_t low = 0; low < rows;) {
		size_t mid = low + (rows - low) / 2;

		document_position(doc, mid, 0, &row, &column);
		if ((int64_t)row < wanted)
			low = mid + 1;
		else
			rows = mid;
	}
	ui->selection.line = rows < document_n_lines(doc) ? rows
	    : rows > 0                                    ? rows - 1
							  : 0;
	return true;
}

void
execute(struct ui *ui, const char *typed, nsec wall)
{
	struct text err = {0}, line = {0};
	const char *arg;
	enum command c;

	text_adds(&line, typed);
	trim_end(&line);
	if (go_to_line(ui, text_str(&line))) {
		/* done */
	} else if (strspn(text_str(&line), " \t") < line.len) {
		c = command_parse(text_str(&line), &arg, &err);
		if (c != CMD_DUMP) { /* what was said before is over */
			text_clear(&ui->message);
			ui_open_page(ui, NULL);
		}
		if (c == N_COMMANDS || !runner(c)(ui, arg, wall, &err))
			ui_say_error(ui, text_str(&line), &err);
	}
	text_free(&line);
	text_free(&err);
}

const struct ui_line command_line = {
    .input = &command_prompt,
    .accepted = execute,
    .place = PART_FOOTER,
};
