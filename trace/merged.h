/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A workload in words: its labels, and what it is. */
#ifndef TRACE_MERGED_H
#define TRACE_MERGED_H

#include "trace/layer.h"

struct layer_piece;
struct text;

/* Appends "Frame > Shadow > renderpass 1920x1080 42 draws"; nothing of
 * LAYER_NOTHING. */
void merged_line(const struct layer_interval *i, struct text *out);
/* The same of one that is remembered; both halves of a pass are one. */
void merged_piece(const struct layer_piece *p, struct text *out);

#endif
