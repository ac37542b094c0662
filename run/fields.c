/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "run/fields.h"

#include <math.h>
#include <string.h>

#include "base/text.h"

static void
add_key(struct text *err, const char *key)
{
	text_addc(err, '\'');
	text_add_visible(err, key, strlen(key));
	text_addc(err, '\'');
}

static bool
is_known(const struct field *fields, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(fields[i].key, key) == 0)
			return true;
	return false;
}

static bool
all_known(const json_t *object, const struct field *fields, size_t n,
    struct text *err)
{
	json_t *o = (json_t *)(uintptr_t)object; /* an iterator wants it */

	for (void *i = json_object_iter(o); i != NULL;
	     i = json_object_iter_next(o, i)) {
		const char *key = json_object_iter_key(i);

		if (is_known(fields, n, key))
			continue;
		text_adds(err, "unknown key ");
		add_key(err, key);
		text_adds(err, ": use");
		for (size_t k = 0; k < n; k++)
			text_addf(
			    err, "%s %s", k > 0 ? "," : "", fields[k].key);
		return false;
	}
	return true;
}

static bool
wrong(const struct field *field, struct text *err)
{
	static const char *const wanted[] = {
	    [FIELD_REAL] = "a number",
	    [FIELD_BOOL] = "true or false",
	    [FIELD_STRING] = "a string",
	    [FIELD_OBJECT] = "an object",
	    [FIELD_ARRAY] = "an array",
	};

	text_addf(err, "'%s' takes ", field->key);
	if (field->type == FIELD_INTEGER)
		text_addf(err, "a whole number from %lld to %lld",
		    (long long)field->min, (long long)field->max);
	else
		text_adds(err, wanted[field->type]);
	return false;
}

static bool
take_integer(const struct field *field, const json_t *value)
{
	json_int_t n = json_integer_value(value);

	if (!json_is_integer(value) || n < field->min || n > field->max)
		return false;
	*(int64_t *)field->to = n;
	return true;
}

static bool
take(const struct field *field, const json_t *value)
{
	bool ok = false;

	switch (field->type) {
	case FIELD_INTEGER: return take_integer(field, value);
	case FIELD_REAL:
		ok = json_is_number(value) &&
		    isfinite(json_number_value(value));
		if (ok)
			*(double *)field->to = json_number_value(value);
		return ok;
	case FIELD_BOOL:
		ok = json_is_boolean(value);
		if (ok)
			*(bool *)field->to = json_is_true(value);
		return ok;
	case FIELD_STRING: ok = json_is_string(value); break;
	case FIELD_OBJECT: ok = json_is_object(value); break;
	case FIELD_ARRAY: ok = json_is_array(value); break;
	}
	if (ok)
		*(const json_t **)field->to = value;
	return ok;
}

bool
fields_read(const json_t *object, const struct field *fields, size_t n,
    struct text *err)
{
	for (size_t i = 0; i < n; i++) {
		const json_t *value = json_object_get(object, fields[i].key);

		if (value == NULL && fields[i].optional)
			continue;
		if (value == NULL) {
			text_addf(err, "'%s' is missing", fields[i].key);
			return false;
		}
		if (!take(&fields[i], value))
			return wrong(&fields[i], err);
	}
	return all_known(object, fields, n, err);
}
