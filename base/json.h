/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON. The json_put functions set members of a jansson object: reports,
 * recordings and error states. The json_add functions append text to a
 * stream: traces.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

#include "base/text.h"

/* Sets a member to n, to INT64_MAX if n is above. */
void json_put_count(json_t *o, const char *key, uint64_t n);
void json_put_integer(json_t *o, const char *key, int64_t n);
void json_put_real(json_t *o, const char *key, double value);
void json_put_bool(json_t *o, const char *key, bool value);
/* Sets a member to s. If s is not valid UTF-8, as a file name need not be, the
 * member is what text_add_visible() makes of it. */
void json_put_string(json_t *o, const char *key, const char *s);

/* Adds "key": with a comma before it, unless it is the first of its object. The
 * key must not need escapes. */
void json_add_key(struct text *out, const char *key);
/* Adds s, len bytes, as a string in quotes; U+FFFD replaces zeros and bytes that
 * are not valid UTF-8. ascii: characters above 0x7f are escaped. */
void json_add_string(struct text *out, const char *s, size_t len, bool ascii);
/* Adds s, zero terminated, as a string that ends with an ellipsis after about
 * max bytes. */
void json_add_short(struct text *out, const char *s, size_t max);
/* Adds JSON text with each character above 0x7f escaped. */
void json_add_ascii(struct text *out, const char *json, size_t len);

#endif
