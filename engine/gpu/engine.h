/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One engine of the modelled GPU, and the list of them (the device).
 * Order everywhere: RCS, BCS, VCS, VECS, CCS, then by instance.
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

/* How fast the batch that runs gets on (pace.h). */
struct pace {
	uint32_t time, work; /* it does work ns of work in time ns */
	nsec since;          /* as long as that; work_ns is of then */
	bool moved;          /* it did some in the last ns before */
};

struct hw_engine {
	char name[12];    /* as -l lists it: RCS, VCS1, VCS2 */
	uint8_t class;    /* enum engine_class */
	uint8_t index;    /* in the device */
	uint8_t instance; /* of its class, from 0; logical instance too */
	uint8_t gt;
	bool has_hevc;   /* of VCS: doc/model/sharing.md "Costs by class" */
	engine_mask bit; /* the set of it alone: 1 << index */

	/* Live state, read by views. */
	struct request *running;  /* NULL: free */
	struct request *kept_for; /* free, but kept for a parallel step */
	struct context *last;     /* whose request it took last */
	uint32_t queued;          /* ready requests that wait for it (a
				    virtual one counts on each sibling) */
	uint32_t blocked;         /* submitted to it alone, not ready yet */
	uint32_t queue_depth;     /* queued, as of the last instant */
	bool resetting;           /* takes nothing: reset.c */
	bool is_waiting;          /* free, with blocked requests; likewise */

	/* Private to engine_port.c: what happens next, and costs. */
	struct event event;         /* the batch begins, or ends */
	struct event timeout_event; /* what runs is given up, by reset.c */
	uint8_t timeout_cause;      /* enum hang_cause */
	struct event reset_event;   /* the reset is over */
	struct heartbeat heartbeat;
	nsec last_end_ns;
	struct pace pace;
	uint32_t last_sseu; /* slice mask it is set up for; 0: none yet */

	/* Totals. busy, waiting and sema up to busy_since, ... */
	nsec busy_ns;
	nsec busy_since;    /* when running != NULL */
	nsec waiting_ns;    /* free, with blocked requests */
	nsec waiting_since; /* when is_waiting */
	nsec sema_ns;       /* held by what polls */
	nsec sema_since;    /* NSEC_NEVER: nothing polls */
	uint64_t sema_samples;
	/* How many were queued between instants, up to queue_since. */
	unsigned __int128 queue_area; /* requests times ns */
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
	/* The engine's owner, or a waiter, may have changed since the
	 * last instant was over. */
	engine_mask touched;
};

static inline void
device_touch(struct device *dev, const struct hw_engine *e)
{
	dev->touched |= e->bit;
}

/* n more requests wait for e, or fewer; n more that are not ready. */
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

/* Can it take a request? */
static inline bool
hw_engine_is_free(const struct hw_engine *e)
{
	return e->running == NULL && !e->resetting;
}

/* The engines that the profile has, idle since 0 ns; holds nothing of it. */
void device_init(struct device *dev, const struct profile *profile);
/* Busy and waiting time up to now. */
nsec hw_engine_busy(const struct hw_engine *e, nsec now);
nsec hw_engine_waiting(const struct hw_engine *e, nsec now);
nsec hw_engine_idle(const struct hw_engine *e, nsec now); /* neither */
/* Part of busy: the request on it polled a semaphore. */
nsec hw_engine_sema(const struct hw_engine *e, nsec now);
/* The counters of i915's PMU (doc/model/common.md "Statistics"): it looks
 * 200 times a second, and counts 5 ms each time that it finds one polling. */
nsec hw_engine_pmu_sema(const struct hw_engine *e, nsec now);
/* Ready requests that waited for it: the mean over time, and the most at once;
 * those of one instant that did not last are not counted. */
double hw_engine_queue_mean(const struct hw_engine *e, nsec now);
uint32_t hw_engine_queue_max(const struct hw_engine *e, nsec now);

/* The request on it polls from now on; it does not any more. */
void hw_engine_poll(struct hw_engine *e, nsec now);
void hw_engine_poll_over(struct hw_engine *e, nsec now);
/* At the end of an instant: what lasts until the next one. */
void hw_engine_instant_over(struct hw_engine *e, nsec now);

/* Engines of the device that the name means (a class alone: all of it;
 * DEFAULT: none); 0: no such engine. */
engine_mask device_match(const struct device *dev, struct engine_name name);
/* The mask of all slices, for S. */
uint32_t device_all_slices(const struct device *dev);

#endif
