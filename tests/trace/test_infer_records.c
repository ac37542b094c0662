/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records as they come: in any order, twice, with times missing, of clients that
 * repeat nothing; and the text that is inferred (doc/model/infer.md).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"
#include "trace/infer/infer.h"

#define FRAMES 50
#define MS     NSEC_PER_MSEC

/* Two batches a frame of 10 ms: 2 ms on RCS, then 1 ms on BCS, which reads what
 * the first made. */
struct frames {
	struct infer_request requests[2 * FRAMES];
	struct infer_dep deps[FRAMES];
	struct infer_input input;
};

static void
make_frames(struct frames *f, uint32_t client)
{
	*f = (struct frames){0};
	for (uint32_t i = 0; i < FRAMES; i++) {
		nsec at = i * 10 * MS;

		f->requests[2 * i] = (struct infer_request){.client = client,
		    .context = 7,
		    .class = CLASS_RCS,
		    .instance = 1,
		    .queued_ns = at,
		    .ready_ns = at,
		    .start_ns = at,
		    .end_ns = at + 2 * MS,
		    .run_ns = 2 * MS,
		    .first_dep = i};
		f->requests[2 * i + 1] = (struct infer_request){
		    .client = client,
		    .context = 7,
		    .slot = 1,
		    .class = CLASS_BCS,
		    .instance = 1,
		    .queued_ns = at,
		    .ready_ns = at + 2 * MS,
		    .start_ns = at + 2 * MS,
		    .end_ns = at + 3 * MS,
		    .run_ns = 1 * MS,
		    .first_dep = i,
		    .n_deps = 1};
		f->deps[i] = (struct infer_dep){.request = 2 * i};
	}
	f->input = (struct infer_input){.requests = f->requests,
	    .n_requests = 2 * FRAMES,
	    .deps = f->deps,
	    .n_deps = FRAMES,
	    .deps_are_complete = true};
}

static const struct infer_options exactly = {.exact = true, .merge = true};

static void
infer_well(const struct infer_input *input, const struct infer_options *options,
    struct infer_result *result)
{
	struct text err = {0};

	assert_true(infer(input, options, result, &err));
	assert_int_equal(err.len, 0);
	for (size_t i = 0; i < result->n_clients; i++) {
		const struct text *t = &result->clients[i].text;
		struct document *doc = document_parse(
		    "inferred", text_str(t), t->len, SOURCE_FILE);

		if (!document_is_valid(doc))
			fail_msg("%s", text_str(t));
		document_free(doc);
	}
	text_free(&err);
}

static void
expect_text(const struct infer_input *input, const char *text)
{
	struct infer_result result;

	infer_well(input, &exactly, &result);
	assert_int_equal(result.n_clients, 1);
	assert_string_equal(text_str(&result.clients[0].text), text);
	infer_free(&result);
}

#define FRAMES_TEXT                                                            \
	"# Inferred from client 3\n"                                           \
	"# 50 iterations of 2 batches; they explain 100.0 % of 100"            \
	" requests\n"                                                          \
	"# period 10.0ms\n"                                                    \
	"1.RCS.2000.0.0\n"                                                     \
	"1.BCS.1000.-1.0\n"                                                    \
	"# period: 49 of 49 pauses\n"                                          \
	"p.10000\n"

TEST(frames)
{
	struct frames f;

	make_frames(&f, 3);
	expect_text(&f.input, FRAMES_TEXT);
}

/* Records out of order, each of them twice, are the same. */
TEST(order_and_duplicates)
{
	struct frames f;
	struct infer_request mixed[4 * FRAMES];
	struct infer_dep deps[FRAMES];
	struct infer_result result;
	uint32_t place[2 * FRAMES];

	make_frames(&f, 3);
	for (uint32_t i = 0; i < 2 * FRAMES; i++) {
		place[i] = (i * 37 + 11) % (2 * FRAMES);
		mixed[place[i]] = f.requests[i];
		mixed[2 * FRAMES + place[i]] = f.requests[i];
	}
	for (uint32_t i = 0; i < FRAMES; i++)
		deps[i].request = place[2 * i], deps[i].kind = INFER_DATA,
		deps[i].guessed = false;
	f.input.requests = mixed;
	f.input.n_requests = 4 * FRAMES;
	f.input.deps = deps;
	infer_well(&f.input, &exactly, &result);
	assert_int_equal(result.n_duplicates, 2 * FRAMES);
	assert_non_null(
	    strstr(text_str(&result.clients[0].text), "1.BCS.1000."));
	assert_int_equal(result.clients[0].n_requests, 2 * FRAMES);
	infer_free(&result);
}

/* Starts, times on the engine and readiness follow from the rest. */
TEST(missing_times)
{
	struct frames f;

	make_frames(&f, 3);
	for (size_t i = 0; i < 2 * FRAMES; i++) {
		f.requests[i].ready_ns = NSEC_NEVER;
		f.requests[i].run_ns = NSEC_NEVER;
	}
	expect_text(&f.input, FRAMES_TEXT);
}

/* A start that is the hand-over to the ring: the batch begins when the one before
 * it on the engine has ended. */
TEST(handed_over_early)
{
	struct frames f;

	make_frames(&f, 3);
	for (size_t i = 0; i < 2 * FRAMES; i++) {
		f.requests[i].class = CLASS_RCS;
		f.requests[i].start_ns = f.requests[i].queued_ns;
		f.requests[i].ready_ns = NSEC_NEVER;
		f.requests[i].run_ns = NSEC_NEVER;
		f.requests[i].n_deps = 0;
	}
	expect_text(&f.input,
	    "# Inferred from client 3\n"
	    "# 50 iterations of 2 batches; they explain 100.0 % of 100"
	    " requests\n"
	    "# period 10.0ms\n"
	    "1.RCS.2000.0.0\n"
	    "1.RCS.1000.0.0\n"
	    "# period: 49 of 49 pauses\n"
	    "p.10000\n");
}

TEST(unusable_records)
{
	struct frames f;
	struct infer_result result;
	struct text err = {0};

	make_frames(&f, 3);
	for (size_t i = 0; i < 2 * FRAMES; i++) {
		if (i % 2 == 0)
			f.requests[i].end_ns = NSEC_NEVER;
		else
			f.requests[i].instance = 0;
	}
	assert_false(infer(&f.input, &exactly, &result, &err));
	assert_int_equal(result.n_incomplete, FRAMES);
	assert_int_equal(result.n_engineless, FRAMES);
	assert_non_null(strstr(text_str(&err), "no request can be used"));
	infer_free(&result);
	text_free(&err);
}

TEST(no_records)
{
	struct infer_result result;
	struct text err = {0};

	assert_false(infer(&(struct infer_input){0}, &exactly, &result, &err));
	assert_true(err.len > 0);
	infer_free(&result);
	text_free(&err);
}

TEST(one_request)
{
	struct frames f;

	make_frames(&f, 3);
	f.input.n_requests = 1;
	expect_text(&f.input,
	    "# Inferred from client 3\n"
	    "# nothing repeats: all 1 batches are one iteration; they explain"
	    " 100.0 % of 1 requests\n"
	    "1.RCS.2000.0.0\n");
}

/* All timelines differ: the first 4096 batches are written. */
TEST(nothing_repeats)
{
	enum { N = 5000 };
	struct infer_request *requests = mem_calloc(N, sizeof(*requests));
	struct infer_result result;

	for (uint32_t i = 0; i < N; i++)
		requests[i] = (struct infer_request){.context = i,
		    .class = CLASS_CCS,
		    .instance = 1,
		    .queued_ns = i * MS,
		    .start_ns = i * MS,
		    .end_ns = i * MS + MS / 2,
		    .ready_ns = NSEC_NEVER,
		    .run_ns = NSEC_NEVER};
	infer_well(&(struct infer_input){.requests = requests, .n_requests = N},
	    &exactly, &result);
	assert_int_equal(result.clients[0].n_batches, 4096);
	assert_int_equal(result.clients[0].n_explained, 4096);
	assert_non_null(strstr(text_str(&result.clients[0].text),
	    "nothing repeats: the first 4096 batches"));
	infer_free(&result);
	free(requests);
}

/* A batch of 0 ns takes 1 us, the least that a descriptor has. */
TEST(no_length)
{
	struct frames f;
	struct infer_result result;

	make_frames(&f, 3);
	for (size_t i = 1; i < 2 * FRAMES; i += 2) {
		f.requests[i].end_ns = f.requests[i].start_ns;
		f.requests[i].run_ns = 0;
	}
	infer_well(&f.input, &exactly, &result);
	assert_non_null(
	    strstr(text_str(&result.clients[0].text), "\n1.BCS.1.-1.0\n"));
	infer_free(&result);
}

/* A wait that was recorded is written though it never delayed the client. */
TEST(recorded_waits)
{
	struct frames f;
	struct infer_act waits[FRAMES];
	struct infer_result result;

	make_frames(&f, 3);
	for (uint32_t i = 0; i < FRAMES; i++)
		waits[i] = (struct infer_act){.client = 3,
		    .request = 2 * i,
		    .from_ns = i * 10 * MS + 1,
		    .to_ns = i * 10 * MS + 2 * MS};
	f.input.acts = waits;
	f.input.n_acts = FRAMES;
	infer_well(&f.input, &exactly, &result);
	assert_non_null(strstr(text_str(&result.clients[0].text),
	    "s.-2\n"
	    "# period: 49 of 49 pauses\n"
	    "p.10000\n"));
	infer_free(&result);
	waits[0].client = 4;
	waits[1].request = 12345;
	infer_well(&f.input, &exactly, &result);
	assert_int_equal(result.n_bad_acts, 2);
	infer_free(&result);
}

static bool
wants_to_stop(void *data)
{
	(void)data;
	return true;
}

TEST(stopped)
{
	const struct stop stop = {.is_wanted = wants_to_stop};
	const struct infer_options options = {.exact = true, .stop = &stop};
	struct frames f;
	struct infer_result result;
	struct text err = {0};

	make_frames(&f, 3);
	assert_false(infer(&f.input, &options, &result, &err));
	assert_string_equal(text_str(&err), "stopped");
	infer_free(&result);
	text_free(&err);
}

TEST(bad_dependencies)
{
	struct frames f;
	struct infer_result result;

	make_frames(&f, 3);
	f.deps[0].request = 1;     /* itself */
	f.deps[1].request = 99;    /* a later one */
	f.deps[2].request = 10000; /* none */
	f.requests[6].client = 5;  /* another client's: of the batch after it */
	infer_well(&f.input, &exactly, &result);
	assert_int_equal(result.n_bad_deps, 3);
	assert_int_equal(result.n_foreign_deps, 1);
	infer_free(&result);
}

/* A priority that changes within an iteration is set where it does. */
TEST(priorities)
{
	struct frames f;
	struct infer_result result;

	make_frames(&f, 3);
	for (size_t i = 0; i < 2 * FRAMES; i += 2)
		f.requests[i].priority = 5;
	infer_well(&f.input, &exactly, &result);
	assert_non_null(strstr(text_str(&result.clients[0].text),
	    "P.1.5\n1.RCS.2000.0.0\nP.1.0\n1.BCS.1000.-2.0\n"));
	infer_free(&result);
}

TEST(labels_are_visible)
{
	struct frames f;
	struct infer_result result;

	make_frames(&f, 3);
	f.requests[0].label = "shadow\n9.RCS.1.0.0\x1b[2J";
	infer_well(&f.input, &exactly, &result);
	assert_non_null(strstr(text_str(&result.clients[0].text),
	    "# shadow?9.RCS.1.0.0?[2J\n1.RCS.2000.0.0\n"));
	infer_free(&result);
}

/* Several clients: equal ones are clones; the command line runs them all. */
TEST(command_lines)
{
	struct frames f[3];
	struct infer_request all[6 * FRAMES];
	struct infer_input input = {.requests = all, .n_requests = 6 * FRAMES};
	struct infer_result result;
	struct text out = {0};

	for (uint32_t c = 0; c < 3; c++) {
		make_frames(&f[c], c);
		for (size_t i = 0; i < 2 * FRAMES; i++) {
			all[c * 2 * FRAMES + i] = f[c].requests[i];
			all[c * 2 * FRAMES + i].n_deps = 0;
		}
	}
	infer_well(&input, &exactly, &result);
	assert_int_equal(result.n_clients, 1);
	infer_print_command(&result, (const char *[]){"a.wsim"}, &out);
	assert_string_equal(
	    text_str(&out), "gpuwl-top -b -r 50 -c 3 -w 'a.wsim'");
	infer_free(&result);
	text_clear(&out);
	for (size_t i = 0; i < 2 * FRAMES; i++)
		all[i].run_ns *= 2;
	input.n_requests -= 10;
	infer_well(&input, &exactly, &result);
	assert_int_equal(result.n_clients, 2);
	infer_print_command(
	    &result, (const char *[]){"a.wsim", "it's.wsim"}, &out);
	assert_string_equal(text_str(&out),
	    "gpuwl-top -b --duration=0.493000 -w 'a.wsim' -w 'it'\\''s.wsim'"
	    " -w 'it'\\''s.wsim'");
	infer_free(&result);
	text_free(&out);
}

/* A record that begins in the middle of a frame. */
TEST(begins_amid)
{
	struct frames f;
	struct infer_result result;

	make_frames(&f, 3);
	f.input.requests++;
	f.input.n_requests--;
	for (size_t i = 0; i < FRAMES; i++)
		f.deps[i].request -= i > 0;
	infer_well(&f.input, &exactly, &result);
	assert_non_null(strstr(text_str(&result.clients[0].text),
	    "1.RCS.2000.0.0\n1.BCS.1000.-1.0\n"
	    "# period: 48 of 48 pauses\np.10000\n"));
	infer_free(&result);
}

/* Measured times: frames of 90 Hz that vary by 1 %, batches by 3 %. */
TEST(measured_times)
{
	struct frames f;
	struct infer_options measured = {.merge = true};
	struct infer_result result;
	unsigned p = 0;
	const char *line;

	make_frames(&f, 3);
	for (uint32_t i = 0; i < FRAMES; i++) {
		nsec late = (i * 7919 % 23) * 10000;
		nsec at = i * 11170 * NSEC_PER_USEC + late;
		nsec run = 5000 * NSEC_PER_USEC + (i * 104729 % 31) * 4000;
		struct infer_request *r = &f.requests[2 * i];

		r[0].queued_ns = r[0].ready_ns = r[0].start_ns = at;
		r[0].end_ns = at + run;
		r[1].queued_ns = at + 15000;
		r[1].ready_ns = r[1].start_ns = at + run + 56000;
		r[1].end_ns = r[1].start_ns + MS;
		r[0].run_ns = r[1].run_ns = NSEC_NEVER;
		r[1].n_deps = 0;
	}
	f.input.deps_are_complete = false;
	infer_well(&f.input, &measured, &result);
	line = strstr(text_str(&result.clients[0].text), "\np.");
	assert_non_null(line);
	p = (unsigned)atoi(line + 3);
	assert_in_range(p, 11060, 11280);
	assert_non_null(
	    strstr(text_str(&result.clients[0].text), "1.BCS.1000.-1.0\n"));
	infer_free(&result);
}

/* Expects a line among those of the only descriptor. */
static void
expect_line(const struct infer_input *input, const char *line)
{
	struct infer_result result;

	infer_well(input, &exactly, &result);
	if (strstr(text_str(&result.clients[0].text), line) == NULL)
		fail_msg(
		    "no %s in %s", line, text_str(&result.clients[0].text));
	infer_free(&result);
}

/* A batch that its client did not live to see end has done that much work. No T
 * was seen, so that it is not infinite. */
TEST(never_ended)
{
	struct frames f;

	make_frames(&f, 3);
	f.requests[0].unfinished = f.requests[0].infinite = true;
	f.requests[0].allowed = INFER_ENGINE(CLASS_RCS, 1);
	f.requests[0].run_ns = 7 * MS;
	f.input.n_requests = 1;
	expect_line(&f.input,
	    "# it had not ended: reset, its client gone, or still running\n"
	    "1.RCS.7000.0.0\n");
}

/* Whole microseconds are too coarse for short batches: two of them have the mean. */
TEST(between_whole)
{
	struct frames f;

	make_frames(&f, 3);
	for (uint32_t i = 0; i < FRAMES; i++)
		f.requests[2 * i].run_ns = 12520;
	expect_line(&f.input,
	    "# 12.52 us, between two whole ones\n"
	    "1.RCS.12-13.0.0\n");
}

/* A client that waits for each batch, which its records do not say, and goes on
 * later than a model does. */
static void
expect_pace(unsigned batch_us, unsigned frame_us, const char *steps)
{
	enum { N = 400 };
	static struct infer_request requests[N];
	struct infer_input input = {.requests = requests,
	    .n_requests = N,
	    .deps_are_complete = true,
	    .from_start = true};
	struct infer_options options = {
	    .submit_ns = 2000, .wakeup_ns = 5000, .slack_ns = 50000};
	struct infer_result result;

	for (uint32_t i = 0; i < N; i++) {
		nsec at = i * frame_us * NSEC_PER_USEC;
		nsec end = at + batch_us * NSEC_PER_USEC;

		requests[i] = (struct infer_request){.class = CLASS_RCS,
		    .instance = 1,
		    .queued_ns = at,
		    .ready_ns = at,
		    .start_ns = at,
		    .end_ns = end,
		    .run_ns = end - at};
	}
	/* A driver prepares its context behind the first one. */
	requests[1].context = 1;
	infer_well(&input, &options, &result);
	if (strstr(text_str(&result.clients[0].text), steps) == NULL)
		fail_msg("%s", text_str(&result.clients[0].text));
	infer_free(&result);
}

/* No delay is shorter than 56 us then: 2 us to submit, 5 to wake up, and 50 of a
 * timer's slack. */
TEST(short_pauses)
{
	/* 100 - 7 us: a delay. */
	expect_pace(1000, 1100,
	    "\n1.RCS.1000.0.1\n# delay after a wait: 397 of"
	    " 397 pauses\nd.38\n");
	/* Two of 40 - 7 us are one. */
	expect_pace(12, 52, "\n1.RCS.12.0.1\n");
	expect_pace(12, 52, " iterations of 2 batches;");
	expect_pace(12, 52, "\nd.11\n");
	/* 57 - 7 us of 2 ms: the shortest is near enough. */
	expect_pace(2000, 2057, "\nd.1\n");
	/* 10 - 7 us of 10 ms: nothing. */
	expect_pace(10000, 10010, "\nt.1\n1.RCS.10000.0.0\n");
}

#define ROUNDS 100

/* Rounds of two batches on one engine; each waits for the second one. */
struct rounds {
	struct infer_request requests[2 * ROUNDS];
	struct infer_act acts[2 * ROUNDS];
	struct infer_input input;
};

static struct infer_request
measured_batch(nsec queued_ns, nsec start_ns, nsec end_ns)
{
	return (struct infer_request){.class = CLASS_RCS,
	    .instance = 1,
	    .queued_ns = queued_ns,
	    .ready_ns = queued_ns,
	    .start_ns = start_ns,
	    .end_ns = end_ns,
	    .run_ns = end_ns - start_ns};
}

static void
add_wait(struct rounds *r, uint32_t request, nsec from_ns, nsec to_ns)
{
	r->acts[r->input.n_acts++] = (struct infer_act){.request = request,
	    .from_ns = from_ns,
	    .to_ns = to_ns,
	    .kind = INFER_WAIT};
}

static void
expect_rounds(struct rounds *r, const char *steps)
{
	struct infer_options options = {
	    .submit_ns = 2000, .wakeup_ns = 5000, .slack_ns = 50000};
	struct infer_result result;

	r->input.requests = r->requests;
	r->input.acts = r->acts;
	r->input.n_requests = (size_t)2 * ROUNDS;
	r->input.deps_are_complete = r->input.from_start = true;
	infer_well(&r->input, &options, &result);
	if (strstr(text_str(&result.clients[0].text), steps) == NULL)
		fail_msg("%s", text_str(&result.clients[0].text));
	infer_free(&result);
}

/* A program that sleeps for 2 ms, ends its infinite batch by a store and waits for
 * it: the device sees the store 100 us later, which the sleep has then. Others cut a
 * few sleeps short. Pauses of 150 us between its submissions prolong the batch. */
TEST(ended_by_a_store)
{
	static struct rounds r;

	r = (struct rounds){0};
	for (uint32_t i = 0; i < ROUNDS; i++) {
		nsec at = i * 5 * MS, sleeps = i % 20 == 7 ? MS / 4 : 2 * MS;
		nsec store = at + 150000 + sleeps, end = store + 100000;

		r.requests[2 * i] = measured_batch(at, at, end);
		r.requests[2 * i].infinite = true;
		r.requests[2 * i + 1] = measured_batch(
		    at + 150000, end, end + MS);
		if (i % 20 == 7)
			r.requests[2 * i].end_ns = at + 200000;
		add_wait(&r, 2 * i, store, end);
		add_wait(&r, 2 * i + 1, end, end + MS);
	}
	expect_rounds(&r, "\n1.RCS.*.0.0\n");
	expect_rounds(&r, "\nd.93\n1.RCS.1000.0.0\n");
	expect_rounds(&r, "\nT.-4\ns.-5\ns.-4\n");
}

/* Pauses of 175 and 45 us after a wait: the second is too short for a delay, and is
 * part of the first one. Of both 69 us are costs: two of a submission, three of a
 * wake-up, and the slack of the sleep. */
TEST(rest_of_pauses)
{
	static struct rounds r;

	r = (struct rounds){0};
	for (uint32_t i = 0; i < ROUNDS; i++) {
		nsec at = i * (12 + 175 + 20 + 45) * NSEC_PER_USEC;
		nsec second = at + 187000;

		r.requests[2 * i] = measured_batch(at, at, at + 12000);
		r.requests[2 * i + 1] = measured_batch(
		    second, second, second + 20000);
		r.requests[2 * i + 1].context = 1;
		add_wait(&r, 2 * i, at, at + 12000);
		add_wait(&r, 2 * i + 1, second, second + 20000);
	}
	expect_rounds(&r, "\nd.151\n");
}
