/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Loops by which programs make time pass (doc/model/streamer.md "Loops"). */
#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define JUMP     0x18800101u
#define COND_END 0x1b200002u
#define RESULT   (LAB_BATCH + 4000)

/* Costs of a profile that is not `ideal`: a turn of gem_wsim's loop is 170 ns. */
static void
set_costs(struct streamer_lab *lab)
{
	lab->gpu.costs.command_ns = 10;
}

/* As set_costs() has it, with clocks of 19.2 MHz. */
static void
set_clock(struct streamer_lab *lab)
{
	lab->gpu.ring_hz = lab->gpu.context_hz = 19200000;
}

/*
 * Emits the loop of gem_wsim: until the time of the context, less that of the
 * begin, is ticks. Returns where the ticks are, inverted.
 */
static uint32_t *
emit_wsim(struct streamer_lab *lab, uint32_t ticks, bool preemptible)
{
	bool relative = lab->gpu.version >= 110;
	uint32_t cs = relative ? 1u << 19 : 0, from = relative ? 1u << 18 : 0,
		 base = relative
	    ? 0
	    : streamer_engine_base(lab->gpu.version, lab->engine);
	unsigned loop;

	EMIT(lab, 0x11000001 | cs, base + 0x604, 0);
	EMIT(lab, 0x15000001 | cs | from, base + 0x3a8, base + 0x600);
	EMIT(lab, 0, 0);
	loop = lab->n;
	if (preemptible)
		EMIT(lab, 0x02800000);
	EMIT(lab, 0x11000001 | cs, base + 0x60c, 0);
	EMIT(lab, 0x15000001 | cs | from, base + 0x3a8, base + 0x608);
	EMIT(lab, 0x0d000003, 0x08008001, 0x08008400, 0x10100000, 0x58000431);
	EMIT(lab, 0x12000002 | cs, base + 0x608, ADDRESS(RESULT));
	for (unsigned i = 0; i < 8; i++)
		EMIT(lab, 0x10800001, 2048, 0);
	EMIT(lab, COND_END, ~ticks, ADDRESS(RESULT));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH + loop * 4));
	return &lab->code[lab->n - 6];
}

/* Fails unless the batch runs for exactly that long, within that many calls. */
static void
expect_duration(struct streamer_lab *lab, nsec begin, nsec ns, unsigned calls)
{
	struct streamer_answer answer;

	lab->now.engine_ns = lab->now.running_ns = begin;
	answer = streamer_lab_run(lab);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	assert_int_equal(lab->now.running_ns - begin, ns);
	assert_in_range(lab->calls, 1, calls);
}

/* In `ideal` it is exact, on each generation and at each duration. */
TEST(wsim_ends_at_its_tick)
{
	static const unsigned versions[] = {80, 90, 110, 120, 125};
	static const uint32_t durations[] = {
	    1, 2, 999, 1000, 3000000, 2147483647, 2147483649, 4200000000};

	for (size_t v = 0; v < sizeof(versions) / sizeof(*versions); v++)
		for (size_t d = 0; d < sizeof(durations) / sizeof(*durations);
		     d++) {
			struct streamer_lab *lab = *state;

			lab->gpu.version = versions[v];
			emit_wsim(lab, durations[d], d & 1);
			expect_duration(lab, 123456789, durations[d], 2);
			streamer_lab_again(lab);
		}
}

TEST(wsim_runs_on_each_engine)
{
	static const struct streamer_engine engines[] = {{STREAMER_RENDER, 0},
	    {STREAMER_COPY, 0}, {STREAMER_VIDEO, 0}, {STREAMER_VIDEO, 1},
	    {STREAMER_ENHANCE, 0}};

	for (unsigned version = 90; version <= 120; version += 30)
		for (size_t i = 0; i < sizeof(engines) / sizeof(*engines);
		     i++) {
			struct streamer_lab *lab = *state;

			lab->gpu.version = version;
			lab->engine = engines[i];
			emit_wsim(lab, 5000, true);
			expect_duration(lab, 0, 5000, 2);
			streamer_lab_again(lab);
		}
}

/* A clock of 12.5 MHz has ticks of 80 ns: it ends with the first ns of its
 * tick. */
TEST(a_slow_clock_ends_with_its_tick)
{
	struct streamer_lab *lab = *state;

	lab->gpu.ring_hz = lab->gpu.context_hz = 12500000;
	emit_wsim(lab, 13, true);
	expect_duration(lab, 0, 13 * 80, 2);
	streamer_lab_again(lab);
	/* Begun in the middle of a tick, it is half a tick shorter. */
	emit_wsim(lab, 13, true);
	expect_duration(lab, 80 * 1000 + 40, 13 * 80 - 40, 2);
}

/* Commands cost time: the first turn that reads the tick is the last, so the
 * batch is at most two turns longer. */
TEST(turns_that_take_time_end_after_the_tick)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	for (uint32_t ticks = 10; ticks < 4000000; ticks *= 7) {
		nsec least;

		set_costs(lab);
		set_clock(lab);
		least = ticks * NSEC_PER_SEC / 19200000;
		emit_wsim(lab, ticks, true);
		lab->now.engine_ns = lab->now.running_ns = 0;
		answer = streamer_lab_run(lab);
		assert_int_equal(answer.verdict, STREAMER_ENDED);
		assert_in_range(lab->now.running_ns, least, least + 400);
		assert_in_range(lab->calls, 1, 12);
		streamer_lab_again(lab);
	}
}

/* With costs, skipping turns changes nothing: a batch that is asked every
 * 10 us, and so turns more often, ends at the same time. */
TEST(skipped_turns_change_nothing)
{
	nsec ends[2] = {0};

	for (unsigned often = 0; often < 2; often++) {
		struct streamer_lab *lab = *state;
		struct streamer_answer answer;

		set_costs(lab);
		emit_wsim(lab, 1234567, true);
		lab->now.engine_ns = lab->now.running_ns = 0;
		do {
			answer = streamer_lab_at(lab, lab->now.running_ns);
			lab->now.engine_ns += often
			    ? nsec_earlier(answer.run_ns, 10000)
			    : answer.run_ns;
			lab->now.running_ns = lab->now.engine_ns;
		} while (answer.verdict == STREAMER_RUNS);
		ends[often] = lab->now.running_ns;
		streamer_lab_again(lab);
	}
	assert_int_equal(ends[0], ends[1]);
}

/* The duration is what memory holds when the batch is executed. */
TEST(the_duration_is_read_while_it_runs)
{
	struct streamer_lab *lab = *state;
	uint32_t *ticks = emit_wsim(lab, 1000000, true);
	struct streamer_answer answer = streamer_lab_at(lab, 0);

	assert_int_equal(answer.verdict, STREAMER_RUNS);
	assert_int_equal(answer.run_ns, 1000000);
	assert_true(
	    answer.address == LAB_BATCH + (uint64_t)(ticks - lab->code) * 4);
	assert_int_equal(answer.value, *ticks);
	*ticks = ~500000u;
	answer = streamer_lab_at(lab, 100000);
	assert_int_equal(answer.run_ns, 400000);
	*ticks = ~2000000u;
	answer = streamer_lab_at(lab, 500000);
	assert_int_equal(answer.run_ns, 1500000);
	answer = streamer_lab_at(lab, 2000000);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
}

/* Infinite: 0 is never reached. T writes all ones into the duration. */
TEST(an_infinite_batch_ends_by_its_word)
{
	struct streamer_lab *lab = *state;
	uint32_t *ticks = emit_wsim(lab, UINT32_MAX, true);
	struct streamer_answer answer;

	for (nsec ns = 0; ns < 20 * NSEC_PER_SEC; ns += 50000011) {
		answer = streamer_lab_at(lab, ns);
		assert_int_equal(answer.verdict, STREAMER_WAITS);
		assert_int_equal(answer.wait, STREAMER_SPINNER);
		assert_int_equal(answer.value, 0);
		assert_true(answer.address ==
		    LAB_BATCH + (uint64_t)(ticks - lab->code) * 4);
	}
	*ticks = UINT32_MAX;
	answer = streamer_lab_at(lab, 20 * NSEC_PER_SEC);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
}

/* A finite duration written into an infinite batch, in the middle. */
TEST(an_infinite_batch_can_become_finite)
{
	struct streamer_lab *lab = *state;
	uint32_t *ticks = emit_wsim(lab, UINT32_MAX, true);
	struct streamer_answer answer = streamer_lab_at(lab, 0);

	assert_int_equal(answer.verdict, STREAMER_WAITS);
	*ticks = ~70000u;
	answer = streamer_lab_at(lab, 50000);
	assert_int_equal(answer.verdict, STREAMER_RUNS);
	assert_int_equal(answer.run_ns, 20000);
}

/* The values that the loop stores in each turn are there whenever the batch is
 * asked. */
TEST(turns_store_as_they_go)
{
	struct streamer_lab *lab = *state;

	emit_wsim(lab, 1000000, true);
	streamer_lab_at(lab, 0);
	assert_int_equal(lab->code[1000], ~0u);
	streamer_lab_at(lab, 250000);
	assert_int_equal(lab->code[1000], ~250000u);
	streamer_lab_at(lab, 1000000);
	assert_int_equal(lab->code[1000], ~1000000u);
}

/* Each turn stores its time: none is left out. */
TEST(a_spinner_that_stores_does_not_rest)
{
	struct streamer_lab *lab = *state;

	emit_wsim(lab, UINT32_MAX, true);
	streamer_lab_at(lab, 0);
	streamer_lab_at(lab, 50000);
	assert_false(streamer_lab_rests(lab, 100000));
}

/* A loop that jumps back while a predicate says so, as the kernel's perf code
 * waits: goes on until ring time less its begin is past 5000. */
TEST(a_predicated_loop_ends)
{
	struct streamer_lab *lab = *state;
	unsigned loop;

	EMIT(lab, 0x11000005, 0x2604, 0, 0x260c, 0, 0x2614, 0);
	EMIT(lab, 0x11000001, 0x2610, 5000);
	EMIT(lab, 0x15000001, 0x2358, 0x2600);
	loop = lab->n;
	EMIT(lab, 0x15000001, 0x2358, 0x2608);
	EMIT(lab, 0x0d000007, 0x08008001, 0x08008400, 0x10100000, 0x18000c31,
	    0x08008003, 0x08008402, 0x10100000, 0x18001033);
	EMIT(lab, 0x15000001, 0x2620, 0x241c);
	EMIT(lab, JUMP | 1u << 15, ADDRESS(LAB_BATCH + loop * 4));
	EMIT(lab, 0x10000002, ADDRESS(LAB_DATA), 1, BATCH_END);
	expect_duration(lab, 1000, 5000, 2);
	assert_int_equal(lab->data[0], 1);
}

/* A loop that counts its turns is not skipped: each turn is executed. */
TEST(a_counting_loop_is_turned)
{
	struct streamer_lab *lab = *state;
	unsigned loop;

	EMIT(lab, 0x11000007, 0x2600, 1000, 0x2604, 0, 0x2608, 1, 0x260c, 0);
	loop = lab->n;
	EMIT(lab, 0x0d000003, 0x08008000, 0x08008401, 0x10100000, 0x18000031);
	EMIT(lab, 0x12000002, 0x2600, ADDRESS(LAB_DATA));
	EMIT(lab, COND_END, 0, ADDRESS(LAB_DATA));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH + loop * 4));
	expect_duration(lab, 0, 0, 1);
	assert_int_equal(
	    streamer_counts(lab->batch)->commands, 1 + 1000 * 4 - 1);
	assert_int_equal(lab->data[0], 0);
}

/* One that counts in memory neither. */
TEST(a_loop_that_counts_in_memory_is_turned)
{
	struct streamer_lab *lab = *state;

	lab->data[0] = 100;
	EMIT(lab, 0x17800600 | 1, ADDRESS(LAB_DATA));
	EMIT(lab, COND_END, 0, ADDRESS(LAB_DATA));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	expect_duration(lab, 0, 0, 1);
}

/* A loop that costs no time and never ends passes time all the same, at no more
 * than some 70 commands in a us, and each call returns. */
TEST(a_busy_loop_for_ever_returns)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;
	nsec now = 0;

	EMIT(lab, 0x17800500 | 1, ADDRESS(LAB_DATA));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	for (unsigned i = 0; i < 20; i++) {
		answer = streamer_lab_at(lab, now);
		assert_int_equal(answer.verdict, STREAMER_RUNS);
		assert_true(answer.run_ns > 0);
		now += answer.run_ns;
	}
	assert_in_range(
	    streamer_counts(lab->batch)->commands, 1, now / NSEC_PER_USEC * 70);
}

/* The host's work for a loop does not grow with its duration. */
TEST(a_long_loop_costs_what_a_short_one_does)
{
	uint64_t commands[2];

	for (unsigned i = 0; i < 2; i++) {
		struct streamer_lab *lab = *state;

		set_costs(lab);
		emit_wsim(lab, i ? 1000000000 : 1000000, true);
		lab->now.engine_ns = lab->now.running_ns = 0;
		streamer_lab_run(lab);
		commands[i] = streamer_counts(lab->batch)->commands;
		streamer_lab_again(lab);
	}
	assert_in_range(commands[1], 1, commands[0] + 40);
	assert_in_range(commands[0], 1, 400);
}

/* Preempted in the middle, it does the rest of its work: the context's time
 * stops, the engine's goes on. */
TEST(a_preempted_loop_does_its_work_in_full)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	emit_wsim(lab, 1000000, true);
	streamer_lab_at(lab, 0);
	answer = streamer_lab_at(lab, 300000);
	assert_int_equal(answer.run_ns, 700000);
	lab->now.engine_ns += 5000000;
	answer = streamer_lab_at(lab, 300000);
	assert_int_equal(answer.verdict, STREAMER_RUNS);
	assert_int_equal(answer.run_ns, 700000);
	answer = streamer_lab_at(lab, 1000000);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
}

/* One that looks at the engine's time loses what it was off for. */
TEST(a_loop_on_engine_time_ends_sooner_when_preempted)
{
	struct streamer_lab *lab = *state;
	struct streamer_answer answer;

	EMIT(lab, 0x12000002, 0x2358, ADDRESS(LAB_DATA));
	EMIT(lab, COND_END | 2u << 12, 10000, ADDRESS(LAB_DATA));
	EMIT(lab, JUMP, ADDRESS(LAB_BATCH));
	answer = streamer_lab_at(lab, 0);
	assert_int_equal(answer.run_ns, 10000);
	lab->now.engine_ns += 4000;
	answer = streamer_lab_at(lab, 1000);
	assert_int_equal(answer.run_ns, 5000);
	answer = streamer_lab_at(lab, 6000);
	assert_int_equal(answer.verdict, STREAMER_ENDED);
}

FIXTURES(streamer_lab_setup, streamer_lab_teardown);
