/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts: what a GPU and its kernel driver are and can do, as they answer
 * themselves, and the profile that the run then has: the engines of the device,
 * without costs (doc/model/libdrm.md "Facts").
 */
#ifndef DEVICE_HARDWARE_FACTS_H
#define DEVICE_HARDWARE_FACTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "engine/gpu/engine.h"

struct node;
struct profile;

/* Features that a run may need, and a device may lack. facts_need() has the words. */
enum facts_feature {
	FEATURE_SCHEDULER, /* priorities, submission by GuC or execlists */
	FEATURE_SOFTPIN,
	FEATURE_FULL_ADDRESSES, /* 48 bits for each context */
	FEATURE_FENCES,
	FEATURE_BATCH_FIRST,
	FEATURE_MAPS,   /* contexts with engine maps and address spaces */
	FEATURE_TIMERS, /* clocks and arithmetic of all command streamers */
	/* The run needs all those before; those that follow, steps do. */
	FEATURE_SUBMIT_FENCES,
	FEATURE_PREEMPTION,
	FEATURE_BALANCING,
	FEATURE_RELATIVE, /* registers by engine, for virtual engines */
	FEATURE_BONDS,
	FEATURE_PARALLEL,
	FEATURE_SSEU,
	FEATURE_RAISED_PRIORITY,
	FEATURE_NON_PERSISTENT,
	N_FEATURES,
};

#define FEATURES_NEEDED FEATURE_SUBMIT_FENCES

enum submission_kind { BY_RINGS, BY_EXECLISTS, BY_GUC };

/* An engine, in the order of the model's: class by class, then instance. */
struct facts_engine {
	uint8_t class; /* enum engine_class */
	uint16_t i915_class, i915_instance, logical;
	bool has_hevc;
	uint32_t mmio_base; /* of generations before 11; else 0 */
};

struct facts {
	char driver[32], path[96], name[24];
	uint16_t pci_id;
	bool known;        /* the table of parts has the id */
	unsigned graphics; /* version x 100; not known: 1200 */
	unsigned generation;
	unsigned kernel;  /* PROFILE_KERNEL, of this machine */
	uint64_t ring_hz; /* of RING_TIMESTAMP */
	nsec watchdog_ns; /* that ends requests; 0: none */
	uint64_t address_size;
	uint64_t system_bytes, local_bytes;
	bool discrete, llc;
	bool map_offset; /* GEM_MMAP_OFFSET */
	int scheduler;   /* capabilities */
	enum submission_kind submission;
	unsigned slices;
	struct facts_engine engines[DEVICE_MAX_ENGINES];
	unsigned n_engines;
	bool has[N_FEATURES];
	int why[N_FEATURES]; /* errno of the trial; 0: none was made */
};

/* Asks the device. False: it is none of i915's, or does not list its engines;
 * err says what would be needed. */
bool facts_read(
    struct facts *facts, const struct node *node, int fd, struct text *err);
/* Returns true if the device has it; else err has what would be needed. */
bool facts_need(
    const struct facts *facts, enum facts_feature feature, struct text *err);
/* Returns what happens without a feature that a run can do without; NULL: it
 * cannot. */
const char *facts_instead(enum facts_feature feature);
/* Returns true if a run is possible at all. */
bool facts_allow_run(const struct facts *facts, struct text *err);
/* Sets p to a profile with the engines of the device, all of whose costs are
 * 0 and whose timeouts are off. */
void facts_profile(const struct facts *facts, struct profile *p);

#endif
