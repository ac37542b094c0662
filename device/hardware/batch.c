/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How batches are written, generations 8 to 12. A turn of the loop looks at the
 * clock of the context, which only goes on while it has the engine, and stores
 * what is left; a conditional end compares that with the duration. A second one
 * looks at a word that the CPU may clear: it is in memory, as some command
 * streamers execute a copy of the commands.
 */
#include "device/hardware/batch.h"

#include <stddef.h>

#include "base/text.h"
#include "device/hardware/hardware.h"

/* Commands (i915's gt/intel_gpu_commands.h). */
#define ARB_CHECK          0x02800000u
#define MATH               0x0d000000u
#define BATCH_END          0x05000000u
#define STORE_DATA_IMM     0x10000002u
#define STORE_DATA_INDEX   0x10800001u
#define LOAD_REGISTER_IMM  0x11000001u
#define STORE_REGISTER_MEM 0x12000002u
#define LOAD_REGISTER_REG  0x15000001u
#define BATCH_BUFFER_START 0x18800101u /* in the context's address space */
#define CONDITIONAL_END    0x1b200002u /* goes on while memory > data */
#define RELATIVE_SOURCE    (1u << 18)
#define RELATIVE           (1u << 19)

#define ALU(op, a, b) ((op) << 20 | (a) << 10 | (b))
#define LOAD          0x080u
#define SUB           0x101u
#define STORE_INVERSE 0x580u
#define SOURCE_A      0x20u
#define SOURCE_B      0x21u
#define ACCUMULATOR   0x31u

/* Registers, from the engine's base on. */
#define STATUS_PAGE  0x080u /* its address: every engine has another one */
#define RING_TIME    0x358u
#define RING_TIME_HI 0x35cu
#define CONTEXT_TIME 0x3a8u
#define GPR(n)       (0x600u + 8 * (n))

/* Words of a page behind the commands, in bytes. */
enum batch_word {
	WORD_CLOCKS = 0x800,
	WORD_START = 0xc00,
	WORD_START_HI = 0xc04,
	WORD_SEEN = 0xc08,
	WORD_SEEN_HI = 0xc0c,
	WORD_LEFT = 0xc10, /* inverse of the ticks that it has run */
	WORD_MARK = 0xc14,
	WORD_BEGUN = 0xc18,
	WORD_GO_ON = 0xc20, /* the CPU's; 0: it ends */
	WORDS_END = 0xc40,
};

/* Stores to the context's own page that let the one before arrive. */
#define DELAYS       8
#define DELAY_OFFSET 2048u

struct batch_writer {
	uint32_t *at;
	uint64_t address; /* of the page */
	uint32_t base;    /* of registers; 0: relative */
	bool relative;
};

static void
emit_word(struct batch_writer *w, uint32_t word)
{
	*w->at++ = word;
}

static void
put_address(struct batch_writer *w, uint32_t offset)
{
	emit_word(w, (uint32_t)(w->address + offset));
	emit_word(w, (uint32_t)((w->address + offset) >> 32));
}

static void
put_store(struct batch_writer *w, uint32_t reg, enum batch_word word)
{
	emit_word(w, STORE_REGISTER_MEM | (w->relative ? RELATIVE : 0));
	emit_word(w, w->base + reg);
	put_address(w, word);
}

/* Loads the clock of the context into a register of 64 bits. */
static void
put_context_time(struct batch_writer *w, unsigned n)
{
	emit_word(w, LOAD_REGISTER_IMM | (w->relative ? RELATIVE : 0));
	emit_word(w, w->base + GPR(n) + 4);
	emit_word(w, 0);
	emit_word(w,
	    LOAD_REGISTER_REG | (w->relative ? RELATIVE | RELATIVE_SOURCE : 0));
	emit_word(w, w->base + CONTEXT_TIME);
	emit_word(w, w->base + GPR(n));
}

/* Stamps of the beginning. */
static void
put_beginning(struct batch_writer *w)
{
	put_store(w, RING_TIME, WORD_START);
	put_store(w, RING_TIME_HI, WORD_START_HI);
	/* A batch of one engine knows it, and i915 checks registers of BCS on
	 * generation 9. */
	if (w->relative)
		put_store(w, STATUS_PAGE, WORD_MARK);
	put_store(w, RING_TIME, WORD_SEEN);
	put_store(w, RING_TIME_HI, WORD_SEEN_HI);
	emit_word(w, STORE_DATA_IMM);
	put_address(w, WORD_BEGUN);
	emit_word(w, 1);
}

static void
put_end_unless(struct batch_writer *w, enum batch_word word, uint32_t data)
{
	emit_word(w, CONDITIONAL_END);
	emit_word(w, data);
	put_address(w, word);
}

/* Stores the inverse of the time that the context has run since the start, and
 * lets it arrive. */
static void
put_left(struct batch_writer *w)
{
	put_context_time(w, 1);
	emit_word(w, MATH | 3);
	emit_word(w, ALU(LOAD, SOURCE_A, 1));
	emit_word(w, ALU(LOAD, SOURCE_B, 0));
	emit_word(w, ALU(SUB, 0, 0));
	emit_word(w, ALU(STORE_INVERSE, 1, ACCUMULATOR));
	put_store(w, GPR(1), WORD_LEFT);
	for (int i = 0; i < DELAYS; i++) {
		emit_word(w, STORE_DATA_INDEX);
		emit_word(w, DELAY_OFFSET);
		emit_word(w, 0);
	}
}

static uint32_t *
word_at(uint32_t *page, enum batch_word word)
{
	return &page[word / 4];
}

static void
reset_words(uint32_t *page)
{
	for (int word = WORD_START; word < WORDS_END; word += 4)
		page[word / 4] = 0;
	*word_at(page, WORD_GO_ON) = 1;
	*word_at(page, WORD_LEFT) = UINT32_MAX;
}

static struct batch_writer
writer_for(const struct hardware *hw, unsigned engine, uint32_t *page,
    uint64_t address)
{
	bool relative = hw->facts.has[FEATURE_RELATIVE];

	return (struct batch_writer){page, address,
	    relative ? 0 : hw->facts.engines[engine].mmio_base, relative};
}

void
batch_write(const struct hardware *hw, const struct batch_order *order,
    uint32_t *page, uint64_t address)
{
	unsigned first = (unsigned)__builtin_ctzll(order->engines);
	bool timed = order->duration_ns != NSEC_NEVER;
	struct batch_writer w = writer_for(hw, first, page, address);
	uint32_t loop;

	reset_words(page);
	if (timed)
		put_context_time(&w, 0);
	put_beginning(&w);
	loop = (uint32_t)(w.at - page) * 4;
	if (order->points)
		emit_word(&w, ARB_CHECK);
	if (timed)
		put_left(&w);
	put_store(&w, RING_TIME, WORD_SEEN);
	put_store(&w, RING_TIME_HI, WORD_SEEN_HI);
	put_end_unless(&w, WORD_GO_ON, 0);
	if (timed)
		put_end_unless(&w, WORD_LEFT,
		    ~(uint32_t)clock_ticks(order->duration_ns, hw->context_hz));
	emit_word(&w, BATCH_BUFFER_START);
	put_address(&w, loop);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

void
batch_write_clocks(const struct hardware *hw, unsigned engine, unsigned n,
    uint32_t *page, uint64_t address)
{
	struct batch_writer w = writer_for(hw, engine, page, address);

	reset_words(page);
	put_store(&w, RING_TIME, WORD_START);
	put_store(&w, RING_TIME_HI, WORD_START_HI);
	for (unsigned i = 0; i < n; i++)
		put_store(
		    &w, RING_TIME, (enum batch_word)(WORD_CLOCKS + 4 * i));
	emit_word(&w, BATCH_END);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

bool
batch_possible(const struct hardware *hw, const struct batch_order *order,
    struct text *err)
{
	nsec most_ns = (nsec)((unsigned __int128)UINT32_MAX * NSEC_PER_SEC /
	    hw->context_hz);

	if ((order->engines & (order->engines - 1)) != 0 &&
	    !facts_need(&hw->facts, FEATURE_RELATIVE, err))
		return false;
	if (order->duration_ns == NSEC_NEVER || order->duration_ns < most_ns)
		return true;
	text_addf(err,
	    "%s: a batch of %llu us: expected less than %llu us, after which "
	    "the clock of a context begins again",
	    hw->facts.path, (unsigned long long)(order->duration_ns / 1000),
	    (unsigned long long)(most_ns / 1000));
	return false;
}

void
batch_end(uint32_t *page)
{
	__atomic_store_n(word_at(page, WORD_GO_ON), 0, __ATOMIC_SEQ_CST);
	__atomic_thread_fence(__ATOMIC_SEQ_CST);
}

static uint32_t
read_word(const uint32_t *page, enum batch_word word)
{
	return __atomic_load_n(&page[word / 4], __ATOMIC_ACQUIRE);
}

uint32_t
batch_read_clock(const uint32_t *page, unsigned i)
{
	return read_word(page, (enum batch_word)(WORD_CLOCKS + 4 * i));
}

/* Returns a time of two words, of which the lower is stored first, again and
 * again. */
static uint64_t
read_stamp(const uint32_t *page, enum batch_word word)
{
	uint32_t high, low;

	do {
		high = read_word(page, word + 4);
		low = read_word(page, word);
	} while (high != read_word(page, word + 4));
	return (uint64_t)high << 32 | low;
}

void
batch_read(const uint32_t *page, struct batch_stamps *stamps)
{
	*stamps = (struct batch_stamps){
	    .begun = read_word(page, WORD_BEGUN) != 0,
	    .start = read_stamp(page, WORD_START),
	    .seen = read_stamp(page, WORD_SEEN),
	    .mark = read_word(page, WORD_MARK),
	    .worked = ~read_word(page, WORD_LEFT),
	};
}
