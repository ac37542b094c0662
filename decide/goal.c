/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Goals: one table of figures reads them, checks them, and says why one does not
 * hold. */
#include "decide/goal.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "decide/trial_figures.h"
#include "decide/values.h"
#include "parser/step.h"
#include "run/plan.h"

#define EXAMPLE                                                                \
	"misses<=0, misses<=1%, rate>=29.9, latency.p99<=20ms, "               \
	"queue_wait.p99<=500us or hangs<=0"

/* The value of a figure, in the unit of its limit. */
static double
count_goal_misses(const struct trial_figures *f, const struct condition *c)
{
	if (!c->percent)
		return (double)f->missed;
	return f->periods > 0 ? 100 * (double)f->missed / (double)f->periods
			      : 0;
}

static double
rate_of(const struct trial_figures *f, const struct condition *c)
{
	(void)c;
	return f->lowest_rate;
}

static double
latency_of(const struct trial_figures *f, const struct condition *c)
{
	(void)c;
	return (double)f->latency_p99_ns;
}

static double
queue_wait_of(const struct trial_figures *f, const struct condition *c)
{
	(void)c;
	return (double)f->queue_wait_p99_ns;
}

static double
hangs_of(const struct trial_figures *f, const struct condition *c)
{
	(void)c;
	return (double)f->hangs;
}

enum goal_unit { UNIT_COUNT, UNIT_RATE, UNIT_TIME };

static const struct goal_info {
	const char *name;
	double (*value)(
	    const struct trial_figures *f, const struct condition *c);
	enum goal_unit unit;
	bool at_least; /* >=, not <= */
	bool percent;  /* may have a % */
} goal_table[N_GOAL_FIGURES] = {
    [GOAL_MISSES] = {"misses", count_goal_misses, UNIT_COUNT, false, true},
    [GOAL_RATE] = {"rate", rate_of, UNIT_RATE, true, false},
    [GOAL_LATENCY] = {"latency.p99", latency_of, UNIT_TIME, false, false},
    [GOAL_QUEUE_WAIT] = {"queue_wait.p99", queue_wait_of, UNIT_TIME, false,
	false},
    [GOAL_HANGS] = {"hangs", hangs_of, UNIT_COUNT, false, false},
};

static bool
refuse_condition(const char *s, struct text *err)
{
	text_adds(err, "invalid condition '");
	text_add_visible(err, s, strlen(s));
	text_adds(err, "': expected " EXAMPLE);
	return false;
}

/* Reads a number and its unit as ns; bare: us. */
static bool
read_limit_time(const char *s, double *ns)
{
	static const struct {
		const char *name;
		double ns;
	} units[] = {
	    {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}, {"", 1e3}};
	size_t len = strspn(s, "0123456789.");
	char digits[32];
	double n;

	if (len == 0 || len >= sizeof digits)
		return false;
	memcpy(digits, s, len);
	digits[len] = '\0';
	if (!values_number(digits, &n))
		return false;
	for (size_t i = 0; i < sizeof units / sizeof *units; i++) {
		if (strcmp(s + len, units[i].name) != 0)
			continue;
		*ns = n * units[i].ns;
		return true;
	}
	return false;
}

/* Reads the limit of a condition. */
static bool
read_limit(const char *s, const struct goal_info *info, struct condition *c)
{
	size_t len = strlen(s);
	char number[64];

	if (info->unit == UNIT_TIME)
		return read_limit_time(s, &c->limit);
	c->percent = info->percent && len > 0 && s[len - 1] == '%';
	snprintf(number, sizeof number, "%.*s", (int)(len - c->percent), s);
	if (!values_number(number, &c->limit))
		return false;
	/* No run misses more than all of its periods. */
	if (c->percent)
		return c->limit <= 100;
	return info->unit == UNIT_RATE ||
	    number[strspn(number, "0123456789")] == '\0';
}

static bool
read_condition(const char *s, struct condition *c)
{
	for (size_t i = 0; i < N_GOAL_FIGURES; i++) {
		const struct goal_info *info = &goal_table[i];
		size_t len = strlen(info->name);

		if (strncmp(s, info->name, len) != 0 ||
		    strncmp(s + len, info->at_least ? ">=" : "<=", 2) != 0)
			continue;
		c->figure = (enum goal_figure)i;
		return read_limit(s + len + 2, info, c);
	}
	return false;
}

bool
goal_read(struct goal *goal, const char *s, struct text *err)
{
	for (;;) {
		size_t len = strcspn(s, ",");
		struct condition c = {0};

		if (len < sizeof c.text)
			memcpy(c.text, s, len);
		if (len >= sizeof c.text || !read_condition(c.text, &c))
			return refuse_condition(s, err);
		if (goal->n == GOAL_MAX_CONDITIONS) {
			text_adds(
			    err, "too many conditions: expected at most 16");
			return false;
		}
		goal->list[goal->n++] = c;
		if (s[len] == '\0')
			return true;
		s += len + 1;
	}
}

static bool
has_period(const struct document *doc)
{
	size_t n = document_n_lines(doc);

	for (size_t i = 0; i < n; i++) {
		const struct step *step = document_line_step(doc, i);

		if (step != NULL && step->kind == STEP_PERIOD)
			return true;
	}
	return false;
}

static bool
plan_has_period(const struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (!plan->sources[i].background &&
		    has_period(plan->sources[i].doc))
			return true;
	return plan->append != NULL && has_period(plan->append);
}

/* Appends that a workload with a period is background beside the master. False: no
 * background workload has a period. */
static bool
explain_background(const struct plan *plan, struct text *err)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		if (!plan->sources[i].background ||
		    !has_period(plan->sources[i].doc))
			continue;
		text_adds(err,
		    "with -W the other workloads are background, which "
		    "is not counted: ");
		source_add_title(plan, i, err);
		text_adds(err,
		    " has a period (p) to miss: expected it behind -W, or all "
		    "workloads behind -w");
		return true;
	}
	return false;
}

bool
goal_for(
    struct goal *goal, const char *s, const struct plan *plan, struct text *err)
{
	if (s != NULL)
		return goal_read(goal, s, err);
	if (plan_has_period(plan))
		return goal_read(goal, "misses<=0", err);
	if (explain_background(plan, err))
		return false;
	text_adds(err,
	    "no workload has a period (p) to miss: expected a condition, e.g. "
	    "rate>=29.9, or a period, e.g. a step p.33333 for 30 frames per "
	    "second (-a p.33333 adds it)");
	return false;
}

double
goal_value(const struct condition *c, const struct trial_figures *f)
{
	return goal_table[c->figure].value(f, c);
}

const char *
goal_name(const struct condition *c)
{
	return goal_table[c->figure].name;
}

/* Returns by how much a condition is violated, relative to its limit, or to 1
 * where that is 0; 0: it holds. */
static double
excess_of(const struct condition *c, const struct trial_figures *f)
{
	const struct goal_info *info = &goal_table[c->figure];
	double value = info->value(f, c);
	double beyond = info->at_least ? c->limit - value : value - c->limit;

	if (beyond <= 0)
		return 0;
	return beyond / (c->limit > 0 ? c->limit : 1);
}

struct violation
goal_violation(const struct goal *goal, const struct trial_figures *f)
{
	struct violation v = {0};

	for (size_t i = 0; i < goal->n; i++) {
		double by = excess_of(&goal->list[i], f);

		v.n += by > 0;
		v.sum += by;
	}
	v.n += f->piled_up > 0;
	v.sum += f->piled_up;
	return v;
}

int
violation_compare(struct violation a, struct violation b)
{
	if (a.n != b.n)
		return a.n < b.n ? -1 : 1;
	return a.sum < b.sum ? -1 : a.sum > b.sum;
}

/* Appends a number with that many digits, or more: without an exponent. */
static void
add_goal_number(double value, int digits, struct text *out)
{
	char s[40];

	snprintf(s, sizeof s, "%.*g", digits, value);
	if (strchr(s, 'e') == NULL || value < 1)
		text_adds(out, s);
	else
		text_addf(out, "%.0f", value);
}

/* Appends a rate, or ns, with that number of digits. */
static void
add_goal_figure(double value, enum goal_unit unit, int digits, struct text *out)
{
	static const char *const units[] = {"ns", "us", "ms", "s"};
	size_t i = 0;

	if (unit == UNIT_RATE) {
		add_goal_number(value, digits, out);
		text_adds(out, "/s");
		return;
	}
	while (value >= 1000 && i < 3) {
		value /= 1000;
		i++;
	}
	add_goal_number(value, digits, out);
	text_addf(out, " %s", units[i]);
}

/* Appends "29.1/s, not 29.9/s", with as many digits as make them differ. */
static void
add_both(double value, double limit, enum goal_unit unit, struct text *out)
{
	struct text is = {0}, wanted = {0};

	for (int digits = 3; digits < 15; digits++) {
		text_clear(&is);
		text_clear(&wanted);
		add_goal_figure(value, unit, digits, &is);
		add_goal_figure(limit, unit, digits, &wanted);
		if (strcmp(text_str(&is), text_str(&wanted)) != 0)
			break;
	}
	text_addf(out, "%s, not %s", text_str(&is), text_str(&wanted));
	text_free(&is);
	text_free(&wanted);
}

static void
add_goal_count(double n, const char *noun, struct text *out)
{
	text_addf(out, "%.0f %s%s", n, noun, n == 1 ? "" : "s");
}

static void
explain_condition(
    const struct condition *c, const struct trial_figures *f, struct text *out)
{
	const struct goal_info *info = &goal_table[c->figure];
	double value = info->value(f, c);

	if (c->figure == GOAL_MISSES) {
		text_addf(out, "miss %" PRIu64 " of %" PRIu64 " periods",
		    f->missed, f->periods);
	} else if (info->unit == UNIT_RATE) {
		text_adds(out, "run at ");
		add_both(value, c->limit, UNIT_RATE, out);
	} else if (info->unit == UNIT_TIME) {
		text_addf(out, "have %s ", info->name);
		add_both(value, c->limit, UNIT_TIME, out);
	} else {
		text_adds(out, "have ");
		add_goal_count(value, "hang", out);
		text_addf(out, ", not %.0f", c->limit);
	}
}

void
goal_explain(
    const struct goal *goal, const struct trial_figures *f, struct text *out)
{
	const struct condition *worst = NULL;
	double most = 0;

	for (size_t i = 0; i < goal->n; i++) {
		double by = excess_of(&goal->list[i], f);

		if (by <= most)
			continue;
		most = by;
		worst = &goal->list[i];
	}
	if (worst != NULL)
		explain_condition(worst, f, out);
}

void
goal_add_backlog(
    const struct trial_figures *f, const char *before, struct text *out)
{
	if (f->piled_up > 0)
		text_addf(out, "%swork piles up on %s", before,
		    f->engines[f->piled_up_on].name);
}

static void
print_goal_figure(
    const struct condition *c, const struct trial_figures *f, struct text *out)
{
	const struct goal_info *info = &goal_table[c->figure];
	double value = info->value(f, c);

	text_addf(out, "%s ", info->name);
	if (c->figure == GOAL_MISSES)
		text_addf(
		    out, "%" PRIu64 " of %" PRIu64, f->missed, f->periods);
	else if (info->unit == UNIT_COUNT)
		text_addf(out, "%.0f", value);
	else
		add_goal_figure(value, info->unit, 4, out);
}

void
goal_print_figures(
    const struct goal *goal, const struct trial_figures *f, struct text *out)
{
	for (size_t i = 0; i < goal->n; i++) {
		text_adds(out, i > 0 ? ", " : "");
		print_goal_figure(&goal->list[i], f, out);
	}
	goal_add_backlog(f, goal->n > 0 ? ", " : "", out);
}
