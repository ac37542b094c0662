/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Random `#@` lines for descriptors that have one step a line. */
#ifndef TESTS_SUPPORT_ANNOTATE_H
#define TESTS_SUPPORT_ANNOTATE_H

#include <stddef.h>
#include <stdint.h>

struct text;

/* Appends text, with annotations in front of most of its batches. They may be
 * nonsense, as applications are: labels popped that were not pushed, passes
 * resumed that were not suspended. */
void annotate(struct text *out, const char *text, size_t len, uint64_t *random);

#endif
