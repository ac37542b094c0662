/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Uevents of the card: a hang and its reset, for programs that listen by
 * udev's monitor. Rules: doc/model/i915_files.md "Uevents".
 */
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "device/i915/device.h"

static void
uevents_hangup(struct i915 *dev, struct i915_marked *m)
{
	i915_unmark(dev, m);
	free(m);
}

int
i915_uevents_open(struct i915 *dev, struct i915_call *call)
{
	struct i915_marked *m = mem_calloc(1, sizeof(*m));
	int fd;

	m->hangup = uevents_hangup;
	fd = i915_mark(dev, call, m, MARK_UEVENTS, 0);
	if (fd < 0) {
		free(m);
		return fd;
	}
	i915_return_fd(call, fd, call->rq.flags & O_CLOEXEC);
	return 0;
}

/* Sends an event of the card with one property of its own. */
static void
uevent_send(struct i915 *dev, const char *property)
{
	const struct i915_host_ops *host = dev->host->ops;
	struct text t = {0};

	text_addf(&t,
	    "ACTION=change\nDEVPATH=/devices/pci0000:00/%s/drm/card0\n"
	    "SUBSYSTEM=drm\n%s\nSEQNUM=%llu\n\n",
	    dev->config->pci_address, property,
	    (unsigned long long)++dev->n_uevents);
	for (size_t i = 0; i < dev->marked.cap; i++) {
		struct chain_node *node = dev->marked.heads[i];

		for (; node; node = node->next)
			if (i915_marked_of(node)->kind == MARK_UEVENTS)
				host->send(dev->host, node->n, t.data, t.len);
	}
	text_free(&t);
}

void
i915_uevents_hung(struct i915 *dev)
{
	if (!dev->host->ops->send)
		return;
	uevent_send(dev, "ERROR=1");
	uevent_send(dev, "RESET=1");
	uevent_send(dev, "ERROR=0");
}
