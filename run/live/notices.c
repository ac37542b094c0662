/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Notices that a session gives once: bans, steps that a platform refuses, and
 * steps that change nothing under a scheduler. */
#include "run/live/notices.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "engine/client/client.h"
#include "engine/compile/platform.h"
#include "engine/compile/program.h"
#include "engine/hang/hang.h"
#include "engine/sched/steps.h"
#include "engine/sim.h"
#include "parser/diag.h"
#include "run/live/session.h"
#include "run/plan.h"

static void
on_ban(struct observer *o, const struct hang *hang)
{
	struct ban_notice *b = container_of(o, struct ban_notice, observer);

	if (!hang->context_banned)
		return;
	b->n++;
	b->name = batch_name_of(hang->rq);
	b->time = hang->time;
}

void
ban_notice_begin(struct ban_notice *b, struct sim *sim)
{
	*b = (struct ban_notice){.observer = {.hung = on_ban}, .sim = sim};
	sim_add_observer(sim, &b->observer);
}

void
ban_notice_end(struct ban_notice *b)
{
	if (b->sim != NULL)
		sim_remove_observer(b->sim, &b->observer);
	*b = (struct ban_notice){0};
}

bool
ban_notice_take(struct ban_notice *b, struct text *out)
{
	uint64_t n = b->n - b->n_reported;

	if (n == 0)
		return false;
	b->n_reported = b->n;
	text_adds(out, "hang of ");
	batch_name_long(&b->name, NULL, out);
	text_addf(out,
	    " at %.3f s: the context hung too often and is banned, its batches "
	    "are refused (EIO)",
	    (double)b->time / 1e9);
	if (n > 1)
		text_addf(out, "; %" PRIu64 " others before it", n - 1);
	return true;
}

static uint32_t
refused_now(const struct sim *sim)
{
	uint32_t rules = 0;

	for (const struct workload *w = sim->workloads; w != NULL; w = w->next)
		rules |= w->program->refusals;
	return rules;
}

bool
refusal_notice_take(
    struct refusal_notice *r, const struct sim *sim, struct text *out)
{
	const char *platform = sim->config.profile.name;
	uint32_t news;

	if (r->of_gpu.len > 0) {
		text_adds(out, text_str(&r->of_gpu));
		text_clear(&r->of_gpu);
		return true;
	}
	if (strcmp(r->platform, platform) != 0) {
		memcpy(r->platform, platform, sizeof(r->platform));
		r->reported = 0;
	}
	news = refused_now(sim) & ~r->reported;
	if (news == 0)
		return false;
	r->reported |= news;
	text_addf(out, "%s; the model of %s runs it all the same",
	    platform_words((unsigned)__builtin_ctz(news), PLATFORM_REFUSES),
	    platform);
	if ((news & (news - 1)) != 0)
		text_addf(out, " (--check reports %d more)",
		    __builtin_popcount(news) - 1);
	return true;
}

/* Appends the line of a step without effect, and why it has none. */
static void
add_idle_step(const struct plan *plan, const struct source *source,
    const struct program *program, const struct idle_step *idle,
    struct text *out)
{
	const struct op *op = &program->ops[idle->step];
	const struct document *doc = op->document > 0 ? plan->append
						      : source->doc;
	size_t row, column, len;
	const char *text = document_line_text(doc, op->line, &len);

	document_position(doc, op->line, 0, &row, &column);
	text_addf(out, "; %sline %zu (", op->document > 0 ? "-a " : "", row);
	text_add_visible(out, text, len);
	text_adds(out, ") has no effect: ");
	idle_step_add_why(idle, plan->sched, &plan->profile, out);
}

void
idle_notice_add(
    const struct plan *plan, const struct sim *sim, struct text *out)
{
	size_t n = 0;

	for (const struct workload *w = sim->workloads; w != NULL;
	     w = w->next) {
		const struct source *source = &plan->sources[w->id];
		struct idle_steps idle = {0};

		if (!source->is_alias && !source->waiting)
			sched_find_idle_steps(&idle, plan->sched,
			    &plan->profile, w->program, source->priority);
		if (n == 0 && idle.n > 0)
			add_idle_step(
			    plan, source, w->program, &idle.list[0], out);
		n += idle.n;
		idle_steps_free(&idle);
	}
	if (n > 1)
		text_addf(
		    out, " (and %zu more step%s)", n - 1, n == 2 ? "" : "s");
}

/* The step's line may have moved since its program was compiled, or have gone. */
static void
warn_at_line(const struct plan *plan, const struct version *version,
    const struct idle_step *idle, struct diag_list *diags)
{
	const struct document *doc = version->of->doc;
	const struct line *then = version->lines[idle->step];
	size_t line;

	if (then != NULL && document_line_index(doc, then, &line))
		idle_step_warn(
		    idle, plan->sched, &plan->profile, doc, line, diags);
}

void
idle_warnings_add(
    const struct session *s, size_t source, struct diag_list *diags)
{
	const struct plan *plan = s->plan;
	const struct source *from = &plan->sources[source];
	const struct versioned *of = versions_of(&s->run.versions, from->doc);
	struct idle_steps idle = {0};

	if (of == NULL || of->newest == NULL || from->waiting)
		return;
	sched_find_idle_steps(&idle, plan->sched, &plan->profile,
	    of->newest->program, from->priority);
	for (size_t i = 0; i < idle.n && diag_has_room(diags, DIAG_WARNING);
	     i++)
		warn_at_line(plan, of->newest, &idle.list[i], diags);
	idle_steps_free(&idle);
}
