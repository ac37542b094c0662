/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How fast descriptors are read and checked, and checked again after an edit.
 * Prints lines "name value unit".
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "parser/document/document.h"
#include "parser/document/edit.h"

static double
now(void)
{
	struct timespec t;

	/* CPU time of this process: other work of the machine is not in the figure. */
	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

/* A media pipeline over and over, as the shipped descriptors have it. */
static void
generate(struct text *t, size_t n_steps)
{
	static const char *const steps[] = {
	    "1.VCS1.3000.0.1",
	    "1.RCS.500-1000.-1.0",
	    "1.RCS.3700.0.0",
	    "P.2.1",
	    "1.RCS.1000.-2.0",
	    "2.VCS2.2300.-3/f-1.0",
	    "f",
	    "3.RCS.4700.f-1.0",
	    "3.VECS.600-650.-1/r1-0/w1-2-3.0",
	    "a.-3",
	    "s.-2",
	    "4.BCS.*.-3.0",
	    "T.-1",
	    "p.16667",
	};

	text_adds(t, "w.1.4n4k\nM.1.VCS\n");
	for (size_t i = 2; i < n_steps; i++)
		text_addf(t, "%s\n",
		    steps[(i - 2) % (sizeof(steps) / sizeof(*steps))]);
}

static struct document *
parse(const struct text *t)
{
	return document_parse("bench", t->data, t->len, SOURCE_FILE);
}

static void
bench_parse(const char *name, const struct text *t, int rounds)
{
	double best = 1e9;

	for (int i = 0; i < rounds; i++) {
		double start = now(), took;
		struct document *doc = parse(t);
		bool valid = document_is_valid(doc);

		took = now() - start;
		if (!valid) {
			struct text out = {0};

			document_explain(
			    doc, &document_diagnostics(doc)->list[0], &out);
			fputs(text_str(&out), stderr);
			exit(1);
		}
		if (took < best)
			best = took;
		document_free(doc);
	}
	printf("%s %.1f MB/s\n", name, (double)t->len / best / 1e6);
}

/* The mean over pairs of an edit and its undo, with diagnostics asked for. */
static void
bench_edit(const char *name, const struct text *t,
    void (*edit)(struct document *doc, size_t line, bool on))
{
	struct document *doc = parse(t);
	size_t n = document_n_lines(doc);
	enum { ROUNDS = 200 };
	double worst = 0, total = 0;

	for (size_t i = 0; i < ROUNDS; i++) {
		size_t line = (size_t)((i * 7919u + 14u) % (n / 14)) * 14 + 3;

		for (int on = 1; on >= 0; on--) {
			double start = now(), took;

			edit(doc, line, on);
			if (document_diagnostics(doc)->n_errors > (size_t)on)
				abort();
			took = now() - start;
			total += took;
			if (took > worst)
				worst = took;
		}
	}
	document_free(doc);
	printf("%s_mean %.4f ms\n", name, total / (2 * ROUNDS) * 1e3);
	printf("%s_worst %.4f ms\n", name, worst * 1e3);
}

static void
must(bool done)
{
	if (!done)
		abort();
}

static void
replace(struct document *doc, size_t line, bool on)
{
	const char *text = on ? "1.RCS.500-1000.-1.2" : "1.RCS.500-1000.-1.0";

	must(edit_replace(doc, line, text, strlen(text), NULL));
}

static void
insert(struct document *doc, size_t line, bool on)
{
	if (on)
		must(edit_insert(doc, line, "d.10", 4, NULL));
	else
		must(edit_undo(doc));
}

static void
bench_size(size_t n_steps, const char *suffix)
{
	struct text t = {0};
	char name[64];

	generate(&t, n_steps);
	snprintf(name, sizeof(name), "parse_%s", suffix);
	bench_parse(name, &t, 20);
	snprintf(name, sizeof(name), "edit_line_%s", suffix);
	bench_edit(name, &t, replace);
	snprintf(name, sizeof(name), "insert_line_%s", suffix);
	bench_edit(name, &t, insert);
	text_free(&t);
}

int
main(void)
{
	bench_size(100000, "100k");
	bench_size(1000000, "1m");
	return 0;
}
