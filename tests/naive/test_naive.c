/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The submission engine on `ideal` against the naive model: random
 * descriptors, compared request by request and figure by figure.
 *
 *   NAIVE_SCHED=X  this scheduler only
 *   NAIVE_COUNT=N  N cases of each (else as below)
 *   NAIVE_SEED=N   the first one's seed (1); the others follow
 *   NAIVE_ROWS=1   shows all requests when some differ
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/naive/match.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"

static struct document *
parse(struct match *m, const char *name, const struct text *text)
{
	struct document *doc = document_parse(
	    name, text_str(text), text->len, SOURCE_FILE);
	const struct diag_list *diags = document_diagnostics(doc);

	for (size_t i = 0; i < diags->n; i++) {
		if (diags->list[i].severity == DIAG_ERROR)
			document_explain(doc, &diags->list[i], &m->what);
	}
	return doc;
}

static void
match_free(struct match *m)
{
	for (unsigned i = 0; i < m->g.n_workloads; i++)
		naive_workload_clear(&m->config.workloads[i]);
	naive_result_clear(&m->naive);
	if (m->sim != NULL)
		sim_free(m->sim);
	for (unsigned i = 0; i < m->g.n_workloads; i++) {
		if (m->programs[i] != NULL)
			program_free(m->programs[i]);
		document_free(m->docs[i]);
	}
	document_free(m->append);
	free(m->rows);
	free(m->requests);
	naive_generated_clear(&m->g);
	text_free(&m->what);
}

struct tally {
	uint64_t rows, preemptions, deadlocks, gave_up, differ, hung;
};

/* Plays a case on both models; m->what says where they differ. */
static void
play(struct match *m, enum naive_scheduler scheduler, uint64_t seed,
    struct tally *tally)
{
	naive_generate(&m->g, scheduler, seed);
	for (unsigned i = 0; i < m->g.n_workloads; i++)
		m->docs[i] = parse(m, "generated", &m->g.workloads[i]);
	m->append = parse(m, "append", &m->g.append);
	if (m->what.len > 0 || !match_run_naive(m))
		return;
	tally->rows += m->naive.n_rows;
	for (unsigned i = 0; i < m->naive.n_engines; i++)
		tally->preemptions += m->naive.engines[i].preemptions;
	tally->deadlocks += m->naive.deadlock;
	tally->gave_up += m->naive.gave_up;
	/*
	 * A batch that can't end is like one that hangs. A batch without points
	 * "that runs on through the heartbeat's ladder: reset"
	 * (doc/model/execlists.md "Hangs"), and so is a parallel step of more
	 * than five beats: "nothing takes it off before its end"
	 * (doc/model/guc.md "Parallel slots"). From there on it is another run
	 * than that of the model, which has no timeouts: contexts are banned,
	 * who waited for them submits the more, and a lower band may wait for
	 * ever.
	 */
	if (m->naive.gave_up || (m->watched && m->naive.deadlock) ||
	    !match_run_engine(m))
		return;
	if (m->hung_ns != NSEC_NEVER)
		text_clear(&m->what); /* errors of what hung */
	match_compare(m);
	tally->hung += m->hung_ns != NSEC_NEVER;
}

/* The first difference in full, of some others the seeds. */
static void
report(const struct match *m, uint64_t seed, struct tally *tally)
{
	struct text all = {0};

	/* print_error() has no room for it. */
	if (tally->differ == 0) {
		naive_generated_print(&m->g, &all);
		fprintf(stderr,
		    "NAIVE_SCHED=%s NAIVE_SEED=%llu NAIVE_COUNT=1\n%s%s",
		    naive_scheduler_names[m->g.scheduler],
		    (unsigned long long)seed, text_str(&all),
		    text_str(&m->what));
		text_free(&all);
	} else if (tally->differ < 20) {
		fprintf(stderr, "and NAIVE_SEED=%llu, rings of %u\n",
		    (unsigned long long)seed, m->g.ring_requests);
	}
	tally->differ++;
}

/* Sanitizers make it ten times slower, and see as much in fewer cases. */
#ifdef GPUWL_INVARIANTS
#define SHARE 8
#else
#define SHARE 1
#endif

static void
compare_cases(enum naive_scheduler scheduler, uint64_t otherwise, bool watched)
{
	const char *only = getenv("NAIVE_SCHED");
	uint64_t count = test_rounds("NAIVE_COUNT", otherwise / SHARE);
	uint64_t first = from_environment("NAIVE_SEED", 1);
	struct tally tally = {0};

	if (only != NULL && strcmp(only, naive_scheduler_names[scheduler]) != 0)
		skip_test("NAIVE_SCHED names another scheduler");
	for (uint64_t seed = first; seed < first + count; seed++) {
		struct match *m = mem_calloc(1, sizeof *m);

		m->watched = watched;
		play(m, scheduler, seed, &tally);
		if (m->what.len > 0)
			report(m, seed, &tally);
		match_free(m);
		free(m);
	}
	print_message("%s, %llu cases: %llu requests, %llu preemptions, "
		      "%llu deadlocks, %llu left out as too long\n",
	    naive_scheduler_names[scheduler], (unsigned long long)count,
	    (unsigned long long)tally.rows,
	    (unsigned long long)tally.preemptions,
	    (unsigned long long)tally.deadlocks,
	    (unsigned long long)tally.gave_up);
	assert_int_equal(tally.differ, 0);
	if (!watched)
		assert_int_equal(tally.hung, 0);
	else if (count >= 50)
		assert_in_range(tally.hung, 1, count / 2);
}

static void
test_scheduler(enum naive_scheduler scheduler, uint64_t otherwise)
{
	compare_cases(scheduler, otherwise, false);
}

TEST(fifo)
{
	test_scheduler(NAIVE_FIFO, 10000);
}

TEST(execlists)
{
	test_scheduler(NAIVE_EXECLISTS, 1500);
}

/* doc/model/execlists.md "Hangs": heartbeat pulses take no time, arm no slice
 * and count as no preemption while the engine answers. */
TEST(execlists_answers_heartbeats)
{
	compare_cases(NAIVE_EXECLISTS, 500, true);
}

TEST(drm)
{
	test_scheduler(NAIVE_DRM, 1500);
}

TEST(drm_rr)
{
	test_scheduler(NAIVE_DRM_RR, 1500);
}

TEST(guc)
{
	test_scheduler(NAIVE_GUC, 4000);
}

/* The same of guc's, in bands and with places of their own. */
TEST(guc_answers_heartbeats)
{
	compare_cases(NAIVE_GUC, 500, true);
}
