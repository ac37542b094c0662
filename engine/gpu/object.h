/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer object's reservation: who wrote it last and who reads since. The
 * rule between any two batches (doc/model/common.md "Objects"): a reader waits
 * for the last writer, a writer for the last writer and every reader since.
 */
#ifndef ENGINE_GPU_OBJECT_H
#define ENGINE_GPU_OBJECT_H

#include <stdint.h>

#include "engine/gpu/request.h"

struct object {
	struct request_ref writer;
	/* Most objects have one reader at most. */
	union {
		struct request_ref one; /* log_cap is 0 */
		struct request_ref *many;
	} readers;
	uint32_t n_readers;
	uint8_t log_cap;     /* room for 1 << log_cap readers */
	int8_t first_engine; /* where the last writer first started; -1 */
};

/* The i-th of n_readers. */
static inline struct request_ref
object_reader(const struct object *o, uint32_t i)
{
	return o->log_cap == 0 ? o->readers.one : o->readers.many[i];
}

/* Frees what it holds, not itself. */
void object_free(struct object *o);
/* Notes rq as reader, or as the writer (readers are forgotten). */
void object_add_reader(struct object *o, struct request *rq);
void object_set_writer(struct object *o, struct request *rq);

#endif
