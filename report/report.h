/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The reports of a run: gem_wsim's lines (report_text.c), one JSON object
 * (report_json.c), and a line per request (report_requests.c).
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <jansson.h>

#include "base/nsec.h"
#include "engine/hang/hang.h"

struct busyness;
struct client;
struct hang_history;
struct histogram;
struct plan;
struct request_log;
struct sim;
struct streamer_counts;

/* Why a run ended. */
enum run_end {
	RUN_DONE,
	RUN_DURATION, /* --duration is over */
	RUN_SIGNAL,   /* SIGINT, SIGTERM */
	RUN_DEADLOCK,
	RUN_TIME_OVER,  /* virtual time reached its end */
	RUN_UNWRITABLE, /* an output failed */
	RUN_UNPLAYABLE, /* the recording is of another run */
	RUN_REFUSED,    /* the driver of the GPU refused something */
};

/* A hang, copied so that it outlives its request. */
struct hang_entry {
	struct hang hang; /* rq is NULL */
	uint64_t seq, iteration;
	uint32_t client, context, step;
};

/* The hangs of a run in order of time. All zero: empty. */
struct hang_log {
	struct hang_entry *list;
	size_t n, cap;
};

void hang_log_add(struct hang_log *log, const struct hang *hang);
/* Adds the last hangs of a session, as far as they are kept. */
void hang_log_add_kept(
    struct hang_log *log, const struct hang_history *history);
void hang_log_free(struct hang_log *log);

/* The facts of a run that has ended. */
struct result {
	const struct plan *plan;
	const struct sim *sim;
	const struct hang_log *hangs; /* NULL: not kept */
	/* Commands in the batches of a device; NULL: of the model. */
	const struct streamer_counts *commands;
	const struct busyness *busyness; /* of a GPU; NULL: not counted */
	enum run_end end;
	nsec elapsed_ns; /* until all foreground clients had ended; of a device
			    for programs only, as long as it was served */
	double rate;     /* workloads/s */
	bool served;     /* programs could run on the device */
};

/* Keeps the pointers, which must stay valid while *result is used. */
void result_init(struct result *result, const struct plan *plan,
    const struct sim *sim, const struct hang_log *hangs, enum run_end end);
/* Returns the mean of a client's periods in us, rounded down; 0 without any. */
uint64_t client_period_avg(const struct client *c);

/* Prints gem_wsim's lines. verbose: of struct options, at least 0. */
void report_text(const struct result *result, int verbose, FILE *out);
/* Prints a line per engine (-vv): batches, switches, shares of time. */
void report_engines(const struct result *result, FILE *out);
/* Prints a line per client (-vv): latency and queue wait of its batches. */
void report_times(const struct result *result, FILE *out);

/* Adds the latency and queue wait of all batches. */
void report_all_times(const struct sim *sim, struct histogram *times);
/* Returns the object of --json, which the caller owns. */
json_t *report_object(const struct result *result);
/* Prints the object of --json. Sets *begun before the first byte. False if a
 * write failed, as far as that is known before out is flushed. */
bool report_json(const struct result *result, FILE *out, bool *begun);

/*
 * --requests: writes one line per request to fd, in order of submission, while
 * the simulation runs. Memory holds the requests from the oldest that has not
 * ended to the newest.
 */

/* Starts to observe sim, which must not have any request yet. fd stays the
 * caller's. contents: a last column says what batches of programs contain. */
struct request_log *request_log_new(struct sim *sim, int fd, bool contents);
/* Returns the errno of the first write that failed, after which nothing is
 * written; 0: none. */
int request_log_error(const struct request_log *log);
/* Writes the complete rows. Allocates no memory. */
void request_log_flush(struct request_log *log);
/* Writes the rest, with status EINPROGRESS for requests that have not ended,
 * and frees the log. Returns like request_log_error(). */
int request_log_finish(struct request_log *log);

#endif
