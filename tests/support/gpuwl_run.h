/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gpuwl-run, for tests that run the built program (run_program.h). */
#ifndef TESTS_SUPPORT_GPUWL_RUN_H
#define TESTS_SUPPORT_GPUWL_RUN_H

struct outcome;

/* For a group of tests: makes gpuwl-run the program, which is beside it, and
 * its devices those of the test's folder. Returns 0. */
int use_gpuwl_run(void **state);
/* The same where gpuwl-top, or a test, runs on these devices. */
int use_gpuwl_top(void **state);
/* Returns the path of gpuwl-top, after use_gpuwl_run(). */
char *gpuwl_top(void);
/* Lets programs with sanitizers run on these devices: the preload library comes
 * before that of the sanitizers. Leaks are not looked for. */
void allow_sanitizers(void);

/* Returns the path of a library of tests/programs that is preloaded before that of
 * the device, as built with this test; the caller frees it. */
char *test_preload(const char *name);

/* Programs of Debian's intel-gpu-tools. */
#define BENCHMARKS "/usr/libexec/igt-gpu-tools/benchmarks/"
#define GEM_WSIM   BENCHMARKS "gem_wsim"

/* In a shell: intel_gpu_top, with a row for each engine. Versions that have -p show
 * classes without it. */
#define GPU_TOP                                                                \
	"intel_gpu_top $(intel_gpu_top -h 2>&1 | grep -qF '[-p]' && echo -p) "

/* Skips the test where gem_wsim is not installed. */
void need_gem_wsim(void);
/* Fails unless the text matches an extended regular expression. */
void expect_match(const char *text, const char *pattern);
/* The same; the expression is printed as by printf(). */
void expect_matchf(const char *text, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Runs a role of the runner (":NAME"), with an argument, on a device that finds hangs
 * soon. */
void run_role(struct outcome *r, const char *role, const char *name);

#endif
