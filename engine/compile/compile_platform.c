/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each step beside the table of what platforms refuse (engine/platform.h). */
#include "base/mem.h"
#include "engine/compile/compile.h"
#include "engine/platform.h"
#include "engine/profile.h"

static struct platform_step
platform_step_of(const struct compiler *c, const struct source_step *s)
{
	struct platform_step p = {.step = s->step};

	if (step_has_context(s->step)) {
		uint32_t context = compile_context(c, s->step->context);
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

/* The words are a kind of their own among the diagnostics. */
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

/* An error at each step, or a warning at the first one. */
static void
report_refusal(struct compiler *c, const struct source_step *s, unsigned rule)
{
	const struct profile *platform = c->options->platform;
	const char *words = platform_words(rule, PLATFORM_REFUSES);
	uint32_t bit = UINT32_C(1) << rule;
	bool told = (c->options->refusals_told | c->program->refusals) & bit;

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
look_at_step(struct compiler *c, const struct source_step *s)
{
	const struct profile *platform = c->options->platform;
	struct platform_step step = platform_step_of(c, s);

	for (unsigned rule = 0; rule < platform_n_rules(); rule++) {
		enum platform_verdict v = platform_look(rule, &step, platform);

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
		look_at_step(c, &c->steps[i]);
}
