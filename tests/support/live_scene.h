/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session whose documents are edited while it runs (run/live/live.h). */
#ifndef TESTS_SUPPORT_LIVE_SCENE_H
#define TESTS_SUPPORT_LIVE_SCENE_H

#include "run/live/marks.h"
#include "run/live/session.h"

struct live_scene {
	struct plan plan;
	struct session session;
	struct marks marks;
	nsec wall;
};

/* n documents of these texts, run on a "--profile=..." with a scheduler. */
void live_scene_begin(struct live_scene *sc, const char *profile,
    const char *sched, const char *const *texts, int n);
void live_scene_end(struct live_scene *sc);
/* By so much of the wall's time. */
void live_scene_advance(struct live_scene *sc, nsec ns);

/* Checks the marks of a source: they show every client of the document, and each
 * request that runs, at one line, or at one that has gone. */
void live_scene_check_marks(struct live_scene *sc, size_t source);
/* A text that can be run is what new clients get; another never is. */
void live_scene_check_newest(struct live_scene *sc, size_t source);

/* Return, or append, the state of the session, its plan and its documents as text,
 * to be compared (live_text.c). */
struct text live_scene_describe(const struct live_scene *sc);
void live_text_plan(struct text *out, const struct plan *plan);
void live_text_document(struct text *out, const struct document *doc);

#endif
