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

/* Cuts the regions that end "FILE REGION..." off and returns them as a set, 0 if
 * there are none. A file's name may have blanks. */
static unsigned
cut_regions(struct text *path)
{
	unsigned regions = 0;

	for (;;) {
		const char *blank = strrchr(text_str(path), ' ');
		enum part part = N_PARTS;

		if (blank != NULL && blank != text_str(path))
			part = layout_find(blank + 1, strlen(blank + 1));
		if (part == N_PARTS)
			return regions;
		regions |= PANE(part);
		path->len = (size_t)(blank - path->data);
		while (path->len > 0 && path->data[path->len - 1] == ' ')
			path->len--;
		path->data[path->len] = 0;
	}
}

/* Appends the regions, the footer last; 0: the whole screen. */
static bool
dump_regions(
    struct ui *ui, unsigned regions, struct text *dump, struct text *err)
{
	static const enum part order[N_PARTS] = {PART_HEADER, PART_ENGINES,
	    PART_CONTEXTS, PART_FENCES, PART_TIMELINE, PART_DESCRIPTOR,
	    PART_LAYER, PART_FOOTER};

	do
		ui_draw(ui);
	while (ui->unfinished);
	if (regions == 0)
		screen_dump(&ui->screen, screen_rect(&ui->screen), dump);
	for (int i = 0; i < N_PARTS; i++) {
		enum part p = order[i];

		if (!(regions & PANE(p)))
			continue;
		if (ui->layout.too_small || !layout_shows(&ui->layout, p)) {
			text_addf(err,
			    "the screen does not show the region '%s': show "
			    "it first, e.g. :view %s",
			    layout_name(p), layout_name(p));
			return false;
		}
		screen_dump(&ui->screen, ui->layout.parts[p], dump);
	}
	return true;
}

bool
ui_dump(struct ui *ui, const char *arg, struct text *err)
{
	struct text path = {0}, dump = {0};
	unsigned regions;
	bool ok;
	int fd;

	text_adds(&path, arg);
	regions = cut_regions(&path);
	ok = dump_regions(ui, regions, &dump, err);
	if (ok) {
		fd = open_file(ui->session, text_str(&path), err);
		ok = fd >= 0 && write_file(fd, text_str(&path), &dump, err);
	}
	text_free(&path);
	text_free(&dump);
	return ok;
}

/* The prompt is closed when a command runs. */
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
