/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random batches do the same however they are called: in one go, with the least
 * budget, sooner than they ask, with memory that can't be pointed at. They leave the
 * same memory, and end at the same ns (doc/model/streamer.md "Instalments").
 */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/streamer_lab.h"

#define BATCHES 1000
#define PIECES  60

static uint64_t random_state;

static uint32_t
random_below(uint32_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (uint32_t)(random_state >> 11) % n;
}

/* An address of data, in a small part so that commands meet. */
static uint64_t
random_data(void)
{
	return LAB_DATA + random_below(16) * 4;
}

static uint32_t
random_gpr(void)
{
	return 0x2600 + random_below(8) * 4;
}

static void
emit_memory(struct streamer_lab *lab)
{
	switch (random_below(6)) {
	case 0:
		EMIT(lab, 0x10000002, ADDRESS(random_data()), random_below(99));
		break;
	case 1:
		EMIT(lab, 0x12000002, random_gpr(), ADDRESS(random_data()));
		break;
	case 2:
		EMIT(lab, 0x14800002, random_gpr(), ADDRESS(random_data()));
		break;
	case 3:
		EMIT(lab, 0x17000003, ADDRESS(random_data()),
		    ADDRESS(random_data()));
		break;
	case 4:
		EMIT(lab, 0x17800001 | (1 + random_below(14)) << 8,
		    ADDRESS(random_data()));
		break;
	default:
		EMIT(lab, 0x7a000004, random_below(4) << 14,
		    ADDRESS(random_data()), random_below(99), 0);
		break;
	}
}

static void
emit_other(struct streamer_lab *lab)
{
	switch (random_below(7)) {
	case 0: EMIT(lab, 0x11000001, random_gpr(), random_below(99)); break;
	case 1:
		EMIT(lab, 0x15000001, random_below(2) ? 0x2358 : 0x23a8,
		    random_gpr());
		break;
	case 2:
		EMIT(lab, 0x0d000003, 0x08008000 | random_below(4),
		    0x08008400 | random_below(4),
		    (0x100 + random_below(5)) << 20,
		    0x18000031 | random_below(4) << 10);
		break;
	case 3: EMIT(lab, 0x7b000005, 4, random_below(3000), 0, 1, 0, 0); break;
	case 4: EMIT(lab, 0x02800000); break;
	case 5: EMIT(lab, 0, 0, 0); break;
	default:
		EMIT(lab, 0x1b200002 | random_below(6) << 12,
		    random_below(4) ? UINT32_MAX - random_below(9) : 0,
		    ADDRESS(random_data()));
		break;
	}
}

static void
emit_batch(struct streamer_lab *lab, uint64_t seed)
{
	random_state = seed * 0x9e3779b97f4a7c15u;
	lab->gpu.costs = (struct streamer_costs){.command_ns = random_below(30),
	    .flush_ns = random_below(300),
	    .draw_ns = random_below(2000),
	    .vertex_ps = random_below(1000)};
	for (unsigned i = 0; i < PIECES; i++)
		if (random_below(2))
			emit_memory(lab);
		else
			emit_other(lab);
	EMIT(lab, BATCH_END);
}

/* Executes the batch, in one of four ways. Returns when it ended. */
static nsec
execute(struct streamer_lab *lab, unsigned way)
{
	struct streamer_answer answer;
	nsec at_ns = 0;

	lab->far = way == 3;
	lab->batch = streamer_begin(
	    &lab->gpu, lab->context, &lab->memory, LAB_BATCH);
	for (unsigned i = 0; i < 100000; i++) {
		answer = streamer_run(lab->batch, lab->engine,
		    (struct streamer_time){at_ns, at_ns},
		    way == 1 ? 1 : STREAMER_BUDGET);
		if (answer.verdict != STREAMER_RUNS)
			break;
		at_ns += way == 2 ? (answer.run_ns + 1) / 2 : answer.run_ns;
	}
	assert_int_equal(answer.verdict, STREAMER_ENDED);
	return at_ns;
}

TEST(every_way_is_the_same)
{
	static uint32_t first[LAB_PAGE / 4];
	nsec end_ns = 0;

	for (uint64_t seed = 1; seed <= BATCHES; seed++)
		for (unsigned way = 0; way < 4; way++) {
			struct streamer_lab lab;
			nsec ns;

			streamer_lab_open(&lab, 120);
			emit_batch(&lab, seed);
			ns = execute(&lab, way);
			if (way == 0) {
				memcpy(first, lab.data, LAB_PAGE);
				end_ns = ns;
			}
			if (ns != end_ns ||
			    memcmp(first, lab.data, LAB_PAGE) != 0)
				fail_msg("batch %u differs in way %u: %llu "
					 "and %llu ns",
				    (unsigned)seed, way,
				    (unsigned long long)end_ns,
				    (unsigned long long)ns);
			streamer_lab_close(&lab);
		}
}
