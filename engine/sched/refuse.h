/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What not every scheduler can run (doc/model/drm.md "Refusals",
 * doc/model/guc.md "Refusals"). True: the context has it, and err says that it
 * is refused and who would run it.
 */
#ifndef ENGINE_SCHED_REFUSE_H
#define ENGINE_SCHED_REFUSE_H

#include <stdbool.h>

struct context_def;
struct text;

/* G; sched is who refuses it. */
bool refuse_parallel(
    const struct context_def *def, const char *sched, struct text *err);
/* b */
bool refuse_bonds(const struct context_def *def, struct text *err);

#endif
