/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to device/turns: turns, processes and timers. */
#ifndef DEVICE_TURNS_TURNS_PRIVATE_H
#define DEVICE_TURNS_TURNS_PRIVATE_H

#include "base/watch.h"
#include "device/turns/turns.h"

enum turn_state {
	TURN_WAITS,
	TURN_READY, /* has an answer, or has not begun */
	TURN_RUNS,
};

/* A thread. */
struct turn_thread {
	struct turn_thread *next; /* by number */
	uint32_t number;          /* order of creation, from 1 */
	enum turn_state state;
	struct turn_process *process;
	pid_t tid;       /* 0: not known yet */
	uint64_t thread; /* its pthread_t; 0: not known yet */
	void *owner;     /* of its connection; NULL: none */
	/* A signal handler of the thread, which has interrupted its call, and
	 * has the turns of the thread until it ends. NULL: none. */
	struct turn_thread *handler;
	struct turn_thread *interrupted; /* by this, a handler; NULL: none */

	/* While it waits; the device's own waits have WIRE_WAIT_TIME and no
	 * deadline. */
	enum wire_wait wait;
	uint64_t key;
	uint64_t deadline_ns;
	uint64_t seen;     /* news before its last look */
	bool by_message;   /* waits by WIRE_WAIT */
	bool signals;      /* waits by WIRE_SIGNALS */
	uint16_t asked;    /* kind of its last request (enum wire_kind) */
	uint64_t ready_ns; /* of TURN_READY: it goes on then */

	/* Its answer. */
	bool answered; /* its last request */
	struct wire_reply rp;
	void *bytes; /* rp.size of them */
	int fd;
};

struct turn_process {
	struct turn_process *next; /* by number */
	uint32_t number;           /* order of creation, from 1 */
	pid_t pid;
	struct fd_watch end; /* of its pidfd */
	struct turn_order *turns;
};

struct turn_timer {
	struct turn_timer *next;
	uint64_t token;
	struct turn_process *process; /* whose it is; NULL: a descriptor's */
	int signal;                   /* that it sends; 0: none */
	pid_t tid;                    /* to that thread; 0: to the process */
	uint64_t value;               /* with that value */
	struct wire_timer set;        /* at_ns 0: not set */
	uint64_t count;               /* expirations that were not read */
	struct turn_thread *reader;   /* waits for one; NULL: none */
};

struct turn_order {
	struct fd_watches *watches;
	struct i915_host *host;
	const struct turns_ops *ops;
	void *data;
	struct turns_costs costs;
	uint64_t now_ns;
	struct turn_thread *first, *running;
	struct turn_process *processes;
	struct turn_timer *timers;
	uint32_t last_number, last_process, last_timer, n_ended;
	uint64_t news;
	uint64_t child_news; /* those that may end a wait for a child */
	/* A thread has had its turn since the device was advanced. */
	bool moved;
	/* Threads may have left their waits for signals, or for their ends. */
	bool unsettled;
	/* The last look at a blocked thread (blocked.c). */
	uint64_t looks_given, n_given;
	unsigned n_looks;
	char look[160];
};

/* turns.c */
/* Ends what a turn waits for, with that result. */
void turns_wake(struct turn_order *ts, struct turn_thread *turn, int result);

/* Answers a request, as turns_answer(). */
void turns_answer_result(
    struct turn_order *ts, struct turn_thread *turn, int result);

/* processes.c */
/* Returns the process, which is watched from now on if it is new. */
struct turn_process *turns_process_of(struct turn_order *ts, pid_t pid);
/* Makes turns for children of a process that have none. Returns true if others
 * have ended. */
bool turns_find_children(struct turn_order *ts, pid_t pid);
/* Frees all processes. */
void turns_processes_free(struct turn_order *ts);

/* blocked.c */
/* Waits until the threads that signals have woken wait again, have ended, or have
 * run on for 100 ms of the CPU's time; not for the one that has its turn. */
void turns_settle(const struct turn_order *ts);

/* members.c */
struct turn_thread *turn_new(
    struct turn_order *ts, struct turn_process *process);
/* True if a signal handler has the thread's turns. */
bool turn_is_interrupted(const struct turn_thread *turn);
void turn_free(struct turn_order *ts, struct turn_thread *turn);
/* Frees an answer that was kept. */
void turn_drop_answer(struct turn_thread *turn);
struct turn_thread *turn_of_number(
    const struct turn_order *ts, uint32_t number);
/* Returns the first turn of a process; NULL: none. */
struct turn_thread *turn_of_process(const struct turn_order *ts, pid_t pid);
/* Frees a turn that has not begun; the other one gets its number and place. */
void turn_replace(
    struct turn_order *ts, struct turn_thread *turn, struct turn_thread *by);

/* timers.c */
/* Serve WIRE_TIMER*. */
void turns_timer_new(struct turn_order *ts, struct turn_thread *turn);
void turns_timer_signal(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq);
void turns_timer_end(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq);
void turns_timer(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq, const void *arg);
void turns_timer_read(struct turn_order *ts, struct turn_thread *turn,
    const struct wire_request *rq);
/* Returns when the next timer expires; WIRE_NEVER: none. */
uint64_t turns_timers_next(const struct turn_order *ts);
void turns_timers_expire(struct turn_order *ts);
void turns_timers_forget(
    struct turn_order *ts, const struct turn_thread *reader);
/* A process has ended, or begins another program: that keeps its alarm. */
void turns_timers_of_process(
    struct turn_order *ts, const struct turn_process *process, bool keep_alarm);
void turns_timers_free(struct turn_order *ts);

#endif
