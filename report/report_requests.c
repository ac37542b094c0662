/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --requests. Requests end in another order than they are submitted, so rows of
 * ended ones wait in a ring until all before them have ended. Digits are written
 * by hand: every request passes here, millions per second.
 */
#include "report/report.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/client/origin.h"
#include "engine/sim.h"

#define BUFFER_SIZE  (1u << 20) /* bytes */
#define ROW_MAX      512        /* bytes, more than any row has */
#define CONTENTS_MAX 200        /* bytes of its last field */

struct request_row {
	const struct request *rq; /* NULL once it has ended */
	uint64_t iteration;
	nsec submit_ns, ready_ns, start_ns, end_ns, run_ns;
	uint32_t client, context, step, preemptions;
	int32_t error;
	int8_t engine;  /* index in the device; -1: none yet */
	char *contents; /* of a batch of a program; NULL: not known */
};

struct request_log {
	struct observer observer;
	struct sim *sim;
	int fd;
	int error;
	bool has_contents; /* the last column */

	/* A ring: request seq has rows[seq & (cap - 1)], from first on to
	 * before next. cap is a power of two. */
	struct request_row *rows;
	size_t cap;
	uint64_t first, next;

	size_t used;
	char buffer[BUFFER_SIZE];
};

static void
log_flush(struct request_log *log)
{
	if (log->error == 0 && !file_write_all(log->fd, log->buffer, log->used))
		log->error = errno;
	log->used = 0;
}

static char *
put_field(char *p, uint64_t n)
{
	p = text_put_count(p, n);
	*p++ = '\t';
	return p;
}

static char *
put_string(char *p, const char *s)
{
	size_t len = strlen(s);

	memcpy(p, s, len);
	return p + len;
}

/* Puts a time in ns, "-" if it was not reached. */
static char *
put_time(char *p, nsec t)
{
	if (t != NSEC_NEVER)
		return put_field(p, t);
	return put_string(p, "-\t");
}

static char *
put_status(char *p, int32_t error)
{
	const char *name;

	if (error == 0)
		return put_string(p, "ok");
	name = strerrorname_np(error < 0 ? -error : error);
	return put_string(p, name != NULL ? name : "EUNKNOWN");
}

static char *
put_contents(char *p, const struct request_row *row)
{
	const char *contents = row->contents != NULL ? row->contents : "";

	return p + sprintf(p, "\t%.*s", CONTENTS_MAX, contents);
}

static void
log_write_row(struct request_log *log, struct request_row *row)
{
	char *p = log->buffer + log->used;

	p = put_field(p, row->client);
	p = put_field(p, row->iteration);
	p = put_field(p, row->step);
	p = put_field(p, row->context);
	if (row->engine >= 0)
		p = put_string(p, log->sim->device.engines[row->engine].name);
	else
		*p++ = '-';
	*p++ = '\t';
	p = put_time(p, row->submit_ns);
	p = put_time(p, row->ready_ns);
	p = put_time(p, row->start_ns);
	p = put_time(p, row->end_ns);
	p = put_time(p, row->run_ns);
	p = put_field(p, row->preemptions);
	p = put_status(p, row->error);
	if (log->has_contents)
		p = put_contents(p, row);
	*p++ = '\n';
	free(row->contents);
	row->contents = NULL;
	log->used = (size_t)(p - log->buffer);
	if (log->used > BUFFER_SIZE - ROW_MAX)
		log_flush(log);
}

static struct request_row *
log_row(struct request_log *log, uint64_t seq)
{
	return &log->rows[seq & (log->cap - 1)];
}

static void
log_grow(struct request_log *log)
{
	size_t cap = log->cap * 2;
	struct request_row *rows = mem_calloc(cap, sizeof(*rows));

	for (uint64_t seq = log->first; seq < log->next; seq++)
		rows[seq & (cap - 1)] = *log_row(log, seq);
	free(log->rows);
	log->rows = rows;
	log->cap = cap;
}

static void
log_submitted(struct observer *o, struct request *rq)
{
	struct request_log *log = container_of(o, struct request_log, observer);

	if (log->next - log->first == log->cap)
		log_grow(log);
	*log_row(log, rq->seq) = (struct request_row){
	    .rq = rq,
	    .iteration = rq->origin.iteration,
	    .submit_ns = rq->submit_ns,
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .step = rq->origin.step,
	};
	log->next = rq->seq + 1;
}

/* Completes the row of a request that has ended; at the end of a run, of one
 * that has not, with the times that it reached. */
static void
log_fill_row(struct request_row *row, const struct request *rq)
{
	row->ready_ns = fence_time(&rq->queued);
	row->start_ns = fence_time(&rq->scheduled);
	row->end_ns = fence_time(&rq->finished);
	row->run_ns = rq->run_ns;
	row->preemptions = rq->preemptions;
	row->error = rq->finished.error;
	row->engine = rq->engine != NULL ? (int8_t)rq->engine->index : -1;
	if (request_label(rq) != NULL)
		row->contents = mem_strdup(request_label(rq));
	row->rq = NULL;
}

static void
log_ended(struct observer *o, struct request *rq)
{
	struct request_log *log = container_of(o, struct request_log, observer);

	log_fill_row(log_row(log, rq->seq), rq);
	while (log->first < log->next && log_row(log, log->first)->rq == NULL)
		log_write_row(log, log_row(log, log->first++));
}

struct request_log *
request_log_new(struct sim *sim, int fd, bool contents)
{
	struct request_log *log = mem_calloc(1, sizeof(*log));

	log->sim = sim;
	log->fd = fd;
	log->observer.submitted = log_submitted;
	log->observer.ended = log_ended;
	log->first = log->next = 1; /* seq of the first request */
	log->cap = 1024;
	log->rows = mem_calloc(log->cap, sizeof(*log->rows));
	log->has_contents = contents;
	log->used = (size_t)snprintf(log->buffer, sizeof(log->buffer),
	    "client\titeration\tstep\tcontext\tengine\t"
	    "submit_ns\tready_ns\tstart_ns\tend_ns\t"
	    "run_ns\tpreemptions\tstatus%s\n",
	    contents ? "\tcontents" : "");
	sim_add_observer(sim, &log->observer);
	return log;
}

void
request_log_flush(struct request_log *log)
{
	log_flush(log);
}

int
request_log_error(const struct request_log *log)
{
	return log->error;
}

int
request_log_finish(struct request_log *log)
{
	int error;

	for (; log->first < log->next; log->first++) {
		struct request_row *row = log_row(log, log->first);

		if (row->rq != NULL) {
			log_fill_row(row, row->rq);
			row->run_ns = NSEC_NEVER;
			row->error = -EINPROGRESS;
		}
		log_write_row(log, row);
	}
	log_flush(log);
	error = log->error;
	sim_remove_observer(log->sim, &log->observer);
	free(log->rows);
	free(log);
	return error;
}
