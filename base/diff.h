/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which lines two texts have in common, in order: as many as can be. */
#ifndef BASE_DIFF_H
#define BASE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

typedef bool diff_same_fn(const void *arg, size_t old, size_t new);

/* Fills match[0..n_old): the new line that each old one is, or DIFF_NONE.
 * Texts that differ in more than some hundred lines have none in common. */
#define DIFF_NONE ((size_t)-1)
void diff_lines(size_t n_old, size_t n_new, diff_same_fn *same, const void *arg,
    size_t *match);

#endif
