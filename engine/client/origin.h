/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The origin of a request for code that knows programs: the step that it was
 * submitted from, if it was.
 */
#ifndef ENGINE_CLIENT_ORIGIN_H
#define ENGINE_CLIENT_ORIGIN_H

#include "engine/client/walker.h"
#include "engine/compile/program.h"
#include "engine/gpu/request.h"

/* Returns the program whose step rq is; NULL: it is from outside. */
static inline const struct program *
request_program(const struct request *rq)
{
	return rq->origin.instance != NULL ? rq->origin.instance->program
					   : NULL;
}

/* Returns the step that rq is; NULL: it is from outside. */
static inline const struct op *
request_op(const struct request *rq)
{
	return rq->origin.instance != NULL ? rq->origin.op : NULL;
}

/* Returns the batch of that step; NULL: rq is from outside. */
static inline const struct op_batch *
request_batch(const struct request *rq)
{
	return rq->origin.instance != NULL ? &rq->origin.op->batch : NULL;
}

/* Returns the annotations of that step; NULL: none. */
static inline const struct batch_annotations *
request_annotations(const struct request *rq)
{
	const struct program *p = request_program(rq);

	return p != NULL ? p->annotations[rq->origin.step] : NULL;
}

/* Returns what rq, from outside, contains; NULL: not known. */
const char *request_label(const struct request *rq);

/* Returns the definition of rq's ring when rq was submitted; the ring may have
 * another one by now. */
const struct ring_def *request_slot(const struct request *rq);

#endif
