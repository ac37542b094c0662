/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device of the past. Words may be hostile: one that cannot be true of the
 * simulation is refused, since the record relies on drivers.
 */
#include "engine/follow/follow_past.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/client/client.h"
#include "engine/follow/follow_private.h"

struct follow_past {
	struct followed followed;
	struct follow_word *answers;
	size_t n_answers, cap_answers, next;
	bool is_of_another;
	/* Requests by seq - 1. */
	struct request_ref *requests;
	size_t n_requests, cap_requests;
};

static struct follow_past *
past_of(struct followed *device)
{
	return container_of(device, struct follow_past, followed);
}

static void
note_again(struct followed *device, struct request *rq,
    const struct submission *s, const struct dependency *deps, size_t n)
{
	struct follow_past *p = past_of(device);

	(void)s;
	(void)deps;
	(void)n;
	for (; rq != NULL; rq = rq->next_row) {
		while (p->n_requests < rq->seq) {
			p->requests = mem_grow(p->requests, p->n_requests,
			    &p->cap_requests, sizeof *p->requests);
			p->requests[p->n_requests++] = (struct request_ref){0};
		}
		p->requests[rq->seq - 1] = request_ref(rq);
	}
}

static int
submit_again(struct followed *device, struct request *rq, nsec *time_ns)
{
	struct follow_past *p = past_of(device);
	const struct follow_word *answer = &p->answers[p->next];

	/* The recording was cut off there. */
	if (p->next == p->n_answers)
		return -ENODEV;
	if (answer->request != rq->seq) {
		p->is_of_another = true;
		return -ENODEV;
	}
	p->next++;
	if (answer->kind == FOLLOW_REFUSED)
		return answer->error;
	*time_ns = answer->time;
	return 0;
}

static const struct followed_ops past_ops = {
    .note = note_again,
    .submit = submit_again,
};

struct follow_past *
follow_past_new(void)
{
	struct follow_past *p = mem_calloc(1, sizeof *p);

	p->followed.ops = &past_ops;
	return p;
}

void
follow_past_free(struct follow_past *past)
{
	if (past == NULL)
		return;
	free(past->answers);
	free(past->requests);
	free(past);
}

bool
follow_word_is_answer(const struct follow_word *word)
{
	return word->kind == FOLLOW_TOOK || word->kind == FOLLOW_REFUSED;
}

void
follow_past_add_answer(
    struct follow_past *past, const struct follow_word *answer)
{
	past->answers = mem_grow(past->answers, past->n_answers,
	    &past->cap_answers, sizeof *past->answers);
	past->answers[past->n_answers++] = *answer;
}

void
follow_past_begin(struct follow_past *past, struct sim *sim)
{
	past->next = past->n_requests = 0;
	past->is_of_another = false;
	follow_device(sim, &past->followed);
}

size_t
follow_past_given(const struct follow_past *past)
{
	return past != NULL ? past->next : 0;
}

void
follow_past_go_back(struct follow_past *past, size_t given)
{
	if (past == NULL)
		return;
	past->next = given;
	past->is_of_another = false;
}

bool
follow_past_is_of_another(const struct follow_past *past)
{
	return past->is_of_another;
}

/* Finds the request of a word. NULL: it is not in flight. */
static struct request *
request_of_word(const struct follow_past *p, const struct follow_word *word)
{
	return word->request == 0 || word->request > p->n_requests
	    ? NULL
	    : request_get(p->requests[word->request - 1]);
}

/* Returns true if rq, a row, may be on an engine: no other row is there. */
static bool
may_be_on(const struct sim *sim, struct request *rq, int engine)
{
	const struct request *row = request_first_row(rq);

	if (engine < 0 || (unsigned)engine >= sim->device.n_engines ||
	    (row->allowed >> engine & 1) == 0)
		return false;
	for (; row != NULL; row = row->next_row)
		if (row != rq && row->followed->on != NULL &&
		    row->followed->on->index == engine)
			return false;
	return true;
}

/* Returns true if a word of a request's batch can be true of it: a driver has
 * submitted it, and says where before it says anything else. */
static bool
may_be_true(
    const struct sim *sim, struct request *rq, const struct follow_word *word)
{
	bool ran = word->kind == FOLLOW_RAN;

	if (!request_first_row(rq)->followed->submitted)
		return false;
	if (word->kind == FOLLOW_STARTED || (ran && word->engine >= 0))
		return may_be_on(sim, rq, word->engine);
	return !ran || rq->followed->on != NULL;
}

static void
tell_of_request(
    struct sim *sim, struct request *rq, const struct follow_word *word)
{
	struct request_ref ref = request_ref(rq);
	struct hw_engine *e = word->engine >= 0
	    ? &sim->device.engines[word->engine]
	    : NULL;

	if (word->kind == FOLLOW_STARTED)
		follow_started(sim, ref, e, word->time);
	else if (word->kind == FOLLOW_RAN)
		follow_ran(sim, ref, e, word->time);
	else if (word->kind == FOLLOW_WORKED)
		follow_worked(sim, ref, word->time);
	else if (word->kind == FOLLOW_HUNG)
		follow_hung(sim, ref, word->time, word->cause, word->error);
	else
		follow_ended(sim, ref, word->time, word->error);
}

static bool
tell_of_ban(struct sim *sim, const struct follow_word *word, struct text *err)
{
	struct client *c = word->client < sim->n_clients
	    ? sim->clients[word->client]
	    : NULL;

	if (c == NULL || word->context >= c->n_contexts) {
		text_addf(err, "client %" PRIu32 " has no context %" PRIu32,
		    word->client, word->context);
		return false;
	}
	follow_banned(sim, c->contexts[word->context]);
	return true;
}

bool
follow_past_tell(struct follow_past *past, struct sim *sim,
    const struct follow_word *word, struct text *err)
{
	struct request *rq;

	if (word->kind == FOLLOW_HELD || word->kind == FOLLOW_LET_GO) {
		follow_hold(sim, word->kind == FOLLOW_HELD);
		return true;
	}
	if (word->kind == FOLLOW_BANNED)
		return tell_of_ban(sim, word, err);
	rq = request_of_word(past, word);
	if (rq == NULL || !may_be_true(sim, rq, word)) {
		text_addf(err, "request %" PRIu64 " is not in flight%s",
		    word->request, rq != NULL ? ", or not there" : "");
		return false;
	}
	tell_of_request(sim, rq, word);
	return true;
}
