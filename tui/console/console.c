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
#include "tui/console/actions.h"
#include "tui/console/console.h"
#include "tui/console/loop.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"
#include "tui/terminal/signals.h"
#include "tui/views/foreign_rows.h"

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
	bool plain = no_color != NULL && *no_color != 0;
	struct text err = {0};

	c->ui.n_colours = plain ? 0 : 256;
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
	c->terminal = terminal_open(plain, &c->ui.settings->theme, &err);
	if (c->terminal != NULL)
		c->ui.n_colours = terminal_colours(c->terminal);
	else
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

static bool
begin_session(struct console *c, struct plan *plan)
{
	struct text err = {0};
	bool ok;

	if (plan->n_sources == 0)
		source_open_blank(&plan->sources[plan->n_sources++]);
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

/* Opens the device of --serve, and starts the program. */
static bool
begin_programs(struct console *c)
{
	const struct options *o = c->options;
	struct text err = {0};
	bool ok = o->serve == NULL ||
	    (session_serve(&c->session, o->serve, o->privileged, &err) &&
		(o->program == NULL ||
		    session_run_program(&c->session, o->program, &err)));

	if (!ok)
		console_fail(c, EXIT_STATUS_FAILED, "%s", text_str(&err));
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

	if (source_is_blank(&plan->sources[0]))
		return;
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

/* Says what keeps busyness of a GPU from its best source. */
static void
show_no_pmu(struct console *c)
{
	const struct busyness *b = c->session.run.busyness;
	struct text words = {0};

	if (b == NULL || b->source == BUSYNESS_PMU)
		return;
	foreign_explain_busyness(&c->session, &words);
	ui_say(&c->ui, ROLE_WARN, "%s", text_str(&words));
	text_free(&words);
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

/* Plays the recording, which then is at its beginning. False: it is not that of
 * this run, and the console ends. */
static bool
console_play(struct console *c)
{
	struct text err = {0};
	bool ok;

	if (c->replay == NULL)
		return true;
	c->ui.now = c->scripted ? c->script_wall : clock_wall();
	console_begin_work(c, false);
	ok = ui_play_recording(&c->ui, c->replay, &err);
	console_end_work(c);
	if (!ok)
		console_fail(c, EXIT_STATUS_INPUT, "%s", text_str(&err));
	text_free(&err);
	return ok;
}

static void
run_loop(struct console *c)
{
	bool unicode = strcmp(nl_langinfo(CODESET), "UTF-8") == 0;

	ui_init(&c->ui, &c->session, c->settings, unicode,
	    c->options->script == NULL);
	if (open_script(c) && open_terminal(c) && console_play(c)) {
		show_inputrc(c);
		warn_no_state_folder(c);
		show_no_pmu(c);
		if (c->replay == NULL)
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
	if (c->ui.leave == UI_QUIT)
		batch_print_line(&c->ui);
	ui_free(&c->ui);
}

int
console_run(const struct options *o, struct plan *plan, struct replay *replay,
    struct settings *settings)
{
	struct console c = {
	    .options = o, .replay = replay, .settings = settings};

	c.stop = (struct stop){console_is_stopped, &c};

	setlocale(LC_ALL, "");
	setlocale(LC_NUMERIC, "C"); /* numbers look the same in every locale */
	if (!signals_install()) {
		fprintf(stderr, "gpuwl-top: can't create a pipe: %s\n",
		    strerror(errno));
		return EXIT_STATUS_FAILED;
	}
	if (open_errors(&c) && console_open_files(&c, plan) &&
	    begin_session(&c, plan) && console_begin_outputs(&c) &&
	    begin_programs(&c))
		run_loop(&c);
	console_leave_server(&c);
	session_end(&c.session);
	console_close_files(&c);
	close_errors(&c);
	plan->stop = NULL;
	if (c.death == 0 && c.ui.leave == UI_INTERRUPTED)
		c.death = SIGINT;
	if (c.death != 0)
		signals_die(c.death);
	return c.status;
}
