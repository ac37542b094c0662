/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * -L, -l and -D on a GPU: the program runs on a virtual i915, which is a real
 * one to it (doc/model/libdrm.md "Filters", "Facts").
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

/* Expects what gpuwl-top says with -L or -l, and -D unless it is NULL. */
static void
expect_list(const char *profile, const char *mode, const char *filter,
    const char *out, const char *err, int status)
{
	char option[64];
	struct outcome r;

	snprintf(option, sizeof option, "--profile=%s", profile);
	RUN(&r, "-q", option, gpuwl_top(), mode, filter ? "-D" : NULL, filter);
	assert_string_equal(r.err, err);
	assert_string_equal(r.out, out);
	assert_int_equal(r.status, status);
	outcome_free(&r);
}

#define ADDRESS "0000:00:02.0"
#define SYSFS   "sys:/sys/devices/pci0000:00/" ADDRESS

TEST(gpus)
{
	expect_list("tgl", "-L", NULL,
	    "/dev/dri/card0\n"
	    "/dev/dri/renderD128\n"
	    "  PCI " ADDRESS ", vendor 8086, device 9a49 (tigerlake, "
	    "graphics 12)\n"
	    "  driver i915 1.6.0\n"
	    "  -D drm:/dev/dri/renderD128\n"
	    "  -D " SYSFS "\n"
	    "  -D pci:vendor=8086,device=9a49,card=0\n",
	    "", 0);
}

TEST(engines)
{
	expect_list("tgl", "-l", "pci:",
	    "/dev/dri/renderD128:\n"
	    "  RCS    class RCS, instance 0\n"
	    "  BCS    class BCS, instance 0\n"
	    "  VCS1   class VCS, instance 0, HEVC\n"
	    "  VCS2   class VCS, instance 1, HEVC\n"
	    "  VECS   class VECS, instance 0\n",
	    "", 0);
	expect_list("skl-gt4", "-l", "pci:",
	    "/dev/dri/renderD128:\n"
	    "  RCS    class RCS, instance 0\n"
	    "  BCS    class BCS, instance 0\n"
	    "  VCS1   class VCS, instance 0, HEVC\n"
	    "  VCS2   class VCS, instance 1\n"
	    "  VECS   class VECS, instance 0\n",
	    "", 0);
}

/* Engines of the model, whatever GPU there is, unless one is chosen. */
TEST(engines_of_the_model)
{
	expect_list("skl-gt4", "-l", NULL,
	    "no GPU chosen (-D); the model's engines (profile default):\n"
	    "  RCS    class RCS, instance 0, gt 0\n"
	    "  BCS    class BCS, instance 0, gt 0\n"
	    "  VCS1   class VCS, instance 0, gt 0, HEVC\n"
	    "  VCS2   class VCS, instance 1, gt 0, HEVC\n"
	    "  VECS1  class VECS, instance 0, gt 0\n"
	    "  VECS2  class VECS, instance 1, gt 0\n"
	    "  CCS    class CCS, instance 0, gt 0\n",
	    "", 0);
}

TEST(filters)
{
	static const char *const filters[] = {
	    "drm:/dev/dri/card0",
	    "drm:/dev/dri/renderD128",
	    "drm:/dev/dri/by-path/pci-" ADDRESS "-card",
	    SYSFS,
	    SYSFS "/drm/card0",
	    "sys:/sys/class/drm/renderD128",
	    "pci:",
	    "pci:vendor=Intel",
	    "pci:vendor=8086,device=5916",
	    "pci:device=KabyLake,card=0",
	    "pci:card=0",
	};

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++)
		expect_list("kbl-gt2", "-l", filters[i],
		    "/dev/dri/renderD128:\n"
		    "  RCS    class RCS, instance 0\n"
		    "  BCS    class BCS, instance 0\n"
		    "  VCS    class VCS, instance 0, HEVC\n"
		    "  VECS   class VECS, instance 0\n",
		    "", 0);
}

TEST(filters_without_gpu)
{
	static const char *const filters[] = {
	    "drm:/dev/null",
	    "drm:/dev/dri/card7",
	    "sys:/sys/class/drm",
	    "pci:vendor=1002",
	    "pci:device=5917",
	    "pci:device=tigerlake",
	    "pci:vendor=intel,card=1",
	};
	char err[256];

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		snprintf(err, sizeof err,
		    "gpuwl-top: no GPU matches '%s': expected one of "
		    "drm:/dev/dri/renderD128\n",
		    filters[i]);
		expect_list("kbl-gt2", "-l", filters[i], "", err, 2);
		expect_list("kbl-gt2", "-L", filters[i], "", err, 2);
	}
}

TEST(invalid_filters)
{
	static const char *const filters[] = {"x", "",
	    "drm:", "sys:", "/dev/dri/card0", "pci:vendor=", "pci:vendor=amd",
	    "pci:device=10000", "pci:device=nolake", "pci:card=-1",
	    "pci:card=1x", "pci:vendor=intel,", "pci:bus=0", "pci:device",
	    "pci:vendor=intel,vendor=intel", "pci:device=5916,device=kabylake",
	    "pci:card=0,card=0"};
	char err[512];

	for (size_t i = 0; i < sizeof filters / sizeof *filters; i++) {
		snprintf(err, sizeof err,
		    "gpuwl-top: -D: invalid device '%s': expected "
		    "drm:/dev/dri/NODE, sys:PATH or pci:[vendor=intel|HEX]"
		    "[,device=HEX|CODENAME][,card=N], e.g. "
		    "drm:/dev/dri/renderD128\n"
		    "Try 'gpuwl-top --help'.\n",
		    filters[i]);
		expect_list("kbl-gt2", "-l", filters[i], "", err, 2);
	}
}

FIXTURES(use_gpuwl_top, NULL);
