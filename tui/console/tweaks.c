/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys and commands that change what is in force, in the text and in the
 * clients at once: priorities, slice masks, preemption periods, durations; and
 * undo. First their targets: the context under the cursor, tagged ones, or
 * those that a command names. Values come with the key (one more, 10 % less),
 * from a prompt, or from a command.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "parser/step.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"
#include "tui/views/foreign_rows.h"
#include "tui/views/page.h"
#include "tui/views/view.h"

/* Contexts, or the step of a line. Contexts of programs have no step. */
struct targets {
	struct tweak_target *list;
	size_t n, cap;
	struct program_target {
		uint32_t client, context; /* index */
	} * programs;
	size_t n_programs, cap_programs;
};

struct collecting {
	const struct session *session;
	struct targets *targets;
};

/* True if it is a context of a program that may submit with it. */
static bool
is_program(const struct session *s, uint32_t client, uint32_t context)
{
	const struct sim *sim = s->run.sim;
	const struct client *c;

	if (client >= sim->n_clients)
		return false;
	c = sim->clients[client];
	return c->walker == NULL && context < c->n_contexts &&
	    !c->contexts[context]->closed;
}

/* Adds a context, unless it no longer exists: tags are not removed with it. */
static bool
collect_context(void *arg, uint32_t client, uint32_t context)
{
	struct collecting *c = arg;
	struct targets *t = c->targets;

	if (is_program(c->session, client, context)) {
		t->programs = mem_grow(t->programs, t->n_programs,
		    &t->cap_programs, sizeof(*t->programs));
		t->programs[t->n_programs++] = (struct program_target){
		    client, context};
		return true;
	}
	t->list = mem_grow(t->list, t->n, &t->cap, sizeof(*t->list));
	t->n += tweak_target_of_context(
	    c->session, client, context, &t->list[t->n]);
	return true;
}

static void
collect_client(struct collecting *c, uint32_t id)
{
	const struct sim *sim = c->session->run.sim;

	for (uint32_t i = 0;
	     id < sim->n_clients && i < sim->clients[id]->n_contexts; i++)
		collect_context(c, id, i);
}

/* Requests and Timeline also show what is selected, at their cursors. */
bool
targets_selected(struct ui *ui, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);
	bool seen = ui->focus == PART_REQUESTS || ui->focus == PART_TIMELINE ||
	    contexts_shows_selected(ui->views[PART_CONTEXTS], &env);

	if (ui->focus == PART_CONTEXTS &&
	    foreign_explain_selected(ui->session, &ui->selection, err))
		return false;

	if (!seen)
		text_adds(err,
		    "nothing is selected: the filter hides all contexts (\\ changes it)");
	return seen;
}

/* Finds the tagged contexts, or else the selected one. */
static bool
targets_contexts(struct ui *ui, struct targets *targets, struct text *err)
{
	const struct selection *sel = &ui->selection;
	struct collecting c = {ui->session, targets};

	*targets = (struct targets){0};
	if (tags_count(&ui->tags) == 0 && !targets_selected(ui, err))
		return false;
	if (tags_count(&ui->tags) > 0)
		tags_each(&ui->tags, collect_context, &c);
	else if (sel->whole_client)
		collect_client(&c, sel->client);
	else
		collect_context(&c, sel->client, sel->context);
	if (targets->n + targets->n_programs == 0)
		text_adds(err, "no context is selected");
	return targets->n + targets->n_programs > 0;
}

/* True if keys are for the step under the descriptor's cursor. */
static bool
acts_on_line(struct ui *ui)
{
	struct view_env env = ui_env(ui, PART_DESCRIPTOR);

	return ui->focus == PART_DESCRIPTOR && descriptor_program(&env) == NULL;
}

/* Finds the targets of a tweak: the step under the descriptor's cursor if the
 * descriptor has the focus, else as targets_contexts(). False: there is none,
 * err says why. Free with targets_free(). */
static bool
targets_find(struct ui *ui, enum tweak_kind kind, struct targets *targets,
    struct text *err)
{
	struct tweak_target target;

	if (!acts_on_line(ui))
		return targets_contexts(ui, targets, err);
	*targets = (struct targets){0};
	if (!tweak_target_of_line(ui->session, ui->selection.source,
		ui->selection.line, kind, &target)) {
		text_adds(err, "this line has no context");
		return false;
	}
	targets->list = mem_calloc(1, sizeof(target));
	targets->list[targets->n++] = target;
	return true;
}

/* Returns the first client of the source that has the context; n_clients:
 * none. */
static uint32_t
find_client(const struct ui *ui, uint32_t context, size_t source)
{
	const struct sim *sim = ui->session->run.sim;
	uint32_t id;

	for (id = 0; id < sim->n_clients; id++)
		if (plan_document(ui->session->plan,
			client_workload(sim->clients[id])) == source &&
		    live_find_context(sim->clients[id], context) != NULL)
			break;
	return id;
}

/* Finds the context of that number: of the selected client, or of a client of
 * the shown descriptor, or of any client. */
static bool
targets_number(
    struct ui *ui, uint32_t context, struct targets *targets, struct text *err)
{
	const struct sim *sim = ui->session->run.sim;
	uint32_t id = ui->selection.client;
	struct collecting c = {ui->session, targets};

	*targets = (struct targets){0};
	if (id >= sim->n_clients ||
	    live_find_context(sim->clients[id], context) == NULL)
		id = find_client(ui, context, ui->selection.source);
	for (size_t i = 0;
	     id == sim->n_clients && i < ui->session->plan->n_sources; i++)
		id = find_client(ui, context, i);
	if (id < sim->n_clients)
		collect_context(&c, id,
		    live_find_context(sim->clients[id], context)->index);
	if (targets->n + targets->n_programs == 0)
		text_addf(err, "no client has a context %u", context);
	return targets->n + targets->n_programs > 0;
}

static void
targets_free(struct targets *targets)
{
	free(targets->list);
	free(targets->programs);
	*targets = (struct targets){0};
}

/* Moves the descriptor's cursor to a change, unless the descriptor has the
 * focus. */
static void
targets_show(struct ui *ui, const struct tweak_place *place)
{
	if (ui->focus == PART_DESCRIPTOR)
		return;
	ui->selection.source = place->source;
	ui->selection.line = place->line;
}

/* Says what changed, or why nothing did; frees the text. */
static void
say_result(struct ui *ui, bool ok, struct text *said)
{
	if (ok)
		ui_say_change(ui, text_str(said));
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(said));
	text_free(said);
}

/* Changes contexts of programs. False: said has why one was not. */
static bool
tweak_programs(struct ui *ui, const struct tweak *tweak,
    const struct targets *targets, struct text *said)
{
	bool ok = true;

	for (size_t i = 0; i < targets->n_programs && ok; i++)
		ok = session_tweak_program(ui->session, tweak,
		    targets->programs[i].client, targets->programs[i].context,
		    said);
	return ok;
}

/* Applies a tweak, shows where, and says what changed. */
static void
targets_tweak(
    struct ui *ui, const struct tweak *tweak, const struct targets *targets)
{
	struct text said = {0};
	struct tweak_place place;
	bool ok = tweak_programs(ui, tweak, targets, &said);

	if (ok && targets->n > 0) {
		ok = session_tweak(ui->session, tweak, targets->list,
		    targets->n, LIVE_IN_PLACE, &place, &said);
		if (ok)
			targets_show(ui, &place);
	}
	say_result(ui, ok, &said);
}

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

/* Adds the step whose operand is typed. */
static void
help_tweak(const struct ui *ui, struct page *p)
{
	static const enum step_kind steps[] = {
	    [TWEAK_PRIORITY] = STEP_PRIORITY,
	    [TWEAK_SSEU] = STEP_SSEU,
	    [TWEAK_PREEMPTION] = STEP_PREEMPTION,
	};

	page_add(p, ROLE_LABEL, "The last operand of the step", NULL);
	help_add_step(p, steps[ui->line->arg]);
	page_add(p, ROLE_NORMAL, "", NULL);
}

static const struct ui_line tweak_lines[] = {
    [TWEAK_PRIORITY] = {.input = &priority_prompt,
	.accepted = tweak_typed,
	.arg = TWEAK_PRIORITY,
	.help = help_tweak,
	.place = PART_FOOTER},
    [TWEAK_SSEU] = {.input = &sseu_prompt,
	.accepted = tweak_typed,
	.arg = TWEAK_SSEU,
	.help = help_tweak,
	.place = PART_FOOTER},
    [TWEAK_PREEMPTION] = {.input = &preemption_prompt,
	.accepted = tweak_typed,
	.arg = TWEAK_PREEMPTION,
	.help = help_tweak,
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

	if (!targets_find(ui, kind, &targets, &value) ||
	    (targets.n == 0 && !session_may_tweak_programs(kind, &value))) {
		ui_say(ui, ROLE_BAD, "%s", text_str(&value));
	} else {
		if (targets.n > 0 &&
		    tweak_value(ui->session, targets.list, kind, &now))
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
	    [TWEAK_PRIORITY] = (":prio [CTX] N, from " PRIORITY_RANGE),
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

static bool
has_descriptor(const struct targets *targets, struct text *err)
{
	if (targets->n == 0)
		text_adds(err,
		    "durations of batches are the program's own: :speed makes "
		    "all of them shorter");
	return targets->n > 0;
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

	if (acts_on_line(ui)) {
		ok = session_scale_line(
		    s, sel->source, sel->line, which, LIVE_IN_PLACE, &said);
	} else {
		ok = targets_contexts(ui, &targets, &said) &&
		    has_descriptor(&targets, &said) &&
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
	if (programs_refuse_edit(ui))
		return;
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
		ui_say_change(ui, text_str(&said));
	else
		text_adds(err, text_str(&said));
	text_free(&said);
	return ok;
}

static void
say_undone(struct ui *ui, const char *what, bool done, enum live_result result,
    struct text *said)
{
	struct text line = {0};

	text_addf(&line, "%sne: %s", what, text_str(said));
	if (result == LIVE_BAD) {
		text_adds(&line, "; not run, ");
		ui_add_problem(ui, ui->selection.source, &line);
	}
	if (!done)
		ui_say(ui, ROLE_WARN, "nothing to %s", what);
	else if (result == LIVE_BAD)
		ui_say(ui, ROLE_WARN, "%s", text_str(&line));
	else
		ui_say_change(ui, text_str(&line));
	text_free(&line);
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
