/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "base/json_put.h"

#include <string.h>

#include "base/text.h"

void
json_put_count(json_t *o, const char *key, uint64_t n)
{
	json_int_t value = n < INT64_MAX ? (json_int_t)n : INT64_MAX;

	json_object_set_new(o, key, json_integer(value));
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
