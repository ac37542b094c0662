/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that write files for other tools: traces, messages of the layer,
 * Arm's metadata, and the screen as text (:dump).
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "run/file_uses.h"
#include "run/live/saving.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

/* Outputs in words, and the commands that start them. */
static const struct {
	const char *name, *command;
} output_names[N_OUTPUT_FILES] = {
    [OUTPUT_LAYER] = {"the layer's messages", "layer"},
    [OUTPUT_TRACE] = {"a Perfetto trace", "trace"},
    [OUTPUT_TRACE_JSON] = {"a Chrome trace", "trace"},
    [OUTPUT_ARM] = {"Arm's metadata", "arm-metadata"},
};

/* over: an existing file is replaced. */
static bool
start_output(struct ui *ui, enum output_kind what, const char *typed, bool over,
    struct text *err)
{
	struct text path = {0}, said = {0};
	bool ok;

	filename_of(typed, &path);
	text_addf(&said, "writing %s to ", output_names[what].name);
	text_add_visible(&said, text_str(&path), path.len);
	text_adds(&said, " from now on; ");
	ok = session_output_open(
	    ui->session, what, text_str(&path), over, &said, err);
	if (said.data[said.len - 1] == ' ')
		said.data[said.len -= 2] = '\0';
	if (ok)
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	text_free(&path);
	text_free(&said);
	return ok;
}

/* Stops those of n kinds that are written. False: none is, or closing failed. */
static bool
stop_outputs(
    struct ui *ui, const enum output_kind *kinds, size_t n, struct text *err)
{
	struct text said = {0};
	bool any = false, ok = true;

	for (size_t i = 0; i < n; i++) {
		if (session_output_path(ui->session, kinds[i]) == NULL)
			continue;
		if (any)
			text_adds(&said, "; ");
		any = true;
		ok &= session_output_close(ui->session, kinds[i], &said);
	}
	if (!any)
		text_addf(err, "nothing to stop: :%s FILE starts",
		    output_names[kinds[0]].command);
	else if (!ok)
		text_adds(err, text_str(&said));
	else
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	text_free(&said);
	return any && ok;
}

static bool
is_off(const char *typed)
{
	return *typed == '\0' || strcmp(typed, "off") == 0;
}

/* Returns the kind of a trace by the name of its file. */
static enum output_kind
kind_of_file(enum output_kind what, const char *typed)
{
	return what == OUTPUT_TRACE ? output_trace_kind(typed) : what;
}

/* what: an enum output_kind; a trace of either kind is OUTPUT_TRACE. */
bool
cmd_output(struct ui *ui, const char *typed, int what, struct text *err)
{
	const enum output_kind kinds[] = {
	    (enum output_kind)what, OUTPUT_TRACE_JSON};

	if (is_off(typed))
		return stop_outputs(
		    ui, kinds, what == OUTPUT_TRACE ? 2 : 1, err);
	return start_output(
	    ui, kind_of_file(kinds[0], typed), typed, false, err);
}

bool
cmd_output_over(struct ui *ui, const char *typed, int what, struct text *err)
{
	return start_output(
	    ui, kind_of_file((enum output_kind)what, typed), typed, true, err);
}

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
    struct text *dump, struct text *err)
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
	screen_dump(&ui->screen, ui->layout.parts[p], dump);
	return true;
}

/* Appends the regions, the footer last; 0: the whole screen. */
static bool
dump_regions(
    struct ui *ui, unsigned regions, struct text *dump, struct text *err)
{
	bool ok;

	do
		ui_draw(ui);
	while (ui->unfinished);
	if (regions == 0)
		screen_dump(&ui->screen, screen_rect(&ui->screen), dump);
	ok = dump_region(ui, regions, PART_HEADER, dump, err);
	for (enum part p = PART_FIRST_PANE; ok && p < N_PARTS; p++)
		ok = dump_region(ui, regions, p, dump, err);
	return ok && dump_region(ui, regions, PART_FOOTER, dump, err);
}

bool
ui_dump(struct ui *ui, const char *arg, struct text *path, struct text *err)
{
	struct text typed = {0}, dump = {0};
	unsigned regions = 0;
	bool ok;
	int fd;

	text_adds(&typed, arg);
	ok = cut_regions(&typed, &regions, err) &&
	    dump_regions(ui, regions, &dump, err);
	if (ok) {
		filename_of(text_str(&typed), path);
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
