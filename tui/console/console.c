/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Starts and ends the console: sets up session, files, screen, terminal and
 * script, runs the loop, and gives everything back whatever happened.
 */
#include <errno.h>
#include <fcntl.h>
#include <langinfo.h>
#include <locale.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/output.h"
#include "base/state_folder.h"
#include "base/text.h"
#include "run/file_uses.h"
#include "run/hang_dump/hang_dump.h"
#include "run/live/saving.h"
#include "run/options.h"
#include "run/plan.h"
#include "run/recording.h"
#include "tui/console/console.h"
#include "tui/console/loop.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"
#include "tui/terminal/signals.h"

/* Longest that the end waits for --layer-connect's server. */
#define SERVER_MS 5000
#define HURRY_MS  1000 /* after a signal */

/* Returns a side of the screen without a terminal: LINES or COLUMNS, or the
 * fallback. */
static int
size_from(const char *name, int fallback)
{
	const char *s = getenv(name);
	long n = s != NULL ? strtol(s, NULL, 10) : 0;

	return n >= 1 && n <= 1000 ? (int)n : fallback;
}

static bool
open_terminal(struct console *c)
{
	const char *no_color = getenv("NO_COLOR");
	struct text err = {0};

	if (!terminal_present()) {
		if (c->scripted) {
			ui_resize(&c->ui, size_from("COLUMNS", 80),
			    size_from("LINES", 24));
			return true;
		}
		console_fail(c, EXIT_STATUS_OPTIONS, "%s",
		    "standard input and output must be a terminal "
		    "(-b runs without one)");
		return false;
	}
	c->terminal = terminal_open(
	    no_color != NULL && *no_color != 0, &c->ui.settings->theme, &err);
	if (c->terminal == NULL)
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(&err));
	text_free(&err);
	console_resize(c);
	return c->terminal != NULL;
}

static bool
open_script(struct console *c)
{
	struct text err = {0};

	if (c->options->script == NULL)
		return true;
	c->scripted = script_open(&c->script, c->options->script, &err);
	if (!c->scripted)
		console_fail(c, EXIT_STATUS_INPUT, "%s", text_str(&err));
	/* Scripts do not depend on the user's keys. */
	setenv("INPUTRC", "/dev/null", 1);
	text_free(&err);
	return c->scripted;
}

static void
add_uses(
    const struct console *c, const struct plan *plan, struct file_uses *uses)
{
	file_uses_add_options(uses, c->options, true);
	file_uses_add_workloads(uses, plan);
	file_uses_add_named(uses, plan);
}

/* Refuses a file that is written and also read or written elsewhere. */
static bool
check_files(struct console *c, const struct plan *plan)
{
	struct file_uses uses = {0};
	struct text err = {0};
	bool ok;

	add_uses(c, plan, &uses);
	ok = file_uses_are_apart(&uses, &err);
	if (!ok)
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(&err));
	file_uses_free(&uses);
	text_free(&err);
	return ok;
}

/* Opens --record without blocking: a pipe must have a reader now. Later writes
 * block. */
static int
open_recording_fd(
    const struct console *c, const struct plan *plan, struct text *err)
{
	struct file_uses uses = {0};
	int fd;

	add_uses(c, plan, &uses);
	fd = file_uses_open(&uses, "--record", c->options->record,
	    O_CREAT | O_TRUNC | O_NONBLOCK, err);
	if (fd >= 0)
		fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
	file_uses_free(&uses);
	return fd;
}

static bool
open_recording(struct console *c, const struct plan *plan)
{
	struct text err = {0};
	int fd;

	if (c->options->record == NULL)
		return true;
	fd = open_recording_fd(c, plan, &err);
	if (fd >= 0)
		c->recorder = recorder_new(fd);
	else
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(&err));
	text_free(&err);
	return fd >= 0;
}

static void
close_recording(struct console *c)
{
	int error = c->recorder != NULL ? recorder_close(c->recorder) : 0;

	if (error != 0)
		console_fail(c, EXIT_STATUS_FAILED, "%s: %s",
		    c->options->record, strerror(error));
}

static bool
open_errors(struct console *c)
{
	struct text err = {0};

	if (c->options->error_state == NULL)
		return true;
	c->errors = hang_dump_new(c->options->error_state, &err);
	if (c->errors == NULL)
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(&err));
	text_free(&err);
	return c->errors != NULL;
}

static void
close_errors(struct console *c)
{
	const char *problem = c->errors != NULL ? hang_dump_problem(c->errors)
						: NULL;

	if (problem != NULL)
		console_fail(c, EXIT_STATUS_FAILED, "%s", problem);
	hang_dump_free(c->errors);
}

/* Opens the output files of the options, before anything happens. */
static bool
open_layer_files(struct console *c)
{
	struct text err = {0}, said = {0};
	bool ok = true;

	for (enum output_kind i = 0; i < N_OUTPUT_FILES && ok; i++) {
		const char *path = options_output(c->options, i);

		ok = path == NULL ||
		    session_output_open(
			&c->session, i, path, true, &said, &err);
	}
	if (!ok)
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(&err));
	text_free(&err);
	text_free(&said);
	return ok;
}

static bool
connect_server(struct console *c)
{
	struct text err = {0};
	bool ok = session_server_open(&c->session, c->options, &err);

	if (!ok)
		console_fail(c, EXIT_STATUS_OPTIONS, "%s", text_str(&err));
	text_free(&err);
	return ok;
}

static void
say_waiting(const char *line)
{
	if (isatty(STDERR_FILENO))
		output_textf(stderr, "gpuwl-top: %s\n", line);
}

/* The terminal is the shell's again: C-c ends the waiting. */
static void
leave_server(struct console *c)
{
	struct text err = {0};
	bool ok = session_server_close(&c->session,
	    c->death != 0 ? HURRY_MS : SERVER_MS, say_waiting, &err);

	if (!ok)
		console_fail(c, EXIT_STATUS_FAILED, "%s", text_str(&err));
	else if (err.len > 0)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
}

/* Repeats the errors of output files, which may have been missed on screen. */
static void
close_layer_files(struct console *c)
{
	struct text problems = {0};

	session_layer_problems(&c->session, &problems);
	if (problems.len > 0) {
		problems.data[--problems.len] = '\0';
		console_fail(c, EXIT_STATUS_FAILED, "%s", text_str(&problems));
	}
	text_free(&problems);
}

static bool
begin_session(struct console *c, struct plan *plan)
{
	struct text err = {0};
	bool ok;

	plan->stop = &c->stop;
	c->watch.began = clock_wall();
	ok = session_begin(&c->session, plan, c->options->speed,
	    c->options->duration, c->recorder, c->errors, &err);

	c->watch.began = 0;
	c->session.options = c->options;
	c->death = signals_death();
	if (ok)
		session_set_poll(&c->session, console_wish, c);
	else if (c->death == 0)
		console_fail(c, EXIT_STATUS_INPUT, "%s", text_str(&err));
	text_free(&err);
	return ok;
}

/* Says why a source does not run: the first with an error, else the first that
 * waits. */
static void
show_waiting(struct console *c)
{
	const struct plan *plan = c->session.plan;
	size_t first = plan->n_sources;

	for (size_t i = plan->n_sources; i-- > 0;)
		if (plan->sources[i].waiting &&
		    (first == plan->n_sources ||
			session_document_problem(&c->session, i) != NULL))
			first = i;
	if (first < plan->n_sources)
		launch_say_waiting(&c->ui, plan_document(plan, first));
}

/* Without a state folder the console works, but keeps nothing. */
static void
warn_no_state_folder(struct console *c)
{
	struct text why = {0};

	if (c->ui.for_a_person && state_folder_problem(&why))
		ui_say(&c->ui, ROLE_WARN, "%s: histories are not kept",
		    text_str(&why));
	text_free(&why);
}

/* Shows the errors of the config file; its other lines count. */
static void
show_problems(struct console *c)
{
	if (c->settings->n_problems > 0)
		ui_say_error(&c->ui,
		    "Errors in the config file: these lines are ignored",
		    &c->settings->problems);
}

/* Shows the first problem of the inputrc, and how many there are. */
static void
show_inputrc(struct console *c)
{
	struct text problems = {0};
	unsigned n = prompt_prepare(&problems);
	const char *s = text_str(&problems);

	if (n == 1)
		ui_say(&c->ui, ROLE_WARN, "inputrc: ignored: %.*s",
		    (int)strcspn(s, "\n"), s);
	else if (n > 1)
		ui_say(&c->ui, ROLE_WARN,
		    "inputrc: %u lines ignored, the first: %.*s", n,
		    (int)strcspn(s, "\n"), s);
	text_free(&problems);
}

static void
run_loop(struct console *c)
{
	bool unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

	ui_init(&c->ui, &c->session, c->settings, unicode,
	    c->options->script == NULL);
	if (open_script(c) && open_terminal(c)) {
		show_inputrc(c);
		warn_no_state_folder(c);
		show_waiting(c);
		show_problems(c);
		if (c->scripted)
			play_script(c);
		if (c->terminal != NULL && !console_leaving(c))
			interact(c);
		if (c->ui.leave == UI_QUIT && c->ui.for_a_person)
			saving_discard(c->session.plan);
		else
			console_keep(c, true);
	}
	terminal_close(c->terminal);
	c->terminal = NULL;
	prompt_free();
	script_close(&c->script);
	ui_free(&c->ui);
}

int
console_run(
    const struct options *o, struct plan *plan, struct settings *settings)
{
	struct console c = {.options = o, .settings = settings};

	c.stop = (struct stop){console_is_stopped, &c};

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* numbers look the same in every locale */
	if (!signals_install()) {
		fprintf(stderr, "gpuwl-top: can't create a pipe: %s\n",
		    strerror(errno));
		return EXIT_STATUS_FAILED;
	}
	if (check_files(&c, plan) && open_recording(&c, plan) &&
	    open_errors(&c) && begin_session(&c, plan) &&
	    open_layer_files(&c) && connect_server(&c))
		run_loop(&c);
	leave_server(&c);
	session_end(&c.session);
	close_layer_files(&c);
	close_recording(&c);
	close_errors(&c);
	plan->stop = NULL;
	if (c.death == 0 && c.ui.leave == UI_INTERRUPTED)
		c.death = SIGINT;
	if (c.death != 0)
		signals_die(c.death);
	return c.status;
}
