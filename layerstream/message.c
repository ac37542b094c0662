/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages of the layer: to bytes and back, as text, and joined to one record
 * for each executed workload.
 */
#include "layerstream/message.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static const struct message_type_info message_types[MESSAGE_TYPES_END] = {
    [MESSAGE_DEVICE] = {"device", false},
    [MESSAGE_SUBMIT] = {"submit", false},
    [MESSAGE_FRAME] = {"frame", false},
    [MESSAGE_WORKLOAD] = {"workload", false},
    [MESSAGE_ANNEX] = {"annex", true},
    [MESSAGE_RESOLVED] = {"resolved", true},
    [MESSAGE_TAG_ANNEX] = {"tag-annex", false},
};

const struct message_type_info *
message_type_info(unsigned type)
{
	if (type >= MESSAGE_TYPES_END || message_types[type].name == NULL)
		return NULL;
	return &message_types[type];
}

void
message_buffer_free(struct message_buffer *b)
{
	free(b->data);
	b->data = NULL;
	b->len = b->cap = 0;
}

void
message_drain(struct message_buffer *b)
{
	if (b->drain == NULL || b->len == 0)
		return;
	b->drain(b, b->data, b->len);
	b->len = 0;
}

uint8_t *
message_more(struct message_buffer *b, size_t n)
{
	size_t cap = b->cap ? b->cap : MESSAGE_DRAIN;

	message_drain(b);
	if (n > SIZE_MAX / 4 - b->len)
		mem_exhausted();
	while (cap < b->len + n)
		cap *= 2;
	if (cap != b->cap) {
		b->data = mem_realloc(b->data, cap, 1);
		b->cap = cap;
	}
	return b->data + b->len;
}

void
message_add(struct message_buffer *b, const struct message *m)
{
	bool sequence = message_types[m->type].sequence;
	size_t n = MESSAGE_HEADER + m->len + (sequence ? MESSAGE_SEQUENCE : 0);
	uint8_t *at = message_room(b, n);

	at = message_header(at, m->type, sequence, m->sequence, m->tag, m->len);
	if (m->len)
		memcpy(at, m->json, m->len);
	b->len += n;
}

static uint64_t
read_u64(const uint8_t *at)
{
	uint64_t value;

	memcpy(&value, at, sizeof value);
	return le64toh(value);
}

static uint32_t
read_u32(const uint8_t *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof value);
	return le32toh(value);
}

const char *
message_decode(const uint8_t *data, size_t len, struct message *m, size_t *used,
    bool *more)
{
	const struct message_type_info *info;
	size_t header = MESSAGE_HEADER;
	const uint8_t *at = data + 1;

	*more = len == 0;
	if (len == 0)
		return "no message";
	info = message_type_info(data[0]);
	if (info == NULL)
		return "unknown type of message";
	header += info->sequence ? MESSAGE_SEQUENCE : 0;
	*more = true;
	if (len < header)
		return "message ends in its header";
	*m = (struct message){.type = (enum message_type)data[0]};
	if (info->sequence) {
		m->sequence = read_u64(at);
		at += MESSAGE_SEQUENCE;
	}
	m->tag = read_u64(at);
	m->len = read_u32(at + 8);
	m->json = (const char *)data + header;
	*more = m->len <= MESSAGE_JSON_MAX;
	if (!*more)
		return "message says to be longer than 1 MiB";
	if (len - header < m->len)
		return "message ends in its JSON";
	*used = header + m->len;
	*more = false;
	return NULL;
}

const char *
message_check(const struct message *m)
{
	json_t *json = json_loadb(m->json, m->len, JSON_ALLOW_NUL, NULL);
	bool is_object = json_is_object(json);
	const char *wrong = NULL;

	if (json == NULL)
		wrong = "message is not JSON";
	else if (!is_object)
		wrong = "invalid JSON of the message: expected an object";
	json_decref(json);
	return wrong;
}

void
message_print(const struct message *m, struct text *t)
{
	const struct message_type_info *info = message_type_info(m->type);

	text_addf(t, "%-9s", info ? info->name : "?");
	if (m->sequence)
		text_addf(t, " s%llu", (unsigned long long)m->sequence);
	if (m->tag)
		text_addf(t, " t%llu", (unsigned long long)m->tag);
	text_addc(t, ' ');
	text_add_visible(t, m->json, m->len);
}

#define BOUND   4096
#define BYTES   2048 /* of the messages of a record, on average */
#define BUCKETS 4096

enum need { NEED_RESOLVED = 1, NEED_SUM = 2 };

/* An executed workload that waits for annexes. */
struct merge_record {
	struct merge_record *older, *newer;
	struct merge_record *chain; /* next in its bucket, newest first */
	uint64_t submit, tag;
	unsigned needs; /* enum need */
	size_t bytes;
	json_t *fields;
};

struct merger {
	void (*done)(void *user, const struct merged *m);
	void *user;
	size_t bound, max_bytes, n, bytes;
	struct merge_record *oldest, *newest;
	struct merge_record
	    *fresh; /* the last one: annexes can follow at once */
	struct merge_record *buckets[BUCKETS];
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

static struct merge_record **
bucket(struct merger *m, uint64_t tag)
{
	return &m->buckets[tag % BUCKETS];
}

static void
unlink_record(struct merger *m, struct merge_record *r)
{
	struct merge_record **link = bucket(m, r->tag);

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
free_record(struct merge_record *r)
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
		struct merge_record *r = m->oldest;

		unlink_record(m, r);
		free_record(r);
	}
	free(m);
}

static void
deliver(struct merger *m, struct merge_record *r)
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
deliver_ready(struct merger *m, struct merge_record *r)
{
	if (r && r != m->fresh && r->needs == 0)
		deliver(m, r);
}

/* No more annexes follow the fresh record at once. */
static void
settle_fresh(struct merger *m)
{
	struct merge_record *r = m->fresh;

	m->fresh = NULL;
	deliver_ready(m, r);
}

static void
deliver_oldest(struct merger *m)
{
	struct merge_record *r = m->oldest;

	r->older = NULL; /* as it is: for the static analyzer */
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
	settle_fresh(m);
	while (m->oldest)
		deliver_oldest(m);
}

static const char *
merge_error(struct merger *m, const struct message *message, const char *what)
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
merge_open_record(
    struct merger *m, const struct message *message, json_t *fields)
{
	struct merge_record **link = bucket(m, message->tag);
	struct merge_record *r = mem_calloc(1, sizeof(*r));

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

/* The newest execution of submit and tag. */
static struct merge_record *
find_newest(struct merger *m, uint64_t submit, uint64_t tag)
{
	struct merge_record *r = *bucket(m, tag);

	if (m->fresh && m->fresh->tag == tag && m->fresh->submit == 0)
		return m->fresh;
	while (r && (r->tag != tag || r->submit != submit))
		r = r->chain;
	return r;
}

/* The oldest execution that waits for its indirect size. A submission can
 * execute a tag several times, which is resolved as often. */
static struct merge_record *
find_unresolved(struct merger *m, uint64_t submit, uint64_t tag)
{
	struct merge_record *found = NULL;

	for (struct merge_record *r = *bucket(m, tag); r; r = r->chain)
		if (r->tag == tag && r->submit == submit &&
		    (r->needs & NEED_RESOLVED))
			found = r;
	return found;
}

static void
add_fields(struct merger *m, struct merge_record *r,
    const struct message *message, json_t *fields)
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
	struct merge_record *r;

	if (message->type == MESSAGE_RESOLVED)
		r = find_unresolved(m, message->sequence, message->tag);
	else
		r = find_newest(m, message->sequence, message->tag);
	if (r != m->fresh)
		settle_fresh(m);
	if (r == NULL) {
		json_decref(fields);
		return merge_error(m, message, "no workload message before it");
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
		settle_fresh(m);
		return NULL;
	}
	fields = load(message);
	if (fields == NULL) {
		settle_fresh(m);
		return merge_error(
		    m, message, "invalid JSON: expected an object");
	}
	if (message->type != MESSAGE_WORKLOAD)
		return merge_annex(m, message, fields);
	settle_fresh(m);
	merge_open_record(m, message, fields);
	keep_bounds(m);
	return NULL;
}
