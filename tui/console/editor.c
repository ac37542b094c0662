/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Edits a whole descriptor in the user's editor: writes it to a temporary file,
 * lends the terminal to the editor, and takes the result as one edit. If a
 * signal ends the console meanwhile, what the editor has saved is kept.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/output.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/saving.h"
#include "tui/console/loop.h"
#include "tui/console/ui.h"
#include "tui/terminal/child.h"

#define SUFFIX ".wsim"

static struct document *
edited_text(const struct console *c)
{
	return c->session.plan->sources[c->ui.selection.source].doc;
}

/* POSIX: $VISUAL, else $EDITOR, else vi. */
static const char *
editor_command(void)
{
	const char *visual = getenv("VISUAL"), *editor = getenv("EDITOR");

	if (visual != NULL && *visual != 0)
		return visual;
	return editor != NULL && *editor != 0 ? editor : "vi";
}

/* Writes the text to a new file that only the user can read, and sets path. */
static bool
write_temporary(const struct text *text, struct text *path, struct text *err)
{
	const char *folder = getenv("TMPDIR");
	ssize_t n = 0;
	int fd;

	text_addf(path, "%s/gpuwl-XXXXXX" SUFFIX,
	    folder != NULL && *folder != 0 ? folder : "/tmp");
	fd = mkstemps(path->data, (int)strlen(SUFFIX)); /* 0600 */
	for (size_t at = 0; fd >= 0 && at < text->len; at += (size_t)n) {
		n = write(fd, text->data + at, text->len - at);
		if (n <= 0)
			break;
	}
	if (fd < 0 || n < 0 || (n == 0 && text->len > 0)) {
		text_addf(
		    err, "can't write %s: %s", path->data, strerror(errno));
		if (fd >= 0)
			unlink(path->data);
	}
	if (fd >= 0)
		close(fd);
	return err->len == 0;
}

static void
explain_end(const struct child_end *end, struct text *err)
{
	const char *command = editor_command();

	if (end->status == -1)
		return; /* err says why it was not started */
	if (WIFEXITED(end->status) && WEXITSTATUS(end->status) == 127)
		text_addf(err, "editor '%s' not found: set $VISUAL or $EDITOR",
		    command);
	else if (WIFEXITED(end->status) && WEXITSTATUS(end->status) != 0)
		text_addf(err, "editor '%s' failed with status %d", command,
		    WEXITSTATUS(end->status));
	else if (WIFSIGNALED(end->status))
		text_addf(err, "editor '%s' was killed by signal %d (%s)",
		    command, WTERMSIG(end->status),
		    strsignal(WTERMSIG(end->status)));
}

/* Removes the newline that editors add after the last line. */
static void
drop_added_end(const struct text *before, struct text *after)
{
	if (before->len > 0 && before->data[before->len - 1] != '\n' &&
	    after->len > 0 && after->data[after->len - 1] == '\n')
		after->len--;
	else
		return;
	if (after->len > 0 && after->data[after->len - 1] == '\r')
		after->len--;
	after->data[after->len] = 0;
}

/* Returns the first line that differs. */
static size_t
first_change(const struct document *doc, const struct text *before,
    const struct text *after)
{
	size_t row = 1;

	for (size_t i = 0; i < before->len && i < after->len &&
	     before->data[i] == after->data[i];
	     i++)
		row += before->data[i] == '\n';
	return document_line_of_row(doc, row);
}

static bool
is_same(const struct text *a, const struct text *b)
{
	return a->len == b->len &&
	    memcmp(text_str(a), text_str(b), a->len) == 0;
}

static void
take_text(struct console *c, const struct text *before, struct text *after)
{
	struct ui *ui = &c->ui;

	drop_added_end(before, after);
	if (is_same(before, after)) {
		ui_say(ui, ROLE_NORMAL, "no changes");
		return;
	}
	edit_rewrite(edited_text(c), text_str(after), after->len);
	console_begin_work(c, false);
	document_edited(ui, first_change(edited_text(c), before, after), false);
	console_end_work(c);
}

/* Keeps the text in a recovery file. False: the temporary file has to stay. */
static bool
keep_text(struct console *c, const struct text *after)
{
	struct text err = {0};
	bool kept;

	if (!c->ui.for_a_person)
		return false;
	edit_rewrite(edited_text(c), text_str(after), after->len);
	saving_keep(c->session.plan, clock_wall(), true, &err);
	kept = err.len == 0;
	text_free(&err);
	return kept;
}

/* The console has to end: keeps what the editor has saved, as an unsaved edit. */
static void
leave_behind(
    struct console *c, int death, const char *path, const struct text *before)
{
	struct text after = {0}, err = {0};
	bool read = file_read(path, &after, NULL, &err);

	c->death = death;
	if (read)
		drop_added_end(before, &after);
	if (read ? is_same(before, &after) || keep_text(c, &after)
		 : access(path, F_OK) < 0)
		unlink(path);
	else
		output_last_words(
		    "gpuwl-top: the edited text is in %s\n", path);
	text_free(&after);
	text_free(&err);
}

void
console_edit_text(struct console *c)
{
	struct text before = {0}, after = {0}, path = {0}, err = {0};
	struct child_end end = {.status = -1};

	c->ui.wants_editor = false;
	document_print(edited_text(c), &before);
	if (write_temporary(&before, &path, &err)) {
		console_give_terminal(c);
		end = child_run(
		    c->terminal != NULL ? terminal_fd(c->terminal) : -1,
		    editor_command(), path.data, &err);
		explain_end(&end, &err);
		if (end.death == 0)
			console_take_terminal(c);
	}
	if (end.death != 0) {
		leave_behind(c, end.death, path.data, &before);
	} else {
		if (err.len == 0 && access(path.data, F_OK) < 0)
			text_adds(&err, "the editor removed its file");
		if (err.len == 0 && file_read(path.data, &after, NULL, &err))
			take_text(c, &before, &after);
		else
			ui_say(&c->ui, ROLE_BAD, "nothing was changed: %s",
			    text_str(&err));
		unlink(path.data);
	}
	text_free(&before);
	text_free(&after);
	text_free(&path);
	text_free(&err);
}
