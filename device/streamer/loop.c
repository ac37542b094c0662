/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Loops that only pass time are not turned thousands of times: the turn in
 * which they end is found by trying turns at other times, on copies
 * (doc/model/streamer.md "Loops").
 */
#include "device/streamer/cs.h"

#include <string.h>

/* Commands of a turn at most, runs of MI_NOOP counted once per 64. */
#define TURN 512
/* Jumps back until a loop that could not be skipped is looked at again. */
#define TRIES 64
/* A loop that never ends is looked at again in each 16th call. */
#define ASKS 16

#define PIPE_CONTROL 0x7a00

/* The registers that a turn may write: predicates and GPRs. */
#define PREDICATES ((CS_PREDICATE_RESULT1 - CS_PREDICATE_RESULT2) / 4 + 1)
struct turn_registers {
	uint32_t predicates[PREDICATES];
	uint32_t gprs[CS_GPRS * 2];
};

/* A batch before turns are tried. */
struct before {
	struct turn_registers registers;
	struct streamer_counts counts;
	nsec at_ns;
	uint64_t pc;
	uint32_t compared;
	uint8_t predicate;
	unsigned level;
};

enum turn {
	TURN_STAYS,
	TURN_ENDS, /* the loop is left */
	TURN_UNKNOWN,
};

static void
save_registers(const struct streamer_batch *b, struct turn_registers *r)
{
	const uint32_t *own = b->context->own;

	memcpy(r->predicates, &own[CS_PREDICATE_RESULT2 / 4],
	    sizeof(r->predicates));
	memcpy(r->gprs, &own[CS_GPR / 4], sizeof(r->gprs));
}

static void
save(const struct streamer_batch *b, struct before *before)
{
	save_registers(b, &before->registers);
	before->counts = b->counts;
	before->at_ns = b->at_ns;
	before->pc = b->pc;
	before->compared = b->compared;
	before->predicate = b->predicate;
	before->level = b->level;
}

static void
restore(struct streamer_batch *b, const struct before *before)
{
	uint32_t *own = b->context->own;

	memcpy(&own[CS_PREDICATE_RESULT2 / 4], before->registers.predicates,
	    sizeof(before->registers.predicates));
	memcpy(&own[CS_GPR / 4], before->registers.gprs,
	    sizeof(before->registers.gprs));
	b->counts = before->counts;
	b->at_ns = before->at_ns;
	b->pc = before->pc;
	b->compared = before->compared;
	b->predicate = before->predicate;
	b->level = before->level;
	b->probe = NULL;
}

static bool
is_harmless(const struct streamer_batch *b, const struct cs_command *c)
{
	if (c->header >> 29 == COMMAND_MI)
		return cs_mi_table[mi_opcode(c->header)].flags & CS_HARMLESS;
	return render_key(c->header) == PIPE_CONTROL &&
	    (b->class == STREAMER_RENDER || b->class == STREAMER_COMPUTE);
}

/* Executes a turn from that time on, and leaves its results. */
static enum turn
turn(struct streamer_batch *b, nsec at_ns)
{
	struct cs_command c;

	b->pc = b->loop.head;
	b->at_ns = at_ns;
	for (unsigned i = 0; i < TURN; i++) {
		enum cs_step step;

		if (!cs_fetch_command(b, &c) || !is_harmless(b, &c))
			return TURN_UNKNOWN;
		step = cs_execute(b, &c);
		if (b->probe->refused || step == CS_FAILED)
			return TURN_UNKNOWN;
		if (step == CS_ENDED || b->level < b->loop.level)
			return TURN_ENDS;
		if (b->level > b->loop.level)
			return TURN_UNKNOWN;
		if (c.address == b->loop.from)
			return step == CS_NEXT ? TURN_ENDS
			    : step == CS_LOOPS && b->pc == b->loop.head
			    ? TURN_STAYS
			    : TURN_UNKNOWN;
		if (step == CS_LOOPS)
			return TURN_UNKNOWN;
	}
	return TURN_UNKNOWN;
}

static void
begin_probe(struct streamer_batch *b, struct cs_probe *probe)
{
	probe->n_stores = 0;
	probe->timed = probe->refused = false;
	probe->condition = 0;
	probe->found = 0;
	probe->point_ns = NSEC_NEVER;
	b->probe = probe;
}

/* A turn that was tried: when it was over, what its condition found. */
struct tried_turn {
	nsec end_ns;
	uint32_t found;
};

/* Tries a turn at another time. */
static enum turn
try_turn(struct streamer_batch *b, const struct before *before, nsec at_ns,
    struct tried_turn *tried)
{
	struct cs_probe probe;
	enum turn result;

	begin_probe(b, &probe);
	result = turn(b, at_ns);
	*tried = (struct tried_turn){b->at_ns, probe.found};
	restore(b, before);
	return result;
}

static bool
same_stores(const struct cs_probe *a, const struct cs_probe *b)
{
	if (a->n_stores != b->n_stores)
		return false;
	for (unsigned i = 0; i < a->n_stores; i++)
		if (a->stores[i].address != b->stores[i].address ||
		    a->stores[i].value != b->stores[i].value)
			return false;
	return true;
}

static bool
is_stored(const struct cs_probe *probe, uint64_t address)
{
	for (unsigned i = 0; i < probe->n_stores; i++)
		if (probe->stores[i].address == address)
			return true;
	return false;
}

/* Says which word ends the loop when it changes: what the condition reads, what
 * it compares with, or the loop's first command. */
static void
watch(struct streamer_batch *b, const struct cs_probe *probe)
{
	struct cs_loop *loop = &b->loop;
	const uint32_t *head;

	loop->data = b->compared;
	loop->found = probe->found;
	loop->compares = probe->condition != 0;
	if (probe->condition && !is_stored(probe, probe->condition)) {
		loop->word = probe->condition;
		loop->value = probe->found;
	} else if (probe->condition) {
		loop->word = probe->command + 4;
		loop->value = b->compared;
	} else {
		head = cs_fetch(b, loop->head, 1);
		loop->word = loop->head;
		loop->value = head ? __atomic_load_n(head, __ATOMIC_RELAXED)
				   : 0;
	}
}

/*
 * Returns true if a second turn at the same time does what the first did, so
 * that turns between now and the last one can be left out. *timed: it depends
 * on the time.
 */
static bool
is_settled(struct streamer_batch *b, const struct before *before, bool *timed)
{
	struct cs_loop *loop = &b->loop;
	struct cs_probe probe, first;
	struct turn_registers one, two;
	bool settled;

	begin_probe(b, &probe);
	settled = turn(b, before->at_ns) == TURN_STAYS;
	loop->turn_ns = b->at_ns - before->at_ns;
	loop->point_ns = probe.point_ns == NSEC_NEVER
	    ? NSEC_NEVER
	    : probe.point_ns - before->at_ns;
	first = probe;
	save_registers(b, &one);
	settled = settled && turn(b, before->at_ns) == TURN_STAYS;
	save_registers(b, &two);
	settled = settled && memcmp(&one, &two, sizeof(one)) == 0 &&
	    same_stores(&first, &probe);
	*timed = probe.timed;
	if (settled)
		watch(b, &probe);
	restore(b, before);
	return settled;
}

/* Returns how long the lower 32 bits of both clocks tell times apart, but for
 * a margin. */
static nsec
window_ns(const struct streamer_gpu *gpu)
{
	uint64_t ticks = (1ull << 32) - (1u << 22),
		 hz = gpu->ring_hz > gpu->context_hz ? gpu->ring_hz
						     : gpu->context_hz;

	return (nsec)((__uint128_t)ticks * NSEC_PER_SEC / hz);
}

/* Turns of a loop, counted from now; they are that far apart. */
struct turns {
	struct streamer_batch *batch;
	const struct before *before;
	nsec step_ns;
};

static bool
ends_at(const struct turns *turns, uint64_t n, struct tried_turn *tried)
{
	return try_turn(turns->batch, turns->before,
		   turns->before->at_ns + n * turns->step_ns,
		   tried) == TURN_ENDS;
}

/* Returns the first turn that ends the loop; it is after low and not after
 * high, which ends it. */
static uint64_t
bisect(const struct turns *turns, uint64_t low, uint64_t high)
{
	struct tried_turn tried;

	while (high - low > 1) {
		uint64_t middle = low + (high - low) / 2;

		if (ends_at(turns, middle, &tried))
			high = middle;
		else
			low = middle;
	}
	return high;
}

/*
 * Most conditions find a number that changes evenly with time: two turns tell
 * in which it comes to the one that it is compared with, to two ticks.
 * False: that is not so, nor within limit.
 */
static bool
guess(const struct turns *turns, uint64_t limit, uint64_t *low, uint64_t *high)
{
	const struct streamer_gpu *gpu = turns->batch->gpu;
	const struct cs_loop *loop = &turns->batch->loop;
	uint64_t apart = limit / 4, distance, turn_of_end,
		 hz = nsec_earlier(gpu->ring_hz, gpu->context_hz),
		 margin = 2 * NSEC_PER_SEC / hz / turns->step_ns + 2;
	struct tried_turn tried;
	int64_t change;

	if (!loop->compares || apart == 0)
		return false;
	ends_at(turns, apart, &tried);
	change = (int32_t)(tried.found - loop->found);
	if (change == 0)
		return false;
	distance = change > 0 ? loop->data - loop->found
			      : loop->found - loop->data;
	distance &= UINT32_MAX;
	turn_of_end = (uint64_t)((__uint128_t)distance * apart /
	    (uint64_t)(change > 0 ? change : -change));
	*low = turn_of_end > margin ? turn_of_end - margin : 0;
	*high = turn_of_end + margin;
	return *high <= limit && ends_at(turns, *high, &tried) &&
	    (*low == 0 || !ends_at(turns, *low, &tried));
}

/* Doubles the distance until a turn ends the loop. False: none does. */
static bool
search(const struct turns *turns, uint64_t limit, uint64_t *low, uint64_t *high)
{
	struct tried_turn tried;

	*low = 0;
	*high = limit;
	if (ends_at(turns, limit, &tried))
		return true;
	for (*high = 1; *high < limit; *low = *high, *high *= 2)
		if (ends_at(turns, *high, &tried))
			return true;
	return false;
}

/* Sets when the loop ends; false if it never does, or if that is not known, as
 * the program changed memory during the search. */
static bool
find_end(struct streamer_batch *b, const struct before *before)
{
	struct cs_loop *loop = &b->loop;
	struct turns turns = {b, before, loop->turn_ns ? loop->turn_ns : 1};
	nsec window = window_ns(b->gpu);
	uint64_t limit, low, high;
	struct tried_turn tried;

	if (before->at_ns - loop->first_ns >= window)
		loop->first_ns = before->at_ns;
	limit = (loop->first_ns + window - before->at_ns) / turns.step_ns;
	if (limit == 0 ||
	    (!guess(&turns, limit, &low, &high) &&
		!search(&turns, limit, &low, &high)))
		return false;
	high = bisect(&turns, low, high);
	loop->exit_ns = before->at_ns + high * turns.step_ns;
	if (!ends_at(&turns, high, &tried))
		return false;
	loop->end_ns = tried.end_ns;
	/* The turn before did not end it when it was tried. */
	loop->changed = high > 1 && ends_at(&turns, high - 1, &tried);
	if (loop->changed)
		return false;
	return true;
}

/* Returns true if the loop can be skipped, and says how it ends. */
static bool
look_at(struct streamer_batch *b)
{
	struct before before;
	bool timed;

	save(b, &before);
	if (!is_settled(b, &before, &timed))
		return false;
	b->loop.changed = false;
	b->loop.ends = timed && find_end(b, &before);
	if (b->loop.changed)
		return false;
	b->loop.known = !b->loop.ends;
	b->loop.asks = 0;
	return true;
}

static void
enter(struct streamer_batch *b, uint64_t from)
{
	if (b->loop.head == b->pc && b->loop.from == from &&
	    b->loop.level == b->level)
		return;
	b->loop = (struct cs_loop){.head = b->pc,
	    .from = from,
	    .level = b->level,
	    .first_ns = b->at_ns};
}

enum cs_step
cs_loop_jump(struct streamer_batch *b, uint64_t from)
{
	struct cs_loop *loop = &b->loop;

	b->went_back = true;
	enter(b, from);
	if (loop->tries) {
		loop->tries--;
		return CS_JUMPED;
	}
	loop->known = loop->known && loop->data == b->compared &&
	    ++loop->asks < ASKS;
	if (!loop->known && !look_at(b)) {
		loop->tries = TRIES;
		return CS_JUMPED;
	}
	if (loop->ends && loop->end_ns <= b->now.running_ns) {
		b->at_ns = loop->exit_ns;
		return CS_JUMPED;
	}
	loop->skips = true;
	return CS_LOOPS;
}

/* Returns true if memory holds already what the turns of a probe stored. */
static bool
stores_change_nothing(struct streamer_batch *b, const struct cs_probe *probe)
{
	uint32_t value;

	for (unsigned i = 0; i < probe->n_stores; i++)
		if (!cs_load(b, probe->stores[i].address, &value) ||
		    value != probe->stores[i].value)
			return false;
	return true;
}

/* Tries the turn that a loop without an end of its own would do next. */
static enum turn
try_next(struct streamer_batch *b, struct cs_probe *probe)
{
	struct before before;
	enum turn result;

	if (!b->loop.skips || b->loop.ends)
		return TURN_UNKNOWN;
	save(b, &before);
	begin_probe(b, probe);
	result = turn(b, nsec_later(b->at_ns, b->now.running_ns));
	restore(b, &before);
	return result;
}

bool
cs_loop_rests(struct streamer_batch *b)
{
	struct cs_probe probe;

	return try_next(b, &probe) == TURN_STAYS &&
	    stores_change_nothing(b, &probe);
}

bool
cs_loop_is_left(struct streamer_batch *b)
{
	struct cs_probe probe;

	return try_next(b, &probe) == TURN_ENDS;
}

/* A loop that ends by itself goes on with its last turn. The others do a turn that
 * ends now, or the last one again: it sees what memory holds, and what the loop stores
 * in each turn is there. */
void
cs_loop_skip(struct streamer_batch *b)
{
	struct cs_loop *loop = &b->loop;
	nsec now_ns = b->now.running_ns, end_ns = nsec_later(b->at_ns, now_ns);

	loop->skips = false;
	if (!loop->ends)
		b->at_ns = end_ns - nsec_earlier(loop->turn_ns, end_ns);
	else if (now_ns >= loop->exit_ns)
		b->at_ns = loop->exit_ns;
	else if (loop->turn_ns == 0)
		b->at_ns = end_ns;
	else if (now_ns > b->at_ns && now_ns - b->at_ns >= loop->turn_ns)
		b->at_ns += ((now_ns - b->at_ns) / loop->turn_ns - 1) *
		    loop->turn_ns;
}
