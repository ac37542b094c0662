/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A test registers itself where it is written:
 *
 *	TEST(name)
 *	{
 *		assert_int_equal(1 + 1, 2);
 *	}
 *
 * in tests/ROOM/test_FILE.c is the test ROOM/FILE/name. The assertions are cmocka's.
 * tests/runner/runner.c runs each test in a process, a folder and an environment of
 * its own, so no test sees what another did. tests/README.md has the rest.
 */
#ifndef TESTS_RUNNER_TEST_H
#define TESTS_RUNNER_TEST_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A fixture, as cmocka has it: *state is what the test gets; 0, or the test fails. */
typedef int fixture_fn(void **state);

struct test {
	struct test *next;
	const char *file; /* tests/ROOM/test_FILE.c, or the file of cases */
	const char *name;
	/* *state is `given`, unless a fixture of the file sets it. */
	void (*run)(void **state);
	void *given;
};

/* Fixtures before and after each test of a file. */
struct test_fixtures {
	struct test_fixtures *next;
	const char *file;
	fixture_fn *set_up, *tear_down; /* NULL: none */
};

/* A program that tests of a file start: the runner itself, called
 * `runner :NAME ARG...`. Returns the exit status. */
struct test_role {
	struct test_role *next;
	const char *name;
	int (*play)(int argc, char **argv); /* argv[0] is the runner's path */
};

/* Adds tests that are data, before the first test runs: `case NAME` lines of files. */
struct test_source {
	struct test_source *next;
	void (*add)(void);
};

/* Each is static, or never freed. */
void runner_add(struct test *test);
void runner_add_fixtures(struct test_fixtures *fixtures);
void runner_add_role(struct test_role *role);
void runner_add_source(struct test_source *source);

/* The path of the runner, for tests that start a role of it. */
const char *test_runner(void);
/* The path of the program under test: $GPUWL_TOP. */
const char *test_program(void);

/* Prints "skipped: REASON" and ends the running test as skipped. A reason that the
 * file named by SKIPS does not list is a failure. */
void skip_test(const char *reason);

#define NO_SHARED_DATA "no data of other projects (GPUWL_SHARED)"

#define TEST_AT_START(name)                                                    \
	__attribute__((constructor)) static void start_##name(void)

#define TEST(name_)                                                            \
	static void run_test_##name_(void **);                                 \
	TEST_AT_START(run_test_##name_)                                        \
	{                                                                      \
		static struct test registered = {.file = __FILE__,             \
		    .name = #name_,                                            \
		    .run = run_test_##name_};                                  \
                                                                               \
		runner_add(&registered);                                       \
	}                                                                      \
	static void run_test_##name_(void **state __attribute__((unused)))

#define FIXTURES(set_up_, tear_down_)                                          \
	TEST_AT_START(fixtures)                                                \
	{                                                                      \
		static struct test_fixtures registered = {.file = __FILE__,    \
		    .set_up = (set_up_),                                       \
		    .tear_down = (tear_down_)};                                \
                                                                               \
		runner_add_fixtures(&registered);                              \
	}                                                                      \
	struct test_fixtures

/* The body follows: int argc, char **argv. */
#define ROLE(name_)                                                            \
	static int play_##name_(int, char **);                                 \
	TEST_AT_START(role_##name_)                                            \
	{                                                                      \
		static struct test_role registered = {                         \
		    .name = #name_, .play = play_##name_};                     \
                                                                               \
		runner_add_role(&registered);                                  \
	}                                                                      \
	static int play_##name_(int argc __attribute__((unused)),              \
	    char **argv __attribute__((unused)))

/* The body follows: it calls runner_add(). */
#define TEST_SOURCE(name_)                                                     \
	static void add_##name_(void);                                         \
	TEST_AT_START(source_##name_)                                          \
	{                                                                      \
		static struct test_source registered = {.add = add_##name_};   \
                                                                               \
		runner_add_source(&registered);                                \
	}                                                                      \
	static void add_##name_(void)

#endif
