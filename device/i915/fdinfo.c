/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fdinfo: what an open file has used, as intel_gpu_top reads it from
 * /proc/PID/fdinfo/N. Rules: doc/model/i915.md "fdinfo".
 */
#include <errno.h>
#include <inttypes.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/util.h"
#include "device/i915/object.h"

/* Keys of classes, in the kernel's order. */
static const char *const class_keys[N_GPU_CLASSES] = {
    [GPU_RENDER] = "render",
    [GPU_COPY] = "copy",
    [GPU_VIDEO] = "video",
    [GPU_VIDEO_ENHANCE] = "video-enhance",
    [GPU_COMPUTE] = "compute",
};

static void
put_engines(struct i915 *dev, struct text *t, const struct i915_file *file)
{
	for (unsigned class = 0; class < N_GPU_CLASSES; class ++) {
		unsigned n = 0;

		for (size_t i = 0; i < dev->config->n_engines; i++)
			n += dev->config->engines[i].class == class;
		if (!n)
			continue;
		text_addf(t, "drm-engine-%s:\t%" PRIu64 " ns\n",
		    class_keys[class],
		    dev->gpu->ops->client_ns(dev->gpu, file->id, class));
		if (n > 1)
			text_addf(t, "drm-engine-capacity-%s:\t%u\n",
			    class_keys[class], n);
	}
}

/* Bytes, or KiB or MiB where that is whole. */
static void
put_size(struct text *t, const char *key, const char *region, uint64_t bytes)
{
	const char *unit = "";

	for (const char *const *next = (const char *[]){" KiB", " MiB", NULL};
	     *next && bytes && bytes % 1024 == 0; next++) {
		unit = *next;
		bytes /= 1024;
	}
	text_addf(t, "drm-%s-%s:\t%" PRIu64 "%s\n", key, region, bytes, unit);
}

static void
put_memory(struct i915 *dev, struct text *t, const struct i915_file *file)
{
	const char *region = dev->config->discrete ? "local0" : "system0";
	uint64_t total = 0, shared = 0, active = 0, resident = 0, over = 0;

	for (size_t i = 0; i < file->objects.n; i++) {
		const struct i915_object *o = file->objects.items[i];

		if (!o)
			continue;
		*(o->handles > 1 ? &shared : &total) += o->size;
		if (o->fd < 0 && !o->bindings)
			continue;
		resident += o->size;
		over += o->dont_need ? o->size : 0;
		if (i915_reservation_busy(&o->reservation))
			active += o->size;
	}
	put_size(t, "total", region, total + shared);
	put_size(t, "shared", region, shared);
	put_size(t, "active", region, active);
	put_size(t, "resident", region, resident);
	put_size(t, "purgeable", region, over);
}

int
i915_fdinfo(struct i915 *dev, struct i915_call *call)
{
	struct i915_caller of = *call->caller;
	struct i915_marked *m;
	const struct i915_file *file;
	struct text t = {0};
	int fd;

	of.pid = (uint32_t)call->rq.number;
	m = i915_marked_passed(dev, &of, (int)call->rq.aux, MARK_DRM);
	if (!m)
		return WIRE_NOT_MINE;
	file = container_of(m, struct i915_file, marked);
	text_addf(&t,
	    "pos:\t0\nflags:\t02100002\nmnt_id:\t26\nino:\t%" PRIu64
	    "\ndrm-driver:\ti915\ndrm-client-id:\t%" PRIu64 "\ndrm-pdev:\t%s\n",
	    file->id, file->id, dev->config->pci_address);
	if (i915_since(dev, 6, 5))
		put_memory(dev, &t, file);
	if (i915_full_ppgtt(dev))
		put_engines(dev, &t, file);
	fd = i915_text_file("fdinfo", &t);
	text_free(&t);
	if (fd < 0)
		return fd;
	i915_return_fd(call, fd, true);
	return 0;
}
