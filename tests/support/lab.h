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

struct text;
struct trail;

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

/* As sim_run_instants(), of a simulation that nothing holds. */
enum sim_state lab_run_instants(
    struct sim *sim, nsec until, uint64_t n_instants, uint64_t max_events);
/* Runs to the end of the next instant, of the one in which a batch ends, or of
 * the one in which an iteration is completed. */
enum sim_state lab_step(struct sim *sim, enum sim_step what);
/* Runs up to that instant, which need not be the last. */
void lab_run(struct lab *lab, nsec until);
/* Ends the infinite batch of a row, as T does; between two instants. */
void lab_end(struct lab *lab, size_t row);

/* Adds microseconds; NSEC_NEVER is "-". */
void lab_add_us(struct text *t, nsec time);
/* All rows with these columns, in order of submission, "; " between; to be freed. Beside
 * LAB_ROWS there are client, submit, run, preemptions and status ("ok" or "EIO"). NULL:
 * a column is none of these. */
char *lab_rows_text(const struct lab *lab, const char *columns);
#define LAB_ROWS "step engine ready start end"
#define LAB_ENDS "step engine end status"

/* Runs to the end of all clients, which is at elapsed_us, and compares LAB_ROWS. */
void lab_expect(struct lab *lab, const char *rows, nsec elapsed_us);
/* The same with LAB_ENDS, whenever that is. */
void lab_expect_ends(struct lab *lab, const char *ends);
/* The times of all engines in the trail are those that the engines count. */
void lab_expect_uses(const struct lab *lab, const struct trail *trail);
/* As lab_init, with the timeouts of doc/model/hangs.md "Numbers", but for the
 * request watchdog, whose 20 s would be the first to end some hogs. */
void lab_init_timeouts(struct lab *lab, const char *sched);

#endif
