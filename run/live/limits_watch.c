/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keeps what limits a watched run up to date: a mark for each window of load,
 * and the limits since the oldest of the last marks. A history of load that is
 * cleared begins anew, and so does this. */
#include "run/live/limits_watch.h"

#include <string.h>

#include "run/live/figures.h"

void
limits_watch_clear(struct limits_watch *w)
{
	memset(w, 0, sizeof(*w));
}

/* Returns the mark from which on the limits are found. */
static const struct limits_mark *
oldest_mark(const struct limits_watch *w)
{
	static const struct limits_mark launch;

	return w->n < LIMITS_WINDOWS ? &launch
				     : &w->marks[w->n % LIMITS_WINDOWS];
}

void
limits_watch_sample(struct limits_watch *w, const struct load_history *h,
    const struct sim *sim, const struct trail *trail)
{
	if (h->n == w->n)
		return;
	if (h->n < w->n)
		limits_watch_clear(w);
	limits_find(&w->limits, oldest_mark(w), sim, trail);
	limits_mark(&w->marks[w->n % LIMITS_WINDOWS], sim);
	w->n++;
}
