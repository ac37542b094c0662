/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Steps that platforms refuse (engine/compile/platform.h), and what a program
 * that is compiled for one says of it. */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/compile/platform.h"
#include "engine/compile/program.h"
#include "engine/profile.h"
#include "parser/document/document.h"
#include "tests/runner/test.h"

struct compiled {
	struct document *doc;
	struct diag_list diags;
	struct platform_findings findings;
	struct program *program;
};

/* The platform of `ideal` with the changes of the INI text; NULL: no platform
 * is named. */
static struct profile
profile_of(const char *ini)
{
	struct profile p;
	struct text err = {0};

	profile_init(&p);
	if (ini != NULL && !profile_parse(&p, "test.ini", ini, &err))
		fail_msg("%s", text_str(&err));
	text_free(&err);
	return p;
}

static struct compiled
compile(const char *text, const struct profile *device,
    const struct profile *platform, bool find)
{
	struct compiled c = {0};
	struct program_options options = {.duration_scale = 1,
	    .delay_scale = 1,
	    .all_slices = 7,
	    .platform = platform,
	    .findings = find ? &c.findings : NULL};
	struct device dev;

	device_init(&dev, device);
	c.doc = document_parse("test", text, strlen(text), SOURCE_INLINE);
	assert_true(document_is_valid(c.doc));
	c.program = program_compile((const struct document *const[]){c.doc}, 1,
	    &dev, &options, &c.diags);
	return c;
}

static void
compiled_free(struct compiled *c)
{
	program_free(c->program);
	platform_findings_free(&c->findings);
	diag_list_free(&c->diags);
	document_free(c->doc);
}

/* Prints the findings: "-" for a refusal or "+" for a need, then the step, the
 * text of its field, and the words. */
static void
expect_on(const char *ini, const char *text, const char *should)
{
	struct profile p = profile_of(ini);
	struct compiled c = compile(text, &p, ini != NULL ? &p : NULL, true);
	struct text is = {0};

	assert_non_null(c.program);
	for (size_t i = 0; i < c.findings.n; i++) {
		const struct platform_finding *f = &c.findings.list[i];
		size_t len;
		const char *line = document_line_text(c.doc, f->line, &len);

		assert_in_range(f->col + f->len, 1, len);
		text_addf(&is, "%s%u %c%.*s", i > 0 ? "|" : "", f->step,
		    f->verdict == PLATFORM_REFUSES ? '-' : '+', (int)f->len,
		    line + f->col);
	}
	if (strcmp(text_str(&is), should) != 0)
		fail_msg("%s on %s: is '%s', should be '%s'", text,
		    ini != NULL ? ini : "any", text_str(&is), should);
	text_free(&is);
	compiled_free(&c);
}

#define ON(generation, kernel)                                                 \
	"[platform]\nsseu = 0\ngeneration = " #generation                      \
	"\nkernel = " #kernel "\n"
#define XE   ON(20, 6.11) "xe = 1\n"
#define BOND "M.1.VCS,B.1,b.1.VCS1.RCS"

TEST(bonds)
{
	expect_on(ON(12, 5.13), BOND, "");
	expect_on(ON(12, 5.14), BOND, "2 -b");
	expect_on(ON(12, 6.0), BOND, "2 -b");
	expect_on(ON(12, 0.0), BOND, "");
	expect_on(ON(0, 6.0), BOND, "");
	/* One engine is no virtual one: these are taken still. */
	expect_on(ON(12, 6.0), "M.1.VCS2,B.1,b.1.VCS2.VCS1", "");
	expect_on(
	    ON(12, 6.0) "[device]\nVCS = 1\n", "M.1.VCS,B.1,b.1.VCS1.RCS", "");
	/* GuC has had none at any time. */
	expect_on(ON(12, 5.13) "[profile]\nscheduler = guc\n", BOND, "2 -b");
	expect_on(ON(12, 6.0) "[profile]\nscheduler = guc\n", BOND, "2 -b");
	expect_on(ON(12, 6.0) "[profile]\nscheduler = guc\n",
	    "M.1.VCS2,B.1,b.1.VCS2.VCS1", "2 -b");
	expect_on(XE, BOND, "2 -b");
	expect_on(NULL, BOND, "1 +B|2 +b");
}

TEST(slice_masks)
{
	expect_on(ON(10, 6.0), "S.1.1", "0 -S");
	expect_on(ON(11, 6.0), "S.1.1", "");
	expect_on(ON(12, 6.0), "S.1.1", "0 -S");
	expect_on(ON(0, 6.0), "S.1.1", "");
	expect_on("[platform]\ngeneration = 9\nsseu = 1\n", "S.1.1", "");
	expect_on(XE, "S.1.1", "0 -S");
	expect_on(NULL, "S.1.1", "0 +S");
}

TEST(balance)
{
	expect_on(ON(10, 6.0), "M.1.VCS,B.1", "1 -B");
	expect_on(ON(11, 6.0), "M.1.VCS,B.1", "");
	expect_on(ON(0, 6.0), "M.1.VCS,B.1", "");
	expect_on(XE, "M.1.VCS,B.1", "");
	expect_on(NULL, "M.1.VCS,B.1", "1 +B");
}

/* The rings that a batch can name without a map. */
TEST(rings)
{
	static const char wide[] = ON(12, 6.0) "[device]\nRCS = 2\nBCS = 2\n"
					       "VCS = 3\nVECS = 2\nCCS = 1\n";

	expect_on(wide,
	    "1.RCS.5.0.0,1.RCS1.5.0.0,1.BCS.5.0.0,1.VCS.5.0.0,1.VCS1.5.0.0,"
	    "1.VCS2.5.0.0,1.VECS.5.0.0,1.VECS1.5.0.0,1.DEFAULT.5.0.0",
	    "");
	expect_on(wide,
	    "1.RCS2.5.0.0,1.BCS2.5.0.0,1.VCS3.5.0.0,1.VECS2.5.0.0,1.CCS.5.0.0,"
	    "1.CCS1.5.0.0",
	    "0 -RCS2|1 -BCS2|2 -VCS3|3 -VECS2|4 -CCS|5 -CCS1");
	expect_on(wide, "M.1.VCS|CCS,1.VCS3.5.0.0,1.CCS1.5.0.0", "");
	expect_on(wide, "G.1.VCS1/VCS2,1.DEFAULT.5.0.0", "");
	expect_on(ON(0, 6.0), "1.CCS.5.0.0", "");
	expect_on(XE, "1.CCS.5.0.0,1.VECS2.5.0.0", "");
	expect_on(NULL, "1.CCS.5.0.0,1.VECS2.5.0.0", "0 -CCS|1 -VECS2");
	/* DEFAULT is the render ring. */
	expect_on(
	    ON(12, 6.0) "[device]\nRCS = 0\n", "1.DEFAULT.5.0.0", "0 -DEFAULT");
	expect_on(ON(12, 6.0) "[device]\nRCS = 0\n",
	    "M.1.CCS1,B.1,1.DEFAULT.5.0.0", "");
}

/* gem_wsim looks for the very engine in the map. */
TEST(names_on_maps)
{
	expect_on(ON(12, 6.0),
	    "M.1.RCS|VCS2,1.DEFAULT.5.0.0,M.1.VCS2,2.DEFAULT.5.0.0",
	    "1 -DEFAULT");
	expect_on(ON(12, 6.0), "M.1.RCS,1.RCS.5.0.0,1.RCS1.5.0.0", "1 -RCS");
	expect_on(ON(12, 6.0), "M.1.VCS,B.1,1.VCS.5.0.0,1.DEFAULT.5.0.0", "");
	expect_on(XE, "M.1.RCS,1.RCS.5.0.0", "");
	expect_on(NULL, "M.1.VCS2,1.DEFAULT.5.0.0", "1 -DEFAULT");
	expect_on(ON(12, 6.0), "1.VCS1-0.5.0.0", "0 -VCS1-0");
	expect_on(ON(12, 6.0), "M.1.VCS-0,1.VCS1.5.0.0", "0 -VCS-0");
	expect_on(XE, "1.VCS1-0.5.0.0", "");
	expect_on(NULL, "1.VCS1-0.5.0.0", "0 +VCS1-0");
}

TEST(classes_in_bonds)
{
	expect_on(ON(12, 5.13), "M.1.VCS,B.1,b.1.VCS1.VECS", "2 -b");
	expect_on(ON(12, 5.13), "M.1.VCS,B.1,b.1.VCS.RCS", "2 -b");
	expect_on(ON(12, 5.13) "[device]\nVECS = 1\n",
	    "M.1.VCS,B.1,b.1.VCS1.VECS", "");
	expect_on(NULL, "M.1.VCS,B.1,b.1.VCS1.VECS", "1 +B|2 +b");
	expect_on(NULL, "M.1.VCS,B.1,b.1.VCS1.VCS", "1 +B|2 +b|2 -b");
}

TEST(other_rules)
{
	expect_on(ON(7, 6.0), "1.RCS.*.0.0,T.-1", "0 -*");
	expect_on(ON(8, 6.0), "1.RCS.*.0.0,T.-1", "");
	/* Whoever asks for more has to be allowed to. */
	expect_on(ON(12, 6.0), "P.1.1,P.1.0,P.1.-5", "0 +1");
	expect_on(NULL, "P.1.1023,P.1.-5", "0 +1023");
	/* HEVC on one of two VCS. */
	expect_on(ON(11, 6.0) "[device]\nhevc.VCS = 1\n",
	    "M.1.VCS,M.1.VCS,B.1,M.2.VCS,M.3.VCS1,B.3,M.4.RCS,B.4", "1 +VCS");
	expect_on(ON(11, 6.0) "[device]\nhevc.VCS = 3\n", "M.1.VCS,B.1", "");
	expect_on(
	    ON(11, 6.0) "[device]\nhevc.VCS = 1\nVCS = 1\n", "M.1.VCS,B.1", "");
}

TEST(xe)
{
	expect_on(XE, "P.1.0,P.1.5", "0 -P|1 +5|1 -P");
	expect_on(XE, "w.1.4k,W.2.4k,1.RCS.5.r1-0/w2-0.0", "0 -w|1 -W");
	expect_on(XE, "1.RCS.5.0.0,1.BCS.5.s-1.0,1.BCS.5.f-2.0", "1 -s-1");
	expect_on(XE, "M.1.VCS1|RCS,1.VCS1.5.0.0", "0 -VCS1|RCS");
	expect_on(XE, "M.1.VCS1|VCS2", "");
	expect_on(XE, "M.1.VCS1|VCS", "0 -VCS1|VCS");
	expect_on(XE, "M.1.VCS|VCS2", "0 -VCS|VCS2");
	expect_on(XE, "M.1.VCS2|VCS2", "0 -VCS2|VCS2");
}

/* Errors at each step, or one warning for each rule that is the platform's. */
TEST(reports)
{
	static const char text[] = "S.1.1,M.1.VCS,B.1,S.1.3,S.2.1,M.2.VCS,B.2,"
				   "M.3.RCS,3.RCS.5.0.0,4.CCS.5.0.0";
	struct profile p = profile_of(ON(9, 6.0));
	struct compiled c = compile(text, &p, &p, false);

	assert_non_null(c.program);
	assert_int_equal(c.diags.n, 2);
	assert_int_equal(c.diags.n_errors, 0);
	assert_int_equal(c.diags.list[0].line, 0);
	assert_int_equal(c.diags.list[1].line, 2);
	assert_non_null(strstr(c.diags.list[0].message, "generation 11"));
	assert_int_equal(__builtin_popcount(c.program->refusals), 2);
	compiled_free(&c);

	p.refuse = 1;
	c = compile(text, &p, &p, false);
	assert_null(c.program);
	assert_int_equal(c.diags.n_errors, 7);
	compiled_free(&c);

	c = compile(text, &p, NULL, false);
	assert_non_null(c.program);
	assert_int_equal(c.diags.n, 0);
	assert_int_equal(c.program->refusals, 0);
	compiled_free(&c);
}

/* Each rule is reported once, also for several documents. */
TEST(told)
{
	struct profile p = profile_of(ON(9, 6.0));
	struct compiled c = compile("S.1.1,S.1.3,M.2.VCS,B.2", &p, &p, false);
	struct program_options options = {.duration_scale = 1,
	    .delay_scale = 1,
	    .all_slices = 7,
	    .platform = &p,
	    .refusals_reported = c.program->refusals};
	struct diag_list diags = {0};
	struct program *again;
	struct device dev;

	device_init(&dev, &p);
	again = program_compile(
	    (const struct document *const[]){c.doc}, 1, &dev, &options, &diags);
	assert_non_null(again);
	assert_int_equal(diags.n, 0);
	assert_int_equal(again->refusals, c.program->refusals);
	program_free(again);
	diag_list_free(&diags);
	compiled_free(&c);
}

/* All rules fit into a set, and have words for what they say. */
TEST(table)
{
	assert_in_range(platform_n_rules(), 1, 32);
	for (unsigned i = 0; i < platform_n_rules(); i++)
		assert_true(platform_words(i, PLATFORM_REFUSES) != NULL ||
		    platform_words(i, PLATFORM_NEEDS) != NULL);
}
