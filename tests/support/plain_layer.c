/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/plain_layer.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"

#define SHOWN 64 /* labels of a stack that are sent */

/* The lines. */

static struct plain_line
read_line(const char *s)
{
	struct plain_line l = {.draws = -1, .times = 1};
	const char *draws = strstr(s, "draws=");

	l.suspend = strstr(s, " suspend") != NULL;
	if (draws != NULL)
		l.draws = atoi(draws + 6);
	if (strncmp(s, "label push", 10) == 0) {
		l.what = PUSH;
		/* A\"b, with its backslash. */
		snprintf(l.label, sizeof(l.label), "%c\"%c", s[12], s[15]);
	} else if (strncmp(s, "label pop", 9) == 0) {
		l.what = POP;
	} else if (strncmp(s, "renderpass resume", 17) == 0) {
		l.what = PART;
	} else if (strncmp(s, "renderpass", 10) == 0) {
		l.what = PASS;
	} else if (strncmp(s, "secondary begin", 15) == 0) {
		l.what = OPEN;
		l.times = (unsigned)atoi(strstr(s, "times=") + 6);
	} else if (strncmp(s, "secondary end", 13) == 0) {
		l.what = CLOSE;
	} else {
		l.what = strstr(s, "indirect") != NULL ? INDIRECT : OTHER;
	}
	return l;
}

static bool
is_workload(const struct plain_line *l)
{
	return l->what == PASS || l->what == PART || l->what == OTHER ||
	    l->what == INDIRECT;
}

/* Without a workload the engine's class has a default: after the last label
 * that is pushed, before its pop; else at the end. */
static void
add_default(struct plain_buffer *b, enum engine_class class)
{
	size_t at = 0;

	for (size_t i = 0; i < b->n; i++) {
		if (is_workload(&b->lines[i]))
			return;
		if (b->lines[i].what == PUSH)
			at = i + 1;
	}
	if (class != CLASS_RCS && class != CLASS_CCS && class != CLASS_BCS)
		return;
	if (at == 0)
		at = b->n;
	while (at < b->n && b->lines[at].what != POP)
		at++;
	memmove(&b->lines[at + 1], &b->lines[at],
	    (b->n - at) * sizeof(b->lines[0]));
	b->lines[at] = (struct plain_line){
	    .what = class == CLASS_RCS ? PASS : OTHER, .draws = -1};
	b->n++;
}

/* Reads the annotations' texts by itself. */
static void
read_lines(struct plain_buffer *b, const struct batch_annotations *annotations)
{
	size_t n = annotations != NULL ? annotations->n : 0;

	for (size_t i = 0; i < n; i++) {
		const struct field *text = &annotations->list[i].text;

		assert_int_equal(strncmp(text->s, "#@ ", 3), 0);
		assert_true(b->n < 60);
		if (strncmp(text->s, "#@ once", 7) == 0) {
			b->once = true;
		} else {
			char *line = strndup(text->s + 3, text->len - 3);

			b->lines[b->n++] = read_line(line);
			free(line);
		}
	}
}

static struct plain_buffer *
buffer_of(
    struct plain_layer *m, const struct sim *sim, const struct request *rq)
{
	struct plain_buffer *b;

	for (size_t i = 0; i < m->n_buffers; i++) {
		b = m->buffers[i];
		if (b->client == rq->client->id && b->step == rq->origin.step &&
		    b->row == rq->row &&
		    b->program == rq->origin.instance->program)
			return b;
	}
	b = mem_calloc(1, sizeof(*b));
	b->client = rq->client->id;
	b->step = rq->origin.step;
	b->row = rq->row;
	b->program = rq->origin.instance->program;
	if (rq->row == 0)
		read_lines(b, b->program->annotations[rq->origin.step]);
	add_default(b, sim->device.engines[rq->ring->def->engine].class);
	m->buffers = mem_grow(m->buffers, m->n_buffers, &m->cap_buffers,
	    sizeof(struct plain_buffer *));
	m->buffers[m->n_buffers++] = b;
	return b;
}

/* Records a batch, once or at each submit: tags count up. */
static void
record(struct plain_layer *m, struct plain_buffer *b)
{
	if (b->recorded && !b->once)
		return;
	b->recorded = true;
	for (size_t i = 0; i < b->n; i++)
		if (is_workload(&b->lines[i]) && b->lines[i].what != PART)
			b->lines[i].tag = ++m->last_tag;
}

/* Executing them. */

static struct plain_queue *
queue_of(struct plain_layer *m, const struct request *rq)
{
	struct plain_queue *q;

	for (size_t i = 0; i < m->n_queues; i++)
		if (m->queues[i]->ring == rq->ring)
			return m->queues[i];
	q = mem_calloc(1, sizeof(*q));
	q->ring = rq->ring;
	m->queues = mem_grow(m->queues, m->n_queues, &m->cap_queues,
	    sizeof(struct plain_queue *));
	m->queues[m->n_queues++] = q;
	return q;
}

static char *
join_stack(const struct plain_queue *q)
{
	struct text t = {0};
	char *s;

	for (size_t i = 0; i < q->n && i < SHOWN; i++)
		text_addf(&t, "%s%s", i > 0 ? "," : "", q->stack[i]);
	s = mem_strdup(text_str(&t));
	text_free(&t);
	return s;
}

static size_t
add_record(struct plain_layer *m, const struct plain_queue *q,
    const struct plain_line *l)
{
	m->records = mem_grow(
	    m->records, m->n_records, &m->cap_records, sizeof(*m->records));
	m->records[m->n_records] = (struct plain_record){
	    .tag = l->tag,
	    .labels = join_stack(q),
	    .draws = l->what == PASS ? l->draws : 0,
	    .pass = l->what == PASS,
	    .indirect = l->what == INDIRECT,
	};
	return m->n_records++;
}

static void
add_part(struct plain_request *r, size_t i)
{
	assert_true(r->n_parts < 1024);
	r->parts[r->n_parts++] = i;
}

static void
execute_line(struct plain_layer *m, struct plain_queue *q,
    struct plain_request *r, const struct plain_line *l)
{
	struct plain_record *pass;
	size_t i;

	switch (l->what) {
	case PUSH:
		q->stack = mem_grow(q->stack, q->n, &q->cap, sizeof(*q->stack));
		memcpy(q->stack[q->n++], l->label, sizeof(l->label));
		break;
	case POP: q->n -= q->n > 0; break;
	case PASS:
		i = add_record(m, q, l);
		add_part(r, i);
		q->pass = l->suspend ? i + 1 : 0;
		break;
	case PART:
		if (q->pass == 0)
			break;
		add_part(r, q->pass - 1);
		pass = &m->records[q->pass - 1];
		pass->draws = pass->draws < 0 || l->draws < 0
		    ? -1
		    : pass->draws + l->draws;
		if (!l->suspend)
			q->pass = 0;
		break;
	case OTHER:
	case INDIRECT: add_part(r, add_record(m, q, l)); break;
	default: break;
	}
}

static void
execute(struct plain_layer *m, struct plain_queue *q, struct plain_request *r,
    const struct plain_buffer *b)
{
	for (size_t i = 0; i < b->n; i++) {
		size_t end = i;

		if (b->lines[i].what != OPEN) {
			execute_line(m, q, r, &b->lines[i]);
			continue;
		}
		while (b->lines[end].what != CLOSE)
			end++;
		for (unsigned n = 0; n < b->lines[i].times; n++)
			for (size_t k = i + 1; k < end; k++)
				execute_line(m, q, r, &b->lines[k]);
		i = end;
	}
}

void
plain_submit(struct plain_layer *p, const struct sim *sim,
    const struct request *rq, struct plain_request *r)
{
	r->infinite = rq->infinite;
	r->since = NSEC_NEVER;
	r->buffer = buffer_of(p, sim, rq);
	record(p, r->buffer);
	execute(p, queue_of(p, rq), r, r->buffer);
}

void
plain_layer_free(struct plain_layer *p)
{
	for (size_t i = 0; i < p->n_buffers; i++)
		free(p->buffers[i]);
	for (size_t i = 0; i < p->n_queues; i++) {
		free(p->queues[i]->stack);
		free(p->queues[i]);
	}
	for (size_t i = 0; i < p->n_records; i++)
		free(p->records[i].labels);
	free(p->buffers);
	free(p->queues);
	free(p->records);
}
