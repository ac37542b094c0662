/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Timers of programs. That of a descriptor (timerfd_create(2)), which has expired, is
 * readable until it is read or set; one of a process (timer_create(2),
 * setitimer(2)) sends a signal, as the kernel does.
 */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "device/i915/i915.h"
#include "device/turns/turns_private.h"
#include "device/wire/mark.h"

/* Returns the timer of that token that the thread may use; NULL: none. */
static struct turn_timer *
timer_of(
    const struct turn_order *ts, const struct turn_thread *turn, uint64_t token)
{
	struct turn_timer *t = ts->timers;

	while (t != NULL &&
	    (t->token != token ||
		(t->process != NULL && t->process != turn->process)))
		t = t->next;
	return t;
}

static struct turn_timer *
timer_new(struct turn_order *ts)
{
	struct turn_timer *t = mem_calloc(1, sizeof *t), **at = &ts->timers;

	while (*at != NULL)
		at = &(*at)->next;
	*at = t;
	return t;
}

void
turns_timer_new(struct turn_order *ts, struct turn_thread *turn)
{
	const struct wire_reply rp = {.fd_use = WIRE_FD_RETURN, .cloexec = 1};
	uint64_t token;
	int fd = ts->host->ops->mark(ts->host, MARK_TIMER, 0, &token);

	if (fd < 0) {
		turns_answer_result(ts, turn, fd);
		return;
	}
	timer_new(ts)->token = token;
	turns_answer(ts, turn, &rp, NULL, fd);
}

/* Timers of a process that it may have (RLIMIT_SIGPENDING). */
#define TIMERS_MAX 4096

void
turns_timer_signal(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	struct turn_timer *t;
	unsigned n = 0;

	for (t = ts->timers; t != NULL; t = t->next)
		n += t->process == turn->process;
	if (n >= TIMERS_MAX || ts->last_timer == INT_MAX) {
		turns_answer_result(ts, turn, -EAGAIN);
		return;
	}
	t = timer_new(ts);
	ts->last_timer = t->token = ts->last_timer + 1;
	t->process = turn->process;
	t->signal = (int)rq->aux;
	t->value = rq->number;
	t->tid = (pid_t)rq->pointer;
	turns_answer_result(ts, turn, (int)t->token);
}

/* Returns the timer of SIGALRM, which is made if it is not there. */
static struct turn_timer *
alarm_of(struct turn_order *ts, const struct turn_thread *turn)
{
	struct turn_timer *t = timer_of(ts, turn, WIRE_ALARM);

	if (t != NULL)
		return t;
	t = timer_new(ts);
	t->token = WIRE_ALARM;
	t->process = turn->process;
	t->signal = SIGALRM;
	return t;
}

void
turns_timer(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq, const void *arg)
{
	struct turn_timer *t = rq->token == WIRE_ALARM
	    ? alarm_of(ts, turn)
	    : timer_of(ts, turn, rq->token);
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
	struct turn_timer *t = timer_of(ts, turn, rq->token);

	if (t != NULL && t->count > 0) {
		answer_count(ts, t, turn);
		return;
	}
	if (t != NULL && (rq->flags & O_NONBLOCK) == 0 && t->reader == NULL) {
		t->reader = turn;
		return;
	}
	turns_answer_result(ts, turn, t == NULL ? -EBADF : -EAGAIN);
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

/* Sends the signal of a timer. Its process may have ended. */
static void
send_signal(struct turn_order *ts, const struct turn_timer *t)
{
	siginfo_t info = {.si_signo = t->signal, .si_code = SI_TIMER};

	info.si_timerid = (int)t->token;
	info.si_value.sival_ptr = (void *)(uintptr_t)t->value;
	if (t->tid != 0)
		syscall(SYS_rt_tgsigqueueinfo, t->process->pid, t->tid,
		    t->signal, &info);
	else
		pidfd_send_signal(t->process->end.fd, t->signal,
		    t->token == WIRE_ALARM ? NULL : &info, 0);
	ts->unsettled = true;
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
	if (t->process == NULL && t->count == 0)
		ts->host->ops->signal(ts->host, t->token);
	if (t->signal != 0)
		send_signal(ts, t);
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

/* Forgets the timer at *at. */
static void
timer_free(struct turn_order *ts, struct turn_timer **at)
{
	struct turn_timer *t = *at;

	*at = t->next;
	if (t->process == NULL)
		ts->host->ops->close(ts->host, t->token);
	if (t->reader != NULL)
		turns_answer_result(ts, t->reader, -EBADF);
	free(t);
}

/* Returns where the pointer to a timer is, of which *at is NULL if there is none. */
static struct turn_timer **
timer_place(struct turn_order *ts, const struct turn_timer *t)
{
	struct turn_timer **at = &ts->timers;

	while (*at != NULL && *at != t)
		at = &(*at)->next;
	return at;
}

void
turns_timer_end(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq)
{
	struct turn_timer *t = timer_of(ts, turn, rq->token);

	if (t == NULL || t->process == NULL || t->token == WIRE_ALARM) {
		turns_answer_result(ts, turn, -EBADF);
		return;
	}
	timer_free(ts, timer_place(ts, t));
	turns_answer_result(ts, turn, 0);
}

bool
turns_hangup(struct turn_order *ts, uint64_t token)
{
	struct turn_timer *t = ts->timers;

	while (t != NULL && (t->process != NULL || t->token != token))
		t = t->next;
	if (t == NULL)
		return false;
	timer_free(ts, timer_place(ts, t));
	return true;
}

void
turns_timers_of_process(
    struct turn_order *ts, const struct turn_process *process, bool keep_alarm)
{
	struct turn_timer **at = &ts->timers;

	while (*at != NULL)
		if ((*at)->process == process &&
		    (!keep_alarm || (*at)->token != WIRE_ALARM))
			timer_free(ts, at);
		else
			at = &(*at)->next;
}

void
turns_timers_free(struct turn_order *ts)
{
	while (ts->timers != NULL)
		timer_free(ts, &ts->timers);
}
