/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the reader of recordings (replay_read.c, read_*.c). */
#ifndef RUN_READER_H
#define RUN_READER_H

#include <jansson.h>

#include "run/fields.h"
#include "run/plan.h"
#include "run/replay.h"

#define N(list) (sizeof(list) / sizeof(*(list)))

/* What is known while a recording is read. */
struct reader {
	struct replay *r;
	struct plan *plan;
	struct text *err;
	size_t line;       /* from 1 */
	int64_t n_clients; /* of the launch, and added since */
	uint64_t instant;  /* of the line before */
	nsec at;
	bool ended;
};

/* What says when a line was written; see read_time. */
struct time_fields {
	int64_t at, instant;
};

#define TIME_FIELDS(t)                                                         \
	FIELD_RANGE("at_ns", &(t)->at, 0, INT64_MAX),                          \
	    FIELD_RANGE("instant", &(t)->instant, 0, INT64_MAX)

/* A descriptor, as it stands in an object. */
struct document_fields {
	const json_t *name, *text, *latin1;
	bool is_inline;
	bool waiting; /* it can't be run as it is (run/waiting.h) */
};

/* The rows of a table that read a document. */
#define DOCUMENT_FIELDS(d)                                                     \
	FIELD("document", STRING, &(d)->name),                                 \
	    FIELD_OPTIONAL("text", STRING, &(d)->text),                        \
	    FIELD_OPTIONAL("latin1", STRING, &(d)->latin1),                    \
	    FIELD("inline", BOOL, &(d)->is_inline)

/* read_launch.c: from false, rd->err says what is wrong. */
bool reader_make_source(struct reader *rd, struct source *s, const json_t *name,
    const struct document_fields *d);
/* There are n clients more. */
bool reader_count_clients(struct reader *rd, int64_t n);
/* Makes the plan anew. What was done before has no traces. */
bool read_launch(struct reader *rd, const json_t *o);

/* read_control.c */
bool read_control(struct reader *rd, const json_t *o, struct replay_action *a);
/* The index of a word in a list, or all of the list in the error. */
bool reader_find_word(struct reader *rd, const char *key, const json_t *word,
    const char *const *list, size_t n, size_t *found);

#endif
