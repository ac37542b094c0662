/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that begin and end what is written of the layer. */
#include <string.h>

#include "base/text.h"
#include "tui/console/execute.h"
#include "tui/input/filenames.h"

/* As the person knows them, and how one begins. */
static const struct {
	const char *name, *command;
} names[N_LAYER_OUTPUTS] = {
    [OUTPUT_LAYER] = {"the layer's messages", "layer"},
    [OUTPUT_TRACE] = {"a Perfetto trace", "trace"},
    [OUTPUT_TRACE_JSON] = {"a Chrome trace", "trace"},
    [OUTPUT_ARM] = {"Arm's metadata", "arm-metadata"},
};

static bool
begin(struct ui *ui, enum layer_output what, const char *arg, bool over,
    struct text *err)
{
	struct text path = {0}, said = {0};
	bool ok;

	filename_of(arg, &path);
	text_addf(&said, "writes %s to ", names[what].name);
	text_add_visible(&said, text_str(&path), path.len);
	text_adds(&said, " from now on; ");
	ok = session_layer_open(
	    ui->session, what, text_str(&path), over, &said, err);
	if (said.data[said.len - 1] == ' ')
		said.data[said.len -= 2] = '\0';
	if (ok)
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	text_free(&path);
	text_free(&said);
	return ok;
}

/* Of each of several kinds. */
static bool
end(struct ui *ui, const enum layer_output *kinds, size_t n, struct text *err)
{
	struct text said = {0};
	bool any = false, ok = true;

	for (size_t i = 0; i < n; i++) {
		if (session_layer_path(ui->session, kinds[i]) == NULL)
			continue;
		if (any)
			text_adds(&said, "; ");
		any = true;
		ok &= session_layer_close(ui->session, kinds[i], &said);
	}
	if (!any)
		text_addf(err, "nothing to end: :%s FILE begins",
		    names[kinds[0]].command);
	else if (!ok)
		text_adds(err, text_str(&said));
	else
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	text_free(&said);
	return any && ok;
}

static bool
is_end(const char *arg)
{
	return *arg == '\0' || strcmp(arg, "off") == 0;
}

static enum layer_output
trace_kind(const char *arg)
{
	size_t len = strlen(arg);

	return len >= 5 && strcasecmp(arg + len - 5, ".json") == 0
	    ? OUTPUT_TRACE_JSON
	    : OUTPUT_TRACE;
}

static bool
run_trace(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	static const enum layer_output both[] = {
	    OUTPUT_TRACE, OUTPUT_TRACE_JSON};

	(void)wall;
	if (is_end(arg))
		return end(ui, both, 2, err);
	return begin(ui, trace_kind(arg), arg, false, err);
}

static bool
run_trace_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	return begin(ui, trace_kind(arg), arg, true, err);
}

static bool
run_layer(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	static const enum layer_output layer[] = {OUTPUT_LAYER};

	(void)wall;
	if (is_end(arg))
		return end(ui, layer, 1, err);
	return begin(ui, OUTPUT_LAYER, arg, false, err);
}

static bool
run_layer_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	return begin(ui, OUTPUT_LAYER, arg, true, err);
}

static bool
run_metadata(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	static const enum layer_output arm[] = {OUTPUT_ARM};

	(void)wall;
	if (is_end(arg))
		return end(ui, arm, 1, err);
	return begin(ui, OUTPUT_ARM, arg, false, err);
}

static bool
run_metadata_forced(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	return begin(ui, OUTPUT_ARM, arg, true, err);
}

const struct command_row commands_of_layer[] = {
    {CMD_ARM_METADATA, run_metadata},
    {CMD_ARM_METADATA_FORCED, run_metadata_forced},
    {CMD_LAYER, run_layer},
    {CMD_LAYER_FORCED, run_layer_forced},
    {CMD_TRACE, run_trace},
    {CMD_TRACE_FORCED, run_trace_forced},
    {N_COMMANDS, NULL},
};
