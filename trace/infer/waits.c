/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Waits of a client of which only those that took time were recorded, as in a
 * trace: what an iteration waits for is what any of them waited for, if it had ended
 * by then in the others (doc/model/infer.md "Waits of traces").
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/infer_private.h"

/* Waits before one batch. */
#define MAX_WAITS 8
/* Waits of one request that are looked at. */
#define MAX_RAW 16

/* A wait that all iterations have before a position. */
struct usual_wait {
	uint32_t distance, n_hits;
	nsec sleep; /* before it, in most iterations */
};

struct waits {
	struct found *f;
	struct infer_sequence *s;
	struct infer_told *told; /* as it will be */
	uint32_t n_told;
	size_t cap;
	struct usual_wait usual[MAX_WAITS];
	uint32_t n_usual;
	nsec *sleeps;
};

uint32_t
infer_first_raw(const struct infer_sequence *s, uint32_t index)
{
	uint32_t low = 0, high = s->n_raw;

	while (low < high) {
		uint32_t middle = low + (high - low) / 2;

		if (s->raw[middle].index < index)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

/* The wait before a request for the one at that distance; NULL: none took time. */
static const struct infer_told *
find_raw(const struct infer_sequence *s, uint32_t index, uint32_t distance)
{
	uint32_t first = infer_first_raw(s, index);

	for (uint32_t i = first;
	     i < s->n_raw && s->raw[i].index == index && i - first < MAX_RAW;
	     i++)
		if (s->raw[i].kind == INFER_WAIT &&
		    index - s->raw[i].target == distance)
			return &s->raw[i];
	return NULL;
}

/* The batch of an iteration at a position; INFER_NONE: that before which there is no
 * iteration. */
static uint32_t
request_at(const struct found *f, uint32_t which, uint32_t position)
{
	if (position == 0 && infer_is_after_gap(f, which))
		return INFER_NONE;
	return f->begins[which] + position;
}

static void
count_wait(struct waits *w, uint32_t distance)
{
	uint32_t i = 0;

	while (i < w->n_usual && w->usual[i].distance != distance)
		i++;
	if (i == MAX_WAITS)
		return;
	if (i == w->n_usual)
		w->usual[w->n_usual++] = (struct usual_wait){distance, 0, 0};
	w->usual[i].n_hits++;
}

/* True if the requests at that distance had ended before the batches, in nearly all
 * iterations. */
static bool
ended_before(const struct found *f, uint32_t position, uint32_t distance)
{
	const struct infer_sequence *s = f->s;
	uint32_t n = 0, n_late = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		uint32_t at = request_at(f, i, position);
		const struct seen *target;

		if (at == INFER_NONE || at < distance)
			continue;
		target = &s->seen[at - distance];
		n++;
		n_late += target->unfinished ||
		    target->end > s->seen[at].queued + s->near_ns;
	}
	return (double)n_late <= (double)n * (1 - infer_thresholds.holds);
}

/* True if the batch at that distance reads the data of another one that is waited
 * for: a wait for that one is for both. */
static bool
is_reader(const struct waits *w, uint32_t position, uint32_t distance)
{
	const struct found *f = w->f;
	const struct found_batch *b =
	    &f->batches[(position + f->length - distance % f->length) %
		f->length];

	for (uint32_t i = 0; i < b->n_deps; i++)
		for (uint32_t k = 0; k < w->n_usual; k++)
			if (b->deps[i].kind == INFER_DATA &&
			    w->usual[k].distance ==
				distance + b->deps[i].distance)
				return true;
	return false;
}

/* True if a is before b, where an iteration has both; else the older batch is waited
 * for first. */
static bool
is_waited_first(
    const struct waits *w, uint32_t position, uint32_t a, uint32_t b)
{
	int32_t votes = 0;

	for (uint32_t i = 0; i < w->f->n_sampled; i++) {
		uint32_t at = request_at(w->f, w->f->sampled[i], position);
		const struct infer_told *x, *y;

		if (at == INFER_NONE)
			continue;
		x = find_raw(w->s, at, a);
		y = find_raw(w->s, at, b);
		if (x != NULL && y != NULL)
			votes += x < y ? 1 : -1;
	}
	return votes != 0 ? votes > 0 : a > b;
}

static void
order_waits(struct waits *w, uint32_t position)
{
	for (uint32_t i = 1; i < w->n_usual; i++) {
		struct usual_wait moved = w->usual[i];
		uint32_t k = i;

		for (; k > 0 &&
		     is_waited_first(
			 w, position, moved.distance, w->usual[k - 1].distance);
		     k--)
			w->usual[k] = w->usual[k - 1];
		w->usual[k] = moved;
	}
}

/* Finds the waits before a position. */
static void
find_usual(struct waits *w, uint32_t position)
{
	const struct found *f = w->f;
	uint32_t kept = 0, n = 0;

	w->n_usual = 0;
	for (uint32_t i = 0; i < f->n_begins; i++) {
		uint32_t at = request_at(f, i, position), first;

		if (at == INFER_NONE)
			continue;
		n++;
		first = infer_first_raw(w->s, at);
		for (uint32_t k = first; k < w->s->n_raw &&
		     w->s->raw[k].index == at && k - first < MAX_RAW;
		     k++)
			if (w->s->raw[k].kind == INFER_WAIT)
				count_wait(w, at - w->s->raw[k].target);
	}
	for (uint32_t i = 0; i < w->n_usual; i++)
		if ((double)w->usual[i].n_hits >=
			(double)n * infer_thresholds.noticed &&
		    ended_before(f, position, w->usual[i].distance))
			w->usual[kept++] = w->usual[i];
	w->n_usual = kept;
	kept = 0;
	for (uint32_t i = 0; i < w->n_usual; i++)
		if (!is_reader(w, position, w->usual[i].distance))
			w->usual[kept++] = w->usual[i];
	w->n_usual = kept;
	order_waits(w, position);
}

/* Finds how long the client sleeps before each wait, where it had to wait. */
static void
find_sleeps(struct waits *w, uint32_t position)
{
	const struct found *f = w->f;

	for (uint32_t k = 0; k < w->n_usual; k++) {
		uint32_t n = 0;

		for (uint32_t i = 0; i < f->n_begins; i++) {
			uint32_t at = request_at(f, i, position);
			const struct infer_told *told, *before = NULL;
			nsec from;

			if (at == INFER_NONE || at == 0)
				continue;
			told = find_raw(w->s, at, w->usual[k].distance);
			if (k > 0)
				before = find_raw(
				    w->s, at, w->usual[k - 1].distance);
			if (told == NULL || (k > 0 && before == NULL))
				continue;
			from = k > 0 ? before->to : w->s->seen[at - 1].queued;
			w->sleeps[n++] = told->from > from ? told->from - from
							   : 0;
		}
		infer_sort(w->sleeps, n);
		w->usual[k].sleep = n > 0 ? infer_quantile(w->sleeps, n, 0.5)
					  : 0;
	}
}

static void
add_told(struct waits *w, struct infer_told told)
{
	w->told = mem_grow(w->told, w->n_told, &w->cap, sizeof(*w->told));
	told.act = w->n_told; /* by which equals are sorted */
	w->told[w->n_told++] = told;
}

static void
keep_raw(struct waits *w, uint32_t first, uint32_t end)
{
	for (uint32_t i = infer_first_raw(w->s, first);
	     i < w->s->n_raw && w->s->raw[i].index < end; i++)
		add_told(w, w->s->raw[i]);
}

/* Adds the waits before a request: those that took none are where they would have
 * been, after the sleep that precedes them. */
static void
add_usual(struct waits *w, uint32_t at)
{
	const struct infer_sequence *s = w->s;
	nsec from = at > 0 ? s->seen[at - 1].queued : 0;

	for (uint32_t k = 0; k < w->n_usual; k++) {
		uint32_t distance = w->usual[k].distance;
		const struct infer_told *told = find_raw(s, at, distance);
		nsec until = s->seen[at].queued;

		if (distance > at)
			continue;
		if (told != NULL) {
			add_told(w, *told);
			from = nsec_later(from, told->to);
			continue;
		}
		for (uint32_t i = k + 1; i < w->n_usual; i++) {
			told = find_raw(s, at, w->usual[i].distance);
			if (told != NULL)
				until = nsec_earlier(until, told->from);
		}
		from = nsec_earlier(nsec_after(from, w->usual[k].sleep),
		    nsec_later(from, until));
		add_told(w,
		    (struct infer_told){.index = at,
			.target = at - distance,
			.kind = INFER_WAIT,
			.from = from,
			.to = from});
	}
}

static int
compare_filled(const void *a, const void *b)
{
	const struct infer_told *x = a, *y = b;

	if (x->index != y->index)
		return x->index < y->index ? -1 : 1;
	return x->act < y->act ? -1 : x->act > y->act;
}

/* The places of requests that are in no iteration, or behind a gap. */
static void
keep_others(struct waits *w)
{
	const struct found *f = w->f;
	uint32_t end = 0;

	for (uint32_t i = 0; i < f->n_begins; i++) {
		bool gap = infer_is_after_gap(f, i);

		keep_raw(w, end, f->begins[i] + gap);
		end = f->begins[i] + f->length;
	}
	keep_raw(w, end, INFER_NONE);
}

void
infer_fill_waits(struct found *f)
{
	struct waits w = {
	    .f = f, .s = (struct infer_sequence *)(uintptr_t)f->s};

	if (!f->book->input->is_trace || w.s->n_raw == 0)
		return;
	w.sleeps = mem_calloc(f->n_begins + 1u, sizeof(*w.sleeps));
	keep_others(&w);
	for (uint32_t p = 0; p < f->length; p++) {
		find_usual(&w, p);
		find_sleeps(&w, p);
		for (uint32_t i = 0; i < f->n_begins; i++) {
			uint32_t at = request_at(f, i, p);

			if (at != INFER_NONE)
				add_usual(&w, at);
		}
	}
	free(w.sleeps);
	free(w.s->told);
	w.s->told = w.told;
	w.s->n_told = w.n_told;
	if (w.n_told > 0)
		qsort(w.told, w.n_told, sizeof(*w.told), compare_filled);
}
