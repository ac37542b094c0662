/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * One step of a descriptor as plain data. doc/model/gem_wsim.md "Language" says
 * what each kind means; value.h has the ranges of the numbers.
 */
#ifndef PARSER_STEP_H
#define PARSER_STEP_H

#include <stdbool.h>
#include <stdint.h>

#include "parser/engine_name.h"
#include "parser/value.h"

enum step_kind {
	STEP_BATCH,       /* ctx.engine.duration.dependencies.wait */
	STEP_DELAY,       /* d.us */
	STEP_PERIOD,      /* p.us */
	STEP_SYNC,        /* s.-n */
	STEP_THROTTLE,    /* t.n */
	STEP_QUEUE_DEPTH, /* q.n */
	STEP_FENCE,       /* f */
	STEP_ADVANCE,     /* a.-n */
	STEP_TERMINATE,   /* T.-n */
	STEP_PRIORITY,    /* P.ctx.prio */
	STEP_SSEU,        /* S.ctx.mask */
	STEP_PREEMPTION,  /* X.ctx.us */
	STEP_MAP,         /* M.ctx.E|E */
	STEP_BALANCE,     /* B.ctx */
	STEP_BOND,        /* b.ctx.E|E.master */
	STEP_PARALLEL,    /* G.ctx.E|E/E|E */
	STEP_SET,         /* w.id.size/size */
	STEP_SHARED_SET,  /* W.id.size/size */
	N_STEP_KINDS,
};

struct duration {
	uint64_t min_us; /* 1 .. STEP_MAX_US; 0 when infinite */
	uint64_t max_us; /* == min_us: not a range */
	bool infinite;   /* "*" */
};

enum dep_kind {
	DEP_DATA,   /* -n: reads the object that step wrote */
	DEP_FENCE,  /* f-n: waits until the batch or fence has completed */
	DEP_SUBMIT, /* s-n: waits until the batch has started */
	DEP_READ,   /* rS-a[-b]: reads objects a..b of working set S */
	DEP_WRITE,  /* wS-a[-b] */
};

struct dep {
	enum dep_kind kind;
	uint32_t back;  /* DATA, FENCE, SUBMIT: steps back, at least 1 */
	uint32_t set;   /* READ, WRITE: id of the working set */
	uint32_t first; /* READ, WRITE: objects first..last */
	uint32_t last;
};

/* "10n4k-1m": count objects, each of a random size from min to max bytes. */
struct set_size {
	uint32_t count;
	uint64_t min_bytes;
	uint64_t max_bytes;
};

/* Arrays belong to the arena of the document that parsed the step. */
struct step {
	enum step_kind kind;
	uint32_t context; /* BATCH, P, S, X, M, B, b, G: 0 .. 2^31-1 */
	union {
		struct {
			struct engine_name engine;
			bool wait;
			uint16_t n_durations; /* 1, or one per row (G) */
			uint32_t n_deps;
			struct duration duration; /* the first */
			struct duration *rows;    /* n_durations > 1 */
			struct dep *deps;
		} batch;
		uint64_t us;    /* d, p; X (0: no preemption points) */
		uint32_t count; /* t, q (0: off) */
		uint32_t back;  /* s, a, T: steps back, at least 1 */
		int64_t value;  /* P: -1023..1023; S: slice mask, -1: all */
		struct {        /* M, b, G */
			struct engine_name *engines; /* G: row by row */
			uint32_t n_engines;
			uint32_t n_rows;           /* G */
			struct engine_name master; /* b */
		} map;
		struct { /* w, W */
			uint32_t id;
			uint32_t n_sizes;
			uint32_t n_objects; /* the sum of the counts */
			struct set_size *sizes;
		} set;
	};
};

struct text;

/* Appends the canonical text of the step. */
void step_print(struct text *t, const struct step *step);
/* True if the step's kind uses step->context. */
bool step_has_context(const struct step *step);
/* True if a row of a batch has duration "*", so that only a T or a reset ends
 * it. */
bool step_is_infinite(const struct step *step);
/* Returns the kind of the step's duration: a batch's, delay's or period's;
 * N_VALUE_KINDS: it has none, or step is NULL. */
enum value_kind step_duration_kind(const struct step *step);
/* Reads a duration of that kind as a descriptor has it. False if that fails: a
 * diagnostic is appended to err, which may be NULL. */
bool duration_read(enum value_kind kind, const char *s, size_t len,
    struct duration *d, struct text *err);
/* Reads one dependency, or the target of s, a or T, which has the form of a data
 * dependency. False if it is none, or 0. */
bool dep_read(const char *s, size_t len, struct dep *dep);
/* Appends "*", "100" or "100-200" (us), as in a descriptor. */
void duration_print(struct text *t, struct duration duration);

/* A field of a step. The same field of several kinds is one row. */
enum step_field {
	FIELD_NONE,
	FIELD_CONTEXT,
	FIELD_ENGINE,
	FIELD_DURATION,
	FIELD_DEPENDENCIES,
	FIELD_WAIT,
	FIELD_DELAY,
	FIELD_PERIOD,
	FIELD_SYNC,      /* steps back to a batch */
	FIELD_ADVANCE,   /* steps back to a software fence */
	FIELD_TERMINATE, /* steps back to an infinite batch */
	FIELD_THROTTLE,
	FIELD_QUEUE_DEPTH,
	FIELD_PRIORITY,
	FIELD_SLICE_MASK,
	FIELD_PREEMPTION,
	FIELD_MAP,
	FIELD_BONDED,
	FIELD_MASTER,
	FIELD_ROWS,
	FIELD_SET,
	FIELD_SIZES,
	N_STEP_FIELDS,
};

#define STEP_FIELDS 5 /* of a step, at most */

/* A row of the table of kinds, for parser, completion, help and manual. */
struct step_info {
	char letter;      /* 0 for a batch */
	uint8_t n_fields; /* with the letter */
	const char *syntax;
	const char *summary; /* in a few words */
	const char *example;
	const char *details; /* sentences; NULL: the summary says it all */
	/* By the number of the field; 0 is the letter, or a batch's context. */
	enum step_field fields[STEP_FIELDS];
};
extern const struct step_info step_infos[N_STEP_KINDS];

/* A value of a field, and what it means there; a meaning may be NULL. */
struct field_value {
	const char *value, *meaning;
};

/* A row of the table of fields, for the same readers. */
struct field_info {
	const char *name;
	const char *unit; /* NULL: none */
	const char *help; /* what the field decides */
	const char *form; /* what may be written; NULL: only the values */
	const struct field_value *values; /* likely ones; ends with a NULL */
	const char *details;              /* sentences; NULL: none */
};
extern const struct field_info field_infos[N_STEP_FIELDS];

/* Appends what may be written in a field, and what its likely values mean. */
void field_form_print(enum step_field field, struct text *t);
/* Prints the kinds of steps with their fields as a list for gpuwl-top(1). */
void steps_print_man(struct text *out);

#endif
