/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames for Arm's tools: when each goes out, and with what. */
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "trace/arm_frames.h"

struct told {
	struct arm_frames frames;
	struct lab lab;
	struct layer *layer;
	struct text text; /* a line each */
	unsigned n;
};

static void
on_over(struct arm_frames *frames, struct arm_frame *frame, uint64_t number,
    nsec at)
{
	struct told *t = (struct told *)frames;

	t->n++;
	text_addf(&t->text, "%" PRIu64 ":%" PRIu64 " %" PRId64, frame->device,
	    number, (int64_t)at / 1000);
	for (size_t i = 0; i < frame->n_workloads; i++) {
		const struct workload_info *w = &frame->workloads[i].info;

		text_addf(&t->text, " t%" PRIu64, frame->workloads[i].tag);
		if (w->type == WORKLOAD_RENDERPASS)
			text_addf(&t->text, "=%" PRId64, w->draws);
		else
			text_addf(&t->text, "=%" PRId64 "x%" PRId64 "x%" PRId64,
			    w->size[0], w->size[1], w->size[2]);
	}
	text_addc(&t->text, '\n');
}

static void
begin(struct told *t, const char *sched, const char *descriptor, unsigned n,
    uint64_t repeat)
{
	*t = (struct told){.frames.over = on_over};
	lab_init(&t->lab, sched);
	t->lab.config.profile.heartbeat_ns = 2500 * NSEC_PER_MSEC;
	lab_add(
	    &t->lab, descriptor, n, (struct client_options){.repeat = repeat});
	t->layer = layer_begin(t->lab.sim, NULL);
	arm_frames_begin(&t->frames, t->layer, t->lab.sim);
}

static void
end(struct told *t)
{
	arm_frames_end(&t->frames, t->layer);
	layer_end(t->layer);
	lab_free(&t->lab);
}

/* Returns all frames of a run, in the order in which they go out. */
static void
expect(const char *descriptor, unsigned n, uint64_t repeat, const char *wanted)
{
	struct told t;

	begin(&t, "fifo", descriptor, n, repeat);
	assert_int_equal(sim_run(t.lab.sim, NSEC_NEVER, 0), SIM_DONE);
	end(&t);
	assert_string_equal(text_str(&t.text), wanted);
	text_free(&t.text);
}

/* All iterations are submitted at once: a frame ends before its batches have
 * run. */
TEST(indirect)
{
	expect("#@ dispatch 4x5x6 indirect\n#@ dispatch 1x2x3\n1.RCS.100.0.0\n",
	    1, 3,
	    "1:0 0 t1=4x5x6 t2=1x2x3\n1:1 0 t1=4x5x6 t2=1x2x3\n"
	    "1:2 0 t1=4x5x6 t2=1x2x3\n");
	/* The draws of all executions of a secondary. */
	expect("#@ secondary begin times=3\n#@ dispatch 4x5x6 indirect\n"
	       "#@ secondary end\n1.RCS.100.0.0\n",
	    1, 1, "1:0 0 t1=4x5x6 t1=4x5x6 t1=4x5x6\n");
}

/* A pass that the next iteration resumes. The last one keeps the draws that it
 * has when the run ends. */
TEST(split)
{
	expect("#@ renderpass resume draws=2\n1.RCS.10.0.0\n"
	       "#@ renderpass 8x8 draws=3 suspend\n1.RCS.10.0.1\n",
	    1, 3, "1:0 20 t1=5\n1:1 40 t1=5\n1:2 60 t1=3\n");
	/* A pass that is never resumed ends when the next one begins. */
	expect("#@ renderpass 8x8 draws=3 suspend\n1.RCS.10.0.1\n", 1, 2,
	    "1:0 10 t1=3\n1:1 20 t1=3\n");
}

/* Frames of a client go out in order and wait for no other client. */
TEST(order)
{
	struct told t;

	begin(&t, "fifo", "#@ dispatch 4x5x6 indirect\n1.RCS.100.0.0\nd.10\n",
	    2, 2);
	lab_run(&t.lab, 150000);
	assert_string_equal(text_str(&t.text), "1:0 10 t1=4x5x6\n");
	lab_run(&t.lab, 250000);
	assert_string_equal(
	    text_str(&t.text), "1:0 10 t1=4x5x6\n2:1000000000 10 t2=4x5x6\n");
	end(&t);
	assert_string_equal(text_str(&t.text),
	    "1:0 10 t1=4x5x6\n2:1000000000 10 t2=4x5x6\n1:1 20 t1=-1x-1x-1\n"
	    "2:1000000001 20 t2=-1x-1x-1\n");
	text_free(&t.text);
}

/* A size lost with its engine stays unknown: its frame does not wait. */
TEST(lost)
{
	struct told t;

	begin(&t, "execlists",
	    "X.1.0\n#@ dispatch 4x5x6 indirect\n1.RCS.*.0.0\nd.10\n", 1, 1);
	assert_int_equal(sim_run(t.lab.sim, NSEC_NEVER, 0), SIM_DONE);
	assert_int_equal(t.lab.hung, 1);
	assert_string_equal(text_str(&t.text), "1:0 10 t1=-1x-1x-1\n");
	end(&t);
	text_free(&t.text);
}

/* Memory is bounded: beyond the limit the oldest frames go out incomplete, and
 * later results do not end up in other frames. */
TEST(bound)
{
	struct told t;

	begin(&t, "fifo", "#@ dispatch 4x5x6 indirect\n1.RCS.100.0.0\n", 1,
	    ARM_FRAMES_WAIT + 2);
	lab_run(&t.lab, 50000);
	assert_string_equal(
	    text_str(&t.text), "1:0 0 t1=-1x-1x-1\n1:1 0 t1=-1x-1x-1\n");
	lab_run(&t.lab, 250000);
	assert_int_equal(t.n, 2);
	lab_run(&t.lab, 350000);
	assert_string_equal(text_str(&t.text),
	    "1:0 0 t1=-1x-1x-1\n1:1 0 t1=-1x-1x-1\n1:2 0 t1=4x5x6\n");
	end(&t);
	assert_int_equal(t.n, ARM_FRAMES_WAIT + 2);
	assert_int_equal(t.frames.kept, 0);
	text_free(&t.text);
}

/* Numbers of executions, and what is known of their workloads. */
static void
on_late_over(struct arm_frames *frames, struct arm_frame *frame,
    uint64_t number, nsec at)
{
	struct told *t = (struct told *)frames;

	(void)at;
	text_addf(&t->text, "%" PRIu64 ":%" PRIu64, frame->device, number);
	for (size_t i = 0; i < frame->n_workloads; i++) {
		const struct arm_kept *w = &frame->workloads[i];

		text_addf(&t->text, " e%" PRIu64 "=%" PRId64, w->execution,
		    w->info.type == WORKLOAD_RENDERPASS ? w->info.draws
							: w->info.size[0]);
	}
	for (size_t i = 0; i < frame->n_submits; i++)
		text_addf(
		    &t->text, " @%" PRIu64, frame->submits[i].at_ns / 1000);
	text_addc(&t->text, '\n');
}

/* Begins other frames at that time, in us. */
static void
expect_late(const char *descriptor, unsigned n, uint64_t repeat, nsec late_us,
    const char *wanted)
{
	struct told t, late = {.frames.over = on_late_over};

	begin(&t, "fifo", descriptor, n, repeat);
	lab_run(&t.lab, late_us * 1000);
	arm_frames_begin(&late.frames, t.layer, t.lab.sim);
	assert_int_equal(sim_run(t.lab.sim, NSEC_NEVER, 0), SIM_DONE);
	arm_frames_end(&late.frames, t.layer);
	assert_string_equal(text_str(&late.text), wanted);
	text_free(&late.text);
	end(&t);
	text_free(&t.text);
}

/* A file that begins later has the submissions in flight, in their frames: their
 * render stages are still to come. */
TEST(late)
{
	/* The first of three has ended. */
	expect_late("#@ dispatch 4x5x6 indirect\n1.RCS.100.0.0\n", 1, 3, 150,
	    "1:1 e2=4 @0\n1:2 e3=4 @0\n");
	expect_late("#@ dispatch 4x5x6\n1.RCS.100.0.0\n2.VCS.10.0.0\nd.20\n", 2,
	    2, 30,
	    "1:0 e1=4 @0\n2:1000000000 e2=4 @0\n"
	    "1:1 e3=4 @20\n2:1000000001 e4=4 @20 @20\n");
	/* Both parts, and the second alone. */
	expect_late("#@ renderpass 8x8 draws=3 suspend\n1.RCS.100.0.0\n"
		    "#@ renderpass resume draws=2\n1.RCS.100.0.0\n",
	    1, 1, 50, "1:0 e1=5 @0 @0\n");
	expect_late("#@ renderpass 8x8 draws=3 suspend\n1.RCS.100.0.0\n"
		    "#@ renderpass resume draws=2\n1.RCS.100.0.0\n",
	    1, 1, 150, "1:0 e1=5 @0\n");
	/* It is resumed later. */
	expect_late("#@ renderpass 8x8 draws=3 suspend\n1.RCS.100.0.0\nd.60\n"
		    "#@ renderpass resume draws=2\n1.RCS.100.0.1\n",
	    1, 1, 50, "1:0 e1=5 @0 @60\n");
}
