/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How busy the engines of a GPU are, with all programs that use it: from the PMU
 * of i915, else from fdinfo, which knows classes of engines and clients of this
 * user only; else only the stamps of our own batches are known
 * (doc/model/libdrm.md "Busyness").
 */
#ifndef DEVICE_HARDWARE_BUSYNESS_H
#define DEVICE_HARDWARE_BUSYNESS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "device/hardware/foreign.h"
#include "engine/gpu/engine.h"

struct hardware;

enum busyness_source {
	BUSYNESS_PMU,
	BUSYNESS_FDINFO,
	BUSYNESS_STAMPS, /* of our batches: the record has them */
	N_BUSYNESS_SOURCES,
};

/* An engine, by its index in facts. Zero without a source. */
struct busyness_engine {
	nsec busy_ns; /* from the beginning to the last look */
	float share;  /* of the time between the last two looks, 0 to 1 */
};

struct busyness {
	enum busyness_source source;
	/* The reason that there is no better source, and what would be needed;
	 * "": it is the PMU. */
	struct text why;
	struct busyness_engine engines[DEVICE_MAX_ENGINES];
	nsec counted_ns; /* from the beginning to the last look */
	struct foreign others;
	/* Private. */
	const struct hardware *hw;
	int pmu[DEVICE_MAX_ENGINES]; /* the first leads */
	nsec began_ns, looked_ns, found_ns;
	nsec own_ns[N_CLASSES]; /* by fdinfo, at the last look */
};

/* The folders that it is found out by; tests have others. */
struct busyness_places {
	const char *pmus; /* of PMUs, in sysfs */
	const char *proc;
};
extern const struct busyness_places busyness_machine;

/* Begins to count. hw and the places outlive b, which busyness_close() frees. */
void busyness_open(struct busyness *b, const struct hardware *hw,
    const struct busyness_places *places);
void busyness_close(struct busyness *b);
/* Goes on looking for other programs, for a fraction of a millisecond; and reads
 * all counters if the last look is a while ago. Returns true if it did. time: of
 * the run, for foreign_add_users(). */
bool busyness_look(struct busyness *b, nsec time);
/* Finds all other programs and reads all counters, now: for the beginning and
 * the end of a run. */
void busyness_look_whole(struct busyness *b, nsec time);

/* Watches a GPU on which this program runs nothing, for a tenth of a second. If it is
 * busy, as far as is known, appends with what, "RCS 98 %; programs: gem_wsim (pid
 * 4711)", and returns true. */
bool busyness_of_others(const struct hardware *hw, struct text *out);

/* Returns "pmu", "fdinfo" or "stamps". */
const char *busyness_source_name(enum busyness_source source);

/* Private: busyness_pmu.c. */

/* Opens the counters of the PMU. False: why says what would be needed. */
bool busyness_open_pmu(struct busyness *b, const char *pmus);
/* Reads counters, ns since they were opened, and that time. False: it failed. */
bool busyness_read_pmu(
    const struct busyness *b, nsec counts[DEVICE_MAX_ENGINES], nsec *time);
void busyness_close_pmu(struct busyness *b);

#endif
