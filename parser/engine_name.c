/* SPDX-License-Identifier: GPL-3.0-or-later */
/* CLASS[instance][-gt] (facts: gem_wsim's engine names). */
#include "parser/engine_name.h"

#include <string.h>

#include "base/text.h"

#define MAX_INSTANCE_DIGITS 3
#define MAX_GT_DIGITS       2

const char *const engine_class_names[N_CLASSES + 1] = {
    [CLASS_RCS] = "RCS",
    [CLASS_BCS] = "BCS",
    [CLASS_VCS] = "VCS",
    [CLASS_VECS] = "VECS",
    [CLASS_CCS] = "CCS",
    [CLASS_DEFAULT] = "DEFAULT",
};

/* Length of the class name that s begins with, 0 if none. */
static size_t
parse_class(const char *s, size_t len, uint8_t *class)
{
	for (uint8_t i = 0; i <= N_CLASSES; i++) {
		const char *name = engine_class_names[i];
		size_t n = i == CLASS_DEFAULT ? 7 : i == CLASS_VECS ? 4 : 3;
		size_t k = 0;

		if (n > len)
			continue;
		while (k < n && (s[k] & ~0x20) == name[k])
			k++;
		if (k == n) {
			*class = i;
			return n;
		}
	}
	return 0;
}

/* Digits without leading zeros; their number, 0 if there are none. */
static size_t
parse_digits(const char *s, size_t len, size_t max, int *value)
{
	size_t n = 0;

	*value = 0;
	while (n < len && s[n] >= '0' && s[n] <= '9') {
		if (n == max)
			return 0;
		*value = *value * 10 + (s[n++] - '0');
	}
	if (n > 1 && s[0] == '0')
		return 0;
	return n;
}

bool
engine_name_parse(struct engine_name *name, const char *s, size_t len)
{
	struct engine_name got = {.gt = -1};
	size_t at = parse_class(s, len, &got.class);
	int value;

	if (!at)
		return false;
	if (at < len && got.class == CLASS_DEFAULT)
		return false;
	if (at < len && s[at] != '-') {
		size_t n = parse_digits(
		    s + at, len - at, MAX_INSTANCE_DIGITS, &value);

		if (!n || !value)
			return false;
		got.instance = value;
		at += n;
	}
	if (at < len) {
		size_t n;

		if (s[at++] != '-')
			return false;
		n = parse_digits(s + at, len - at, MAX_GT_DIGITS, &value);
		if (!n)
			return false;
		got.gt = (int16_t)value;
		at += n;
	}
	if (at != len)
		return false;
	*name = got;
	return true;
}

void
engine_name_print(struct text *t, struct engine_name name)
{
	text_adds(t, engine_class_names[name.class]);
	if (name.instance)
		text_addf(t, "%d", name.instance);
	if (name.gt >= 0)
		text_addf(t, "-%d", name.gt);
}

bool
engine_name_equal(struct engine_name a, struct engine_name b)
{
	return a.class == b.class && a.gt == b.gt && a.instance == b.instance;
}
