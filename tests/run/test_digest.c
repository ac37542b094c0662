/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Digests: bins that add up to the totals of the run, however often their length
 * has doubled, and the worst of the run, found among all of it.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "engine/sim.h"
#include "run/digest/digest.h"
#include "run/live/session.h"
#include "tests/runner/test.h"
#include "tests/support/session_lab.h"

static void
expect_engines(const struct digest *d)
{
	const struct sim *sim = d->sim;
	unsigned n = digest_n_bins(d);

	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];
		struct engine_times want = hw_engine_times(e, sim->now);

		for (unsigned use = 0; use < N_USES; use++) {
			nsec sum = 0;

			for (unsigned bin = 0; bin < n; bin++)
				sum += digest_times(d, bin, i)->ns[use];
			assert_int_equal(sum, want.ns[use]);
		}
	}
}

/* No engine spends more time in a bin than there is. */
static void
expect_no_overflow(const struct digest *d)
{
	for (unsigned i = 0; i < d->sim->device.n_engines; i++)
		for (unsigned bin = 0; bin < digest_n_bins(d); bin++) {
			const struct engine_times *t = digest_times(d, bin, i);
			nsec sum = 0;

			for (unsigned use = 0; use < N_USES; use++)
				sum += t->ns[use];
			assert_true(sum <= d->width);
		}
}

static void
expect_times(const struct digest *d)
{
	const struct sim *sim = d->sim;
	struct histogram want = {0}, all = {0};
	uint64_t iterations = 0, missed = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		client_add_times(sim->clients[i], &want);
	for (unsigned bin = 0; bin < digest_n_bins(d); bin++) {
		if (d->bins[bin].times.data != NULL)
			histogram_merge(&all, &d->bins[bin].times);
		iterations += d->bins[bin].iterations;
		missed += d->bins[bin].missed;
	}
	for (enum measure m = 0; m < N_MEASURES; m++) {
		assert_int_equal(histogram_n(&all, m), histogram_n(&want, m));
		assert_true(histogram_sum(&all, m) == histogram_sum(&want, m));
		for (unsigned k = 1; k <= 1000; k += 37)
			assert_int_equal(histogram_percentile(&all, m, k),
			    histogram_percentile(&want, m, k));
	}
	assert_true(iterations >= sim->n_iterations);
	assert_int_equal(missed, sim->n_missed);
	histogram_free(&want);
	histogram_free(&all);
}

TEST(sums)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm:fair", "guc"};
	static const char *const workloads[] = {
	    "P.1.1,1.RCS.9000.0.0,1.RCS.2500.-1.0,d.3000,2.BCS.500.0.0,"
	    "2.RCS.3000.-1.1,d.4000,p.16667",
	    "1.VCS.10-900.0.0,2.VCS.500.-1.0,f,3.RCS.10.f-1.0,d.20,a.-3,s.-3",
	};

	for (size_t i = 0; i < 8; i++) {
		struct session_lab t;

		session_lab_begin(&t, schedulers[i % 4], workloads[i / 4], 0);
		for (nsec until = 7000; until < NSEC_PER_SEC; until *= 3) {
			sim_run(t.session.run.sim, until, 0);
			digest_settle(t.session.digest);
			expect_engines(t.session.digest);
			expect_no_overflow(t.session.digest);
			expect_times(t.session.digest);
			assert_in_range(
			    digest_n_bins(t.session.digest), 1, DIGEST_BINS);
		}
		session_lab_end(&t);
	}
}

/* The slowest batch came long before the trail's oldest record, and is still
 * explained. */
TEST(worst_of_all)
{
	struct session_lab t;
	const struct digest *d;
	const struct digest_worst *w;

	session_lab_begin(&t, "execlists", "1.RCS.1-20.0.1,p.300", 0);
	sim_run(t.session.run.sim, 30 * NSEC_PER_SEC, 0);
	d = t.session.digest;
	digest_settle(t.session.digest);
	assert_int_equal(d->n_worst[DIGEST_SLOWEST], DIGEST_WORST);
	w = d->worst[DIGEST_SLOWEST];
	assert_true(
	    t.session.trail->last_request > 2 * (uint64_t)TRAIL_DEFAULT_SIZE);
	assert_true(
	    w[0].id < t.session.trail->last_request - TRAIL_DEFAULT_SIZE);
	for (unsigned i = 0; i < DIGEST_WORST; i++) {
		assert_true(i == 0 || w[i].cost <= w[i - 1].cost);
		assert_int_equal(w[i].to - w[i].from, w[i].cost);
		assert_true(w[i].why.n > 1);
		assert_int_equal(w[i].why.rows[0].ns, w[i].cost);
	}
	assert_true(d->picture.from <= w[0].from && d->picture.to >= w[0].to);
	session_lab_end(&t);
}

/* Many short batches in the worst stretch are joined. */
TEST(picture_of_many)
{
	struct text workload = {0};
	struct session_lab t;

	for (int i = 0; i < 6000; i++)
		text_addf(&workload, "%d.%s.%d.0.0,", i % 3 + 1,
		    i % 2 ? "RCS" : "VCS", i % 7 + 1);
	text_adds(&workload, "1.RCS.10.0.1,2.VCS.10.-1.1,p.1000");
	session_lab_begin(&t, "fifo", text_str(&workload), 0);
	sim_run(t.session.run.sim, NSEC_PER_SEC, 0);
	digest_settle(t.session.digest);
	assert_true(t.session.digest->n_worst[DIGEST_MISSES] > 0);
	assert_in_range(t.session.digest->picture.n, 2, DIGEST_BLOCKS);
	session_lab_end(&t);
	text_free(&workload);
}
