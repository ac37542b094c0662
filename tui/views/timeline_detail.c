/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The block under the timeline's cursor in words: its batch, when it had the
 * engine, and how much of that it ran, polled and switched.
 */
#include "base/text.h"
#include "base/units.h"
#include "engine/explain/explain.h"
#include "tui/views/timeline.h"
#include "tui/views/uses.h"

/* Returns the block under the cursor. NULL: there is none, or the trail no longer has
 * it. */
static const struct trail_span *
timeline_block(const struct timeline *v, const struct view_env *env)
{
	const struct trail *t = trail_of(env);

	if (v->cursor > now_of(env))
		return NULL;
	return trail_span(t, v->engine, trail_span_at(t, v->engine, v->cursor));
}

/* Appends "ran 2.92ms of 3.26ms". A batch that is slowed down takes longer than
 * its duration. */
static void
add_run(struct text *out, const struct trail_request *r, nsec run)
{
	char buf[UNITS_LEN];

	text_addf(out, "ran %s", format_duration(buf, run));
	if (r->place.outside)
		return; /* its commands take what they take */
	if (r->duration_ns == NSEC_NEVER)
		text_adds(out, ", endless");
	else
		text_addf(out,
		    run > r->duration_ns ? ", slowed from %s" : " of %s",
		    format_duration(buf, r->duration_ns));
}

static void
add_span_use(struct text *out, nsec ns, const char *doing)
{
	char buf[UNITS_LEN];

	if (ns > 0)
		text_addf(out, ", %s %s", doing, format_duration(buf, ns));
}

static void
add_span_uses(struct text *out, const struct timeline *v,
    const struct view_env *env, const struct trail_request *r,
    const struct trail_span *s)
{
	struct engine_times times = trail_span_used(
	    trail_of(env), v->engine, s, now_of(env));

	add_run(out, r, times.ns[USE_RUNNING]);
	add_span_use(out, times.ns[USE_POLLING], "polled");
	add_span_use(out, times.ns[USE_SWITCHING], "switched");
}

static void
add_times(struct text *out, const struct timeline *v,
    const struct view_env *env, const struct trail_request *r,
    const struct trail_span *s)
{
	char a[UNITS_LEN], b[UNITS_LEN];

	text_addf(out, ", %s to ", format_time(a, s->taken_ns));
	if (s->end_ns == NSEC_NEVER)
		text_adds(out, "now");
	else
		text_addf(out, "%s (%s)", format_time(b, s->end_ns),
		    trail_leaving_name((enum leaving)s->leaving));
	text_adds(out, ": ");
	add_span_uses(out, v, env, r, s);
	text_addf(out, ", priority %d", r->priority);
}

/* Prints why the engine had no block at the cursor. */
static void
describe_no_block(
    const struct timeline *v, const struct view_env *env, struct text *out)
{
	const struct trail *t = trail_of(env);
	struct trail_range gaps = trail_gaps(
	    t, v->engine, v->cursor, v->cursor + 1);

	if (v->cursor > now_of(env))
		text_adds(out, "in the future");
	else if (gaps.first < gaps.end)
		text_adds(out, "free, but the requests for it are blocked");
	else
		text_adds(out,
		    v->cursor < trail_since(t) ? "no longer recorded" : "idle");
}

static void
describe_block(const struct timeline *v, const struct view_env *env,
    bool workload, struct text *out)
{
	const struct trail *t = trail_of(env);
	const struct trail_span *s = timeline_block(v, env);
	const struct trail_request *r = s != NULL ? trail_request(t, s->request)
						  : NULL;
	char buf[UNITS_LEN];

	text_addf(out, "%s  %s: ", format_time(buf, v->cursor),
	    device_of(env)->engines[v->engine].name);
	if (s == NULL)
		describe_no_block(v, env, out);
	else if (r == NULL)
		text_adds(out, "request no longer recorded");
	else {
		if (workload &&
		    layer_watch_at(&env->session->layer, t, s, v->cursor, out))
			text_adds(out, "; ");
		session_name_past(env->session, r, out);
		step_place_add_iteration(&r->place, r->iteration, out);
		add_times(out, v, env, r, s);
	}
}

void
timeline_draw_detail(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, bool workload)
{
	struct text t = {0};

	describe_block(v, env, workload, &t);
	put_cut(a, y, 0, a->r.w, ROLE_NORMAL, text_str(&t));
	text_free(&t);
}

/* Appends ", WHAT after 2.10ms" from the time of submission. */
static void
add_since_submit(struct text *out, const struct trail_request *r, nsec time,
    const char *what)
{
	char buf[UNITS_LEN];

	if (time == NSEC_NEVER)
		text_addf(out, ", not %s yet", what);
	else
		text_addf(out, ", %s after %s", what,
		    format_duration(buf, time - r->submit_ns));
}

/* Appends " (data of 1:2 L23)", the last that the request waited for. */
static void
add_ready_cause(
    struct text *out, const struct view_env *env, const struct trail_request *r)
{
	const struct trail_request *by = trail_request(
	    trail_of(env), r->ready_by);

	if (r->cause == TRAIL_NOTHING)
		return;
	text_addf(out, " (%s", trail_cause_name((enum trail_cause)r->cause));
	if (by != NULL) {
		struct batch_name name = batch_name_past(by);

		text_adds(out, " of ");
		batch_name_short(
		    &name, env->session->run.sim->n_clients > 1, out);
	}
	text_addc(out, ')');
}

static void
add_history(
    struct text *out, const struct view_env *env, const struct trail_request *r)
{
	char buf[UNITS_LEN];

	text_addf(out, "submitted at %s", format_time(buf, r->submit_ns));
	add_since_submit(out, r, r->ready_ns, "ready");
	add_ready_cause(out, env, r);
	add_since_submit(out, r, r->start_ns, "started");
	add_since_submit(out, r, r->end_ns, "ended");
}

static void
add_block_priority(struct text *out, const struct trail_request *r)
{
	char buf[UNITS_LEN];

	text_addf(out, "priority %d", r->priority);
	if (r->priority != r->submit_priority)
		text_addf(
		    out, " (inherited; its own is %d)", r->submit_priority);
	if (r->preemptions > 0)
		text_addf(out, ", preemptions: %u", r->preemptions);
	if (r->preempt_ns > 0)
		text_addf(out, ", can be preempted every %s",
		    format_duration(buf, r->preempt_ns));
	else
		text_adds(out, ", can't be preempted");
	if (r->error != 0)
		text_adds(out, ", failed");
}

/* Appends the span's time on the engine, and what it did in it. */
static void
add_here(struct text *out, const struct timeline *v, const struct view_env *env,
    const struct trail_request *r, const struct trail_span *s)
{
	char a[UNITS_LEN], b[UNITS_LEN];

	text_addf(out, "%s to %s: ", format_time(a, s->taken_ns),
	    s->end_ns == NSEC_NEVER ? "now" : format_time(b, s->end_ns));
	add_span_uses(out, v, env, r, s);
	if (s->end_ns != NSEC_NEVER)
		text_addf(
		    out, ", %s", trail_leaving_name((enum leaving)s->leaving));
}

/* Appends the poll of memory under the cursor, if it is in one. */
static void
add_poll_here(
    struct text *out, const struct timeline *v, const struct view_env *env)
{
	const struct trail *t = trail_of(env);
	struct trail_range polls = trail_polls(
	    t, v->engine, v->cursor, v->cursor + 1);
	const struct trail_poll *poll = trail_poll(t, v->engine, polls.first);

	if (polls.first == polls.end || poll == NULL || !poll->poll.known)
		return;
	text_adds(out, ", polls ");
	explain_poll(&poll->poll, out);
}

/* Draws the text in row *y and goes to the next. */
static void
put_panel_row(struct area *a, int *y, const char *title, struct text *row)
{
	put(a, *y, 0, TIMELINE_NAME_COLS, ROLE_LABEL, title);
	put_cut(a, (*y)++, TIMELINE_NAME_COLS, a->r.w - TIMELINE_NAME_COLS,
	    ROLE_NORMAL, text_str(row));
	text_clear(row);
}

static void
draw_panel_rows(const struct timeline *v, const struct view_env *env,
    struct area *a, int y, const struct trail_request *r,
    const struct trail_span *s)
{
	struct text t = {0};

	session_name_past(env->session, r, &t);
	put_panel_row(a, &y, "batch", &t);
	add_history(&t, env, r);
	put_panel_row(a, &y, "waits", &t);
	add_here(&t, v, env, r, s);
	add_poll_here(&t, v, env);
	put_panel_row(a, &y, "here", &t);
	add_block_priority(&t, r);
	put_panel_row(a, &y, "prio", &t);
	text_free(&t);
}

void
timeline_draw_panel(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	const struct trail_span *s = timeline_block(v, env);
	const struct trail_request *r = s != NULL
	    ? trail_request(trail_of(env), s->request)
	    : NULL;
	struct text title = {0};
	char buf[UNITS_LEN];

	text_addf(&title, "%s  %s: ", format_time(buf, v->cursor),
	    device_of(env)->engines[v->engine].name);
	if (s == NULL)
		describe_no_block(v, env, &title);
	else if (r == NULL)
		text_adds(&title, "request no longer recorded");
	else {
		text_addf(&title, "request %llu", (unsigned long long)r->id);
		step_place_add_iteration(&r->place, r->iteration, &title);
	}
	fill(a, y, 0, a->r.w, ROLE_TITLE);
	put(a, y, 0, a->r.w, ROLE_TITLE, text_str(&title));
	if (r != NULL)
		draw_panel_rows(v, env, a, y + 1, r, s);
	if (r != NULL && env->session->layer.layer != NULL)
		timeline_draw_workload(v, env, a, y + TIMELINE_PANEL_ROWS - 1);
	text_free(&title);
}

void
timeline_draw_workload(
    const struct timeline *v, const struct view_env *env, struct area *a, int y)
{
	const struct trail_span *s = timeline_block(v, env);
	struct text t = {0};

	put(a, y, 0, TIMELINE_NAME_COLS, ROLE_LABEL, "does");
	if (s != NULL &&
	    layer_watch_at(
		&env->session->layer, trail_of(env), s, v->cursor, &t))
		put(a, y, TIMELINE_NAME_COLS, a->r.w, ROLE_ANNOTATION,
		    text_str(&t));
	text_free(&t);
}
