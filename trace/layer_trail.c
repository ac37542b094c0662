/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records of requests stand one behind the other in a ring of bytes, the
 * oldest are written over; where the one of a request is says a table by its
 * number.
 */
#include "trace/layer_trail.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "trace/layer_part.h"

/* Of the texts of a record. */
#define TEXTS_MAX ((size_t)64 << 10)

struct layer_trail_place {
	uint64_t request;
	uint64_t at; /* bytes that were written before it */
};

/* A record: this, its workloads, the texts of those. */
struct record {
	uint64_t request;
	nsec total; /* that the workloads share; NSEC_NEVER: each piece alone */
	uint64_t weight;
	uint32_t n, more;
	uint32_t bytes; /* all of it */
};

struct stored {
	uint64_t tag, submit;
	uint64_t before; /* weights of those before it */
	int64_t size[3], amount, draws;
	uint32_t labels; /* from the record on */
	uint8_t type, transfer, part;
};

static struct stored
stored_of(const struct flight *f, const struct batch_part *part)
{
	const struct workload_info *info = &part->workload->info;
	struct stored s = {
	    .tag = part->tag,
	    .submit = part->submit,
	    .before = part->before,
	    .size = {info->size[0], info->size[1], info->size[2]},
	    .amount = info->amount,
	    .draws = flight_draws(f, part),
	    .type = (uint8_t)info->type,
	    .transfer = (uint8_t)info->transfer,
	    .part = part->part,
	};

	return s;
}

/* The main half of a pass is told of with its binning. */
static bool
is_own(const struct batch_part *part)
{
	return part->part != LAYER_MAIN && part->workload != NULL;
}

static const struct record *
record_in(const struct text *t)
{
	return (const struct record *)(const void *)t->data;
}

static void
add_texts(struct text *out, const struct flight *f)
{
	size_t n = record_in(out)->n, k = 0, first = out->len;
	struct record *r;

	for (size_t i = 0; i < f->n_parts && k < n; i++) {
		const char *labels = text_str(&f->texts) + f->parts[i].labels;
		size_t len = strlen(labels) + 1;
		struct stored *s;

		if (!is_own(&f->parts[i]))
			continue;
		if (out->len - first + len > TEXTS_MAX) {
			labels = "[]";
			len = sizeof("[]");
		}
		r = (struct record *)(void *)out->data;
		s = (struct stored *)(void *)(r + 1) + k++;
		s->labels = (uint32_t)out->len;
		text_add(out, labels, len);
	}
	while (out->len % 8 != 0)
		text_addc(out, '\0');
	r = (struct record *)(void *)out->data;
	r->bytes = (uint32_t)out->len;
}

/* False: it executes nothing. */
static bool
make_record(struct text *out, const struct flight *f)
{
	struct record r = {
	    .request = f->rq->seq, .total = f->total, .weight = f->weight};

	text_clear(out);
	for (size_t i = 0; i < f->n_parts; i++)
		r.n += is_own(&f->parts[i]);
	if (r.n == 0)
		return false;
	if (r.n > LAYER_TRAIL_PIECES)
		r.more = r.n - LAYER_TRAIL_PIECES;
	r.n -= r.more;
	text_add(out, (const char *)&r, sizeof(r));
	for (size_t i = 0, k = 0; i < f->n_parts && k < r.n; i++) {
		struct stored s;

		if (!is_own(&f->parts[i]))
			continue;
		s = stored_of(f, &f->parts[i]);
		text_add(out, (const char *)&s, sizeof(s));
		k++;
	}
	add_texts(out, f);
	return true;
}

static void
on_done(struct layer_listener *l, const struct flight *f)
{
	struct layer_trail *t = (struct layer_trail *)l;
	struct layer_trail_place *place;
	size_t at;

	t->live = 0;
	if (!make_record(&t->scratch, f))
		return;
	at = (size_t)(t->end % LAYER_TRAIL_BYTES);
	if (at + t->scratch.len > LAYER_TRAIL_BYTES)
		t->end += LAYER_TRAIL_BYTES - at;
	at = (size_t)(t->end % LAYER_TRAIL_BYTES);
	memcpy(t->ring + at, t->scratch.data, t->scratch.len);
	place = &t->places[f->rq->seq % LAYER_TRAIL_REQUESTS];
	place->request = f->rq->seq;
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
	t->listener = (struct layer_listener){.done = on_done};
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

/* NULL: nothing is known. */
static const struct record *
find(struct layer_trail *t, uint64_t request)
{
	const struct layer_trail_place *place;
	const struct flight *f;

	if (t->layer == NULL || request == 0)
		return NULL;
	place = &t->places[request % LAYER_TRAIL_REQUESTS];
	if (place->request == request) {
		if (t->end - place->at > LAYER_TRAIL_BYTES)
			return NULL;
		return (const struct record *)(const void *)(t->ring +
		    place->at % LAYER_TRAIL_BYTES);
	}
	if (t->live == request)
		return record_in(&t->scratch);
	t->live = 0;
	f = layer_flight(t->layer, request);
	if (f == NULL || !make_record(&t->scratch, f))
		return NULL;
	/* It stays as it is until something ends. */
	t->live = request;
	return record_in(&t->scratch);
}

static const struct stored *
stored_at(const struct record *r, size_t i)
{
	return (const struct stored *)(const void *)(r + 1) + i;
}

/* The weights up to the end of the i-th. What was left out has the rest. */
static uint64_t
end_of(const struct record *r, size_t i)
{
	if (i + 1 < r->n)
		return stored_at(r, i + 1)->before;
	return r->more > 0 ? stored_at(r, i)->before : r->weight;
}

size_t
layer_trail_pieces(struct layer_trail *t, uint64_t request, uint32_t *more)
{
	const struct record *r = find(t, request);

	if (more != NULL)
		*more = r != NULL ? r->more : 0;
	return r != NULL ? r->n : 0;
}

struct layer_piece
layer_trail_piece(struct layer_trail *t, uint64_t request, size_t i)
{
	const struct record *r = find(t, request);
	const struct stored *s = stored_at(r, i);
	struct layer_piece p = {
	    .tag = s->tag,
	    .submit = s->submit,
	    .labels = (const char *)r + s->labels,
	    .part = (enum layer_part)s->part,
	    .from = s->before,
	    .to = end_of(r, i),
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

/* How much of the time has passed, in weights. */
static uint64_t
weight_at(const struct record *r, nsec ran)
{
	if (r->total == NSEC_NEVER || r->total == 0)
		return 0;
	if (ran >= r->total)
		return r->weight;
	return (uint64_t)((unsigned __int128)ran * r->weight / r->total);
}

size_t
layer_trail_at(
    struct layer_trail *t, uint64_t request, nsec ran, enum layer_part *part)
{
	const struct record *r = find(t, request);
	uint64_t at = weight_at(r, ran), begin, end;
	size_t i = 0;

	while (i + 1 < r->n && stored_at(r, i + 1)->before <= at)
		i++;
	begin = stored_at(r, i)->before;
	end = end_of(r, i);
	*part = (enum layer_part)stored_at(r, i)->part;
	/* A quarter is binning (layer.h). */
	if (*part == LAYER_BINNING && (at - begin) * 4 >= end - begin)
		*part = LAYER_MAIN;
	return i;
}
