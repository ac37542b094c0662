/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Branches: runs that were left for another one, because of a change in the past
 * or because the user returned to one of them. A branch has all of its inputs and
 * its end, so that it is as it was left. For outputs and error states a switch is
 * a launch: they go on with the other run, from its time on. A recording begins
 * again with the launch, and has what was done in that run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "run/hang_dump/hang_dump.h"
#include "run/live/history_private.h"

/* Returns a copy of the first n inputs. */
static struct run_line
copy_inputs(const struct run_line *from, size_t n)
{
	struct run_line t = {.n = n, .cap = n};

	t.inputs = mem_calloc(n + 1, sizeof(*t.inputs));
	for (size_t i = 0; i < n; i++)
		t.inputs[i] = input_ref(from->inputs[i]);
	return t;
}

static size_t
count_controls(const struct run_line *t, size_t n)
{
	size_t controls = 0;

	while (n-- > 0)
		controls += t->inputs[n]->kind == INPUT_CONTROL;
	return controls;
}

/* Appends what was changed since an input. */
static void
add_changes(const struct run_line *t, size_t from, struct text *out)
{
	size_t start = out->len;

	for (size_t i = from; i < t->n; i++)
		if (t->inputs[i]->kind == INPUT_CHANGE)
			text_addf(out, "%s%s", out->len > start ? "; " : "",
			    text_str(&t->inputs[i]->what));
	if (out->len == start)
		text_adds(out, "nothing was changed");
}

/* Returns the number of inputs that both have. */
static size_t
common_inputs(const struct run_line *a, const struct run_line *b)
{
	size_t n = 0;

	while (n < a->n && n < b->n && a->inputs[n] == b->inputs[n])
		n++;
	return n;
}

/* Detaches what the session and its user have attached to the run of the present,
 * which ends for them. */
static void
leave_run(struct session *s)
{
	layer_watch_leave(&s->layer);
	if (s->hang_dump != NULL)
		hang_dump_leave(s->hang_dump);
	inflight_end(&s->inflight);
	ban_notice_end(&s->bans);
	hang_history_end(&s->hangs);
	if (s->baseline.kind != BASELINE_TRACE)
		session_forget_baseline(s);
}

static void
enter_run(
    struct session *s, const struct moment *m, const struct changes *changes)
{
	inflight_begin(&s->inflight, &s->run);
	ban_notice_begin(&s->bans, s->run.sim);
	hang_history_begin(&s->hangs, &s->run, s->plan);
	moment_restore_run(s, m);
	moment_restore_news(s, m, changes);
	layer_watch_begin(&s->layer, &s->run);
	if (s->hang_dump != NULL)
		hang_dump_watch(s->hang_dump, &s->run, s->plan);
}

size_t
history_branch_bytes(const struct history *h)
{
	size_t bytes = 0;

	for (size_t i = 0; i < h->n_branches; i++)
		if (h->branches[i]->end != NULL)
			bytes += h->branches[i]->end->size;
	return bytes;
}

/* Forgets the oldest branches whose ends are too much; the newest one stays. */
static void
forget_branches(struct history *h)
{
	while (h->n_branches > 1 &&
	    history_branch_bytes(h) > HISTORY_BRANCH_BYTES) {
		run_line_free(h->branches[0]);
		free(h->branches[0]);
		memmove(h->branches, h->branches + 1,
		    --h->n_branches * sizeof(*h->branches));
		h->n_forgotten++;
	}
}

/* Makes a branch of the run of the session, which is in the present. Returns it. */
static struct run_line *
leave_line(struct session *s)
{
	struct history *h = s->past;
	struct run_line *t = mem_calloc(1, sizeof *t);
	struct moment *end = moment_take(s);

	*t = h->line;
	h->line = (struct run_line){0};
	t->number = t->number != 0 ? t->number : ++h->n_left;
	t->end = end;
	t->at_end = changes_sums(s->run.sim);
	t->changes = s->changes;
	t->changes.noted = NULL;
	s->changes = (struct changes){.noted = s->changes.noted};
	if (s->recorder != NULL)
		recorder_copy_lines(s->recorder, &t->recorded);
	h->branches = mem_grow(
	    h->branches, h->n_branches, &h->cap_branches, sizeof(*h->branches));
	h->branches[h->n_branches++] = t;
	return t;
}

/* Makes t, with the run of m, the run of the session, which is in the present;
 * the one it is on becomes a branch. Takes t over. */
static void
history_switch(struct session *s, struct run_line *t, const struct moment *m)
{
	struct history *h = s->past;
	bool again = t->end != NULL;
	struct run_line *left;

	h->next = h->line.n;
	left = leave_line(s);
	leave_run(s);
	if (s->recorder != NULL)
		recorder_again(s->recorder,
		    again ? &t->recorded : &left->recorded,
		    count_controls(t, t->n));
	h->line = *t;
	*t = (struct run_line){0};
	h->repeats = true;
	enter_run(s, m, again ? &h->line.changes : &left->changes);
	h->repeats = false;
	h->next = h->line.n;
	moment_free(h->line.end);
	h->line.end = NULL;
	changes_free(&h->line.changes);
	recorded_lines_free(&h->line.recorded);
	history_plan_moment(s, m);
	forget_branches(h);
	history_thin_moments(h);
}

/* Sources that were opened later in the run that was left, up to n_sources, have
 * a workload, which waits, so that workloads and sources have the same numbers. */
static void
add_branch_workloads(struct session *s, size_t n_sources)
{
	for (size_t i = s->run.sim->n_workloads; i < n_sources; i++) {
		struct source *from = &s->plan->sources[i];
		struct program *none = plan_placeholder(s->plan);
		struct control control = {
		    .kind = CONTROL_ADD,
		    .workload = (uint32_t)i,
		    .program = none,
		    .name = from->name,
		    .source = from,
		};
		struct text err = {0};

		run_control(&s->run, &control, &err);
		program_free(none);
		text_free(&err);
	}
}

/* A branch begins here. */
static void
note_fork(struct session *s)
{
	struct history *h = s->past;

	h->forks = mem_grow(
	    h->forks, h->n_forks, &h->cap_forks, sizeof(*h->forks));
	h->forks[h->n_forks++] = (struct run_fork){
	    .n = h->next,
	    .last = h->next > 0 ? input_ref(h->line.inputs[h->next - 1]) : NULL,
	    .place = place_now(s),
	    .sums = changes_sums(s->run.sim),
	};
}

/* Returns the last place that is known to be one of both runs. */
static const struct run_fork *
find_fork(
    const struct history *h, const struct run_line *a, const struct run_line *b)
{
	size_t n = common_inputs(a, b);
	const struct input *last = n > 0 ? a->inputs[n - 1] : NULL;
	const struct run_fork *found = NULL;

	for (size_t i = 0; i < h->n_forks; i++) {
		const struct run_fork *f = &h->forks[i];

		if (f->n == n && f->last == last &&
		    (found == NULL || place_is_before(f->place, found->place)))
			found = f;
	}
	return found;
}

/* The documents stay as they are: one of them may be what has changed. */
void
history_change(struct session *s)
{
	struct history *h = s->past;
	uint64_t n_jumps = s->n_jumps;
	struct moment *here;
	struct run_line t;
	size_t n_sources;

	if (h == NULL || !h->past)
		return;
	here = moment_take(s);
	t = copy_inputs(&h->line, h->next);
	note_fork(s);
	history_bring_present_back(s);
	moment_free(h->present.end);
	h->present.end = NULL;
	/* The change may be a source that was just added to the plan. */
	n_sources = s->run.sim->n_workloads;
	history_switch(s, &t, here);
	s->n_jumps = n_jumps; /* it is the same instant */
	history_add_moment(h, here);
	add_branch_workloads(s, n_sources);
	s->clock.paused = true;
}

void
history_follow(struct session *s)
{
	struct history *h = s->past;

	if (h == NULL)
		return;
	/* A recorded GPU takes no changes: the texts are what they were. */
	if (h->past && history_is_unsettled(s)) {
		if (session_is_of_recorded_gpu(s))
			history_restore_plan(s, h->next);
		else
			history_change(s);
	}
	history_settle(s);
	history_take_due(s);
}

size_t
session_n_branches(const struct session *s)
{
	return s->past != NULL ? s->past->n_branches : 0;
}

unsigned
session_n_forgotten_branches(const struct session *s)
{
	return s->past != NULL ? s->past->n_forgotten : 0;
}

struct branch_view
session_branch(const struct session *s, size_t i)
{
	const struct history *h = s->past;
	const struct run_line *t = h->branches[i];
	static const struct run_fork launch = {0};
	const struct run_fork *fork = find_fork(h, t, &h->line);
	struct run_sums now = h->past ? h->present.sums
				      : changes_sums(s->run.sim);

	if (fork == NULL)
		fork = &launch;
	return (struct branch_view){
	    .number = t->number,
	    .fork = fork->place.at,
	    .end = t->end->place.at,
	    .figures = changes_between(&fork->sums, &t->at_end),
	    .mine = changes_between(&fork->sums, &now),
	};
}

void
session_add_branch_changes(
    const struct session *s, size_t i, bool mine, struct text *out)
{
	const struct history *h = s->past;
	const struct run_line *t = h->branches[i];

	add_changes(mine ? &h->line : t, common_inputs(t, &h->line), out);
}

static size_t
find_branch(const struct history *h, unsigned number)
{
	size_t i = 0;

	while (i < h->n_branches && h->branches[i]->number != number)
		i++;
	return i;
}

bool
session_take_branch(
    struct session *s, nsec wall, unsigned number, struct text *err)
{
	struct history *h = s->past;
	struct run_line *t;
	struct moment *end;
	size_t i;

	if (!session_may_travel(s, err))
		return false;
	i = find_branch(h, number);
	if (i == h->n_branches) {
		text_addf(
		    err, "there is no branch %u: :branches lists them", number);
		return false;
	}
	session_return(s, wall);
	session_pause(s, wall, true);
	history_follow(s);
	t = h->branches[i];
	memmove(h->branches + i, h->branches + i + 1,
	    (--h->n_branches - i) * sizeof(*h->branches));
	end = t->end;
	end->refs++;
	history_switch(s, t, end);
	free(t);
	history_restore_plan(s, h->line.n);
	add_branch_workloads(s, s->plan->n_sources);
	moment_free(end);
	clock_rebase(&s->clock, wall, s->run.sim->now);
	return true;
}
