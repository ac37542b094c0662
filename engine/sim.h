/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The simulation: a device, its clients and their virtual clock. One event
 * queue; same configuration, same run, to the nanosecond. Nothing here reads
 * a clock, and two simulations in a process know nothing of each other.
 *
 * Within one instant (doc/model/common.md "Within one instant"): what ends,
 * ends; what that made ready joins the queues; engines take work, one decision
 * at a time; this until nothing changes; then the clients go on, lowest id
 * first.
 */
#ifndef ENGINE_SIM_H
#define ENGINE_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/heap.h"
#include "engine/client/client.h"
#include "engine/event.h"
#include "engine/gpu/engine.h"
#include "engine/gpu/pace.h"
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
	SIM_DONE,      /* all (foreground) clients have ended */
	SIM_DEADLOCK,  /* clients wait for what can't happen */
	SIM_STOPPED,   /* within an instant: it can't go on */
	SIM_TIME_OVER, /* the end of virtual time, NSEC_MAX, was reached */
};

/* The wish of the caller that asked for a run. */
enum sim_poll {
	SIM_GO_ON,
	SIM_PAUSE, /* to return when the instant is over */
	SIM_STOP,  /* to return at once: within an instant it ends the run */
};

/* The number of events between two questions. */
#define SIM_POLL_EVERY 64

struct sim_config {
	struct profile profile;
	const struct sched_ops *sched;
	uint32_t seed;    /* -I */
	bool same_random; /* -S: all clients draw the same durations */
	bool sync_deps;   /* -d: wait for data in user space */
};

struct sim {
	struct sim_config config;
	struct device device;
	nsec now;
	enum sim_state state;

	struct client **clients; /* by id */
	size_t n_clients, cap_clients;
	uint32_t n_foreground, n_ended; /* of the foreground ones */
	uint32_t n_gone;                /* that have ended, of all */
	struct workload *workloads;
	uint32_t n_workloads;

	/* Totals. */
	uint64_t n_instants; /* that were run */
	uint64_t n_controls; /* that were applied */
	uint64_t n_swaps;    /* programs that clients have taken over */
	uint64_t n_events;
	uint64_t n_submitted; /* requests; the last seq */
	uint64_t n_ended_requests;
	uint64_t n_iterations; /* completed */
	/* Walked, with nothing to submit or to wait for: of no interest as a
	 * rate, which is the profile's least time of an iteration. */
	uint64_t n_idle_iterations;
	uint64_t n_missed; /* periods */
	uint64_t n_hangs;
	uint64_t n_timed_out; /* requests that were cancelled for that */
	uint64_t n_errors;    /* requests that ended with an error */

	/* Private to the simulation and the scheduler. */
	uint64_t progress; /* counts what gets foreground clients on */
	uint64_t n_beats;  /* of the heartbeats of engines */
	bool paced; /* pace.h: batches do less than 1 ns of work in 1 ns */
	struct pacing pacing;
	/* As of that event and beat (sim.c). */
	uint64_t seen_progress, quiet_since, quiet_beats;
	struct event_queue events;
	struct pool requests, waiters, edges, contexts, rings;
	/* Of the request that is submitted now (those who watch may look). */
	struct dependency *deps;
	size_t n_deps, cap_deps;
	struct heap runnable; /* clients, by pass and id (client.c) */
	struct cpus cpus;
	uint64_t pass;
	int64_t pass_client; /* id whose turn it is in this pass; -1 */
	struct watchdog watchdog;
	struct request *ready_first, **ready_last; /* found ready, to join */
	const struct backend_ops *backend;
	void *sched_data;
	struct random *random;
	struct observer *observers;
	/* Asked often while the simulation runs: it may take seconds within one
	 * instant. NULL: not asked. */
	enum sim_poll (*poll)(void *data);
	void *poll_data;
	uint32_t n_polls;  /* since it was made, at what to do next */
	bool stopped;      /* the wish was SIM_STOP */
	uint32_t observed; /* events that they listen to: OBSERVER_BIT */
	struct invariants *invariants; /* invariants.h; mostly NULL */
};

struct sim *sim_new(const struct sim_config *config);
void sim_free(struct sim *sim);

/* Holds program (program_ref), and keeps a copy of the name. */
struct workload *sim_add_workload(
    struct sim *sim, const char *name, const struct program *program);

struct client_options {
	uint64_t repeat; /* 0: until stopped */
	bool background;
	int priority;    /* -p */
	bool small_sseu; /* -s: slice mask 1 */
};

/* A client that starts now. */
struct client *sim_add_client(struct sim *sim, struct workload *workload,
    const struct client_options *options);

/* Its functions are set, and stay. */
void sim_add_observer(struct sim *sim, struct observer *o);
void sim_remove_observer(struct sim *sim, struct observer *o);

/*
 * Runs all that happens up to and including the instant until (NSEC_NEVER: to
 * the end), but stops after max_events (0: no limit) events, between two
 * instants. When it has run dry before until, now becomes until (not with
 * NSEC_NEVER).
 */
enum sim_state sim_run(struct sim *sim, nsec until, uint64_t max_events);

/* The same, but stops as well when so many instants have been run in all. */
enum sim_state sim_run_instants(
    struct sim *sim, nsec until, uint64_t n_instants, uint64_t max_events);
/* Between two instants: now becomes then. False: that is in the past, or
 * something happens before it. */
bool sim_move_to(struct sim *sim, nsec then);

enum sim_step { SIM_STEP_EVENT, SIM_STEP_BATCH, SIM_STEP_ITERATION };
/* Runs until the next instant in which something happened / a batch ended /
 * an iteration was completed. */
enum sim_state sim_step(struct sim *sim, enum sim_step what);

/* Time of the next event; NSEC_NEVER: none. */
nsec sim_next_event(const struct sim *sim);

/* Busy time with what runs now counted up to now. */
nsec sim_context_busy(const struct sim *sim, const struct context *context);
nsec sim_client_busy(const struct sim *sim, const struct client *client);

/* Appends, a line each, which client waits at which step for what, down to
 * what will never happen. For SIM_DEADLOCK, and for the curious. */
/* To be asked between two things that happen at one instant: is the instant to
 * be left as it is? */
bool sim_poll_stop(struct sim *sim);
static inline bool
sim_stops(struct sim *sim)
{
	if (sim->poll == NULL || ++sim->n_polls % SIM_POLL_EVERY != 0)
		return sim->stopped;
	return sim_poll_stop(sim);
}

/* For a run that has come to the end of virtual time: where, in words without
 * an end of line. */
void sim_explain_time_over(const struct sim *sim, struct text *out);
void sim_explain_deadlock(const struct sim *sim, struct text *out);
/* Appends what a request waits for now ("step 3 of client 0, on VCS1"). */
void sim_explain_request(
    const struct sim *sim, const struct request *rq, struct text *out);

#endif
