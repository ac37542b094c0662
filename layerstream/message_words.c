/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Messages in words, for lists: a line of the fields that are known, without
 * those of value -1 ("unknown"). doc/layer.md "Messages" has the fields.
 */
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "layerstream/message.h"
#include "layerstream/workload.h"

#define PRETTY_INDENT 2

/* Sets *n to a field's number. False: it has none, or is unknown. */
static bool
field_number(const json_t *fields, const char *key, int64_t *n)
{
	const json_t *value = json_object_get(fields, key);

	*n = json_integer_value(value);
	return json_is_integer(value) && *n != WORKLOAD_UNKNOWN;
}

/* Begins the next word of the line. */
static void
begin_word(struct text *out, size_t start)
{
	if (out->len > start)
		text_addc(out, ' ');
}

/* Begins a part that says more of the words before it. */
static void
begin_part(struct text *out, size_t start)
{
	if (out->len > start)
		text_adds(out, ", ");
}

static void
say_string(struct text *out, const json_t *value)
{
	if (json_is_string(value))
		text_add_visible(
		    out, json_string_value(value), json_string_length(value));
}

/* Says "1920x1080": fields in that order, as far as they are known. */
static void
say_size(struct text *out, size_t start, const json_t *fields,
    const char *const keys[], unsigned n_keys, const char *after)
{
	bool any = false;

	for (unsigned i = 0; i < n_keys; i++) {
		int64_t n;

		if (!field_number(fields, keys[i], &n))
			continue;
		if (any)
			text_addc(out, 'x');
		else
			begin_word(out, start);
		text_addf(out, "%" PRId64, n);
		any = true;
	}
	if (any)
		text_adds(out, after);
}

/* Says "725 draws", "1 draw". */
static void
say_count(struct text *out, size_t start, const json_t *fields, const char *key,
    const char *one, const char *several)
{
	int64_t n;

	if (!field_number(fields, key, &n))
		return;
	begin_word(out, start);
	if (n == WORKLOAD_WHOLE)
		text_addf(out, "all %s", several);
	else
		text_addf(out, "%" PRId64 " %s", n, n == 1 ? one : several);
}

/* Says "device 1", "queue 2". */
static void
say_numbered(
    struct text *out, size_t start, const json_t *fields, const char *key)
{
	int64_t n;

	if (!field_number(fields, key, &n))
		return;
	begin_word(out, start);
	text_addf(out, "%s %" PRId64, key, n);
}

static void
say_flag(struct text *out, size_t start, const json_t *fields, const char *key)
{
	if (!json_is_true(json_object_get(fields, key)))
		return;
	begin_part(out, start);
	text_adds(out, key);
}

/* Says "Frame > Shadow". */
static void
say_labels(struct text *out, size_t start, const json_t *labels)
{
	const json_t *label;
	size_t i;

	if (json_array_size(labels) > 0)
		begin_word(out, start);
	json_array_foreach(labels, i, label)
	{
		if (i > 0)
			text_adds(out, " > ");
		say_string(out, label);
	}
}

/* Says "C0 C1 D"; what an attachment is resolved into has an r behind it. */
static void
say_attachments(struct text *out, size_t start, const json_t *attachments)
{
	const json_t *attachment;
	size_t i;

	json_array_foreach(attachments, i, attachment)
	{
		begin_word(out, start);
		say_string(out, json_object_get(attachment, "binding"));
		if (json_is_true(json_object_get(attachment, "resolve")))
			text_addc(out, 'r');
	}
}

static void
say_time(struct text *out, size_t start, const json_t *fields)
{
	char buf[UNITS_LEN];
	int64_t ns;

	if (!field_number(fields, "timestamp", &ns) || ns < 0)
		return;
	begin_word(out, start);
	text_addf(out, "at %s", format_time_step(buf, (nsec)ns, NSEC_PER_USEC));
}

/* Says the type of a workload; what a transfer does. */
static void
say_type(struct text *out, size_t start, const struct message *m,
    const json_t *fields)
{
	const json_t *what = json_object_get(fields, "subtype");

	if (m->type != MESSAGE_WORKLOAD)
		return;
	begin_word(out, start);
	say_string(out, what != NULL ? what : json_object_get(fields, "type"));
}

static void
say_fields(struct text *out, const struct message *m, const json_t *fields)
{
	static const char *const pass[] = {"width", "height"};
	static const char *const groups[] = {"xGroups", "yGroups", "zGroups"};
	static const char *const items[] = {"xItems", "yItems", "zItems"};
	size_t start = out->len;

	say_string(out, json_object_get(fields, "deviceName"));
	say_labels(out, start, json_object_get(fields, "label"));
	say_type(out, start, m, fields);
	say_size(out, start, fields, pass, 2, "");
	say_size(out, start, fields, groups, 3, " groups");
	say_size(out, start, fields, items, 3, " items");
	say_count(out, start, fields, "byteCount", "byte", "bytes");
	say_count(out, start, fields, "pixelCount", "pixel", "pixels");
	say_count(out, start, fields, "drawCallCount", "draw", "draws");
	say_count(out, start, fields, "parts", "part", "parts");
	say_count(out, start, fields, "subpassCount", "subpass", "subpasses");
	say_attachments(out, start, json_object_get(fields, "attachments"));
	say_flag(out, start, fields, "indirect");
	say_flag(out, start, fields, "split");
	say_flag(out, start, fields, "unfinished");
	if (m->type == MESSAGE_FRAME) {
		begin_word(out, start);
		text_adds(out, "frame");
		say_size(
		    out, start, fields, (const char *const[]){"fid"}, 1, "");
	}
	say_numbered(out, start, fields, "device");
	say_numbered(out, start, fields, "queue");
	say_time(out, start, fields);
}

void
message_describe(const struct message *m, struct text *out)
{
	json_t *fields = json_loadb(m->json, m->len, JSON_ALLOW_NUL, NULL);
	size_t start = out->len;

	if (fields != NULL)
		say_fields(out, m, fields);
	if (out->len == start &&
	    json_is_array(json_object_get(fields, "label")))
		text_adds(out, "no label");
	if (out->len == start)
		text_add_visible(out, m->json, m->len);
	json_decref(fields);
}

void
message_print_json(const struct message *m, struct text *out)
{
	json_t *fields = json_loadb(m->json, m->len, JSON_ALLOW_NUL, NULL);
	char *pretty = fields != NULL
	    ? json_dumps(fields, JSON_INDENT(PRETTY_INDENT))
	    : NULL;

	if (pretty != NULL)
		text_adds(out, pretty);
	else
		text_add_visible(out, m->json, m->len);
	free(pretty);
	json_decref(fields);
}
