/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that launch and kill clients. */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/client/control.h"
#include "tui/console/execute.h"
#include "tui/console/launch.h"
#include "tui/input/filenames.h"

static bool
launch_typed(
    struct ui *ui, const char *name, uint32_t n, nsec wall, struct text *err)
{
	struct text path = {0};
	bool ok;

	filename_of(name, &path);
	ok = launch_file(ui, text_str(&path), n, true, wall, err);
	text_free(&path);
	return ok;
}

/* "[N] [FILE]": a number is a number, though a file may be called so. */
static bool
run_launch(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	size_t len = strcspn(arg, " \t");
	char word[16] = "";
	int64_t n = 1;

	if (len < sizeof(word)) {
		memcpy(word, arg, len);
		word[len] = 0;
	}
	if (parse_integer(word, &n))
		arg += len + strspn(arg + len, " \t");
	else
		n = 1;
	if (n < 1 || n > CONTROL_MAX_CLIENTS) {
		text_addf(err, "from 1 to %u clients can be launched",
		    CONTROL_MAX_CLIENTS);
		return false;
	}
	if (*arg == 0)
		return launch_shown(ui, (uint32_t)n, err);
	return launch_typed(ui, arg, (uint32_t)n, wall, err);
}

static bool
run_kill(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	int64_t client;

	if (*arg == 0) {
		ui_act(ui, ACT_KILL, wall);
		return true;
	}
	if (!parse_integer(arg, &client) || client < 0 || client > UINT32_MAX) {
		text_adds(err, "a client is named by its number, like :kill 3");
		return false;
	}
	return launch_ask_kill(ui, (uint32_t)client, err);
}

const struct command_row commands_of_launches[] = {
    {CMD_KILL, run_kill},
    {CMD_LAUNCH, run_launch},
    {N_COMMANDS, NULL},
};
