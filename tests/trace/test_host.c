/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The protocol of Arm's host server: its bytes, and a connection to servers
 * good and bad (tests/support/fake_host.h). */
#include <limits.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/fake_host.h"
#include "trace/host.h"

/* Answers of the registry: header and list. */
#define ANSWER_HEADER "\2\0\1\0\0\0\0\0\0\0"

TEST(header)
{
	uint8_t bytes[HOST_HEADER];

	host_put_header(bytes, HOST_ASK, 0, 1, 0);
	assert_memory_equal(bytes, "\2\0\1\0\0\0\0\0\0\0\0\0\0\0", 14);
	host_put_header(bytes, HOST_SEND, 3, 0x0102030405060708, 0x0a0b0c0d);
	assert_memory_equal(
	    bytes, "\0\3\x08\x07\x06\x05\x04\x03\x02\x01\x0d\x0c\x0b\x0a", 14);
}

/* Each beginning of a complete answer needs more bytes, and is no error. */
TEST(answer)
{
	static const uint8_t whole[] = ANSWER_HEADER "\3\0\0\0abcdef";
	const uint8_t *payload;
	size_t used;

	for (size_t n = 0; n < HOST_HEADER + 3; n++) {
		assert_null(host_read_answer(whole, n, 1, &used, &payload));
		assert_int_equal(used, 0);
	}
	assert_null(
	    host_read_answer(whole, HOST_HEADER + 5, 1, &used, &payload));
	assert_int_equal(used, HOST_HEADER + 3);
	assert_memory_equal(payload, "abc", 3);
}

TEST(bad_answers)
{
	static const struct {
		const char *bytes;
		size_t len;
	} bad[] = {
	    {"\0", 1},
	    {"\3", 1},
	    {"\2\1", 2},
	    {"\2\0\2\0\0\0\0\0\0\0", 10},
	    {ANSWER_HEADER "\1\0\1\0", 14}, /* 64 KiB and a byte */
	    {ANSWER_HEADER "\xff\xff\xff\xff", 14},
	};
	const uint8_t *payload;
	size_t used;

	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		assert_non_null(host_read_answer((const uint8_t *)bad[i].bytes,
		    bad[i].len, 1, &used, &payload));
	assert_null(host_read_answer(
	    (const uint8_t *)ANSWER_HEADER "\0\0\1\0", 14, 1, &used, &payload));
}

TEST(services)
{
	static const uint8_t list[] =
	    "\0\x08\0\0\0registry\7\4\0\0\0G\x1bPU\x09\3\0\0\0GPU";
	struct text names = {0};
	uint8_t endpoint;

	assert_null(host_find_service(
	    list, sizeof(list) - 1, "GPU", &endpoint, &names));
	assert_int_equal(endpoint, 9);
	assert_string_equal(text_str(&names), "registry, G?PU, GPU");
	assert_null(host_find_service(list, 0, "GPU", &endpoint, &names));
	assert_int_equal(endpoint, 0);
	for (size_t n = 1; n < sizeof(list) - 1; n++) {
		const char *wrong = host_find_service(
		    list, n, "GPU", &endpoint, &names);

		assert_true((wrong == NULL) == (n == 13 || n == 22));
	}
	assert_non_null(host_find_service((const uint8_t *)"\1\xff\xff\xff\xff",
	    5, "GPU", &endpoint, &names));
	text_free(&names);
}

TEST(addresses)
{
	static const struct {
		const char *text, *host, *port; /* NULL: no address */
		bool local;
	} list[] = {
	    {"localhost:1", "localhost", "1", true},
	    {"LocalHost:65535", "LocalHost", "65535", true},
	    {"127.0.0.1:62142", "127.0.0.1", "62142", true},
	    {"127.255.255.254:2", "127.255.255.254", "2", true},
	    {"[::1]:3", "::1", "3", true},
	    {"[::ffff:1.2.3.4]:3", "::ffff:1.2.3.4", "3", false},
	    {"128.0.0.1:4", "128.0.0.1", "4", false},
	    {"0.0.0.0:4", "0.0.0.0", "4", false},
	    {"127.1:4", "127.1", "4", false},
	    {"localhost.example:4", "localhost.example", "4", false},
	    {.text = ""},
	    {.text = "localhost"},
	    {.text = ":1"},
	    {.text = "localhost:"},
	    {.text = "localhost:0"},
	    {.text = "localhost:65536"},
	    {.text = "localhost:018"},
	    {.text = "localhost:1x"},
	    {.text = "localhost:-1"},
	    {.text = "::1:3"},
	    {.text = "[::1]3"},
	    {.text = "[localhost]:3"},
	    {.text = "[]:3"},
	    {.text = "a b:3"},
	};
	char longest[HOST_NAME_MAX_LEN + 4];
	struct host_address a;

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		bool ok = host_address_parse(&a, list[i].text);

		assert_int_equal(ok, list[i].host != NULL);
		if (!ok)
			continue;
		assert_string_equal(a.host, list[i].host);
		assert_string_equal(a.port, list[i].port);
		assert_int_equal(host_address_is_local(&a), list[i].local);
	}
	memset(longest, 'a', sizeof(longest));
	memcpy(longest + HOST_NAME_MAX_LEN, ":1", 3);
	assert_true(host_address_parse(&a, longest));
	memcpy(longest + HOST_NAME_MAX_LEN, "a:1", 4);
	assert_false(host_address_parse(&a, longest));
}

/* A message of 1000 bytes: its number, over and over. */
static void
make_message(uint8_t bytes[1000], uint32_t number)
{
	host_put_header(bytes, HOST_SEND, 2, 0, 1000 - HOST_HEADER);
	for (size_t i = HOST_HEADER; i + 4 <= 1000; i += 4)
		memcpy(bytes + i, &number, 4);
	bytes[998] = bytes[999] = 0;
}

/* Asserts that the server read questions and these messages. */
static void
expect_messages(struct fake_host *h, const uint32_t *numbers, size_t n)
{
	size_t len, found = 0;
	uint64_t questions = 0;
	uint8_t *bytes = fake_host_read(h, &len);
	const uint8_t *at = bytes;
	struct fake_message m;

	while (fake_host_next(&at, &len, &m)) {
		uint8_t wanted[1000];

		if (m.type == 2) {
			assert_int_equal(m.id, ++questions);
			assert_int_equal(m.endpoint, 0);
			assert_int_equal(m.len, 0);
			continue;
		}
		assert_true(found < n);
		make_message(wanted, numbers[found++]);
		assert_int_equal(m.len, 1000 - HOST_HEADER);
		assert_memory_equal(m.payload - HOST_HEADER, wanted, 1000);
	}
	assert_int_equal(found, n);
	/* Questions: at least the first, one for 10 messages, and the last. */
	assert_true(questions >= 2 + n / 10);
	free(bytes);
}

/* Messages arrive unchanged however they are cut; the handling of SIGPIPE is
 * not changed. */
TEST(slow)
{
	static const size_t chunks[] = {0, 1021, 13};

	signal(SIGPIPE, SIG_DFL);
	for (size_t i = 0; i < 3; i++) {
		const struct fake_plan plan = {.chunk = chunks[i]};
		const uint32_t n = i == 2 ? 500 : 8000;
		uint32_t *numbers = calloc(n, sizeof(*numbers));
		struct fake_host h;
		struct host_client *c;
		struct text err = {0};

		fake_host_start(&h, &plan);
		c = fake_host_connect(&h, 16 << 20, &err);
		assert_non_null(c);
		assert_int_equal(host_client_endpoint(c), 2);
		for (uint32_t k = 0; k < n; k++) {
			uint8_t bytes[1000];

			numbers[k] = k;
			make_message(bytes, k);
			assert_true(host_client_send(c, bytes, sizeof(bytes)));
			if (k % 3 == 0)
				host_client_work(c);
		}
		assert_int_equal(
		    host_client_finish(c, 30000, INT_MAX), HOST_DONE);
		assert_int_equal(host_client_sent(c), n);
		assert_int_equal(host_client_handled(c), n);
		assert_null(host_client_problem(c));
		host_client_close(c);
		expect_messages(&h, numbers, n);
		free(numbers);
		text_free(&err);
	}
}

/* Batches that do not fit are refused, others are sent. Nothing blocks. */
TEST(full)
{
	const struct fake_plan deaf = {.deaf = true};
	struct fake_host h;
	struct host_client *c;
	struct text err = {0};
	uint8_t bytes[1000];
	unsigned told = 0;

	make_message(bytes, 0);
	fake_host_start(&h, &deaf);
	c = fake_host_connect(&h, 5000, &err);
	assert_non_null(c);
	/* The socket buffer takes some megabytes first. */
	while (told < 100000 && host_client_send(c, bytes, sizeof(bytes))) {
		host_client_work(c);
		told++;
	}
	assert_in_range(told, 5, 99999);
	assert_false(host_client_send(c, bytes, sizeof(bytes)));
	host_client_work(c);
	assert_false(host_client_send(c, bytes, sizeof(bytes)));
	assert_null(host_client_problem(c));
	assert_int_equal(host_client_sent(c), told);
	assert_int_equal(host_client_handled(c), 0);
	assert_int_equal(host_client_finish(c, 20, INT_MAX), HOST_STALLED);
	assert_int_equal(host_client_finish(c, INT_MAX, 20), HOST_TIMED_OUT);
	assert_null(host_client_problem(c));
	host_client_close(c);
	fake_host_kill(&h);
}

static void
on_alarm(int signal)
{
	(void)signal;
}

/* A signal ends host_client_finish(). */
TEST(interrupted)
{
	const struct fake_plan deaf = {.deaf = true};
	const struct itimerval often = {{0, 10000}, {0, 10000}}, never = {0};
	const struct sigaction alarm = {.sa_handler = on_alarm};
	struct fake_host h;
	struct host_client *c;
	struct text err = {0};
	uint8_t bytes[1000];

	make_message(bytes, 0);
	fake_host_start(&h, &deaf);
	c = fake_host_connect(&h, 5000, &err);
	assert_true(host_client_send(c, bytes, sizeof(bytes)));
	sigaction(SIGALRM, &alarm, NULL);
	setitimer(ITIMER_REAL, &often, NULL);
	assert_int_equal(
	    host_client_finish(c, INT_MAX, INT_MAX), HOST_SIGNALLED);
	setitimer(ITIMER_REAL, &never, NULL);
	assert_null(host_client_problem(c));
	host_client_close(c);
	fake_host_kill(&h);
}

/* A wait for room ends with it, without progress, or at a signal. */
TEST(wait)
{
	const struct fake_plan deaf = {.deaf = true}, good = {0};
	volatile sig_atomic_t stop = 0;
	struct fake_host h;
	struct host_client *c;
	struct text err = {0};
	uint8_t bytes[1000];

	make_message(bytes, 0);
	fake_host_start(&h, &deaf);
	c = fake_host_connect(&h, 5000, &err);
	while (host_client_send(c, bytes, sizeof(bytes)))
		host_client_work(c);
	assert_int_equal(host_client_wait(c, 1000, 20, &stop), HOST_STALLED);
	stop = SIGINT;
	assert_int_equal(
	    host_client_wait(c, 1000, INT_MAX, &stop), HOST_SIGNALLED);
	stop = 0;
	host_client_break(c, "enough");
	assert_int_equal(
	    host_client_wait(c, 1000, INT_MAX, &stop), HOST_BROKEN);
	assert_string_equal(host_client_problem(c), "enough");
	host_client_close(c);
	fake_host_kill(&h);
	fake_host_start(&h, &good);
	c = fake_host_connect(&h, 5000, &err);
	for (unsigned i = 0; i < 2000; i++) {
		assert_int_equal(
		    host_client_wait(c, 1000, 30000, &stop), HOST_DONE);
		assert_true(host_client_send(c, bytes, sizeof(bytes)));
	}
	host_client_close(c);
	fake_host_kill(&h);
}

/* Questions are sent between the messages of one batch too, and after some time
 * without one. */
TEST(questions)
{
	const struct fake_plan good = {0};
	struct fake_host h;
	const struct host_options options = {.address = h.address,
	    .service = "GPUTimeline",
	    .limit_ms = 10000,
	    .queue = 100000,
	    .ask_after = 3000};
	struct host_client *c;
	struct text err = {0};
	uint8_t bytes[7000], *read;
	const uint8_t *at;
	struct fake_message m;
	size_t len;
	char order[32] = "";

	for (size_t i = 0; i < 7; i++)
		make_message(bytes + i * 1000, 0);
	fake_host_start(&h, &good);
	c = host_client_open(&options, &err);
	assert_true(host_client_send(c, bytes, sizeof(bytes)));
	host_client_work(c); /* ask_ms is 0 */
	host_client_work(c);
	assert_true(host_client_send(c, bytes, 1000));
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_DONE);
	assert_int_equal(host_client_handled(c), 2);
	host_client_close(c);
	at = read = fake_host_read(&h, &len);
	while (fake_host_next(&at, &len, &m) && strlen(order) < 31)
		strcat(order, m.type == HOST_ASK ? "?" : ".");
	assert_string_equal(order, "?...?...?.?.?");
	free(read);
}

/* A batch larger than the queue is accepted when the queue is empty; the next
 * one has to wait until all of it was sent. */
TEST(large)
{
	const struct fake_plan good = {0};
	static const uint32_t numbers[] = {0, 0, 0, 0, 0, 0, 0, 0};
	struct fake_host h;
	struct host_client *c;
	struct text err = {0};
	uint8_t bytes[8000];

	for (size_t i = 0; i < 8; i++)
		make_message(bytes + i * 1000, 0);
	fake_host_start(&h, &good);
	c = fake_host_connect(&h, 5000, &err);
	assert_true(host_client_send(c, bytes, 7000));
	assert_false(host_client_send(c, bytes, 1000));
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_DONE);
	assert_true(host_client_send(c, bytes, 1000));
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_DONE);
	host_client_close(c);
	expect_messages(&h, numbers, 8);
}

/* The server leaves in the middle of a message: that is a problem, not a
 * signal, and later messages are dropped. */
TEST(closing)
{
	const struct fake_plan plan = {.close_after = 20000, .chunk = 999};
	struct fake_host h;
	struct host_client *c;
	struct text err = {0};
	uint8_t bytes[1000];

	make_message(bytes, 0);
	signal(SIGPIPE, SIG_DFL);
	fake_host_start(&h, &plan);
	c = fake_host_connect(&h, 1 << 20, &err);
	assert_non_null(c);
	for (unsigned i = 0; i < 100; i++)
		assert_true(host_client_send(c, bytes, sizeof(bytes)));
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_BROKEN);
	assert_string_equal(
	    host_client_problem(c), "the server closed the connection");
	/* The answer that it gave before counts. */
	assert_int_equal(host_client_handled(c), 20);
	assert_true(host_client_send(c, bytes, sizeof(bytes)));
	assert_int_equal(host_client_sent(c), 101);
	host_client_work(c);
	assert_int_equal(host_client_finish(c, 30000, INT_MAX), HOST_BROKEN);
	host_client_close(c);
	fake_host_kill(&h);
}

/* The server sends an answer without a question, later. */
TEST(babbling)
{
	static const char twice[] = ANSWER_HEADER
	    "\x10\0\0\0\2\x0b\0\0\0GPUTimeline\2\0\2\0\0\0\0";
	const struct fake_plan plan = {
	    .answer = twice, .answer_len = sizeof(twice) - 1};
	struct fake_host h;
	struct host_client *c;
	struct text err = {0};

	fake_host_start(&h, &plan);
	c = fake_host_connect(&h, 1 << 20, &err);
	assert_null(c);
	assert_string_equal(
	    text_str(&err), "the server sends answers without a question");
	fake_host_kill(&h);
	text_free(&err);
}

/* Connections that fail, each with its diagnostic. */
TEST(refusals)
{
	static const struct {
		struct fake_plan plan;
		const char *wanted;
	} list[] = {
	    {{.silent = true, .close_after = 1},
		"the server closed the connection"},
	    {{.answer = "HTTP/1.1 400 Bad Request", .answer_len = 24},
		"invalid answer from the server"},
	    {{.answer = ANSWER_HEADER "\xff\xff\xff\x7f", .answer_len = 14},
		"the server's answer is too long"},
	    {{.answer = ANSWER_HEADER "\7\0\0\0\1\xff\xff\xff\xffGP",
		 .answer_len = 21},
		"the server's list of services ends in a name"},
	    {{.answer = ANSWER_HEADER "\2\0\0\0\1\2", .answer_len = 16},
		"the server's list of services ends in an entry"},
	    {{.answer = ANSWER_HEADER "\x08\0\0\0\1\3\0\0\0log",
		 .answer_len = 22},
		"it has no service GPUTimeline (it has: log): start it with "
		"`lgl_host_server.py -A PORT -T FILE`"},
	};

	for (size_t i = 0; i < sizeof(list) / sizeof(*list); i++) {
		struct fake_host h;
		struct text err = {0};

		fake_host_start(&h, &list[i].plan);
		assert_null(fake_host_connect(&h, 1 << 20, &err));
		assert_string_equal(text_str(&err), list[i].wanted);
		fake_host_kill(&h);
		text_free(&err);
	}
}

/* Time limits: the server never answers, or not completely. */
TEST(silent)
{
	static const struct fake_plan plans[] = {
	    {.silent = true},
	    {.answer = ANSWER_HEADER "\5\0\0\0abcd", .answer_len = 18},
	};

	for (size_t i = 0; i < 2; i++) {
		struct fake_host h;
		struct host_options options = {.address = h.address,
		    .service = "GPUTimeline",
		    .limit_ms = 50};
		struct text err = {0};

		fake_host_start(&h, &plans[i]);
		assert_null(host_client_open(&options, &err));
		assert_string_equal(text_str(&err),
		    "it does not answer: is it Arm's host server, and has it "
		    "no other client?");
		fake_host_kill(&h);
		text_free(&err);
	}
}
