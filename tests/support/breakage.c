/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/breakage.h"

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/invariants/invariants.h"
#include "tests/runner/test.h"

struct request *
breakage_row(const struct lab *lab, size_t i)
{
	struct request *rq = request_get(lab->rows[i].request);

	if (rq == NULL)
		_exit(3); /* it has ended: the test is wrong */
	return rq;
}

struct hw_engine *
breakage_engine(const struct lab *lab, unsigned i)
{
	return &lab->sim->device.engines[i];
}

void
breakage_raise(struct lab *lab)
{
	breakage_row(lab, 0)->priority++;
}

/* In a child: runs, corrupts, and looks at once or goes on. */
static void
break_it(const struct breakage *b, bool at_once)
{
	struct lab lab;

	alarm(60);
	lab_start(&lab, b->sched, b->text, 1, at_once ? 1 : 2);
	sim_run(lab.sim, b->until_us * NSEC_PER_USEC, 0);
	invariants_check(lab.sim);
	b->corrupt(&lab);
	if (at_once)
		invariants_check(lab.sim);
	else
		sim_run(lab.sim, NSEC_NEVER, 0);
}

/* Returns the text that the child writes before it dies. */
static char *
read_all(int fd)
{
	static char said[4096];
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, said + n, sizeof said - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	return said;
}

static unsigned
expect_abort(const struct breakage *b, bool at_once)
{
	int ends[2], status;
	const char *said;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		signal(SIGABRT, SIG_DFL); /* not cmocka's */
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		break_it(b, at_once);
		_exit(2);
	}
	close(ends[1]);
	said = read_all(ends[0]);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
	    strstr(said, b->expected) != NULL)
		return 0;
	fprintf(stderr, "%s, '%s': expected '%s', status %#x, said: %s\n",
	    b->sched, b->text, b->expected, (unsigned)status, said);
	return 1;
}

void
breakages_expect(const struct breakage *list, size_t n, bool at_once)
{
	unsigned wrong = 0;

	for (size_t i = 0; i < n; i++)
		wrong += expect_abort(&list[i], at_once);
	assert_int_equal(wrong, 0);
}

void
breakages_skip(void **state)
{
	(void)state;
	skip_test("invariants are checked with SAN=1 or DEBUG=1 only");
}
