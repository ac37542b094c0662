/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Commands that change what is in force, in the text and in the clients. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "parser/step.h"
#include "tui/console/execute.h"
#include "tui/console/targets.h"

/* The words of an argument, at most two; 0: more. */
static int
split(const char *arg, char words[2][32])
{
	int n = 0;

	for (;;) {
		size_t len;

		arg += strspn(arg, " \t");
		len = strcspn(arg, " \t");
		if (len == 0)
			return n;
		if (n == 2 || len >= sizeof(words[0]))
			return 0;
		memcpy(words[n], arg, len);
		words[n++][len] = 0;
		arg += len;
	}
}

/* "CTX VALUE", or the value alone for what is tagged or selected. */
static bool
run_tweak(struct ui *ui, const char *arg, enum tweak_kind kind,
    const char *usage, struct text *err)
{
	struct tweak tweak = {.kind = kind};
	char words[2][32];
	int n = split(arg, words);
	struct targets targets = {0};
	int64_t context = 0;
	bool ok;

	if (n == 0 || !parse_integer(words[n - 1], &tweak.value) ||
	    (n == 2 &&
		(!parse_integer(words[0], &context) || context < 0 ||
		    context > INT32_MAX))) {
		text_addf(err, "usage: %s", usage);
		return false;
	}
	ok = n == 2 ? targets_number(ui, (uint32_t)context, &targets, err)
		    : targets_contexts(ui, &targets, err);
	if (ok)
		targets_tweak(ui, &tweak, &targets);
	targets_free(&targets);
	return ok;
}

static bool
run_prio(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	return run_tweak(
	    ui, arg, TWEAK_PRIORITY, ":prio [CTX] N, from -1023 to 1023", err);
}

static bool
run_sseu(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	return run_tweak(
	    ui, arg, TWEAK_SSEU, ":sseu [CTX] MASK, like 0x3, or -1", err);
}

static bool
run_preempt(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)wall;
	return run_tweak(ui, arg, TWEAK_PREEMPTION,
	    ":preempt [CTX] MICROSECONDS, 0 for none", err);
}

static bool
run_duration(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	const struct selection *sel = &ui->selection;
	struct text said = {0};
	bool ok = session_set_duration(
	    ui->session, sel->source, sel->line, arg, LIVE_IN_PLACE, &said);

	(void)wall;
	if (ok)
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	else
		text_adds(err, text_str(&said));
	text_free(&said);
	return ok;
}

static bool
run_undo(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_UNDO, wall);
	return true;
}

static bool
run_redo(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	(void)arg;
	(void)err;
	ui_act(ui, ACT_REDO, wall);
	return true;
}

const struct command_row commands_of_tweaks[] = {
    {CMD_DURATION, run_duration},
    {CMD_PREEMPT, run_preempt},
    {CMD_PRIO, run_prio},
    {CMD_REDO, run_redo},
    {CMD_SSEU, run_sseu},
    {CMD_UNDO, run_undo},
    {N_COMMANDS, NULL},
};
