/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive model against the figures of the real gem_wsim on a virtual clock
 * (facts on gem_wsim, section 7): -I 1, -r 200 (carchasepart 20), engines RCS
 * BCS VCS1 VCS2 VECS. The descriptors are not part of this tree: where they
 * are absent ($GPUWL_SHARED, else ../shared) the test is skipped.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/naive/naive.h"
#include "tests/runner/test.h"

#define N_BUSY 5

static const struct figure {
	const char *name;
	unsigned clients;
	unsigned repeat;
	const char *rate, *elapsed;
	double busy[N_BUSY]; /* %: RCS BCS VCS1 VCS2 VECS */
	unsigned missed;
} figures[] = {
    {"carchasepart", 1, 20, "0.871", "22.970", {99.9, 0.0, 0.0, 0.0, 0.0}, 0},
    {"carchasepart", 4, 20, "0.871", "91.804", {100.0, 0.0, 0.0, 0.0, 0.0}, 0},
    {"frame-split-60fps", 1, 200, "59.999", "3.333",
	{18.1, 6.0, 29.7, 29.7, 12.0}, 0},
    {"frame-split-60fps", 4, 200, "199.531", "4.009",
	{59.9, 20.0, 99.8, 99.8, 39.9}, 794},
    {"high-composited-game", 1, 200, "59.999", "3.333",
	{87.0, 6.0, 0.0, 0.0, 0.0}, 0},
    {"high-composited-game", 4, 200, "68.966", "11.600",
	{100.0, 6.9, 0.0, 0.0, 0.0}, 800},
    {"media_17i7", 1, 200, "65.359", "3.060", {68.0, 0.0, 19.6, 19.0, 0.0}, 0},
    {"media_17i7", 4, 200, "96.112", "8.324", {100.0, 0.0, 28.8, 27.9, 0.0}, 0},
    {"media_19", 1, 200, "115.540", "1.731", {32.9, 0.0, 29.0, 4.6, 33.5}, 0},
    {"media_19", 4, 200, "344.062", "2.325", {97.7, 0.0, 85.7, 13.7, 99.8}, 0},
    {"media_1n2_480p", 1, 200, "22.676", "8.820", {62.7, 0.0, 44.1, 0.0, 0.0},
	0},
    {"media_1n2_480p", 4, 200, "36.121", "22.148", {99.9, 0.0, 40.7, 30.0, 0.0},
	0},
    {"media_load_balance_19", 1, 200, "115.540", "1.731",
	{32.9, 0.0, 33.6, 0.0, 33.5}, 0},
    {"media_load_balance_19", 4, 200, "344.062", "2.325",
	{97.7, 0.0, 49.6, 49.9, 99.8}, 0},
    {"media_load_balance_4k12u7", 1, 200, "103.347", "1.935",
	{27.6, 0.0, 72.4, 0.0, 0.0}, 0},
    {"media_load_balance_4k12u7", 4, 200, "271.797", "2.943",
	{72.3, 0.0, 100.0, 90.1, 0.0}, 0},
    {"media_load_balance_hd12", 1, 200, "509.459", "0.393",
	{37.4, 0.0, 62.5, 0.0, 0.0}, 0},
    {"media_load_balance_hd12", 4, 200, "1338.572", "0.598",
	{99.8, 0.0, 82.7, 81.6, 0.0}, 0},
    {"vcs_balanced", 1, 200, "31.927", "6.264", {0.0, 0.0, 100.0, 0.0, 0.0}, 0},
    {"vcs_balanced", 4, 200, "63.665", "12.566", {0.0, 0.0, 100.0, 99.6, 0.0},
	0},
};

static bool
read_descriptor(const char *name, struct text *out)
{
	const char *shared = getenv("GPUWL_SHARED");
	struct text path = {0};
	char buffer[4096];
	size_t n;
	FILE *f;

	text_addf(&path, "%s/wsim/%s.wsim",
	    shared != NULL ? shared : "../shared", name);
	f = fopen(text_str(&path), "r");
	text_free(&path);
	if (f == NULL)
		return false;
	while ((n = fread(buffer, 1, sizeof buffer, f)) > 0)
		text_add(out, buffer, n);
	fclose(f);
	return true;
}

static void
configure(struct naive_config *config, const struct figure *figure)
{
	naive_config_ideal(config);
	config->n_engines[CLASS_VECS] = 1;
	config->n_engines[CLASS_CCS] = 0;
	config->seed = 1;
	config->n_workloads = 1;
	config->n_jobs = figure->clients;
	for (unsigned i = 0; i < figure->clients; i++)
		config->jobs[i].repeat = figure->repeat;
}

/* Busy is held to 0.1 %: the last batch of a run is not in all of the figures,
 * which shows in the last digit of a short run. */
static bool
check_busy(const struct figure *figure, const struct naive_result *result)
{
	bool good = true;

	for (unsigned e = 0; e < N_BUSY; e++) {
		double is = 100.0 * (double)result->engines[e].busy /
		    (double)result->elapsed;

		if (fabs(is - figure->busy[e]) <= 0.1)
			continue;
		print_error("%s -c %u: %s busy is %.2f, should be %.1f\n",
		    figure->name, figure->clients, result->engines[e].name, is,
		    figure->busy[e]);
		good = false;
	}
	return good;
}

/* The others to all digits. */
static bool
check_rest(const struct figure *figure, const struct naive_result *result)
{
	double seconds = (double)result->elapsed / (double)NSEC_PER_SEC;
	struct text is = {0}, should = {0};
	uint64_t missed = 0;
	bool good;

	for (unsigned i = 0; i < figure->clients; i++)
		missed += result->clients[i].missed;
	text_addf(&is, "%.3f/s %.3f s %llu missed",
	    figure->clients * figure->repeat / seconds, seconds,
	    (unsigned long long)missed);
	text_addf(&should, "%s/s %s s %u missed", figure->rate, figure->elapsed,
	    figure->missed);
	good = strcmp(text_str(&is), text_str(&should)) == 0;
	if (!good)
		print_error("%s -c %u: is %s, should be %s\n", figure->name,
		    figure->clients, text_str(&is), text_str(&should));
	text_free(&is);
	text_free(&should);
	return good;
}

static bool
check_figure(const struct figure *figure, const struct document *doc)
{
	struct naive_config config;
	struct naive_result result;
	bool good;

	configure(&config, figure);
	naive_workload_init(&config.workloads[0], &doc, 1);
	assert_true(naive_run(&config, &result));
	assert_false(result.deadlock);
	good = check_busy(figure, &result);
	good = check_rest(figure, &result) && good;
	naive_result_clear(&result);
	naive_workload_clear(&config.workloads[0]);
	return good;
}

TEST(figures)
{
	unsigned n_bad = 0;

	for (unsigned i = 0; i < sizeof figures / sizeof *figures; i++) {
		const struct figure *figure = &figures[i];
		struct text text = {0};
		struct document *doc;

		if (!read_descriptor(figure->name, &text)) {
			text_free(&text);
			skip_test(NO_SHARED_DATA);
		}
		doc = document_parse(
		    figure->name, text_str(&text), text.len, SOURCE_FILE);
		assert_true(document_is_valid(doc));
		n_bad += !check_figure(figure, doc);
		document_free(doc);
		text_free(&text);
	}
	assert_int_equal(n_bad, 0);
}
