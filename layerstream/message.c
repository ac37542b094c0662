/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages to bytes, and bytes to messages. */
#include "layerstream/message.h"

#include <stdlib.h>

#include <jansson.h>

#include "base/mem.h"
#include "base/text.h"

static const struct message_type_info types[MESSAGE_TYPES_END] = {
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
	if (type >= MESSAGE_TYPES_END || types[type].name == NULL)
		return NULL;
	return &types[type];
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
	bool sequence = types[m->type].sequence;
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
		wrong = "message is no JSON";
	else if (!is_object)
		wrong = "message's JSON is no object";
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
