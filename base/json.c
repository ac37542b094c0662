/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of jansson objects, and JSON strings added to a text. */
#include "base/json.h"

#include <string.h>

#include "base/utf8.h"

#define REPLACEMENT 0xfffd

void
json_put_count(json_t *o, const char *key, uint64_t n)
{
	json_int_t value = n < INT64_MAX ? (json_int_t)n : INT64_MAX;

	json_object_set_new(o, key, json_integer(value));
}

void
json_put_integer(json_t *o, const char *key, int64_t n)
{
	json_object_set_new(o, key, json_integer(n));
}

void
json_put_real(json_t *o, const char *key, double value)
{
	json_object_set_new(o, key, json_real(value));
}

void
json_put_bool(json_t *o, const char *key, bool value)
{
	json_object_set_new(o, key, json_boolean(value));
}

void
json_put_string(json_t *o, const char *key, const char *s)
{
	json_t *value = json_string(s);
	struct text visible = {0};

	if (value == NULL) {
		text_add_visible(&visible, s, strlen(s));
		value = json_string(text_str(&visible));
		text_free(&visible);
	}
	json_object_set_new(o, key, value);
}

void
json_add_key(struct text *out, const char *key)
{
	text_adds(out, out->data[out->len - 1] == '{' ? "\"" : ",\"");
	text_adds(out, key);
	text_adds(out, "\":");
}

/* Adds the escape of a character: two, a surrogate pair, above U+FFFF. */
static void
add_escape(struct text *out, uint32_t code)
{
	if (code >= 0x10000) {
		code -= 0x10000;
		text_addf(out, "\\u%04x", 0xd800 + (code >> 10));
		code = 0xdc00 + (code & 0x3ff);
	}
	text_addf(out, "\\u%04x", code);
}

/* Adds a character as it is inside of a string. */
static void
add_character(
    struct text *out, const char *s, const struct utf8_char *c, bool ascii)
{
	bool replaced = !c->valid || c->code == 0;
	uint32_t code = replaced ? REPLACEMENT : c->code;

	if (code == '"' || code == '\\')
		text_addf(out, "\\%c", *s);
	else if (code < ' ' || code == 0x7f || (code > 0x7f && ascii))
		add_escape(out, code);
	else if (replaced)
		text_adds(out, "\xef\xbf\xbd");
	else
		text_add(out, s, c->len);
}

/* Adds a string of len bytes, cut off when it has max bytes. */
static void
add_string(struct text *out, const char *s, size_t len, bool ascii, size_t max)
{
	size_t begin = out->len, i = 0;

	text_addc(out, '"');
	while (i < len && out->len - begin < max) {
		struct utf8_char c = utf8_decode(s + i, len - i);

		add_character(out, s + i, &c, ascii);
		i += c.len;
	}
	if (i < len)
		text_adds(out, "\xe2\x80\xa6");
	text_addc(out, '"');
}

void
json_add_string(struct text *out, const char *s, size_t len, bool ascii)
{
	add_string(out, s, len, ascii, SIZE_MAX);
}

void
json_add_short(struct text *out, const char *s, size_t max)
{
	add_string(out, s, strlen(s), false, max);
}

void
json_add_ascii(struct text *out, const char *json, size_t len)
{
	for (size_t i = 0; i < len;) {
		struct utf8_char c = utf8_decode(json + i, len - i);

		if (c.valid && c.code < 0x80)
			text_addc(out, json[i]);
		else
			add_escape(out, c.valid ? c.code : REPLACEMENT);
		i += c.len;
	}
}
