/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Options of decisions (decide/): their arguments, and what they exclude. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "run/options.h"
#include "run/options_table.h"

#define MAX_WARMUP (1000000000 * NSEC_PER_SEC)

static bool
refuse_number(struct option_reader *r, const char *value, const char *expected)
{
	text_addf(r->err, "%s: invalid value '", r->shown);
	text_add_visible(r->err, value, strlen(value));
	text_addf(r->err, "': expected %s", expected);
	return false;
}

/* arg: unused */
bool
take_sweep(struct option_reader *r, const char *value, size_t arg)
{
	struct options *o = r->o;

	(void)arg;
	o->sweeps = mem_grow(
	    o->sweeps, o->n_sweeps, &r->cap_sweeps, sizeof *o->sweeps);
	o->sweeps[o->n_sweeps++] = value;
	return true;
}

bool
take_tune(struct option_reader *r, const char *value, size_t arg)
{
	(void)arg;
	r->o->tune = value != NULL ? value : "";
	return true;
}

bool
take_sweep_row(struct option_reader *r, const char *value, size_t arg)
{
	int64_t n;

	(void)arg;
	if (!parse_integer(value, &n) || n < 1)
		return refuse_number(r, value, "the number of a row, from 1");
	r->o->sweep_row = (uint64_t)n - 1;
	return true;
}

/* arg: an unsigned member */
bool
take_small_number(struct option_reader *r, const char *value, size_t arg)
{
	int64_t n;

	if (!parse_integer(value, &n) || n < 1 || n > 1000)
		return refuse_number(r, value, "a number, 1 to 1000");
	*(unsigned *)(void *)((char *)r->o + arg) = (unsigned)n;
	return true;
}

bool
take_warmup(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};
	bool ok = read_duration(value, 0, MAX_WARMUP, &r->o->warmup, &why);

	(void)arg;
	if (!ok)
		text_addf(r->err, "%s: %s", r->shown, text_str(&why));
	text_free(&why);
	return ok;
}

/* True for options that each run of a decision can have, and that say how it is
 * decided. */
static bool
is_for_decisions(const struct option_info *info)
{
	static const char *const others[] = {"scheduler", "profile", "duration",
	    "batch", "quiet", "verbose", "json", "report"};

	if (info->group == GROUP_DECISION || info->group == GROUP_WORKLOAD)
		return true;
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		if (strcmp(info->name, others[i]) == 0)
			return true;
	return false;
}

/* The options that ask for a decision. */
enum decision_option {
	DECIDE_SWEEP,
	DECIDE_CAPACITY,
	DECIDE_TUNE,
	N_DECISIONS
};

static const char *const decision_names[N_DECISIONS] = {
    [DECIDE_SWEEP] = "sweep",
    [DECIDE_CAPACITY] = "capacity",
    [DECIDE_TUNE] = "tune",
};

#define FOR(decision) (1u << (decision))

/* Options that are for some of them. */
static const struct {
	const char *name;
	unsigned of;
} option_parts[] = {
    {"sweep-commands", FOR(DECIDE_SWEEP)},
    {"sweep-row", FOR(DECIDE_SWEEP)},
    {"output", FOR(DECIDE_SWEEP) | FOR(DECIDE_TUNE)},
    {"goal", FOR(DECIDE_CAPACITY) | FOR(DECIDE_TUNE)},
    {"mix", FOR(DECIDE_CAPACITY) | FOR(DECIDE_SWEEP)},
    {"max-clients", FOR(DECIDE_CAPACITY)},
    {"seeds", FOR(DECIDE_CAPACITY) | FOR(DECIDE_TUNE)},
    {"json", FOR(DECIDE_CAPACITY) | FOR(DECIDE_TUNE)},
    {"keep", FOR(DECIDE_TUNE)},
};

/* Returns the decisions that are asked for, as bits. */
static unsigned
decisions_of(const struct options *o)
{
	return (o->n_sweeps > 0 ? FOR(DECIDE_SWEEP) : 0) |
	    (o->capacity ? FOR(DECIDE_CAPACITY) : 0) |
	    (o->tune != NULL ? FOR(DECIDE_TUNE) : 0);
}

/* Appends "--capacity or --tune". */
static void
name_decisions(unsigned decisions, struct text *out)
{
	const char *separator = "";

	for (unsigned i = 0; i < N_DECISIONS; i++) {
		if ((decisions >> i & 1) == 0)
			continue;
		text_addf(out, "%s--%s", separator, decision_names[i]);
		separator = " or ";
	}
}

/* Returns the decisions that an option is for. */
static unsigned
decisions_with(const char *name)
{
	for (size_t i = 0; i < sizeof option_parts / sizeof *option_parts; i++)
		if (strcmp(option_parts[i].name, name) == 0)
			return option_parts[i].of;
	return FOR(N_DECISIONS) - 1;
}

/* Refuses an option without one that it is for. */
static bool
check_part(struct option_reader *r, const char *name)
{
	unsigned of = decisions_with(name);

	if ((of & decisions_of(r->o)) != 0)
		return true;
	text_addf(r->err, "--%s needs ", name);
	name_decisions(of, r->err);
	return false;
}

static bool
check_decision_options(struct option_reader *r)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (!r->seen[i])
			continue;
		if (!is_for_decisions(info)) {
			text_addf(
			    r->err, "--%s cannot be used with ", info->name);
			name_decisions(decisions_of(r->o), r->err);
			text_adds(r->err, ": it makes many runs");
			return false;
		}
		if (!check_part(r, info->name))
			return false;
	}
	return true;
}

/* Refuses options of decisions where nothing is decided. */
static bool
check_no_decision(struct option_reader *r)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (!r->seen[i] || info->group != GROUP_DECISION ||
		    strcmp(info->name, "mix") == 0)
			continue;
		return check_part(r, info->name);
	}
	return true;
}

/* Refuses two decisions in one call. */
static bool
check_single_decision(struct option_reader *r)
{
	unsigned asked = decisions_of(r->o);

	if ((asked & (asked - 1)) == 0)
		return true;
	text_addf(r->err, "--%s and --%s exclude each other",
	    decision_names[31 - __builtin_clz(asked)],
	    decision_names[__builtin_ctz(asked)]);
	return false;
}

static bool
check_warmup(struct option_reader *r)
{
	if (r->o->warmup < r->o->duration)
		return true;
	text_adds(r->err,
	    "--warmup: expected less than --duration, which is the virtual time "
	    "of the whole run");
	return false;
}

static bool
names_standard_output(const char *path)
{
	return path != NULL && strcmp(path, "-") == 0;
}

/* Refuses rows, or a descriptor, and a page on one standard output. */
static bool
check_page_of_rows(struct option_reader *r)
{
	const struct options *o = r->o;

	if ((o->n_sweeps == 0 && o->tune == NULL) ||
	    !names_standard_output(o->report) ||
	    (o->output != NULL && !names_standard_output(o->output)))
		return true;
	text_addf(r->err,
	    "--report: standard output gets the %s: expected a file, e.g. "
	    "--report=page.html, or -o FILE for the %s",
	    o->tune != NULL ? "descriptor" : "rows",
	    o->tune != NULL ? "descriptor" : "rows");
	return false;
}

bool
check_decision(struct option_reader *r)
{
	const struct options *o = r->o;

	if (!options_decide(o))
		return check_no_decision(r);
	if (!check_single_decision(r))
		return false;
	if (o->capacity && o->clients > 1) {
		text_adds(r->err,
		    "-c: --capacity searches the number of clients: leave -c "
		    "out, or name a fixed one with --mix");
		return false;
	}
	if (o->sweep_commands &&
	    (o->output != NULL || o->sweep_row != OPTIONS_ALL_ROWS ||
		o->report != NULL)) {
		text_adds(r->err,
		    "--sweep-commands prints commands: leave out -o, "
		    "--report and --sweep-row");
		return false;
	}
	return check_decision_options(r) && check_warmup(r) &&
	    check_page_of_rows(r);
}
