/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How busy a GPU is, and other programs on it (doc/model/libdrm.md "Busyness",
 * "Other programs"): this program looks at the virtual i915, under gpuwl-run,
 * beside another one that keeps an engine busy.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <jansson.h>

#include "device/hardware/busyness.h"
#include "device/hardware/fdinfo.h"
#include "device/hardware/hardware.h"
#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

/* fdinfo of Linux 6.11. */
static const char example[] =
    "pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t500\n"
    "drm-driver:\ti915\ndrm-client-id:\t7\ndrm-pdev:\t0000:00:02.0\n"
    "drm-total-system0:\t12 MiB\n"
    "drm-engine-render:\t9288864723 ns\ndrm-engine-copy:\t0 ns\n"
    "drm-engine-video:\t5 ns\ndrm-engine-capacity-video:\t2\n"
    "drm-engine-video-enhance:\t0 ns\nnonsense\n:\n";

TEST(fdinfo)
{
	struct fdinfo info;
	char text[sizeof example];

	memcpy(text, example, sizeof example);
	assert_true(fdinfo_parse(&info, text));
	assert_string_equal(info.driver, "i915");
	assert_string_equal(info.address, "0000:00:02.0");
	assert_int_equal(info.id, 7);
	assert_int_equal(info.busy_ns[CLASS_RCS], 9288864723);
	assert_int_equal(info.busy_ns[CLASS_VCS], 5);
	assert_true(info.has_class[CLASS_VECS]);
	assert_false(info.has_class[CLASS_CCS]);
	assert_true(fdinfo_has_engines(&info));
	strcpy(text, "pos:\t0\nflags:\t02\n");
	assert_false(fdinfo_parse(&info, text));
	strcpy(text, "drm-driver: i915\ndrm-client-id: 3");
	assert_true(fdinfo_parse(&info, text));
	assert_false(fdinfo_has_engines(&info));
	/* Values that are too long are cut off. */
	strcpy(text,
	    "drm-driver: 0123456789012345678901234567890123456789\n"
	    "drm-pdev: 0123456789012345678901234567890123456789\n");
	assert_false(fdinfo_parse(&info, text));
	assert_int_equal(strlen(info.driver), sizeof info.driver - 1);
}

static void
print_look(const struct hardware *hw, const struct busyness *b)
{
	printf("%s '%s'", busyness_source_name(b->source), text_str(&b->why));
	for (unsigned i = 0; i < hw->facts.n_engines; i++)
		printf(" %.0f", (double)b->engines[i].share * 100);
	for (size_t i = 0; i < b->others.n; i++) {
		const struct foreign_client *c = &b->others.list[i];

		printf(" %s %s", c->name,
		    c->used_ns[CLASS_RCS] > 0 ? "busy" : "idle");
	}
	printf("\n");
}

/* Looks in a row that find the other program on RCS: its trial, at the beginning, is
 * shorter. */
#define LOOKS 10

/* True if another program's client had RCS nearly all the time. */
static bool
is_rcs_used(const struct busyness *b)
{
	struct text users = {0};
	bool used = false;

	for (size_t i = 0; i < b->others.n; i++)
		used |= foreign_share(
			    &b->others, &b->others.list[i], CLASS_RCS) > 0.8F;
	foreign_add_users(
	    &b->others, CLASS_RCS, b->others.since_ns, NSEC_NEVER, &users);
	if (used && strstr(text_str(&users), "gpuwl-top (pid ") == NULL)
		printf("users: %s\n", text_str(&users));
	text_free(&users);
	return used;
}

/* Looks until another program is there (its engine is busy from then on), and
 * then until no other is. pmus, proc: folders. */
static int
look(const char *pmus, const char *proc)
{
	struct busyness_places places = {pmus, proc};
	struct hardware hw;
	struct busyness b;
	struct text err = {0}, others = {0};

	if (!hardware_open(&hw, "pci:", &err)) {
		fprintf(stderr, "%s\n", text_str(&err));
		return 1;
	}
	busyness_open(&b, &hw, &places);
	for (int n = 0; n < LOOKS && strcmp(proc, PROC) == 0;) {
		usleep(5000);
		busyness_look_whole(&b, hardware_now());
		n = is_rcs_used(&b) ? n + 1 : 0;
	}
	/* From here on it is busy all the time. */
	busyness_look_whole(&b, hardware_now());
	usleep(20000);
	busyness_look_whole(&b, hardware_now());
	print_look(&hw, &b);
	while (!busyness_of_others(&hw, &others))
		text_clear(&others);
	printf("others: %s\n", text_str(&others));
	text_free(&others);
	close(open("looked", O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	while (b.others.n > 0) {
		usleep(5000);
		busyness_look_whole(&b, hardware_now());
	}
	busyness_close(&b);
	hardware_close(&hw);
	return 0;
}

/* A program that keeps RCS busy, beside one that looks until it has ended. $4 is
 * run when it has been seen. */
static const char beside[] =
    "rm -f looked; "
    "$0 -b -D pci: -w '1.RCS.*.0.0,d.60000000' >busy.out & a=$!; "
    "$1 :hardware_busyness \"$2\" \"$3\" & b=$!; "
    "until test -e looked; do sleep 0.01; done; $4; kill $a; wait $b";

static void
expect_look(const char *pmus, const char *proc, const char *pattern)
{
	struct outcome r;

	RUN(&r, "-q", "--profile=kbl-gt2", "sh", "-c", beside, gpuwl_top(),
	    test_runner(), pmus, proc, ":");
	expect_match(r.out, pattern);
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

#define OTHERS "others: RCS [0-9]+ %; programs: gpuwl-top [(]pid [0-9]+[)]\n$"

/* RCS, BCS, VCS and VECS. */
TEST(sources)
{
	expect_look(busyness_machine.pmus, PROC,
	    "^pmu '' 100 0 0 0 gpuwl-top busy\n" OTHERS);
	expect_look("nowhere", PROC,
	    "^fdinfo 'no PMU of i915: needs Linux 4.16 or later' "
	    "[1-9][0-9]* 0 0 0 gpuwl-top busy\n" OTHERS);
	expect_look("nowhere", "nowhere",
	    "^stamps 'no PMU of i915: needs Linux 4.16 or later; no times of "
	    "engines in fdinfo: needs Linux 5.19 or later' 0 0 0 0\n" OTHERS);
}

static nsec
number_at(json_t *o, const char *key)
{
	assert_true(json_is_integer(json_object_get(o, key)));
	return (nsec)json_integer_value(json_object_get(o, key));
}

/* In virtual time, alone: the PMU has what the record has. */
TEST(json_alone)
{
	struct outcome r;
	json_t *o, *busyness, *engines;

	RUN(&r, "-q", "--virtual-time", "--profile=ideal", "--scheduler=fifo",
	    gpuwl_top(), "-b", "-D", "pci:", "-w",
	    "1.RCS.3000.0.0,2.VCS1.2000.0.1,1.RCS.1000.0.1", "-r", "4",
	    "--json=-");
	o = json_loads(r.out, 0, NULL);
	assert_non_null(o);
	busyness = json_object_get(o, "busyness");
	engines = json_object_get(busyness, "engines");
	assert_string_equal(
	    json_string_value(json_object_get(busyness, "source")), "pmu");
	assert_true(json_is_null(json_object_get(busyness, "why")));
	assert_int_equal(number_at(engines, "RCS"), 16 * NSEC_PER_MSEC);
	assert_int_equal(number_at(engines, "VCS1"), 8 * NSEC_PER_MSEC);
	assert_int_equal(number_at(engines, "BCS"), 0);
	assert_true(number_at(busyness, "elapsed_ns") >= 16 * NSEC_PER_MSEC);
	assert_int_equal(
	    json_array_size(json_object_get(o, "other_clients")), 0);
	assert_true(number_at(o, "clock_error_ns") < NSEC_PER_MSEC);
	json_decref(o);
	outcome_free(&r);
}

static json_t *
client_named(json_t *list, const char *name)
{
	for (size_t i = 0; i < json_array_size(list); i++) {
		json_t *o = json_array_get(list, i);

		if (strcmp(json_string_value(json_object_get(o, "name")),
			name) == 0)
			return o;
	}
	fail_msg("no client %s", name);
	return NULL;
}

/* Beside other programs: they have rows, and no part in our statistics. */
TEST(json_beside_another)
{
	char ours[4096 + 128];
	struct outcome r;
	json_t *report, *o, *busyness, *used;

	snprintf(ours, sizeof ours,
	    "%s -b -D pci: -w 1.BCS.2000.0.1 --duration=0.1 --json=ours",
	    gpuwl_top());
	RUN(&r, "-q", "--profile=kbl-gt2", "sh", "-c", beside, gpuwl_top(),
	    test_runner(), busyness_machine.pmus, PROC, ours);
	report = json_load_file("ours", 0, NULL);
	assert_non_null(report);
	busyness = json_object_get(report, "busyness");
	assert_true(number_at(busyness, "elapsed_ns") >= 100 * NSEC_PER_MSEC);
	used = json_object_get(busyness, "engines");
	/* Without end, and one batch after the other: on a loaded machine both
	 * run slower. */
	assert_true(number_at(used, "BCS") > 0);
	assert_true(number_at(used, "RCS") >= number_at(used, "BCS"));
	used = json_array_get(json_object_get(report, "engines"), 0);
	assert_int_equal(number_at(used, "busy_ns"), 0);
	o = json_object_get(report, "other_clients");
	assert_int_equal(json_array_size(o), 2);
	used = json_object_get(client_named(o, "gpuwl-top"), "engines");
	assert_true(number_at(used, "RCS") > 0);
	assert_int_equal(number_at(used, "BCS"), 0);
	used = json_object_get(client_named(o, "all"), "engines");
	assert_int_equal(number_at(used, "RCS"), 0);
	json_decref(report);
	outcome_free(&r);
}

ROLE(hardware_busyness)
{
	return look(argv[1], argv[2]);
}

FIXTURES(use_gpuwl_top, NULL);
