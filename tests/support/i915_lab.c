/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/i915_lab.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/uio.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"

static struct i915_lab *
uapi_of_host(struct i915_host *host)
{
	return container_of(host, struct i915_lab, host);
}

static struct i915_lab *
uapi_of_gpu(struct gpu *gpu)
{
	return container_of(gpu, struct i915_lab, gpu);
}

/* Pointers of the test itself. */
static int
memory_copy(void *local, uint64_t remote, size_t size, bool write)
{
	struct iovec mine = {local, size};
	struct iovec theirs = {(void *)(uintptr_t)remote, size};
	ssize_t n;

	if (size == 0)
		return 0;
	n = write ? process_vm_writev(getpid(), &mine, 1, &theirs, 1, 0)
		  : process_vm_readv(getpid(), &mine, 1, &theirs, 1, 0);
	return n == (ssize_t)size ? 0 : -EFAULT;
}

static int
memory_read(struct user_memory *m, void *to, uint64_t from, size_t size)
{
	(void)m;
	return memory_copy(to, from, size, false);
}

static int
memory_write(struct user_memory *m, uint64_t to, const void *from, size_t size)
{
	(void)m;
	return memory_copy((void *)(uintptr_t)from, to, size, true);
}

static const struct user_memory_ops memory_ops = {
    .read = memory_read, .write = memory_write, .free = NULL};

static int
host_mark(struct i915_host *host, char kind, uint32_t minor, uint64_t *token)
{
	struct i915_lab *lab = uapi_of_host(host);
	int fd = eventfd(0, EFD_CLOEXEC);

	(void)minor;
	if (fd < 0 || lab->n_fds == UAPI_FDS)
		return -EMFILE;
	*token = 1000 + lab->n_fds;
	lab->fds[lab->n_fds++] = (struct uapi_fd){
	    .fd = fd, .token = *token, .kind = kind};
	return fd;
}

static struct uapi_fd *
fd_of_token(struct i915_lab *lab, uint64_t token)
{
	return &lab->fds[token - 1000];
}

static void
host_signal(struct i915_host *host, uint64_t token)
{
	fd_of_token(uapi_of_host(host), token)->readable = true;
}

static void
host_send(
    struct i915_host *host, uint64_t token, const void *bytes, size_t size)
{
	struct uapi_fd *fd = fd_of_token(uapi_of_host(host), token);
	size_t used = strlen(fd->sent);

	if (used + size < sizeof(fd->sent))
		memcpy(fd->sent + used, bytes, size);
}

static void
host_close(struct i915_host *host, uint64_t token)
{
	fd_of_token(uapi_of_host(host), token)->closed = true;
}

struct uapi_fd *
uapi_fd(struct i915_lab *lab, int fd)
{
	for (size_t i = lab->n_fds; i-- > 0;)
		if (lab->fds[i].fd == fd && !lab->fds[i].closed)
			return &lab->fds[i];
	return NULL;
}

static int
host_passed(
    struct i915_host *host, uint32_t pid, int fd, struct i915_passed *passed)
{
	struct uapi_fd *known = uapi_fd(uapi_of_host(host), fd);

	(void)pid;
	*passed = (struct i915_passed){.fd = -1};
	if (known) {
		passed->token = known->token;
		return 0;
	}
	passed->fd = fcntl(fd, F_DUPFD_CLOEXEC, 0);
	return passed->fd < 0 ? -EBADF : 0;
}

static uint64_t
host_inode(struct i915_host *host, uint64_t inode)
{
	struct i915_lab *lab = uapi_of_host(host);

	return inode < lab->n_fds ? lab->fds[inode].token : 0;
}

static const struct i915_host_ops host_ops = {
    .mark = host_mark,
    .signal = host_signal,
    .send = host_send,
    .close = host_close,
    .passed = host_passed,
    .inode = host_inode,
};

static struct gpu_context *
gpu_context_new(struct gpu *gpu, const struct gpu_context_state *state)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);
	struct gpu_context *c = mem_calloc(1, sizeof(*c));

	c->state = *state;
	lab->contexts[lab->n_contexts++ % 64] = c;
	return c;
}

static void
gpu_context_set(struct gpu *gpu, struct gpu_context *c,
    const struct gpu_context_state *state)
{
	(void)gpu;
	c->state = *state;
}

static void
gpu_context_free(struct gpu *gpu, struct gpu_context *c)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);

	c->freed = true;
	for (size_t i = 0; i < lab->n_requests && !c->state.persistent; i++)
		if (!lab->requests[i].ended &&
		    lab->requests[i].timeline->context == c)
			uapi_end(lab, i, -EIO);
}

static bool
gpu_banned(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	return c->banned;
}

static bool
gpu_client_banned(struct gpu *gpu, uint64_t client)
{
	return client == uapi_of_gpu(gpu)->banned_client;
}

static struct gpu_reset_stats
gpu_stats(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	return c->stats;
}

static struct gpu_timeline *
gpu_timeline_new(
    struct gpu *gpu, struct gpu_context *c, const struct gpu_slot *slot)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);
	struct gpu_timeline *t = mem_calloc(1, sizeof(*t));

	t->context = c;
	t->slot = *slot;
	for (size_t i = 0; i < slot->n_bonds && i < 8; i++)
		t->bonds[i] = slot->bonds[i];
	lab->timelines[lab->n_timelines++ % 64] = t;
	return t;
}

static void
gpu_timeline_sseu(
    struct gpu *gpu, struct gpu_timeline *t, const struct gpu_sseu *sseu)
{
	(void)gpu;
	t->sseu = *sseu;
}

static void
gpu_timeline_free(struct gpu *gpu, struct gpu_timeline *t)
{
	(void)gpu;
	t->freed = true;
}

/* Room until the oldest has ended. */
static uint64_t
gpu_room(struct gpu *gpu, struct gpu_timeline *t)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);
	uint64_t n = 0, oldest = 0;

	for (size_t i = lab->n_requests; i-- > 0;)
		if (!lab->requests[i].ended && lab->requests[i].timeline == t) {
			n++;
			oldest = lab->requests[i].id;
		}
	return lab->ring && n >= lab->ring ? oldest : 0;
}

static void
gpu_submit(struct gpu *gpu, const struct gpu_submission *s)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);
	struct uapi_request *rq = &lab->requests[lab->n_requests++];

	*rq = (struct uapi_request){.id = s->request, .timeline = s->timeline};
	for (size_t i = 0; i < s->n_after && i < 16; i++)
		rq->after[rq->n_after++] = s->after[i];
}

static void
gpu_boost(struct gpu *gpu, uint64_t request)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);

	for (size_t i = 0; i < lab->n_requests; i++)
		if (lab->requests[i].id == request)
			lab->requests[i].boosted = true;
}

static void
gpu_fence_new(struct gpu *gpu, uint64_t fence)
{
	(void)gpu;
	(void)fence;
}

static void
gpu_fence_signal(struct gpu *gpu, uint64_t fence, int error)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);

	(void)error;
	lab->signalled[lab->n_signalled++ % 64] = fence;
}

static void
gpu_poke(struct gpu *gpu)
{
	(void)gpu;
}

static struct gpu_counters
gpu_counters(struct gpu *gpu, unsigned engine)
{
	struct i915_lab *lab = uapi_of_gpu(gpu);

	return (struct gpu_counters){lab->now / (engine + 1), 0, 7};
}

static uint64_t
gpu_client_ns(struct gpu *gpu, uint64_t client, unsigned class)
{
	(void)gpu;
	return client * 1000 + class;
}

static unsigned
gpu_frequency(struct gpu *gpu)
{
	return uapi_of_gpu(gpu)->mhz;
}

static bool
gpu_wedged(struct gpu *gpu)
{
	return uapi_of_gpu(gpu)->wedged;
}

static struct gpu_batch *
gpu_batch_in(struct gpu *gpu, struct gpu_timeline *timeline, unsigned row,
    struct i915_space *space, uint64_t address)
{
	(void)timeline, (void)row, (void)address;
	uapi_of_gpu(gpu)->space = space;
	return NULL;
}

static const struct gpu_ops gpu_ops = {
    .context_new = gpu_context_new,
    .context_set = gpu_context_set,
    .context_free = gpu_context_free,
    .context_banned = gpu_banned,
    .client_banned = gpu_client_banned,
    .reset_stats = gpu_stats,
    .timeline_new = gpu_timeline_new,
    .timeline_sseu = gpu_timeline_sseu,
    .timeline_free = gpu_timeline_free,
    .batch = gpu_batch_in,
    .room = gpu_room,
    .submit = gpu_submit,
    .boost = gpu_boost,
    .fence_new = gpu_fence_new,
    .fence_signal = gpu_fence_signal,
    .poke = gpu_poke,
    .counters = gpu_counters,
    .client_ns = gpu_client_ns,
    .frequency = gpu_frequency,
    .wedged = gpu_wedged,
};

static void
thread_reply(struct i915_caller *caller, const struct wire_reply *rp,
    const void *bytes, int fd)
{
	struct uapi_thread *t = container_of(
	    caller, struct uapi_thread, caller);

	t->result = rp->result;
	t->rp = *rp;
	t->fd = fd;
	if (rp->size)
		memcpy(t->bytes, bytes, rp->size);
	if (t->arg && rp->size)
		memcpy(t->arg, bytes, rp->size);
	if (rp->fd_use == WIRE_FD_STORE && t->arg)
		memcpy((char *)t->arg + rp->fd_offset, &fd, sizeof(fd));
	if (rp->fd_use == WIRE_FD_RETURN && rp->result >= 0)
		t->result = fd;
	t->arg = NULL;
}

void
i915_lab_init(struct i915_lab *lab)
{
	static const struct gpu_engine engines[] = {
	    {GPU_RENDER, 0, 0, 0, 0x2000},
	    {GPU_COPY, 0, 0, 0, 0x22000},
	    {GPU_VIDEO, 0, 0, 3, 0x1c0000},
	    {GPU_VIDEO, 1, 1, 1, 0x1d0000},
	    {GPU_VIDEO_ENHANCE, 0, 0, 2, 0x1c8000},
	};

	memset(lab, 0, sizeof(*lab));
	lab->host.ops = &host_ops;
	lab->gpu.ops = &gpu_ops;
	lab->memory = (struct user_memory){&memory_ops, 1};
	lab->config = (struct i915_config){
	    .pci_id = 0x9a49,
	    .revision = 1,
	    .pci_address = "0000:00:02.0",
	    .graphics = 1200,
	    .kernel = I915_LINUX(5, 13),
	    .scheduler = I915_EXECLISTS,
	    .llc = true,
	    .cs_hz = 19200000,
	    .address_size = UINT64_C(1) << 48,
	    .system_bytes = UINT64_C(16) << 30,
	    .slices = 1,
	    .subslices = 6,
	    .eus = 16,
	    .perf_type = 4242,
	    .n_engines = sizeof(engines) / sizeof(engines[0]),
	};
	memcpy(lab->config.engines, engines, sizeof(engines));
	lab->now = 1000000000;
	lab->mhz = 1300;
	for (unsigned i = 0; i < UAPI_THREADS; i++) {
		struct uapi_thread *t = &lab->threads[i];

		t->lab = lab;
		t->fd = -1;
		t->caller = (struct i915_caller){.pid = 4711,
		    .name = "lab",
		    .memory = &lab->memory,
		    .reply = thread_reply};
	}
}

void
i915_lab_start(struct i915_lab *lab)
{
	lab->dev = i915_new(&lab->config, &lab->host, &lab->gpu, lab->now);
}

void
i915_lab_free(struct i915_lab *lab)
{
	if (lab->dev)
		i915_free(lab->dev);
	for (size_t i = 0; i < lab->n_contexts && i < 64; i++)
		free(lab->contexts[i]);
	for (size_t i = 0; i < lab->n_timelines && i < 64; i++)
		free(lab->timelines[i]);
	for (size_t i = 0; i < lab->n_fds; i++)
		if (lab->fds[i].fd >= 0)
			close(lab->fds[i].fd);
}

int
uapi_call(struct i915_lab *lab, unsigned thread, const struct wire_request *rq,
    const void *arg)
{
	struct uapi_thread *t = &lab->threads[thread];

	t->result = UAPI_WAITS;
	i915_call(lab->dev, &t->caller, rq, arg);
	return t->result;
}

int
uapi_open(struct i915_lab *lab, unsigned thread, const char *path)
{
	return uapi_open_with(lab, thread, path, 0);
}

int
uapi_open_with(
    struct i915_lab *lab, unsigned thread, const char *path, unsigned flags)
{
	struct wire_request rq = {
	    .kind = WIRE_OPEN, .size = (uint32_t)strlen(path), .flags = flags};

	return uapi_call(lab, thread, &rq, path);
}

int
uapi_ioctl_on(struct i915_lab *lab, unsigned thread, int fd,
    unsigned long request, void *arg)
{
	const struct uapi_fd *known = uapi_fd(lab, fd);
	struct wire_request rq = {.kind = WIRE_IOCTL,
	    .token = known ? known->token : 0,
	    .number = request,
	    .pointer = (uintptr_t)arg,
	    .aux = (uint32_t)fd};

	if (_IOC_DIR(request) & _IOC_WRITE)
		rq.size = _IOC_SIZE(request);
	lab->threads[thread].arg = arg;
	return uapi_call(lab, thread, &rq, arg);
}

int
uapi_ioctl(struct i915_lab *lab, int fd, unsigned long request, void *arg)
{
	return uapi_ioctl_on(lab, 0, fd, request, arg);
}

void
uapi_close(struct i915_lab *lab, int fd)
{
	struct uapi_fd *known = uapi_fd(lab, fd);

	if (known) {
		i915_hangup(lab->dev, known->token);
		known->fd = -1;
	}
	close(fd);
}

void
uapi_end(struct i915_lab *lab, size_t n, int error)
{
	struct uapi_request *rq = &lab->requests[n];

	rq->ended = true;
	i915_gpu_events.ended(lab->dev, rq->id, lab->now, error);
	i915_advance(lab->dev, lab->now);
}

void
uapi_end_all(struct i915_lab *lab)
{
	for (size_t i = 0; i < lab->n_requests; i++)
		if (!lab->requests[i].ended)
			uapi_end(lab, i, 0);
}

void
uapi_advance(struct i915_lab *lab, uint64_t ns)
{
	lab->now += ns;
	i915_advance(lab->dev, lab->now);
}

bool
uapi_after(const struct i915_lab *lab, size_t n, size_t m, enum gpu_after after)
{
	const struct uapi_request *rq = &lab->requests[n];

	for (size_t i = 0; i < rq->n_after; i++)
		if (rq->after[i].fence == lab->requests[m].id &&
		    rq->after[i].after == after)
			return true;
	return false;
}
