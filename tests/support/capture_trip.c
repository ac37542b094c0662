/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Round trips of descriptors through gem_wsim and --capture (capture_trip.h).
 * CAPTURE_FIGURES prints the figures of all.
 */
#include "tests/support/capture_trip.h"

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <unistd.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"
#include "tests/support/shape.h"
#include "tests/support/wsim_version.h"

static char run_name[4096], top_name[4096];

const char *const capture_published[] = {"carchasepart.wsim",
    "composited-ui.wsim", "frame-split-60fps.wsim", "high-composited-game.wsim",
    "media-1080p-player.wsim", "media_17i7.wsim", "media_19.wsim",
    "media_1n2_480p.wsim", "media_1n3_asy.wsim", "media_1n4_480p.wsim",
    "media_1n5_480p.wsim", "media_load_balance_19.wsim",
    "media_load_balance_4k12u7.wsim", "media_load_balance_hd01.wsim",
    "media_load_balance_hd12.wsim", "media_mfe2_480p.wsim",
    "media_nn_1080p_s2.wsim", "media_nn_480p.wsim", "vcs1.wsim",
    "vcs_balanced.wsim", NULL};

/* Shapes */

static struct program *
compile_file(const char *path, const struct capture_setting *with)
{
	char *text = read_whole(path, NULL);
	struct document *doc = document_parse(
	    path, text, strlen(text), SOURCE_FILE);
	const struct document *docs[] = {doc};
	struct diag_list diags = {0};
	struct text err = {0};
	struct profile profile;
	struct device dev;
	struct program *p;

	assert_true(profile_load(&profile, with->profile, &err));
	device_init(&dev, &profile);
	p = program_compile(docs, 1, &dev,
	    &(struct program_options){.duration_scale = 1,
		.delay_scale = 1,
		.all_slices = device_all_slices(&dev)},
	    &diags);
	assert_non_null(p);
	diag_list_free(&diags);
	document_free(doc);
	text_free(&err);
	free(text);
	return p;
}

static void
take_shape(
    struct shape *shape, const char *path, const struct capture_setting *with)
{
	struct program *p = compile_file(path, with);

	shape_take(shape, p);
	program_free(p);
}

/* Values come back; a range is in the one that was drawn from. */
static bool
holds(const struct duration *drawn_from, const struct duration *got)
{
	return drawn_from->infinite ? got->infinite
				    : got->min_us >= drawn_from->min_us &&
		got->max_us <= drawn_from->max_us;
}

static void
print_first_difference(const char *name, const char *got, const char *expected)
{
	size_t at = 0, line = 0;

	while (got[at] != '\0' && got[at] == expected[at])
		if (got[at++] == '\n')
			line = at;
	print_error("%s: got\n%.*s\nnot\n%.*s\n", name,
	    (int)strcspn(got + line, "\n"), got + line,
	    (int)strcspn(expected + line, "\n"), expected + line);
}

static unsigned
compare_shapes(
    const char *name, const struct shape *got, const struct shape *expected)
{
	if (strcmp(text_str(&got->text), text_str(&expected->text)) != 0) {
		print_first_difference(
		    name, text_str(&got->text), text_str(&expected->text));
		return CAPTURE_SHAPE;
	}
	for (unsigned i = 0; i < got->n_durations; i++) {
		if (holds(&expected->durations[i], &got->durations[i]))
			continue;
		print_error("%s: duration %u is %llu-%llu, not %llu-%llu\n",
		    name, i, (unsigned long long)got->durations[i].min_us,
		    (unsigned long long)got->durations[i].max_us,
		    (unsigned long long)expected->durations[i].min_us,
		    (unsigned long long)expected->durations[i].max_us);
		return CAPTURE_SHAPE;
	}
	for (unsigned i = 0; i < got->n_sleeps; i++) {
		if (got->sleeps_us[i] == expected->sleeps_us[i])
			continue;
		print_error("%s: sleep %u is %llu us, not %llu\n", name, i,
		    (unsigned long long)got->sleeps_us[i],
		    (unsigned long long)expected->sleeps_us[i]);
		return CAPTURE_SLEEPS;
	}
	return 0;
}

/* A range holds what was drawn: its comment has that. */
static void
expect_drawn(const char *name, const char *path)
{
	char *file = read_whole(path, NULL), *line, *rest = file;
	unsigned long long least = 0, most = 0, min, max;

	while ((line = strsep(&rest, "\n")) != NULL) {
		const char *range = strchr(line, '-');

		if (sscanf(line, "# %llu-%llu us:", &least, &most) == 2)
			continue;
		while (range != NULL && range > line && range[-1] != '.')
			range--;
		if (*line != '#' && least > 0 && range != NULL &&
		    sscanf(range, "%llu-%llu", &min, &max) == 2 &&
		    (min > least || max < most))
			print_message("%s: %s: %llu-%llu were drawn\n", name,
			    line, least, most);
		least = most = 0;
	}
	free(file);
}

/* Figures */

/* A request of a file of them. */
struct row {
	unsigned client, context;
	char engine[8];
	double submit, start, end, run;
};

struct figures {
	struct row *rows;
	size_t n, cap;
	double elapsed, rate, frame;
};

static int
compare_rows(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	if (x->client != y->client)
		return x->client < y->client ? -1 : 1;
	if (x->context != y->context)
		return x->context < y->context ? -1 : 1;
	return (x->start > y->start) - (x->start < y->start);
}

static int
compare_doubles(const void *a, const void *b)
{
	const double *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

/* The median time from a request's start to that of the next iteration. */
static double
median_frame(const struct figures *f, size_t n_iterations)
{
	double *frames = mem_calloc(f->n + 1, sizeof(*frames)), median;
	size_t n = 0, end;

	for (size_t i = 0; i < f->n; i = end) {
		size_t frame;

		for (end = i; end < f->n &&
		     f->rows[end].client == f->rows[i].client &&
		     f->rows[end].context == f->rows[i].context;)
			end++;
		frame = (end - i + n_iterations / 2) / n_iterations;
		if (frame == 0)
			continue;
		for (size_t k = i + frame; k < end; k++)
			frames[n++] = f->rows[k].start -
			    f->rows[k - frame].start;
	}
	qsort(frames, n, sizeof(*frames), compare_doubles);
	median = frames[n / 2];
	free(frames);
	return median;
}

static void
figures_take(
    struct figures *f, const char *path, const struct capture_setting *with)
{
	char *file = read_whole(path, NULL), *line, *rest = file;
	double first = INFINITY, last = 0;

	*f = (struct figures){0};
	while ((line = strsep(&rest, "\n")) != NULL) {
		const char *contents = strrchr(line, '\t');
		struct row r;

		/* With it gem_wsim 2.0 asks for addresses: not captured. */
		if (contents != NULL && strcmp(contents, "\tempty") == 0)
			continue;
		if (sscanf(line, "%u %*u %*u %u %7s %lf %*f %lf %lf %lf",
			&r.client, &r.context, r.engine, &r.submit, &r.start,
			&r.end, &r.run) != 7)
			continue;
		f->rows = mem_grow(f->rows, f->n, &f->cap, sizeof(*f->rows));
		f->rows[f->n++] = r;
		first = fmin(first, r.submit);
		last = fmax(last, r.end);
	}
	assert_true(f->n > 0);
	qsort(f->rows, f->n, sizeof(*f->rows), compare_rows);
	f->elapsed = last - first;
	f->rate = (double)f->n / f->elapsed;
	f->frame = median_frame(f, (size_t)atoi(with->iterations));
	free(file);
}

static double
busy_of(const struct figures *f, const char *engine)
{
	double sum = 0;

	for (size_t i = 0; i < f->n; i++)
		if (strcmp(f->rows[i].engine, engine) == 0)
			sum += f->rows[i].run;
	return 100 * sum / f->elapsed;
}

/* The largest difference in points. VCS1 and VCS2 may change places: which of two
 * equal engines gets more may depend on the first random durations. */
static double
busy_difference(const struct figures *a, const struct figures *b)
{
	static const char *const engines[] = {"RCS", "BCS", "VECS1", "CCS1"};
	double vcs[2][2], worst = 0;

	for (size_t i = 0; i < sizeof(engines) / sizeof(*engines); i++)
		worst = fmax(worst,
		    fabs(busy_of(a, engines[i]) - busy_of(b, engines[i])));
	for (unsigned i = 0; i < 2; i++) {
		double one = busy_of(i == 0 ? a : b, "VCS1");
		double two = busy_of(i == 0 ? a : b, "VCS2");

		vcs[i][0] = fmin(one, two);
		vcs[i][1] = fmax(one, two);
	}
	worst = fmax(worst, fabs(vcs[0][0] - vcs[1][0]));
	return fmax(worst, fabs(vcs[0][1] - vcs[1][1]));
}

static unsigned
compare_figures(const char *name, const struct capture_setting *with)
{
	struct figures before, after;
	double busy, rate, frame;

	figures_take(&before, "before.tsv", with);
	figures_take(&after, "after.tsv", with);
	busy = busy_difference(&before, &after);
	rate = 100 * fabs(after.rate / before.rate - 1);
	frame = 100 * fabs(after.frame / before.frame - 1);
	free(before.rows);
	free(after.rows);
	if (getenv("CAPTURE_FIGURES") != NULL || busy > 1 || rate > 1 ||
	    frame > 2)
		print_message("%s %s -c %s: busy %.2f points, rate %.2f %%, "
			      "frame %.2f %%\n",
		    name, with->sched, with->clones, busy, rate, frame);
	return busy > 1 || rate > 1 || frame > 2 ? CAPTURE_FIGURES : 0;
}

/* Runs */

static void
run_one(const char *program, const char *const *args, struct outcome *r)
{
	setenv("GPUWL_TOP", program, 1);
	run_program(r, args);
	if (r->status != 0 || strstr(r->err, "CRITICAL") != NULL)
		fail_msg("status %d: %s", r->status, r->err);
}

/* Runs the command that the capture names. */
static void
run_captured(const char *said)
{
	const char *args[MAX_ARGS] = {"--requests=after.tsv", "-q"};
	char command[1024], *word, *rest = command;
	const char *from = strstr(said, "captured: gpuwl-top ");
	struct outcome r;
	unsigned n = 2;

	assert_non_null(from);
	snprintf(command, sizeof(command), "%s", strchr(from + 10, ' ') + 1);
	command[strcspn(command, "\n")] = '\0';
	while ((word = strsep(&rest, " ")) != NULL && n < MAX_ARGS - 1) {
		if (*word == '\'') {
			word++;
			word[strlen(word) - 1] = '\0';
		}
		args[n++] = word;
	}
	run_one(top_name, args, &r);
	outcome_free(&r);
}

static void
unlink_captures(void)
{
	unlink("x.wsim");
	unlink("x-2.wsim");
}

unsigned
capture_trip(
    const char *name, const char *path, const struct capture_setting *with)
{
	char profile[64], sched[64];
	const char *const args[] = {"--virtual-time", "--privileged", profile,
	    sched, "--capture=x.wsim", "--requests=before.tsv", GEM_WSIM, "-I",
	    "1", "-r", with->iterations, "-c", with->clones, "-w", path, NULL};
	struct shape got, expected;
	unsigned differences = 0;
	struct outcome r;

	snprintf(profile, sizeof(profile), "--profile=%s", with->profile);
	snprintf(sched, sizeof(sched), "--scheduler=%s", with->sched);
	unlink_captures();
	run_one(run_name, args, &r);
	take_shape(&expected, path, with);
	take_shape(&got, "x.wsim", with);
	if (!with->any_steps)
		differences |= compare_shapes(name, &got, &expected);
	shape_free(&got);
	expect_drawn(name, "x.wsim");
	if (access("x-2.wsim", R_OK) == 0) {
		differences |= CAPTURE_SEPARATE;
		take_shape(&got, "x-2.wsim", with);
		differences |= compare_shapes(name, &got, &expected);
		shape_free(&got);
	}
	shape_free(&expected);
	if (with->measured) {
		run_captured(r.err);
		differences |= compare_figures(name, with);
	}
	outcome_free(&r);
	unlink_captures();
	return differences;
}

static unsigned
allowed_differences(const char *name, const struct capture_setting *with,
    const struct capture_exception *exceptions, size_t n)
{
	unsigned differences = 0;

	for (size_t i = 0; i < n; i++) {
		const struct capture_exception *e = &exceptions[i];

		if (strcmp(e->name, name) == 0 &&
		    (e->sched == NULL || strcmp(e->sched, with->sched) == 0) &&
		    (e->clones == NULL || strcmp(e->clones, with->clones) == 0))
			differences |= e->differences;
	}
	return differences;
}

unsigned
capture_trips(const char *name, const char *path,
    const struct capture_setting *settings, size_t n,
    const struct capture_exception *exceptions, size_t n_exceptions)
{
	unsigned failed = 0;

	setenv("GPUWL_TOP", run_name, 1);
	if (!wsim_can_run(path))
		return 0;
	for (size_t i = 0; i < n; i++) {
		unsigned got = capture_trip(name, path, &settings[i]);
		unsigned allowed = allowed_differences(
		    name, &settings[i], exceptions, n_exceptions);

		if ((got & ~allowed) == 0)
			continue;
		print_error("%s, %s %s -c %s: differences %#x\n", name,
		    settings[i].profile, settings[i].sched, settings[i].clones,
		    got);
		failed++;
	}
	return failed;
}

/* True if gem_wsim does not know all of its steps; or_fails: or makes calls that
 * fail. */
bool
capture_is_refused(const char *name, bool or_fails)
{
	struct outcome r;
	bool refused;

	setenv("GPUWL_TOP", run_name, 1);
	if (!wsim_can_run(name))
		return true;
	RUN(&r, "-q", "--virtual-time", "--privileged", GEM_WSIM, "-r", "1",
	    "-w", name);
	refused = strstr(r.err, "Invalid ") != NULL ||
	    (or_fails && strstr(r.err, "CRITICAL") != NULL);
	outcome_free(&r);
	return refused;
}

/* gpuwl-run is beside the program that is tested. */
int
capture_setup(void **state)
{
	const char *shared = getenv("GPUWL_SHARED");
	char *real = realpath(test_program(), NULL);
	char *data = realpath(shared ? shared : "../shared", NULL);

	(void)state;
	assert_non_null(real);
	snprintf(top_name, sizeof(top_name), "%s", real);
	snprintf(run_name, sizeof(run_name), "%.*s/gpuwl-run",
	    (int)(strrchr(real, '/') - real), real);
	if (data != NULL)
		setenv("GPUWL_SHARED", data, 1);
	free(real);
	free(data);
	enter_test_folder();
	use_own_devices();
	return 0;
}
