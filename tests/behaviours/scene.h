/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How the behaviours are put: a client runs a descriptor, and what its
 * contexts' batches did is compared. A spinner is an infinite batch, which T,
 * or the test, ends; one without preemption points (np) has X 0; a cork is a
 * software fence.
 */
#ifndef TESTS_BEHAVIOURS_SCENE_H
#define TESTS_BEHAVIOURS_SCENE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "base/text.h"
#include "tests/support/lab_control.h"

#define US(n)  ((nsec)((n)*NSEC_PER_USEC))
#define MS(n)  ((nsec)((n)*NSEC_PER_MSEC))
#define SEC(n) ((nsec)((n)*NSEC_PER_SEC))

/* Those of `ideal`. */
#define N_ENGINES 7
extern const char *const ideal_engines[N_ENGINES];

/* On `ideal`, and one client that runs the text once. */
void scene_start(struct lab *lab, const char *sched, const char *text);
/* With the engine for each @; to be freed. */
char *text_on_engine(const char *format, const char *engine);
/* The same on another profile, which was put into lab->config.profile after
 * lab_init. */
void scene_client(struct lab *lab, const char *text);
/* And with the engine for each @; beside it a clock (below). */
void scene_client_on(struct lab *lab, const char *format, const char *engine);
/* Starts, and runs to the end, which must come. */
void scene_run(struct lab *lab, const char *sched, const char *text);
/* A client that does nothing, so that the run goes on while only spinners
 * run. */
void scene_clock(struct lab *lab);
/* Runs as long again. */
void scene_go_on(struct lab *lab, nsec time);
/* After lab_init: the timeouts of doc/model/hangs.md "Numbers", but for
 * the watchdog of requests; a reset of an engine takes 1 ms. */
void scene_timeouts(struct lab *lab);
/* Of all engines. */
void scene_preempt_timeout(struct lab *lab, nsec timeout);

/* The batches of a context, in order of submission; fails if there is none. */
const struct lab_row *nth(const struct lab *lab, unsigned context, unsigned n);
const struct lab_row *first(const struct lab *lab, unsigned context);
size_t index_of(const struct lab *lab, unsigned context);

/* Ends the context's first batch, which is a spinner. */
void scene_end(struct lab *lab, unsigned context);

/* It has ended, with that status (0 or -errno). */
void expect_ended(const struct lab_row *row, int error);
/* a ended before b started. */
void expect_before(const struct lab_row *a, const struct lab_row *b);
/* Is it on an engine or has been, and has not ended? */
bool is_busy(const struct lab_row *row);
/* Contexts from..to have started before any of them ended. */
void expect_all_met(const struct lab *lab, unsigned from, unsigned to);
/* Engine time of the client's context so far. */
nsec busy_of(const struct lab *lab, unsigned client, unsigned context);

/* IGT's bound on how much the engine times of spinners may differ that have
 * shared engines for so long (gem_exec_schedule@fairslice): those of the
 * contexts from..to of the first client. */
void expect_fair(const struct lab *lab, unsigned from, unsigned to, nsec run);
/* Each engine of the class has been busy for 85 % of the time. */
void expect_busy_class(
    const struct lab *lab, enum engine_class class, nsec run);

/* The descriptor has an error that says so. */
void expect_refused(const struct lab *lab, const char *text, const char *what);
/* The scheduler does not take the descriptor, and says so. */
void expect_not_accepted(const char *sched, const char *text, const char *what);
/* It is without any error. */
void expect_taken(const struct lab *lab, const char *text);

#endif
