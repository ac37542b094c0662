/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Virtual time: whose turn it is (doc/model/virtual.md "Virtual time"). One
 * thread of all programs runs at a time; the others wait for something, or for
 * their turn. A thread has its turn until it waits: what it asks of the device
 * is answered at once, an answer to a thread that waits is kept until its turn.
 * When all wait, time moves on to the next deadline or event of the device.
 */
#ifndef DEVICE_TURNS_TURNS_H
#define DEVICE_TURNS_TURNS_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "device/wire/wire.h"

struct fd_watches;
struct i915_host;
struct text;
struct turn_thread;
struct turn_order;

/* All members must be set. */
struct turns_ops {
	/* Sends an answer to the owner of a turn; the descriptor (-1: none) is
	 * owned by this call. */
	void (*send)(void *owner, const struct wire_reply *rp,
	    const void *bytes, int fd);
	/* Hangs up the owner of a turn, whose process has ended: a child may
	 * have its connection yet. */
	void (*hang_up)(void *owner);
	/* Returns when the device has its next event, at the latest; NSEC_NEVER:
	 * none. */
	uint64_t (*next)(void *data);
	/* Runs the device up to and including that time; programs may have
	 * changed memory. */
	void (*advance)(void *data, uint64_t now_ns);
	/* Returns true if the caller of turns_go() has other work by now, such
	 * as a signal: the device may have much to do before a thread goes
	 * on. */
	bool (*pauses)(void *data);
};

/* Costs of the CPU, in ns; all 0: it takes no time. */
struct turns_costs {
	uint64_t submit_ns; /* EXECBUFFER2, which the library takes */
	uint64_t slack_ns;  /* timers of sleeps and waits are as much later */
	uint64_t wakeup_ns; /* a thread goes on, whose wait is over */
};

/* Nobody has a turn at first. ws, host, ops and data must outlive the turns,
 * which the caller frees. */
struct turn_order *turns_new(struct fd_watches *ws, struct i915_host *host,
    const struct turns_ops *ops, void *data, uint64_t now_ns,
    const struct turns_costs *costs);
/* All turns must have been lost. NULL is allowed. */
void turns_free(struct turn_order *ts);

/* Returns the turn of a thread that greets; its answer is kept until its turn. A
 * turn that was expected, or that lost its connection, is found again. */
struct turn_thread *turns_join(struct turn_order *ts, pid_t pid,
    const struct wire_hello *hello, void *owner);
/* The connection of a turn has gone: it ends with its process. */
void turns_lose(struct turn_order *ts, struct turn_thread *turn);

/* Serves a request if it is of virtual time; false: it is the device's. arg has
 * rq->size bytes. */
bool turns_serve(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq, const void *arg);
/* Answers a request: now, or in the turn. fd is owned by this call. */
void turns_answer(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_reply *rp, const void *bytes, int fd);
/* The thread waits, if its request has not been answered. */
void turns_served(struct turn_order *ts, struct turn_thread *turn);

/* Something happened that threads may see. */
void turns_news(struct turn_order *ts);
/* A descriptor is closed everywhere. Returns true if it was a timer's. */
bool turns_hangup(struct turn_order *ts, uint64_t token);

uint64_t turns_now(const struct turn_order *ts);
/* Returns the place of a process in the order of their creation, from 1; 0: it
 * is not known. */
uint32_t turns_process(const struct turn_order *ts, pid_t pid);

/* Returns how many processes have ended. */
uint32_t turns_ended(const struct turn_order *ts);

enum turns_state {
	TURNS_RUN,     /* a thread runs: wait for its request */
	TURNS_SETTLED, /* threads have had signals: serve what they have sent */
	TURNS_PAUSED,  /* turns_ops.pauses said so; all goes on from here */
	TURNS_OUTSIDE, /* only something outside of the run can go on */
	TURNS_STUCK,   /* all threads wait, for each other or for ever */
};
/* Gives the next turn, after time has moved on if it must. */
enum turns_state turns_go(struct turn_order *ts);

/* Looks at the thread that has its turn, after time without its request. Returns
 * true if it does not run, and appends who it is, and the system call in which
 * it waits. */
bool turns_blocked(struct turn_order *ts, struct text *why);
/* Appends who waits for what, when turns are stuck. */
void turns_explain(const struct turn_order *ts, struct text *why);
/* Sends a signal to all processes. */
void turns_signal(const struct turn_order *ts, int signal);

#endif
