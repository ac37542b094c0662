/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The answers of why about a real device (doc/model/hardware.md "Unexplained
 * waits"). */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/explain/causes.h"
#include "engine/explain/why.h"
#include "engine/sim.h"
#include "tests/runner/test.h"
#include "tests/support/fake_gpu.h"

struct followed_run {
	struct fake_gpu gpu;
	struct trail *trail;
	struct why why;
};

static void
followed_run_begin(struct followed_run *run, const char *descriptor)
{
	*run = (struct followed_run){0};
	fake_gpu_init(&run->gpu);
	fake_gpu_add(&run->gpu, descriptor, 1);
	run->trail = trail_begin(run->gpu.lab.sim, 64);
}

static void
followed_run_end(struct followed_run *run)
{
	why_free(&run->why);
	trail_end(run->trail);
	fake_gpu_free(&run->gpu);
}

static void
expect_why(struct followed_run *run, uint64_t request, const char *expected)
{
	struct text t = {0};

	assert_true(
	    why_request(&run->why, run->trail, run->gpu.lab.sim, request));
	why_print(&run->why, &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

/* Names a program, and the time that it is asked about. */
static void
add_other(void *data, unsigned engine, nsec from, nsec to, struct text *out)
{
	struct followed_run *run = data;

	text_addf(out, "Xorg (pid 812) on %s, %u to %u",
	    run->gpu.lab.sim->device.engines[engine].name,
	    (unsigned)(from / 1000), (unsigned)(to / 1000));
}

/* Our batch before it explains a wait, and so does the beginning of a batch; a
 * longer time does not. */
TEST(waits_for_the_device)
{
	struct followed_run run;

	followed_run_begin(&run, "1.RCS.100.0.0,2.RCS.100.0.0");
	fake_run(&run.gpu, 0, "contexts 0, submit 0, submit 1");
	fake_started(&run.gpu, 0, "RCS", 30);
	fake_ended(&run.gpu, 0, 130, 0);
	fake_started(&run.gpu, 1, "RCS", 630);
	fake_run(&run.gpu, 700, "");
	expect_why(&run, 1,
	    "130us client 0 context 1, line 1 (step 0), iteration 0, on RCS: "
	    "from submission to end\n"
	    "  30.0us ready, queued for RCS, priority 0\n"
	    "    30.0us RCS begins a batch (driver and GPU)\n"
	    "  100us runs on RCS\n");
	run.why.others = add_other;
	run.why.data = &run;
	expect_why(&run, 2,
	    "700us client 0 context 2, line 1 (step 1), iteration 0, on RCS: "
	    "from submission until now, in flight\n"
	    "  630us ready, queued for RCS, priority 0\n"
	    "    30.0us RCS begins a batch (driver and GPU)\n"
	    "    100us RCS busy with client 0 context 1, line 1 (step 0), "
	    "priority 0\n"
	    "    500us waits for the GPU, RCS has nothing of ours: not "
	    "explained by our requests; other programs used it: Xorg (pid 812) "
	    "on RCS, 130 to 630\n"
	    "  70.0us runs on RCS\n");
	followed_run_end(&run);
}

/* The clock may be ahead of the record when a request is submitted. */
TEST(submitted_ahead_of_the_record)
{
	const struct trail_request *r;
	struct followed_run run;

	followed_run_begin(&run, "1.RCS.100.0.0");
	run.gpu.submit_us = 3;
	fake_run(&run.gpu, 1, "contexts 0, submit 0");
	r = trail_request(run.trail, 1);
	assert_int_equal(r->submit_ns, 3000);
	assert_int_equal(r->ready_ns, 3000);
	expect_why(&run, 1,
	    "0ns client 0 context 1, line 1 (step 0), iteration 0, on RCS: "
	    "from submission until now, in flight\n");
	followed_run_end(&run);
}

/* A batch that had its engine in turns with others. */
TEST(batches_that_take_longer)
{
	struct followed_run run;

	followed_run_begin(&run, "1.RCS.1000.0.0");
	run.why.others = add_other;
	run.why.data = &run;
	fake_run(&run.gpu, 0, "contexts 0, submit 0");
	fake_started(&run.gpu, 0, "RCS", 0);
	fake_ended(&run.gpu, 0, 2500, 0);
	fake_run(&run.gpu, 2600, "");
	expect_why(&run, 1,
	    "2.50ms client 0 context 1, line 1 (step 0), iteration 0, on RCS: "
	    "from submission to end\n"
	    "  2.50ms runs on RCS, 1.50ms longer than its 1.00ms: the engine did "
	    "other work in between; other programs used it: Xorg (pid 812) on "
	    "RCS, 0 to 2500\n");
	followed_run_end(&run);
}

/* A virtual engine: the one that has nothing of ours is named. */
TEST(waits_for_any_engine)
{
	struct followed_run run;

	followed_run_begin(&run,
	    "M.1.VCS1|VCS2,B.1,1.DEFAULT.100.0.0,M.2.VCS1|VCS2,B.2,"
	    "2.DEFAULT.100.0.0");
	fake_run(&run.gpu, 0, "contexts 0, submit 0, submit 1");
	fake_started(&run.gpu, 0, "VCS1", 30);
	fake_run(&run.gpu, 500, "");
	expect_why(&run, 2,
	    "500us client 0 context 2, line 1 (step 5), iteration 0, on any of "
	    "its engines: from submission until now, in flight\n"
	    "  500us ready, queued for any of its engines, priority 0\n"
	    "    500us waits for the GPU, VCS2 has nothing of ours: not "
	    "explained by our requests\n");
	followed_run_end(&run);
}

/* The clock is that of the CPU: execbufs may be late by it. */
TEST(late_submissions)
{
	struct followed_run run;
	struct text t = {0};

	followed_run_begin(&run, "1.RCS.100.0.1");
	run.gpu.submit_us = 200;
	fake_run(&run.gpu, 0, "contexts 0, submit 0");
	fake_started(&run.gpu, 0, "RCS", 210);
	fake_run(&run.gpu, 250, "");
	assert_true(
	    why_client(&run.why, run.trail, run.gpu.lab.sim, 0, 0, 250000));
	why_print(&run.why, &t);
	assert_string_equal(text_str(&t),
	    "250us client 0\n"
	    "  250us client 0 at line 1 (step 0): waits for its batch: client 0 "
	    "context 1, line 1 (step 0)\n"
	    "    200us not submitted yet: the run was behind the clock\n"
	    "    10.0us ready, queued for RCS, priority 0\n"
	    "      10.0us RCS begins a batch (driver and GPU)\n"
	    "    40.0us runs on RCS\n");
	text_free(&t);
	followed_run_end(&run);
}

static void
expect_blocked(struct followed_run *run, unsigned rq, const char *expected)
{
	struct text t = {0};

	sim_explain_request(
	    run->gpu.lab.sim, request_get(run->gpu.requests[rq]), &t);
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

/* The same of requests that wait now. */
TEST(waits_now)
{
	struct followed_run run;

	followed_run_begin(&run, "1.RCS.100.0.0,1.RCS.100.0.0");
	run.gpu.fails = -EAGAIN;
	fake_run(&run.gpu, 0, "contexts 0, refuse 0");
	expect_blocked(&run, 0,
	    "client 0 context 1, line 1 (step 0) on RCS, waits for room in "
	    "the driver");
	followed_run_end(&run);

	followed_run_begin(&run, "1.RCS.100.0.0,1.RCS.100.0.0");
	fake_run(&run.gpu, 500, "contexts 0, submit 0, submit 1");
	expect_blocked(&run, 0,
	    "client 0 context 1, line 1 (step 0) on RCS, waits for the GPU: not "
	    "explained by our requests");
	fake_started(&run.gpu, 0, "RCS", 600);
	fake_run(&run.gpu, 610, "");
	expect_blocked(&run, 1,
	    "client 0 context 1, line 1 (step 1) on RCS, which is queued behind "
	    "client 0 context 1, line 1 (step 0) on RCS, which is running");
	followed_run_end(&run);
}

/* Returns the first row of that role below a cause; NULL: none. */
static const struct cause *
find_cause(const struct cause *row, unsigned role)
{
	const struct cause *found = NULL;

	for (const struct cause *r = row->first; r != NULL && found == NULL;
	     r = r->next)
		found = r->kind == CAUSE_PART && r->role == role
		    ? r
		    : find_cause(r, role);
	return found;
}

/* Time by cause has them too. */
TEST(time_by_cause)
{
	struct followed_run run;
	struct causes c = {0};
	struct text t = {0};
	const struct cause *row;

	followed_run_begin(&run, "1.RCS.100.0.1");
	fake_run(&run.gpu, 0, "contexts 0, submit 0");
	fake_started(&run.gpu, 0, "RCS", 400);
	fake_run(&run.gpu, 450, "");
	assert_true(causes_begin(&c, run.trail, run.gpu.lab.sim, 0, 450000));
	causes_add_context(&c, 0, 1);
	row = find_cause(&c.root, WHY_DEVICE);
	assert_non_null(row);
	assert_int_equal(row->ns, 400000);
	causes_text(&c, row, &t);
	assert_string_equal(text_str(&t),
	    "waits for the GPU, RCS has nothing of ours: not explained by our "
	    "requests");
	text_clear(&t);
	causes_add_engine(&c, row->engine);
	for (row = c.root.first; row->client != CAUSE_NOBODY; row = row->next) {
	}
	causes_text(&c, find_cause(row, WHY_IDLE), &t);
	assert_string_equal(text_str(&t), "RCS has nothing of ours");
	text_free(&t);
	causes_free(&c);
	followed_run_end(&run);
}
