/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The contexts that a person has marked, to do something to all of them. By
 * what they are: they outlive sorting and restarts, and may name a context
 * that is no more. */
#ifndef TUI_VIEWS_TAGS_H
#define TUI_VIEWS_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define TAGS_MAX 10000

struct tags {
	uint64_t *list; /* client << 32 | context, ascending */
	size_t n, cap;
};

size_t tags_count(const struct tags *t);
bool tags_has(const struct tags *t, uint32_t client, uint32_t context);
/* Adds it, or takes it out again. False: there are TAGS_MAX already. */
bool tags_toggle(struct tags *t, uint32_t client, uint32_t context);
void tags_clear(struct tags *t);
void tags_free(struct tags *t);

/* Calls back for each, by client and context, until that says false. client
 * is an id, context an index among the client's. */
typedef bool tag_fn(void *arg, uint32_t client, uint32_t context);
void tags_each(const struct tags *t, tag_fn *fn, void *arg);

#endif
