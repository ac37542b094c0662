/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps the bins of a digest. The times of engines are the trail's totals at the
 * ends of bins, so that their sums over all bins are those of the run. */
#include "run/digest/digest.h"

#include "base/region.h"
#include "base/util.h"
#include "engine/explain/trail.h"
#include "engine/sim.h"
#include "run/plan.h"

#define SMOOTH_BINS    48 /* that are left in any case */
#define SMOOTH_BATCHES 12 /* in a bin */

static struct digest *
digest_of(struct observer *o)
{
	return container_of(o, struct digest, observer);
}

static unsigned
n_engines_of(const struct digest *d)
{
	return d->sim->device.n_engines;
}

static struct engine_times *
times_at(const struct digest *d, unsigned bin, unsigned engine)
{
	return &d->times[bin * n_engines_of(d) + engine];
}

static void
add_used(struct engine_times *to, const struct engine_times *times)
{
	for (unsigned use = 0; use < N_USES; use++)
		to->ns[use] += times->ns[use];
}

/* Adds what the engines did up to then, which is not past the current bin. */
static void
count_engines(struct digest *d, nsec then)
{
	for (unsigned i = 0; i < n_engines_of(d); i++) {
		struct engine_times used = trail_used(d->trail, i, then);
		struct engine_times more = used;

		for (unsigned use = 0; use < N_USES; use++)
			more.ns[use] -= d->used[i].ns[use];
		add_used(times_at(d, d->n, i), &more);
		d->used[i] = used;
	}
}

static void
join_bins(struct digest_bin *to, struct digest_bin *from)
{
	to->iterations += from->iterations;
	to->missed += from->missed;
	if (from->times.data != NULL)
		histogram_merge(&to->times, &from->times);
	histogram_free(&from->times);
	*from = (struct digest_bin){.times.region = from->times.region};
}

static void
move_bin(struct digest *d, unsigned to, unsigned from)
{
	struct digest_bin empty = {.times.region = d->sim->region};

	if (to == from)
		return;
	d->bins[to] = d->bins[from];
	d->bins[from] = empty;
	for (unsigned i = 0; i < n_engines_of(d); i++) {
		*times_at(d, to, i) = *times_at(d, from, i);
		*times_at(d, from, i) = (struct engine_times){{0}};
	}
}

/* Makes one bin of two. Bins that have not begun are empty. */
static void
double_width(struct digest *d)
{
	for (unsigned n = 0; n < DIGEST_BINS / 2; n++) {
		unsigned a = 2 * n, b = 2 * n + 1;

		join_bins(&d->bins[a], &d->bins[b]);
		for (unsigned i = 0; i < n_engines_of(d); i++) {
			add_used(times_at(d, a, i), times_at(d, b, i));
			*times_at(d, b, i) = (struct engine_times){{0}};
		}
		move_bin(d, n, a);
	}
	d->width *= 2;
	d->n /= 2;
	d->next = (d->n + 1) * d->width;
}

/* Ends the bins that are over at that time. */
static void
end_bins(struct digest *d, nsec now)
{
	while (now / d->width >= DIGEST_BINS)
		double_width(d);
	while (d->next <= now) {
		count_engines(d, d->next);
		d->n++;
		d->next += d->width;
	}
}

static inline struct digest_bin *
current_bin(struct digest *d)
{
	if (d->sim->now >= d->next)
		end_bins(d, d->sim->now);
	return &d->bins[d->n];
}

static void
digest_submitted(struct observer *o, struct request *rq)
{
	struct digest *d = digest_of(o);

	current_bin(d);
	if (rq->seq - d->seen_requests >= TRAIL_DEFAULT_SIZE / 4)
		digest_look(d);
}

static void
digest_ended(struct observer *o, struct request *rq)
{
	struct digest *d = digest_of(o);
	struct histogram *times = &current_bin(d)->times;

	histogram_add(times, LATENCY, d->sim->now - rq->submit_ns);
	if (rq->scheduled.error == 0)
		histogram_add(
		    times, QUEUE_WAIT, rq->scheduled.time - rq->queued.time);
	if (!rq->client->background)
		digest_batch_ended(d, rq);
}

static void
digest_missed(struct observer *o, struct client *c, nsec due)
{
	struct digest *d = digest_of(o);

	(void)c;
	(void)due;
	current_bin(d)->missed++;
	if (d->trail->n_misses - d->seen_misses >= TRAIL_MISSES / 2)
		digest_look(d);
}

static void
digest_iterated(struct observer *o, struct client *c)
{
	(void)c;
	current_bin(digest_of(o))->iterations++;
}

struct digest *
digest_begin(const struct run *run)
{
	struct sim *sim = run->sim;
	struct digest *d = region_alloc(sim->region, 1, sizeof *d);
	unsigned n = sim->device.n_engines;

	d->sim = sim;
	d->run = run;
	d->width = d->next = DIGEST_FIRST_BIN;
	d->times = region_alloc(
	    sim->region, (size_t)n * DIGEST_BINS, sizeof *d->times);
	d->used = region_alloc(sim->region, n, sizeof *d->used);
	for (unsigned i = 0; i < DIGEST_BINS; i++)
		d->bins[i].times.region = sim->region;
	d->observer = (struct observer){
	    .submitted = digest_submitted,
	    .ended = digest_ended,
	    .missed = digest_missed,
	    .iterated = digest_iterated,
	};
	sim_add_observer(sim, &d->observer);
	return d;
}

void
digest_follow(struct digest *d, const struct trail *trail)
{
	d->trail = trail;
}

void
digest_end(struct digest *d)
{
	if (d == NULL)
		return;
	sim_remove_observer(d->sim, &d->observer);
	for (unsigned i = 0; i < DIGEST_BINS; i++)
		histogram_free(&d->bins[i].times);
	region_put(d->times);
	region_put(d->used);
	region_put(d);
}

/* Makes bins longer that have few batches each: their number would say more of where
 * bins begin than of the run. */
static void
smooth_bins(struct digest *d)
{
	while (digest_n_bins(d) > SMOOTH_BINS &&
	    d->sim->n_ended_requests < SMOOTH_BATCHES * digest_n_bins(d))
		double_width(d);
}

void
digest_settle(struct digest *d)
{
	current_bin(d);
	count_engines(d, d->sim->now);
	smooth_bins(d);
	digest_look(d);
}

unsigned
digest_n_bins(const struct digest *d)
{
	return d->n + (d->sim->now > d->n * d->width);
}

const struct engine_times *
digest_times(const struct digest *d, unsigned bin, unsigned engine)
{
	return times_at(d, bin, engine);
}
