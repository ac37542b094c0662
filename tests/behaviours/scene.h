/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tools of the behaviours: a client runs a descriptor, and the batches of its
 * contexts are compared. A spinner is an infinite batch, which T or the test
 * ends; one without preemption points (np) has X 0. A cork is a software fence.
 */
#ifndef TESTS_BEHAVIOURS_SCENE_H
#define TESTS_BEHAVIOURS_SCENE_H

#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/lab_control.h"

#define US(n)  ((nsec)((n)*NSEC_PER_USEC))
#define MS(n)  ((nsec)((n)*NSEC_PER_MSEC))
#define SEC(n) ((nsec)((n)*NSEC_PER_SEC))

/* The engines of profile `ideal`. */
#define N_ENGINES 7
extern const char *const ideal_engines[N_ENGINES];

/* Starts a lab on profile `ideal`, with one client that runs the text once. */
void scene_start(struct lab *lab, const char *sched, const char *text);
/* Returns format with the engine's name for each @; the caller frees it. */
char *text_on_engine(const char *format, const char *engine);
/* As scene_start, on the profile in lab->config.profile, after lab_init. */
void scene_client(struct lab *lab, const char *text);
/* As scene_client, with text_on_engine, and with a clock (scene_clock). */
void scene_client_on(struct lab *lab, const char *format, const char *engine);
/* Starts, and runs to the end, which must come. */
void scene_run(struct lab *lab, const char *sched, const char *text);
/* Adds a client that does nothing, so that the run goes on while only spinners
 * run. */
void scene_clock(struct lab *lab);
/* Runs for another time ns. */
void scene_go_on(struct lab *lab, nsec time);
/* Sets the timeouts of doc/model/hangs.md "Numbers", without the watchdog of
 * requests; an engine reset takes 1 ms. After lab_init. */
void scene_timeouts(struct lab *lab);
/* Sets the preempt timeout of all engines. */
void scene_preempt_timeout(struct lab *lab, nsec timeout);

/* Returns the n-th batch of a context, in order of submission; fails if there
 * is none. */
const struct lab_row *nth(const struct lab *lab, unsigned context, unsigned n);
const struct lab_row *first(const struct lab *lab, unsigned context);
/* Returns the index of the context's first batch. */
size_t index_of(const struct lab *lab, unsigned context);

/* Ends the context's first batch, which is a spinner. */
void scene_end(struct lab *lab, unsigned context);

/* Asserts that the batch has ended, with that status (0 or -errno). */
void expect_ended(const struct lab_row *row, int error);
/* Asserts that a ended before b started. */
void expect_before(const struct lab_row *a, const struct lab_row *b);
/* Returns true if the batch has been on an engine, and has not ended. */
bool is_busy(const struct lab_row *row);
/* Asserts that the contexts from..to started before any of them ended. */
void expect_all_met(const struct lab *lab, unsigned from, unsigned to);
/* Returns the engine time of the client's context so far. */
nsec busy_of(const struct lab *lab, unsigned client, unsigned context);

/* Asserts IGT's bound on the difference in engine time of spinners that have
 * shared engines for run ns (gem_exec_schedule@fairslice): the contexts
 * from..to of the first client. */
void expect_fair(const struct lab *lab, unsigned from, unsigned to, nsec run);
/* Asserts that each engine of the class was busy for 85 % of the time. */
void expect_busy_class(
    const struct lab *lab, enum engine_class engine_class, nsec run);

/* Asserts that the descriptor has an error that contains what. */
void expect_refused(const struct lab *lab, const char *text, const char *what);
/* Asserts that the scheduler refuses the descriptor, with a text that contains
 * what. */
void expect_not_accepted(const char *sched, const char *text, const char *what);
/* Asserts that the descriptor has no error. */
void expect_taken(const struct lab *lab, const char *text);

#endif
