/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep with one process at a time and with two, in wall time: on two idle
 * processors or more, the second should almost double the speed.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "decide/jobs.h"
#include "decide/sweep.h"
#include "run/options.h"
#include "run/plan.h"
#include "tests/bench/bench.h"

/* A workload of which a row takes some 50 ms. */
#define STEPS "1.VCS1.1200-1800.0.0,1.VECS.1000-1400.-1.0,2.RCS.900-1300.-1.1"

/* Returns the seconds that the sweep takes. */
static double
run_sweep(const struct sweep *s, struct plan *plan, const struct options *o,
    unsigned n_jobs)
{
	nsec before = clock_wall();
	struct sweep_run *run = sweep_begin(
	    s, plan, o, 0, sweep_n_rows(s), n_jobs);
	struct text lines = {0}, err = {0};

	while (!sweep_is_done(run))
		if (!sweep_step(run, -1, &lines, &err) && err.len > 0)
			abort();
	sweep_end(run);
	text_free(&lines);
	text_free(&err);
	return (double)(clock_wall() - before) / (double)NSEC_PER_SEC;
}

int
main(void)
{
	char *argv[] = {(char *)"gpuwl-top", (char *)"-b", (char *)"-w",
	    (char *)STEPS, (char *)"-c8", (char *)"--sweep=seed=1..40",
	    (char *)(bench_quick() ? "--duration=0.1" : "--duration=20"), NULL};
	struct sweep s = {0};
	struct text err = {0};
	struct options o;
	struct plan plan;
	double one[5], two[5];
	int status;

	if (!options_parse(&o, 7, argv, &err) ||
	    !sweep_add(&s, o.sweeps[0], &err) ||
	    !plan_open(&plan, &o, &status, &err))
		abort();
	sweep_find_engines(&s, &o);
	for (int i = 0; i < 5; i++) {
		one[i] = run_sweep(&s, &plan, &o, 1);
		two[i] = run_sweep(&s, &plan, &o, 2);
	}
	bench_print("sweep.rows_one_process", 40 / bench_median(one, 5), "/s");
	bench_print("sweep.two_processes_to_one",
	    bench_median(one, 5) / bench_median(two, 5), "x");
	bench_print("sweep.processors", jobs_processors(), "");
	plan_close(&plan);
	sweep_free(&s);
	options_free(&o);
	text_free(&err);
	return 0;
}
