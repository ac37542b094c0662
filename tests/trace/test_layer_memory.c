/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer's memory and its bounds: workloads of requests, the last messages,
 * command buffers of live clients; and numbers that continue from launch to
 * launch.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/workload.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"
#include "trace/layer_trail.h"
#include "trace/messages.h"

static const char two_kinds[] =
    "#@ label push \"A\"\n#@ renderpass 4x4 draws=3 weight=2\n#@ label pop\n"
    "#@ dispatch 1x2x3\n1.RCS.12.0.0\n2.VCS1.5.-1.1\n";

/* Prints "from-to/of text; " for each workload of a request. */
static void
expect_pieces(struct layer_trail *t, uint64_t request, const char *wanted)
{
	struct text out = {0};
	size_t n = layer_trail_count(t, request, NULL);

	for (size_t i = 0; i < n; i++) {
		struct trail_workload p = layer_trail_workload(t, request, i);

		text_addf(&out, "%llu-%llu/%llu s%llu.t%llu ",
		    (unsigned long long)p.from, (unsigned long long)p.to,
		    (unsigned long long)p.of, (unsigned long long)p.submit,
		    (unsigned long long)p.tag);
		workload_describe(&p.info, p.labels, &out);
		text_adds(&out, "; ");
	}
	assert_string_equal(text_str(&out), wanted);
	text_free(&out);
}

static void
expect_at(struct layer_trail *t, uint64_t request, nsec ran, size_t piece,
    enum workload_stage part)
{
	enum workload_stage got;

	assert_int_equal(layer_trail_at(t, request, ran, &got), piece);
	assert_int_equal(got, part);
}

/* A pass in parts has the draws of all parts submitted so far, also after its
 * batch has ended. */
TEST(trail_split)
{
	struct layer_trail t = {0};
	struct lab lab;
	struct layer *l;

	lab_start(&lab, "fifo",
	    "#@ renderpass 4x4 draws=640 suspend\n1.RCS.10.0.1\n"
	    "#@ renderpass resume draws=80 suspend\n1.RCS.10.0.1\n"
	    "#@ renderpass resume draws=5\n1.RCS.10.0.1\n"
	    "#@ renderpass 4x4 draws=7\n2.RCS.10.0.1\n",
	    1, 1);
	l = layer_begin(lab.sim, NULL);
	layer_trail_begin(&t, l);
	lab_run(&lab, 5000);
	expect_pieces(&t, 1, "0-4/4 s1.t1 renderpass 4x4 640 draws; ");
	lab_run(&lab, 15000);
	expect_pieces(&t, 1, "0-4/4 s1.t1 renderpass 4x4 720 draws; ");
	expect_pieces(&t, 2, "0-4/4 s1.t1 renderpass 4x4 720 draws; ");
	lab_run(&lab, 35000);
	for (uint64_t request = 1; request <= 3; request++)
		expect_pieces(
		    &t, request, "0-4/4 s1.t1 renderpass 4x4 725 draws; ");
	expect_pieces(&t, 4, "0-4/4 s4.t2 renderpass 4x4 7 draws; ");
	layer_trail_end(&t);
	layer_end(l);
	lab_free(&lab);
}

struct intervals {
	struct layer_listener listener;
	struct text text;
};

static void
on_interval(struct layer_listener *l, const struct workload_slice *i)
{
	struct intervals *t = (struct intervals *)l;

	workload_slice_describe(i, &t->text);
	text_adds(&t->text, "; ");
}

/* A slice has the draws that are known when it ends: of the first part if the
 * others are submitted later, else of all. */
TEST(interval_split)
{
	struct intervals t = {.listener.slice = on_interval};
	struct lab lab;
	struct layer *l;

	lab_start(&lab, "fifo",
	    "#@ renderpass 4x4 draws=640 suspend\n1.RCS.10.0.1\n"
	    "#@ renderpass resume draws=85\n1.RCS.10.0.0\n"
	    "#@ renderpass 2x2 draws=1 suspend\n1.RCS.10.0.0\n"
	    "#@ renderpass resume draws=2\n1.RCS.10.0.1\n",
	    1, 1);
	l = layer_begin(lab.sim, NULL);
	layer_listen(l, &t.listener);
	lab_run(&lab, 40000);
	assert_string_equal(text_str(&t.text),
	    "renderpass 4x4 640 draws, binning; renderpass 4x4 640 draws; "
	    "renderpass 4x4 725 draws, binning; renderpass 4x4 725 draws; "
	    "renderpass 2x2 3 draws, binning; renderpass 2x2 3 draws; "
	    "renderpass 2x2 3 draws, binning; renderpass 2x2 3 draws; ");
	layer_unlisten(l, &t.listener);
	layer_end(l);
	lab_free(&lab);
	text_free(&t.text);
}

/* A request has the same workloads in flight and after its end. */
TEST(trail)
{
	static const char first[] = "0-8/12 s1.t1 A > renderpass 4x4 3 draws; "
				    "8-12/12 s1.t2 dispatch 1x2x3; ";
	struct layer_trail t = {0};
	struct lab lab;
	struct layer *l;

	lab_start(&lab, "fifo", two_kinds, 1, 2);
	l = layer_begin(lab.sim, NULL);
	layer_trail_begin(&t, l);
	expect_pieces(&t, 1, "");
	lab_run(&lab, 3000);
	expect_pieces(&t, 1, first);
	expect_at(&t, 1, 1999, 0, STAGE_BINNING);
	expect_at(&t, 1, 2000, 0, STAGE_MAIN);
	expect_at(&t, 1, 7999, 0, STAGE_MAIN);
	expect_at(&t, 1, 8000, 1, STAGE_WHOLE);
	expect_at(&t, 1, 99999, 1, STAGE_WHOLE);
	sim_run(lab.sim, NSEC_NEVER, 0);
	expect_pieces(&t, 1, first);
	expect_pieces(&t, 2, "");
	expect_pieces(&t, 3,
	    "0-8/12 s3.t1 A > renderpass 4x4 3 draws; "
	    "8-12/12 s3.t2 dispatch 1x2x3; ");
	expect_pieces(&t, 4, "");
	expect_pieces(&t, 0, "");
	layer_trail_end(&t);
	layer_end(l);
	lab_free(&lab);
}

/* The oldest records are overwritten; of a long one the rest is counted. */
TEST(trail_is_bounded)
{
	struct layer_trail t = {0};
	struct text many = {0};
	struct lab lab;
	struct layer *l;
	uint32_t more;
	size_t known = 0;

	for (unsigned i = 0; i < 1000; i++)
		text_addf(&many,
		    "#@ label push \"%0200u\"\n#@ dispatch 1x1x1\n"
		    "#@ label pop\n",
		    i);
	text_adds(&many, "1.RCS.1000.0.1\n");
	lab_start(&lab, "fifo", text_str(&many), 1, 400);
	l = layer_begin(lab.sim, NULL);
	layer_trail_begin(&t, l);
	sim_run(lab.sim, NSEC_NEVER, 0);
	assert_int_equal(layer_trail_count(&t, 1, NULL), 0);
	assert_int_equal(
	    layer_trail_count(&t, 400, &more), LAYER_TRAIL_WORKLOADS);
	assert_int_equal(more, 1000 - LAYER_TRAIL_WORKLOADS);
	for (uint64_t i = 1; i <= 400; i++) {
		bool is = layer_trail_count(&t, i, NULL) > 0;

		assert_true(is || known == 0); /* the oldest went */
		known += is;
	}
	assert_in_range(known, 40, 300);
	layer_trail_end(&t);
	layer_end(l);
	lab_free(&lab);
	text_free(&many);
}

TEST(messages_are_bounded)
{
	struct message_log log = {0};
	struct lab lab;
	struct layer *l;
	struct message m, last = {0};
	uint64_t at, next, n = 0;

	lab_start(&lab, "fifo", two_kinds, 1, 100000);
	l = layer_begin(lab.sim, NULL);
	message_log_listen(&log, l);
	assert_int_equal(message_log_first(&log), message_log_end(&log));
	for (nsec t = 1000000; t <= 500000000; t += 1000000) {
		lab_run(&lab, t);
		layer_flush(l);
		assert_true(message_log_end(&log) - message_log_first(&log) <=
		    2 * MESSAGE_LOG_BYTES);
	}
	assert_true(message_log_first(&log) > 0);
	assert_true(message_log_end(&log) - message_log_first(&log) >=
	    MESSAGE_LOG_BYTES - MESSAGE_DRAIN);
	for (at = message_log_first(&log); message_log_at(&log, at, &m, &next);
	     at = next) {
		last = m;
		n++;
	}
	assert_int_equal(at, message_log_end(&log));
	assert_true(n > 1000);
	assert_true(last.type == MESSAGE_ANNEX || last.type == MESSAGE_FRAME ||
	    last.type == MESSAGE_SUBMIT);
	assert_false(message_log_at(&log, 0, &m, &next));
	layer_end(l);
	message_log_free(&log);
	lab_free(&lab);
}

/* Command buffers of clients that have ended are freed. */
TEST(ended_clients)
{
	struct lab lab;
	struct layer *l;
	struct workload *w;

	lab_start(&lab, "fifo", "#@ dispatch 1x1x1\n1.RCS.1.0.1\n", 1, 1000000);
	l = layer_begin(lab.sim, NULL);
	w = lab.sim->clients[0]->walker->workload;
	for (unsigned round = 1; round <= 20; round++) {
		for (unsigned i = 0; i < 500; i++)
			sim_add_client(
			    lab.sim, w, &(struct client_options){.repeat = 1});
		lab_run(&lab, round * UINT64_C(2000000));
	}
	assert_int_equal(lab.sim->n_clients, 10001);
	assert_int_equal(lab.sim->clients[10000]->state, CLIENT_ENDED);
	assert_in_range(layer_size(l), 2, 2 * 2048);
	layer_end(l);
	lab_free(&lab);
}

/* Numbers in messages continue over launches. */
struct seen {
	struct layer_listener listener;
	uint64_t first_tag, last_tag, first_submit, last_submit;
	struct text text;
};

static void
on_messages(struct layer_listener *l, const uint8_t *data, size_t n)
{
	struct seen *s = (struct seen *)l;
	struct message m;
	size_t used;
	bool more;

	for (; n > 0; data += used, n -= used) {
		assert_null(message_decode(data, n, &m, &used, &more));
		if (s->first_tag == 0)
			s->first_tag = m.tag;
		if (m.tag > s->last_tag)
			s->last_tag = m.tag;
		if (s->first_submit == 0)
			s->first_submit = m.sequence;
		if (m.sequence > s->last_submit)
			s->last_submit = m.sequence;
		message_print(&m, &s->text);
		text_addc(&s->text, '\n');
	}
}

static void
launch(struct layer_numbers *numbers, struct seen *seen)
{
	struct lab lab;
	struct layer *l;

	*seen = (struct seen){.listener.messages = on_messages};
	lab_start(&lab, "fifo", two_kinds, 2, 2);
	l = layer_begin(lab.sim, NULL);
	layer_go_on(l, numbers);
	layer_listen(l, &seen->listener);
	sim_run(lab.sim, NSEC_NEVER, 0);
	layer_flush(l);
	layer_numbers(l, numbers);
	numbers->past += lab.sim->now;
	layer_end(l);
	lab_free(&lab);
}

TEST(launches)
{
	struct layer_numbers numbers = {0};
	struct seen first, second;
	uint64_t executions;

	launch(&numbers, &first);
	executions = numbers.execution;
	launch(&numbers, &second);
	assert_true(executions > 0);
	assert_int_equal(numbers.execution, 2 * executions);
	assert_int_equal(first.first_tag, 1);
	assert_int_equal(second.first_tag, first.last_tag + 1);
	assert_true(second.first_submit > first.last_submit);
	assert_non_null(strstr(text_str(&first.text),
	    "submit    {\"device\":1,\"queue\":1,\"timestamp\":0,"));
	/* Two clients with two rings each, and 53 us. */
	assert_non_null(strstr(text_str(&second.text),
	    "submit    {\"device\":3,\"queue\":5,\"timestamp\":53000,"));
	assert_null(strstr(text_str(&second.text), "\"device\":1,"));
	text_free(&first.text);
	text_free(&second.text);
}

/* A later listener gets each device introduced, once. */
TEST(late_listener)
{
	struct seen early = {.listener.messages = on_messages};
	struct seen late = {.listener.messages = on_messages};
	struct lab lab;
	struct layer *l;

	lab_start(&lab, "fifo", two_kinds, 1, 10);
	l = layer_begin(lab.sim, NULL);
	layer_listen(l, &early.listener);
	lab_run(&lab, 20000);
	layer_listen(l, &late.listener);
	lab_run(&lab, 100000);
	layer_unlisten(l, &late.listener);
	assert_memory_equal(late.text.data, "device ", 7);
	assert_null(strstr(late.text.data + 7, "device    "));
	layer_end(l);
	lab_free(&lab);
	text_free(&early.text);
	text_free(&late.text);
}
