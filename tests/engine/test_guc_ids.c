/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Context ids of guc (doc/model/guc.md "Context ids"), each rule on a
 * descriptor small enough to be worked out by hand: "step engine ready start
 * end" in microseconds.
 */
#include <errno.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "engine/sched/guc.h"
#include "engine/sched/steps.h"
#include "tests/runner/test.h"
#include "tests/support/lab_control.h"

static const struct client_options once = {.repeat = 1};

/* Sets the number of ids for queues that are not parallel. */
static void
init_single(struct lab *lab, unsigned n)
{
	lab_init(lab, "guc");
	lab->config.profile.guc_ids = n;
	lab->config.profile.guc_multi_lrc_share = GUC_MAX_IDS;
}

static void
expect_counters(const struct lab *lab, uint64_t registrations, uint64_t steals,
    uint64_t waits)
{
	const struct guc_counters *counters = sched_guc_counters(lab->sim);

	assert_int_equal(counters->registrations, registrations);
	assert_int_equal(counters->steals, steals);
	assert_int_equal(counters->waits, waits);
}

/* On `ideal` there is no limit, and registration costs nothing. */
TEST(no_limit)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab_add(
	    &lab, "1.RCS.5.0.0,2.RCS.5.0.0,1.BCS.5.0.0,1.RCS.5.0.0", 1, once);
	lab_expect(
	    &lab, "0 RCS 0 0 5; 1 RCS 0 10 15; 2 BCS 0 0 5; 3 RCS 0 5 10", 15);
	/* There is a queue for each context and engine. */
	expect_counters(&lab, 3, 0, 0);
	lab_free(&lab);
}

/* A queue is registered once: it keeps its id while no other queue wants it. */
TEST(registering_costs_once)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.guc_register_ns = 10 * NSEC_PER_USEC;
	lab_add(&lab, "1.RCS.5.0.1,d.100000", 1,
	    (struct client_options){.repeat = 2});
	/* It was handed over at once: that is when it was ready. */
	lab_expect(&lab, "0 RCS 0 10 15; 0 RCS 100015 100015 100020", 200020);
	expect_counters(&lab, 1, 0, 0);
	lab_free(&lab);
}

/* "intel_guc_steal_guc_ids: with 512 ids all used, next request gets -EAGAIN;
 * after one retires an id is stolen and the new request completes" (section
 * 2.9). A sixteenth is for parallel contexts; the queues stay alive. */
TEST(steal_guc_ids)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.guc_ids = 512;
	lab.config.profile.guc_disable_delay_ns = 34 * NSEC_PER_MSEC;
	lab.config.profile.guc_register_ns = 10 * NSEC_PER_USEC;
	lab_add(&lab, "1.VCS1.500.0.1,d.1000000", 480, once);
	lab_add(&lab, "d.1,1.RCS.10.0.0", 1, once);
	lab_run(&lab, 600 * NSEC_PER_USEC);
	/* The first one retires at 510; its id has to be deregistered and
	 * registered. */
	assert_int_equal(lab.n_rows, 481);
	assert_int_equal(lab.rows[480].ready, 1 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[480].start, 530 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[480].end, 540 * NSEC_PER_USEC);
	expect_counters(&lab, 481, 1, 1);
	lab_free(&lab);
}

/* "The oldest context on the unpinned but still registered list". */
TEST(the_oldest_is_stolen_from)
{
	struct lab lab;

	init_single(&lab, 2);
	lab.config.profile.guc_register_ns = 10 * NSEC_PER_USEC;
	lab_add(&lab,
	    "1.RCS.5.0.1,2.RCS.5.0.1,3.RCS.5.0.1,2.RCS.5.0.1,1.RCS.5.0.1", 1,
	    once);
	/* 3 has that of 1; 2 has its own; 1 then has that of 3. */
	lab_expect(&lab,
	    "0 RCS 0 10 15; 1 RCS 15 25 30; 2 RCS 30 50 55; 3 RCS 55 55 60; "
	    "4 RCS 60 80 85",
	    85);
	expect_counters(&lab, 4, 2, 0);
	lab_free(&lab);
}

static void
init_delay(struct lab *lab, unsigned threshold)
{
	init_single(lab, 1);
	lab->config.profile.guc_disable_delay_ns = 34 * NSEC_PER_MSEC;
	lab->config.profile.guc_disable_threshold = threshold;
}

/* "Scheduling disable is delayed 34 ms hoping for reuse; immediate if in-use
 * ids exceed 3/4 of the pool." */
TEST(disable_is_delayed)
{
	struct lab lab;

	init_delay(&lab, 100);
	lab_add(&lab, "1.RCS.5.0.1,2.RCS.7.0.1", 1, once);
	lab_expect(&lab, "0 RCS 0 0 5; 1 RCS 5 34005 34012", 34012);
	expect_counters(&lab, 2, 1, 1);
	lab_free(&lab);

	init_delay(&lab, 75);
	lab_add(&lab, "1.RCS.5.0.1,2.RCS.7.0.1", 1, once);
	lab_expect(&lab, "0 RCS 0 0 5; 1 RCS 5 5 12", 12);
	expect_counters(&lab, 2, 1, 0);
	lab_free(&lab);
}

/* Reuse within the delay puts it off. */
TEST(reuse_within_the_delay)
{
	struct lab lab;

	init_delay(&lab, 100);
	lab_add(&lab, "1.RCS.5.0.1,d.20000,1.RCS.5.0.1,2.RCS.7.0.1", 1, once);
	lab_expect(&lab,
	    "0 RCS 0 0 5; 2 RCS 20005 20005 20010; 3 RCS 20010 54010 54017",
	    54017);
	expect_counters(&lab, 2, 1, 1);
	lab_free(&lab);
}

/* One that is idle since before the pool filled up goes first, though its delay
 * had to pass: 1 is idle at 5 us, 2 at 50005, when the delay of 1 is over. */
TEST(delayed_come_before_those_after_them)
{
	struct lab lab;

	init_single(&lab, 3);
	lab.config.profile.guc_disable_delay_ns = 34 * NSEC_PER_MSEC;
	lab.config.profile.guc_register_ns = 10 * NSEC_PER_USEC;
	lab_add(&lab,
	    "1.RCS.5.0.1,d.50000,2.RCS.5.0.1,3.RCS.5.0.1,4.RCS.5.0.1,"
	    "2.RCS.5.0.1",
	    1, once);
	/* 1 idle at 15, 2 at 50030, 3 (all three taken) at 50045; 4 steals at
	 * 50045, and 2 is registered still. */
	lab_expect(&lab,
	    "0 RCS 0 10 15; 2 RCS 50015 50025 50030; 3 RCS 50030 50040 50045; "
	    "4 RCS 50045 50065 50070; 5 RCS 50070 50070 50075",
	    50075);
	expect_counters(&lab, 4, 1, 0);
	lab_free(&lab);
}

/* Ids are given in the order of asking: the client that asked at 1 us is first. */
TEST(waiting_in_order)
{
	struct lab lab;

	init_single(&lab, 1);
	lab_add(&lab, "1.RCS.100.0.1,d.1000", 1, once);
	lab_add(&lab, "d.2,1.BCS.10.0.1,d.1000", 1, once);
	lab_add(&lab, "d.1,1.VCS1.10.0.1,d.1000", 1, once);
	lab_expect(
	    &lab, "0 RCS 0 0 100; 1 VCS1 1 100 110; 1 BCS 2 110 120", 1120);
	expect_counters(&lab, 3, 2, 2);
	lab_free(&lab);
}

/* A client that has ended needs none any more: nothing is stolen. */
TEST(ended_client_gives_back)
{
	struct lab lab;

	init_delay(&lab, 100);
	lab_add(&lab, "1.RCS.100.0.0", 1, once);
	lab_add(&lab, "d.1,1.BCS.10.0.0", 1, once);
	lab_expect(&lab, "0 RCS 0 0 100; 1 BCS 1 100 110", 110);
	expect_counters(&lab, 2, 0, 1);
	lab_free(&lab);
}

/* "Parallel contexts neither steal nor get stolen from": the two ids at the
 * bottom are the first one's until its client has ended, at 100. */
TEST(parallel_keeps_its_run)
{
	struct lab lab;

	lab_init(&lab, "guc");
	lab.config.profile.guc_ids = 32;
	lab_add(&lab, "G.1.VCS1/VCS2,1.DEFAULT.5.0.1,d.95", 1, once);
	lab_add(&lab, "G.1.VECS1/VECS2,d.1,1.DEFAULT.10.0.0", 1, once);
	lab_expect(&lab,
	    "1 VCS1 0 0 5; 1 VCS2 0 0 5; 2 VECS1 1 100 110; "
	    "2 VECS2 1 100 110",
	    110);
	expect_counters(&lab, 2, 0, 1);
	lab_free(&lab);
}

/* "Aligned power-of-two runs": three rows take four ids; of eight those are the
 * last four, of four none are left. */
TEST(runs_are_aligned)
{
	struct lab lab;

	for (unsigned n = 4; n <= 8; n += 4) {
		lab_init(&lab, "guc");
		lab.config.profile.guc_ids = n * 16;
		lab.config.profile.n_engines[CLASS_VCS] = 3;
		lab_add(&lab, "G.1.VECS1/VECS2,1.DEFAULT.5.0.1,d.95", 1, once);
		lab_add(
		    &lab, "G.1.VCS1/VCS2/VCS3,d.1,1.DEFAULT.10.0.0", 1, once);
		assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
		assert_int_equal(
		    lab.rows[2].start, (n == 4 ? 100 : 1) * NSEC_PER_USEC);
		lab_free(&lab);
	}
}

/* The run is the first context's until the client has ended. */
TEST(a_run_that_never_comes)
{
	struct lab lab;
	struct text t = {0};

	lab_init(&lab, "guc");
	lab.config.profile.guc_ids = 32;
	lab_add(&lab,
	    "G.1.VCS1/VCS2,G.2.VECS1/VECS2,1.DEFAULT.5.0.1,2.DEFAULT.5.0.1", 1,
	    once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
	sim_explain_deadlock(lab.sim, &t);
	assert_string_equal(text_str(&t),
	    "client 0 is at line 1 (step 3) and waits for client 0 context 2, "
	    "line 1 (step 3), which waits for a GuC context id\n");
	text_free(&t);
	lab_free(&lab);
}

static void
expect_accepted(
    const char *text, unsigned ids, unsigned share, const char *refusal)
{
	struct lab lab;
	struct text why = {0};
	struct program *p;
	bool ok;

	lab_init(&lab, "guc");
	strcpy(lab.config.profile.name, "few");
	lab.config.profile.guc_ids = ids;
	lab.config.profile.guc_multi_lrc_share = share;
	p = lab_compile(&lab, text);
	assert_non_null(p);
	ok = sched_accepts(lab.config.sched, p, &lab.config.profile, &why);
	assert_string_equal(text_str(&why), refusal);
	assert_int_equal(ok, *refusal == '\0');
	text_free(&why);
	program_free(p);
}

/* A set that could never have its ids is refused before the run. */
TEST(sets_wider_than_the_ids_are_refused)
{
	static const char two[] = "G.1.VCS1/VCS2,1.DEFAULT.5.0.1";

	expect_accepted(two, 32, 16, "");
	expect_accepted(two, 0, 16, "");
	expect_accepted("1.RCS.5.0.0", 2, 16, "");
	expect_accepted(two, 31, 16,
	    "context 1 has a parallel slot of 2 rows, which takes 2 context "
	    "ids, and profile few has 1 for those ([guc] ids = 31, "
	    "multi_lrc_share = 16): give it ids = 32, or ids = 0 for as many "
	    "as are wanted");
	expect_accepted(two, 40000, 40000,
	    "context 1 has a parallel slot of 2 rows, which takes 2 context "
	    "ids, and profile few has 1 for those ([guc] ids = 40000, "
	    "multi_lrc_share = 40000): give it ids = 0 for as many as are "
	    "wanted");
}

static void
kill_client_at(struct lab *lab, uint32_t client, nsec time, bool persistent)
{
	sim_run(lab->sim, time, 0);
	lab_kill(lab, client, persistent);
}

/* A killed client waits for no id: all of its requests end, also those that
 * become ready later, and other clients take its turn. */
TEST(killed_waits_for_no_id)
{
	struct lab lab;

	init_single(&lab, 1);
	lab_add(&lab, "1.RCS.100.0.1,d.1000", 1, once);
	lab_add(
	    &lab, "d.1,1.BCS.10.0.0,1.BCS.10.0.0,1.VCS1.7.-1.0,d.900", 1, once);
	lab_add(&lab, "d.2,1.VCS1.10.0.1,d.1000", 1, once);
	kill_client_at(&lab, 1, 50 * NSEC_PER_USEC, false);
	assert_int_equal(
	    sim_run(lab.sim, 1100 * NSEC_PER_USEC, 0), SIM_RUNNING);
	assert_string_equal(client_state_name(lab.sim->clients[1]), "killed");
	assert_int_equal(lab.sim->clients[1]->ended_ns, 50 * NSEC_PER_USEC);
	assert_int_equal(lab.n_rows, 5);
	for (unsigned i = 1; i < 4; i++) {
		assert_int_equal(lab.rows[i].client, 1);
		assert_int_equal(lab.rows[i].end, 50 * NSEC_PER_USEC);
		assert_int_equal(lab.rows[i].run, 0);
		assert_int_equal(lab.rows[i].error, -EIO);
	}
	assert_int_equal(lab.rows[4].start, 100 * NSEC_PER_USEC);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	lab_free(&lab);
}

/* The same holds for a set; a killed client whose requests persist waits on. */
TEST(killed_set_waits_for_no_ids)
{
	static const char sets[] =
	    "G.1.VCS1/VCS2,G.2.VECS1/VECS2,1.DEFAULT.5.0.1,2.DEFAULT.5.0.1";
	struct lab lab;

	for (unsigned persistent = 0; persistent < 2; persistent++) {
		lab_init(&lab, "guc");
		lab.config.profile.guc_ids = 32;
		lab_add(&lab, sets, 1, once);
		kill_client_at(&lab, 0, 50 * NSEC_PER_USEC, persistent != 0);
		if (persistent) {
			assert_int_equal(
			    sim_run(lab.sim, NSEC_NEVER, 0), SIM_DEADLOCK);
		} else {
			assert_int_equal(
			    sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
			assert_int_equal(lab.n_rows, 4);
			assert_int_equal(lab.rows[3].error, -EIO);
			assert_int_equal(lab.rows[3].end, lab.sim->now);
			assert_int_equal(lab.sim->device.engines[0].queued, 0);
		}
		lab_free(&lab);
	}
}

/* Its place is one among those that GuC knows: the one registered first runs
 * first, whoever asked first. And what waits for an id can be raised. */
TEST(place_is_of_the_registration)
{
	struct lab lab;

	init_single(&lab, 2);
	lab.config.profile.guc_register_ns = 10 * NSEC_PER_USEC;
	/* At 30 the third context steals 1's id, and 2, which has its own, goes
	 * on first. */
	lab_add(
	    &lab, "1.RCS.5.0.1,2.RCS.5.0.1,3.RCS.7.0.0,2.RCS.5.0.0", 1, once);
	lab_expect(&lab,
	    "0 RCS 0 10 15; 1 RCS 15 25 30; 2 RCS 30 50 57; 3 RCS 30 30 35",
	    57);
	lab_free(&lab);

	init_single(&lab, 1);
	lab_add(&lab,
	    "P.2.-5,P.3.-5,1.RCS.50.0.0,d.10,2.RCS.7.0.0,3.RCS.5.0.0,"
	    "4.BCS.3.-2.0",
	    1, once);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	/* One id: in turn, 1, 2, 3; then 4, ready when 2 has ended. */
	assert_int_equal(lab.rows[1].end, 57 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[2].end, 62 * NSEC_PER_USEC);
	assert_int_equal(lab.rows[3].end, 65 * NSEC_PER_USEC);
	lab_free(&lab);
}
