/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Recovery files are written soon, not for each key, and fast enough not to be
 * noticed; sources that are one file are found. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "parser/document/edit.h"
#include "run/live/saving.h"
#include "run/plan.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define RECOVERY ".a.wsim.gpuwl-recover"

static void
open_file(struct plan *plan, const char *path)
{
	struct text err = {0};

	assert_true(plan_add_file(plan, path, true, &err));
	assert_int_equal(err.len, 0);
}

static void
edit(struct plan *plan, const char *line)
{
	assert_true(
	    edit_replace(plan->sources[0].doc, 0, line, strlen(line), NULL));
}

static void
expect_kept(const char *line)
{
	struct text t = {0};

	if (line == NULL) {
		assert_int_equal(access(RECOVERY, F_OK), -1);
		return;
	}
	assert_true(file_read(RECOVERY, &t, NULL, NULL));
	assert_non_null(strstr(text_str(&t), line));
	text_free(&t);
}

TEST(kept_soon)
{
	nsec now = 10 * NSEC_PER_SEC, next;
	struct plan plan = {0};
	struct text err = {0};

	write_file("a.wsim", "1.RCS.1.0.0\n");
	open_file(&plan, "a.wsim");
	assert_true(saving_keep(&plan, now, false, &err) == NSEC_NEVER);
	/* It is written when the screen shows the edit, not after each key. */
	edit(&plan, "1.RCS.2.0.0");
	next = saving_keep(&plan, now, false, &err);
	assert_true(next == now + SAVING_SOON_NS);
	expect_kept(NULL);
	assert_true(saving_keep(&plan, next, false, &err) == NSEC_NEVER);
	expect_kept("1.RCS.2.0.0");
	now = next;
	edit(&plan, "1.RCS.3.0.0");
	next = saving_keep(&plan, now, false, &err);
	assert_true(next >= now + SAVING_EVERY_NS);
	edit(&plan, "1.RCS.4.0.0");
	assert_true(saving_keep(&plan, now + 1, false, &err) == next);
	expect_kept("1.RCS.2.0.0");
	assert_true(saving_keep(&plan, next, false, &err) == NSEC_NEVER);
	expect_kept("1.RCS.4.0.0");
	/* With all set it is written at once. */
	edit(&plan, "1.RCS.5.0.0");
	saving_keep(&plan, next + 1, true, &err);
	expect_kept("1.RCS.5.0.0");
	assert_true(saving_write(&plan, 0, false, &err) == SAVE_DONE);
	expect_kept(NULL);
	assert_int_equal(err.len, 0);
	plan_close(&plan);
}

/* The recovery file of a long document is whole (`make bench` measures it). */
TEST(long_document)
{
	struct plan plan = {0};
	struct text t = {0};
	nsec now = NSEC_PER_SEC;

	for (unsigned i = 0; i < 100000; i++)
		text_addf(&t, "%u.RCS.%u-%u.0.0\n", 1 + i % 9, 100 + i % 77,
		    5000 + i % 100);
	write_file("a.wsim", text_str(&t));
	open_file(&plan, "a.wsim");
	for (int i = 0; i < 10; i++) {
		edit(&plan, i % 2 ? "1.RCS.7.0.0" : "1.RCS.8.0.0");
		/* Writes when it said it would: pauses follow what the last one took. */
		now = saving_keep(&plan, now, false, NULL);
		assert_true(saving_keep(&plan, now, false, NULL) == NSEC_NEVER);
	}
	expect_kept("1.RCS.7.0.0");
	expect_kept(strrchr(text_str(&t), '\n') - strlen("1.RCS.1-1.0.0"));
	saving_discard(&plan);
	expect_kept(NULL);
	text_free(&t);
	plan_close(&plan);
}

TEST(same_files)
{
	struct plan plan = {0};

	write_file("a.wsim", "1.RCS.1.0.0\n");
	write_file("b.wsim", "1.RCS.1.0.0\n");
	assert_int_equal(symlink("a.wsim", "link"), 0);
	assert_int_equal(link("a.wsim", "hard"), 0);
	assert_int_equal(mkdir("sub", 0700), 0);
	open_file(&plan, "b.wsim");
	open_file(&plan, "a.wsim");
	open_file(&plan, "new.wsim");
	assert_int_equal(plan_find_file(&plan, "sub/../a.wsim"), 1);
	assert_int_equal(plan_find_file(&plan, "link"), 1);
	assert_int_equal(plan_find_file(&plan, "./new.wsim"), 2);
	assert_int_equal(plan_find_file(&plan, "sub/../new.wsim"), 2);
	assert_int_equal(plan_find_file(&plan, "sub/new.wsim"), 3);
	assert_int_equal(plan_find_file(&plan, "hard"), 3);
	/* Other programs replace files as well. */
	write_file("other", "1.RCS.2.0.0\n");
	assert_int_equal(rename("other", "a.wsim"), 0);
	assert_int_equal(plan_find_file(&plan, "a.wsim"), 1);
	plan_close(&plan);
}

FIXTURES(in_state_folder, NULL);
