/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See execute.h. One function per command of commands.c. */
#include "tui/console/execute.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "tui/console/commands.h"
#include "tui/console/units.h"

/* False: err says why. */
typedef bool command_fn(
    struct ui *ui, const char *arg, nsec wall, struct text *err);

#define MIN_DELAY_NS 10000000 /* a hundred frames a second */
#define MAX_DELAY_NS (3600 * NSEC_PER_SEC)

static bool
run_delay(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	nsec ns;

	(void)wall;
	if (!parse_duration(arg, &ns) || ns < MIN_DELAY_NS ||
	    ns > MAX_DELAY_NS) {
		text_adds(err,
		    "a delay is a time from 0.01 s to 3600 s, "
		    "such as 0.1 or 500ms");
		return false;
	}
	ui->delay = (double)ns / 1e9;
	ui_say(ui, ROLE_NORMAL, "a frame every %g s", ui->delay);
	return true;
}

static bool
write_file(const char *path, const struct text *t)
{
	FILE *f = fopen(path, "w");
	bool ok;

	if (f == NULL)
		return false;
	ok = fwrite(text_str(t), 1, t->len, f) == t->len;
	return fclose(f) == 0 && ok;
}

static bool
run_dump(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	struct text dump = {0};
	bool ok;

	(void)wall;
	ui_draw(ui, NULL); /* the prompt has gone */
	screen_dump(&ui->screen, &dump);
	ok = write_file(arg, &dump);
	if (ok)
		ui_say(ui, ROLE_NORMAL, "screen written to %s", arg);
	else
		text_addf(err, "%s: %s", arg, strerror(errno));
	text_free(&dump);
	return ok;
}

static bool
run_help(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)wall;
	(void)err;
	ui_open_page(ui, help_page());
	return true;
}

static bool
run_pause(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_PAUSE, wall);
	return true;
}

static bool
run_profile(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	if (!session_set_profile(ui->session, wall, arg, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "restarted with profile %s",
	    ui->session->plan->profile.name);
	return true;
}

static bool
run_quit(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_QUIT, wall);
	return true;
}

static bool
run_restart(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_RESTART, wall);
	return true;
}

static bool
run_scheduler(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	if (!session_set_scheduler(ui->session, wall, arg, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "restarted with scheduler %s", arg);
	return true;
}

static bool
run_speed(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	char buf[UNITS_LEN];
	double speed;

	if (!parse_speed(arg, &speed)) {
		text_adds(err, "a speed is a number, 1 is real time, or max");
		return false;
	}
	session_set_speed(ui->session, wall, speed);
	ui_say(ui, ROLE_NORMAL, "speed %s", format_speed(buf, speed));
	return true;
}

static bool
run_step(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	static const struct {
		const char *name;
		enum action action;
	} kinds[] = {
	    {"event", ACT_STEP_EVENT},
	    {"batch", ACT_STEP_BATCH},
	    {"iteration", ACT_STEP_ITERATION},
	};

	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strncmp(kinds[i].name, arg, strlen(arg)) == 0) {
			ui_act(ui, kinds[i].action, wall);
			return true;
		}
	text_adds(err, "a step is an event, a batch or an iteration");
	return false;
}

static command_fn *const runners[N_COMMANDS] = {
    [CMD_DELAY] = run_delay,
    [CMD_DUMP] = run_dump,
    [CMD_HELP] = run_help,
    [CMD_PAUSE] = run_pause,
    [CMD_PROFILE] = run_profile,
    [CMD_QUIT] = run_quit,
    [CMD_RESTART] = run_restart,
    [CMD_SCHEDULER] = run_scheduler,
    [CMD_SPEED] = run_speed,
    [CMD_STEP] = run_step,
};

/* Blanks at the end are nobody's argument. */
static void
trim_end(struct text *t)
{
	while (t->len > 0 && strchr(" \t\r", t->data[t->len - 1]) != NULL)
		t->data[--t->len] = 0;
}

void
execute(struct ui *ui, const char *typed, nsec wall)
{
	struct text err = {0}, line = {0};
	const char *arg;
	enum command c;

	text_adds(&line, typed);
	trim_end(&line);
	if (strspn(text_str(&line), " \t") < line.len) {
		c = command_parse(text_str(&line), &arg, &err);
		if (c != CMD_DUMP)
			text_clear(&ui->message);
		if (c == N_COMMANDS || !runners[c](ui, arg, wall, &err))
			ui_say_error(ui, text_str(&line), &err);
	}
	text_free(&line);
	text_free(&err);
}
