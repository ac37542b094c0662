/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Types and functions that the files of the runner share. */
#ifndef TESTS_RUNNER_RUNNER_H
#define TESTS_RUNNER_RUNNER_H

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "tests/runner/test.h"

enum { STATUS_SKIPPED = 77, STATUS_STOPPED = 124 };

/* A test to run, or a program that is one. */
struct job {
	char *name;              /* ROOM/FILE/TEST; owned */
	size_t group;            /* length of ROOM/FILE in name */
	const struct test *test; /* NULL: the program below */
	const char *program;     /* another runner, or a script */
	bool is_script;          /* which takes no arguments */
	double expected;         /* seconds that it took, 0: unknown */

	pid_t pid; /* 0: does not run */
	int out;   /* what it writes */
	char *folder;
	double began, seconds, cpu;
	int status; /* exit status, or 128 + signal */
	bool told;
};

struct jobs {
	struct job *list;
	size_t n, cap;
};

/* registry.c: what constructors have registered, in order of their files. */
extern struct test *first_test;
const struct test_fixtures *test_fixtures_of(const struct test *test);
const struct test_role *test_role_named(const char *name);
void test_run_sources(void);

/* select.c: the tests whose names match the patterns (all, if there are none), of this
 * program and of the others. */
void runner_add_own(struct jobs *jobs);
void runner_add_script(struct jobs *jobs, const char *path);
void runner_add_runner(struct jobs *jobs, const char *path);
void runner_select(struct jobs *jobs, char *const *patterns);
/* Removes the jobs so far whose names match. */
void runner_leave_out(struct jobs *jobs, const char *pattern);
void runner_read_times(struct jobs *jobs, const char *path);
void runner_write_times(const struct jobs *jobs, const char *path);
void runner_free(struct jobs *jobs);

/* child.c: gives this process the environment of a test whose folder that is; runs the
 * test, and returns its status. */
void child_environment(const char *folder);
int child_run(const struct job *job);
char *child_folder(const char *base, size_t i);
void child_remove(const char *folder);

/* report.c: lines for people, and the counts. */
struct counts {
	size_t passed, failed, skipped;
};
/* Shows on a terminal how many tests have ended. */
void report_progress(const struct jobs *jobs, const struct counts *counts);
void report_job(struct jobs *jobs, struct job *job, struct counts *counts);
/* Prints the tests that took most CPU time; sorts the jobs. */
void report_slowest(struct jobs *jobs, size_t most);
void report_end(const struct jobs *jobs, const struct counts *counts);

#endif
