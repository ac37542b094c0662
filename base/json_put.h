/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Members of a JSON object: what --json, recordings and error states write. */
#ifndef BASE_JSON_PUT_H
#define BASE_JSON_PUT_H

#include <stdbool.h>
#include <stdint.h>

#include <jansson.h>

void json_put_count(json_t *o, const char *key, uint64_t n);
void json_put_bool(json_t *o, const char *key, bool value);
/* JSON is UTF-8; a name or an argument of the command line need not be: then it
 * is written as it is shown (text_add_visible()). */
void json_put_string(json_t *o, const char *key, const char *s);

#endif
