/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The hardware engines of the modelled GPU, what they count, and the device
 * that has them. Their order is that of RCS, BCS, VCS, VECS, CCS, then by
 * instance. All times are ns.
 */
#ifndef ENGINE_GPU_ENGINE_H
#define ENGINE_GPU_ENGINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/event.h"
#include "engine/hang/timeouts.h"
#include "parser/engine_name.h"

struct profile;
struct request;
struct context;

#define DEVICE_MAX_ENGINES 64

/* A set of engines, bit i for engine i of the device. */
typedef uint64_t engine_mask;

/* The pace of the batch that runs (pace.h). */
struct pace {
	uint32_t time, work; /* work ns of work in time ns */
	nsec since;          /* when the pace was set, and work_ns is of */
	bool moved;          /* it did some work in the ns before that */
};

/* How an engine may spend its time (doc/model/common.md "Statistics"). The rest
 * it is idle. */
enum engine_use {
	USE_RUNNING,   /* a batch runs */
	USE_SWITCHING, /* wakes up, or sets context and slices for a request */
	USE_POLLING,   /* held by a request that polls a semaphore */
	USE_BLOCKED,   /* free, while requests for it alone are not ready */
	N_USES,
};

/* Times in ns by enum engine_use. */
struct engine_times {
	nsec ns[N_USES];
};

/* Times of an engine that its user may change, at first the profile's; 0: off,
 * without limit. preempt_timeout() has the one that holds. */
struct engine_knobs {
	nsec timeslice_ns, quantum_ns; /* execlists, guc */
	nsec preempt_timeout_ns;
	nsec heartbeat_ns; /* set it with heartbeat_set_interval() */
};

/* The dword that a batch polls: the batch goes on when it compares with wanted.
 * Zeroed: not known. */
struct memory_poll {
	uint64_t address;       /* in the batch's address space */
	uint64_t object_offset; /* of address in the object */
	uint32_t object;        /* that has it, for users; 0: not known */
	uint32_t client;        /* whose object it is, if object is not 0 */
	uint32_t found, wanted;
	uint8_t compare;  /* of MI_SEMAPHORE_WAIT: found >, >=, <, <=, ==, != */
	bool is_register; /* address is a register's */
	bool never_ends;  /* nothing but the batch writes that register */
	bool known;
};

struct hw_engine {
	char name[12];    /* as -l lists it: RCS, VCS1, VCS2 */
	uint8_t class;    /* enum engine_class */
	uint8_t index;    /* in the device */
	uint8_t instance; /* of its class, from 0; logical instance too */
	uint8_t gt;
	bool has_hevc;   /* of VCS: doc/model/sharing.md "Costs by class" */
	engine_mask bit; /* 1 << index */
	struct engine_knobs knobs;

	/* Live state, read by views. */
	struct request *running;  /* that holds it; NULL: free */
	struct request *kept_for; /* it is kept free for a parallel step */
	struct context *last;     /* of the request that it took last */
	uint32_t queued;          /* ready requests that wait for it; a virtual
				     one counts on each sibling */
	uint32_t blocked;         /* requests to it alone that are not ready */
	uint32_t queue_depth;     /* queued, at the end of the last instant */
	bool resetting;           /* takes no requests (hang/reset.c) */
	bool is_waiting;          /* free, with blocked requests, then */

	/* Private to exec.c and hang/: what happens next. */
	struct event event;         /* the batch begins, or ends */
	struct event timeout_event; /* the running request hangs */
	uint8_t timeout_cause;      /* enum hang_cause */
	struct event reset_event;   /* the reset ends */
	struct event wedge_event;   /* its user resets it */
	struct heartbeat heartbeat;
	nsec last_end_ns;
	struct pace pace;
	uint32_t last_sseu; /* slice mask it is set to; 0: none yet */

	/* Totals without the current period, which began at ..._since. Read
	 * them with the functions below. */
	nsec busy_ns;
	nsec busy_since;    /* if running != NULL; may be in the future */
	nsec waiting_ns;    /* free, with blocked requests */
	nsec waiting_since; /* if is_waiting */
	nsec run_ns;        /* batches ran */
	nsec sema_ns;       /* held by a request that polls */
	nsec sema_since; /* a request on it has not begun; from then on, which
			       may be in the future, it polls. NSEC_NEVER: none */
	nsec sseu_ns;    /* it set up slices */
	nsec sseu_cost;  /* that it does last before sema_since; 0: none */
	uint64_t sema_samples;
	/* The batch that runs has waited for memory, itself: for that time
	 * until poll_since, from when on it does so again; NSEC_NEVER: not
	 * now. */
	nsec polled_ns, poll_since;
	struct memory_poll poll;      /* the last, for users */
	unsigned __int128 queue_area; /* queued requests times ns */
	nsec queued_ns;               /* at least one was queued */
	nsec queue_since;
	uint32_t queue_max;
	uint64_t batches;
	uint64_t switches;
	uint64_t preemptions;
};

struct device {
	struct hw_engine engines[DEVICE_MAX_ENGINES];
	unsigned n_engines;
	unsigned slices;
	engine_mask beating; /* engines with a heartbeat_ns */
	engine_mask held;    /* engines with a request */
	engine_mask free;    /* engines that can take one */
	engine_mask awake;   /* held when the last instant ended (heartbeats) */
	/* Engines whose request or waiters may have changed in this
	 * instant. */
	engine_mask touched;
};

static inline void
device_touch(struct device *dev, const struct hw_engine *e)
{
	dev->touched |= e->bit;
}

/* Add n, or subtract -n, ready requests that wait for e; or requests for e that
 * are not ready. */
static inline void
device_add_queued(struct device *dev, struct hw_engine *e, int n)
{
	e->queued += (uint32_t)n;
	device_touch(dev, e);
}

static inline void
device_add_blocked(struct device *dev, struct hw_engine *e, int n)
{
	e->blocked += (uint32_t)n;
	device_touch(dev, e);
}

/* Returns true if e can take a request. device.free has the engines that can,
 * device.held those that have one. */
static inline bool
hw_engine_is_free(const struct hw_engine *e)
{
	return e->running == NULL && !e->resetting;
}

/* Set the request that holds e, NULL: none; and if e takes requests. */
static inline void
device_set_running(
    struct device *dev, struct hw_engine *e, struct request *running)
{
	e->running = running;
	if (running != NULL) {
		dev->held |= e->bit;
		dev->free &= ~e->bit;
	} else {
		dev->held &= ~e->bit;
		dev->free |= e->resetting ? 0 : e->bit;
	}
	device_touch(dev, e);
}

static inline void
device_set_resetting(struct device *dev, struct hw_engine *e, bool resetting)
{
	e->resetting = resetting;
	if (hw_engine_is_free(e))
		dev->free |= e->bit;
	else
		dev->free &= ~e->bit;
}

/* Makes the engines of the profile, idle since 0 ns. Keeps no pointer to it. */
void device_init(struct device *dev, const struct profile *profile);
/* Return the time up to now in which e held a request, was free with blocked
 * requests, or neither. */
nsec hw_engine_busy(const struct hw_engine *e, nsec now);
nsec hw_engine_waiting(const struct hw_engine *e, nsec now);
nsec hw_engine_idle(const struct hw_engine *e, nsec now);
/* Return the parts of the busy time in which a batch ran, and in which the
 * request polled a semaphore. The rest of it the engine switched. */
nsec hw_engine_run(const struct hw_engine *e, nsec now);
nsec hw_engine_sema(const struct hw_engine *e, nsec now);
/* True if e had something to do since the launch: it held a request, or requests
 * waited for it, if only for others. Views fold the engines without work. */
bool hw_engine_had_work(const struct hw_engine *e);
/* Returns the part of the switching time in which e set up slices. */
nsec hw_engine_sseu(const struct hw_engine *e, nsec now);
/* Returns how e has spent the time up to now. */
struct engine_times hw_engine_times(const struct hw_engine *e, nsec now);
/* Returns the same as i915's PMU counts it (doc/model/common.md "Statistics"):
 * 5 ms for each of its 200 samples a second that finds a request polling. */
nsec hw_engine_pmu_sema(const struct hw_engine *e, nsec now);
/* Return how many ready requests waited for e: the mean over time, and the
 * maximum. Requests that waited for 0 ns do not count. */
double hw_engine_queue_mean(const struct hw_engine *e, nsec now);
uint32_t hw_engine_queue_max(const struct hw_engine *e, nsec now);

/* Return how long ready requests waited for e up to now, and their number times
 * ns. */
nsec hw_engine_queued(const struct hw_engine *e, nsec now);
unsigned __int128 hw_engine_queue_area(const struct hw_engine *e, nsec now);

/* To be called when the request on e begins or leaves. Returns how long it has
 * polled since it was put there. */
nsec hw_engine_poll_over(struct hw_engine *e, nsec now);
/* The batch that runs on e, or is to begin there now, polls memory from now on,
 * or does not any more. */
void hw_engine_set_polling(struct hw_engine *e, bool polls, nsec now);
/* To be called when the batch leaves. Counts the time that it polled, and
 * returns it. */
nsec hw_engine_batch_polled(struct hw_engine *e, nsec now);
/* Returns true if the batch that runs on e has polled memory. */
static inline bool
hw_engine_has_polled(const struct hw_engine *e)
{
	return e->poll_since != NSEC_NEVER || e->polled_ns > 0;
}
/* Updates the queue and waiting totals at the end of an instant. True: is_waiting
 * has changed. */
bool hw_engine_instant_over(struct hw_engine *e, nsec now);

/* Returns the engines that a name stands for: all of a class without an
 * instance, none for DEFAULT. 0: the device has no such engine. */
engine_mask device_match(const struct device *dev, struct engine_name name);
/* Returns the mask of all slices. */
uint32_t device_all_slices(const struct device *dev);
/* True if the mask is -1 (all) or has slices of the device only. Otherwise
 * appends a diagnostic to err. */
bool device_check_slices(
    const struct device *dev, int64_t mask, struct text *err);

#endif
