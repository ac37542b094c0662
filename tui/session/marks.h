/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What goes on at each step of a program now: the live marks of the
 * descriptor view. */
#ifndef TUI_MARKS_H
#define TUI_MARKS_H

#include <stddef.h>
#include <stdint.h>

#include "tui/session/session.h"

struct step_marks {
	uint32_t at;      /* clients that are at it, */
	uint32_t held;    /* of these, not going on by themselves */
	uint32_t blocked; /* requests that wait for others, */
	uint32_t ready;   /* that wait for an engine, */
	uint32_t running; /* that have one */
	uint64_t done;    /* and that have ended */
};

struct marks {
	struct step_marks *steps;
	size_t n_steps;
};

/* Counts anew for the program-th program of the run. */
void marks_update(struct marks *m, const struct session *s, size_t program);
void marks_free(struct marks *m);

#endif
