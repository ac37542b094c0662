/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restarts with other numbers of clients, or another plan; one that cannot be
 * launched leaves the session as it is. */
#include "run/live/vary.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "run/import/beside.h"
#include "run/import/import_files.h"
#include "run/live/saving.h"
#include "run/live/session.h"
#include "run/options.h"

/* The choices of a plan that plan_vary() changes. */
struct plan_choices {
	struct plan plan;
	unsigned *clones; /* by source */
};

static void
keep_choices(struct plan_choices *c, const struct plan *plan)
{
	c->plan = *plan;
	c->clones = mem_calloc(plan->n_sources + 1, sizeof *c->clones);
	for (size_t i = 0; i < plan->n_sources; i++)
		c->clones[i] = plan->sources[i].clones;
}

static void
restore_choices(const struct plan_choices *c, struct plan *plan)
{
	*plan = c->plan;
	for (size_t i = 0; i < plan->n_sources; i++)
		plan->sources[i].clones = c->clones[i];
}

/* Clients that run another workload of the same document go. */
static void
set_clones(struct plan *plan, size_t source, unsigned n)
{
	for (size_t i = 0; i < plan->n_sources; i++)
		if (plan_document(plan, i) == source)
			plan->sources[i].clones = i == source ? n : 0;
}

bool
session_set_clients(
    struct session *s, nsec wall, size_t source, unsigned n, struct text *err)
{
	struct plan_choices old;
	struct text what = {0};
	bool ok;

	keep_choices(&old, s->plan);
	source_add_title(s->plan, source, &what);
	text_addf(&what, ": %u client%s", n, n == 1 ? "" : "s");
	set_clones(s->plan, source, n);
	ok = session_restart_changed(
	    s, wall, "number of clients", text_str(&what), err);
	if (!ok)
		restore_choices(&old, s->plan);
	free(old.clones);
	text_free(&what);
	return ok;
}

bool
session_vary(struct session *s, nsec wall, const struct options *o,
    const char *knobs, const char *what, struct text *err)
{
	struct plan_choices old;
	char *file = o->profile != NULL ? mem_strdup(o->profile) : NULL;
	bool ok;

	keep_choices(&old, s->plan);
	ok = plan_vary(s->plan, o, knobs, err) &&
	    session_restart_changed(s, wall, "plan", what, err);
	if (ok) {
		free(s->profile_file);
		s->profile_file = file;
	} else {
		restore_choices(&old, s->plan);
		free(file);
	}
	free(old.clones);
	return ok;
}

bool
session_may_import(const struct session *s, struct text *err)
{
	const char *why = NULL;

	if (session_is_on_gpu(s))
		why = "an import runs on the model: run without -D";
	else if (session_n_programs(s) > 0)
		why = "programs use the device: an import runs without them";
	else if (s->plan->append != NULL)
		why = "-a adds steps to all descriptors: run without it";
	text_adds(err, why != NULL ? why : "");
	return why == NULL;
}

/* Opens a descriptor of an import, or reads it again if it is open. */
static bool
open_imported(struct plan *plan, const char *path, unsigned clones,
    size_t *opened, struct text *err)
{
	size_t at = plan_find_file(plan, path);
	struct source *source;

	if (at < plan->n_sources ? !saving_reread(plan, at, err)
				 : !plan_add_file(plan, path, false, err))
		return false;
	source = &plan->sources[at];
	source->clones = clones;
	source->master = source->background = source->small_sseu = false;
	source->priority = 0;
	*opened = at;
	return true;
}

static bool
open_import(struct session *s, const struct import_model *m,
    const struct import_files *files, size_t *sources, struct text *err)
{
	struct plan *plan = s->plan;
	bool ok = true;

	plan_drop_programs(plan);
	for (size_t i = 0; i < plan->n_sources; i++)
		plan->sources[i].clones = 0;
	plan->same_random = plan->sync_deps = false;
	plan->duration_scale = plan->delay_scale = 1;
	plan->repeat = 0;
	if (!profile_load(&plan->profile, import_files_profile(files, m), err))
		return false;
	plan->sched = sched_of(&plan->profile, m->scheduler, err);
	for (size_t i = 0; i < files->n && ok; i++)
		ok = open_imported(plan, files->paths[i],
		    m->inferred.clients[i].n_clones, &sources[i], err);
	return ok && plan->sched != NULL;
}

bool
session_take_import(struct session *s, nsec wall, const struct import_model *m,
    const struct import_files *files, struct beside *trace, const char *what,
    struct text *err)
{
	struct plan_choices old;
	size_t *sources = mem_calloc(files->n + 1, sizeof(*sources));
	nsec limit = s->limit;
	bool ok = session_may_import(s, err);

	keep_choices(&old, s->plan);
	s->limit = nsec_earlier(m->span_ns, trace->end_ns);
	ok = ok && open_import(s, m, files, sources, err) &&
	    session_restart_changed(s, wall, "workload", what, err);
	if (ok) {
		free(s->profile_file);
		s->profile_file = mem_strdup(import_files_profile(files, m));
		session_set_trace(s, trace, sources);
	} else {
		beside_free(trace);
		free(sources);
		while (s->plan->n_sources > old.plan.n_sources)
			plan_drop_last(s->plan);
		old.plan.sources = s->plan->sources;
		restore_choices(&old, s->plan);
		s->limit = limit;
	}
	free(old.clones);
	return ok;
}
