/* SPDX-License-Identifier: GPL-3.0-or-later */
/* :dump: the screen, or regions of it, in a file, as text or as a picture. */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "run/file_uses.h"
#include "run/live/saving.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"
#include "tui/screen/picture.h"

/* O_NONBLOCK: a pipe without a reader must not block the console. */
static int
open_screen_file(const struct session *s, const char *path, struct text *err)
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
write_screen(int fd, const char *path, const struct text *t, struct text *err)
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

/* Returns the last word after a blank that no backslash quotes; NULL: none. */
static const char *
last_unquoted_word(const struct text *typed)
{
	const char *s = text_str(typed);

	for (size_t i = typed->len; i-- > 1;)
		if (s[i] == ' ' && s[i - 1] != '\\')
			return s + i + 1;
	return NULL;
}

/*
 * Cuts the regions off the end of "FILE REGION..." and adds them to the set, 0
 * if there are none. False: the last word before them can be meant for a region
 * only, but names none; err says so.
 */
static bool
cut_regions(struct text *typed, unsigned *regions, struct text *err)
{
	const char *word;

	while ((word = last_unquoted_word(typed)) != NULL) {
		enum part part = layout_find(word, strlen(word));

		if (part == N_PARTS)
			break;
		*regions |= PANE(part);
		typed->len = (size_t)(word - typed->data);
		while (typed->len > 0 && typed->data[typed->len - 1] == ' ')
			typed->len--;
		typed->data[typed->len] = 0;
	}
	if (word == NULL || strpbrk(word, "./") != NULL)
		return true;
	text_adds(err, "unknown region '");
	text_add_visible(err, word, strlen(word));
	text_adds(err, "': expected a view's name, header or footer");
	return false;
}

/* Appends a region if it is one of regions. False: the screen does not show it,
 * err says so. */
static bool
dump_region(const struct ui *ui, unsigned regions, enum part p,
    struct picture *picture, struct text *err)
{
	if (!(regions & PANE(p)))
		return true;
	if (ui->layout.too_small || !layout_shows(&ui->layout, p)) {
		text_addf(err,
		    "the screen does not show the region '%s': show it first, "
		    "e.g. :view %s",
		    layout_name(p), layout_name(p));
		return false;
	}
	picture_add(picture, &ui->screen, ui->layout.parts[p]);
	return true;
}

/* Appends the regions, the footer last; 0: the whole screen. */
static bool
dump_regions(
    struct ui *ui, unsigned regions, struct picture *picture, struct text *err)
{
	bool ok;

	do
		ui_draw(ui);
	while (ui->unfinished);
	if (regions == 0)
		picture_add(picture, &ui->screen, screen_rect(&ui->screen));
	ok = dump_region(ui, regions, PART_HEADER, picture, err);
	for (enum part p = PART_FIRST_PANE; ok && p < N_PARTS; p++)
		ok = dump_region(ui, regions, p, picture, err);
	return ok && dump_region(ui, regions, PART_FOOTER, picture, err);
}

/* Appends the picture that the words ask for. Its form is that of the file's
 * name. */
static bool
draw_picture(struct ui *ui, const char *path, unsigned regions,
    struct text *dump, struct text *err)
{
	struct picture picture;
	bool ok;

	picture_begin(&picture, picture_form_of(path), &ui->settings->theme,
	    ui->n_colours);
	ok = dump_regions(ui, regions, &picture, err);
	if (ok)
		picture_write(&picture, dump);
	picture_free(&picture);
	return ok;
}

bool
ui_dump(struct ui *ui, const char *arg, struct text *path, struct text *err)
{
	struct text typed = {0}, dump = {0};
	unsigned regions = 0;
	bool ok;
	int fd;

	text_adds(&typed, arg);
	ok = cut_regions(&typed, &regions, err);
	if (ok) {
		filename_of(text_str(&typed), path);
		ok = draw_picture(ui, text_str(path), regions, &dump, err);
	}
	if (ok) {
		fd = open_screen_file(ui->session, text_str(path), err);
		ok = fd >= 0 && write_screen(fd, text_str(path), &dump, err);
	}
	text_free(&typed);
	text_free(&dump);
	return ok;
}

/* The prompt is closed when a command runs. */
bool
cmd_dump(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct text path = {0}, seen = {0};
	bool ok = ui_dump(ui, typed, &path, err);

	(void)arg;
	if (ok) {
		text_add_visible(&seen, text_str(&path), path.len);
		ui_say(
		    ui, ROLE_NORMAL, "screen written to %s", text_str(&seen));
	}
	text_free(&path);
	text_free(&seen);
	return ok;
}
