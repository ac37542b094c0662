/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Will gem_wsim run the descriptor, on any platform or on one? What the text
 * alone tells (parser/document/portable.c) and what platforms refuse (engine/compile/platform.h),
 * as one verdict.
 */
#ifndef CLI_PORTABILITY_H
#define CLI_PORTABILITY_H

#include "parser/diag.h"

struct document;
struct platform_findings;
struct profile;
struct text;

/* Begin with all zero but the platform. */
struct portability {
	const struct profile *platform; /* NULL: any */
	struct diag_list refused;       /* notes: what is not portable, */
	struct diag_list needs;         /* and what is, with something more */
};

/* Adds what stands against a document that compiles. */
void portability_find(struct portability *p, const struct document *doc,
    const struct platform_findings *findings);
/* Adds all of it, "step 4: ...". */
void portability_diagnose(const struct portability *p,
    const struct document *doc, struct diag_list *diags);
/* Appends the verdict in one line with its reasons, each of them once. */
void portability_print(
    const struct portability *p, const struct document *doc, struct text *out);
void portability_free(struct portability *p);

#endif
