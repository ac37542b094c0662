/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A virtual i915 for tests: a GPU that ends requests when the test says so, and
 * a host whose programs are the test itself. Descriptors are real ones, pointers
 * are the test's own, so that a bad one is EFAULT.
 */
#ifndef TESTS_SUPPORT_I915_LAB_H
#define TESTS_SUPPORT_I915_LAB_H

#include "device/i915/i915.h"
#include "device/i915/uapi.h"

#define UAPI_FDS      512
#define UAPI_REQUESTS 512
#define UAPI_THREADS  4
/* A call that has no reply yet. */
#define UAPI_WAITS (-200000)

/* A descriptor with a mark. */
struct uapi_fd {
	int fd;
	uint64_t token;
	char kind;
	bool readable, closed;
	char sent[512]; /* by the device */
};

/* A request that was submitted. */
struct uapi_request {
	uint64_t id;
	struct gpu_timeline *timeline;
	struct gpu_dependency after[16];
	size_t n_after;
	bool ended, boosted;
};

struct gpu_context {
	struct gpu_context_state state;
	bool freed, banned;
	struct gpu_reset_stats stats;
};

struct gpu_timeline {
	struct gpu_context *context;
	struct gpu_slot slot;
	struct gpu_bond bonds[8];
	struct gpu_sseu sseu;
	bool freed;
};

/* A thread of a program. */
struct uapi_thread {
	struct i915_caller caller; /* first */
	struct i915_lab *lab;
	void *arg; /* of the ioctl that waits */
	int result;
	struct wire_reply rp;
	char bytes[WIRE_MAX_BYTES];
	int fd; /* that came, -1: none */
};

struct i915_lab {
	struct i915_host host; /* first */
	struct gpu gpu;
	struct user_memory memory;
	struct i915_config config;
	struct i915 *dev;
	uint64_t now;
	struct uapi_thread threads[UAPI_THREADS];
	struct uapi_fd fds[UAPI_FDS];
	size_t n_fds;
	struct uapi_request requests[UAPI_REQUESTS];
	size_t n_requests;
	struct i915_space *space; /* of the last request */
	struct gpu_context *contexts[64];
	size_t n_contexts;
	struct gpu_timeline *timelines[64];
	size_t n_timelines;
	uint64_t signalled[64]; /* software fences */
	size_t n_signalled;
	uint64_t ring; /* requests of all that have room, 0: any */
	unsigned mhz;
	bool wedged;
	uint64_t banned_client; /* 0: none */
};

/* Tiger Lake on Linux 5.13, as Debian's clients know it, with execlists. */
void i915_lab_init(struct i915_lab *lab);
/* Starts the device, after changes of the config. */
void i915_lab_start(struct i915_lab *lab);
void i915_lab_free(struct i915_lab *lab);
/* Both for a lab of its own; kernel 0: that of i915_lab_init(). */
struct i915_lab *i915_lab_new(uint32_t kernel);
void i915_lab_delete(struct i915_lab *lab);

/* Opens a file below the root on a thread. Returns its descriptor or -errno. */
int uapi_open(struct i915_lab *lab, unsigned thread, const char *path);
int uapi_open_with(
    struct i915_lab *lab, unsigned thread, const char *path, unsigned flags);
/* Makes a call. Returns its result or UAPI_WAITS; lab->threads[].result has the
 * result when it came. */
int uapi_ioctl_on(struct i915_lab *lab, unsigned thread, int fd,
    unsigned long request, void *arg);
/* On thread 0. */
int uapi_ioctl(struct i915_lab *lab, int fd, unsigned long request, void *arg);
/* Another request than an ioctl. */
int uapi_call(struct i915_lab *lab, unsigned thread,
    const struct wire_request *rq, const void *arg);
/* Closes a descriptor, the last one of its file. */
void uapi_close(struct i915_lab *lab, int fd);
struct uapi_fd *uapi_fd(struct i915_lab *lab, int fd);

/* Ends a request, the n-th that was submitted. */
void uapi_end(struct i915_lab *lab, size_t n, int error);
/* Ends all. */
void uapi_end_all(struct i915_lab *lab);
void uapi_advance(struct i915_lab *lab, uint64_t ns);
/* True if request n waits for request m so. */
bool uapi_after(
    const struct i915_lab *lab, size_t n, size_t m, enum gpu_after after);

/* Shorthands, which must succeed. */
uint32_t uapi_create(struct i915_lab *lab, int fd, uint64_t size);
uint32_t uapi_context(struct i915_lab *lab, int fd);
/* Closes an object. Returns the result. */
int uapi_close_handle(struct i915_lab *lab, int fd, uint32_t handle);
/* Submits a batch on ring `flags` with context ctx. Returns the result. */
int uapi_submit(struct i915_lab *lab, int fd, uint32_t ctx, uint64_t flags,
    struct drm_i915_gem_exec_object2 *objects, uint32_t n);
/* Sets a parameter of a context. */
int uapi_set_param(struct i915_lab *lab, int fd, uint32_t ctx, uint64_t param,
    uint32_t size, uint64_t value);

/* Makes a fence of a sw_sync timeline that signals at value; returns it. */
int uapi_fence(struct i915_lab *lab, int timeline, uint32_t value);
void uapi_count_up(struct i915_lab *lab, int timeline, uint32_t steps);
/* Returns the status of a sync_file; *n is the number of its fences. */
int uapi_fence_status(struct i915_lab *lab, int fd, uint32_t *n);

#endif
