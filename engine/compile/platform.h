/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What platforms refuse of what the model runs: the driver and its kernel, and
 * gem_wsim there. The rules are one table, in platform.c; the reasons for each
 * stand in doc/model/platforms.md.
 */
#ifndef ENGINE_COMPILE_PLATFORM_H
#define ENGINE_COMPILE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct profile;
struct step;

/* A step, and how its context was set up by all steps of its client. */
struct platform_step {
	const struct step *step;
	const struct step *map; /* the M that counts; NULL: none */
	bool balanced;          /* B */
	bool parallel;          /* G */
};

enum platform_verdict {
	PLATFORM_TAKES,
	PLATFORM_NEEDS, /* takes it, if something more is given */
	PLATFORM_REFUSES,
};

/* Rules are numbered from 0; a set of them is one bit each. */
unsigned platform_n_rules(void);
/* The words of a rule about a step on a platform; NULL: where no platform is
 * named, on i915 as it is on any generation with any kernel. */
enum platform_verdict platform_look(unsigned rule,
    const struct platform_step *step, const struct profile *platform);
/* Words for that verdict, without a full stop. */
const char *platform_words(unsigned rule, enum platform_verdict verdict);
/* The field of the step that is meant. */
unsigned platform_field(unsigned rule);
/* Does a run that breaks the rule say so? Not where all of i915 refuses alike, or
 * gem_wsim alone: that is no news of the platform. */
bool platform_warns(unsigned rule);

/* Findings of program_compile about the platform in one document. */
struct platform_finding {
	unsigned rule;
	enum platform_verdict verdict; /* NEEDS or REFUSES */
	uint32_t document;
	uint32_t line; /* index in the document */
	uint32_t step; /* its number in the document, from 0 */
	uint32_t col, len;
};

struct platform_findings {
	struct platform_finding *list; /* in order of the steps */
	size_t n, cap;
};

void platform_findings_free(struct platform_findings *findings);

#endif
