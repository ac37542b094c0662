/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Chrome's trace events, read again by jansson; the file is whole JSON after
 * each write, and has whole events at any time. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/run_program.h"
#include "trace/trace_writer.h"

static int
open_trace(int flags)
{
	int fd = open(
	    test_path("trace.json"), O_WRONLY | O_CREAT | flags, 0666);

	assert_true(fd >= 0);
	return fd;
}

/* Returns the whole file as an array; fails if it is not one. */
static json_t *
read_trace(void)
{
	json_error_t error;
	json_t *all = json_load_file(
	    test_path("trace.json"), JSON_REJECT_DUPLICATES, &error);

	if (!json_is_array(all))
		fail_msg("line %d: %s", error.line, error.text);
	return all;
}

static struct trace_instant
instant(const char *name)
{
	return (struct trace_instant){
	    .place = {1, 2}, .name = name, .at_ns = 1234567};
}

static const char events[] =
    "[\n"
    "{\"ph\":\"M\",\"pid\":2,\"tid\":2,\"name\":\"process_name\","
    "\"args\":{\"name\":\"Engines\"}},\n"
    "{\"ph\":\"M\",\"pid\":2,\"tid\":2,"
    "\"name\":\"process_sort_index\",\"args\":{\"sort_index\":2}},\n"
    "{\"ph\":\"M\",\"pid\":2,\"tid\":10000005,\"name\":\"thread_name\","
    "\"args\":{\"name\":\"RCS\"}},\n"
    "{\"ph\":\"M\",\"pid\":2,\"tid\":10000005,"
    "\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":5}},\n"
    "{\"ph\":\"X\",\"pid\":2,\"tid\":10000005,\"ts\":1.000,\"dur\":2.500,"
    "\"name\":\"1.RCS\",\"args\":{\"iteration\":-2,"
    "\"why\":\"a \\\"b\\\" \\\\ c\\u000a\"}},\n"
    "{\"ph\":\"s\",\"pid\":2,\"tid\":10000005,\"cat\":\"fence\","
    "\"name\":\"fence\",\"id\":9,\"ts\":1.000,\"bp\":\"e\"},\n"
    "{\"ph\":\"s\",\"pid\":2,\"tid\":10000005,\"cat\":\"fence\","
    "\"name\":\"fence\",\"id\":11,\"ts\":3.499,\"bp\":\"e\"},\n"
    "{\"ph\":\"f\",\"pid\":2,\"tid\":10000005,\"cat\":\"fence\","
    "\"name\":\"fence\",\"id\":8,\"ts\":1.000,\"bp\":\"e\"},\n"
    "{\"ph\":\"X\",\"pid\":2,\"tid\":10000005,"
    "\"ts\":18446744073709551.615,\"dur\":0.000,"
    "\"name\":\"1.RCS\"},\n"
    "{\"ph\":\"i\",\"pid\":1,\"tid\":10000002,\"ts\":1234.567,\"s\":\"t\","
    "\"name\":\"hang\"},\n"
    "{\"ph\":\"C\",\"pid\":2,\"tid\":10000006,\"ts\":0.005,"
    "\"name\":\"busy\",\"args\":{\"value\":75}}\n"
    "]\n";

/* The bytes of each kind of event. */
TEST(events)
{
	static const struct trace_arg args[] = {
	    {.name = "iteration", .number = -2},
	    {.name = "why", .text = "a \"b\" \\ c\n"},
	};
	static const struct trace_track tracks[] = {
	    {.name = "All"},
	    {.place = {2, 0}, .name = "Engines", .rank = 2},
	    {.place = {2, 5}, .name = "RCS", .rank = 5},
	    {.place = {2, 6}, .name = "busy", .unit = "%"},
	};
	static const uint64_t from[] = {9, 11}, to[] = {8};
	struct trace_slice slice = {
	    .place = {2, 5},
	    .name = "1.RCS",
	    .start_ns = 1000,
	    .end_ns = 3500,
	    .from = from,
	    .n_from = 2,
	    .n_from_start = 1,
	    .to = to,
	    .n_to = 1,
	    .args = args,
	    .n_args = 2,
	};
	struct trace_instant hang = instant("hang");
	int fd = open_trace(O_TRUNC);
	struct trace_writer *c = chrome_writer_new(fd, 0);
	char *text;
	size_t len;

	for (size_t i = 0; i < 4; i++)
		c->ops->track(c, &tracks[i]);
	c->ops->slice(c, &slice);
	slice.n_from = slice.n_to = 0;
	slice.n_args = 0;
	slice.start_ns = slice.end_ns = UINT64_MAX;
	c->ops->slice(c, &slice);
	c->ops->instant(c, &hang);
	c->ops->counter(c,
	    &(struct trace_counter){
		.place = {2, 6}, .name = "busy", .at_ns = 5, .value = 75});
	assert_int_equal(c->ops->close(c), 0);
	close(fd);
	json_decref(read_trace());
	text = read_whole(test_path("trace.json"), &len);
	assert_string_equal(text, events);
	free(text);
}

/* Byte sequences and the UTF-8 that they become. */
TEST(strings)
{
	static const char *const rows[][2] = {
	    {"\x01\x1f\x7f/", "\x01\x1f\x7f/"},
	    {"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80",
		"\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"},
	    {"\xf4\x8f\xbf\xbf\xef\xbf\xbf", "\xf4\x8f\xbf\xbf\xef\xbf\xbf"},
	    {"\xff", "\xef\xbf\xbd"},
	    {"\xc0\x80", "\xef\xbf\xbd\xef\xbf\xbd"},
	    {"\xe2\x82", "\xef\xbf\xbd\xef\xbf\xbd"},
	    {"\xe0\x80\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	    {"\xf0\x80\x80\x80z",
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbdz"},
	    {"\xed\xa0\x80", "\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	    {"\xf4\x90\x80\x80",
		"\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd\xef\xbf\xbd"},
	};
	int fd = open_trace(O_TRUNC);
	struct trace_writer *c = chrome_writer_new(fd, 0);
	size_t n = sizeof(rows) / sizeof(rows[0]);
	json_t *all;

	for (size_t i = 0; i < n; i++) {
		struct trace_instant event = instant(rows[i][0]);

		c->ops->instant(c, &event);
	}
	assert_int_equal(c->ops->close(c), 0);
	close(fd);
	all = read_trace();
	assert_int_equal(json_array_size(all), n);
	for (size_t i = 0; i < n; i++)
		assert_string_equal(json_string_value(json_object_get(
					json_array_get(all, i), "name")),
		    rows[i][1]);
	json_decref(all);
}

/* The file is JSON at the beginning and after each flush. */
TEST(always_whole)
{
	struct trace_instant event = instant("x");
	int fd = open_trace(O_TRUNC);
	struct trace_writer *c = chrome_writer_new(fd, 0);

	for (size_t n = 0; n < 50; n++) {
		json_t *all = read_trace();

		assert_int_equal(json_array_size(all), n);
		json_decref(all);
		c->ops->instant(c, &event);
		sink_flush(&c->out);
	}
	sink_flush(&c->out);
	assert_int_equal(c->ops->close(c), 0);
	close(fd);
	json_decref(read_trace());
}

/* A process killed while it writes leaves a file that can be read. */
TEST(killed)
{
	struct trace_instant event = instant("x");
	int fd = open_trace(O_TRUNC), status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (child == 0) {
		struct trace_writer *c = chrome_writer_new(fd, 0);

		for (unsigned i = 0; i < 5000; i++)
			c->ops->instant(c, &event);
		raise(SIGKILL);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	assert_true(WIFSIGNALED(status));
	assert_true(lseek(fd, 0, SEEK_END) > 65536);
	close(fd);
	json_decref(read_trace());
}

/* Keeps the file as a kill can leave it: cut at any page that a write touches
 * (sink.h). */
static struct {
	int fd;
	off_t ends[4096];
	unsigned n;
} cuts = {.fd = -1};

/* Replaces the library's write(). */
ssize_t
write(int fd, const void *bytes, size_t len)
{
	if (fd == cuts.fd) {
		off_t at = lseek(fd, 0, SEEK_CUR), end = at + (off_t)len;

		for (at = (at | 4095) + 1; at < end; at += 4096) {
			assert_true(cuts.n < 4096);
			cuts.ends[cuts.n++] = at;
		}
	}
	return syscall(SYS_write, fd, bytes, len);
}

/* Reads an array, or one without its end, which the format permits. */
static void
expect_events(const char *text, size_t len)
{
	json_error_t error;
	json_t *all = json_loadb(text, len, 0, &error);

	if (all == NULL) {
		char *more = malloc(len + 2);

		assert_non_null(more);
		memcpy(more, text, len);
		memcpy(more + len, "]", 2);
		all = json_loads(more, 0, &error);
		free(more);
	}
	if (!json_is_array(all))
		fail_msg(
		    "of %zu bytes: line %d: %s", len, error.line, error.text);
	json_decref(all);
}

/* Events of all lengths, some longer than a page: a kill cuts none in two. */
TEST(cut)
{
	char name[6000], *text;
	size_t len;

	cuts.fd = open_trace(O_TRUNC);
	cuts.n = 0;

	struct trace_writer *c = chrome_writer_new(cuts.fd, 0);

	srand(3);
	for (unsigned i = 0; i < 700; i++) {
		struct trace_instant event = instant(name);
		struct trace_arg arg = {.name = "labels", .text = name};
		int n = rand() % (i % 50 == 0 ? 6000 : 300);

		memset(name, i % 7 == 0 ? '\x01' : 'x', (size_t)n);
		name[n] = '\0';
		event.args = &arg;
		event.n_args = i % 3 == 0;
		c->ops->instant(c, &event);
		if (i % 100 == 0)
			sink_flush(&c->out);
	}
	assert_int_equal(c->ops->close(c), 0);
	close(cuts.fd);
	cuts.fd = -1;
	json_decref(read_trace());
	text = read_whole(test_path("trace.json"), &len);
	assert_true(cuts.n > 50);
	for (unsigned i = 0; i < cuts.n; i++)
		expect_events(text, (size_t)cuts.ends[i]);
	free(text);
}

/* Kills the writer many times, at any time. */
TEST(killed_at_any_time)
{
	srand(1);
	for (unsigned i = 0; i < 100; i++) {
		struct timespec wait = {0, rand() % 1000000};
		struct trace_instant event = instant("going on and on");
		int fd = open_trace(O_TRUNC), status;
		size_t len;
		pid_t child = fork();
		char *text;

		assert_true(child >= 0);
		if (child == 0) {
			struct trace_writer *c = chrome_writer_new(fd, 0);

			for (;;)
				c->ops->instant(c, &event);
		}
		nanosleep(&wait, NULL);
		kill(child, SIGKILL);
		assert_int_equal(waitpid(child, &status, 0), child);
		close(fd);
		text = read_whole(test_path("trace.json"), &len);
		if (len > 0)
			expect_events(text, len);
		free(text);
	}
}

/* A full disk in the middle of an event leaves the events before it. */
TEST(no_room)
{
	struct trace_instant event = instant("no more than this");
	struct rlimit old, small = {.rlim_cur = 100000, .rlim_max = 1 << 30};
	int fd = open_trace(O_TRUNC);
	struct trace_writer *c = chrome_writer_new(fd, 0);
	json_t *all;

	signal(SIGXFSZ, SIG_IGN);
	getrlimit(RLIMIT_FSIZE, &old);
	small.rlim_max = old.rlim_max;
	assert_int_equal(setrlimit(RLIMIT_FSIZE, &small), 0);
	for (unsigned i = 0; i < 5000; i++)
		c->ops->instant(c, &event);
	assert_int_equal(c->out.error, EFBIG);
	assert_int_equal(c->ops->close(c), EFBIG);
	setrlimit(RLIMIT_FSIZE, &old);
	close(fd);
	all = read_trace();
	assert_true(json_array_size(all) > 500);
	json_decref(all);
}

/* Appends to a file with contents, and to files that can't seek. */
TEST(appends)
{
	static const int flags[] = {0, O_APPEND};
	struct trace_instant event = instant("x");

	for (size_t i = 0; i < 2; i++) {
		struct trace_writer *c;
		json_t *all;
		int fd = open_trace(O_TRUNC | flags[i]);

		assert_int_equal(write(fd, "\n \n", 3), 3);
		c = chrome_writer_new(fd, 0);
		c->ops->instant(c, &event);
		sink_flush(&c->out);
		c->ops->instant(c, &event);
		assert_int_equal(c->ops->close(c), 0);
		close(fd);
		all = read_trace();
		assert_int_equal(json_array_size(all), 2);
		json_decref(all);
	}
}

TEST(pipe)
{
	struct trace_instant event = instant("x");
	struct trace_writer *c;
	char text[1000] = "";
	int ends[2];
	json_t *all;

	assert_int_equal(pipe(ends), 0);
	c = chrome_writer_new(ends[1], 0);
	c->ops->instant(c, &event);
	sink_flush(&c->out);
	c->ops->instant(c, &event);
	assert_int_equal(c->ops->close(c), 0);
	close(ends[1]);
	assert_true(read(ends[0], text, sizeof(text) - 1) > 0);
	close(ends[0]);
	all = json_loads(text, 0, NULL);
	assert_int_equal(json_array_size(all), 2);
	json_decref(all);
}

TEST(full_disk)
{
	int fd = open("/dev/full", O_WRONLY);
	struct trace_writer *c = chrome_writer_new(fd, 0);

	assert_int_equal(c->out.error, ENOSPC);
	assert_int_equal(c->ops->close(c), ENOSPC);
	close(fd);
}
