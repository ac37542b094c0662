/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer of what is watched: begun when a program has annotations, so that
 * those who have none pay nothing.
 */
#ifndef TUI_SESSION_LAYER_WATCH_H
#define TUI_SESSION_LAYER_WATCH_H

#include "tui/layer/layer.h"
#include "tui/plan.h"

struct layer_watch {
	struct layer *layer; /* NULL: none */
	struct layer_listener listener;
	uint64_t generation; /* of the versions that were looked at */
};

/* At a launch, after layer_watch_end() and before anything runs. */
void layer_watch_begin(struct layer_watch *w, const struct run *run);
/* There may be other programs now. */
void layer_watch_look(struct layer_watch *w, const struct run *run);
/* Before run_free(). */
void layer_watch_end(struct layer_watch *w);

/* Appends what the request, which runs, does now: its labels and workload.
 * False: that is not known. */
bool layer_watch_now(
    const struct layer_watch *w, const struct request *rq, struct text *out);

#endif
