/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Hostile host servers, which answer only the first question properly: nothing
 * hangs, no memory grows without bound, and each problem is reported once.
 */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/fake_host.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "trace/host.h"

#define N(array) (sizeof(array) / sizeof(*(array)))

#define ROUNDS 2000
#define QUEUE  ((size_t)1 << 20)

/* Makes a message of that many bytes. */
static void
tell(struct host_client *c, uint32_t payload)
{
	static uint8_t message[HOST_HEADER + 100000];

	host_put_header(
	    message, HOST_SEND, host_client_endpoint(c), 0, payload);
	host_client_send(c, message, HOST_HEADER + payload);
}

static void
wait_a_moment(const struct host_client *c, int ms)
{
	struct pollfd p;

	p.fd = host_client_poll(c, &p.events);
	if (p.fd >= 0)
		poll(&p, 1, ms);
}

/* Returns when len bytes have room, or all is sent. */
static void
wait_for_room(struct host_client *c, size_t len)
{
	while (!host_client_has_room(c, len)) {
		wait_a_moment(c, 1000);
		host_client_work(c);
	}
}

static const struct {
	enum fake_then then;
	/* NULL: the connection stays, though not all is answered. */
	const char *problem, *or_so;
} rows[] = {
    {FAKE_BABBLES, "invalid answer from the server", NULL},
    {FAKE_FLOODS, "the server sends answers without a question",
	"the server's answer is to another question"},
    {FAKE_HALF, NULL, NULL},
    {FAKE_HUGE, "the server's answer is too long",
	"the server sends answers without a question"},
    {FAKE_OTHER_ID, "the server's answer is to another question", NULL},
    {FAKE_HALF_OPEN, "the server closed the connection", NULL},
    {FAKE_RESETS, "the server closed the connection", NULL},
    {FAKE_CLOSES, "the server closed the connection", NULL},
};

TEST(client)
{
	for (size_t i = 0; i < N(rows); i++) {
		const struct fake_plan plan = {.then = rows[i].then};
		struct text err = {0};
		struct fake_host h;
		struct host_client *c;
		const char *problem = NULL;

		fake_host_start(&h, &plan);
		c = fake_host_connect(&h, QUEUE, &err);
		assert_non_null(c);
		for (int k = 0; k < ROUNDS && problem == NULL; k++) {
			tell(c, 10000); /* and asks */
			host_client_work(c);
			problem = host_client_problem(c);
			if (rows[i].problem != NULL && k % 100 == 99)
				wait_a_moment(c, 1000);
		}
		if (rows[i].problem == NULL && problem != NULL)
			fail_msg("server %d: %s", (int)rows[i].then, problem);
		else if (rows[i].problem == NULL)
			assert_null(problem);
		else if (problem == NULL ||
		    (strcmp(problem, rows[i].problem) != 0 &&
			(rows[i].or_so == NULL ||
			    strcmp(problem, rows[i].or_so) != 0)))
			fail_msg("server %d: %s", (int)rows[i].then,
			    problem != NULL ? problem : "no problem");
		/* A broken connection gets no more bytes. */
		tell(c, 100);
		host_client_work(c);
		assert_int_not_equal(
		    host_client_finish(c, 200, 1000), HOST_DONE);
		host_client_close(c);
		fake_host_kill(&h);
		text_free(&err);
	}
}

/* A server that reads and answers byte by byte gets all. */
TEST(trickle)
{
	const struct fake_plan plan = {.then = FAKE_TRICKLES};
	struct text err = {0};
	struct fake_host h;
	struct host_client *c;

	fake_host_start(&h, &plan);
	c = fake_host_connect(&h, QUEUE, &err);
	assert_non_null(c);
	for (int i = 0; i < 5; i++)
		tell(c, 10000);
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_DONE);
	assert_int_equal(host_client_handled(c), 5);
	host_client_close(c);
	fake_host_kill(&h);
}

/* A server that reads all and answers nothing: the number of open questions is
 * bounded. Once it answers, all is known to be handled. */
TEST(no_answers)
{
	const struct fake_plan plan = {.answers = 1};
	struct fake_host h;
	const struct host_options options = {.address = h.address,
	    .service = "GPUTimeline",
	    .limit_ms = 10000,
	    .queue = QUEUE,
	    .ask_after = 20};
	struct text err = {0};
	struct host_client *c;
	uint8_t *read;
	const uint8_t *at;
	struct fake_message m;
	size_t len, n = 0;

	fake_host_start(&h, &plan);
	c = host_client_open(&options, &err);
	assert_non_null(c);
	for (int i = 0; i < HOST_MOST_ASKED + 5000; i++) {
		wait_for_room(c, 100);
		tell(c, 20);
	}
	assert_null(host_client_problem(c));
	assert_int_equal(host_client_sent(c), HOST_MOST_ASKED + 5000);
	wait_for_room(c, QUEUE + 1);
	assert_int_equal(host_client_finish(c, 300, INT_MAX), HOST_STALLED);
	host_client_close(c);
	at = read = fake_host_read(&h, &len);
	while (fake_host_next(&at, &len, &m))
		n += m.type == HOST_ASK;
	/* One was answered. */
	assert_int_equal(n, HOST_MOST_ASKED + 1);
	free(read);
}

static struct pty *
start(const struct fake_host *h)
{
	char *argv[] = {pty_program(), (char *)"--layer-connect",
	    (char *)h->address, (char *)"-w", (char *)"1.VCS.1000.0.1", NULL};
	char *env[] = {test_state_home(), NULL};

	return pty_start(100, 24, argv, env);
}

/* The stream is not whole: exit status 3. A server that stays is waited for
 * until the signal; a slow one may have got all before it. */
static void
check_status(enum fake_then then, int status)
{
	bool stays = then == FAKE_HALF || then == FAKE_TRICKLES;

	if (WIFSIGNALED(status))
		assert_true(stays);
	else if (then != FAKE_TRICKLES || WEXITSTATUS(status) != 0)
		assert_int_equal(WEXITSTATUS(status), 3);
}

/* The console takes keys, reports the problem on its last line, and ends in
 * time. */
TEST(console)
{
	for (enum fake_then then = FAKE_BABBLES; then < N_FAKE_THEN; then++) {
		const struct fake_plan plan = {.then = then, .good = 2};
		bool stays = then == FAKE_HALF || then == FAKE_TRICKLES;
		struct fake_host h;
		struct pty *p;

		fake_host_start(&h, &plan);
		p = start(&h);
		if (!stays)
			pty_wait_text(p, "the run goes on without it");
		else
			pty_wait_text(p, "F10");
		pty_send(p, ":speed 3\r");
		pty_wait_text(p, "speed 3x");
		pty_send(p, "?");
		pty_wait_text(p, "Help:");
		/* Said once. */
		assert_false(pty_shows(p, "goes on without it"));
		pty_send(p, "\033:q!\r");
		if (stays)
			kill(pty_pid(p), SIGTERM);
		check_status(then, pty_wait_status(p));
		pty_check_given_back(p);
		pty_free(p);
		fake_host_kill(&h);
	}
}
