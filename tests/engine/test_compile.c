/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A descriptor as a device runs it: engines, maps, bonds, parallel slots
 * (doc/model/common.md "Virtual engines"; doc/model/guc.md "Parallel slots")
 * and what the objects become.
 */
#include <stdlib.h>
#include <string.h>

#include "base/stop.h"
#include "base/text.h"
#include "engine/compile/program.h"
#include "engine/profile.h"
#include "tests/runner/test.h"

struct result {
	struct document *doc;
	struct device dev;
	struct diag_list diags;
	struct program *program;
};

static struct result
compile_for(const char *text, const struct profile *profile)
{
	struct result r = {0};
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1, .all_slices = 0};

	device_init(&r.dev, profile);
	options.all_slices = device_all_slices(&r.dev);
	r.doc = document_parse("test", text, strlen(text), SOURCE_INLINE);
	if (!document_is_valid(r.doc))
		print_error("'%s' did not parse\n", text);
	assert_true(document_is_valid(r.doc));
	r.program = program_compile((const struct document *const[]){r.doc}, 1,
	    &r.dev, &options, &r.diags);
	return r;
}

static struct result
compile(const char *text)
{
	struct profile profile;

	profile_init(&profile);
	return compile_for(text, &profile);
}

static void
result_free(struct result *r)
{
	program_free(r->program);
	diag_list_free(&r->diags);
	document_free(r->doc);
}

/* The first error, past the warnings. */
static const struct diag *
first_error(const struct result *r)
{
	for (size_t i = 0; i < r->diags.n; i++) {
		if (r->diags.list[i].severity == DIAG_ERROR)
			return &r->diags.list[i];
	}
	return NULL;
}

static void
expect_error(const char *text, unsigned line, unsigned col, const char *what)
{
	struct result r = compile(text);
	const struct diag *diag = first_error(&r);

	assert_null(r.program);
	assert_non_null(diag);
	if (strstr(diag->message, what) == NULL)
		print_error(
		    "'%s': '%s' is not in '%s'\n", text, what, diag->message);
	assert_non_null(strstr(diag->message, what));
	assert_int_equal(diag->line, line);
	assert_int_equal(diag->col, col);
	result_free(&r);
}

static void
expect_fine(const char *text, unsigned n_warnings)
{
	struct result r = compile(text);

	if (r.program == NULL || r.diags.n != n_warnings)
		print_error("'%s': %s\n", text,
		    r.diags.n > 0 ? r.diags.list[0].message : "");
	assert_non_null(r.program);
	assert_int_equal(r.diags.n, n_warnings);
	result_free(&r);
}

/* Name of the engine, or "virtual", that the last step is sent to. */
static void
expect_engine(const char *text, const char *name)
{
	struct result r = compile(text);
	const struct op *op;
	const struct ring_def *ring;

	assert_non_null(r.program);
	op = &r.program->ops[r.program->n_ops - 1];
	ring = &r.program->rings[op->batch.ring];
	assert_string_equal(
	    ring->is_virtual ? "virtual" : r.dev.engines[ring->engine].name,
	    name);
	result_free(&r);
}

TEST(engines_without_a_map)
{
	expect_engine("1.DEFAULT.1.0.0", "RCS");
	expect_engine("1.VCS.1.0.0", "VCS1");
	expect_engine("1.vcs2.1.0.0", "VCS2");
	expect_engine("1.CCS.1.0.0", "CCS");
	expect_engine("1.VCS2-0.1.0.0", "VCS2");
	expect_error("1.VCS3.1.0.0", 0, 2, "VCS3");
	expect_error("1.VCS1-1.1.0.0", 0, 2, "VCS1-1");
}

TEST(default_without_render)
{
	struct profile profile;
	struct result r;

	profile_init(&profile);
	profile.n_engines[CLASS_RCS] = 0;
	r = compile_for("1.DEFAULT.1.0.0", &profile);
	assert_string_equal(
	    r.dev.engines[r.program->rings[0].engine].name, "CCS");
	result_free(&r);
}

TEST(engines_of_a_map)
{
	expect_engine("M.1.VCS,1.VCS2.1.0.0", "VCS2");
	expect_engine("M.1.VCS1|RCS,1.VCS.1.0.0", "VCS1");
	expect_engine("M.1.VCS2,1.DEFAULT.1.0.0", "VCS2");
	expect_error("M.1.VCS,1.VCS.1.0.0", 1, 2, "several");
	expect_error("M.1.VCS,1.DEFAULT.1.0.0", 1, 2, "several");
	expect_error("M.1.VCS,1.RCS.1.0.0", 1, 2, "not in the map");
	expect_error("M.1.VCS3,1.VCS.1.0.0", 0, 4, "no engine 'VCS3'");
	/* The last M counts, wherever it stands. */
	expect_engine("M.1.VCS,M.1.RCS,1.DEFAULT.1.0.0", "RCS");
}

TEST(engines_of_a_balanced_map)
{
	expect_engine("M.1.VCS,B.1,1.DEFAULT.1.0.0", "virtual");
	expect_engine("M.1.VCS,B.1,1.VCS.1.0.0", "virtual");
	expect_engine("M.1.VCS,B.1,1.VCS2.1.0.0", "VCS2");
	expect_engine("M.1.VCS2,B.1,1.DEFAULT.1.0.0", "VCS2");
	expect_engine("M.1.VCS|RCS,B.1,1.RCS.1.0.0", "RCS");
	expect_engine("M.1.VCS|RCS,B.1,1.DEFAULT.1.0.0", "virtual");
	expect_error("M.1.VCS|RCS,B.1,1.VCS.1.0.0", 2, 2, "part of");
	expect_error("M.1.VCS1|VCS2|VECS1,B.1,1.VCS.1.0.0", 2, 2, "part of");
	expect_error("M.1.VCS1|VCS1,B.1,1.VCS1.1.0.0", 0, 4, "twice");
}

/* Any engine of the device that is not in the map: as DEFAULT, with a warning
 * of each batch. */
TEST(engines_outside_a_balanced_map)
{
	expect_engine("M.1.VCS,B.1,1.RCS.1.0.0", "virtual");
	expect_engine("M.1.VCS,B.1,1.VECS.1.0.0", "virtual");
	expect_engine("M.1.VCS2,B.1,1.VCS1.1.0.0", "VCS2");
	expect_engine("M.1.VCS2,B.1,1.BCS.1.0.0", "VCS2");
	expect_fine("M.1.VCS,B.1,1.RCS.1.0.0,2.RCS.1.0.0,1.BCS.1.0.0", 2);
	expect_error("M.1.VCS,B.1,1.VECS3.1.0.0", 2, 2, "no engine 'VECS3'");
	expect_error("M.1.VCS,1.RCS.1.0.0", 1, 2, "not in the map");
}

TEST(mixed_balance_is_warned_of)
{
	expect_fine("M.1.RCS|VECS,B.1,1.DEFAULT.1.0.0", 1);
	expect_fine("M.1.VCS,B.1,1.DEFAULT.1.0.0", 0);
}

TEST(bonds)
{
	expect_fine("M.1.VCS,B.1,b.1.VCS1.RCS,b.1.VCS2.BCS", 0);
	expect_error("M.1.VCS,B.1,b.1.RCS.BCS", 2, 4,
	    "sibling 'RCS' is not in the map of context 1: expected VCS1 VCS2");
	expect_error("M.1.VCS,B.1,b.1.VCS1.VCS9", 2, 9, "no engine 'VCS9'");
}

/* The bonds of context 1, as "MASTER:siblings" with engines as bits. */
static void
expect_bonds(const char *text, const struct bond *bonds, size_t n)
{
	struct result r = compile(text);
	const struct context_def *def;

	assert_non_null(r.program);
	def = &r.program->contexts[0];
	assert_int_equal(def->n_bonds, n);
	for (size_t i = 0; i < n; i++) {
		assert_int_equal(def->bonds[i].master, bonds[i].master);
		assert_int_equal(def->bonds[i].siblings, bonds[i].siblings);
	}
	result_free(&r);
}

/* Engines of `ideal`: RCS BCS VCS1 VCS2 VECS1 VECS2 CCS. */
TEST(bonds_with_classes)
{
	expect_bonds("M.1.VCS,B.1,b.1.VCS1.VECS",
	    (struct bond[]){{4, 1 << 2}, {5, 1 << 2}}, 2);
	expect_bonds(
	    "M.1.VCS,B.1,b.1.VCS.RCS", (struct bond[]){{0, 3 << 2}}, 1);
	expect_bonds(
	    "M.1.RCS|VCS2,B.1,b.1.VCS.CCS", (struct bond[]){{6, 1 << 3}}, 1);
	/* One of each master, however many there are. */
	expect_bonds("M.1.VCS,B.1,b.1.VCS1.RCS,b.1.VCS2.RCS,b.1.VCS1.RCS",
	    (struct bond[]){{0, 3 << 2}}, 1);
	/* Seed 001's own. */
	expect_fine("M.1.RCS|VECS,B.1,M.2.VCS1|VCS2,B.2,b.2.VCS1.RCS,"
		    "b.2.VCS2.VECS,1.DEFAULT.10.0.0,2.DEFAULT.10.s-1.0",
	    1);
}

TEST(parallel_slots)
{
	expect_fine("G.1.VCS1/VCS2,1.DEFAULT.10/20.0.0", 0);
	expect_error("M.1.VCS,G.1.VCS1/VCS2", 1, 2, "engine map");
	expect_error("G.1.VCS1/VCS2,G.1.VCS1/VCS2", 1, 2, "parallel slot");
	expect_error("G.1.VCS1/VCS2,M.1.VCS", 1, 2, "parallel slot");
	expect_error("G.1.VCS1|VCS2", 0, 4, "at least two rows");
	expect_error("G.1.VCS1/VCS3", 0, 4, "no engine 'VCS3'");
	expect_error("G.1.DEFAULT/VCS2", 0, 4, "DEFAULT in a parallel slot");
	expect_error("G.1.VCS1|VCS1/VCS2|VCS2", 0, 4, "twice in one row");
	expect_error("G.1.RCS/CCS", 0, 4, "RCS and CCS");
	expect_error("G.1.VCS1/VECS2", 0, 4, "of one class");
	expect_error("G.1.VCS2/VCS1", 0, 4, "instances plus one");
	expect_error("G.1.VCS1/VCS2,1.VCS1.10.0.0", 1, 2, "expected DEFAULT");
}

TEST(slices)
{
	struct result r = compile("S.1.-1,S.1.1,1.RCS.1.0.0");

	assert_int_equal(r.program->ops[0].set.value, 7);
	assert_int_equal(r.program->ops[1].set.value, 1);
	result_free(&r);
	expect_fine("S.1.15,1.RCS.1.0.0", 1);
	expect_error("S.1.8,1.RCS.1.0.0", 0, 4, "slice mask 8");
}

/* X: the last one of the context before the batch; 100 us without one. */
TEST(preemption_points)
{
	struct result r = compile("1.RCS.1.0.0,X.1.0,1.RCS.1.0.0,X.2.7,"
				  "2.RCS.1.0.0,1.RCS.1.0.0");

	assert_int_equal(r.program->ops[0].batch.preempt_us, 100);
	assert_int_equal(r.program->ops[2].batch.preempt_us, 0);
	assert_int_equal(r.program->ops[4].batch.preempt_us, 7);
	assert_int_equal(r.program->ops[5].batch.preempt_us, 0);
	result_free(&r);
}

/* A set counts as many objects as its batches can tell apart. */
TEST(huge_sets_cost_little)
{
	struct result r = compile("w.1.1000000n4k,1.RCS.1.r1-0-999999.0,"
				  "2.BCS.1.w1-5.0,3.VCS1.1.r1-6-9/w1-9.0");

	assert_non_null(r.program);
	/* 3 outputs; pieces 0-4, 5, 6-8, 9, 10-999999. */
	assert_int_equal(r.program->n_objects, 3 + 5);
	assert_int_equal(r.program->ops[1].batch.n_uses, 1 + 5);
	assert_int_equal(r.program->ops[2].batch.n_uses, 1 + 1);
	assert_int_equal(r.program->ops[3].batch.n_uses, 1 + 2);
	assert_true(r.program->ops[3].batch.uses[2].write);
	result_free(&r);
}

TEST(scales)
{
	struct document *doc = document_parse("t",
	    "1.RCS.100-300.0.0,d.10,p.10",
	    strlen("1.RCS.100-300.0.0,d.10,p.10"), SOURCE_INLINE);
	struct program_options options = {
	    .duration_scale = 0.5, .delay_scale = 2, .all_slices = 7};
	struct profile profile;
	struct diag_list diags = {0};
	struct device dev;
	struct program *p;

	profile_init(&profile);
	device_init(&dev, &profile);
	p = program_compile(
	    (const struct document *const[]){doc}, 1, &dev, &options, &diags);
	assert_int_equal(p->ops[0].batch.durations[0].min_us, 50);
	assert_int_equal(p->ops[0].batch.durations[0].max_us, 150);
	assert_int_equal(p->ops[1].delay, 20000);
	assert_int_equal(p->ops[2].delay, 10000);
	program_free(p);
	document_free(doc);
}

TEST(annotations_are_handed_on)
{
	const char *text = "#@ label push \"A\"\nd.5\n#@ once\n1.RCS.1.0.0\n"
			   "2.RCS.1.0.0\n";
	struct document *doc = document_parse(
	    "t", text, strlen(text), SOURCE_FILE);
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1, .all_slices = 7};
	struct profile profile;
	struct diag_list diags = {0};
	struct device dev;
	struct program *p;

	profile_init(&profile);
	device_init(&dev, &profile);
	p = program_compile(
	    (const struct document *const[]){doc}, 1, &dev, &options, &diags);
	assert_int_equal(p->annotations[1]->n, 2);
	assert_int_equal(
	    p->annotations[1]->list[0].kind, ANNOTATION_LABEL_PUSH);
	assert_memory_equal(p->annotations[1]->list[1].text.s, "#@ once", 7);
	assert_null(p->annotations[2]);
	program_free(p);
	document_free(doc);
}

/* All that is wrong in one pass, also where something else did not parse. */
TEST(engines_of_a_bad_document)
{
	const char *text = "1.RCS.x.0.0\n1.VCS9.5.0.0\n2.BCS.5.-9.0\n"
			   "G.3.RCS/CCS\n";
	struct document *doc = document_parse(
	    "t", text, strlen(text), SOURCE_FILE);
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1, .all_slices = 7};
	struct profile profile;
	struct diag_list diags = {0};
	struct device dev;

	profile_init(&profile);
	device_init(&dev, &profile);
	assert_int_equal(document_diagnostics(doc)->n_errors, 2);
	assert_null(program_compile(
	    (const struct document *const[]){doc}, 1, &dev, &options, &diags));
	assert_int_equal(diags.n, 2);
	assert_non_null(strstr(diags.list[0].message, "RCS and CCS"));
	assert_non_null(strstr(diags.list[1].message, "VCS9"));
	diag_list_free(&diags);
	document_free(doc);
}

static bool
at_once(void *data)
{
	(void)data;
	return true;
}

/* Compiling that is not wanted any more ends without a word. */
TEST(stop)
{
	const struct stop stop = {at_once, NULL};
	struct program_options options = {
	    .duration_scale = 1, .delay_scale = 1, .stop = &stop};
	struct diag_list diags = {0};
	struct profile profile;
	struct device dev;
	struct text t = {0};
	struct document *doc;

	profile_init(&profile);
	device_init(&dev, &profile);
	for (int i = 0; i < 50000; i++)
		text_adds(&t, "1.RCS.100.0.0\n");
	doc = document_parse("x", t.data, t.len, SOURCE_FILE);
	assert_null(program_compile(
	    (const struct document *const *)&doc, 1, &dev, &options, &diags));
	assert_int_equal(diags.n, 0);
	document_free(doc);
	text_free(&t);
}
