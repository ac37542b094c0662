/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual i915: any sequence of calls with any arguments, by four threads
 * of two programs, on a GPU that ends requests in any order. The first bytes
 * are the programs' memory, so that pointers may lead to arrays; the rest are
 * calls. Nothing may be left when the device is freed.
 */
#include <errno.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/util.h"
#include "device/i915/i915.h"
#include "device/i915/uapi.h"

#define MEMORY_BASE 0x1000
#define MEMORY_SIZE 0x2000
#define CALLS       400
#define REQUESTS    64
#define MARKS       128

struct gpu_context {
	int unused;
};

struct gpu_timeline {
	unsigned width;
};

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
} world;

struct world_batch {
	struct gpu_batch batch;
	struct i915_space *space;
	uint64_t address;
};

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

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
    world_read, world_write, NULL};

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
	return dup(STDERR_FILENO);
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

/* Descriptors are their places in the list; 200: an eventfd. */
static int
world_passed(
    struct i915_host *host, uint32_t pid, int fd, struct i915_passed *passed)
{
	(void)host;
	(void)pid;
	*passed = (struct i915_passed){.fd = -1};
	if (fd == 200)
		passed->fd = eventfd(0, EFD_NONBLOCK);
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

static const struct gpu_batch_ops batch_ops = {NULL, NULL, batch_free};

static struct gpu_batch *
world_batch(struct i915_host *host, struct i915_space *space, uint64_t address,
    uint64_t length, unsigned class)
{
	struct world_batch *b = calloc(1, sizeof(*b));

	(void)host;
	(void)length;
	(void)class;
	b->batch.ops = &batch_ops;
	b->space = space;
	b->address = address;
	return &b->batch;
}

static const struct i915_host_ops host_ops = {world_mark, world_signal,
    world_close, world_passed, world_inode, world_batch};

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
	return false;
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
    .fence_signal = number,
    .poke = poke,
    .counters = counters,
    .client_ns = client_ns,
    .frequency = frequency,
    .wedged = wedged,
};

static void
world_reply(struct i915_caller *caller, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	uint8_t sum = 0;

	(void)caller;
	for (uint32_t i = 0; i < rp->size; i++)
		sum = (uint8_t)(sum + ((const uint8_t *)bytes)[i]);
	world.bytes[0] ^= sum & 1;
	if (fd >= 0)
		close(fd);
}

/* The device that the first byte chooses. */
static void
world_start(uint8_t choice)
{
	static const struct gpu_engine engines[] = {{0, 0, 0, 0}, {1, 0, 0, 0},
	    {2, 0, 0, 3}, {2, 1, 1, 1}, {3, 0, 0, 2}};

	memset(&world, 0, sizeof(world));
	world.host.ops = &host_ops;
	world.gpu.ops = &gpu_ops;
	world.memory = (struct user_memory){&memory_ops, 1};
	world.now = 1000;
	world.config = (struct i915_config){
	    .pci_id = choice & 1 ? 0x9a49 : 0x56a0,
	    .pci_address = "0000:00:02.0",
	    .graphics = choice & 1 ? 1200 : 1255,
	    .kernel = choice & 2 ? I915_LINUX(5, 13) : I915_LINUX(6, 11),
	    .scheduler = choice & 4 ? I915_GUC : I915_EXECLISTS,
	    .discrete = choice & 8,
	    .any_sseu = true,
	    .cs_hz = 19200000,
	    .address_size = UINT64_C(1) << (choice & 16 ? 31 : 48),
	    .slices = 1,
	    .subslices = 6,
	    .eus = 16,
	    .n_engines = 5,
	    .limits = {[I915_LIMIT_MEMORY] = 1 << 20,
		[I915_LIMIT_OBJECTS] = 64,
		[I915_LIMIT_CONTEXTS] = 16,
		[I915_LIMIT_REQUESTS] = REQUESTS - 1,
		[I915_LIMIT_SYNCOBJS] = 64,
		[I915_LIMIT_FILES] = 64,
		[I915_LIMIT_ARRAY] = 1024},
	};
	memcpy(world.config.engines, engines, sizeof(engines));
	for (unsigned i = 0; i < 4; i++)
		world.callers[i] = (struct i915_caller){.pid = 1 + i / 2,
		    .name = "fuzz",
		    .capabilities = i,
		    .memory = &world.memory,
		    .reply = world_reply};
	world.dev = i915_new(&world.config, &world.host, &world.gpu, world.now);
}

/* What is left of the input. */
struct input {
	const uint8_t *data;
	size_t size;
};

static uint8_t
take(struct input *in)
{
	if (!in->size)
		return 0;
	in->size--;
	return *in->data++;
}

/* Copies n bytes, or what there is, and zeros. */
static void
take_bytes(struct input *in, void *to, size_t n)
{
	size_t have = n < in->size ? n : in->size;

	memset(to, 0, n);
	memcpy(to, in->data, have);
	in->data += have;
	in->size -= have;
}

/* A number that may mean something: nothing, a handle, two of them, a pointer,
 * an address, all ones, or what the input says. */
static uint64_t
take_word(struct input *in)
{
	uint8_t byte = take(in), small = byte >> 4;
	uint64_t word = 0;

	switch (byte % 16) {
	case 2:
	case 3:
	case 4: return small;
	case 5: return (uint64_t)small << 32 | (byte & 1);
	case 6:
	case 7:
	case 8:
	case 9: return MEMORY_BASE + take(in) % 64u * 128;
	case 10: return (uint64_t)small * 4096;
	case 11: return UINT64_MAX - small;
	case 12: return UINT64_C(1) << take(in) % 64;
	case 13: return take(in) | (unsigned)small << 8;
	case 14: return (uint64_t)small << 32 | take(in);
	case 15: take_bytes(in, &word, sizeof(word)); return word;
	default: return 0;
	}
}

static void
take_words(struct input *in, void *to, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		uint64_t word = take_word(in);

		memcpy((char *)to + i * sizeof(word), &word, sizeof(word));
	}
}

#define SIZED(nr, type) _IOC(_IOC_READ | _IOC_WRITE, 'd', nr, sizeof(type))

static const unsigned requests[] = {
    DRM_IOCTL_I915_GEM_CREATE,
    DRM_IOCTL_GEM_CLOSE,
    DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
    DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
    DRM_IOCTL_I915_GEM_EXECBUFFER2_WR,
    DRM_IOCTL_I915_GEM_WAIT,
    DRM_IOCTL_I915_GEM_BUSY,
    DRM_IOCTL_I915_GEM_PREAD,
    DRM_IOCTL_I915_GEM_PWRITE,
    DRM_IOCTL_I915_GEM_MMAP,
    DRM_IOCTL_I915_GEM_MMAP_OFFSET,
    DRM_IOCTL_I915_GEM_SET_DOMAIN,
    DRM_IOCTL_I915_GEM_CREATE_EXT,
    DRM_IOCTL_I915_GEM_USERPTR,
    DRM_IOCTL_I915_GEM_MADVISE,
    DRM_IOCTL_I915_GEM_THROTTLE,
    DRM_IOCTL_GEM_FLINK,
    DRM_IOCTL_GEM_OPEN,
    DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT,
    DRM_IOCTL_I915_GEM_CONTEXT_DESTROY,
    DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
    DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM,
    DRM_IOCTL_I915_GEM_CONTEXT_GETPARAM,
    DRM_IOCTL_I915_GEM_VM_CREATE,
    DRM_IOCTL_I915_GEM_VM_DESTROY,
    DRM_IOCTL_I915_GET_RESET_STATS,
    DRM_IOCTL_I915_QUERY,
    SIZED(0x46, uint64_t[2]),
    DRM_IOCTL_PRIME_HANDLE_TO_FD,
    DRM_IOCTL_PRIME_FD_TO_HANDLE,
    DRM_IOCTL_SYNCOBJ_CREATE,
    DRM_IOCTL_SYNCOBJ_DESTROY,
    DRM_IOCTL_SYNCOBJ_HANDLE_TO_FD,
    DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE,
    DRM_IOCTL_SYNCOBJ_WAIT,
    DRM_IOCTL_SYNCOBJ_RESET,
    DRM_IOCTL_SYNCOBJ_SIGNAL,
    DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT,
    DRM_IOCTL_SYNCOBJ_QUERY,
    DRM_IOCTL_SYNCOBJ_TRANSFER,
    DRM_IOCTL_SYNCOBJ_TIMELINE_SIGNAL,
    SIZED(0xcf, struct i915_syncobj_eventfd),
    SYNC_IOC_MERGE,
    SYNC_IOC_FILE_INFO,
    _IOWR('W', 0, struct sw_sync_create_fence),
    _IOW('W', 1, uint32_t),
    DMA_BUF_IOCTL_SYNC,
    DMA_BUF_IOCTL_EXPORT_SYNC_FILE,
    DMA_BUF_IOCTL_IMPORT_SYNC_FILE,
    DRM_IOCTL_VERSION,
    _IO('$', 0),
};

/* An ioctl that is known, or any. */
static void
world_ioctl(struct input *in)
{
	struct i915_caller *caller = &world.callers[take(in) % 4];
	uint8_t which = take(in), fd = take(in) % 16;
	unsigned request = requests[which % (sizeof(requests) / 4)];
	struct wire_request rq = {.kind = WIRE_IOCTL, .aux = fd};
	uint64_t arg[16] = {0};

	if (which == 255)
		take_bytes(in, &request, sizeof(request));
	rq.number = request;
	rq.size = _IOC_SIZE(request) < sizeof(arg) ? _IOC_SIZE(request)
						   : sizeof(arg);
	if (fd < world.n_marks)
		rq.token = world.marks[fd];
	rq.flags = take(in) & 1 ? 04000 : 0;
	take_words(in, arg, (rq.size + 7) / 8);
	i915_call(world.dev, caller, &rq, arg);
}

/* A batch whose arrays are sound, with what the input adds. */
static void
world_submit(struct input *in)
{
	struct drm_i915_gem_exec_object2 objects[3] = {{0}};
	struct drm_i915_gem_execbuffer2 arg = {.buffers_ptr = MEMORY_BASE};
	struct wire_request rq = {.kind = WIRE_IOCTL,
	    .size = sizeof(arg),
	    .token = world.marks[take(in) % 4],
	    .number = DRM_IOCTL_I915_GEM_EXECBUFFER2_WR};
	uint8_t what = take(in);

	for (unsigned i = 0; i < 3; i++) {
		objects[i].handle = 1 + take(in) % 8u;
		objects[i].flags = take(in);
		objects[i].offset = take_word(in);
		if (what & 1 << i) {
			objects[i].relocation_count = take(in) % 4u;
			objects[i].relocs_ptr = take_word(in);
		}
	}
	arg.buffer_count = 1 + what % 3u;
	arg.flags = take_word(in) | (what & 64 ? take(in) % 8u : 0);
	arg.rsvd1 = take(in) % 8u;
	arg.rsvd2 = take(in) % 32u;
	if (what & 128) {
		arg.cliprects_ptr = take_word(in);
		arg.num_cliprects = take(in) % 4u;
	}
	memcpy(world.bytes, objects, sizeof(objects));
	i915_call(world.dev, &world.callers[what >> 3 & 3], &rq, &arg);
}

/* Another message: opens, maps, perf events, cancels. */
static void
world_message(struct input *in)
{
	static const char *const paths[] = {
	    "dev/dri/card0", "dev/dri/renderD128", "dev/sw_sync", "dev/null"};
	struct i915_caller *caller = &world.callers[take(in) % 4];
	uint8_t kind = take(in), fd = take(in);
	struct wire_request rq = {.kind = kind % N_WIRE_KINDS, .aux = fd};
	uint64_t arg[12] = {0};
	const char *path = paths[kind / 16 % 4];

	if (fd < world.n_marks)
		rq.token = world.marks[fd];
	rq.number = take_word(in);
	rq.pointer = take_word(in);
	switch (rq.kind) {
	case WIRE_OPEN:
		rq.size = fd == 255 ? 0 : (uint32_t)strlen(path);
		i915_call(world.dev, caller, &rq, path);
		return;
	case WIRE_IOCTL: return;
	case WIRE_PERF_OPEN:
		rq.size = 64 + 8 * (fd & 1);
		rq.number = kind & 16;
		rq.pointer = UINT64_MAX;
		arg[1] = take_word(in);
		arg[3] = take_word(in);
		break;
	default: break;
	}
	i915_call(world.dev, caller, &rq, arg);
}

/* Structures that calls point at. */
static void
world_memory(struct input *in)
{
	size_t at = take(in) % 64u * 128;

	take_words(in, world.bytes + at, 1 + take(in) % 14u);
}

static void
world_step(struct input *in)
{
	uint8_t what = take(in);

	switch (what % 16) {
	case 0:
		if (world.n_requests)
			end_request(
			    take(in) % world.n_requests, what & 16 ? -EIO : 0);
		break;
	case 1:
		world.now += (uint64_t)take(in) << 18;
		i915_advance(world.dev, world.now);
		break;
	case 2: {
		uint8_t fd = take(in);

		if (fd < world.n_marks && world.marks[fd])
			i915_hangup(world.dev, world.marks[fd]);
		break;
	}
	case 3: i915_drop_caches(world.dev); break;
	case 4:
		i915_caller_gone(world.dev, &world.callers[take(in) % 4]);
		break;
	case 5:
	case 6: world_message(in); break;
	case 7:
	case 8: world_memory(in); break;
	case 9:
	case 10: world_submit(in); break;
	default: world_ioctl(in);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	struct wire_request open = {.kind = WIRE_OPEN, .size = 13};
	struct drm_i915_gem_create size_of = {.size = 8192};
	struct wire_request create = {.kind = WIRE_IOCTL,
	    .size = sizeof(size_of),
	    .token = 1,
	    .number = DRM_IOCTL_I915_GEM_CREATE};
	size_t memory;

	world_start(take(&in));
	memory = take(&in) * 16u;
	take_bytes(&in, world.bytes, memory);
	i915_call(world.dev, &world.callers[0], &open, "dev/dri/card0");
	for (unsigned i = 0; i < 4; i++)
		i915_call(world.dev, &world.callers[0], &create, &size_of);
	for (unsigned i = 0; i < CALLS && in.size; i++)
		world_step(&in);
	while (world.n_requests)
		end_request(0, 0);
	i915_free(world.dev);
	for (unsigned i = 0; i < 4; i++)
		if (world.callers[i].waiter)
			abort();
	if (world.memory.refs != 1)
		abort();
	return 0;
}
