/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The trail: what ran when, and what waited for what (engine/explain/trail.h). */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "engine/explain/trail.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const struct client_options once = {.repeat = 1};

/* A lab whose simulation has a trail from the start: add() instead of
 * lab_add(). */
struct watched {
	struct lab lab;
	struct trail *trail;
};

static void
add(struct watched *w, const char *text, struct client_options options,
    size_t size)
{
	lab_add(&w->lab, text, 1, options);
	if (w->trail == NULL)
		w->trail = trail_begin(w->lab.sim, size);
}

static void
watched_free(struct watched *w)
{
	trail_end(w->trail);
	lab_free(&w->lab);
}

static void
add_time(struct text *t, nsec time)
{
	if (time == NSEC_NEVER)
		text_adds(t, " -");
	else
		text_addf(t, " %llu", (unsigned long long)(time / US));
}

/* "request taken begin end why[>by]" of each span of an engine. */
static void
expect_spans(const struct watched *w, unsigned engine, const char *expected)
{
	struct trail_range range = trail_spans(w->trail, engine, 0, NSEC_NEVER);
	struct text t = {0};

	for (uint64_t id = range.first; id < range.end; id++) {
		const struct trail_span *s = trail_span(w->trail, engine, id);

		text_addf(&t, "%s%llu", t.len > 0 ? "; " : "",
		    (unsigned long long)s->request);
		add_time(&t, s->taken_ns);
		add_time(&t, s->begin_ns);
		add_time(&t, s->end_ns);
		if (s->end_ns != NSEC_NEVER)
			text_addf(&t, " %s",
			    trail_leaving_name((enum leaving)s->leaving));
		if (s->by != 0)
			text_addf(&t, ">%llu", (unsigned long long)s->by);
	}
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

TEST(spans)
{
	struct watched w = {0};

	lab_init(&w.lab, "execlists");
	add(&w, "X.1.100,1.RCS.1000.0.0,2.RCS.500.0.0", once, 64);
	add(&w, "P.1.5,d.250,1.RCS.300.0.0", once, 64);
	lab_run(&w.lab, 100 * US);
	expect_spans(&w, 0, "1 0 0 -");
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	expect_spans(&w, 0,
	    "1 0 0 300 preempted>3; 3 300 300 600 ended; "
	    "1 600 600 1300 ended; 2 1300 1300 1800 ended");
	assert_int_equal(trail_span(w.trail, 0, 3)->before, 1);
	assert_int_equal(trail_request(w.trail, 1)->preemptions, 1);
	watched_free(&w);
}

TEST(requests)
{
	struct watched w = {0};
	const struct trail_request *r;

	lab_init(&w.lab, "fifo");
	add(&w, "1.VCS1.300.0.0\n7.RCS.100.-1.0", once, 64);
	lab_run(&w.lab, 100 * US);
	r = trail_request(w.trail, 2);
	assert_non_null(r);
	assert_true(r->ready_ns == NSEC_NEVER);
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	r = trail_request(w.trail, 2);
	assert_int_equal(r->context, 7);
	assert_int_equal(r->place.step, 1);
	assert_int_equal(r->line, 1);
	assert_int_equal(r->ready_ns, 300 * US);
	assert_int_equal(r->start_ns, 300 * US);
	assert_int_equal(r->end_ns, 400 * US);
	assert_int_equal(r->run_ns, 100 * US);
	assert_int_equal(r->ready_by, 1);
	assert_int_equal(r->cause, TRAIL_DATA);
	assert_null(trail_request(w.trail, 0));
	assert_null(trail_request(w.trail, 3));
	watched_free(&w);
}

/* Each way to wait for something, and what is said of it. */
TEST(causes)
{
	static const struct {
		const char *text;
		uint64_t request, by;
		enum trail_cause cause;
	} rows[] = {
	    {"1.RCS.100.0.0", 1, 0, TRAIL_NOTHING},
	    {"1.VCS1.100.0.0,2.RCS.100.-1.0", 2, 1, TRAIL_DATA},
	    {"1.VCS1.100.0.0,2.RCS.100.f-1.0", 2, 1, TRAIL_FENCE},
	    {"3.VCS1.50.0.0,1.VCS1.100.0.0,2.RCS.100.s-1.0", 3, 2,
		TRAIL_SUBMIT},
	    {"f,2.RCS.100.f-1.0,d.10,a.-3", 1, 0, TRAIL_SOFTWARE},
	    {"M.1.VCS1|VCS2,B.1,1.DEFAULT.100.0.0,1.DEFAULT.10.0.0", 2, 1,
		TRAIL_ORDER},
	};

	for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		struct watched w = {0};
		const struct trail_request *r;

		lab_init(&w.lab, "fifo");
		add(&w, rows[i].text, once, 64);
		sim_run(w.lab.sim, NSEC_NEVER, 0);
		r = trail_request(w.trail, rows[i].request);
		assert_int_equal(r->ready_by, rows[i].by);
		assert_string_equal(
		    trail_cause_name((enum trail_cause)r->cause),
		    trail_cause_name(rows[i].cause));
		watched_free(&w);
	}
}

TEST(semaphore)
{
	struct watched w = {0};
	const struct trail_request *r;

	lab_init(&w.lab, "execlists");
	add(&w, "1.VCS1.300.0.0,2.RCS.100.-1.0", once, 64);
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	expect_spans(&w, 0, "2 0 300 400 ended");
	r = trail_request(w.trail, 2);
	assert_int_equal(r->cleared_ns, 300 * US);
	assert_int_equal(r->cleared_by, 1);
	watched_free(&w);
}

/* A span that begins and ends at an edge of the window. */
TEST(windows)
{
	struct watched w = {0};
	struct trail_range r;

	lab_init(&w.lab, "fifo");
	add(&w, "1.RCS.100.0.0,d.200,1.RCS.100.0.0,d.300", once, 64);
	sim_run(w.lab.sim, NSEC_NEVER, 0); /* 0..100, 200..300 */
	r = trail_spans(w.trail, 0, 100 * US, 200 * US);
	assert_int_equal(r.first, r.end);
	r = trail_spans(w.trail, 0, 99 * US, 201 * US);
	assert_int_equal(r.first, 1);
	assert_int_equal(r.end, 3);
	r = trail_spans(w.trail, 0, 100 * US, 100 * US);
	assert_int_equal(r.first, r.end);
	assert_int_equal(trail_span_at(w.trail, 0, 0), 1);
	assert_int_equal(trail_span_at(w.trail, 0, 100 * US), 0);
	assert_int_equal(trail_span_at(w.trail, 0, 200 * US), 2);
	assert_int_equal(trail_next_span(w.trail, 0, 0), 2);
	assert_int_equal(trail_next_span(w.trail, 0, 200 * US), 0);
	assert_int_equal(trail_previous_span(w.trail, 0, 200 * US), 1);
	assert_int_equal(trail_previous_span(w.trail, 0, 0), 0);
	r = trail_spans(w.trail, 60, 0, NSEC_NEVER); /* no such engine */
	assert_int_equal(r.first, r.end);
	watched_free(&w);
}

TEST(what_is_gone)
{
	struct watched w = {0};
	struct trail_range r;

	lab_init(&w.lab, "fifo");
	add(&w, "1.RCS.100.0.1", (struct client_options){.repeat = 100}, 16);
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	assert_null(trail_request(w.trail, 84));
	assert_non_null(trail_request(w.trail, 85));
	assert_null(trail_span(w.trail, 0, 84));
	r = trail_spans(w.trail, 0, 0, NSEC_NEVER);
	assert_int_equal(r.first, 85);
	assert_int_equal(r.end, 101);
	assert_int_equal(trail_since(w.trail), 8400 * US);
	assert_int_equal(trail_previous_span(w.trail, 0, 8400 * US), 0);
	assert_null(trail_wait(w.trail, 1));
	watched_free(&w);
}

TEST(misses)
{
	struct watched w = {0};
	const struct trail_miss *m;

	lab_init(&w.lab, "fifo");
	add(&w, "1.RCS.150.0.1,p.100", (struct client_options){.repeat = 2},
	    64);
	add(&w, "1.VCS1.50.0.1,p.100", (struct client_options){.repeat = 2},
	    64);
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	assert_int_equal(trail_next_miss(w.trail, 0, TRAIL_ANY_CLIENT), 1);
	m = trail_miss(w.trail, 1);
	assert_int_equal(m->client, 0);
	assert_int_equal(m->iteration, 0);
	assert_int_equal(m->place.step, 1);
	assert_int_equal(m->started_ns, 0);
	assert_int_equal(m->due_ns, 100 * US);
	assert_int_equal(m->came_ns, 150 * US);
	assert_int_equal(trail_next_miss(w.trail, 150 * US, 0), 2);
	assert_int_equal(trail_next_miss(w.trail, 150 * US, 1), 0);
	assert_int_equal(trail_next_miss(w.trail, 300 * US, 0), 0);
	assert_int_equal(trail_previous_miss(w.trail, 300 * US, 0), 1);
	assert_int_equal(trail_previous_miss(w.trail, 150 * US, 0), 0);
	watched_free(&w);
}

/* "block step from to[<by]" of a client, the last first. */
static void
expect_waits(const struct watched *w, uint32_t client, const char *expected)
{
	struct text t = {0};
	const struct trail_wait *wait;

	for (uint64_t id = trail_last_wait(w->trail, client);
	     (wait = trail_wait(w->trail, id)) != NULL; id = wait->before) {
		text_addf(&t, "%s%u %u", t.len > 0 ? "; " : "", wait->block,
		    wait->place.step);
		add_time(&t, wait->from_ns);
		add_time(&t, wait->to_ns);
		if (wait->by != 0)
			text_addf(&t, "<%llu", (unsigned long long)wait->by);
	}
	assert_string_equal(text_str(&t), expected);
	text_free(&t);
}

TEST(waits)
{
	struct watched w = {0};

	assert_int_equal(BLOCK_WAIT_FLAG, 5);
	assert_int_equal(BLOCK_SYNC, 7);
	assert_int_equal(BLOCK_DELAY, 8);
	assert_int_equal(BLOCK_PERIOD, 9);
	assert_int_equal(BLOCK_DRAIN, 11);
	lab_init(&w.lab, "fifo");
	add(&w,
	    "1.RCS.150.0.1,d.20,1.VCS1.30.0.0,s.-1,1.RCS.5.0.0,p.300,"
	    "1.RCS.7.0.0",
	    once, 64);
	lab_run(&w.lab, 160 * US);
	expect_waits(&w, 0, "8 1 150 -; 5 0 0 150<1");
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	expect_waits(&w, 0,
	    "11 7 300 307<4; 9 5 200 300; 7 3 170 200<2; 8 1 150 170; "
	    "5 0 0 150<1");
	watched_free(&w);
}

TEST(hang)
{
	struct watched w = {0};
	struct trail_range r;
	const struct trail_hang *h;

	lab_init(&w.lab, "fifo");
	w.lab.config.profile.hang_ns = 1000 * US;
	add(&w, "1.RCS.*.0.0", once, 64);
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	r = trail_hangs(w.trail, 0, NSEC_NEVER);
	assert_int_equal(r.first, 1);
	assert_int_equal(r.end, 2);
	h = trail_hang(w.trail, 1);
	assert_int_equal(h->what, TRAIL_RESET);
	assert_int_equal(h->request, 1);
	assert_int_equal(h->engine, 0);
	assert_int_equal(h->time, 1000 * US);
	assert_true(h->guilty);
	assert_true(trail_span(w.trail, 0, 1)->errors);
	assert_true(trail_request(w.trail, 1)->error < 0);
	watched_free(&w);
}

/* A client that is killed, and one that takes another program over. */
TEST(kill_and_swap)
{
	struct watched w = {0};
	struct control kill = {.kind = CONTROL_KILL, .client = 0};
	struct control swap = {.kind = CONTROL_SWAP, .client = 1};
	struct program *p;

	lab_init(&w.lab, "execlists");
	add(&w, "1.RCS.1000.0.0", once, 64);
	add(&w, "5.BCS.100.0.1", (struct client_options){.repeat = 2}, 64);
	lab_run(&w.lab, 250 * US - 1);
	assert_true(sim_control(w.lab.sim, &kill, NULL));
	lab_run(&w.lab, 300 * US);
	assert_int_equal(trail_request(w.trail, 1)->end_ns, 300 * US);
	assert_int_equal(trail_request(w.trail, 1)->client, 0);
	assert_true(trail_request(w.trail, 1)->error < 0);
	watched_free(&w);

	memset(&w, 0, sizeof w);
	lab_init(&w.lab, "fifo");
	add(&w, "5.BCS.100.0.1", (struct client_options){.repeat = 2}, 64);
	lab_run(&w.lab, 50 * US);
	p = lab_compile(&w.lab, "9.BCS.30.0.1");
	swap.client = 0;
	swap.program = p;
	assert_true(sim_control(w.lab.sim, &swap, NULL));
	program_free(p);
	sim_run(w.lab.sim, NSEC_NEVER, 0);
	expect_spans(&w, 1, "1 0 0 100 ended; 2 100 100 130 ended");
	assert_int_equal(trail_request(w.trail, 1)->context, 5);
	assert_int_equal(trail_request(w.trail, 2)->context, 9);
	assert_ptr_not_equal(trail_request(w.trail, 1)->program,
	    trail_request(w.trail, 2)->program);
	watched_free(&w);
}
