/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The list of schedulers; a new one is a file and a row here. */
#include "engine/sched/sched.h"

#include <string.h>

#include "engine/sched/sched_drm.h"
#include "engine/sched/sched_execlists.h"
#include "engine/sched/sched_fifo.h"
#include "engine/sched/sched_guc.h"
#include "parser/text.h"

static const struct sched_ops *const scheds[] = {
    &sched_fifo,
    &sched_execlists,
    &sched_drm,
    &sched_drm_rr,
    &sched_drm_fair,
    &sched_guc,
};

#define N_SCHEDS (sizeof scheds / sizeof *scheds)

const struct sched_ops *
sched_list(unsigned i)
{
	return i < N_SCHEDS ? scheds[i] : NULL;
}

const struct sched_ops *
sched_find(const char *name, struct text *err)
{
	for (size_t i = 0; i < N_SCHEDS; i++) {
		if (strcmp(scheds[i]->name, name) == 0)
			return scheds[i];
	}
	text_adds(err, "no scheduler '");
	text_add_visible(err, name, strlen(name));
	text_adds(err, "': use");
	for (size_t i = 0; i < N_SCHEDS; i++)
		text_addf(err, "%s %s", i > 0 ? "," : "", scheds[i]->name);
	return NULL;
}
