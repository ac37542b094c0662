/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The first region of the PCI device, its registers: memory of zeros, but for
 * the timestamps of the engines, and the ends of their rings, which differ while they
 * are busy. They are written whenever the device runs and,
 * while a program has the region mapped, every 50 us. Rules:
 * doc/model/i915_files.md "Registers".
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/nsec.h"
#include "device/i915/device.h"
#include "device/i915/ioctls.h"

#define BAR_BYTES     0x01000000
#define BAR_TIMESTAMP 0x358 /* behind an engine's base */
#define BAR_RING_TAIL 0x30  /* RING_HEAD is behind it */
#define BAR_PERIOD    (50 * NSEC_PER_USEC)
/* gem_latency looks twice at once whether the registers go on. */
#define BAR_FIRST_NS     (20 * NSEC_PER_MSEC)
#define BAR_FIRST_PERIOD (5 * NSEC_PER_USEC)
/* A program that has opened the region maps it within that time. */
#define BAR_LOOK_NS NSEC_PER_SEC

void
i915_bar_init(struct i915_bar *bar)
{
	bar->fd = -1;
}

static void
bar_drop(struct i915_bar *bar)
{
	if (bar->fd >= 0)
		close(bar->fd);
	bar->fd = -1;
}

void
i915_bar_free(struct i915_bar *bar)
{
	bar_drop(bar);
}

static bool
bar_put(struct i915_bar *bar, uint64_t value, uint32_t at)
{
	if (pwrite(bar->fd, &value, sizeof(value), at) >= 0)
		return true;
	bar_drop(bar);
	return false;
}

/* Writes the timestamp and the ring of an engine: intel_gpu_time samples whether a ring's
 * tail is ahead of its head. Between two writes the engine was what it was for longer. */
static bool
bar_write_engine(struct i915 *dev, unsigned engine, uint64_t ticks)
{
	struct i915_bar *bar = &dev->bar;
	uint32_t base = dev->config->engines[engine].mmio_base;
	uint64_t busy_ns = dev->gpu->ops->counters(dev->gpu, engine).busy_ns;
	bool busy = 2 * (busy_ns - bar->busy_ns[engine]) >
	    dev->now - bar->written_ns;

	if (!bar_put(bar, ticks, base + BAR_TIMESTAMP) ||
	    dev->now <= bar->written_ns)
		return bar->fd >= 0;
	bar->busy_ns[engine] = busy_ns;
	return bar_put(bar, busy ? sizeof(uint64_t) : 0, base + BAR_RING_TAIL);
}

static void
bar_write(struct i915 *dev)
{
	const struct i915_config *c = dev->config;
	uint64_t ticks = i915_timestamp(dev);
	bool first = dev->now < dev->bar.opened_ns + BAR_FIRST_NS;

	for (unsigned i = 0; i < c->n_engines; i++)
		if (!bar_write_engine(dev, i, ticks))
			break;
	if (dev->now > dev->bar.written_ns)
		dev->bar.written_ns = dev->now;
	dev->bar.next_ns = dev->now + (first ? BAR_FIRST_PERIOD : BAR_PERIOD);
}

/* True if no program has the region any more: memory that is mapped cannot be
 * sealed. A program that can only read it is asked for by its number. */
static bool
bar_is_left(const struct i915_bar *bar)
{
	if (bar->reader != 0 &&
	    (kill((pid_t)bar->reader, 0) == 0 || errno != ESRCH))
		return false;
	return fcntl(bar->fd, F_ADD_SEALS, F_SEAL_WRITE) == 0;
}

void
i915_bar_advance(struct i915 *dev)
{
	struct i915_bar *bar = &dev->bar;

	if (bar->fd < 0)
		return;
	if (dev->now >= bar->look_ns) {
		bar->look_ns = dev->now + BAR_LOOK_NS;
		if (bar_is_left(bar)) {
			bar_drop(bar);
			return;
		}
	}
	bar_write(dev);
}

uint64_t
i915_bar_next(const struct i915 *dev)
{
	return dev->bar.fd >= 0 ? dev->bar.next_ns : I915_NEVER;
}

static int
bar_make(struct i915 *dev)
{
	struct i915_bar *bar = &dev->bar;

	if (bar->fd >= 0)
		return 0;
	bar->fd = memfd_create("registers", MFD_CLOEXEC | MFD_ALLOW_SEALING);
	if (bar->fd < 0)
		return -EMFILE;
	if (ftruncate(bar->fd, BAR_BYTES) < 0) {
		bar_drop(bar);
		return -ENOMEM;
	}
	bar->reader = 0;
	return 0;
}

int
i915_bar_open(struct i915 *dev, struct i915_call *call)
{
	struct i915_bar *bar = &dev->bar;
	int rc = bar_make(dev), fd;

	if (rc)
		return rc;
	fd = i915_fd_reopen(bar->fd, call->rq.flags & O_ACCMODE);
	if (fd < 0)
		return fd;
	if ((call->rq.flags & O_ACCMODE) == O_RDONLY)
		bar->reader = call->caller->pid;
	bar->opened_ns = dev->now;
	bar->look_ns = dev->now + BAR_LOOK_NS;
	bar_write(dev);
	i915_return_fd(call, fd, call->rq.flags & O_CLOEXEC);
	return 0;
}
