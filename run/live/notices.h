/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Notices: events of a run that are reported once, without a request: banned
 * contexts, and steps that the platform refuses (engine/platform.h).
 */
#ifndef RUN_LIVE_NOTICES_H
#define RUN_LIVE_NOTICES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/observer.h"

struct sim;
struct text;

struct ban_notice {
	struct observer observer;
	struct sim *sim; /* that is watched; NULL: none */
	uint64_t n;      /* contexts banned so far */
	uint64_t n_told;
	uint32_t client;  /* of the last one, */
	uint32_t context; /* its number, */
	nsec time;        /* and when */
};

/* Watches sim until bans_end(). */
void ban_notice_begin(struct ban_notice *b, struct sim *sim);
void ban_notice_end(struct ban_notice *b);
/* Says, once, who was banned since it was asked last; false: nobody. */
bool ban_notice_take(struct ban_notice *b, struct text *out);

struct refusal_notice {
	uint32_t told;     /* a bit for each rule */
	char platform[64]; /* name of its profile */
};

/* Says what the programs of the run have that is not told yet; false: nothing.
 * Begin with all zero. */
bool refusal_notice_take(
    struct refusal_notice *r, const struct sim *sim, struct text *out);

#endif
