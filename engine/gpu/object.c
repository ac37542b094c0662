/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/gpu/object.h"

#include <stdlib.h>

#include "base/mem.h"

static struct request_ref *
readers(struct object *o)
{
	return o->log_cap == 0 ? &o->readers.one : o->readers.many;
}

void
object_free(struct object *o)
{
	if (o->log_cap > 0)
		free(o->readers.many);
}

/* Forgets readers that have ended, so that an object which is only ever read
 * does not collect them. */
static void
prune(struct object *o)
{
	struct request_ref *list = readers(o);
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->n_readers; i++) {
		if (request_get(list[i]) != NULL)
			list[n++] = list[i];
	}
	o->n_readers = n;
}

/* Room for twice as many. */
static void
grow(struct object *o)
{
	size_t cap = (size_t)2 << o->log_cap;
	struct request_ref one = o->readers.one;

	if (o->log_cap == 0) {
		o->readers.many = mem_calloc(cap, sizeof one);
		o->readers.many[0] = one;
	} else {
		o->readers.many = mem_realloc(o->readers.many, cap, sizeof one);
	}
	o->log_cap++;
}

void
object_add_reader(struct object *o, struct request *rq)
{
	uint32_t cap = (uint32_t)1 << o->log_cap;

	if (o->n_readers == cap) {
		prune(o);
		/* Full of live ones, or nearly: so pruning stays rare. */
		if (o->n_readers > cap / 2)
			grow(o);
	}
	readers(o)[o->n_readers++] = request_ref(rq);
}

void
object_set_writer(struct object *o, struct request *rq)
{
	o->writer = request_ref(rq);
	o->n_readers = 0;
	o->first_engine = -1;
}
