/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --profile-frames: a CSV file with a line for each frame, an iteration of a
 * client, when it is over and its batches have ended: its times, and what each
 * batch took, waited in queues, and waited for others.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/mem.h"
#include "base/util.h"
#include "engine/batch_name.h"
#include "engine/client/walker.h"
#include "engine/sim.h"
#include "trace/outputs.h"
#include "trace/sink.h"

/* A batch of a frame, in the order of submission. */
struct frame_batch {
	uint64_t seq;
	char *name;
	nsec run, queue, wait;
};

/* A frame that is not over. */
struct frame {
	struct chain_node node; /* by client and iteration */
	nsec start_ns, end_ns;  /* end: of the last batch that has ended */
	uint32_t n_flying;      /* batches that have not ended */
	bool over;              /* the client has reached its end */
	uint32_t client;        /* its id: addresses are used again */
	struct frame_batch *batches;
	size_t n, cap;
};

struct frames {
	struct output output;
	struct observer observer;
	struct output_launch launch;
	struct sink sink;
	nsec since; /* when it began to watch the launch */
	struct chains flying;
	struct text line;
};

static struct frames *
frames_of(struct observer *o)
{
	return container_of(o, struct frames, observer);
}

static struct frame *
frame_find(const struct frames *f, const struct client *c, uint64_t iteration)
{
	return (struct frame *)(void *)chains_find(&f->flying, c, iteration);
}

static void
frame_free(struct chain_node *node)
{
	struct frame *frame = (struct frame *)(void *)node;

	for (size_t i = 0; i < frame->n; i++)
		free(frame->batches[i].name);
	free(frame->batches);
	free(frame);
}

/* Adds a field, in quotes if it needs them. */
static void
add_csv(struct text *line, const char *field)
{
	if (strpbrk(field, ",\"\n\r") == NULL) {
		text_adds(line, field);
		return;
	}
	text_addc(line, '"');
	for (; *field != '\0'; field++) {
		if (*field == '"')
			text_addc(line, '"');
		text_addc(line, *field);
	}
	text_addc(line, '"');
}

/* Returns how many batches an iteration of the program submits, each row of a
 * parallel step counted. */
static unsigned
count_batches(const struct program *p)
{
	unsigned n = 0;

	for (uint32_t i = 0; i < p->n_ops; i++) {
		const struct op *op = &p->ops[i];
		uint32_t rows = op->kind == STEP_BATCH
		    ? p->rings[op->batch.ring].n_rows
		    : 0;

		if (op->kind == STEP_BATCH)
			n += rows > 0 ? rows : 1;
	}
	return n;
}

/* Writes the line of names, with groups for the batches of the longest
 * program. */
static void
put_frames_head(struct frames *f)
{
	unsigned most = 0;

	for (const struct workload *w = f->launch.sim->workloads; w != NULL;
	     w = w->next) {
		unsigned n = count_batches(w->program);

		most = n > most ? n : most;
	}
	text_adds(&f->line,
	    "client,workload,frame,start_ns,end_ns,time_ns,run_ns,queue_ns,"
	    "wait_ns,batches");
	for (unsigned i = 1; i <= most; i++)
		text_addf(&f->line,
		    ",batch_%u,run_%u_ns,queue_%u_ns,wait_%u_ns", i, i, i, i);
	text_addc(&f->line, '\n');
	sink_add(&f->sink, f->line.data, f->line.len);
	text_clear(&f->line);
}

/* Names a batch by the comment before its line, else its text, else its place
 * in the text. */
static char *
frame_batch_name(const struct frames *f, const struct request *rq)
{
	const struct output_texts *texts = f->launch.texts;
	struct step_texts words = {0};
	struct batch_name name = batch_name_of(rq);
	const struct text *best = &words.comment;
	char *copy;

	if (texts != NULL)
		texts->step(texts, rq, &words);
	if (best->len == 0)
		best = &words.line;
	if (best->len == 0)
		batch_name_tight(&name, false, &words.line);
	copy = mem_strdup(text_str(best));
	text_free(&words.file);
	text_free(&words.line);
	text_free(&words.comment);
	return copy;
}

static void
add_client_title(struct frames *f, const struct client *c)
{
	const struct output_texts *texts = f->launch.texts;
	struct text title = {0};

	if (texts != NULL)
		texts->title(texts, c, &title);
	add_csv(&f->line, title.len > 0 ? text_str(&title) : c->name);
	text_free(&title);
}

static void
put_frame(struct frames *f, const struct client *c, const struct frame *frame)
{
	nsec run = 0, queue = 0, wait = 0, past = f->launch.past;

	for (size_t i = 0; i < frame->n; i++) {
		run += frame->batches[i].run;
		queue += frame->batches[i].queue;
		wait += frame->batches[i].wait;
	}
	text_addf(&f->line, "%" PRIu32 ",", c->id);
	add_client_title(f, c);
	text_addf(&f->line,
	    ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
	    ",%" PRIu64 ",%" PRIu64 ",%zu",
	    frame->node.n, past + frame->start_ns, past + frame->end_ns,
	    frame->end_ns - frame->start_ns, run, queue, wait, frame->n);
	for (size_t i = 0; i < frame->n; i++) {
		const struct frame_batch *b = &frame->batches[i];

		text_addc(&f->line, ',');
		add_csv(&f->line, b->name);
		text_addf(&f->line, ",%" PRIu64 ",%" PRIu64 ",%" PRIu64, b->run,
		    b->queue, b->wait);
	}
	text_addc(&f->line, '\n');
	sink_add(&f->sink, f->line.data, f->line.len);
	text_clear(&f->line);
}

/* Writes the frame and forgets it, if it is over and its batches have ended. */
static void
frame_over(struct frames *f, const struct client *c, struct frame *frame)
{
	if (!frame->over || frame->n_flying > 0)
		return;
	put_frame(f, c, frame);
	chains_remove(&f->flying, &frame->node);
	frame_free(&frame->node);
}

/* Returns the frame, which it makes if there is none. */
static struct frame *
frame_get(struct frames *f, const struct client *c, uint64_t iteration)
{
	struct frame *frame = frame_find(f, c, iteration);

	if (frame != NULL && frame->client == c->id)
		return frame;
	if (frame != NULL) {
		chains_remove(&f->flying, &frame->node);
		frame_free(&frame->node);
	}
	frame = mem_calloc(1, sizeof(*frame));
	frame->node.p = c;
	frame->node.n = iteration;
	frame->client = c->id;
	frame->start_ns = c->walker->started_ns;
	chains_add(&f->flying, &frame->node);
	return frame;
}

static void
frames_on_submitted(struct observer *o, struct request *rq)
{
	struct frames *f = frames_of(o);
	struct frame *frame;

	/* A frame that began before is not whole. */
	if (rq->client->walker == NULL ||
	    rq->client->walker->started_ns < f->since)
		return;
	frame = frame_get(f, rq->client, rq->origin.iteration);
	frame->batches = mem_grow(
	    frame->batches, frame->n, &frame->cap, sizeof(*frame->batches));
	frame->batches[frame->n++] = (struct frame_batch){
	    .seq = rq->seq, .name = frame_batch_name(f, rq)};
	frame->n_flying++;
}

/* Returns when the fence signalled, or the other time if that is earlier. */
static nsec
time_or(const struct fence *fence, nsec otherwise)
{
	nsec time = fence_time(fence);

	return time != NSEC_NEVER && time < otherwise ? time : otherwise;
}

static void
frames_on_ended(struct observer *o, struct request *rq)
{
	struct frames *f = frames_of(o);
	nsec now = f->launch.sim->now, ready = time_or(&rq->queued, now);
	struct frame *frame = rq->client->walker != NULL
	    ? frame_find(f, rq->client, rq->origin.iteration)
	    : NULL;

	for (size_t i = 0; frame != NULL && i < frame->n; i++) {
		struct frame_batch *b = &frame->batches[i];

		if (b->seq != rq->seq)
			continue;
		b->run = rq->run_ns;
		b->wait = ready - rq->submit_ns;
		b->queue = now - ready > b->run ? now - ready - b->run : 0;
		frame->end_ns = now;
		frame->n_flying--;
		frame_over(f, rq->client, frame);
		return;
	}
}

static void
frames_on_iterated(struct observer *o, struct client *c)
{
	struct frames *f = frames_of(o);
	struct frame *frame = frame_find(f, c, c->walker->iteration - 1);

	if (frame == NULL)
		return;
	frame->over = true;
	frame_over(f, c, frame);
}

static struct output *
frames_open(const struct output_target *target, struct text *err)
{
	struct frames *f = mem_calloc(1, sizeof(*f));

	(void)err;
	(void)target;
	f->observer.submitted = frames_on_submitted;
	f->observer.ended = frames_on_ended;
	f->observer.iterated = frames_on_iterated;
	return &f->output;
}

static void
frames_watch(struct output *o, const struct output_launch *launch)
{
	struct frames *f = (struct frames *)o;

	f->launch = *launch;
	f->since = launch->sim->now;
	if (o->sink == NULL) {
		sink_init(&f->sink, o->fd, NULL);
		o->sink = &f->sink;
		put_frames_head(f);
	}
	sim_add_observer(launch->sim, &f->observer);
}

static void
frames_leave(struct output *o)
{
	struct frames *f = (struct frames *)o;

	sim_remove_observer(f->launch.sim, &f->observer);
	chains_sweep(&f->flying, NULL, NULL, frame_free);
	f->launch.sim = NULL;
}

static int
frames_close(struct output *o)
{
	struct frames *f = (struct frames *)o;
	int error = 0;

	if (f->launch.sim != NULL)
		frames_leave(o);
	if (o->sink != NULL)
		error = sink_close(&f->sink);
	chains_free(&f->flying);
	text_free(&f->line);
	free(f);
	return error;
}

const struct output_ops output_frames = {
    .option = "--profile-frames",
    .open = frames_open,
    .watch = frames_watch,
    .leave = frames_leave,
    .close = frames_close,
};
