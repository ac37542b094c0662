/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The life of a virtual i915. */
#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "device/i915/request.h"

struct i915 *
i915_new(const struct i915_config *config, struct i915_host *host,
    struct gpu *gpu, uint64_t now_ns)
{
	struct i915 *dev = mem_calloc(1, sizeof(*dev));

	dev->config = config;
	dev->host = host;
	dev->gpu = gpu;
	dev->now = dev->start_ns = dev->frequency.at_ns = now_ns;
	i915_bar_init(&dev->bar);
	i915_knobs_init(dev);
	return dev;
}

/* Closes all descriptors that programs still have. */
static void
marked_close(struct i915 *dev)
{
	for (size_t i = 0; i < dev->marked.cap; i++)
		while (dev->marked.heads[i]) {
			struct i915_marked *m = container_of(
			    dev->marked.heads[i], struct i915_marked, node);

			m->hangup(dev, m);
		}
}

void
i915_free(struct i915 *dev)
{
	i915_waiters_lost(dev);
	i915_requests_lost(dev, -ENODEV);
	marked_close(dev);
	/* Contexts that ended with their files had requests until now. */
	i915_requests_lost(dev, -ENODEV);
	i915_drain(dev);
	chains_free(&dev->marked);
	chains_free(&dev->programs);
	chains_free(&dev->requests);
	chains_free(&dev->bindings);
	chains_free(&dev->handles);
	chains_free(&dev->memories);
	i915_table_free(&dev->magics);
	i915_table_free(&dev->names);
	i915_table_free(&dev->offsets);
	i915_bar_free(&dev->bar);
	free(dev);
}
