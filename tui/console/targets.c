/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a tweak acts on: the step under the descriptor's cursor, the tagged
 * contexts, or the selected one.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "run/plan.h"
#include "tui/console/ui.h"
#include "tui/views/view.h"

struct collecting {
	const struct session *session;
	struct targets *targets;
};

/* Adds a context, unless it no longer exists: tags are not removed with it. */
static bool
collect_context(void *arg, uint32_t client, uint32_t context)
{
	struct collecting *c = arg;
	struct targets *t = c->targets;

	t->list = mem_grow(t->list, t->n, &t->cap, sizeof(*t->list));
	t->n += tweak_target_of_context(
	    c->session, client, context, &t->list[t->n]);
	return true;
}

static void
collect_client(struct collecting *c, uint32_t id)
{
	const struct sim *sim = c->session->run.sim;

	for (uint32_t i = 0;
	     id < sim->n_clients && i < sim->clients[id]->n_contexts; i++)
		collect_context(c, id, i);
}

/* Fences and Timeline also show what is selected, at their cursors. */
bool
targets_selected(struct ui *ui, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);
	bool seen = ui->focus == PART_FENCES || ui->focus == PART_TIMELINE ||
	    contexts_shows_selected(ui->views[PART_CONTEXTS], &env);

	if (!seen)
		text_adds(err,
		    "nothing is selected: the filter hides all contexts (\\ changes it)");
	return seen;
}

bool
targets_contexts(struct ui *ui, struct targets *targets, struct text *err)
{
	const struct selection *sel = &ui->selection;
	struct collecting c = {ui->session, targets};

	*targets = (struct targets){0};
	if (tags_count(&ui->tags) == 0 && !targets_selected(ui, err))
		return false;
	if (tags_count(&ui->tags) > 0)
		tags_each(&ui->tags, collect_context, &c);
	else if (sel->whole_client)
		collect_client(&c, sel->client);
	else
		collect_context(&c, sel->client, sel->context);
	if (targets->n == 0)
		text_adds(err, "no context is selected");
	return targets->n > 0;
}

bool
targets_find(struct ui *ui, enum tweak_kind kind, struct targets *targets,
    struct text *err)
{
	struct tweak_target target;

	if (ui->focus != PART_DESCRIPTOR)
		return targets_contexts(ui, targets, err);
	*targets = (struct targets){0};
	if (!tweak_target_of_line(ui->session, ui->selection.source,
		ui->selection.line, kind, &target)) {
		text_adds(err, "this line has no context");
		return false;
	}
	targets->list = mem_calloc(1, sizeof(target));
	targets->list[targets->n++] = target;
	return true;
}

/* Returns the first client of the source that has the context; n_clients:
 * none. */
static uint32_t
find_client(const struct ui *ui, uint32_t context, size_t source)
{
	const struct sim *sim = ui->session->run.sim;
	uint32_t id;

	for (id = 0; id < sim->n_clients; id++)
		if (plan_document(ui->session->plan,
			sim->clients[id]->workload->id) == source &&
		    live_find_context(sim->clients[id], context) != NULL)
			break;
	return id;
}

bool
targets_number(
    struct ui *ui, uint32_t context, struct targets *targets, struct text *err)
{
	const struct sim *sim = ui->session->run.sim;
	uint32_t id = ui->selection.client;
	struct collecting c = {ui->session, targets};

	*targets = (struct targets){0};
	if (id >= sim->n_clients ||
	    live_find_context(sim->clients[id], context) == NULL)
		id = find_client(ui, context, ui->selection.source);
	for (size_t i = 0;
	     id == sim->n_clients && i < ui->session->plan->n_sources; i++)
		id = find_client(ui, context, i);
	if (id < sim->n_clients)
		collect_context(&c, id,
		    live_find_context(sim->clients[id], context)->index);
	if (targets->n == 0)
		text_addf(err, "no client has a context %u", context);
	return targets->n > 0;
}

void
targets_free(struct targets *targets)
{
	free(targets->list);
	*targets = (struct targets){0};
}

void
targets_show(struct ui *ui, const struct tweak_place *place)
{
	if (ui->focus == PART_DESCRIPTOR)
		return;
	ui->selection.source = place->source;
	ui->selection.line = place->line;
}

void
targets_tweak(
    struct ui *ui, const struct tweak *tweak, const struct targets *targets)
{
	struct text said = {0};
	struct tweak_place place;
	bool ok = session_tweak(ui->session, tweak, targets->list, targets->n,
	    LIVE_IN_PLACE, &place, &said);

	if (ok)
		targets_show(ui, &place);
	ui_say(ui, ok ? ROLE_NORMAL : ROLE_BAD, "%s", text_str(&said));
	text_free(&said);
}
