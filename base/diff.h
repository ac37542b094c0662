/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The longest sequence of lines that two texts have in common. */
#ifndef BASE_DIFF_H
#define BASE_DIFF_H

#include <stdbool.h>
#include <stddef.h>

/* True if those two lines are equal; arg: of diff_lines(). */
typedef bool diff_same_fn(const void *arg, size_t old, size_t new);

/* Sets match[i] to the new line that equals old line i, or to DIFF_NONE. Texts
 * with more than 300 differences have no line in common. */
#define DIFF_NONE ((size_t)-1)
void diff_lines(size_t n_old, size_t n_new, diff_same_fn *same, const void *arg,
    size_t *match);

#endif
