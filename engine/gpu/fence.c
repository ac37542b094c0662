/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/gpu/fence.h"

#include <stddef.h>

#include "engine/gpu/request.h"

void
fence_init(struct fence *f, enum fence_kind kind)
{
	*f = (struct fence){.kind = (uint8_t)kind};
}

void
fence_add_waiter(struct fence *f, struct waiter *w)
{
	w->fence = f;
	w->next_of_fence = f->waiters;
	f->waiters = w;
}

void
fence_remove_waiter(struct waiter *w)
{
	struct waiter **at = &w->fence->waiters;

	while (*at != w)
		at = &(*at)->next_of_fence;
	*at = w->next_of_fence;
	w->fence = NULL;
}

void
fence_signal(struct fence *f, nsec now, int error)
{
	struct waiter *w = fence_waiters(f);

	f->time = now;
	f->error = (int16_t)error;
	f->signalled = true;
	while (w != NULL) {
		struct waiter *next = w->next_of_fence;

		w->wake(w);
		w = next;
	}
}

struct request *
fence_request(const struct fence *f)
{
	static const size_t offsets[] = {
	    [FENCE_QUEUED] = offsetof(struct request, queued),
	    [FENCE_ISSUED] = offsetof(struct request, issued),
	    [FENCE_SCHEDULED] = offsetof(struct request, scheduled),
	    [FENCE_FINISHED] = offsetof(struct request, finished),
	};

	if (f->kind == FENCE_SOFTWARE)
		return NULL;
	return (
	    struct request *)(void *)((char *)(uintptr_t)f - offsets[f->kind]);
}
