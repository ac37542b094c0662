/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that the driver reports about a device: parameters, engines, memory,
 * topology; and the profile of a run on it. Trials are in facts_trials.c, words
 * in features.c.
 */
#include "device/hardware/facts_private.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>

#include <xf86drm.h>

#include "device/hardware/driver.h"
#include "device/hardware/node.h"
#include "device/hardware/part.h"
#include "engine/profile.h"

#define USUAL_GRAPHICS 1200
/* The last kernel that has bonds of virtual engines. */
#define LAST_WITH_BONDS PROFILE_KERNEL(5, 13)
#define FULL_PPGTT      2 /* HAS_ALIASING_PPGTT: 2 of 32 bits, 3 of 48 */
#define MAP_OFFSET      4 /* MMAP_GTT_VERSION */
/* A parameter of the module, which only root may read, and its default. */
#define WATCHDOG_FILE "/sys/module/i915/parameters/request_timeout_ms"
#define WATCHDOG_MS   20000
/* Requests in a ring of 16 KiB, and of 512 KiB, of some 200 bytes each, of which
 * the driver keeps 4 KiB free. */
#define RING_REQUESTS         64
#define COMPUTE_RING_REQUESTS 2048

static bool
is_i915(struct facts *facts, int fd, struct text *err)
{
	drmVersionPtr version = drmGetVersion(fd);
	bool ok;

	if (version != NULL)
		snprintf(
		    facts->driver, sizeof facts->driver, "%s", version->name);
	drmFreeVersion(version);
	ok = strcmp(facts->driver, "i915") == 0;
	if (!ok)
		text_addf(err,
		    "%s: invalid driver '%s': expected i915, as gpuwl-top runs "
		    "on no other",
		    facts->path, facts->driver);
	return ok;
}

static enum engine_class
class_of_i915(unsigned i915_class)
{
	switch (i915_class) {
	case I915_ENGINE_CLASS_RENDER: return CLASS_RCS;
	case I915_ENGINE_CLASS_COPY: return CLASS_BCS;
	case I915_ENGINE_CLASS_VIDEO: return CLASS_VCS;
	case I915_ENGINE_CLASS_VIDEO_ENHANCE: return CLASS_VECS;
	case I915_ENGINE_CLASS_COMPUTE: return CLASS_CCS;
	default: return CLASS_DEFAULT;
	}
}

/* Bases of registers up to generation 10, which batches name in full
 * (gt/intel_engine_regs.h). */
static uint32_t
absolute_base(enum engine_class cls, unsigned instance)
{
	static const uint32_t bases[N_CLASSES][2] = {
	    [CLASS_RCS] = {0x2000},
	    [CLASS_BCS] = {0x22000},
	    [CLASS_VCS] = {0x12000, 0x1c000},
	    [CLASS_VECS] = {0x1a000},
	};

	return instance < 2 ? bases[cls][instance] : 0;
}

static struct facts_engine
describe_engine(const struct facts *facts, const struct drm_i915_engine_info *e)
{
	enum engine_class cls = class_of_i915(e->engine.engine_class);
	bool logical = (e->flags & I915_ENGINE_INFO_HAS_LOGICAL_INSTANCE) != 0;

	return (struct facts_engine){
	    .class = (uint8_t)cls,
	    .i915_class = e->engine.engine_class,
	    .i915_instance = e->engine.engine_instance,
	    .logical = logical ? e->logical_instance
			       : e->engine.engine_instance,
	    .has_hevc = cls == CLASS_VCS &&
		(e->capabilities & I915_VIDEO_CLASS_CAPABILITY_HEVC) != 0,
	    .mmio_base = facts->generation < 11
		? absolute_base(cls, e->engine.engine_instance)
		: 0,
	};
}

/* Adds the engines of a class, in the order of the driver: by instance. */
static void
add_class(struct facts *facts, const struct drm_i915_query_engine_info *info,
    enum engine_class cls)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < info->num_engines; i++) {
		const struct drm_i915_engine_info *e = &info->engines[i];

		if (class_of_i915(e->engine.engine_class) != cls ||
		    n == PROFILE_MAX_PER_CLASS ||
		    facts->n_engines == DEVICE_MAX_ENGINES)
			continue;
		facts->engines[facts->n_engines++] = describe_engine(facts, e);
		n++;
	}
}

static bool
read_engines(struct facts *facts, int fd, struct text *err)
{
	int32_t length;
	struct drm_i915_query_engine_info *info = driver_query(
	    fd, DRM_I915_QUERY_ENGINE_INFO, (int32_t)sizeof *info, &length);

	for (unsigned cls = 0; info != NULL && cls < N_CLASSES; cls++)
		add_class(facts, info, (enum engine_class)cls);
	free(info);
	if (facts->n_engines == 0)
		text_addf(err,
		    "%s: the kernel does not list its engines: needs Linux "
		    "5.3 or later",
		    facts->path);
	return facts->n_engines > 0;
}

static void
read_memory(struct facts *facts, int fd)
{
	int32_t length;
	struct drm_i915_query_memory_regions *info = driver_query(
	    fd, DRM_I915_QUERY_MEMORY_REGIONS, (int32_t)sizeof *info, &length);

	for (uint32_t i = 0; info != NULL && i < info->num_regions; i++) {
		const struct drm_i915_memory_region_info *r = &info->regions[i];

		if (r->region.memory_class == I915_MEMORY_CLASS_DEVICE)
			facts->local_bytes += r->probed_size;
		else
			facts->system_bytes += r->probed_size;
	}
	free(info);
	facts->discrete = facts->local_bytes > 0;
}

static void
read_slices(struct facts *facts, int fd)
{
	int32_t length;
	struct drm_i915_query_topology_info *info = driver_query(fd,
	    DRM_I915_QUERY_TOPOLOGY_INFO, (int32_t)sizeof *info + 1, &length);

	facts->slices = 1;
	if (info != NULL && info->data[0] != 0)
		facts->slices = (unsigned)__builtin_popcount(info->data[0]);
	free(info);
}

static unsigned
kernel_version(void)
{
	unsigned major, minor;
	struct utsname u;

	if (uname(&u) != 0 ||
	    /* NOLINTNEXTLINE(cert-err34-c) */
	    sscanf(u.release, "%u.%u", &major, &minor) != 2)
		return 0;
	return PROFILE_KERNEL(major, minor);
}

static uint64_t
address_size(int fd)
{
	struct drm_i915_gem_context_param arg = {
	    .param = I915_CONTEXT_PARAM_GTT_SIZE};

	return driver_ioctl(fd, DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM, &arg) == 0
	    ? arg.value
	    : 0;
}

static nsec
read_watchdog(void)
{
	FILE *f = fopen(WATCHDOG_FILE, "re");
	char text[16] = "";
	bool known = f != NULL && fgets(text, sizeof text, f) != NULL;

	if (f != NULL)
		fclose(f);
	return (known ? strtoul(text, NULL, 10) : WATCHDOG_MS) * NSEC_PER_MSEC;
}

static void
read_part(struct facts *facts, int fd)
{
	int id = driver_getparam(fd, I915_PARAM_CHIPSET_ID);
	const struct gpu_part *part = part_find((uint16_t)id);

	facts->pci_id = (uint16_t)id;
	facts->known = part != NULL;
	facts->graphics = part != NULL ? part->graphics : USUAL_GRAPHICS;
	facts->generation = facts->graphics / 100;
	snprintf(facts->name, sizeof facts->name, "%s",
	    part != NULL ? part->codename : "unknown part");
}

static void
read_parameters(struct facts *facts, int fd)
{
	int hz = driver_getparam(fd, I915_PARAM_CS_TIMESTAMP_FREQUENCY);

	facts->kernel = kernel_version();
	facts->ring_hz = hz > 0 ? (uint64_t)hz : 0;
	facts->watchdog_ns = read_watchdog();
	facts->address_size = address_size(fd);
	facts->llc = driver_getparam(fd, I915_PARAM_HAS_LLC) > 0;
	facts->map_offset = driver_getparam(fd, I915_PARAM_MMAP_GTT_VERSION) >=
	    MAP_OFFSET;
	facts->scheduler = driver_getparam(fd, I915_PARAM_HAS_SCHEDULER);
	if (facts->scheduler <= 0)
		facts->submission = BY_RINGS;
	else if (facts->scheduler & I915_SCHEDULER_CAP_STATIC_PRIORITY_MAP)
		facts->submission = BY_GUC;
	else
		facts->submission = BY_EXECLISTS;
}

/* Features that parameters say. */
static void
find_features(struct facts *facts, int fd)
{
	static const struct {
		enum facts_feature feature;
		int param, least;
	} params[] = {
	    {FEATURE_SOFTPIN, I915_PARAM_HAS_EXEC_SOFTPIN, 1},
	    {FEATURE_FULL_ADDRESSES, I915_PARAM_HAS_ALIASING_PPGTT,
		FULL_PPGTT + 1},
	    {FEATURE_FENCES, I915_PARAM_HAS_EXEC_FENCE, 1},
	    {FEATURE_BATCH_FIRST, I915_PARAM_HAS_EXEC_BATCH_FIRST, 1},
	    {FEATURE_SUBMIT_FENCES, I915_PARAM_HAS_EXEC_SUBMIT_FENCE, 1},
	};

	for (size_t i = 0; i < sizeof params / sizeof *params; i++)
		facts->has[params[i].feature] =
		    driver_getparam(fd, params[i].param) >= params[i].least;
	facts->has[FEATURE_SCHEDULER] = facts->submission != BY_RINGS;
	facts->has[FEATURE_PREEMPTION] = facts->submission != BY_RINGS &&
	    (facts->scheduler & I915_SCHEDULER_CAP_PREEMPTION) != 0;
	facts->has[FEATURE_TIMERS] = facts->generation >= 8 &&
	    facts->ring_hz > 0;
	facts->has[FEATURE_RELATIVE] = facts->generation >= 11;
}

bool
facts_read(
    struct facts *facts, const struct node *node, int fd, struct text *err)
{
	*facts = (struct facts){0};
	snprintf(facts->path, sizeof facts->path, "%s", node_path(node));
	if (!is_i915(facts, fd, err))
		return false;
	read_part(facts, fd);
	read_parameters(facts, fd);
	if (!read_engines(facts, fd, err))
		return false;
	read_memory(facts, fd);
	read_slices(facts, fd);
	find_features(facts, fd);
	facts_try(facts, fd);
	return true;
}

void
facts_profile(const struct facts *facts, struct profile *p)
{
	profile_init(p);
	snprintf(p->name, sizeof p->name, "i915");
	snprintf(p->description, sizeof p->description, "%s, %s", facts->name,
	    facts->path);
	p->pci_id = facts->pci_id;
	p->generation = facts->generation;
	p->kernel = facts->kernel;
	/* The number says less than the trial. */
	if (facts->has[FEATURE_BONDS] && p->kernel > LAST_WITH_BONDS)
		p->kernel = LAST_WITH_BONDS;
	p->clock_hz = (unsigned)facts->ring_hz;
	p->takes_sseu = facts->has[FEATURE_SSEU];
	p->slices = facts->slices;
	p->ring_requests = RING_REQUESTS;
	p->class_ring_requests[CLASS_CCS] = COMPUTE_RING_REQUESTS;
	p->hevc_vcs = 0;
	memset(p->n_engines, 0, sizeof p->n_engines);
	for (unsigned i = 0; i < facts->n_engines; i++) {
		const struct facts_engine *e = &facts->engines[i];

		if (e->has_hevc)
			p->hevc_vcs |= 1u << p->n_engines[e->class];
		p->n_engines[e->class]++;
	}
}
