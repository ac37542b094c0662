/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How long the console does not answer while it writes the recovery file of a long
 * document (run/live/saving.h).
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "parser/document/edit.h"
#include "run/live/saving.h"
#include "run/plan.h"
#include "tests/bench/bench.h"

#define LINES  100000
#define ROUNDS 11

static void
must(bool done, const struct text *err)
{
	if (done)
		return;
	fprintf(stderr, "%s\n", text_str(err));
	exit(1);
}

/* Writes the descriptor into a folder of its own, and opens it there. */
static void
open_long(struct plan *plan, char *folder)
{
	struct text t = {0}, err = {0};

	must(mkdtemp(folder) != NULL && chdir(folder) == 0, &err);
	for (unsigned i = 0; i < bench_count(LINES); i++)
		text_addf(&t, "%u.RCS.%u-%u.0.0\n", 1 + i % 9, 100 + i % 77,
		    5000 + i % 100);
	must(file_write("long.wsim", true, &t, &err), &err);
	must(plan_add_file(plan, "long.wsim", true, &err), &err);
	text_free(&t);
	text_free(&err);
}

int
main(void)
{
	static const char *const lines[] = {"1.RCS.8.0.0", "1.RCS.7.0.0"};
	char folder[] = "/tmp/gpuwl-bench-XXXXXX";
	struct plan plan = {0};
	nsec now = NSEC_PER_SEC;
	double ms[ROUNDS];

	open_long(&plan, folder);
	for (unsigned i = 0; i < ROUNDS; i++) {
		const char *line = lines[i % 2];
		double begun;

		edit_replace(plan.sources[0].doc, 0, line, strlen(line), NULL);
		now = saving_keep(&plan, now, false, NULL);
		begun = bench_clock();
		saving_keep(&plan, now, false, NULL);
		ms[i] = (bench_clock() - begun) * 1e3;
	}
	bench_print("saving.recovery_file_100000_lines",
	    bench_median(ms, ROUNDS), "ms");
	saving_discard(&plan);
	plan_close(&plan);
	unlink("long.wsim");
	return rmdir(folder) != 0;
}
