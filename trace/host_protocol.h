/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The frames in which Arm's layers and their host server talk
 * (doc/layer.md "Arm's wire protocol"): a header and a payload. All begins
 * at the client; only what it asks (HOST_ASK) is answered, in order.
 */
#ifndef TRACE_HOST_PROTOCOL_H
#define TRACE_HOST_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

#define HOST_HEADER   14
#define HOST_REGISTRY 0 /* the endpoint that knows all others */
/* An answer is a list of at most 256 names: this is far above it. */
#define HOST_ANSWER_MAX ((uint32_t)64 << 10)

enum host_type {
	HOST_TELL = 0,
	HOST_ASK = 2,
};

/* Writes the header of a message with a payload of that size. id: of a
 * question, from 1; else 0. */
void host_put_header(uint8_t at[HOST_HEADER], enum host_type type,
    uint8_t endpoint, uint64_t id, uint32_t size);

/*
 * Reads the answer to the question with that id at the beginning of data.
 * NULL: *used is what it takes, 0 if more bytes are needed; *payload (of
 * *used - HOST_HEADER bytes) is in data. Else what is wrong with it.
 */
const char *host_read_answer(const uint8_t *data, size_t len, uint64_t id,
    size_t *used, const uint8_t **payload);

struct text;

/*
 * Looks for the endpoint of a service in what the registry answered. NULL: it
 * is *endpoint, 0 if there is none. Else what is wrong with the list. The
 * names that it has are added to names, with ", " between.
 */
const char *host_find_service(const uint8_t *list, size_t len, const char *name,
    uint8_t *endpoint, struct text *names);

#endif
