/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Time by cause (doc/model/causes.md): the time of clients, contexts and engines
 * in a window, from a trail, added up by what was waited for. The answer is a
 * tree. The time of a row is the sum of the rows below it; a row without any is
 * complete by itself. It costs a walk over all records of the window: use it for
 * a key press, not for each frame.
 *
 *   causes.c          the tree; clients
 *   causes_context.c  contexts
 *   causes_engine.c   engines
 *   causes_text.c     the words
 */
#ifndef ENGINE_EXPLAIN_CAUSES_H
#define ENGINE_EXPLAIN_CAUSES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/hash.h"
#include "engine/explain/why.h"

enum cause_kind {
	CAUSE_SUBJECT, /* a client, context or engine */
	CAUSE_PART,    /* what it did or waited for: role and how */
	CAUSE_OWNER,   /* a context that had the engine */
	CAUSE_ENGINES, /* engines that ran its batches at once */
	CAUSE_NONE,    /* a context without requests in flight */
	CAUSE_REST,    /* what is below its parent and not recorded */
};

struct cause {
	struct chain_node node; /* its parent and its key */
	struct cause *first;    /* below it; the longest first once sorted */
	struct cause *next;     /* beside it */
	nsec ns;
	uint8_t kind;        /* enum cause_kind */
	uint8_t role;        /* PART: enum why_role */
	uint8_t how;         /* PART: as in struct why_part */
	uint8_t engine;      /* or TRAIL_NO_ENGINE */
	bool reset;          /* PART IDLE: the engine is being reset */
	engine_mask engines; /* ENGINES */
	/* SUBJECT, OWNER, and PART BLOCKED: of the request that it waits for;
	 * CAUSE_NOBODY: none. context: its number; CAUSE_THREAD: none, the
	 * client's thread. */
	uint32_t client, context;
};

#define CAUSE_THREAD UINT32_MAX

#define CAUSE_NOBODY UINT32_MAX

struct causes {
	nsec from, to;     /* the window that is known */
	struct cause root; /* its first: the subjects, in the order asked for */
	/* Private. */
	struct chains rows;
	struct why why;
};

/* Begins an answer, all zero at first, about [from, to) of that run, without the
 * time whose records are gone. False: then nothing is left of the window. */
bool causes_begin(struct causes *c, const struct trail *t,
    const struct sim *sim, nsec from, nsec to);
/* Add a subject and its time: what the client's thread did; what the context
 * did, by its number in the text; what the engine did. */
void causes_add_client(struct causes *c, uint32_t client);
void causes_add_context(struct causes *c, uint32_t client, uint32_t context);
void causes_add_engine(struct causes *c, unsigned engine);
/* Adds the words of a row to out. */
void causes_text(
    const struct causes *c, const struct cause *row, struct text *out);
/* Returns true if the rows below are owners of an engine, which causes_owners()
 * names in one line: "client 5 context 1 1.70ms, client 1 context 1 1.30ms". */
bool causes_has_owners(const struct cause *row);
void causes_owners(
    const struct causes *c, const struct cause *row, struct text *out);
/* Adds the same for an engine in [from, to): "RCS busy with ...". */
void causes_engine_owners(const struct trail *t, const struct sim *sim,
    uint8_t engine, nsec from, nsec to, struct text *out);
/* Frees what c holds, and zeroes it. */
void causes_free(struct causes *c);

/* Private to causes*.c. */

/* Adds the subject, the last of the list. */
struct cause *causes_subject(
    struct causes *c, uint32_t client, uint32_t context, uint8_t engine);
/* Returns the row below parent that is like `like`, with ns more time. */
struct cause *causes_row(
    struct causes *c, struct cause *parent, const struct cause *like, nsec ns);
/* Adds an interval, as why_walk_*() find it, below parent. */
void causes_leaf(struct causes *c, struct cause *parent,
    const struct why_part *path, unsigned n);
/* Sorts the rows of a subject, and adds rows for what is missing in sums. */
void causes_finish(struct causes *c, struct cause *subject);

/* The time of a window, divided among requests: of several that could have it,
 * the oldest has. */
struct cause_tile {
	nsec from, to;
	uint64_t request; /* 0: none */
};

struct cause_tiles {
	struct cause_tile *list;
	size_t n, cap;
	nsec at; /* end of the last */
};

/* Gives the request what is left of [from, to). Requests come in the order of
 * their ids and of from. */
void causes_tile(
    struct cause_tiles *tiles, uint64_t request, nsec from, nsec to);

#endif
