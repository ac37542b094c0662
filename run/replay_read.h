/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to replay_read.c and replay_actions.c: reading a recording. */
#ifndef RUN_REPLAY_READ_H
#define RUN_REPLAY_READ_H

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/plan.h"
#include "run/recording.h"

struct text;

enum field_type {
	FIELD_INTEGER, /* to: int64_t, from min to max */
	FIELD_REAL,    /* double */
	FIELD_BOOL,    /* bool */
	FIELD_STRING,  /* const json_t *, and so the others */
	FIELD_OBJECT,
	FIELD_ARRAY,
};

struct json_field {
	const char *key;
	enum field_type type;
	void *to;
	bool optional; /* then *to stays as it is */
	int64_t min, max;
};

/* Rows of a table: type without FIELD_, INTEGER by its limits. */
#define FIELD(key, type, to)                                                   \
	{                                                                      \
		key, FIELD_##type, to, false, 0, 0                             \
	}
#define FIELD_OPTIONAL(key, type, to)                                          \
	{                                                                      \
		key, FIELD_##type, to, true, 0, 0                              \
	}
#define FIELD_RANGE(key, to, min, max)                                         \
	{                                                                      \
		key, FIELD_INTEGER, to, false, min, max                        \
	}
#define FIELD_RANGE_OPTIONAL(key, to, min, max)                                \
	{                                                                      \
		key, FIELD_INTEGER, to, true, min, max                         \
	}

/* False: err says what is wrong, and what would be right. What was read points
 * into object. */
bool fields_read(const json_t *object, const struct json_field *fields,
    size_t n, struct text *err);

#define N(list) (sizeof(list) / sizeof(*(list)))

/* What is known while a recording is read. */
struct recording_reader {
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
bool reader_make_source(struct recording_reader *rd, struct source *s,
    const json_t *name, const struct document_fields *d);
/* There are n clients more. */
bool reader_count_clients(struct recording_reader *rd, int64_t n);
/* Makes the plan anew. What was done before has no traces. */
bool read_launch(struct recording_reader *rd, const json_t *o);

/* read_control.c */
bool read_control(
    struct recording_reader *rd, const json_t *o, struct replay_action *a);
/* The index of a word in a list, or all of the list in the error. */
bool reader_find_word(struct recording_reader *rd, const char *key,
    const json_t *word, const char *const *list, size_t n, size_t *found);

#endif
