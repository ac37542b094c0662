/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The wire protocol of Arm's host server: headers, answers, and the registry's
 * list of services.
 */
#include <endian.h>
#include <string.h>

#include "trace/host.h"

#define ENTRY 5 /* bytes of a service in the list, before its name */

static uint32_t
get_u32(const uint8_t *at)
{
	uint32_t n;

	memcpy(&n, at, sizeof(n));
	return le32toh(n);
}

static uint64_t
get_u64(const uint8_t *at)
{
	uint64_t n;

	memcpy(&n, at, sizeof(n));
	return le64toh(n);
}

void
host_put_header(uint8_t at[HOST_HEADER], enum host_type type, uint8_t endpoint,
    uint64_t id, uint32_t size)
{
	at[0] = (uint8_t)type;
	at[1] = endpoint;
	id = htole64(id);
	memcpy(at + 2, &id, sizeof(id));
	size = htole32(size);
	memcpy(at + 10, &size, sizeof(size));
}

uint32_t
host_payload_size(const uint8_t header[HOST_HEADER])
{
	return get_u32(header + 10);
}

/* Checks as much of a header as there is, so that bytes that are not an answer show at
 * its first byte. */
static const char *
check_header(const uint8_t *data, size_t len, uint64_t id)
{
	if (len > 0 && data[0] != HOST_ASK)
		return "invalid answer from the server";
	if (len > 1 && data[1] != HOST_REGISTRY)
		return "the server's answer names another endpoint";
	if (len >= 10 && get_u64(data + 2) != id)
		return "the server's answer is to another question";
	if (len >= HOST_HEADER && get_u32(data + 10) > HOST_ANSWER_MAX)
		return "the server's answer is too long";
	return NULL;
}

const char *
host_read_answer(const uint8_t *data, size_t len, uint64_t id, size_t *used,
    const uint8_t **payload)
{
	const char *wrong = check_header(data, len, id);
	size_t size;

	*used = 0;
	*payload = NULL;
	if (wrong != NULL || len < HOST_HEADER)
		return wrong;
	size = get_u32(data + 10);
	if (len - HOST_HEADER < size)
		return NULL;
	*used = HOST_HEADER + size;
	*payload = data + HOST_HEADER;
	return NULL;
}

const char *
host_find_service(const uint8_t *list, size_t len, const char *name,
    uint8_t *endpoint, struct text *names)
{
	size_t wanted = strlen(name);

	*endpoint = HOST_REGISTRY;
	while (len > 0) {
		const char *at = (const char *)list + ENTRY;
		size_t n;

		if (len < ENTRY)
			return "the server's list of services ends in an entry";
		n = get_u32(list + 1);
		if (len - ENTRY < n)
			return "the server's list of services ends in a name";
		if (n == wanted && memcmp(at, name, n) == 0)
			*endpoint = list[0];
		if (names->len > 0)
			text_adds(names, ", ");
		text_add_visible(names, at, n);
		list += ENTRY + n;
		len -= ENTRY + n;
	}
	return NULL;
}
