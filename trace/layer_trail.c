/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A ring of bytes with records of requests, the newest written over the oldest,
 * and a table that finds the record of a request by its seq. The record of a
 * request in flight is made when it is asked for.
 */
#include "trace/layer_trail.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/layer_private.h"

#define TEXTS_MAX ((size_t)64 << 10) /* bytes of a record's texts */

struct layer_trail_place {
	uint64_t request;
	uint64_t at; /* bytes written to the ring before it */
};

/* A record: this, n entries, their texts. */
struct trail_record {
	uint64_t request;
	nsec total; /* work that the entries share; NSEC_NEVER: no end */
	uint64_t weight;
	uint32_t n, more; /* entries, and those left out */
	uint32_t bytes;   /* of the record */
};

struct trail_entry {
	uint64_t tag, submit;
	uint64_t before; /* weights of the entries before it */
	int64_t size[3], amount, draws;
	uint32_t labels; /* offset in the record */
	uint8_t type, transfer, stage;
};

static struct trail_entry
make_entry(const struct layer_batch *b, const struct batch_stage *stage)
{
	const struct workload_info *info = &stage->workload->info;
	struct trail_entry s = {
	    .tag = stage->tag,
	    .submit = stage->submit,
	    .before = stage->before,
	    .size = {info->size[0], info->size[1], info->size[2]},
	    .amount = info->amount,
	    .draws = layer_batch_draws(b, stage),
	    .type = (uint8_t)info->type,
	    .transfer = (uint8_t)info->transfer,
	    .stage = stage->stage,
	};

	return s;
}

/* A pass has one entry, for binning and main. */
static bool
has_entry(const struct batch_stage *stage)
{
	return stage->stage != STAGE_MAIN && stage->workload != NULL;
}

static const struct trail_record *
trail_record_in(const struct text *t)
{
	return (const struct trail_record *)(const void *)t->data;
}

static void
add_texts(struct text *out, const struct layer_batch *b)
{
	size_t n = trail_record_in(out)->n, k = 0, first = out->len;
	struct trail_record *r;

	for (size_t i = 0; i < b->n_stages && k < n; i++) {
		const char *labels = text_str(&b->texts) + b->stages[i].labels;
		size_t len = strlen(labels) + 1;
		struct trail_entry *s;

		if (!has_entry(&b->stages[i]))
			continue;
		if (out->len - first + len > TEXTS_MAX) {
			labels = "[]";
			len = sizeof("[]");
		}
		r = (struct trail_record *)(void *)out->data;
		s = (struct trail_entry *)(void *)(r + 1) + k++;
		s->labels = (uint32_t)out->len;
		text_add(out, labels, len);
	}
	while (out->len % 8 != 0)
		text_addc(out, '\0');
	r = (struct trail_record *)(void *)out->data;
	r->bytes = (uint32_t)out->len;
}

/* Makes the record of a batch; false if it executes nothing. */
static bool
make_record(struct text *out, const struct layer_batch *b)
{
	struct trail_record r = {
	    .request = b->rq->seq, .total = b->total, .weight = b->weight};

	text_clear(out);
	for (size_t i = 0; i < b->n_stages; i++)
		r.n += has_entry(&b->stages[i]);
	if (r.n == 0)
		return false;
	if (r.n > LAYER_TRAIL_WORKLOADS)
		r.more = r.n - LAYER_TRAIL_WORKLOADS;
	r.n -= r.more;
	text_add(out, (const char *)&r, sizeof(r));
	for (size_t i = 0, k = 0; i < b->n_stages && k < r.n; i++) {
		struct trail_entry s;

		if (!has_entry(&b->stages[i]))
			continue;
		s = make_entry(b, &b->stages[i]);
		text_add(out, (const char *)&s, sizeof(s));
		k++;
	}
	add_texts(out, b);
	return true;
}

static void
trail_on_done(struct layer_listener *l, const struct layer_batch *b)
{
	struct layer_trail *t = (struct layer_trail *)l;
	struct layer_trail_place *place;
	size_t at;

	t->live = 0;
	if (!make_record(&t->scratch, b))
		return;
	at = (size_t)(t->end % LAYER_TRAIL_BYTES);
	if (at + t->scratch.len > LAYER_TRAIL_BYTES)
		t->end += LAYER_TRAIL_BYTES - at;
	at = (size_t)(t->end % LAYER_TRAIL_BYTES);
	memcpy(t->ring + at, t->scratch.data, t->scratch.len);
	place = &t->places[b->rq->seq % LAYER_TRAIL_REQUESTS];
	place->request = b->rq->seq;
	place->at = t->end;
	t->end += t->scratch.len;
}

void
layer_trail_begin(struct layer_trail *t, struct layer *l)
{
	if (t->ring == NULL) {
		t->ring = mem_calloc(LAYER_TRAIL_BYTES, 1);
		t->places = mem_calloc(
		    LAYER_TRAIL_REQUESTS, sizeof(*t->places));
	}
	t->layer = l;
	t->listener = (struct layer_listener){.done = trail_on_done};
	layer_listen(l, &t->listener);
}

void
layer_trail_end(struct layer_trail *t)
{
	if (t->layer != NULL)
		layer_unlisten(t->layer, &t->listener);
	free(t->ring);
	free(t->places);
	text_free(&t->scratch);
	*t = (struct layer_trail){0};
}

/* NULL: unknown. */
static const struct trail_record *
find_trail_record(struct layer_trail *t, uint64_t request)
{
	const struct layer_trail_place *place;
	const struct layer_batch *b;

	if (t->layer == NULL || request == 0)
		return NULL;
	place = &t->places[request % LAYER_TRAIL_REQUESTS];
	if (place->request == request) {
		if (t->end - place->at > LAYER_TRAIL_BYTES)
			return NULL;
		return (const struct trail_record *)(const void *)(t->ring +
		    place->at % LAYER_TRAIL_BYTES);
	}
	if (t->live == request)
		return trail_record_in(&t->scratch);
	t->live = 0;
	b = layer_batch_find(t->layer, request);
	if (b == NULL || !make_record(&t->scratch, b))
		return NULL;
	/* It is valid until a request ends. */
	t->live = request;
	return trail_record_in(&t->scratch);
}

static const struct trail_entry *
trail_entry_at(const struct trail_record *r, size_t i)
{
	return (const struct trail_entry *)(const void *)(r + 1) + i;
}

/* Returns the weights up to the end of entry i. Entries that were left out have the
 * rest. */
static uint64_t
entry_end(const struct trail_record *r, size_t i)
{
	if (i + 1 < r->n)
		return trail_entry_at(r, i + 1)->before;
	return r->more > 0 ? trail_entry_at(r, i)->before : r->weight;
}

size_t
layer_trail_count(struct layer_trail *t, uint64_t request, uint32_t *more)
{
	const struct trail_record *r = find_trail_record(t, request);

	if (more != NULL)
		*more = r != NULL ? r->more : 0;
	return r != NULL ? r->n : 0;
}

struct trail_workload
layer_trail_workload(struct layer_trail *t, uint64_t request, size_t i)
{
	const struct trail_record *r = find_trail_record(t, request);
	const struct trail_entry *s = trail_entry_at(r, i);
	struct trail_workload p = {
	    .tag = s->tag,
	    .submit = s->submit,
	    .labels = (const char *)r + s->labels,
	    .stage = (enum workload_stage)s->stage,
	    .from = s->before,
	    .to = entry_end(r, i),
	    .of = r->weight > 0 ? r->weight : 1,
	};

	p.info.type = (enum workload_type)s->type;
	p.info.transfer = (enum transfer)s->transfer;
	memcpy(p.info.size, s->size, sizeof(s->size));
	p.info.amount = s->amount;
	p.info.draws = s->draws;
	if (p.info.type == WORKLOAD_RENDERPASS)
		p.info.draws = layer_pass_draws(
		    t->layer, s->tag, s->submit, s->draws);
	return p;
}

/* The weights of the work done. */
static uint64_t
trail_weight_at(const struct trail_record *r, nsec ran)
{
	if (r->total == NSEC_NEVER || r->total == 0)
		return 0;
	if (ran >= r->total)
		return r->weight;
	return (uint64_t)((unsigned __int128)ran * r->weight / r->total);
}

size_t
layer_trail_at(struct layer_trail *t, uint64_t request, nsec ran,
    enum workload_stage *stage)
{
	const struct trail_record *r = find_trail_record(t, request);
	uint64_t at = trail_weight_at(r, ran), begin, end;
	size_t i = 0;

	while (i + 1 < r->n && trail_entry_at(r, i + 1)->before <= at)
		i++;
	begin = trail_entry_at(r, i)->before;
	end = entry_end(r, i);
	*stage = (enum workload_stage)trail_entry_at(r, i)->stage;
	/* A quarter of a pass is binning (layer.h). */
	if (*stage == STAGE_BINNING && (at - begin) * 4 >= end - begin)
		*stage = STAGE_MAIN;
	return i;
}
