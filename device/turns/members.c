/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Who takes part: turns from the moment that their thread is expected until it
 * has ended, in the order of their numbers.
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

/* Ends the waits of other threads for this one's end. */
static void
wake_joining(struct turn_order *ts, const struct turn_thread *ended)
{
	for (struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t->state == TURN_WAITS && t->by_message &&
		    t->wait == WIRE_WAIT_END && t->process == ended->process &&
		    t->key == ended->thread)
			turns_wake(t, 0);
}

/* Frees an answer that was kept. */
static void
turn_drop_answer(struct turn_thread *turn)
{
	if (turn->fd >= 0)
		close(turn->fd);
	turn->fd = -1;
	free(turn->bytes);
	turn->bytes = NULL;
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
	wake_joining(ts, turn);
	turns_timers_forget(ts, turn);
	ts->moved = true;
	ts->news++;
	turn_drop_answer(turn);
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
	struct turn_thread *turn = turn_of_hello(ts, process, hello);

	if (turn == NULL)
		turn = turn_new(ts, process);
	turn->process = process;
	turn->tid = (pid_t)hello->tid;
	turn->thread = hello->thread;
	turn->owner = owner;
	turn->asked = WIRE_HELLO;
	turn->answered = false;
	if (turn->state != TURN_RUNS)
		turn->state = TURN_WAITS;
	if (hello->first)
		free_others(ts, turn);
	return turn;
}

/* True if the thread has another connection: this one was for a signal handler
 * that interrupted a call. */
static bool
has_another(const struct turn_order *ts, const struct turn_thread *turn)
{
	for (const struct turn_thread *t = ts->first; t != NULL; t = t->next)
		if (t != turn && t->owner != NULL && t->tid == turn->tid)
			return true;
	return false;
}

void
turns_lose(struct turn_order *ts, struct turn_thread *turn)
{
	turn->owner = NULL;
	turns_timers_forget(ts, turn);
	turn_drop_answer(turn);
	if (turn->asked == WIRE_LEAVE || has_another(ts, turn))
		turn_free(ts, turn);
	else if (turn->state == TURN_WAITS)
		/* It cannot be answered: it may be on its way to another
		 * program. */
		turn->state = TURN_READY;
}
