/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A call from its request to its reply. A function that has to wait returns
 * I915_WAITS before it has done anything; when a fence or bell that it named
 * rings, when its time is over or a signal came, it is served again from its
 * beginning. So nothing of a call is kept but its argument, its deadline, and a
 * state where the beginning must not be looked at again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/device.h"

struct wait_link {
	struct i915_link link;
	struct i915_waiter *waiter;
};

struct i915_waiter {
	struct i915_call call;
	struct i915_waiter *next, **at; /* of all that wait */
	struct pairing_node deadline;   /* in the heap unless I915_NEVER */
	struct wait_link *links;
	size_t n_links;
};

int
i915_copy_in(const struct i915_call *call, void *to, uint64_t from, size_t size)
{
	struct user_memory *m = call->caller->memory;

	return m->ops->read(m, to, from, size);
}

int
i915_copy_out(
    const struct i915_call *call, uint64_t to, const void *from, size_t size)
{
	struct user_memory *m = call->caller->memory;

	return m->ops->write(m, to, from, size);
}

int
i915_copy_array(struct i915 *dev, const struct i915_call *call, void **array,
    uint64_t from, uint64_t n, size_t size)
{
	int rc = i915_array_check(dev, n);

	*array = NULL;
	if (rc || !n)
		return rc;
	*array = mem_calloc((size_t)n, size);
	rc = i915_copy_in(call, *array, from, (size_t)n * size);
	if (rc) {
		free(*array);
		*array = NULL;
	}
	return rc;
}

void
i915_return_fd(struct i915_call *call, int fd, bool cloexec)
{
	call->fd = fd;
	call->rp.fd_use = WIRE_FD_RETURN;
	call->rp.cloexec = cloexec;
}

void
i915_store_fd(struct i915_call *call, int fd, size_t offset, bool cloexec)
{
	call->fd = fd;
	call->rp.fd_use = WIRE_FD_STORE;
	call->rp.fd_offset = (uint16_t)offset;
	call->rp.cloexec = cloexec;
}

void
i915_deadline(struct i915_call *call, uint64_t ns)
{
	if (call->begun)
		return;
	call->begun = true;
	call->deadline_ns = ns;
}

int
i915_waits(struct i915 *dev, struct i915_call *call)
{
	if (call->interrupted)
		return -EINTR;
	i915_deadline(call, I915_NEVER);
	return call->deadline_ns <= dev->now ? -ETIME : I915_WAITS;
}

int
i915_wait(struct i915 *dev, struct i915_call *call, struct i915_fence *f)
{
	i915_fences_add(&call->waits, f);
	return i915_waits(dev, call);
}

int
i915_wait_bell(struct i915 *dev, struct i915_call *call, struct i915_bell *bell)
{
	call->bells = mem_grow(call->bells, call->n_bells, &call->cap_bells,
	    sizeof(struct i915_bell *));
	call->bells[call->n_bells++] = bell;
	return i915_waits(dev, call);
}

/* Forgets what the call waited for. */
static void
waits_clear(struct i915 *dev, struct i915_call *call)
{
	i915_fences_free(dev, &call->waits);
	free(call->bells);
	call->bells = NULL;
	call->n_bells = call->cap_bells = 0;
}

static void
state_clear(struct i915 *dev, struct i915_call *call)
{
	if (call->state)
		call->state_free(dev, call->state);
	call->state = NULL;
}

/* Bytes of the argument that go back. */
static size_t
argument_size(const struct i915_call *call)
{
	unsigned known = call->ioctl->request,
		 asked = (unsigned)call->rq.number;
	size_t size = _IOC_SIZE(asked);
	bool known_out;

	known_out = _IOC_DIR(known) & _IOC_READ;
	if (!known_out || !(_IOC_DIR(asked) & _IOC_READ))
		return 0;
	return size < _IOC_SIZE(known) ? size : _IOC_SIZE(known);
}

/* True if the program learns of the descriptor: the field for its number, or
 * for the address of its mapping, goes back. */
static bool
fd_is_told(const struct i915_call *call)
{
	size_t end = call->rp.fd_offset;

	switch (call->rp.fd_use) {
	case WIRE_FD_STORE: return end + sizeof(int32_t) <= call->rp.size;
	case WIRE_FD_MAP:
		return !call->ioctl || end + sizeof(uint64_t) <= call->rp.size;
	default: return true;
	}
}

void
i915_call_clear(struct i915 *dev, struct i915_call *call)
{
	waits_clear(dev, call);
	state_clear(dev, call);
	text_free(&call->bytes);
}

static void
call_reply(struct i915 *dev, struct i915_call *call, int rc)
{
	const void *bytes = call->bytes.data;
	struct i915_caller *caller = call->caller;

	waits_clear(dev, call);
	state_clear(dev, call);
	if (rc < 0 && rc != -ERESTART && dev->refused && call->ioctl &&
	    call->marked && call->marked->kind == MARK_DRM)
		i915_tell_refusal(dev, call, rc);
	dev->refused_why = NULL;
	caller->restarted_ns = rc == -ERESTART ? call->began_ns : 0;
	call->rp.result = rc;
	call->rp.size = (uint32_t)call->bytes.len;
	if (call->ioctl) {
		bytes = call->arg;
		call->rp.size = (uint32_t)argument_size(call);
	}
	if (call->fd >= 0 && (rc < 0 || !fd_is_told(call))) {
		close(call->fd);
		call->fd = -1;
	}
	if (call->fd < 0)
		call->rp.fd_use = WIRE_FD_NONE;
	caller->reply(caller, &call->rp, bytes, call->fd);
	text_free(&call->bytes);
}

static void
waiter_unlink(struct i915 *dev, struct i915_waiter *w)
{
	for (size_t i = 0; i < w->n_links; i++)
		i915_link_cut(&w->links[i].link);
	free(w->links);
	w->links = NULL;
	w->n_links = 0;
	if (w->call.deadline_ns != I915_NEVER)
		pairing_remove(&dev->deadlines, &w->deadline);
	*w->at = w->next;
	if (w->next)
		w->next->at = w->at;
	waits_clear(dev, &w->call);
	w->call.caller->waiter = NULL;
}

static void waiter_park(struct i915 *dev, struct i915_waiter *w);

/* Serves the call of a waiter again. */
static void
waiter_retry(struct i915 *dev, struct i915_waiter *w)
{
	int rc;

	waiter_unlink(dev, w);
	rc = w->call.serve(dev, &w->call);
	if (rc == I915_WAITS) {
		waiter_park(dev, w);
		return;
	}
	call_reply(dev, &w->call, rc);
	free(w);
}

static void
waiter_woken(struct i915 *dev, struct i915_link *link)
{
	waiter_retry(dev, container_of(link, struct wait_link, link)->waiter);
}

static void
waiter_park(struct i915 *dev, struct i915_waiter *w)
{
	struct i915_call *call = &w->call;
	size_t n = call->waits.n + call->n_bells;

	w->links = mem_calloc(n, sizeof(*w->links));
	w->n_links = n;
	for (size_t i = 0; i < n; i++) {
		w->links[i].waiter = w;
		w->links[i].link.woken = waiter_woken;
		w->links[i].link.is_call = true;
		i915_bell_hang(i < call->waits.n
			? &call->waits.list[i]->bell
			: call->bells[i - call->waits.n],
		    &w->links[i].link);
	}
	w->next = dev->waiters;
	w->at = &dev->waiters;
	if (w->next)
		w->next->at = &w->next;
	dev->waiters = w;
	call->caller->waiter = w;
	if (call->deadline_ns == I915_NEVER)
		return;
	w->deadline.key = call->deadline_ns;
	w->deadline.seq = ++dev->last_waiter;
	pairing_add(&dev->deadlines, &w->deadline);
}

void
i915_waiters_lost(struct i915 *dev)
{
	while (dev->waiters) {
		struct i915_waiter *w = dev->waiters;

		waiter_unlink(dev, w);
		call_reply(dev, &w->call, -ENODEV);
		free(w);
	}
}

void
i915_waiters_end(struct i915 *dev, const struct i915_marked *m)
{
	struct i915_waiter *w, *next;

	for (w = dev->waiters; w; w = next) {
		next = w->next;
		if (w->call.marked != m)
			continue;
		waiter_unlink(dev, w);
		call_reply(dev, &w->call, -EBADF);
		free(w);
	}
}

void
i915_caller_gone(struct i915 *dev, struct i915_caller *caller)
{
	struct i915_waiter *w = caller->waiter;

	if (!w)
		return;
	waiter_unlink(dev, w);
	state_clear(dev, &w->call);
	text_free(&w->call.bytes);
	free(w);
	i915_drain(dev);
}

void
i915_advance(struct i915 *dev, uint64_t now_ns)
{
	struct pairing_node *first;

	if (now_ns > dev->now)
		dev->now = now_ns;
	if (dev->n_perf)
		i915_frequency_count(dev);
	i915_bar_advance(dev);
	i915_drain(dev);
	while ((first = dev->deadlines.first) && first->key <= dev->now) {
		waiter_retry(
		    dev, container_of(first, struct i915_waiter, deadline));
		i915_drain(dev);
	}
}

uint64_t
i915_next_ns(const struct i915 *dev)
{
	uint64_t next = dev->deadlines.first ? dev->deadlines.first->key
					     : I915_NEVER;
	uint64_t bar = i915_bar_next(dev);

	return bar < next ? bar : next;
}

uint64_t
i915_readable(const struct i915 *dev)
{
	return dev->n_readable;
}

/* Finds the row of an ioctl and copies its argument, as drm_ioctl() does: the
 * bytes that the caller's structure lacks are 0, those that it has beyond ours
 * are not looked at. */
static int
call_ioctl(struct i915 *dev, struct i915_call *call, const void *arg)
{
	const struct wire_request *rq = &call->rq;
	unsigned request = (unsigned)rq->number;
	char kind = call->marked ? (char)call->marked->kind : 'b';
	size_t size = rq->size;
	int unknown;

	call->ioctl = i915_ioctl_find(dev, kind, request, &unknown);
	if (!call->ioctl) {
		if (kind == MARK_DRM)
			i915_tell_no_display(dev, call, request);
		return unknown;
	}
	if (call->file && call->file->render && call->ioctl->primary)
		return -EACCES;
	if (size > _IOC_SIZE(call->ioctl->request))
		size = _IOC_SIZE(call->ioctl->request);
	if (size && (_IOC_DIR(call->ioctl->request) & _IOC_WRITE))
		memcpy(call->arg, arg, size);
	call->serve = call->ioctl->serve;
	return call->serve(dev, call);
}

/* Reads a perf event or a control file. */
static int
call_read(struct i915 *dev, struct i915_call *call)
{
	if (call->marked && call->marked->kind == MARK_CONTROL)
		return i915_control_read(dev, call);
	return i915_perf_read(dev, call);
}

static int
call_kind(struct i915 *dev, struct i915_call *call, const void *arg)
{
	const struct wire_request *rq = &call->rq;

	switch ((enum wire_kind)rq->kind) {
	case WIRE_OPEN: return i915_open(dev, call, arg, rq->size);
	case WIRE_IOCTL: return call_ioctl(dev, call, arg);
	case WIRE_MMAP: return call->file ? i915_mmap(dev, call) : -ENODEV;
	case WIRE_READ: return call_read(dev, call);
	case WIRE_WRITE: return i915_control_write(dev, call, arg);
	case WIRE_PERF_OPEN: return i915_perf_open(dev, call, arg, rq->size);
	case WIRE_FDINFO: return i915_fdinfo(dev, call);
	case WIRE_STAT: return i915_stat(dev, call);
	case WIRE_MEMORY: return i915_userptr_of_exec(dev, call);
	case WIRE_UNMAP:
		call->serve = i915_userptr_unmap;
		return i915_userptr_unmap(dev, call);
	case WIRE_HELLO:
	case WIRE_RIGHTS:
	case WIRE_CANCEL:
	case WIRE_JOIN:
	case WIRE_SUMMARY:
	case N_WIRE_KINDS: break;
	case WIRE_WAIT:
	case WIRE_WAKE:
	case WIRE_EXPECT:
	case WIRE_EXPECTED:
	case WIRE_SIGNALS:
	case WIRE_LEAVE:
	case WIRE_TIMER_NEW:
	case WIRE_TIMER_SIGNAL:
	case WIRE_TIMER_END:
	case WIRE_TIMER:
	case WIRE_TIMER_READ: return -ENOSYS;
	}
	return WIRE_NOT_MINE;
}

static void
call_cancel(struct i915 *dev, struct i915_caller *caller)
{
	struct i915_waiter *w = caller->waiter;

	if (!w)
		return;
	w->call.interrupted = true;
	waiter_retry(dev, w);
}

void
i915_call(struct i915 *dev, struct i915_caller *caller,
    const struct wire_request *rq, const void *arg)
{
	struct i915_call call = {
	    .caller = caller, .rq = *rq, .fd = -1, .began_ns = dev->now};
	struct i915_waiter *w;
	int rc = -EBADF;

	if (rq->kind == WIRE_CANCEL) {
		call_cancel(dev, caller);
		i915_drain(dev);
		return;
	}
	if (caller->restarted_ns > 0)
		call.began_ns = caller->restarted_ns;
	dev->gpu->ops->poke(dev->gpu);
	i915_drain(dev);
	call.marked = rq->token ? i915_marked_find(dev, rq->token) : NULL;
	if (call.marked && call.marked->kind == MARK_DRM)
		call.file = container_of(call.marked, struct i915_file, marked);
	if (caller->waiter)
		rc = -EBUSY;
	else if (call.marked || !rq->token)
		rc = call_kind(dev, &call, arg);
	if (rc == I915_WAITS) {
		w = mem_calloc(1, sizeof(*w));
		w->call = call;
		waiter_park(dev, w);
	} else {
		/* The program may look at once at what it has done. */
		i915_drain(dev);
		call_reply(dev, &call, rc);
	}
	i915_drain(dev);
}
