/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --requests: one line per request, in order of submission, written while
 * the simulation runs. What is kept in memory are the requests from the
 * oldest that has not ended to the newest.
 */
#ifndef CLI_REPORT_REQUESTS_H
#define CLI_REPORT_REQUESTS_H

#include <stdbool.h>

struct sim;
struct request_log;

/* Observes sim from here on; fd is written to, not closed. To be made before
 * the first request. */
struct request_log *request_log_new(struct sim *sim, int fd);
/* 0, or the errno of the write that failed: nothing is written after it. */
int request_log_error(const struct request_log *log);
/* Writes the rows that are complete. Takes no memory. */
void request_log_flush(struct request_log *log);
/* Writes what is left, the requests that have not ended as EINPROGRESS, and
 * frees the log. Returns as request_log_error. */
int request_log_finish(struct request_log *log);

#endif
