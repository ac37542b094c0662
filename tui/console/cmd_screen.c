/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that concern the screen as a whole. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/file_uses.h"
#include "run/live/uses.h"
#include "tui/console/arrange.h"
#include "tui/console/execute.h"

static bool
run_delay(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	if (!ui_set(ui, SET_DELAY, arg, wall, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "a frame every %g s", ui->delay);
	return true;
}

/* Whoever reads a pipe can't make the console wait for him. */
static int
open_file(const struct session *s, const char *path, struct text *err)
{
	struct file_uses uses = {0};
	int fd;

	session_add_uses(s, &uses);
	fd = file_uses_open(
	    &uses, "", path, O_CREAT | O_TRUNC | O_NONBLOCK, err);
	file_uses_free(&uses);
	return fd;
}

static bool
write_file(int fd, const char *path, const struct text *t, struct text *err)
{
	FILE *f = fdopen(fd, "w");
	bool ok;

	if (f == NULL)
		return false;
	ok = fwrite(text_str(t), 1, t->len, f) == t->len;
	ok = fclose(f) == 0 && ok;
	if (!ok) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, ": %s", strerror(errno));
	}
	return ok;
}

bool
ui_dump(struct ui *ui, const char *path, struct text *err)
{
	int fd = open_file(ui->session, path, err);
	struct text dump = {0};
	bool ok;

	if (fd < 0)
		return false;
	do
		ui_draw(ui);
	while (ui->unfinished);
	screen_dump(&ui->screen, &dump);
	ok = write_file(fd, path, &dump, err);
	text_free(&dump);
	return ok;
}

/* The prompt has gone by now. */
static bool
run_dump(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	if (!ui_dump(ui, arg, err))
		return false;
	ui_say(ui, ROLE_NORMAL, "screen written to %s", arg);
	return true;
}

static bool
run_help(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)wall;
	(void)err;
	ui_open_page(ui, help_page(&ui->settings->keymap));
	return true;
}

static bool
run_view(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	size_t len = strlen(arg);

	(void)wall;
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (strncasecmp(layout_name(p), arg, len) == 0) {
			arrange_show(ui, p);
			return true;
		}
	if (len > 1 && strncasecmp("default", arg, len) == 0) {
		arrange_default(ui);
		return true;
	}
	text_adds(err, "no such view; there are");
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		text_addf(err, " %s", layout_name(p));
	text_adds(err, " and default");
	return false;
}

const struct command_row commands_of_screen[] = {
    {CMD_DELAY, run_delay},
    {CMD_DUMP, run_dump},
    {CMD_HELP, run_help},
    {CMD_VIEW, run_view},
    {N_COMMANDS, NULL},
};
