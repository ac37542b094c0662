/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batches: whatever a program submits, and changes while it is executed, each
 * call returns after a bounded number of commands, with an answer that makes
 * sense; what ended stays ended; labels and reasons have no control bytes.
 *
 * Two bytes say which engine of which GPU, and what it costs. Each byte after
 * them is a piece of the batch: a command as programs use it, with addresses
 * by further bytes, a dword as it is, or a flipped bit of what was written.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/streamer/streamer.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define PAGE   4096
#define DWORDS (PAGE / 4)
#define CODE   0x10000ull
#define DATA   0x20000ull
#define BUDGET 500
#define CALLS  24

/* Stands for the two dwords of an address, which a byte chooses. */
#define ADDRESS 0xadd0add0u, 0

struct input {
	const uint8_t *data;
	size_t size;
};

struct fuzzed_memory {
	uint32_t code[DWORDS], data[DWORDS];
	bool far; /* no pointer is given */
};

static uint8_t
take(struct input *in)
{
	if (in->size == 0)
		return 0;
	in->size--;
	return *in->data++;
}

static uint8_t *
fuzzed_at(struct fuzzed_memory *m, uint64_t address, size_t *left)
{
	uint64_t page = address & ~(uint64_t)(PAGE - 1);

	*left = PAGE - address % PAGE;
	if (page == CODE)
		return (uint8_t *)m->code + address % PAGE;
	if (page == DATA)
		return (uint8_t *)m->data + address % PAGE;
	return NULL;
}

static void *
fuzzed_span(void *data, uint64_t address, size_t *len, bool write)
{
	struct fuzzed_memory *m = data;

	(void)write;
	return m->far ? NULL : fuzzed_at(m, address, len);
}

static bool
fuzzed_read(void *data, uint64_t address, void *buf, size_t len)
{
	size_t left;
	const uint8_t *at = fuzzed_at(data, address, &left);

	if (at == NULL || left < len)
		return false;
	memcpy(buf, at, len);
	return true;
}

static bool
fuzzed_write(void *data, uint64_t address, const void *buf, size_t len)
{
	size_t left;
	uint8_t *at = fuzzed_at(data, address, &left);

	if (at == NULL || left < len)
		return false;
	memcpy(at, buf, len);
	return true;
}

/* Commands as programs use them. */
#define MAX_PIECE 39
static const struct {
	unsigned n;
	uint32_t dwords[MAX_PIECE];
} pieces[] = {
    {1, {0x00000000}},
    {1, {0x02800000}},
    {1, {0x04000000}},
    {1, {0x05000000}},
    {1, {0x00800003}},
    {1, {0x06000082}},
    {1, {0x01000000}},
    {3, {0x18800101, ADDRESS}},
    {3, {0x18c00101, ADDRESS}},
    {3, {0x18808101, ADDRESS}},
    {4, {0x1b200002, 5, ADDRESS}},
    {4, {0x1b242002, 0xfffffff0, ADDRESS}},
    {4, {0x0e009002, 3, ADDRESS}},
    {4, {0x10000002, ADDRESS, 1}},
    {5, {0x10200003, ADDRESS, 1, 2}},
    {3, {0x10800001, 2048, 0}},
    {3, {0x11000001, 0x260c, 0}},
    {3, {0x11080001, 0x608, 7}},
    {5, {0x11000003, 0x2400, 1, 0x241c, 1}},
    {3, {0x15000001, 0x23a8, 0x2608}},
    {3, {0x150c0001, 0x3a8, 0x600}},
    {3, {0x15000001, 0x2358, 0x2600}},
    {4, {0x12000002, 0x2608, ADDRESS}},
    {4, {0x12080002, 0x608, ADDRESS}},
    {4, {0x14800002, 0x2600, ADDRESS}},
    {5, {0x17000003, ADDRESS, ADDRESS}},
    {3, {0x17800501, ADDRESS}},
    {11, {0x17842e09, ADDRESS, 1, 2, 3, 4, 5, 6, 7, 8}},
    {5, {0x0d000003, 0x08008001, 0x08008400, 0x10100000, 0x58000431}},
    {3, {0x0d000001, 0x08200400, 0x18100001}},
    {5, {0x13004083, ADDRESS, 1, 2}},
    {6, {0x7a000004, 0xc000, ADDRESS, 1, 2}},
    {7, {0x7b000005, 4, 300, 0, 1, 0, 0}},
    {7, {0x7b000505, 15, 3, 0, 1, 0, 0}},
    {15, {0x7105000d, 0, 0, 0, 0, 0, 0, 4, 0, 0, 3, 0, 2, 0, 0}},
    {7, {0x54000005, 3 << 24, 0, 10 << 16 | 10, ADDRESS, 0}},
    {2, {0x71000000, 0}},
    {2, {0x71280000, 0}},
    {5, {0x70000003, 0x000222d2, 0, 0, 0}},
    {3, {0x70480001, 0x00001870, 1}},
    {3, {0x77490001, 0x12c, 0}},
    {7, {0x73800005, 0x00001c05, 0, 0, 0, 0, 0}},
    {2, {0x73900000, 0x001d8027}},
    {3, {0x73a20001, 0x00001020, 1}},
    {2, {0x70870000, 0}},
    {2, {0x74030000, 0}},
    {39, {0x72080025, [7] = 1, 2, 3, [26] = 3, ADDRESS}},
};
#define N_PIECES (sizeof(pieces) / sizeof(*pieces))

/* The address that a byte means: a dword of either page, or absent. */
static uint64_t
address_of(uint8_t byte)
{
	switch (byte >> 6) {
	case 0: return CODE + byte % 64 * 4u;
	case 1: return DATA + byte % 64 * 4u;
	case 2: return CODE + PAGE - (byte % 64 + 1u) * 4u;
	default: return byte & 1 ? DATA : 0xfffe00000000ull + byte;
	}
}

static unsigned
add_piece(struct fuzzed_memory *m, unsigned n, unsigned piece, struct input *in)
{
	for (unsigned i = 0; i < pieces[piece].n && n < DWORDS; i++, n++) {
		uint64_t address;

		m->code[n] = pieces[piece].dwords[i];
		if (m->code[n] != 0xadd0add0u)
			continue;
		address = address_of(take(in));
		m->code[n] = (uint32_t)address;
		if (n + 1 < DWORDS)
			m->code[++n] = (uint32_t)(address >> 32);
		i++;
	}
	return n;
}

static void
change(struct fuzzed_memory *m, struct input *in)
{
	uint8_t where = take(in), bit = take(in);

	(bit & 0x20 ? m->data : m->code)[where] ^= 1u << (bit & 31);
}

static void
fill(struct fuzzed_memory *m, struct input *in)
{
	unsigned n = 0;

	while (in->size > 2u * CALLS && n < DWORDS) {
		uint8_t byte = take(in);

		if (byte < N_PIECES) {
			n = add_piece(m, n, byte, in);
		} else if (byte < 0xc0) {
			change(m, in);
		} else {
			for (unsigned i = 0; i < 4; i++)
				m->code[n] = m->code[n] << 8 | take(in);
			n++;
		}
	}
	if (n < DWORDS)
		m->code[n] = 0x05000000;
}

static void
check_words(const struct streamer_batch *batch, struct streamer_answer answer)
{
	struct text words = {0};

	streamer_label(streamer_counts(batch), &words);
	streamer_explain(&answer, &words);
	for (size_t i = 0; i < words.len; i++)
		if ((unsigned char)words.data[i] < ' ' ||
		    (unsigned char)words.data[i] >= 0x7f)
			abort();
	if (answer.verdict > STREAMER_ENDED && words.len == 0)
		abort();
	text_free(&words);
}

/* Calls, each at its time, with a change of memory before it. */
static void
execute(struct streamer_batch *batch, struct streamer_engine engine,
    struct fuzzed_memory *m, struct input *in)
{
	struct streamer_time now = {.engine_ns = 5000};
	struct streamer_answer answer = {0}, again;
	uint64_t commands = 0;

	for (unsigned i = 0; i < CALLS && answer.verdict < STREAMER_ENDED;
	     i++) {
		nsec step;

		answer = streamer_run(batch, engine, now, BUDGET);
		/* A run of NOOPs is one step of at most 64. */
		if (streamer_counts(batch)->commands - commands > BUDGET * 64)
			abort();
		commands = streamer_counts(batch)->commands;
		streamer_preemptible_after(batch, now.running_ns);
		step = answer.verdict == STREAMER_RUNS ? answer.run_ns : 50000;
		if (step > NSEC_MAX)
			abort();
		if (i % 3 == 2)
			step /= 2;
		now.running_ns = nsec_total(now.running_ns, step);
		now.engine_ns = nsec_total(now.engine_ns, step + i % 2 * 700);
		change(m, in);
	}
	check_words(batch, answer);
	again = streamer_run(batch, engine, now, BUDGET);
	if (answer.verdict >= STREAMER_ENDED && again.verdict != answer.verdict)
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const unsigned versions[] = {70, 75, 80, 90, 110, 120, 125, 120};
	struct input in = {data, size};
	struct fuzzed_memory m = {0};
	struct streamer_memory memory = {
	    fuzzed_span, fuzzed_read, fuzzed_write, &m};
	uint8_t which = take(&in), costs = take(&in);
	struct streamer_gpu gpu = {.version = versions[which & 7],
	    .ring_hz = costs & 1 ? 19200000 : NSEC_PER_SEC,
	    .context_hz = costs & 2 ? 12500000 : NSEC_PER_SEC,
	    .costs = {.command_ns = costs >> 2 & 15,
		.draw_ns = costs & 0x40 ? 1000 : 0,
		.vertex_ps = costs & 0x40 ? UINT32_MAX : 0,
		.blit_ns = costs & 0x40 ? 3000 : 0,
		.decode_ns = costs & 0x40 ? 1000000 : 0,
		.hevc_decode_ns = costs & 0x40 ? 1000000 : 0,
		.ten_bit_percent = 1000,
		.flush_ns = costs & 0x40 ? 50 : 0}};
	struct streamer_engine engine = {
	    (enum streamer_class)((which >> 3 & 7) % 5), which >> 6 & 1};
	struct streamer_context *context = streamer_context_new();
	struct streamer_batch *batch;

	m.far = costs & 0x80;
	fill(&m, &in);
	batch = streamer_begin(&gpu, context, &memory, CODE);
	execute(batch, engine, &m, &in);
	streamer_end(batch);
	streamer_context_free(context);
	return 0;
}
