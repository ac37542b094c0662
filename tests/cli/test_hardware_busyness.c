/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How busy a GPU is, and other programs on it (doc/model/libdrm.md "Busyness",
 * "Other programs"): the figures of fdinfo, and the program that hardware_busyness.cases start.
 */
#include <fcntl.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/hardware/busyness.h"
#include "device/hardware/fdinfo.h"
#include "device/hardware/hardware.h"
#include "tests/runner/test.h"

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

ROLE(hardware_busyness)
{
	return look(argv[1], argv[2]);
}
