/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages that the interpreter sends, put together by copying: fixed text,
 * numbers, and what was built when it was recorded. */
#include <string.h>

#include "base/json.h"
#include "base/text.h"
#include "layerstream/json.h"
#include "layerstream/play_private.h"

static void
send_json(struct message_buffer *out, enum message_type type, uint64_t sequence,
    uint64_t tag, const struct json *j)
{
	struct message m = {type, sequence, tag, j->data, j->len};

	message_add(out, &m);
}

void
play_begin_submit(struct play_queue *q)
{
	struct json j;

	j.len = 0;
	json_puts(&j, "{\"device\":");
	json_put_unsigned(&j, q->device);
	json_puts(&j, ",\"queue\":");
	json_put_unsigned(&j, q->id);
	json_puts(&j, ",\"timestamp\":");
	memcpy(q->submit, j.data, j.len);
	q->submit_len = j.len;
}

/* One for each batch, so only the time is formatted. */
void
play_emit_submit(
    struct message_buffer *out, const struct play_queue *q, uint64_t now)
{
	static const char rest[] = ",\"type\":\"submit\"}";
	char digits[JSON_DIGITS], *end = digits + JSON_DIGITS;
	char *time = json_digits(end, now);
	uint32_t n_time = (uint32_t)(end - time);
	uint32_t len = q->submit_len + n_time + (uint32_t)sizeof(rest) - 1;
	uint8_t *at = message_room(out, MESSAGE_HEADER + (size_t)len);

	at = message_header(at, MESSAGE_SUBMIT, false, 0, 0, len);
	memcpy(at, q->submit, q->submit_len);
	memcpy(at + q->submit_len, time, n_time);
	memcpy(at + q->submit_len + n_time, rest, sizeof(rest) - 1);
	out->len += MESSAGE_HEADER + (size_t)len;
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
	struct json number;
	uint8_t *at;

	number.len = 0;
	json_put_number(&number, draws);
	at = message_room(out, (size_t)w->bytes + number.len);
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
	struct json j;

	j.len = 0;
	json_puts(&j, "{");
	json_number(&j, "drawCallCount", pass->draws);
	json_number(&j, "parts", pass->parts);
	json_puts(&j, regularly ? "}" : ",\"unfinished\":true}");
	send_json(out, MESSAGE_ANNEX, pass->submit, pass->workload->tag, &j);
}

void
play_frame(struct player *p, uint64_t device, uint64_t frame, uint64_t now)
{
	struct json j;

	if (p->silent)
		return;
	j.len = 0;
	json_puts(&j, "{");
	json_unsigned(&j, "device", device);
	json_unsigned(&j, "fid", frame);
	json_unsigned(&j, "timestamp", now);
	json_puts(&j, ",\"type\":\"frame\"}");
	send_json(p->out, MESSAGE_FRAME, 0, 0, &j);
}

void
play_device(struct player *p, const struct play_device *d)
{
	struct text t = {0};
	struct message m = {.type = MESSAGE_DEVICE};

	if (p->silent)
		return;
	text_addf(&t,
	    "{\"device\":%llu,\"deviceName\":", (unsigned long long)d->device);
	json_add_string(&t, d->name, strlen(d->name), false);
	text_addf(&t,
	    ",\"driverMajor\":%u,\"driverMinor\":%u,\"driverPatch\":%u,"
	    "\"pid\":%u,\"type\":\"device\"}",
	    d->major, d->minor, d->patch, d->pid);
	m.json = t.data;
	m.len = (uint32_t)t.len;
	message_add(p->out, &m);
	text_free(&t);
}
