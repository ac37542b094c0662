/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Why a request took so long, or a period was missed. From a trail, why finds
 * the life of the request, or the client's iteration, as consecutive intervals,
 * each with what was waited for; and below each interval what that waited for
 * in turn, or which request had the engine meanwhile. The children of a row are
 * the next rows with one more indent, up to the first without. They begin and
 * end with it and follow each other without a gap: they add up to the row. A
 * row without children is complete by itself.
 *
 * Times of which the trail has lost the records get a row that says so. There
 * are at most about 300 rows: where a row would have many children, those in
 * the middle are summed up in one, and requests that had an engine meanwhile are
 * summed up by context. The cost is not bounded, as all spans of a long wait are
 * read: use it for a key press, not for each frame.
 *
 *   why.c       makes rows of parts
 *   why_find.c  finds the parts
 *   why_walk.c  follows parts to their ends, without rows
 *   why_text.c  has the words
 */
#ifndef ENGINE_EXPLAIN_WHY_H
#define ENGINE_EXPLAIN_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/trail.h"

enum why_role {
	WHY_HEAD,    /* the first row: the subject */
	WHY_CLIENT,  /* a client waits at its step */
	WHY_BLOCKED, /* a request is not ready */
	WHY_QUEUED,  /* a request is ready, and has no engine */
	WHY_OFF,     /* a request was taken off its engine, to go on later */
	WHY_SWITCH,  /* its engine switches to it */
	WHY_SSEU,    /* its engine sets up slices for it */
	WHY_POLLS,   /* it has an engine, and polls a semaphore, or memory */
	WHY_RUNS,    /* its batch runs */
	WHY_OTHER,   /* another request has the engine */
	WHY_IDLE,    /* no request has the engine */
	WHY_DEVICE,  /* the same on a real device, which may do other work */
	WHY_SEVERAL, /* several parts, summed up */
	WHY_UNKNOWN, /* the records of that time are gone */
	N_WHY_ROLES,
};

struct why_row {
	nsec from_ns, to_ns;
	uint64_t request; /* that the row is about; 0: none */
	size_t text;      /* use why_text */
	uint8_t indent;   /* 0: the head */
	uint8_t role;     /* enum why_role */
};

struct why_part;

/* An answer. Zeroed at first; each of the functions below makes it anew. */
struct why {
	struct why_row *rows;
	size_t n, cap;
	struct text text;
	/* Adds the step's text ("2.RCS.800.0.1"), which is shown in
	 * parentheses, or nothing if it is not known. Set by the caller, and
	 * kept; NULL: steps have numbers only. */
	void (*describe)(
	    void *data, const struct trail_request *r, struct text *out);
	/* Adds the names of other programs that used the engine of a real device
	 * in [from, to), or nothing. Set by the caller, and kept; NULL: none is
	 * known. */
	void (*others)(
	    void *data, unsigned engine, nsec from, nsec to, struct text *out);
	void *data;
	/* Private. */
	struct why_part *parts;
	size_t n_parts, cap_parts;
	uint64_t *spans; /* engine and id of each */
	size_t n_spans, cap_spans;
	const struct trail *trail;
	const struct sim *sim;
};

/* Explains a request, from its submission to its end, or up to now. False: it
 * is no longer in the trail. */
bool why_request(struct why *why, const struct trail *t, const struct sim *sim,
    uint64_t request);
/* Explains a missed period, from the start of the iteration to the time at
 * which the client came too late. False: it is no longer in the trail. */
bool why_miss(struct why *why, const struct trail *t, const struct sim *sim,
    uint64_t miss);
/* Explains what a client did in [from, to). False: nothing is known of it, or
 * to is not after from. */
bool why_client(struct why *why, const struct trail *t, const struct sim *sim,
    uint32_t client, nsec from, nsec to);

/* Returns a row's text, without its time; valid until why is made anew. */
const char *why_text(const struct why *why, size_t row);
/* Adds all rows to out, a line each: duration and text. */
void why_print(const struct why *why, struct text *out);
/* Frees what why holds, and zeroes it. */
void why_free(struct why *why);

/* Private to why*.c. */

/* Work of an engine before it begins a batch. */
enum why_switch { WHY_SWITCHES, WHY_COMPLETES, WHY_WAKES };

/* The place that a request polls: a semaphore, before its batch begins, or memory,
 * from its batch. */
enum why_polled { WHY_SEMAPHORE, WHY_MEMORY };

/* Time that a request waits for a real device, while none of the record has the
 * engine (doc/model/hardware.md "Unexplained waits"). */
#define WHY_LONGEST_BEGINNING (100 * NSEC_PER_USEC) /* of WHY_BEGINS */
enum why_device { WHY_BEGINS, WHY_UNEXPLAINED, WHY_SUBMITTED_LATE };

/* An interval of a life, before it becomes a row. */
struct why_part {
	enum why_role role;
	nsec from, to;
	uint64_t request; /* that it is about; OTHER: the one on the engine */
	uint64_t by;      /* request that it waits for, or that took the
			     engine; 0: none */
	uint64_t poll;    /* POLLS, of MEMORY: on its engine */
	uint32_t client;  /* CLIENT */
	struct step_place first, last; /* CLIENT: the step, or the first and
					  last of several that only took CPU
					  time */
	uint32_t count;                /* SEVERAL: number of parts */
	nsec ran;       /* SEVERAL: run time of batches in them */
	uint8_t engine; /* or TRAIL_NO_ENGINE */
	uint8_t how;    /* CLIENT: enum client_block; BLOCKED: trail_cause; OFF,
			RUNS, OTHER: leaving; SWITCH: why_switch; POLLS:
			why_polled; DEVICE: why_device */
	bool reset;     /* IDLE: the engine is being reset */
};

/* The interval [from, to) to which parts are cut. */
struct why_window {
	nsec from, to;
};

/* These add parts to why->parts, which follow each other and fill the window. */
/* Adds the life of a request; nothing if it is no longer in the trail. */
void why_find_request(struct why *why, struct why_window w, uint64_t request);
/* Adds a stay on an engine. */
void why_find_span(
    struct why *why, struct why_window w, uint8_t engine, uint64_t span);
/* Returns true if a reset of the engine began at that time. */
bool why_was_resetting(const struct why *why, unsigned engine, nsec from);
/* Adds what an engine did. */
void why_find_engine(struct why *why, struct why_window w, uint8_t engine);
/* Adds what a client waited for. */
void why_find_client(struct why *why, struct why_window w, uint32_t client);

/* Returns the engine whose work says what a part QUEUED or OFF waited for: its own,
 * or, of a request that waits for any of several on a real device, one that has
 * none of the record. TRAIL_NO_ENGINE: it is not known. */
uint8_t why_engine_awaited(const struct why *why, const struct why_part *part);
/* Adds the parts of what a part waited for; nothing if it is complete by itself
 * or no more is known. */
void why_find_below(struct why *why, const struct why_part *part);

/* Makes why an empty answer about that run. */
void why_begin(struct why *why, const struct trail *t, const struct sim *sim);

/* An interval of a subject's time, that of path[n - 1], which is the end of the
 * chain of waits; path[0] is the subject's own part at its beginning, the same
 * one if n is 1. */
typedef void why_leaf_fn(void *data, const struct why_part *path, unsigned n);
#define WHY_PATH 2
/* Calls leaf for consecutive intervals that fill the window. */
void why_walk_client(struct why *why, uint32_t client, struct why_window w,
    why_leaf_fn *leaf, void *data);
void why_walk_request(struct why *why, uint64_t request, struct why_window w,
    why_leaf_fn *leaf, void *data);
void why_walk_span(struct why *why, uint8_t engine, uint64_t span,
    struct why_window w, why_leaf_fn *leaf, void *data);

/* Returns "not ready: waits for the data of ", ...: the request follows. */
const char *why_blocked_words(enum trail_cause cause);
/* Adds the words for a part to out. */
void why_format(
    const struct why *why, const struct why_part *part, struct text *out);
/* Adds the words for the head of a request. */
void why_format_head(
    struct why *why, const struct trail_request *r, struct text *out);
/* Adds the words for the head of a missed period. */
void why_format_miss(
    struct why *why, const struct trail_miss *m, struct text *out);

#endif
