/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Strings and numbers of the exported files. */
#ifndef BASE_EXPORT_TEXT_H
#define BASE_EXPORT_TEXT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"

/* s as UTF-8: U+FFFD for each byte that is not part of any. */
void export_utf8(struct text *out, const char *s);

/* s as a JSON string with its quotes; ascii: nothing above 0x7f is in it, but
 * escapes as UTF-16 has them. */
void export_json_string(struct text *out, const char *s, bool ascii);

/* No longer than about max bytes: what is left out is an ellipsis. */
void export_json_short(struct text *out, const char *s, size_t max);

/* JSON with strings of UTF-8: the same with escapes instead of all above 0x7f. */
void export_json_ascii(struct text *out, const char *json, size_t len);

/* In digits, added as all here. */
void export_count(struct text *out, uint64_t n);
void export_number(struct text *out, int64_t n);
/* Microseconds with three decimals. */
void export_us(struct text *out, uint64_t ns);

#endif
