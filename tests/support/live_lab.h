/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 on the model, for tests of files that the device answers itself
 * (doc/model/i915_files.md "Live files").
 */
#ifndef TESTS_SUPPORT_LIVE_LAB_H
#define TESTS_SUPPORT_LIVE_LAB_H

#include "base/text.h"
#include "device/model/virtual.h"
#include "tests/support/i915_lab.h"
#include "tests/support/lab.h"

#define MS        NSEC_PER_MSEC
#define PCI       "sys/devices/pci0000:00/0000:00:02.0/"
#define CARD      PCI "drm/card0/"
#define ENGINE    CARD "engine/"
#define DEBUGS    "sys/kernel/debug/dri/0/"
#define HANGCHECK "sys/module/i915/parameters/enable_hangcheck"
#define RESETS    "sys/module/i915/parameters/reset"
#define TIMEOUT   "sys/module/i915/parameters/request_timeout_ms"

struct live_lab {
	struct lab model;
	struct i915_lab lab;
	struct virtual_device *device;
	int fd;
};

/* Opens a device of that profile and scheduler, and a file of it. */
struct live_lab *live_open(const char *profile, const char *sched);
void live_close(struct live_lab *s);

/* Returns the text that a program reads from a file; valid until the next call. */
const char *live_text(struct live_lab *s, const char *path);
/* Writes a text to a file, on thread 1. Returns -errno, or UAPI_WAITS. */
int live_write(struct live_lab *s, const char *path, const char *text);
int live_write_on(
    struct live_lab *s, unsigned thread, const char *path, const char *text);

/* Submits a batch that jumps to itself for ever, without a preemption point. */
void live_spin(struct live_lab *s, uint32_t context);
/* Submits a batch that draws that many vertices, which take 1 ns each on tgl. */
void live_draw(struct live_lab *s, uint32_t vertices);

#endif
