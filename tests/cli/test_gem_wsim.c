/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode beside the real gem_wsim: the figures that it prints on a virtual clock for its
 * own descriptors. They are not part of this tree: where they are absent ($GPUWL_SHARED, else
 * ../shared) the test is skipped.
 */
#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define N_BUSY 5

static const struct figure {
	const char *name;
	int clients, repeat;
	const char *line;
	double busy[N_BUSY]; /* RCS BCS VCS1 VCS2 VECS, per cent */
	int missed;
} figures[] = {
    {"carchasepart", 1, 20, "22.970s elapsed (0.871 workloads/s)\n",
	{99.9, 0.0, 0.0, 0.0, 0.0}, 0},
    {"carchasepart", 4, 20, "91.804s elapsed (0.871 workloads/s)\n",
	{100.0, 0.0, 0.0, 0.0, 0.0}, 0},
    {"frame-split-60fps", 1, 200, "3.333s elapsed (59.999 workloads/s)\n",
	{18.1, 6.0, 29.7, 29.7, 12.0}, 0},
    {"frame-split-60fps", 4, 200, "4.009s elapsed (199.531 workloads/s)\n",
	{59.9, 20.0, 99.8, 99.8, 39.9}, 794},
    {"high-composited-game", 1, 200, "3.333s elapsed (59.999 workloads/s)\n",
	{87.0, 6.0, 0.0, 0.0, 0.0}, 0},
    {"high-composited-game", 4, 200, "11.600s elapsed (68.966 workloads/s)\n",
	{100.0, 6.9, 0.0, 0.0, 0.0}, 800},
    {"media_17i7", 1, 200, "3.060s elapsed (65.359 workloads/s)\n",
	{68.0, 0.0, 19.6, 19.0, 0.0}, 0},
    {"media_17i7", 4, 200, "8.324s elapsed (96.112 workloads/s)\n",
	{100.0, 0.0, 28.8, 27.9, 0.0}, 0},
    {"media_19", 1, 200, "1.731s elapsed (115.540 workloads/s)\n",
	{32.9, 0.0, 29.0, 4.6, 33.5}, 0},
    {"media_19", 4, 200, "2.325s elapsed (344.062 workloads/s)\n",
	{97.7, 0.0, 85.7, 13.7, 99.8}, 0},
    {"media_1n2_480p", 1, 200, "8.820s elapsed (22.676 workloads/s)\n",
	{62.7, 0.0, 44.1, 0.0, 0.0}, 0},
    {"media_1n2_480p", 4, 200, "22.148s elapsed (36.121 workloads/s)\n",
	{99.9, 0.0, 40.7, 30.0, 0.0}, 0},
    /* Batches of an engine that is not in the balanced map: on a VCS. For the
     * second one the tool's own rate is up to 0.2 % lower, as it draws
     * durations anew for batches that are still queued. */
    {"media_nn_480p", 1, 200, "6.048s elapsed (33.070 workloads/s)\n",
	{5.3, 0.0, 94.7, 0.0, 0.0}, 0},
    {"media_1n5_480p", 1, 200, "11.337s elapsed (17.642 workloads/s)\n",
	{97.6, 0.0, 42.9, 31.7, 0.0}, 0},
    {"media_load_balance_19", 1, 200, "1.731s elapsed (115.540 workloads/s)\n",
	{32.9, 0.0, 33.6, 0.0, 33.5}, 0},
    {"media_load_balance_19", 4, 200, "2.325s elapsed (344.062 workloads/s)\n",
	{97.7, 0.0, 49.6, 49.9, 99.8}, 0},
    {"media_load_balance_4k12u7", 1, 200,
	"1.935s elapsed (103.347 workloads/s)\n", {27.6, 0.0, 72.4, 0.0, 0.0},
	0},
    {"media_load_balance_4k12u7", 4, 200,
	"2.943s elapsed (271.797 workloads/s)\n", {72.3, 0.0, 100.0, 90.1, 0.0},
	0},
    {"media_load_balance_hd12", 1, 200,
	"0.393s elapsed (509.459 workloads/s)\n", {37.4, 0.0, 62.5, 0.0, 0.0},
	0},
    {"media_load_balance_hd12", 4, 200,
	"0.598s elapsed (1338.572 workloads/s)\n", {99.8, 0.0, 82.7, 81.6, 0.0},
	0},
    {"vcs_balanced", 1, 200, "6.264s elapsed (31.927 workloads/s)\n",
	{0.0, 0.0, 100.0, 0.0, 0.0}, 0},
    {"vcs_balanced", 4, 200, "12.566s elapsed (63.665 workloads/s)\n",
	{0.0, 0.0, 100.0, 99.6, 0.0}, 0},
};

/* "VECS" means all engines of the class, other names one engine. */
static double
busy_of(json_t *o, const char *name)
{
	double busy = 0;
	size_t i;
	json_t *e;

	json_array_foreach(json_object_get(o, "engines"), i, e)
	{
		const char *s = json_string_value(json_object_get(e, "name"));

		if (strncmp(s, name, strlen(name)) == 0)
			busy += (double)json_integer_value(
			    json_object_get(e, "busy_ns"));
	}
	return 100 * busy /
	    (double)json_integer_value(json_object_get(o, "elapsed_ns"));
}

static int
missed_of(json_t *o)
{
	json_int_t n = 0;
	size_t i;
	json_t *c;

	json_array_foreach(json_object_get(o, "clients"), i, c)
	    n += json_integer_value(
		json_object_get(json_object_get(c, "period"), "missed"));
	return (int)n;
}

/* Warnings come before it. */
static bool
ends_with(const char *s, const char *end)
{
	size_t len = strlen(s), n = strlen(end);

	return len >= n && strcmp(s + len - n, end) == 0;
}

static void
check_figure(const struct figure *f, const char *profile)
{
	static const char *const engines[N_BUSY] = {
	    "RCS", "BCS", "VCS1", "VCS2", "VECS"};
	char file[64], clients[16], repeat[16];
	struct outcome r;
	json_t *o;

	snprintf(file, sizeof(file), "wsim/%s.wsim", f->name);
	snprintf(clients, sizeof(clients), "%d", f->clients);
	snprintf(repeat, sizeof(repeat), "%d", f->repeat);
	RUN(&r, "-b", "-I", "1", "--scheduler=fifo", "--profile", profile,
	    "--json", "-c", clients, "-r", repeat, "-w", shared_path(file));
	if (!ends_with(r.err, f->line))
		fail_msg("%s -c %d: %s", f->name, f->clients, r.err);
	o = json_loads(r.out, 0, NULL);
	for (size_t i = 0; i < N_BUSY; i++) {
		double busy = busy_of(o, engines[i]);

		if (fabs(busy - f->busy[i]) > 0.1)
			fail_msg("%s -c %d: %s is %.2f %% busy, not %.1f",
			    f->name, f->clients, engines[i], busy, f->busy[i]);
	}
	assert_int_equal(missed_of(o), f->missed);
	json_decref(o);
	outcome_free(&r);
}

TEST(figures)
{
	if (shared_path("wsim") == NULL)
		skip_test(NO_SHARED_DATA);
	for (size_t i = 0; i < sizeof(figures) / sizeof(figures[0]); i++)
		check_figure(&figures[i], "ideal");
}
