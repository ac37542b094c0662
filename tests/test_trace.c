/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What --trace, --trace-json and --arm-metadata write, event by event: against
 * a witness of the simulation that keeps no more than who was on which engine
 * from when to when, and against --requests.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <jansson.h>

#include "parser/mem.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"
#include "tests/support/scenery.h"
#include "tests/support/trace_reader.h"
#include "tui/layer/layer_outputs.h"

#define SEEDS 100

enum { ENGINES = 1, WORKLOADS, COUNTERS, CLIENTS };

/* From start to end something was so. */
struct piece {
	uint32_t row;
	uint64_t start, end;
	int64_t what; /* request, or a value */
};

struct pieces {
	struct piece *list;
	size_t n, cap;
};

struct witness {
	struct observer observer;
	const struct sim *sim;
	struct pieces ran;      /* batches, by engine */
	struct pieces waited;   /* by context: submission to readiness */
	struct pieces lived;    /* ... and to the end */
	struct pieces instants; /* preempted (0), missed (1), hung (2) */
	struct pieces loads;    /* of engines: 2 * queued + busy, at a time */
	struct piece open[DEVICE_MAX_ENGINES];
	struct layer *layer;
	struct layer_outputs outputs;
	int fds[3];
};

static void
add(struct pieces *p, uint32_t row, uint64_t start, uint64_t end, int64_t what)
{
	p->list = mem_grow(p->list, p->n, &p->cap, sizeof(*p->list));
	p->list[p->n++] = (struct piece){row, start, end, what};
}

/* The instant goes on: loads are those that it leaves. */
static void
look_again(struct witness *w)
{
	while (w->loads.n > 0 &&
	    w->loads.list[w->loads.n - 1].start == w->sim->now)
		w->loads.n--;
}

static void
on_ready(struct observer *o, struct request *rq, const struct fence *last)
{
	(void)rq;
	(void)last;
	look_again((struct witness *)o);
}

static void
on_took(struct observer *o, const struct hw_engine *e, struct request *rq,
    const struct switching *cost)
{
	(void)e;
	(void)rq;
	(void)cost;
	look_again((struct witness *)o);
}

static void
on_controlled(struct observer *o, const struct control *control)
{
	(void)control;
	look_again((struct witness *)o);
}

static void
on_began(struct observer *o, struct request *rq)
{
	struct witness *w = (struct witness *)o;

	w->open[rq->engine->index] = (struct piece){
	    .start = w->sim->now, .what = (int64_t)rq->seq};
}

static void
piece_over(struct witness *w, unsigned engine)
{
	struct piece *p = &w->open[engine];

	if (p->what != 0 && p->start < w->sim->now)
		add(&w->ran, engine, p->start, w->sim->now, p->what);
	p->what = 0;
}

static void
on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct witness *w = (struct witness *)o;

	(void)rq;
	(void)by;
	look_again(w);
	piece_over(w, e->index);
	if (why == LEAVING_PREEMPTED)
		add(&w->instants, e->index, w->sim->now, 0, 0);
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct witness *w = (struct witness *)o;
	uint64_t ready = fence_time(&rq->queued);

	look_again(w);
	if (rq->submit_ns < w->sim->now)
		add(&w->lived, rq->client->id, rq->submit_ns, w->sim->now,
		    (int64_t)rq->seq);
	if (rq->submit_ns < ready && rq->submit_ns < w->sim->now)
		add(&w->waited, rq->client->id, rq->submit_ns, ready,
		    (int64_t)rq->seq);
}

static void
on_missed(struct observer *o, struct client *c, nsec due)
{
	struct witness *w = (struct witness *)o;

	(void)due;
	add(&w->instants, c->id, w->sim->now, 0, 1);
}

static void
on_hung(struct observer *o, const struct hang *hang)
{
	struct witness *w = (struct witness *)o;

	add(&w->instants, hang->engine->index, w->sim->now, 0, 2);
}

static void
see_loads(struct witness *w)
{
	for (unsigned i = 0; i < w->sim->device.n_engines; i++) {
		const struct hw_engine *e = &w->sim->device.engines[i];

		add(&w->loads, i, w->sim->now, 0,
		    2 * (int64_t)e->queued + (e->running != NULL));
	}
}

static const struct {
	enum layer_output output;
	const char *name;
} files[] = {
    {OUTPUT_TRACE, "perfetto"},
    {OUTPUT_TRACE_JSON, "chrome"},
    {OUTPUT_ARM, "arm"},
};

static void
witness_begin(struct witness *w, struct sim *sim)
{
	*w = (struct witness){
	    .observer = {.controlled = on_controlled,
		.ready = on_ready,
		.took = on_took,
		.began = on_began,
		.left = on_left,
		.ended = on_ended,
		.missed = on_missed,
		.hung = on_hung},
	    .sim = sim,
	};
	for (size_t i = 0; i < 3; i++) {
		w->fds[i] = open(test_path(files[i].name),
		    O_WRONLY | O_CREAT | O_TRUNC, 0666);
		layer_outputs_open(&w->outputs, files[i].output, w->fds[i]);
	}
	sim_add_observer(sim, &w->observer);
	w->layer = layer_begin(sim, NULL);
	layer_outputs_watch(&w->outputs, w->layer, sim);
}

static void
witness_end(struct witness *w)
{
	see_loads(w);
	for (unsigned i = 0; i < w->sim->device.n_engines; i++)
		piece_over(w, i);
	layer_outputs_leave(&w->outputs);
	layer_end(w->layer);
	for (size_t i = 0; i < 3; i++) {
		assert_int_equal(
		    layer_outputs_close(&w->outputs, files[i].output), 0);
		close(w->fds[i]);
	}
}

static void
witness_free(struct witness *w)
{
	free(w->ran.list);
	free(w->waited.list);
	free(w->lived.list);
	free(w->instants.list);
	free(w->loads.list);
}

static int
compare_pieces(const void *a, const void *b)
{
	const struct piece *p = a, *q = b;

#define ORDER(member)                                                          \
	if (p->member != q->member)                                            \
	return p->member < q->member ? -1 : 1
	ORDER(row);
	ORDER(start);
	ORDER(end);
	ORDER(what);
#undef ORDER
	return 0;
}

static void
sort(struct pieces *p)
{
	if (p->n > 0)
		qsort(p->list, p->n, sizeof(*p->list), compare_pieces);
}

/* The same, and nothing else. */
static void
expect_same(struct pieces *seen, struct pieces *wanted, const char *what)
{
	sort(seen);
	sort(wanted);
	for (size_t i = 0; i < seen->n && i < wanted->n; i++) {
		const struct piece *s = &seen->list[i], *w = &wanted->list[i];

		if (compare_pieces(s, w) != 0)
			fail_msg("%s: row %u %" PRIu64 "-%" PRIu64 " %" PRId64
				 ", not row %u %" PRIu64 "-%" PRIu64
				 " %" PRId64,
			    what, s->row, s->start, s->end, s->what, w->row,
			    w->start, w->end, w->what);
	}
	if (seen->n != wanted->n)
		fail_msg("%s: %zu, not %zu", what, seen->n, wanted->n);
	free(seen->list);
	*seen = (struct pieces){0};
}

static bool
is_wait_row(const struct seen_trace *t, const struct seen *s)
{
	return strstr(seen_row_name(t, s->group, s->number), "waits") != NULL;
}

/* Slices by what they are; render stages as slices of no row. */
static void
expect_slices(const struct seen_trace *t, struct witness *w)
{
	struct pieces ran = {0}, lived = {0}, waited = {0};
	struct pieces stages = {0}, workloads = {0};

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind == SEEN_STAGE && s->tag != 0)
			add(&stages, 0, s->start, s->end, (int64_t)s->tag);
		if (s->kind != SEEN_SLICE)
			continue;
		if (s->group == ENGINES)
			add(&ran, s->number - 1, s->start, s->end, s->request);
		else if (s->group == WORKLOADS)
			add(&workloads, 0, s->start, s->end, (int64_t)s->tag);
		else
			add(is_wait_row(t, s) ? &waited : &lived,
			    s->group - CLIENTS, s->start, s->end, s->request);
	}
	expect_same(&ran, &w->ran, "engines");
	expect_same(&lived, &w->lived, "contexts");
	expect_same(&waited, &w->waited, "waits");
	expect_same(&stages, &workloads, "render stages");
	free(workloads.list);
}

/* Workloads of a piece follow each other without a gap, from its first to its
 * last nanosecond; or it has none. */
static void
expect_tiles(const struct seen_trace *t, const struct witness *w)
{
	struct pieces tiles = {0};
	size_t at = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->events[i].kind == SEEN_SLICE &&
		    t->events[i].group == WORKLOADS)
			add(&tiles, t->events[i].number - 1, t->events[i].start,
			    t->events[i].end, t->events[i].request);
	sort(&tiles);
	for (size_t i = 0; i < w->ran.n && at < tiles.n; i++) {
		const struct piece *p = &w->ran.list[i];
		uint64_t from = p->start;

		if (tiles.list[at].row != p->row ||
		    tiles.list[at].start != p->start)
			continue;
		for (; from < p->end && at < tiles.n; at++) {
			assert_int_equal(tiles.list[at].row, p->row);
			assert_int_equal(tiles.list[at].start, from);
			assert_int_equal(tiles.list[at].what, p->what);
			from = tiles.list[at].end;
		}
		assert_int_equal(from, p->end);
	}
	assert_int_equal(at, tiles.n);
	free(tiles.list);
}

static void
expect_instants(const struct seen_trace *t, struct witness *w)
{
	struct pieces instants = {0};

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_INSTANT)
			continue;
		if (strcmp(s->name, "preempted") == 0)
			add(&instants, s->number - 1, s->start, 0, 0);
		else if (strcmp(s->name, "period missed") == 0)
			add(&instants, s->group - CLIENTS, s->start, 0, 1);
		else if (strncmp(s->name, "hang: ", 6) == 0)
			add(&instants, s->number - 1, s->start, 0, 2);
		else
			fail_msg("instant %s", s->name);
	}
	expect_same(&instants, &w->instants, "instants");
}

/* What the counter says at that time. */
static int64_t
counter_at(const struct seen_trace *t, uint32_t number, uint64_t time)
{
	int64_t value = 0;

	for (size_t i = 0; i < t->n; i++)
		if (t->events[i].kind == SEEN_COUNTER &&
		    t->events[i].number == number && t->events[i].start <= time)
			value = t->events[i].value;
	return value;
}

static void
expect_counters(const struct seen_trace *t, const struct witness *w)
{
	/* Enough of them, as each look goes through all events. */
	for (size_t i = 0; i < w->loads.n; i += 1 + w->loads.n / 300) {
		const struct piece *p = &w->loads.list[i];

		assert_int_equal(
		    counter_at(t, 2 * p->row + 1, p->start), p->what % 2 * 100);
		assert_int_equal(
		    counter_at(t, 2 * p->row + 2, p->start), p->what / 2);
	}
}

/* Of each request the first slice on an engine, as index + 1. */
static size_t *
first_slices(const struct seen_trace *t)
{
	int64_t last = 0;
	size_t *first;

	for (size_t i = 0; i < t->n; i++)
		if (t->events[i].request > last)
			last = t->events[i].request;
	first = mem_calloc((size_t)last + 1, sizeof(*first));
	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_SLICE || s->group != ENGINES)
			continue;
		assert_true(s->request > 0);
		if (first[s->request] == 0)
			first[s->request] = i + 1;
	}
	return first;
}

/* Of each arrow, by its id, where it begins, as index + 1. */
static size_t *
beginnings(const struct seen_trace *t)
{
	size_t *list;
	uint64_t last = 0;

	for (size_t i = 0; i < t->n_arrows; i++)
		last = t->arrows[i].id > last ? t->arrows[i].id : last;
	list = mem_calloc(last + 1, sizeof(*list));
	for (size_t i = 0; i < t->n_arrows; i++) {
		if (t->arrows[i].leads)
			continue;
		assert_int_equal(list[t->arrows[i].id], 0);
		list[t->arrows[i].id] = t->arrows[i].event + 1;
	}
	return list;
}

/* Each leads to the first slice of one request, from a slice of another that
 * did not start later. */
static unsigned
expect_arrows(const struct seen_trace *t)
{
	size_t *first = first_slices(t), *begin = beginnings(t);
	unsigned n = 0;

	for (size_t i = 0; i < t->n_arrows; i++) {
		const struct seen *to = &t->events[t->arrows[i].event], *from;

		assert_int_equal(to->group, ENGINES);
		if (!t->arrows[i].leads)
			continue;
		assert_true(begin[t->arrows[i].id] > 0);
		from = &t->events[begin[t->arrows[i].id] - 1];
		assert_true(from->start <= to->start);
		assert_true(from->request != to->request);
		assert_int_equal(first[to->request], t->arrows[i].event + 1);
		n++;
	}
	free(first);
	free(begin);
	return n;
}

/* Both files tell the same. */
static void
expect_equal_files(const struct seen_trace *p, const struct seen_trace *c)
{
	size_t k = 0;

	for (size_t i = 0; i < p->n; i++) {
		const struct seen *a = &p->events[i], *b = &c->events[k];

		if (a->kind == SEEN_STAGE)
			continue;
		assert_true(k++ < c->n);
		assert_int_equal(a->kind, b->kind);
		assert_int_equal(a->group, b->group);
		assert_int_equal(a->number, b->number);
		assert_int_equal(a->start, b->start);
		assert_int_equal(a->end, b->end);
		assert_int_equal(a->value, b->value);
		assert_int_equal(a->request, b->request);
		assert_int_equal(a->tag, b->tag);
		assert_string_equal(a->name, b->name);
	}
	assert_int_equal(k, c->n);
	assert_int_equal(p->n_arrows, c->n_arrows);
	for (size_t i = 0; i < p->n_arrows; i++) {
		assert_int_equal(p->arrows[i].id, c->arrows[i].id);
		assert_int_equal(p->arrows[i].leads, c->arrows[i].leads);
	}
}

/* As Arm's loader reads and joins (facts/gpu-timeline-layer.md section 4). */

static const char *const stream_names[] = {"compute", "vertex", "non-fragment",
    "fragment", "binning", "main", "transfer", NULL};
static const char *const stage_names[] = {"clear image", "copy image",
    "blit image", "resolve image", "generate mipmap", "copy buffer",
    "fill buffer", "copy query", "compute", "trace_rays", "non-fragment",
    "vertex", "advanced geometry", "binning", "fragment", "main", NULL};

static void
expect_known(const char *name, const char *const *names)
{
	while (*names != NULL && strcmp(*names, name) != 0)
		names++;
	if (*names == NULL)
		fail_msg("%s is not known", name);
}

static void
need_keys(json_t *workload)
{
	static const struct {
		const char *type, *keys[6];
	} needed[] = {
	    {"renderpass",
		{"width", "height", "drawCallCount", "subpassCount",
		    "attachments"}},
	    {"dispatch", {"xGroups", "yGroups", "zGroups"}},
	    {"tracerays", {"xItems", "yItems", "zItems"}},
	    {"imagetransfer", {"subtype", "pixelCount"}},
	    {"buffertransfer", {"subtype", "byteCount"}},
	};
	const char *type = json_string_value(json_object_get(workload, "type"));
	size_t i = 0;

	assert_non_null(type);
	while (i < 5 && strcmp(needed[i].type, type) != 0)
		i++;
	assert_true(i < 5);
	for (size_t k = 0; needed[i].keys[k] != NULL; k++)
		assert_non_null(json_object_get(workload, needed[i].keys[k]));
	assert_true(json_is_array(json_object_get(workload, "label")));
}

static void
note_tags(json_t *frame, bool *tags, size_t n_tags)
{
	json_t *submits = json_object_get(frame, "submits"), *submit, *workload;
	size_t i, k;

	json_array_foreach(submits, i, submit)
	{
		json_t *list = json_object_get(submit, "workloads");

		assert_true(json_is_integer(json_object_get(submit, "queue")));
		json_array_foreach(list, k, workload)
		{
			json_t *tag = json_object_get(workload, "tid");

			need_keys(workload);
			assert_in_range(json_integer_value(tag), 1, n_tags - 1);
			tags[json_integer_value(tag)] = true;
		}
	}
}

/* Frames of a device are numbered in order. */
static void
note_frame(json_t *frame, uint64_t *frames, size_t n_frames)
{
	size_t device = (size_t)json_integer_value(
	    json_object_get(frame, "device"));

	assert_in_range(device, 1, n_frames - 1);
	assert_int_equal(json_integer_value(json_object_get(frame, "frame")),
	    frames[device]++);
	assert_true(
	    json_is_integer(json_object_get(frame, "presentTimestamp")));
}

static void
read_metadata(const char *path, bool *tags, size_t n_tags)
{
	uint64_t frames[1000] = {0};
	size_t len, at = 0;
	char *text = read_whole(path, &len);

	while (at < len) {
		const uint8_t *head = (const uint8_t *)text + at;
		size_t n;
		json_t *frame;

		assert_true(len - at >= 4);
		n = head[0] | head[1] << 8 | head[2] << 16 |
		    (size_t)head[3] << 24;
		assert_true(len - at - 4 >= n);
		frame = json_loadb(
		    text + at + 4, n, JSON_REJECT_DUPLICATES, NULL);
		assert_non_null(frame);
		note_frame(frame, frames, 1000);
		note_tags(frame, tags, n_tags);
		json_decref(frame);
		at += 4 + n;
	}
	free(text);
}

static void
expect_joins(const struct seen_trace *t, const char *metadata)
{
	static bool tags[1 << 20];
	unsigned n = 0, notes = 0;

	memset(tags, 0, sizeof(tags));
	read_metadata(metadata, tags, sizeof(tags));
	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_STAGE)
			continue;
		n++;
		notes += s->tag == 0;
		expect_known(s->name, stream_names);
		expect_known(s->stage, stage_names);
		if (s->tag > 0 && !tags[s->tag])
			fail_msg("%s joins nothing", s->label);
	}
	/* A run without a workload has one that belongs to none. */
	assert_true(n > 0);
	assert_int_equal(notes, n == 1 ? notes : 0);
}

static unsigned
expect_all(struct witness *w)
{
	struct seen_trace perfetto, chrome;
	unsigned arrows;

	seen_perfetto(&perfetto, test_path("perfetto"));
	seen_chrome(&chrome, test_path("chrome"));
	expect_slices(&perfetto, w);
	expect_tiles(&perfetto, w);
	expect_instants(&perfetto, w);
	expect_counters(&perfetto, w);
	arrows = expect_arrows(&perfetto);
	expect_joins(&perfetto, test_path("arm"));
	expect_equal_files(&perfetto, &chrome);
	seen_free(&perfetto);
	seen_free(&chrome);
	return arrows;
}

static void
on_watch(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	struct witness *w = watcher;

	if (moment == CHAOS_BEGINS)
		witness_begin(w, sim);
	else if (moment == CHAOS_IS_OVER)
		witness_end(w);
	else
		see_loads(w);
}

/* Any scheduler, profile, control, hang, parallel slot, annotation. */
static void
test_random(void **state)
{
	struct chaos_result result = {0};
	unsigned arrows = 0;
	size_t pieces = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct witness w;
		struct scene scene;
		struct chaos c;

		scene_make_annotated(&scene, &c, seed);
		if (scene.n_programs > 0) {
			c.watch = on_watch;
			c.watcher = &w;
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
			pieces += w.ran.n;
			arrows += expect_all(&w);
			witness_free(&w);
		}
		scene_clear(&scene);
	}
	/* It was about something. */
	assert_true(pieces > 100 * SEEDS);
	assert_true(arrows > 5 * SEEDS);
	assert_true(result.hangs > 0 && result.errors > 0);
}

/* The arrows of a run, "1>2 1>3": requests in order of submission, sorted. */
static void
expect_drawn(const char *sched, const char *descriptor, const char *wanted)
{
	struct pieces drawn = {0};
	struct text text = {0};
	struct seen_trace t;
	struct witness w;
	struct lab lab;
	size_t *begin;

	lab_init(&lab, sched);
	lab_add(&lab, descriptor, 1, (struct client_options){.repeat = 1});
	witness_begin(&w, lab.sim);
	sim_run(lab.sim, NSEC_NEVER, 0);
	witness_end(&w);
	expect_all(&w);
	seen_perfetto(&t, test_path("perfetto"));
	begin = beginnings(&t);
	for (size_t i = 0; i < t.n_arrows; i++) {
		const struct seen_arrow *a = &t.arrows[i];

		if (a->leads)
			add(&drawn,
			    (uint32_t)t.events[begin[a->id] - 1].request, 0, 0,
			    t.events[a->event].request);
	}
	sort(&drawn);
	for (size_t i = 0; i < drawn.n; i++)
		text_addf(&text, "%s%u>%d", i > 0 ? " " : "", drawn.list[i].row,
		    (int)drawn.list[i].what);
	assert_string_equal(text_str(&text), wanted);
	text_free(&text);
	free(drawn.list);
	free(begin);
	seen_free(&t);
	witness_free(&w);
	lab_free(&lab);
}

/* Who waits for whom: data, fences, starts; not for its turn on the ring, and
 * not for what has been already. */
static void
test_arrows(void **state)
{
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	(void)state;
	for (size_t i = 0; i < 4; i++) {
		expect_drawn(scheds[i],
		    "1.RCS.100.0.0\n2.BCS.100.-1.0\n3.VCS1.100.f-2.0\n"
		    "3.VCS1.100.-2/f-3/f-2.0\n",
		    "1>2 1>3 1>4 2>4");
		expect_drawn(scheds[i],
		    "1.RCS.100.0.0\n1.RCS.100.0.0\n2.BCS.100.0.1\n"
		    "4.CCS.10.-1.0\n",
		    "");
		/* What it waits for starts first, and goes on. */
		expect_drawn(scheds[i],
		    "1.RCS.100.0.0\n1.RCS.900.0.0\n2.BCS.100.s-1.0\n", "2>3");
	}
}

/* A line of --requests. */
struct row {
	int64_t submit, ready, start, end, run; /* -1: not (yet) */
	unsigned preemptions;
	char engine[16];
};

static int64_t
get_row_time(const char *text)
{
	return strcmp(text, "-") == 0 ? -1 : strtoll(text, NULL, 10);
}

static size_t
read_rows(const char *path, struct row **rows)
{
	size_t len, n = 0, cap = 0;
	char *text = read_whole(path, &len), *rest, *line;

	*rows = NULL;
	line = strtok_r(text, "\n", &rest);
	assert_non_null(line);
	while ((line = strtok_r(NULL, "\n", &rest)) != NULL) {
		char f[6][24], engine[16];
		struct row *row;
		unsigned preemptions;

		assert_int_equal(
		    sscanf(line,
			"%*s %*s %*s %*s %15s %23s %23s %23s %23s %23s %u",
			engine, f[0], f[1], f[2], f[3], f[4], &preemptions),
		    7);
		*rows = mem_grow(*rows, n, &cap, sizeof(**rows));
		row = &(*rows)[n++];
		*row = (struct row){get_row_time(f[0]), get_row_time(f[1]),
		    get_row_time(f[2]), get_row_time(f[3]), get_row_time(f[4]),
		    preemptions, ""};
		memcpy(row->engine, engine, sizeof(engine));
	}
	free(text);
	return n;
}

/* Its slices on engines: from its start to its end, as long as it ran, in as
 * many pieces as it was taken off, and one. */
static void
expect_row(const struct seen_trace *t, const struct row *row, int64_t seq)
{
	uint64_t sum = 0, first = UINT64_MAX, last = 0;
	unsigned n = 0;

	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind != SEEN_SLICE || s->group != ENGINES ||
		    s->request != seq)
			continue;
		n++;
		sum += s->end - s->start;
		first = s->start < first ? s->start : first;
		last = s->end > last ? s->end : last;
		if (row->end >= 0 && (int64_t)s->end == row->end)
			assert_string_equal(
			    seen_row_name(t, s->group, s->number), row->engine);
	}
	if (row->start < 0 || row->run == 0) {
		assert_int_equal(n, 0);
		return;
	}
	assert_true(n <= row->preemptions + 1);
	assert_true(n > 0 || row->end < 0);
	if (n > 0)
		assert_int_equal(first, row->start);
	if (row->end < 0)
		return;
	assert_int_equal(sum, row->run);
	assert_int_equal(last, row->end);
}

static void
compare_with_requests(const char *workload, const char *sched)
{
	struct seen_trace t;
	struct outcome r;
	struct row *rows;
	size_t n;

	RUN(&r, "-b", "-q", "-w", workload, "-c", "3", "--duration", "0.15",
	    "--scheduler", sched, "--trace", test_path("t"), "--trace-json",
	    test_path("j"), "--arm-metadata", test_path("a"), "--requests",
	    test_path("r"));
	assert_string_equal(r.err, "");
	outcome_free(&r);
	n = read_rows(test_path("r"), &rows);
	assert_true(n > 0);
	seen_perfetto(&t, test_path("t"));
	for (size_t i = 0; i < n; i++)
		expect_row(&t, &rows[i], (int64_t)i + 1);
	for (size_t i = 0; i < t.n; i++)
		assert_in_range(t.events[i].request, 0, n);
	expect_joins(&t, test_path("a"));
	seen_free(&t);
	free(rows);
}

static void
test_requests(void **state)
{
	static const char *const workloads[] = {"workloads/layer.wsim",
	    "workloads/desktop.wsim", "workloads/hang.wsim",
	    "workloads/load-balance.wsim"};
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	(void)state;
	for (size_t i = 0; i < 4; i++)
		for (size_t k = 0; k < 4; k++)
			compare_with_requests(workloads[i], scheds[k]);
	compare_with_requests("workloads/parallel-frame.wsim", "guc");
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_random),
	    cmocka_unit_test(test_arrows),
	    cmocka_unit_test(test_requests),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
