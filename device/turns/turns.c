/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Chooses the thread that runs next, and moves time on. Rules:
 * doc/model/virtual.md "Virtual time".
 */
#include "device/turns/turns.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "device/turns/turns_private.h"

struct turn_order *
turns_new(struct fd_watches *ws, struct i915_host *host,
    const struct turns_ops *ops, void *data, uint64_t now_ns,
    const struct turns_costs *costs)
{
	struct turn_order *ts = mem_calloc(1, sizeof *ts);

	ts->watches = ws;
	ts->host = host;
	ts->ops = ops;
	ts->data = data;
	ts->now_ns = now_ns;
	ts->costs = *costs;
	ts->last_timer = WIRE_ALARM;
	return ts;
}

void
turns_free(struct turn_order *ts)
{
	if (ts == NULL)
		return;
	while (ts->first != NULL)
		turn_free(ts, ts->first);
	turns_timers_free(ts);
	turns_processes_free(ts);
	free(ts);
}

uint64_t
turns_now(const struct turn_order *ts)
{
	return ts->now_ns;
}

void
turns_news(struct turn_order *ts)
{
	ts->news++;
}

/* Answers. */

/* Keeps an answer for the turn; fd is its own. */
static void
keep_answer(struct turn_thread *turn, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	turn->rp = *rp;
	turn->bytes = NULL;
	turn->fd = fd;
	if (bytes == NULL || rp->size == 0)
		return;
	turn->bytes = mem_calloc(1, rp->size);
	memcpy(turn->bytes, bytes, rp->size);
}

/* True if the thread has slept, or was blocked, and so must wake up. One that
 * looks for news says itself whether it has seen any. */
static bool
must_wake_up(const struct turn_thread *turn)
{
	if (!turn->by_message)
		return turn->asked != WIRE_HELLO && !turn->signals;
	switch (turn->wait) {
	case WIRE_WAIT_TIME:
	case WIRE_WAIT_KEY:
	case WIRE_WAIT_END: return true;
	case WIRE_WAIT_CPU:
	case WIRE_WAIT_NEWS:
	case WIRE_WAIT_CHILD:
	case N_WIRE_WAITS: break;
	}
	return false;
}

/* A wait is over: the thread has its turn once it has woken up. */
static void
make_ready(struct turn_order *ts, struct turn_thread *turn)
{
	turn->state = TURN_READY;
	turn->ready_ns = ts->now_ns;
	if (must_wake_up(turn))
		turn->ready_ns += ts->costs.wakeup_ns;
}

void
turns_answer(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_reply *rp, const void *bytes, int fd)
{
	struct wire_reply timed = *rp;

	if (turn->answered || turn->owner == NULL) {
		if (fd >= 0)
			close(fd);
		return;
	}
	turn->answered = true;
	if (turn->state == TURN_RUNS) {
		timed.now_ns = ts->now_ns;
		ts->ops->send(turn->owner, &timed, bytes, fd);
		return;
	}
	keep_answer(turn, rp, bytes, fd);
	make_ready(ts, turn);
}

void
turns_answer_result(struct turn_order *ts, struct turn_thread *turn, int result)
{
	const struct wire_reply rp = {.result = result};

	turns_answer(ts, turn, &rp, NULL, -1);
}

void
turns_wake(struct turn_order *ts, struct turn_thread *turn, int result)
{
	const struct wire_reply rp = {.result = result};

	make_ready(ts, turn);
	turn->by_message = false;
	turn->signals = false;
	turn->deadline_ns = WIRE_NEVER;
	turn->answered = true;
	keep_answer(turn, &rp, NULL, -1);
}

void
turns_served(struct turn_order *ts, struct turn_thread *turn)
{
	if (turn->answered || turn->state != TURN_RUNS)
		return;
	turn->state = TURN_WAITS;
	/* It may have done what others look for. */
	if (!turn->by_message)
		ts->news++;
	if (ts->running == turn)
		ts->running = NULL;
}

/* Waits. */

/* True if a thread of that process exists with that pthread_t. */
static bool
is_thread(
    const struct turn_order *ts, const struct turn_thread *of, uint64_t thread)
{
	for (const struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t->process == of->process && t->thread == thread)
			return true;
	return false;
}

/* A thread that looks again and finds nothing has done nothing. */
static void
note_look(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	bool looks = rq->flags == WIRE_WAIT_NEWS ||
	    rq->flags == WIRE_WAIT_CHILD;

	if (!looks || rq->number == 0)
		ts->news++;
	turn->seen = rq->flags == WIRE_WAIT_CHILD ? ts->child_news : ts->news;
}

static void
serve_wait(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	if (rq->flags >= N_WIRE_WAITS) {
		turns_answer_result(ts, turn, -EINVAL);
		return;
	}
	note_look(ts, turn, rq);
	if (rq->flags == WIRE_WAIT_END && !is_thread(ts, turn, rq->number)) {
		turns_answer_result(ts, turn, 0);
		return;
	}
	/* The first look may have come just before. */
	if (rq->flags == WIRE_WAIT_CHILD &&
	    turns_find_children(ts, turn->process->pid) && rq->number == 0)
		ts->child_news++;
	turn->wait = (enum wire_wait)rq->flags;
	turn->key = rq->number;
	turn->deadline_ns = rq->pointer;
	if (rq->flags != WIRE_WAIT_CPU && rq->pointer != WIRE_NEVER)
		turn->deadline_ns = nsec_after(rq->pointer, ts->costs.slack_ns);
	turn->by_message = true;
}

static void
serve_wake(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	uint32_t n = 0;

	for (struct turn_thread *t = ts->first; t != NULL && n < rq->aux;
	     t = t->next)
		if (t->state == TURN_WAITS && t->by_message &&
		    t->wait == WIRE_WAIT_KEY && t->key == rq->number &&
		    t->process == turn->process) {
			turns_wake(ts, t, 0);
			n++;
		}
	turns_answer_result(ts, turn, (int)n);
}

/* Requests. */

/* The turn that was expected is the process's. One that was spawned does not know
 * its number, and may have greeted before its parent says it. */
static void
expect_process(struct turn_order *ts, struct turn_thread *expected, pid_t pid)
{
	struct turn_thread *early = turn_of_process(ts, pid);

	if (early != NULL && early != expected)
		turn_replace(ts, expected, early);
	else
		expected->process = turns_process_of(ts, pid);
}

static void
serve_expected(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	struct turn_thread *expected = turn_of_number(ts, rq->aux);

	if (expected != NULL && rq->pointer != 0)
		expected->thread = rq->pointer;
	else if (expected != NULL && expected->tid == 0 &&
	    expected->owner == NULL) {
		if (rq->number == 0)
			turn_free(ts, expected);
		else
			expect_process(ts, expected, (pid_t)rq->number);
	}
	turns_answer_result(ts, turn, 0);
}

static void
cancel_wait(struct turn_order *ts, struct turn_thread *turn)
{
	if (turn->state == TURN_WAITS && turn->by_message)
		turns_wake(ts, turn, -EINTR);
}

bool
turns_serve(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq, const void *arg)
{
	if (rq->kind == WIRE_CANCEL) {
		/* Not of a call of virtual time: the device knows it. */
		if (!turn->by_message)
			return false;
		cancel_wait(ts, turn);
		return true;
	}
	turn->asked = rq->kind;
	/* A program may ask again before its turn has come. */
	turn_drop_answer(turn);
	turn->answered = turn->by_message = turn->signals = false;
	switch ((enum wire_kind)rq->kind) {
	case WIRE_WAIT: serve_wait(ts, turn, rq); return true;
	case WIRE_WAKE: serve_wake(ts, turn, rq); return true;
	case WIRE_EXPECT:
		turns_answer_result(
		    ts, turn, (int)turn_new(ts, turn->process)->number);
		return true;
	case WIRE_EXPECTED: serve_expected(ts, turn, rq); return true;
	case WIRE_SIGNALS:
		ts->news++;
		ts->child_news++;
		ts->unsettled = true;
		turn->signals = true;
		return true;
	case WIRE_LEAVE: turn->answered = true; return true;
	case WIRE_TIMER_NEW: turns_timer_new(ts, turn); return true;
	case WIRE_TIMER_SIGNAL: turns_timer_signal(ts, turn, rq); return true;
	case WIRE_TIMER_END: turns_timer_end(ts, turn, rq); return true;
	case WIRE_TIMER: turns_timer(ts, turn, rq, arg); return true;
	case WIRE_TIMER_READ: turns_timer_read(ts, turn, rq); return true;
	default: return false;
	}
}

/* Turns. */

/* True if something has happened that the thread may wait for. */
static bool
has_news(const struct turn_order *ts, const struct turn_thread *turn)
{
	return (turn->wait == WIRE_WAIT_NEWS && turn->seen != ts->news) ||
	    (turn->wait == WIRE_WAIT_CHILD && turn->seen != ts->child_news);
}

/* Ends a wait whose time has come, or that has news. */
static void
end_wait(struct turn_order *ts, struct turn_thread *turn)
{
	bool sleeps = turn->wait == WIRE_WAIT_TIME ||
	    turn->wait == WIRE_WAIT_CPU;

	if (turn->deadline_ns <= ts->now_ns)
		turns_wake(ts, turn, sleeps ? 0 : -ETIMEDOUT);
	else if (has_news(ts, turn))
		turns_wake(ts, turn, 0);
}

/* True if the thread can go on. */
static bool
can_go(struct turn_order *ts, struct turn_thread *turn)
{
	if (turn_is_interrupted(turn))
		return false;
	if (turn->state == TURN_WAITS && turn->by_message)
		end_wait(ts, turn);
	return turn->state == TURN_READY && turn->ready_ns <= ts->now_ns;
}

/* Returns a thread that sends a signal: it goes on before others. */
static struct turn_thread *
signalling(const struct turn_order *ts)
{
	for (struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t->signals && !turn_is_interrupted(t))
			return t;
	return NULL;
}

static struct turn_thread *
next_turn(struct turn_order *ts)
{
	struct turn_thread *first = signalling(ts);

	if (first != NULL) {
		turns_wake(ts, first, 0);
		return first;
	}
	for (struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (can_go(ts, t))
			return t;
	return NULL;
}

static void
give_turn(struct turn_order *ts, struct turn_thread *turn)
{
	struct wire_reply rp = turn->rp;
	void *bytes = turn->bytes;
	int fd = turn->fd;

	turn->state = TURN_RUNS;
	ts->running = turn;
	ts->moved = true;
	ts->n_given++;
	if (!turn->answered || turn->owner == NULL)
		return; /* it will greet */
	turn->bytes = NULL;
	turn->fd = -1;
	rp.now_ns = ts->now_ns;
	ts->ops->send(turn->owner, &rp, bytes, fd);
	free(bytes);
}

static nsec
next_deadline(const struct turn_order *ts)
{
	nsec next = nsec_earlier(
	    turns_timers_next(ts), ts->ops->next(ts->data));

	for (const struct turn_thread *t = ts->first; t != NULL; t = t->next) {
		if (turn_is_interrupted(t))
			continue;
		if (t->state == TURN_READY)
			next = nsec_earlier(next, t->ready_ns);
		else if (t->state == TURN_WAITS && t->by_message)
			next = nsec_earlier(next, t->deadline_ns);
	}
	return next;
}

/* Lets the device go on, in this instant or to the next. False: there is none. */
static bool
move_on(struct turn_order *ts)
{
	nsec next;

	if (!ts->moved) {
		next = next_deadline(ts);
		if (next == NSEC_NEVER)
			return false;
		if (next > ts->now_ns)
			ts->now_ns = next;
	}
	ts->moved = false;
	ts->ops->advance(ts->data, ts->now_ns);
	turns_timers_expire(ts);
	return true;
}

static bool
any_looks(const struct turn_order *ts)
{
	for (const struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t->by_message && t->wait == WIRE_WAIT_NEWS)
			return true;
	return ts->first == NULL;
}

/* Waits for threads that have had signals. False: none has. */
static bool
settle_signalled(struct turn_order *ts)
{
	if (!ts->unsettled)
		return false;
	turns_settle(ts);
	ts->unsettled = false;
	return true;
}

enum turns_state
turns_go(struct turn_order *ts)
{
	struct turn_thread *turn;

	if (settle_signalled(ts))
		return TURNS_SETTLED;
	if (ts->running != NULL)
		return TURNS_RUN;
	while ((turn = next_turn(ts)) == NULL) {
		if (!move_on(ts))
			return any_looks(ts) ? TURNS_OUTSIDE : TURNS_STUCK;
		/* A timer has sent a signal. */
		if (settle_signalled(ts))
			return TURNS_SETTLED;
		if (ts->ops->pauses(ts->data))
			return TURNS_PAUSED;
	}
	give_turn(ts, turn);
	return TURNS_RUN;
}
