/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Members of virtual time: turns from the moment that their thread is expected
 * until it has ended, in the order of their numbers.
 */
#include <stdlib.h>
#include <unistd.h>

#include "base/mem.h"
#include "device/turns/turns_private.h"

struct turn_thread *
turn_new(struct turn_order *ts, struct turn_process *process)
{
	struct turn_thread *turn = mem_calloc(1, sizeof *turn),
			   **at = &ts->first;

	turn->number = ++ts->last_number;
	turn->state = TURN_READY;
	turn->process = process;
	turn->deadline_ns = WIRE_NEVER;
	turn->fd = -1;
	while (*at != NULL)
		at = &(*at)->next;
	*at = turn;
	return turn;
}

/* Returns the turn of a thread that is connected already: its signal handler has
 * a connection of its own. NULL: none. */
static struct turn_thread *
turn_interrupted_by(
    const struct turn_order *ts, const struct turn_process *process, pid_t tid)
{
	struct turn_thread *t = ts->first;

	while (t != NULL &&
	    (t->process != process || t->owner == NULL || t->tid != tid ||
		t->handler != NULL))
		t = t->next;
	return t;
}

/* Makes the turn of a signal handler, in the place of the thread's. */
static struct turn_thread *
turn_new_handler(struct turn_order *ts, struct turn_thread *of)
{
	struct turn_thread *turn = mem_calloc(1, sizeof *turn);

	turn->number = of->number;
	turn->process = of->process;
	turn->deadline_ns = WIRE_NEVER;
	turn->fd = -1;
	turn->next = of->next;
	of->next = turn;
	turn->interrupted = of;
	of->handler = turn;
	/* Its thread has the turn: the answer to its call was sent. */
	turn->state = of->state == TURN_RUNS ? TURN_RUNS : TURN_READY;
	if (ts->running == of)
		ts->running = turn;
	return turn;
}

/* A signal handler ends: its thread has its turns again. */
static void
turn_end_handler(struct turn_order *ts, struct turn_thread *turn)
{
	struct turn_thread *of = turn->interrupted;

	if (turn->handler != NULL)
		turn->handler->interrupted = of;
	if (of == NULL)
		return;
	of->handler = turn->handler;
	if (ts->running == NULL && of->handler == NULL &&
	    of->state == TURN_RUNS)
		ts->running = of;
	ts->unsettled = true;
}

bool
turn_is_interrupted(const struct turn_thread *turn)
{
	return turn->handler != NULL;
}

/* Ends the waits of other threads for this one's end. */
static void
wake_joining(struct turn_order *ts, const struct turn_thread *ended)
{
	for (struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t->state == TURN_WAITS && t->by_message &&
		    t->wait == WIRE_WAIT_END && t->process == ended->process &&
		    t->key == ended->thread)
			turns_wake(ts, t, 0);
}

void
turn_drop_answer(struct turn_thread *turn)
{
	if (turn->fd >= 0)
		close(turn->fd);
	turn->fd = -1;
	free(turn->bytes);
	turn->bytes = NULL;
	turn->rp = (struct wire_reply){0};
}

void
turn_free(struct turn_order *ts, struct turn_thread *turn)
{
	struct turn_thread **at = &ts->first;

	while (*at != turn)
		at = &(*at)->next;
	*at = turn->next;
	if (ts->running == turn)
		ts->running = NULL;
	turn_end_handler(ts, turn);
	if (turn->interrupted == NULL)
		wake_joining(ts, turn);
	turns_timers_forget(ts, turn);
	ts->moved = true;
	ts->news++;
	turn_drop_answer(turn);
	free(turn);
}

struct turn_thread *
turn_of_process(const struct turn_order *ts, pid_t pid)
{
	struct turn_thread *t = ts->first;

	while (t != NULL && t->process->pid != pid)
		t = t->next;
	return t;
}

void
turn_replace(
    struct turn_order *ts, struct turn_thread *turn, struct turn_thread *by)
{
	struct turn_thread **at = &ts->first;

	while (*at != by)
		at = &(*at)->next;
	*at = by->next;
	at = &ts->first;
	while (*at != turn)
		at = &(*at)->next;
	*at = by;
	by->next = turn->next;
	by->number = turn->number;
	if (ts->running == turn)
		ts->running = NULL;
	free(turn);
}

struct turn_thread *
turn_of_number(const struct turn_order *ts, uint32_t number)
{
	struct turn_thread *t = ts->first;

	while (t != NULL && t->number != number)
		t = t->next;
	return number != 0 ? t : NULL;
}

/* Finds the turn of a thread without a connection: that it was expected as, or
 * that it had before it lost its connection, or that its process is expected
 * as. */
static struct turn_thread *
turn_of_hello(const struct turn_order *ts, const struct turn_process *process,
    const struct wire_hello *hello)
{
	struct turn_thread *t = turn_of_number(ts, hello->number);

	if (t != NULL && t->owner == NULL && t->tid == 0)
		return t;
	for (t = ts->first; t != NULL; t = t->next)
		if (t->process == process && t->owner == NULL &&
		    (t->tid == (pid_t)hello->tid || t->tid == 0))
			return t;
	return NULL;
}

/* A program has begun in the place of another one: of its threads only the one
 * that begins is left. */
static void
free_others(struct turn_order *ts, const struct turn_thread *turn)
{
	for (struct turn_thread *t = ts->first, *next; t != NULL; t = next) {
		next = t->next;
		if (t == turn || t->process != turn->process)
			continue;
		if (t->owner == NULL)
			turn_free(ts, t);
	}
}

struct turn_thread *
turns_join(struct turn_order *ts, pid_t pid, const struct wire_hello *hello,
    void *owner)
{
	struct turn_process *process = turns_process_of(ts, pid);
	struct turn_thread *of = turn_interrupted_by(
	    ts, process, (pid_t)hello->tid);
	struct turn_thread *turn = of != NULL
	    ? turn_new_handler(ts, of)
	    : turn_of_hello(ts, process, hello);

	if (turn == NULL)
		turn = turn_new(ts, process);
	turn->process = process;
	turn->tid = (pid_t)hello->tid;
	turn->thread = hello->thread;
	turn->owner = owner;
	turn->asked = WIRE_HELLO;
	turn->answered = turn->by_message = turn->signals = false;
	if (turn->state != TURN_RUNS)
		turn->state = TURN_WAITS;
	if (hello->first) {
		free_others(ts, turn);
		turns_timers_of_process(ts, process, true);
	}
	return turn;
}

void
turns_lose(struct turn_order *ts, struct turn_thread *turn)
{
	turn->owner = NULL;
	turns_timers_forget(ts, turn);
	turn_drop_answer(turn);
	if (turn->asked == WIRE_LEAVE || turn->interrupted != NULL)
		turn_free(ts, turn);
	else if (turn->state == TURN_WAITS)
		/* It cannot be answered: it may be on its way to another
		 * program. */
		turn->state = TURN_READY;
}
