/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer from outside: what --layer writes, as --layer-dump shows it; and
 * its slices: they add up to the requests' run times, and each workload has the
 * labels of a plain stack.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/workload.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"
#include "trace/layer.h"

/* Returns what --layer-dump prints of a descriptor's run, without the first
 * line. */
static void
expect_dump(const char *descriptor, const char *repeat, const char *wanted)
{
	const char *file = test_path("messages"), *source = test_path("d.wsim");
	struct outcome r;
	const char *second;

	write_file(source, descriptor);
	RUN(&r, "-b", "-q", "--profile=ideal", "-r", repeat, "-w", source,
	    "--layer", file);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	RUN(&r, "--layer-dump", file);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	assert_memory_equal(r.out, "device    {\"device\":1,", 22);
	second = strchr(r.out, '\n') + 1;
	assert_string_equal(second, wanted);
	outcome_free(&r);
}

TEST(defaults)
{
	expect_dump("1.RCS.10.0.1\n2.CCS.10.0.1\n3.BCS.10.0.1\n4.VCS.10.0.1\n",
	    "1",
	    "submit    {\"device\":1,\"queue\":1,\"timestamp\":0,"
	    "\"type\":\"submit\"}\n"
	    "workload  t1 {\"attachments\":[],\"drawCallCount\":-1,"
	    "\"height\":-1,\"tid\":1,\"type\":\"renderpass\",\"width\":-1}\n"
	    "annex     s1 t1 {\"label\":[]}\n"
	    "submit    {\"device\":1,\"queue\":2,\"timestamp\":10000,"
	    "\"type\":\"submit\"}\n"
	    "workload  t2 {\"tid\":2,\"type\":\"dispatch\",\"xGroups\":-1,"
	    "\"yGroups\":-1,\"zGroups\":-1}\n"
	    "annex     s2 t2 {\"label\":[]}\n"
	    "submit    {\"device\":1,\"queue\":3,\"timestamp\":20000,"
	    "\"type\":\"submit\"}\n"
	    "workload  t3 {\"byteCount\":-1,\"subtype\":\"Copy buffer\","
	    "\"tid\":3,\"type\":\"buffertransfer\"}\n"
	    "annex     s3 t3 {\"label\":[]}\n"
	    "submit    {\"device\":1,\"queue\":4,\"timestamp\":30000,"
	    "\"type\":\"submit\"}\n"
	    "frame     {\"device\":1,\"fid\":1,\"timestamp\":40000,"
	    "\"type\":\"frame\"}\n");
}

/* A command buffer is recorded once: tags stay, submitIDs do not. Indirect
 * sizes come when the batch has ended. */
TEST(again)
{
	expect_dump("#@ label push \"A, \\\"b\\\"\"\n#@ dispatch 2x3x1 "
		    "local=4x4x1 indirect\n#@ label pop\n1.RCS.10.0.1\n",
	    "2",
	    "submit    {\"device\":1,\"queue\":1,\"timestamp\":0,"
	    "\"type\":\"submit\"}\n"
	    "workload  t1 {\"indirect\":true,\"tid\":1,\"type\":\"dispatch\","
	    "\"xGroups\":-1,\"yGroups\":-1,\"zGroups\":-1}\n"
	    "annex     s1 t1 {\"label\":[\"A, \\\"b\\\"\"]}\n"
	    "resolved  s1 t1 {\"xGroups\":2,\"xItems\":8,\"yGroups\":3,"
	    "\"yItems\":12,\"zGroups\":1,\"zItems\":1}\n"
	    "frame     {\"device\":1,\"fid\":1,\"timestamp\":10000,"
	    "\"type\":\"frame\"}\n"
	    "submit    {\"device\":1,\"queue\":1,\"timestamp\":10000,"
	    "\"type\":\"submit\"}\n"
	    "workload  t1 {\"indirect\":true,\"tid\":1,\"type\":\"dispatch\","
	    "\"xGroups\":-1,\"yGroups\":-1,\"zGroups\":-1}\n"
	    "annex     s2 t1 {\"label\":[\"A, \\\"b\\\"\"]}\n"
	    "resolved  s2 t1 {\"xGroups\":2,\"xItems\":8,\"yGroups\":3,"
	    "\"yItems\":12,\"zGroups\":1,\"zItems\":1}\n"
	    "frame     {\"device\":1,\"fid\":2,\"timestamp\":20000,"
	    "\"type\":\"frame\"}\n");
}

/* A ONE_TIME_SUBMIT batch is recorded at each submit: each execution has a tag
 * of its own and no submitID. */
TEST(once)
{
	expect_dump(
	    "#@ once\n#@ label push \"A\"\n#@ copybuffer 8\n#@ label pop\n"
	    "1.RCS.10.0.1\n",
	    "2",
	    "submit    {\"device\":1,\"queue\":1,\"timestamp\":0,"
	    "\"type\":\"submit\"}\n"
	    "workload  t1 {\"byteCount\":8,\"subtype\":\"Copy buffer\","
	    "\"tid\":1,\"type\":\"buffertransfer\"}\n"
	    "tag-annex t1 {\"label\":[\"A\"]}\n"
	    "frame     {\"device\":1,\"fid\":1,\"timestamp\":10000,"
	    "\"type\":\"frame\"}\n"
	    "submit    {\"device\":1,\"queue\":1,\"timestamp\":10000,"
	    "\"type\":\"submit\"}\n"
	    "workload  t2 {\"byteCount\":8,\"subtype\":\"Copy buffer\","
	    "\"tid\":2,\"type\":\"buffertransfer\"}\n"
	    "tag-annex t2 {\"label\":[\"A\"]}\n"
	    "frame     {\"device\":1,\"fid\":2,\"timestamp\":20000,"
	    "\"type\":\"frame\"}\n");
}

TEST(refusals)
{
	const char *file = test_path("broken");
	struct outcome r;

	write_file(file, "\x01\x01");
	RUN(&r, "--layer-dump", file);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(r.err, "byte 0: message ends in its header"));
	outcome_free(&r);
	write_file(file, "nonsense");
	RUN(&r, "--layer-dump", file);
	assert_int_equal(r.status, 1);
	assert_non_null(strstr(r.err, "byte 0: unknown type of message"));
	outcome_free(&r);
	RUN(&r, "--layer-dump", test_path("absent"));
	assert_int_equal(r.status, 1);
	outcome_free(&r);
	RUN_WITH(&r, &((struct streams){.in = ""}), "--layer-dump", "-");
	assert_int_equal(r.status, 0);
	assert_string_equal(r.out, "");
	outcome_free(&r);
	RUN(&r, "-b", "-w", "1.RCS.1.0.0", "--layer", "/dev/full");
	assert_int_equal(r.status, 3);
	assert_non_null(strstr(r.err, "/dev/full"));
	outcome_free(&r);
}

/* A wrong length makes JSON that is not one object. Messages before it are
 * printed. */
TEST(lies)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *wanted;
	} cases[] = {
#define CASE(bytes, wanted) {bytes, sizeof(bytes) - 1, wanted}
#define HEADER(len)         "\4\1\0\0\0\0\0\0\0" len "\0\0\0"
	    CASE(HEADER("\2") "xx", "message is not JSON"),
	    CASE(HEADER("\0"), "message is not JSON"),
	    CASE(HEADER("\2") "[]",
		"invalid JSON of the message: expected an object"),
	    CASE(HEADER("\6") "{\"a\033[1", "message is not JSON"),
	    CASE(HEADER("\3") "{}x", "message is not JSON"),
	    CASE(HEADER("\1") "{}", "message is not JSON"),
	    /* The length covers the next message too. */
	    CASE(HEADER("\21") "{}" HEADER("\2") "{}", "message is not JSON"),
	};
	const char *file = test_path("lie");

	for (size_t i = 0; i < sizeof(cases) / sizeof(*cases); i++) {
		FILE *f = fopen(file, "wb");
		struct outcome r;

		fwrite(HEADER("\2") "{}", 1, 15, f);
		fwrite(cases[i].bytes, 1, cases[i].len, f);
		assert_int_equal(fclose(f), 0);
		RUN(&r, "--layer-dump", file);
		assert_int_equal(r.status, 1);
		assert_string_equal(r.out, "workload  t1 {}\n");
		assert_non_null(strstr(r.err, "lie: byte "));
		assert_non_null(strstr(r.err, cases[i].wanted));
		outcome_free(&r);
	}
}

/* Returns the nanoseconds of a request's slices in a group. */
static long
slices_of(json_t *trace, int group, long request)
{
	double sum = 0;
	size_t i;
	json_t *event;

	json_array_foreach(trace, i, event)
	{
		json_t *args = json_object_get(event, "args");

		if (strcmp(json_string_value(json_object_get(event, "ph")),
			"X") == 0 &&
		    json_integer_value(json_object_get(event, "pid")) ==
			group &&
		    json_integer_value(json_object_get(args, "request")) ==
			request)
			sum += json_number_value(json_object_get(event, "dur"));
	}
	return (long)(sum * 1000 + 0.5);
}

/* Slices of engines and of workloads add up to what requests ran. */
TEST(trace)
{
	const char *trace = test_path("t.json"), *rows = test_path("t.tsv");
	const char *source = test_path("t.wsim");
	struct outcome r;
	json_t *events;
	char *text, *line, *rest;
	size_t len;
	long seq = 0;

	write_file(source,
	    "#@ renderpass 8x8 draws=3\n#@ label push \"A\"\n"
	    "#@ dispatch 1x1x1\n1.RCS.1000-3000.0.0\nP.2.5\n"
	    "X.1.100\n2.RCS.300.0.0\n1.CCS.77.0.0\nd.100\n");
	RUN(&r, "-b", "-q", "--profile=ideal", "--scheduler=execlists", "-r",
	    "5", "-c", "2", "-w", source, "--trace-json", trace, "--requests",
	    rows, "--trace", test_path("t.trace"), "--arm-metadata",
	    test_path("t.arm"));
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	events = json_load_file(trace, 0, NULL);
	assert_non_null(events);
	text = read_whole(rows, &len);
	line = strtok_r(text, "\n", &rest);
	while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
		long run;

		assert_int_equal(
		    sscanf(
			line, "%*s %*s %*s %*s %*s %*s %*s %*s %*s %ld", &run),
		    1);
		assert_int_equal(slices_of(events, 1, ++seq), run);
		assert_int_equal(slices_of(events, 2, seq), run);
	}
	assert_int_equal(seq, 30);
	json_decref(events);
	free(text);
}

/* A batch that runs when the run is cut off has metadata too. */
TEST(unfinished)
{
	const char *file = test_path("cut.arm");
	struct outcome r;
	json_t *frame;
	char *text;
	size_t len;

	RUN(&r, "-b", "-q", "--profile=ideal", "--duration=0.00025", "-w",
	    "1.RCS.100.0.1", "--arm-metadata", file);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	text = read_whole(file, &len);
	for (int i = 0; i < 2; i++) {
		size_t n = (unsigned char)text[0] | (size_t)text[1] << 8;

		assert_true(len > 4 + n);
		memmove(text, text + 4 + n, len -= 4 + n);
	}
	frame = json_loadb(text + 4, len - 4, 0, NULL);
	assert_non_null(frame);
	assert_int_equal(
	    json_integer_value(json_object_get(frame, "frame")), 2);
	assert_int_equal(
	    json_integer_value(json_object_get(frame, "presentTimestamp")),
	    250000);
	json_decref(frame);
	free(text);
}

/* Render passes that are open at the end are reported in the order of their queues,
 * whatever addresses the queues have (doc/layer.md "Split render passes"). */
TEST(open_passes)
{
	const char *file = test_path("open"), *source = test_path("o.wsim");
	struct text descriptor = {0};
	struct outcome r;
	const char *at;

	for (unsigned context = 1; context <= 12; context++)
		text_addf(&descriptor,
		    "#@ renderpass 8x8 suspend\n%u.RCS.10.0.0\n", context);
	write_file(source, text_str(&descriptor));
	text_free(&descriptor);
	RUN(&r, "-b", "-q", "--profile=ideal", "-w", source, "--layer", file);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	RUN(&r, "--layer-dump", file);
	at = strstr(r.out, "\nframe");
	for (unsigned submit = 1; submit <= 12; submit++) {
		char line[80];

		assert_non_null(at);
		snprintf(line, sizeof(line),
		    "\nannex     s%u t%u {\"drawCallCount\":-1,\"parts\":1,"
		    "\"unfinished\":true}\n",
		    submit, submit);
		at = strchr(at + 1, '\n');
		assert_non_null(at);
		assert_memory_equal(at, line, strlen(line));
	}
	outcome_free(&r);
}

/* The slices of a run, summed by request, and as text. */
struct ear {
	struct layer_listener listener;
	struct lab lab;
	struct layer *layer;
	nsec *sums; /* by seq */
	size_t n, cap;
	nsec last[DEVICE_MAX_ENGINES];
	bool keep; /* the text */
	struct text text;
};

static void
on_interval(struct layer_listener *l, const struct workload_slice *i)
{
	static const char *const parts[] = {"", "", "/binning", "/main"};
	struct ear *ear = (struct ear *)l;
	uint64_t seq = i->request->seq;

	for (; ear->n <= seq; ear->n++) {
		ear->sums = mem_grow(
		    ear->sums, ear->n, &ear->cap, sizeof(*ear->sums));
		ear->sums[ear->n] = 0;
	}
	assert_true(i->start < i->end);
	assert_true(i->start >= ear->last[i->engine->index]);
	ear->last[i->engine->index] = i->end;
	ear->sums[seq] += i->end - i->start;
	if (!ear->keep)
		return;
	text_addf(&ear->text, "%s %llu-%llu", i->engine->name,
	    (unsigned long long)i->start, (unsigned long long)i->end);
	if (i->stage != STAGE_NONE)
		text_addf(&ear->text, " s%llu.t%llu %s%s %s",
		    (unsigned long long)i->submit, (unsigned long long)i->tag,
		    workload_type_name(i->workload->info.type), parts[i->stage],
		    i->labels);
	text_addc(&ear->text, '\n');
}

static void
ear_run(struct ear *ear, const char *sched, const char *descriptor,
    unsigned clones, nsec until)
{
	lab_init(&ear->lab, sched);
	ear->lab.config.profile.hang_ns = 500 * NSEC_PER_MSEC;
	ear->listener.slice = on_interval;
	lab_add(&ear->lab, descriptor, clones,
	    (struct client_options){.repeat = 3});
	ear->layer = layer_begin(ear->lab.sim, NULL);
	layer_listen(ear->layer, &ear->listener);
	sim_run(ear->lab.sim, until, 0);
	layer_end(ear->layer);
	for (size_t i = 0; i < ear->lab.n_rows; i++) {
		const struct lab_row *row = &ear->lab.rows[i];

		if (row->end == NSEC_NEVER)
			continue;
		if (i + 1 >= ear->n)
			assert_int_equal(row->run, 0);
		else
			assert_int_equal(ear->sums[i + 1], row->run);
	}
}

static void
ear_free(struct ear *ear)
{
	lab_free(&ear->lab);
	free(ear->sums);
	text_free(&ear->text);
}

TEST(shares)
{
	static const char first[] =
	    "RCS 0-2000 s1.t1 renderpass/binning [\"A\"]\n"
	    "RCS 2000-8000 s1.t1 renderpass/main [\"A\"]\n"
	    "RCS 8000-12000 s1.t2 dispatch []\n"
	    "VCS1 12000-17000\n";
	struct ear ear = {.keep = true};

	ear_run(&ear, "fifo",
	    "#@ label push \"A\"\n#@ renderpass 4x4 weight=2\n#@ label pop\n"
	    "#@ dispatch 1x1x1\n1.RCS.12.0.0\n2.VCS1.5.-1.0\n",
	    1, NSEC_NEVER);
	ear.text.data[strlen(first)] = 0;
	assert_string_equal(text_str(&ear.text), first);
	ear_free(&ear);
}

/* A resumed pass keeps its tag and the submitID under which it began. */
TEST(split)
{
	struct ear ear = {.keep = true};

	ear_run(&ear, "fifo",
	    "#@ label push \"A\"\n#@ renderpass 4x4 suspend\n1.RCS.4.0.0\n"
	    "#@ label pop\n#@ renderpass resume\n1.RCS.4.0.1\n",
	    1, 8000);
	assert_non_null(strstr(text_str(&ear.text),
	    "RCS 5000-8000 s1.t1 renderpass/main [\"A\"]\n"));
	ear_free(&ear);
}

/* Requests preempted, timesliced, reset, ended by T, in several rows. */
TEST(sums)
{
	static const char *const scheds[] = {
	    "fifo", "execlists", "drm", "guc", "drm:rr"};
	static const char descriptor[] =
	    "X.1.100\nX.2.100\nP.2.3\nM.3.VCS\nB.3\n"
	    "#@ renderpass 8x8 draws=3 weight=7\n#@ dispatch 3x3x3\n"
	    "#@ weight=3\n#@ copyimage 7\n1.RCS.1000-7777.0.0\n"
	    "#@ label push \"two\"\n2.RCS.333-999.0.0\n3.VCS.1001.0.0\n"
	    "3.VCS.777.f-1.0\n#@ tracerays 1x1x1\n2.RCS.*.0.0\n1.CCS.13.0.0\n"
	    "d.501\nT.-3\n#@ label pop\n#@ fillbuffer whole\n7.VECS1.555.0.0\n"
	    "4.RCS.1.0.0\n";

	for (size_t i = 0; i < sizeof(scheds) / sizeof(*scheds); i++) {
		struct ear ear = {0};

		ear_run(&ear, scheds[i], descriptor, 5, NSEC_NEVER);
		assert_true(ear.lab.n_rows > 100);
		ear_free(&ear);
	}
}

TEST(hang)
{
	struct ear ear = {.keep = true};

	ear_run(&ear, "fifo",
	    "X.1.0\n#@ renderpass 8x8\n#@ dispatch 1x1x1 indirect\n1.RCS.*.0.0\n"
	    "2.RCS.100.0.0\n",
	    1, NSEC_NEVER);
	assert_true(ear.lab.hung > 0);
	ear_free(&ear);
}
