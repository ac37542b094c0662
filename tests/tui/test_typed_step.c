/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The meaning of a line while it is typed: the field under the cursor, and the
 * lines that its offsets lead to. */
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tui/input/typed_step.h"

static const char text[] = "# two passes\n"
			   "1.RCS.1000.0.0\n"
			   "2.VCS1.500-900.-1.0\n"
			   "f\n"
			   "12.BCS.*.f-1.0\n"
			   "3.RCS.oops.0.0\n"
			   "a.-2\n";

#define END 7 /* the line after the last */

static struct profile profile;

static struct document *
open_document(struct step_scene *scene, size_t line)
{
	struct document *doc = document_parse(
	    "t", text, strlen(text), SOURCE_FILE);

	profile_init(&profile);
	*scene = (struct step_scene){doc, &profile, line};
	return doc;
}

/* At the ^ of what is typed, or at its end; the first line without the syntax,
 * or, if it begins with "...", the end of the second. */
static void
expect(const char *typed, const char *want)
{
	struct step_scene scene;
	struct document *doc = open_document(&scene, END);
	const char *bar = strchr(typed, '^');
	size_t at = bar != NULL ? (size_t)(bar - typed) : strlen(typed);
	struct text line = {0}, got = {0};
	const char *s, *newline;

	text_add(&line, typed, at);
	if (bar != NULL)
		text_adds(&line, bar + 1);
	typed_explain(&scene, text_str(&line), at, &got);
	s = text_str(&got);
	newline = strchr(s, '\n');
	if (strncmp(want, "...", 3) == 0) {
		assert_non_null(newline);
		assert_true(strlen(newline) > strlen(want + 3));
		s += strlen(s) - strlen(want + 3);
		assert_string_equal(s, want + 3);
	} else {
		if (got.len > 0)
			got.data[strcspn(s, "\t\n")] = 0;
		assert_string_equal(s, want);
	}
	text_free(&line);
	text_free(&got);
	document_free(doc);
}

TEST(names)
{
	expect("", "step: a context's number for a batch, or a letter");
	expect("x", "step: a context's number for a batch, or a letter");
	expect("P", "context priority: P");
	expect("P", "...P.ctx.prio, e.g. P.1.100");
	expect("1.", "engine: where the batch runs");
	expect("1.", "...; then .duration");
	expect("1.RCS.1x", "duration (us): how long the batch runs");
	expect("1.RCS.5.0.", "wait: what the client does next");
	expect("1.RCS.5.0.0", "...; then Enter");
	expect("d.5, q.",
	    "queue depth (steps): how many are queued on an "
	    "engine");
	expect("1.R^CS.5.0.0", "engine: RCS = render");
}

TEST(values)
{
	expect("1", "submit a batch: 1 = context 1, as in line 2, step 0");
	expect("M.7", "context: 7 = context 7");
	expect("1.VCS", "engine: VCS = video, the first of 2");
	expect("1.vcs2", "engine: vcs2 = video engine 2 of 2");
	expect("1.VCS3", "engine: VCS3 = the device has 2 of this class");
	expect("M.1.RCS|VECS", "engines: VECS = video enhancement, all 2");
	expect("1.RCS.1000", "duration (us): 1000 = 1.00ms");
	expect("1.RCS.*",
	    "duration (us): * = without end: until a T step names it");
	expect("1.RCS.500-1000",
	    "duration (us): 500-1000 = 500us to 1.00ms, random for each "
	    "submission");
	expect("p.16667", "period (us): 16667 = 60 Hz");
	expect("P.1.1023", "priority: 1023 = the highest");
	expect("P.1.7", "priority: the higher one runs first");
	expect("X.1.250", "preemption period (us): 250 = a point every 250us");
	expect("S.1.-1", "slice mask: -1 = all slices");
	expect("1.RCS.5.0.1",
	    "wait: 1 = the client waits for the end of the batch");
}

TEST(offsets)
{
	expect("1.RCS.5.-1",
	    "dependencies (steps back): -1 = data of line 7, step 5: a.-2");
	expect("1.RCS.5.-1/f-5",
	    "dependencies (steps back): f-5 = end of line 3, step 1: "
	    "2.VCS1.500-900.-1.0");
	expect("1.RCS.5.s-^6/f-5",
	    "dependencies (steps back): s-6 = start of line 2, step 0: "
	    "1.RCS.1000.0.0");
	expect("1.RCS.5.-2",
	    "dependencies (steps back): -2 = data of line 6, step 4: "
	    "3.RCS.oops.0.0");
	expect("s.-9", "target (steps back): -9 = before the first step");
	expect("f,a.-1", "target (steps back): -1 = a step of this line");
	expect("1.RCS.5.r7-0-3",
	    "dependencies (steps back): r7-0-3 = reads objects 0 to 3 of "
	    "working set 7");
}

static void
expect_targets(const char *typed, size_t line, const char *want)
{
	struct step_scene scene;
	struct document *doc = open_document(&scene, line);
	struct typed_target list[4];
	size_t n = typed_targets(&scene, typed, list, 4);
	struct text got = {0};

	for (size_t i = 0; i < n; i++)
		text_addf(&got, "%s%zu:%s", i > 0 ? " " : "", list[i].line,
		    list[i].offset);
	assert_string_equal(text_str(&got), want);
	text_free(&got);
	document_free(doc);
}

TEST(annotations)
{
	expect("# text", "");
	expect("#@", "annotation: what the next batch contains");
	expect("#@ dispatch", "dispatch: a compute dispatch");
	expect("#@ dispatch 8x8x1 local=8x8x1", "local: size of a group");
	expect("#@ dispatch ",
	    "...#@ dispatch XxYxZ [local=XxYxZ] "
	    "[spirv=FILE:ENTRY] [indirect] [weight=N]");
	expect("#@ dispatch 8x8x1", "annotation: a compute dispatch");
	expect("#@ label", "label: push or pop a label");
	expect("#@ label push", "push: push a label on the ring's stack");
}

TEST(targets)
{
	expect_targets("", END, "");
	expect_targets("1.RCS.5.", END, "");
	expect_targets("1.RCS.5.-", END, "");
	expect_targets("1.RCS.5.-1", END, "6:-1");
	expect_targets("1.RCS.5.-1/f-2/s-9", END, "6:-1 5:f-2");
	expect_targets("1.RCS.5.-1", 2, "1:-1");
	expect_targets("s.-1,d.5, T.-3", END, "6:-1 6:-3");
	expect_targets("1.RCS.500-900.-12", END, "");
	expect_targets("# s.-1", END, "");
	expect_targets("1.R.5.-1/-1/-1/-1/-1/-1", END, "6:-1 6:-1 6:-1 6:-1");
}
