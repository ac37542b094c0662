/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests of a trace in the times and numbers of a run of its descriptors, and the
 * spans of each engine: one request at a time, as the timeline shows a run.
 */
#include "run/import/beside.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/util.h"

/* Spans before the last one that a request may have time between. */
#define MOST_GAPS 64

/* The run's time is that of the trace less by. */
struct beside_maker {
	struct beside *b;
	const struct imported *trace;
	const struct import_model *m;
	int64_t by;
};

static const struct infer_member *
find_member(const struct infer_result *inferred, uint32_t client)
{
	size_t at = lower_bound(
	    k, 0, inferred->n_members, inferred->members[k].client < client);

	return at < inferred->n_members &&
		inferred->members[at].client == client
	    ? &inferred->members[at]
	    : NULL;
}

/* The descriptor whose clients used the engines longest begins its first iteration
 * where its first one in the run does. */
static int64_t
find_shift(const struct imported *trace, const struct import_model *m)
{
	size_t n = m->inferred.n_clients, most = 0;
	double *used = mem_calloc(n + 1, sizeof(*used));
	nsec begin;

	for (size_t i = 0; i < trace->input.n_requests; i++) {
		const struct infer_request *r = &trace->input.requests[i];
		const struct infer_member *member = find_member(
		    &m->inferred, r->client);

		if (member != NULL && !r->unfinished &&
		    r->start_ns <= r->end_ns)
			used[member->descriptor] += (double)(r->run_ns !=
				    NSEC_NEVER
				? r->run_ns
				: r->end_ns - r->start_ns);
	}
	for (size_t i = 1; i < n; i++)
		if (used[i] > used[most])
			most = i;
	free(used);
	begin = m->begins[most] != NSEC_NEVER ? m->begins[most] : 0;
	return (int64_t)m->inferred.clients[most].first_ns - (int64_t)begin;
}

static nsec
shifted(const struct beside_maker *k, nsec time)
{
	if (time == NSEC_NEVER)
		return NSEC_NEVER;
	return (int64_t)time > k->by ? (nsec)((int64_t)time - k->by) : 0;
}

/* A client for each member, in their order. */
static void
list_clients(struct beside_maker *k)
{
	const struct infer_result *inferred = &k->m->inferred;
	uint32_t *next = mem_calloc(inferred->n_clients + 1, sizeof(*next));
	struct beside *b = k->b;

	b->n_clients = (uint32_t)inferred->n_members;
	b->clients = mem_calloc(b->n_clients + 1, sizeof(*b->clients));
	for (uint32_t i = 0; i < b->n_clients; i++) {
		uint32_t d = inferred->members[i].descriptor;

		b->clients[i] = (struct beside_client){.descriptor = d,
		    .ordinal = next[d]++,
		    .id = BESIDE_NOT_RUN};
	}
	free(next);
}

static int
compare_beside_ends(const void *a, const void *b)
{
	const struct beside_request *x = a, *y = b;

	if (x->end_ns != y->end_ns)
		return x->end_ns < y->end_ns ? -1 : 1;
	if (x->start_ns != y->start_ns)
		return x->start_ns < y->start_ns ? -1 : 1;
	return (x->queued_ns > y->queued_ns) - (x->queued_ns < y->queued_ns);
}

static void
take_requests(struct beside_maker *k)
{
	const struct infer_input *in = &k->trace->input;
	const struct infer_result *inferred = &k->m->inferred;
	struct beside *b = k->b;

	b->requests = mem_calloc(in->n_requests + 1, sizeof(*b->requests));
	for (size_t i = 0; i < in->n_requests; i++) {
		const struct infer_request *r = &in->requests[i];
		const struct infer_member *member = find_member(
		    inferred, r->client);
		nsec start = r->start_ns != NSEC_NEVER ? r->start_ns
		    : r->ready_ns != NSEC_NEVER        ? r->ready_ns
						       : r->queued_ns;

		if (member == NULL || inferred->contexts[i] == 0 ||
		    r->unfinished || (int64_t)r->end_ns <= k->by)
			continue;
		b->requests[b->n++] = (struct beside_request){
		    .client = (uint32_t)(member - inferred->members),
		    .context = inferred->contexts[i],
		    .engine = (uint8_t)(r->class * INFER_MAX_INSTANCES +
			r->instance - 1),
		    .queued_ns = shifted(k, r->queued_ns),
		    .ready_ns = shifted(k, r->ready_ns),
		    .start_ns = shifted(k, nsec_earlier(start, r->end_ns)),
		    .end_ns = shifted(k, r->end_ns),
		    .run_ns = r->run_ns};
	}
	qsort(b->requests, b->n, sizeof(*b->requests), compare_beside_ends);
}

/* Inserts a span before the one at that place. */
static void
insert_span(
    struct beside_engine *e, size_t at, nsec from, nsec to, uint32_t request)
{
	e->spans = mem_grow(e->spans, e->n, &e->cap, sizeof(*e->spans));
	memmove(&e->spans[at + 1], &e->spans[at],
	    (e->n++ - at) * sizeof(*e->spans));
	e->spans[at] = (struct beside_span){
	    .from_ns = from, .to_ns = to, .request = request};
}

/* Gives a request the time before its end that no request which ended earlier has:
 * the last run_ns of it, none before its start. One that was preempted has several
 * spans. Returns how long they are. */
static nsec
add_beside_spans(
    struct beside_engine *e, const struct beside_request *r, uint32_t id)
{
	nsec left = r->run_ns, until = r->end_ns, got = 0;
	size_t at = e->n;

	for (unsigned i = 0; i < MOST_GAPS && got < left; i++) {
		nsec busy_to = at > 0 ? e->spans[at - 1].to_ns : 0;
		nsec from = nsec_later(r->start_ns, busy_to);

		if (from < until) {
			if (left != NSEC_NEVER && until - from > left - got)
				from = until - (left - got);
			insert_span(e, at, from, until, id);
			got += until - from;
		}
		if (at == 0 || busy_to <= r->start_ns)
			break;
		until = e->spans[--at].from_ns;
	}
	return got;
}

static void
make_beside_spans(struct beside *b)
{
	for (size_t i = 0; i < b->n; i++) {
		struct beside_request *r = &b->requests[i];
		nsec got = add_beside_spans(
		    &b->engines[r->engine], r, (uint32_t)i);

		if (r->run_ns == NSEC_NEVER)
			r->run_ns = got;
	}
	for (unsigned i = 0; i < SIDE_ENGINES; i++) {
		struct beside_engine *e = &b->engines[i];

		for (size_t k = 1; k < e->n; k++)
			e->spans[k].before_ns = e->spans[k - 1].before_ns +
			    e->spans[k - 1].to_ns - e->spans[k - 1].from_ns;
	}
}

static int
compare_beside_contexts(const void *a, const void *b)
{
	const uint64_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* Lists the contexts of each client. */
static void
list_beside_contexts(struct beside *b)
{
	uint64_t *all = mem_calloc(b->n + 1, sizeof(*all));
	size_t n = 0;

	for (size_t i = 0; i < b->n; i++)
		all[i] = (uint64_t)b->requests[i].client << 32 |
		    b->requests[i].context;
	qsort(all, b->n, sizeof(*all), compare_beside_contexts);
	for (size_t i = 0; i < b->n; i++)
		if (i == 0 || all[i] != all[i - 1])
			all[n++] = all[i];
	b->first = mem_calloc(b->n_clients + 1, sizeof(*b->first));
	b->numbers = mem_calloc(n + 1, sizeof(*b->numbers));
	for (size_t i = 0; i < n; i++) {
		b->numbers[i] = (uint32_t)all[i];
		b->first[(all[i] >> 32) + 1]++;
	}
	for (uint32_t i = 0; i < b->n_clients; i++)
		b->first[i + 1] += b->first[i];
	free(all);
}

/* By client and submission. */
static int
compare_submissions(const void *a, const void *b)
{
	const struct beside_request *x = *(
	    const struct beside_request *const *)a;
	const struct beside_request *y = *(
	    const struct beside_request *const *)b;

	if (x->client != y->client)
		return x->client < y->client ? -1 : 1;
	if (x->queued_ns != y->queued_ns)
		return x->queued_ns < y->queued_ns ? -1 : 1;
	return x < y ? -1 : x > y;
}

static int
compare_iterations(const void *a, const void *b)
{
	const nsec *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* An iteration is over when the next one begins. */
static void
list_iterations(struct beside *b, const struct import_model *m)
{
	const struct beside_request **sorted = mem_calloc(
	    b->n + 1, sizeof(struct beside_request *));
	size_t first = 0;

	for (size_t i = 0; i < b->n; i++)
		sorted[i] = &b->requests[i];
	qsort(
	    sorted, b->n, sizeof(struct beside_request *), compare_submissions);
	b->iterations = mem_calloc(b->n + 1, sizeof(*b->iterations));
	for (size_t i = 0; i < b->n; i++) {
		uint32_t d = b->clients[sorted[i]->client].descriptor;
		uint32_t n = m->inferred.clients[d].n_batches;

		if (sorted[i]->client != sorted[first]->client)
			first = i;
		if (i > first && n > 0 && (i - first) % n == 0)
			b->iterations[b->n_iterations++] = sorted[i]->queued_ns;
	}
	free(sorted);
	qsort(b->iterations, b->n_iterations, sizeof(*b->iterations),
	    compare_iterations);
}

struct beside *
beside_new(const struct imported *trace, const struct import_model *m)
{
	struct beside *b = mem_calloc(1, sizeof(*b));
	struct beside_maker k = {
	    .b = b, .trace = trace, .m = m, .by = find_shift(trace, m)};

	list_clients(&k);
	take_requests(&k);
	make_beside_spans(b);
	list_beside_contexts(b);
	list_iterations(b, m);
	b->end_ns = b->n > 0 ? b->requests[b->n - 1].end_ns : 0;
	return b;
}

void
beside_free(struct beside *b)
{
	if (b == NULL)
		return;
	for (unsigned i = 0; i < SIDE_ENGINES; i++)
		free(b->engines[i].spans);
	free(b->requests);
	free(b->clients);
	free(b->first);
	free(b->numbers);
	free(b->iterations);
	free(b);
}

size_t
beside_find(const struct beside_engine *e, nsec at)
{
	return lower_bound(i, 0, e->n, e->spans[i].to_ns <= at);
}

size_t
beside_iterations(const struct beside *b, nsec at)
{
	return lower_bound(i, 0, b->n_iterations, b->iterations[i] <= at);
}

nsec
beside_used(const struct beside_engine *e, nsec at)
{
	size_t i = beside_find(e, at);
	const struct beside_span *s;

	if (e->n == 0)
		return 0;
	if (i == e->n) {
		s = &e->spans[e->n - 1];
		return s->before_ns + s->to_ns - s->from_ns;
	}
	s = &e->spans[i];
	return s->before_ns + (at > s->from_ns ? at - s->from_ns : 0);
}

const struct beside_engine *
beside_of(const struct beside *b, unsigned class, unsigned instance)
{
	return class < N_CLASSES && instance < INFER_MAX_INSTANCES
	    ? &b->engines[class * INFER_MAX_INSTANCES + instance]
	    : NULL;
}
