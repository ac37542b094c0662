/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Virtual time, at the program's end (doc/model/virtual.md "Virtual time"): the
 * threads of a run have turns, which the device gives. A thread that waits says
 * so, and goes on in a later turn. While it has its turn time does not pass, so
 * that the last reply has the time.
 */
#ifndef DEVICE_PRELOAD_TURN_H
#define DEVICE_PRELOAD_TURN_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include "device/wire/wire.h"

/* True in virtual time: wrappers ask this first, and call the real function
 * otherwise. */
extern bool turn_taking;

/* Finds out whether time is virtual. Called once. */
void turn_prepare(void);
/* Waits for the first turn of a program that begins. */
void turn_first(void);
/* Waits for the first turn of this thread, which was expected as that number. */
void turn_begin(uint32_t number);
/* Returns the number of a thread or process that is about to be made. */
uint32_t turn_expect(void);
/* Says which process or which thread it is; both 0: it was not made. */
void turn_expected(uint32_t number, pid_t pid, uint64_t thread);
/* Called before a signal is sent, and when it was. */
void turn_signals(void);
/* In the child of fork(2). */
void turn_forked(void);
/* Called as this thread ends, until false: it is the last time, and the thread
 * has given up its turns. */
bool turn_leaves(void);

/* Parts of the greeting and of its answer. */
void turn_introduce(struct wire_hello *hello);
void turn_welcome(const struct wire_welcome *welcome);
/* A reply came at that time. */
void turn_set_now(uint64_t ns);

/* Returns the device's time, in ns. */
uint64_t turn_now(void);
/* Counts a call that a program makes again and again as it waits: the first
 * hundred in a row cost nothing, each further one 1 us. */
void turn_idle(void);
/* Takes the time that EXECBUFFER2 costs. */
void turn_submits(void);
/* True if a submission that was blocked begins again, after the CPU's time. */
bool turn_restarts(void);
/* Sleeps until then. Returns 0, or -EINTR after any signal, as a sleep is not
 * restarted (SA_RESTART). */
int turn_sleep(uint64_t deadline_ns);
/* Waits. Returns 0, -ETIMEDOUT, or -EINTR after a signal. */
int turn_wait(enum wire_wait kind, uint64_t key, uint64_t deadline_ns);
/* Waits for news, with those signals blocked (NULL: no others than now). again:
 * nothing was seen after the news before. */
int turn_wait_news(bool again, uint64_t deadline_ns, const sigset_t *mask);
/* Takes the time that this thread takes to wake up: it has seen what it waited
 * for news of. */
void turn_wakes_up(void);
/* Wakes up to n threads of this process that wait for the key. Returns how many
 * it was. */
uint32_t turn_wake(uint64_t key, uint32_t n);

/* Times as ns of the device: in that time from now (never, where it is too
 * long), and as the clock's. */
uint64_t turn_after(const struct timespec *t);
uint64_t turn_at(clockid_t clock, const struct timespec *t);
/* The same, where the clock is not known: virtual times of CLOCK_MONOTONIC are
 * decades before those of CLOCK_REALTIME. */
uint64_t turn_at_any(const struct timespec *t);
/* The other way; and whether a time that a program gives is valid. */
struct timespec turn_timespec(uint64_t ns);
bool turn_is_time(const struct timespec *t);
/* False: not a clock that is virtual. */
bool turn_clock(clockid_t clock, struct timespec *t);

#endif
