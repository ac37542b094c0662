/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients that do the same are one descriptor for several clones; then the files
 * are printed. Equal are clients whose steps are, and whose times are near
 * (doc/model/infer.md "Clones").
 */
#include <math.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

/* By which share the rates of clones may differ, where pauses vary. */
#define RATES_NEAR 0.01

static bool
are_near(uint64_t a, uint64_t b, uint64_t slack)
{
	return fabs((double)a - (double)b) <=
	    (double)slack + 0.05 * fmax((double)a, (double)b);
}

static bool
are_same_timelines(const struct found *a, const struct found *b, uint32_t p)
{
	const struct infer_timeline *x =
	    &a->s->timelines[a->batches[p].timeline];
	const struct infer_timeline *y =
	    &b->s->timelines[b->batches[p].timeline];

	if (x->number != y->number || x->is_virtual != y->is_virtual ||
	    x->is_parallel != y->is_parallel)
		return false;
	return x->is_virtual
	    ? (x->ran_on | x->allowed) == (y->ran_on | y->allowed)
	    : x->ran_on == y->ran_on && x->allowed == y->allowed;
}

static bool
are_same_deps(const struct found_batch *a, const struct found_batch *b)
{
	if (a->n_deps != b->n_deps)
		return false;
	for (uint32_t i = 0; i < a->n_deps; i++)
		if (a->deps[i].distance != b->deps[i].distance ||
		    a->deps[i].kind != b->deps[i].kind)
			return false;
	return true;
}

/* The first pace from i on that tells clients apart: measured, short delays are
 * the noise of a host. */
static uint32_t
next_pace(const struct found *f, const struct found_batch *b, uint32_t i)
{
	while (i < b->n_paces && f->s->cpu_ns > 0 && f->s->n_told > 0 &&
	    b->paces[i].kind == PACE_DELAY &&
	    (b->paces[i].loose || b->paces[i].ns <= f->s->near_ns))
		i++;
	return i;
}

static bool
are_same_paces(const struct found *a, const struct found *b, uint32_t p)
{
	const struct found_batch *x = &a->batches[p], *y = &b->batches[p];
	nsec slack = a->s->cpu_ns > 0 && a->s->n_told > 0 ? a->s->near_ns : 0;
	uint32_t i = next_pace(a, x, 0), k = next_pace(b, y, 0);

	while (i < x->n_paces && k < y->n_paces) {
		if (x->paces[i].kind != y->paces[k].kind ||
		    x->paces[i].slot != y->paces[k].slot ||
		    x->paces[i].distance != y->paces[k].distance ||
		    !are_near(x->paces[i].ns, y->paces[k].ns, slack))
			return false;
		i = next_pace(a, x, i + 1);
		k = next_pace(b, y, k + 1);
	}
	return i >= x->n_paces && k >= y->n_paces;
}

static bool
are_same_acts(const struct found_batch *a, const struct found_batch *b)
{
	return a->n_acts == b->n_acts && a->act_hash == b->act_hash &&
	    a->infinite == b->infinite && a->sseu == b->sseu;
}

static bool
are_same_batches(const struct found *a, const struct found *b, uint32_t p)
{
	const struct found_batch *x = &a->batches[p], *y = &b->batches[p];
	uint64_t slack = (x->max_us - x->min_us + y->max_us - y->min_us) / 4;

	return are_same_timelines(a, b, p) && are_same_deps(x, y) &&
	    infer_are_same_uses(x, y) && are_same_paces(a, b, p) &&
	    are_same_acts(x, y) && x->priority == y->priority &&
	    (x->infinite || x->never_ended || y->never_ended ||
		(are_near(x->min_us, y->min_us, slack) &&
		    are_near(x->max_us, y->max_us, slack)));
}

/* True for a delay that many pauses differ from. */
static bool
explains_little(const struct found_pace *pace)
{
	return pace->kind == PACE_DELAY && pace->n_hits < pace->n_of * 0.8;
}

/* True if measured iterations take as long, where pauses differ from each other. */
static bool
are_as_fast(const struct found *a, const struct found *b)
{
	double x = infer_mean_iteration(a), y = infer_mean_iteration(b);
	bool vary = false;

	for (uint32_t p = 0; p < a->length; p++)
		for (uint32_t i = 0; i < a->batches[p].n_paces; i++)
			vary |= explains_little(&a->batches[p].paces[i]);
	return a->s->cpu_ns == 0 || a->s->n_told == 0 || !vary ||
	    fabs(x - y) <= RATES_NEAR * fmax(x, y);
}

static bool
are_clones(const struct found *a, const struct found *b)
{
	if (!are_as_fast(a, b) || a->length != b->length ||
	    a->repeats != b->repeats || a->lead_is_last != b->lead_is_last ||
	    !are_near(a->lead.ns, b->lead.ns, a->s->cpu_ns))
		return false;
	for (uint32_t p = 0; p < a->length; p++)
		if (!are_same_batches(a, b, p))
			return false;
	return true;
}

static uint64_t
smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint64_t
larger(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* Takes the duration of a batch that ended for one that never did. */
static void
take_duration(struct found_batch *x, const struct found_batch *y)
{
	x->min_us = y->min_us;
	x->max_us = y->max_us;
	x->least_us = y->least_us;
	x->most_us = y->most_us;
	x->p5_us = y->p5_us;
	x->p50_us = y->p50_us;
	x->p95_us = y->p95_us;
	x->mean_ns = y->mean_ns;
	x->is_between = y->is_between;
	x->never_ended = y->never_ended;
}

/* Makes the range of x as wide as the wider one, around the mean of both clients'
 * batches. */
static void
centre_range(struct found_batch *x, const struct found_batch *y)
{
	uint64_t half = larger(x->max_us - x->min_us, y->max_us - y->min_us) /
	    2;
	uint64_t middle = (x->mean_ns + NSEC_PER_USEC / 2) / NSEC_PER_USEC;

	if (x->is_between || half == 0)
		return;
	x->min_us = middle > half ? middle - half : 1;
	x->max_us = middle + half;
}

/* Makes the range of x, which is of n clients, that of y too. A single value stays
 * one. */
static void
widen_batch(
    struct found_batch *x, const struct found_batch *y, uint32_t n, bool moves)
{
	bool is_range = x->min_us != x->max_us;

	x->mean_ns = (x->mean_ns * n + y->mean_ns) / (n + 1);
	if (is_range && moves) {
		centre_range(x, y);
	} else if (is_range) {
		x->min_us = smaller(x->min_us, y->min_us);
		x->max_us = larger(x->max_us, y->max_us);
	}
	x->least_us = smaller(x->least_us, y->least_us);
	x->most_us = larger(x->most_us, y->most_us);
}

/* Makes the delays before a batch of x, which is of n clients, the means of those of
 * both. */
static void
share_delays(struct found_batch *x, const struct found_batch *y, uint32_t n)
{
	for (uint32_t i = 0; i < x->n_paces && x->n_paces == y->n_paces; i++) {
		struct found_pace *a = &x->paces[i];
		const struct found_pace *b = &y->paces[i];

		if (a->kind == PACE_DELAY && b->kind == PACE_DELAY &&
		    a->slot == b->slot)
			a->ns = (a->ns * n + b->ns) / (n + 1);
	}
}

/* Makes the durations of a, which is of n clients, those of b too, and delays that are
 * measured. */
static void
widen(struct found *a, const struct found *b, uint32_t n)
{
	for (uint32_t p = 0; p < a->length; p++) {
		struct found_batch *x = &a->batches[p];
		const struct found_batch *y = &b->batches[p];

		if (a->s->cpu_ns > 0 && a->s->n_told > 0)
			share_delays(x, y, n);
		if (x->never_ended)
			take_duration(x, y);
		else if (!y->never_ended)
			widen_batch(x, y, n, a->book->input->is_trace);
	}
}

static void
join(struct infer_client *a, const struct infer_client *b)
{
	a->n_clones += b->n_clones;
	a->n_iterations += b->n_iterations;
	a->n_requests += b->n_requests;
	a->n_explained += b->n_explained;
	a->begin_ns = nsec_earlier(a->begin_ns, b->begin_ns);
	a->end_ns = nsec_later(a->end_ns, b->end_ns);
}

/* Number of descriptors, before that of a client, that it is compared with. */
#define MERGE_REACH 256

/* Merges client i into one of the n before it that are kept. Returns that one; i:
 * it is like none of them. */
static size_t
merge_one(struct infer_result *result, struct found *founds, size_t i,
    const size_t *kept, size_t n)
{
	for (size_t k = n; k > 0 && n - k < MERGE_REACH; k--) {
		size_t at = kept[k - 1];

		if (!are_clones(&founds[at], &founds[i]))
			continue;
		widen(&founds[at], &founds[i], result->clients[at].n_clones);
		join(&result->clients[at], &result->clients[i]);
		return at;
	}
	return i;
}

/* Makes several iterations one where pauses vary: as many of all n clients, so that they
 * still do as many each. */
static void
vary(struct infer_result *result, struct found *founds, const size_t *kept,
    size_t n)
{
	uint32_t most = 0;

	for (size_t i = 0; i < n; i++) {
		uint32_t n_shares = infer_shares_of_pauses(&founds[kept[i]]);

		most = n_shares > most ? n_shares : most;
	}
	for (size_t i = 0; i < n; i++) {
		struct infer_client *client = &result->clients[kept[i]];
		uint64_t each = client->n_iterations / client->n_clones;

		infer_vary_pauses(&founds[kept[i]], most);
		if (founds[kept[i]].n_shares == 0)
			continue;
		client->n_batches *= most;
		client->n_iterations = each / most * client->n_clones;
		client->period_ns = 0;
	}
}

static void
print_descriptor(struct found *f, struct infer_client *client)
{
	struct made made;

	infer_make_steps(f, &made);
	infer_print_file(f, &made, client, &client->text);
	infer_made_free(&made);
}

/* kept: the clients, in order, that n descriptors begin with. */
static void
list_members(struct infer_result *result, const size_t *owners,
    const size_t *kept, size_t n)
{
	result->n_members = result->n_clients;
	result->members = mem_calloc(
	    result->n_members, sizeof(*result->members));
	for (size_t i = 0; i < result->n_members; i++)
		result->members[i] = (struct infer_member){
		    .client = result->clients[i].client,
		    .descriptor = (uint32_t)lower_bound(
			k, 0, n, kept[k] < owners[i]),
		};
}

void
infer_merge(struct infer_result *result, struct found *founds)
{
	bool merge = founds[0].book->options->merge;
	size_t *kept = mem_calloc(result->n_clients, sizeof(*kept)), n = 0;
	size_t *owners = mem_calloc(result->n_clients, sizeof(*owners));

	for (size_t i = 0; i < result->n_clients; i++) {
		owners[i] = merge ? merge_one(result, founds, i, kept, n) : i;
		if (owners[i] == i)
			kept[n++] = i;
	}
	list_members(result, owners, kept, n);
	infer_count_foreign_uses(founds, owners, result->n_clients);
	for (size_t i = 0; i < result->n_clients; i++)
		if (owners[i] != i)
			infer_client_free(&result->clients[i]);
	if (founds[0].book->options->vary)
		vary(result, founds, kept, n);
	for (size_t i = 0; i < n; i++) {
		print_descriptor(&founds[kept[i]], &result->clients[kept[i]]);
		result->clients[i] = result->clients[kept[i]];
	}
	result->n_clients = n;
	free(kept);
	free(owners);
}
