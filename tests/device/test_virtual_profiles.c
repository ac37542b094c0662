/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Devices of profiles (doc/model/virtual.md "Devices"): parameters, topology and
 * files that programs see. */
#include <errno.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "device/tree/tree.h"
#include "engine/client/client.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

static int
param_of(struct rig *b, int param)
{
	int value = 0;
	struct drm_i915_getparam arg = {.param = param, .value = &value};
	int rc = uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_GETPARAM, &arg);

	return rc == 0 ? value : rc;
}

/* Bytes of the topology, or the error of the query. */
static int
topology_of(struct rig *b)
{
	struct drm_i915_query_item item = {
	    .query_id = DRM_I915_QUERY_TOPOLOGY_INFO};
	struct drm_i915_query arg = {
	    .num_items = 1, .items_ptr = (uintptr_t)&item};

	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_I915_QUERY, &arg), 0);
	return item.length;
}

#define GUC_CAPS                                                               \
	(I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY |            \
	    I915_SCHEDULER_CAP_PREEMPTION |                                    \
	    I915_SCHEDULER_CAP_ENGINE_BUSY_STATS |                             \
	    I915_SCHEDULER_CAP_STATIC_PRIORITY_MAP)

/* "Devices": the id, scheduler, clock, PPGTT, SSEU and topology of profiles
 * under schedulers; and what of them is refused. */
TEST(profiles)
{
	static const struct {
		const char *profile, *sched;
		int pci_id, caps, clock, ppgtt, topology;
		int sseu, priority; /* of setting them */
	} rows[] = {
	    {"ideal", "fifo", 0x9a49, 0x1f, 1000000000, 3, 56, -EINVAL, 0},
	    {"ideal", "drm", 0x9a49, 0x1f, 1000000000, 3, 56, -EINVAL, 0},
	    {"ideal", "guc", 0x9a49, GUC_CAPS, 1000000000, 3, 56, -EINVAL, 0},
	    {"default", "execlists", 0x9a49, 0x1f, 19200000, 3, 56, -EINVAL, 0},
	    {"tgl", "execlists", 0x9a49, 0x1f, 19200000, 3, 30, -ENODEV, 0},
	    {"icl", "execlists", 0x8a52, 0x1f, 12000000, 3, 26, -EINVAL, 0},
	    {"kbl-gt2", "execlists", 0x5916, 0x1f, 12000000, 3, 21, -ENODEV, 0},
	    {"bdw-gt2", "execlists", 0x1616, 0x1b, 12500000, 3, 21, -ENODEV, 0},
	    {"ivb-gt2", "fifo", 0x0166, 0, 12500000, 1, -ENODEV, -ENODEV,
		-ENODEV},
	    {"adl-p", "guc", 0x46a6, GUC_CAPS, 19200000, 3, 30, -ENODEV, 0},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct drm_i915_gem_context_param_sseu no_slices = {0};
		struct rig *b = calloc(1, sizeof *b);
		struct text err = {0};

		lab_init(&b->model, rows[i].sched);
		assert_true(profile_load(
		    &b->model.config.profile, rows[i].profile, &err));
		rig_open(b);
		assert_int_equal(
		    param_of(b, I915_PARAM_CHIPSET_ID), rows[i].pci_id);
		assert_int_equal(
		    param_of(b, I915_PARAM_HAS_SCHEDULER), rows[i].caps);
		assert_int_equal(param_of(b, I915_PARAM_CS_TIMESTAMP_FREQUENCY),
		    rows[i].clock);
		assert_int_equal(
		    param_of(b, I915_PARAM_HAS_ALIASING_PPGTT), rows[i].ppgtt);
		assert_int_equal(topology_of(b), rows[i].topology);
		assert_int_equal(
		    uapi_set_param(&b->lab, b->fd, 0, I915_CONTEXT_PARAM_SSEU,
			sizeof no_slices, (uintptr_t)&no_slices),
		    rows[i].sseu);
		assert_int_equal(uapi_set_param(&b->lab, b->fd, 0,
				     I915_CONTEXT_PARAM_PRIORITY, 0, 0),
		    rows[i].priority);
		rig_finish(b);
	}
}

/* "Devices": what programs see of it. */
TEST(what_programs_see)
{
	struct rig *b = rig_start("execlists");
	struct tree_device tree;
	struct text err = {0};

	assert_int_equal(param_of(b, I915_PARAM_CHIPSET_ID), 0x9a49);
	assert_true(virtual_tree(b->device, &tree, &err));
	assert_int_equal(tree.pci_id, 0x9a49);
	assert_string_equal(tree.engines[0].name, "rcs0");
	assert_int_equal(tree.engines[0].mmio_base, 0x2000);
	assert_string_equal(tree.engines[tree.n_engines - 1].name, "ccs0");
	rig_finish(b);
}

/* doc/model/i915_files.md "Engines": HEVC 1, SFC 2. */
TEST(media_capabilities)
{
	static const struct {
		const char *profile, *engine;
		uint32_t capabilities;
	} rows[] = {
	    {"bdw-gt2", "vcs0", 0},
	    {"skl-gt3", "vcs0", 3},
	    {"skl-gt3", "vcs1", 0},
	    {"skl-gt3", "vecs0", 0},
	    {"tgl", "vcs0", 3},
	    {"tgl", "vcs1", 1},
	    {"tgl", "vecs0", 2},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct rig *b = calloc(1, sizeof *b);
		struct text err = {0};
		struct tree_device tree;
		unsigned found = 0;

		lab_init(&b->model, "execlists");
		assert_true(profile_load(
		    &b->model.config.profile, rows[i].profile, &err));
		rig_open(b);
		assert_true(virtual_tree(b->device, &tree, &err));
		for (size_t k = 0; k < tree.n_engines; k++) {
			if (strcmp(tree.engines[k].name, rows[i].engine) != 0)
				continue;
			assert_int_equal(
			    tree.engines[k].capabilities, rows[i].capabilities);
			found++;
		}
		assert_int_equal(found, 1);
		rig_finish(b);
	}
}
