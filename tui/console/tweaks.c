/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that change what is in force, in the text and in the clients at once:
 * tweaks, durations, undo. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "parser/step.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"

static void
tweak(struct ui *ui, const struct tweak *what)
{
	struct targets targets;
	struct text err = {0};

	if (targets_find(ui, what->kind, &targets, &err))
		targets_tweak(ui, what, &targets);
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	targets_free(&targets);
	text_free(&err);
}

static void
act_priority_up(struct ui *ui, nsec wall)
{
	(void)wall;
	tweak(ui, &(struct tweak){TWEAK_PRIORITY, true, 1});
}

static void
act_priority_down(struct ui *ui, nsec wall)
{
	(void)wall;
	tweak(ui, &(struct tweak){TWEAK_PRIORITY, true, -1});
}

/* Values that are typed. */

static void
take_value(struct ui *ui, enum tweak_kind kind, const char *line)
{
	static const enum value_kind kinds[] = {
	    [TWEAK_PRIORITY] = VALUE_PRIORITY,
	    [TWEAK_SSEU] = VALUE_SLICE_MASK,
	    [TWEAK_PREEMPTION] = VALUE_PREEMPTION,
	};
	struct tweak what = {.kind = kind};
	struct text err = {0};

	if (*line == 0)
		return;
	if (value_read(kinds[kind], line, strlen(line), &what.value, &err))
		tweak(ui, &what);
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	text_free(&err);
}

static void
priority_typed(struct ui *ui, const char *line, nsec wall)
{
	(void)wall;
	take_value(ui, TWEAK_PRIORITY, line);
}

static void
sseu_typed(struct ui *ui, const char *line, nsec wall)
{
	(void)wall;
	take_value(ui, TWEAK_SSEU, line);
}

static void
preemption_typed(struct ui *ui, const char *line, nsec wall)
{
	(void)wall;
	take_value(ui, TWEAK_PREEMPTION, line);
}

static const struct prompt_kind priority_prompt = {
    .prompt = "priority, " PRIORITY_RANGE ": ", .replaces = true};
static const struct prompt_kind sseu_prompt = {
    .prompt = "slice mask, like 0x3, or -1 for all: ", .replaces = true};
static const struct prompt_kind preemption_prompt = {
    .prompt = "preemption period in us, 0 for none: ", .replaces = true};

static const struct ui_line lines[] = {
    [TWEAK_PRIORITY] = {.input = &priority_prompt,
	.accepted = priority_typed,
	.place = PART_FOOTER},
    [TWEAK_SSEU] = {.input = &sseu_prompt,
	.accepted = sseu_typed,
	.place = PART_FOOTER},
    [TWEAK_PREEMPTION] = {.input = &preemption_prompt,
	.accepted = preemption_typed,
	.place = PART_FOOTER},
};

/* What stands in the text now, to be changed. */
static void
ask_value(struct ui *ui, enum tweak_kind kind)
{
	struct targets targets;
	struct text value = {0};
	int64_t now;

	if (!targets_find(ui, kind, &targets, &value)) {
		ui_say(ui, ROLE_BAD, "%s", text_str(&value));
	} else {
		if (tweak_value(ui->session, targets.list, kind, &now))
			text_addf(&value,
			    kind == TWEAK_SSEU && now > 0 ? "%#llx" : "%lld",
			    (long long)now);
		ui_open_line(ui, &lines[kind], text_str(&value), NULL);
	}
	targets_free(&targets);
	text_free(&value);
}

static void
act_priority(struct ui *ui, nsec wall)
{
	(void)wall;
	ask_value(ui, TWEAK_PRIORITY);
}

static void
act_sseu(struct ui *ui, nsec wall)
{
	(void)wall;
	ask_value(ui, TWEAK_SSEU);
}

static void
act_preemption(struct ui *ui, nsec wall)
{
	(void)wall;
	ask_value(ui, TWEAK_PREEMPTION);
}

/* Durations: of the line, or of all batches of the contexts. */

static void
say(struct ui *ui, bool ok, struct text *said)
{
	ui_say(ui, ok ? ROLE_NORMAL : ROLE_BAD, "%s", text_str(said));
	text_free(said);
}

static void
scale(struct ui *ui, enum edit_scale which)
{
	struct selection *sel = &ui->selection;
	struct session *s = ui->session;
	struct text said = {0};
	struct tweak_place place;
	struct targets targets;
	bool ok;

	if (ui->focus == PART_DESCRIPTOR) {
		ok = session_scale_line(
		    s, sel->source, sel->line, which, LIVE_IN_PLACE, &said);
	} else {
		ok = targets_contexts(ui, &targets, &said) &&
		    session_scale_contexts(s, targets.list, targets.n, which,
			LIVE_IN_PLACE, &place, &said);
		if (ok)
			targets_show(ui, &place);
		targets_free(&targets);
	}
	say(ui, ok, &said);
}

static void
act_shorter(struct ui *ui, nsec wall)
{
	(void)wall;
	scale(ui, EDIT_SHORTER);
}

static void
act_longer(struct ui *ui, nsec wall)
{
	(void)wall;
	scale(ui, EDIT_LONGER);
}

static void
duration_typed(struct ui *ui, const char *line, nsec wall)
{
	struct selection *sel = &ui->selection;
	struct text said = {0};
	bool ok;

	(void)wall;
	if (*line == 0)
		return;
	ok = session_set_duration(
	    ui->session, sel->source, sel->line, line, LIVE_IN_PLACE, &said);
	say(ui, ok, &said);
}

static const struct prompt_kind duration_prompt = {
    .prompt = "duration in us, like 1000, 500-1000 or *: ", .replaces = true};
static const struct ui_line duration_line = {.input = &duration_prompt,
    .accepted = duration_typed,
    .place = PART_FOOTER};

static void
act_duration(struct ui *ui, nsec wall)
{
	const struct selection *sel = &ui->selection;
	struct text value = {0};

	(void)wall;
	tweak_add_duration(ui->session, sel->source, sel->line, &value);
	if (value.len > 0)
		ui_open_line(ui, &duration_line, text_str(&value), NULL);
	else
		ui_say(ui, ROLE_BAD,
		    "only batches, delays and periods have a duration");
	text_free(&value);
}

/* Undo, in the descriptor that is shown. */

static void
tell_undo(struct ui *ui, const char *what, bool done, enum live_result result,
    struct text *said)
{
	if (done && result == LIVE_BAD) {
		text_adds(said, "; not run, ");
		ui_add_problem(ui, ui->selection.source, said);
	}
	if (!done)
		ui_say(ui, ROLE_WARN, "there is nothing to %s", what);
	else
		ui_say(ui, result == LIVE_BAD ? ROLE_WARN : ROLE_NORMAL,
		    "%sne: %s", what, text_str(said));
	text_free(said);
}

static void
act_undo(struct ui *ui, nsec wall)
{
	enum live_result result = LIVE_SAME;
	struct text said = {0};
	bool done = session_undo(
	    ui->session, ui->selection.source, LIVE_IN_PLACE, &result, &said);

	(void)wall;
	tell_undo(ui, "undo", done, result, &said);
}

static void
act_redo(struct ui *ui, nsec wall)
{
	enum live_result result = LIVE_SAME;
	struct text said = {0};
	bool done = session_redo(
	    ui->session, ui->selection.source, LIVE_IN_PLACE, &result, &said);

	(void)wall;
	tell_undo(ui, "redo", done, result, &said);
}

const struct act_row act_tweak[] = {
    {ACT_PRIORITY_UP, act_priority_up},
    {ACT_PRIORITY_DOWN, act_priority_down},
    {ACT_PRIORITY, act_priority},
    {ACT_SSEU, act_sseu},
    {ACT_PREEMPTION, act_preemption},
    {ACT_SHORTER, act_shorter},
    {ACT_LONGER, act_longer},
    {ACT_DURATION, act_duration},
    {ACT_UNDO, act_undo},
    {ACT_REDO, act_redo},
    {ACT_NONE, NULL},
};

/* Commands that change what is in force, in the text and in the clients. */

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
	return run_tweak(ui, arg, TWEAK_PRIORITY,
	    ":prio [CTX] N, from " PRIORITY_RANGE, err);
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
