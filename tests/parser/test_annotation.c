/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The annotation language: the meaning of lines, diagnostics and their places,
 * and the words offered to complete a line. */
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/annotation.h"
#include "tests/runner/test.h"
#include "tests/support/doc.h"

/* Lists of all annotations; freed by the teardown. */
static struct arena arena;

static int
free_arena(void **state)
{
	(void)state;
	arena_free(&arena);
	return 0;
}

static struct annotation
parsed(const char *line)
{
	struct annotation a;
	struct diag_list diags = {0};
	bool ok = annotation_parse(&arena, line, strlen(line), 0, &a, &diags);

	if (!ok)
		fail_msg("%s: %s", line,
		    diags.n ? diags.list[0].message : "no diagnostic");
	assert_int_equal(diags.n, 0);
	diag_list_free(&diags);
	return a;
}

TEST(labels_are_between_quotes)
{
	struct annotation a = parsed("#@ label push \"Sha \\\"d\\\\ow\"");
	struct text t = {0};

	assert_int_equal(a.kind, ANNOTATION_LABEL_PUSH);
	annotation_label(&a, &t);
	assert_string_equal(text_str(&t), "Sha \"d\\ow");
	text_free(&t);
	assert_int_equal(
	    parsed("  #@label  pop \r").kind, ANNOTATION_LABEL_POP);
}

TEST(a_render_pass_has_all_options)
{
	struct annotation a = parsed(
	    "#@ renderpass 1920x1080 draws=42 subpasses=2 "
	    "attach=C0:clear:store,C7:resolve,D:load:discard,S suspend "
	    "weight=3");

	assert_int_equal(a.kind, ANNOTATION_RENDERPASS);
	assert_int_equal(a.size[0], 1920);
	assert_int_equal(a.size[1], 1080);
	assert_int_equal(a.draws, 42);
	assert_int_equal(a.subpasses, 2);
	assert_int_equal(a.weight, 3);
	assert_true(a.suspend);
	assert_false(a.resume);
	assert_int_equal(a.n_attachments, 4);
	assert_int_equal(a.attachments[0].load, LOAD_CLEAR);
	assert_int_equal(a.attachments[0].store, STORE_STORE);
	assert_int_equal(a.attachments[1].binding, 7);
	assert_true(a.attachments[1].resolve);
	assert_int_equal(a.attachments[2].binding, ATTACHMENT_DEPTH);
	assert_int_equal(a.attachments[2].load, LOAD_LOAD);
	assert_int_equal(a.attachments[2].store, STORE_DISCARD);
	assert_int_equal(a.attachments[3].binding, ATTACHMENT_STENCIL);
}

TEST(omitted_numbers_are_unknown)
{
	struct annotation a = parsed("#@ renderpass 8x4");

	assert_int_equal(a.draws, ANNOTATION_UNKNOWN);
	assert_int_equal(a.subpasses, 1);
	assert_int_equal(a.weight, 0);
	a = parsed("#@ renderpass draws=3 resume");
	assert_int_equal(a.size[0], ANNOTATION_UNKNOWN);
	assert_int_equal(a.draws, 3);
	assert_true(a.resume);
	a = parsed("#@ renderpass resume suspend");
	assert_true(a.resume && a.suspend);
}

TEST(a_dispatch_knows_its_group)
{
	struct annotation a = parsed("#@ dispatch 64x32x1 local=8x4x2");

	assert_int_equal(a.size[0], 64);
	assert_int_equal(a.size[1], 32);
	assert_int_equal(a.size[2], 1);
	assert_int_equal(a.local[1], 4);
	a = parsed("#@ dispatch 1x1x1 spirv=a/b.spv:main 0=16 7=8 indirect");
	assert_int_equal(a.spirv.len, 7);
	assert_memory_equal(a.spirv.s, "a/b.spv", 7);
	assert_memory_equal(a.entry.s, "main", 4);
	assert_int_equal(a.n_constants, 2);
	assert_int_equal(a.constants[1].id, 7);
	assert_int_equal(a.constants[1].value, 8);
	assert_true(a.indirect);
	assert_int_equal(parsed("#@ dispatch 1x1x1 spirv=x.spv").entry.len, 0);
}

TEST(other_workloads_have_a_size)
{
	assert_true(parsed("#@ tracerays 4x5x6 indirect").indirect);
	assert_int_equal(parsed("#@ copybuffer 65536").amount, 65536);
	assert_int_equal(
	    parsed("#@ fillbuffer whole").amount, ANNOTATION_WHOLE);
	assert_int_equal(parsed("#@ fillbuffer 7").amount, 7);
	assert_int_equal(
	    parsed("#@ copyimage 4096").kind, ANNOTATION_COPYIMAGE);
	assert_int_equal(
	    parsed("#@ clearimage 1 weight=2").kind, ANNOTATION_CLEARIMAGE);
	assert_int_equal(parsed("#@ secondary begin").times, 1);
	assert_int_equal(parsed("#@ secondary begin times=2").times, 2);
	assert_int_equal(
	    parsed("#@ secondary end").kind, ANNOTATION_SECONDARY_END);
	assert_int_equal(parsed("#@ once").kind, ANNOTATION_ONCE);
	assert_int_equal(parsed("#@ weight=3").weight, 3);
	assert_false(annotation_is_workload(ANNOTATION_WEIGHT));
	assert_true(annotation_is_workload(ANNOTATION_CLEARIMAGE));
}

static const struct wrong {
	const char *line;
	uint32_t col, len;
	const char *message; /* or its beginning */
} wrongs[] = {
    {"#@", 2, 1,
	"empty annotation: expected one, e.g. #@ label push \"Shadow\""},
    {"#@ lable push \"x\"", 3, 5,
	"unknown annotation 'lable': expected label, renderpass, dispatch, tracerays, copybuffer, fillbuffer, copyimage, clearimage, blitimage, resolveimage, mipmaps, buffertoimage, imagetobuffer, memorytoimage, copymemory, copytensor, copyquery, ascopy, astomemory, memorytoas, micromapcopy, micromaptomemory, memorytomicromap, asbuild, datagraph, secondary, once or weight="},
    {"#@ label put \"x\"", 9, 3,
	"invalid word 'put' after label: expected push or pop"},
    {"#@ label push Shadow", 14, 6,
	"invalid label 'Shadow': expected quotes, e.g. \"Shadow\""},
    {"#@ label push \"Shadow", 14, 7,
	"unterminated label: expected a \" at its end"},
    {"#@ label push \"a\\n\"", 16, 2,
	"invalid escape '\\n': expected \\\" or \\\\"},
    {"#@ label push \"\xff\"", 15, 1,
	"invalid label: expected visible UTF-8 text, e.g. \"Shadow\""},
    {"#@ label push \"\x1b[2J\"", 15, 1,
	"invalid label: expected visible UTF-8 text, e.g. \"Shadow\""},
    {"#@ label push \"a\"b", 14, 4,
	"unterminated label: expected a \" at its end"},
    {"#@ label push \"a\" b", 18, 1,
	"unexpected 'b': expected the end of the line"},
    {"#@ label pop now", 13, 3,
	"unexpected 'now': expected the end of the line"},
    {"#@ renderpass", 13, 1,
	"invalid area '': expected a size, e.g. 1920x1080"},
    {"#@ renderpass 1920", 14, 4,
	"invalid area '1920': expected a size, e.g. 1920x1080"},
    {"#@ renderpass 0x8", 14, 1, "invalid area '0': expected 1 to 2147483647"},
    {"#@ renderpass 8x9999999999", 16, 10,
	"invalid area '9999999999': expected 1 to 2147483647"},
    {"#@ renderpass 8x8 draws=x", 24, 1,
	"invalid draws 'x': expected 0 to 2147483647"},
    {"#@ renderpass 8x8 draws=1 draws=2", 26, 7,
	"repeated option draws: expected it once"},
    {"#@ renderpass 8x8 subpasses=0", 28, 1,
	"invalid subpasses '0': expected 1 to 2147483647"},
    {"#@ renderpass 8x8 indirect", 18, 8,
	"unexpected 'indirect': expected draws=, subpasses=, attach=, suspend, resume or weight="},
    {"#@ renderpass 8x8 attach=C8", 25, 2,
	"invalid attachment 'C8': expected C0 to C7, D or S"},
    {"#@ renderpass 8x8 attach=D:wipe", 27, 4,
	"invalid load operation 'wipe': expected load, clear or discard"},
    {"#@ renderpass 8x8 attach=D:clear:keep", 33, 4,
	"invalid store operation 'keep': expected store or discard"},
    {"#@ renderpass 8x8 attach=D,D:load", 27, 6,
	"repeated attachment 'D': expected it once"},
    {"#@ dispatch 8x8", 12, 3,
	"invalid groups '8x8': expected a size, e.g. 64x64x1"},
    {"#@ dispatch 8x8x8 local=8", 24, 1,
	"invalid group size '8': expected a size, e.g. 8x8x1"},
    {"#@ dispatch 8x8x8 local=8x8x65536", 24, 9,
	"invalid group size '8x8x65536': expected at most 65535 in each dimension, e.g. 8x8x1"},
    {"#@ dispatch 8x8x8 0=1", 0, 21,
	"constants without SPIR-V: expected spirv=FILE, e.g. spirv=blur.spv:main"},
    {"#@ dispatch 8x8x8 spirv=a 0=1 0=2", 30, 3,
	"repeated constant 0: expected each id once"},
    {"#@ dispatch 8x8x8 spirv=:main", 24, 5,
	"missing SPIR-V file: expected a name, e.g. spirv=shader.spv or spirv=shader.spv:main"},
    {"#@ dispatch 8x8x8 spirv=a:", 24, 2,
	"missing entry point after ':': expected a name, e.g. shader.spv:main"},
    {"#@ dispatch 8x8x8 local=1x1x1 spirv=a", 0, 37,
	"conflicting local= and spirv=: expected one of them for the group size"},
    {"#@ tracerays 8x8x8 local=1x1x1", 19, 11,
	"unexpected 'local=1x1x1': expected indirect or weight="},
    {"#@ copybuffer whole", 14, 5,
	"invalid size 'whole': expected a number, e.g. 65536"},
    {"#@ fillbuffer all", 14, 3,
	"invalid size 'all': expected bytes, e.g. 65536, or whole"},
    {"#@ copyimage 9999999999999999999", 13, 19,
	"invalid size '9999999999999999999': expected 0 to 4611686018427387903"},
    {"#@ secondary", 12, 1,
	"invalid word '' after secondary: expected begin or end"},
    {"#@ secondary begin times=65", 25, 2,
	"invalid times '65': expected 1 to 64"},
    {"#@ weight=0", 10, 1, "invalid weight '0': expected 1 to 1000000"},
    {"#@ weight", 3, 6,
	"unknown annotation 'weight': expected label, renderpass, dispatch, tracerays, copybuffer, fillbuffer, copyimage, clearimage, blitimage, resolveimage, mipmaps, buffertoimage, imagetobuffer, memorytoimage, copymemory, copytensor, copyquery, ascopy, astomemory, memorytoas, micromapcopy, micromaptomemory, memorytomicromap, asbuild, datagraph, secondary, once or weight="},
};

TEST(errors_have_a_place_and_an_expectation)
{
	for (size_t i = 0; i < sizeof(wrongs) / sizeof(*wrongs); i++) {
		const struct wrong *w = &wrongs[i];
		struct diag_list diags = {0};
		struct annotation a;
		const struct diag *d;

		assert_false(annotation_parse(
		    &arena, w->line, strlen(w->line), 5, &a, &diags));
		assert_int_equal(diags.n, 1);
		d = &diags.list[0];
		if (d->line != 5 || d->col != w->col || d->len != w->len ||
		    strncmp(d->message, w->message, strlen(w->message)) != 0)
			fail_msg("%s: %u: %u,%u: %s", w->line, d->line, d->col,
			    d->len, d->message);
		diag_list_free(&diags);
		assert_false(annotation_parse(
		    &arena, w->line, strlen(w->line), 0, &a, NULL));
	}
}

TEST(all_errors_of_a_line_are_reported)
{
	const char *line = "#@ renderpass 8 draws=x nonsense weight=0";
	struct diag_list diags = {0};
	struct annotation a;

	annotation_parse(&arena, line, strlen(line), 0, &a, &diags);
	assert_int_equal(diags.n, 4);
	diag_list_free(&diags);
}

/* Compares the diagnostics of a document, as lines "LINE[ error]: WHAT". */
static void
assert_reported(const char *lines, const char *expected)
{
	struct document *doc = doc_of(lines, SOURCE_FILE);
	const struct diag_list *diags = document_diagnostics(doc);
	struct text t = {0};

	for (size_t i = 0; i < diags->n; i++) {
		const struct diag *d = &diags->list[i];

		text_addf(&t, "%u%s: %.*s\n", d->line + 1,
		    d->severity == DIAG_ERROR ? " error" : "",
		    (int)strcspn(d->message, ",:"), d->message);
	}
	assert_string_equal(text_str(&t), expected);
	assert_int_equal(document_is_valid(doc), diags->n_errors == 0);
	text_free(&t);
	document_free(doc);
}

#define BATCH "1.RCS.10.0.0\n"
#define VIDEO "1.VCS.10.0.0\n"
#define BEGIN "#@ secondary begin\n"
#define END   "#@ secondary end\n"

#define BEGIN4   BEGIN BEGIN BEGIN BEGIN
#define END4     END END END END
#define TIMES(n) "#@ secondary begin times=" #n "\n"

TEST(secondaries_have_a_begin_and_an_end)
{
	assert_reported(BEGIN "# x\n" END "d.5\n" BEGIN END BATCH, "");
	assert_reported(BEGIN BATCH BATCH, "1 error: unterminated secondary\n");
	assert_reported(
	    BATCH END BATCH, "2 error: unexpected end of a secondary\n");
	assert_reported(BEGIN "d.5\n" BATCH END BATCH,
	    "1 error: unterminated secondary\n4 error: unexpected end of a secondary\n");
	assert_reported(BEGIN BEGIN END END BEGIN END BATCH, "");
	assert_reported(
	    BEGIN BEGIN END BATCH, "1 error: unterminated secondary\n");
	assert_reported(BEGIN END BEGIN BEGIN BATCH,
	    "3 error: unterminated secondary\n4 error: unterminated secondary\n");
	assert_reported(BEGIN4 BEGIN4 END4 END4 BATCH, "");
	assert_reported(BEGIN4 BEGIN4 BEGIN END END4 END4 BATCH,
	    "9 error: too many nested secondaries\n");
	assert_reported(TIMES(8) TIMES(8) END END BATCH, "");
	assert_reported(TIMES(8) TIMES(8) TIMES(2) BEGIN END4 BATCH,
	    "3 error: too many nested secondaries\n");
	assert_reported(
	    BEGIN END END BATCH, "3 error: unexpected end of a secondary\n");
	assert_reported(BATCH BEGIN, "2: annotation without a batch\n");
	/* The second line may be meant as anything. */
	assert_reported(BEGIN "#@ secondary and\n" BATCH,
	    "2 error: invalid word 'and' after secondary\n");
}

TEST(weights_and_once_are_for_workloads)
{
	assert_reported("#@ weight=3\n#@ once\n" BATCH, "");
	assert_reported("#@ weight=3\n#@ once\n" VIDEO,
	    "1: weight without a workload\n2: once without a workload\n");
	assert_reported("#@ weight=3\n#@ copybuffer 1\n#@ once\n" VIDEO, "");
	assert_reported("#@ copybuffer 1\n#@ weight=3\n" BATCH,
	    "2: weight without a workload\n");
}

TEST(resumed_passes_were_suspended)
{
	assert_reported("#@ renderpass resume attach=C0\n" BATCH,
	    "1: resumed render pass without a suspended one\n");
	assert_reported("#@ renderpass resume suspend\n" BATCH,
	    "1: resumed render pass without a suspended one\n");
	/* The pass was suspended in the iteration before. */
	assert_reported("#@ renderpass resume\n" BATCH
			"#@ renderpass 8x8 suspend\n" BATCH,
	    "");
}

/* Compares the words offered, after the number of bytes typed of them:
 * "2:draws= ". */
static void
assert_words(const char *line, size_t typed, const char *expected)
{
	const char *words[32];
	struct text t = {0};
	size_t got, n = annotation_words(line, strlen(line), words, 32, &got);

	for (size_t i = 0; i < n; i++)
		text_addf(&t, "%s%s", i ? " " : "", words[i]);
	assert_string_equal(text_str(&t), expected);
	assert_int_equal(got, typed);
	text_free(&t);
}

TEST(words_complete_a_line)
{
	assert_words("#@ ", 0,
	    "label renderpass dispatch tracerays copybuffer fillbuffer "
	    "copyimage clearimage blitimage resolveimage mipmaps "
	    "buffertoimage imagetobuffer memorytoimage copymemory copytensor "
	    "copyquery ascopy astomemory memorytoas micromapcopy "
	    "micromaptomemory memorytomicromap asbuild datagraph secondary "
	    "once weight=");
	assert_words(
	    "#@co", 2, "copybuffer copyimage copymemory copytensor copyquery");
	assert_words("#@ asbuild 7 f", 1, "fasttrace");
	assert_words("#@ asbuild 7 u", 1, "update");
	assert_words("#@ label ", 0, "push pop");
	assert_words("#@ label pu", 2, "push");
	assert_words("#@ label push ", 0, "");
	assert_words("#@ secondary e", 1, "end");
	assert_words("#@ secondary begin ", 0, "times=");
	assert_words("#@ fillbuffer w", 1, "whole");
	assert_words("#@ renderpass ", 0, "resume");
	assert_words("#@ renderpass 8x8 draws=1 ", 0,
	    "subpasses= attach= suspend resume weight=");
	assert_words("#@ renderpass resume ", 0,
	    "draws= subpasses= attach= suspend weight=");
	assert_words("#@ dispatch ", 0, "");
	assert_words("#@ dispatch 1x1x1 lo", 2, "local=");
	assert_words("#@ nonsense ", 0, "");
	assert_words("#@ once ", 0, "");
}

FIXTURES(NULL, free_arena);
