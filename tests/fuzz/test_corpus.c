/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Every input that fuzzing has kept goes through its target again: those of
 * tests/fuzz/regress/TARGET, which are named after what they once broke, and
 * those of the archive tests/fuzz/corpus/TARGET.tar.gz, which reach all the code
 * that fuzzing has reached. A target runs in a process of its own, so that a
 * crash names its input.
 *
 * The Makefile renames LLVMFuzzerTestOneInput of fuzz_TARGET.c to
 * fuzz_TARGET_one.
 */
#include <dirent.h>
#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define TARGETS(X)                                                             \
	X(annotation)                                                          \
	X(command)                                                             \
	X(config)                                                              \
	X(edit)                                                                \
	X(host)                                                                \
	X(import_dat)                                                          \
	X(import_table)                                                        \
	X(import_text)                                                         \
	X(infer)                                                               \
	X(i915)                                                                \
	X(inputrc)                                                             \
	X(message)                                                             \
	X(options)                                                             \
	X(parse)                                                               \
	X(profile)                                                             \
	X(prompt)                                                              \
	X(recovery)                                                            \
	X(replay)                                                              \
	X(roundtrip)                                                           \
	X(run)                                                                 \
	X(script)                                                              \
	X(spirv)                                                               \
	X(streamer)                                                            \
	X(wire)

#define DECLARE(name) int fuzz_##name##_one(const uint8_t *data, size_t size);
TARGETS(DECLARE)

typedef int (*target_fn)(const uint8_t *data, size_t size);

struct target {
	const char *name;
	target_fn one;
};

/* Shared with the child: the input that it is at, and their number. */
struct progress {
	char path[4096];
	unsigned n;
};

static void
run_input(target_fn one, const char *path)
{
	FILE *f = fopen(path, "rb");
	struct stat st;
	uint8_t *data;
	size_t size;

	if (f == NULL || fstat(fileno(f), &st) != 0)
		_exit(2);
	data = malloc((size_t)st.st_size + 1);
	size = fread(data, 1, (size_t)st.st_size, f);
	fclose(f);
	one(data, size);
	free(data);
}

static void
run_folder(target_fn one, const char *folder, struct progress *at)
{
	struct dirent **names;
	int n = scandir(folder, &names, NULL, alphasort);

	for (int i = 0; i < n; i++) {
		if (names[i]->d_name[0] != '.') {
			snprintf(at->path, sizeof at->path, "%s/%s", folder,
			    names[i]->d_name);
			run_input(one, at->path);
			at->n++;
		}
		free(names[i]);
	}
	if (n >= 0)
		free(names);
}

static void
run_target(
    const struct target *target, const char *unpacked, struct progress *at)
{
	char folder[256];

	snprintf(folder, sizeof folder, "tests/fuzz/regress/%s", target->name);
	run_folder(target->one, folder, at);
	run_folder(target->one, unpacked, at);
}

/* The archive's inputs are in unpacked then; there may be none. */
static void
unpack(const char *name, const char *unpacked)
{
	char archive[256], command[1024];

	snprintf(archive, sizeof archive, "tests/fuzz/corpus/%s.tar.gz", name);
	if (access(archive, R_OK) != 0)
		return;
	snprintf(command, sizeof command, "tar -xzf '%s' -C '%s'", archive,
	    unpacked);
	assert_int_equal(system(command), 0);
}

static void
run_kept(void **state)
{
	const struct target *target = *state;
	const char *unpacked = test_path("corpus");
	struct progress *at = mmap(NULL, sizeof *at, PROT_READ | PROT_WRITE,
	    MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	int status;
	pid_t pid;

	assert_true(at != MAP_FAILED);
	assert_int_equal(mkdir(unpacked, 0700), 0);
	unpack(target->name, unpacked);
	pid = fork();
	assert_true(pid >= 0);
	if (pid == 0) {
		run_target(target, unpacked, at);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (status != 0)
		fail_msg("%s: status %#x after %u inputs", at->path,
		    (unsigned)status, at->n);
	assert_true(at->n > 0);
	munmap(at, sizeof *at);
}

TEST_SOURCE(targets)
{
#define TARGET(name) {#name, fuzz_##name##_one},
	static struct target targets[] = {TARGETS(TARGET)};
#define N_TARGETS (sizeof targets / sizeof *targets)
	static struct test tests[N_TARGETS];

	for (size_t i = 0; i < N_TARGETS; i++) {
		tests[i] = (struct test){.file = __FILE__,
		    .name = targets[i].name,
		    .run = run_kept,
		    .given = &targets[i]};
		runner_add(&tests[i]);
	}
}
