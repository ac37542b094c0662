/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation: a device, its clients and their virtual clock, in ns. The same
 * configuration gives the same run, to the nanosecond: nothing here reads a
 * real clock, and two simulations in one process share nothing. The whole program
 * is single-threaded: no function may be called from two threads at once.
 *
 * The run is a sequence of instants (doc/model/common.md "Within one instant").
 * In each, the device does all that it can (instant.h); then clients that can
 * run do, lowest id first, and the device follows after each of them.
 */
#ifndef ENGINE_SIM_H
#define ENGINE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "engine/client/outside.h"
#include "engine/client/walker.h"
#include "engine/event.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/pace.h"
#include "engine/gpu/submission.h"
#include "engine/hang/timeouts.h"
#include "engine/observer.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"

struct text;
struct random;
struct control;
struct backend_ops;
struct invariants;

enum sim_state {
	SIM_RUNNING,   /* there is more to do */
	SIM_DONE,      /* all foreground clients have ended */
	SIM_DEADLOCK,  /* clients wait for what can never happen */
	SIM_STOPPED,   /* stopped within an instant; the run can't continue */
	SIM_TIME_OVER, /* virtual time has reached NSEC_MAX */
};

/* The answers of the poll function of a simulation. */
enum sim_poll {
	SIM_GO_ON,
	SIM_PAUSE, /* return at the end of the instant */
	SIM_STOP,  /* return at once; within an instant this ends the run */
};

/* Decisions within an instant from one poll to the next. */
#define SIM_POLL_EVERY 64

struct sim_config {
	struct profile profile;
	const struct sched_ops *sched;
	uint32_t seed;    /* -I */
	bool same_random; /* -S: all clients draw the same durations */
	bool sync_deps;   /* -d: clients wait for the data of a batch */
};

/* Views read the upper part; only the engine changes it. */
struct sim {
	struct region *region; /* that all memory of the run is in */
	struct sim_config config;
	struct device device;
	nsec now;
	enum sim_state state;

	/* By id; ids of clients in sums (client/past.h) have one that ended, of
	 * another id. */
	struct client **clients;
	size_t n_clients, cap_clients;
	uint32_t n_foreground, n_ended; /* foreground clients; ended ones */
	uint32_t n_gone;                /* ended clients, of all */
	struct workload *workloads;
	uint32_t n_workloads;
	struct program_use *programs;

	/* Totals. */
	uint64_t n_instants;
	uint64_t n_controls; /* applied */
	uint64_t n_swaps;    /* changes of a client's program */
	uint64_t n_events;
	uint64_t n_submitted; /* requests; also the last seq */
	uint64_t n_ended_requests;
	uint64_t n_iterations; /* completed */
	/* Iterations without a submission or a wait. They say nothing as a
	 * rate: each takes the profile's iteration_min_ns. */
	uint64_t n_idle_iterations;
	uint64_t n_missed; /* periods */
	uint64_t n_hangs;
	uint64_t n_timed_out; /* requests cancelled by the request timeout */
	uint64_t n_errors;    /* requests that ended with an error */

	/* Private to the simulation and the scheduler. */
	uint64_t progress; /* counts events that bring the foreground forward */
	uint64_t n_beats;  /* heartbeats of all engines */
	bool paced; /* batches may do less than 1 ns of work per ns (pace.h) */
	struct pacing pacing;
	/* The progress seen last, and the event and heartbeat of then. */
	uint64_t seen_progress, quiet_since, quiet_beats;
	struct event_queue events;
	size_t request_size; /* bytes in use of a request */
	struct pool requests, waiters, contexts, rings;
	/* Dependencies of the request being submitted; observers of that
	 * event may read them. */
	struct dependency *deps;
	size_t n_deps, cap_deps;
	/* Waits of the step being submitted (client/walker_submit.c). */
	struct submission_wait *waits;
	size_t cap_waits;
	struct heap runnable; /* clients, by pass and id (client/cpu.c) */
	struct cpus cpus;
	struct outsiders outsiders;
	uint64_t pass;
	int64_t pass_client; /* id that runs in this pass; -1: none has yet */
	struct watchdog watchdog;
	struct foreign_waits foreign;
	bool heartbeats_stopped; /* whatever the intervals of engines */
	struct request *ready_first, **ready_last; /* for the scheduler */
	const struct backend_ops *backend;
	void *sched_data;
	struct random *random;
	struct observer *observers;
	/* Polled while the simulation runs, as one instant may take seconds.
	 * NULL: never. */
	enum sim_poll (*poll)(void *data);
	void *poll_data;
	uint32_t n_polls; /* decisions, of which few poll */
	bool stopped;     /* the answer was SIM_STOP, or the device is lost */
	/* How often a snapshot was put back: pointers to what is in the
	 * simulation are void after that. */
	uint32_t n_restored;
	uint32_t observed; /* events that they listen to: OBSERVER_BIT */
	struct invariants *invariants; /* in builds that check them */
};

/* The caller frees it with sim_free(). Copies config; its scheduler must
 * outlive the simulation. */
struct sim *sim_new(const struct sim_config *config);
/* NULL is allowed. */
void sim_free(struct sim *sim);

/* Takes a reference of program and copies the name. The simulation owns the
 * workload. */
struct workload *sim_add_workload(
    struct sim *sim, const char *name, const struct program *program);

struct client_options {
	uint64_t repeat; /* iterations; 0: without end */
	bool background; /* without end, and the run does not wait for it */
	int priority;    /* -p */
	bool small_sseu; /* -s: slice mask 1 */
};

/* Adds a client that starts now. The simulation owns it. */
struct client *sim_add_client(struct sim *sim, struct workload *workload,
    const struct client_options *options);

/* Appends c, whose id is sim->n_clients, to the clients. For the engine only. */
void sim_register_client(struct sim *sim, struct client *c);

/* The caller owns the observer and must remove it before it is freed. */
void sim_add_observer(struct sim *sim, struct observer *o);
/* Does nothing if o was not added. */
void sim_remove_observer(struct sim *sim, struct observer *o);

/* Why a call that runs a simulation has returned. A loop around such a call ends
 * unless it was SIM_RAN: otherwise the next call would do nothing either. */
enum sim_ran {
	SIM_RAN,   /* the call has gone as far as it was asked to */
	SIM_HELD,  /* sim->poll did not let the next instant begin */
	SIM_ENDED, /* the run can't continue */
};
#define SIM_MUST_LOOK __attribute__((warn_unused_result))

/*
 * Runs all instants up to and including until (NSEC_NEVER: to the end), but
 * returns after max_events events (0: no limit), at the end of an instant. If
 * nothing is left to do before until, now becomes until (except NSEC_NEVER).
 */
SIM_MUST_LOOK enum sim_ran sim_go(
    struct sim *sim, nsec until, uint64_t max_events);

/* As sim_go(), but also returns once sim->n_instants is n_instants. */
SIM_MUST_LOOK enum sim_ran sim_run_instants(
    struct sim *sim, nsec until, uint64_t n_instants, uint64_t max_events);

/* As sim_go() for a simulation without a poll function, which nothing holds. */
enum sim_state sim_run(struct sim *sim, nsec until, uint64_t max_events);
/* Sets now to then, between two instants. False: then is in the past, or
 * something is to happen before it; nothing has changed. */
bool sim_move_to(struct sim *sim, nsec then);

enum sim_step { SIM_STEP_EVENT, SIM_STEP_BATCH, SIM_STEP_ITERATION };

/* Returns the time of the next instant; NSEC_NEVER: nothing is left to do.
 * Changes nothing that can be seen. */
nsec sim_next_event(struct sim *sim);

/* Return the engine time of a context or a client in ns, up to now. */
nsec sim_context_busy(const struct sim *sim, const struct context *context);
nsec sim_client_busy(const struct sim *sim, const struct client *client);

/* The engine time of a context in ns, up to now. */
struct sim_times {
	nsec busy;
	struct engine_times all;         /* busy, by its use; blocked: 0 */
	nsec run_ns[DEVICE_MAX_ENGINES]; /* running, by engine */
};
void sim_context_times(const struct sim *sim, const struct context *context,
    struct sim_times *times);

/* Polls. Returns true if the run is stopped. */
bool sim_poll_stop(struct sim *sim);
/* Returns true if the instant must be left as it is, unfinished. To be called
 * after each step of work within an instant. */
static inline bool
sim_stops(struct sim *sim)
{
	return sim->poll == NULL || ++sim->n_polls % SIM_POLL_EVERY != 0
	    ? sim->stopped
	    : sim_poll_stop(sim);
}

/* Appends where a run with SIM_TIME_OVER has ended, without a newline. */
void sim_explain_time_over(const struct sim *sim, struct text *out);
/* Appends one line for each client that is blocked: at which step, and what it
 * waits for, down to the cause. */
void sim_explain_deadlock(const struct sim *sim, struct text *out);
/* Appends what rq waits for now ("step 3 of client 0, on VCS1"). */
void sim_explain_request(
    const struct sim *sim, const struct request *rq, struct text *out);

#endif
