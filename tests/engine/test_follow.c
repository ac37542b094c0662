/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation as the record of a device (doc/model/hardware.md): what the
 * device is asked for, and what becomes of its news, one rule at a time.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/fake_gpu.h"

static const struct hw_engine *
engine_named(const struct fake_gpu *gpu, const char *name)
{
	const struct device *dev = &gpu->lab.sim->device;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (strcmp(dev->engines[i].name, name) == 0)
			return &dev->engines[i];
	}
	fail();
	return NULL;
}

static void
expect_run(const struct fake_gpu *gpu, const char *engine, double us)
{
	nsec ran = hw_engine_run(engine_named(gpu, engine), gpu->lab.sim->now);

	assert_int_equal(ran, us * 1e3);
}

/* The run is over, and the device holds nothing. */
static void
expect_done(const struct fake_gpu *gpu)
{
	assert_int_equal(gpu->lab.sim->state, SIM_DONE);
	assert_int_equal(gpu->n_forgotten, gpu->n_noted);
	assert_int_equal(follow_counts(gpu->lab.sim)->n_in_flight, 0);
}

/* "Following a device": not by their durations. */
TEST(batches_run_when_the_device_says)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.100.0.1,1.VCS1.50.0.1", 1);
	fake_run(&gpu, 10, "contexts 0, submit 0");
	fake_started(&gpu, 0, "RCS", 15);
	fake_ended(&gpu, 0, 117.25, 0);
	fake_run(&gpu, 120, "submit 1");
	fake_started(&gpu, 1, "VCS1", 130);
	fake_run(&gpu, 300, "");
	assert_int_equal(gpu.lab.sim->state, SIM_RUNNING);
	expect_run(&gpu, "VCS1", 170);
	fake_ended(&gpu, 1, 310, 0);
	fake_run(&gpu, 400, "");
	fake_expect(&gpu, "0 RCS 0 15 117.25; 1 VCS1 117.25 130 310");
	expect_run(&gpu, "RCS", 102.25);
	expect_run(&gpu, "VCS1", 180);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Time": a request is ready when its execbuf was called. */
TEST(execbuf_says_when_it_was_called)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	gpu.submit_us = 3;
	fake_gpu_add(&gpu, "1.RCS.100.0.0", 1);
	fake_run(&gpu, 0, "contexts 0, submit 0");
	fake_started(&gpu, 0, "RCS", 2.9); /* the clocks differ */
	fake_run(&gpu, 10, "");
	fake_ended(&gpu, 0, 103, 0);
	fake_run(&gpu, 110, "");
	fake_expect(&gpu, "0 RCS 3 3 103");
	assert_int_equal(gpu.lab.rows[0].submit, 3000);
	fake_gpu_free(&gpu);
}

/* "Ready" */
TEST(virtual_engines_are_where_the_device_put_them)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(
	    &gpu, "M.1.VCS1|VCS2,B.1,1.DEFAULT.100.0.0,1.DEFAULT.100.0.0", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0, submit 1");
	fake_started(&gpu, 0, "VCS2", 2);
	fake_ended(&gpu, 0, 102, 0);
	fake_started(&gpu, 1, "VCS1", 103);
	fake_ended(&gpu, 1, 203, 0);
	fake_run(&gpu, 300, "");
	fake_expect(&gpu, "2 VCS2 0 2 102; 3 VCS1 102 103 203");
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Ready": the start of a request is known before the end of another one, on
 * which it depends. It began then, as far as the engine is concerned. */
TEST(ends_come_before_what_waits_for_them)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.100.0.0,2.VCS1.50.-1.0", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0, submit 1");
	fake_started(&gpu, 0, "RCS", 5);
	fake_started(&gpu, 1, "VCS1", 107);
	fake_run(&gpu, 110, "");
	fake_ended(&gpu, 0, 105, 0);
	fake_ended(&gpu, 1, 157, 0);
	fake_run(&gpu, 200, "");
	fake_expect(&gpu, "0 RCS 0 5 110; 1 VCS1 110 110 157");
	expect_run(&gpu, "RCS", 100);
	assert_int_equal(follow_counts(gpu.lab.sim)->n_late, 1);
	assert_int_equal(follow_counts(gpu.lab.sim)->latest_ns, 5000);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Late news": all of three short batches is known after the fact. */
TEST(late_batches_count_for_what_they_ran)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(
	    &gpu, "1.RCS.10.0.0,1.RCS.10.0.0,1.RCS.10.0.0,d.40,s.-2", 1);
	fake_run(&gpu, 100, "contexts 0, submit 0, submit 1, submit 2");
	for (unsigned i = 0; i < 3; i++) {
		fake_started(&gpu, i, "RCS", 20 + 12 * i);
		fake_ended(&gpu, i, 30 + 12 * i, 0);
	}
	fake_run(&gpu, 200, "");
	fake_expect(&gpu, "0 RCS 0 20 100; 1 RCS 0 32 100; 2 RCS 0 44 100");
	for (unsigned i = 0; i < 3; i++)
		assert_int_equal(gpu.lab.rows[i].run, 10000);
	expect_run(&gpu, "RCS", 30);
	assert_int_equal(follow_counts(gpu.lab.sim)->n_late, 6);
	assert_int_equal(follow_counts(gpu.lab.sim)->latest_ns, 80000);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Submit fences" */
TEST(submit_fence_may_be_over_before_its_batch_begins)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.100.0.0,2.VCS1.50.s-1.0", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0, submit 1");
	fake_started(&gpu, 1, "VCS1", 5);
	fake_ended(&gpu, 1, 55, 0);
	fake_run(&gpu, 60, "");
	fake_started(&gpu, 0, "RCS", 70);
	fake_ended(&gpu, 0, 170, 0);
	fake_run(&gpu, 200, "");
	fake_expect(&gpu, "0 RCS 0 70 170; 1 VCS1 5 5 55");
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Preemption" */
TEST(second_start_on_an_engine_is_a_preemption)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.1000.0.0,2.RCS.100.0.0,3.RCS.100.0.0", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0, submit 1, submit 2");
	fake_started(&gpu, 0, "RCS", 10);
	fake_run(&gpu, 100, "");
	fake_started(&gpu, 1, "RCS", 110);
	fake_ended(&gpu, 1, 210, 0);
	fake_started(&gpu, 2, "RCS", 230);
	fake_ended(&gpu, 2, 330, 0);
	fake_run(&gpu, 400, "");
	fake_ended(&gpu, 0, 1300, 0);
	fake_run(&gpu, 2000, "");
	fake_expect(&gpu, "0 RCS 0 10 1300; 1 RCS 0 110 210; 2 RCS 0 230 330");
	/* It did not go on in the 20 us between the other two. */
	assert_int_equal(gpu.lab.rows[0].preemptions, 1);
	assert_int_equal(gpu.lab.rows[0].run, (100 + 970) * 1000);
	assert_int_equal(engine_named(&gpu, "RCS")->preemptions, 1);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

TEST(last_seen_says_which_of_two_runs)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.1000.0.0,2.RCS.1000.0.0", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0, submit 1");
	fake_started(&gpu, 0, "RCS", 10);
	fake_started(&gpu, 1, "RCS", 110);
	fake_ran(&gpu, 0, 90); /* before that */
	fake_run(&gpu, 150, "");
	fake_ran(&gpu, 0, 180);
	fake_run(&gpu, 200, "");
	fake_ended(&gpu, 1, 500, 0);
	fake_run(&gpu, 600, "");
	fake_ended(&gpu, 0, 1000, 0);
	fake_run(&gpu, 2000, "");
	fake_expect(&gpu, "0 RCS 0 10 1000; 1 RCS 0 110 500");
	/* 0 from 10 to 110, from 180 to 500, where 1 ended, and on. */
	assert_int_equal(gpu.lab.rows[0].run, (100 + 320 + 500) * 1000);
	assert_int_equal(gpu.lab.rows[0].preemptions, 2);
	assert_int_equal(gpu.lab.rows[1].run, 70 * 1000);
	assert_int_equal(gpu.lab.rows[1].preemptions, 1);
	expect_run(&gpu, "RCS", 990);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Software fences" */
TEST(held_requests_are_submitted_in_order)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu,
	    "f,1.RCS.10.f-1.0,1.RCS.10.0.0,2.VCS1.10.-1.0,2.BCS.10.0.0,"
	    "d.50,a.-6,s.-4",
	    1);
	fake_run(&gpu, 10, "contexts 0, submit 3");
	assert_int_equal(follow_counts(gpu.lab.sim)->n_held, 3);
	fake_run(&gpu, 60, "submit 0, submit 1, submit 2");
	assert_int_equal(follow_counts(gpu.lab.sim)->n_held, 0);
	for (unsigned i = 0; i < 4; i++) {
		static const char *const engines[] = {
		    "RCS", "RCS", "VCS1", "BCS"};

		fake_started(&gpu, i, engines[i], 70 + 10 * i);
		fake_ended(&gpu, i, 80 + 10 * i, 0);
	}
	fake_run(&gpu, 200, "");
	fake_expect(&gpu,
	    "1 RCS 50 70 80; 2 RCS 50 80 90; 3 VCS1 90 90 100; "
	    "4 BCS 0 100 110");
	assert_int_equal(gpu.lab.rows[0].submit, 0);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Ends" */
TEST(requests_end_with_the_errors_of_the_device)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(
	    &gpu, "1.RCS.*.0.0,1.RCS.10.0.0,2.VCS1.10.-2.0,3.BCS.10.0.0", 1);
	fake_run(
	    &gpu, 10, "contexts 0, submit 0, submit 1, submit 2, submit 3");
	fake_started(&gpu, 0, "RCS", 11);
	follow_hung(gpu.lab.sim, gpu.requests[0], 20000, HANG_HEARTBEAT, -EIO);
	fake_ended(&gpu, 2, 21, -EIO);
	fake_ended(&gpu, 1, 22, -EIO);
	fake_started(&gpu, 3, "BCS", 11);
	fake_ended(&gpu, 3, 25, 0);
	fake_run(&gpu, 100, "");
	lab_expect_ends(
	    &gpu.lab, "0 RCS 20 EIO; 1 RCS 22 EIO; 2 VCS1 21 EIO; 3 BCS 25 ok");
	assert_int_equal(gpu.lab.hung, 1);
	assert_int_equal(gpu.lab.hang.cause, HANG_HEARTBEAT);
	assert_int_equal(gpu.lab.hang.run_ns, 9000);
	assert_true(gpu.lab.hang.guilty);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

TEST(refused_submissions_end_with_their_error)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.10.0.0,2.VCS1.10.-1.1", 1);
	gpu.fails = -ENOSPC;
	fake_run(&gpu, 10, "contexts 0, refuse 0, submit 1");
	fake_started(&gpu, 1, "VCS1", 12);
	fake_ended(&gpu, 1, 22, 0);
	fake_run(&gpu, 100, "");
	assert_int_equal(gpu.lab.rows[0].error, -ENOSPC);
	assert_int_equal(gpu.lab.rows[1].error, 0);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* A full ring of the kernel is tried again when a request has ended. */
TEST(full_ring_is_tried_again)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu,
	    "1.RCS.10.0.0,d.10,1.RCS.10.0.0,1.RCS.10.0.0,2.BCS.10.0.0", 1);
	fake_run(&gpu, 5, "contexts 0, submit 0");
	fake_started(&gpu, 0, "RCS", 6);
	gpu.fails = -EAGAIN;
	fake_run(&gpu, 20, "refuse 1, submit 3");
	fake_ended(&gpu, 0, 30, 0);
	fake_run(&gpu, 40, "submit 1, submit 2");
	fake_ended(&gpu, 3, 41, 0);
	fake_ended(&gpu, 1, 50, 0);
	fake_ended(&gpu, 2, 60, 0);
	fake_run(&gpu, 100, "");
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* T is handed to the device, at once or behind the submission. */
TEST(infinite_batches_end_by_the_device)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(
	    &gpu, "1.RCS.*.0.0,f,2.VCS1.*.f-1.0,d.10,T.-2,T.-5,a.-5", 1);
	fake_run(&gpu, 20, "contexts 0, submit 0, end 0, submit 1, end 1");
	fake_started(&gpu, 0, "RCS", 1);
	fake_ended(&gpu, 0, 25, 0);
	fake_started(&gpu, 1, "VCS1", 22);
	fake_ended(&gpu, 1, 23, 0);
	fake_run(&gpu, 100, "");
	fake_expect(&gpu, "0 RCS 0 1 25; 2 VCS1 10 22 23");
	assert_int_equal(gpu.lab.rows[0].run, 24000);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

TEST(killed_clients_wait_for_the_device)
{
	struct text err = {0};
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(
	    &gpu, "1.RCS.*.0.0,f,2.VCS1.10.f-1.0,1.RCS.10.0.0,s.-1", 1);
	fake_run(&gpu, 10, "contexts 0, submit 0, submit 2");
	fake_started(&gpu, 0, "RCS", 5);
	assert_true(sim_control(gpu.lab.sim,
	    &(struct control){.kind = CONTROL_KILL, .client = 0}, &err));
	fake_run(&gpu, 50, "kill 0");
	assert_string_equal(
	    client_state_name(gpu.lab.sim->clients[0]), "dying");
	fake_ended(&gpu, 0, 60, -EIO);
	fake_ended(&gpu, 2, 61, -EIO);
	fake_run(&gpu, 100, "");
	lab_expect_ends(&gpu.lab, "0 RCS 60 EIO; 2 VCS1 10 EIO; 3 RCS 61 EIO");
	assert_int_equal(gpu.lab.rows[0].run, 55000);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Ends": the rows of a parallel slot. */
TEST(rows_begin_and_end_together)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(
	    &gpu, "G.1.VCS1/VCS2,1.DEFAULT.10.0.0,1.DEFAULT.10.0.0", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0, submit 2");
	fake_started(&gpu, 1, "VCS2", 10);
	fake_run(&gpu, 11, "");
	fake_started(&gpu, 0, "VCS1", 12);
	fake_ended(&gpu, 0, 21, 0);
	fake_ended(&gpu, 1, 22, 0);
	fake_started(&gpu, 2, "VCS1", 22);
	fake_started(&gpu, 3, "VCS2", 23);
	fake_ended(&gpu, 3, 33, 0);
	fake_ended(&gpu, 2, 32, 0);
	fake_run(&gpu, 50, "");
	fake_expect(&gpu,
	    "1 VCS1 0 12 22; 1 VCS2 0 12 22; 2 VCS1 22 23 33; 2 VCS2 22 23 33");
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Deadlocks" */
TEST(deadlock_is_none_while_the_device_works)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.*.0.1", 1);
	fake_run(&gpu, 1000, "contexts 0, submit 0");
	assert_int_equal(gpu.lab.sim->state, SIM_RUNNING);
	fake_gpu_free(&gpu);
	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "f,1.RCS.10.f-1.1,a.-2", 1);
	fake_run(&gpu, 1000, "contexts 0");
	assert_int_equal(gpu.lab.sim->state, SIM_DEADLOCK);
	fake_gpu_free(&gpu);
}

/* "Pauses" */
TEST(pause_holds_submissions)
{
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.100.0.1,1.RCS.50.0.0,2.VCS1.20.0.1", 1);
	fake_run(&gpu, 1, "contexts 0, submit 0");
	follow_hold(gpu.lab.sim, true);
	fake_started(&gpu, 0, "RCS", 5);
	fake_ended(&gpu, 0, 105, 0);
	fake_run(&gpu, 1000, "");
	assert_int_equal(gpu.lab.sim->state, SIM_RUNNING);
	assert_int_equal(follow_counts(gpu.lab.sim)->n_in_flight, 0);
	assert_int_equal(follow_counts(gpu.lab.sim)->n_held, 2);
	follow_hold(gpu.lab.sim, false);
	fake_run(&gpu, 1001, "submit 1, submit 2");
	fake_started(&gpu, 1, "RCS", 1002);
	fake_started(&gpu, 2, "VCS1", 1003);
	fake_ended(&gpu, 2, 1023, 0);
	fake_ended(&gpu, 1, 1052, 0);
	fake_run(&gpu, 1100, "");
	assert_int_equal(follow_counts(gpu.lab.sim)->n_held, 0);
	expect_run(&gpu, "RCS", 150);
	expect_done(&gpu);
	fake_gpu_free(&gpu);
}

/* "Pauses": a killed client's requests end all the same. */
TEST(killed_clients_end_in_a_pause)
{
	struct control kill = {.kind = CONTROL_KILL};
	struct text err = {0};
	struct fake_gpu gpu;

	fake_gpu_init(&gpu);
	fake_gpu_add(&gpu, "1.RCS.100.0.1", 1);
	follow_hold(gpu.lab.sim, true);
	fake_run(&gpu, 1, "contexts 0");
	assert_true(sim_control(gpu.lab.sim, &kill, &err));
	fake_run(&gpu, 2, "kill 0");
	assert_int_equal(gpu.lab.sim->state, SIM_DONE);
	text_free(&err);
	fake_gpu_free(&gpu);
}
