/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * device/hardware on a virtual i915 (doc/model/libdrm.md): this program opens it
 * under gpuwl-run, submits, and prints what the stamps and fences say
 * (support/hardware_scenes.h). In virtual time and without costs these are
 * exact.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/hardware_scenes.h"
#include "tests/support/run_program.h"

/* The tests: a scene, on which device, and what it prints. */

static void
expect_scene(const char *const *options, const char *scene, const char *out,
    const char *err, int status)
{
	const char *args[16] = {"-q"};
	struct outcome r;
	size_t n = 1;

	for (; *options; options++)
		args[n++] = *options;
	args[n++] = test_runner();
	args[n++] = ":hardware";
	if (strcmp(scene, "user") == 0)
		args[n++] = "as";
	args[n] = scene;
	run_program(&r, args);
	assert_string_equal(r.err, err);
	assert_string_equal(r.out, out);
	assert_int_equal(r.status, status);
	outcome_free(&r);
}

#define OPTIONS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define EXACT                                                                  \
	OPTIONS("--virtual-time", "--profile=ideal", "--scheduler=execlists")
#define VIRTUAL(profile) OPTIONS("--virtual-time", "--profile=" profile)
/* For a user who may raise priorities. */
#define ALLOWED(profile)                                                       \
	OPTIONS("--virtual-time", "--privileged", "--profile=" profile)

TEST(loops_are_exact)
{
	expect_scene(EXACT, "loop",
	    "0: begun engine 0, 0.000 to 1000.000\n"
	    "1: begun engine 1, 0.000 to 1000.000\n"
	    "2: begun engine 2, 0.000 to 1000.000\n"
	    "3: begun engine 3, 0.000 to 1000.000\n"
	    "4: begun engine 4, 0.000 to 1000.000\n"
	    "5: begun engine 5, 0.000 to 1000.000\n"
	    "6: begun engine 6, 0.000 to 1000.000\n"
	    "7: begun engine 0, 1000.000 to 1001.000\n"
	    "8: begun engine 0, 1001.000 to 3001.001\n",
	    "", 0);
}

/* Registers in full up to generation 10, by engine later; clocks of 12.5, 12 and
 * 19.2 MHz, memory of the card's own; a turn of the loop costs time. */
TEST(loops_of_generations)
{
#define FOUR                                                                   \
	"engine 0: 1, 1000, 2500 us\n"                                         \
	"engine 1: 1, 1000, 2500 us\n"                                         \
	"engine 2: 1, 1000, 2500 us\n"                                         \
	"engine 3: 1, 1000, 2500 us\n"
#define FIVE FOUR "engine 4: 1, 1000, 2500 us\n"
#define SEVEN                                                                  \
	FIVE "engine 5: 1, 1000, 2500 us\n"                                    \
	     "engine 6: 1, 1000, 2500 us\n"
	expect_scene(VIRTUAL("bdw-gt2"), "durations", FOUR, "", 0);
	expect_scene(VIRTUAL("kbl-gt2"), "durations", FOUR, "", 0);
	expect_scene(VIRTUAL("icl"), "durations", FIVE, "", 0);
	expect_scene(VIRTUAL("tgl"), "durations", FIVE, "", 0);
	expect_scene(VIRTUAL("default"), "durations", SEVEN, "", 0);
	expect_scene(VIRTUAL("adl-p"), "durations", FIVE, "", 0);
	expect_scene(VIRTUAL("dg2-g10"), "durations", SEVEN, "", 0);
}

TEST(orders)
{
	/* The poll ends when the last fence signals. */
	expect_scene(EXACT, "fences",
	    "4000.000 us\n"
	    "0: begun engine 0, 0.000 to 1000.000\n"
	    "1: begun engine 1, 1000.000 to 2000.000\n"
	    "2: begun engine 2, 2000.000 to 4000.000\n"
	    "3: begun engine 3, 2000.000 to 3000.000\n",
	    "", 0);
	expect_scene(EXACT, "data",
	    "12288 bytes\n"
	    "0: begun engine 0, 0.000 to 1000.000\n"
	    "1: begun engine 1, 1000.000 to 3000.000\n"
	    "2: begun engine 2, 1000.000 to 4000.000\n"
	    "3: begun engine 3, 4000.000 to 8000.000\n",
	    "", 0);
}

TEST(infinite)
{
	expect_scene(EXACT, "infinite",
	    "runs\n"
	    "0: begun engine 0, 0.000 to 5000.000\n"
	    "1: begun engine 0, 5000.000 to 5000.000\n",
	    "", 0);
}

TEST(slots)
{
	expect_scene(EXACT, "balance",
	    "0: begun engine 2, 0.000 to 1000.000\n"
	    "1: begun engine 3, 0.000 to 2000.000\n"
	    "2: begun engine 2, 1000.000 to 4000.000\n",
	    "", 0);
	expect_scene(OPTIONS("--virtual-time", "--profile=dg2-g10"), "parallel",
	    "engines 2 and 3, 1000 and 2000 us, together: 1\n", "", 0);
}

TEST(parameters)
{
	expect_scene(EXACT, "priority",
	    "0: begun engine 0, 0.000 to 3000.000\n"
	    "1: begun engine 0, 3000.000 to 4000.000\n"
	    "2: begun engine 0, 1000.000 to 2000.000\n"
	    "3: begun engine 0, 4000.000 to 5000.000\n",
	    "", 0);
	expect_scene(
	    EXACT, "slices", "0: begun engine 0, 0.000 to 1000.000\n", "", 0);
}

TEST(room)
{
	expect_scene(VIRTUAL("kbl-gt2"), "room", "64, then EAGAIN\n0\n", "", 0);
}

TEST(clocks)
{
#define AGREE ", error below 2 us: 1, drift below 1 us: 1\n"
	expect_scene(EXACT, "clock",
	    "1000000000 Hz, context 1000000000 Hz" AGREE, "", 0);
	expect_scene(VIRTUAL("kbl-gt2"), "clock",
	    "12000000 Hz, context 12000000 Hz" AGREE, "", 0);
	expect_scene(VIRTUAL("tgl"), "clock",
	    "19200000 Hz, context 19200000 Hz" AGREE, "", 0);
}

/* Features that devices lack, and what would have them. */
#define NODE "/dev/dri/renderD128 has "
#define NO_RELATIVE                                                            \
	NODE "no registers relative to the engine, which batches of virtual "  \
	     "engines (B) use: needs a GPU of generation 11 or later\n"
#define NO_BONDS                                                               \
	NODE "no engine bonds (b): needs a kernel from 5.3 to 5.13, without "  \
	     "GuC submission; G has taken their place"
#define NO_PARALLEL                                                            \
	NODE "no parallel submission (G): needs two engines of a class, and "  \
	     "Linux 5.16 or later with GuC submission, 5.17 or later without"
#define NO_SSEU                                                                \
	NODE "no slice masks (S): needs a GPU of generation 11 (No such "      \
	     "device)\n"

TEST(features)
{
	expect_scene(ALLOWED("ideal"), "features",
	    NO_PARALLEL " (Invalid argument)\n", "", 0);
	expect_scene(ALLOWED("kbl-gt2"), "features",
	    NO_RELATIVE NO_BONDS " (No such device)\n" NO_PARALLEL
				 " (No such device)\n" NO_SSEU,
	    "", 0);
	expect_scene(ALLOWED("adl-p"), "features",
	    NO_BONDS " (No such device)\n" NO_SSEU, "", 0);
}

TEST(user)
{
#define NO_PRIORITY                                                            \
	NODE "no priority above 0 (P) for this user: needs the capability "    \
	     "CAP_SYS_NICE, e.g. `sudo setcap cap_sys_nice+ep PROGRAM` "       \
	     "(Operation not permitted)\n"
	expect_scene(VIRTUAL("adl-p"), "user",
	    NO_BONDS " (No such device)\n" NO_SSEU NO_PRIORITY NO_PRIORITY
		     "0: begun engine 0, 0.000 to 1000.104\n",
	    "", 0);
}

TEST(refusals)
{
	expect_scene(VIRTUAL("ivb-gt2"), "loop", "",
	    NODE "no scheduler, as its driver submits to rings: needs a GPU of "
		 "generation 8 or later\n",
	    1);
	expect_scene(VIRTUAL("kbl-gt2"), "balance", "", NO_RELATIVE, 1);
	expect_scene(VIRTUAL("tgl"), "parallel", "",
	    NO_PARALLEL " (No such device)\n", 1);
	expect_scene(VIRTUAL("tgl"), "slices", "", NO_SSEU, 1);
}

ROLE(hardware)
{
	if (argc > 2)
		return hardware_scene_as_user(argv[2]);
	return hardware_scene(argv[1]);
}

FIXTURES(use_gpuwl_top, NULL);
