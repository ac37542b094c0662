/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches over epoll(7). An event names a slot and its generation, not the
 * watch: events that are already read when a watch is removed find their slot
 * empty, or taken by another watch of a later generation.
 */
#include "base/watch.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "base/mem.h"

#define MAX_EVENTS 64 /* read at a time */

struct fd_watch_slot {
	struct fd_watch *watch; /* NULL: free */
	uint32_t generation;
	uint32_t next_free; /* 0: none */
};

struct fd_watches {
	int epoll;
	struct fd_watch_slot *slots; /* slot 0 is not used */
	uint32_t n;
	size_t cap;
	uint32_t free; /* 0: none */
};

struct fd_watches *
watches_new(void)
{
	struct fd_watches *ws;
	int fd = epoll_create1(EPOLL_CLOEXEC);

	if (fd < 0)
		return NULL;
	ws = mem_calloc(1, sizeof(*ws));
	ws->epoll = fd;
	ws->slots = mem_grow(NULL, 0, &ws->cap, sizeof(*ws->slots));
	ws->n = 1;
	return ws;
}

void
watches_free(struct fd_watches *ws)
{
	if (ws == NULL)
		return;
	close(ws->epoll);
	free(ws->slots);
	free(ws);
}

int
watches_fd(const struct fd_watches *ws)
{
	return ws->epoll;
}

static uint32_t
take_slot(struct fd_watches *ws)
{
	uint32_t slot = ws->free;

	if (slot != 0) {
		ws->free = ws->slots[slot].next_free;
		return slot;
	}
	ws->slots = mem_grow(ws->slots, ws->n, &ws->cap, sizeof(*ws->slots));
	ws->slots[ws->n] = (struct fd_watch_slot){0};
	return ws->n++;
}

static void
give_slot(struct fd_watches *ws, uint32_t slot)
{
	ws->slots[slot].watch = NULL;
	ws->slots[slot].generation++;
	ws->slots[slot].next_free = ws->free;
	ws->free = slot;
}

static struct epoll_event
event_of(const struct fd_watches *ws, uint32_t slot, uint32_t events)
{
	uint64_t generation = ws->slots[slot].generation;

	return (struct epoll_event){
	    .events = events, .data.u64 = generation << 32 | slot};
}

bool
watches_add(struct fd_watches *ws, struct fd_watch *w, uint32_t events)
{
	uint32_t slot = take_slot(ws);
	struct epoll_event event = event_of(ws, slot, events);

	if (epoll_ctl(ws->epoll, EPOLL_CTL_ADD, w->fd, &event) < 0) {
		give_slot(ws, slot);
		w->slot = 0;
		return false;
	}
	ws->slots[slot].watch = w;
	w->slot = slot;
	return true;
}

void
watches_change(struct fd_watches *ws, struct fd_watch *w, uint32_t events)
{
	struct epoll_event event = event_of(ws, w->slot, events);

	epoll_ctl(ws->epoll, EPOLL_CTL_MOD, w->fd, &event);
}

void
watches_remove(struct fd_watches *ws, struct fd_watch *w)
{
	if (w->slot == 0)
		return;
	epoll_ctl(ws->epoll, EPOLL_CTL_DEL, w->fd, NULL);
	give_slot(ws, w->slot);
	w->slot = 0;
}

/* Calls ready of those that are after ms, at most max of them. Returns their
 * number. */
static unsigned
call_ready(struct fd_watches *ws, unsigned max, int ms)
{
	struct epoll_event events[MAX_EVENTS];
	int n = epoll_wait(
	    ws->epoll, events, (int)(max < MAX_EVENTS ? max : MAX_EVENTS), ms);

	for (int i = 0; i < n; i++) {
		uint32_t slot = (uint32_t)events[i].data.u64;
		const struct fd_watch_slot *s = &ws->slots[slot];

		if (s->watch != NULL &&
		    s->generation == events[i].data.u64 >> 32)
			s->watch->ready(s->watch, events[i].events);
	}
	return n > 0 ? (unsigned)n : 0;
}

unsigned
watches_work(struct fd_watches *ws, unsigned max)
{
	unsigned done = 0, n = 1;

	while (done < max && n > 0) {
		n = call_ready(ws, max - done, 0);
		done += n;
	}
	return done;
}

unsigned
watches_wait(struct fd_watches *ws, int ms)
{
	return call_ready(ws, MAX_EVENTS, ms);
}
