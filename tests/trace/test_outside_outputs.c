/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Requests from outside (doc/model/outside.md) in all that is written of a run,
 * and in all that explains it: none has a step, and labels name them.
 */
#include <errno.h>
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/util.h"
#include "engine/explain/explain.h"
#include "engine/explain/trail.h"
#include "engine/explain/why.h"
#include "engine/hang/error_state.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/outsider.h"
#include "tests/support/trace_reader.h"
#include "trace/layer.h"
#include "trace/outputs.h"

/* Looks at everything that is known of hangs as they happen. */
struct onlooker {
	struct observer observer;
	struct sim *sim;
	unsigned n_states;
};

static void
look_at_hang(struct observer *o, const struct hang *hang)
{
	struct onlooker *onlooker = container_of(o, struct onlooker, observer);
	struct error_state *s = error_state_collect(onlooker->sim, hang);
	struct text t = {0};

	sim_explain_request(onlooker->sim, hang->rq, &t);
	assert_true(t.len > 0);
	text_free(&t);
	error_state_free(s);
	onlooker->n_states++;
}

static struct request_ref
submit_labelled(struct outsider *o, struct context *context, const char *label,
    uint64_t us, struct submission_wait wait)
{
	nsec duration = us == 0 ? NSEC_NEVER : us * NSEC_PER_USEC;
	struct outside_submission s = {
	    .timeline = backend_timeline(context, 0),
	    .durations_ns = &duration,
	    .preempt_ns = 100 * NSEC_PER_USEC,
	    .waits = &wait,
	    .n_waits = wait.fence != NULL || wait.request.rq != NULL,
	    .label = label,
	    .tag = (void *)'L',
	};
	struct request_ref rq;

	assert_int_equal(backend_submit(o->lab->sim, &s, &rq), SUBMITTED);
	return rq;
}

/* All kinds of waits, a hang, a context closed in between, a client killed. */
static void
play_scene(struct outsider *o)
{
	struct sim *sim = o->lab->sim;
	struct client *c = outsider_join(o);
	struct context *rcs = outsider_context_on(c, "RCS");
	struct context *video = outsider_context_on(c, "VCS1|VCS2");
	struct context *hog = outsider_context_on(c, "BCS");
	struct submission_wait none = {.kind = AFTER_END}, wait = none;
	struct text t = {0};

	wait.request = submit_labelled(o, rcs, "20 draws, 1 clear", 300, none);
	submit_labelled(o, video, "1 frame", 200, wait);
	wait.kind = AFTER_START;
	submit_labelled(o, video, "2 frames", 200, wait);
	wait = (struct submission_wait){.kind = AFTER_SIGNAL};
	wait.fence = backend_fence_new(sim);
	submit_labelled(o, rcs, NULL, 100, wait);
	sim_run(sim, 200 * NSEC_PER_USEC, 0);
	sim_explain_deadlock(sim, &t);
	assert_non_null(strstr(text_str(&t),
	    "client 0 has no descriptor and waits for client 0 context 1, "
	    "request 3 on RCS, which waits for a software fence\n"));
	text_free(&t);
	backend_fence_signal(sim, wait.fence, 0);
	submit_labelled(o, hog, "a wild batch", 0, none);
	submit_labelled(o, hog, "behind it", 10, none);
	sim_run(sim, sim->now + 100 * NSEC_PER_MSEC, 0);
	backend_context_set_persistent(hog, false);
	backend_context_destroy(hog);
	sim_run(sim, sim->now + 20 * NSEC_PER_SEC, 0);
	backend_client_leave(c);
	sim_run(sim, sim->now + NSEC_PER_SEC, 0);
	assert_string_equal(client_state_name(c), "ended");
}

static void
explain_all(const struct trail *t, const struct sim *sim)
{
	struct why why = {0};
	struct text text = {0};

	for (uint64_t i = 1; i <= sim->n_submitted; i++) {
		if (why_request(&why, t, sim, i))
			why_print(&why, &text);
	}
	why_client(&why, t, sim, 0, 0, sim->now);
	assert_true(text.len > 0);
	text_free(&text);
	why_free(&why);
}

static void
open_all(struct outputs *outputs)
{
	static const char *const names[N_OUTPUT_FILES] = {
	    "layer", "trace", "trace.json", "arm", "kernel", "frames"};

	for (unsigned i = 0; i < N_OUTPUT_FILES; i++) {
		const char *path = test_path(names[i]);
		struct output_target target = {.path = path,
		    .fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600)};

		assert_true(target.fd >= 0);
		assert_true(
		    outputs_open(outputs, (enum output_kind)i, &target, NULL));
	}
}

static void
close_all(struct outputs *outputs)
{
	uint64_t bytes;

	outputs_leave(outputs);
	for (unsigned i = 0; i < N_OUTPUT_FILES; i++) {
		assert_int_equal(
		    outputs_close(outputs, (enum output_kind)i, &bytes), 0);
		assert_true(bytes > 0 || i == OUTPUT_ARM);
	}
}

static void
expect_in_file(const char *name, const char *words)
{
	size_t len;
	char *text = read_whole(test_path(name), &len);

	if (memmem(text, len, words, strlen(words)) == NULL)
		fail_msg("%s: no '%s'", name, words);
	free(text);
}

static void
watch_scene(const char *sched)
{
	struct onlooker onlooker = {.observer = {.hung = look_at_hang}};
	struct outputs outputs = {.past = 0};
	struct lab lab;
	struct outsider o;
	struct trail *trail;
	struct layer *layer;

	lab_init_timeouts(&lab, sched);
	lab.config.profile.hang_ns = NSEC_PER_SEC;
	lab.config.profile.job_timeout_ns = NSEC_PER_SEC;
	outsider_init(&o, &lab);
	onlooker.sim = lab.sim;
	sim_add_observer(lab.sim, &onlooker.observer);
	trail = trail_begin(lab.sim, 1024);
	layer = layer_begin(lab.sim, NULL);
	open_all(&outputs);
	outputs_watch(&outputs, lab.sim, layer);
	play_scene(&o);
	explain_all(trail, lab.sim);
	close_all(&outputs);
	layer_end(layer);
	trail_end(trail);
	expect_in_file("trace.json", "20 draws, 1 clear");
	expect_in_file("trace", "2 frames");
	assert_int_equal(onlooker.n_states, lab.hung);
	assert_int_equal(lab.n_rows, 6);
	lab_free(&lab);
	outsider_free(&o);
}

TEST(outputs_of_requests_from_outside)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "guc"};

	for (unsigned i = 0; i < 4; i++)
		watch_scene(schedulers[i]);
}

static struct request_ref
submit_asking(struct outsider *o, struct context *context, char tag,
    struct request_ref after)
{
	struct submission_wait wait = {.kind = AFTER_END, .request = after};
	struct outside_submission s = {
	    .timeline = backend_timeline(context, 0),
	    .asks = true,
	    .waits = &wait,
	    .n_waits = after.rq != NULL,
	    .tag = (void *)(uintptr_t)tag,
	};
	struct request_ref rq;

	assert_int_equal(backend_submit(o->lab->sim, &s, &rq), SUBMITTED);
	return rq;
}

/* Writes the run of a batch that polls memory from 30 to 100 us, and then ends,
 * and of one that waits for its end. */
static void
trace_a_poll(const struct output_target *target, enum output_kind kind)
{
	struct outputs outputs = {.past = 0};
	struct outsider o = {.endless_polls = false};
	struct request_ref rq;
	struct layer *layer;
	struct client *c;
	struct lab lab;
	uint64_t bytes;

	lab_init(&lab, "fifo");
	outsider_init(&o, &lab);
	o.endless_polls = true;
	o.answers[0] = 30 * NSEC_PER_USEC;
	o.answers[1] = NSEC_NEVER;
	layer = layer_begin(lab.sim, NULL);
	assert_true(outputs_open(&outputs, kind, target, NULL));
	outputs_watch(&outputs, lab.sim, layer);
	c = outsider_join(&o);
	rq = submit_asking(&o, outsider_context_on(c, "RCS"), 'A',
	    (struct request_ref){.rq = NULL});
	submit_asking(&o, outsider_context_on(c, "VCS1"), 'B', rq);
	sim_run(lab.sim, 100 * NSEC_PER_USEC, 0);
	o.answers[1] = 40 * NSEC_PER_USEC;
	backend_end(lab.sim, rq, 0);
	sim_run(lab.sim, 200 * NSEC_PER_USEC, 0);
	outputs_leave(&outputs);
	assert_int_equal(outputs_close(&outputs, kind, &bytes), 0);
	layer_end(layer);
	lab_free(&lab);
	outsider_free(&o);
}

/* Adds "NAME START-END; " of each slice on an engine, in us. */
static void
add_slices(const struct seen_trace *t, struct text *out)
{
	for (size_t i = 0; i < t->n; i++) {
		const struct seen *s = &t->events[i];

		if (s->kind == SEEN_SLICE && s->request != 0 &&
		    s->latency < 0 && strcmp(s->name, "polls") == 0)
			text_addf(out, "%s %u-%u; ", s->name,
			    (unsigned)((s->start - t->begin) / 1000),
			    (unsigned)((s->end - t->begin) / 1000));
	}
}

/* doc/model/outside.md "Polling batches": polling is a slice of its own, and has
 * the arrow to the batch that waits for the end. */
TEST(polls_in_traces)
{
	static const enum output_kind kinds[] = {
	    OUTPUT_TRACE, OUTPUT_TRACE_JSON};

	for (unsigned i = 0; i < 2; i++) {
		const char *path = test_path("polls");
		struct output_target target = {.path = path,
		    .fd = open(path, O_CREAT | O_TRUNC | O_WRONLY, 0600)};
		struct seen_trace t = {0};
		struct text text = {0};
		unsigned n_from_polls = 0;

		trace_a_poll(&target, kinds[i]);
		if (kinds[i] == OUTPUT_TRACE)
			seen_perfetto(&t, path);
		else
			seen_chrome(&t, path);
		add_slices(&t, &text);
		assert_string_equal(text_str(&text), "polls 30-100; ");
		for (size_t k = 0; k < t.n_arrows; k++) {
			const struct seen_arrow *a = &t.arrows[k];

			n_from_polls += !a->leads &&
			    strcmp(t.events[a->event].name, "polls") == 0;
		}
		assert_int_equal(n_from_polls, 1);
		text_free(&text);
		seen_free(&t);
	}
}
