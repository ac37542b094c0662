/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys and commands that change what is in force, in the text and in the
 * clients at once: priorities, slice masks, preemption periods, durations; and
 * undo. Values come with the key (one more, 10 % less), from a prompt, or from a
 * command.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "parser/step.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"

static void
tweak_targets(struct ui *ui, const struct tweak *tweak)
{
	struct targets targets;
	struct text err = {0};

	if (targets_find(ui, tweak->kind, &targets, &err))
		targets_tweak(ui, tweak, &targets);
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	targets_free(&targets);
	text_free(&err);
}

void
act_nudge_priority(struct ui *ui, int by)
{
	tweak_targets(ui, &(struct tweak){TWEAK_PRIORITY, true, by});
}

static void
tweak_typed(struct ui *ui, const char *line, int kind)
{
	static const enum value_kind kinds[] = {
	    [TWEAK_PRIORITY] = VALUE_PRIORITY,
	    [TWEAK_SSEU] = VALUE_SLICE_MASK,
	    [TWEAK_PREEMPTION] = VALUE_PREEMPTION,
	};
	struct tweak tweak = {.kind = (enum tweak_kind)kind};
	struct text err = {0};

	if (*line == 0)
		return;
	if (value_read(kinds[kind], line, strlen(line), &tweak.value, &err))
		tweak_targets(ui, &tweak);
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	text_free(&err);
}

static const struct prompt_kind priority_prompt = {
    .prompt = "priority, " PRIORITY_RANGE ": ", .replaces = true};
static const struct prompt_kind sseu_prompt = {
    .prompt = "slice mask, e.g. 0x3, or -1 for all: ", .replaces = true};
static const struct prompt_kind preemption_prompt = {
    .prompt = "preemption period in us, 0 for none: ", .replaces = true};

static const struct ui_line tweak_lines[] = {
    [TWEAK_PRIORITY] = {.input = &priority_prompt,
	.accepted = tweak_typed,
	.arg = TWEAK_PRIORITY,
	.place = PART_FOOTER},
    [TWEAK_SSEU] = {.input = &sseu_prompt,
	.accepted = tweak_typed,
	.arg = TWEAK_SSEU,
	.place = PART_FOOTER},
    [TWEAK_PREEMPTION] = {.input = &preemption_prompt,
	.accepted = tweak_typed,
	.arg = TWEAK_PREEMPTION,
	.place = PART_FOOTER},
};

/* Opens a prompt for the value, with the one that is in the text. which: an
 * enum tweak_kind. */
void
act_ask_tweak(struct ui *ui, int which)
{
	enum tweak_kind kind = (enum tweak_kind)which;
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
		ui_open_line(ui, &tweak_lines[kind], text_str(&value), NULL);
	}
	targets_free(&targets);
	text_free(&value);
}

/* Splits into words and returns their number, at most two; 0: more. */
static int
split_words(const char *arg, char words[2][32])
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

/* "CTX VALUE", or the value alone for the tagged or selected contexts. kind: an
 * enum tweak_kind. */
bool
cmd_tweak(struct ui *ui, const char *typed, int kind, struct text *err)
{
	static const char *const usage[] = {
	    [TWEAK_PRIORITY] = ":prio [CTX] N, from " PRIORITY_RANGE,
	    [TWEAK_SSEU] = ":sseu [CTX] MASK, e.g. 0x3, or -1",
	    [TWEAK_PREEMPTION] = ":preempt [CTX] MICROSECONDS, 0 for none",
	};
	struct tweak tweak = {.kind = (enum tweak_kind)kind};
	char words[2][32];
	int n = split_words(typed, words);
	struct targets targets = {0};
	int64_t context = 0;
	bool ok;

	if (n == 0 || !parse_integer(words[n - 1], &tweak.value) ||
	    (n == 2 &&
		(!parse_integer(words[0], &context) || context < 0 ||
		    context > INT32_MAX))) {
		text_addf(err, "usage: %s", usage[kind]);
		return false;
	}
	ok = n == 2 ? targets_number(ui, (uint32_t)context, &targets, err)
		    : targets_contexts(ui, &targets, err);
	if (ok)
		targets_tweak(ui, &tweak, &targets);
	targets_free(&targets);
	return ok;
}

/* Frees the text. */
static void
say_result(struct ui *ui, bool ok, struct text *said)
{
	ui_say(ui, ok ? ROLE_NORMAL : ROLE_BAD, "%s", text_str(said));
	text_free(said);
}

/* Scales the duration of the line, or those of all batches of the targets. how:
 * an enum edit_scale. */
void
act_scale(struct ui *ui, int how)
{
	enum edit_scale which = (enum edit_scale)how;
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
	say_result(ui, ok, &said);
}

static void
duration_typed(struct ui *ui, const char *line, int arg)
{
	struct selection *sel = &ui->selection;
	struct text said = {0};
	bool ok;

	(void)arg;
	if (*line == 0)
		return;
	ok = session_set_duration(
	    ui->session, sel->source, sel->line, line, LIVE_IN_PLACE, &said);
	say_result(ui, ok, &said);
}

static const struct prompt_kind duration_prompt = {
    .prompt = "duration in us, like 1000, 500-1000 or *: ", .replaces = true};
static const struct ui_line duration_line = {.input = &duration_prompt,
    .accepted = duration_typed,
    .place = PART_FOOTER};

void
act_duration(struct ui *ui, int arg)
{
	const struct selection *sel = &ui->selection;
	struct text value = {0};

	(void)arg;
	tweak_add_duration(ui->session, sel->source, sel->line, &value);
	if (value.len > 0)
		ui_open_line(ui, &duration_line, text_str(&value), NULL);
	else
		ui_say(ui, ROLE_BAD,
		    "only batches, delays and periods have a duration");
	text_free(&value);
}

bool
cmd_duration(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const struct selection *sel = &ui->selection;
	struct text said = {0};
	bool ok = session_set_duration(
	    ui->session, sel->source, sel->line, typed, LIVE_IN_PLACE, &said);

	(void)arg;
	if (ok)
		ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	else
		text_adds(err, text_str(&said));
	text_free(&said);
	return ok;
}

static void
say_undone(struct ui *ui, const char *what, bool done, enum live_result result,
    struct text *said)
{
	if (done && result == LIVE_BAD) {
		text_adds(said, "; not run, ");
		ui_add_problem(ui, ui->selection.source, said);
	}
	if (!done)
		ui_say(ui, ROLE_WARN, "nothing to %s", what);
	else
		ui_say(ui, result == LIVE_BAD ? ROLE_WARN : ROLE_NORMAL,
		    "%sne: %s", what, text_str(said));
	text_free(said);
}

/* Undoes the last change of the shown descriptor, or redoes it. */
void
act_undo(struct ui *ui, int redo)
{
	size_t source = ui->selection.source;
	enum live_result result = LIVE_SAME;
	struct text said = {0};
	bool done = (redo ? session_redo : session_undo)(
	    ui->session, source, LIVE_IN_PLACE, &result, &said);

	say_undone(ui, redo ? "redo" : "undo", done, result, &said);
}
