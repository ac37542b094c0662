/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The device that programs see under a profile: of the profile's generation and
 * kernel, with its engines (doc/model/virtual.md "Devices").
 */
#include <string.h>

#include "base/text.h"
#include "device/model/model.h"
#include "device/tree/tree.h"
#include "device/wire/wire.h"
#include "engine/sim.h"

/* Facts that the driver and user space know of a PCI id (i915_pci.c, Mesa's
 * intel_device_info.c): the version of the graphics x 100, the clock of its
 * command streamers, its subslices in a slice and execution units in a
 * subslice. The first part of a generation is its default. */
static const struct pci_part {
	uint16_t pci_id;
	uint8_t revision;
	unsigned graphics;
	uint64_t cs_hz;
	uint8_t subslices, eus; /* 0: the uAPI does not say */
	bool discrete;
} pci_parts[] = {
    {0x0166, 9, 700, 12500000, 0, 0, false},    /* Ivy Bridge GT2 */
    {0x1616, 9, 800, 12500000, 3, 8, false},    /* Broadwell GT2 */
    {0x1626, 9, 800, 12500000, 3, 8, false},    /* Broadwell GT3 */
    {0x5916, 2, 900, 12000000, 3, 8, false},    /* Kaby Lake GT2 */
    {0x1916, 7, 900, 12000000, 3, 8, false},    /* Skylake GT2 */
    {0x1926, 7, 900, 12000000, 3, 8, false},    /* Skylake GT3 */
    {0x193b, 6, 900, 12000000, 3, 8, false},    /* Skylake GT4 */
    {0x5a84, 11, 900, 19200000, 3, 6, false},   /* Broxton */
    {0x8a52, 7, 1100, 12000000, 8, 8, false},   /* Ice Lake GT2 */
    {0x4571, 1, 1100, 19200000, 4, 8, false},   /* Elkhart Lake */
    {0x9a49, 1, 1200, 19200000, 6, 16, false},  /* Tiger Lake GT2 */
    {0x4c8a, 4, 1200, 19200000, 2, 16, false},  /* Rocket Lake */
    {0x4680, 12, 1200, 19200000, 2, 16, false}, /* Alder Lake S */
    {0x46a6, 12, 1200, 19200000, 6, 16, false}, /* Alder Lake P */
    {0x46d0, 0, 1200, 19200000, 2, 16, false},  /* Alder Lake N */
    {0x4905, 1, 1210, 19200000, 6, 16, true},   /* DG1 */
    {0x0201, 4, 1250, 19200000, 32, 16, true},  /* XeHP SDV */
    {0x56a0, 8, 1255, 19200000, 32, 16, true},  /* DG2-G10 */
    {0x56a5, 5, 1256, 19200000, 8, 16, true},   /* DG2-G11 */
    {0x56a3, 0, 1257, 19200000, 16, 16, true},  /* DG2-G12 */
    {0x0bd5, 47, 1260, 19200000, 64, 8, true},  /* Ponte Vecchio */
    {0x7d55, 4, 1270, 19200000, 8, 16, false},  /* Meteor Lake */
    {0x7d67, 3, 1270, 19200000, 4, 16, false},  /* Arrow Lake S */
};

#define N_PARTS          (sizeof pci_parts / sizeof *pci_parts)
#define USUAL_GENERATION 12
#define USUAL_KERNEL     PROFILE_KERNEL(5, 13)
#define MEMORY_BYTES     (UINT64_C(16) << 30)

static unsigned
generation_of(const struct profile *profile)
{
	return profile->generation != 0 ? profile->generation
					: USUAL_GENERATION;
}

/* Returns the part of the profile's PCI id; of an id that is not in the table,
 * or that the profile does not name, the first one of the generation. NULL:
 * there is none. */
static const struct pci_part *
pci_part_of(const struct profile *profile)
{
	unsigned generation = generation_of(profile);
	const struct pci_part *first = NULL;

	for (size_t i = N_PARTS; i-- > 0;) {
		const struct pci_part *part = &pci_parts[i];

		if (part->graphics / 100 != generation)
			continue;
		if (part->pci_id == profile->pci_id)
			return part;
		first = part;
	}
	return first;
}

static enum i915_scheduler
submission_of(const struct sim *sim, unsigned generation)
{
	if (generation < 8)
		return I915_RING;
	return strcmp(sim->config.sched->name, "guc") == 0 ? I915_GUC
							   : I915_EXECLISTS;
}

/* HEVC 1, SFC 2: doc/model/i915_files.md "Engines". */
static uint32_t
media_capabilities(unsigned generation, const struct hw_engine *e)
{
	bool sfc;

	if (e->class == CLASS_VECS)
		return generation >= 11 ? 2 : 0;
	if (e->class != CLASS_VCS)
		return 0;
	sfc = generation >= 11 ? e->instance % 2 == 0
			       : generation >= 9 && e->instance == 0;
	return (uint32_t)e->has_hevc | (sfc ? 2u : 0u);
}

/* Hardware counts the video engines of Tiger Lake 0 and 2. */
static unsigned
hardware_instance(const struct sim *sim, const struct hw_engine *e)
{
	const struct profile *profile = &sim->config.profile;

	return e->class == CLASS_VCS && generation_of(profile) >= 11 &&
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

		engines[i] = (struct streamer_engine){
		    (enum streamer_class)e->class, hardware_instance(sim, e)};
		config->engines[i] = (struct gpu_engine){
		    .class = e->class,
		    .instance = e->instance,
		    .logical = e->instance,
		    .capabilities = media_capabilities(
			generation_of(&sim->config.profile), e),
		    .mmio_base = streamer_engine_base(
			config->graphics / 10, engines[i]),
		};
	}
	config->n_engines = sim->device.n_engines;
}

/* A cost of a codec's own, or that of the others. */
static unsigned
cost_or(unsigned own, unsigned others)
{
	return own != PROFILE_UNSET ? own : others;
}

static struct streamer_costs
command_costs(const struct profile *p)
{
	return (struct streamer_costs){
	    .command_ns = p->command_ns,
	    .flush_ns = p->flush_ns,
	    .draw_ns = p->draw_ns,
	    .vertex_ps = p->vertex_ps,
	    .dispatch_ns = p->dispatch_ns,
	    .group_ps = p->group_ps,
	    .blit_ns = p->blit_ns,
	    .byte_ps = p->byte_ps,
	    .frame_ns = p->frame_ns,
	    .decode_ns = p->decode_ns,
	    .hevc_decode_ns = cost_or(p->hevc_decode_ns, p->decode_ns),
	    .vp9_decode_ns = cost_or(p->vp9_decode_ns, p->decode_ns),
	    .av1_decode_ns = cost_or(p->av1_decode_ns, p->decode_ns),
	    .encode_ns = p->encode_ns,
	    .hevc_encode_ns = cost_or(p->hevc_encode_ns, p->encode_ns),
	    .vp9_encode_ns = cost_or(p->vp9_encode_ns, p->encode_ns),
	    .av1_encode_ns = cost_or(p->av1_encode_ns, p->encode_ns),
	    .filter_ns = p->filter_ns,
	    .ten_bit_percent = p->ten_bit_percent,
	};
}

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

/* Returns 0 where the scheduler has no watchdog of requests. */
static unsigned
request_timeout_ms(const struct sim *sim)
{
	const struct sched_ops *sched = sim->config.sched;

	if (!sched->watchdog && sched->set_watchdog == NULL)
		return 0;
	return (
	    unsigned)(sim->config.profile.request_timeout_ns / NSEC_PER_MSEC);
}

/* Sets what the profile and its part say, all but the engines. */
static void
describe_device(const struct sim *sim, const struct pci_part *part,
    struct i915_config *config)
{
	const struct profile *profile = &sim->config.profile;
	unsigned kernel = profile->kernel != 0 ? profile->kernel : USUAL_KERNEL;
	unsigned slices = profile->slices > 8 ? 8 : profile->slices;

	*config = (struct i915_config){
	    .pci_id = profile->pci_id != 0 ? (uint16_t)profile->pci_id
					   : part->pci_id,
	    .revision = part->revision,
	    .pci_address = TREE_PCI_ADDRESS,
	    .graphics = part->graphics,
	    .kernel = I915_LINUX(kernel >> 8, kernel & 0xff),
	    .scheduler = submission_of(sim, part->graphics / 100),
	    .discrete = part->discrete,
	    .llc = !part->discrete,
	    .any_sseu = profile->takes_sseu,
	    .no_parallel = !sim->config.sched->takes_parallel,
	    .cs_hz = profile->clock_hz != 0 ? profile->clock_hz : part->cs_hz,
	    .address_size = UINT64_C(1) << (part->graphics < 800 ? 31 : 48),
	    .system_bytes = MEMORY_BYTES,
	    .local_bytes = part->discrete ? MEMORY_BYTES : 0,
	    .slices = part->subslices > 0 ? (uint8_t)slices : 0,
	    .subslices = part->subslices,
	    .eus = part->eus,
	    .min_mhz = 100,
	    .efficient_mhz = 400,
	    .max_mhz = 1300,
	    .request_timeout_ms = request_timeout_ms(sim),
	    .perf_type = WIRE_PERF_TYPE,
	};
}

bool
platform_config(const struct sim *sim, struct i915_config *config,
    struct streamer_gpu *gpu, struct streamer_engine *engines, struct text *err)
{
	const struct pci_part *part = pci_part_of(&sim->config.profile);

	if (!check_platform(sim, err))
		return false;
	describe_device(sim, part, config);
	*gpu = (struct streamer_gpu){
	    .version = part->graphics / 10,
	    .ring_hz = config->cs_hz,
	    .context_hz = config->cs_hz,
	    .costs = command_costs(&sim->config.profile),
	};
	describe_engines(sim, config, engines);
	return true;
}
