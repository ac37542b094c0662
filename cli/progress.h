/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The progress of a long batch run, one line on standard error that is
 * erased in the end; only where that is a terminal.
 */
#ifndef CLI_PROGRESS_H
#define CLI_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"

struct options;
struct sim;

struct progress {
	bool wanted, shown;
	double iterations; /* to do in all; 0: no such end */
	nsec duration;     /* of virtual time; NSEC_NEVER */
	nsec begun, last;  /* wall clock */
};

void progress_begin(
    struct progress *p, const struct options *o, const struct sim *sim);
/* Shows or renews the line, if it is time. */
/* It ends at that time, and nobody knows after how many iterations. */
void progress_until(struct progress *p, nsec end);
void progress_update(struct progress *p, const struct sim *sim);
/* Takes the line away, for other words or in the end. */
void progress_erase(struct progress *p);

#endif
