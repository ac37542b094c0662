/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that were changed at random (descriptors, profiles, recordings, config
 * files), given to the program itself under limits of memory and CPU time: it
 * always ends with a status of its own, never by a signal. The same seed makes
 * the same files. MUTATIONS=N in the environment: N of each kind,
 * MUTATIONS_SEED=N: others.
 */
#include <glob.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define USUAL 40
#define MOST  ((size_t)1 << 20) /* bytes of a file */

/* Sanitizers reserve more address space than there is memory. */
#ifdef GPUWL_SANITIZERS
#define LIMITS "ulimit -t 30"
#else
#define LIMITS "ulimit -t 10; ulimit -v 200000"
#endif

static const struct streams limited = {.before = LIMITS};

static unsigned
setting(const char *name, unsigned usual)
{
	const char *s = getenv(name);

	return s != NULL ? (unsigned)strtoul(s, NULL, 10) : usual;
}

static uint64_t random_state;

static size_t
draw(size_t n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return n > 0 ? (size_t)(random_state % n) : 0;
}

static void
replace(struct text *t, size_t at, size_t len, const char *by, size_t n)
{
	struct text changed = {0};

	text_add(&changed, text_str(t), at);
	text_add(&changed, by, n);
	text_add(&changed, text_str(t) + at + len, t->len - at - len);
	text_free(t);
	*t = changed;
}

/* A number becomes one that is at, or beyond, a limit of something. */
static void
change_number(struct text *t)
{
	static const char *const extremes[] = {"0", "-1", "1", "255", "65536",
	    "1000000000", "2147483648", "4294967296", "9223372036854775808",
	    "18446744073709551616", "1e308", "nan", "-0", "00000000000000001"};
	const char *s = text_str(t), *by = extremes[draw(14)];
	size_t at = draw(t->len), len;

	at += strcspn(s + at, "0123456789");
	len = strspn(s + at, "0123456789");
	replace(t, at, len, by, strlen(by));
}

static void
change_byte(struct text *t)
{
	static const char likely[] = "\n,.-*/|#@=:;[]{}\"\\0 fswrTBMGbX\xff";
	size_t at = draw(t->len);
	char c = draw(3) ? likely[draw(sizeof(likely))] : (char)draw(256);

	replace(t, at, draw(2) && at < t->len, &c, 1);
}

/* A part of it once more, or very often. */
static void
repeat_part(struct text *t)
{
	size_t at = draw(t->len), len = 1 + draw(t->len - at) % 200;
	size_t times = draw(8) ? 1 + draw(4) : 1 + draw(5000);
	struct text part = {0};

	if (at + len > t->len)
		return;
	while (times-- > 0 && part.len + t->len < MOST)
		text_add(&part, text_str(t) + at, len);
	replace(t, draw(t->len), 0, text_str(&part), part.len);
	text_free(&part);
}

static void
drop_part(struct text *t)
{
	size_t at = draw(t->len), len = draw(100);

	replace(t, at, len < t->len - at ? len : t->len - at, "", 0);
}

static void
mutate(struct text *t)
{
	static void (*const ways[])(struct text *) = {
	    change_number, change_byte, change_byte, repeat_part, drop_part};

	for (size_t n = 1 + draw(6); n > 0; n--)
		ways[draw(sizeof(ways) / sizeof(*ways))](t);
}

static void
write_text(const char *path, const struct text *t)
{
	FILE *f = fopen(path, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(text_str(t), 1, t->len, f), t->len);
	fclose(f);
}

/* The arguments, of which "@" is the file's path. */
static void
expect_status(const char *path, const char *const *args)
{
	const char *own[MAX_ARGS];
	struct outcome r;
	size_t n = 0;

	for (; args[n] != NULL; n++)
		own[n] = strcmp(args[n], "@") == 0 ? path : args[n];
	own[n] = NULL;
	run_program_with(&r, &limited, own);
	if (r.status < 0 || r.status > 3) {
		size_t len;
		char *bytes = read_whole(path, &len);
		FILE *f = fopen("/tmp/gpuwl-mutation", "w");

		if (f != NULL && fwrite(bytes, 1, len, f) == len)
			fclose(f);
		fail_msg("%s: status %d, the file is /tmp/gpuwl-mutation\n%s",
		    args[0], r.status, r.err);
	}
	outcome_free(&r);
}

/* Files made of those that the pattern means, for each of the ways to use
 * them. */
static void
expect_statuses(const char *pattern, const char *const (*ways)[12], size_t n)
{
	const char *path = test_path("mutation");
	unsigned times = setting("MUTATIONS", USUAL);
	glob_t files;

	random_state = setting("MUTATIONS_SEED", 1) * 0x9e3779b97f4a7c15u;
	assert_int_equal(glob(pattern, 0, NULL, &files), 0);
	for (unsigned i = 0; i < times; i++) {
		size_t len;
		char *bytes = read_whole(
		    files.gl_pathv[draw(files.gl_pathc)], &len);
		struct text t = {0};

		text_add(&t, bytes, len);
		mutate(&t);
		write_text(path, &t);
		expect_status(path, ways[i % n]);
		text_free(&t);
		free(bytes);
	}
	globfree(&files);
}

#define RUN_SHORT "-b", "-q", "--duration=0.02"

TEST(descriptors)
{
	static const char *const ways[][12] = {
	    {"--check", "@"},
	    {"--format", "@"},
	    {"--check", "--profile=mtl", "--scheduler=guc", "@"},
	    {RUN_SHORT, "--scheduler=fifo", "-w", "@"},
	    {RUN_SHORT, "--scheduler=execlists", "-c", "3", "-w", "@"},
	    {RUN_SHORT, "--scheduler=drm", "-c", "2", "-w", "@"},
	    {RUN_SHORT, "--scheduler=guc", "--profile=mtl", "-w", "@"},
	    {RUN_SHORT, "-f", "1e6", "-F", "1e6", "--profile=ideal", "-w", "@"},
	};

	expect_statuses("workloads/*.wsim", ways, sizeof(ways) / sizeof(*ways));
}

TEST(profiles)
{
	static const char *const ways[][12] = {
	    {RUN_SHORT, "--profile", "@", "-w", "workloads/desktop.wsim"},
	    {RUN_SHORT, "--profile", "@", "-c", "4", "-w",
		"workloads/transcode.wsim"},
	    {"--check", "--profile", "@", "workloads/desktop.wsim"},
	};

	expect_statuses(
	    "workloads/profiles/*.ini", ways, sizeof(ways) / sizeof(*ways));
}

TEST(recordings)
{
	static const char *const ways[][12] = {
	    {"-b", "-q", "--replay", "@"},
	    {"-b", "-q", "--json", "--replay", "@"},
	};
	char pattern[300], option[320];
	struct outcome r;

	snprintf(pattern, sizeof(pattern), "%s", test_path("recording"));
	snprintf(option, sizeof(option), "--record=%s", pattern);
	RUN(&r, "-b", "-q", "--duration=0.05", option, "-w",
	    "workloads/desktop.wsim");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	expect_statuses(pattern, ways, sizeof(ways) / sizeof(*ways));
}

/* Read by the console, which a script leaves at once. */
TEST(config_files)
{
	char script[320];
	const char *const ways[][12] = {
	    {script, "--config", "@", "-w", "1.RCS.1000.0.0"},
	};

	snprintf(script, sizeof(script), "--script=%s", test_path("script"));
	write_file(test_path("script"), "q\n");
	expect_statuses("tests/tui/scripts/config.ini", ways, 1);
}
