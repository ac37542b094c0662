/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The knobs of profiles: one table says each one's section, key, unit, limits
 * and value in `ideal`. A knob may be an array: of one value for each engine
 * class (`gt.RCS`), or for each pair of them (`[sharing] RCS.CCS`).
 */
#ifndef ENGINE_PROFILE_KNOBS_H
#define ENGINE_PROFILE_KNOBS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "engine/profile.h"

enum knob_type {
	KNOB_UNSIGNED,
	KNOB_NSEC,    /* a whole number of units */
	KNOB_VERSION, /* MAJOR.MINOR, an unsigned of PROFILE_KERNEL */
};

struct knob {
	const char *section, *key;
	size_t offset;
	enum knob_type type;
	nsec unit; /* KNOB_NSEC: of the number in the file, in ns */
	uint64_t min, max;
	uint64_t ideal; /* in the file's unit; or KNOB_UNSET */
	unsigned dims;  /* 0: one value, 1: by class, 2: by class and class */
};

#define KNOB_UNSET UINT64_MAX

extern const struct knob profile_knobs[];
extern const size_t n_profile_knobs;

/* How many values it has. */
unsigned knob_values(const struct knob *k);
/* The key of the i-th value, as in a file, into name. */
void knob_name(const struct knob *k, unsigned i, char name[PROFILE_MAX_KEY]);
/* Values are in the unit of the file; KNOB_UNSET: not named. */
void knob_set(
    struct profile *p, const struct knob *k, unsigned i, uint64_t value);
uint64_t knob_get(const struct profile *p, const struct knob *k, unsigned i);
/* The knob of that key, and which of its values; NULL: none. */
const struct knob *knob_find(const char *section, const char *key, unsigned *i);

#endif
