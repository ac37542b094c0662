/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to calibrate*.c: samples and figures, the table of measurements, and
 * the bench on which they are made. */
#ifndef DEVICE_HARDWARE_CALIBRATE_PRIVATE_H
#define DEVICE_HARDWARE_CALIBRATE_PRIVATE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "device/hardware/batch.h"
#include "device/hardware/calibrate.h"
#include "device/hardware/hardware.h"
#include "device/hardware/memory.h"
#include "engine/profile.h"

/* Samples, in ns or a number. */
#define MAX_SAMPLES 256

struct samples {
	double list[MAX_SAMPLES];
	unsigned n;
	/* Others that tell nothing: the machine was busy just then. */
	unsigned n_disturbed;
	/* The figure is another one than the mean; with an error, its spread is not
	 * that of the samples, either. */
	bool estimated, has_error;
	double estimate, error;
};

void samples_add(struct samples *s, double value);

/* A figure: the mean of the middle half of its samples, or what they let
 * estimate, and the values below and
 * above which a tenth of them is. */
struct figure {
	double value, low, high;
	unsigned n; /* 0: not measured */
};

/* Sorts the samples. */
struct figure figure_of(struct samples *s);

/* Latencies, and what the execbufs of each took, ns. */
struct call_samples {
	struct samples latencies, calls;
};

/* Adds the latencies to s, but those of execbufs in which the process was interrupted,
 * so that it is not known when their batches were submitted; none if the clock's error is
 * too wide for it (0: the latencies do not have that error). */
void calls_undisturbed(
    const struct call_samples *from, nsec clock_error, struct samples *s);

/* Rows of the table, in the order in which they are measured: later ones subtract
 * earlier ones. */
enum measure_id {
	MEASURE_COMMAND,
	MEASURE_SUBMIT,
	MEASURE_WAKEUP,
	MEASURE_ROUND_TRIP,
	MEASURE_SLACK,
	MEASURE_RING,
	MEASURE_SAME_RING,
	MEASURE_NEXT,
	MEASURE_SWITCH,
	MEASURE_SSEU,
	MEASURE_PREEMPTION,
	MEASURE_LATENCY,
	MEASURE_ARBITRATION,
	MEASURE_NO_POINTS,
	MEASURE_COMPLETION,
	MEASURE_LEVELS,
	MEASURE_TIMESLICE,
	MEASURE_QUANTUM,
	MEASURE_TICKS,
	MEASURE_WAKE,
	MEASURE_WAKE_AFTER,
	N_MEASUREMENTS,
};

/*
 * The engine that is measured, with contexts whose slots are all that engine:
 * each slot is a ring of its own. A call that fails leaves its reason in failure,
 * and later ones do nothing.
 */
#define BENCH_RINGS 16
/* Further contexts: the blocker's; that of batches which wait for fences, whose
 * priority of -1 under execlists lets them not wait on the engine itself, by
 * semaphores; that of the other engine. */
enum {
	BENCH_BLOCKER = BENCH_RINGS,
	BENCH_WAITER,
	BENCH_OTHER,
	BENCH_CONTEXTS,
};
/* Longest wait for a batch, which takes some ms: programs of a loaded machine may not
 * run for seconds. */
#define BENCH_LIMIT (20 * NSEC_PER_SEC)

struct bench {
	struct hardware *hw;
	unsigned engine; /* of facts */
	/* Another one, of another class if there is any; the same: the GPU has one. */
	unsigned other;
	uint32_t space;
	uint32_t contexts[BENCH_CONTEXTS];
	struct page_pool pool;
	struct bench_batch *live; /* submitted, and not finished */
	struct text failure;
};

/* A batch that was submitted, for bench_finish(). */
struct bench_batch {
	struct bench_batch *next;
	struct batch_page *page;
	int fence;
	unsigned n_clocks;
	nsec before_ns, after_ns; /* CLOCK_MONOTONIC, of the execbuf */
};

/* A batch that has ended. */
struct bench_result {
	struct batch_stamps stamps;
	double clocks_ns; /* from the first clock that it stored to the last */
	nsec before_ns, after_ns;
};

void bench_open(struct bench *b, struct hardware *hw, unsigned engine);
/* Sets the clock of the GPU again: clocks drift apart, and one that slept may begin
 * anew. */
void bench_set_clock(const struct bench *b);
/* Ends what runs, and destroys all. */
void bench_close(struct bench *b);
bool bench_ok(const struct bench *b);
/* For submissions from now on. */
void bench_set_priority(struct bench *b, unsigned context, int priority);

/* Submits a batch that stores n clocks, to a ring of a context. NULL after a
 * failure, here and below, which all functions take. */
struct bench_batch *bench_clocks(
    struct bench *b, unsigned context, unsigned slot, unsigned n);
/* Submits a batch that runs until bench_end(). */
struct bench_batch *bench_spin(struct bench *b, unsigned context, bool points);
/* Submits a batch that ends by itself, and can be preempted. */
struct bench_batch *bench_timed(
    struct bench *b, unsigned context, nsec duration_ns);
/* Submits a batch with points that begins after the end of another one. */
struct bench_batch *bench_spin_after(
    struct bench *b, unsigned context, const struct bench_batch *after);
void bench_end(const struct bench_batch *batch);
/* Submits a batch again, to another ring. Returns 0 or -errno. */
int bench_again(struct bench *b, const struct bench_batch *batch,
    unsigned context, unsigned slot);
/* Returns true when a batch has begun, within limit. */
bool bench_begins(
    const struct bench *b, const struct bench_batch *batch, nsec limit);
/* Returns true if a batch has ended. */
bool bench_is_over(const struct bench *b, const struct bench_batch *batch);
/* Waits for the end of a batch, and frees it. */
struct bench_result bench_finish(struct bench *b, struct bench_batch *batch);
/* Returns what a batch that has not ended has stored so far. */
struct bench_result bench_look(
    const struct bench *b, const struct bench_batch *batch);
void bench_pause(nsec ns);
/* Returns times 0 .. span that are spread evenly for i from 0 on. */
nsec bench_phase(unsigned i, nsec span);
/* Returns ticks of the clock in ns. */
double bench_ns(const struct bench *b, double ticks);

/* Contexts of preemptions: the urgent one has priority 0, which needs no privilege. */
#define URGENT  0
#define PATIENT 1
#define LOW     (-512)

/* Preemptions on the bench's engine: whether there were any, and how long they took. */
struct bench_turns {
	bool early; /* a batch was preempted */
	/* The latencies may be below 0, as far as clocks are wrong. */
	struct samples latencies, ends;
	/* From execbufs to their starts on an idle engine, sorted, and the figure:
	 * INFINITY where it is not known. */
	struct samples starts;
	double idle_ns;
	double call_ns; /* of execbufs of urgent batches */
};

struct calibration {
	struct hardware *hw;
	const struct profile *base;
	struct bench bench;
	unsigned next; /* row of the table */
	bool warned;
	struct text doubts; /* what the user was warned of */
	struct figure figures[N_MEASUREMENTS][N_CLASSES];
	struct bench_turns turns;
	double tick_ns; /* at which slices end; 0: none */
	double load;    /* of the machine, at the beginning */
};

/* A measurement. measure() adds samples; its class is that of the bench's
 * engine, and no samples are an answer too. */
struct measurement {
	const char *name;
	const char *section, *key; /* of the knob; NULL: it has none */
	const char *unit;          /* of samples */
	const char *how;
	bool by_class; /* the knob has values for each class */
	bool once;     /* on the first engine only */
	void (*measure)(struct calibration *c, struct samples *s);
};

extern const struct measurement measures[N_MEASUREMENTS];

/* Returns the class of the bench's engine, and a figure of that class. */
unsigned calibration_class(const struct calibration *c);
double calibration_figure(const struct calibration *c, enum measure_id id);

/* calibrate_cpu.c */
void measure_submit(struct calibration *c, struct samples *s);
void measure_wakeup(struct calibration *c, struct samples *s);
void measure_round_trip(struct calibration *c, struct samples *s);
void measure_slack(struct calibration *c, struct samples *s);
void measure_ring(struct calibration *c, struct samples *s);

/* calibrate_sleep.c */
void measure_wake(struct calibration *c, struct samples *s);
void measure_wake_after(struct calibration *c, struct samples *s);

/* calibrate_gaps.c */
void measure_command(struct calibration *c, struct samples *s);
void measure_same_ring(struct calibration *c, struct samples *s);
void measure_next(struct calibration *c, struct samples *s);
void measure_switch(struct calibration *c, struct samples *s);
void measure_sseu(struct calibration *c, struct samples *s);

/* calibrate_turns.c */
void measure_preemption(struct calibration *c, struct samples *s);
void measure_latency(struct calibration *c, struct samples *s);
void measure_completion(struct calibration *c, struct samples *s);
void measure_no_points(struct calibration *c, struct samples *s);
void measure_levels(struct calibration *c, struct samples *s);

/* Sets samples to the latencies of preemptions; to none, with the number of those that
 * were disturbed, where too few are left. */
void calibration_latencies(const struct calibration *c, struct samples *s);

/* calibrate_points.c */
void measure_arbitration(struct calibration *c, struct samples *s);

/* calibrate_slices.c */
void measure_timeslice(struct calibration *c, struct samples *s);
void measure_quantum(struct calibration *c, struct samples *s);
void measure_ticks(struct calibration *c, struct samples *s);

/* calibrate_settings.c */
#define N_SETTINGS 3
/* Sets the knobs of [timeouts] that the driver says. */
void settings_apply(const struct calibration *c, struct profile *p);
/* Appends where the value of a knob of [timeouts] comes from. False: the driver
 * does not say it. */
bool settings_explain(
    const struct calibration *c, const char *key, struct text *words);

#endif
