/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random annotated descriptors under any scheduler, with preemption, hangs,
 * parallel slots and kills. A plain model reads the same `#@` lines: each
 * submitted workload has exactly one merged record, with the labels of a plain
 * stack and the draws of all its parts; indirect sizes are known if and only if
 * the batch ended without an error; and slices cover an engine's run time to
 * the nanosecond, in order.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/util.h"
#include "layerstream/message.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "tests/support/plain_layer.h"
#include "tests/support/scenery.h"
#include "trace/layer.h"

#define SEEDS 104

struct model {
	struct observer observer;
	struct layer_listener listener;
	struct sim *sim;
	struct layer *layer;
	struct merger *merger;
	struct plain_layer plain;
	struct plain_request **requests; /* by seq */
	size_t n_requests, cap_requests;
	char **merged;
	size_t n_merged, cap_merged;
	unsigned never;    /* indirect, and not resolved */
	unsigned replayed; /* what had run already */
};

static struct model *
model_of(struct observer *o)
{
	return (struct model *)o;
}

static struct plain_request *
request_of(struct model *m, const struct request *rq)
{
	assert_true(rq->seq < m->n_requests);
	return m->requests[rq->seq];
}

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct model *m = model_of(o);
	struct plain_request *r = mem_calloc(1, sizeof(*r));

	for (; m->n_requests <= rq->seq; m->n_requests++) {
		m->requests = mem_grow(m->requests, m->n_requests,
		    &m->cap_requests, sizeof(struct plain_request *));
		m->requests[m->n_requests] = NULL;
	}
	m->requests[rq->seq] = r;
	plain_submit(&m->plain, m->sim, rq, r);
}

/* A command buffer never runs twice at a time: the copy of its indirect size
 * exists once (doc/layer.md "Indirect sizes"). */
static void
on_began(struct observer *o, struct request *rq)
{
	struct plain_request *r = request_of(model_of(o), rq);

	assert_true(r->buffer->running == 0 || r->buffer->running == rq->seq);
	r->buffer->running = rq->seq;
	r->since = model_of(o)->sim->now;
	if (r->infinite || r->again)
		r->at = 0;
	r->again = false;
}

static void
on_left(struct observer *o, const struct hw_engine *e, struct request *rq,
    enum leaving why, const struct request *by)
{
	struct plain_request *r = request_of(model_of(o), rq);

	(void)e;
	(void)by;
	if (r->since != NSEC_NEVER)
		r->ran += model_of(o)->sim->now - r->since;
	r->since = NSEC_NEVER;
	r->again = why == LEAVING_RESET;
	model_of(o)->replayed += r->again && r->ran > 0;
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct model *m = model_of(o);
	struct plain_request *r = request_of(m, rq);

	r->buffer->running = 0;
	for (size_t i = 0; i < r->n_parts; i++) {
		struct plain_record *record = &m->plain.records[r->parts[i]];

		if (record->indirect && rq->finished.error == 0)
			record->resolved = true;
	}
}

/* The labels of a JSON array, as the model joins them. */
static char *
join_json(json_t *array)
{
	struct text t = {0};
	json_t *label;
	size_t i;
	char *s;

	json_array_foreach(array, i, label)
	    text_addf(&t, "%s%s", i > 0 ? "," : "", json_string_value(label));
	s = mem_strdup(text_str(&t));
	text_free(&t);
	return s;
}

static void
check_part(
    struct model *m, struct plain_request *r, const struct workload_slice *i)
{
	json_t *json = json_loads(i->labels, 0, NULL);
	char *labels = join_json(json);

	assert_non_null(json);
	while (r->at < r->n_parts &&
	    (m->plain.records[r->parts[r->at]].tag != i->tag ||
		strcmp(m->plain.records[r->parts[r->at]].labels, labels) != 0))
		r->at++;
	if (r->at == r->n_parts)
		fail_msg("t%llu [%s] is not what runs",
		    (unsigned long long)i->tag, labels);
	free(labels);
	json_decref(json);
}

static void
on_interval(struct layer_listener *l, const struct workload_slice *i)
{
	struct model *m = container_of(l, struct model, listener);
	struct plain_request *r = request_of(m, i->request);

	assert_true(i->start < i->end);
	r->told += i->end - i->start;
	if (r->n_parts == 0)
		assert_int_equal(i->stage, STAGE_NONE);
	else
		check_part(m, r, i);
}

static void
on_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct model *m = container_of(l, struct model, listener);

	while (n > 0) {
		struct message message;
		const char *wrong;
		size_t used;
		bool more;

		assert_null(message_decode(data, n, &message, &used, &more));
		wrong = merge_message(m->merger, &message);
		if (wrong != NULL)
			fail_msg("%s", wrong);
		data += used;
		n -= used;
	}
}

static void __attribute__((format(printf, 4, 5)))
put_line(char ***list, size_t *n, size_t *cap, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	*list = mem_grow(*list, *n, cap, sizeof(char *));
	(*list)[(*n)++] = mem_strdup(text_str(&t));
	text_free(&t);
}

/* "t1 [A,B] 7 draws", "t2 [] known". */
static void
on_merged(void *user, const struct merged *merged)
{
	struct model *m = user;
	json_t *json = json_loads(merged->json, 0, NULL);
	char *labels = join_json(json_object_get(json, "label"));
	const char *type = json_string_value(json_object_get(json, "type"));
	json_t *x = json_object_get(
	    json, strcmp(type, "tracerays") == 0 ? "xItems" : "xGroups");
	bool indirect = json_is_true(json_object_get(json, "indirect"));

	if (strcmp(type, "renderpass") == 0)
		put_line(&m->merged, &m->n_merged, &m->cap_merged,
		    "t%llu [%s] %lld draws", (unsigned long long)merged->tag,
		    labels,
		    json_integer_value(json_object_get(json, "drawCallCount")));
	else
		put_line(&m->merged, &m->n_merged, &m->cap_merged,
		    "t%llu [%s] %s", (unsigned long long)merged->tag, labels,
		    !indirect                        ? "direct"
			: json_integer_value(x) >= 0 ? "known"
						     : "never known");
	assert_int_equal(
	    merged->complete, !indirect || json_integer_value(x) >= 0);
	free(labels);
	json_decref(json);
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
check_records(struct model *m)
{
	char **wanted = NULL;
	size_t n = 0, cap = 0;

	for (size_t i = 0; i < m->plain.n_records; i++) {
		const struct plain_record *r = &m->plain.records[i];

		if (r->pass)
			put_line(&wanted, &n, &cap, "t%llu [%s] %d draws",
			    (unsigned long long)r->tag, r->labels, r->draws);
		else
			put_line(&wanted, &n, &cap, "t%llu [%s] %s",
			    (unsigned long long)r->tag, r->labels,
			    !r->indirect      ? "direct"
				: r->resolved ? "known"
					      : "never known");
		m->never += r->indirect && !r->resolved;
	}
	if (n > 0)
		qsort(wanted, n, sizeof(char *), compare);
	if (m->n_merged > 0)
		qsort(m->merged, m->n_merged, sizeof(char *), compare);
	for (size_t i = 0; i < n && i < m->n_merged; i++)
		assert_string_equal(m->merged[i], wanted[i]);
	assert_int_equal(m->n_merged, n);
	for (size_t i = 0; i < n; i++)
		free(wanted[i]);
	free(wanted);
}

static void
check_times(struct model *m)
{
	for (size_t i = 0; i < m->n_requests; i++) {
		struct plain_request *r = m->requests[i];

		if (r == NULL)
			continue;
		if (r->since != NSEC_NEVER)
			r->ran += m->sim->now - r->since;
		assert_int_equal(r->told, r->ran);
	}
}

/* A request that runs is in one of its own workloads. */
static void
look(struct model *m)
{
	for (unsigned i = 0; i < m->sim->device.n_engines; i++) {
		const struct request *rq = m->sim->device.engines[i].running;
		struct workload_slice now;
		struct plain_request *r;
		size_t k = 0;

		if (rq == NULL || rq->piece_ns == NSEC_NEVER)
			continue;
		r = request_of(m, rq);
		assert_int_equal(layer_now(m->layer, rq, &now), r->n_parts > 0);
		while (k < r->n_parts &&
		    m->plain.records[r->parts[k]].tag != now.tag)
			k++;
		assert_true(r->n_parts == 0 || k < r->n_parts);
	}
}

static void
model_begin(struct model *m, struct sim *sim)
{
	*m = (struct model){
	    .observer = {.submitted = on_submitted,
		.began = on_began,
		.left = on_left,
		.ended = on_ended},
	    .listener = {.messages = on_messages, .slice = on_interval},
	    .sim = sim,
	};
	m->merger = merge_new(on_merged, m, 1 << 20);
	sim_add_observer(sim, &m->observer);
	m->layer = layer_begin(sim, NULL);
	layer_listen(m->layer, &m->listener);
}

static void
model_end(struct model *m)
{
	layer_settle(m->layer);
	layer_end(m->layer);
	merge_finish(m->merger);
	check_times(m);
	check_records(m);
}

static void
model_free(struct model *m)
{
	merge_free(m->merger);
	plain_layer_free(&m->plain);
	for (size_t i = 0; i < m->n_requests; i++)
		free(m->requests[i]);
	for (size_t i = 0; i < m->n_merged; i++)
		free(m->merged[i]);
	free(m->requests);
	free(m->merged);
}

static void
on_watch(void *watcher, struct sim *sim, enum chaos_moment moment)
{
	if (moment == CHAOS_BEGINS)
		model_begin(watcher, sim);
	else if (moment == CHAOS_IS_OVER)
		model_end(watcher);
	else
		look(watcher);
}

TEST(random)
{
	struct chaos_result result = {0};
	size_t records = 0, never = 0;

	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		struct model m;
		struct scene scene;
		struct chaos c;

		scene_make_annotated(&scene, &c, seed);
		if (scene.n_programs > 0) {
			c.watch = on_watch;
			c.watcher = &m;
			chaos_run(&c, &scene.config, scene.programs,
			    scene.n_programs, &result);
			records += m.plain.n_records;
			never += m.never;
			model_free(&m);
		}
		scene_clear(&scene);
	}
	/* It was about something. */
	assert_true(records > 100 * SEEDS);
	assert_true(never > SEEDS / 4 && result.hangs > 0);
}

/* Runs a descriptor of one client for that long; the model checks all of it. */
static void
run_lab(struct model *m, struct lab *lab, const char *descriptor, nsec until)
{
	lab_add(lab, descriptor, 1, (struct client_options){.repeat = 2});
	model_begin(m, lab->sim);
	sim_run(lab->sim, until, 0);
	model_end(m);
}

/* Uses a profile that detects hangs soon. */
static void
lab_hangs(struct lab *lab, const char *sched)
{
	struct profile *p = &lab->config.profile;

	lab_init(lab, sched);
	p->hang_ns = p->heartbeat_ns = p->job_timeout_ns = 100 * NSEC_PER_MSEC;
	p->preempt_timeout_ns = 50 * NSEC_PER_MSEC;
	p->preempt_timeout_compute_ns = p->preempt_timeout_ns;
	p->ban_context_ns = 60 * NSEC_PER_SEC;
}

/* True if the merged records have that line. */
static bool
has_record(const struct model *m, const char *line)
{
	for (size_t i = 0; i < m->n_merged; i++)
		if (strcmp(m->merged[i], line) == 0)
			return true;
	return false;
}

/* The whole GPU is reset: a request that ran on another engine runs again from
 * its first workload, as the same execution. */
TEST(replayed)
{
	struct model m;
	struct lab lab;

	lab_hangs(&lab, "execlists");
	lab.config.profile.engine_reset = 0;
	run_lab(&m, &lab,
	    "X.1.0\n#@ dispatch 4x1x1 indirect\n1.RCS.*.0.0\n"
	    "#@ renderpass 8x8 draws=2\n#@ dispatch 3x1x1 indirect\n"
	    "2.VCS1.1000000.0.0\ns.-1\n",
	    10 * NSEC_PER_SEC);
	assert_true(m.replayed > 0 && lab.hung > 0);
	assert_true(has_record(&m, "t1 [] never known"));
	assert_true(has_record(&m, "t3 [] known"));
	model_free(&m);
	lab_free(&lab);
}

/* A preempted batch resolves when it has ended. Submitted twice, it runs once
 * at a time, also if two engines are free for it (doc/layer.md "Indirect
 * sizes"). */
TEST(again)
{
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	for (size_t i = 0; i < 4; i++) {
		struct model m;
		struct lab lab;

		lab_init(&lab, scheds[i]);
		run_lab(&m, &lab,
		    "M.1.VCS\nB.1\nX.3.100\nP.4.9\n"
		    "#@ dispatch 2x1x1 indirect\n1.DEFAULT.1000.0.0\n"
		    "#@ label push \"A\\\"b\"\n#@ tracerays 5x1x1 indirect\n"
		    "#@ label pop\n3.RCS.9000.0.0\nd.2000\n4.RCS.500.0.0\n",
		    NSEC_NEVER);
		assert_int_equal(m.plain.n_records, 6);
		assert_int_equal(m.never, 0);
		assert_true(has_record(&m, "t1 [] known"));
		assert_true(has_record(&m, "t2 [A\"b] known"));
		model_free(&m);
		lab_free(&lab);
	}
}

/* Batches of a banned context are not resolved. */
TEST(banned)
{
	static const char *const scheds[] = {"fifo", "execlists", "drm", "guc"};

	for (size_t i = 0; i < 4; i++) {
		struct model m;
		struct lab lab;

		lab_hangs(&lab, scheds[i]);
		lab_add(&lab,
		    "X.1.0\n#@ dispatch 2x1x1 indirect\n1.RCS.*.0.0\n"
		    "#@ tracerays 5x1x1 indirect\n1.RCS.100.0.1\n",
		    1, (struct client_options){.repeat = 50});
		model_begin(&m, lab.sim);
		sim_run(lab.sim, 300 * NSEC_PER_SEC, 0);
		model_end(&m);
		assert_true(lab.hung > 0 || lab.sim->n_timed_out > 0);
		/* drm cancels the context by itself. */
		assert_true(strcmp(scheds[i], "drm") == 0 ||
		    lab.sim->clients[0]->contexts[0]->ban.banned);
		assert_true(m.never > 90);
		model_free(&m);
		lab_free(&lab);
	}
}
