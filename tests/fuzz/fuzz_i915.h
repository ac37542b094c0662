/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The world of fuzz_i915.c: memory that programs share, descriptors that are
 * numbers, and a GPU that keeps requests until the input ends one.
 */
#ifndef TESTS_FUZZ_FUZZ_I915_H
#define TESTS_FUZZ_FUZZ_I915_H

#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "base/util.h"
#include "device/i915/i915.h"
#include "device/i915/uapi.h"
#include "tests/fuzz/fuzz_i915_steps.h"

#define REQUESTS 64
#define MARKS    128

struct gpu_context {
	int unused;
};

struct gpu_timeline {
	unsigned width;
};

/* All of it is cleared by world_start(). */
static struct world {
	struct i915_host host;
	struct gpu gpu;
	struct user_memory memory;
	struct i915_config config;
	struct i915_caller callers[4];
	struct i915 *dev;
	uint8_t bytes[MEMORY_SIZE];
	uint64_t marks[MARKS]; /* tokens by descriptor, 0: closed */
	size_t n_marks;
	struct {
		uint64_t id;
		struct gpu_batch *batches[GPU_WIDTH_MAX];
		unsigned width;
	} requests[REQUESTS];
	size_t n_requests;
	uint64_t now, last_token;
	bool lost; /* the device is */
	int memfd; /* the first that a program got, 0: none */
} world;

struct world_batch {
	struct gpu_batch batch;
	struct i915_space *space;
	uint64_t address;
};

static bool
in_memory(uint64_t at, size_t size)
{
	return at >= MEMORY_BASE && at - MEMORY_BASE <= MEMORY_SIZE &&
	    size <= MEMORY_SIZE - (at - MEMORY_BASE);
}

static int
world_read(struct user_memory *m, void *to, uint64_t from, size_t size)
{
	(void)m;
	if (!in_memory(from, size))
		return -EFAULT;
	memcpy(to, world.bytes + (from - MEMORY_BASE), size);
	return 0;
}

static int
world_write(struct user_memory *m, uint64_t to, const void *from, size_t size)
{
	(void)m;
	if (!in_memory(to, size))
		return -EFAULT;
	memcpy(world.bytes + (to - MEMORY_BASE), from, size);
	return 0;
}

static const struct user_memory_ops memory_ops = {
    .read = world_read, .write = world_write, .free = NULL};

static int
world_mark(struct i915_host *host, char kind, uint32_t minor, uint64_t *token)
{
	(void)host;
	(void)kind;
	(void)minor;
	if (world.n_marks == MARKS)
		return -EMFILE;
	*token = ++world.last_token;
	world.marks[world.n_marks++] = *token;
	return eventfd(0, EFD_CLOEXEC);
}

static void
world_signal(struct i915_host *host, uint64_t token)
{
	(void)host;
	(void)token;
}

static void
world_close(struct i915_host *host, uint64_t token)
{
	(void)host;
	for (size_t i = 0; i < world.n_marks; i++)
		if (world.marks[i] == token)
			world.marks[i] = 0;
}

/* Descriptors are their places in the list; 200: an eventfd, 201: memory of an
 * object. */
static int
world_passed(
    struct i915_host *host, uint32_t pid, int fd, struct i915_passed *passed)
{
	(void)host;
	(void)pid;
	*passed = (struct i915_passed){.fd = -1};
	if (fd == 200)
		passed->fd = eventfd(0, EFD_NONBLOCK);
	else if (fd == 201 && world.memfd > 0)
		passed->fd = dup(world.memfd);
	else if (fd >= 0 && (size_t)fd < world.n_marks)
		passed->token = world.marks[fd];
	return passed->fd >= 0 || passed->token ? 0 : -EBADF;
}

static uint64_t
world_inode(struct i915_host *host, uint64_t inode)
{
	(void)host;
	return inode < world.n_marks ? world.marks[inode] : 0;
}

static void
batch_free(struct gpu_batch *batch)
{
	free(container_of(batch, struct world_batch, batch));
}

static const struct gpu_batch_ops batch_ops = {.free = batch_free};

static struct gpu_batch *
world_batch(struct gpu *gpu, struct gpu_timeline *timeline, unsigned row,
    struct i915_space *space, uint64_t address)
{
	struct world_batch *b = calloc(1, sizeof(*b));

	(void)gpu;
	(void)timeline;
	(void)row;
	b->batch.ops = &batch_ops;
	b->space = space;
	b->address = address;
	return &b->batch;
}

/* The bytes that a call tells: all of them have a value. */
static void
world_told(const void *bytes, size_t size)
{
	uint8_t sum = 0;

	for (size_t i = 0; i < size; i++)
		sum = (uint8_t)(sum + ((const uint8_t *)bytes)[i]);
	world.bytes[0] ^= sum & 1;
}

static void
world_send(struct i915_host *host, uint64_t token, const void *bytes, size_t n)
{
	(void)host;
	(void)token;
	world_told(bytes, n);
}

/* A line about a refused call, for a terminal. */
static void
world_refused(void *data, const char *line, bool grave)
{
	(void)data;
	(void)grave;
	for (; *line; line++)
		if ((unsigned char)*line < ' ' || *line == 0x7f)
			abort();
}

static const struct i915_host_ops host_ops = {
    .mark = world_mark,
    .signal = world_signal,
    .send = world_send,
    .close = world_close,
    .passed = world_passed,
    .inode = world_inode,
};

/* Runs the n-th request: reads and writes around its batch. */
static void
end_request(size_t n, int error)
{
	uint64_t id = world.requests[n].id;

	for (unsigned i = 0; i < world.requests[n].width; i++) {
		struct world_batch *b = container_of(
		    world.requests[n].batches[i], struct world_batch, batch);
		char data[64];
		uint64_t size;

		if (i915_space_read(b->space, b->address - 8, data, 64))
			i915_space_write(b->space, b->address + 4090, data, 64);
		i915_space_map(b->space, b->address, &size);
		batch_free(&b->batch);
	}
	world.requests[n] = world.requests[--world.n_requests];
	i915_gpu_events.ended(world.dev, id, world.now, error);
}

static struct gpu_context *
context_new(struct gpu *gpu, const struct gpu_context_state *state)
{
	(void)gpu;
	(void)state;
	return calloc(1, sizeof(struct gpu_context));
}

static void
context_set(struct gpu *gpu, struct gpu_context *c,
    const struct gpu_context_state *state)
{
	(void)gpu;
	c->unused = state->priority;
}

static void
context_free(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	free(c);
}

static bool
context_banned(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	return c->unused == 13;
}

static struct gpu_reset_stats
reset_stats(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	(void)c;
	return (struct gpu_reset_stats){0};
}

static struct gpu_timeline *
timeline_new(
    struct gpu *gpu, struct gpu_context *c, const struct gpu_slot *slot)
{
	struct gpu_timeline *t = calloc(1, sizeof(*t));

	(void)gpu;
	(void)c;
	t->width = slot->width;
	return t;
}

static void
timeline_sseu(
    struct gpu *gpu, struct gpu_timeline *t, const struct gpu_sseu *sseu)
{
	(void)gpu;
	(void)t;
	(void)sseu;
}

static void
timeline_free(struct gpu *gpu, struct gpu_timeline *t)
{
	(void)gpu;
	free(t);
}

static uint64_t
room(struct gpu *gpu, struct gpu_timeline *t)
{
	(void)gpu;
	(void)t;
	return world.n_requests >= REQUESTS / 2 ? world.requests[0].id : 0;
}

/* Some end at once. */
static void
submit(struct gpu *gpu, const struct gpu_submission *s)
{
	size_t n = world.n_requests++;

	(void)gpu;
	world.requests[n].id = s->request;
	world.requests[n].width = s->timeline->width;
	for (unsigned i = 0; i < s->timeline->width; i++)
		world.requests[n].batches[i] = s->batches[i];
	if (s->request % 5 == 0)
		end_request(n, 0);
}

static void
number(struct gpu *gpu, uint64_t fence)
{
	(void)gpu;
	(void)fence;
}

static void
number_and_error(struct gpu *gpu, uint64_t fence, int error)
{
	(void)gpu;
	(void)fence;
	(void)error;
}

static void
poke(struct gpu *gpu)
{
	(void)gpu;
}

static struct gpu_counters
counters(struct gpu *gpu, unsigned engine)
{
	(void)gpu;
	return (struct gpu_counters){engine, 0, 0};
}

static uint64_t
client_ns(struct gpu *gpu, uint64_t client, unsigned class)
{
	(void)gpu;
	return client + class;
}

static unsigned
frequency(struct gpu *gpu)
{
	(void)gpu;
	return 100;
}

static bool
wedged(struct gpu *gpu)
{
	(void)gpu;
	return world.lost;
}

static bool
client_banned(struct gpu *gpu, uint64_t client)
{
	(void)gpu;
	return client == 13;
}

static uint64_t
knob(struct gpu *gpu, unsigned engine, enum gpu_knob which)
{
	(void)gpu;
	return engine + which + 1;
}

static void
knob_set(struct gpu *gpu, unsigned engine, enum gpu_knob which, uint64_t value)
{
	(void)gpu;
	if (engine >= world.config.n_engines || which >= N_GPU_KNOBS)
		abort();
	world.now += value & 1;
}

/* The first request is guilty, the others are innocent. */
static void
reset(struct gpu *gpu, uint64_t engines)
{
	(void)gpu;
	if (!engines || !world.n_requests)
		return;
	end_request(0, -EIO);
	i915_gpu_events.hung(world.dev);
}

static void
all_or_not(struct gpu *gpu, bool all)
{
	(void)gpu;
	(void)all;
}

static void
lose(struct gpu *gpu, bool lost)
{
	(void)gpu;
	world.lost = lost;
}

static void
error_state(struct gpu *gpu, struct text *out)
{
	(void)gpu;
	text_adds(out, "GPU HANG\n");
}

static const struct gpu_ops gpu_ops = {
    .context_new = context_new,
    .context_set = context_set,
    .context_free = context_free,
    .context_banned = context_banned,
    .reset_stats = reset_stats,
    .timeline_new = timeline_new,
    .timeline_sseu = timeline_sseu,
    .timeline_free = timeline_free,
    .room = room,
    .submit = submit,
    .boost = number,
    .fence_new = number,
    .fence_signal = number_and_error,
    .poke = poke,
    .counters = counters,
    .client_ns = client_ns,
    .frequency = frequency,
    .batch = world_batch,
    .wedged = wedged,
    .client_banned = client_banned,
    .knob = knob,
    .knob_set = knob_set,
    .reset = reset,
    .reset_all = all_or_not,
    .lose = lose,
    .error_state = error_state,
    .error_clear = poke,
};

static void
world_reply(struct i915_caller *caller, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	struct stat st;

	(void)caller;
	world_told(bytes, rp->size);
	if (fd >= 0 && world.memfd == 0 && fstat(fd, &st) == 0 &&
	    S_ISREG(st.st_mode))
		world.memfd = fd;
	else if (fd >= 0)
		close(fd);
}

/* Sets the limits of a program: as many as real programs need, or few. */
static void
world_limits(uint64_t *limits, bool wide)
{
	limits[I915_LIMIT_MEMORY] = wide ? 64 << 20 : 1 << 20;
	limits[I915_LIMIT_OBJECTS] = wide ? 512 : 64;
	limits[I915_LIMIT_CONTEXTS] = wide ? 64 : 16;
	limits[I915_LIMIT_REQUESTS] = REQUESTS - 1;
	limits[I915_LIMIT_SYNCOBJS] = wide ? 256 : 64;
	limits[I915_LIMIT_FILES] = wide ? MARKS : 64;
	limits[I915_LIMIT_ARRAY] = 1024;
}

/* The device that the first byte chooses. */
static void
world_start(uint8_t choice)
{
	static const struct {
		uint16_t pci_id;
		unsigned graphics;
	} chips[] = {
	    {0x56a0, 1255}, {0x9a49, 1200}, {0x5916, 900}, {0x0166, 700}};
	static const struct gpu_engine engines[] = {{0, 0, 0, 0, 0x2000},
	    {1, 0, 0, 0, 0x22000}, {2, 0, 0, 3, 0x1c0000},
	    {2, 1, 1, 1, 0x1d0000}, {3, 0, 0, 2, 0x1c8000}};

	unsigned chip = (choice & 1u) | (choice >> 6 & 2u);

	memset(&world, 0, sizeof(world));
	world.host.ops = &host_ops;
	world.gpu.ops = &gpu_ops;
	world.memory = (struct user_memory){&memory_ops, 1};
	world.now = 1000;
	world.config = (struct i915_config){
	    .pci_id = chips[chip].pci_id,
	    .pci_address = "0000:00:02.0",
	    .graphics = chips[chip].graphics,
	    .kernel = choice & 2 ? I915_LINUX(5, 13) : I915_LINUX(6, 11),
	    .scheduler = choice & 4 ? I915_GUC
		: choice & 128      ? I915_RING
				    : I915_EXECLISTS,
	    .discrete = choice & 8,
	    .any_sseu = true,
	    .cs_hz = 19200000,
	    .address_size = UINT64_C(1) << (choice & 16 ? 31 : 48),
	    .slices = 1,
	    .subslices = 6,
	    .eus = 16,
	    .n_engines = 5,
	};
	world_limits(world.config.limits, choice & 32);
	memcpy(world.config.engines, engines, sizeof(engines));
	for (unsigned i = 0; i < 4; i++)
		world.callers[i] = (struct i915_caller){.pid = 1 + i / 2,
		    .name = "fuzz",
		    .capabilities = i,
		    .memory = &world.memory,
		    .reply = world_reply};
	world.dev = i915_new(&world.config, &world.host, &world.gpu, world.now);
	if (choice & 64)
		i915_set_refusals(world.dev, world_refused, NULL);
}

#endif
