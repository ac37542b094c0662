/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs a descriptor in gem_wsim and in batch mode, on the model or on the virtual
 * device, and compares their requests. */
#include "tests/support/wsim_both.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

/* Times of DRIFT and ORDER differ by this at most, in ns. */
#define DRIFT_NS 10000
/* Figures differ by this part at most. */
#define FIGURE_MOST    0.02
#define SATURATED_MOST 0.06

struct row {
	char engine[8];
	unsigned client, context;
	unsigned long long submit, ready, start, end;
};

struct rows {
	struct row *list;
	size_t n, n_open; /* n_open: further ones that have not ended */
};

static int
compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;
	int engines = strcmp(x->engine, y->engine);

	if (engines != 0)
		return engines;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end < y->end ? -1 : 1;
	return (x->submit > y->submit) - (x->submit < y->submit);
}

/* The contexts of one client after those of the one before, each in order. */
static int
compare_contexts(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->client != y->client)
		return x->client < y->client ? -1 : 1;
	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	if (x->submit != y->submit)
		return x->submit < y->submit ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

/* Reads a file of requests, sorted by engine and time. Requests that the
 * program's end has ended are open. Empty ones, with which gem_wsim 2.0 asks the kernel
 * for its addresses, are left out. */
static struct rows
read_rows(const char *file)
{
	char *text = read_whole(file, NULL), *line = strchr(text, '\n');
	struct rows rows = {0};
	size_t lines = 0;

	for (char *p = text; (p = strchr(p, '\n')) != NULL; p++)
		lines++;
	rows.list = calloc(lines, sizeof *rows.list);
	for (; line != NULL && line[1] != '\0'; line = strchr(line + 1, '\n')) {
		struct row *r = &rows.list[rows.n];
		char status[16], contents[8] = "";

		if (sscanf(line + 1,
			"%u %*s %*s %u %7s %llu %llu %llu %llu %*s %*s "
			"%15s%*1[\t]%7[^\t\n]",
			&r->client, &r->context, r->engine, &r->submit,
			&r->ready, &r->start, &r->end, status, contents) >= 8 &&
		    strcmp(status, "EIO") != 0)
			rows.n += strcmp(contents, "empty") != 0;
		else
			rows.n_open++;
	}
	free(text);
	qsort(rows.list, rows.n, sizeof *rows.list, compare_rows);
	return rows;
}

static bool
is_near(unsigned long long a, unsigned long long b, unsigned long long ns)
{
	return (a > b ? a - b : b - a) <= ns;
}

static bool
same_row(const struct row *a, const struct row *b, unsigned long long ns)
{
	return strcmp(a->engine, b->engine) == 0 &&
	    is_near(a->submit, b->submit, ns) &&
	    is_near(a->ready, b->ready, ns) &&
	    is_near(a->start, b->start, ns) && is_near(a->end, b->end, ns) &&
	    is_near(a->end - a->start, b->end - b->start, 0);
}

/* Each request of the program, but those that ran when it ended, is one of batch
 * mode. */
static void
expect_same(const char *name, const struct rows *got,
    const struct rows *expected, enum artefact artefact)
{
	size_t i = 0, j = 0;

	if (got->n + got->n_open != expected->n)
		fail_msg("%s: %zu and %zu requests, not %zu", name, got->n,
		    got->n_open, expected->n);
	for (; artefact <= DRIFT && i < got->n && j < expected->n; j++)
		if (same_row(&got->list[i], &expected->list[j],
			artefact == DRIFT ? DRIFT_NS : 0))
			i++;
		else if (j - i >= got->n_open)
			fail_msg("%s: request %zu on %s: started at %llu, not "
				 "%llu",
			    name, i, got->list[i].engine, got->list[i].start,
			    expected->list[j].start);
}

/* Each request of a context is the one of batch mode, submitted at nearly the same
 * time unless it waited for room; another client's may run first. */
static void
expect_order(const char *name, const struct rows *got,
    const struct rows *expected, enum artefact artefact)
{
	if (got->n != expected->n)
		fail_msg("%s: %zu requests have ended, not %zu", name, got->n,
		    expected->n);
	qsort(got->list, got->n, sizeof *got->list, compare_contexts);
	qsort(expected->list, got->n, sizeof *got->list, compare_contexts);
	for (size_t i = 0; i < got->n; i++) {
		const struct row *a = &got->list[i], *b = &expected->list[i];

		if (strcmp(a->engine, b->engine) != 0 ||
		    a->end - a->start != b->end - b->start ||
		    (artefact != ROOM &&
			!is_near(a->submit, b->submit, DRIFT_NS)))
			fail_msg("%s: request %zu by contexts: submitted at "
				 "%llu to %s, not at %llu to %s",
			    name, i, a->submit, a->engine, b->submit,
			    b->engine);
	}
}

static double
rate_of(const char *output)
{
	const char *at = strrchr(output, '(');
	double rate = 0;

	assert_non_null(at);
	assert_int_equal(sscanf(at, "(%lf workloads/s)", &rate), 1);
	return rate;
}

static char run_name[4096], top_name[4096];
static const char *repeat = "20";

/* In place of the model: batch mode on the virtual device (-D). */
static bool ours_on_device;

void
wsim_use_device(bool use)
{
	ours_on_device = use;
}

static double
run_one(const char *program, const char *const *args)
{
	struct outcome r;
	double rate;

	setenv("GPUWL_TOP", program, 1);
	run_program(&r, args);
	if (r.status != 0 || strstr(r.err, "CRITICAL") != NULL)
		fail_msg("status %d: %s", r.status, r.err);
	rate = rate_of(r.out);
	outcome_free(&r);
	return rate;
}

/* Subtracts from a figure of an engine. */
static void
subtract(json_t *engine, const char *figure, unsigned n)
{
	json_t *value = json_object_get(engine, figure);

	json_integer_set(value, json_integer_value(value) - n);
}

/* Returns what a run's JSON says of the run and its engines, without so many empty
 * batches, which RCS begins with. To be freed. */
static char *
engines_of(const char *json, unsigned n_empty)
{
	json_t *report = json_load_file(json, 0, NULL), *engines, *part;
	char *text;

	assert_non_null(report);
	engines = json_object_get(report, "engines");
	subtract(json_array_get(engines, 0), "batches", n_empty);
	subtract(json_array_get(engines, 0), "switches", n_empty);
	part = json_pack("{s:O, s:O, s:O}", "elapsed_ns",
	    json_object_get(report, "elapsed_ns"), "hangs",
	    json_object_get(report, "hangs"), "engines", engines);
	text = json_dumps(part, JSON_INDENT(1));
	json_decref(part);
	json_decref(report);
	return text;
}

static void
expect_same_engines(const char *name)
{
	char *got = engines_of("v.json", wsim_questions()),
	     *expected = engines_of("m.json", 0);

	if (strcmp(got, expected) != 0)
		fail_msg("%s: %s\nnot: %s", name, got, expected);
	free(got);
	free(expected);
}

void
wsim_compare(const char *profile, const char *path, const char *clients,
    const char *scheduler, enum artefact artefact)
{
	const char *const virtual[] = {"-q", "--virtual-time", "--privileged",
	    profile, scheduler, "--requests=v.tsv", "--json=v.json", GEM_WSIM,
	    "-I", "1", "-r", repeat, "-c", clients, "-w", path, NULL};
	/* Programs may raise priorities whoever runs the tests. -q,
	 * --virtual-time, --privileged and the program are gpuwl-run's. */
	const char *const ours[] = {"-q", "--virtual-time", "--privileged",
	    profile, scheduler, top_name, "-b", "-D",
	    "pci:", "--requests=m.tsv", "--json=m.json", "-I", "1", "-r",
	    repeat, "-c", clients, "-w", path, NULL};
	const char *const model[] = {"-b", profile, scheduler,
	    "--requests=m.tsv", "--json=m.json", "-I", "1", "-r", repeat, "-c",
	    clients, "-w", path, NULL};
	double most = artefact == SATURATED ? SATURATED_MOST : FIGURE_MOST;
	struct rows v, m;
	double got, expected;

	need_gem_wsim();
	setenv("GPUWL_TOP", run_name, 1);
	if (!wsim_can_run(path))
		return;
	/* The empty batch of gem_wsim 2.0 takes time: requests are later. */
	if (wsim_questions() > 0 && strcmp(profile, IDEAL) != 0 &&
	    artefact < REWRITES) {
		wsim_leave_out();
		artefact = REWRITES;
	}
	got = run_one(run_name, virtual);
	expected = ours_on_device ? run_one(run_name, ours)
				  : run_one(top_name, model);
	v = read_rows("v.tsv");
	m = read_rows("m.tsv");
	expect_same(path, &v, &m, artefact);
	if (artefact == ORDER || artefact == ROOM)
		expect_order(path, &v, &m, artefact);
	/* Waking up after the last request takes time. */
	if (artefact == EXACT && v.n_open == 0 && strcmp(profile, IDEAL) == 0)
		expect_same_engines(path);
	/* Its end is its last submission of each engine, which matters only in
	 * a short run. */
	if (v.n_open == 0 &&
	    (got < (1 - most) * expected || got > (1 + most) * expected))
		fail_msg("%s, -c %s: %.3f, not %.3f workloads/s", path, clients,
		    got, expected);
	free(v.list);
	free(m.list);
}

void
wsim_compare_model(const char *profile, const char *path, const char *clients)
{
	const char *const device[] = {"-q", "--virtual-time", "--privileged",
	    profile, top_name, "-b", "-D", "pci:", "-r", repeat, "-c", clients,
	    "-w", path, NULL};
	const char *const model[] = {
	    "-b", profile, "-r", repeat, "-c", clients, "-w", path, NULL};
	double got = run_one(run_name, device),
	       expected = run_one(top_name, model);

	if (got < (1 - FIGURE_MOST) * expected ||
	    got > (1 + FIGURE_MOST) * expected)
		fail_msg("%s, %s, -c %s: %.3f, not %.3f workloads/s", path,
		    profile, clients, got, expected);
}

/* Published descriptors that are not EXACT, and for how many clients. 200
 * iterations (WSIM_REPEAT) have the same table; their figures differ by 0.55 % at
 * most, but for SATURATED. */
static const struct {
	const char *file;
	enum artefact artefact;
	int from, to;
} published[] = {
    {"composited-ui.wsim", DRIFT, 1, 1},
    {"composited-ui.wsim", ORDER, 2, 8},
    {"frame-split-60fps.wsim", ORDER, 2, 2},
    /* No step waits, so with many clients batches are queued for long, and
     * take durations of later iterations: with 8 clients the figure of 200
     * iterations is 5.55 % lower. With one duration each it is the same. */
    {"media-1080p-player.wsim", SATURATED, 4, 8},
    /* Batches on RCS of one iteration are queued when the next begins. */
    {"media_1n5_480p.wsim", REWRITES, 1, 8},
    {"media_mfe2_480p.wsim", REWRITES, 1, 8},
};

/* Descriptors of these that are queued for longer where others preempt them: the
 * figures of some 20 iterations differ by up to 3 %. */
static const char *const preempted[] = {
    "media_1n2_480p.wsim",
    "media_1n4_480p.wsim",
    "media_1n5_480p.wsim",
};

const char *const wsim_published[] = {"carchasepart.wsim", "composited-ui.wsim",
    "frame-split-60fps.wsim", "high-composited-game.wsim",
    "media-1080p-player.wsim", "media_17i7.wsim", "media_19.wsim",
    "media_1n2_480p.wsim", "media_1n3_asy.wsim", "media_1n4_480p.wsim",
    "media_1n5_480p.wsim", "media_load_balance_19.wsim",
    "media_load_balance_4k12u7.wsim", "media_load_balance_hd01.wsim",
    "media_load_balance_hd12.wsim", "media_mfe2_480p.wsim",
    "media_nn_1080p_s2.wsim", "media_nn_480p.wsim", "vcs1.wsim",
    "vcs_balanced.wsim", NULL};

enum artefact
wsim_artefact(const char *file, int clients, const char *scheduler)
{
	if (strcmp(scheduler, EXECLISTS) == 0)
		for (size_t i = 0; i < sizeof preempted / sizeof *preempted;
		     i++)
			if (strcmp(preempted[i], file) == 0)
				return SATURATED;
	for (size_t i = 0; i < sizeof published / sizeof *published; i++)
		if (strcmp(published[i].file, file) == 0 &&
		    clients >= published[i].from && clients <= published[i].to)
			return published[i].artefact;
	return EXACT;
}

const char *
wsim_path(const char *file)
{
	char path[64];

	if (shared_path("wsim") == NULL)
		skip_test(NO_SHARED_DATA);
	snprintf(path, sizeof path, "wsim/%s", file);
	return shared_path(path);
}

void
wsim_fix_ranges(const char *path, const char *to)
{
	char *text = read_whole(path, NULL);
	FILE *f = fopen(to, "w");

	assert_non_null(f);
	for (const char *p = text; *p != '\0'; p++) {
		int digits = 0;

		/* gem_wsim 1.27.1 knows no comments. */
		if (*p == '#' && (p == text || p[-1] == '\n')) {
			p += strcspn(p, "\n");
			if (*p == '\0')
				break;
			continue;
		}
		putc(*p, f);
		if (*p == '.' && sscanf(p, ".%*u-%n", &digits) == 0 &&
		    digits > 0 && p[digits] >= '0' && p[digits] <= '9')
			p += digits - 1;
	}
	fclose(f);
	free(text);
}

/* gpuwl-run is beside the program that is tested. */
int
wsim_find_both(void **state)
{
	const char *iterations = getenv("WSIM_REPEAT");
	char *real = realpath(test_program(), NULL);

	(void)state;
	assert_non_null(real);
	snprintf(top_name, sizeof top_name, "%s", real);
	snprintf(run_name, sizeof run_name, "%.*s/gpuwl-run",
	    (int)(strrchr(real, '/') - real), real);
	free(real);
	if (iterations != NULL)
		repeat = iterations;
	enter_test_folder();
	use_own_devices();
	return 0;
}
