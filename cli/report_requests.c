/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The log of requests. Requests end in another order than they are
 * submitted, so ended ones wait in a ring of rows until all before them have
 * ended. Numbers are put into the buffer by hand: this is on the path of
 * every request, millions in a second.
 */
#include "cli/report_requests.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/sim.h"

#define BUFFER_SIZE (1u << 20)
#define ROW_MAX     512 /* more than any row takes */

struct row {
	const struct request *rq; /* while it has not ended; else NULL */
	uint64_t iteration;
	nsec submit_ns, ready_ns, start_ns, end_ns, run_ns;
	uint32_t client, context, step, preemptions;
	int32_t error;
	int8_t engine; /* index in the device; -1: none yet */
};

struct request_log {
	struct observer observer;
	struct sim *sim;
	int fd;
	int error;

	/* Row of request seq: rows[seq & (cap - 1)]; first .. next - 1. */
	struct row *rows;
	size_t cap;
	uint64_t first, next;

	size_t used;
	char buffer[BUFFER_SIZE];
};

static void
flush(struct request_log *log)
{
	size_t done = 0;

	while (done < log->used && log->error == 0) {
		ssize_t n = write(
		    log->fd, log->buffer + done, log->used - done);

		if (n >= 0)
			done += (size_t)n;
		else if (errno != EINTR)
			log->error = errno;
	}
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

/* A time, "-" if it was never reached. */
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

static void
write_row(struct request_log *log, const struct row *row)
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
	*p++ = '\n';
	log->used = (size_t)(p - log->buffer);
	if (log->used > BUFFER_SIZE - ROW_MAX)
		flush(log);
}

static struct row *
row_of(struct request_log *log, uint64_t seq)
{
	return &log->rows[seq & (log->cap - 1)];
}

static void
grow(struct request_log *log)
{
	size_t cap = log->cap * 2;
	struct row *rows = mem_calloc(cap, sizeof(*rows));

	for (uint64_t seq = log->first; seq < log->next; seq++)
		rows[seq & (cap - 1)] = *row_of(log, seq);
	free(log->rows);
	log->rows = rows;
	log->cap = cap;
}

static struct request_log *
log_of(struct observer *o)
{
	return (struct request_log *)((char *)o -
	    offsetof(struct request_log, observer));
}

static void
on_submitted(struct observer *o, struct request *rq)
{
	struct request_log *log = log_of(o);

	if (log->next - log->first == log->cap)
		grow(log);
	*row_of(log, rq->seq) = (struct row){
	    .rq = rq,
	    .iteration = rq->iteration,
	    .submit_ns = rq->submit_ns,
	    .client = rq->client->id,
	    .context = rq->context->def->number,
	    .step = rq->step,
	};
	log->next = rq->seq + 1;
}

/* What only its end makes known; a request that has not ended is asked for
 * what it has reached. */
static void
fill_row(struct row *row, const struct request *rq)
{
	row->ready_ns = fence_time(&rq->queued);
	row->start_ns = fence_time(&rq->scheduled);
	row->end_ns = fence_time(&rq->finished);
	row->run_ns = rq->run_ns;
	row->preemptions = rq->preemptions;
	row->error = rq->finished.error;
	row->engine = rq->engine != NULL ? (int8_t)rq->engine->index : -1;
	row->rq = NULL;
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct request_log *log = log_of(o);

	fill_row(row_of(log, rq->seq), rq);
	while (log->first < log->next && row_of(log, log->first)->rq == NULL)
		write_row(log, row_of(log, log->first++));
}

struct request_log *
request_log_new(struct sim *sim, int fd)
{
	struct request_log *log = mem_calloc(1, sizeof(*log));

	log->sim = sim;
	log->fd = fd;
	log->observer.submitted = on_submitted;
	log->observer.ended = on_ended;
	log->first = log->next = 1; /* as seq of the first request */
	log->cap = 1024;
	log->rows = mem_calloc(log->cap, sizeof(*log->rows));
	log->used = (size_t)(put_string(log->buffer,
				 "client\titeration\tstep\tcontext\tengine\t"
				 "submit_ns\tready_ns\tstart_ns\tend_ns\t"
				 "run_ns\tpreemptions\tstatus\n") -
	    log->buffer);
	sim_add_observer(sim, &log->observer);
	return log;
}

void
request_log_flush(struct request_log *log)
{
	flush(log);
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
		struct row *row = row_of(log, log->first);

		if (row->rq != NULL) {
			fill_row(row, row->rq);
			row->run_ns = NSEC_NEVER;
			row->error = -EINPROGRESS;
		}
		write_row(log, row);
	}
	flush(log);
	error = log->error;
	sim_remove_observer(log->sim, &log->observer);
	free(log->rows);
	free(log);
	return error;
}
