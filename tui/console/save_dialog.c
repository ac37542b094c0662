/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See files.h. What is being written stands in ui->filing while something is
 * asked about it. */
#include <errno.h>
#include <string.h>
#include <sys/stat.h>

#include "base/stop.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/live.h"
#include "run/live/saving.h"
#include "run/plan.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

static void write_on(struct ui *ui, bool forced, nsec wall);

static struct source *
source_of(const struct ui *ui)
{
	return &ui->session->plan->sources[ui->filing.source];
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
		ui_say(ui, ROLE_BAD, "the run goes on with the text before; %s",
		    text_str(&problem));
		break;
	}
	text_free(&said);
	text_free(&problem);
}

/* What to write next, if more than one was asked for. */
static void
go_on(struct ui *ui, nsec wall)
{
	struct plan *plan = ui->session->plan;
	struct ui_filing *f = &ui->filing;

	text_clear(&f->path);
	f->seen = (struct file_stamp){0};
	if (f->then == FILING_STAY)
		return;
	if (f->then == FILING_QUIT) {
		files_quit(ui, UI_QUIT, wall);
		return;
	}
	for (size_t i = 0; i < plan->n_sources; i++)
		if (source_is_unsaved(&plan->sources[i])) {
			f->source = i;
			write_on(ui, false, wall);
			return;
		}
	if (f->then == FILING_ALL_QUIT)
		ui->leave = UI_QUIT;
}

/* The text there when it was asked about; a later one is asked about too. */
static void
overwrite(struct ui *ui, nsec wall)
{
	struct ui_filing *f = &ui->filing;

	if (f->path.len == 0 && f->seen.exists)
		source_of(ui)->stamp = f->seen;
	write_on(ui, !f->seen.exists, wall);
}

static void
reread(struct ui *ui, nsec wall)
{
	struct text err = {0}, title = {0};
	size_t source = ui->filing.source;

	(void)wall;
	source_add_title(ui->session->plan, source, &title);
	ui_begin_work(ui, true, "reading %s", text_str(&title));
	if (saving_reread(ui->session->plan, source, &err)) {
		ui_say(ui, ROLE_NORMAL, "%s read again (undo takes it back)",
		    text_str(&title));
		files_edited(ui, source);
	} else {
		ui_say_error(ui, "Can't read again", &err);
	}
	text_free(&err);
	text_free(&title);
}

static void ask_what_becomes(struct ui *ui, nsec wall);

/* The question comes again when they have been seen. */
static void
show_difference(struct ui *ui, nsec wall)
{
	struct text err = {0};
	struct page *page = files_difference(source_of(ui), &err);

	(void)wall;
	if (page != NULL) {
		ui_open_page(ui, page);
		ui->page_closed = ask_what_becomes;
	} else {
		ui_say_error(ui, "Can't compare", &err);
	}
	text_free(&err);
}

static const struct ui_answer conflict_answers[] = {
    {"oO", "overwrite", overwrite},
    {"rR", "read again", reread},
    {"dD", "differences", show_difference},
    {"\033\003", "cancel", NULL},
    {NULL, NULL, NULL},
};

static const struct ui_answer overwrite_answers[] = {
    {"oO", "overwrite", overwrite},
    {"\033\003", "cancel", NULL},
    {NULL, NULL, NULL},
};

/* Notes what is there; nothing, if it can't be read. */
static void
look(struct ui *ui, const char *path)
{
	struct ui_filing *f = &ui->filing;
	struct text t = {0};

	f->again = f->seen.exists;
	f->seen = (struct file_stamp){0};
	file_read(path, &t, &f->seen, NULL);
	text_free(&t);
}

static void
ask_what_becomes(struct ui *ui, nsec wall)
{
	struct text title = {0};

	(void)wall;
	source_add_title(ui->session->plan, ui->filing.source, &title);
	ui_ask(ui, conflict_answers, "%s changed on disk%s:", text_str(&title),
	    ui->filing.again ? " again" : "");
	text_free(&title);
}

/* The file is not what was read; written anew where it has gone. */
static void
ask_conflict(struct ui *ui, nsec wall)
{
	const char *path = text_str(&ui->filing.path);
	struct text title = {0};
	struct stat st;

	bool named = *path != 0;

	if (stat(named ? path : source_path(source_of(ui)), &st) != 0) {
		ui->filing.seen = (struct file_stamp){0};
		if (!named)
			source_of(ui)->stamp = (struct file_stamp){0};
		write_on(ui, false, wall); /* made, or says why not */
	} else if (named) {
		look(ui, path);
		text_add_visible(&title, path, strlen(path));
		ui_ask(ui, overwrite_answers,
		    ui->filing.again ? "%s has changed:" : "%s exists:",
		    text_str(&title));
	} else {
		look(ui, source_path(source_of(ui)));
		ask_what_becomes(ui, wall);
	}
	text_free(&title);
}

static void
name_typed(struct ui *ui, const char *line, nsec wall)
{
	text_clear(&ui->filing.path);
	ui->filing.seen = (struct file_stamp){0};
	filename_of(line, &ui->filing.path);
	if (ui->filing.path.len > 0)
		write_on(ui, false, wall);
	else
		ui_say(ui, ROLE_WARN, "not written: it needs a name");
}

static const struct ui_line name_line = {
    .input = &filename_prompt,
    .accepted = name_typed,
    .place = PART_FOOTER,
};

/* lost: what of the file was not kept, "". */
static void
say_written(struct ui *ui, const char *path, const struct text *lost)
{
	const struct source *s = source_of(ui);
	bool runs = session_document_compiles(ui->session, ui->filing.source);
	struct text t = {0};
	size_t n = document_n_lines(s->doc);

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
say_failed(struct ui *ui, const char *hint, struct text *err)
{
	text_addf(err, " (%s:w FILE writes elsewhere)", hint);
	ui_say_error(ui, "Not written", err);
}

static enum save_result
write_now(struct ui *ui, bool forced, struct text *err)
{
	const struct ui_filing *f = &ui->filing;
	struct plan *plan = ui->session->plan;
	const char *path = text_str(&f->path);
	bool own = f->path.len == 0 || plan_find_file(plan, path) == f->source;

	if (f->path.len == 0)
		path = source_path(source_of(ui));
	if (!session_may_save(ui->session, path, own, err))
		return SAVE_FAILED;
	if (f->path.len == 0)
		return saving_write(plan, f->source, forced, err);
	return saving_write_to(plan, f->source, path, &f->seen, forced, err);
}

/* Writes what ui->filing says, asks what there is to ask, and goes on. */
static void
write_on(struct ui *ui, bool forced, nsec wall)
{
	struct ui_filing *f = &ui->filing;
	struct text err = {0};

	if (f->path.len == 0 && source_path(source_of(ui)) == NULL) {
		ui_open_line(ui, &name_line, "", NULL);
		return;
	}
	switch (write_now(ui, forced, &err)) {
	case SAVE_DONE:
		say_written(ui,
		    f->path.len > 0 ? text_str(&f->path)
				    : source_path(source_of(ui)),
		    &err);
		go_on(ui, wall);
		break;
	case SAVE_CONFLICT: ask_conflict(ui, wall); break;
	case SAVE_FAILED: say_failed(ui, "", &err); break;
	case SAVE_BY_FORCE:
		say_failed(ui, ":w! writes into it in place, ", &err);
		break;
	}
	text_free(&err);
}

void
files_write(struct ui *ui, const char *path, bool forced, bool quit, nsec wall)
{
	struct ui_filing *f = &ui->filing;

	ui->page_closed = NULL; /* another matter */
	f->source = ui->selection.source;
	f->then = quit ? FILING_QUIT : FILING_STAY;
	f->seen = (struct file_stamp){0};
	text_clear(&f->path);
	text_adds(&f->path, path);
	write_on(ui, forced, wall);
}

void
files_write_all(struct ui *ui, nsec wall)
{
	if (saving_n_unsaved(ui->session->plan) == 0)
		ui_say(ui, ROLE_NORMAL, "there are no unsaved edits");
	ui->page_closed = NULL;
	ui->filing.then = FILING_ALL;
	go_on(ui, wall);
}

void
files_reread(struct ui *ui, nsec wall)
{
	ui->page_closed = NULL;
	ui->filing.source = ui->selection.source;
	if (source_path(source_of(ui)) == NULL)
		ui_say(ui, ROLE_BAD, "this descriptor has no file to be read");
	else
		reread(ui, wall);
}

static void
write_and_quit(struct ui *ui, nsec wall)
{
	ui->filing.then = FILING_ALL_QUIT;
	go_on(ui, wall);
}

static void
quit_without(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->leave = UI_QUIT;
}

/* Ctrl-C twice is in a hurry: the recovery files stay. */
static void
interrupt(struct ui *ui, nsec wall)
{
	(void)wall;
	ui->leave = UI_INTERRUPTED;
}

static const struct ui_answer quit_answers[] = {
    {"wW", "write and quit", write_and_quit},
    {"qQ", "quit without", quit_without},
    {"\033", "stay", NULL},
    {"\003", NULL, interrupt},
    {NULL, NULL, NULL},
};

void
files_quit(struct ui *ui, enum ui_leave leave, nsec wall)
{
	struct text names = {0};

	(void)wall;
	saving_add_unsaved(ui->session->plan, &names);
	if (names.len == 0)
		ui->leave = leave;
	else
		ui_ask(ui, quit_answers, "unsaved edits: %s", text_str(&names));
	text_free(&names);
}

void
files_watch(struct ui *ui, nsec wall)
{
	struct plan *plan = ui->session->plan;
	struct ui_filing *f = &ui->filing;
	struct text title = {0};
	struct stat st;
	size_t i;

	if (wall - f->looked < NSEC_PER_SEC)
		return;
	f->looked = wall;
	i = saving_find_changed(plan, &f->next);
	if (i == plan->n_sources)
		return;
	source_add_title(plan, i, &title);
	if (stat(plan->sources[i].name, &st) == 0)
		ui_say(ui, ROLE_WARN, "%s %s", text_str(&title),
		    S_ISREG(st.st_mode)
			? "changed on disk (:e! reads it again)"
			: "is no file any more (:w FILE writes elsewhere)");
	else if (errno == ENOENT)
		ui_say(ui, ROLE_WARN, "%s is gone from disk (w writes it)",
		    text_str(&title));
	else
		ui_say(ui, ROLE_WARN, "%s: %s (:w FILE writes elsewhere)",
		    text_str(&title), strerror(errno));
	text_free(&title);
}

/* Keys that concern files: writing, and leaving. */

static void
act_write(struct ui *ui, nsec wall)
{
	files_write(ui, "", false, false, wall);
}

static void
act_quit(struct ui *ui, nsec wall)
{
	files_quit(ui, UI_QUIT, wall);
}

static void
act_interrupt(struct ui *ui, nsec wall)
{
	files_quit(ui, UI_INTERRUPTED, wall);
}

const struct act_row act_files[] = {
    {ACT_WRITE, act_write},
    {ACT_QUIT, act_quit},
    {ACT_INTERRUPT, act_interrupt},
    {ACT_NONE, NULL},
};

/* Commands that concern files: writing, reading, leaving. */

static bool
write_to(struct ui *ui, const char *arg, bool forced, bool quit, nsec wall)
{
	struct text path = {0};

	filename_of(arg, &path);
	files_write(ui, text_str(&path), forced, quit, wall);
	text_free(&path);
	return true;
}

static bool
run_write(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)err;
	return write_to(ui, arg, false, false, wall);
}

static bool
run_write_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)err;
	return write_to(ui, arg, true, false, wall);
}

static bool
run_wq(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)err;
	return write_to(ui, arg, false, true, wall);
}

static bool
run_wall(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	files_write_all(ui, wall);
	return true;
}

static bool
is_folder(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* The prompt again, with what there is in the folder to choose from. */
static void
browse(struct ui *ui, const char *arg, nsec wall)
{
	struct key_press tab = {.code = KEY_TAB, .bytes = "\t", .len = 1};
	struct text line = {0};

	text_addf(&line, "e %s", arg);
	if (line.data[line.len - 1] != '/')
		text_addc(&line, '/');
	ui_open_line(ui, &command_line, text_str(&line), NULL);
	ui_line_key(ui, &tab, wall);
	text_free(&line);
}

static bool
open_file(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct text path = {0};
	bool ok = true;

	filename_of(arg, &path);
	if (is_folder(text_str(&path)))
		browse(ui, arg, wall);
	else
		ok = launch_file(ui, text_str(&path), 1, false, wall, err);
	text_free(&path);
	return ok;
}

static bool
run_edit(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	size_t i = ui->selection.source;

	if (*arg != 0)
		return open_file(ui, arg, wall, err);
	if (source_is_unsaved(&ui->session->plan->sources[i])) {
		text_adds(err,
		    "there are unsaved edits: w writes them, :e! reads the "
		    "file all the same");
		return false;
	}
	files_reread(ui, wall);
	return true;
}

static bool
run_edit_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	files_reread(ui, wall);
	return true;
}

static bool
run_recover(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	return files_recover(ui, wall, err);
}

static bool
run_quit(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	files_quit(ui, UI_QUIT, wall);
	return true;
}

static bool
run_quit_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)wall;
	(void)err;
	ui->leave = UI_QUIT;
	return true;
}

const struct command_row commands_of_files[] = {
    {CMD_EDIT, run_edit},
    {CMD_EDIT_FORCED, run_edit_forced},
    {CMD_QUIT, run_quit},
    {CMD_QUIT_FORCED, run_quit_forced},
    {CMD_RECOVER, run_recover},
    {CMD_WALL, run_wall},
    {CMD_WQ, run_wq},
    {CMD_WRITE, run_write},
    {CMD_WRITE_FORCED, run_write_forced},
    {N_COMMANDS, NULL},
};
