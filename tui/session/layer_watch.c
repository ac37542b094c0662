/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_watch.h. */
#include "tui/session/layer_watch.h"

#include "tui/layer/merged.h"

static bool
has_annotations(const struct program *p)
{
	for (uint32_t i = 0; i < p->n_ops; i++)
		if (p->annotations[i] != NULL)
			return true;
	return false;
}

/* Only for the layer to know what batches execute. */
static void
on_interval(struct layer_listener *l, const struct layer_interval *i)
{
	(void)l;
	(void)i;
}

void
layer_watch_look(struct layer_watch *w, const struct run *run)
{
	const struct versions *v = &run->versions;
	bool any = false;

	if (w->layer != NULL || w->generation == v->generation)
		return;
	w->generation = v->generation;
	for (size_t i = 0; i < v->n && !any; i++)
		any = has_annotations(v->list[i]->program);
	if (!any)
		return;
	w->layer = layer_begin(run->sim, NULL);
	w->listener = (struct layer_listener){.interval = on_interval};
	layer_listen(w->layer, &w->listener);
}

void
layer_watch_begin(struct layer_watch *w, const struct run *run)
{
	*w = (struct layer_watch){.generation = UINT64_MAX};
	layer_watch_look(w, run);
}

void
layer_watch_end(struct layer_watch *w)
{
	layer_end(w->layer);
	*w = (struct layer_watch){0};
}

bool
layer_watch_now(
    const struct layer_watch *w, const struct request *rq, struct text *out)
{
	struct layer_interval i;

	if (w->layer == NULL ||
	    rq->image->program->annotations[rq->step] == NULL ||
	    !layer_now(w->layer, rq, &i))
		return false;
	merged_line(&i, out);
	return true;
}
