/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writing descriptors to their files, and quitting.
 *
 * ui->save says which source is written, where to, and what follows. Writing
 * goes step by step, since it may have to ask: write_source() writes, or asks
 * for a name (write_to_name() goes on), or finds that the file is not what was
 * read (ask_conflict(); the answer overwrites it, reads it again, or shows the
 * differences and asks again). After each file, write_next() takes the next
 * one, or quits, as ui->save.then says. Esc at any question ends it all.
 */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stop.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/live.h"
#include "run/live/saving.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

/* Quits, or asks what to do about unsaved edits. */

/* Forced: whatever is in the file is replaced. */
static void write_source(struct ui *ui, bool forced);

static struct source *
saved_source(const struct ui *ui)
{
	return &ui->session->plan->sources[ui->save.source];
}

void
files_edited(struct ui *ui, size_t source)
{
	struct text said = {0}, problem = {0};

	ui_begin_work_on(ui, false, "compiling", source);
	switch (
	    session_document_changed(ui->session, source, LIVE_LATER, &said)) {
	case LIVE_SAME:
	case LIVE_TAKEN: break;
	case LIVE_STARTED: launch_say_started(ui, source); break;
	case LIVE_BAD:
		if (launch_say_waiting(ui, source))
			break;
		ui_add_problem(ui, source, &problem);
		ui_say(ui, ROLE_BAD,
		    "the run continues with the previous text; %s",
		    text_str(&problem));
		break;
	}
	text_free(&said);
	text_free(&problem);
}

/* Reports a written file. lost: attributes that could not be kept; "": none. */
static void
say_written(struct ui *ui, const char *path, const struct text *lost)
{
	const struct source *s = saved_source(ui);
	bool runs = session_document_compiles(ui->session, ui->save.source);
	struct text t = {0};
	size_t n = document_n_lines(s->doc), column;

	if (n > 0) /* of the file, where commas may join several */
		document_position(s->doc, n - 1, 0, &n, &column);
	ui->saved = true;
	text_add_visible(&t, path, strlen(path));
	text_adds(&t, " written, ");
	if (runs)
		text_addf(&t, "%zu line%s", n, n == 1 ? "" : "s");
	else if (stop_is_wanted(ui->session->plan->stop))
		text_adds(&t, "compiling was stopped");
	else
		text_adds(&t, "with errors (--check)");
	if (lost->len > 0)
		text_addf(&t, "; %s", text_str(lost));
	ui_say(ui, runs && lost->len == 0 ? ROLE_GOOD : ROLE_WARN, "%s",
	    text_str(&t));
	text_free(&t);
}

static void
say_not_written(struct ui *ui, const char *hint, struct text *err)
{
	text_addf(err, " (%s:w FILE writes elsewhere)", hint);
	ui_say_error(ui, "Not written", err);
}

/* Goes on after a file was written. */
static void
write_next(struct ui *ui)
{
	struct plan *plan = ui->session->plan;
	struct save_dialog *d = &ui->save;

	text_clear(&d->path);
	d->seen = (struct file_stamp){0};
	if (d->then == SAVE_THEN_STAY)
		return;
	if (d->then == SAVE_THEN_QUIT) {
		files_quit(ui, UI_QUIT);
		return;
	}
	for (size_t i = 0; i < plan->n_sources; i++)
		if (source_is_unsaved(&plan->sources[i])) {
			d->source = i;
			write_source(ui, false);
			return;
		}
	if (d->then == SAVE_ALL_QUIT)
		ui->leave = UI_QUIT;
}

/* Replaces the file that the question was about. If it has changed since, the
 * user is asked again. */
static void
overwrite(struct ui *ui, int arg)
{
	struct save_dialog *d = &ui->save;

	(void)arg;
	if (d->path.len == 0 && d->seen.exists)
		saved_source(ui)->stamp = d->seen;
	write_source(ui, !d->seen.exists);
}

static void
reread(struct ui *ui, int arg)
{
	struct text err = {0}, title = {0};
	size_t source = ui->save.source;

	(void)arg;
	source_add_title(ui->session->plan, source, &title);
	ui_begin_work(ui, true, "reading %s", text_str(&title));
	if (saving_reread(ui->session->plan, source, &err)) {
		ui_say(ui, ROLE_NORMAL, "%s read again (undo restores)",
		    text_str(&title));
		files_edited(ui, source);
	} else {
		ui_say_error(ui, "Can't read again", &err);
	}
	text_free(&err);
	text_free(&title);
}

static void ask_about_change(struct ui *ui);

/* Asks again when the page is closed. */
static void
show_difference(struct ui *ui, int arg)
{
	struct text err = {0};
	struct page *page = differences_on_disk(saved_source(ui), &err);

	(void)arg;
	if (page != NULL) {
		ui_open_page(ui, page);
		ui->page_closed = ask_about_change;
	} else {
		ui_say_error(ui, "Can't compare", &err);
	}
	text_free(&err);
}

static const struct ui_answer change_answers[] = {
    {"oO", "overwrite", overwrite, 0},
    {"rR", "read again", reread, 0},
    {"dD", "differences", show_difference, 0},
    {"\033\003", "cancel", NULL, 0},
    {0},
};

static const struct ui_answer overwrite_answers[] = {
    {"oO", "overwrite", overwrite, 0},
    {"\033\003", "cancel", NULL, 0},
    {0},
};

/* Remembers which file the question is about; none, if it can't be read. */
static void
note_seen(struct ui *ui, const char *path)
{
	struct save_dialog *d = &ui->save;
	struct text t = {0};

	d->again = d->seen.exists;
	d->seen = (struct file_stamp){0};
	file_read(path, &t, &d->seen, NULL);
	text_free(&t);
}

static void
ask_about_change(struct ui *ui)
{
	struct text title = {0};

	source_add_title(ui->session->plan, ui->save.source, &title);
	ui_ask(ui, change_answers, "%s changed on disk%s:", text_str(&title),
	    ui->save.again ? " again" : "");
	text_free(&title);
}

/* Another file is there than the one that was read; if none is, writes. */
static void
ask_conflict(struct ui *ui)
{
	const char *path = text_str(&ui->save.path);
	bool named = *path != 0;
	struct text title = {0};
	struct stat st;

	if (stat(named ? path : source_path(saved_source(ui)), &st) != 0) {
		ui->save.seen = (struct file_stamp){0};
		if (!named)
			saved_source(ui)->stamp = (struct file_stamp){0};
		write_source(ui, false);
	} else if (named) {
		note_seen(ui, path);
		text_add_visible(&title, path, strlen(path));
		ui_ask(ui, overwrite_answers,
		    ui->save.again ? "%s has changed:" : "%s exists:",
		    text_str(&title));
	} else {
		note_seen(ui, source_path(saved_source(ui)));
		ask_about_change(ui);
	}
	text_free(&title);
}

static void
write_to_name(struct ui *ui, const char *line, int arg)
{
	(void)arg;
	text_clear(&ui->save.path);
	ui->save.seen = (struct file_stamp){0};
	filename_of(line, &ui->save.path);
	if (ui->save.path.len > 0)
		write_source(ui, false);
	else
		ui_say(ui, ROLE_WARN, "not written: expected a file name");
}

static const struct ui_line name_line = {
    .input = &filename_prompt,
    .accepted = write_to_name,
    .place = PART_FOOTER,
};

static enum save_result
try_to_write(struct ui *ui, bool forced, struct text *err)
{
	const struct save_dialog *d = &ui->save;
	struct plan *plan = ui->session->plan;
	const char *path = text_str(&d->path);
	bool own = d->path.len == 0 || plan_find_file(plan, path) == d->source;

	if (d->path.len == 0)
		path = source_path(saved_source(ui));
	if (!session_may_save(ui->session, path, own, err))
		return SAVE_FAILED;
	if (d->path.len == 0)
		return saving_write(plan, d->source, forced, err);
	return saving_write_to(plan, d->source, path, &d->seen, forced, err);
}

static void
write_source(struct ui *ui, bool forced)
{
	struct save_dialog *d = &ui->save;
	struct text err = {0};

	if (d->path.len == 0 && source_path(saved_source(ui)) == NULL) {
		ui_open_line(ui, &name_line, "", NULL);
		return;
	}
	switch (try_to_write(ui, forced, &err)) {
	case SAVE_DONE:
		say_written(ui,
		    d->path.len > 0 ? text_str(&d->path)
				    : source_path(saved_source(ui)),
		    &err);
		write_next(ui);
		break;
	case SAVE_CONFLICT: ask_conflict(ui); break;
	case SAVE_FAILED: say_not_written(ui, "", &err); break;
	case SAVE_BY_FORCE:
		say_not_written(ui, ":w! writes into it in place, ", &err);
		break;
	}
	text_free(&err);
}

/* Begins to write the shown descriptor to path; "": its own. */
static void
write_shown(struct ui *ui, const char *path, bool forced, bool quit)
{
	struct save_dialog *d = &ui->save;

	ui->page_closed = NULL; /* of an earlier question */
	d->source = ui->selection.source;
	d->then = quit ? SAVE_THEN_QUIT : SAVE_THEN_STAY;
	d->seen = (struct file_stamp){0};
	text_clear(&d->path);
	text_adds(&d->path, path);
	write_source(ui, forced);
}

void
act_write(struct ui *ui, int arg)
{
	(void)arg;
	write_shown(ui, "", false, false);
}

/* flags: WRITE_OVER, WRITE_AND_QUIT. */
bool
cmd_write(struct ui *ui, const char *typed, int flags, struct text *err)
{
	struct text path = {0};

	filename_of(typed, &path);
	if (path.len > 0 && programs_refuse_write(ui, err)) {
		text_free(&path);
		return false;
	}
	write_shown(
	    ui, text_str(&path), flags & WRITE_OVER, flags & WRITE_AND_QUIT);
	text_free(&path);
	return true;
}

bool
cmd_write_all(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)typed;
	(void)arg;
	(void)err;
	if (saving_n_unsaved(ui->session->plan) == 0)
		ui_say(ui, ROLE_NORMAL, "no unsaved edits");
	ui->page_closed = NULL;
	ui->save.then = SAVE_ALL;
	write_next(ui);
	return true;
}

void
files_reread(struct ui *ui)
{
	ui->page_closed = NULL;
	ui->save.source = ui->selection.source;
	if (source_path(saved_source(ui)) == NULL)
		ui_say(ui, ROLE_BAD, "this descriptor has no file to read");
	else
		reread(ui, 0);
}

static void
write_and_quit(struct ui *ui, int arg)
{
	(void)arg;
	ui->save.then = SAVE_ALL_QUIT;
	write_next(ui);
}

static void
leave_unsaved(struct ui *ui, int leave)
{
	ui->leave = (enum ui_leave)leave;
}

/* After C-c twice the recovery files stay. */
static const struct ui_answer quit_answers[] = {
    {"wW", "write and quit", write_and_quit, 0},
    {"qQ", "quit without", leave_unsaved, UI_QUIT},
    {"\033", "stay", NULL, 0},
    {"\003", NULL, leave_unsaved, UI_INTERRUPTED},
    {0},
};

void
files_quit(struct ui *ui, enum ui_leave leave)
{
	struct text names = {0};

	ui_return_to_present(ui); /* which has the last edits */
	saving_add_unsaved(ui->session->plan, &names);
	if (names.len == 0)
		ui->leave = leave;
	else
		ui_ask(ui, quit_answers, "unsaved edits: %s", text_str(&names));
	text_free(&names);
}

/* leave: an enum ui_leave. */
void
act_quit(struct ui *ui, int leave)
{
	if (!programs_ask_to_quit(ui))
		files_quit(ui, (enum ui_leave)leave);
}

bool
cmd_quit_now(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)typed;
	(void)arg;
	(void)err;
	ui->leave = UI_QUIT;
	return true;
}

void
files_watch(struct ui *ui)
{
	struct plan *plan = ui->session->plan;
	struct text title = {0};
	struct stat st;
	size_t i;

	if (ui->now - ui->watch.looked < NSEC_PER_SEC)
		return;
	ui->watch.looked = ui->now;
	i = saving_find_changed(plan, &ui->watch.next);
	if (i == plan->n_sources)
		return;
	source_add_title(plan, i, &title);
	if (stat(plan->sources[i].name, &st) == 0)
		ui_say(ui, ROLE_WARN, "%s %s", text_str(&title),
		    S_ISREG(st.st_mode)
			? "changed on disk (:e! reads it again)"
			: "is no longer a file (:w FILE writes elsewhere)");
	else if (errno == ENOENT)
		ui_say(ui, ROLE_WARN, "%s was removed from disk (w writes it)",
		    text_str(&title));
	else
		ui_say(ui, ROLE_WARN, "%s: %s (:w FILE writes elsewhere)",
		    text_str(&title), strerror(errno));
	text_free(&title);
}
