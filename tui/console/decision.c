/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The commands :capacity and :sweep: starts them, and takes over what they find.
 */
#include "tui/console/decision.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "decide/jobs.h"
#include "decide/mix.h"
#include "decide/variant.h"
#include "report/page.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

#define BLANKS          " \t"
#define DEFAULT_SEEDS   3
#define MOST_SWEEP_ROWS 2000

const char *
decision_name(enum decision_kind kind)
{
	static const char *const names[] = {
	    [DECISION_CAPACITY] = "capacity",
	    [DECISION_SWEEP] = "sweep",
	    [DECISION_TUNE] = "tune",
	};

	return names[kind];
}

void
decision_free(struct decision *d)
{
	aside_stop(d->aside);
	text_free(&d->error);
	text_free(&d->words);
	text_free(&d->command);
	text_free(&d->html);
	free(d->profile);
	free(d->mix);
	capacity_free(&d->capacity);
	sweep_free(&d->sweep);
	tuning_free(d->tuning);
	text_free(&d->header);
	text_free(&d->rows);
	*d = (struct decision){0};
}

/* Words as they are typed. */

/* Cuts the next word off s, in place; NULL: none is left. */
static char *
next_word(char **s)
{
	char *word = *s + strspn(*s, BLANKS);
	size_t len = strcspn(word, BLANKS);

	if (len == 0)
		return NULL;
	*s = word + len + (word[len] != '\0');
	word[len] = '\0';
	return word;
}

bool
decision_take_option(struct decision *d, const char *word, struct text *err)
{
	static const char *const names[] = {"goal", "seeds", "max-clients",
	    "warmup", "jobs", "duration", "keep"};

	word += strncmp(word, "--", 2) == 0 ? 2 : 0;
	for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
		size_t len = strlen(names[i]);

		if (strncmp(word, names[i], len) == 0 && word[len] == '=')
			return options_set(
			    &d->options, names[i], word + len + 1, err);
	}
	return false;
}

static bool
take_capacity_word(struct decision *d, const char *word, struct text *err)
{
	if (decision_take_option(d, word, err))
		return true;
	if (err->len == 0)
		d->options.goal = word;
	return err->len == 0;
}

static bool
take_sweep_word(struct decision *d, const char *word, struct text *err)
{
	if (decision_take_option(d, word, err))
		return true;
	return err->len == 0 && sweep_add(&d->sweep, word, err);
}

bool
decision_take_words(struct decision *d, const char *typed,
    bool (*take)(struct decision *, const char *, struct text *),
    struct text *err)
{
	const char *program = d->options.command;
	char *s, *word;

	text_addf(&d->command, "%s  :%s%s%s", program != NULL ? program : "",
	    decision_name(d->kind), *typed != '\0' ? " " : "", typed);
	text_adds(&d->words, typed);
	if (d->words.len == 0)
		return true;
	for (s = d->words.data; (word = next_word(&s)) != NULL;)
		if (!take(d, word, err))
			return false;
	return true;
}

/* The options of the session as it is now, but for its profile. */
static struct options
options_now(const struct session *s, size_t source)
{
	const struct plan *plan = s->plan;
	struct options o = *s->options;
	struct text unused = {0};

	o.scheduler = sched_of(&plan->profile, SCHED_OF_PROFILE, &unused) ==
		plan->sched
	    ? SCHED_OF_PROFILE
	    : plan->sched->name;
	o.clients = plan->sources[source].clones;
	o.seed = plan->seed;
	text_free(&unused);
	return o;
}

bool
decision_open(struct ui *ui, struct decision *d, enum decision_kind kind,
    struct text *err)
{
	const struct session *s = ui->session;
	const char *problem;
	size_t source = plan_document(s->plan, ui->selection.source);

	*d = (struct decision){.kind = kind, .plan = s->plan, .source = source};
	if (ui->decision.aside != NULL) {
		text_addf(err, "a %s runs already: :%s stop ends it",
		    ui->decision.kind == DECISION_SWEEP ? "sweep" : "search",
		    decision_name(ui->decision.kind));
		return false;
	}
	if (session_is_replayed(s) || session_is_on_gpu(s)) {
		text_adds(err,
		    "runs for decisions are made of descriptors, on the model: "
		    "run them without -D and --replay");
		return false;
	}
	if (s->plan->sources[source].waiting) {
		problem = session_document_problem(s, source);
		text_addf(err, "the descriptor does not run: %s",
		    problem != NULL ? problem : "it has no batch yet");
		return false;
	}
	d->options = options_now(s, source);
	if (s->profile_file != NULL) {
		d->profile = mem_strdup(s->profile_file);
		d->options.profile = d->profile;
	}
	return true;
}

/* Clients of the shown descriptor are counted, beside those that others have. */
static void
set_mix(struct decision *d)
{
	const struct plan *plan = d->plan;

	d->mix = mem_calloc(plan->n_sources + 1, sizeof *d->mix);
	for (size_t i = 0; i < plan->n_sources; i++) {
		if (i == d->source)
			d->mix[i].factor = 1;
		else if (plan_document(plan, i) != d->source)
			d->mix[i].fixed = plan->sources[i].clones;
	}
}

/* In the process of the search: sends the counts that are new. */
static void
send_counts(struct decision *d, int fd)
{
	struct text record = {0};

	for (size_t i = 0; i < d->capacity.n_tried; i++) {
		const struct tried *t = &d->capacity.tried[i];

		if (capacity_tried(&d->sent, t->count) != NULL)
			continue;
		capacity_add(&d->sent, t);
		text_clear(&record);
		text_addc(&record, 'T');
		text_add(&record, (const char *)t, sizeof *t);
		aside_send(fd, record.data, record.len);
	}
	text_free(&record);
}

/* Sends a record of that kind. */
static void
send_text(char kind, const char *s, int fd)
{
	struct text record = {0};

	text_addc(&record, kind);
	text_adds(&record, s);
	aside_send(fd, record.data, record.len);
	text_free(&record);
}

void
decision_send_page(struct text *html, int fd)
{
	send_text('H', text_str(html), fd);
	text_free(html);
}

void
decision_send_error(const char *why, int fd)
{
	send_text('E', why, fd);
}

unsigned
decision_jobs(const struct decision *d)
{
	return d->options.jobs > 0 ? d->options.jobs : jobs_processors();
}

/* Pages are sent before what completes the answer. */
static void
send_capacity_page(const struct decision *d, int fd)
{
	struct text html = {0};

	page_of_capacity(&d->capacity, d->plan, text_str(&d->command), &html);
	decision_send_page(&html, fd);
}

static void
work_on_capacity(void *data, int fd)
{
	struct decision *d = data;
	struct text err = {0};
	struct capacity_run *run;

	d->plan->stop = NULL;
	run = capacity_begin(&d->capacity, d->plan, decision_jobs(d));
	while (!capacity_is_done(run) && err.len == 0) {
		capacity_step(run, -1, &err);
		if (d->capacity.error != NULL)
			text_adds(&err, d->capacity.error);
		else if (capacity_is_done(run))
			send_capacity_page(d, fd);
		send_counts(d, fd);
	}
	if (err.len > 0)
		decision_send_error(text_str(&err), fd);
	capacity_end(run);
}

static void
send_sweep_page(const struct decision *d, const struct text *rows, int fd)
{
	struct text html = {0};

	page_of_sweep(text_str(rows), sweep_n_rows(&d->sweep), d->plan,
	    text_str(&d->command), &html);
	decision_send_page(&html, fd);
}

static void
work_on_sweep(void *data, int fd)
{
	struct decision *d = data;
	struct text lines = {0}, all = {0}, err = {0};
	struct sweep_run *run;

	d->plan->stop = NULL;
	text_adds(&all, text_str(&d->header));
	run = sweep_begin(&d->sweep, d->plan, &d->options, 0,
	    sweep_n_rows(&d->sweep), decision_jobs(d));
	while (!sweep_is_done(run) && err.len == 0) {
		text_clear(&lines);
		sweep_step(run, -1, &lines, &err);
		if (lines.len == 0)
			continue;
		text_adds(&all, text_str(&lines));
		if (sweep_is_done(run))
			send_sweep_page(d, &all, fd);
		send_text('L', text_str(&lines), fd);
	}
	if (err.len > 0)
		decision_send_error(text_str(&err), fd);
	sweep_end(run);
}

bool
decision_start(
    struct ui *ui, struct decision *d, aside_work work, struct text *err)
{
	decision_free(&ui->decision);
	ui->decision = *d;
	d = &ui->decision;
	d->capacity.question.goal = &d->goal;
	d->capacity.question.mix = d->mix;
	d->aside = aside_start(work, d, err);
	if (d->aside == NULL)
		return false;
	decision_show(ui);
	return true;
}

static bool
prepare_capacity(struct decision *d, const char *typed, struct text *err)
{
	struct options *o = &d->options;

	if (!decision_take_words(d, typed, take_capacity_word, err) ||
	    !goal_for(&d->goal, o->goal, d->plan, err))
		return false;
	set_mix(d);
	d->capacity.question = (struct capacity_question){
	    .most = o->max_clients,
	    .seeds = o->seeds > 0 ? o->seeds : DEFAULT_SEEDS,
	    .warmup = o->warmup,
	    .end = variant_end(o),
	};
	return true;
}

static bool
start_capacity(struct ui *ui, const char *typed, struct text *err)
{
	struct decision d;

	if (decision_open(ui, &d, DECISION_CAPACITY, err) &&
	    prepare_capacity(&d, typed, err))
		return decision_start(ui, &d, work_on_capacity, err);
	decision_free(&d);
	return false;
}

static bool
prepare_sweep(struct decision *d, const char *typed, struct text *err)
{
	if (!decision_take_words(d, typed, take_sweep_word, err))
		return false;
	if (d->plan->n_sources > 1 && sweep_has(&d->sweep, "clients")) {
		text_adds(
		    err, "clients can be varied with one descriptor only");
		return false;
	}
	if (sweep_n_rows(&d->sweep) > MOST_SWEEP_ROWS) {
		text_addf(err,
		    "too many combinations: expected at most %d here; "
		    "gpuwl-top -b --sweep makes more",
		    MOST_SWEEP_ROWS);
		return false;
	}
	sweep_find_engines(&d->sweep, &d->options);
	sweep_print_header(&d->sweep, &d->header);
	strcpy(d->column, "workloads_s");
	return true;
}

static bool
start_sweep(struct ui *ui, const char *typed, struct text *err)
{
	struct decision d;

	if (decision_open(ui, &d, DECISION_SWEEP, err) &&
	    prepare_sweep(&d, typed, err))
		return decision_start(ui, &d, work_on_sweep, err);
	decision_free(&d);
	return false;
}

/* Taking over what was found. */

int
decision_fd(const struct ui *ui)
{
	const struct decision *d = &ui->decision;

	return d->aside != NULL ? aside_fd(d->aside) : -1;
}

static void
end_decision(struct decision *d)
{
	aside_stop(d->aside);
	d->aside = NULL;
}

static void
take_record(struct decision *d, const struct text *record)
{
	struct tried t;

	if (d->kind == DECISION_TUNE && strchr("EH", record->data[0]) == NULL) {
		tuning_take(d->tuning, record);
		return;
	}
	switch (record->data[0]) {
	case 'T':
		memcpy(&t, record->data + 1, sizeof t);
		capacity_add(&d->capacity, &t);
		break;
	case 'L':
		for (size_t i = 1; i < record->len; i++)
			d->n_rows += record->data[i] == '\n';
		text_add(&d->rows, record->data + 1, record->len - 1);
		break;
	case 'H': text_add(&d->html, record->data + 1, record->len - 1); break;
	default: text_adds(&d->error, record->data + 1); break;
	}
}

static void
say_decision_end(struct ui *ui)
{
	struct decision *d = &ui->decision;
	struct text said = {0};

	if (ui->page != NULL && ui->page == d->page)
		return; /* which says it */
	decision_answer(d, &said);
	ui_say(ui, d->error.len > 0 ? ROLE_BAD : ROLE_NORMAL, "%.*s",
	    (int)strcspn(text_str(&said), "\n"), text_str(&said));
	text_free(&said);
}

/* True if all is known, whether the process has said so or not. */
static bool
is_complete(const struct decision *d)
{
	if (d->html.len == 0)
		return false;
	if (d->kind == DECISION_SWEEP)
		return d->n_rows == sweep_n_rows(&d->sweep);
	if (d->kind == DECISION_TUNE)
		return tuning_is_complete(d->tuning);
	return capacity_next(&d->capacity) == 0;
}

bool
decision_work(struct ui *ui)
{
	struct decision *d = &ui->decision;
	struct text record = {0};
	enum aside_got got = d->aside != NULL ? aside_take(d->aside, &record)
					      : ASIDE_NOTHING;

	if (got == ASIDE_RECORD)
		take_record(d, &record);
	else if (got == ASIDE_DIED)
		text_add(&d->error, record.data, record.len);
	text_free(&record);
	if (got == ASIDE_END || got == ASIDE_DIED ||
	    (got == ASIDE_RECORD && is_complete(d))) {
		end_decision(d);
		say_decision_end(ui);
	}
	if (got != ASIDE_NOTHING)
		decision_follow(ui, true);
	return got != ASIDE_NOTHING;
}

bool
decision_stop(struct ui *ui, enum decision_kind kind, struct text *err)
{
	struct decision *d = &ui->decision;

	if (d->kind != kind || d->aside == NULL) {
		text_adds(err, "nothing runs that could be stopped");
		return false;
	}
	end_decision(d);
	d->stopped = true;
	decision_show(ui);
	return true;
}

bool
decision_show_again(struct ui *ui, enum decision_kind kind, const char *example,
    struct text *err)
{
	if (ui->decision.kind == kind) {
		decision_show(ui);
		return true;
	}
	text_addf(err, "nothing was searched yet, e.g. %s", example);
	return false;
}

const char *
decision_after_word(const char *typed, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(typed, word, len) != 0 ||
	    (typed[len] != '\0' && strchr(BLANKS, typed[len]) == NULL))
		return NULL;
	return typed + len + strspn(typed + len, BLANKS);
}

bool
cmd_capacity(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const char *rest;
	bool over;

	(void)arg;
	if (decision_after_word(typed, "stop") != NULL)
		return decision_stop(ui, DECISION_CAPACITY, err);
	if (decision_after_word(typed, "show") != NULL)
		return decision_show_again(
		    ui, DECISION_CAPACITY, ":capacity rate>=29.9", err);
	if (decision_after_word(typed, "launch") != NULL)
		return decision_launch(ui, err);
	if (decision_asks_report(typed, &rest, &over))
		return decision_report(ui, DECISION_CAPACITY, rest, over, err);
	return start_capacity(ui, typed, err);
}

bool
cmd_sweep(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const char *rest;
	bool over;

	(void)arg;
	if (decision_after_word(typed, "stop") != NULL)
		return decision_stop(ui, DECISION_SWEEP, err);
	if (*typed == '\0' || decision_after_word(typed, "show") != NULL)
		return decision_show_again(
		    ui, DECISION_SWEEP, ":sweep clients=1..8", err);
	rest = decision_after_word(typed, "open");
	if (rest != NULL)
		return decision_open_row(ui, rest, err);
	rest = decision_after_word(typed, "plot");
	if (rest != NULL)
		return decision_draw_column(ui, rest, err);
	if (decision_asks_report(typed, &rest, &over))
		return decision_report(ui, DECISION_SWEEP, rest, over, err);
	return start_sweep(ui, typed, err);
}
