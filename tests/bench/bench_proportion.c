/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Operations that once cost the square of their size: per piece, at two sizes, and
 * the ratio of the two, which is 1 where the cost is in proportion.
 */
#include <stdio.h>
#include <stdlib.h>

#include "base/text.h"
#include "engine/sched/sched.h"
#include "engine/sim.h"
#include "parser/diag.h"
#include "parser/document/document.h"
#include "tests/bench/bench.h"

#define ROUNDS 3
#define GROWTH 4 /* the greater size to the smaller */

/* A descriptor of n pieces, and what is measured on it. */
struct subject {
	const char *name;
	unsigned n; /* pieces of the smaller size */
	void (*write)(struct text *t, unsigned n);
	void (*run)(const struct text *t);
};

static struct document *
parse(const struct text *t)
{
	return document_parse("bench", text_str(t), t->len, SOURCE_FILE);
}

static struct program *
compile(const struct document *doc)
{
	struct diag_list diags = {0};
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1, .all_slices = 0};
	struct profile profile;
	struct device device;
	struct program *program;

	profile_init(&profile);
	device_init(&device, &profile);
	options.all_slices = device_all_slices(&device);
	program = program_compile(&doc, 1, &device, &options, &diags);
	diag_list_free(&diags);
	return program;
}

/* Each context of a higher priority than the one before it, on which it
 * depends. */
static void
write_chain(struct text *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		text_addf(t, "P.%u.%d\n%u.RCS.10.%s.0\n", i + 1,
		    (int)(i * 2046ull / (n - 1)) - 1023, i + 1,
		    i > 0 ? "-2" : "0");
}

static void
run_chain(const struct text *t)
{
	struct document *doc = parse(t);
	struct program *program = compile(doc);
	struct sim_config config = {.sched = &sched_execlists, .seed = 1};
	const struct client_options options = {.repeat = 1};
	struct workload *w;
	struct sim *sim;

	profile_init(&config.profile);
	sim = sim_new(&config);
	w = sim_add_workload(sim, "bench", program);
	for (unsigned i = 0; i < 2; i++)
		sim_add_client(sim, w, &options);
	if (sim_run(sim, NSEC_NEVER, 0) != SIM_DONE)
		abort();
	sim_free(sim);
	program_free(program);
	document_free(doc);
}

/* Each takes several timeslices, with all those behind it in the queue. */
static void
write_backlog(struct text *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		text_adds(t, "1.RCS.5000.0.0\n");
}

/* All on one line, none of which leads anywhere. */
static void
write_references(struct text *t, unsigned n)
{
	text_adds(t, "1.RCS.5.-1");
	for (unsigned i = 1; i < n; i++)
		text_adds(t, "/-1");
	text_adds(t, ".0\n");
}

static void
write_unknown(struct text *t, unsigned n)
{
	for (unsigned i = 0; i < n; i++)
		text_adds(t, "unknown\n");
}

static void
run_diagnostics(const struct text *t)
{
	struct document *doc = parse(t);

	if (document_diagnostics(doc)->n_errors == 0)
		abort();
	document_free(doc);
}

static void
write_bonds(struct text *t, unsigned n)
{
	text_adds(t, "M.1.VCS1|VCS2\nB.1\n");
	for (unsigned i = 0; i < n; i++)
		text_adds(t, "b.1.VCS1.RCS\n");
}

static void
run_compile(const struct text *t)
{
	struct document *doc = parse(t);

	program_free(compile(doc));
	document_free(doc);
}

static const struct subject subjects[] = {
    {"references_on_one_line", 50000, write_references, run_diagnostics},
    {"diagnostics", 200000, write_unknown, run_diagnostics},
    {"bonds", 20000, write_bonds, run_compile},
    {"priority_chain", 4000, write_chain, run_chain},
    {"backlog", 200, write_backlog, run_chain},
};

/* Nanoseconds for each piece. */
static double
measure(const struct subject *s, unsigned n)
{
	double values[ROUNDS];
	size_t rounds = bench_quick() ? 1 : ROUNDS;
	struct text t = {0};

	s->write(&t, n);
	for (size_t i = 0; i < rounds; i++) {
		double t0 = bench_clock();

		s->run(&t);
		values[i] = (bench_clock() - t0) * 1e9 / n;
	}
	text_free(&t);
	return bench_median(values, rounds);
}

int
main(void)
{
	for (size_t i = 0; i < sizeof subjects / sizeof *subjects; i++) {
		const struct subject *s = &subjects[i];
		unsigned n = (unsigned)bench_count(s->n) + 2;
		double small = measure(s, n);
		double large = measure(s, n * GROWTH);
		char name[80];

		snprintf(name, sizeof name, "proportion.%s", s->name);
		bench_print(name, large, "ns/piece");
		snprintf(name, sizeof name, "proportion.%s_growth", s->name);
		bench_print(name, large / small, "ratio");
	}
	return 0;
}
