/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The stack of debug labels of a queue, kept as the JSON of an annex, so that
 * telling of it is a copy: {"label":["Frame 1","Shadow"]}. It is bounded: what
 * is pushed above that is counted, so that its pops pair, but not told of.
 */
#ifndef LAYERSTREAM_LABELS_H
#define LAYERSTREAM_LABELS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define LABELS_DEPTH 64
#define LABELS_BYTES 16384 /* of the JSON */

struct text;

struct labels {
	char *json;      /* NULL: there never was one */
	uint32_t len;    /* without the ]} at its end */
	uint32_t told;   /* labels in json */
	uint64_t depth;  /* and those that are only counted */
	uint32_t *begin; /* where in json each begins */
	uint32_t cap, cap_begin;
};

void labels_free(struct labels *l);
/* json is a label with its quotes. False: it is only counted. */
bool labels_push(struct labels *l, const char *json, uint32_t len);
/* False: there is none. */
bool labels_pop(struct labels *l);

#define LABELS_EMPTY  "{\"label\":[]}"
#define LABELS_PREFIX 9 /* {"label": */
#define LABELS_SUFFIX 2 /* ]} */

/* All of the JSON object; its length. */
static inline const char *
labels_object(const struct labels *l, uint32_t *len)
{
	if (l->told == 0) {
		*len = sizeof(LABELS_EMPTY) - 1;
		return LABELS_EMPTY;
	}
	*len = l->len + LABELS_SUFFIX;
	return l->json;
}

/*
 * Adds the label at *at, in a JSON array of labels from the layer, to t as
 * plain text, and moves *at to the next. False at the end. Start with *at at
 * the array.
 */
bool labels_next(const char **at, const char *end, struct text *t);

#endif
