/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reading the values of an annotation: each notes in scan what is wrong. */
#ifndef PARSER_ANNOTATION_VALUE_H
#define PARSER_ANNOTATION_VALUE_H

#include "parser/annotation.h"

/* The largest of numbers that the model multiplies: products fit. */
#define ANNOTATION_SIZE_MAX   INT32_MAX
#define ANNOTATION_AMOUNT_MAX (INT64_MAX / 2)

/* A number from min to max; what names it, like "draws". */
uint64_t annotation_number(struct scan *scan, struct field f, const char *what,
    uint64_t min, uint64_t max);
/* n numbers with an x between them; example is a right one. */
void annotation_sizes(struct scan *scan, struct field f, const char *what,
    const char *example, int64_t *sizes, unsigned n);
void annotation_local(struct scan *scan, struct field f, uint32_t local[3]);
void annotation_amount(
    struct scan *scan, struct field f, bool whole, int64_t *amount);
void annotation_attachments(
    struct scan *scan, struct field f, struct annotation *a);
void annotation_spirv(struct scan *scan, struct field f, struct annotation *a);
/* ID=VALUE */
void annotation_constant(
    struct scan *scan, struct field f, struct annotation *a);
/* What stands between quotes, the quotes with it. */
void annotation_quoted(struct scan *scan, struct field f, struct annotation *a);

#endif
