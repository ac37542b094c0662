/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A buffer for JSON of fixed text, names and numbers. Its size is bounded, so
 * it needs no allocation. base/json.h is for strings of users.
 */
#ifndef LAYERSTREAM_JSON_H
#define LAYERSTREAM_JSON_H

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Bytes; the longest is a render pass with all attachments. */
#define JSON_MAX 2048

struct json {
	uint32_t len;
	char data[JSON_MAX];
};

static inline void
json_put(struct json *j, const char *s, size_t len)
{
	if (len > JSON_MAX - j->len)
		abort();
	memcpy(j->data + j->len, s, len);
	j->len += (uint32_t)len;
}

static inline void
json_puts(struct json *j, const char *s)
{
	json_put(j, s, strlen(s));
}

#define JSON_DIGITS 20 /* most digits of a number */

/* Writes the digits of value before end and returns their beginning. */
static inline char *
json_digits(char *end, uint64_t value)
{
	char *p = end;

	/* Two digits at a time: times are long. */
	for (; value >= 100; value /= 100) {
		unsigned two = (unsigned)(value % 100);

		*--p = (char)('0' + two % 10);
		*--p = (char)('0' + two / 10);
	}
	if (value >= 10)
		*--p = (char)('0' + value % 10);
	*--p = (char)('0' + (value >= 10 ? value / 10 : value));
	return p;
}

static inline void
json_put_unsigned(struct json *j, uint64_t value)
{
	char digits[JSON_DIGITS], *end = digits + JSON_DIGITS;
	char *p = json_digits(end, value);

	json_put(j, p, (size_t)(end - p));
}

static inline void
json_put_number(struct json *j, int64_t value)
{
	if (value < 0)
		json_put(j, "-", 1);
	json_put_unsigned(j, value < 0 ? -(uint64_t)value : (uint64_t)value);
}

/* Adds `"key":`, after a comma unless it is the object's first. */
static inline void
json_key(struct json *j, const char *key)
{
	json_puts(j, j->data[j->len - 1] == '{' ? "\"" : ",\"");
	json_puts(j, key);
	json_put(j, "\":", 2);
}

static inline void
json_number(struct json *j, const char *key, int64_t value)
{
	json_key(j, key);
	json_put_number(j, value);
}

static inline void
json_unsigned(struct json *j, const char *key, uint64_t value)
{
	json_key(j, key);
	json_put_unsigned(j, value);
}

/* name needs no escapes. */
static inline void
json_name(struct json *j, const char *key, const char *name)
{
	json_key(j, key);
	json_put(j, "\"", 1);
	json_puts(j, name);
	json_put(j, "\"", 1);
}

#endif
