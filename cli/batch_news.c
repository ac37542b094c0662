/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Lines on standard error while a batch run goes on: hangs, requests cancelled
 * by a timeout, missed periods, and the progress line.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "base/util.h"
#include "cli/batch.h"
#include "engine/batch_name.h"
#include "engine/client/origin.h"
#include "engine/sim.h"
#include "run/options.h"
#include "run/plan.h"

#define FIRST_AFTER (500 * NSEC_PER_MSEC) /* shorter runs show no progress */
#define RENEW_EVERY (200 * NSEC_PER_MSEC)

void
progress_begin(
    struct progress *p, const struct options *o, const struct sim *sim)
{
	*p = (struct progress){
	    .wanted = o->verbose >= 0 && isatty(STDERR_FILENO),
	    .iterations = (double)o->repeat * sim->n_foreground,
	    .duration = o->duration,
	    .begun = clock_wall(),
	};
	p->last = p->begun + FIRST_AFTER - RENEW_EVERY;
}

/* Returns the share that is done, 0 to 1, of the limit that ends first. */
static double
progress_share(const struct progress *p, const struct sim *sim)
{
	double done = 0, n = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		if (!sim->clients[i]->background)
			n += (double)sim->clients[i]->completed;
	if (p->iterations > 0)
		done = n / p->iterations;
	if (p->duration != NSEC_NEVER &&
	    (double)sim->now / (double)p->duration > done)
		done = (double)sim->now / (double)p->duration;
	return done < 1 ? done : 1;
}

void
progress_until(struct progress *p, nsec end)
{
	p->iterations = 0;
	p->duration = end;
}

void
progress_update(struct progress *p, const struct sim *sim)
{
	nsec now;

	if (!p->wanted)
		return;
	now = clock_wall();
	if (now < p->last + RENEW_EVERY)
		return;
	p->last = now;
	p->shown = true;
	fprintf(stderr,
	    "\r%3.0f %%  %.3f s simulated, %.2f million batches/s\033[K",
	    100 * progress_share(p, sim), (double)sim->now / 1e9,
	    (double)sim->n_ended_requests * 1e3 / (double)(now - p->begun));
	fflush(stderr);
}

void
progress_erase(struct progress *p)
{
	if (!p->shown)
		return;
	fputs("\r\033[K", stderr);
	fflush(stderr);
	p->shown = false;
}

/* Prints "FILE:LINE:COLUMN: " of a request's step, if it is still known. */
static void
print_place(const struct batch_news *news, const struct request *rq)
{
	const struct document *doc = NULL;
	const struct line *line = run_line(news->run, news->plan, rq, &doc);
	size_t row, column, index;

	if (!document_line_index(doc, line, &index))
		return;
	document_position(doc, index, 0, &row, &column);
	output_textf(stderr, "%s:%zu:%zu: ", document_name(doc), row, column);
}

/* Prints words, then the batch and its iteration. */
static void
print_news_of(const char *words, const struct request *rq)
{
	struct batch_name name = batch_name_of(rq);
	struct text t = {0};

	text_adds(&t, words);
	batch_name_long(&name, NULL, &t);
	step_place_add_iteration(&name.place, rq->origin.iteration, &t);
	fputs(text_str(&t), stderr);
	text_free(&t);
}

/* Returns true if lines would be written over the screen of a program:
 * gpuwl-run -q. */
static bool
is_silent(const struct batch_news *news)
{
	return news->o->is_run && news->o->verbose < 0;
}

static void
news_hung(struct observer *o, const struct hang *hang)
{
	struct batch_news *news = container_of(o, struct batch_news, observer);
	const struct request *rq = hang->rq;
	const char *contents = request_label(rq); /* or why it failed */

	hang_log_add(&news->hangs, hang);
	if (is_silent(news) || news->run->sim->n_hangs > BATCH_MAX_LINES)
		return;
	progress_erase(&news->progress);
	print_place(news, rq);
	print_news_of("hang: ", rq);
	fprintf(stderr, ", on %s, given up at %.3f s: %s%s%s%s%s\n",
	    hang->engine->name, (double)hang->time / 1e9,
	    hang_cause_name(hang->cause), contents != NULL ? "; " : "",
	    contents != NULL ? contents : "",
	    hang->context_banned ? "; the context is banned" : "",
	    hang->client_banned ? "; the client is banned" : "");
}

static void
news_timed_out(struct observer *o, const struct request *rq)
{
	struct batch_news *news = container_of(o, struct batch_news, observer);
	const struct sim *sim = news->run->sim;

	if (is_silent(news) || sim->n_timed_out > BATCH_MAX_LINES)
		return;
	progress_erase(&news->progress);
	print_place(news, rq);
	print_news_of("cancelled: ", rq);
	fprintf(stderr, ", exceeded the request timeout at %.3f s\n",
	    (double)sim->now / 1e9);
}

static void
news_iterated(struct observer *o, struct client *c)
{
	struct batch_news *news = container_of(o, struct batch_news, observer);

	for (; news->n_missed <= c->id; news->n_missed++) {
		news->missed = mem_grow(news->missed, news->n_missed,
		    &news->cap_missed, sizeof(*news->missed));
		news->missed[news->n_missed] = 0;
	}
	if (c->period.missed == news->missed[c->id])
		return;
	news->missed[c->id] = c->period.missed;
	progress_erase(&news->progress);
	fprintf(stderr,
	    "%.6f s: client %" PRIu32 " missed its period in iteration %" PRIu64
	    " (%" PRIu64 " so far)\n",
	    (double)news->run->sim->now / 1e9, c->id, client_iteration(c) - 1,
	    c->period.missed);
}

void
batch_news_begin(struct batch_news *news, const struct options *o,
    const struct plan *plan, const struct run *run)
{
	news->o = o;
	news->plan = plan;
	news->run = run;
	news->observer.hung = news_hung;
	news->observer.timed_out = news_timed_out;
	if (o->verbose > 1)
		news->observer.iterated = news_iterated;
	sim_add_observer(run->sim, &news->observer);
}

void
batch_news_end(struct batch_news *news)
{
	sim_remove_observer(news->run->sim, &news->observer);
	free(news->missed);
	hang_log_free(&news->hangs);
}
