/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names and labels from a stranger, past all options, in a recording: of
 * workloads, descriptors and the profile with any character that JSON can say,
 * labels of annotations with all that the parser takes. Every output stays
 * what it is (JSON, rows, traces, lines), and no control reaches the terminal.
 */
#include <glob.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"
#include "tests/support/trace_reader.h"

/* A title, a cleared screen, C1, ends of lines of all kinds, columns, quotes,
 * marks of direction, invisible characters. */
#define NAME                                                                   \
	"x\033]0;owned\007\033[2J\xc2\x9b"                                     \
	"31m\n\r\t\v\"'\\{}%s%n\xe2\x80\xa8\xe2\x80\xa9\xc2\x85"               \
	"\xe2\x80\xae\xe2\x80\x8b\x7f"
/* The text in the quotes of a label, which takes text only. */
#define LABEL "x'\\\"\\\\{}[]%s%n<b>&\xc3\xa9\xe4\xb8\xad\xf0\x9f\x98\x80"

static void
write_descriptor(void)
{
	struct text t = {0};

	text_adds(&t, "# \xff\xc3\xe2\x80\xae\xe2\x80\xa8\n");
	text_adds(&t, "#@ label push \"" LABEL "\"\n");
	text_adds(&t, "#@ renderpass 640x480\n#@ label pop\n1.RCS.500.0.0\n");
	text_adds(&t, "#@ label push \"");
	for (unsigned i = 0; i < 1024 / 4; i++)
		text_adds(&t, "\xf0\x9f\x98\x80");
	text_adds(&t, "\"\n#@ dispatch 8x8x1\n#@ label pop\n1.RCS.500.-1.0\n");
	text_adds(&t, "X.2.0\n2.VCS1.*.-2.0\n");
	write_file("hostile.wsim", text_str(&t));
	text_free(&t);
}

static void
set_name(json_t *o, const char *key, const char *name)
{
	json_object_set_new(o, key, json_string(name));
}

/* The recording of an honest run, its names changed. */
static void
write_recording(void)
{
	struct outcome r;
	size_t len;
	char *bytes, *rest, *line;
	struct text name = {0}, all = {0};
	json_t *o, *launch, *workload;

	write_descriptor();
	RUN(&r, "-b", "-q", "--record=honest", "--profile=tgl", "-w",
	    "hostile.wsim");
	if (r.status != 3)
		print_message("%s", r.err);
	assert_int_equal(r.status, 3); /* the hang */
	outcome_free(&r);
	bytes = read_whole("honest", &len);
	rest = strchr(bytes, '\n');
	assert_non_null(rest);
	o = json_loadb(bytes, (size_t)(rest - bytes), 0, NULL);
	assert_non_null(o);
	launch = json_object_get(o, "launch");
	workload = json_array_get(json_object_get(launch, "workloads"), 0);
	for (unsigned i = 0; i < 200; i++)
		text_adds(&name, NAME);
	set_name(workload, "name", text_str(&name));
	set_name(workload, "document", text_str(&name));
	set_name(json_object_get(launch, "profile"), "name", NAME);
	line = json_dumps(o, JSON_COMPACT);
	text_adds(&all, line);
	text_adds(&all, rest);
	write_file("recording", text_str(&all));
	text_free(&all);
	text_free(&name);
	free(line);
	free(bytes);
	json_decref(o);
}

/* Lines of text that a terminal shows as they are. */
static void
expect_plain(const char *s, size_t len)
{
	struct text visible = {0};
	const char *end = s + len;

	while (s < end) {
		size_t n = strcspn(s, "\n\t");

		text_clear(&visible);
		text_add_visible(&visible, s, n);
		assert_int_equal(visible.len, n);
		assert_memory_equal(text_str(&visible), s, n);
		s += n + 1;
	}
	text_free(&visible);
}

static void
expect_json(const char *bytes, size_t len)
{
	json_error_t error;
	json_t *o = json_loadb(bytes, len, JSON_REJECT_DUPLICATES, &error);

	if (o == NULL)
		fail_msg("line %d: %s", error.line, error.text);
	json_decref(o);
}

static void
expect_rows(const char *rows)
{
	for (const char *s = rows; *s != '\0'; s = strchr(s, '\n') + 1) {
		unsigned columns = 1;

		assert_non_null(strchr(s, '\n'));
		for (const char *p = s; *p != '\n'; p++)
			columns += *p == '\t';
		assert_int_equal(columns, 12);
	}
}

static void
expect_error_states(void)
{
	glob_t files;

	assert_int_equal(glob("errors/*", 0, NULL, &files), 0);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *path = files.gl_pathv[i];
		size_t len;
		char *bytes = read_whole(path, &len);

		if (strstr(path, ".json") != NULL)
			expect_json(bytes, len);
		else
			expect_plain(bytes, len);
		free(bytes);
	}
	globfree(&files);
}

static void
expect_dump(void)
{
	struct outcome r;

	RUN(&r, "--layer-dump", "layer");
	assert_int_equal(r.status, 0);
	expect_plain(r.out, r.out_len);
	outcome_free(&r);
}

TEST(outputs)
{
	struct seen_trace trace;
	struct outcome r;
	size_t len;
	char *bytes;

	enter_test_folder();
	write_recording();
	RUN(&r, "-b", "-vv", "--replay=recording", "--json=json",
	    "--requests=requests", "--trace=trace", "--trace-json=trace.json",
	    "--layer=layer", "--arm-metadata=arm", "--error-state=errors");
	assert_int_equal(r.status, 3);
	expect_plain(r.out, r.out_len);
	expect_plain(r.err, r.err_len);
	outcome_free(&r);
	bytes = read_whole("json", &len);
	assert_non_null(strstr(bytes, "owned"));
	expect_json(bytes, len);
	free(bytes);
	bytes = read_whole("requests", &len);
	expect_rows(bytes);
	free(bytes);
	bytes = read_whole("trace.json", &len);
	expect_json(bytes, len);
	free(bytes);
	seen_chrome(&trace, "trace.json");
	seen_free(&trace);
	seen_perfetto(&trace, "trace");
	seen_free(&trace);
	expect_dump();
	expect_error_states();
}
