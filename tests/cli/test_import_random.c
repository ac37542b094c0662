/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * There and back, for random descriptors and for those that are shipped: a run, its
 * kernel trace, the import of that, and the run of what was imported (doc/model/
 * import.md "Round trips"). Random ones have batches, dependencies on data and ends,
 * waits, d, p, P, M and B.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/environment.h"
#include "tests/support/run_program.h"

/* Random descriptors */

struct random_steps {
	uint64_t state;
	struct text text;
	unsigned n_steps, n_batches;
	unsigned batches[16]; /* their steps */
	bool is_balanced[4];
	unsigned total_us;
	bool is_held; /* it has a wait or a period */
};

static unsigned
pick(struct random_steps *r, unsigned n)
{
	r->state = r->state * 6364136223846793005ull + 1442695040888963407ull;
	return (unsigned)((r->state >> 33) % n);
}

static void
end_step(struct random_steps *r)
{
	text_addc(&r->text, ',');
	r->n_steps++;
}

static void
set_contexts_up(struct random_steps *r, unsigned n)
{
	static const char *const maps[] = {"VCS", "VCS1|VCS2", "VECS1|VECS2"};
	static const int levels[] = {-500, -1, 1, 200, 1000};

	for (unsigned c = 1; c <= n; c++) {
		r->is_balanced[c] = pick(r, 4) == 0;
		if (r->is_balanced[c]) {
			text_addf(&r->text, "M.%u.%s", c, maps[pick(r, 3)]);
			end_step(r);
			text_addf(&r->text, "B.%u", c);
			end_step(r);
		}
		if (pick(r, 5) < 2) {
			text_addf(&r->text, "P.%u.%d", c, levels[pick(r, 5)]);
			end_step(r);
		}
	}
}

static void
add_random_deps(struct random_steps *r)
{
	static const unsigned chances[] = {0, 0, 1, 1, 2};
	unsigned n = chances[pick(r, 5)], first = pick(r, 16);

	if (n > r->n_batches)
		n = r->n_batches;
	if (n == 0)
		text_addc(&r->text, '0');
	for (unsigned i = 0; i < n; i++)
		text_addf(&r->text, "%s%s-%u", i > 0 ? "/" : "",
		    pick(r, 3) == 0 ? "f" : "",
		    r->n_steps - r->batches[(first + i) % r->n_batches]);
}

static void
add_random_batch(struct random_steps *r, unsigned n_contexts)
{
	static const char *const engines[] = {
	    "RCS", "RCS", "BCS", "VCS1", "VCS2", "VECS", "CCS"};
	static const unsigned units[] = {10, 50, 100};
	unsigned c = 1 + pick(r, n_contexts), us = 1 + pick(r, 40);
	bool waits;

	us *= units[pick(r, 3)];
	us += pick(r, 10);
	waits = pick(r, 7) == 0;
	text_addf(&r->text, "%u.%s.%u.", c,
	    r->is_balanced[c] ? "DEFAULT" : engines[pick(r, 7)], us);
	add_random_deps(r);
	text_addf(&r->text, ".%d", waits);
	r->total_us += us;
	r->is_held |= waits;
	r->batches[r->n_batches++] = r->n_steps;
	end_step(r);
}

static void
add_random_pause(struct random_steps *r)
{
	unsigned what = pick(r, 10);

	if (what == 0) {
		text_addf(&r->text, "d.%u", (1 + pick(r, 30)) * 100);
		end_step(r);
	} else if (what == 1) {
		text_addf(&r->text, "s.-%u",
		    r->n_steps - r->batches[pick(r, r->n_batches)]);
		end_step(r);
	}
}

/* A descriptor of at most ten batches that cannot run ahead of its requests for
 * ever: the caller frees it. */
static char *
random_descriptor(uint64_t seed)
{
	struct random_steps r = {.state = seed * 7919 + 13};
	unsigned n_contexts = 1 + pick(&r, 3), n = 1 + pick(&r, 8);

	set_contexts_up(&r, n_contexts);
	if (pick(&r, 5) == 0) {
		text_addf(&r.text, "d.%u", (1 + pick(&r, 30)) * 100);
		end_step(&r);
	}
	while (n-- > 0) {
		add_random_batch(&r, n_contexts);
		add_random_pause(&r);
	}
	if (pick(&r, 2) == 0)
		text_addf(
		    &r.text, "s.-%u,", r.n_steps - r.batches[r.n_batches - 1]);
	text_addf(&r.text, "p.%u", 1000 + r.total_us * (8 + pick(&r, 12)) / 10);
	return r.text.data;
}

/* Trips */

static const char *const trip_schedulers[] = {
    "fifo", "execlists", "drm", "drm:rr", "drm:fair", "guc"};
#define N_SCHEDULERS (sizeof(trip_schedulers) / sizeof(*trip_schedulers))

struct there_and_back {
	double busy, rate, order; /* how far the worst is off */
	char *said;               /* table and command */
	bool same_order;          /* of all requests on each engine */
};

static void
free_trip(struct there_and_back *t)
{
	free(t->said);
}

static void
take_worst(double *worst, double figure)
{
	figure = figure < 0 ? -figure : figure;
	*worst = figure > *worst ? figure : *worst;
}

static void
read_figures(struct there_and_back *t, const char *table)
{
	for (const char *row = strchr(table, '\n') + 1; *row != '\0';
	     row = strchr(row, '\n') + 1) {
		char what[64];
		double a, b, apart;

		if (sscanf(row, "%63s\t%lf\t%lf\t%lf", what, &a, &b, &apart) !=
		    4)
			continue;
		if (strncmp(what, "busy.", 5) == 0)
			take_worst(&t->busy, apart);
		if (strncmp(what, "rate.", 5) == 0)
			take_worst(&t->rate, apart);
		if (strncmp(what, "order.", 6) == 0)
			take_worst(&t->order, apart);
	}
}

/* Sorts the rows of a table by engine and start, and prints how long each ran. */
static char *
order_of(const char *file)
{
	struct text command = {0};
	char *order;

	text_addf(&command,
	    "tail -n +2 %s | awk -F'\\t' '$8 != \"-\" && $10 != \"-\" {print "
	    "$5, $8, $10}' | sort -k1,1 -k2,2n | awk '{print $1, $3}' > order",
	    file);
	assert_int_equal(system(text_str(&command)), 0);
	text_free(&command);
	order = read_whole("order", NULL);
	return order;
}

/* The lines of a text that are of an engine, and their end. */
static const char *
lines_of(const char *text, const char *engine, size_t *len)
{
	size_t n = strlen(engine);
	const char *first = text, *end;

	while (*first != '\0' &&
	    (strncmp(first, engine, n) != 0 || first[n] != ' '))
		first = strchr(first, '\n') + 1;
	for (end = first; strncmp(end, engine, n) == 0 && end[n] == ' ';)
		end = strchr(end, '\n') + 1;
	*len = (size_t)(end - first);
	return first;
}

/* True if each engine ran the same, in the same order, but for the end of the
 * runs. */
static bool
is_same_order(const char *a, const char *b)
{
	static const char *const engines[] = {
	    "RCS", "BCS", "VCS1", "VCS2", "VECS1", "VECS2", "CCS"};

	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++) {
		size_t n_a, n_b, n;
		const char *x = lines_of(a, engines[i], &n_a);
		const char *y = lines_of(b, engines[i], &n_b);

		n = n_a < n_b ? n_a : n_b;
		n = n > 100 ? n - n / 50 - 40 : 0;
		if (memcmp(x, y, n) != 0)
			return false;
	}
	return true;
}

/* Runs the command that the import printed. */
static void
run_printed(const char *err)
{
	const char *command = strstr(err, "gpuwl-top -b ");
	const char *program = getenv("GPUWL_TOP");
	struct text t = {0};

	assert_non_null(command);
	command += strlen("gpuwl-top");
	text_addf(&t, "%s -q --requests=model.tsv %.*s 2> /dev/null",
	    program != NULL ? program : "build/gpuwl-top",
	    (int)strcspn(command, "\n"), command);
	if (system(text_str(&t)) != 0)
		fail_msg("%s", text_str(&t));
	text_free(&t);
}

/* workloads: up to two. */
static void
there_and_back(struct there_and_back *t, const char *sched,
    const char *const *workloads, const char *clones)
{
	struct text scheduler = {0};
	const char *args[24] = {"-b", "-q", "--profile=ideal", "--duration=4",
	    "--trace-kernel=k.dat", "--requests=trace.tsv", "-c", clones};
	struct outcome o;
	char *a, *b;
	size_t n = 8;

	*t = (struct there_and_back){0};
	text_addf(&scheduler, "--scheduler=%s", sched);
	args[n++] = text_str(&scheduler);
	for (; *workloads != NULL; workloads++) {
		args[n++] = "-w";
		args[n++] = *workloads;
	}
	run_program(&o, args);
	if (o.status != 0)
		fail_msg("%s", o.err);
	outcome_free(&o);
	RUN(&o, "--import=k.dat", "--force", "-o", "out");
	if (o.status != 0)
		fail_msg("%s", o.err);
	read_figures(t, o.out);
	run_printed(o.err);
	text_clear(&scheduler);
	text_addf(&scheduler, "%s%s", o.out, o.err);
	t->said = scheduler.data;
	outcome_free(&o);
	a = order_of("trace.tsv");
	b = order_of("model.tsv");
	t->same_order = is_same_order(a, b);
	free(a);
	free(b);
}

#define N_RANDOM 8

/* Where a trip is not as near, or in another order, and why. */
struct trip_exception {
	const char *name;
	const char *sched; /* NULL: all */
	double busy, rate; /* limits */
	bool other_order;
	const char *reason;
};

#define BALANCED                                                               \
	"drawn durations decide which of two equal engines a queue takes"
#define DRAWN "durations are drawn"

static const struct trip_exception trip_exceptions[] = {
    {"layer.wsim-3", "execlists", 3, 1, true, BALANCED},
    {"layer.wsim-3", NULL, 1, 1, true, BALANCED},
    {"desktop.wsim-3", "guc", 2, 1, true, DRAWN},
    {"desktop.wsim-1", NULL, 1, 1, true, DRAWN},
    {"layer.wsim-1", NULL, 1, 1, true, DRAWN},
};

static const struct trip_exception *
exception_of(const char *name, const char *sched)
{
	for (size_t i = 0;
	     i < sizeof(trip_exceptions) / sizeof(*trip_exceptions); i++) {
		const struct trip_exception *e = &trip_exceptions[i];

		if (strncmp(name, e->name, strlen(e->name)) == 0 &&
		    (e->sched == NULL || strcmp(e->sched, sched) == 0))
			return e;
	}
	return NULL;
}

/* Returns 1 if the trip is not as near as it should be. */
static unsigned
judge_trip(const struct there_and_back *t, const char *name, const char *sched,
    bool is_constant)
{
	const struct trip_exception *e = exception_of(name, sched);
	double busy = e != NULL ? e->busy : 1, rate = e != NULL ? e->rate : 1;
	bool same = t->same_order || !is_constant ||
	    (e != NULL && e->other_order);

	if (getenv("TRIP_FIGURES") != NULL)
		print_message("%s %s: busy %.2f rate %.2f order %.2f %s\n",
		    name, sched, t->busy, t->rate, t->order,
		    t->same_order ? "=" : "other");
	if (t->busy <= busy && t->rate <= rate && same)
		return 0;
	print_error("%s %s: busy %.2f points, rate %.2f %%, %s order\n%s\n",
	    name, sched, t->busy, t->rate, same ? "same" : "another",
	    getenv("TRIP_FIGURES") != NULL ? "" : t->said);
	return 1;
}

static unsigned
random_trips(unsigned seed, unsigned n)
{
	char *texts[3] = {NULL};
	unsigned failed = 0;
	char name[32];

	for (unsigned i = 0; i < n; i++)
		texts[i] = random_descriptor(seed * 10 + i);
	snprintf(name, sizeof(name), "random-%u-%u", n, seed);
	for (size_t s = 0; s < N_SCHEDULERS; s++) {
		struct there_and_back t;

		there_and_back(
		    &t, trip_schedulers[s], (const char *const *)texts, "1");
		failed += judge_trip(&t, name, trip_schedulers[s], true);
		free_trip(&t);
	}
	if (failed > 0)
		print_error("%s\n%s\n", texts[0], n > 1 ? texts[1] : "");
	for (unsigned i = 0; i < n; i++)
		free(texts[i]);
	return failed;
}

TEST(random_alone)
{
	uint64_t n = test_rounds("IMPORT_RUNS", N_RANDOM);
	unsigned failed = 0;

	enter_test_folder();
	for (unsigned seed = 1; seed <= n; seed++)
		failed += random_trips(seed, 1);
	assert_int_equal(failed, 0);
}

TEST(random_pairs)
{
	uint64_t n = test_rounds("IMPORT_RUNS", N_RANDOM);
	unsigned failed = 0;

	enter_test_folder();
	for (unsigned seed = 1; seed <= n; seed++)
		failed += random_trips(seed, 2);
	assert_int_equal(failed, 0);
}

/* Under guc nothing tells when requests left an engine: turns are played. A low
 * request that others wait for is raised to their band when they are submitted; a
 * balanced queue takes turns with queues of either engine. */
TEST(turns_of_guc)
{
	static const char *const raised[] = {
	    "P.1.-1,P.3.1,1.RCS.3000.0.0,2.RCS.2500.0.0,d.700,3.BCS.800.-3.0,"
	    "s.-1,p.9000",
	    "1.RCS.1500.0.0,s.-1,d.300", NULL};
	static const char *const shared[] = {
	    "M.1.VCS1|VCS2,B.1,1.DEFAULT.2500.0.0,d.1300,1.DEFAULT.1700.0.0,"
	    "s.-1,p.7100",
	    "1.VCS1.1900.0.0,2.VCS2.2600.0.0,d.400,1.VCS1.1200.0.0,s.-1,p.8300",
	    NULL};
	static const char *const *const both[] = {raised, shared};

	enter_test_folder();
	for (size_t i = 0; i < 2; i++) {
		struct there_and_back t;

		there_and_back(&t, "guc", both[i], "1");
		if (t.busy > 0.05 || t.rate > 0.05 || !t.same_order ||
		    strstr(t.said, "--scheduler=guc") == NULL)
			fail_msg("%s", t.said);
		free_trip(&t);
	}
}

/* An iteration that begins where fewest dependencies cross its start would let this
 * client be ahead of the other one, for good: it begins as the trace does. */
TEST(begins_as_trace)
{
	static const char *const both[] = {
	    "M.1.VECS1|VECS2,B.1,P.2.-500,1.DEFAULT.265.0.1,p.1371",
	    "2.VCS2.184.0.0,s.-1,2.CCS.200.-2.1,1.VECS.2000.-3.0,s.-1,"
	    "2.BCS.456.-2.0,d.2900,2.VCS1.803.-5/-4.0,2.RCS.61.-1/-8.0,"
	    "1.CCS.2507.-4.0,1.RCS.269.-7/-5.0,s.-1,p.6184",
	    NULL};
	struct there_and_back t;

	enter_test_folder();
	there_and_back(&t, "drm", both, "1");
	if (t.busy > 0.05 || t.rate > 0.05 || !t.same_order)
		fail_msg("%s", t.said);
	free_trip(&t);
}

/* Two clients, all of whose requests are to be in the order of the trace. */
struct ordered_pair {
	const char *why;
	const char *scheduler;
	const char *workloads[3];
};

#define LATE_PAIR                                                                  \
	{                                                                          \
		"M.1.VECS1|VECS2,B.1,P.1.-1,P.2.-1,d.2600,2.VECS.1300.0.0,d.1700," \
		"1.DEFAULT.204.0.0,p.2654",                                        \
		    "P.1.1000,d.400,1.VECS.559.0.0,s.-1,p.2062", NULL              \
	}

static const struct ordered_pair ordered_pairs[] = {
    {"late iterations begin with the sleep of all others", "fifo", LATE_PAIR},
    {"few iterations are not late", "drm",
	{"P.1.-1,M.2.VCS,B.2,P.2.1,d.200,1.CCS.1804.0.0,s.-1,"
	 "2.DEFAULT.1203.0.0,1.VCS1.803.0.0,3.VECS.386.-4.1,s.-5,"
	 "3.CCS.2902.f-3.1,2.DEFAULT.1058.0.0,d.1200,2.DEFAULT.609.0.1,s.-1,"
	 "p.8012",
	    "P.2.200,1.VECS.1706.0.1,2.VCS2.393.0.0,s.-2,"
	    "2.VECS.1051.f-2/f-3.0,1.RCS.3902.f-1/f-4.0,2.BCS.803.f-2/-1.0,"
	    "2.VCS1.659.f-1.0,1.VCS1.607.f-3.0,p.8296",
	    NULL}},
    {"one iteration is late", "drm",
	{"M.1.VCS1|VCS2,B.1,P.1.1000,d.2500,1.DEFAULT.10.0.1,"
	 "1.DEFAULT.208.-1.0,1.DEFAULT.1052.0.0,1.DEFAULT.1451.0.0,d.1300,"
	 "1.DEFAULT.120.-3/-2.1,1.DEFAULT.1007.-1/-6.0,d.2000,s.-2,p.7541",
	    "M.3.VCS1|VCS2,B.3,1.BCS.201.0.0,3.DEFAULT.852.0.0,s.-2,"
	    "1.VCS1.162.0.1,s.-1,1.VECS.3508.-5/-4.0,1.VECS.1201.0.0,s.-1,"
	    "p.12255",
	    NULL}},
    {"one that is always late has begun before another", "fifo",
	{"d.1400,1.RCS.909.0.0,1.VCS1.2609.0.0,s.-1,2.VCS2.609.0.0,"
	 "1.RCS.1102.-4.0,p.5183",
	    "d.400,1.VECS.149.0.0,1.RCS.1205.0.0,1.VCS2.3706.f-1/-2.1,s.-1,"
	    "1.RCS.3302.f-4.0,s.-1,p.7689",
	    NULL}},
    {"starts alone tell one scheduler from another", "drm:rr",
	{"P.1.1000,d.2900,3.BCS.602.0.1,1.RCS.404.0.0,s.-2,3.CCS.67.0.0,"
	 "3.BCS.303.-1.1,3.RCS.266.-5.0,2.VECS.1656.-6.1,1.BCS.1100.0.0,s.-5,"
	 "2.VCS1.503.0.1,s.-1,p.5410",
	    "2.VCS2.94.0.0,d.1300,1.VCS2.307.-2.0,d.2500,1.CCS.223.0.0,"
	    "1.RCS.500.f-3.0,1.RCS.1258.-1/-6.1,1.RCS.1803.f-3.0,"
	    "1.BCS.2107.-6/-4.0,p.12954",
	    NULL}},
    {"both submit at one instant, the first one first", "execlists", LATE_PAIR},
    {"a queue has left its engine for the first iteration", "drm",
	{"P.1.200,P.2.200,M.3.VCS1|VCS2,B.3,1.RCS.155.0.0,"
	 "3.DEFAULT.366.-1.1,3.DEFAULT.305.-2/-1.1,d.1700,"
	 "1.VCS1.117.-2/-4.0,2.VECS.2900.-5.0,1.RCS.1004.-5.0,s.-7,"
	 "2.CCS.208.0.1,2.VCS2.656.-1.0,s.-1,p.11850",
	    "P.2.200,1.RCS.135.0.0,1.CCS.53.0.0,1.VCS1.209.0.1,"
	    "2.VCS1.3800.-1.0,1.RCS.103.0.0,1.BCS.99.-5.0,1.RCS.378.f-4.0,"
	    "p.6732",
	    NULL}},
    {"two queues of one class have left theirs", "drm:fair",
	{"M.1.VCS1|VCS2,B.1,M.2.VCS,B.2,2.DEFAULT.853.0.0,"
	 "1.DEFAULT.3104.0.0,s.-2,2.DEFAULT.1158.0.0,"
	 "1.DEFAULT.3605.f-3/f-1.0,p.7976",
	    "1.VCS2.901.0.0,1.BCS.1408.0.0,1.VCS1.1108.-2.0,d.2200,s.-2,"
	    "p.3733",
	    NULL}},
    {"a negative priority is always that of a batch that waits", "execlists",
	{"M.1.VECS1|VECS2,B.1,M.3.VCS,B.3,2.RCS.2701.0.1,2.RCS.1452.0.0,"
	 "s.-1,3.DEFAULT.503.-2.0,2.CCS.150.0.0,2.RCS.1804.-4.0,"
	 "2.BCS.233.-3.0,3.DEFAULT.1059.f-6.0,d.100,3.DEFAULT.41.-5.0,p.8148",
	    "P.2.1,P.3.-1,d.1600,1.BCS.1000.0.0,3.VCS2.152.-1.0,"
	    "1.VCS1.303.0.0,1.VCS2.1000.-3/-2.0,1.RCS.202.-1.0,"
	    "1.CCS.2202.-2.0,2.RCS.550.f-5.0,s.-1,p.10195",
	    NULL}},
};

TEST(orders_of_pairs)
{
	unsigned failed = 0;

	enter_test_folder();
	for (size_t i = 0; i < sizeof(ordered_pairs) / sizeof(*ordered_pairs);
	     i++) {
		const struct ordered_pair *p = &ordered_pairs[i];
		struct there_and_back t;

		there_and_back(&t, p->scheduler, p->workloads, "1");
		failed += judge_trip(&t, p->why, p->scheduler, true);
		free_trip(&t);
	}
	assert_int_equal(failed, 0);
}

/* The shipped ones of the same steps, alone and as three clones. */
static unsigned
shipped_trips(const struct embedded_file *file, unsigned *n)
{
	static const char *const clones[] = {"1", "3"};
	const char *slash = strrchr(file->path, '/');
	const char *base = slash != NULL ? slash + 1 : file->path;
	const char *workloads[] = {base, NULL};
	unsigned failed = 0;

	write_file(base, file->data);
	for (size_t c = 0; c < 2; c++) {
		for (size_t s = 0; s < N_SCHEDULERS; s++) {
			struct there_and_back t;
			char name[64];

			if (!test_round_takes((*n)++))
				continue;
			snprintf(
			    name, sizeof(name), "%.40s-%s", base, clones[c]);
			there_and_back(
			    &t, trip_schedulers[s], workloads, clones[c]);
			failed += judge_trip(
			    &t, name, trip_schedulers[s], false);
			free_trip(&t);
		}
	}
	return failed;
}

TEST(shipped_trips)
{
	static const char *const names[] = {"composited.wsim", "desktop.wsim",
	    "layer.wsim", "priority-inversion.wsim"};
	unsigned failed = 0, n = 0;

	enter_test_folder();
	for (size_t i = 0; i < n_embedded_files; i++)
		for (size_t k = 0; k < sizeof(names) / sizeof(*names); k++)
			if (strstr(embedded_files[i].path, names[k]) != NULL)
				failed += shipped_trips(&embedded_files[i], &n);
	assert_int_equal(failed, 0);
}
