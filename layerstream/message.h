/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The layer's wire messages (doc/layer.md "Messages"): type u8, sequence id u64
 * if the type has one, tag id u64, JSON length u32, JSON; little endian,
 * without padding. And the merger that joins them.
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
	MESSAGE_DEVICE = 1, /* introduces a device */
	MESSAGE_SUBMIT,     /* command buffers are submitted to a queue */
	MESSAGE_FRAME,      /* the frame with that number begins */
	MESSAGE_WORKLOAD,   /* tag: a workload is executed, its metadata */
	MESSAGE_ANNEX,      /* sequence, tag: known at submit */
	MESSAGE_RESOLVED,   /* sequence, tag: known when it has run */
	MESSAGE_TAG_ANNEX,  /* tag: known at submit, without a submitID */
	MESSAGE_TYPES_END
};

struct message_type_info {
	const char *name;
	bool sequence; /* has a sequence id: the submitID */
};

/* NULL if there is no such type. */
const struct message_type_info *message_type_info(unsigned type);

#define MESSAGE_HEADER   13 /* bytes before the JSON */
#define MESSAGE_SEQUENCE 8  /* bytes of a sequence id */
#define MESSAGE_JSON_MAX (1u << 20)

struct message {
	enum message_type type;
	uint64_t sequence; /* 0 where the type has none */
	uint64_t tag;      /* 0: of no workload */
	const char *json;  /* not terminated */
	uint32_t len;
};

/* Messages, one after the other. */
struct message_buffer {
	uint8_t *data;
	size_t len, cap;
	/* Takes all messages, once there are MESSAGE_DRAIN bytes and at
	 * message_drain(). NULL: they are kept, and the buffer grows. */
	void (*drain)(struct message_buffer *b, const uint8_t *data, size_t n);
};

#define MESSAGE_DRAIN ((size_t)64 << 10)

void message_buffer_free(struct message_buffer *b);
void message_drain(struct message_buffer *b);
/* Makes room for n more bytes and returns where; the caller adds to len. */
uint8_t *message_more(struct message_buffer *b, size_t n);

static inline uint8_t *
message_room(struct message_buffer *b, size_t n)
{
	if (__builtin_expect(b->cap - b->len < n, 0))
		return message_more(b, n);
	return b->data + b->len;
}

/* Writes a message's header to at and returns where its JSON goes. */
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

/* Appends a message; its JSON is copied. */
void message_add(struct message_buffer *b, const struct message *m);

/*
 * Reads the message at the beginning of data, of *used bytes; m points into
 * data. NULL, or what is wrong with it. *more: it may be complete with more
 * bytes behind it.
 */
const char *message_decode(const uint8_t *data, size_t len, struct message *m,
    size_t *used, bool *more);

/* Checks the JSON, which has to be one object: message_decode() does not. NULL,
 * or what is wrong with it. */
const char *message_check(const struct message *m);

/* Appends the line that --layer-dump prints, without a newline. */
void message_print(const struct message *m, struct text *t);

/* Appends a line of its fields in words, such as "renderpass 1920x1080 725 draws
 * C0 C1 D"; the JSON itself if it has none of those. */
void message_describe(const struct message *m, struct text *out);
/* Appends the JSON with a line for each field. */
void message_print_json(const struct message *m, struct text *out);

/*
 * The merger joins a stream's messages to one record for each executed
 * workload: its metadata and the fields of all its annexes. Its memory is
 * bounded: if too many records wait, the oldest goes out incomplete.
 */

struct merged {
	uint64_t submit; /* 0: its command buffer has no submitID */
	uint64_t tag;
	bool complete;    /* false: an annex that it needs is missing */
	const char *json; /* keys sorted, zero terminated */
	size_t len;
};

struct merger;

/* done gets each record when it is complete. At most bound records wait (0:
 * 4096), of 2 KiB on average if there are more than 4096. */
struct merger *merge_new(
    void (*done)(void *user, const struct merged *m), void *user, size_t bound);
void merge_free(struct merger *m); /* drops records that wait */
/* NULL, or what is wrong with the message; valid until the next call. */
const char *merge_message(struct merger *m, const struct message *message);
/* No more messages come: records that wait go to done as they are. */
void merge_finish(struct merger *m);

#endif
