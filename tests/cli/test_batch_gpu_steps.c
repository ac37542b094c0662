/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each kind of step and each option of batch mode on a GPU, which is the virtual
 * i915 in virtual time: every request begins and ends when it does on the model
 * (doc/model/libdrm.md "The record").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define COUNT(a)  (sizeof(a) / sizeof *(a))
#define MOST_ARGS 24

/* Options of a run: words with blanks between. */
struct run_case {
	const char *scheduler;
	const char *options;
};

/* Runs the options, with what goes before them. */
static void
run_options(struct outcome *r, const char *const *before, const char *options)
{
	const char *args[MOST_ARGS];
	char words[512], *word, *rest = words;
	size_t n = 0;

	for (; *before != NULL; before++)
		args[n++] = *before;
	snprintf(words, sizeof words, "%s", options);
	while ((word = strsep(&rest, " ")) != NULL) {
		assert_true(n + 2 < MOST_ARGS);
		args[n++] = word;
	}
	args[n++] = "--requests=-";
	args[n] = NULL;
	run_program(r, args);
	if (r->status != 0)
		fail_msg("%s: status %d: %s", options, r->status, r->err);
}

/* Removes the column ready_ns: execlists count a request that waits on its engine
 * as ready, the record does not. */
static void
drop_ready_times(char *rows)
{
	char *to = rows;
	unsigned column = 0;

	for (const char *from = rows; *from != '\0'; from++) {
		column = *from == '\n' ? 0 : column + (*from == '\t');
		if (column != 6)
			*to++ = *from;
	}
	*to = '\0';
}

static void
expect_as_on_model(const struct run_case *c)
{
	char scheduler[64];
	const char *const on_gpu[] = {"-q", "--privileged", "--virtual-time",
	    "--profile=ideal", scheduler, gpuwl_top(), "-b", "-D",
	    "pci:", NULL};
	const char *const on_model[] = {
	    "-q", gpuwl_top(), "-b", "--profile=ideal", scheduler, NULL};
	struct outcome gpu, model;

	snprintf(scheduler, sizeof scheduler, "--scheduler=%s", c->scheduler);
	run_options(&gpu, on_gpu, c->options);
	run_options(&model, on_model, c->options);
	if (strcmp(c->scheduler, "fifo") != 0) {
		drop_ready_times(gpu.out);
		drop_ready_times(model.out);
	}
	if (strcmp(gpu.out, model.out) != 0)
		fail_msg("%s, %s:\n%s\non the model:\n%s", c->scheduler,
		    c->options, gpu.out, model.out);
	assert_true(strlen(gpu.out) > 100);
	outcome_free(&gpu);
	outcome_free(&model);
}

static void
expect_all_as_on_model(const struct run_case *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		expect_as_on_model(&list[i]);
}

TEST(dependencies)
{
	static const struct run_case cases[] = {
	    {"fifo", "-r 20 -c 3 -w 1.RCS.100-900.0.0,1.BCS.50.-1.1"},
	    {"fifo",
		"-r 10 -c 2 -w w.1.4k/2n64k/4k-16k,W.2.1M/4k,1.RCS.100.w1-0.0,"
		"2.BCS.100.r1-0/w2-1.0,3.VCS1.100.r2-0-1.0,1.VCS2.10.w1-1-3.1"},
	    {"fifo",
		"-r 5 -w f,1.RCS.100.f-1.0,1.BCS.10.-1.0,d.50,a.-4,1.VCS1.20.0.1"},
	    {"fifo",
		"-r 5 -w 1.RCS.100.0.0,2.RCS.10.0.0,1.BCS.100.s-1.0,f,"
		"3.VCS1.10.f-1/s-3.0,a.-2,s.-4"},
	    {"fifo",
		"-r 5 -w f,f,1.RCS.9.f-1.0,1.BCS.9.f-3.0,d.20,a.-4,d.20,"
		"a.-7,s.-5"},
	    {"execlists",
		"-r 5 -w f,1.RCS.100.f-1.0,1.BCS.10.-1.0,d.50,a.-4,1.VCS1.20.0.1"},
	};

	expect_all_as_on_model(cases, COUNT(cases));
}

TEST(waits_of_clients)
{
	static const struct run_case cases[] = {
	    {"fifo",
		"-r 10 -w t.3,1.RCS.100.0.0,q.2,1.RCS.10.0.0,"
		"1.BCS.10.-1.0,1.RCS.30.0.0,t.0,q.0"},
	    {"fifo", "-r 10 -w p.1000,1.RCS.100.0.1,p.500,1.RCS.300-700.0.1"},
	    {"fifo",
		"-r 10 -d -w 1.RCS.100.0.0,1.BCS.50.-1.0,"
		"1.VCS1.10.-1/-2.0,s.-1"},
	};

	expect_all_as_on_model(cases, COUNT(cases));
}

TEST(contexts)
{
#define BALANCED "M.1.VCS1|VCS2,B.1,1.DEFAULT.100-500.0.0,1.DEFAULT.100.0.0,"
	static const struct run_case cases[] = {
	    {"fifo", "-r 10 -w " BALANCED "1.VCS1.30.0.0,1.RCS.10.0.1"},
	    {"execlists", "-r 10 -c 3 -w " BALANCED "1.DEFAULT.30.0.1"},
	    {"guc", "-r 10 -c 3 -w " BALANCED "1.DEFAULT.30.0.1"},
	    {"execlists",
		"-r 10 -w M.1.VCS1|VCS2,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS2.VCS1,"
		"b.2.VCS1.VCS2,1.DEFAULT.100.0.0,2.DEFAULT.100.s-1.0"},
	    {"execlists",
		"-r 4 -w M.1.RCS|CCS1|VECS1,1.CCS1.100.0.0,"
		"1.VECS1.10.-1.0,1.RCS.5.0.1"},
	    {"fifo", "-r 4 -w 1.CCS.100.0.0,1.VECS.10.-1.0,1.DEFAULT.5.0.1"},
	    {"execlists", "-r 4 -w S.1.1,1.RCS.100.0.0,S.1.-1,1.RCS.100.0.1"},
	    {"execlists",
		"-r 4 -w P.1.5,1.RCS.900.0.0,P.1.-4,2.RCS.900.0.0,"
		"1.RCS.30.0.1"},
	    {"guc",
		"-r 4 -w P.1.5,1.RCS.900.0.0,P.1.-4,2.RCS.900.0.0,"
		"1.RCS.30.0.1"},
	    {"execlists",
		"-r 4 -w X.1.0,X.2.50,1.RCS.100.0.0,2.RCS.*.0.0,"
		"d.300,T.-2,s.-3"},
	    {"fifo", "-r 4 -c 2 -w 1.RCS.*.0.0,2.BCS.*.0.0,d.300,T.-2,T.-4"},
	};

	expect_all_as_on_model(cases, COUNT(cases));
}

TEST(options)
{
#define THREE "-w 2.VCS1.300.0.1 -w 1.BCS.10-50.0.1,d.100 -r 10"
	static const struct run_case cases[] = {
	    {"fifo", "-w 1.RCS.100-900.0.0 " THREE},
	    {"execlists", "-W 1.RCS.100-900.0.1 " THREE},
	    {"fifo", "-w 1.RCS.100-900.0.1 -c 4 -S -r 10 -I 5"},
	    {"fifo",
		"-w 1.RCS.100-900.0.1,d.100 -f 2 -F 0.5 -a "
		"2.BCS.50.0.1 -r 5 -I 9"},
	    {"execlists", "-s -w 1.RCS.100.0.0 -s -w 1.RCS.20.0.0 -r 4"},
	    {"execlists", "-p 5 -w 1.RCS.900.0.0 -p -3 -w 1.RCS.90.0.0 -r 4"},
	};

	expect_all_as_on_model(cases, COUNT(cases));
}

/* Both rows begin and end together; profiles with parallel slots have costs. */
TEST(parallel_slots)
{
	const char *const before[] = {"-q", "--virtual-time",
	    "--profile=dg2-g10", gpuwl_top(), "-b", "-D", "pci:", NULL};
	struct outcome r;

	run_options(&r, before,
	    "-w G.1.VCS1/VCS2,1.DEFAULT.100/200.0.0,1.DEFAULT.10/20.-1.1 -r 2");
	expect_match(r.out,
	    "\n0\t0\t1\t1\tVCS1\t([0-9\t]*)\tok\n0\t0\t1\t1\tVCS2\t\\1\tok\n"
	    "0\t0\t2\t1\tVCS1\t([0-9\t]*)\tok\n0\t0\t2\t1\tVCS2\t\\2\tok\n");
	outcome_free(&r);
}

FIXTURES(use_gpuwl_top, NULL);
