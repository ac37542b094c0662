/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * GETPARAM and REG_READ: what the device is, in numbers. Rules:
 * doc/model/i915.md "Parameters".
 */
#include <errno.h>

#include "base/nsec.h"
#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

/* Registers of a fence on gen 7 and later. */
#define N_FENCE_REGISTERS 32
#define MMAP_GTT_VERSION  4
#define CMD_PARSER        10
#define PERF_REVISION     5
/* The timestamp of the render engine, the only register that may be read. */
#define TIMESTAMP 0x2358u

static bool
has_class(const struct i915 *dev, unsigned class, unsigned instance)
{
	for (size_t i = 0; i < dev->config->n_engines; i++)
		if (dev->config->engines[i].class == class &&
		    dev->config->engines[i].instance == instance)
			return true;
	return false;
}

static int
class_mask(const struct i915 *dev)
{
	int mask = 0;

	for (size_t i = 0; i < dev->config->n_engines; i++)
		mask |= 1 << dev->config->engines[i].class;
	return mask;
}

static int
scheduler_caps(const struct i915 *dev)
{
	int caps = I915_SCHEDULER_CAP_ENABLED | I915_SCHEDULER_CAP_PRIORITY |
	    I915_SCHEDULER_CAP_PREEMPTION |
	    (int)I915_SCHEDULER_CAP_ENGINE_BUSY_STATS;

	switch (dev->config->scheduler) {
	case I915_RING: return 0;
	case I915_GUC:
		return caps | (int)I915_SCHEDULER_CAP_STATIC_PRIORITY_MAP;
	case I915_EXECLISTS: break;
	}
	if (dev->config->graphics < 900)
		caps &= ~(int)I915_SCHEDULER_CAP_PREEMPTION;
	return caps | I915_SCHEDULER_CAP_SEMAPHORES;
}

/* Full 48 bits, full 32 bits, or none of its own. */
static int
ppgtt(const struct i915 *dev)
{
	if (dev->config->graphics >= 800)
		return 3;
	return dev->config->graphics >= 600 ? 1 : 0;
}

static int
mask_of(unsigned n)
{
	return n < 32 ? (int)((1u << n) - 1) : -1;
}

/* -ENODEV where there is none, -EINVAL from graphics 12.55 on. */
static int
topology_mask(const struct i915 *dev, unsigned n)
{
	if (dev->config->graphics >= 1255)
		return -EINVAL;
	return n ? mask_of(n) : -ENODEV;
}

static int
or_enodev(int value)
{
	return value ? value : -ENODEV;
}

/* New parameters: -EINVAL before the kernel that has them. */
static int
newer(const struct i915 *dev, unsigned major, unsigned minor, int value)
{
	return i915_since(dev, major, minor) ? value : -EINVAL;
}

/* 0 none, 1 of the GPU, 2 of each engine (intel_has_reset_engine). */
static int
gpu_reset(const struct i915 *dev)
{
	bool engines = dev->config->scheduler != I915_RING && dev->resets > 1;

	if (dev->no_hangcheck || dev->resets == 0)
		return 0;
	return engines ? 2 : 1;
}

/* Numbers that are what the device is made of. */
static int
param_device(const struct i915 *dev, int param)
{
	const struct i915_config *c = dev->config;
	int subslices = c->slices * c->subslices;

	switch (param) {
	case I915_PARAM_CHIPSET_ID: return c->pci_id;
	case I915_PARAM_REVISION: return c->revision;
	case I915_PARAM_NUM_FENCES_AVAIL:
		return c->graphics < 1255 ? N_FENCE_REGISTERS : 0;
	case I915_PARAM_HAS_BSD: return has_class(dev, GPU_VIDEO, 0);
	case I915_PARAM_HAS_BLT: return has_class(dev, GPU_COPY, 0);
	case I915_PARAM_HAS_VEBOX: return has_class(dev, GPU_VIDEO_ENHANCE, 0);
	case I915_PARAM_HAS_BSD2: return has_class(dev, GPU_VIDEO, 1);
	case I915_PARAM_HAS_LLC: return c->llc;
	case I915_PARAM_HAS_ALIASING_PPGTT: return ppgtt(dev);
	case I915_PARAM_HAS_SEMAPHORES:
		return (scheduler_caps(dev) & I915_SCHEDULER_CAP_SEMAPHORES) !=
		    0;
	case I915_PARAM_HAS_SCHEDULER: return scheduler_caps(dev);
	case I915_PARAM_HAS_GPU_RESET: return gpu_reset(dev);
	case I915_PARAM_HAS_EXEC_SOFTPIN: return i915_full_ppgtt(dev);
	case I915_PARAM_SUBSLICE_TOTAL: return or_enodev(subslices);
	case I915_PARAM_EU_TOTAL: return or_enodev(subslices * c->eus);
	case I915_PARAM_SLICE_MASK: return topology_mask(dev, c->slices);
	case I915_PARAM_SUBSLICE_MASK: return topology_mask(dev, c->subslices);
	case I915_PARAM_HAS_CONTEXT_ISOLATION:
		return c->graphics >= 800 ? class_mask(dev) : 0;
	case I915_PARAM_CS_TIMESTAMP_FREQUENCY: return (int)c->cs_hz;
	case I915_PARAM_MMAP_GTT_COHERENT: return 1;
	default: return -EINVAL;
	}
}

/* Numbers that say what this kernel can do. */
static int
param_kernel(const struct i915 *dev, int param)
{
	switch (param) {
	case I915_PARAM_IRQ_ACTIVE:
	case I915_PARAM_ALLOW_BATCHBUFFER:
	case I915_PARAM_LAST_DISPATCH:
	case I915_PARAM_HAS_EXEC_CONSTANTS: return -ENODEV;
	case I915_PARAM_HAS_OVERLAY:
	case I915_PARAM_HAS_WT:
	case I915_PARAM_HAS_RESOURCE_STREAMER:
	case I915_PARAM_HAS_POOLED_EU:
	case I915_PARAM_MIN_EU_IN_POOL: return 0;
	case I915_PARAM_HAS_SECURE_BATCHES: return dev->config->graphics < 1100;
	case I915_PARAM_CMD_PARSER_VERSION: return CMD_PARSER;
	case I915_PARAM_MMAP_GTT_VERSION: return MMAP_GTT_VERSION;
	case I915_PARAM_HUC_STATUS:
		return dev->config->graphics >= 900 ? -EOPNOTSUPP : -ENODEV;
	case I915_PARAM_PERF_REVISION: return PERF_REVISION;
	case I915_PARAM_HAS_USERPTR_PROBE: return newer(dev, 5, 15, 1);
	case I915_PARAM_OA_FREQUENCY:
		return newer(dev, 6, 1, (int)dev->config->cs_hz);
	case I915_PARAM_PXP: return newer(dev, 6, 1, -ENODEV);
	case I915_PARAM_FREQ_HINT:
		return dev->config->scheduler == I915_GUC ? newer(dev, 6, 9, 1)
							  : -EINVAL;
	/* Every kernel that is modelled has these. */
	case I915_PARAM_HAS_GEM:
	case I915_PARAM_HAS_PAGEFLIPPING:
	case I915_PARAM_HAS_EXECBUF2:
	case I915_PARAM_HAS_RELAXED_FENCING:
	case I915_PARAM_HAS_COHERENT_RINGS:
	case I915_PARAM_HAS_RELAXED_DELTA:
	case I915_PARAM_HAS_GEN7_SOL_RESET:
	case I915_PARAM_HAS_WAIT_TIMEOUT:
	case I915_PARAM_HAS_PRIME_VMAP_FLUSH:
	case I915_PARAM_HAS_PINNED_BATCHES:
	case I915_PARAM_HAS_EXEC_NO_RELOC:
	case I915_PARAM_HAS_EXEC_HANDLE_LUT:
	case I915_PARAM_HAS_COHERENT_PHYS_GTT:
	case I915_PARAM_MMAP_VERSION:
	case I915_PARAM_HAS_EXEC_ASYNC:
	case I915_PARAM_HAS_EXEC_FENCE:
	case I915_PARAM_HAS_EXEC_CAPTURE:
	case I915_PARAM_HAS_EXEC_BATCH_FIRST:
	case I915_PARAM_HAS_EXEC_FENCE_ARRAY:
	case I915_PARAM_HAS_EXEC_SUBMIT_FENCE:
	case I915_PARAM_HAS_EXEC_TIMELINE_FENCES: return 1;
	default: return param_device(dev, param);
	}
}

int
i915_getparam(struct i915 *dev, struct i915_call *call)
{
	/* drm_i915_getparam_t, whose pointer is one of the program. */
	const struct {
		int32_t param;
		uint32_t pad;
		uint64_t value;
	} *arg = (const void *)call->arg;
	int value = param_kernel(dev, arg->param);

	if (value < 0)
		return value;
	return i915_copy_out(call, arg->value, &value, sizeof(value));
}

uint64_t
i915_timestamp(const struct i915 *dev)
{
	unsigned __int128 ticks = dev->now;

	ticks = ticks * dev->config->cs_hz / NSEC_PER_SEC;
	return (uint64_t)ticks & ((UINT64_C(1) << 36) - 1);
}

int
i915_reg_read(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_reg_read *arg = (void *)call->arg;

	if (arg->offset != TIMESTAMP &&
	    arg->offset != (TIMESTAMP | I915_REG_READ_8B_WA))
		return -EINVAL;
	if (!has_class(dev, GPU_RENDER, 0))
		return -EINVAL;
	arg->val = i915_timestamp(dev);
	return 0;
}
