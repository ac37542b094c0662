/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --import of trace.dat: version 7, of trace-cmd, gives what version 6 gives, and
 * big endian what little endian gives; broken files are refused with a text
 * (doc/model/import.md "trace.dat").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/dat_file.h"
#include "tests/support/run_program.h"

#define GAME  "1.RCS.2500.0.0,d.500,1.BCS.400.-2.0,2.VECS.700.f-3.1,p.9000"
#define VIDEO "P.1.100,1.VCS1.1800.0.0,2.RCS.1200.-1.0,1.VCS2.900.-1.1"

/* All that an import says and writes. */
static char *
import_of(const char *path, int status)
{
	struct text all = {0}, option = {0};
	struct outcome o;

	text_addf(&option, "--import=%s", path);
	assert_int_equal(system("rm -rf out"), 0); /* NOLINT */
	RUN(&o, text_str(&option), "-o", "out", "--force");
	if (o.status != status)
		fail_msg("status %d: %s", o.status, o.err);
	text_adds(&all, o.out);
	text_adds(&all, o.err);
	outcome_free(&o);
	if (status == 0) {
		o.status = system("cat out/*.wsim >all"); /* NOLINT */
		assert_int_equal(o.status, 0);
		o.out = read_whole("all", NULL);
		text_adds(&all, o.out);
		free(o.out);
	}
	text_free(&option);
	return all.data;
}

static void
expect_part(const char *text, const char *part)
{
	if (strstr(text, part) == NULL)
		fail_msg("'%s' is not in:\n%s", part, text);
}

static void
write_run(const char *scheduler)
{
	struct outcome o;

	RUN(&o, "-b", "-q", "--profile=ideal", scheduler, "--duration=0.5",
	    "-w", GAME, "-w", VIDEO, "--trace-kernel=six.dat");
	assert_string_equal(o.err, "");
	assert_int_equal(o.status, 0);
	outcome_free(&o);
}

/* Makes seven.dat of six.dat. False: trace-cmd has not that compression. */
static bool
convert(const char *compression)
{
	char command[160];

	snprintf(command, sizeof(command),
	    "rm -f seven.dat; trace-cmd convert -i six.dat -o seven.dat "
	    "--file-version 7 --compression %s >output 2>&1 && test -s "
	    "seven.dat",
	    compression);
	return system(command) == 0; /* NOLINT */
}

static void
need_trace_cmd(void)
{
	if (system("command -v trace-cmd >output") != 0) /* NOLINT */
		skip_test("no trace-cmd (package trace-cmd)");
}

/* The file's name is in what is written, so both have the same. */
static void
expect_same_import(const char *compression)
{
	char *six, *seven;

	assert_int_equal(system("cp six.dat trace.dat"), 0); /* NOLINT */
	six = import_of("trace.dat", 0);
	assert_int_equal(rename("seven.dat", "trace.dat"), 0);
	seven = import_of("trace.dat", 0);
	expect_part(six, "1.RCS.2500.0.0");
	if (strcmp(six, seven) != 0)
		fail_msg("%s: %s\n\n%s", compression, six, seven);
	free(six);
	free(seven);
}

TEST(version_7)
{
	static const char *const schedulers[] = {
	    "--scheduler=execlists", "--scheduler=drm", "--scheduler=guc"};
	static const char *const compressions[] = {"zstd", "none", "zlib"};

	enter_test_folder();
	need_trace_cmd();
	for (size_t i = 0; i < 3; i++) {
		write_run(schedulers[i]);
		for (size_t k = 0; k < 3; k++) {
			bool has = convert(compressions[k]);

			/* Debian's trace-cmd is built without zlib. */
			assert_true(has || k == 2);
			if (has)
				expect_same_import(compressions[k]);
		}
	}
}

/* An event that the user names is read from either version. */
TEST(frame_on_7)
{
	struct outcome six, seven;

	enter_test_folder();
	need_trace_cmd();
	write_run("--scheduler=execlists");
	assert_true(convert("zstd"));
	RUN(&six, "--import=six.dat", "-o", "six",
	    "--frame-on=dma_fence_enable_signal", "--clients=client0");
	RUN(&seven, "--import=seven.dat", "-o", "seven",
	    "--frame-on=dma_fence_enable_signal", "--clients=client0");
	assert_string_equal(six.out, seven.out);
	assert_int_equal(six.status, seven.status);
	outcome_free(&six);
	outcome_free(&seven);
}

/* The library's process may die of such files, this program must not. */
TEST(broken_7)
{
	size_t len;
	char *whole;

	enter_test_folder();
	need_trace_cmd();
	write_run("--scheduler=execlists");
	assert_true(convert("zstd"));
	whole = read_whole("seven.dat", &len);
	for (size_t i = 0; i < 40; i++) {
		size_t cut = i < 20 ? 13 + (len - 13) * i / 20 : len;
		FILE *f = fopen("broken.dat", "wb");
		struct outcome o;

		if (i >= 20)
			whole[(i * 2654435761u) % (len - 16) + 14] ^= 0x55;
		assert_int_equal(fwrite(whole, 1, cut, f), cut);
		assert_int_equal(fclose(f), 0);
		RUN(&o, "--import=broken.dat", "-o", "out", "--force");
		if (o.status > 1 || (i < 20 && o.status != 1))
			fail_msg("%zu: status %d: %s", i, o.status, o.err);
		if (o.status == 1)
			expect_part(o.err, i < 20 ? "broken.dat: " : ": ");
		outcome_free(&o);
	}
	free(whole);
}

static void
put_event(struct dat_made *m, unsigned cpu, enum kernel_event_kind event,
    uint64_t us, unsigned engine, uint64_t context, uint64_t seqno)
{
	struct kernel_record r = {
	    .event = event, .time_ns = us * 1000, .pid = cpu == 0 ? 77 : 0};

	kernel_set_number(&r, KFIELD_CLASS, engine);
	kernel_set_number(&r, KFIELD_CONTEXT, context);
	kernel_set_number(&r, KFIELD_SEQNO, seqno);
	kernel_set_number(&r, KFIELD_PRIORITY, (uint64_t)-5);
	kernel_set_number(&r, KFIELD_COMPLETED, 1);
	kernel_set_text(&r, KFIELD_DRIVER, "i915");
	kernel_set_text(&r, KFIELD_TIMELINE, "signaled");
	dat_made_event(m, cpu, &r);
}

/* 3 ms on the render engine, then 1 ms on a copy engine, at 5 Hz: more than 2^27
 * ns apart. Cpu 1 has the interrupts. */
static void
put_game(struct dat_made *m, uint64_t first)
{
	for (unsigned i = 1; i <= 20; i++) {
		uint64_t at = first + 200000 * (uint64_t)i;

		put_event(m, 0, KERNEL_REQUEST_ADD, at, 0, 5, i);
		put_event(m, 1, KERNEL_REQUEST_IN, at + 1, 0, 5, i);
		put_event(m, 0, KERNEL_REQUEST_ADD, at + 20, 1, 6, i);
		put_event(m, 1, KERNEL_REQUEST_OUT, at + 3001, 0, 5, i);
		put_event(m, 1, KERNEL_FENCE_SIGNALED, at + 3001, 0, 5, i);
		put_event(m, 1, KERNEL_REQUEST_SUBMIT, at + 3001, 1, 6, i);
		put_event(m, 1, KERNEL_REQUEST_IN, at + 3001, 1, 6, i);
		put_event(m, 1, KERNEL_REQUEST_OUT, at + 4001, 1, 6, i);
		put_event(m, 1, KERNEL_FENCE_SIGNALED, at + 4001, 1, 6, i);
	}
}

/* Both ends, longs of 4 and 8 bytes, pages of 64 KiB; lost events are said. */
TEST(endian)
{
	char *first = NULL;

	enter_test_folder();
	for (unsigned i = 0; i < 4; i++) {
		struct dat_made m = {
		    .is_big = i % 2 != 0, .long_size = i < 2 ? 8 : 4};
		char *said;

		put_game(&m, 1000000);
		m.n_lost = 42;
		dat_made_write(&m, "trace.dat");
		said = import_of("trace.dat", 0);
		expect_part(said, "42 events were lost, as the trace says");
		expect_part(said, "rate.my_game_x_-1\t5.00\t5.00\t");
		expect_part(said, "1.RCS.3000.0.0\n");
		expect_part(said, "1.BCS.1000.-2.0\n");
		expect_part(said, "P.1.-5");
		if (first == NULL) {
			first = said;
			continue;
		}
		assert_string_equal(said, first);
		free(said);
	}
	free(first);
}

/* A clock that begins anew is another boot; so is another file. */
TEST(boots)
{
	struct dat_made m = {.long_size = 8};
	struct outcome o;

	enter_test_folder();
	put_game(&m, 900000000);
	dat_made_write(&m, "before.dat");
	put_game(&m, 1000000);
	put_game(&m, 1000000 + 21 * 200000);
	dat_made_write(&m, "after.dat");
	RUN(&o, "--import=before.dat", "--import=after.dat", "-o", "out",
	    "--force");
	assert_int_equal(o.status, 0);
	expect_part(o.err, "1 jump of the clock, or boot");
	expect_part(
	    o.err, "40 requests of other parts of the trace are left out");
	outcome_free(&o);
}

TEST(refused_dat)
{
	struct outcome o;

	enter_test_folder();
	write_file("eight.dat", "\x17\x08\x44tracing8");
	RUN(&o, "--import=eight.dat");
	assert_int_equal(o.status, 1);
	expect_part(o.err,
	    "eight.dat: byte 10: the file ends within the "
	    "version");
	outcome_free(&o);
	write_file("eight.dat", "\x17\x08\x44tracing80");
	RUN(&o, "--import=eight.dat");
	assert_int_equal(o.status, 1);
	expect_part(o.err, "unknown version: expected 6 or 7");
	outcome_free(&o);
}
