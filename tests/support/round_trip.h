/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From a descriptor to its requests, to the descriptor inferred from them, to
 * that one's requests: what the first run did, the second does too.
 */
#ifndef TESTS_SUPPORT_ROUND_TRIP_H
#define TESTS_SUPPORT_ROUND_TRIP_H

#include "tests/support/lab.h"
#include "trace/infer/infer.h"

/* The requests of a run as the inference takes them. */
struct records {
	struct infer_request *requests;
	struct infer_dep *deps;
	size_t n_requests, n_deps, cap_deps;
	struct infer_input input; /* of these */
};

/* Takes the rows of a run of the clones of one descriptor. with_deps: and the
 * dependencies that its steps name. */
void records_take(struct records *r, const struct lab *lab,
    const char *descriptor, bool with_deps);
void records_free(struct records *r);

/* Figures of a run, as the manual has them. */
struct measures {
	double elapsed_s, busy[DEVICE_MAX_ENGINES]; /* percent */
	unsigned n_engines;
	double rate;    /* requests per second */
	double frame_s; /* median time from one frame's start to the next's */
	/* Pairs of contexts of requests that follow each other on an engine. */
	uint32_t *pairs;
	size_t n_pairs;
};

/* A frame of a client is n_frame requests. */
void measures_take(struct measures *m, const struct lab *lab, unsigned n_frame);
void measures_free(struct measures *m);
/* Share of the pairs that both have, 0 to 1. */
double measures_order(const struct measures *a, const struct measures *b);

struct round_trip {
	struct infer_result result;
	struct measures before, after;
	double busy_difference;  /* the largest, in points */
	double rate_difference;  /* relative */
	double frame_difference; /* relative */
	double order;            /* share that is the same */
	struct text text;        /* what was inferred, for a person */
};

struct round_trip_options {
	const char *sched;
	const char *profile; /* NULL: ideal */
	unsigned clones;     /* 0: 1 */
	uint64_t repeat;
	uint32_t seed;     /* of durations; 0: 1 */
	bool without_deps; /* all are inferred from times */
};

/* The caller frees it with round_trip_free(). */
void round_trip(struct round_trip *trip, const char *descriptor,
    const struct round_trip_options *options);
void round_trip_free(struct round_trip *trip);

#endif
