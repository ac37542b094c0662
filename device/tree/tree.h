/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The files that show a virtual i915 to programs: a folder of ordinary files
 * and links, ROOT/dev/dri, ROOT/sys/..., to which the preload library turns the
 * paths of a program. Their names and contents are those of Linux 5.13's i915,
 * PCI, DRM and perf (doc/model/i915_files.md).
 *
 * Files that only the device can answer are live (device/wire/live.h); it gets
 * their paths below the root with WIRE_OPEN:
 *
 *   dev/dri/card0  dev/dri/renderD128                    nodes
 *   dev/sw_sync                                          software fences
 *   PCI/resource0                                        registers, 16 MiB
 *   PCI/drm/card0/error                                  the last error state
 *   PCI/drm/card0/engine/NAME/{timeslice_duration_ms,preempt_timeout_ms,
 *       heartbeat_interval_ms,stop_timeout_ms,max_busywait_duration_ns}
 *   PCI/drm/card0/gt_{cur,act,min,max,boost}_freq_mhz
 *   PCI/drm/card0/gt/gt0/{rps_{cur,act,min,max,boost},punit_req}_freq_mhz
 *   PCI/drm/card0/{gt/gt0,power}/rc6_residency_ms
 *   sys/kernel/debug/dri/0/{i915_wedged,i915_gem_drop_caches,i915_error_state,
 *       i915_gem_objects,i915_forcewake_user,gt0/forcewake_user}
 *   sys/module/i915/parameters/{reset,enable_hangcheck,request_timeout_ms}
 *
 * with PCI = sys/devices/pci0000:00/0000:00:02.0. Where the device answers
 * WIRE_NOT_MINE, those that are not nodes are ordinary files with a first text.
 */
#ifndef DEVICE_TREE_TREE_H
#define DEVICE_TREE_TREE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct text;

#define TREE_PCI_ADDRESS  "0000:00:02.0"
#define TREE_PCI_FOLDER   "sys/devices/pci0000:00/" TREE_PCI_ADDRESS
#define TREE_CARD_MINOR   0u
#define TREE_RENDER_MINOR 128u

/* Classes as the uAPI numbers them. */
enum tree_class {
	TREE_RENDER,
	TREE_COPY,
	TREE_VIDEO,
	TREE_VIDEO_ENHANCE,
	TREE_COMPUTE,
};

struct tree_engine {
	const char *name; /* "rcs0" */
	enum tree_class class;
	unsigned instance;     /* counted per class, from 0 */
	uint32_t mmio_base;    /* of its registers */
	unsigned capabilities; /* of video engines: 1 HEVC, 2 SFC */
	/* Milliseconds; -1: the engine has no such file. */
	int timeslice_ms, preempt_timeout_ms;
};

struct tree_device {
	uint16_t pci_id; /* of Intel, 0x8086 */
	uint8_t revision;
	const struct tree_engine *engines; /* in any order */
	size_t n_engines;
	/* MHz: the least, efficient, greatest, and what it runs at. */
	unsigned min_mhz, efficient_mhz, max_mhz, now_mhz;
	unsigned heartbeat_ms, stop_timeout_ms; /* of all engines */
	unsigned busywait_ns;
	bool guc;                    /* submission by the GuC */
	unsigned request_timeout_ms; /* 0: there is no such parameter */
	bool has_gt0;                /* the folder gt/gt0, since Linux 5.18 */
};

/* Writes the tree into the folder root, which exists and is empty. False, with
 * the reason in err, and with a part of the tree written. */
bool tree_write(
    const char *root, const struct tree_device *device, struct text *err);

/* Removes the folder root with all that is in it; does not follow links. True
 * also if there is no such folder. */
bool tree_remove(const char *root, struct text *err);

#endif
