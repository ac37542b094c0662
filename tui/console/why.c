/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page that explains what a request or a missed period waited for, and keys
 * that go from one missed period to the next.
 */
#include <stdio.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/explain/why.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/views/page.h"

enum role
ui_why_role(enum why_role role)
{
	static const enum role roles[N_WHY_ROLES] = {
	    [WHY_HEAD] = ROLE_STRONG,
	    [WHY_CLIENT] = ROLE_NORMAL,
	    [WHY_BLOCKED] = ROLE_BLOCKED,
	    [WHY_QUEUED] = ROLE_WARN,
	    [WHY_OFF] = ROLE_WARN,
	    [WHY_SWITCH] = ROLE_NORMAL,
	    [WHY_SSEU] = ROLE_WARN,
	    [WHY_POLLS] = ROLE_BLOCKED,
	    [WHY_RUNS] = ROLE_GOOD,
	    [WHY_OTHER] = ROLE_NORMAL,
	    [WHY_IDLE] = ROLE_DIM,
	    [WHY_DEVICE] = ROLE_WARN,
	    [WHY_SEVERAL] = ROLE_DIM,
	    [WHY_UNKNOWN] = ROLE_DIM,
	};

	return roles[role];
}

/* Adds a row: a duration and its cause, indented below what it is part of. */
static void
add_why_row(struct page *p, const struct why *why, size_t i)
{
	const struct why_row *row = &why->rows[i];
	char buf[UNITS_LEN];
	struct text t = {0};

	text_addf(&t, "%*s%8s  ", row->indent * 4, "",
	    format_duration(buf, row->to_ns - row->from_ns));
	page_add_hanging(p, ui_why_role((enum why_role)row->role), text_str(&t),
	    why_text(why, i));
	text_free(&t);
}

/* Adds the workloads of the request's batch, with their shares of its duration
 * once that is known. */
static void
add_workloads(struct page *p, const struct session *s, uint64_t request)
{
	const struct trail_request *r = trail_request(s->trail, request);
	struct text line = {0}, head = {0};
	size_t n = layer_watch_pieces(&s->layer, request), i;
	char buf[UNITS_LEN];
	double share;

	if (r == NULL)
		return;
	for (i = 0; layer_watch_piece(&s->layer, request, i, &line, &share);
	     i++) {
		bool known = r->duration_ns != NSEC_NEVER;

		if (i == 0) {
			page_add(p, ROLE_NORMAL, "", NULL);
			page_add(p, ROLE_STRONG,
			    "workloads of its batch, in order", NULL);
		}
		text_addf(&head, "%12s  ",
		    known ? format_duration(
				buf, (nsec)((double)r->duration_ns * share))
			  : "");
		page_add_hanging(
		    p, ROLE_ANNOTATION, text_str(&head), text_str(&line));
		text_clear(&head);
		text_clear(&line);
	}
	if (n > i) {
		text_addf(&line, "%14sand %zu more", "", n - i);
		page_add(p, ROLE_DIM, text_str(&line), NULL);
	}
	text_free(&line);
	text_free(&head);
}

static void
open_why_page(struct ui *ui, const struct why *why)
{
	struct page *p = page_new(WHY_TITLE);

	for (size_t i = 0; i < why->n; i++)
		add_why_row(p, why, i);
	if (why->n > 0 && why->rows[0].request != 0)
		add_workloads(p, ui->session, why->rows[0].request);
	ui_open_page(ui, p);
}

/* Explains the miss that was shown last, or else the selected request. False: the
 * trail has neither. */
static bool
explain_selected(struct ui *ui, struct why *why)
{
	const struct session *s = ui->session;
	uint64_t miss = ui->selection.miss;
	uint64_t request = ui->selection.request;

	if (miss != 0 && why_miss(why, s->trail, s->run.sim, miss))
		return true;
	return request != 0 && why_request(why, s->trail, s->run.sim, request);
}

/* Returns true if W is about a window of time: in Engines and Contexts, unless a
 * miss was shown and no cursor has moved since. */
static bool
is_about_time(const struct ui *ui)
{
	return (ui->focus == PART_ENGINES || ui->focus == PART_CONTEXTS) &&
	    trail_miss(ui->session->trail, ui->selection.miss) == NULL;
}

static void
describe_step(void *data, const struct trail_request *r, struct text *out)
{
	const struct session *s = data;
	size_t len;
	const char *text = session_past_step_text(s, r, &len);
	struct text workload = {0};

	text_add_visible(out, text, len);
	layer_watch_brief(&s->layer, r->id, &workload);
	if (len > 0 && workload.len > 0)
		text_adds(out, ", ");
	text_adds(out, text_str(&workload));
	text_free(&workload);
}

void
ui_add_other_users(
    void *data, unsigned engine, nsec from, nsec to, struct text *out)
{
	const struct session *s = data;

	run_add_other_users(&s->run, engine, from, to, out);
}

/* Adds why W has nothing to explain. */
static void
add_nothing(const struct ui *ui, struct text *out)
{
	nsec since = trail_since(ui->session->trail);
	char kept[UNITS_LEN];

	if (is_about_time(ui)) {
		text_adds(out, "nothing has run yet, or nothing is selected.");
		return;
	}
	text_adds(out, "no request or missed period is selected");
	if (since > 0)
		text_addf(out,
		    ", or it is not in the trace buffer any more (keeps the "
		    "last %s)",
		    format_duration(kept, ui->session->run.sim->now - since));
	text_addc(out, '.');
}

/* A page, too: q closes it and does not quit. */
static void
open_nothing_page(struct ui *ui, struct text *err)
{
	struct page *p = page_new("Why: nothing to explain");

	if (err->len == 0)
		add_nothing(ui, err);
	page_add_text(p, text_str(err));
	page_add_text(p,
	    "Press W in Engines (1) or on a context or client in Contexts (2) "
	    "for their time in the last windows, by cause; on a request in "
	    "Requests (3), on a block in Timeline (4), or after m or M for a "
	    "missed period, for what that waited for.");
	ui_open_page(ui, p);
}

void
act_why(struct ui *ui, int arg)
{
	struct why why = {.describe = describe_step,
	    .others = ui_add_other_users,
	    .data = ui->session};
	struct text err = {0};
	bool known;

	(void)arg;
	if (!is_about_time(ui)) {
		known = explain_selected(ui, &why);
		if (known)
			open_why_page(ui, &why);
	} else {
		known = (ui->focus == PART_ENGINES ||
			    targets_selected(ui, &err)) &&
		    ui_open_why_time(ui);
	}
	if (!known)
		open_nothing_page(ui, &err);
	text_free(&err);
	why_free(&why);
}

static void
show_miss(struct ui *ui, uint64_t id)
{
	const struct trail_miss *miss = trail_miss(ui->session->trail, id);
	char late[UNITS_LEN], at[UNITS_LEN];

	ui->selection.client = miss->client;
	ui->selection.foreign = 0;
	ui->selection.context = 0;
	ui_show_time(ui, miss->came_ns);
	ui->selection.miss = id;
	ui_say(ui, ROLE_BAD,
	    "client %u missed its period at %s by %s, iteration %llu "
	    "(W explains)",
	    miss->client, format_time(at, miss->came_ns),
	    format_duration(late, miss->came_ns - miss->due_ns),
	    (unsigned long long)miss->iteration);
}

/* Returns the next or previous miss: from the one shown, or else from the
 * timeline's cursor; 0: none. */
static uint64_t
find_miss(const struct ui *ui, bool forward)
{
	const struct trail *t = ui->session->trail;
	uint64_t shown = ui->selection.miss, next;

	if (trail_miss(t, shown) == NULL)
		return forward
		    ? trail_next_miss(t, ui->selection.at, TRAIL_ANY_CLIENT)
		    : trail_previous_miss(
			  t, ui->selection.at, TRAIL_ANY_CLIENT);
	next = forward ? shown + 1 : shown - 1;
	return trail_miss(t, next) != NULL ? next : 0;
}

/* by: 1 the next one, -1 the previous one. */
void
act_miss(struct ui *ui, int by)
{
	const struct session *s = ui->session;
	bool last = ui->focus != PART_TIMELINE && by > 0;
	uint64_t id = last
	    ? trail_previous_miss(s->trail, NSEC_MAX, TRAIL_ANY_CLIENT)
	    : find_miss(ui, by > 0);

	/* In the present "next" means the last one. */
	if (id == 0 && by > 0 && ui->selection.miss == 0)
		id = find_miss(ui, false);
	if (id != 0)
		show_miss(ui, id);
	else
		ui_say(ui, ROLE_NORMAL, "no %s missed period in the history",
		    by > 0 ? "later" : "earlier");
}
