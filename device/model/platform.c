/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What programs see of a profile: a device of the profile's generation and
 * kernel, with its engines, as doc/model/virtual.md "Devices" has it.
 */
#include <string.h>

#include "base/text.h"
#include "device/model/model.h"
#include "device/tree/tree.h"
#include "device/wire/wire.h"
#include "engine/sim.h"

/* Devices that programs know, one of each generation. */
static const struct pci_part {
	unsigned generation;
	uint16_t pci_id;
	uint8_t revision;
	uint64_t cs_hz;
} pci_parts[] = {
    {7, 0x0166, 9, 12500000},  /* Ivy Bridge GT2 */
    {8, 0x1616, 9, 12500000},  /* Broadwell GT2 */
    {9, 0x5916, 2, 12000000},  /* Kaby Lake GT2 */
    {11, 0x8a52, 7, 12000000}, /* Ice Lake GT2 */
    {12, 0x9a49, 1, 19200000}, /* Tiger Lake GT2 */
};

#define N_PARTS (sizeof pci_parts / sizeof *pci_parts)

static const struct pci_part *
pci_part_of(const struct profile *profile)
{
	unsigned generation = profile->generation != 0 ? profile->generation
						       : 12;

	for (size_t i = 0; i < N_PARTS; i++) {
		if (pci_parts[i].generation == generation)
			return &pci_parts[i];
	}
	return NULL;
}

static enum i915_scheduler
submission_of(const struct sim *sim, unsigned generation)
{
	if (generation < 8)
		return I915_RING;
	return strcmp(sim->config.sched->name, "guc") == 0 ? I915_GUC
							   : I915_EXECLISTS;
}

/* HEVC 1; SFC 2: every second video engine, and the enhancement engines. */
static uint32_t
media_capabilities(const struct profile *profile, const struct hw_engine *e)
{
	if (e->class == CLASS_VECS)
		return profile->generation >= 11 ? 2 : 0;
	if (e->class != CLASS_VCS)
		return 0;
	return (uint32_t)e->has_hevc |
	    (profile->generation >= 11 && e->instance % 2 == 0 ? 2u : 0u);
}

/* Hardware counts the video engines of Tiger Lake 0 and 2. */
static unsigned
hardware_instance(const struct sim *sim, const struct hw_engine *e)
{
	const struct profile *profile = &sim->config.profile;

	return e->class == CLASS_VCS && profile->generation >= 11 &&
		profile->n_engines[CLASS_VCS] == 2
	    ? 2u * e->instance
	    : e->instance;
}

static void
describe_engines(const struct sim *sim, struct i915_config *config,
    struct streamer_engine *engines)
{
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		config->engines[i] = (struct gpu_engine){
		    .class = e->class,
		    .instance = e->instance,
		    .logical = e->instance,
		    .capabilities = media_capabilities(&sim->config.profile, e),
		};
		engines[i] = (struct streamer_engine){
		    (enum streamer_class)e->class, hardware_instance(sim, e)};
	}
	config->n_engines = sim->device.n_engines;
}

/* Commands cost something where contexts do: our estimates. */
static const struct streamer_costs usual_costs = {
    .flush_ns = 500,
    .draw_ns = 2000,
    .vertex_ps = 1000,
    .dispatch_ns = 2000,
    .group_ps = 10000,
    .blit_ns = 1000,
    .byte_ps = 50,
    .frame_ns = 4000000,
};

static bool
check_platform(const struct sim *sim, struct text *err)
{
	const struct profile *profile = &sim->config.profile;

	if (profile->xe)
		text_addf(err,
		    "profile '%s' has the driver Xe: expected one of i915, "
		    "e.g. tgl",
		    profile->name);
	else if (pci_part_of(profile) == NULL)
		text_addf(err,
		    "profile '%s' has graphics %u: expected 7, 8, 9, 11 or 12",
		    profile->name, profile->generation);
	else if (sim->device.n_engines > GPU_ENGINES_MAX)
		text_addf(err,
		    "profile '%s' has %u engines: expected %d at most",
		    profile->name, sim->device.n_engines, GPU_ENGINES_MAX);
	else
		return true;
	return false;
}

bool
platform_config(const struct sim *sim, struct i915_config *config,
    struct streamer_gpu *gpu, struct streamer_engine *engines, struct text *err)
{
	const struct profile *profile = &sim->config.profile;
	const struct pci_part *part = pci_part_of(profile);
	unsigned kernel = profile->kernel != 0 ? profile->kernel
					       : PROFILE_KERNEL(5, 13);
	bool ideal = profile->context_switch_ns == 0;

	if (!check_platform(sim, err))
		return false;
	*config = (struct i915_config){
	    .pci_id = part->pci_id,
	    .revision = part->revision,
	    .pci_address = TREE_PCI_ADDRESS,
	    .graphics = part->generation * 100,
	    .kernel = I915_LINUX(kernel >> 8, kernel & 0xff),
	    .scheduler = submission_of(sim, part->generation),
	    .llc = true,
	    .any_sseu = profile->takes_sseu,
	    .cs_hz = ideal ? NSEC_PER_SEC : part->cs_hz,
	    .address_size = UINT64_C(1) << (part->generation < 8 ? 31 : 48),
	    .system_bytes = UINT64_C(16) << 30,
	    .slices = (uint8_t)(profile->slices > 8 ? 8 : profile->slices),
	    .subslices = 6,
	    .eus = 16,
	    .perf_type = WIRE_PERF_TYPE,
	};
	*gpu = (struct streamer_gpu){
	    .version = part->generation * 10,
	    .ring_hz = config->cs_hz,
	    .context_hz = config->cs_hz,
	    .costs = ideal ? (struct streamer_costs){0} : usual_costs,
	};
	describe_engines(sim, config, engines);
	return true;
}
