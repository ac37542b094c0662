/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual i915: what programs see of a device. A request of a program goes
 * in through i915_call(), its answer comes through the caller's reply(), at once
 * or when what it waits for has happened. Nothing here reads a clock or a
 * socket: time is what i915_advance() says, and descriptors are the host's.
 * Rules: doc/model/i915.md.
 */
#ifndef DEVICE_I915_I915_H
#define DEVICE_I915_I915_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/i915/gpu.h"
#include "device/wire/wire.h"

struct i915;
struct i915_space; /* an address space */
struct text;

#define I915_NEVER UINT64_MAX

/* Linux 5.13 is I915_LINUX(5, 13). */
#define I915_LINUX(major, minor) ((major)*1000 + (minor))

enum i915_scheduler { I915_RING, I915_EXECLISTS, I915_GUC };

/* Limits of one program (limits.c has their defaults and errors). */
enum i915_limit {
	I915_LIMIT_MEMORY,   /* bytes of objects whose memory exists */
	I915_LIMIT_OBJECTS,  /* objects */
	I915_LIMIT_CONTEXTS, /* contexts, address spaces */
	I915_LIMIT_REQUESTS, /* that have not ended */
	I915_LIMIT_SYNCOBJS, /* syncobjs, their points, software fences */
	I915_LIMIT_FILES,    /* open nodes, sync_files, perf events */
	I915_LIMIT_ARRAY,    /* elements of an array in one call */
	N_I915_LIMITS
};

/* A device. All of it stays unchanged while the device lives. */
struct i915_config {
	uint16_t pci_id;
	uint8_t revision;
	const char *pci_address; /* "0000:00:02.0" */
	unsigned graphics;       /* version x 100: 1200, 1255 */
	unsigned kernel;         /* I915_LINUX() */
	enum i915_scheduler scheduler;
	bool discrete;         /* has local memory */
	bool llc;              /* shares the last-level cache */
	bool any_sseu;         /* SSEU is accepted, on other than graphics 11 */
	bool no_parallel;      /* the GPU can't have parallel slots */
	uint64_t cs_hz;        /* of RING_TIMESTAMP */
	uint64_t address_size; /* bytes of an address space, e.g. 2^48 */
	uint64_t system_bytes, local_bytes;
	uint8_t slices, subslices, eus; /* per slice, per subslice */
	unsigned min_mhz, efficient_mhz, max_mhz;
	/* Limit of a request; 0: none. */
	unsigned request_timeout_ms;
	uint32_t perf_type;   /* of the PMU */
	bool perf_restricted; /* the PMU needs CAP_PERFMON */
	struct gpu_engine engines[GPU_ENGINES_MAX];
	size_t n_engines;
	uint64_t limits[N_I915_LIMITS]; /* 0: the default */
};

/* Values of knobs of engines that are the same everywhere (sysfs). */
#define I915_STOP_TIMEOUT_MS 100
#define I915_BUSYWAIT_NS     8000

/* The memory of a program, in which pointers of calls are valid. */
struct user_memory {
	const struct user_memory_ops *ops;
	unsigned refs;
};

struct user_memory_ops {
	/* Return 0 or -EFAULT; part may have been copied then. */
	int (*read)(
	    struct user_memory *m, void *to, uint64_t from, size_t size);
	int (*write)(
	    struct user_memory *m, uint64_t to, const void *from, size_t size);
	/* read() for a GPU, to which pages that the program may only write are
	 * readable. NULL: as read(). */
	int (*fetch)(
	    struct user_memory *m, void *to, uint64_t from, size_t size);
	/* Returns true if the program has ended. NULL: never. */
	bool (*is_gone)(struct user_memory *m);
	/* The last reference was given back. */
	void (*free)(struct user_memory *m);
};

/* Capabilities of a caller (capabilities(7)). */
enum {
	I915_CAP_NICE = 1 << 0,    /* CAP_SYS_NICE */
	I915_CAP_ADMIN = 1 << 1,   /* CAP_SYS_ADMIN */
	I915_CAP_PERFMON = 1 << 2, /* CAP_PERFMON */
};

/* A thread of a program: one call at a time. */
struct i915_caller {
	uint32_t pid, tid; /* tid 0: not known */
	char name[16];     /* of the program */
	unsigned capabilities;
	struct user_memory *memory; /* the caller's reference */
	/* fd: goes to the program and is closed by reply(); -1: none. */
	void (*reply)(struct i915_caller *caller, const struct wire_reply *rp,
	    const void *bytes, int fd);
	struct i915_waiter *waiter; /* the device's: its call that waits */
	/* The device's: when the call began that its program restarts, in ns;
	 * 0: none. */
	uint64_t restarted_ns;
};

/* A descriptor that a program passed as an argument. */
struct i915_passed {
	uint64_t token; /* of its mark, 0: none */
	int fd;         /* a duplicate, owned by who asked; -1 with a token */
};

/* Sockets and processes, which are not the device's business. */
struct i915_host {
	const struct i915_host_ops *ops;
};

struct i915_host_ops {
	/* Makes a descriptor with a mark of kind (device/wire/mark.h). Returns
	 * the program's end, or -errno; sets *token. */
	int (*mark)(
	    struct i915_host *host, char kind, uint32_t minor, uint64_t *token);
	/* Makes the program's end readable, for ever. */
	void (*signal)(struct i915_host *host, uint64_t token);
	/* Sends bytes to the program's end, which is lost if it reads none.
	 * NULL: none are sent. */
	void (*send)(struct i915_host *host, uint64_t token, const void *bytes,
	    size_t size);
	/* Closes the device's end. */
	void (*close)(struct i915_host *host, uint64_t token);
	/* Looks at descriptor fd of process pid. Returns 0 or -EBADF. */
	int (*passed)(struct i915_host *host, uint32_t pid, int fd,
	    struct i915_passed *passed);
	/* Returns the token of the mark of the socket inode; 0: none. */
	uint64_t (*inode)(struct i915_host *host, uint64_t inode);
	/* Appends the command line of a process. NULL: never known. */
	void (*command)(
	    struct i915_host *host, uint32_t pid, struct text *command);
};

/* All that is given must outlive the device, which the caller frees. */
struct i915 *i915_new(const struct i915_config *config, struct i915_host *host,
    struct gpu *gpu, uint64_t now_ns);
/* Frees the device; calls that wait are answered with ENODEV. */
void i915_free(struct i915 *dev);

/* The GPU had the same frequency until now_ns, and may have another one from then on. */
void i915_gpu_moved(struct i915 *dev, uint64_t now_ns);

/* Returns the driver's name of a class: "rcs" and so on. */
const char *i915_class_name(unsigned class);

/* The functions that a GPU reports to; their data is dev. */
extern const struct gpu_events i915_gpu_events;

/* Gets a line for each call that was refused and makes or submits something.
 * grave: the program did not only ask what the device has. */
typedef void i915_refused_fn(void *data, const char *line, bool grave);
/* NULL: no more. */
void i915_set_refusals(struct i915 *dev, i915_refused_fn *refused, void *data);
/* Gets a line for a program that asks for displays: there are none. */
typedef void i915_no_display_fn(void *data, const char *line);
void i915_set_no_display(
    struct i915 *dev, i915_no_display_fn *told, void *data);

/* Serves one request. arg: rq->size bytes. All kinds but HELLO, JOIN and SUMMARY,
 * and paths of files that are not live, which are answered WIRE_NOT_MINE. */
void i915_call(struct i915 *dev, struct i915_caller *caller,
    const struct wire_request *rq, const void *arg);
/* A program has written to a descriptor of that mark, past the library: stdio
 * does so. Errors go nowhere. */
void i915_written(
    struct i915 *dev, uint64_t token, const void *bytes, size_t size);
/* The last descriptor of that mark was closed. */
void i915_hangup(struct i915 *dev, uint64_t token);
/* The caller has gone: its call that waits is dropped without a reply. */
void i915_caller_gone(struct i915 *dev, struct i915_caller *caller);

/* It is now_ns of the clock that programs have as CLOCK_MONOTONIC, for timeouts
 * of syncobjs are absolute. It never goes back; calls whose time is over end.
 * Also called after events of the GPU, to answer those who waited for them. */
void i915_advance(struct i915 *dev, uint64_t now_ns);
/* Returns when i915_advance() is needed at the latest, or I915_NEVER. */
uint64_t i915_next_ns(const struct i915 *dev);
/* Returns how many descriptors have become readable so far: sync files, and
 * eventfds of syncobjs. */
uint64_t i915_readable(const struct i915 *dev);

/* Frees the memory of objects that are marked DONTNEED (debugfs drop_caches). */
void i915_drop_caches(struct i915 *dev);

/*
 * Memory as a batch sees it: address is in the request's address space, data
 * may cross objects. False: some byte has no object, or is read-only.
 */
bool i915_space_read(
    struct i915_space *space, uint64_t address, void *to, size_t size);
bool i915_space_write(
    struct i915_space *space, uint64_t address, const void *from, size_t size);
/* Returns memory that is mapped at address and sets *size to the bytes up to
 * the end of its object, or NULL (nothing there, userptr, no memory). Valid as
 * long as the request is. */
void *i915_space_map(
    struct i915_space *space, uint64_t address, uint64_t *size);

/* The place of an address in memory, for users. */
struct i915_where {
	uint32_t object; /* number; 0: none is there */
	uint32_t pid;    /* of the process that made it */
	uint64_t offset; /* in it */
};
struct i915_where i915_space_where(
    const struct i915_space *space, uint64_t address);
/* Returns true if memory of a program that has ended (userptr) is at address. */
bool i915_space_is_gone(const struct i915_space *space, uint64_t address);

#endif
