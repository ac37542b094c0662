/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles the documents of a plan for its profile, lets its scheduler refuse
 * the programs, and launches them as clients. A program that was compiled for a
 * check is kept for the launch.
 */
#include "run/plan.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "engine/client/control.h"
#include "engine/client/origin.h"
#include "engine/follow/follow_past.h"
#include "engine/sched/steps.h"
#include "layerstream/spirv.h"
#include "run/options.h"

/* Compiles a source and the appended document; diags has the diagnostics of
 * each. reported: platform rules that need no second warning, a bit for each. */
static struct program *
compile_source(const struct plan *plan, const struct source *source,
    uint32_t reported, struct diag_list diags[2])
{
	const struct document *docs[2] = {source->doc, plan->append};
	struct program_options options = {
	    .duration_scale = plan->duration_scale,
	    .delay_scale = plan->delay_scale,
	    /* A GPU says itself what it takes. */
	    .platform = plan_is_of_gpu(plan) ? NULL : &plan->profile,
	    .refusals_reported = reported,
	    .stop = plan->stop,
	};
	struct device dev;

	device_init(&dev, &plan->profile);
	options.all_slices = device_all_slices(&dev);
	return program_compile(
	    docs, plan->append != NULL ? 2 : 1, &dev, &options, diags);
}

bool
plan_diagnose(const struct plan *plan, const struct source *source,
    const struct program *program, struct diag_list diags[2], struct text *err)
{
	const struct document *docs[2] = {source->doc, plan->append};

	return sched_diagnose(
		   plan->sched, program, &plan->profile, docs, diags, err) &&
	    plan_gpu_accepts(plan, program, docs, diags);
}

/* True if an earlier source of the plan has the same text and priority. */
static bool
is_named_before(const struct plan *plan, const struct source *source)
{
	for (size_t i = 0; i < plan->n_sources && &plan->sources[i] != source;
	     i++)
		if (strcmp(plan->sources[i].name, source->name) == 0 &&
		    plan->sources[i].priority == source->priority)
			return true;
	return false;
}

/* Warns of each step that changes nothing under the scheduler, once for all
 * clients. */
static void
warn_of_idle_steps(const struct plan *plan, const struct source *source,
    const struct program *program, struct diag_list diags[2])
{
	const struct document *docs[2] = {source->doc, plan->append};
	struct diag_list found[2] = {{0}, {0}};

	if (is_named_before(plan, source))
		return;
	sched_warn_of_idle_steps(plan->sched, &plan->profile, program,
	    source->priority, docs, found);
	plan_gpu_warn(plan, program, docs, found);
	diag_list_join(&diags[0], &found[0], true);
	if (source == &plan->sources[0])
		diag_list_join(&diags[1], &found[1], true);
	diag_list_free(&found[0]);
	diag_list_free(&found[1]);
}

static void
explain_source(const struct plan *plan, const struct source *s, bool warnings,
    struct diag_list diags[2], bool failed, struct text *err)
{
	if (warnings)
		spirv_diagnose(s->doc, &diags[0]);
	source_explain(
	    s->doc, document_diagnostics(s->doc), &diags[0], warnings, err);
	if (plan->append != NULL)
		source_explain(plan->append, NULL, &diags[1], warnings, err);
	if (failed)
		source_hint(s, err);
}

/* Appends a refusal that is not about one step as a line. */
static void
add_refusal(const struct source *s, const struct text *why, struct text *err)
{
	text_adds(err, "gpuwl-top: ");
	text_add_visible(err, s->name, strlen(s->name));
	text_addf(err, ": %s\n", text_str(why));
}

/* Compiles a source and asks the scheduler. Appends warnings, or with NULL all
 * diagnostics. */
static struct program *
build_source(const struct plan *plan, const struct source *s, bool warnings,
    uint32_t reported, struct text *err)
{
	struct diag_list diags[2] = {{0}, {0}};
	struct program *program = compile_source(plan, s, reported, diags);
	bool compiled = program != NULL;
	struct text why = {0};

	if (compiled && !plan_diagnose(plan, s, program, diags, &why)) {
		program_free(program);
		program = NULL;
		warnings = false; /* of what the model runs all the same */
	} else if (compiled && warnings) {
		warn_of_idle_steps(plan, s, program, diags);
	}
	if (compiled || !stop_is_wanted(plan->stop))
		explain_source(plan, s, warnings, diags, !compiled, err);
	if (why.len > 0)
		add_refusal(s, &why, err);
	text_free(&why);
	diag_list_free(&diags[0]);
	diag_list_free(&diags[1]);
	return program;
}

bool
plan_has_steps(const struct plan *plan, const struct source *source)
{
	return document_n_steps(source->doc) > 0 ||
	    (plan->append != NULL && document_n_steps(plan->append) > 0);
}

/* Warns of a source without steps: it is hardly intended. */
static bool
document_takes_time(const struct document *doc)
{
	size_t n = document_n_lines(doc);

	for (size_t i = 0; i < n; i++) {
		const struct step *step = document_line_step(doc, i);

		if (step != NULL &&
		    (step->kind == STEP_BATCH || step->kind == STEP_DELAY ||
			step->kind == STEP_PERIOD))
			return true;
	}
	return false;
}

bool
plan_takes_time(const struct plan *plan, const struct source *source)
{
	return document_takes_time(source->doc) ||
	    (plan->append != NULL && document_takes_time(plan->append));
}

static void
warn_of_no_step(
    const struct plan *plan, const struct source *source, struct text *err)
{
	struct text words = {0};

	if (plan_has_steps(plan, source))
		return;
	text_addf(&words, "warning: no step in %s", document_name(source->doc));
	source_add_line(err, text_str(&words));
	text_free(&words);
}

static void
keep_program(struct source *s, struct program *program)
{
	program_free(s->program);
	s->program = program;
	s->program_state = document_state(s->doc);
}

/* Compiles a source for the next launch, see plan_check(). */
static bool
check_new_source(const struct plan *plan, struct source *s, bool warnings,
    bool may_wait, uint32_t *reported, struct text *err)
{
	struct text said = {0};
	struct program *program;

	s->waiting = may_wait && !plan_has_steps(plan, s);
	if (s->waiting)
		return true;
	if (warnings)
		warn_of_no_step(plan, s, err);
	program = build_source(plan, s, warnings, *reported, &said);
	s->waiting = program == NULL && may_wait && !source_may_be_path(s);
	if (program != NULL)
		*reported |= program->refusals;
	if (!s->waiting)
		text_add(err, text_str(&said), said.len);
	text_free(&said);
	keep_program(s, program);
	return program != NULL || s->waiting;
}

/* Goes on after an error: all errors are reported at once. */
bool
plan_check(struct plan *plan, bool warnings, bool may_wait, struct text *err)
{
	bool ok = true;
	uint32_t reported = 0;

	for (size_t i = 0; i < plan->n_sources; i++) {
		struct source *s = &plan->sources[i];

		if (s->is_alias)
			s->waiting |= plan->sources[s->alias_of].waiting;
		else if (s->doc != NULL && !s->waiting)
			ok = check_new_source(
				 plan, s, warnings, may_wait, &reported, err) &&
			    ok;
	}
	return ok;
}

static void
free_programs(struct program **programs, size_t n)
{
	for (size_t i = 0; i < n; i++)
		program_free(programs[i]);
	free(programs);
}

void
plan_drop_programs(struct plan *plan)
{
	for (size_t i = 0; i < plan->n_sources; i++) {
		program_free(plan->sources[i].program);
		plan->sources[i].program = NULL;
	}
}

/* Takes the program that a source keeps for this launch. NULL: none, or the
 * document has changed since. */
static struct program *
take_kept_program(struct source *s)
{
	struct program *program = s->program;

	s->program = NULL;
	if (program == NULL || s->program_state == document_state(s->doc))
		return program;
	program_free(program);
	return NULL;
}

static struct program *
share_program(struct program *p)
{
	if (p != NULL)
		program_ref(p);
	return p;
}

/* Builds the program of source i. Aliases share the program of their document,
 * which has one newest version. before: programs of earlier sources. */
static struct program *
build_one(const struct plan *plan, size_t i, struct program *const *before,
    struct text *err)
{
	struct source *s = &plan->sources[i];
	struct program *program;

	if (s->is_alias)
		return share_program(before[s->alias_of]);
	if (s->waiting)
		return plan_placeholder(plan);
	program = take_kept_program(s);
	return program != NULL ? program : build_source(plan, s, true, 0, err);
}

/* Builds a program for each source. NULL: err has all diagnostics. */
static struct program **
build_all(const struct plan *plan, struct text *err)
{
	struct program **programs = mem_calloc(
	    plan->n_sources + 1, sizeof(*programs));
	bool ok = true;

	for (size_t i = 0; i < plan->n_sources; i++) {
		programs[i] = build_one(plan, i, programs, err);
		ok = ok && programs[i] != NULL;
	}
	if (ok && !stop_is_wanted(plan->stop))
		return programs;
	free_programs(programs, plan->n_sources);
	return NULL;
}

static void
launch_source(const struct plan *plan, struct run *run, size_t i,
    const struct program *program)
{
	const struct source *s = &plan->sources[i];
	struct workload *w = sim_add_workload(run->sim, s->name, program);
	struct client_options options = {
	    .priority = s->priority,
	    .small_sseu = s->small_sseu,
	};

	for (unsigned n = 0; n < s->clones && !s->waiting; n++) {
		/* Only the first client of a master is the master. */
		options.background = s->background || (s->master && n > 0);
		options.repeat = options.background ? 0
		    : s->repeat > 0                 ? s->repeat
						    : plan->repeat;
		sim_add_client(run->sim, w, &options);
	}
}

bool
plan_launch(struct plan *plan, struct run *run, struct text *err)
{
	struct sim_config config = {
	    .profile = plan->profile,
	    .sched = plan->sched,
	    .seed = plan->seed,
	    .same_random = plan->same_random,
	    .sync_deps = plan->sync_deps,
	};

	struct program **programs = build_all(plan, err);

	plan_drop_programs(plan);
	*run = (struct run){0};
	if (programs == NULL)
		return false;
	run->sim = sim_new(&config);
	if (plan->gpu != NULL && !run_follow_gpu(plan, run, err)) {
		free_programs(programs, plan->n_sources);
		run_free(run);
		return false;
	}
	if (plan->past != NULL)
		follow_past_begin(plan_past(plan), run->sim);
	for (size_t i = 0; i < plan->n_sources; i++) {
		launch_source(plan, run, i, programs[i]);
		if (!plan->sources[i].waiting)
			versions_add(
			    &run->versions, programs[i], plan->sources[i].doc);
	}
	free_programs(programs, plan->n_sources);
	return true;
}

void
run_free(struct run *run)
{
	if (run->sim != NULL)
		sim_free(run->sim);
	run_leave_gpu(run);
	versions_free(&run->versions);
	*run = (struct run){0};
}

struct program *
plan_build(
    const struct plan *plan, const struct source *source, struct text *err)
{
	return build_source(plan, source, true, 0, err);
}

bool
plan_prepare(const struct plan *plan, struct source *source, struct text *err)
{
	keep_program(source, plan_build(plan, source, err));
	return source->program != NULL;
}

struct program *
plan_placeholder(const struct plan *plan)
{
	struct plan bare = *plan; /* without the appended document */
	struct source none = {0};
	struct diag_list diags[2] = {{0}, {0}};
	struct program *program;

	bare.append = NULL;
	none.doc = document_parse("", "", 0, SOURCE_FILE);
	program = compile_source(&bare, &none, 0, diags);
	document_free(none.doc);
	diag_list_free(&diags[0]);
	diag_list_free(&diags[1]);
	return program;
}

bool
run_control(struct run *run, const struct control *control, struct text *err)
{
	const struct source *source = control->source;

	if (!run_gpu_allows(run, control, err) ||
	    !sim_control(run->sim, control, err))
		return false;
	if (control->program != NULL && !source->waiting)
		versions_add(&run->versions, control->program, source->doc);
	return true;
}

const struct line *
run_line(const struct run *run, const struct plan *plan,
    const struct request *rq, const struct document **doc)
{
	const struct op *op = request_op(rq);
	const struct version *version;

	if (op != NULL && op->document > 0) {
		*doc = plan->append;
		return document_line(*doc, op->line);
	}
	version = versions_find(&run->versions, request_program(rq));
	if (version == NULL)
		return NULL;
	*doc = version->of->doc;
	return version->lines[rq->origin.step];
}

struct program *
plan_compile(const struct plan *plan, size_t source, struct diag_list *diags,
    struct text *err)
{
	struct diag_list both[2] = {*diags, {0}};
	struct program *program = compile_source(
	    plan, &plan->sources[source], 0, both);

	*diags = both[0];
	if (plan->append != NULL)
		source_explain(plan->append, NULL, &both[1], true, err);
	diag_list_free(&both[1]);
	return program;
}
