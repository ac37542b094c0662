/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The virtual i915: any sequence of calls with any arguments, by four threads
 * of two programs, on a GPU that ends requests in any order. The first bytes
 * are the programs' memory, so that pointers may lead to arrays; the rest are
 * calls. Nothing may be left when the device is freed.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>

#include "tests/fuzz/fuzz_i915.h"

#define STEPS 1000 /* of an input, at most */

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* The rest of the input. */
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

static const unsigned requests[] = {FUZZ_I915_REQUESTS};

/* An ioctl that is known, or any, on a descriptor, which is any or one of the
 * first. */
static void
world_ioctl(struct input *in, bool any_fd)
{
	struct i915_caller *caller = &world.callers[take(in) % 4];
	uint8_t which = take(in), fd = take(in);
	unsigned request = requests[which % (sizeof(requests) / 4)];
	struct wire_request rq = {.kind = WIRE_IOCTL, .aux = fd};
	uint64_t arg[16] = {0};

	if (!any_fd)
		rq.aux = fd %= 17;
	if (fd == 16)
		rq.aux = 201;
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
	    .token = world.marks[take(in) % 2],
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
	if (what % 5 == 0) {
		arg.flags = I915_EXEC_USE_EXTENSIONS;
		arg.cliprects_ptr = MEMORY_BASE + 35 * 128;
	}
	arg.rsvd1 = take(in) % 8u;
	arg.rsvd2 = take(in) % 32u;
	if (what & 128) {
		arg.cliprects_ptr = take_word(in);
		arg.num_cliprects = take(in) % 4u;
	}
	memcpy(world.bytes, objects, sizeof(objects));
	i915_call(world.dev, &world.callers[what >> 3 & 3], &rq, &arg);
}

static const char *const paths[] = {
    "dev/dri/card0",
    "dev/dri/renderD128",
    "dev/sw_sync",
    "dev/null",
    WIRE_UEVENTS,
    "sys/class/drm/card0/error",
    "sys/class/drm/card0/gt_max_freq_mhz",
    "sys/class/drm/card0/gt_cur_freq_mhz",
    "sys/class/drm/card0/engine/rcs0/preempt_timeout_ms",
    "sys/class/drm/card0/engine/vcs1/.defaults/heartbeat_interval_ms",
    "sys/kernel/debug/dri/0/i915_wedged",
    "sys/kernel/debug/dri/0/i915_gem_drop_caches",
    "sys/kernel/debug/dri/0/i915_gem_objects",
    "sys/module/i915/parameters/reset",
    "sys/module/i915/parameters/enable_hangcheck",
};
#define N_PATHS (sizeof(paths) / sizeof(paths[0]))

/* Another message: opens, maps, files that are written, perf events, cancels. */
static void
world_message(struct input *in)
{
	struct i915_caller *caller = &world.callers[take(in) % 4];
	uint8_t kind = take(in), fd = take(in);
	struct wire_request rq = {.kind = kind % N_WIRE_KINDS, .aux = fd};
	uint64_t arg[12] = {0};
	const char *path = paths[fd < 128 ? kind / 16 % 4 : fd % N_PATHS];

	if (fd < world.n_marks)
		rq.token = world.marks[fd];
	rq.number = take_word(in);
	rq.pointer = take_word(in);
	switch (rq.kind) {
	case WIRE_OPEN:
		rq.size = fd == 255 ? 0 : (uint32_t)strlen(path);
		rq.flags = rq.number & O_ACCMODE;
		i915_call(world.dev, caller, &rq, path);
		return;
	case WIRE_WRITE:
		rq.size = take(in) % (sizeof(arg) + 1);
		take_bytes(in, arg, rq.size);
		if (kind & 64) {
			i915_written(world.dev, rq.token, arg, rq.size);
			return;
		}
		break;
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
	unsigned n = 1 + take(in) % 14u;

	take_words(in, world.bytes + at, n);
}

static size_t
take_short(struct input *in)
{
	size_t low = take(in);

	return low | (size_t)take(in) << 8;
}

/* Words of a recorded dialogue: their place and number, in two bytes each. */
static void
world_words(struct input *in)
{
	size_t at = take_short(in) * 8 % MEMORY_SIZE, n = take_short(in);
	size_t most = (MEMORY_SIZE - at) / 8;

	take_words(in, world.bytes + at, n < most ? n : most);
}

/* Puts a structure where pointers lead to. */
static uint64_t
furnish(unsigned slot, const void *data, size_t size)
{
	memcpy(world.bytes + slot * 128, data, size);
	return MEMORY_BASE + slot * 128u;
}

/* An engine map of a hole, with the extension at that address. */
static void
furnish_map(unsigned slot, uint64_t extension)
{
	struct {
		uint64_t extension;
		uint16_t engines[8];
	} map = {extension, {0xffff, 0xffff, 0, 0, 2, 0, 2, 1}};

	furnish(slot, &map, sizeof(map));
}

/* Structures that would take long to find, in the upper half of the memory;
 * calls change them. */
static void
world_furnish(void)
{
	uint32_t handles[] = {1, 2, 3, 1};
	uint64_t points[] = {1, 2, 0, 3};
	struct drm_i915_gem_exec_fence fences[] = {{1, 1}, {2, 2}, {3, 3}};
	struct drm_i915_gem_execbuffer_ext_timeline_fences timeline = {
	    .fence_count = 2};
	I915_DEFINE_CONTEXT_ENGINES_BOND(bond, 1) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_BOND,
	    .num_bonds = 1,
	    .engines = {{2, 1}}};
	I915_DEFINE_CONTEXT_ENGINES_LOAD_BALANCE(balance, 2) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_LOAD_BALANCE,
	    .num_siblings = 2,
	    .engines = {{2, 0}, {2, 1}}};
	I915_DEFINE_CONTEXT_ENGINES_PARALLEL_SUBMIT(parallel, 2) = {
	    .base.name = I915_CONTEXT_ENGINES_EXT_PARALLEL_SUBMIT,
	    .width = 2,
	    .num_siblings = 1,
	    .engines = {{2, 0}, {2, 1}}};
	struct drm_i915_gem_context_create_ext_setparam setparam = {
	    .param = {.param = I915_CONTEXT_PARAM_ENGINES, .size = 24}};
	struct drm_i915_query_item items[] = {
	    {.query_id = 2, .length = 512}, {.query_id = 1, .length = 30}};
	struct drm_i915_gem_relocation_entry reloc = {.target_handle = 1};
	struct drm_i915_gem_context_param_sseu sseu = {.slice_mask = 1,
	    .subslice_mask = 3,
	    .min_eus_per_subslice = 1,
	    .max_eus_per_subslice = 16};

	furnish(32, handles, sizeof(handles));
	furnish(33, points, sizeof(points));
	timeline.handles_ptr = furnish(34, fences, sizeof(fences));
	timeline.values_ptr = MEMORY_BASE + 33 * 128;
	furnish(35, &timeline, sizeof(timeline));
	balance.base.next_extension = furnish(36, &bond, sizeof(bond));
	furnish_map(38, furnish(37, &balance, sizeof(balance)));
	furnish_map(40, furnish(39, &parallel, sizeof(parallel)));
	setparam.param.value = MEMORY_BASE + 38 * 128;
	furnish(41, &setparam, sizeof(setparam));
	setparam.param.value = MEMORY_BASE + 40 * 128;
	furnish(42, &setparam, sizeof(setparam));
	furnish(43, items, sizeof(items));
	furnish(44, &reloc, sizeof(reloc));
	furnish(45, &sseu, sizeof(sseu));
}

/* Makes a call with a sound argument on descriptor fd. */
static void
sound_call(size_t fd, unsigned request, void *arg)
{
	struct wire_request rq = {.kind = WIRE_IOCTL,
	    .size = _IOC_SIZE(request),
	    .token = world.marks[fd],
	    .number = request,
	    .aux = (uint32_t)fd};

	i915_call(world.dev, &world.callers[0], &rq, arg);
}

/* Two nodes, a timeline with a fence, objects, syncobjs of which the first has
 * that fence, contexts. */
static void
world_people(void)
{
	struct sw_sync_create_fence fence = {.value = 1};
	struct drm_syncobj_handle import = {.handle = 1,
	    .flags = DRM_SYNCOBJ_FD_TO_HANDLE_FLAGS_IMPORT_SYNC_FILE,
	    .fd = 3};

	for (unsigned i = 0; i < 3; i++) {
		struct wire_request rq = {
		    .kind = WIRE_OPEN, .size = (uint32_t)strlen(paths[i])};

		i915_call(world.dev, &world.callers[0], &rq, paths[i]);
	}
	sound_call(2, _IOWR('W', 0, struct sw_sync_create_fence), &fence);
	for (unsigned i = 0; i < 4; i++) {
		struct drm_i915_gem_create create = {.size = 8192};
		struct drm_syncobj_create sync = {.flags = i / 3};
		struct drm_i915_gem_context_create context = {0};

		sound_call(0, DRM_IOCTL_I915_GEM_CREATE, &create);
		sound_call(0, DRM_IOCTL_SYNCOBJ_CREATE, &sync);
		sound_call(0, DRM_IOCTL_I915_GEM_CONTEXT_CREATE, &context);
	}
	sound_call(0, DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE, &import);
}

/* Calls that use what is furnished. */
static void
world_use(struct input *in)
{
	uint8_t what = take(in), one = take(in), number = one % 8;
	struct drm_i915_gem_context_param param = {.ctx_id = number,
	    .size = 24,
	    .param = I915_CONTEXT_PARAM_ENGINES,
	    .value = MEMORY_BASE + (one & 8 ? 38 : 40) * 128};
	struct drm_i915_gem_context_create_ext create = {
	    .flags = I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS,
	    .extensions = MEMORY_BASE + (one & 8 ? 41 : 42) * 128};
	struct drm_i915_query query = {
	    .num_items = 2, .items_ptr = MEMORY_BASE + 43 * 128};
	struct drm_prime_handle prime = {.fd = 201};
	struct sync_merge_data merge = {.fd2 = one % 16};
	struct i915_syncobj_eventfd event = {
	    .handle = number, .point = one / 64, .fd = 200};

	switch (what % 8) {
	case 0:
		sound_call(0, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
		break;
	case 1:
		sound_call(0, DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, &create);
		break;
	case 2:
		sound_call(0, DRM_IOCTL_I915_QUERY, &query);
		sound_call(one & 1, DRM_IOCTL_PRIME_FD_TO_HANDLE, &prime);
		break;
	case 3:
		if (what / 8u < world.n_marks)
			sound_call(what / 8u, SYNC_IOC_MERGE, &merge);
		break;
	case 4:
		sound_call(
		    0, DRM_IOWR(0xcf, struct i915_syncobj_eventfd), &event);
		break;
	case 5:
		param.param = I915_CONTEXT_PARAM_SSEU;
		param.size = 32;
		param.value = MEMORY_BASE + 45 * 128;
		sound_call(0, DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, &param);
		break;
	default: world_submit(in);
	}
}

/* Ends a request, or those there are. */
static void
world_end(struct input *in, bool all, int error)
{
	if (all)
		for (size_t n = world.n_requests; n && world.n_requests; n--)
			end_request(0, error);
	else if (world.n_requests)
		end_request(take(in) % world.n_requests, error);
}

static void
world_step(struct input *in)
{
	uint8_t what = take(in);

	switch (what % 16) {
	case 0: world_end(in, what & 32, what & 16 ? -EIO : 0); break;
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
	case 11: world_use(in); break;
	case 14:
		if (what == STEP_WORDS) {
			world_words(in);
			break;
		}
		/* Fall through. */
	default: world_ioctl(in, what == STEP_IOCTL);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct input in = {data, size};
	size_t memory;

	world_start(take(&in));
	memory = take(&in) * 16u;
	take_bytes(&in, world.bytes, memory);
	world_furnish();
	world_people();
	for (unsigned i = 0; i < STEPS && in.size; i++)
		world_step(&in);
	while (world.n_requests)
		end_request(0, 0);
	i915_free(world.dev);
	for (unsigned i = 0; i < 4; i++)
		if (world.callers[i].waiter)
			abort();
	if (world.memory.refs != 1)
		abort();
	if (world.memfd > 0)
		close(world.memfd);
	return 0;
}
