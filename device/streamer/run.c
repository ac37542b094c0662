/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A batch in instalments: commands are executed one after another, those that
 * can be noticed from outside not before their time, the others ahead of it
 * (doc/model/streamer.md "Instalments").
 */
#include "device/streamer/cs.h"

#include <stdlib.h>

#include "base/mem.h"

/* Stores within that time are made together, at the time of the last. */
#define TOGETHER_NS 1000
/* Commands that are looked at for that. */
#define TOGETHER 256
/* Once a loop that costs no time has used up a budget, each of its commands takes
 * this time, and a call executes fewer. */
#define CIRCLE_NS     15
#define CIRCLE_BUDGET 4096

struct streamer_batch *
streamer_begin(const struct streamer_gpu *gpu, struct streamer_context *context,
    const struct streamer_memory *memory, uint64_t address)
{
	struct streamer_batch *b = mem_calloc(1, sizeof(*b));

	b->gpu = gpu;
	b->context = context;
	b->memory = *memory;
	b->pc = CS_ADDRESS(address & ~3u, address >> 32);
	b->arbitrates = true;
	return b;
}

void
streamer_end(struct streamer_batch *b)
{
	free(b);
}

/* Returns the header at an address of the code at hand; an invalid one for
 * others. */
static uint32_t
peek(const struct streamer_batch *b, uint64_t address)
{
	uint64_t offset = address - b->code.address;

	if (offset >= b->code.len || b->code.len - offset < 4)
		return UINT32_MAX;
	return __atomic_load_n(
	    (const uint32_t *)(void *)(b->code.host + offset),
	    __ATOMIC_RELAXED);
}

enum store_kind {
	KIND_STORE,
	KIND_FLUSH,
	KIND_QUIET, /* no effect that is seen, no jump */
	KIND_END,
	KIND_OTHER,
};

static enum store_kind
store_kind_of(const struct streamer_batch *b, uint32_t header)
{
	if (header >> 29 == COMMAND_MI)
		switch (mi_opcode(header)) {
		case MI_STORE_DATA_IMM:
		case MI_STORE_REGISTER_MEM: return KIND_STORE;
		case MI_FLUSH_DW: return KIND_FLUSH;
		case MI_NOOP:
		case MI_FORCE_WAKEUP:
		case MI_STORE_DATA_INDEX:
		case MI_LOAD_REGISTER_IMM:
		case MI_LOAD_REGISTER_REG: return KIND_QUIET;
		case MI_BATCH_BUFFER_END: return KIND_END;
		default: return KIND_OTHER;
		}
	if (header >> 29 != COMMAND_RENDER || b->class == STREAMER_VIDEO ||
	    b->class == STREAMER_ENHANCE)
		return KIND_OTHER;
	switch (render_key(header)) {
	case 0x7a00: return KIND_FLUSH;
	case 0x7b00:
	case 0x7100:
	case 0x7103:
	case 0x7105:
	case 0x7208: return KIND_OTHER;
	default: return KIND_QUIET;
	}
}

/* Returns when the stores that begin at pc can be made together. */
static nsec
stores_end(const struct streamer_batch *b)
{
	const struct streamer_costs *costs = &b->gpu->costs;
	nsec at_ns = b->at_ns, last_ns = at_ns;
	uint64_t pc = b->pc;

	for (unsigned i = 0; i < TOGETHER && costs->command_ns; i++) {
		uint32_t header = peek(b, pc);
		enum store_kind kind = store_kind_of(b, header);

		if (kind == KIND_OTHER || at_ns - b->at_ns > TOGETHER_NS)
			break;
		if (kind != KIND_QUIET)
			last_ns = at_ns;
		if (kind == KIND_END)
			break;
		at_ns = nsec_total(at_ns, costs->command_ns);
		if (kind == KIND_FLUSH)
			at_ns = nsec_total(at_ns, costs->flush_ns);
		pc += command_length(b->gpu->version, header) * 4;
	}
	return last_ns;
}

static void
runs_until(struct streamer_batch *b, nsec at_ns)
{
	nsec now_ns = b->now.running_ns;

	b->answer = (struct streamer_answer){.verdict = STREAMER_RUNS,
	    .run_ns = at_ns > now_ns ? at_ns - now_ns : 0};
}

static void
answer_loop(struct streamer_batch *b)
{
	if (b->loop.ends)
		runs_until(b, b->loop.end_ns);
	else
		b->answer = (struct streamer_answer){
		    .verdict = STREAMER_WAITS, .wait = STREAMER_SPINNER};
	b->answer.address = b->loop.word;
	b->answer.value = b->loop.value;
}

static void
set_answer(struct streamer_batch *b, enum cs_step step, nsec since_ns)
{
	switch (step) {
	case CS_NEXT:
	case CS_JUMPED:
		if (b->went_back && b->at_ns == since_ns) {
			cs_spend(b, (nsec)b->spent * CIRCLE_NS);
			b->circles = true;
		}
		runs_until(b, b->at_ns);
		break;
	case CS_LATER: runs_until(b, stores_end(b)); break;
	case CS_POLLS: b->answer.verdict = STREAMER_WAITS; break;
	case CS_LOOPS: answer_loop(b); break;
	case CS_ENDED:
		b->answer = (struct streamer_answer){.verdict = STREAMER_ENDED};
		break;
	case CS_FAILED: break;
	}
}

static void
set_scene(struct streamer_batch *b, struct streamer_engine engine,
    struct streamer_time now)
{
	b->now = now;
	b->class = engine.class;
	b->base = streamer_engine_base(b->gpu->version, engine);
	b->code.len = b->in.len = b->out.len = 0;
}

static void
begin_call(struct streamer_batch *b, struct streamer_engine engine,
    struct streamer_time now)
{
	if (!b->begun)
		b->at_ns = now.running_ns;
	b->begun = true;
	set_scene(b, engine, now);
	b->went_back = b->stored = false;
	b->spent = 0;
	cs_forget_points(b);
	if (b->loop.skips)
		cs_loop_skip(b);
}

bool
streamer_rests(struct streamer_batch *b, struct streamer_engine engine,
    struct streamer_time now)
{
	if (b->answer.verdict != STREAMER_WAITS)
		return false;
	set_scene(b, engine, now);
	return b->answer.wait == STREAMER_SEMAPHORE ? cs_semaphore_rests(b)
						    : cs_loop_rests(b);
}

bool
streamer_is_released(struct streamer_batch *b, struct streamer_engine engine,
    struct streamer_time now)
{
	if (b->answer.verdict != STREAMER_WAITS)
		return false;
	set_scene(b, engine, now);
	return b->answer.wait == STREAMER_SEMAPHORE ? !cs_semaphore_rests(b)
						    : cs_loop_is_left(b);
}

struct streamer_answer
streamer_run(struct streamer_batch *b, struct streamer_engine engine,
    struct streamer_time now, unsigned budget)
{
	enum cs_step step = CS_NEXT;
	nsec since_ns;

	if (b->answer.verdict >= STREAMER_ENDED)
		return b->answer;
	begin_call(b, engine, now);
	since_ns = b->at_ns;
	if (b->circles && budget > CIRCLE_BUDGET)
		budget = CIRCLE_BUDGET;
	while (b->spent < budget && step <= CS_JUMPED)
		step = cs_step(b);
	set_answer(b, step, since_ns);
	b->answer.stored = b->stored;
	return b->answer;
}
