/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device for a simulation that follows one (engine/follow/follow.h), told by a
 * test what its batches do. It writes down what it is asked for, as words such
 * as "submit 0" with the number of the request, in order of submission from 0.
 * Times are us of the run.
 */
#ifndef TESTS_SUPPORT_FAKE_GPU_H
#define TESTS_SUPPORT_FAKE_GPU_H

#include "base/text.h"
#include "engine/follow/follow.h"
#include "tests/support/lab.h"

#define FAKE_MAX_REQUESTS 64

struct fake_gpu {
	struct followed followed;
	struct lab lab;
	struct text asked;
	struct request_ref requests[FAKE_MAX_REQUESTS]; /* by number */
	unsigned n_noted, n_forgotten;
	nsec submit_us; /* what execbufs take; 0: nothing */
	int fails;      /* what the next submission returns */
};

/* A simulation on ideal that follows the device, with one client of each
 * descriptor, once. */
void fake_gpu_init(struct fake_gpu *gpu);
void fake_gpu_free(struct fake_gpu *gpu);
void fake_gpu_add(
    struct fake_gpu *gpu, const char *descriptor, uint64_t repeat);

/* News. error is -errno. */
void fake_started(
    struct fake_gpu *gpu, unsigned rq, const char *engine, double us);
void fake_ran(struct fake_gpu *gpu, unsigned rq, double us);
void fake_ended(struct fake_gpu *gpu, unsigned rq, double us, int error);

/* Runs up to that time; compares what the device was asked for since the last
 * call. */
void fake_run(struct fake_gpu *gpu, double us, const char *asked);
/* Compares all requests, as lab_expect() does. */
void fake_expect(const struct fake_gpu *gpu, const char *rows);

#endif
