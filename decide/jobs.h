/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Jobs: pieces of work, each in a process of its own that has a copy of the
 * caller's memory and sends back bytes. A caller that must not wait calls
 * jobs_next() with a timeout of 0. The processes end with the caller, however
 * that ends.
 */
#ifndef DECIDE_JOBS_H
#define DECIDE_JOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "base/text.h"

struct jobs;

/* Does a job in its process: appends what is sent back. */
typedef void (*job_work)(void *data, size_t job, struct text *out);

/* The end of a job. */
struct job_end {
	size_t job;
	struct text out; /* the caller frees it */
	char died[80];   /* "": it returned; else how its process ended */
};

/* Returns the number of processors that this process may use, at least 1. */
unsigned jobs_processors(void);

/* most: jobs at a time, at least 1. The caller frees it with jobs_free(). */
struct jobs *jobs_new(unsigned most);
/* Kills the jobs that run. NULL is allowed. */
void jobs_free(struct jobs *jobs);
/* Returns the number of jobs that can be started now. */
unsigned jobs_room(const struct jobs *jobs);
/* Starts a job, whose number is the caller's. False: err has the reason. */
bool jobs_start(
    struct jobs *jobs, size_t job, job_work work, void *data, struct text *err);
/* Waits timeout_ms for the end of a job (-1: for ever, 0: not at all). False: none
 * has ended in that time, none runs, or a signal has interrupted the wait. */
bool jobs_next(struct jobs *jobs, int timeout_ms, struct job_end *end);

/* For processes that were just forked: gives them signals as a program has them
 * that was just started, closes all files but fd and the standard ones, and ends
 * them with their parent. */
void jobs_become(pid_t parent, int fd);
/* Writes all of it. False: errno says why. */
bool jobs_write(int fd, const char *s, size_t len);

#endif
