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
	FIELD_INTEGER, /* int64_t, min to max */
	FIELD_REAL,    /* double */
	FIELD_BOOL,    /* bool */
	FIELD_STRING,  /* const json_t *, as the following */
	FIELD_OBJECT,
	FIELD_ARRAY,
};

struct json_field {
	const char *key;
	enum field_type type;
	void *to;
	bool optional; /* *to is unchanged if the key is missing */
	int64_t min, max;
};

/* Rows of a table. type is without FIELD_; the ranges are of integers. */
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

/* Reads an object by a table of its keys. Strings, objects and arrays point
 * into it. False: err has the key, and what was expected. */
bool fields_read(const json_t *object, const struct json_field *fields,
    size_t n, struct text *err);

#define N(list) (sizeof(list) / sizeof(*(list)))

/* State of reading a recording. */
struct recording_reader {
	struct replay *r;
	struct plan *plan;
	struct text *err;
	size_t line;       /* from 1 */
	int64_t n_clients; /* launched and added so far */
	uint64_t instant;  /* of the line before, as at */
	nsec at;
	bool ended;
};

/* The time of a line, see read_time(). */
struct time_fields {
	int64_t at, instant;
};

#define TIME_FIELDS(t)                                                         \
	FIELD_RANGE("at_ns", &(t)->at, 0, INT64_MAX),                          \
	    FIELD_RANGE("instant", &(t)->instant, 0, INT64_MAX)

/* A descriptor as members of an object. */
struct document_fields {
	const json_t *name, *text, *latin1;
	bool is_inline;
	bool waiting; /* see struct source */
};

/* Rows that read a document. */
#define DOCUMENT_FIELDS(d)                                                     \
	FIELD("document", STRING, &(d)->name),                                 \
	    FIELD_OPTIONAL("text", STRING, &(d)->text),                        \
	    FIELD_OPTIONAL("latin1", STRING, &(d)->latin1),                    \
	    FIELD("inline", BOOL, &(d)->is_inline)

/* Reads a launch into the plan; earlier launches and actions are dropped. */
bool read_launch(struct recording_reader *rd, const json_t *o);

/* Reads a control into an action. */
bool read_control(
    struct recording_reader *rd, const json_t *o, struct replay_action *a);
/* Reads what a GPU said: answers into the plan's device, news into an action,
 * which may have none. */
bool read_words(
    struct recording_reader *rd, const json_t *o, struct replay_action *a);
/* Finds a word in a list. False: rd->err has the whole list. */
bool reader_find_word(struct recording_reader *rd, const char *key,
    const json_t *word, const char *const *list, size_t n, size_t *found);

#endif
