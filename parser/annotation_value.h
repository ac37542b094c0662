/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Parses the values of annotations, and copies them. Functions with a scan add
 * their errors to it. */
#ifndef PARSER_ANNOTATION_VALUE_H
#define PARSER_ANNOTATION_VALUE_H

#include "parser/annotation.h"

/* Limits of numbers that the model multiplies, so that products fit. */
#define ANNOTATION_SIZE_MAX   INT32_MAX
#define ANNOTATION_AMOUNT_MAX (INT64_MAX / 2)

/* A number from min to max; what: its name, like "draws". */
uint64_t annotation_number(struct scan *scan, struct field f, const char *what,
    uint64_t min, uint64_t max);
/* n numbers from min on, joined by x; example: a valid one, for the diagnostic. */
void annotation_sizes(struct scan *scan, struct field f, const char *what,
    const char *example, uint64_t min, int64_t *sizes, unsigned n);
/* Group size of a dispatch, like 8x8x1. */
void annotation_local(struct scan *scan, struct field f, uint32_t local[3]);
/* A number from 1 or, if whole, also the word "whole". */
void annotation_amount(
    struct scan *scan, struct field f, bool whole, int64_t *amount);
/* Attachments of a pass, like C0:clear:store,D. */
void annotation_attachments(
    struct scan *scan, struct field f, struct annotation *a);
/* FILE or FILE:ENTRY */
void annotation_spirv(struct scan *scan, struct field f, struct annotation *a);
/* ID=VALUE */
void annotation_constant(
    struct scan *scan, struct field f, struct annotation *a);
/* Replaces the lists of an annotation by copies in arena. */
void annotation_copy_lists(struct arena *arena, struct annotation *a);
/* A label with its quotes. */
void annotation_quoted(struct scan *scan, struct field f, struct annotation *a);

#endif
