/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reports the effect of a single step: an observer keeps the events of its last
 * instant. */
#include "run/live/step_news.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "base/util.h"
#include "engine/explain/trail.h"
#include "engine/hang/hang.h"
#include "engine/sim.h"

#define STEP_WORDS 3 /* events in words; the others are counted */

static struct step_news *
news_of(struct observer *o)
{
	return container_of(o, struct step_news, observer);
}

/* Drops the entries of an instant before this one. */
static void
begin_instant(struct step_news *n)
{
	if (n->time == n->sim->now)
		return;
	n->time = n->sim->now;
	n->n = n->more = 0;
}

/* Returns the entry of the request for a state before this one; NULL: none. An
 * engine that it leaves, and its end, are reported beside these. */
static struct step_entry *
earlier_state(struct step_news *n, const struct step_entry *e)
{
	for (size_t i = n->n; i-- > 0;)
		if (n->list[i].request == e->request && e->request != 0 &&
		    n->list[i].event > e->event &&
		    n->list[i].event >= STEP_ENGINE)
			return &n->list[i];
	return NULL;
}

static void
note_entry(struct step_news *n, const struct step_entry *e)
{
	struct step_entry *earlier;

	begin_instant(n);
	earlier = earlier_state(n, e);
	if (earlier != NULL)
		*earlier = *e;
	else if (n->n < STEP_ENTRIES)
		n->list[n->n++] = *e;
	else
		n->more++;
}

static void
note_request(struct observer *o, const struct request *rq,
    enum step_event event, const char *detail)
{
	bool on = event == STEP_END || event == STEP_ERROR ||
	    event == STEP_RUNS || event == STEP_RESUMES || event == STEP_ENGINE;

	note_entry(news_of(o),
	    &(struct step_entry){
		.event = event,
		.request = rq->seq,
		.name = batch_name_of(rq),
		.engine = on && rq->engine != NULL ? rq->engine->name : NULL,
		.detail = detail,
	    });
}

static void
step_submitted(struct observer *o, struct request *rq)
{
	note_request(o, rq, STEP_SUBMIT, NULL);
}

static void
step_ready(struct observer *o, struct request *rq, const struct fence *last)
{
	(void)last;
	note_request(o, rq, STEP_READY, NULL);
}

static void
step_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	(void)e;
	(void)cost;
	note_request(o, rq, STEP_ENGINE, NULL);
}

static void
step_began(struct observer *o, struct request *rq)
{
	note_request(o, rq, rq->run_ns > 0 ? STEP_RESUMES : STEP_RUNS, NULL);
}

static void
step_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	(void)by;
	if (why == LEAVING_ENDED)
		return;
	note_entry(news_of(o),
	    &(struct step_entry){
		.event = STEP_LEAVES,
		.request = rq->seq,
		.name = batch_name_of(rq),
		.engine = e->name,
		.detail = trail_leaving_name(why),
	    });
}

static void
step_ended(struct observer *o, struct request *rq)
{
	note_request(o, rq, rq->error != 0 ? STEP_ERROR : STEP_END,
	    rq->error != 0 ? strerrorname_np(-rq->error) : NULL);
}

static void
step_resumed(struct observer *o, struct client *c)
{
	news_of(o)->resumed = c;
}

static void
step_missed(struct observer *o, struct client *c, nsec due)
{
	note_entry(news_of(o),
	    &(struct step_entry){
		.event = STEP_MISS,
		.name = {.client = c->id},
		.amount = news_of(o)->sim->now - due,
	    });
}

static void
step_iterated(struct observer *o, struct client *c)
{
	note_entry(news_of(o),
	    &(struct step_entry){
		.event = STEP_ITERATION,
		.name = {.client = c->id},
		.amount = client_iteration(c),
	    });
}

static void
step_hung(struct observer *o, const struct hang *hang)
{
	note_entry(news_of(o),
	    &(struct step_entry){
		.event = STEP_HANG,
		.request = hang->rq->seq,
		.name = batch_name_of(hang->rq),
		.engine = hang->engine->name,
		.detail = hang_cause_name(hang->cause),
	    });
}

void
step_news_begin(struct step_news *n, struct sim *sim)
{
	*n = (struct step_news){
	    .observer =
		{
		    .submitted = step_submitted,
		    .ready = step_ready,
		    .took = step_took,
		    .began = step_began,
		    .left = step_left,
		    .ended = step_ended,
		    .resumed = step_resumed,
		    .missed = step_missed,
		    .iterated = step_iterated,
		    .hung = step_hung,
		},
	    .sim = sim,
	    .time = NSEC_NEVER,
	};
	sim_add_observer(sim, &n->observer);
}

/* Words around the name of the batch, or of the client. */
static const struct {
	const char *before, *after, *on;
} step_event_words[N_STEP_EVENTS] = {
    [STEP_HANG] = {"hang of ", "", " on "},
    [STEP_MISS] = {"", " misses its period", NULL},
    [STEP_END] = {"end of ", "", " on "},
    [STEP_ERROR] = {"end of ", "", " on "},
    [STEP_ITERATION] = {"", " completes iteration", NULL},
    [STEP_LEAVES] = {"", " leaves", " "},
    [STEP_RUNS] = {"", " runs", " on "},
    [STEP_RESUMES] = {"", " resumes", " on "},
    [STEP_ENGINE] = {"", " gets", " "},
    [STEP_READY] = {"", " is ready", NULL},
    [STEP_SUBMIT] = {"", " is submitted", NULL},
};

static void
add_entry_words(
    const struct step_news *n, const struct step_entry *e, struct text *out)
{
	char late[UNITS_LEN];

	text_adds(out, step_event_words[e->event].before);
	if (e->request != 0)
		batch_name_short(&e->name, n->sim->n_clients > 1, out);
	else
		text_addf(out, "client %u", e->name.client);
	text_adds(out, step_event_words[e->event].after);
	if (e->engine != NULL)
		text_addf(
		    out, "%s%s", step_event_words[e->event].on, e->engine);
	if (e->event == STEP_MISS)
		text_addf(out, " by %s", format_duration(late, e->amount));
	if (e->event == STEP_ITERATION)
		text_addf(out, " %" PRIu64, e->amount);
	if (e->detail != NULL)
		text_addf(out, " (%s)", e->detail);
}

/* Adds whether a client or, inside an engine, no request changed. */
static void
add_quiet_instant(const struct step_news *n, struct text *out)
{
	char time[UNITS_LEN];

	if (n->sim->state != SIM_RUNNING)
		return;
	text_addf(out, "%s: ", format_time(time, n->sim->now));
	if (n->resumed != NULL)
		text_addf(out, "client %u runs", n->resumed->id);
	else
		text_adds(out, "no request changes its state");
}

bool
step_news_is_quiet(const struct step_news *n)
{
	return n->n == 0 && n->resumed == NULL;
}

void
step_news_end(struct step_news *n, struct sim *sim, struct text *out)
{
	size_t told = 0;
	char time[UNITS_LEN];

	sim_remove_observer(sim, &n->observer);
	if (n->n == 0) {
		add_quiet_instant(n, out);
		return;
	}
	text_addf(out, "%s: ", format_time(time, n->time));
	for (int event = 0; event < N_STEP_EVENTS; event++)
		for (size_t i = 0; i < n->n && told < STEP_WORDS; i++) {
			if ((int)n->list[i].event != event)
				continue;
			text_adds(out, told++ > 0 ? "; " : "");
			add_entry_words(n, &n->list[i], out);
		}
	if (n->n + n->more > told)
		text_addf(out, "; and %zu more", n->n + n->more - told);
}
