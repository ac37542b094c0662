/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The way from the screen to scripts: `:batch` shows the command line that gives
 * the same figures in batch mode, or writes it to a file for a shell.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/live/batch_line.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"
#include "tui/views/page.h"

static void
show_batch_line(
    struct ui *ui, const struct text *line, const struct text *notes)
{
	struct page *p = page_new("The same in batch mode (q closes)");

	page_add_text(p, text_str(line));
	if (notes->len > 0) {
		page_add(p, ROLE_NORMAL, "", NULL);
		page_add_text(p, text_str(notes));
	}
	ui_open_page(ui, p);
}

/* Writes the notes as comments, then the line, to a file that does not exist
 * yet. */
static bool
write_batch_line(const char *typed, const struct text *line,
    const struct text *notes, struct text *err)
{
	struct text path = {0};
	const char *note = text_str(notes);
	bool ok;
	FILE *f;

	filename_of(typed, &path);
	f = fopen(text_str(&path), "wxe");
	ok = f != NULL;
	while (ok && *note != '\0') {
		size_t len = strcspn(note, "\n");

		fprintf(f, "# %.*s\n", (int)len, note);
		note += len + (note[len] == '\n');
	}
	if (ok)
		fprintf(f, "%s\n", text_str(line));
	ok = ok && fclose(f) == 0;
	if (!ok) {
		text_add_visible(err, text_str(&path), path.len);
		text_addf(err, ": %s", strerror(errno));
	}
	text_free(&path);
	return ok;
}

bool
cmd_batch(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct text line = {0}, notes = {0};
	bool ok = true;

	(void)arg;
	session_add_batch_line(ui->session, &line);
	session_add_batch_notes(ui->session, &notes);
	if (*typed == '\0')
		show_batch_line(ui, &line, &notes);
	else
		ok = write_batch_line(typed, &line, &notes, err);
	if (ok && *typed != '\0')
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&line));
	text_free(&line);
	text_free(&notes);
	return ok;
}

void
batch_print_line(const struct ui *ui)
{
	struct text line = {0};

	if (!ui->saved)
		return;
	session_add_batch_line(ui->session, &line);
	fprintf(stderr, "%s\n", text_str(&line));
	text_free(&line);
}
