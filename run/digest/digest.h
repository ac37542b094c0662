/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A digest: a run in bounded memory, for its report, however long it was. It
 * has how busy the engines were and how long batches took, in up to DIGEST_BINS
 * bins of one length, which doubles when they are full; and the worst missed
 * periods and the slowest batches, with why, and a picture of the engines around
 * the worst.
 *
 * The digest is in the region of the simulation, as the trail is that it reads,
 * so that both are those of a snapshot that is put back. An event costs a few
 * comparisons. Each quarter of the trail, what is worst in it is explained,
 * before its records are overwritten.
 *
 *   digest.c          bins
 *   digest_worst.c    the worst misses and batches
 *   digest_picture.c  engines around them
 */
#ifndef RUN_DIGEST_DIGEST_H
#define RUN_DIGEST_DIGEST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/batch_name.h"
#include "engine/gpu/engine.h"
#include "engine/histogram.h"
#include "engine/observer.h"

struct run;
struct text;
struct trail;
struct trail_request;

#define DIGEST_BINS      256  /* an even number */
#define DIGEST_FIRST_BIN 1000 /* ns; at first */
#define DIGEST_WORST     8    /* of a kind */
#define DIGEST_WHY_ROWS  40   /* of an answer; the others are counted */
#define DIGEST_WHY_TEXT  6000 /* bytes of its words */
#define DIGEST_BLOCKS    1500 /* of a picture */

/* Totals of a bin; times are of batches that ended in it. */
struct digest_bin {
	struct histogram times;
	uint64_t iterations, missed;
};

/* A row of an answer to W. No byte of these structures is undefined: snapshots are
 * compared. */
struct digest_row {
	nsec ns;
	uint32_t text;   /* of its words in struct digest_why */
	uint16_t indent; /* 0: the head */
	uint16_t role;   /* enum why_role */
};

struct digest_why {
	struct digest_row rows[DIGEST_WHY_ROWS];
	unsigned n, n_more; /* n 0: its records are gone */
	char text[DIGEST_WHY_TEXT];
};

/* A missed period, or a batch. */
struct digest_worst {
	nsec cost;     /* that it was late by; its latency */
	nsec from, to; /* the iteration up to its p; from submission to end */
	nsec due;      /* of a period; NSEC_NEVER: a batch */
	uint64_t id;   /* in the trail */
	uint64_t iteration;
	uint32_t client, context;
	struct step_place place;
	uint32_t is_new; /* not 0: why is not known yet */
	struct digest_why why;
};

enum digest_kind { DIGEST_MISSES, DIGEST_SLOWEST, N_DIGEST_KINDS };

/* A stay of a request on an engine, or several short ones; or a time in which the
 * engine was free, and work for it blocked. */
struct digest_block {
	nsec from, to;
	nsec switched, begin; /* it switched, then polled */
	struct batch_name name;
	uint32_t count; /* of requests; 0: blocked */
	uint16_t engine;
	uint16_t mixed; /* not 0: of several contexts */
};

struct digest_picture {
	nsec from, to; /* to 0: none */
	nsec least;    /* shorter blocks are joined */
	unsigned n;
	struct digest_block blocks[DIGEST_BLOCKS]; /* by engine, then time */
};

struct digest {
	struct observer observer;
	struct sim *sim;
	const struct trail *trail;
	const struct run *run; /* has the texts of steps */

	nsec width, next; /* of a bin; end of the current one */
	unsigned n;       /* bins that are over; the current one follows */
	struct digest_bin bins[DIGEST_BINS];
	struct engine_times *times; /* by bin, then engine */
	struct engine_times *used;  /* by engine, at the end of the last bin */

	struct digest_worst worst[N_DIGEST_KINDS]
				 [DIGEST_WORST]; /* worst first */
	unsigned n_worst[N_DIGEST_KINDS];
	uint64_t seen_requests, seen_misses; /* of the trail */
	struct digest_picture picture;       /* of a kind's first */
	enum digest_kind pictured;
	uint64_t pictured_id;
};

/* Begins a digest of a run that has not begun. The trail must be begun next, with
 * digest_follow(), so that it has an event before the digest has. */
struct digest *digest_begin(const struct run *run);
void digest_follow(struct digest *d, const struct trail *trail);
/* Ends a digest, before its trail and the simulation; NULL is allowed. */
void digest_end(struct digest *d);

/* Brings all up to the simulation's time, between two instants. */
void digest_settle(struct digest *d);
/* Returns the number of bins with the current one, if that has begun. */
unsigned digest_n_bins(const struct digest *d);
/* Returns how an engine spent a bin. The last bin may be shorter than the
 * others. */
const struct engine_times *digest_times(
    const struct digest *d, unsigned bin, unsigned engine);

/* For the files of this folder. */

/* Looks for what is worst in the trail since the last call, and explains it. */
void digest_look(struct digest *d);
/* A batch of a client of the foreground has ended. */
void digest_batch_ended(struct digest *d, const struct request *rq);
/* Makes the picture of w. */
void digest_draw(struct digest *d, const struct digest_worst *w);

#endif
