/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Empty batches with which a program only asks the kernel something, before it has any
 * work, are in no descriptor: neither a captured one nor that of an imported table
 * (doc/model/infer.md "Acts"). gem_wsim 2.0 begins so; the program here does as it does.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/text.h"
#include "device/i915/uapi.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

#define BATCH_END 0x05000000u
#define N_NOOPS   100 /* of a batch with work: 1 us each */

static const char profile[] =
    "[profile]\nname = questions\nscheduler = fifo\n"
    "[device]\nRCS = 1\n[commands]\ncommand_ns = 1000\n";

/* The program. */

/* Submits a batch of so many MI_NOOPs and its end, and waits for it. */
static void
run_batch(int fd, uint32_t context, unsigned n_noops)
{
	uint32_t words[N_NOOPS + 2] = {0};
	struct drm_i915_gem_create create = {.size = 4096};
	struct drm_i915_gem_exec_object2 object = {0};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .rsvd1 = context};
	struct drm_i915_gem_wait wait = {.timeout_ns = -1};
	struct drm_i915_gem_pwrite write = {
	    .size = sizeof(words), .data_ptr = (uintptr_t)words};

	words[n_noops] = BATCH_END;
	if (ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create) != 0)
		_exit(1);
	object.handle = wait.bo_handle = write.handle = create.handle;
	if (ioctl(fd, DRM_IOCTL_I915_GEM_PWRITE, &write) != 0 ||
	    ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec) != 0 ||
	    ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait) != 0)
		_exit(2);
}

/* The argument has a letter for each batch: e, an empty one on a context of its own;
 * w, one with work. */
ROLE(capture_questions)
{
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);

	if (argc != 2 || fd < 0)
		return 3;
	for (const char *p = argv[1]; *p != '\0'; p++) {
		struct drm_i915_gem_context_create context = {0};

		if (*p == 'w') {
			run_batch(fd, 0, N_NOOPS);
			continue;
		}
		if (ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context) != 0)
			return 4;
		run_batch(fd, context.ctx_id, 0);
		ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
		    &(struct drm_i915_gem_context_destroy){
			.ctx_id = context.ctx_id});
	}
	return 0;
}

/* Tests. */

/* Runs the program; captures it as FILE.wsim. */
static void
capture_program(const char *batches)
{
	struct outcome r;

	write_file("questions.ini", profile);
	allow_sanitizers();
	RUN(&r, "-q", "--profile=./questions.ini", "--capture=FILE.wsim",
	    "--requests=q.tsv", test_runner(), ":capture_questions", batches);
	if (r.status != 0)
		fail_msg("%s: status %d: %s", batches, r.status, r.err);
	outcome_free(&r);
}

/* Expects the steps of a file that are batches, each without its wait flag, which a
 * host's noise decides. */
static void
expect_batches(const char *path, const char *expected)
{
	char *file = read_whole(path, NULL), *line, *rest = file;
	struct text found = {0};

	while ((line = strsep(&rest, "\n")) != NULL)
		if (*line != '#' && strstr(line, ".RCS.") != NULL)
			text_addf(&found, "%.*s\n",
			    (int)(strrchr(line, '.') - line), line);
	assert_string_equal(text_str(&found), expected);
	text_free(&found);
	free(file);
}

TEST(before_the_work)
{
	char *file;

	capture_program("eewwwwwwww");
	expect_batches("FILE.wsim", "1.RCS.100.0\n");
	file = read_whole("FILE.wsim", NULL);
	expect_match(file,
	    ": 10 batches\n"
	    "# left out: 2 empty batches before the first with work\n");
	expect_match(file, "; they explain 100.0 % of 8 requests\n");
	free(file);
}

/* One that comes later is part of an iteration. */
TEST(between_the_work)
{
	char *file;

	capture_program("wewewewewewe");
	expect_batches("FILE.wsim", "1.RCS.100.0\n2.RCS.1.0\n");
	file = read_whole("FILE.wsim", NULL);
	assert_null(strstr(file, "left out"));
	expect_match(file, "\n# empty\n");
	free(file);
}

/* Nothing but empty batches: they are what it is for (gem_exec_nop). */
TEST(without_work)
{
	char *file;

	capture_program("eeee");
	expect_batches("FILE.wsim", "1.RCS.1.0\n");
	file = read_whole("FILE.wsim", NULL);
	assert_null(strstr(file, "left out"));
	free(file);
}

TEST(imported_table)
{
	struct outcome r;

	capture_program("eewwwwwwww");
	setenv("GPUWL_TOP", gpuwl_top(), 1);
	RUN(&r, "--import=q.tsv", "-o", "out", "--profile=./questions.ini");
	if (r.status != 0)
		fail_msg("%s", r.err);
	expect_match(
	    r.err, "2 empty batches before the first with work are left out\n");
	expect_batches("out/client0.wsim", "1.RCS.100.0\n");
	outcome_free(&r);
}

FIXTURES(use_gpuwl_run, NULL);
