/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps of the run that the platform would refuse (engine/compile/platform.h): each
 * rule is reported once, until there is another platform. */
#ifndef RUN_LIVE_REFUSALS_H
#define RUN_LIVE_REFUSALS_H

#include <stdbool.h>
#include <stdint.h>

struct sim;
struct text;

struct refusals {
	uint32_t told;     /* a bit for each rule */
	char platform[64]; /* name of its profile */
};

/* Says what the programs of the run have that is not told yet; false: nothing.
 * Begin with all zero. */
bool refusals_news(struct refusals *r, const struct sim *sim, struct text *out);

#endif
