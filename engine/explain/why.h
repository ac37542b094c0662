/* SPDX-License-Identifier: GPL-3.0-or-later */
#ifndef ENGINE_EXPLAIN_WHY_H
#define ENGINE_EXPLAIN_WHY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/trail.h"

struct why_part;

/*
 * Why a request took so long, or a period was missed: from a trail, the life of
 * the request, or the client's iteration, as consecutive intervals, each with
 * what it was waiting for then; and below those what that waited for in turn,
 * or who had the engine meanwhile. So what is below a row always adds up to the
 * row: its children, the next rows that are indented by one more until one is
 * not, begin where it begins, follow each other without a gap, and end where it
 * ends. A row without children is told whole.
 *
 * What is no longer in the trail is a row that says so. The number of rows is
 * bounded (about 300), and where one row would have many below it some in the
 * middle are summed up in one. What it costs is not: all spans of a long wait
 * are looked at. It is for a key press, not for each frame.
 */

enum why_role {
	WHY_HEAD,    /* what it is all about: the first row */
	WHY_CLIENT,  /* a client does not go on from its step */
	WHY_BLOCKED, /* a request is not ready */
	WHY_QUEUED,  /* it is ready, and has no engine */
	WHY_OFF,     /* it was taken off its engine, to go on later */
	WHY_SWITCH,  /* it has an engine, which is being switched to it */
	WHY_SSEU,    /* the same, and its slices are set up */
	WHY_POLLS,   /* it has an engine, and polls a semaphore */
	WHY_RUNS,    /* its batch runs */
	WHY_OTHER,   /* another request had the engine */
	WHY_IDLE,    /* nobody had the engine */
	WHY_SEVERAL, /* several parts, summed up */
	WHY_UNKNOWN, /* nothing is kept of that time */
	N_WHY_ROLES,
};

struct why_row {
	nsec from_ns, to_ns;
	uint64_t request; /* whom it is about; 0: nobody */
	size_t text;      /* why_text */
	uint8_t indent;   /* 0: the head */
	uint8_t role;     /* enum why_role */
};

/* Zeroed at first; why_request and why_miss make it anew. */
struct why {
	struct why_row *rows;
	size_t n, cap;
	struct text text;
	/* What a step is in its descriptor ("2.RCS.800.0.1"), to be added in
	 * parentheses: NULL, or set by the caller, and kept; adds nothing where
	 * that is not known. */
	void (*describe)(
	    void *data, const struct trail_request *r, struct text *out);
	void *data;
	/* Private. */
	struct why_part *parts;
	size_t n_parts, cap_parts;
	uint64_t *spans; /* engine and id of each */
	size_t n_spans, cap_spans;
	const struct trail *trail;
	const struct sim *sim;
};

/* From submission to end, or up to now. False: no longer in the trail. */
bool why_request(struct why *why, const struct trail *t, const struct sim *sim,
    uint64_t request);
/* From the start of the iteration to where it came too late. False: likewise. */
bool why_miss(struct why *why, const struct trail *t, const struct sim *sim,
    uint64_t miss);
/* The client from a time to another (to > from), whatever it did. */
bool why_client(struct why *why, const struct trail *t, const struct sim *sim,
    uint32_t client, nsec from, nsec to);

/* Without its time. Valid until why is made anew. */
const char *why_text(const struct why *why, size_t row);
/* "queued", "runs": a word for the role. */
const char *why_role_name(enum why_role role);
/* Adds all rows, a line each: duration, text. */
void why_print(const struct why *why, struct text *out);
void why_free(struct why *why);

/* A part of a life, before it is told: between why_find.c, which finds them,
 * why.c, which puts them in rows, and why_text.c, which has the words. */

#define WHY_NO_STEP UINT32_MAX

/* The work of an engine before it can begin a batch. */
enum why_switch { WHY_SWITCHES, WHY_COMPLETES, WHY_WAKES };

struct why_part {
	enum why_role role;
	nsec from, to;
	uint64_t request; /* whose life it is; OTHER: who had the engine */
	uint64_t by;      /* what it waits for, who took the engine; 0 */
	uint32_t client;  /* CLIENT */
	uint32_t step;  /* CLIENT; and the last, of several that follow each */
	uint32_t last;  /* other without a wait but for CPU time */
	uint32_t count; /* SEVERAL: so many parts, */
	nsec ran;       /* in which a batch ran for so long */
	uint8_t engine; /* or TRAIL_NO_ENGINE */
	/* enum client_block; trail_cause; leaving; of SWITCH: why_switch */
	uint8_t how;
	bool reset; /* IDLE: the engine is being reset */
};

/* [from, to): what is not of it is left out. */
struct why_window {
	nsec from, to;
};

/* why_find.c: add parts to why->parts, that follow each other and fill the
 * window. Of a request (none, if it is no longer in the trail); */
void why_find_request(struct why *why, struct why_window w, uint64_t request);
/* what an engine did; */
void why_find_engine(struct why *why, struct why_window w, uint8_t engine);
/* what a client did not go on for. */
void why_find_client(struct why *why, struct why_window w, uint32_t client);

/* why_text.c: what the part is, in words. */
void why_format(struct why *why, const struct why_part *part, struct text *out);
void why_format_head(
    struct why *why, const struct trail_request *r, nsec end, struct text *out);
void why_format_miss(
    struct why *why, const struct trail_miss *m, struct text *out);

#endif
