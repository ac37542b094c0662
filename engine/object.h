/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer object's reservation: who wrote it last and who reads since. The
 * rule between any two batches (facts/gem_wsim.md section 3): a reader waits
 * for the last writer, a writer for the last writer and every reader since.
 */
#ifndef ENGINE_OBJECT_H
#define ENGINE_OBJECT_H

#include <stdint.h>

#include "engine/request.h"

struct object {
	struct request_ref writer;
	struct request_ref *readers;
	uint32_t n_readers, cap_readers;
	int8_t first_engine; /* where the last writer first started; -1 */
};

/* Frees what it holds, not itself. */
void object_free(struct object *o);
/* Notes rq as reader, or as the writer (readers are forgotten). */
void object_add_reader(struct object *o, struct request *rq);
void object_set_writer(struct object *o, struct request *rq);

#endif
