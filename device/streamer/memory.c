/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A batch's accesses to memory. The span that was used last is kept for as long
 * as a call lasts, as objects are large and accesses near each other. Programs
 * read and write the same memory meanwhile, so each access is one atomic load
 * or store of 4 or 8 bytes (doc/model/streamer.md "Memory").
 *
 * In a probe of a loop, stores stay in the probe, and loads find them there.
 */
#include "device/streamer/cs.h"

#include <string.h>

/* Tries to exchange a word that a program keeps changing. */
#define EXCHANGES 1000

static bool
is_missing(struct streamer_batch *b, uint64_t address)
{
	cs_fault(b, address, "no memory is there that the batch may use");
	return false;
}

/* Returns len bytes at that address, NULL if they are not in one span. */
static uint8_t *
span_at(struct streamer_batch *b, struct cs_span *span, uint64_t address,
    size_t len, bool write)
{
	uint64_t offset = address - span->address;

	if (offset < span->len && span->len - offset >= len)
		return span->host + offset;
	span->len = 0;
	span->host = b->memory.span(b->memory.data, address, &span->len, write);
	span->address = address;
	if (span->host == NULL)
		span->len = 0;
	return span->len >= len ? span->host : NULL;
}

const uint32_t *
cs_fetch_far(struct streamer_batch *b, uint64_t address, unsigned n)
{
	size_t len = (size_t)n * 4;
	uint8_t *host = span_at(b, &b->code, address, len, false);

	if (host)
		return (const uint32_t *)(void *)host;
	if (b->memory.read(b->memory.data, address, b->far, len))
		return b->far;
	cs_fault(b, address, "no memory is there to fetch commands from");
	return NULL;
}

static struct cs_probe_store *
probe_find(struct cs_probe *probe, uint64_t address)
{
	for (unsigned i = 0; i < probe->n_stores; i++)
		if (probe->stores[i].address == address)
			return &probe->stores[i];
	return NULL;
}

static bool
probe_store(struct cs_probe *probe, uint64_t address, uint32_t value)
{
	struct cs_probe_store *store = probe_find(probe, address);

	if (store == NULL) {
		if (probe->n_stores == CS_PROBE_STORES) {
			probe->refused = true;
			return false;
		}
		store = &probe->stores[probe->n_stores++];
		store->address = address;
	}
	store->value = value;
	return true;
}

bool
cs_load(struct streamer_batch *b, uint64_t address, uint32_t *value)
{
	struct cs_probe_store *store;
	uint8_t *host;

	address &= ~(uint64_t)3;
	if (b->probe && (store = probe_find(b->probe, address))) {
		*value = store->value;
		return true;
	}
	host = span_at(b, &b->in, address, 4, false);
	if (host) {
		*value = __atomic_load_n(
		    (uint32_t *)(void *)host, __ATOMIC_ACQUIRE);
		return true;
	}
	return b->memory.read(b->memory.data, address, value, 4) ||
	    is_missing(b, address);
}

bool
cs_load_qword(struct streamer_batch *b, uint64_t address, uint64_t *value)
{
	uint32_t low, high;
	uint8_t *host;

	address &= ~(uint64_t)3;
	if ((address & 7) == 0 && b->probe == NULL) {
		host = span_at(b, &b->in, address, 8, false);
		if (host) {
			*value = __atomic_load_n(
			    (uint64_t *)(void *)host, __ATOMIC_ACQUIRE);
			return true;
		}
	}
	if (!cs_load(b, address, &low) ||
	    !cs_load(b, (address + 4) & CS_ADDRESS(~0u, ~0u), &high))
		return false;
	*value = low | (uint64_t)high << 32;
	return true;
}

bool
cs_store(struct streamer_batch *b, uint64_t address, uint32_t value)
{
	uint8_t *host;

	address &= ~(uint64_t)3;
	if (b->probe)
		return probe_store(b->probe, address, value);
	host = span_at(b, &b->out, address, 4, true);
	if (host) {
		uint32_t *at = (uint32_t *)(void *)host;

		b->stored |= __atomic_load_n(at, __ATOMIC_RELAXED) != value;
		__atomic_store_n(at, value, __ATOMIC_RELEASE);
		return true;
	}
	b->stored = true;
	return b->memory.write(b->memory.data, address, &value, 4) ||
	    is_missing(b, address);
}

bool
cs_store_qword(struct streamer_batch *b, uint64_t address, uint64_t value)
{
	uint8_t *host;

	address &= ~(uint64_t)3;
	if ((address & 7) == 0 && b->probe == NULL) {
		host = span_at(b, &b->out, address, 8, true);
		if (host) {
			uint64_t *at = (uint64_t *)(void *)host;

			b->stored |= __atomic_load_n(at, __ATOMIC_RELAXED) !=
			    value;
			__atomic_store_n(at, value, __ATOMIC_RELEASE);
			return true;
		}
	}
	return cs_store(b, address, (uint32_t)value) &&
	    cs_store(b, (address + 4) & CS_ADDRESS(~0u, ~0u),
		(uint32_t)(value >> 32));
}

static bool
modify_dword(uint32_t *at,
    uint64_t (*modify)(uint64_t old, unsigned size, const struct cs_change *),
    const struct cs_change *change, uint64_t *old)
{
	uint32_t was = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < EXCHANGES; i++)
		if (__atomic_compare_exchange_n(at, &was,
			(uint32_t)modify(was, 4, change), false,
			__ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE))
			break;
	*old = was;
	return true;
}

static bool
modify_qword(uint64_t *at,
    uint64_t (*modify)(uint64_t old, unsigned size, const struct cs_change *),
    const struct cs_change *change, uint64_t *old)
{
	uint64_t was = __atomic_load_n(at, __ATOMIC_ACQUIRE);

	for (unsigned i = 0; i < EXCHANGES; i++)
		if (__atomic_compare_exchange_n(at, &was,
			modify(was, 8, change), false, __ATOMIC_ACQ_REL,
			__ATOMIC_ACQUIRE))
			break;
	*old = was;
	return true;
}

bool
cs_modify(struct streamer_batch *b, uint64_t address, unsigned size,
    uint64_t (*modify)(uint64_t old, unsigned size, const struct cs_change *),
    const struct cs_change *change, uint64_t *old)
{
	uint64_t changed;
	uint8_t *host;

	address &= ~(uint64_t)(size - 1);
	b->stored = true;
	host = span_at(b, &b->out, address, size, true);
	if (host && size == 4)
		return modify_dword((void *)host, modify, change, old);
	if (host)
		return modify_qword((void *)host, modify, change, old);
	*old = 0;
	if (!b->memory.read(b->memory.data, address, old, size))
		return is_missing(b, address);
	changed = modify(*old, size, change);
	return b->memory.write(b->memory.data, address, &changed, size) ||
	    is_missing(b, address);
}
