/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/object.h"

#include <stdlib.h>

#include "parser/mem.h"

void
object_free(struct object *o)
{
	free(o->readers);
}

/* Forgets readers that have ended, so that an object which is only ever read
 * does not collect them. */
static void
prune(struct object *o)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < o->n_readers; i++) {
		if (request_get(o->readers[i]) != NULL)
			o->readers[n++] = o->readers[i];
	}
	o->n_readers = n;
}

void
object_add_reader(struct object *o, struct request *rq)
{
	if (o->n_readers == o->cap_readers)
		prune(o);
	/* Full of live ones, or nearly: grow, so that pruning stays rare. */
	if (o->n_readers >= o->cap_readers / 2 + o->cap_readers / 4) {
		uint32_t cap = o->cap_readers > 0 ? o->cap_readers * 2 : 2;

		o->readers = mem_realloc(o->readers, cap, sizeof *o->readers);
		o->cap_readers = cap;
	}
	o->readers[o->n_readers++] = request_ref(rq);
}

void
object_set_writer(struct object *o, struct request *rq)
{
	o->writer = request_ref(rq);
	o->n_readers = 0;
	o->first_engine = -1;
}
