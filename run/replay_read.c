/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads recordings, which are hostile input: each line becomes a plan, an
 * action, nothing (a note), or an error with the line's number. Objects are
 * read by tables of their keys (fields_read()), so that a missing, unknown or
 * invalid key is an error.
 */
#include "run/replay_read.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "run/plan.h"

static bool
read_end(struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	struct time_fields time;
	const json_t *word;
	const struct json_field fields[] = {
	    TIME_FIELDS(&time),
	    FIELD("end", STRING, &word),
	};
	size_t end;

	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !reader_find_word(
		rd, "end", word, recording_ends, N_RECORDING_ENDS, &end))
		return false;
	a->is_end = true;
	a->end = (enum recording_end)end;
	rd->ended = true;
	return true;
}

static bool
read_note(struct recording_reader *rd, const json_t *o)
{
	struct time_fields time;
	const json_t *note, *value;
	const struct json_field fields[] = {
	    TIME_FIELDS(&time),
	    FIELD("note", STRING, &note),
	    FIELD_OPTIONAL("value", STRING, &value),
	};

	return fields_read(o, fields, N(fields), rd->err);
}

/* Reads the time of a line. Lines are in order of time. */
static bool
read_time(struct recording_reader *rd, const json_t *o)
{
	static const char *const keys[] = {"at_ns", "instant"};
	uint64_t *before[] = {&rd->at, &rd->instant};

	for (size_t i = 0; i < 2; i++) {
		const json_t *value = json_object_get(o, keys[i]);
		json_int_t n = json_integer_value(value);

		if (!json_is_integer(value) || n < 0)
			continue; /* the reader of the line reports that */
		if ((uint64_t)n < *before[i]) {
			text_addf(rd->err,
			    "'%s' goes back from %llu to %llu: expected lines "
			    "in order of time",
			    keys[i], (unsigned long long)*before[i],
			    (unsigned long long)n);
			return false;
		}
		*before[i] = (uint64_t)n;
	}
	return true;
}

static bool
read_action(struct recording_reader *rd, const json_t *o)
{
	struct replay *r = rd->r;
	struct replay_action *a;

	if (!read_time(rd, o))
		return false;
	if (json_object_get(o, "note") != NULL)
		return read_note(rd, o);
	r->actions = mem_grow(r->actions, r->n, &r->cap, sizeof(*r->actions));
	a = &r->actions[r->n++];
	*a = (struct replay_action){.line = rd->line};
	if (json_object_get(o, "i915") != NULL      ? !read_words(rd, o, a)
		: json_object_get(o, "end") != NULL ? !read_end(rd, o, a)
						    : !read_control(rd, o, a))
		return false;
	a->at = rd->at;
	a->instant = rd->instant;
	return true;
}

static bool
is_no_recording(struct recording_reader *rd)
{
	text_adds(rd->err,
	    "not a recording: expected a first line "
	    "{\"gpuwl_recording\":1,...");
	return false;
}

static bool
read_first_line(struct recording_reader *rd, const json_t *o)
{
	const json_t *version, *launch;
	int64_t format;
	const struct json_field fields[] = {
	    FIELD_RANGE("gpuwl_recording", &format, 1, INT64_MAX),
	    FIELD("version", STRING, &version),
	    FIELD("launch", OBJECT, &launch),
	};

	if (json_object_get(o, "gpuwl_recording") == NULL)
		return is_no_recording(rd);
	if (!fields_read(o, fields, N(fields), rd->err))
		return false;
	if (format != RECORDING_VERSION) {
		text_addf(rd->err, "unknown format %lld: expected %d",
		    (long long)format, RECORDING_VERSION);
		return false;
	}
	rd->r->version = mem_strdup(json_string_value(version));
	return read_launch(rd, launch);
}

static bool
read_again(struct recording_reader *rd, const json_t *o)
{
	const json_t *launch;
	const struct json_field fields[] = {FIELD("launch", OBJECT, &launch)};

	return fields_read(o, fields, N(fields), rd->err) &&
	    read_launch(rd, launch);
}

static bool
read_object(struct recording_reader *rd, const json_t *o)
{
	if (!json_is_object(o)) {
		text_adds(rd->err, "invalid line: expected an object, {...}");
		return false;
	}
	if (rd->line == 1)
		return read_first_line(rd, o);
	if (rd->ended) {
		text_adds(rd->err, "unexpected line after the end");
		return false;
	}
	if (json_object_get(o, "launch") != NULL)
		return read_again(rd, o);
	return read_action(rd, o);
}

static bool
read_json_line(struct recording_reader *rd, const char *line, size_t len)
{
	json_error_t error;
	json_t *o = json_loadb(line, len,
	    JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	bool ok;

	/* A descriptor, or another text. */
	if (o == NULL && rd->line == 1 && (len == 0 || *line != '{'))
		return is_no_recording(rd);
	if (o == NULL) {
		text_adds(rd->err, "invalid JSON: ");
		text_add_visible(rd->err, error.text, strlen(error.text));
		return false;
	}
	ok = read_object(rd, o);
	json_decref(o);
	return ok;
}

static bool
read_recording(struct recording_reader *rd, const char *text, size_t len)
{
	const char *end = text + len;

	if (len == 0) {
		rd->line = 1;
		return is_no_recording(rd);
	}
	do {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline != NULL ? newline : end;

		rd->line++;
		if (!read_json_line(rd, text, (size_t)(stop - text)))
			return false;
		text = stop + 1;
	} while (text < end);
	return true;
}

bool
replay_parse(struct replay *r, struct plan *plan, const char *path,
    const char *text, size_t len, struct text *err)
{
	struct text why = {0};
	struct recording_reader rd = {.r = r, .plan = plan, .err = &why};
	bool ok;

	*r = (struct replay){.path = mem_strdup(path)};
	*plan = (struct plan){0};
	ok = read_recording(&rd, text, len);
	if (!ok) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, ":%zu: error: %s\n", rd.line, text_str(&why));
	}
	text_free(&why);
	r->n_lines = rd.line;
	r->past = plan_past(plan);
	r->is_unfinished = !rd.ended;
	return ok && plan_check(plan, false, false, err);
}

bool
replay_open(
    struct replay *r, struct plan *plan, const char *path, struct text *err)
{
	struct text contents = {0}, why = {0};
	struct file_stamp stamp;
	bool ok;

	*r = (struct replay){0};
	*plan = (struct plan){0};
	ok = file_read(path, &contents, &stamp, &why);
	if (ok)
		ok = replay_parse(
		    r, plan, path, text_str(&contents), contents.len, err);
	else
		source_add_line(err, text_str(&why));
	text_free(&contents);
	text_free(&why);
	return ok;
}

void
replay_forget(struct replay *r)
{
	for (size_t i = 0; i < r->n; i++) {
		struct replay_action *a = &r->actions[i];

		if (a->control.program != NULL)
			program_unref(a->control.program);
		if (a->source != NULL)
			source_close(a->source);
		free(a->source);
		free(a->words);
	}
	free(r->actions);
	r->actions = NULL;
	r->n = r->cap = r->next = 0;
}

void
replay_close(struct replay *r)
{
	replay_forget(r);
	free(r->path);
	free(r->version);
	*r = (struct replay){0};
}

static void
add_quoted_key(struct text *err, const char *key)
{
	text_addc(err, '\'');
	text_add_visible(err, key, strlen(key));
	text_addc(err, '\'');
}

static bool
is_known_key(const struct json_field *fields, size_t n, const char *key)
{
	for (size_t i = 0; i < n; i++)
		if (strcmp(fields[i].key, key) == 0)
			return true;
	return false;
}

static bool
all_keys_known(const json_t *object, const struct json_field *fields, size_t n,
    struct text *err)
{
	json_t *o =
	    (json_t *)(uintptr_t)object; /* jansson's iterators take no const */

	for (void *i = json_object_iter(o); i != NULL;
	     i = json_object_iter_next(o, i)) {
		const char *key = json_object_iter_key(i);

		if (is_known_key(fields, n, key))
			continue;
		text_adds(err, "unknown key ");
		add_quoted_key(err, key);
		text_adds(err, ": expected");
		for (size_t k = 0; k < n; k++)
			text_addf(
			    err, "%s %s", k > 0 ? "," : "", fields[k].key);
		return false;
	}
	return true;
}

static bool
refuse_value(const struct json_field *field, struct text *err)
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
take_integer(const struct json_field *field, const json_t *value)
{
	json_int_t n = json_integer_value(value);

	if (!json_is_integer(value) || n < field->min || n > field->max)
		return false;
	*(int64_t *)field->to = n;
	return true;
}

static bool
take_field(const struct json_field *field, const json_t *value)
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
fields_read(const json_t *object, const struct json_field *fields, size_t n,
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
		if (!take_field(&fields[i], value))
			return refuse_value(&fields[i], err);
	}
	return all_keys_known(object, fields, n, err);
}
