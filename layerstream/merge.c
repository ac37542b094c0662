/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Metadata and annexes to records. */
#include "layerstream/merge.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

#define BOUND   4096
#define BYTES   2048 /* of the messages of one that waits, on an average */
#define BUCKETS 4096

enum need { NEED_RESOLVED = 1, NEED_SUM = 2 };

/* One that waits for annexes. */
struct record {
	struct record *older, *newer;
	struct record *chain; /* of its bucket, newest first */
	uint64_t submit, tag;
	unsigned needs; /* enum need */
	size_t bytes;
	json_t *fields;
};

struct merger {
	void (*done)(void *user, const struct merged *m);
	void *user;
	size_t bound, max_bytes, n, bytes;
	struct record *oldest, *newest;
	struct record *fresh; /* the last one: annexes may follow it */
	struct record *buckets[BUCKETS];
	char error[160];
};

struct merger *
merge_new(
    void (*done)(void *user, const struct merged *m), void *user, size_t bound)
{
	struct merger *m = mem_calloc(1, sizeof(*m));

	m->done = done;
	m->user = user;
	m->bound = bound ? bound : BOUND;
	m->max_bytes = (m->bound > BOUND ? m->bound : BOUND) * BYTES;
	return m;
}

static struct record **
bucket(struct merger *m, uint64_t tag)
{
	return &m->buckets[tag % BUCKETS];
}

static void
unlink_record(struct merger *m, struct record *r)
{
	struct record **link = bucket(m, r->tag);

	while (*link != r)
		link = &(*link)->chain;
	*link = r->chain;
	*(r->older ? &r->older->newer : &m->oldest) = r->newer;
	*(r->newer ? &r->newer->older : &m->newest) = r->older;
	if (m->fresh == r)
		m->fresh = NULL;
	m->n--;
	m->bytes -= r->bytes;
}

static void
free_record(struct record *r)
{
	json_decref(r->fields);
	free(r);
}

void
merge_free(struct merger *m)
{
	if (m == NULL)
		return;
	while (m->oldest) {
		struct record *r = m->oldest;

		unlink_record(m, r);
		free_record(r);
	}
	free(m);
}

static void
deliver(struct merger *m, struct record *r)
{
	char *json = json_dumps(r->fields, JSON_COMPACT | JSON_SORT_KEYS);
	struct merged merged = {r->submit, r->tag, r->needs == 0,
	    json ? json : "{}", json ? strlen(json) : 2};

	unlink_record(m, r);
	m->done(m->user, &merged);
	free(json);
	free_record(r);
}

static void
deliver_ready(struct merger *m, struct record *r)
{
	if (r && r != m->fresh && r->needs == 0)
		deliver(m, r);
}

/* Nothing more follows the fresh one at once. */
static void
settle(struct merger *m)
{
	struct record *r = m->fresh;

	m->fresh = NULL;
	deliver_ready(m, r);
}

static void
deliver_oldest(struct merger *m)
{
	struct record *r = m->oldest;

	r->older = NULL; /* It is: the analyzer cannot know. */
	deliver(m, r);
}

static void
keep_bounds(struct merger *m)
{
	while (m->oldest && (m->n > m->bound || m->bytes > m->max_bytes))
		deliver_oldest(m);
}

void
merge_finish(struct merger *m)
{
	settle(m);
	while (m->oldest)
		deliver_oldest(m);
}

static const char *
wrong(struct merger *m, const struct message *message, const char *what)
{
	snprintf(m->error, sizeof(m->error), "%s t%llu: %s",
	    message_type_info(message->type)->name,
	    (unsigned long long)message->tag, what);
	return m->error;
}

static json_t *
load(const struct message *message)
{
	json_t *fields = json_loadb(message->json, message->len, 0, NULL);

	if (fields && !json_is_object(fields)) {
		json_decref(fields);
		fields = NULL;
	}
	return fields;
}

static void
open_record(struct merger *m, const struct message *message, json_t *fields)
{
	struct record **link = bucket(m, message->tag);
	struct record *r = mem_calloc(1, sizeof(*r));

	r->tag = message->tag;
	r->fields = fields;
	r->bytes = message->len;
	if (json_is_true(json_object_get(fields, "indirect")))
		r->needs |= NEED_RESOLVED;
	r->chain = *link;
	*link = r;
	r->older = m->newest;
	*(m->newest ? &m->newest->newer : &m->oldest) = r;
	m->newest = m->fresh = r;
	m->n++;
	m->bytes += r->bytes;
}

/* The newest execution of the pair. */
static struct record *
find_newest(struct merger *m, uint64_t submit, uint64_t tag)
{
	struct record *r = *bucket(m, tag);

	if (m->fresh && m->fresh->tag == tag && m->fresh->submit == 0)
		return m->fresh;
	while (r && (r->tag != tag || r->submit != submit))
		r = r->chain;
	return r;
}

/* The oldest that waits for its parameters: one tag may be executed several
 * times by one submission, and is then resolved as often. */
static struct record *
find_unresolved(struct merger *m, uint64_t submit, uint64_t tag)
{
	struct record *found = NULL;

	for (struct record *r = *bucket(m, tag); r; r = r->chain)
		if (r->tag == tag && r->submit == submit &&
		    (r->needs & NEED_RESOLVED))
			found = r;
	return found;
}

static void
add_fields(struct merger *m, struct record *r, const struct message *message,
    json_t *fields)
{
	if (json_is_true(json_object_get(fields, "split")))
		r->needs |= NEED_SUM;
	else if (json_object_get(fields, "drawCallCount"))
		r->needs &= ~(unsigned)NEED_SUM;
	if (message->type == MESSAGE_RESOLVED)
		r->needs &= ~(unsigned)NEED_RESOLVED;
	r->submit = message->sequence;
	r->bytes += message->len;
	m->bytes += message->len;
	json_object_update(r->fields, fields);
	json_decref(fields);
}

static const char *
merge_annex(struct merger *m, const struct message *message, json_t *fields)
{
	struct record *r;

	if (message->type == MESSAGE_RESOLVED)
		r = find_unresolved(m, message->sequence, message->tag);
	else
		r = find_newest(m, message->sequence, message->tag);
	if (r != m->fresh)
		settle(m);
	if (r == NULL) {
		json_decref(fields);
		return wrong(m, message, "its workload was not told of");
	}
	add_fields(m, r, message, fields);
	deliver_ready(m, r);
	keep_bounds(m);
	return NULL;
}

const char *
merge_message(struct merger *m, const struct message *message)
{
	json_t *fields;

	if (message->type < MESSAGE_WORKLOAD) {
		settle(m);
		return NULL;
	}
	fields = load(message);
	if (fields == NULL) {
		settle(m);
		return wrong(m, message, "its JSON is no object");
	}
	if (message->type != MESSAGE_WORKLOAD)
		return merge_annex(m, message, fields);
	settle(m);
	open_record(m, message, fields);
	keep_bounds(m);
	return NULL;
}
