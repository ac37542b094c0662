/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Perfetto traces, read by protoc --decode_raw, which knows field numbers only.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"
#include "trace/trace_private.h"

static int
open_trace(void)
{
	int fd = open(test_path("trace"), O_WRONLY | O_CREAT | O_TRUNC, 0666);

	assert_true(fd >= 0);
	return fd;
}

/* The trace as protoc writes it down; skips the test without protoc. */
static char *
decoded(void)
{
	char line[1024];
	size_t len;

	if (system("command -v protoc >/dev/null") != 0)
		skip_test("protoc is not installed");
	snprintf(line, sizeof(line), "protoc --decode_raw <%s >%s",
	    test_path("trace"), test_path("decoded"));
	assert_int_equal(system(line), 0);
	return read_whole(test_path("decoded"), &len);
}

static void
finish(struct trace_writer *p, int fd)
{
	assert_int_equal(p->out.error, 0);
	assert_int_equal(p->ops->close(p), 0);
	assert_int_equal(close(fd), 0);
}

/* Asserts what the trace is, from its beginning or after the clocks. */
static void
expect(const char *text)
{
	char *all = decoded();

	assert_string_equal(all, text);
	free(all);
}

#define CLOCK(id, now) "    1 {\n      1: " id "\n      2: " now "\n    }\n"
#define CLOCKS(now)                                                            \
	"1 {\n  6 {\n" CLOCK("3", now) CLOCK("5", now) CLOCK(                  \
	    "6", now) "    2: 6\n  }\n  8: " now "\n  10: 1\n  13: 1\n}\n"
#define NAMED(iid, name, category)                                             \
	"1 {\n  10: 1\n  12 {\n    24 {\n      1: " iid "\n"                   \
	"      2: \"" name "\"\n" category "    }\n  }\n  13: 2\n}\n"
/* Interned: in event_names (2), debug_annotation_names (3), their texts (29). */
#define INTERNED(space, iid, name)                                             \
	"1 {\n  10: 1\n  12 {\n    " space " {\n      1: " iid "\n"            \
	"      2: \"" name "\"\n    }\n  }\n  13: 2\n}\n"
#define CONTEXT(iid, pid)                                                      \
	"1 {\n  10: 1\n  12 {\n    23 {\n      1: " iid "\n"                   \
	"      2: " pid "\n      3: 2\n    }\n  }\n  13: 2\n}\n"
#define GRAPHICS_CATEGORY "      4: 1\n"
#define COMPUTE_CATEGORY  "      4: 2\n"

/* The render stage of a run without workloads: Arm's loader refuses a trace
 * without one. */
#define NOTE(at, duration)                                                     \
	NAMED("100", "compute", COMPUTE_CATEGORY)                              \
	NAMED("1", "compute", COMPUTE_CATEGORY)                                \
	"1 {\n  8: " at "\n  10: 1\n  13: 2\n  53 {\n    1: 1\n"               \
	"    2: " duration "\n    5: 0\n    6 {\n      1: \"Note\"\n"          \
	"      2: \"no batch of this run is a workload\"\n    }\n"             \
	"    13: 100\n    14: 1\n  }\n}\n"

/* A time of zero is written too. */
TEST(empty)
{
	int fd = open_trace();

	finish(perfetto_writer_new(fd, 0), fd);
	expect(CLOCKS("0") NOTE("0", "0"));
	fd = open_trace();
	finish(perfetto_writer_new(fd, 70), fd);
	expect(CLOCKS("70") NOTE("70", "0"));
}

/* "Labels" has the tag only; names are written once, before their use. */
TEST(stages)
{
	static const struct trace_arg args[] = {
	    {.name = "submitID", .number = 7},
	    {.name = "What", .text = "Shadow"},
	};
	struct render_stage s = {
	    .stream = STREAM_BINNING,
	    .stage = RENDER_STAGE_BINNING,
	    .start_ns = 1000,
	    .end_ns = 1250,
	    .tag = 123,
	    .submission = 7,
	    .context = 3,
	    .args = args,
	    .n_args = 2,
	};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 5);

	p->ops->stage(p, &s);
	s = (struct render_stage){
	    .stream = STREAM_MAIN,
	    .stage = RENDER_STAGE_MAIN,
	    .start_ns = 1250,
	    .end_ns = 1250,
	    .tag = UINT64_MAX,
	};
	p->ops->stage(p, &s);
	s.tag = 0;
	p->ops->stage(p, &s);
	finish(p, fd);
	expect(CLOCKS("5") CONTEXT("3", "0") NAMED(
	    "500", "binning", GRAPHICS_CATEGORY) NAMED("6", "binning",
	    GRAPHICS_CATEGORY) "1 {\n  8: 1000\n  10: 1\n  13: 2\n  53 {\n"
			       "    1: 1\n    2: 250\n    5: 3\n"
			       "    6 {\n      1: \"Labels\"\n      2: \"t123\"\n    }\n"
			       "    6 {\n      1: \"submitID\"\n      2: \"7\"\n    }\n"
			       "    6 {\n      1: \"What\"\n      2: \"Shadow\"\n    }\n"
			       "    10: 7\n    13: 500\n    14: 6\n  }\n}\n" NAMED(
				   "600", "main", GRAPHICS_CATEGORY) NAMED("7",
				   "main",
				   GRAPHICS_CATEGORY) "1 {\n  8: 1250\n  10: 1\n  13: 2\n  53 {\n"
						      "    1: 2\n    2: 0\n    5: 0\n"
						      "    6 {\n      1: \"Labels\"\n"
						      "      2: \"t18446744073709551615\"\n    }\n"
						      "    13: 600\n    14: 7\n  }\n}\n"
						      "1 {\n  8: 1250\n  10: 1\n  13: 2\n  53 {\n"
						      "    1: 3\n    2: 0\n    5: 0\n    13: 600\n    14: 7\n  }\n}\n");
}

/* Arm's loader knows each name, an id has one name, and engines of a class have
 * different ids. */
TEST(names)
{
	static const char *const names[] = {"compute", "vertex", "non-fragment",
	    "fragment", "binning", "main", "transfer", "trace_rays",
	    "clear image", "copy image", "copy buffer", "fill buffer",
	    "blit image", "resolve image", "generate mipmap", "copy query",
	    "acceleration structure \\'fast build\\' build",
	    "acceleration structure \\'fast trace\\' build",
	    "acceleration structure update",
	    "acceleration structure copy to memory",
	    "acceleration structure copy from memory"};
	const size_t most = sizeof(names) / sizeof(*names);
	bool seen[1000] = {false};
	unsigned id, n = 0;
	char name[64], *all, *at;
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	for (unsigned i = 0; i < N_STAGE_STREAMS * N_RENDER_STAGES; i++)
		p->ops->stage(p,
		    &(struct render_stage){
			.stream = i % N_STAGE_STREAMS,
			.stage = i % N_RENDER_STAGES,
			.instance = i & 1,
		    });
	finish(p, fd);
	all = decoded();
	for (at = all; (at = strstr(at, "    24 {\n")) != NULL; at++, n++) {
		size_t known = 0;

		assert_int_equal(sscanf(at,
				     "    24 {\n      1: %u\n      2: "
				     "\"%63[^\"]\"",
				     &id, name),
		    2);
		assert_true(id > 0 && id < 1000 && !seen[id]);
		seen[id] = true;
		while (known < most && strcmp(names[known], name) != 0)
			known++;
		assert_true(known < most);
	}
	assert_int_equal(n, 2 * N_STAGE_STREAMS + N_RENDER_STAGES);
	free(all);
}

/* It has the time of the first slice. */
TEST(no_stage)
{
	struct trace_slice slice = {
	    .place = {1, 2}, .name = "Video", .start_ns = 10, .end_ns = 30};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	p->ops->slice(p, &slice);
	slice.start_ns = slice.end_ns = 40;
	finish(p, fd);
	expect(CLOCKS("0") INTERNED("2", "1",
	    "Video") "1 {\n  8: 10\n  10: 1\n  11 {\n    9: 1\n"
		     "    10: 1\n    11: 4294967298\n  }\n  13: 2\n}\n"
		     "1 {\n  8: 30\n  10: 1\n  11 {\n    9: 2\n    11: 4294967298\n"
		     "  }\n}\n" NOTE("10", "20"));
}

TEST(tracks)
{
	static const struct trace_track tracks[] = {
	    {.name = "All"},
	    {.place = {1, 0}, .name = "Engines", .rank = 1},
	    {.place = {1, 2}, .name = "VCS1", .rank = 7},
	    {.place = {3, 4}, .name = "busy", .unit = "%", .rank = UINT32_MAX},
	};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	for (size_t i = 0; i < 4; i++)
		p->ops->track(p, &tracks[i]);
	p->ops->counter(p,
	    &(struct trace_counter){
		.place = {3, 4}, .name = "busy", .at_ns = 9, .value = 75});
	p->ops->counter(p,
	    &(struct trace_counter){
		.place = {3, 4}, .name = "busy", .at_ns = 10, .value = 0.5});
	finish(p, fd);
	expect(CLOCKS(
	    "0") "1 {\n  10: 1\n  60 {\n    1: 1\n    2: \"All\"\n"
		 "    11: 3\n  }\n}\n"
		 "1 {\n  10: 1\n  60 {\n    1: 4294967296\n"
		 "    2: \"Engines\"\n    5: 1\n    11: 3\n    12: 1\n  }\n}\n"
		 "1 {\n  10: 1\n  60 {\n    1: 4294967298\n    2: \"VCS1\"\n"
		 "    5: 4294967296\n    12: 7\n  }\n}\n"
		 "1 {\n  10: 1\n  60 {\n    1: 12884901892\n    2: \"busy\"\n"
		 "    5: 12884901888\n    8 {\n      6: \"%\"\n    }\n"
		 "    12: 2147483647\n  }\n}\n"
		 "1 {\n  8: 9\n  10: 1\n  11 {\n    9: 4\n    11: 12884901892\n"
		 "    30: 75\n  }\n}\n"
		 "1 {\n  8: 10\n  10: 1\n  11 {\n    9: 4\n"
		 "    11: 12884901892\n    44: 0x3fe0000000000000\n  }\n}\n" NOTE(
		     "0", "0"));
}

/* Arguments, flows, and names with invalid UTF-8. */
TEST(events)
{
	static const struct trace_arg args[] = {
	    {.name = "Turn", .number = -2},
	    {.name = "What", .text = "W\xff"},
	};
	static const uint64_t from[] = {77, 78}, to[] = {77};
	struct trace_slice slice = {
	    .place = {1, 0},
	    .name = "W\xc3(\xed\xa0\x80",
	    .start_ns = 1,
	    .end_ns = 2,
	    .from = from,
	    .n_from = 2,
	    .args = args,
	    .n_args = 2,
	};
	struct trace_instant instant = {
	    .place = {1, 0}, .name = "Lost", .at_ns = 3};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	p->ops->slice(p, &slice);
	slice = (struct trace_slice){
	    .place = {1, 0}, .name = "W", .to = to, .n_to = 1};
	p->ops->slice(p, &slice);
	p->ops->instant(p, &instant);
	p->ops->stage(p, &(struct render_stage){.stream = STREAM_MAIN});
	finish(p, fd);
	expect(CLOCKS("0") INTERNED("3", "1", "Turn") INTERNED("3", "2",
	    "What") INTERNED("29", "3", "W\\357\\277\\275") INTERNED("2", "4",
	    "W\\357\\277\\275(\\357\\277\\275\\357\\277\\275"
	    "\\357\\277\\275") "1 {\n  8: 1\n  10: 1\n  11 {\n"
			       "    4 {\n      1: 1\n"
			       "      4: 18446744073709551614\n    }\n"
			       "    4 {\n      1: 2\n      17: 3\n    }\n"
			       "    9: 1\n    10: 4\n    11: 4294967296\n"
			       "    47: 0x000000000000004d\n"
			       "    47: 0x000000000000004e\n  }\n  13: 2\n}\n"
			       "1 {\n  8: 2\n  10: 1\n  11 {\n    9: 2\n"
			       "    11: 4294967296\n"
			       "  }\n}\n" INTERNED("2", "5",
				   "W") "1 {\n  8: 0\n  10: 1\n  11 {\n    9: 1\n    10: 5\n"
					"    11: 4294967296\n"
					"    48: 0x000000000000004d\n  }\n  13: 2\n}\n"
					"1 {\n  8: 0\n  10: 1\n  11 {\n    9: 2\n    11: 4294967296\n"
					"  }\n}\n" INTERNED("2", "6",
					    "Lost") "1 {\n  8: 3\n  10: 1\n  11 {\n    9: 3\n    10: 6\n"
						    "    11: 4294967296\n  }\n  13: 2\n}\n" NAMED(
							"600", "main",
							GRAPHICS_CATEGORY) NAMED("1",
							"compute",
							COMPUTE_CATEGORY) "1 {\n  8: 0\n  10: 1\n  13: 2\n  53 {\n    1: 1\n    2: 0\n"
									  "    5: 0\n    13: 600\n    14: 1\n  }\n}\n");
}

/* Fields that Perfetto has had since 2026: a name, a pass, waits, sizes, and the
 * owner of the context, which is written once. */
TEST(newer)
{
	static const uint64_t waits[] = {1, 2};
	struct render_stage s = {
	    .stream = STREAM_COMPUTE,
	    .stage = RENDER_STAGE_COMPUTE,
	    .start_ns = 10,
	    .end_ns = 15,
	    .name = "Blur",
	    .context = 7,
	    .pid = 3,
	    .pass = 9,
	    .waits = waits,
	    .n_waits = 2,
	    .grid = {4, 5, 1},
	    .local = {8, 8, 1},
	};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	assert_int_equal(p->ops->stage(p, &s), 1);
	s = (struct render_stage){
	    .context = 7, .name = "Blur", .grid = {6, 1, 1}};
	assert_int_equal(p->ops->stage(p, &s), 2);
	finish(p, fd);
	expect(CLOCKS("0") INTERNED("2", "1", "Blur") CONTEXT("7", "3") NAMED(
	    "100", "compute", COMPUTE_CATEGORY) NAMED("1", "compute",
	    COMPUTE_CATEGORY) "1 {\n  8: 10\n  10: 1\n  13: 2\n  53 {\n"
			      "    1: 1\n    2: 5\n    5: 7\n    13: 100\n"
			      "    14: 1\n    16: 9\n    18: 1\n    18: 2\n"
			      "    20: 1\n    21 {\n"
			      "      1 {\n        1: 4\n        2: 5\n        3: 1\n      }\n"
			      "      2 {\n        1: 8\n        2: 8\n        3: 1\n      }\n"
			      "    }\n  }\n}\n"
			      "1 {\n  8: 0\n  10: 1\n  13: 2\n  53 {\n"
			      "    1: 2\n    2: 0\n    5: 7\n    13: 100\n"
			      "    14: 1\n    20: 1\n    21 {\n"
			      "      1 {\n        1: 6\n        2: 1\n        3: 1\n      }\n"
			      "    }\n  }\n}\n");
}

/* Packets of any size are in the file after a flush. */
TEST(large)
{
	char *name = malloc(100001), *all;
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);
	off_t before;

	memset(name, 'W', 100000);
	name[100000] = '\0';
	for (unsigned len = 100000; len > 0; len /= 2) {
		name[len] = '\0';
		p->ops->instant(
		    p, &(struct trace_instant){.place = {1, 0}, .name = name});
		sink_flush(&p->out);
		before = lseek(fd, 0, SEEK_CUR);
		assert_true(before >= (off_t)len);
	}
	finish(p, fd);
	all = decoded();
	for (unsigned len = 100000; len > 0; len /= 2) {
		/* Short ones are interned. */
		char *at = strstr(all, len > 256 ? " 23: \"W" : " 2: \"W");

		assert_non_null(at);
		at = strchr(at, '"');
		assert_int_equal(strspn(at + 1, "W"), len);
		at[1] = '-';
	}
	free(all);
	free(name);
}

/* Events of the kernel are in one bundle, with the numbers of the public format:
 * FtraceEvent's 593 and 416, and 327 for those without a message. */
TEST(kernel)
{
	struct kernel_record r = {
	    .event = KERNEL_JOB_QUEUE, .time_ns = 7, .pid = 2000};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	kernel_set_text(&r, KFIELD_RING, "WW");
	kernel_set_text(&r, KFIELD_DEVICE, "W");
	kernel_set_text(&r, KFIELD_DRIVER, "W");
	kernel_set_number(&r, KFIELD_CONTEXT, 110);
	kernel_set_number(&r, KFIELD_SEQNO, 3);
	kernel_set_number(&r, KFIELD_CLIENT, 9);
	p->ops->task(p, 2000, "WWW");
	p->ops->kernel(p, &r);
	r.event = KERNEL_FENCE_SIGNALED;
	p->ops->kernel(p, &r);
	r.event = KERNEL_REQUEST_OUT;
	r.pid = 0;
	p->ops->kernel(p, &r);
	finish(p, fd);
	expect(CLOCKS(
	    "0") "1 {\n  2 {\n    1 {\n      1: 2000\n      3: \"WWW\"\n    }\n"
		 "    2 {\n      1: 2000\n      3: 2000\n      2: \"WWW\"\n"
		 "    }\n  }\n  10: 1\n}\n" NOTE("0",
		     "0") "1 {\n  1 {\n    1: 0\n"
			  "    2 {\n      1: 7\n      2: 2000\n      593 {\n"
			  "        1: \"WW\"\n        2: 0\n        3: 0\n"
			  "        4: \"W\"\n        5: 110\n        6: 3\n"
			  "        7: 9\n      }\n    }\n"
			  "    2 {\n      1: 7\n      2: 2000\n      416 {\n"
			  "        1: 110\n        2: \"W\"\n        3: 3\n"
			  "        4: \"\"\n      }\n    }\n"
			  "    2 {\n      1: 7\n      2: 0\n      327 {\n"
			  "        1: \"i915_request_out\"\n"
			  "        2 {\n          1: \"dev\"\n          5: 0\n        }\n"
			  "        2 {\n          1: \"ctx\"\n          5: 110\n        }\n"
			  "        2 {\n          1: \"class\"\n          5: 0\n        }\n"
			  "        2 {\n          1: \"instance\"\n          5: 0\n"
			  "        }\n"
			  "        2 {\n          1: \"seqno\"\n          5: 3\n        }\n"
			  "        2 {\n          1: \"completed\"\n          5: 0\n"
			  "        }\n      }\n    }\n  }\n  10: 1\n}\n");
}

/* Makes a random event and the text that it should be read as. Strings have no
 * bytes that protoc could take for a message. */
static void
write_random(struct trace_writer *p, struct text *want)
{
	uint64_t start = (uint64_t)rand() << (rand() % 32);
	uint64_t end = start + (uint64_t)rand(), tag = (uint64_t)rand() + 1;
	uint32_t group = 1 + (uint32_t)rand() % 9, row = (uint32_t)rand();
	uint64_t uuid = (uint64_t)group << 32 | row;
	int64_t value = rand() - RAND_MAX / 2;
	struct trace_arg arg = {.name = "W", .number = value};

	text_addf(want, "1 {\n  8: %" PRIu64 "\n  10: 1\n", start);
	switch (rand() % 3) {
	case 0:
		p->ops->slice(p,
		    &(struct trace_slice){.place = {group, row},
			.name = "WW",
			.start_ns = start,
			.end_ns = end,
			.args = &arg,
			.n_args = 1});
		text_addf(want,
		    "  11 {\n    4 {\n      1: 1\n      4: %" PRIu64 "\n"
		    "    }\n    9: 1\n    10: 2\n    11: %" PRIu64 "\n"
		    "  }\n  13: 2\n}\n"
		    "1 {\n  8: %" PRIu64 "\n  10: 1\n"
		    "  11 {\n    9: 2\n    11: %" PRIu64 "\n  }\n}\n",
		    (uint64_t)value, uuid, end, uuid);
		break;
	case 1:
		p->ops->counter(p,
		    &(struct trace_counter){
			.place = {group, row}, .at_ns = start, .value = value});
		text_addf(want,
		    "  11 {\n    9: 4\n    11: %" PRIu64 "\n    30: %" PRIu64
		    "\n  }\n}\n",
		    uuid, (uint64_t)value);
		break;
	default:
		p->ops->stage(p,
		    &(struct render_stage){.stream = STREAM_FRAGMENT,
			.stage = RENDER_STAGE_FRAGMENT,
			.start_ns = start,
			.end_ns = end,
			.tag = tag,
			.submission = row | 1});
		text_addf(want,
		    "  13: 2\n  53 {\n    1: EVENT\n    2: %" PRIu64 "\n"
		    "    5: 0\n    6 {\n      1: \"Labels\"\n"
		    "      2: \"t%" PRIu64 "\"\n    }\n    10: %u\n"
		    "    13: 400\n    14: 5\n  }\n}\n",
		    end - start, tag, row | 1);
	}
}

/* Ids of events count up from 1. */
static void
count_events(char *all, struct text *out)
{
	unsigned n = 0;
	char *at, wanted[32];

	for (; (at = strstr(all, "  53 {\n    1: ")) != NULL;
	     all = strchr(at + 14, '\n')) {
		snprintf(wanted, sizeof(wanted), "%u\n", ++n);
		assert_memory_equal(at + 14, wanted, strlen(wanted));
		text_add(out, all, (size_t)(at + 14 - all));
		text_adds(out, "EVENT");
	}
	text_adds(out, all);
}

/* Each event, field by field, in the order of writing. */
TEST(random)
{
	struct text want = {0}, got = {0};
	int fd = open_trace();
	struct trace_writer *p = perfetto_writer_new(fd, 0);
	char *all, *rest;

	srand(7);
	/* Names come before their first use. */
	p->ops->slice(p,
	    &(struct trace_slice){.place = {1, 1},
		.name = "WW",
		.args = &(struct trace_arg){.name = "W"},
		.n_args = 1});
	p->ops->stage(p,
	    &(struct render_stage){
		.stream = STREAM_FRAGMENT, .stage = RENDER_STAGE_FRAGMENT});
	text_adds(&want,
	    "  53 {\n    1: EVENT\n    2: 0\n    5: 0\n    13: 400\n"
	    "    14: 5\n  }\n}\n");
	for (unsigned i = 0; i < 3000; i++)
		write_random(p, &want);
	finish(p, fd);
	all = decoded();
	rest = strstr(all, "  53 {\n");
	assert_non_null(rest);
	count_events(rest, &got);
	assert_string_equal(text_str(&got), text_str(&want));
	text_free(&got);
	text_free(&want);
	free(all);
}

TEST(full_disk)
{
	int fd = open("/dev/full", O_WRONLY);
	struct trace_writer *p = perfetto_writer_new(fd, 0);

	assert_int_equal(p->out.error, 0);
	sink_flush(&p->out);
	assert_int_equal(p->out.error, ENOSPC);
	for (unsigned i = 0; i < 10000; i++)
		p->ops->instant(
		    p, &(struct trace_instant){.place = {1, 0}, .name = "x"});
	assert_int_equal(p->ops->close(p), ENOSPC);
	close(fd);
}

/* No two slices of a lane overlap, and no more lanes are made than slices were
 * open at a time, or than are allowed: then slices begin later. */
static void
use_lanes(unsigned max)
{
	enum { N = 20000, OPEN = 50 };
	struct lanes lanes = {0};
	uint64_t ends[OPEN] = {0}, starts[OPEN] = {0}, now = 0;
	uint64_t last[OPEN] = {0};
	uint32_t made = 0, cut = 0;

	srand(1);
	for (unsigned i = 0; i < N; i++) {
		unsigned which = 0;
		uint64_t start;
		uint32_t lane;
		bool fresh;

		/* Find the open slice that ends next. */
		for (unsigned j = 1; j < OPEN; j++)
			if (ends[j] < ends[which])
				which = j;
		now = ends[which];
		start = starts[which];
		lane = lanes_take(&lanes, max, &start, now, &fresh);
		assert_true(lane < (max > 0 ? max : OPEN));
		assert_int_equal(lane == made, fresh);
		made += fresh;
		assert_true(start >= starts[which]);
		cut += start > starts[which];
		assert_true(start == starts[which] || start == last[lane]);
		assert_true(last[lane] <= start && start <= now);
		last[lane] = now;
		starts[which] = now;
		ends[which] = now + (uint64_t)(rand() % 1000);
	}
	assert_true(made > 1);
	assert_int_equal(cut > 0, max > 0);
	lanes_free(&lanes);
}

TEST(lanes)
{
	use_lanes(0);
	use_lanes(8);
}
