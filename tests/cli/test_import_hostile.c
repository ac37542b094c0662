/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --import of hostile files, for each reader (text, trace.dat, tables, recordings): cut
 * off, random, gigabytes of nothing, of the other byte order, with numbers used again and
 * clocks that jump. Each ends with descriptors or with words that name the file, never
 * with a signal, and in memory that does not grow with the file.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/run_program.h"

#define GAME "1.RCS.3000.0.0,1.BCS.1000.-1.1,p.10000"

/* Address space that is enough for a small import, KiB: with sanitizers none is. */
#ifdef GPUWL_SANITIZERS
#define LITTLE NULL
#else
#define LITTLE "ulimit -v 500000"
#endif

/* A file of each reader. */
static const char *const files[] = {
    "k.txt", "k.perf", "k.dat", "r.tsv", "r.json"};
#define N_FILES (sizeof(files) / sizeof(*files))

/* Makes them of one run, in a new folder. */
static void
make_files(void)
{
	static const char *const options[N_FILES] = {"--trace-kernel=k.txt",
	    "--trace-kernel=k.perf", "--trace-kernel=k.dat", "--requests=r.tsv",
	    "--record=r.json"};
	struct outcome o;

	enter_test_folder();
	for (size_t i = 0; i < N_FILES; i++) {
		RUN(&o, "-b", "-q", "--profile=ideal", "--scheduler=execlists",
		    "--duration=0.3", "-w", GAME, options[i]);
		assert_int_equal(o.status, 0);
		outcome_free(&o);
	}
}

static void
write_bytes(const char *name, const char *bytes, size_t len)
{
	FILE *f = fopen(name, "w");

	assert_non_null(f);
	assert_int_equal(fwrite(bytes, 1, len, f), len);
	assert_int_equal(fclose(f), 0);
}

/* Imports a file with little memory. It succeeds, or fails with words that name it. */
static void
import_hostile(struct outcome *o, const char *name, const char *what)
{
	const struct streams streams = {.before = LITTLE};
	struct text option = {0};

	text_addf(&option, "--import=%s", name);
	RUN_WITH(o, &streams, text_str(&option), "--force", "-o", "out");
	text_free(&option);
	if (o->status > 1 || (o->status == 1 && *o->err == '\0'))
		fail_msg(
		    "%s, %s: status %d, '%s'", name, what, o->status, o->err);
}

static void
expect_words(const struct outcome *o, const char *words)
{
	if (strstr(o->err, words) == NULL)
		fail_msg("'%s' is not in:\n%s", words, o->err);
}

TEST(cut)
{
	make_files();
	for (size_t i = 0; i < N_FILES; i++) {
		size_t len;
		char *whole = read_whole(files[i], &len);

		for (size_t at = 1; at < len; at += len / 12 + 1) {
			struct outcome o;

			write_bytes("cut", whole, at);
			import_hostile(&o, "cut", files[i]);
			outcome_free(&o);
		}
		free(whole);
	}
}

/* Bytes in the middle that are wrong are left out, and counted. */
TEST(garbage)
{
	make_files();
	srand(3);
	for (size_t i = 0; i < N_FILES; i++) {
		size_t len;
		char *whole = read_whole(files[i], &len);

		for (unsigned turn = 0; turn < 6; turn++) {
			size_t at = len / 8 * (turn + 1);
			struct outcome o;

			for (size_t k = at; k < at + 40 && k < len; k++)
				whole[k] = (char)rand();
			write_bytes("garbage", whole, len);
			import_hostile(&o, "garbage", files[i]);
			outcome_free(&o);
		}
		free(whole);
	}
}

/* A file that is as large as the disk was once, of nothing behind its beginning. */
TEST(gigabytes)
{
	make_files();
	for (size_t i = 0; i < N_FILES; i++) {
		size_t len;
		char *whole = read_whole(files[i], &len);
		struct outcome o;

		write_bytes("large", whole, len < 3000 ? len : 3000);
		assert_int_equal(truncate("large", 1l << 30), 0);
		import_hostile(&o, "large", files[i]);
		outcome_free(&o);
		free(whole);
	}
	unlink("large");
}

/* The head says big endian, the rest is not. */
TEST(wrong_endian)
{
	struct outcome o;
	size_t len;
	char *whole;

	make_files();
	whole = read_whole("k.dat", &len);
	whole[12] = 1;
	write_bytes("wrong.dat", whole, len);
	free(whole);
	import_hostile(&o, "wrong.dat", "endian");
	assert_int_equal(o.status, 1);
	expect_words(&o, "wrong.dat: byte ");
	outcome_free(&o);
}

/* The first entry of each page says that it has 4 GiB. */
TEST(long_entry)
{
	struct outcome o;
	size_t len;
	char *whole;

	make_files();
	whole = read_whole("k.dat", &len);
	for (size_t at = 4096; at + 4096 <= len; at += 4096) {
		memset(&whole[at + 16], 0, 4);
		memset(&whole[at + 20], 0xff, 4);
	}
	write_bytes("long.dat", whole, len);
	free(whole);
	import_hostile(&o, "long.dat", "entry");
	outcome_free(&o);
}

static void
put_number(FILE *f, uint64_t n, unsigned size)
{
	for (unsigned i = 0; i < size; i++)
		putc((int)(n >> 8 * i & 0xff), f);
}

/* A small file with 4096 cpus, whose pages are 16 MiB each, and all at one place. */
TEST(many_pages)
{
	FILE *f;
	struct outcome o;

	enter_test_folder();
	f = fopen("many.dat", "w");
	assert_non_null(f);
	fwrite("\x17\x08\x44tracing6", 1, 12, f);
	put_number(f, 0, 1);
	put_number(f, 8, 1);
	put_number(f, 1 << 24, 4);
	fwrite("header_page", 1, 12, f);
	put_number(f, 0, 8);
	fwrite("header_event", 1, 13, f);
	put_number(f, 0, 8); /* its length */
	put_number(f, 0, 8); /* formats, systems */
	put_number(f, 0, 8); /* symbols, printk */
	put_number(f, 0, 8); /* tasks */
	put_number(f, 4096, 4);
	fwrite("flyrecord", 1, 10, f);
	for (unsigned i = 0; i < 4096; i++) {
		put_number(f, 0, 8);
		put_number(f, 65536, 8);
	}
	assert_int_equal(fclose(f), 0);
	import_hostile(&o, "many.dat", "pages");
	assert_int_equal(o.status, 1);
	expect_words(&o, "no request can be read");
	outcome_free(&o);
}

/* A line that could have its cpu anywhere takes no longer than others. */
TEST(many_brackets)
{
	struct outcome o;
	struct text t = {0};

	enter_test_folder();
	for (unsigned line = 0; line < 200; line++) {
		for (unsigned i = 0; i < 21000; i++)
			text_adds(&t, "[1]");
		text_addc(&t, '\n');
	}
	write_file("brackets.txt", text_str(&t));
	text_free(&t);
	import_hostile(&o, "brackets.txt", "brackets");
	assert_int_equal(o.status, 1);
	outcome_free(&o);
}

static void
add_job(struct text *t, uint64_t us, unsigned seqno)
{
	text_addf(t,
	    " game-77 [000] %lu.%06lu: i915_request_add: dev=0, engine=0:0, "
	    "ctx=5, seqno=%u, tail=0\n"
	    " <idle>-0 [000] %lu.%06lu: dma_fence_signaled: driver=i915 "
	    "timeline=signaled context=5 seqno=%u\n",
	    us / 1000000, us % 1000000, seqno, (us + 3000) / 1000000,
	    (us + 3000) % 1000000, seqno);
}

static void
expect_100_hz(const char *name)
{
	struct outcome o;

	import_hostile(&o, name, "numbers");
	assert_int_equal(o.status, 0);
	if (strstr(o.out, "rate.game\t100.00\t100.00\t0.00\tok") == NULL)
		fail_msg("%s", o.out);
	outcome_free(&o);
}

/* Sequence numbers that wrap, and three fences' addresses in turn. */
TEST(recycled)
{
	struct text t = {0};

	enter_test_folder();
	for (unsigned i = 0; i < 60; i++)
		add_job(&t, 1000000 + 10000 * (uint64_t)i, UINT32_MAX - 30 + i);
	write_file("wrapped.txt", text_str(&t));
	expect_100_hz("wrapped.txt");
	text_clear(&t);
	for (unsigned i = 0; i < 60; i++)
		for (unsigned k = 0; k < 3; k++) {
			static const char *const names[] = {"drm_sched_job",
			    "drm_run_job", "drm_sched_process_job"};

			text_addf(&t,
			    " game-77 [000] 1.%06u: %s: entity=ffff8880, "
			    "id=%u, fence=ffff%u%s\n",
			    10000 * i + (k == 2 ? 3000 : 10 * k), names[k], i,
			    i % 3,
			    k < 2 ? ", ring=gfx, job count:0, hw job count:0"
				  : " signaled");
		}
	write_file("fences.txt", text_str(&t));
	text_free(&t);
	expect_100_hz("fences.txt");
}

/* A clock that goes back or jumps on begins another part; the larger one counts. */
TEST(jumps)
{
	static const int64_t jumps[] = {-900000000, 700000000, INT64_MAX / 2};

	for (size_t k = 0; k < 3; k++) {
		struct text t = {0};
		struct outcome o;

		enter_test_folder();
		for (unsigned i = 0; i < 50; i++)
			add_job(&t,
			    (uint64_t)(1000000000 + 10000 * (int64_t)i +
				(i < 10 ? 0 : jumps[k])),
			    i + 1);
		write_file("jumps.txt", text_str(&t));
		text_free(&t);
		import_hostile(&o, "jumps.txt", "clock");
		if (k < 2) {
			assert_int_equal(o.status, 0);
			expect_words(&o, "1 jump of the clock, or boot");
			expect_words(&o,
			    "10 requests of other parts of the trace are left "
			    "out");
		}
		outcome_free(&o);
	}
}

/* Files of other kinds are known by their beginnings. */
TEST(others)
{
	static const struct {
		const char *bytes;
		size_t len;
		const char *words;
	} others[] = {
	    {"PK\3\4rest", 8, "x: compressed (zip)"},
	    {"\x1f\x8brest", 6, "x: compressed (gzip): unpack it"},
	    {"\x28\xb5\x2f\xfdrest", 8, "x: compressed (zstd): unpack it"},
	    {"PERFILE2rest", 12, "x: perf's own file: perf script"},
	    {"{\"traceEvents\":[]}", 18, "x: Chrome's trace events: expected"},
	    {"\n\4\x08\1\x10\2\n\2\x08\1", 10,
		"x: Perfetto's trace is not read"},
	    {"\n\n\nhello\n", 9, "x:1: not a trace: expected"},
	    {"", 0, "x: empty: expected a trace"},
	    {"\xff\xfe#\0\n\0", 6, "x: text in UTF-16: iconv"},
	    {"\0\0\0\0", 4, "x: begins with zero bytes only"},
	};

	enter_test_folder();
	for (size_t i = 0; i < sizeof(others) / sizeof(*others); i++) {
		struct outcome o;

		write_bytes("x", others[i].bytes, others[i].len);
		import_hostile(&o, "x", others[i].words);
		assert_int_equal(o.status, 1);
		expect_words(&o, others[i].words);
		outcome_free(&o);
	}
}

/* Editors put a mark before text in UTF-8. */
TEST(mark)
{
	static const char *const texts[] = {"k.txt", "k.perf", "r.tsv"};

	make_files();
	for (size_t i = 0; i < sizeof(texts) / sizeof(*texts); i++) {
		struct text marked = {0};
		struct outcome o;
		size_t len;
		char *whole = read_whole(texts[i], &len);

		text_adds(&marked, "\xef\xbb\xbf");
		text_add(&marked, whole, len);
		write_bytes("marked", text_str(&marked), marked.len);
		import_hostile(&o, "marked", texts[i]);
		assert_int_equal(o.status, 0);
		outcome_free(&o);
		text_free(&marked);
		free(whole);
	}
}

/* A trace in an archive would be found between other files. */
TEST(archive)
{
	struct outcome o;

	make_files();
	assert_int_equal(system("tar -cf x k.txt r.tsv"), 0);
	import_hostile(&o, "x", "an archive");
	assert_int_equal(o.status, 1);
	expect_words(&o, "x: an archive (tar): expected the file");
	outcome_free(&o);
}

/* A device that never ends is refused by its beginning. */
TEST(endless)
{
	const struct streams streams = {.before = "ulimit -t 20"};
	struct outcome o;

	enter_test_folder();
	RUN_WITH(&o, &streams, "--import=/dev/zero");
	assert_int_equal(o.status, 1);
	expect_words(&o, "/dev/zero: begins with zero bytes only");
	outcome_free(&o);
}

/* Traces of the program's own that have no requests to read. */
TEST(own_viewers)
{
	static const char *const names[][3] = {
	    {"--trace=t.pftrace", "t.pftrace", "Perfetto's trace is not read"},
	    {"--trace-json=t.json", "t.json", "Chrome's trace events"}};

	enter_test_folder();
	for (size_t i = 0; i < 2; i++) {
		struct outcome o;

		RUN(&o, "-b", "-q", "--duration=0.1", "-w", GAME, names[i][0]);
		assert_int_equal(o.status, 0);
		outcome_free(&o);
		import_hostile(&o, names[i][1], "viewers");
		assert_int_equal(o.status, 1);
		expect_words(&o, names[i][2]);
		outcome_free(&o);
	}
}

/* Takes another scheduler where guc refuses what a trace of the GuC has: a queue that
 * is balanced over two classes. */
TEST(refused_by_its_scheduler)
{
	struct outcome o;
	FILE *f;

	enter_test_folder();
	f = fopen("both.txt", "w");
	assert_non_null(f);
	for (unsigned i = 0; i < 100; i++)
		fprintf(f,
		    " game-77 [000] 1.%06u: i915_request_add: dev=0, "
		    "engine=0:0, ctx=5, seqno=%u, tail=0\n"
		    " <idle>-0 [000] 1.%06u: i915_request_in: dev=0, "
		    "engine=%u:0, ctx=5, seqno=%u, prio=0, port=0\n"
		    " <idle>-0 [000] 1.%06u: dma_fence_signaled: driver=i915 "
		    "timeline=signaled context=5 seqno=%u\n",
		    4000 * i, i + 1, 4000 * i, i % 3, i + 1, 4000 * i + 1000,
		    i + 1);
	assert_int_equal(fclose(f), 0);
	RUN(&o, "--import=both.txt", "--force", "-o", "out");
	assert_null(strstr(o.err, "refuses"));
	assert_non_null(strstr(o.out, "explained."));
	outcome_free(&o);
}
