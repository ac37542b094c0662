/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of a life, before it is told: between why_find.c, which finds them,
 * why.c, which puts them in rows, and why_text.c, which has the words. */
#ifndef ENGINE_EXPLAIN_WHY_PART_H
#define ENGINE_EXPLAIN_WHY_PART_H

#include "engine/explain/why.h"

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
void why_find_life(struct why *why, struct why_window w, uint64_t request);
/* what an engine did; */
void why_find_others(struct why *why, struct why_window w, uint8_t engine);
/* what a client did not go on for. */
void why_find_waits(struct why *why, struct why_window w, uint32_t client);

/* why_text.c: what the part is, in words. */
void why_tell(struct why *why, const struct why_part *part, struct text *out);
void why_tell_head(
    struct why *why, const struct trail_request *r, nsec end, struct text *out);
void why_tell_miss(
    struct why *why, const struct trail_miss *m, struct text *out);

#endif
