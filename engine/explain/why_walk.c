/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Follows what a client waited for down to the engine or the step that it comes
 * from, without making rows (doc/model/causes.md "The chain"). */
#include "engine/explain/why.h"

#define MAX_CHAIN 12 /* requests that are followed, each blocked by the next */

/* A walk: the function to call, and the parts kept on the way to the part at
 * hand. */
struct walk {
	struct why *why;
	why_leaf_fn *leaf;
	void *data;
	struct why_part path[WHY_PATH];
	unsigned n, depth;
};

static void walk_parts(struct walk *walk, size_t first);

static void
walk_part(struct walk *walk, const struct why_part *part)
{
	struct why *why = walk->why;
	size_t n = why->n_parts;
	unsigned kept = walk->n;

	if (walk->depth < MAX_CHAIN && part->role != WHY_QUEUED &&
	    part->role != WHY_OFF)
		why_find_below(why, part);
	if (kept == 0 || why->n_parts == n)
		walk->path[walk->n++] = *part;
	if (why->n_parts > n) {
		walk->depth++;
		walk_parts(walk, n);
		walk->depth--;
	} else {
		walk->leaf(walk->data, walk->path, walk->n);
	}
	walk->n = kept;
}

/* Walks the parts from first on, and removes them. */
static void
walk_parts(struct walk *walk, size_t first)
{
	size_t n = walk->why->n_parts;

	for (size_t i = first; i < n; i++) {
		struct why_part part = walk->why->parts[i];

		walk_part(walk, &part);
	}
	walk->why->n_parts = first;
}

void
why_walk_client(struct why *why, uint32_t client, struct why_window w,
    why_leaf_fn *leaf, void *data)
{
	struct walk walk = {.why = why, .leaf = leaf, .data = data};
	size_t first = why->n_parts;

	why_find_client(why, w, client);
	walk_parts(&walk, first);
}

void
why_walk_request(struct why *why, uint64_t request, struct why_window w,
    why_leaf_fn *leaf, void *data)
{
	struct walk walk = {.why = why, .leaf = leaf, .data = data};
	size_t first = why->n_parts;

	why_find_request(why, w, request);
	walk_parts(&walk, first);
}

void
why_walk_span(struct why *why, uint8_t engine, uint64_t span,
    struct why_window w, why_leaf_fn *leaf, void *data)
{
	struct walk walk = {.why = why, .leaf = leaf, .data = data};
	size_t first = why->n_parts;

	why_find_span(why, w, engine, span);
	walk_parts(&walk, first);
}
