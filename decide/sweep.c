/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The axes of a sweep, the options of each of its rows, and its lines. */
#include "decide/sweep.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/text.h"
#include "decide/variant.h"
#include "engine/profile.h"
#include "run/options.h"

/* Options that can be varied, by their long names. */
static const char *const sweep_options[] = {"clients", "seed", "scheduler",
    "profile", "repeat", "scale-durations", "scale-delays", "mix"};

#define N_SWEEP_OPTIONS (sizeof sweep_options / sizeof *sweep_options)

static bool
is_sweep_option(const char *key)
{
	for (size_t i = 0; i < N_SWEEP_OPTIONS; i++)
		if (strcmp(sweep_options[i], key) == 0)
			return true;
	return false;
}

/* Returns the knob SECTION.NAME; NULL: there is none. */
static const struct knob *
find_knob_of(const char *key, unsigned *value)
{
	const char *dot = strchr(key, '.');
	const struct knob *knob;
	char *section;

	if (dot == NULL)
		return NULL;
	section = mem_strndup(key, (size_t)(dot - key));
	knob = knob_find(section, dot + 1, value);
	free(section);
	return knob;
}

static bool
refuse_key(const char *key, struct text *err)
{
	struct near like = {0};
	struct text expected = {0};

	text_adds(err, "invalid key '");
	text_add_visible(err, key, strlen(key));
	text_adds(err, "': expected ");
	for (size_t i = 0; i < N_SWEEP_OPTIONS; i++)
		near_add(&like, sweep_options[i], strlen(sweep_options[i]));
	near_print(&like, &expected);
	text_add(err, text_str(&expected), expected.len);
	text_adds(err,
	    ", or a knob of the profile, SECTION.NAME, e.g. "
	    "scheduling.timeslice_us");
	text_free(&expected);
	near_free(&like);
	return false;
}

bool
sweep_has(const struct sweep *s, const char *key)
{
	for (size_t i = 0; i < s->n; i++)
		if (strcmp(s->axes[i].key, key) == 0)
			return true;
	return false;
}

static bool
check_axis(struct sweep *s, const struct sweep_axis *axis, struct text *err)
{
	unsigned value;

	if (!is_sweep_option(axis->key) &&
	    find_knob_of(axis->key, &value) == NULL)
		return refuse_key(axis->key, err);
	if (sweep_has(s, axis->key)) {
		text_addf(err,
		    "'%s' is varied twice: expected one list, e.g. "
		    "%s=1,2,4",
		    axis->key, axis->key);
		return false;
	}
	if (axis->values.n <= SWEEP_MAX_ROWS / sweep_n_rows(s))
		return true;
	text_adds(err, "too many combinations: expected at most 10000000");
	return false;
}

bool
sweep_add(struct sweep *s, const char *axis, struct text *err)
{
	const char *equals = strchr(axis, '=');
	struct sweep_axis added = {0};
	bool ok;

	if (equals == NULL) {
		text_adds(err, "invalid value '");
		text_add_visible(err, axis, strlen(axis));
		text_adds(err, "': expected KEY=VALUES, e.g. clients=1..8");
		return false;
	}
	added.key = mem_strndup(axis, (size_t)(equals - axis));
	added.is_knob = !is_sweep_option(added.key);
	ok = values_read(&added.values, equals + 1, err) &&
	    check_axis(s, &added, err);
	if (!ok) {
		values_free(&added.values);
		free(added.key);
		return false;
	}
	s->axes = mem_grow(s->axes, s->n, &s->cap, sizeof *s->axes);
	s->axes[s->n++] = added;
	return true;
}

void
sweep_free(struct sweep *s)
{
	for (size_t i = 0; i < s->n; i++) {
		values_free(&s->axes[i].values);
		free(s->axes[i].key);
	}
	free(s->axes);
	values_free(&s->engines);
	*s = (struct sweep){0};
}

size_t
sweep_n_rows(const struct sweep *s)
{
	size_t n = 1;

	for (size_t i = 0; i < s->n; i++)
		n *= s->axes[i].values.n;
	return n;
}

/* Returns the value that an axis has in a row. */
static const char *
axis_value(const struct sweep *s, size_t axis, size_t row)
{
	for (size_t i = s->n - 1; i > axis; i--)
		row /= s->axes[i].values.n;
	return s->axes[axis].values.list[row % s->axes[axis].values.n];
}

static void
add_knob_line(const char *key, const char *value, struct text *knobs)
{
	const char *dot = strchr(key, '.');

	text_addf(
	    knobs, "[%.*s]\n%s = %s\n", (int)(dot - key), key, dot + 1, value);
}

bool
sweep_vary(const struct sweep *s, size_t row, const struct options *o,
    struct options *varied, struct text *knobs, struct text *err)
{
	*varied = *o;
	for (size_t i = 0; i < s->n; i++) {
		const char *value = axis_value(s, i, row);

		if (s->axes[i].is_knob)
			add_knob_line(s->axes[i].key, value, knobs);
		else if (!options_set(varied, s->axes[i].key, value, err))
			return false;
	}
	return true;
}

/* Adds the engines of a profile that are not there yet. */
static void
add_engines_of(struct sweep *s, const struct profile *profile)
{
	struct device dev;

	device_init(&dev, profile);
	for (unsigned i = 0; i < dev.n_engines; i++) {
		size_t k = 0;

		while (k < s->engines.n &&
		    strcmp(s->engines.list[k], dev.engines[i].name) != 0)
			k++;
		if (k < s->engines.n)
			continue;
		s->engines.list = mem_grow(s->engines.list, s->engines.n,
		    &s->engines.cap, sizeof *s->engines.list);
		s->engines.list[s->engines.n++] = mem_strdup(
		    dev.engines[i].name);
	}
}

/* True if an axis can change which engines there are. */
static bool
varies_engines(const struct sweep_axis *axis)
{
	return strcmp(axis->key, "profile") == 0 ||
	    strncmp(axis->key, "device.", 7) == 0;
}

/* Only rows in which the axes that matter differ are looked at. */
void
sweep_find_engines(struct sweep *s, const struct options *o)
{
	struct sweep few = {0};
	struct text knobs = {0}, ignored = {0};
	struct options varied;
	struct profile profile;

	few.axes = mem_calloc(s->n + 1, sizeof *few.axes);
	for (size_t i = 0; i < s->n; i++)
		if (varies_engines(&s->axes[i]))
			few.axes[few.n++] = s->axes[i];
	for (size_t row = 0; row < sweep_n_rows(&few); row++) {
		text_clear(&knobs);
		if (sweep_vary(&few, row, o, &varied, &knobs, &ignored) &&
		    profile_load(&profile, varied.profile, &ignored) &&
		    profile_parse(
			&profile, "--sweep", text_str(&knobs), &ignored))
			add_engines_of(s, &profile);
	}
	free(few.axes);
	text_free(&knobs);
	text_free(&ignored);
}

static const char *const figure_columns[] = {"elapsed_ns", "workloads_s",
    "misses", "latency_p50_ns", "latency_p99_ns", "busiest", "busiest_percent"};

#define N_FIGURE_COLUMNS (sizeof figure_columns / sizeof *figure_columns)

void
sweep_print_header(const struct sweep *s, struct text *out)
{
	for (size_t i = 0; i < s->n; i++)
		text_addf(out, "%s\t", s->axes[i].key);
	for (size_t i = 0; i < N_FIGURE_COLUMNS; i++)
		text_addf(out, "%s\t", figure_columns[i]);
	for (size_t i = 0; i < s->engines.n; i++)
		text_addf(out, "busy_percent.%s\t", s->engines.list[i]);
	text_adds(out, "status\n");
}

void
sweep_print_keys(const struct sweep *s, size_t row, struct text *out)
{
	for (size_t i = 0; i < s->n; i++)
		text_addf(out, "%s\t", axis_value(s, i, row));
}

/* Adds the share of an engine; "-": the row's profile does not have it. */
static void
add_row_busy(
    const struct trial_figures *f, const char *engine, struct text *out)
{
	for (unsigned i = 0; i < f->n_engines; i++) {
		if (strcmp(f->engines[i].name, engine) != 0)
			continue;
		text_addf(out, "%.1f\t", f->engines[i].busy_percent);
		return;
	}
	text_adds(out, "-\t");
}

static void
add_figures(
    const struct sweep *s, const struct trial_figures *f, struct text *out)
{
	const struct trial_engine *busiest = &f->engines[f->busiest];

	text_addf(out,
	    "%" PRIu64 "\t%.3f\t%" PRIu64 "\t%" PRIu64 "\t%" PRIu64
	    "\t%s\t%.1f\t",
	    f->elapsed_ns, f->workloads_s, f->missed, f->latency_p50_ns,
	    f->latency_p99_ns, busiest->name, busiest->busy_percent);
	for (size_t i = 0; i < s->engines.n; i++)
		add_row_busy(f, s->engines.list[i], out);
	text_adds(out, "ok\n");
}

void
sweep_print_row(
    const struct sweep *s, size_t row, const struct answer *a, struct text *out)
{
	sweep_print_keys(s, row, out);
	if (!a->failed) {
		add_figures(s, &a->figures, out);
		return;
	}
	for (size_t i = 0; i < N_FIGURE_COLUMNS + s->engines.n; i++)
		text_adds(out, "-\t");
	text_addf(out, "%s\n", a->error);
}
