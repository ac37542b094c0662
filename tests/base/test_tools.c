/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Searching, strings of JSON, reading and writing all of a file, the limits of
 * typed durations. */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/text.h"
#include "base/units.h"
#include "base/util.h"
#include "tests/runner/test.h"

#define LENGTH(a) (sizeof(a) / sizeof((a)[0]))

/* Every length from 0 to 9, and every key: the index is that of a scan. */
TEST(lower_bound)
{
	static const int odd[] = {1, 3, 5, 7, 9, 11, 13, 15, 17};

	for (size_t n = 0; n <= LENGTH(odd); n++)
		for (int key = 0; key <= 18; key++) {
			size_t scan = 0;

			while (scan < n && odd[scan] < key)
				scan++;
			assert_int_equal(
			    lower_bound(i, 0, n, odd[i] < key), scan);
		}
	assert_int_equal(lower_bound(i, 3, LENGTH(odd), odd[i] < 1), 3);
	assert_int_equal(lower_bound(i, 3, LENGTH(odd), odd[i] < 12), 6);
}

TEST(container_of)
{
	struct {
		char first;
		uint64_t member;
	} whole = {0};

	assert_ptr_equal(
	    container_of(&whole.member, __typeof__(whole), member), &whole);
}

TEST(json_strings)
{
	static const struct {
		const char *s, *json, *ascii;
	} cases[] = {
	    {"", "\"\"", "\"\""},
	    {"a\"b\\", "\"a\\\"b\\\\\"", "\"a\\\"b\\\\\""},
	    {"\n\x7f", "\"\\u000a\\u007f\"", "\"\\u000a\\u007f\""},
	    {"\xc3\xa4", "\"\xc3\xa4\"", "\"\\u00e4\""},
	    {"\xf0\x9f\x8e\xae", "\"\xf0\x9f\x8e\xae\"", "\"\\ud83c\\udfae\""},
	    {"\xff", "\"\xef\xbf\xbd\"", "\"\\ufffd\""},
	};
	struct text t = {0};

	for (size_t i = 0; i < LENGTH(cases); i++) {
		text_clear(&t);
		json_add_string(&t, cases[i].s, strlen(cases[i].s), false);
		assert_string_equal(text_str(&t), cases[i].json);
		text_clear(&t);
		json_add_string(&t, cases[i].s, strlen(cases[i].s), true);
		assert_string_equal(text_str(&t), cases[i].ascii);
	}
	text_clear(&t);
	text_addc(&t, '{');
	json_add_key(&t, "a");
	text_add_number(&t, -5);
	json_add_key(&t, "b");
	json_add_short(&t, "0123456789", 5);
	assert_string_equal(
	    text_str(&t), "{\"a\":-5,\"b\":\"0123\xe2\x80\xa6\"");
	text_free(&t);
}

TEST(read_and_write_all)
{
	int pipe_fds[2], full = open("/dev/full", O_WRONLY);
	struct text t = {0};

	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	assert_true(file_write_all(pipe_fds[1], "0123456789", 10));
	close(pipe_fds[1]);
	text_adds(&t, "ab");
	assert_true(file_read_all(pipe_fds[0], 12, &t));
	assert_string_equal(text_str(&t), "ab0123456789");
	close(pipe_fds[0]);

	assert_int_equal(pipe2(pipe_fds, O_CLOEXEC), 0);
	assert_true(file_write_all(pipe_fds[1], "0", 1));
	close(pipe_fds[1]);
	assert_false(file_read_all(pipe_fds[0], 12, &t));
	assert_int_equal(errno, EFBIG);
	close(pipe_fds[0]);

	assert_true(full >= 0);
	assert_int_equal(file_write_some(full, "x", 1), 0);
	assert_int_equal(errno, ENOSPC);
	close(full);
	text_free(&t);
}

/* The reason quotes what was typed, without control characters; the duration is
 * unchanged. */
TEST(duration_limits)
{
	struct text err = {0};
	nsec ns = 7;

	assert_true(read_duration("1.5us", 1, NSEC_PER_SEC, &ns, &err));
	assert_int_equal(ns, 1500);
	assert_true(read_duration("1", 1, NSEC_PER_SEC, &ns, &err));
	assert_int_equal(ns, NSEC_PER_SEC);
	assert_false(read_duration("0", 1, NSEC_PER_SEC, &ns, &err));
	assert_string_equal(text_str(&err),
	    "invalid duration '0': expected 1ns to 1s, e.g. 0.5 or 500ms");
	text_clear(&err);
	assert_false(read_duration(
	    "1\x1bm", 10 * NSEC_PER_MSEC, NSEC_PER_SEC, &ns, &err));
	assert_string_equal(text_str(&err),
	    "invalid duration '1?m': expected 10ms to 1s, e.g. 0.5 or 500ms");
	assert_int_equal(ns, NSEC_PER_SEC);
	text_free(&err);
}
