/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/naive/example.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"

static void
print_request(const struct naive_result *result, const struct naive_row *r,
    bool all, struct text *out)
{
	text_addf(out, "%u.%u %s %llu", r->client, r->step,
	    r->engine < 0 ? "-" : result->engines[r->engine].name,
	    (unsigned long long)(r->submit / NSEC_PER_USEC));
	if (all && r->ready != NSEC_NEVER)
		text_addf(out, "/%llu",
		    (unsigned long long)(r->ready / NSEC_PER_USEC));
	text_adds(out, ":");
	if (r->start != NSEC_NEVER)
		text_addf(out, "%llu",
		    (unsigned long long)(r->start / NSEC_PER_USEC));
	text_adds(out, "-");
	if (r->end != NSEC_NEVER)
		text_addf(
		    out, "%llu", (unsigned long long)(r->end / NSEC_PER_USEC));
	if (r->preemptions > 0)
		text_addf(out, " x%u", r->preemptions);
	text_adds(out, "\n");
}

/* "RCS 1100 in 3": held 1100 us, with 3 switches. */
static void
print_engines(const struct naive_result *result, struct text *out)
{
	for (unsigned i = 0; i < result->n_engines; i++) {
		const struct naive_engine_figures *f = &result->engines[i];

		if (f->switches > 0)
			text_addf(out, "%s %llu in %llu\n", f->name,
			    (unsigned long long)(f->busy / NSEC_PER_USEC),
			    (unsigned long long)f->switches);
	}
}

static void
print_result(const struct naive_result *result, bool all, struct text *out)
{
	const struct naive_client_figures *f = &result->clients[0];

	for (size_t i = 0; i < result->n_rows; i++)
		print_request(result, &result->rows[i], all, out);
	text_addf(out, "end %llu",
	    (unsigned long long)(result->elapsed / NSEC_PER_USEC));
	if (f->n_periods > 0)
		text_addf(out, ", %llu missed of %llu",
		    (unsigned long long)f->missed,
		    (unsigned long long)f->sum_us);
	text_adds(out, result->deadlock ? ", deadlock\n" : "\n");
	if (all)
		print_engines(result, out);
}

static bool
is_right(const struct naive_example *example, const struct document *doc,
    enum naive_scheduler scheduler)
{
	struct naive_config config;
	struct naive_result result;
	struct text is = {0};
	bool right;

	naive_config_ideal(&config);
	config.scheduler = scheduler;
	config.seed = 1;
	if (example->ring != 0)
		config.ring_requests = example->ring;
	naive_workload_init(&config.workloads[config.n_workloads++], &doc, 1);
	config.n_jobs = example->clients;
	for (unsigned i = 0; i < config.n_jobs; i++)
		config.jobs[i].repeat = example->repeat;
	assert_true(naive_run(&config, &result));
	print_result(&result, scheduler != NAIVE_FIFO, &is);
	right = strcmp(text_str(&is), example->should) == 0;
	if (!right)
		print_error("%s\nis\n%sshould be\n%s", example->text,
		    text_str(&is), example->should);
	text_free(&is);
	naive_result_clear(&result);
	naive_workload_clear(&config.workloads[0]);
	return right;
}

void
naive_examples_check(const struct naive_example *examples, size_t n,
    enum naive_scheduler scheduler)
{
	unsigned n_wrong = 0;

	for (size_t i = 0; i < n; i++) {
		struct document *doc = document_parse("example",
		    examples[i].text, strlen(examples[i].text), SOURCE_INLINE);

		assert_true(document_is_valid(doc));
		n_wrong += !is_right(&examples[i], doc, scheduler);
		document_free(doc);
	}
	assert_int_equal(n_wrong, 0);
}
