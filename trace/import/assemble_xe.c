/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * From xe's own events to jobs (doc/model/import.md "Requests"). A queue is known
 * by the number that the GuC of its GT has for it; queues made before the trace
 * began are known from their first submission on. A job is known by its queue and
 * its seqno there, and by its fence, which is that of the hardware unless the job
 * has several engines.
 */
#include <string.h>
#include <strings.h>

#include "base/util.h"
#include "trace/import/import_private.h"

#define MOST_GTS     8
#define DEVICE_SHIFT 20 /* numbers of a GPU's queues */
#define PART_SHIFT   48 /* numbers of the lines of a job's further engines */

/* A context of fences, and the line whose jobs have them. */
struct xe_fence {
	struct chain_node node;
	struct job_line *line;
};

static const char xe_pointers[1];

/* The number of a queue of the event's GPU; of a GT, if the event names it. */
static uint64_t
queue_number(const struct import *im, const struct read_event *e, bool with_gt)
{
	uint64_t number = (e->numbers[READ_QUEUE] & UINT16_MAX) |
	    (uint64_t)im->device << DEVICE_SHIFT;

	return with_gt && event_has(e, READ_GT)
	    ? number | (e->numbers[READ_GT] % MOST_GTS + 1) << 16
	    : number;
}

/* Queues */

static uint8_t
xe_class(uint64_t class)
{
	static const uint8_t classes[] = {
	    CLASS_RCS, CLASS_VCS, CLASS_VECS, CLASS_BCS, NO_ENGINE, CLASS_CCS};

	return class < sizeof(classes) ? classes[class] : NO_ENGINE;
}

static struct xe_queue *
find_xe_queue(const struct import *im, uint64_t number)
{
	struct chain_node *node = chains_find(&im->xe_queues, NULL, number);

	return node != NULL ? container_of(node, struct xe_queue, node) : NULL;
}

static void
set_xe_queue(struct import *im, const struct read_event *e, uint64_t number)
{
	struct xe_queue *q = find_xe_queue(im, number);
	uint64_t width = event_has(e, READ_WIDTH) ? e->numbers[READ_WIDTH] : 1;

	if (q == NULL) {
		q = arena_alloc(&im->arena, sizeof(*q));
		*q = (struct xe_queue){.node = {.n = number}};
		chains_add(&im->xe_queues, &q->node);
	}
	q->class = xe_class(e->numbers[KFIELD_CLASS]);
	q->engines = (uint32_t)e->numbers[READ_MASK] &
	    ((1u << INFER_MAX_INSTANCES) - 1);
	q->width = (uint8_t)(width >= 1 && width <= INFER_MAX_INSTANCES ? width
									: 1);
}

/* Later jobs of that number are another queue's. */
static void
forget_line(struct import *im, uint64_t number)
{
	struct job_line *line = import_job_line(im, FAMILY_XE, number, false);

	if (line != NULL)
		chains_remove(&im->lines_by_number, &line->node);
}

/* An event without a GT may be of any, so a queue has two numbers. */
static void
take_xe_queue(struct import *im, const struct read_event *e)
{
	uint64_t numbers[] = {
	    queue_number(im, e, false), queue_number(im, e, true)};

	for (unsigned i = 0; i < 2; i++) {
		if (i == 1 && numbers[1] == numbers[0])
			break;
		if (e->kind == READ_XE_CREATE)
			forget_line(im, numbers[i]);
		set_xe_queue(im, e, numbers[i]);
	}
}

/* Places of jobs */

static uint8_t
xe_engine_of(const struct xe_queue *q, unsigned instance)
{
	return (uint8_t)(q->class * INFER_MAX_INSTANCES + instance);
}

/* Returns the n-th instance that a queue may have, n from 0. */
static unsigned
nth_instance(const struct xe_queue *q, unsigned n)
{
	unsigned last = 0;

	for (unsigned i = 0; i < INFER_MAX_INSTANCES; i++) {
		if ((q->engines >> i & 1) == 0)
			continue;
		last = i;
		if (n-- == 0)
			break;
	}
	return last;
}

/* No event names the engine that the firmware takes of several: the one with the
 * fewest jobs is assumed. */
static unsigned
idlest_instance(const uint32_t *running, const struct xe_queue *q)
{
	unsigned best = nth_instance(q, 0);

	for (unsigned i = best; i < INFER_MAX_INSTANCES; i++)
		if ((q->engines >> i & 1) != 0 &&
		    running[xe_engine_of(q, i)] <
			running[xe_engine_of(q, best)])
			best = i;
	return best;
}

static uint8_t
device_of_queue(const struct xe_queue *q)
{
	return (uint8_t)(q->node.n >> DEVICE_SHIFT);
}

/* Places a job on an engine of its queue. False: it has none that is known. */
static bool
place_xe_job(struct import *im, struct job *job, const struct xe_queue *q)
{
	struct job_device *device;
	bool is_virtual;

	if (q == NULL || q->class == NO_ENGINE || q->engines == 0)
		return false;
	if (job->line->device == 0)
		job->line->device = device_of_queue(q);
	device = im->devices[job->line->device];
	is_virtual = q->width == 1 && (q->engines & (q->engines - 1)) != 0;
	if (is_virtual) {
		device->known_engines |= (uint64_t)q->engines
		    << q->class * INFER_MAX_INSTANCES;
		job->added = true;
		import_job_on(im, job,
		    xe_engine_of(q, idlest_instance(device->xe_running, q)));
	} else {
		job->asked = xe_engine_of(q, nth_instance(q, 0));
		import_job_on(im, job, job->asked);
	}
	device->xe_running[job->engine]++;
	return true;
}

/* A job on several engines is one on each, in lines of their own. */
static void
add_parts(struct import *im, const struct job *job, const struct xe_queue *q)
{
	for (unsigned k = 1; k < q->width; k++) {
		struct job_line *line = import_job_line(im, FAMILY_XE,
		    job->line->node.n | (uint64_t)k << PART_SHIFT, true);
		struct job *part = import_job_new(im, line, job->seqno);

		line->client = job->line->client;
		line->device = job->line->device;
		part->asked = xe_engine_of(q, nth_instance(q, k));
		import_job_on(im, part, part->asked);
		part->added = part->ended = true;
		part->added_ns = job->added_ns;
		part->ready_ns = job->ready_ns;
		part->start_ns = job->start_ns;
		part->end_ns = job->end_ns;
	}
}

/* Jobs */

static struct job *
find_by_pointer(const struct import *im, const struct read_event *e)
{
	struct chain_node *node = event_has(e, KFIELD_FENCE)
	    ? chains_find(&im->by_id, xe_pointers, e->numbers[KFIELD_FENCE])
	    : NULL;

	return node != NULL ? container_of(node, struct job, id_node) : NULL;
}

static uint64_t
seqno_of(const struct read_event *e)
{
	return e->numbers[event_has(e, READ_QUEUE_SEQNO) ? READ_QUEUE_SEQNO
							 : KFIELD_SEQNO];
}

static void
exec_xe_job(struct import *im, const struct read_event *e)
{
	uint64_t number = queue_number(im, e, true);
	struct job *job = import_job_find(im, FAMILY_XE, number, seqno_of(e));
	struct job *same = find_by_pointer(im, e);
	struct job_line *line;

	if (job != NULL) {
		im->counts.n_recycled++;
		forget_line(im, number);
	}
	if (same != NULL)
		import_job_forget(im, same);
	line = import_job_line(im, FAMILY_XE, number, true);
	if (line->client == NULL)
		line->client = assemble_client(im, e);
	job = import_job_new(im, line, seqno_of(e));
	assemble_list_number(im, job);
	if (event_has(e, KFIELD_FENCE)) {
		job->id_node.p = xe_pointers;
		job->id_node.n = e->numbers[KFIELD_FENCE];
		job->id_listed = true;
		chains_add(&im->by_id, &job->id_node);
	}
	job->added = true;
	job->added_ns = e->time;
}

static void
run_xe_job(struct import *im, const struct read_event *e)
{
	uint64_t number = queue_number(im, e, true);
	struct job *job = import_job_find(im, FAMILY_XE, number, seqno_of(e));

	assemble_run_job(im, job, e->time);
	if (job != NULL && job->engine == NO_ENGINE)
		place_xe_job(im, job, find_xe_queue(im, number));
}

/* A queue that is unknown to the end is one ring, "xe". */
static void
end_xe_job(struct import *im, struct job *job, nsec now)
{
	const struct xe_queue *q = find_xe_queue(im, job->line->node.n);

	if (job->ended || ++job->n_signals < (q != NULL ? q->width : 1))
		return;
	if (job->engine != NO_ENGINE || place_xe_job(im, job, q)) {
		im->devices[job->line->device]->xe_running[job->engine]--;
	} else {
		job->asked = rings_engine(
		    im, job->line->device, (struct slice){"xe", 2});
		import_job_on(im, job, job->asked);
	}
	assemble_done_job(im, job, now);
	if (q != NULL && q->class != NO_ENGINE && q->engines != 0)
		add_parts(im, job, q);
	if (job->id_listed) {
		chains_remove(&im->by_id, &job->id_node);
		job->id_listed = false;
	}
}

/* Fences */

static void
learn_fence(struct import *im, struct job_line *line, uint64_t context)
{
	struct xe_fence *f;

	if (chains_find(&im->xe_fences, NULL, context) != NULL)
		return;
	f = arena_alloc(&im->arena, sizeof(*f));
	*f = (struct xe_fence){.node = {.n = context}, .line = line};
	chains_add(&im->xe_fences, &f->node);
	line->n_fences += line->n_fences < UINT8_MAX;
}

/* Returns the job that ran first of those with that seqno, in a line that has
 * contexts of fences to find yet. wide: one of several engines, as others are
 * known by the fence. */
static struct job *
guess_job(const struct import *im, uint64_t seqno, bool wide)
{
	struct job *best = NULL;

	for (size_t i = 0; i < im->n_lines; i++) {
		struct job_line *line = im->lines[i];
		const struct xe_queue *q;
		struct chain_node *node;
		struct job *job;

		if (line->family != FAMILY_XE ||
		    (im->device != 0 && line->device != im->device))
			continue;
		q = find_xe_queue(im, line->node.n);
		if (wide && (q == NULL || q->width == 1))
			continue;
		node = line->n_fences < (q != NULL ? q->width : 1)
		    ? chains_find(&im->by_number, line, seqno)
		    : NULL;
		if (node == NULL)
			continue;
		job = container_of(node, struct job, node);
		if (!job->ended && job->start_ns != NSEC_NEVER &&
		    (best == NULL || job->start_ns < best->start_ns))
			best = job;
	}
	return best;
}

static struct job *
job_of_fence(struct import *im, const struct read_event *e)
{
	uint64_t context = e->numbers[KFIELD_CONTEXT];
	uint64_t seqno = e->numbers[KFIELD_SEQNO];
	struct chain_node *known = chains_find(&im->xe_fences, NULL, context);
	struct job *job = find_by_pointer(im, e);

	if (job != NULL && job->seqno != seqno)
		job = NULL;
	if (job == NULL && known != NULL) {
		known = chains_find(&im->by_number,
		    container_of(known, struct xe_fence, node)->line, seqno);
		return known != NULL ? container_of(known, struct job, node)
				     : NULL;
	}
	if (job == NULL)
		job = guess_job(im, seqno, event_has(e, KFIELD_FENCE));
	if (job != NULL)
		learn_fence(im, job->line, context);
	return job;
}

/* Two events tell of a fence, one after the other. */
void
assemble_xe_fence(struct import *im, const struct read_event *e)
{
	uint64_t context = e->numbers[KFIELD_CONTEXT];
	uint64_t seqno = e->numbers[KFIELD_SEQNO];
	struct job *job;

	if (im->xe_context == context && im->xe_seqno == seqno)
		return;
	im->xe_context = context;
	im->xe_seqno = seqno;
	job = job_of_fence(im, e);
	if (job != NULL)
		end_xe_job(im, job, e->time);
}

static bool
is_queue_of_class(const struct xe_queue *q, struct slice class)
{
	return q != NULL && q->class != NO_ENGINE &&
	    strlen(engine_class_names[q->class]) == class.len &&
	    strncasecmp(engine_class_names[q->class], class.s, class.len) == 0;
}

/* Finds the queue of a ring: of a GPU, or of any if the ring's is not named. */
static const struct xe_queue *
find_ring_queue(const struct import *im, uint8_t device, uint64_t number,
    struct slice class)
{
	for (uint8_t d = 0; d < im->n_devices; d++) {
		for (uint64_t gt = 0;
		     gt <= MOST_GTS && (device == 0 || device == d); gt++) {
			const struct xe_queue *q = find_xe_queue(im,
			    number | gt << 16 | (uint64_t)d << DEVICE_SHIFT);

			if (is_queue_of_class(q, class))
				return q;
		}
	}
	return NULL;
}

bool
assemble_xe_ring(
    struct import *im, struct job *job, struct slice ring, bool runs)
{
	const struct xe_queue *q = NULL;
	size_t letters = 0;
	uint64_t number = 0;

	while (letters < ring.len && ring.s[letters] >= 'a')
		letters++;
	for (size_t i = letters; i < ring.len; i++)
		number = number * 10 + (uint64_t)(ring.s[i] - '0');
	if (!im->any_xe || letters == ring.len || number > UINT16_MAX)
		return false;
	q = find_ring_queue(
	    im, job->line->device, number, (struct slice){ring.s, letters});
	if (q == NULL)
		return false;
	if (runs && job->engine == NO_ENGINE && place_xe_job(im, job, q))
		im->devices[job->line->device]->xe_running[job->engine]--;
	return true;
}

bool
assemble_xe(struct import *im, const struct read_event *e)
{
	struct job *job;

	switch (e->kind) {
	case READ_XE_QUEUE:
	case READ_XE_CREATE: take_xe_queue(im, e); break;
	case READ_XE_EXEC: exec_xe_job(im, e); break;
	case READ_XE_RUN: run_xe_job(im, e); break;
	case READ_XE_FREE:
		job = import_job_find(
		    im, FAMILY_XE, queue_number(im, e, true), seqno_of(e));
		if (job != NULL)
			job->retired_ns = e->time;
		break;
	case READ_XE_SIGNAL:
		im->any_xe_signal = true;
		assemble_xe_fence(im, e);
		break;
	default: return false;
	}
	im->any_xe = true;
	return true;
}
