/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The behaviours that others test their scheduler for, and whether the model
 * shows them: the rows of doc/behaviours.md "The table", sections 5.8 (KUnit
 * cases of the DRM scheduler), 6.1 (IGT), 6.2 and 2.9 (kernel selftests) and
 * the list of section 9. A row that names several cases has an entry for each.
 */
#ifndef TESTS_BEHAVIOURS_BEHAVIOUR_H
#define TESTS_BEHAVIOURS_BEHAVIOUR_H

#include <stddef.h>

/* How an entry differs from its original (doc/behaviours.md). */
enum remark_kind {
	REMARK_NOT_APPLICABLE, /* there is no check: why */
	REMARK_DIAGNOSTICS,    /* only what is refused is checked, with why */
	REMARK_INSTEAD,        /* the check has something else, named here */
	REMARK_ONLY,           /* fewer schedulers than its neighbours: why */
};

struct remark {
	enum remark_kind kind;
	const char *text;
};

struct behaviour {
	unsigned row; /* in the table of the section, from 1 */
	const char *name;
	const char *schedulers; /* it is checked under each of them */
	void (*check)(const char *sched);
	const struct remark *remark; /* NULL: it asks what its original asks */
};

#define REMARK(kind, text)                                                     \
	&(const struct remark)                                                 \
	{                                                                      \
		kind, text                                                     \
	}
#define NOT_APPLICABLE(why) REMARK(REMARK_NOT_APPLICABLE, why)
#define DIAGNOSTICS(why)    REMARK(REMARK_DIAGNOSTICS, why)
#define INSTEAD(what)       REMARK(REMARK_INSTEAD, what)
#define ONLY(why)           REMARK(REMARK_ONLY, why)

/* Originals pass a token through memory, where their batches poll for it. */
#define TOKEN_BY_TEST                                                          \
	INSTEAD("the test ends all spinners when each has had a turn: there "  \
		"is no memory for a token")

#define EXECLISTS   "execlists"
#define GUC         "guc"
#define PREEMPTIVE  "execlists guc"
#define DRM         "drm drm:rr drm:fair"
#define BY_PRIORITY "execlists drm drm:rr guc"
/* Equal priorities: the first comes first; fair may let the later one go first
 * (section 5.2). */
#define FIRST_COME "fifo execlists drm drm:rr guc"
#define ANY        "fifo execlists drm drm:rr drm:fair guc"

/* A file's entries, in the order of their rows; another file may have other
 * entries of the same rows. */
struct behaviours {
	const char *section;
	const struct behaviour *list;
	size_t n;
};

#define BEHAVIOURS(section, list)                                              \
	{                                                                      \
		section, list, sizeof(list) / sizeof *(list)                   \
	}

extern const struct behaviours behaviours_kunit;
extern const struct behaviours behaviours_kunit_clients;
extern const struct behaviours behaviours_igt_schedule;
extern const struct behaviours behaviours_igt_slices;
extern const struct behaviours behaviours_igt_balancer;
extern const struct behaviours behaviours_igt_parallel;
extern const struct behaviours behaviours_igt_fence;
extern const struct behaviours behaviours_igt_fair;
extern const struct behaviours behaviours_igt_device;
extern const struct behaviours behaviours_igt_hangs;
extern const struct behaviours behaviours_igt_persistence;
extern const struct behaviours behaviours_igt_resets;
extern const struct behaviours behaviours_selftests;
extern const struct behaviours behaviours_selftests_guc;
extern const struct behaviours behaviours_selftests_resets;
extern const struct behaviours behaviours_rules;

#endif
