/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Dependencies of the batches of an iteration (doc/model/infer.md
 * "Dependencies"): those that the records name, else those that the times
 * show; and where the iteration begins so that they can be written.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "trace/infer/infer_private.h"

static const struct infer_request *
recorded_request(const struct found *f, uint32_t index)
{
	return &f->book->input->requests[f->s->seen[index].record];
}

static bool
has_dep(const struct found_batch *b, uint32_t distance, uint8_t kind)
{
	for (uint32_t i = 0; i < b->n_deps; i++)
		if (b->deps[i].distance == distance && b->deps[i].kind == kind)
			return true;
	return false;
}

static void
note_dep(struct found_batch *b, struct found_dep dep)
{
	for (uint32_t i = 0; i < b->n_deps; i++) {
		if (b->deps[i].distance == dep.distance &&
		    b->deps[i].kind == dep.kind) {
			b->deps[i].n_hits++;
			b->deps[i].guessed &= dep.guessed;
			return;
		}
	}
	if (b->n_deps < MAX_FOUND_DEPS)
		b->deps[b->n_deps++] = dep;
}

/* Notes a recorded dependency, if it is one on an earlier request or fence of
 * the client. */
static void
note_recorded_dep(struct found *f, uint32_t position, uint32_t index,
    const struct infer_dep *dep)
{
	const struct infer_book *book = f->book;
	struct found_dep found = {.kind = dep->kind,
	    .guessed = dep->guessed,
	    .n_hits = 1,
	    .n_of = f->n_sampled};
	uint32_t on;

	if (dep->kind == INFER_SIGNAL) {
		found.distance = infer_fence_distance(f, index, dep->request);
		if (found.distance > 0)
			note_dep(&f->batches[position], found);
		return;
	}
	if (dep->kind > INFER_SIGNAL || dep->request >= book->input->n_requests)
		return;
	on = book->place[dep->request];
	if (on == INFER_NONE)
		return;
	if (&book->sequences[book->sequence[dep->request]] != f->s) {
		f->batches[position].n_foreign++;
		return;
	}
	if (on >= index)
		return;
	found.distance = index - on;
	note_dep(&f->batches[position], found);
}

static void
note_recorded_deps(struct found *f, uint32_t position, uint32_t index)
{
	const struct infer_input *input = f->book->input;
	const struct infer_request *r = recorded_request(f, index);

	for (uint32_t i = 0; i < r->n_deps && i < MAX_FOUND_DEPS; i++) {
		size_t at = (size_t)r->first_dep + i;

		if (at < input->n_deps)
			note_recorded_dep(f, position, index, &input->deps[at]);
	}
}

/* True if a request of the client has that recorded dependency. */
static bool
has_recorded_dep(const struct found *f, uint32_t index, uint32_t on)
{
	const struct infer_input *input = f->book->input;
	const struct infer_request *r = recorded_request(f, index);

	for (uint32_t i = 0; i < r->n_deps && i < MAX_FOUND_DEPS; i++) {
		size_t at = (size_t)r->first_dep + i;

		if (at < input->n_deps &&
		    input->deps[at].kind != INFER_SIGNAL &&
		    input->deps[at].request == f->s->seen[on].record)
			return true;
	}
	return false;
}

static bool
is_over_at(const struct infer_sequence *s, uint32_t index, nsec at)
{
	return !s->seen[index].unfinished && s->seen[index].end <= at;
}

/* True if the batches that lack a dependency did not need it, but for a few: it had
 * ended, so a trace does not have it. */
static bool
may_be_missing(
    const struct found *f, uint32_t position, const struct found_dep *dep)
{
	uint32_t n_needed = 0;

	if (!f->book->input->is_trace || dep->kind == INFER_SIGNAL ||
	    dep->n_hits < 2 ||
	    (double)dep->n_hits < (double)dep->n_of * infer_thresholds.noticed)
		return false;
	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + position;

		n_needed += at >= dep->distance &&
		    !is_over_at(
			f->s, at - dep->distance, f->s->seen[at].queued) &&
		    !has_recorded_dep(f, at, at - dep->distance);
	}
	return (double)n_needed <=
	    (double)f->n_sampled * (1 - infer_thresholds.holds);
}

/* Keeps those that most iterations have, or all that need them. */
static void
keep_usual_deps(const struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];
	uint32_t kept = 0;

	for (uint32_t i = 0; i < b->n_deps; i++)
		if ((double)b->deps[i].n_hits >
			(double)b->deps[i].n_of * infer_thresholds.majority ||
		    may_be_missing(f, position, &b->deps[i]))
			b->deps[kept++] = b->deps[i];
	b->n_deps = kept;
}

/*
 * A trace does not tell data from fences. A writer waits for the readers of its data:
 * true if the batch at that distance, an iteration later, mostly did not depend on
 * its reader, which had not ended.
 */
static bool
lacks_readers(const struct found *f, uint32_t position, uint32_t distance)
{
	const struct infer_sequence *s = f->s;
	uint32_t n = 0, n_free = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t reader = f->begins[f->sampled[i]] + position;
		uint32_t next = reader - distance + f->length;

		if (next >= s->n || next <= reader ||
		    s->seen[next].timeline == s->seen[reader].timeline ||
		    s->seen[next].timeline !=
			s->seen[reader - distance].timeline ||
		    is_over_at(s, reader, s->seen[next].queued))
			continue;
		n++;
		n_free += !has_recorded_dep(f, next, reader);
	}
	return n_free > n / 2;
}

/* A client that waits for a batch waits for the readers of its data too: true if, in
 * most iterations in which that shows, it went on while the reader had not ended. */
static bool
is_not_waited_for(const struct found *f, uint32_t position, uint32_t distance)
{
	const struct infer_sequence *s = f->s;
	uint32_t n = 0, n_early = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t reader = f->begins[f->sampled[i]] + position;

		for (uint32_t k = infer_first_raw(s, reader + 1);
		     k < s->n_raw && s->raw[k].index <= reader + f->length;
		     k++) {
			if (s->raw[k].kind != INFER_WAIT ||
			    s->raw[k].target != reader - distance)
				continue;
			n++;
			n_early += !is_over_at(s, reader, s->raw[k].to);
		}
	}
	return n_early > n / 2;
}

/* Waits for a batch that are looked at come before this many requests after the reader
 * of its data. */
#define MAX_WAIT_REACH 256

/* How waits for a batch went while the reader of its data ran. */
struct reader_waits {
	uint32_t n, n_early; /* over before the reader was */
	uint32_t n_with;     /* blocked until it was */
};

static void
count_reader_waits(const struct infer_sequence *s, uint32_t reader,
    uint32_t target, uint32_t reach, struct reader_waits *w)
{
	for (uint32_t k = infer_first_told(s, reader + 1);
	     k < s->n_told && s->told[k].index <= reader + reach; k++) {
		const struct infer_told *t = &s->told[k];

		if (t->kind != INFER_WAIT || t->target != target)
			continue;
		w->n++;
		if (!is_over_at(s, reader, t->to))
			w->n_early++;
		else if (!is_over_at(s, reader, t->from) &&
		    s->seen[target].end < s->seen[reader].end)
			w->n_with++;
	}
}

/* True if the client has waited for the batch at that distance, and gone on while the
 * reader, the batch of that position, had not ended: as it does that waits for another
 * object of the batch, or for a fence. */
static bool
is_waited_for_alone(const struct found *f, uint32_t position, uint32_t distance)
{
	struct reader_waits w = {0};
	uint32_t reach = f->length < MAX_WAIT_REACH ? f->length
						    : MAX_WAIT_REACH;

	for (uint32_t i = 0; f->s->n_told > 0 && i < f->n_sampled; i++) {
		uint32_t reader = f->begins[f->sampled[i]] + position;

		count_reader_waits(f->s, reader, reader - distance, reach, &w);
	}
	return w.n_early > w.n_with &&
	    (double)w.n_early > (double)w.n * (1 - infer_thresholds.holds);
}

static void
tell_fences(const struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];

	for (uint32_t i = 0; i < b->n_deps; i++)
		if (b->deps[i].kind == INFER_DATA && !b->deps[i].timed &&
		    b->deps[i].distance <= position &&
		    (lacks_readers(f, position, b->deps[i].distance) ||
			is_not_waited_for(f, position, b->deps[i].distance)))
			b->deps[i].kind = INFER_FENCE;
}

/* Finds the readers of data for which waits for the writer are not. */
static void
tell_other_objects(const struct found *f, uint32_t position)
{
	struct found_batch *b = &f->batches[position];

	for (uint32_t i = 0; i < b->n_deps; i++)
		b->deps[i].apart = b->deps[i].kind == INFER_DATA &&
		    b->deps[i].distance <= position &&
		    is_waited_for_alone(f, position, b->deps[i].distance);
}

/* Fills samples with the times at which batches of a position became ready.
 * Samples that only their timeline, or nothing, held up are closed. */
static uint32_t
list_ready(const struct found *f, uint32_t position, struct sample *samples)
{
	const struct infer_sequence *s = f->s;
	uint32_t n = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t at = f->begins[f->sampled[i]] + position;
		const struct seen *seen = &s->seen[at], *before = NULL;
		struct sample sample = {at, seen->ready, seen->queued, true};

		if (seen->ready == NSEC_NEVER)
			continue;
		if (s->before[at] != INFER_NONE)
			before = &s->seen[s->before[at]];
		if (seen->ready <= seen->queued + s->near_ns ||
		    (before != NULL &&
			(before->end == seen->ready ||
			    before->ready == seen->ready)))
			sample.open = false;
		samples[n++] = sample;
	}
	return n;
}

static bool
is_on_virtual(const struct infer_sequence *s, uint32_t index)
{
	return s->timelines[s->seen[index].timeline].is_virtual;
}

/* The order of an engine and of a timeline need no dependency; that of a virtual
 * engine is no engine's. */
static bool
may_be_awaited(const struct infer_sequence *s, uint32_t index, uint32_t target)
{
	return s->before[index] != target &&
	    (s->seen[index].engine != s->seen[target].engine ||
		is_on_virtual(s, index) || is_on_virtual(s, target));
}

/*
 * A reader holds the next writer of its data up: true if the batch at that
 * distance, an iteration later, was ready while its reader was not over.
 */
static bool
shows_no_reader(const struct found *f, uint32_t position, uint32_t distance)
{
	const struct infer_sequence *s = f->s;
	uint32_t n_early = 0, n = 0;

	for (uint32_t i = 0; i < f->n_sampled; i++) {
		uint32_t reader = f->begins[f->sampled[i]] + position;
		uint32_t next = reader - distance + f->length;
		nsec end = s->seen[reader].end;

		if (next >= s->n || s->seen[next].ready == NSEC_NEVER ||
		    s->seen[next].engine == s->seen[reader].engine)
			continue;
		n++;
		n_early += s->seen[next].ready + s->near_ns < end;
	}
	return n_early > 1 &&
	    (double)n_early > (double)n * (1 - infer_thresholds.explained);
}

static void
find_timed_deps(
    struct found *f, uint32_t position, struct voter *v, struct sample *samples)
{
	struct found_batch *b = &f->batches[position];
	uint32_t n = list_ready(f, position, samples);
	uint32_t blocked = infer_count_open(samples, n);

	v->position = position;
	while (b->n_deps < MAX_FOUND_DEPS && infer_count_open(samples, n) > 0) {
		uint32_t distance = infer_find_cause(
		    v, samples, n, may_be_awaited);
		uint32_t hits = distance == 0
		    ? 0
		    : infer_close_samples(v, samples, n, distance);

		if (hits < 2 ||
		    (double)hits < (double)n * infer_thresholds.noticed)
			return;
		b->deps[b->n_deps++] = (struct found_dep){.distance = distance,
		    .kind = shows_no_reader(f, position, distance) ? INFER_FENCE
								   : INFER_DATA,
		    .timed = true,
		    .n_hits = hits,
		    .n_of = blocked};
	}
}

/*
 * A batch that waits for one that comes after it in the iteration is the writer
 * of data which that one reads: it must wait until the reader of the iteration
 * before has ended. Such a dependency is turned around.
 */
static void
turn_crossing_deps(struct found *f)
{
	uint32_t n = f->length;

	for (uint32_t p = 0; p < n; p++) {
		struct found_batch *b = &f->batches[p], *reader;
		uint32_t kept = 0;

		for (uint32_t i = 0; i < b->n_deps; i++) {
			struct found_dep dep = b->deps[i];

			if (!dep.timed || dep.distance <= p) {
				b->deps[kept++] = dep;
				continue;
			}
			if (dep.distance >= n)
				continue;
			reader = &f->batches[p + n - dep.distance];
			dep.distance = n - dep.distance;
			dep.kind = INFER_DATA;
			if (!has_dep(reader, dep.distance, INFER_DATA) &&
			    reader->n_deps < MAX_FOUND_DEPS)
				reader->deps[reader->n_deps++] = dep;
		}
		b->n_deps = kept;
	}
}

void
infer_find_deps(struct found *f)
{
	struct sample *samples = mem_calloc(f->n_sampled, sizeof(*samples));
	struct voter v;

	voter_init(&v, f, false);
	for (uint32_t p = 0; p < f->length; p++) {
		f->batches[p].n_deps = f->batches[p].n_foreign = 0;
		for (uint32_t i = 0; i < f->n_sampled; i++)
			note_recorded_deps(f, p, f->begins[f->sampled[i]] + p);
		keep_usual_deps(f, p);
		if (f->book->input->is_trace)
			tell_fences(f, p);
		else
			tell_other_objects(f, p);
		if (f->batches[p].n_deps == 0 &&
		    !f->book->input->deps_are_complete && f->n_sampled > 1)
			find_timed_deps(f, p, &v, samples);
	}
	turn_crossing_deps(f);
	voter_free(&v);
	free(samples);
}

bool
infer_fences_cross(const struct found *f)
{
	for (uint32_t p = 0; p < f->length; p++) {
		const struct found_batch *b = &f->batches[p];

		for (uint32_t i = 0; i < b->n_deps; i++)
			if (b->deps[i].distance > p &&
			    (b->deps[i].kind == INFER_FENCE ||
				b->deps[i].kind == INFER_SUBMIT))
				return true;
	}
	return false;
}

/* True if objects imply the dependency: of a batch on itself, or on the readers
 * of its data, an iteration ago. */
bool
infer_is_implied(const struct found *f, uint32_t position, uint32_t distance)
{
	uint32_t n = f->length;
	uint32_t target = (position + n - distance % n) % n;

	return distance == n ||
	    (distance < n &&
		has_dep(&f->batches[target], n - distance, INFER_DATA));
}

uint32_t
infer_best_start(const struct found *f, uint32_t preferred)
{
	uint32_t n = f->length;
	int64_t *change = mem_calloc(n + 1u, sizeof(*change));
	int64_t crossing = 0, least = INT64_MAX;
	uint32_t best = 0;

	/* A dependency crosses starts after its target, up to its batch. */
	for (uint32_t p = 0; p < n; p++) {
		const struct found_batch *b = &f->batches[p];

		for (uint32_t i = 0; i < b->n_deps; i++) {
			uint32_t d = b->deps[i].distance;

			if (b->deps[i].kind == INFER_SIGNAL || d >= n ||
			    infer_is_implied(f, p, d))
				continue;
			change[d <= p ? p - d + 1 : p + n - d + 1]++;
			change[p + 1]--;
			crossing += d > p;
		}
	}
	for (uint32_t start = 0; start < n; start++) {
		crossing += change[start];
		if (crossing < least ||
		    (crossing == least && start == preferred)) {
			least = crossing;
			best = start;
		}
	}
	free(change);
	return best;
}

static uint32_t
target_of(const struct found *f, uint32_t position, const struct found_dep *dep)
{
	return (position + f->length - dep->distance % f->length) % f->length;
}

void
infer_list_readers(struct found *f)
{
	uint32_t n = f->length, *next;

	free(f->first_reader);
	free(f->readers);
	f->first_reader = mem_calloc(n + 1u, sizeof(*f->first_reader));
	f->readers = mem_calloc(
	    (size_t)n * MAX_FOUND_DEPS, sizeof(*f->readers));
	next = mem_calloc(n, sizeof(*next));
	for (uint32_t pass = 0; pass < 2; pass++) {
		for (uint32_t p = 0; p < n; p++) {
			const struct found_batch *b = &f->batches[p];

			for (uint32_t i = 0; i < b->n_deps; i++) {
				uint32_t to = target_of(f, p, &b->deps[i]);

				if (b->deps[i].kind != INFER_DATA ||
				    b->deps[i].apart || b->deps[i].distance > p)
					continue;
				if (pass == 0)
					f->first_reader[to + 1]++;
				else
					f->readers[next[to]++] =
					    b->deps[i].distance;
			}
		}
		for (uint32_t p = 0; pass == 0 && p < n; p++) {
			f->first_reader[p + 1] += f->first_reader[p];
			next[p] = f->first_reader[p];
		}
	}
	free(next);
}
