/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Contexts that are banned while the session is watched: their batches are
 * refused from then on, which somebody wants to be told. */
#ifndef RUN_LIVE_BANS_H
#define RUN_LIVE_BANS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/observer.h"

struct sim;

struct bans {
	struct observer observer;
	struct sim *sim; /* that is watched; NULL: none */
	uint64_t n;      /* contexts banned so far */
	uint64_t n_told;
	uint32_t client;  /* of the last one, */
	uint32_t context; /* its number, */
	nsec time;        /* and when */
};

/* Watches sim until bans_end(). */
void bans_begin(struct bans *b, struct sim *sim);
void bans_end(struct bans *b);
/* Says, once, who was banned since it was asked last; false: nobody. */
bool bans_news(struct bans *b, struct text *out);

#endif
