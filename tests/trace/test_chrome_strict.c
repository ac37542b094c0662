/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --trace-json of shipped descriptors under all schedulers keeps every rule of
 * Chrome's trace event format: keys and types of each phase, finite times that go
 * on, slices of a thread one in the other or apart, flows in pairs within slices,
 * names of all processes and threads.
 */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

/* An event that has a time. */
struct timed {
	int64_t pid, tid;
	uint64_t start, end; /* ns */
	char phase;
	json_int_t id; /* of a flow */
	size_t order;  /* in the file */
};

struct strict {
	struct timed *events;
	size_t n, cap;
	json_t *processes, *threads; /* of metadata, by number: names */
	const char *what;            /* the run */
};

static void
refuse(const struct strict *s, json_t *event, const char *why)
{
	char *text = json_dumps(event, JSON_COMPACT);

	fail_msg("%s: %s: %s", s->what, why, text);
}

static void
check(const struct strict *s, json_t *event, bool holds, const char *rule)
{
	if (!holds)
		refuse(s, event, rule);
}

static void
check_keys(const struct strict *s, json_t *event, const char *allowed)
{
	const char *key;
	json_t *value;

	json_object_foreach(event, key, value)
	{
		char word[32];

		snprintf(word, sizeof(word), " %s ", key);
		check(s, event, strstr(allowed, word) != NULL, key);
	}
}

static uint64_t
time_of(const struct strict *s, json_t *event, const char *key)
{
	json_t *value = json_object_get(event, key);
	double us = json_number_value(value);

	check(s, event, json_is_number(value), key);
	check(s, event, isfinite(us) && us >= 0, "time");
	return (uint64_t)llround(us * 1000);
}

static json_int_t
integer_of(const struct strict *s, json_t *event, const char *key)
{
	json_t *value = json_object_get(event, key);

	check(s, event, json_is_integer(value), key);
	check(s, event, json_integer_value(value) >= 0, key);
	return json_integer_value(value);
}

/* A process and a thread are named once, before or behind their events. */
static void
see_metadata(struct strict *s, json_t *event, json_int_t pid, json_int_t tid)
{
	const char *name = json_string_value(json_object_get(event, "name"));
	json_t *args = json_object_get(event, "args");
	bool process = strncmp(name, "process_", 8) == 0;
	json_t *known = process ? s->processes : s->threads;
	char number[32];

	check_keys(s, event, " ph pid tid name args ");
	if (strstr(name, "_sort_index") != NULL) {
		check(s, event,
		    json_is_integer(json_object_get(args, "sort_index")),
		    "sort_index");
		return;
	}
	check(s, event,
	    strcmp(name, "process_name") == 0 ||
		strcmp(name, "thread_name") == 0,
	    "kind of metadata");
	check(s, event, json_is_string(json_object_get(args, "name")), "name");
	snprintf(
	    number, sizeof(number), "%lld", (long long)(process ? pid : tid));
	check(s, event, json_object_get(known, number) == NULL, "named twice");
	json_object_set_new(known, number, json_integer(pid));
}

static void
see_args(const struct strict *s, json_t *event, bool numbers_only)
{
	json_t *args = json_object_get(event, "args"), *value;
	const char *key;

	check(s, event, args == NULL || json_is_object(args), "args");
	json_object_foreach(args, key, value) check(s, event,
	    json_is_number(value) || (!numbers_only && json_is_string(value)),
	    key);
}

static void
see_timed(struct strict *s, json_t *event, struct timed t)
{
	static const struct {
		char phase;
		const char *keys;
	} phases[] = {
	    {'X', " ph pid tid ts dur name args "},
	    {'i', " ph pid tid ts s name args "},
	    {'C', " ph pid tid ts name args "},
	    {'s', " ph pid tid ts cat name id bp "},
	    {'f', " ph pid tid ts cat name id bp "},
	};
	size_t i = 0;

	while (i < 5 && phases[i].phase != t.phase)
		i++;
	check(s, event, i < 5, "phase");
	check_keys(s, event, phases[i].keys);
	t.start = t.end = time_of(s, event, "ts");
	if (t.phase == 'X')
		t.end += time_of(s, event, "dur");
	if (t.phase == 'i')
		check(s, event,
		    strcmp(json_string_value(json_object_get(event, "s")),
			"t") == 0,
		    "scope");
	if (t.phase == 's' || t.phase == 'f') {
		t.id = integer_of(s, event, "id");
		check(s, event, json_is_string(json_object_get(event, "cat")),
		    "cat");
	}
	see_args(s, event, t.phase == 'C');
	s->events = mem_grow(s->events, s->n, &s->cap, sizeof(*s->events));
	s->events[s->n++] = t;
}

static void
see_event(struct strict *s, json_t *event, size_t order)
{
	const char *phase = json_string_value(json_object_get(event, "ph"));
	struct timed t = {.order = order};

	check(s, event, phase != NULL && strlen(phase) == 1, "ph");
	check(s, event, json_is_string(json_object_get(event, "name")), "name");
	t.phase = *phase;
	t.pid = integer_of(s, event, "pid");
	t.tid = integer_of(s, event, "tid");
	if (t.phase == 'M')
		see_metadata(s, event, t.pid, t.tid);
	else
		see_timed(s, event, t);
}

/* By thread; then as in the file. */
static int
by_thread(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

/* A thread is of one process, and named; its times go on in the file. */
static void
check_threads(struct strict *s)
{
	qsort(s->events, s->n, sizeof(*s->events), by_thread);
	for (size_t i = 0; i < s->n; i++) {
		const struct timed *t = &s->events[i], *before = t - 1;
		char thread[32], process[32];

		snprintf(thread, sizeof(thread), "%lld", (long long)t->tid);
		snprintf(process, sizeof(process), "%lld", (long long)t->pid);
		if (t->phase != 'C' && t->tid != t->pid &&
		    json_object_get(s->threads, thread) == NULL)
			fail_msg("%s: thread %s has no name", s->what, thread);
		if (json_object_get(s->processes, process) == NULL)
			fail_msg(
			    "%s: process %s has no name", s->what, process);
		if (i == 0 || before->tid != t->tid)
			continue;
		assert_int_equal(before->pid, t->pid);
		if (t->phase == before->phase && t->phase != 's' &&
		    t->phase != 'f' && t->start < before->start)
			fail_msg("%s: thread %s goes back to %llu ns", s->what,
			    thread, (unsigned long long)t->start);
	}
}

/* By thread and time, a slice before those within it. */
static int
by_place(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->tid != y->tid)
		return x->tid < y->tid ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if ((x->phase == 'X') != (y->phase == 'X'))
		return x->phase == 'X' ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order < y->order ? -1 : x->order > y->order;
}

#define MAX_DEPTH 64

/* Slices of a thread are one in the other, or apart; a flow begins and ends in
 * one. */
static void
check_nesting(struct strict *s)
{
	uint64_t ends[MAX_DEPTH];
	unsigned depth = 0;
	int64_t tid = -1;

	qsort(s->events, s->n, sizeof(*s->events), by_place);
	for (size_t i = 0; i < s->n; i++) {
		const struct timed *t = &s->events[i];

		if (t->tid != tid)
			depth = 0;
		tid = t->tid;
		if (t->phase == 'C' || t->phase == 'i')
			continue;
		while (depth > 0 && ends[depth - 1] <= t->start &&
		    (t->phase == 'X' || ends[depth - 1] < t->start))
			depth--;
		if (t->phase == 'X') {
			if (depth > 0 && t->end > ends[depth - 1])
				fail_msg("%s: slices of thread %lld overlap "
					 "at %llu ns",
				    s->what, (long long)tid,
				    (unsigned long long)t->start);
			assert_true(depth < MAX_DEPTH);
			ends[depth++] = t->end;
		} else if (depth == 0) {
			fail_msg("%s: flow %lld at %llu ns is in no slice",
			    s->what, (long long)t->id,
			    (unsigned long long)t->start);
		}
	}
}

static int
by_flow(const void *a, const void *b)
{
	const struct timed *x = a, *y = b;

	if (x->id != y->id)
		return x->id < y->id ? -1 : 1;
	/* 's' before 'f' */
	return x->phase != y->phase ? (x->phase == 's' ? -1 : 1) : 0;
}

/* A flow begins once and ends once, not before its beginning. One whose waiter
 * has not run when the run ends has no end. */
static void
check_flows(struct strict *s, size_t *n_flows)
{
	qsort(s->events, s->n, sizeof(*s->events), by_flow);
	for (size_t i = 0; i < s->n; i++) {
		const struct timed *t = &s->events[i], *next = t + 1;
		bool has_next = i + 1 < s->n && next->id == t->id;

		if (t->id == 0)
			continue;
		if (t->phase != 's')
			fail_msg("%s: flow %lld has no beginning", s->what,
			    (long long)t->id);
		if (!has_next)
			continue;
		if (next->phase != 'f' || next->start < t->start ||
		    (i + 2 < s->n && s->events[i + 2].id == t->id))
			fail_msg(
			    "%s: flow %lld has not one start and one finish",
			    s->what, (long long)t->id);
		++*n_flows;
		i++;
	}
}

/* Returns the number of slices. */
static size_t
check_trace(const char *what, size_t *n_flows)
{
	struct strict s = {
	    .what = what, .processes = json_object(), .threads = json_object()};
	json_error_t error;
	json_t *all = json_load_file(
	    test_path("trace.json"), JSON_REJECT_DUPLICATES, &error);
	size_t i, n = 0;
	json_t *event;

	if (!json_is_array(all))
		fail_msg("%s: line %d: %s", what, error.line, error.text);
	json_array_foreach(all, i, event) see_event(&s, event, i);
	for (i = 0; i < s.n; i++)
		n += s.events[i].phase == 'X';
	check_threads(&s);
	check_nesting(&s);
	check_flows(&s, n_flows);
	json_decref(all);
	json_decref(s.processes);
	json_decref(s.threads);
	free(s.events);
	return n;
}

static void
check_run(const char *descriptor, const char *scheduler, size_t *n_slices,
    size_t *n_flows)
{
	char option[32], what[128], path[64];
	struct outcome o;

	snprintf(option, sizeof(option), "--scheduler=%s", scheduler);
	snprintf(what, sizeof(what), "%s %s", descriptor, scheduler);
	snprintf(path, sizeof(path), "workloads/%s", descriptor);
	RUN(&o, "-b", "-q", "--profile=default", option, "-c", "2",
	    "--duration=0.06", "-w", path, "--trace-json",
	    test_path("trace.json"));
	/* Some descriptors need another scheduler. */
	if (o.status == 0)
		*n_slices += check_trace(what, n_flows);
	outcome_free(&o);
}

TEST(shipped)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "drm:rr", "drm:fair", "guc"};
	static const char *const descriptors[] = {"bonds.wsim",
	    "composited.wsim", "desktop.wsim", "hang.wsim", "layer.wsim",
	    "load-balance.wsim", "parallel-frame.wsim",
	    "priority-inversion.wsim", "queue-depth.wsim", "split-frame.wsim",
	    "sseu.wsim", "submit-fence.wsim", "transcode.wsim",
	    "working-sets.wsim"};
	size_t n_slices = 0, n_flows = 0;

	for (size_t i = 0; i < sizeof(descriptors) / sizeof(*descriptors); i++)
		for (size_t k = 0; k < 6; k++)
			check_run(
			    descriptors[i], schedulers[k], &n_slices, &n_flows);
	assert_true(n_slices > 10000);
	assert_true(n_flows > 1000);
}

/* Texts with quotes, backslashes and bytes that are no UTF-8; preemption; several
 * launches and clients. */
TEST(odd_texts)
{
	size_t n_flows = 0;
	struct outcome o;

	write_file(test_path("odd \"name\\.wsim"),
	    "# a \"b\" \\ c \xc3\xa9 \t d\nP.1.5\n"
	    "#@ label push \"x \\\"y\\\" \xf0\x9f\x98\x80\"\n"
	    "#@ dispatch 4x5x6\n2.RCS.900.0.0\n1.RCS.100.0.1\n"
	    "#@ label pop\n2.BCS.50.-2.0\nd.200\n");
	RUN(&o, "-b", "-q", "--profile=default", "-c", "3", "--duration=0.05",
	    "-w", test_path("odd \"name\\.wsim"), "--trace-json",
	    test_path("trace.json"));
	assert_string_equal(o.err, "");
	assert_int_equal(o.status, 0);
	outcome_free(&o);
	assert_true(check_trace("odd", &n_flows) > 100);
	assert_true(n_flows > 0);
}
