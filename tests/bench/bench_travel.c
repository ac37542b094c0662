/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any instant of a run (run/live/history.h): how long it takes to show one of ten
 * million batches again, and what the history of such a run costs.
 */
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "base/text.h"
#include "run/live/session.h"
#include "run/options.h"
#include "tests/bench/bench.h"

#define BATCHES 10000000
#define JUMPS   40

static double
wall_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

struct travel_bench {
	struct plan plan;
	struct session session;
};

static void
begin(struct travel_bench *b)
{
	static const char *const argv[] = {"gpuwl-top", "--scheduler=execlists",
	    "-c20",
	    "1.RCS.100-300.0.0,2.BCS.100-300.-1.0,3.VCS1.100-300.-1.0,"
	    "4.VCS2.100-300.-1.0,5.VECS1.100-300.-1.1"};
	struct options o;
	struct text err = {0};
	int status;

	if (!options_parse(&o, 4, (char **)(uintptr_t)argv, &err) ||
	    !plan_open(&b->plan, &o, &status, &err) ||
	    !session_begin(
		&b->session, &b->plan, 0, NSEC_NEVER, NULL, NULL, &err)) {
		fprintf(stderr, "%s\n", text_str(&err));
		exit(1);
	}
	b->session.delay = NSEC_PER_SEC / 4;
	options_free(&o);
	text_free(&err);
}

static void
end(struct travel_bench *b)
{
	session_end(&b->session);
	plan_close(&b->plan);
}

/* Returns the seconds that it takes. */
static double
run_batches(struct travel_bench *b, uint64_t n)
{
	struct session *s = &b->session;
	double begun = bench_clock();

	while (s->run.sim->n_ended_requests < n) {
		for (unsigned i = 0; i < 20; i++)
			session_advance(s, 0, 0);
		session_tick(s, 0);
	}
	return bench_clock() - begun;
}

static double
jump(struct session *s, nsec at)
{
	struct goto_target to = {.kind = GOTO_TIME, .time = at};
	struct text err = {0};
	double begun = wall_seconds();

	if (!session_goto(s, 0, &to, &err)) {
		fprintf(stderr, "%s\n", text_str(&err));
		exit(1);
	}
	return wall_seconds() - begun;
}

int
main(void)
{
	static struct travel_bench with, without;
	uint64_t n = bench_count(BATCHES), random = 1;
	double all = 0, worst = 0, bare, kept;
	nsec present;

	begin(&without);
	history_end(&without.session);
	bare = run_batches(&without, n);
	end(&without);
	begin(&with);
	kept = run_batches(&with, n);
	present = with.session.run.sim->now;
	for (unsigned i = 0; i < JUMPS; i++) {
		double took = jump(
		    &with.session, bench_random(&random) % present);

		all += took;
		worst = took > worst ? took : worst;
	}
	bench_print("travel.jump_mean", all / JUMPS, "s");
	bench_print("travel.jump_worst", worst, "s");
	bench_print("travel.history_cost", 100 * (kept - bare) / bare, "%");
	end(&with);
	return 0;
}
