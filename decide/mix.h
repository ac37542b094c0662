/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A mix: how many clients each workload has for the count that is searched. As
 * typed: a field for each -w with ':' between them; 4: four clients, x: the count,
 * 2x: twice that. */
#ifndef DECIDE_MIX_H
#define DECIDE_MIX_H

#include <stddef.h>

#include "decide/capacity.h"

struct text;

#define MIX_MAX 1000000 /* of a field */

/* Returns n fields, which the caller frees; s NULL: x for each. NULL: err says what
 * is invalid. */
struct mix_field *mix_read(const char *s, size_t n, struct text *err);

/* The same where nothing is searched: fields without x; s NULL: 1 for each. */
struct mix_field *mix_read_fixed(const char *s, size_t n, struct text *err);

#endif
