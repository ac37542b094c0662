/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Help, made from the tables of keys, commands and steps. It begins with the view
 * that has the focus: what its signs mean, then its keys. The language follows,
 * then the other views.
 */
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"
#include "parser/annotation.h"
#include "parser/step.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/keys.h"
#include "tui/views/page.h"
#include "tui/views/uses.h"

/* A sign or the name of a column, in the section of a view or of everywhere. */
static const struct legend_row {
	enum scope scope;
	const char *sign, *meaning; /* sign "": the meaning above goes on */
} legend[] = {
    {SCOPE_ENGINES, "  QUEUE, BLKD",
	"requests that wait for the engine; that are blocked"},
    {SCOPE_ENGINES, "  RUN% ... BLOCK%",
	"shares of the last window, the time between two frames; the rest of "
	"it the engine was idle"},
    {SCOPE_ENGINES, "  HISTORY", "running, of the last windows"},
    {SCOPE_ENGINES, "  USED BY",
	"contexts that had most of the engine in the last window; ~: estimated"},
    {SCOPE_ENGINES, "  PRI 500^",
	"priority in force, here raised: a request of priority 500 waits for "
	"it"},
    {SCOPE_ENGINES, "  100 % ... 0 %",
	"zoomed (z): uses of the last windows; figures per second are of the "
	"last ten, the queue's mean and max since the launch"},
    {SCOPE_ENGINES, "  RCS limits: ...",
	"the engine that requests wait for, and for how much of the last "
	"eight windows clients do (W explains)"},
    {SCOPE_ENGINES, "  *",
	"the engine of the selected request or of the descriptor's line"},
    {SCOPE_CONTEXTS, "  LATENCY",
	"from submit to completion, the mean of batches that ended in the "
	"last window; -: none did"},
    {SCOPE_CONTEXTS, "  P99, MAX",
	"99th percentile and longest of all batches"},
    {SCOPE_CONTEXTS, "  MISS/s, MISS, LATE",
	"periods (p steps) that the client missed, an overdue one too (W "
	"explains); for how long its period is overdue now"},
    {SCOPE_CONTEXTS, "  60 x",
	"equal clients as one row (c; Enter shows each): sums, and "
	"median..maximum of their latencies and lateness"},
    {SCOPE_CONTEXTS, "  STATE",
	"what the client does; banned: it hung too often, its batches are "
	"refused"},
    {SCOPE_CONTEXTS, "  RUN%  RCS ... CCS",
	"batches ran, on all engines and on those of a class, in the last "
	"window; 200: two engines; +2: classes without room"},
    {SCOPE_CONTEXTS, "  POLL%, SWITCH%",
	"engines polled a semaphore for it, or switched to it"},
    {SCOPE_CONTEXTS, "",
	"(P99, MAX and MISS count from the start, or from the last T)"},
    {SCOPE_CONTEXTS, "  gem_wsim 4711",
	"a program on the virtual i915 and its process; in brackets: it has "
	"ended"},
    {SCOPE_CONTEXTS, "  ... NOW",
	"of the last 1 or 2 s of virtual time at that speed, and the "
	"difference to the snapshot (=)"},
    {SCOPE_CONTEXTS, "  ... HERE",
	"of this run so far, and the difference to the run beside it "
	"(:compare)"},
    {SCOPE_CONTEXTS, "  BUSY% NOW, CHANGE",
	"the difference is in points (pt): from 72 % to 78 % is +6.0"},
    {SCOPE_ALL, "  ready 2/8, WAITERS",
	"the second of eight requests that wait for that engine; requests "
	"that wait for this one"},
    {SCOPE_TIMELINE, "  1:4  2/1:4 L9",
	"a batch: context 1, step 4; of client 2, line 9"},
    {SCOPE_TIMELINE, "  blocks",
	"the height is the share of the column in which the batch ran; where "
	"two blocks meet, the second has an edge"},
    {SCOPE_TIMELINE, "  > / ~ X",
	"end of a block: preempted, timeslice expired, yielded on a semaphore "
	"wait, reset"},
    {SCOPE_TIMELINE, "  [ ]  *",
	"a block of the request or of the descriptor's line that is selected"},
    {SCOPE_TIMELINE, "  M  H", "a missed period; a hang"},
    {SCOPE_TIMELINE, "  ctx 1  0/1",
	"zoomed (z): when requests of the context were blocked, ready, on an "
	"engine"},
    {SCOPE_DESCRIPTOR, "  AT, BLK, RDY, RUN, DONE",
	"clients at the step; its requests that are blocked, ready, running, "
	"done (without refused ones)"},
    {SCOPE_DESCRIPTOR, "  signs",
	"the step has running, ready, blocked requests; a client is at it"},
    {SCOPE_DESCRIPTOR, "  STEP",
	"batches and other steps are counted from 0, as in gem_wsim; comments "
	"are not counted"},
    {SCOPE_LAYER, "  MESSAGE",
	"device, submit, frame; workload: recorded; annex, tag-annex: labels "
	"and draws, known at submit; resolved: sizes, known when it has run"},
    {SCOPE_LAYER, "  SUBMIT, TAG",
	"the submitID, and the tagID of the workload, that a message names"},
    {SCOPE_LAYER, "  725 draws C0 D",
	"draws and attachments of a render pass; C0r: C0 is resolved; fields "
	"that are unknown (-1) are left out (Enter shows all)"},
    {SCOPE_ALL, "  model NAME",
	"the profile; all times and figures are of this model, in virtual "
	"time, none is measured on a GPU"},
    {SCOPE_ALL, "  virtual i915 NAME",
	"the device of programs (:run, or gpuwl-run in any shell), in real "
	"time; batches are executed and timed, nothing is rendered"},
    {SCOPE_ALL, "  i915 NAME ADDRESS",
	"the GPU that it runs on (-D), in real time; stamps: how far off the "
	"times of its batches may be; PAUSING: nothing is submitted, and some "
	"batches have not ended"},
    {SCOPE_ALL, "  held",
	"requests that the GPU has not got: they wait for a software fence "
	"(f), for room, or for the end of a pause"},
    {SCOPE_ALL, "  20 draws, 1 clear", "the contents of a program's batch"},
    {SCOPE_ALL, "  workloads/s",
	"iterations of all clients, the mean of the last ten windows (a window "
	"is the time between two frames)"},
    {SCOPE_ALL, "",
	"(a client that does not wait for its batches misses no period: "
	"LATENCY and QUEUE grow instead)"},
    {SCOPE_ALL, "  priority: 0",
	"a value in a prompt: typing replaces it, an arrow key keeps it"},
};

/* Adds the four uses of an engine, each in its own look. */
static void
add_key_uses(struct page *p, bool unicode)
{
	static const char *const meanings[N_USES] = {
	    [USE_RUNNING] = "a batch runs on the engine",
	    [USE_SWITCHING] = "it switches context or slices",
	    [USE_POLLING] = "its request polls a semaphore or memory",
	    [USE_BLOCKED] = "it is free, but the requests for it are blocked",
	};

	for (enum engine_use use = 0; use < N_USES; use++) {
		struct text left = {0};

		text_adds(&left, "  ");
		for (int i = 0; i < 4; i++)
			text_add_code(&left, (uint32_t)use_glyph(use, unicode));
		text_addf(&left, " %s", use_name(use));
		page_add(p, use_role(use), text_str(&left), meanings[use]);
		text_free(&left);
	}
}

static void
add_legend(struct page *p, enum scope scope, bool unicode)
{
	if (scope == SCOPE_ENGINES || scope == SCOPE_TIMELINE)
		add_key_uses(p, unicode);
	for (size_t i = 0; i < sizeof(legend) / sizeof(*legend); i++)
		if (legend[i].scope == scope)
			page_add(
			    p, ROLE_KEY, legend[i].sign, legend[i].meaning);
}

static void
add_key(struct page *p, const struct keymap *m, size_t row)
{
	struct text names = {0};
	const char *name, *keys = keymap_keys(m, row);
	size_t len;

	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++) {
		text_adds(&names, "  ");
		text_add(&names, name, len);
	}
	if (*keys == 0)
		text_addf(&names, "  (%s)", m->table->rows[row].name);
	page_add(p, ROLE_KEY, text_str(&names), m->table->rows[row].help);
	text_free(&names);
}

/* Adds what the scope shows, then its keys. */
static void
add_scope(
    struct page *p, const struct keymap *m, enum scope scope, bool unicode)
{
	page_add(p, ROLE_LABEL, scope_name(scope), NULL);
	add_legend(p, scope, unicode);
	for (size_t i = 0; i < m->table->n; i++)
		if (m->table->rows[i].scope == scope)
			add_key(p, m, i);
	page_add(p, ROLE_NORMAL, "", NULL);
}

static void
add_step_field(struct page *p, enum step_field field)
{
	const struct field_info *info = &field_infos[field];
	struct text left = {0}, right = {0};

	text_addf(&left, "    %s", info->name);
	if (info->unit != NULL)
		text_addf(&left, " (%s)", info->unit);
	text_addf(&right, "%s: ", info->help);
	field_form_print(field, &right);
	page_add(p, ROLE_NORMAL, text_str(&left), text_str(&right));
	if (info->details != NULL)
		page_add(p, ROLE_NORMAL, "", info->details);
	text_free(&left);
	text_free(&right);
}

/* Adds a kind of step, and its fields that no kind before it has. */
static void
add_step(struct page *p, enum step_kind kind, bool seen[N_STEP_FIELDS])
{
	const struct step_info *info = &step_infos[kind];
	struct text left = {0}, right = {0};

	text_addf(&left, "  %s", info->syntax);
	text_addf(&right, "%s, e.g. %s", info->summary, info->example);
	page_add(p, ROLE_KEY, text_str(&left), text_str(&right));
	if (info->details != NULL)
		page_add(p, ROLE_NORMAL, "", info->details);
	for (unsigned i = 0; i < info->n_fields; i++) {
		enum step_field field = info->fields[i];

		if (!seen[field])
			add_step_field(p, field);
		seen[field] = true;
	}
	text_free(&left);
	text_free(&right);
}

void
help_add_step(struct page *p, enum step_kind kind)
{
	bool seen[N_STEP_FIELDS] = {[FIELD_NONE] = true};

	add_step(p, kind, seen);
}

static void
add_annotations(struct page *p)
{
	page_add(p, ROLE_LABEL,
	    "Annotations: what the next batch contains, in order", NULL);
	for (enum annotation_kind k = 0; k < N_ANNOTATION_KINDS; k++) {
		struct text syntax = {0};

		text_adds(&syntax, "  ");
		annotation_syntax_print(k, &syntax);
		page_add(p, ROLE_KEY, text_str(&syntax), annotation_help(k));
		text_free(&syntax);
	}
	page_add(p, ROLE_NORMAL, "", NULL);
}

void
help_add_language(struct page *p)
{
	bool seen[N_STEP_FIELDS] = {[FIELD_NONE] = true};

	page_add(p, ROLE_LABEL,
	    "Language: steps, each on a line or joined by commas; # begins a "
	    "comment",
	    NULL);
	for (enum step_kind k = 0; k < N_STEP_KINDS; k++)
		add_step(p, k, seen);
	page_add(p, ROLE_NORMAL, "", NULL);
	add_annotations(p);
}

static void
add_mouse(struct page *p)
{
	page_add(p, ROLE_LABEL, "Mouse and paste", NULL);
	page_add(p, ROLE_KEY, "  click",
	    "selects; on a column's name: sorts; on the last row: presses the key");
	page_add(p, ROLE_KEY, "  double click", "as Enter");
	page_add(p, ROLE_KEY, "  wheel", "scrolls the pane under the pointer");
	page_add(p, ROLE_KEY, "  paste",
	    "into the line that is typed; in Descriptor several lines, as many; "
	    "ignored elsewhere");
	page_add(p, ROLE_NORMAL, "", NULL);
}

void
help_add_commands(struct page *p)
{
	struct text left = {0};

	page_add(
	    p, ROLE_LABEL, "Commands (the first letters are enough)", NULL);
	page_add(p, ROLE_KEY, "  :N", "go to line N of the descriptor");
	for (size_t i = 0; i < n_console_commands; i++) {
		const struct command_row *c = &console_commands[i];

		text_clear(&left);
		text_addf(&left, "  :%s %s", c->name, c->syntax);
		page_add(p, ROLE_KEY, text_str(&left), c->help);
	}
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&left);
}

struct page *
help_page(const struct keymap *m, enum scope focus, bool unicode)
{
	struct page *p = page_new("Help: signs, keys, language, commands");

	add_scope(p, m, focus, unicode);
	if (focus == SCOPE_DESCRIPTOR)
		help_add_language(p);
	add_scope(p, m, SCOPE_LIST, unicode);
	add_scope(p, m, SCOPE_ALL, unicode);
	help_add_commands(p);
	add_mouse(p);
	if (focus != SCOPE_DESCRIPTOR)
		help_add_language(p);
	for (enum scope s = SCOPE_LIST + 1; s < N_SCOPES; s++)
		if (s != focus)
			add_scope(p, m, s, unicode);
	return p;
}
