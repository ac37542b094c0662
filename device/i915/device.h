/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The inside of the virtual i915 (i915.h): the device, its programs and open
 * files, and a call while it is served. Functions that serve an ioctl return 0
 * or more, -errno, or I915_WAITS.
 */
#ifndef DEVICE_I915_DEVICE_H
#define DEVICE_I915_DEVICE_H

#include <sys/types.h>

#include "base/hash.h"
#include "base/heap.h"
#include "base/text.h"
#include "device/i915/fence.h"
#include "device/i915/i915.h"
#include "device/wire/mark.h"

/* A call is not done: it waits for its fences. Not an errno. */
#define I915_WAITS (-100000)

#define I915_PAGE 4096u

struct i915_object;
struct i915_context;

/* A process that opened the device. Objects and contexts are counted for the
 * program that made them, and keep it. */
struct i915_program {
	struct chain_node node; /* n: pid */
	unsigned refs;
	char name[16];
	uint64_t used[N_I915_LIMITS];
};

/* A handle table: the lowest free number from `first` on is the next one. */
struct i915_table {
	void **items; /* NULL: free */
	size_t n, cap;
	size_t free; /* no number below is free */
};

/* A descriptor that the device knows by its mark. First member of what it is. */
struct i915_marked {
	struct chain_node node; /* n: token */
	enum wire_mark_kind kind;
	struct i915_program *program; /* counted for it */
	void (*hangup)(struct i915 *dev, struct i915_marked *m);
};

/* DRM master, as an open card has it (master.c). */
struct i915_master {
	/* Group of files that one master opened the way for; 0: none. */
	uint64_t group;
	uint32_t magic; /* 0: none yet */
	bool magic_used;
	bool founder; /* of its group, which it leads when that is the master */
	bool was;     /* it has been master */
	bool authenticated;
};

/* An open file of a node. */
struct i915_file {
	struct i915_marked marked;
	uint64_t id; /* of the client, from 1 */
	uint32_t pid;
	uint32_t minor;
	bool render; /* a render node */
	int bsd;     /* its video engine for I915_EXEC_BSD; -1: none yet */
	struct i915_master master;
	struct i915_table objects, contexts, spaces, syncobjs;
	struct i915_request *oldest, *newest; /* that have not ended */
};

struct i915_ioctl;

/* A call of a program, from its request to its reply. */
struct i915_call {
	struct i915_caller *caller;
	struct i915_marked *marked;     /* what it was made on, or NULL */
	struct i915_file *file;         /* that of a DRM call */
	const struct i915_ioctl *ioctl; /* NULL: another request */
	/* Serves it, also again after it waited. */
	int (*serve)(struct i915 *dev, struct i915_call *call);
	struct wire_request rq;
	struct wire_reply rp;
	int fd;                             /* for the reply, -1: none */
	_Alignas(8) unsigned char arg[256]; /* of an ioctl, as copied in */
	bool begun;       /* served before: deadline_ns is valid */
	bool interrupted; /* by a signal: it may not wait any more */
	uint64_t began_ns;
	uint64_t deadline_ns;
	struct i915_fences waits; /* one of them ends the wait */
	struct i915_bell **bells; /* so does one of these */
	size_t n_bells, cap_bells;
	struct text bytes; /* of the reply, where it is not the argument */
	/* Memory of a call that waits, NULL: none; freed with the reply. */
	void *state;
	void (*state_free)(struct i915 *dev, void *state);
};

typedef int i915_ioctl_fn(struct i915 *dev, struct i915_call *call);

/* A row of the table of ioctls. */
struct i915_ioctl {
	unsigned request; /* with direction and size, as this device knows it */
	i915_ioctl_fn *serve;
	bool primary;    /* EACCES on a render node */
	unsigned kernel; /* first that has it; 0: any */
};

/* Counters by which the PMU's frequencies are measured. */
struct i915_frequency {
	uint64_t at_ns;
	unsigned mhz;          /* of the GPU from then on; 0: asleep */
	uint64_t mhz_ns;       /* sum of MHz x ns until then */
	uint64_t requested_ns; /* the same of the frequency that is asked for */
	uint64_t asleep_ns;    /* time in RC6 */
	unsigned n_awake;      /* files open that keep the GPU awake */
};

/* Limits of the GT's frequency that users may change; the model works at one
 * frequency whatever they are. */
struct i915_mhz {
	unsigned least, most, boost;
};

/* Knobs of an engine besides the GPU's, which change nothing in the model. */
enum i915_knob { I915_STOP_TIMEOUT = N_GPU_KNOBS, I915_BUSYWAIT, I915_N_KNOBS };

/* The registers, as memory that programs map (bar.c). */
struct i915_bar {
	int fd;                               /* -1: no program has them */
	uint64_t opened_ns, next_ns, look_ns; /* the next write, and check */
	uint32_t reader; /* process that has them without writing; 0: none */
	/* When they were written last, and how long engines had been busy. */
	uint64_t written_ns, busy_ns[GPU_ENGINES_MAX];
};

struct i915 {
	const struct i915_config *config;
	struct i915_host *host;
	struct gpu *gpu;
	struct i915_witness *witness; /* NULL: none */
	i915_refused_fn *refused;     /* NULL: no observer */
	void *refused_data;
	i915_no_display_fn *no_display; /* NULL: no observer */
	void *no_display_data;
	uint32_t display_pid;    /* that asked for displays last */
	const char *refused_why; /* of this call; NULL: by errno */
	uint64_t now, start_ns;
	struct chains marked;     /* struct i915_marked by token */
	uint64_t n_readable;      /* descriptors that became readable */
	struct chains programs;   /* by pid */
	struct chains requests;   /* in flight, by GPU number */
	struct chains bindings;   /* by address space and object */
	struct chains handles;    /* by file and object */
	struct chains memories;   /* objects by inode of their memory */
	struct i915_table magics; /* to files */
	uint64_t master;          /* group that is master now; 0: none */
	uint64_t last_master;
	struct i915_object *userptrs; /* of all programs */
	struct i915_table names;      /* flink names to objects */
	struct i915_table offsets;    /* object numbers (mmap) to objects */
	struct pairing deadlines;     /* of calls that wait */
	struct i915_waiter *waiters;
	struct i915_link *rung, *rung_calls;
	struct i915_fence *dead;
	bool burying;
	uint64_t visit, last_timeline, last_id, last_file, last_waiter;
	uint64_t last_object;
	uint64_t video_next; /* round robin of I915_EXEC_BSD */
	uint64_t interrupts, n_uevents;
	struct i915_frequency frequency;
	struct i915_mhz mhz;
	bool no_hangcheck; /* parameter enable_hangcheck of the module is N */
	uint64_t resets;   /* parameter reset: 0 none, 1 the GPU, 2 engines */
	uint64_t request_timeout_ms; /* that parameter; 0: never */
	uint64_t knobs[GPU_ENGINES_MAX][I915_N_KNOBS - N_GPU_KNOBS];
	struct i915_bar bar;
	size_t n_perf;       /* open events of the PMU */
	dev_t memory_device; /* file system of memfds */
};

/* limits.c */
struct i915_program *i915_program_get(
    struct i915 *dev, const struct i915_caller *caller);
struct i915_program *i915_program_ref(struct i915_program *program);
void i915_program_put(struct i915 *dev, struct i915_program *program);
/* Returns 0, or the error that the limit has: n more would pass it. */
int i915_room(const struct i915 *dev, const struct i915_program *program,
    enum i915_limit limit, uint64_t n);
/* Likewise, for one more handle in a table. */
int i915_table_room(
    const struct i915 *dev, const struct i915_table *t, enum i915_limit limit);
/* Counts n more. Returns as i915_room(). */
int i915_take(struct i915 *dev, struct i915_program *program,
    enum i915_limit limit, uint64_t n);
void i915_give(struct i915_program *program, enum i915_limit limit, uint64_t n);
/* Returns 0, or -ENOMEM: an array of a call is longer than the limit. */
int i915_array_check(const struct i915 *dev, uint64_t n);

/* master.c */
/* A card was opened, or is closed. */
void i915_master_open(
    struct i915 *dev, struct i915_file *file, const struct i915_caller *caller);
void i915_master_close(struct i915 *dev, struct i915_file *file);
/* True if the file is the master of the card now. */
bool i915_is_master(const struct i915 *dev, const struct i915_file *file);

/* table.c */
/* Adds an item at the lowest free number from first on; returns it. */
uint32_t i915_table_add(struct i915_table *t, uint32_t first, void *item);
/* Returns the item, or NULL. */
void *i915_table_get(const struct i915_table *t, uint64_t number);
/* Removes and returns the item, or NULL. */
void *i915_table_remove(struct i915_table *t, uint64_t number);
void i915_table_free(struct i915_table *t);

/* mark.c */
/* Makes a descriptor of m, counted for the call's program. Returns the
 * program's end, or -errno. */
int i915_mark(struct i915 *dev, struct i915_call *call, struct i915_marked *m,
    enum wire_mark_kind kind, uint32_t minor);
/* Forgets m and closes the device's end. */
void i915_unmark(struct i915 *dev, struct i915_marked *m);
struct i915_marked *i915_marked_find(struct i915 *dev, uint64_t token);
/* Returns the descriptor of a node of dev->marked. */
struct i915_marked *i915_marked_of(struct chain_node *node);
/* Returns what the caller's descriptor fd is, NULL if it is not of that kind. */
struct i915_marked *i915_marked_passed(struct i915 *dev,
    const struct i915_caller *caller, int fd, enum wire_mark_kind kind);

/* call.c: for functions that serve ioctls */
/* Copy from and to the program. Return 0 or -EFAULT. */
int i915_copy_in(
    const struct i915_call *call, void *to, uint64_t from, size_t size);
int i915_copy_out(
    const struct i915_call *call, uint64_t to, const void *from, size_t size);
/* Copies n elements in, which *array gets (NULL if n is 0) and the caller
 * frees. Returns 0, -EFAULT or -ENOMEM. */
int i915_copy_array(struct i915 *dev, const struct i915_call *call,
    void **array, uint64_t from, uint64_t n, size_t size);
/* The reply returns fd, or stores it at offset of the argument. */
void i915_return_fd(struct i915_call *call, int fd, bool cloexec);
void i915_store_fd(struct i915_call *call, int fd, size_t offset, bool cloexec);
/* Sets the time at which the call may wait no longer, when it is served first:
 * relative if delay, I915_NEVER: none. */
void i915_deadline(struct i915_call *call, uint64_t ns);
/* The call has to wait for a fence (or for one of those added before). Returns
 * I915_WAITS; -EINTR or -ETIME if it may not wait any more. */
int i915_wait(struct i915 *dev, struct i915_call *call, struct i915_fence *f);
int i915_wait_bell(
    struct i915 *dev, struct i915_call *call, struct i915_bell *bell);
/* Both of those when all are added. */
int i915_waits(struct i915 *dev, struct i915_call *call);

/* Frees what a call keeps. */
void i915_call_clear(struct i915 *dev, struct i915_call *call);
/* Ends calls that wait on m, which is being closed, with EBADF. */
void i915_waiters_end(struct i915 *dev, const struct i915_marked *m);
/* Ends all of them with ENODEV. */
void i915_waiters_lost(struct i915 *dev);

/* ioctls.c */
/* Returns the row of a request on a descriptor of that kind ('d' ...; 'b' for a
 * dma-buf), NULL: unknown; *unknown is the error then. */
const struct i915_ioctl *i915_ioctl_find(
    const struct i915 *dev, char kind, unsigned request, int *unknown);

/* refusals.c: tells of an ioctl that failed with rc. */
void i915_tell_refusal(struct i915 *dev, const struct i915_call *call, int rc);
/* Says, once for a program, that it asks for displays, if the ioctl does. */
void i915_tell_no_display(
    struct i915 *dev, const struct i915_call *call, unsigned request);

/* Serve requests that are not ioctls; return as ioctls do. */
int i915_open(struct i915 *dev, struct i915_call *call, const char *path,
    size_t size);                                        /* file.c */
int i915_mmap(struct i915 *dev, struct i915_call *call); /* object_map.c */
int i915_perf_open(struct i915 *dev, struct i915_call *call, const void *data,
    size_t size);                                             /* pmu.c */
int i915_perf_read(struct i915 *dev, struct i915_call *call); /* pmu.c */
void i915_frequency_count(struct i915 *dev); /* pmu.c: until now */
int i915_fdinfo(struct i915 *dev, struct i915_call *call); /* fdinfo.c */
int i915_stat(struct i915 *dev, struct i915_call *call);   /* file.c */
int i915_userptr_of_exec(
    struct i915 *dev, struct i915_call *call); /* userptr.c */
int i915_userptr_unmap(
    struct i915 *dev, struct i915_call *call); /* userptr.c */
int i915_control_open(
    struct i915 *dev, struct i915_call *call, const char *path); /* control.c */
int i915_control_reopen(struct i915 *dev, struct i915_call *call);
int i915_control_read(struct i915 *dev, struct i915_call *call);
int i915_control_write(
    struct i915 *dev, struct i915_call *call, const void *bytes);
void i915_knobs_init(struct i915 *dev); /* control_knobs.c */
/* Returns a descriptor from which the text is read, or -errno. */
int i915_text_file(const char *name, const struct text *t); /* control.c */

/* Returns ticks of the engines' clock, of which the register has 36 bits. */
uint64_t i915_timestamp(const struct i915 *dev); /* getparam.c */

/* bar.c */
void i915_bar_init(struct i915_bar *bar);
void i915_bar_free(struct i915_bar *bar);
int i915_bar_open(struct i915 *dev, struct i915_call *call);
/* Writes the registers that go on. */
void i915_bar_advance(struct i915 *dev);
/* Returns when that is needed at the latest, or I915_NEVER. */
uint64_t i915_bar_next(const struct i915 *dev);

/* uevents.c */
int i915_uevents_open(struct i915 *dev, struct i915_call *call);
/* The engines hang, or a user says so: makes the device lost, or well again. */
void i915_hang_handle(struct i915 *dev); /* control_gpu.c */
/* Tells all that listen of a hang and its reset. */
void i915_uevents_hung(struct i915 *dev);

/* file.c: opens the file of fd anew, with O_RDONLY or O_RDWR. Returns a
 * descriptor that closes on exec, or -EMFILE. */
int i915_fd_reopen(int fd, int access);

/* table.c: chains of struct i915_user_extension. Calls serve[name] for
 * each; n: names known. Returns 0 or -errno. */
typedef int i915_extension_fn(
    struct i915 *dev, struct i915_call *call, uint64_t user, void *data);
int i915_extensions(struct i915 *dev, struct i915_call *call, uint64_t user,
    i915_extension_fn *const *serve, size_t n, void *data);

/* Kinds of devices. */
static inline bool
i915_is_tigerlake(const struct i915 *dev)
{
	return (dev->config->pci_id & 0xff00) == 0x9a00;
}

/* Relocations, PREAD and PWRITE end with graphics 12, but for Tiger Lake. */
static inline bool
i915_is_new(const struct i915 *dev)
{
	return dev->config->discrete ||
	    (dev->config->graphics >= 1200 && !i915_is_tigerlake(dev));
}

static inline bool
i915_full_ppgtt(const struct i915 *dev)
{
	return dev->config->graphics >= 800;
}

static inline bool
i915_since(const struct i915 *dev, unsigned major, unsigned minor)
{
	return dev->config->kernel >= (unsigned)I915_LINUX(major, minor);
}

#endif
