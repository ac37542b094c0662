/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records what programs ask of the virtual i915, as seeds of fuzz_i915 and
 * fuzz_streamer: gpuwl-top, with functions of its device wrapped by the linker
 * (--wrap). `make build/VARIANT/tests/fuzz/record_i915` makes it, and
 *
 *     RECORD=FILE record_i915 --serve -b -- PROGRAM ARG...
 *
 * writes the dialogue to FILE, and the batches to FILE-1, FILE-2 and so on. A
 * call that was made twice with the same argument and memory is left out, and so
 * is what does not fit: the fuzzer needs the kinds of calls, not all of them.
 */
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/util.h"
#include "device/i915/i915.h"
#include "device/i915/uapi.h"
#include "tests/fuzz/fuzz_i915_steps.h"

#define MARKS     120
#define RANGES    64
#define MOST      3000  /* bytes of memory of a call */
#define FULL      16000 /* bytes of a dialogue */
#define BATCHES   24
#define SEEN      4096
#define BATCH_END 0x05000000u

struct i915 *__real_i915_new(const struct i915_config *config,
    struct i915_host *host, struct gpu *gpu, uint64_t now_ns);
struct i915 *__wrap_i915_new(const struct i915_config *config,
    struct i915_host *host, struct gpu *gpu, uint64_t now_ns);
void __real_i915_call(struct i915 *dev, struct i915_caller *caller,
    const struct wire_request *rq, const void *arg);
void __wrap_i915_call(struct i915 *dev, struct i915_caller *caller,
    const struct wire_request *rq, const void *arg);
void __real_i915_hangup(struct i915 *dev, uint64_t token);
void __wrap_i915_hangup(struct i915 *dev, uint64_t token);
struct guard;
struct user_memory *__real_process_memory(pid_t pid, struct guard *guard);
struct user_memory *__wrap_process_memory(pid_t pid, struct guard *guard);

/* Memory of a program that a call has read or written. */
struct range {
	uint64_t from;
	size_t size;
	uint64_t to; /* in the fuzzer's memory */
	uint8_t *bytes;
};

static struct recorder {
	FILE *file;
	size_t written;
	const struct i915_host_ops *host;
	const struct gpu_ops *gpu;
	const struct user_memory_ops *memory;
	uint64_t marks[MARKS];
	unsigned n_marks, n_batches, running;
	struct {
		uint32_t pid, tid;
	} callers[4];
	uint64_t seen[SEEN]; /* hashes of calls */
	size_t n_seen;
	/* The call: */
	bool calling;
	struct range ranges[RANGES];
	unsigned n_ranges;
	int passed; /* mark of a descriptor that it has passed; -1: none */
} rec;

/* The input. */

static void
put(unsigned byte)
{
	fputc((int)(byte & 255), rec.file);
	rec.written++;
}

/* As take_word() of the fuzzer. */
static void
put_word(uint64_t word)
{
	if (word == 0)
		put(0);
	else if (word < 16)
		put(2 | (unsigned)word << 4);
	else if (word < 4096) {
		put(13 | (unsigned)(word >> 8) << 4);
		put((unsigned)word);
	} else if (word < 65536 && word % 4096 == 0)
		put(10 | (unsigned)(word / 4096) << 4);
	else if ((word & (word - 1)) == 0) {
		put(12);
		put((unsigned)__builtin_ctzll(word));
	} else if (word == UINT64_MAX)
		put(11);
	else {
		put(15);
		for (unsigned i = 0; i < 64; i += 8)
			put((unsigned)(word >> i));
	}
}

static void
put_words(const uint8_t *bytes, size_t size)
{
	for (size_t i = 0; i < size; i += 8) {
		uint64_t word = 0;

		memcpy(&word, bytes + i, size - i < 8 ? size - i : 8);
		put_word(word);
	}
}

static unsigned
mark_of(uint64_t token)
{
	for (unsigned i = 0; i < rec.n_marks; i++)
		if (rec.marks[i] == token)
			return WORLD_MARKS + i;
	return 255;
}

/* Each thread is one of the fuzzer's four callers. */
static unsigned
caller_of(const struct i915_caller *caller)
{
	unsigned i = 0;

	while (i < 3 && rec.callers[i].pid != 0 &&
	    (rec.callers[i].pid != caller->pid ||
		rec.callers[i].tid != caller->tid))
		i++;
	rec.callers[i].pid = caller->pid;
	rec.callers[i].tid = caller->tid;
	return i;
}

/* Memory. */

static void
note_range(uint64_t from, size_t size, const void *bytes)
{
	struct range *r = &rec.ranges[rec.n_ranges];

	if (!rec.calling || rec.n_ranges == RANGES || size == 0)
		return;
	for (unsigned i = 0; i < rec.n_ranges; i++)
		if (rec.ranges[i].from == from && rec.ranges[i].size >= size)
			return;
	*r = (struct range){.from = from, .size = size};
	r->bytes = calloc(1, size + 8);
	if (bytes != NULL)
		memcpy(r->bytes, bytes, size);
	rec.n_ranges++;
}

static int
read_noted(struct user_memory *m, void *to, uint64_t from, size_t size)
{
	int rc = rec.memory->read(m, to, from, size);

	if (rc == 0)
		note_range(from, size, to);
	return rc;
}

static int
write_noted(struct user_memory *m, uint64_t to, const void *from, size_t size)
{
	note_range(to, size, NULL);
	return rec.memory->write(m, to, from, size);
}

struct user_memory *
__wrap_process_memory(pid_t pid, struct guard *guard)
{
	static struct user_memory_ops ops;
	struct user_memory *m = __real_process_memory(pid, guard);

	rec.memory = m->ops;
	ops = *m->ops;
	ops.read = read_noted;
	ops.write = write_noted;
	m->ops = &ops;
	return m;
}

/* Gives each range a place of the fuzzer's memory, the same for what is within
 * another. False: there is no room. */
static bool
place_ranges(void)
{
	uint64_t next = RECORDED_BASE;

	for (unsigned i = 0; i < rec.n_ranges; i++) {
		struct range *r = &rec.ranges[i];
		const struct range *in = NULL;

		for (unsigned j = 0; j < i && in == NULL; j++)
			if (r->from >= rec.ranges[j].from &&
			    r->from - rec.ranges[j].from < rec.ranges[j].size)
				in = &rec.ranges[j];
		r->to = in ? in->to + (r->from - in->from) : next;
		if (in == NULL)
			next += (r->size + 15) / 8 * 8;
	}
	return next <= RECORDED_BASE + MOST;
}

/* Replaces pointers to the ranges. */
static void
replace_pointers(uint8_t *bytes, size_t size)
{
	for (size_t at = 0; at + 8 <= size; at += 4) {
		uint64_t word;

		memcpy(&word, bytes + at, 8);
		for (unsigned i = 0; i < rec.n_ranges && word > 4096; i++)
			if (word == rec.ranges[i].from) {
				memcpy(bytes + at, &rec.ranges[i].to, 8);
				break;
			}
	}
}

static void
put_ranges(void)
{
	for (unsigned i = 0; i < rec.n_ranges; i++) {
		const struct range *r = &rec.ranges[i];
		size_t at = (size_t)(r->to - MEMORY_BASE) / 8;
		size_t n = (r->size + 7) / 8;

		put(STEP_WORDS);
		put((unsigned)at);
		put((unsigned)(at >> 8));
		put((unsigned)n);
		put((unsigned)(n >> 8));
		put_words(r->bytes, r->size);
	}
}

/* Calls. */

static const unsigned requests[] = {FUZZ_I915_REQUESTS};
#define N_REQUESTS (sizeof(requests) / sizeof(requests[0]))

static void
put_request(unsigned request)
{
	unsigned i = 0;

	while (i < N_REQUESTS && requests[i] != request)
		i++;
	put(i < N_REQUESTS ? i : 255);
	for (unsigned bit = 0; i == N_REQUESTS && bit < 32; bit += 8)
		put(request >> bit);
}

/* Where a request has the number of a descriptor; 0: nowhere. */
static size_t
place_of_fd(unsigned request)
{
	switch (request) {
	case DRM_IOCTL_I915_GEM_EXECBUFFER2:
	case DRM_IOCTL_I915_GEM_EXECBUFFER2_WR: return 56;
	case DRM_IOCTL_PRIME_FD_TO_HANDLE:
	case DRM_IOCTL_SYNCOBJ_FD_TO_HANDLE: return 8;
	case SYNC_IOC_MERGE: return 32;
	default: return 0;
	}
}

/* True the first time. */
static bool
is_new(const uint8_t *arg, size_t size, unsigned request)
{
	uint64_t hash = request;

	for (size_t i = 0; i < size; i++)
		hash = (hash ^ arg[i]) * UINT64_C(0x100000001b3);
	for (unsigned i = 0; i < rec.n_ranges; i++)
		for (size_t j = 0; j < rec.ranges[i].size; j++)
			hash = (hash ^ rec.ranges[i].bytes[j]) *
			    UINT64_C(0x100000001b3);
	for (size_t i = 0; i < rec.n_seen; i++)
		if (rec.seen[i] == hash)
			return false;
	if (rec.n_seen < SEEN)
		rec.seen[rec.n_seen++] = hash;
	return true;
}

/* Things with numbers of their own are made each time. */
static bool
makes(unsigned request)
{
	switch (_IOC_NR(request)) {
	case _IOC_NR(DRM_IOCTL_I915_GEM_CREATE):
	case _IOC_NR(DRM_IOCTL_I915_GEM_CREATE_EXT):
	case _IOC_NR(DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT):
	case _IOC_NR(DRM_IOCTL_I915_GEM_VM_CREATE):
	case _IOC_NR(DRM_IOCTL_I915_GEM_USERPTR):
	case _IOC_NR(DRM_IOCTL_SYNCOBJ_CREATE): return true;
	default: return false;
	}
}

static void
put_ioctl(const struct i915_caller *caller, const struct wire_request *rq,
    const uint8_t *given)
{
	unsigned request = (unsigned)rq->number;
	uint8_t arg[128] = {0};
	size_t size = rq->size < sizeof(arg) ? rq->size : sizeof(arg);
	size_t fd = place_of_fd(request);
	bool submits = _IOC_NR(request) ==
	    _IOC_NR(DRM_IOCTL_I915_GEM_EXECBUFFER2);

	memcpy(arg, given, size);
	if (rec.passed >= 0 && fd != 0)
		memcpy(arg + fd, &rec.passed, sizeof(rec.passed));
	if (!place_ranges())
		return;
	replace_pointers(arg, size);
	for (unsigned i = 0; i < rec.n_ranges; i++)
		replace_pointers(rec.ranges[i].bytes, rec.ranges[i].size);
	if (!is_new(arg, size, request) && !makes(request))
		return;
	/* The fuzzer's GPU ends nothing by itself. */
	if (rec.running > 4 || (rec.running > 0 && !submits)) {
		put(STEP_END_ALL);
		rec.running = 0;
	}
	rec.running += submits;
	put_ranges();
	put(STEP_IOCTL);
	put(caller_of(caller));
	put_request(request);
	put(mark_of(rq->token));
	put(rq->flags != 0);
	size = _IOC_SIZE(request) < sizeof(arg) ? _IOC_SIZE(request)
						: sizeof(arg);
	put_words(arg, size);
}

/* Only nodes and timelines, which are in the fuzzer's first four paths. */
static void
put_open(const struct i915_caller *caller, const struct wire_request *rq,
    const char *path)
{
	unsigned place = 4, kind;

	if (rq->size == strlen("dev/dri/card0"))
		place = 0;
	else if (rq->size == strlen("dev/dri/renderD128"))
		place = 1;
	else if (rq->size == strlen("dev/sw_sync"))
		place = 2;
	if (place == 4 || strncmp(path, "dev/", 4) != 0)
		return;
	kind = place * 16;
	while (kind / 16 % 4 != place || kind % N_WIRE_KINDS != WIRE_OPEN)
		kind++;
	put(STEP_OPEN);
	put(caller_of(caller));
	put(kind);
	put(0);
	put_word(0);
	put_word(0);
}

void
__wrap_i915_call(struct i915 *dev, struct i915_caller *caller,
    const struct wire_request *rq, const void *arg)
{
	uint8_t kept[WIRE_MAX_BYTES];

	memcpy(kept, arg, rq->size);
	rec.calling = true;
	rec.passed = -1;
	__real_i915_call(dev, caller, rq, arg);
	rec.calling = false;
	if (rec.written < FULL && rq->kind == WIRE_IOCTL)
		put_ioctl(caller, rq, kept);
	else if (rec.written < FULL && rq->kind == WIRE_OPEN)
		put_open(caller, rq, (const char *)kept);
	while (rec.n_ranges > 0)
		free(rec.ranges[--rec.n_ranges].bytes);
	fflush(rec.file);
}

void
__wrap_i915_hangup(struct i915 *dev, uint64_t token)
{
	unsigned mark = mark_of(token);

	if (mark < 255 && rec.written < FULL) {
		put(STEP_HANGUP);
		put(mark);
	}
	__real_i915_hangup(dev, token);
}

static int
mark_noted(struct i915_host *host, char kind, uint32_t minor, uint64_t *token)
{
	int fd = rec.host->mark(host, kind, minor, token);

	if (fd >= 0 && rec.n_marks < MARKS)
		rec.marks[rec.n_marks++] = *token;
	return fd;
}

static int
passed_noted(
    struct i915_host *host, uint32_t pid, int fd, struct i915_passed *passed)
{
	int rc = rec.host->passed(host, pid, fd, passed);

	if (rc == 0)
		rec.passed = passed->token ? (int)mark_of(passed->token) : 201;
	return rc;
}

/* Batches, for fuzz_streamer. */

/* Addresses become those of that fuzzer's two pages. */
static uint32_t
replace_address(
    struct i915_space *space, uint64_t batch, uint32_t low, uint32_t high)
{
	uint64_t address = low | (uint64_t)high << 32;

	if (address >= batch && address - batch < 4096)
		return 0x10000 + (uint32_t)(address - batch);
	if (low >= 4096 && i915_space_where(space, address).object != 0)
		return 0x20000 + low % 4096;
	return low;
}

static void
write_batch(FILE *f, struct i915_space *space, uint64_t address)
{
	uint32_t dwords[1025] = {0};
	unsigned n = 0;

	while (n < 1024 &&
	    i915_space_read(space, address + n * 4, &dwords[n], 4) &&
	    (n == 0 || dwords[n - 1] != BATCH_END))
		n++;
	/* The render engine of generation 12, and its costs. */
	fputc(7, f);
	fputc(0x40, f);
	for (unsigned i = 0; i < n; i++) {
		uint32_t dword = replace_address(
		    space, address, dwords[i], dwords[i + 1]);

		fputc(0xff, f);
		for (unsigned byte = 0; byte < 4; byte++)
			fputc((int)(dword >> (24 - 8 * byte) & 255), f);
	}
	for (unsigned i = 0; i < 48; i++)
		fputc(0xff, f);
}

static struct gpu_batch *
batch_noted(struct gpu *gpu, struct gpu_timeline *timeline, unsigned row,
    struct i915_space *space, uint64_t address)
{
	char path[4096];
	FILE *f;

	if (rec.n_batches < BATCHES) {
		snprintf(path, sizeof(path), "%s-%u", getenv("RECORD"),
		    ++rec.n_batches);
		f = fopen(path, "wb");
		if (f == NULL)
			abort();
		write_batch(f, space, address);
		fclose(f);
	}
	return rec.gpu->batch(gpu, timeline, row, space, address);
}

/* The fuzzer's device that is most like the profile's. */
static unsigned
first_byte(const struct i915_config *config)
{
	unsigned kernel = config->kernel < I915_LINUX(5, 14) ? WORLD_5_13 : 0;

	if (config->graphics >= 1200)
		return WORLD_TGL | kernel;
	return (config->graphics >= 800 ? WORLD_KBL : WORLD_IVB) | kernel;
}

struct i915 *
__wrap_i915_new(const struct i915_config *config, struct i915_host *host,
    struct gpu *gpu, uint64_t now_ns)
{
	static struct i915_host_ops host_ops;
	static struct gpu_ops gpu_ops;
	const char *path = getenv("RECORD");

	rec.file = fopen(path ? path : "/dev/null", "wb");
	if (rec.file == NULL)
		abort();
	put(first_byte(config));
	put(0);
	rec.host = host->ops;
	host_ops = *host->ops;
	host_ops.mark = mark_noted;
	host_ops.passed = passed_noted;
	host->ops = &host_ops;
	rec.gpu = gpu->ops;
	gpu_ops = *gpu->ops;
	gpu_ops.batch = batch_noted;
	gpu->ops = &gpu_ops;
	return __real_i915_new(config, host, gpu, now_ns);
}
