/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The rules by which platforms refuse steps, and how the compiler applies them.
 * A rule applies to kinds of steps, on a driver, generations and kernels; then
 * a function looks at the step itself.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/compile/compile.h"
#include "engine/compile/platform.h"
#include "engine/profile.h"
#include "parser/step.h"

#define KIND(kind) (1u << (kind))

/* A step, and how all steps of the program set up its context. */
struct platform_step {
	const struct step *step;
	const struct step *map; /* the last M; NULL: none */
	bool balanced;          /* B */
	bool parallel;          /* G */
};

enum driver { I915, XE, ANY_DRIVER };

typedef bool applies_fn(
    const struct platform_step *s, const struct profile *platform);

struct platform_rule {
	unsigned kinds; /* of steps, see KIND */
	enum driver driver;
	unsigned from, to;   /* generations; 0, 0: all */
	unsigned since;      /* first kernel; 0: all */
	applies_fn *applies; /* NULL: to all such steps */
	unsigned field;      /* of the step */
	bool everywhere;     /* refused on any i915 */
	bool tool;           /* refused only by gem_wsim */
	const char *refused; /* words; NULL: it only needs something */
	const char *needs;   /* words if no platform is given, or if never
				refused; NULL: nothing */
};

/* Engines. */

static bool
without_map(const struct platform_step *s)
{
	return s->map == NULL && !s->parallel;
}

/* Engines without a legacy ring of execbuf, which has one of each class, two of
 * VCS and none of CCS. */
static bool
has_no_ring(const struct platform_step *s, const struct profile *platform)
{
	struct engine_name e = s->step->batch.engine;

	(void)platform;
	return without_map(s) && e.class != CLASS_DEFAULT &&
	    (e.class == CLASS_CCS ||
		e.instance > (e.class == CLASS_VCS ? 2 : 1));
}

static bool
wants_render(const struct platform_step *s, const struct profile *platform)
{
	return without_map(s) && platform != NULL &&
	    platform->n_engines[CLASS_RCS] == 0 &&
	    s->step->batch.engine.class == CLASS_DEFAULT;
}

/* Names that gem_wsim does not find in a map, whose engines have instances. */
static bool
is_no_single_engine(
    const struct platform_step *s, const struct profile *platform)
{
	struct engine_name e = s->step->batch.engine;

	(void)platform;
	return s->map != NULL && !s->balanced &&
	    (e.class == CLASS_DEFAULT || e.instance == 0);
}

static bool
names_gt(const struct platform_step *s, const struct profile *platform)
{
	const struct step *step = s->step;

	(void)platform;
	if (step->kind == STEP_BATCH)
		return step->batch.engine.gt >= 0;
	for (uint32_t i = 0; i < step->map.n_engines; i++)
		if (step->map.engines[i].gt >= 0)
			return true;
	return step->kind == STEP_BOND && step->map.master.gt >= 0;
}

/* Class names that stand for several engines; without a platform, VCS does. */
static bool
means_several(struct engine_name e, const struct profile *platform)
{
	return e.instance == 0 && e.class != CLASS_DEFAULT &&
	    (platform != NULL ? platform->n_engines[e.class] > 1
			      : e.class == CLASS_VCS);
}

static bool
bonds_class(const struct platform_step *s, const struct profile *platform)
{
	for (uint32_t i = 0; i < s->step->map.n_engines; i++)
		if (means_several(s->step->map.engines[i], platform))
			return true;
	return means_several(s->step->map.master, platform);
}

/* Contexts with a virtual engine of more than one engine. */
static bool
is_virtual(const struct platform_step *s, const struct profile *platform)
{
	unsigned n = 0;

	for (uint32_t i = 0; s->map != NULL && i < s->map->map.n_engines; i++)
		n += means_several(s->map->map.engines[i], platform) ? 2 : 1;
	return s->balanced && n > 1;
}

/* Bonds where GuC schedules, which never had them. */
static bool
bonds_on_guc(const struct platform_step *s, const struct profile *platform)
{
	return platform != NULL && strcmp(platform->scheduler, "guc") == 0 &&
	    (!is_virtual(s, platform) ||
		platform->kernel < PROFILE_KERNEL(5, 14));
}

/* Maps that are not placements of an exec queue of Xe: one class, each engine
 * once. */
static bool
mixes_placements(const struct platform_step *s, const struct profile *platform)
{
	const struct engine_name *e = s->step->map.engines;
	uint64_t seen = 0;

	(void)platform;
	for (uint32_t i = 0; i < s->step->map.n_engines; i++) {
		uint64_t bit = e[i].instance < 64 ? UINT64_C(1) << e[i].instance
						  : 0;

		if (e[i].class != e[0].class || (seen & (bit | 1)) ||
		    (bit == 1 && seen != 0))
			return true;
		seen |= bit;
	}
	return false;
}

/* Maps whose load balancing may choose a VCS without HEVC. */
static bool
balances_hevc(const struct platform_step *s, const struct profile *platform)
{
	if (!s->balanced || s->step != s->map || platform == NULL ||
	    platform->hevc_vcs != 1 || platform->n_engines[CLASS_VCS] < 2)
		return false;
	for (uint32_t i = 0; i < s->map->map.n_engines; i++)
		if (s->map->map.engines[i].class == CLASS_VCS &&
		    s->map->map.engines[i].instance != 1)
			return true;
	return false;
}

/* Other steps. */

static bool
is_infinite(const struct platform_step *s, const struct profile *platform)
{
	(void)platform;
	return step_is_infinite(s->step);
}

static bool
is_slice_mask(const struct platform_step *s, const struct profile *platform)
{
	(void)s;
	return platform == NULL || !platform->takes_sseu;
}

static bool
is_raised(const struct platform_step *s, const struct profile *platform)
{
	(void)platform;
	return s->step->value > 0;
}

static bool
follows_start(const struct platform_step *s, const struct profile *platform)
{
	(void)platform;
	for (uint32_t i = 0; i < s->step->batch.n_deps; i++)
		if (s->step->batch.deps[i].kind == DEP_SUBMIT)
			return true;
	return false;
}

#define NO_GT    "gem_wsim knows no gt on i915: leave it out of the engine's name"
#define NEEDS_XE "a named gt needs the Xe driver"

/* doc/model/platforms.md has a heading for each rule. */
static const struct platform_rule rules[] = {
    {.kinds = KIND(STEP_BOND),
	.driver = I915,
	.since = PROFILE_KERNEL(5, 14),
	.applies = is_virtual,
	.refused = "Linux refuses bonds of virtual engines since 5.14",
	.needs = "bonds (b) need a kernel before 5.14"},
    {.kinds = KIND(STEP_BOND),
	.driver = I915,
	.applies = bonds_on_guc,
	.refused = "Linux refuses engine bonds where GuC schedules"},
    {.kinds = KIND(STEP_SSEU),
	.driver = I915,
	.from = 1,
	.to = 10,
	.applies = is_slice_mask,
	.refused = "Linux takes slice masks on generation 11 only",
	.needs = "slice masks (S) need generation 11"},
    {.kinds = KIND(STEP_SSEU),
	.driver = I915,
	.from = 12,
	.to = 99,
	.applies = is_slice_mask,
	.refused = "Linux takes slice masks on generation 11 only"},
    {.kinds = KIND(STEP_BALANCE),
	.driver = I915,
	.from = 1,
	.to = 10,
	.refused = "gem_wsim balances load on generation 11 and later only",
	.needs = "load balancing (B) needs generation 11 or later"},
    {.kinds = KIND(STEP_BATCH),
	.driver = I915,
	.from = 1,
	.to = 7,
	.applies = is_infinite,
	.field = 2,
	.refused = "gem_wsim has infinite batches on generation 8 and later "
		   "only"},
    {.kinds = KIND(STEP_BATCH),
	.driver = I915,
	.applies = has_no_ring,
	.field = 1,
	.everywhere = true,
	.refused = "without an engine map i915 has RCS, BCS, VCS1, VCS2 and "
		   "VECS1 only: add a step like M.1.CCS"},
    {.kinds = KIND(STEP_BATCH),
	.driver = I915,
	.applies = wants_render,
	.field = 1,
	.refused = "without an engine map DEFAULT is RCS, which the device has "
		   "not: add a step like M.1.CCS"},
    {.kinds = KIND(STEP_BATCH),
	.driver = I915,
	.applies = is_no_single_engine,
	.field = 1,
	.everywhere = true,
	.tool = true,
	.refused = "gem_wsim aborts on DEFAULT or a class on a map without "
		   "load balancing: name the engine, like RCS1"},
    {.kinds = KIND(STEP_BATCH),
	.driver = I915,
	.applies = names_gt,
	.field = 1,
	.tool = true,
	.refused = NO_GT,
	.needs = NEEDS_XE},
    {.kinds = KIND(STEP_MAP) | KIND(STEP_BOND) | KIND(STEP_PARALLEL),
	.driver = I915,
	.applies = names_gt,
	.field = 2,
	.tool = true,
	.refused = NO_GT,
	.needs = NEEDS_XE},
    {.kinds = KIND(STEP_BOND),
	.driver = I915,
	.applies = bonds_class,
	.everywhere = true,
	.tool = true,
	.refused = "gem_wsim takes single engines in bonds: add the instance, "
		   "like VCS1"},
    {.kinds = KIND(STEP_MAP),
	.driver = ANY_DRIVER,
	.applies = balances_hevc,
	.field = 2,
	.needs = "work with HEVC can run on VCS1 only, and load balancing may "
		 "choose another VCS"},
    {.kinds = KIND(STEP_PRIORITY),
	.driver = ANY_DRIVER,
	.applies = is_raised,
	.field = 2,
	.needs = "a priority above 0 needs CAP_SYS_NICE"},

    {.kinds = KIND(STEP_PRIORITY),
	.driver = XE,
	.tool = true,
	.refused = "gem_wsim has no priorities (P) on Xe"},
    {.kinds = KIND(STEP_SET) | KIND(STEP_SHARED_SET),
	.driver = XE,
	.tool = true,
	.refused = "gem_wsim has no working sets (w, W) on Xe"},
    {.kinds = KIND(STEP_SSEU),
	.driver = XE,
	.refused = "Xe has no slice masks (S)"},
    {.kinds = KIND(STEP_BOND),
	.driver = XE,
	.refused = "Xe has no engine bonds (b)"},
    {.kinds = KIND(STEP_BATCH),
	.driver = XE,
	.applies = follows_start,
	.field = 3,
	.refused = "Xe has no submit fences (s-n)"},
    {.kinds = KIND(STEP_MAP),
	.driver = XE,
	.applies = mixes_placements,
	.field = 2,
	.refused = "Xe refuses a map of several classes, or with an engine "
		   "twice"},
};

unsigned
platform_n_rules(void)
{
	return sizeof(rules) / sizeof(*rules);
}

static bool
is_on(const struct platform_rule *rule, const struct profile *platform)
{
	enum driver driver = platform->xe ? XE : I915;

	if (rule->driver != ANY_DRIVER && rule->driver != driver)
		return false;
	if (rule->refused == NULL)
		return true;
	return platform->generation > 0 &&
	    (rule->from == 0 ||
		(platform->generation >= rule->from &&
		    platform->generation <= rule->to)) &&
	    (rule->since == 0 || platform->kernel >= rule->since);
}

/* Checks without a platform. */
static enum platform_verdict
check_anywhere(const struct platform_rule *rule)
{
	if (rule->driver == XE)
		return PLATFORM_TAKES;
	if (rule->everywhere)
		return PLATFORM_REFUSES;
	return rule->needs != NULL ? PLATFORM_NEEDS : PLATFORM_TAKES;
}

/* Returns what the rule says about a step on a platform; NULL: on i915, of any
 * generation and kernel. */
static enum platform_verdict
platform_check(unsigned rule, const struct platform_step *step,
    const struct profile *platform)
{
	const struct platform_rule *r = &rules[rule];

	if (!(r->kinds & KIND(step->step->kind)) ||
	    (platform != NULL && !is_on(r, platform)) ||
	    (r->applies != NULL && !r->applies(step, platform)))
		return PLATFORM_TAKES;
	if (platform == NULL)
		return check_anywhere(r);
	return r->refused != NULL ? PLATFORM_REFUSES : PLATFORM_NEEDS;
}

const char *
platform_words(unsigned rule, enum platform_verdict verdict)
{
	return verdict == PLATFORM_REFUSES ? rules[rule].refused
					   : rules[rule].needs;
}

/* Returns the field of the step that the rule is about, from 0. */
static unsigned
platform_field(unsigned rule)
{
	return rules[rule].field;
}

/* Returns true if a run warns of a step that the rule refuses: not if all of
 * i915 refuses it, or only gem_wsim does, as that does not depend on the
 * platform. */
static bool
platform_warns(unsigned rule)
{
	return !rules[rule].everywhere && !rules[rule].tool;
}

void
platform_findings_free(struct platform_findings *findings)
{
	free(findings->list);
	*findings = (struct platform_findings){0};
}

/* The pass of the compiler. */

static struct platform_step
platform_step_of(const struct compiler *c, const struct source_step *s)
{
	struct platform_step p = {.step = s->step};

	if (step_has_context(s->step)) {
		uint32_t context = program_find_context(
		    c->program, s->step->context);
		const struct context_source *source = &c->contexts[context];

		p.map = source->map != NULL ? source->map->step : NULL;
		p.balanced = c->program->contexts[context].balanced;
		p.parallel = source->parallel != NULL;
	}
	return p;
}

static void
add_finding(struct compiler *c, const struct source_step *s, unsigned rule,
    enum platform_verdict verdict)
{
	struct platform_findings *to = c->options->findings;
	struct platform_finding f = {
	    .rule = rule,
	    .verdict = verdict,
	    .document = s->document,
	    .line = s->line,
	    .step = (uint32_t)(s - c->steps) - s->base,
	};

	document_field(c->docs[s->document], s->line, platform_field(rule),
	    &f.col, &f.len);
	to->list = mem_grow(to->list, to->n, &to->cap, sizeof *to->list);
	to->list[to->n++] = f;
}

/* Reports an error of the platform. Its words are its kind of diagnostic, so
 * that a limit on their number counts each rule alone. */
static void
report_error(struct compiler *c, const struct source_step *s, unsigned rule,
    const char *words)
{
	uint32_t col, len;

	document_field(
	    c->docs[s->document], s->line, platform_field(rule), &col, &len);
	diag_add_as(&c->diags[s->document], words, DIAG_ERROR, s->line, col,
	    len, "%s", words);
	c->failed = true;
}

/* Reports an error at each step that the rule refuses, or a warning at the
 * first. */
static void
report_refusal(struct compiler *c, const struct source_step *s, unsigned rule)
{
	const struct profile *platform = c->options->platform;
	const char *words = platform_words(rule, PLATFORM_REFUSES);
	uint32_t bit = UINT32_C(1) << rule;
	bool told = (c->options->refusals_reported | c->program->refusals) &
	    bit;

	if (platform->refuse)
		report_error(c, s, rule, words);
	if (platform->refuse || !platform_warns(rule))
		return;
	c->program->refusals |= bit;
	if (!told && c->options->findings == NULL)
		compile_report(c, s, DIAG_WARNING, platform_field(rule),
		    "%s; the model of %s runs this all the same", words,
		    platform->name);
}

static void
check_platform_step(struct compiler *c, const struct source_step *s)
{
	const struct profile *platform = c->options->platform;
	struct platform_step step = platform_step_of(c, s);

	for (unsigned rule = 0; rule < platform_n_rules(); rule++) {
		enum platform_verdict v = platform_check(rule, &step, platform);

		if (v == PLATFORM_TAKES)
			continue;
		if (c->options->findings != NULL)
			add_finding(c, s, rule, v);
		if (v == PLATFORM_REFUSES && platform != NULL)
			report_refusal(c, s, rule);
	}
}

void
compile_platform(struct compiler *c)
{
	if (c->options->platform == NULL && c->options->findings == NULL)
		return;
	for (uint32_t i = 0; i < c->program->n_ops; i++)
		check_platform_step(c, &c->steps[i]);
}
