/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Runs the built program ($GPUWL_TOP, else build/gpuwl-top) for a test and
 * keeps what it said. A test of cmocka fails where it can't be run. */
#ifndef TESTS_RUN_PROGRAM_H
#define TESTS_RUN_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "tests/support/folder.h"

#define MAX_ARGS 48

struct outcome {
	int status; /* as a shell says it: 128 + n for signal n */
	char *out, *err;
	size_t out_len, err_len;
};

/* How its streams stand; NULL: input is empty, output is kept. */
struct streams {
	const char *in;  /* text of standard input */
	const char *out; /* path that output goes to; "": closed */
	int err_fd;      /* standard error; 0: kept */
	/* Commands of a shell that go before it, like "ulimit -t 10". */
	const char *before;
};

/* A child that runs. */
struct child {
	pid_t pid;
	int out, err; /* unlinked files; -1: elsewhere */
};

/* The arguments after the program's name, NULL at the end. */
void run_program(struct outcome *r, const char *const *args);
void run_program_with(
    struct outcome *r, const struct streams *streams, const char *const *args);
void outcome_free(struct outcome *r);

struct child start_program(
    const struct streams *streams, const char *const *args);
void finish_program(struct outcome *r, struct child c);

#define RUN(r, ...) run_program((r), (const char *const[]){__VA_ARGS__, NULL})
#define RUN_WITH(r, streams, ...)                                              \
	run_program_with(                                                      \
	    (r), (streams), (const char *const[]){__VA_ARGS__, NULL})

/* A path in the data of others; NULL where that is absent. */
const char *shared_path(const char *name);

#endif
