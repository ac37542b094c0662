/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The messages of the layer, on the wire (doc/layer.md "Messages"): type u8,
 * sequence id u64 only where the type implies it, tag id u64, JSON length u32,
 * JSON; little endian, nothing between them.
 */
#ifndef LAYERSTREAM_MESSAGE_H
#define LAYERSTREAM_MESSAGE_H

#include <endian.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct text;

enum message_type {
	MESSAGE_DEVICE = 1, /* who the device is */
	MESSAGE_SUBMIT,     /* command buffers go to a queue */
	MESSAGE_FRAME,      /* a frame ends: that number begins */
	MESSAGE_WORKLOAD,   /* tag: a workload was executed, its metadata */
	MESSAGE_ANNEX,      /* sequence, tag: what was known at submit */
	MESSAGE_RESOLVED,   /* sequence, tag: what was known afterwards */
	MESSAGE_TAG_ANNEX,  /* tag: at submit, of what is submitted once */
	MESSAGE_TYPES_END
};

struct message_type_info {
	const char *name;
	bool sequence; /* has a sequence id: the submitID */
};

/* NULL if there is no such type. */
const struct message_type_info *message_type_info(unsigned type);

#define MESSAGE_HEADER   13 /* bytes before the JSON */
#define MESSAGE_SEQUENCE 8  /* and those of a sequence id */
#define MESSAGE_JSON_MAX (1u << 20)

struct message {
	enum message_type type;
	uint64_t sequence; /* 0 where the type has none */
	uint64_t tag;      /* 0: not of a workload */
	const char *json;  /* not terminated */
	uint32_t len;
};

/* Messages, one after the other. */
struct message_buffer {
	uint8_t *data;
	size_t len, cap;
	/* Takes what there is when there is much (MESSAGE_DRAIN bytes) and at
	 * message_drain(); NULL: kept, and the buffer grows. */
	void (*drain)(struct message_buffer *b, const uint8_t *data, size_t n);
};

#define MESSAGE_DRAIN ((size_t)64 << 10)

void message_buffer_free(struct message_buffer *b);
void message_drain(struct message_buffer *b);
/* Room for n more bytes, at what is returned: then add them to len. */
uint8_t *message_more(struct message_buffer *b, size_t n);

static inline uint8_t *
message_room(struct message_buffer *b, size_t n)
{
	if (__builtin_expect(b->cap - b->len < n, 0))
		return message_more(b, n);
	return b->data + b->len;
}

/* Writes the header of a message to at; where its JSON goes. */
static inline uint8_t *
message_header(uint8_t *at, enum message_type type, bool has_sequence,
    uint64_t sequence, uint64_t tag, uint32_t len)
{
	*at++ = (uint8_t)type;
	if (has_sequence) {
		sequence = htole64(sequence);
		memcpy(at, &sequence, 8);
		at += 8;
	}
	tag = htole64(tag);
	memcpy(at, &tag, 8);
	len = htole32(len);
	memcpy(at + 8, &len, 4);
	return at + 12;
}

/* Adds a message to what is to be sent; its JSON is copied. */
void message_add(struct message_buffer *b, const struct message *m);

/*
 * Reads the message at the beginning of data; *used is what it takes. NULL if
 * it is one; else what is wrong: "...". Of an empty or unfinished one
 * *more is set too: it may be whole with more bytes behind it.
 */
const char *message_decode(const uint8_t *data, size_t len, struct message *m,
    size_t *used, bool *more);

/* NULL, or what is wrong with its JSON, which has to be one object and nothing
 * else: message_decode() does not look into it. */
const char *message_check(const struct message *m);

/* One line of text, without its newline: what --layer-dump prints. */
void message_print(const struct message *m, struct text *t);

#endif
