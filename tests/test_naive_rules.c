/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The naive model against examples worked out by hand: those of the seeds, and
 * one for each rule that is easy to get wrong. A request is written
 * "client.step engine submit:start-end", in us; the run's end follows.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "parser/text.h"
#include "tests/naive/naive.h"

struct example {
	const char *text; /* as the argument of -w */
	unsigned clients, repeat;
	unsigned ring; /* 0: as in ideal */
	const char *should;
};

static const struct example examples[] = {
    /* Seed 000, the first one; its range made 700. */
    {"1.VCS1.3000.0.1,1.RCS.700.-1.0,1.RCS.3700.0.0,1.RCS.1000.-2.0,"
     "1.VCS2.2300.-2.0,1.RCS.4700.-1.0,1.VCS2.600.-1.1,p.16000",
	1, 1, 0,
	"0.0 VCS1 0:0-3000\n0.1 RCS 3000:3000-3700\n0.2 RCS 3000:3700-7400\n"
	"0.3 RCS 3000:7400-8400\n0.4 VCS2 3000:7400-9700\n"
	"0.5 RCS 3000:9700-14400\n0.6 VCS2 3000:14400-15000\nend 16000, 0 missed of 15000\n"},
    /* Seed 000: two data dependencies; a sync fence; a software fence. */
    {"1.VCS1.3000.0.1,1.RCS.3700.0.0,1.VCS2.2300.-1/-2.0", 1, 1, 0,
	"0.0 VCS1 0:0-3000\n0.1 RCS 3000:3000-6700\n"
	"0.2 VCS2 3000:6700-9000\nend 9000\n"},
    {"1.RCS.500.0.0,1.VCS1.3000.f-1.0,1.VCS2.3000.f-2.0", 1, 1, 0,
	"0.0 RCS 0:0-500\n0.1 VCS1 0:500-3500\n0.2 VCS2 0:500-3500\n"
	"end 3500\n"},
    {"1.RCS.500.0.0,f,2.VCS1.3000.f-1.0,2.VCS2.3000.f-2.0,1.RCS.500.0.1,"
     "a.-4,s.-4,s.-4",
	1, 1, 0,
	"0.0 RCS 0:0-500\n0.2 VCS1 0:1000-4000\n0.3 VCS2 0:1000-4000\n"
	"0.4 RCS 0:500-1000\nend 4000\n"},
    /* Seed 001: submit fences; bonds, of two clients. */
    {"1.RCS.500.0.0,1.VCS1.3000.s-1.0,1.VCS2.3000.s-2.0", 1, 1, 0,
	"0.0 RCS 0:0-500\n0.1 VCS1 0:0-3000\n0.2 VCS2 0:0-3000\nend 3000\n"},
    {"M.1.RCS|VECS1,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.RCS,b.2.VCS2.VECS1,f,"
     "1.DEFAULT.1000.f-1.0,2.DEFAULT.1000.s-1.0,a.-3",
	2, 1, 0,
	"0.7 RCS 0:0-1000\n0.8 VCS1 0:0-1000\n"
	"1.7 VECS1 0:0-1000\n1.8 VCS2 0:0-1000\nend 1000\n"},
    /* T: of what runs, and of what has not started. */
    {"1.RCS.*.0.0,1.RCS.*.0.0,d.5,T.-2,T.-4", 1, 1, 0,
	"0.0 RCS 0:0-5\n0.1 RCS 0:5-5\nend 5\n"},
    /* A virtual engine is one timeline, and stays where it was; on the same
     * physical engine it waits for the end. */
    {"M.1.VCS,B.1,2.VCS1.7.0.0,1.VCS.3.0.0,1.DEFAULT.3.0.0,1.VCS1.1.-1.0", 1, 1,
	0,
	"0.2 VCS1 0:0-7\n0.3 VCS2 0:0-3\n0.4 VCS2 0:3-6\n"
	"0.5 VCS1 0:7-8\nend 8\n"},
    /* On a fixed engine order does the rest. 0.2 is ready at 4, after 1.2. */
    {"1.BCS.4.0.0,1.RCS.4.-1.0,2.RCS.1.0.0", 2, 1, 0,
	"0.0 BCS 0:0-4\n0.1 RCS 0:4-8\n0.2 RCS 0:0-1\n"
	"1.0 BCS 0:4-8\n1.1 RCS 0:8-12\n1.2 RCS 0:1-2\nend 12\n"},
    /* A writer waits for readers on other engines, a step for those of its
     * previous round. */
    {"1.RCS.1.0.0,1.BCS.5.-1.0", 1, 2, 0,
	"0.0 RCS 0:0-1\n0.1 BCS 0:1-6\n0.0 RCS 0:6-7\n0.1 BCS 0:7-12\n"
	"end 12\n"},
    /* Shared between clones: w1 of one waits for r1 of the other. */
    {"W.1.4k,1.BCS.5.r1-0.0,1.RCS.1.w1-0.0", 2, 1, 0,
	"0.1 BCS 0:0-5\n0.2 RCS 0:5-6\n1.1 BCS 0:6-11\n1.2 RCS 0:11-12\n"
	"end 12\n"},
    {"w.1.4k,1.BCS.5.r1-0.0,1.RCS.1.w1-0.0", 2, 1, 0,
	"0.1 BCS 0:0-5\n0.2 RCS 0:5-6\n1.1 BCS 0:5-10\n1.2 RCS 0:10-11\n"
	"end 11\n"},
    /* t: the nearest batch at one step back, or further. */
    {"t.1,1.RCS.4.0.0,1.BCS.4.0.0", 1, 2, 0,
	"0.1 RCS 0:0-4\n0.2 BCS 4:4-8\n0.1 RCS 8:8-12\n0.2 BCS 12:12-16\n"
	"end 16\n"},
    /* q: three steps on one engine, no more than one of them queued. */
    {"q.1,1.RCS.4.0.0,1.RCS.4.0.0,1.RCS.4.0.0", 1, 1, 0,
	"0.1 RCS 0:0-4\n0.2 RCS 0:4-8\n0.3 RCS 4:8-12\nend 12\n"},
    /* A full ring of four blocks until two are free. */
    {"1.RCS.1.0.0", 1, 7, 4,
	"0.0 RCS 0:0-1\n0.0 RCS 0:1-2\n0.0 RCS 0:2-3\n0.0 RCS 0:3-4\n"
	"0.0 RCS 2:4-5\n0.0 RCS 2:5-6\n0.0 RCS 4:6-7\nend 7\n"},
    /* An iteration that does nothing costs 1 us. */
    {"P.1.1", 1, 3, 0, "end 3\n"},
    /* Exactly the period. */
    {"1.RCS.3.0.1,p.3,1.RCS.1.0.1,p.3", 1, 1, 0,
	"0.0 RCS 0:0-3\n0.2 RCS 3:3-4\nend 4, 1 missed of 7\n"},
    /* Waits for itself. */
    {"1.BCS.2.0.0,f,1.RCS.1.f-1.1,a.-2", 1, 1, 0,
	"0.0 BCS 0:0-2\n0.2 - 0:-\nend 2, deadlock\n"},
    /* Draws with -I 1. */
    {"1.RCS.1000-2000.0.0", 1, 1, 0, "0.0 RCS 0:0-1423\nend 1423\n"},
};

static void
print_request(const struct naive_result *result, const struct naive_row *r,
    struct text *out)
{
	text_addf(out, "%u.%u %s %llu:", r->client, r->step,
	    r->engine < 0 ? "-" : result->engines[r->engine].name,
	    (unsigned long long)(r->submit / NSEC_PER_USEC));
	if (r->start != NSEC_NEVER)
		text_addf(out, "%llu",
		    (unsigned long long)(r->start / NSEC_PER_USEC));
	text_adds(out, "-");
	if (r->end != NSEC_NEVER)
		text_addf(
		    out, "%llu", (unsigned long long)(r->end / NSEC_PER_USEC));
	text_adds(out, "\n");
}

static void
print_result(const struct naive_result *result, struct text *out)
{
	const struct naive_client_figures *f = &result->clients[0];

	for (size_t i = 0; i < result->n_rows; i++)
		print_request(result, &result->rows[i], out);
	text_addf(out, "end %llu",
	    (unsigned long long)(result->elapsed / NSEC_PER_USEC));
	if (f->n_periods > 0)
		text_addf(out, ", %llu missed of %llu",
		    (unsigned long long)f->missed,
		    (unsigned long long)f->sum_us);
	text_adds(out, result->deadlock ? ", deadlock\n" : "\n");
}

static bool
is_right(const struct example *example, const struct document *doc)
{
	struct naive_config config;
	struct naive_result result;
	struct text is = {0};
	bool right;

	naive_config_ideal(&config);
	config.seed = 1;
	if (example->ring != 0)
		config.ring_requests = example->ring;
	naive_workload_init(&config.workloads[config.n_workloads++], &doc, 1);
	config.n_jobs = example->clients;
	for (unsigned i = 0; i < config.n_jobs; i++)
		config.jobs[i].repeat = example->repeat;
	assert_true(naive_run(&config, &result));
	print_result(&result, &is);
	right = strcmp(text_str(&is), example->should) == 0;
	if (!right)
		print_error("%s\nis\n%sshould be\n%s", example->text,
		    text_str(&is), example->should);
	text_free(&is);
	naive_result_clear(&result);
	naive_workload_clear(&config.workloads[0]);
	return right;
}

static void
test_examples(void **state)
{
	unsigned n_wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof examples / sizeof *examples; i++) {
		struct document *doc = document_parse("example",
		    examples[i].text, strlen(examples[i].text), SOURCE_INLINE);

		assert_true(document_is_valid(doc));
		n_wrong += !is_right(&examples[i], doc);
		document_free(doc);
	}
	assert_int_equal(n_wrong, 0);
}

/* A looping client stops with the last of the others, what it runs counted up
 * to then. */
static void
test_background(void **state)
{
	static const char *const texts[] = {"1.RCS.10.0.1", "1.BCS.25.0.1"};
	struct document *docs[2];
	struct naive_config config;
	struct naive_result result;

	(void)state;
	naive_config_ideal(&config);
	for (unsigned i = 0; i < 2; i++) {
		docs[i] = document_parse(
		    "example", texts[i], strlen(texts[i]), SOURCE_INLINE);
		naive_workload_init(&config.workloads[i],
		    (const struct document *const *)&docs[i], 1);
		config.jobs[i].workload = i;
		config.jobs[i].repeat = 1;
	}
	config.jobs[0].background = true;
	config.n_workloads = config.n_jobs = 2;
	assert_true(naive_run(&config, &result));
	assert_int_equal(result.elapsed, 25000);
	assert_int_equal(result.clients[0].iterations, 2);
	assert_int_equal(result.clients[0].elapsed, 25000);
	assert_int_equal(result.engines[0].busy, 25000);
	assert_int_equal(result.engines[0].batches, 2);
	assert_int_equal(result.engines[0].switches, 1);
	assert_int_equal(result.engines[1].busy, 25000);
	naive_result_clear(&result);
	for (unsigned i = 0; i < 2; i++) {
		naive_workload_clear(&config.workloads[i]);
		document_free(docs[i]);
	}
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_examples),
	    cmocka_unit_test(test_background),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
