/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Timers of programs (timerfd_create(2)). A timer that has expired is readable
 * until it is read or set. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "device/i915/i915.h"
#include "device/turns/turns_private.h"
#include "device/wire/mark.h"

static struct turn_timer *
timer_of(const struct turn_order *ts, uint64_t token)
{
	struct turn_timer *t = ts->timers;

	while (t != NULL && t->token != token)
		t = t->next;
	return t;
}

void
turns_timer_new(struct turn_order *ts, struct turn_thread *turn)
{
	struct wire_reply rp = {.fd_use = WIRE_FD_RETURN, .cloexec = 1};
	struct turn_timer *t = mem_calloc(1, sizeof *t);
	int fd = ts->host->ops->mark(ts->host, MARK_TIMER, 0, &t->token);

	if (fd < 0) {
		free(t);
		rp = (struct wire_reply){.result = fd};
	} else {
		t->next = ts->timers;
		ts->timers = t;
	}
	turns_answer(ts, turn, &rp, NULL, fd);
}

void
turns_timer(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq, const void *arg)
{
	struct turn_timer *t = timer_of(ts, rq->token);
	struct wire_reply rp = {.result = -EBADF};
	struct wire_timer was = {0};

	if (t != NULL) {
		was = t->set;
		rp = (struct wire_reply){.size = sizeof was};
	}
	if (t != NULL && rq->size == sizeof t->set) {
		memcpy(&t->set, arg, sizeof t->set);
		t->count = 0;
	}
	turns_answer(ts, turn, &rp, &was, -1);
}

/* Answers a read with what has expired. */
static void
answer_count(
    struct turn_order *ts, struct turn_timer *t, struct turn_thread *turn)
{
	const struct wire_reply rp = {
	    .result = sizeof t->count, .size = sizeof t->count};

	turns_answer(ts, turn, &rp, &t->count, -1);
	t->count = 0;
}

void
turns_timer_read(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	struct turn_timer *t = timer_of(ts, rq->token);
	struct wire_reply rp = {.result = -EAGAIN};

	if (t != NULL && t->count > 0) {
		answer_count(ts, t, turn);
		return;
	}
	if (t != NULL && (rq->flags & O_NONBLOCK) == 0 && t->reader == NULL) {
		t->reader = turn;
		return;
	}
	if (t == NULL)
		rp.result = -EBADF;
	turns_answer(ts, turn, &rp, NULL, -1);
}

uint64_t
turns_timers_next(const struct turn_order *ts)
{
	nsec next = NSEC_NEVER;

	for (const struct turn_timer *t = ts->timers; t != NULL; t = t->next)
		if (t->set.at_ns != 0)
			next = nsec_earlier(next, t->set.at_ns);
	return next;
}

static void
expire(struct turn_order *ts, struct turn_timer *t)
{
	struct wire_timer *set = &t->set;
	uint64_t times = 1;

	if (set->interval_ns > 0) {
		times += (ts->now_ns - set->at_ns) / set->interval_ns;
		set->at_ns = nsec_after(set->at_ns, times * set->interval_ns);
	} else {
		set->at_ns = 0;
	}
	if (t->count == 0)
		ts->host->ops->signal(ts->host, t->token);
	t->count += times;
	ts->news++;
	if (t->reader != NULL) {
		answer_count(ts, t, t->reader);
		t->reader = NULL;
	}
}

void
turns_timers_expire(struct turn_order *ts)
{
	for (struct turn_timer *t = ts->timers; t != NULL; t = t->next)
		if (t->set.at_ns != 0 && t->set.at_ns <= ts->now_ns)
			expire(ts, t);
}

void
turns_timers_forget(struct turn_order *ts, const struct turn_thread *reader)
{
	for (struct turn_timer *t = ts->timers; t != NULL; t = t->next)
		if (t->reader == reader)
			t->reader = NULL;
}

bool
turns_hangup(struct turn_order *ts, uint64_t token)
{
	struct turn_timer **at = &ts->timers, *t;

	while (*at != NULL && (*at)->token != token)
		at = &(*at)->next;
	if (*at == NULL)
		return false;
	t = *at;
	*at = t->next;
	ts->host->ops->close(ts->host, token);
	free(t);
	return true;
}

void
turns_timers_free(struct turn_order *ts)
{
	while (ts->timers != NULL)
		turns_hangup(ts, ts->timers->token);
}
