/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command :tune: searches the fewest edits with which a goal holds, beside the
 * session (decision.h), and makes them, as one that can be undone.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "decide/tune.h"
#include "decide/variant.h"
#include "report/page.h"
#include "run/live/tweak.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/decision.h"
#include "tui/console/ui.h"
#include "tui/views/page.h"
#include "tui/views/plot.h"

#define DEFAULT_SEEDS 3

struct tuning {
	struct tune_question question;
	struct tune_kept *keep;
	struct plot_point *points; /* sets that were run, in order */
	size_t n, cap;
	struct text progress, answer; /* lines */
	enum tune_outcome outcome;
	struct tune_set set; /* the answer; before it, what comes nearest */
	struct violation nearest; /* of set, on the first seed */
	uint64_t *states; /* of the documents when it began, by source */
	size_t n_states;
};

/* A record of its process: a set with the first seed. */
struct tuning_set {
	struct plot_point point;
	struct tune_set set;
	struct violation violation;
};

/* A record of its process, when the search is over; lines of the answer follow. */
struct tuning_end {
	enum tune_outcome outcome;
	struct tune_set set;
};

void
tuning_free(struct tuning *t)
{
	if (t == NULL)
		return;
	free(t->keep);
	free(t->points);
	free(t->states);
	text_free(&t->progress);
	text_free(&t->answer);
	free(t);
}

/* In the process of the search. */

/* Returns the figure of the goal's first condition, times in ms. */
static double
tuned_figure(const struct goal *goal, const struct trial_figures *f)
{
	const struct condition *c = &goal->list[0];

	return goal_value(c, f) / decision_plot_unit(c);
}

/* Sends the first seed of each set that is new, in order. */
static void
send_sets(const struct tune *t, size_t *sent, int fd)
{
	for (; *sent < t->n_results && t->results[*sent].known; ++*sent) {
		const struct tune_result *r = &t->results[*sent];
		struct tuning_set sent_set = {
		    .point.bad = r->violation.n > 0,
		    .set = r->set,
		    .violation = r->violation,
		};
		struct text record = {0};

		if (r->seed != 0 || r->failed)
			continue;
		sent_set.point.y = tuned_figure(t->question.goal, &r->figures);
		text_addc(&record, 'S');
		text_add(&record, (const char *)&sent_set, sizeof sent_set);
		aside_send(fd, record.data, record.len);
		text_free(&record);
	}
}

static void
send_progress(const struct tune *t, int fd)
{
	struct text record = {0};

	text_addc(&record, 'P');
	tune_add_progress(t, &record);
	aside_send(fd, record.data, record.len);
	text_free(&record);
}

static void
send_tuning(const struct tune *t, int fd)
{
	struct tuning_end end = {.outcome = t->outcome, .set = t->best};
	struct text record = {0};

	text_addc(&record, 'A');
	text_add(&record, (const char *)&end, sizeof end);
	tune_print(t, &record);
	aside_send(fd, record.data, record.len);
	text_free(&record);
}

static void
work_on_tuning(void *data, int fd)
{
	struct decision *d = data;
	struct text err = {0}, html = {0};
	struct tune_run *run;
	struct tune t;
	size_t sent = 0;

	d->plan->stop = NULL;
	tune_begin(&t, &d->tuning->question, d->plan);
	run = tune_run_begin(&t, d->plan, decision_jobs(d));
	while (t.outcome == TUNE_SEARCHES && err.len == 0) {
		tune_step(run, -1, &err);
		send_sets(&t, &sent, fd);
		send_progress(&t, fd);
	}
	if (t.error != NULL)
		text_adds(&err, t.error);
	if (err.len > 0) {
		decision_send_error(text_str(&err), fd);
	} else {
		page_of_tune(&t, d->plan, text_str(&d->command), &html);
		decision_send_page(&html, fd);
		send_tuning(&t, fd);
	}
	tune_run_end(run);
}

/* Taking over what it sends. */

static void
take_set(struct tuning *t, const struct tuning_set *s)
{
	t->points = mem_grow(t->points, t->n, &t->cap, sizeof *t->points);
	t->points[t->n] = s->point;
	t->points[t->n].x = (double)t->n;
	if (t->n == 0 || violation_compare(s->violation, t->nearest) < 0) {
		t->set = s->set;
		t->nearest = s->violation;
	}
	t->n++;
}

void
tuning_take(struct tuning *t, const struct text *record)
{
	const char *bytes = record->data + 1;
	struct tuning_end end;
	struct tuning_set s;

	if (record->data[0] == 'S') {
		memcpy(&s, bytes, sizeof s);
		take_set(t, &s);
	} else if (record->data[0] == 'P') {
		text_clear(&t->progress);
		text_add(&t->progress, bytes, record->len - 1);
	} else {
		memcpy(&end, bytes, sizeof end);
		t->outcome = end.outcome;
		t->set = end.set;
		text_adds(&t->answer, bytes + sizeof end);
	}
}

bool
tuning_is_complete(const struct tuning *t)
{
	return t->outcome != TUNE_SEARCHES;
}

void
tuning_answer(const struct tuning *t, struct text *out)
{
	size_t n = t->set.n;

	if (t->outcome == TUNE_FOUND)
		text_addf(out,
		    "the goal holds with %zu edit%s: :tune apply makes %s", n,
		    n == 1 ? "" : "s", n == 1 ? "it" : "them");
	else if (t->outcome == TUNE_HOLDS)
		text_adds(out, "the goal holds: no edit is needed");
	else if (t->outcome == TUNE_NOT_MET)
		text_adds(
		    out, "goal not met: :tune show has what comes nearest");
	else if (t->progress.len == 0)
		text_adds(out, "no run has ended yet");
	else
		text_adds(out, text_str(&t->progress));
	if (t->outcome == TUNE_SEARCHES && n > 0)
		text_addf(out, "; :tune apply makes %s",
		    n == 1 ? "its edit" : "its edits");
}

/* The page. */

static void
add_tuning_question(struct page *p, const struct decision *d)
{
	const struct tune_question *q = &d->tuning->question;
	struct text line = {0};

	for (size_t i = 0; i < d->goal.n; i++)
		text_addf(
		    &line, "%s%s", i > 0 ? ", " : "", d->goal.list[i].text);
	text_addf(&line, "; %u seed%s from %u; ", q->seeds,
	    q->seeds == 1 ? "" : "s", d->plan->seed);
	for (unsigned i = 0; i < N_TUNE_KINDS; i++)
		if (q->kinds >> i & 1)
			text_addf(&line, "%s%s",
			    (q->kinds & ((1u << i) - 1)) != 0 ? "," : "",
			    tune_kind_name((enum tune_kind)i));
	if (d->options.keep != NULL)
		text_addf(&line, "; kept: %s", d->options.keep);
	page_add(p, ROLE_LABEL, text_str(&line), NULL);
	text_free(&line);
}

static void
add_tuning_plot(struct page *p, const struct ui *ui, const struct decision *d)
{
	const struct condition *c = &d->goal.list[0];
	struct text name = {0};
	struct plot plot = {.points = d->tuning->points,
	    .n = d->tuning->n,
	    .x_name = "set",
	    .has_limit = true,
	    .limit = c->limit / decision_plot_unit(c)};

	if (plot.n == 0)
		return;
	decision_add_figure(c, &name);
	text_adds(&name, ", by set of edits (0: none)");
	plot.y_name = text_str(&name);
	decision_size_plot(ui, &plot);
	plot_add(p, &plot);
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&name);
}

void
tuning_add(struct page *p, const struct ui *ui, const struct decision *d)
{
	const struct tuning *t = d->tuning;
	struct text line = {0};

	add_tuning_question(p, d);
	if (d->aside != NULL)
		text_addf(&line, "searching: %s; :tune stop ends it",
		    t->progress.len > 0 ? text_str(&t->progress) : "0 runs");
	else if (t->answer.len == 0 || t->outcome == TUNE_FOUND)
		decision_answer(d, &line);
	if (line.len > 0) {
		page_add_text(p, text_str(&line));
		page_add(p, ROLE_NORMAL, "", NULL);
	}
	if (t->answer.len > 0) {
		page_add_text(p, text_str(&t->answer));
		page_add(p, ROLE_NORMAL, "", NULL);
	}
	add_tuning_plot(p, ui, d);
	text_free(&line);
}

/* Commands. */

/* A word is kinds of edits, an option, or the goal. */
static bool
take_tune_word(struct decision *d, const char *word, struct text *err)
{
	struct text ignored = {0};
	unsigned kinds;
	bool taken = tune_read_kinds(word, &kinds, &ignored);

	text_free(&ignored);
	if (taken)
		d->tuning->question.kinds = kinds;
	else if (!decision_take_option(d, word, err) && err->len == 0)
		d->options.goal = word;
	return err->len == 0;
}

/* Remembers the documents: their lines are what edits refer to. */
static void
note_states(struct tuning *t, const struct plan *plan)
{
	t->n_states = plan->n_sources;
	t->states = mem_calloc(t->n_states + 1, sizeof *t->states);
	for (size_t i = 0; i < t->n_states; i++)
		t->states[i] = document_state(plan->sources[i].doc);
}

static bool
prepare_tuning(struct decision *d, const char *typed, struct text *err)
{
	struct tuning *t = mem_calloc(1, sizeof *t);
	struct options *o = &d->options;

	d->tuning = t;
	t->question.kinds = TUNE_ALL;
	if (!decision_take_words(d, typed, take_tune_word, err) ||
	    !goal_for(&d->goal, o->goal, d->plan, err) ||
	    !tune_read_keep(
		o->keep, d->plan, &t->keep, &t->question.n_keep, err))
		return false;
	t->question.keep = t->keep;
	t->question.seeds = o->seeds > 0 ? o->seeds : DEFAULT_SEEDS;
	t->question.warmup = o->warmup;
	t->question.end = variant_end(o);
	note_states(t, d->plan);
	return true;
}

/* The goal is in ui when the process starts. */
static void
begin_tuning(void *data, int fd)
{
	struct decision *d = data;

	d->tuning->question.goal = &d->goal;
	work_on_tuning(d, fd);
}

static bool
start_tuning(struct ui *ui, const char *typed, struct text *err)
{
	struct decision d;

	if (decision_open(ui, &d, DECISION_TUNE, err) &&
	    prepare_tuning(&d, typed, err))
		return decision_start(ui, &d, begin_tuning, err);
	decision_free(&d);
	return false;
}

/* True if the documents are those that were searched. */
static bool
documents_are_same(const struct tuning *t, const struct plan *plan)
{
	if (t->n_states != plan->n_sources)
		return false;
	for (size_t i = 0; i < t->n_states; i++)
		if (t->states[i] != document_state(plan->sources[i].doc))
			return false;
	return true;
}

/* Makes the edits of one document. */
struct tuned_edits {
	struct tune tune; /* its targets */
	const struct tune_set *set;
};

static bool
edit_tuned_document(
    struct document *doc, size_t source, void *arg, struct text *err)
{
	const struct tuned_edits *e = arg;

	return tune_apply_to(&e->tune, e->set, source, doc, err);
}

/* Makes the edits, one undo step of each document. */
static bool
make_edits(struct ui *ui, struct text *err)
{
	struct tuning *t = ui->decision.tuning;
	struct tuned_edits e = {.set = &t->set};
	struct text words = {0}, said = {0};
	bool ok;

	t->question.goal = &ui->decision.goal;
	tune_open(&e.tune, &t->question, ui->session->plan);
	for (size_t i = 0; i < t->set.n; i++) {
		text_adds(&words, i > 0 ? "; " : "");
		tune_add_edit(&e.tune, &t->set.list[i], &words);
	}
	ok = session_edit_documents(
	    ui->session, edit_tuned_document, &e, LIVE_IN_PLACE, &said);
	if (ok) {
		text_addf(&words, "%s; u undoes it", text_str(&said));
		ui_open_page(ui, NULL);
		ui_say_change(ui, text_str(&words));
	} else {
		text_adds(err, text_str(&said));
	}
	tune_free(&e.tune);
	text_free(&words);
	text_free(&said);
	return ok;
}

/* True if there are edits to make: an answer, or what a search that was stopped has
 * come nearest with. */
static bool
has_edits(const struct decision *d)
{
	const struct tuning *t = d->tuning;

	return t->outcome == TUNE_FOUND ||
	    (t->outcome == TUNE_SEARCHES && d->aside == NULL && t->set.n > 0);
}

static bool
apply_tuning(struct ui *ui, struct text *err)
{
	struct decision *d = &ui->decision;

	if (d->kind != DECISION_TUNE || !has_edits(d)) {
		text_adds(err, "no edits are known: :tune searches them");
		return false;
	}
	if (!documents_are_same(d->tuning, ui->session->plan)) {
		text_adds(err,
		    "the descriptor has changed since the search: :tune searches "
		    "again");
		return false;
	}
	return make_edits(ui, err);
}

bool
cmd_tune(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const char *rest;
	bool over;

	(void)arg;
	if (decision_after_word(typed, "stop") != NULL)
		return decision_stop(ui, DECISION_TUNE, err);
	if (decision_after_word(typed, "show") != NULL)
		return decision_show_again(ui, DECISION_TUNE, ":tune", err);
	if (decision_after_word(typed, "apply") != NULL)
		return apply_tuning(ui, err);
	if (decision_asks_report(typed, &rest, &over))
		return decision_report(ui, DECISION_TUNE, rest, over, err);
	return start_tuning(ui, typed, err);
}
