/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The registers of a context: its engine's own, which follow it from engine to
 * engine of a class, and all others, which are stored and answered as last
 * written. Clocks are live (doc/model/streamer.md "Registers").
 */
#include "device/streamer/cs.h"

#include <stdlib.h>

#include "base/mem.h"

#define RCS_BASE  0x2000
#define MMIO_SIZE 0x200000u
#define PAGE_SIZE 0x1000u
/* Where the status pages of the engines are, each by its base. */
#define STATUS_PAGES 0xfe000000u

#define RING_TIME_MASK ((UINT64_C(1) << 36) - 1)

struct streamer_context *
streamer_context_new(void)
{
	return mem_calloc(1, sizeof(struct streamer_context));
}

void
streamer_context_free(struct streamer_context *context)
{
	if (context == NULL)
		return;
	for (size_t i = 0; context->pages && i < MMIO_SIZE / PAGE_SIZE; i++)
		free(context->pages[i]);
	free(context->pages);
	free(context);
}

uint32_t
streamer_context_register(
    const struct streamer_context *context, uint32_t offset)
{
	return offset < CS_REGISTERS ? context->own[offset / 4] : 0;
}

static uint32_t
video_base(unsigned version, unsigned instance)
{
	static const uint32_t first[] = {0x12000, 0x1c000},
			      later[] = {0x1c0000, 0x1c4000, 0x1d0000, 0x1d4000,
				  0x1e0000, 0x1e4000, 0x1f0000, 0x1f4000};

	if (version < 110)
		return instance < 2 ? first[instance] : 0;
	return instance < 8 ? later[instance] : 0;
}

uint32_t
streamer_engine_base(unsigned version, struct streamer_engine engine)
{
	static const uint32_t enhance[] = {0x1c8000, 0x1d8000, 0x1e8000,
	    0x1f8000},
			      compute[] = {0x1a000, 0x1c000, 0x1e000, 0x26000};
	unsigned i = engine.instance;

	switch (engine.class) {
	case STREAMER_RENDER: return i == 0 ? RCS_BASE : 0;
	case STREAMER_COPY: return i == 0 ? 0x22000 : 0;
	case STREAMER_VIDEO: return video_base(version, i);
	case STREAMER_ENHANCE:
		if (version < 110)
			return i == 0 && version >= 75 ? 0x1a000 : 0;
		return i < 4 ? enhance[i] : 0;
	case STREAMER_COMPUTE: return version >= 120 && i < 4 ? compute[i] : 0;
	}
	return 0;
}

/* Bits 22:2 are the register. Returns its offset from the engine's base, or at
 * least CS_REGISTERS: reg is absolute then. */
static uint32_t
place_of(const struct streamer_batch *b, uint32_t *reg, enum cs_naming naming)
{
	*reg &= 0x7ffffc;
	if (naming == CS_RELATIVE)
		*reg += b->base;
	else if (naming == CS_REMAPPED && *reg - RCS_BASE < CS_REGISTERS)
		*reg += b->base - RCS_BASE;
	return *reg - b->base;
}

/* Returns true if reg, absolute, asks an engine of a part with auxiliary tables to
 * invalidate its table: hardware clears the bit when that is done, here at once. */
static bool
is_aux_invalidation(unsigned version, uint32_t reg)
{
	static const uint32_t registers[] = {
	    0x4208,                         /* RCS */
	    0x4218, 0x4228, 0x4298, 0x42a8, /* VCS 0 to 3 */
	    0x4238, 0x42b8,                 /* VECS 0 and 1 */
	    0x4248,                         /* BCS */
	    0x42c8,                         /* CCS 0 */
	};

	for (size_t i = 0; i < sizeof(registers) / sizeof(*registers); i++)
		if (reg == registers[i])
			return version >= 120;
	return false;
}

/* Returns true if reg, absolute, is that offset of some engine. */
static bool
is_of_some_engine(unsigned version, uint32_t reg, uint32_t offset)
{
	for (int class = STREAMER_RENDER; class <= STREAMER_COMPUTE; class ++)
		for (unsigned i = 0; i < 8; i++) {
			uint32_t base = streamer_engine_base(version,
			    (struct streamer_engine){
				(enum streamer_class) class, i});

			if (base && reg == base + offset)
				return true;
		}
	return false;
}

bool
cs_is_ring_time(
    const struct streamer_batch *b, uint32_t reg, enum cs_naming naming)
{
	uint32_t place = place_of(b, &reg, naming);

	if (place < CS_REGISTERS)
		return (place & ~4u) == CS_RING_TIMESTAMP;
	return (reg & 0xff8) == CS_RING_TIMESTAMP &&
	    is_of_some_engine(b->gpu->version, reg & ~4u, CS_RING_TIMESTAMP);
}

bool
cs_is_clock(const struct streamer_batch *b, uint32_t reg, enum cs_naming naming)
{
	uint32_t absolute = reg, place = place_of(b, &absolute, naming);

	return cs_is_ring_time(b, reg, naming) ||
	    (place == CS_CTX_TIMESTAMP && b->gpu->version >= 80);
}

/* Returns the ticks of a clock of hz Hz in ns. */
static uint64_t
cs_ticks(nsec ns, uint64_t hz)
{
	return ns / NSEC_PER_SEC * hz + ns % NSEC_PER_SEC * hz / NSEC_PER_SEC;
}

uint64_t
cs_ring_time(struct streamer_batch *b)
{
	nsec ns = b->now.engine_ns + b->at_ns - b->now.running_ns;

	if (b->probe)
		b->probe->timed = true;
	/* Work that was due before the engine's time began. */
	if (ns > NSEC_MAX)
		ns = 0;
	return cs_ticks(ns, b->gpu->ring_hz) & RING_TIME_MASK;
}

uint32_t
cs_context_time(struct streamer_batch *b)
{
	if (b->probe)
		b->probe->timed = true;
	return (uint32_t)cs_ticks(b->at_ns, b->gpu->context_hz);
}

static uint32_t
ring_time_half(struct streamer_batch *b, uint32_t reg)
{
	return (uint32_t)(cs_ring_time(b) >> (reg & 4 ? 32 : 0));
}

static uint32_t
get_own(struct streamer_batch *b, uint32_t place)
{
	if (place == CS_CTX_TIMESTAMP && b->gpu->version >= 80)
		return cs_context_time(b);
	if ((place & ~4u) == CS_RING_TIMESTAMP)
		return ring_time_half(b, place);
	if (place == CS_STATUS_PAGE)
		return STATUS_PAGES | b->base;
	return b->context->own[place / 4];
}

uint32_t
cs_get(struct streamer_batch *b, uint32_t reg, enum cs_naming naming)
{
	uint32_t place = place_of(b, &reg, naming), *page;

	if (place < CS_REGISTERS)
		return get_own(b, place);
	if (cs_is_ring_time(b, reg, CS_ABSOLUTE))
		return ring_time_half(b, reg);
	if (reg >= MMIO_SIZE || b->context->pages == NULL ||
	    is_aux_invalidation(b->gpu->version, reg))
		return 0;
	page = b->context->pages[reg / PAGE_SIZE];
	return page ? page[reg % PAGE_SIZE / 4] : 0;
}

/* Returns true if a probe restores that register afterwards. */
static bool
is_restored(uint32_t place)
{
	return (place >= CS_GPR && place < CS_GPR + CS_GPRS * 8) ||
	    (place >= CS_PREDICATE_RESULT2 && place <= CS_PREDICATE_RESULT1);
}

void
cs_set(struct streamer_batch *b, uint32_t reg, enum cs_naming naming,
    uint32_t value)
{
	uint32_t place = place_of(b, &reg, naming), **page;

	if (b->probe && !is_restored(place)) {
		b->probe->refused = true;
		return;
	}
	if (place < CS_REGISTERS) {
		b->context->own[place / 4] = value;
		return;
	}
	if (reg >= MMIO_SIZE)
		return;
	if (b->context->pages == NULL)
		b->context->pages = mem_calloc(
		    MMIO_SIZE / PAGE_SIZE, sizeof(*b->context->pages));
	page = &b->context->pages[reg / PAGE_SIZE];
	if (*page == NULL)
		*page = mem_calloc(PAGE_SIZE / 4, sizeof(**page));
	(*page)[reg % PAGE_SIZE / 4] = value;
}
