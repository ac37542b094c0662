/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Commands that write files for other tools: traces, messages of the layer,
 * Arm's metadata, and the screen as text (:dump).
 */
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
    [OUTPUT_KERNEL] = {"a kernel trace", "trace-kernel"},
    [OUTPUT_FRAMES] = {"a line for each frame", "profile-frames"},
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
	text_addf(
	    &said, " from now on, :%s off stops; ", output_names[what].command);
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
/* Files have what happens in the present. */
static bool
may_change_outputs(const struct ui *ui, struct text *err)
{
	if (session_is_past(ui->session))
		text_adds(
		    err, "the past is not written: F returns to the present");
	return !session_is_past(ui->session);
}

bool
cmd_output(struct ui *ui, const char *typed, int what, struct text *err)
{
	const enum output_kind kinds[] = {
	    (enum output_kind)what, OUTPUT_TRACE_JSON};

	if (!may_change_outputs(ui, err))
		return false;
	if (is_off(typed))
		return stop_outputs(
		    ui, kinds, what == OUTPUT_TRACE ? 2 : 1, err);
	return start_output(
	    ui, kind_of_file(kinds[0], typed), typed, false, err);
}

bool
cmd_output_over(struct ui *ui, const char *typed, int what, struct text *err)
{
	return may_change_outputs(ui, err) &&
	    start_output(ui, kind_of_file((enum output_kind)what, typed), typed,
		true, err);
}
