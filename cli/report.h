/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What a batch run came to, and the forms it is told in: gem_wsim's lines
 * (report_text.c), one JSON object (report_json.c), and a line per request
 * (report_requests.c).
 */
#ifndef CLI_REPORT_H
#define CLI_REPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "base/nsec.h"

struct client;
struct hang_log;
struct plan;
struct sim;

/* How a run came to its end. */
enum run_end {
	RUN_DONE,
	RUN_DURATION, /* --duration is over */
	RUN_SIGNAL,   /* SIGINT, SIGTERM */
	RUN_DEADLOCK,
	RUN_TIME_OVER,  /* virtual time has come to its end */
	RUN_UNWRITABLE, /* --requests could not be written any more */
	RUN_UNPLAYABLE, /* a recording does not fit */
};

struct result {
	const struct plan *plan;
	const struct sim *sim;
	const struct hang_log *hangs;
	enum run_end end;
	nsec elapsed_ns; /* until all foreground clients had ended */
	double rate;     /* workloads/s */
};

/* Keeps the pointers; all is as it was when the run ended. */
void result_init(struct result *result, const struct plan *plan,
    const struct sim *sim, const struct hang_log *hangs, enum run_end end);
/* A client's own time: from when it was added until it ended, or until now. */
nsec client_elapsed(const struct sim *sim, const struct client *c);
/* Mean of its periods in whole microseconds; 0 without any. */
uint64_t client_period_avg(const struct client *c);
/* n per second of t; 0 where no time has passed. */
double rate_per_s(double n, nsec t);

/* gem_wsim's lines. verbose as in struct options, but not -1. */
void report_text(const struct result *result, int verbose, FILE *out);
/* How busy each engine was, for -vv. */
void report_engines(const struct result *result, FILE *out);
/* How long the batches of each client took and waited, likewise. */
void report_times(const struct result *result, FILE *out);

/* False if it could not be written, as far as that is known before out is
 * flushed. */
bool report_json(const struct result *result, FILE *out, bool *begun);

#endif
