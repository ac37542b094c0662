/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The words for each feature that a run may need: what it is, and what would be
 * needed to have it (doc/model/libdrm.md "Features").
 */
#include "device/hardware/facts.h"

#include <string.h>

static const struct feature_words {
	const char *lacks, *needs;
	const char *instead; /* NULL: steps that need it are refused */
} features[N_FEATURES] = {
    [FEATURE_SCHEDULER] = {"no scheduler, as its driver submits to rings",
	"a GPU of generation 8 or later", NULL},
    [FEATURE_SOFTPIN] = {"no addresses that a program chooses",
	"Linux 4.5 or later, and full PPGTT", NULL},
    [FEATURE_FULL_ADDRESSES] = {"no address space of 48 bits for each context",
	"generation 8 or later, and i915.enable_ppgtt not changed", NULL},
    [FEATURE_FENCES] = {"no fences for batches", "Linux 4.10 or later", NULL},
    [FEATURE_BATCH_FIRST] = {"no batch as the first object",
	"Linux 4.13 or later", NULL},
    [FEATURE_MAPS] = {"no contexts with engine maps and address spaces",
	"Linux 5.3 or later", NULL},
    [FEATURE_TIMERS] = {"no clocks and arithmetic on all command streamers",
	"a GPU of generation 8 or later", NULL},
    [FEATURE_SUBMIT_FENCES] = {"no submit fences (s-n)", "Linux 5.3 or later",
	NULL},
    [FEATURE_PREEMPTION] = {"no preemption within batches (X)",
	"a GPU of generation 9 or later",
	"batches are preempted between each other only"},
    [FEATURE_BALANCING] = {"no load balancing (B)",
	"Linux 5.3 or later, and a GPU of generation 8 or later", NULL},
    [FEATURE_RELATIVE] = {"no registers relative to the engine, which batches "
			  "of virtual engines (B) use",
	"a GPU of generation 11 or later", NULL},
    [FEATURE_BONDS] = {"no engine bonds (b)",
	"a kernel from 5.3 to 5.13, without GuC submission; G has taken their "
	"place",
	NULL},
    [FEATURE_PARALLEL] = {"no parallel submission (G)",
	"two engines of a class, and Linux 5.16 or later with GuC submission, "
	"5.17 or later without",
	NULL},
    [FEATURE_SSEU] = {"no slice masks (S)", "a GPU of generation 11", NULL},
    [FEATURE_RAISED_PRIORITY] = {"no priority above 0 (P) for this user",
	"the capability CAP_SYS_NICE, e.g. `sudo setcap cap_sys_nice+ep "
	"PROGRAM`",
	"such priorities are 0 in this run"},
    [FEATURE_NON_PERSISTENT] = {"no contexts that end with their process",
	"Linux 5.7 or later, and resets of single engines",
	"if gpuwl-top is killed, its batches go on"},
};

bool
facts_need(
    const struct facts *facts, enum facts_feature feature, struct text *err)
{
	const struct feature_words *words = &features[feature];

	if (facts->has[feature])
		return true;
	text_addf(err, "%s has %s: needs %s", facts->path, words->lacks,
	    words->needs);
	if (facts->why[feature] != 0)
		text_addf(err, " (%s)", strerror(facts->why[feature]));
	return false;
}

const char *
facts_instead(enum facts_feature feature)
{
	return features[feature].instead;
}

bool
facts_allow_run(const struct facts *facts, struct text *err)
{
	for (int i = 0; i < FEATURES_NEEDED; i++)
		if (!facts_need(facts, (enum facts_feature)i, err))
			return false;
	return true;
}
