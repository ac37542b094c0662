/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GPU below the virtual i915: engines that run requests of contexts in the
 * order of a scheduler. The uAPI (i915.h) makes contexts, timelines and
 * requests of it and hears when they start and end. Tests give a small one that
 * ends requests when they say so.
 *
 * Fences are numbers of one kind, never 0 and never used twice, which the uAPI
 * chooses in ascending order: a request is the fence of its end; a software
 * fence is signalled by the uAPI. Times are ns of the device's time.
 */
#ifndef DEVICE_I915_GPU_H
#define DEVICE_I915_GPU_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Classes as i915_drm.h has them (enum drm_i915_gem_engine_class). */
enum {
	GPU_RENDER,
	GPU_COPY,
	GPU_VIDEO,
	GPU_VIDEO_ENHANCE,
	GPU_COMPUTE,
	N_GPU_CLASSES
};

#define GPU_ENGINES_MAX 32 /* engines of a device: bits of a mask */
#define GPU_WIDTH_MAX   8  /* batches of a parallel submission */

/* An engine; its number is its place in the device's list, which is ordered by
 * class, then by instance. */
struct gpu_engine {
	uint16_t class, instance;
	uint16_t logical;      /* instance as the hardware's scheduler counts */
	uint32_t capabilities; /* of a video engine: HEVC 1, SFC 2 */
	uint32_t mmio_base;    /* its first register */
};

struct i915_space;
struct gpu_context; /* the GPU's own */
struct gpu_timeline;

/* A context as the uAPI knows it; context_set() may change all but the ids. */
struct gpu_context_state {
	uint64_t client;     /* open file that made it */
	uint32_t id;         /* of the context, in that file */
	uint32_t pid;        /* of the program that opened the file */
	const char *program; /* its name; valid as long as the context */
	int32_t priority;
	bool persistent;  /* its requests go on after it was destroyed */
	bool bannable;    /* hangs ban it */
	bool recoverable; /* goes on after a hang */
};

/* A power configuration, of one slot; all 0: the whole device. */
struct gpu_sseu {
	uint8_t slices, subslices; /* masks */
	uint8_t min_eus, max_eus;  /* per subslice */
};

/* A bond: behind a request that ran on `master`, only `engines` may run. */
struct gpu_bond {
	uint8_t master;
	uint32_t engines;
};

/*
 * A slot of a context's map: one timeline. rows[i] is the mask of engines that
 * the i-th batch of a submission may run on. width 1 and several engines in
 * rows[0]: a virtual engine. width > 1: parallel submission, all rows start
 * together on engines of the same column.
 */
struct gpu_slot {
	unsigned index; /* in the map; requests without a map: the ring */
	unsigned width;
	uint32_t rows[GPU_WIDTH_MAX];
	const struct gpu_bond *bonds;
	size_t n_bonds;
};

enum gpu_after {
	GPU_AFTER_END,   /* starts when that fence has signalled */
	GPU_AFTER_START, /* starts when that request has started (submit fence) */
};

struct gpu_dependency {
	uint64_t fence;
	enum gpu_after after;
};

/* The next act of a batch, asked when it starts to run and each time the answer
 * is used up. */
enum gpu_step_kind {
	GPU_STEP_RUN,  /* computes for ns, then asks again */
	GPU_STEP_POLL, /* runs until memory changes: ask again when poked */
	GPU_STEP_WAIT, /* likewise, at a semaphore: its engine polls */
	GPU_STEP_END,
	GPU_STEP_FAULT, /* hangs its engine */
	GPU_STEP_ERROR, /* likewise, and the engine may say so: a command is
			   invalid */
};

#define GPU_NEVER UINT64_MAX

struct gpu_step {
	enum gpu_step_kind kind;
	uint64_t ns;
	/* How long after this it can be preempted; 0: now, GPU_NEVER: not
	 * before it is asked again. */
	uint64_t point_ns;
	bool stored; /* memory was changed since it was asked before */
};

/* Where and when a batch runs. */
struct gpu_instant {
	unsigned engine;
	uint64_t now_ns;     /* of the device */
	uint64_t context_ns; /* that this slot has run so far */
};

/* A batch: the source of its duration. Belongs to the GPU after submit(), which
 * frees it when the request has ended or was cancelled. */
struct gpu_batch {
	const struct gpu_batch_ops *ops;
};

/* A wait of a batch at a semaphore, until the dword at address compares with
 * wanted. */
struct gpu_wait {
	uint64_t address;
	uint32_t found, wanted;
	unsigned compare; /* 0 to 5: found >, >=, <, <=, ==, != */
	bool is_register; /* address is a register's */
	bool never_ends;  /* nothing but the batch writes that register */
	/* Where address is, for users. */
	uint32_t object; /* number; 0: not known */
	uint32_t pid;    /* of the process that made the object */
	uint64_t offset; /* in the object */
};

/* Video frames of a batch; filtered: by VEBOX. */
struct gpu_media {
	uint64_t decoded, coded, filtered;
};

struct gpu_batch_ops {
	/* The effects of the last step are done before it returns. */
	struct gpu_step (*next)(
	    struct gpu_batch *batch, const struct gpu_instant *at);
	/* Returns true if the batch, whose last step was WAIT or POLL, would go on
	 * waiting, and change nothing. NULL: not known. */
	bool (*rests)(struct gpu_batch *batch, const struct gpu_instant *at);
	/* Returns true if a batch that polls would go on behind that. May be NULL: no. */
	bool (*is_released)(
	    struct gpu_batch *batch, const struct gpu_instant *at);
	/* Sets what the batch, whose last step was WAIT, waits for. NULL: not
	 * known. */
	void (*waits_for)(const struct gpu_batch *batch, struct gpu_wait *wait);
	/* A reset took its work: begins again. */
	void (*restart)(struct gpu_batch *batch);
	/* Appends what the batch contains, e.g. "20 draws", to at most size
	 * bytes. NULL: not known. */
	void (*label)(const struct gpu_batch *batch, char *label, size_t size);
	/* Sets the video frames that it has processed. NULL: not known. */
	void (*media)(const struct gpu_batch *batch, struct gpu_media *media);
	void (*free)(struct gpu_batch *batch);
};

struct gpu_submission {
	uint64_t request; /* fence of its end */
	struct gpu_timeline *timeline;
	const struct gpu_dependency *after;
	size_t n_after;
	/* One per row of the slot; NULL: ends as soon as it starts. */
	struct gpu_batch **batches;
};

/* Resets that concern a context, for GET_RESET_STATS. */
struct gpu_reset_stats {
	uint32_t resets; /* of the whole device */
	uint32_t guilty, innocent;
};

/* Times of an engine, in ns since the device was made. */
struct gpu_counters {
	uint64_t busy_ns; /* running, switching and polling */
	uint64_t wait_ns; /* 0: no engine waits for events */
	uint64_t semaphore_ns;
};

/* Knobs of an engine, in ms; 0: off. */
enum gpu_knob {
	GPU_TIMESLICE_MS,
	GPU_PREEMPT_TIMEOUT_MS,
	GPU_HEARTBEAT_MS,
	N_GPU_KNOBS
};

struct gpu;
struct text;

struct gpu_ops {
	struct gpu_context *(*context_new)(
	    struct gpu *gpu, const struct gpu_context_state *state);
	void (*context_set)(struct gpu *gpu, struct gpu_context *context,
	    const struct gpu_context_state *state);
	/* Its timelines were closed before. Requests of a context that is not
	 * persistent are cancelled; the others go on. */
	void (*context_free)(struct gpu *gpu, struct gpu_context *context);
	/* True: submissions are refused for ever, after hangs. */
	bool (*context_banned)(struct gpu *gpu, struct gpu_context *context);
	/* True: the client gets no new contexts. NULL: never. */
	bool (*client_banned)(struct gpu *gpu, uint64_t client);
	struct gpu_reset_stats (*reset_stats)(
	    struct gpu *gpu, struct gpu_context *context);
	/* The program with that pid has gone, with its contexts and requests.
	 * NULL: not of interest. */
	void (*program_gone)(struct gpu *gpu, uint32_t pid);

	struct gpu_timeline *(*timeline_new)(struct gpu *gpu,
	    struct gpu_context *context, const struct gpu_slot *slot);
	void (*timeline_sseu)(struct gpu *gpu, struct gpu_timeline *timeline,
	    const struct gpu_sseu *sseu);
	/* No submissions follow; those made go on. */
	void (*timeline_free)(struct gpu *gpu, struct gpu_timeline *timeline);

	/* Makes a batch that begins at address in space, for that row of the
	 * timeline. NULL (also the function): a batch that ends at once. */
	struct gpu_batch *(*batch)(struct gpu *gpu,
	    struct gpu_timeline *timeline, unsigned row,
	    struct i915_space *space, uint64_t address);

	/* Returns 0 if the timeline has room for a request, else the request
	 * after whose end there will be room. */
	uint64_t (*room)(struct gpu *gpu, struct gpu_timeline *timeline);
	/* Only with room. May call events at once, also that it has ended. */
	void (*submit)(struct gpu *gpu, const struct gpu_submission *s);
	/* A program waits for the request: raises its priority. */
	void (*boost)(struct gpu *gpu, uint64_t request);

	void (*fence_new)(struct gpu *gpu, uint64_t fence);
	/* Requests that wait for it inherit a fatal error, -errno; 0: none. */
	void (*fence_signal)(struct gpu *gpu, uint64_t fence, int error);

	/* A program made a call, so its memory may have changed: batches that
	 * poll are asked again. */
	void (*poke)(struct gpu *gpu);
	/* From now on it is noted which endless batches programs end before they
	 * begin. NULL: that is not known. */
	void (*look_ahead)(struct gpu *gpu, bool on);

	struct gpu_counters (*counters)(struct gpu *gpu, unsigned engine);
	/* Returns ns that requests of a client have run on a class. */
	uint64_t (*client_ns)(struct gpu *gpu, uint64_t client, unsigned class);
	/* MHz; 0: asleep. */
	unsigned (*frequency)(struct gpu *gpu);
	/* True: the device is lost, submissions fail with EIO. */
	bool (*wedged)(struct gpu *gpu);

	/* The rest may be NULL: not supported. */
	uint64_t (*knob)(struct gpu *gpu, unsigned engine, enum gpu_knob knob);
	void (*knob_set)(struct gpu *gpu, unsigned engine, enum gpu_knob knob,
	    uint64_t value);
	/* Resets the engines of the mask that have a request: a hang. */
	void (*reset)(struct gpu *gpu, uint64_t engines);
	/* Hangs reset the whole GPU from now on, or engines, if it can. */
	void (*reset_all)(struct gpu *gpu, bool all);
	/* Engines are looked after by heartbeats, or by none. */
	void (*hangcheck)(struct gpu *gpu, bool on);
	/* Requests are cancelled after ms, 0: never. */
	void (*request_timeout)(struct gpu *gpu, uint64_t ms);
	/* The device is lost from now on, or again no more: wedged(). Requests
	 * that are ready, or get so while it is, end with EIO. */
	void (*lose)(struct gpu *gpu, bool lost);
	/* Appends the text of the first hang since the last error_clear(). */
	void (*error_state)(struct gpu *gpu, struct text *out);
	void (*error_clear)(struct gpu *gpu);
};

struct gpu {
	const struct gpu_ops *ops;
};

/* Events of the GPU for the uAPI; see i915_gpu_events(). error: 0 or negative,
 * e.g. -EIO after a hang. */
struct gpu_events {
	void (*started)(void *data, uint64_t request, uint64_t ns);
	void (*ended)(void *data, uint64_t request, uint64_t ns, int error);
	/* An engine, or the whole GPU, was reset after a hang. */
	void (*hung)(void *data);
	/* At a hang, before these: false if the request's context is left out of
	 * error states. */
	bool (*is_captured)(void *data, uint64_t request);
	/* Appends memory of the request, as it is now. */
	void (*capture)(
	    void *data, uint64_t request, unsigned engine, struct text *out);
};

#endif
