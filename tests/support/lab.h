/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A run of the simulation as a test wants it: on `ideal`, with descriptors
 * given as text, its requests kept as rows. Tests assert the columns of
 * --requests: "step engine ready start end" in microseconds, in order of
 * submission.
 */
#ifndef TESTS_SUPPORT_LAB_H
#define TESTS_SUPPORT_LAB_H

#include "engine/hang/hang.h"
#include "engine/sim.h"

struct lab_row {
	uint32_t client, step;
	uint32_t context; /* number in the text */
	uint64_t iteration;
	char engine[12];     /* from its end on */
	engine_mask allowed; /* engines of the device that it may run on */
	bool is_virtual;
	int16_t priority;               /* at its submission */
	nsec submit, ready, start, end; /* NSEC_NEVER: not yet */
	nsec run;                       /* from its end on */
	uint32_t preemptions;           /* from its end on */
	int error;
	struct request_ref request; /* while it has not ended */
};

struct lab {
	struct observer observer;
	struct sim_config config; /* may be changed before the first lab_add */
	struct sim *sim;          /* from lab_open, or the first lab_add, on */
	struct program *programs[16];
	unsigned n_programs;
	struct lab_row *rows;
	size_t n_rows, cap_rows;
	unsigned hung;
	struct hang hang; /* the last; its rq is gone */
};

/* On `ideal`, with a scheduler that exists. */
void lab_init(struct lab *lab, const char *sched);
void lab_free(struct lab *lab);

/* Makes the simulation, which has no clients yet, unless there is one. */
void lab_open(struct lab *lab);
/* Compiles a descriptor; NULL with its errors printed. */
struct program *lab_compile(const struct lab *lab, const char *text);
/* Adds clients that run a descriptor without errors. */
void lab_add(struct lab *lab, const char *text, unsigned clones,
    struct client_options options);
/* Both, for clients that repeat so often. */
void lab_start(struct lab *lab, const char *sched, const char *text,
    unsigned clones, uint64_t repeat);

/* Runs up to that instant, which need not be the last. */
void lab_run(struct lab *lab, nsec until);
/* Ends the infinite batch of a row, as T does; between two instants. */
void lab_end(struct lab *lab, size_t row);

/* All rows as "step engine ready start end", "; " between; to be freed. */
char *lab_rows_text(const struct lab *lab);
/* Runs to the end, which is at elapsed_us, and compares the rows. */
void lab_expect(struct lab *lab, const char *rows, nsec elapsed_us);

/* All of that at once, for one descriptor. */
void lab_expect_run(const char *sched, const char *descriptor, unsigned clones,
    uint64_t repeat, const char *rows, nsec elapsed_us);
/* Stopping every 333 ns and going on, with three clients, changes nothing. */
void lab_expect_same_in_slices(const char *sched, const char *descriptor);

/* Runs until nothing more can happen, and says why (sim_explain_deadlock()); to
 * be freed. */
char *lab_deadlock(struct lab *lab);
/* The same for one descriptor, beside a background client of another (or NULL):
 * why is part of what is said. */
void lab_expect_deadlock(const char *sched, const char *descriptor,
    const char *background, const char *why);

/* Runs to the end of all clients, and compares "step engine end status" of each
 * request, in order of submission; status is "ok" or "EIO". */
void lab_expect_ends(struct lab *lab, const char *ends);
/* As lab_init, with the timeouts of doc/model/hangs.md "Numbers", but for the
 * request watchdog, whose 20 s would be the first to end some hogs. */
void lab_init_timeouts(struct lab *lab, const char *sched);
/* One client of the descriptor, once, with them. */
void lab_expect_hangs(
    const char *sched, const char *descriptor, const char *ends);

#endif
