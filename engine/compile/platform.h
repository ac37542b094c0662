/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps that the model runs but a platform refuses: its driver and kernel, or
 * gem_wsim there. The rules are one table in platform.c; doc/model/platforms.md
 * has the reasons.
 */
#ifndef ENGINE_COMPILE_PLATFORM_H
#define ENGINE_COMPILE_PLATFORM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum platform_verdict {
	PLATFORM_TAKES,
	PLATFORM_NEEDS, /* takes it under a condition */
	PLATFORM_REFUSES,
};

/* Returns the number of rules, which are numbered from 0. A set of rules has a
 * bit for each. */
unsigned platform_n_rules(void);
/* Returns the words for that verdict, without a full stop. */
const char *platform_words(unsigned rule, enum platform_verdict verdict);
/* Something that program_compile() found about the platform. */
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

/* Frees the list and makes it empty. */
void platform_findings_free(struct platform_findings *findings);

#endif
