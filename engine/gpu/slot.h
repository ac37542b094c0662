/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * How contexts and their timelines are defined. Definitions do not change; they
 * belong to a program, or to the context or timeline itself.
 */
#ifndef ENGINE_GPU_SLOT_H
#define ENGINE_GPU_SLOT_H

#include <stdbool.h>
#include <stdint.h>

#include "engine/gpu/engine.h"

/* A bond: where requests of a context may run if the signaler of their submit
 * fence runs on the master (doc/model/language.md "Bonds"). One for each
 * master. */
struct bond {
	uint8_t master;       /* engine index */
	engine_mask siblings; /* of this context */
};

/* A context as a program defines it, or its owner outside. */
struct context_def {
	uint32_t number; /* as in the text, or as its owner counts them */
	engine_mask map; /* 0: no map */
	bool balanced;   /* B */
	bool is_virtual; /* B, and several engines in the map */
	uint32_t n_bonds;
	struct bond *bonds;
	uint32_t n_rows;     /* G: width; 0: no parallel slot */
	uint32_t n_siblings; /* G: placements of a row */
	uint8_t *rows;       /* G: engine indices, row by row */
	uint32_t n_batches;
	uint32_t first_ring; /* its rings: first_ring .. + n_rings */
	uint32_t n_rings;
};

/* A ring (timeline): one slot of the engine map of a context, that is the
 * engine, or virtual engine, that its batches are submitted to. */
struct ring_def {
	uint32_t context; /* index of the context_def */
	bool is_virtual;
	uint8_t engine;      /* index; virtual: the first of the map */
	engine_mask engines; /* where its requests may run */
	/* As those of the context, if is_virtual; else 0. */
	uint32_t n_bonds;
	uint32_t n_rows, n_siblings;
	const struct bond *bonds;
	const uint8_t *rows;
};

#endif
