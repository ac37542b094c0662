/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calibration: the table of what is measured, and the order: engine class by
 * class, row by row. How it is written as a profile: calibrate_print.c.
 */
#include "device/hardware/calibrate.h"

#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/hardware/busyness.h"
#include "device/hardware/calibrate_private.h"

/* A machine with more to do than that makes figures doubtful. */
#define BUSY_LOAD 0.5
/* An execbuf that took more than so many usual ones and 1 us was interrupted. */
#define USUAL_CALLS 2

const struct measurement measures[N_MEASUREMENTS] = {
    [MEASURE_COMMAND] = {"a command", "commands", "command_ns", "ns",
	"a batch that stores the clock 64 times: time per store", false, false,
	measure_command},
    [MEASURE_SUBMIT] = {"a submission", "costs", "submit_ns", "ns",
	"the clock before and after an execbuf of one object", false, false,
	measure_submit},
    [MEASURE_WAKEUP] = {"wake-up", "nearness", "wakeup_ns", "ns",
	"from the last command of an empty batch until the process that waits "
	"for its fence goes on",
	false, false, measure_wakeup},
    [MEASURE_ROUND_TRIP] = {"an empty batch", NULL, NULL, "ns",
	"from before its execbuf until the process that waits for its fence goes "
	"on",
	false, false, measure_round_trip},
    [MEASURE_SLACK] = {"timer slack", "nearness", "timer_slack_ns", "ns",
	"a sleep of 1 ms: how much later the process goes on, less the wake-up",
	false, true, measure_slack},
    [MEASURE_RING] = {"ring depth", "costs", "ring_requests", "requests",
	"submissions to one ring behind a batch that does not end, until the "
	"driver has no room",
	true, false, measure_ring},
    [MEASURE_SAME_RING] = {"to the next on its ring", "costs", "same_ring_ns",
	"ns",
	"16 empty batches of one ring behind a blocker: from start to start, "
	"less their commands",
	false, false, measure_same_ring},
    [MEASURE_NEXT] = {"to the next port", "costs", "next_port_ns", "ns",
	"16 empty batches, each on another ring of one context, behind a "
	"blocker: from start to start, less their commands",
	false, false, measure_next},
    [MEASURE_SWITCH] = {"context switch", "costs", "context_switch_ns", "ns",
	"16 empty batches, each of another context, behind a blocker: from start "
	"to start, less the same within one context",
	true, false, measure_switch},
    [MEASURE_SSEU] = {"slice mask", "costs", "sseu_ns", "ns",
	"the same with one slice and all in turn, less the context switch",
	false, false, measure_sseu},
    [MEASURE_PREEMPTION] = {"preemption", "scheduling", "preemption", "of 1",
	"a batch of priority 0 is submitted while one of priority -512 with "
	"preemption points runs: 1, it begins before that has ended",
	false, false, measure_preemption},
    [MEASURE_LATENCY] = {"preemption with points", NULL, NULL, "ns",
	"from the end of the execbuf of the urgent batch to its start, or, where "
	"that is more, by how much later it begins than on an idle engine; "
	"without calls that were interrupted",
	false, false, measure_latency},
    [MEASURE_ARBITRATION] = {"points are apart", "nearness", "arbitration_us",
	"ns",
	"by how much the time from the end of a batch on another engine to the "
	"start of an urgent one that waits for it varies more with preemption "
	"than on an idle engine (on a GPU with one engine: from its execbuf), "
	"by which, and by chance, the values in brackets are off",
	true, false, measure_arbitration},
    [MEASURE_NO_POINTS] = {"preemption without points", NULL, NULL, "ns",
	"from the end of the running batch to the start of the urgent one",
	false, false, measure_no_points},
    [MEASURE_COMPLETION] = {"to the next by choice", "costs", "completion_ns",
	"ns",
	"the same, less the context switch and the last turn of the batch",
	false, false, measure_completion},
    [MEASURE_LEVELS] = {"priorities below 0", NULL, NULL, "levels",
	"two batches of priority -512 and -1 wait: 2, the later one of -1 is "
	"first; 1, as with GuC, they are of one band",
	false, true, measure_levels},
    [MEASURE_TIMESLICE] = {"timeslice", "scheduling", "timeslice_us", "ns",
	"two batches of equal priority: from the start of one to that of the "
	"other, less completion and context switch; and less the wait for a tick "
	"and for a preemption point, which the values in brackets contain",
	false, false, measure_timeslice},
    [MEASURE_QUANTUM] = {"quantum", "scheduling", "quantum_us", "ns",
	"two batches of equal priority: from the start of one to that of the "
	"other",
	false, false, measure_quantum},
    [MEASURE_TICKS] = {"ticks of slices", "nearness", "hz", "Hz",
	"by how much slices vary", false, true, measure_ticks},
    [MEASURE_WAKE] = {"first batch after idle", "costs", "wake_ns", "ns",
	"from an execbuf to the start on an engine that was idle for 100 ms, "
	"less that on one that had a batch until 100 us before; without calls "
	"that were interrupted",
	false, false, measure_wake},
    [MEASURE_WAKE_AFTER] = {"asleep after", "costs", "wake_after_us", "ns",
	"batches after pauses: the shortest one after which they wake the "
	"engine; the values in brackets are of the pauses",
	false, true, measure_wake_after},
};

void
samples_add(struct samples *s, double value)
{
	if (s->n < MAX_SAMPLES)
		s->list[s->n++] = value;
}

static int
compare_samples(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

struct figure
figure_of(struct samples *s)
{
	unsigned quarter = s->n / 4;
	struct figure f = {.n = s->n};

	if (s->n == 0)
		return f;
	qsort(s->list, s->n, sizeof s->list[0], compare_samples);
	for (unsigned i = quarter; i < s->n - quarter; i++)
		f.value += s->list[i];
	f.value /= s->n - 2 * quarter;
	if (s->estimated)
		f.value = s->estimate;
	f.low = s->list[s->n / 10];
	f.high = s->list[s->n - 1 - s->n / 10];
	if (s->has_error) {
		f.low = fmax(f.value - s->error, 0);
		f.high = f.value + s->error;
	}
	return f;
}

/* Usual calls are those of the same kind: where the GPU was used just before, or the CPU
 * has slept, they take another time. */
void
calls_undisturbed(
    const struct call_samples *from, nsec clock_error, struct samples *s)
{
	struct samples sorted = from->calls;
	double most;

	figure_of(&sorted);
	most = USUAL_CALLS * sorted.list[sorted.n / 4] + (double)NSEC_PER_USEC;
	for (unsigned i = 0; i < from->calls.n; i++)
		if (from->calls.list[i] > most || (double)clock_error > most)
			s->n_disturbed++;
		else
			samples_add(s, from->latencies.list[i]);
}

unsigned
calibration_class(const struct calibration *c)
{
	return c->hw->facts.engines[c->bench.engine].class;
}

double
calibration_figure(const struct calibration *c, enum measure_id id)
{
	return c->figures[id][calibration_class(c)].value;
}

struct calibration *
calibration_new(struct hardware *hw, const struct profile *base)
{
	struct calibration *c = mem_calloc(1, sizeof *c);

	c->hw = hw;
	c->base = base;
	bench_open(&c->bench, hw, 0);
	return c;
}

void
calibration_free(struct calibration *c)
{
	if (c == NULL)
		return;
	bench_close(&c->bench);
	text_free(&c->doubts);
	free(c);
}

/* Goes on with the first engine of the next class. False: there is none. */
static bool
next_class(struct calibration *c)
{
	const struct facts *facts = &c->hw->facts;
	unsigned e = c->bench.engine, class = calibration_class(c);

	while (e < facts->n_engines && facts->engines[e].class == class)
		e++;
	if (e == facts->n_engines)
		return false;
	bench_close(&c->bench);
	bench_open(&c->bench, c->hw, e);
	c->next = 0;
	return true;
}

/* Warns, once, where figures will vary: other programs use the GPU, or the
 * machine. */
static void
warn_once(struct calibration *c, struct text *warning)
{
	struct text users = {0};

	if (c->warned)
		return;
	c->warned = true;
	if (getloadavg(&c->load, 1) == 1 && c->load >= BUSY_LOAD)
		text_addf(warning,
		    "this machine is busy (load %.1f): figures vary more than "
		    "they should; expected an idle one",
		    c->load);
	if (busyness_of_others(c->hw, &users))
		text_addf(warning,
		    "%sthe GPU is busy (%s): figures are wrong; expected an "
		    "idle one",
		    warning->len > 0 ? "; " : "", text_str(&users));
	text_adds(&c->doubts, text_str(warning));
	text_free(&users);
}

static void
add_figure(const struct calibration *c, const struct measurement *m,
    const struct samples *s, const struct figure *f, struct text *line)
{
	const char *class = engine_class_names[calibration_class(c)];

	if (f->n == 0 && s->has_error)
		text_addf(line,
		    "%-5s %-24s not measurable (%.0f %s, off by up to %.0f)",
		    class, m->name, s->estimate, m->unit, s->error);
	else if (f->n == 0 && s->n_disturbed > 0)
		text_addf(line,
		    "%-5s %-24s not measurable on a busy machine (%u samples "
		    "were disturbed)",
		    class, m->name, s->n_disturbed);
	if (f->n > 0)
		text_addf(line, "%-5s %-24s %10.0f %s (%.0f to %.0f, %u %s)",
		    class, m->name, f->value, m->unit, f->low, f->high, f->n,
		    f->n == 1 ? "sample" : "samples");
}

/* Makes a measurement, once more on a new bench if the first time fails: another
 * program's hang, or a GPU that was taken away, may be why. */
static void
run_measurement(struct calibration *c, const struct measurement *m,
    struct samples *s, struct text *warning)
{
	m->measure(c, s);
	if (bench_ok(&c->bench))
		return;
	text_addf(warning, "%s; measured again", text_str(&c->bench.failure));
	bench_close(&c->bench);
	bench_open(&c->bench, c->hw, c->bench.engine);
	*s = (struct samples){.n = 0};
	m->measure(c, s);
}

bool
calibration_step(struct calibration *c, struct text *line, struct text *warning,
    struct text *err)
{
	struct samples s = {.n = 0};
	const struct measurement *m;
	struct figure *f;

	warn_once(c, warning);
	while (c->next < N_MEASUREMENTS && measures[c->next].once &&
	    c->bench.engine > 0)
		c->next++;
	if (c->next == N_MEASUREMENTS && !next_class(c))
		return false;
	m = &measures[c->next];
	f = &c->figures[c->next++][calibration_class(c)];
	if (bench_ok(&c->bench)) {
		bench_set_clock(&c->bench);
		run_measurement(c, m, &s, warning);
		*f = figure_of(&s);
		add_figure(c, m, &s, f, line);
	}
	text_adds(err, text_str(&c->bench.failure));
	return bench_ok(&c->bench);
}
