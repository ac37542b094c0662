/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A part of a life, before it is told: between why.c, which finds them, and
 * why_text.c, which has the words. */
#ifndef TUI_TRAIL_WHY_PART_H
#define TUI_TRAIL_WHY_PART_H

#include "tui/trail/why.h"

#define WHY_NO_STEP UINT32_MAX

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
	/* enum client_block; trail_cause; leaving; of SWITCH: is it only the
	 * end of the one before? */
	uint8_t how;
	bool reset; /* IDLE: the engine is being reset */
};

/* What the part is, in words. */
void why_tell(struct why *why, const struct why_part *part, struct text *out);
void why_tell_head(
    struct why *why, const struct trail_request *r, nsec end, struct text *out);
void why_tell_miss(
    struct why *why, const struct trail_miss *m, struct text *out);

#endif
