/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/any_iteration.h"

#include "base/text.h"
#include "tests/naive/maker.h"

#define MAX_BATCHES 8

struct iteration {
	uint64_t random;
	struct text *out;
	bool ranges, balanced, ranked;
	unsigned n_steps, n_batches, n_contexts;
	unsigned batches[MAX_BATCHES]; /* steps */
};

static unsigned
below(struct iteration *it, unsigned n)
{
	return maker_below(&it->random, n);
}

static bool
chance(struct iteration *it, unsigned percent)
{
	return maker_chance(&it->random, percent);
}

/* Context 1 may be balanced; it has a map then. */
static void
make_engine(struct iteration *it, unsigned context)
{
	static const char *const engines[] = {
	    "RCS", "BCS", "VCS1", "VCS2", "VECS", "CCS"};

	if (context == 1 && it->balanced)
		text_adds(it->out, "DEFAULT");
	else
		text_adds(it->out, engines[below(it, 6)]);
}

static void
make_duration(struct iteration *it)
{
	unsigned us = 100 + below(it, 2000);

	text_addf(it->out, ".%u", us);
	if (it->ranges && chance(it, 30))
		text_addf(it->out, "-%u", us + 10 + below(it, us));
}

static void
make_deps(struct iteration *it)
{
	unsigned n = it->n_batches > 0 && chance(it, 60) ? 1 + below(it, 2) : 0;

	if (n == 0)
		text_adds(it->out, ".0");
	for (unsigned i = 0; i < n; i++)
		text_addf(it->out, "%c%s-%u", i > 0 ? '/' : '.',
		    chance(it, 25) ? "f" : "",
		    it->n_steps - it->batches[below(it, it->n_batches)]);
}

static void
make_batch(struct iteration *it)
{
	unsigned context = 1 + below(it, it->n_contexts);

	text_addf(it->out, "%u.", context);
	make_engine(it, context);
	make_duration(it);
	make_deps(it);
	text_addf(it->out, ".%d\n", chance(it, 15));
	it->batches[it->n_batches++] = it->n_steps++;
}

static void
make_pause(struct iteration *it)
{
	if (chance(it, 12)) {
		text_addf(it->out, "d.%u\n", 50 + below(it, 2000));
		it->n_steps++;
	}
	if (it->n_batches > 0 && chance(it, 12)) {
		text_addf(it->out, "s.-%u\n",
		    it->n_steps - it->batches[below(it, it->n_batches)]);
		it->n_steps++;
	}
	if (it->ranked && chance(it, 15)) {
		text_addf(it->out, "P.%u.", 1 + below(it, it->n_contexts));
		text_addf(it->out, "%d\n", (int)below(it, 5) - 2);
		it->n_steps++;
	}
}

void
any_iteration(uint64_t seed, bool ranges, struct text *out)
{
	struct iteration it = {.random = seed, .out = out, .ranges = ranges};
	unsigned n = 1 + below(&it, MAX_BATCHES);

	it.n_contexts = 1 + below(&it, 3);
	it.balanced = chance(&it, 30);
	it.ranked = chance(&it, 40);
	if (it.balanced) {
		text_adds(out, "M.1.VCS\nB.1\n");
		it.n_steps = 2;
	}
	while (it.n_batches < n) {
		make_pause(&it);
		make_batch(&it);
	}
	make_pause(&it);
	if (chance(&it, 50))
		text_addf(out, "p.%u\n", 1000 + below(&it, 20000));
	else
		text_addf(
		    out, "s.-%u\n", it.n_steps - it.batches[it.n_batches - 1]);
}
