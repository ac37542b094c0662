/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of schedulers. A new scheduler is a file, its declaration in sched.h
 * and a row in each table here.
 */
#include "engine/sched/sched.h"

#include <string.h>

#include "base/text.h"
#include "engine/profile.h"
#include "engine/sched/guc.h"

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

/* All names and aliases, in the order in which they are listed. */
static const struct {
	const char *name;
	const struct sched_ops *sched;
} sched_names[] = {
    {"fifo", &sched_fifo},
    {"execlists", &sched_execlists},
    {"drm", &sched_drm},
    {"drm:fifo", &sched_drm}, /* alias, like its siblings */
    {"drm:rr", &sched_drm_rr},
    {"drm:fair", &sched_drm_fair},
    {"guc", &sched_guc},
};

#define N_NAMES (sizeof sched_names / sizeof *sched_names)

const char *
sched_name(unsigned i)
{
	return i < N_NAMES ? sched_names[i].name : NULL;
}

const struct sched_ops *
sched_find(const char *name, struct text *err)
{
	for (size_t i = 0; i < N_NAMES; i++) {
		if (strcmp(sched_names[i].name, name) == 0)
			return sched_names[i].sched;
	}
	text_adds(err, "invalid scheduler '");
	text_add_visible(err, name, strlen(name));
	text_adds(err, "': expected");
	for (size_t i = 0; i < N_SCHEDS; i++)
		text_addf(err, "%s %s", i > 0 ? "," : "", scheds[i]->name);
	return NULL;
}

const struct sched_ops *
sched_of(const struct profile *profile, const char *name, struct text *err)
{
	bool own = strcmp(name, SCHED_OF_PROFILE) == 0;

	return sched_find(own ? profile->scheduler : name, err);
}
