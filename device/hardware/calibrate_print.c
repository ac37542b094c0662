/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A calibration as a profile: the base profile with what was measured, and with a
 * comment before each knob that says where its value comes from.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "device/hardware/calibrate_private.h"

#define COMMENT_WIDTH 78

/* Returns the measurement of a knob; NULL: none. */
static const struct measurement *
measure_of(const char *section, const char *key, unsigned *id)
{
	for (*id = 0; *id < N_MEASUREMENTS; ++*id) {
		const struct measurement *m = &measures[*id];

		if (m->section != NULL && strcmp(m->section, section) == 0 &&
		    strcmp(m->key, key) == 0)
			return m;
	}
	return NULL;
}

/* Returns the mean of a measurement's classes; -1: none was measured. */
static double
mean_figure(const struct calibration *c, unsigned id)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned class = 0; class < N_CLASSES; class ++) {
		const struct figure *f = &c->figures[id][class];

		sum += f->n > 0 ? f->value : 0;
		n += f->n > 0;
	}
	return n > 0 ? sum / n : -1;
}

/* Returns the figure of the first class that was measured; -1: none. */
static double
first_figure(const struct calibration *c, unsigned id)
{
	for (unsigned class = 0; class < N_CLASSES; class ++)
		if (c->figures[id][class].n > 0)
			return c->figures[id][class].value;
	return -1;
}

/* Sets a knob to a value in ns, or a number. 0 us mean something else than a short
 * time, as points that are as far apart as X says: that is 1 us. */
static void
set_measured(struct profile *p, const struct knob *k, unsigned i, double value)
{
	double unit = k->type == KNOB_NSEC ? (double)k->unit : 1;
	double whole = round(value / unit);

	if (value < 0)
		return;
	if (value > 0 && unit > 1)
		whole = fmax(whole, 1);
	whole = fmin(fmax(whole, (double)k->min), (double)k->max);
	knob_set(p, k, i, (uint64_t)whole);
}

static void
apply_measure(const struct calibration *c, unsigned id, struct profile *p)
{
	const struct measurement *m = &measures[id];
	unsigned at;
	const struct knob *k = knob_find(m->section, m->key, &at);
	char key[PROFILE_MAX_KEY];
	uint64_t all = KNOB_UNSET;

	/* Some knobs have values for classes only. */
	if (k != NULL) {
		set_measured(p, k, at,
		    m->by_class ? first_figure(c, id) : mean_figure(c, id));
		all = knob_get(p, k, at);
	}
	for (unsigned class = 0; m->by_class && class < N_CLASSES; class ++) {
		const struct figure *f = &c->figures[id][class];

		snprintf(key, sizeof key, "%s.%s", m->key,
		    engine_class_names[class]);
		k = knob_find(m->section, key, &at);
		if (all != KNOB_UNSET)
			knob_set(p, k, at, KNOB_UNSET);
		if (f->n > 0)
			set_measured(p, k, at, f->value);
		if (all != KNOB_UNSET && knob_get(p, k, at) == all)
			knob_set(p, k, at, KNOB_UNSET);
	}
}

/* Sets what the device says of itself. */
static void
apply_facts(const struct facts *facts, struct profile *p)
{
	struct profile device;

	facts_profile(facts, &device);
	snprintf(p->name, sizeof p->name, "%s", facts->name);
	snprintf(p->description, sizeof p->description,
	    "%s, as measured by gpuwl-top --calibrate", facts->name);
	snprintf(p->scheduler, sizeof p->scheduler, "%s",
	    facts->submission == BY_GUC ? "guc" : "execlists");
	p->pci_id = device.pci_id;
	p->generation = device.generation;
	p->kernel = device.kernel;
	p->clock_hz = device.clock_hz;
	p->takes_sseu = device.takes_sseu;
	p->slices = device.slices;
	p->hevc_vcs = device.hevc_vcs;
	memcpy(p->n_engines, device.n_engines, sizeof p->n_engines);
}

/* Appends words as lines of a comment: INI readers take no long ones. */
static void
add_words_comment(const char *words, struct text *out)
{
	size_t column = 1;

	text_addc(out, '#');
	while (*words != '\0') {
		size_t len = strcspn(words, " ");

		if (column + 1 + len > COMMENT_WIDTH) {
			text_adds(out, "\n#");
			column = 1;
		}
		text_addc(out, ' ');
		text_add(out, words, len);
		column += 1 + len;
		words += len + (words[len] == ' ');
	}
	text_addc(out, '\n');
}

/* Appends how a measurement was made, and a line for each class. */
static void
add_measured(const struct calibration *c, unsigned id, const char *prefix,
    struct text *out)
{
	const struct measurement *m = &measures[id];
	struct text words = {0};

	text_addf(&words, "%s, %s: %s.", prefix, m->unit, m->how);
	add_words_comment(text_str(&words), out);
	text_free(&words);
	for (unsigned class = 0; class < N_CLASSES; class ++) {
		const struct figure *f = &c->figures[id][class];

		if (f->n > 0)
			text_addf(out, "#   %s %.0f (%.0f to %.0f, %u %s)\n",
			    engine_class_names[class], f->value, f->low,
			    f->high, f->n, f->n == 1 ? "sample" : "samples");
	}
}

static bool
is_fact(const char *section, const char *key)
{
	return strcmp(section, "i915") == 0 || strcmp(key, "sseu") == 0 ||
	    (strcmp(section, "device") == 0 && strncmp(key, "gt", 2) != 0);
}

/* Appends where the value of a knob comes from, the measurement only before its
 * first class: *last is the one that was appended last. */
static void
add_knob_origin(const struct calibration *c, const char *section, char *key,
    unsigned *last, struct text *out)
{
	struct text words = {0};
	unsigned id;

	if (strcmp(section, "timeouts") == 0 &&
	    settings_explain(c, key, &words)) {
		add_words_comment(text_str(&words), out);
	} else if (is_fact(section, key)) {
		text_adds(out, "# The device.\n");
	} else {
		key[strcspn(key, ".")] = '\0';
		if (measure_of(section, key, &id) == NULL ||
		    mean_figure(c, id) < 0)
			text_adds(out, "# Default, not measured.\n");
		else if (id != *last)
			add_measured(c, id, "Measured", out);
		*last = id;
	}
	text_free(&words);
}

static void
add_calibration_head(
    const struct calibration *c, const struct profile *p, struct text *out)
{
	char day[16];
	time_t now = time(NULL);
	struct tm tm;
	struct text words = {0};

	gmtime_r(&now, &tm);
	strftime(day, sizeof day, "%Y-%m-%d", &tm);
	text_addf(&words,
	    "Measured on %s by gpuwl-top --calibrate, on %s (%s, %s). Figures are "
	    "the mean of the middle half of the samples, with the values below "
	    "and above which a tenth of them is.",
	    day, c->hw->facts.name, c->hw->facts.path, c->hw->node.address);
	add_words_comment(text_str(&words), out);
	text_clear(&words);
	if (c->doubts.len > 0) {
		text_addf(&words, "Doubtful: %s.", text_str(&c->doubts));
		add_words_comment(text_str(&words), out);
	}
	text_free(&words);
	if (c->load > 0)
		text_addf(
		    out, "# Load of the machine before: %.1f.\n", c->load);
	for (unsigned id = 0; id < N_MEASUREMENTS; id++) {
		if (measures[id].section != NULL || mean_figure(c, id) < 0)
			continue;
		text_adds(out, "#\n");
		add_measured(c, id, measures[id].name, out);
	}
	text_addf(out,
	    "\n[profile]\nname = %s\ndescription = %s\nscheduler = %s\n",
	    p->name, p->description, p->scheduler);
}

/* The knobs in the order of profile_print(). */
void
calibration_print(const struct calibration *c, struct text *out)
{
	struct profile p = *c->base;
	struct text knobs = {0};
	char section[PROFILE_MAX_KEY] = "", key[PROFILE_MAX_KEY];
	unsigned last = N_MEASUREMENTS;

	apply_facts(&c->hw->facts, &p);
	for (unsigned id = 0; id < N_MEASUREMENTS; id++)
		if (measures[id].section != NULL)
			apply_measure(c, id, &p);
	settings_apply(c, &p);
	add_calibration_head(c, &p, out);
	profile_print(&p, &knobs);
	for (const char *line = text_str(&knobs); *line != '\0';) {
		size_t len = strcspn(line, "\n") + 1;

		if (*line == '[') {
			snprintf(section, sizeof section, "%.*s",
			    (int)strcspn(line + 1, "]"), line + 1);
			text_addc(out, '\n');
			text_add(out, line, len);
		} else {
			snprintf(key, sizeof key, "%.*s",
			    (int)strcspn(line, " "), line);
			add_knob_origin(c, section, key, &last, out);
			text_add(out, line, len);
		}
		line += len;
	}
	text_free(&knobs);
}
