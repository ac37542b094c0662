/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The PMU: perf events that count what engines do. A group is read at once, by
 * its leader. Rules: doc/model/i915.md "PMU".
 */
#include <errno.h>
#include <linux/perf_event.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/nsec.h"
#include "base/util.h"
#include "device/i915/device.h"
#include "device/i915/ioctls.h"
#include "device/i915/uapi.h"

#define ATTR_SIZE_VER0 64
#define GT_SHIFT       60

/* Events that are not of an engine; I915_PMU_OTHER() has the first number. */
enum {
	OTHER_ACTUAL_FREQUENCY,
	OTHER_REQUESTED_FREQUENCY,
	OTHER_INTERRUPTS,
	OTHER_RC6,
	OTHER_AWAKE,
	N_OTHERS
};

struct perf_event {
	struct i915_marked marked;
	uint64_t config, read_format;
	uint64_t opened_ns, opened_value;
	struct perf_event *leader; /* itself: leads, or is alone */
	struct perf_event *next;   /* of the group, in order of opening */
};

/* Counts the time until then, in which the GPU had the frequency that it had at the
 * last count. */
static void
count_until(struct i915 *dev, uint64_t now_ns)
{
	struct i915_frequency *f = &dev->frequency;
	uint64_t ns = now_ns > f->at_ns ? now_ns - f->at_ns : 0;

	f->at_ns += ns;
	f->mhz_ns += f->mhz * ns;
	/* Neither frequency is sampled while the GT is parked. */
	if (f->mhz)
		f->requested_ns += dev->mhz.most * ns;
	if (!f->mhz && f->n_awake == 0)
		f->asleep_ns += ns;
	f->mhz = dev->gpu->ops->frequency(dev->gpu);
}

void
i915_frequency_count(struct i915 *dev)
{
	count_until(dev, dev->now);
}

void
i915_gpu_moved(struct i915 *dev, uint64_t now_ns)
{
	count_until(dev, now_ns);
}

/* The number of an event's engine, or -ENODEV. */
static int
perf_engine(const struct i915 *dev, uint64_t config)
{
	unsigned class = (unsigned)(config >> I915_PMU_CLASS_SHIFT) & 0xff;
	unsigned instance = (unsigned)(config >> I915_PMU_SAMPLE_BITS) & 0xff;

	for (size_t i = 0; i < dev->config->n_engines; i++)
		if (dev->config->engines[i].class == class &&
		    dev->config->engines[i].instance == instance)
			return (int)i;
	return -ENODEV;
}

static int
perf_config(const struct i915 *dev, uint64_t config)
{
	unsigned sample = config & ((1u << I915_PMU_SAMPLE_BITS) - 1);
	int engine;

	if (config >> GT_SHIFT)
		return -ENOENT;
	if (config >= __I915_PMU_OTHER(0))
		return config - __I915_PMU_OTHER(0) < N_OTHERS ? 0 : -ENOENT;
	engine = perf_engine(dev, config);
	if (engine < 0)
		return engine;
	return sample <= I915_SAMPLE_SEMA ? 0 : -ENOENT;
}

static uint64_t
perf_engine_value(const struct i915 *dev, uint64_t config)
{
	unsigned engine = (unsigned)perf_engine(dev, config);
	struct gpu_counters counters = dev->gpu->ops->counters(
	    dev->gpu, engine);

	switch (config & ((1u << I915_PMU_SAMPLE_BITS) - 1)) {
	case I915_SAMPLE_BUSY: return counters.busy_ns;
	case I915_SAMPLE_WAIT: return counters.wait_ns;
	default: return counters.semaphore_ns;
	}
}

/* Returns the count of an event since the device was made. */
static uint64_t
perf_value(struct i915 *dev, uint64_t config)
{
	const struct i915_frequency *f = &dev->frequency;

	if (config < __I915_PMU_OTHER(0))
		return perf_engine_value(dev, config);
	switch (config - __I915_PMU_OTHER(0)) {
	case OTHER_INTERRUPTS: return dev->interrupts;
	case OTHER_RC6: return f->asleep_ns;
	case OTHER_AWAKE: return dev->now - dev->start_ns - f->asleep_ns;
	/* MHz x s: a difference over seconds is MHz. */
	case OTHER_REQUESTED_FREQUENCY: return f->requested_ns / NSEC_PER_SEC;
	default: return f->mhz_ns / NSEC_PER_SEC;
	}
}

/* A member leaves its group; a leader's members go on alone. */
static void
perf_hangup(struct i915 *dev, struct i915_marked *m)
{
	struct perf_event *e = container_of(m, struct perf_event, marked);
	struct perf_event *p = e->leader, *next;

	if (p == e) {
		for (p = e->next; p; p = next) {
			next = p->next;
			p->leader = p;
			p->next = NULL;
		}
	} else {
		while (p->next != e)
			p = p->next;
		p->next = e->next;
	}
	dev->n_perf--;
	i915_unmark(dev, m);
	free(e);
}

/* Checks what perf_event_open(2) was asked for. */
static int
perf_check(const struct i915 *dev, const struct i915_call *call,
    const struct perf_event_attr *attr)
{
	if (attr->type != dev->config->perf_type)
		return WIRE_NOT_MINE;
	if (dev->config->perf_restricted &&
	    !(call->caller->capabilities & I915_CAP_PERFMON))
		return -EACCES;
	if (attr->sample_period || (int64_t)call->rq.pointer >= 0)
		return -EINVAL;
	/* cpumask has processor 0 only. */
	if (call->rq.number != 0)
		return -EINVAL;
	return perf_config(dev, attr->config);
}

static void
perf_join(struct perf_event *e, struct perf_event *leader)
{
	struct perf_event *last = leader;

	e->leader = leader;
	if (e == leader)
		return;
	while (last->next)
		last = last->next;
	last->next = e;
}

int
i915_perf_open(
    struct i915 *dev, struct i915_call *call, const void *data, size_t size)
{
	struct perf_event_attr attr = {0};
	struct perf_event *e, *leader = NULL;
	int rc;

	if (size < ATTR_SIZE_VER0)
		return -EINVAL;
	memcpy(&attr, data, size < sizeof(attr) ? size : sizeof(attr));
	rc = perf_check(dev, call, &attr);
	if (rc)
		return rc;
	if (call->marked && call->marked->kind != MARK_PERF)
		return -EBADF;
	if (call->marked)
		leader = container_of(call->marked, struct perf_event, marked);
	/* Groups do not nest. */
	if (leader && leader->leader != leader)
		return -EINVAL;
	e = mem_calloc(1, sizeof(*e));
	e->marked.hangup = perf_hangup;
	rc = i915_mark(dev, call, &e->marked, MARK_PERF, 0);
	if (rc < 0) {
		free(e);
		return rc;
	}
	i915_frequency_count(dev);
	dev->n_perf++;
	e->config = attr.config;
	e->read_format = attr.read_format;
	e->opened_ns = dev->now;
	e->opened_value = perf_value(dev, attr.config);
	perf_join(e, leader ? leader : e);
	i915_return_fd(call, rc, call->rq.flags & PERF_FLAG_FD_CLOEXEC);
	return 0;
}

static void
put_u64(struct text *t, uint64_t value)
{
	text_add(t, (const char *)&value, sizeof(value));
}

static void
put_times(struct i915 *dev, struct text *t, const struct perf_event *e)
{
	if (e->read_format & PERF_FORMAT_TOTAL_TIME_ENABLED)
		put_u64(t, dev->now - e->opened_ns);
	if (e->read_format & PERF_FORMAT_TOTAL_TIME_RUNNING)
		put_u64(t, dev->now - e->opened_ns);
}

/* format: of the event that is read, e may be another one of its group. */
static void
put_value(struct i915 *dev, struct text *t, const struct perf_event *e)
{
	put_u64(t, perf_value(dev, e->config) - e->opened_value);
}

static void
put_id(struct text *t, const struct perf_event *e, uint64_t format)
{
	if (format & PERF_FORMAT_ID)
		put_u64(t, e->marked.node.n);
	if (format & PERF_FORMAT_LOST)
		put_u64(t, 0);
}

int
i915_perf_read(struct i915 *dev, struct i915_call *call)
{
	const struct perf_event *e, *p;
	struct text *t = &call->bytes;
	uint64_t n = 0;

	if (!call->marked || call->marked->kind != MARK_PERF)
		return WIRE_NOT_MINE;
	e = container_of(call->marked, struct perf_event, marked);
	i915_frequency_count(dev);
	if (e->read_format & PERF_FORMAT_GROUP) {
		for (p = e->leader; p; p = p->next)
			n++;
		put_u64(t, n);
		put_times(dev, t, e);
		for (p = e->leader; p; p = p->next) {
			put_value(dev, t, p);
			put_id(t, p, e->read_format);
		}
	} else {
		put_value(dev, t, e);
		put_times(dev, t, e);
		put_id(t, e, e->read_format);
	}
	if (t->len > call->rq.number || t->len > WIRE_MAX_BYTES) {
		text_clear(t);
		return -ENOSPC;
	}
	return (int)t->len;
}

/* ENABLE, DISABLE, RESET: counters run always. */
int
i915_perf_ioctl(struct i915 *dev, struct i915_call *call)
{
	(void)dev;
	(void)call;
	return 0;
}
