/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages that the interpreter writes: fixed pieces and numbers, copied. */
#include <string.h>

#include "layerstream/metadata.h"
#include "layerstream/play_private.h"
#include "parser/text.h"

/* A JSON being put together; long enough for what is below. */
struct json {
	char data[192];
	uint32_t len;
};

static void
add(struct json *j, const char *s)
{
	size_t len = strlen(s);

	memcpy(j->data + j->len, s, len);
	j->len += (uint32_t)len;
}

static uint32_t
digits(char *end, uint64_t value)
{
	char *p = end;

	do
		*--p = (char)('0' + value % 10);
	while (value /= 10);
	return (uint32_t)(end - p);
}

static void
add_number(struct json *j, const char *key, int64_t value)
{
	char number[24];
	uint64_t magnitude = value < 0 ? -(uint64_t)value : (uint64_t)value;
	uint32_t n = digits(number + sizeof(number), magnitude);

	add(j, key);
	if (value < 0)
		j->data[j->len++] = '-';
	memcpy(j->data + j->len, number + sizeof(number) - n, n);
	j->len += n;
}

static void
send(struct message_buffer *out, enum message_type type, uint64_t sequence,
    uint64_t tag, const struct json *j)
{
	struct message m = {type, sequence, tag, j->data, j->len};

	message_add(out, &m);
}

/* Handles and times are unsigned, but below 2^63. */
void
play_emit_submit(
    struct message_buffer *out, uint64_t device, uint64_t queue, uint64_t now)
{
	struct json j = {.len = 0};

	add_number(&j, "{\"device\":", (int64_t)device);
	add_number(&j, ",\"queue\":", (int64_t)queue);
	add_number(&j, ",\"timestamp\":", (int64_t)now);
	add(&j, ",\"type\":\"submit\"}");
	send(out, MESSAGE_SUBMIT, 0, 0, &j);
}

void
play_emit_resolved(
    struct message_buffer *out, const struct layer_workload *w, uint64_t submit)
{
	struct message m = {MESSAGE_RESOLVED, submit, w->tag,
	    (const char *)w->message + w->bytes, w->resolved};

	message_add(out, &m);
}

void
play_emit_pass(
    struct message_buffer *out, const struct layer_workload *w, int64_t draws)
{
	uint32_t rest = w->draws_at + w->draws_len;
	struct json number = {.len = 0};
	uint8_t *at;

	add_number(&number, "", draws);
	at = message_room(out, w->bytes + sizeof(number.data));
	memcpy(at, w->message, w->draws_at);
	memcpy(at + w->draws_at, number.data, number.len);
	memcpy(
	    at + w->draws_at + number.len, w->message + rest, w->bytes - rest);
	message_header(at, MESSAGE_WORKLOAD, false, 0, w->tag,
	    w->bytes - MESSAGE_HEADER - w->draws_len + number.len);
	out->len += w->bytes - w->draws_len + number.len;
}

void
play_emit_labels(
    struct message_buffer *out, const struct queue_pass *pass, bool split)
{
	static const char more[] = ",\"split\":true}";
	uint64_t tag = pass->workload->tag;
	uint32_t len = pass->labels_len - 1;
	size_t header = MESSAGE_HEADER + MESSAGE_SEQUENCE;
	uint8_t *at = message_room(out, header + len + sizeof(more));

	if (!split) {
		at = play_put_labels(
		    at, pass->submit, tag, pass->labels, pass->labels_len);
	} else {
		at = message_header(at, MESSAGE_ANNEX, true, pass->submit, tag,
		    len + (uint32_t)sizeof(more) - 1);
		memcpy(at, pass->labels, len);
		memcpy(at + len, more, sizeof(more) - 1);
		at += len + sizeof(more) - 1;
	}
	out->len = (size_t)(at - out->data);
}

void
play_emit_sum(
    struct message_buffer *out, const struct queue_pass *pass, bool regularly)
{
	struct json j = {.len = 0};

	add_number(&j, "{\"drawCallCount\":", pass->draws);
	add_number(&j, ",\"parts\":", pass->parts);
	add(&j, regularly ? "}" : ",\"unfinished\":true}");
	send(out, MESSAGE_ANNEX, pass->submit, pass->workload->tag, &j);
}

void
play_frame(struct player *p, uint64_t device, uint64_t frame, uint64_t now)
{
	struct json j = {.len = 0};

	add_number(&j, "{\"device\":", (int64_t)device);
	add_number(&j, ",\"fid\":", (int64_t)frame);
	add_number(&j, ",\"timestamp\":", (int64_t)now);
	add(&j, ",\"type\":\"frame\"}");
	send(p->out, MESSAGE_FRAME, 0, 0, &j);
}

void
play_device(struct player *p, const struct play_device *d)
{
	struct text t = {0};
	struct message m = {.type = MESSAGE_DEVICE};

	text_addf(&t,
	    "{\"device\":%llu,\"deviceName\":", (unsigned long long)d->device);
	metadata_string(&t, d->name, strlen(d->name));
	text_addf(&t,
	    ",\"driverMajor\":%u,\"driverMinor\":%u,\"driverPatch\":%u,"
	    "\"pid\":%u,\"type\":\"device\"}",
	    d->major, d->minor, d->patch, d->pid);
	m.json = t.data;
	m.len = (uint32_t)t.len;
	message_add(p->out, &m);
	text_free(&t);
}
