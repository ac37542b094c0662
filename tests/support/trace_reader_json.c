/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads Chrome's trace events: times are microseconds with three decimals. */
#include <stdio.h>
#include <string.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/trace_reader_private.h"

static uint64_t
get_time(json_t *event, const char *key)
{
	json_t *value = json_object_get(event, key);

	assert_true(json_is_real(value));
	return (uint64_t)(json_real_value(value) * 1000 + 0.5);
}

/* Threads count from here; a group's own row is number 0. */
#define FIRST_THREAD 10000000

static uint32_t
get_row(json_t *event)
{
	json_int_t tid = json_integer_value(json_object_get(event, "tid"));

	return tid >= FIRST_THREAD ? (uint32_t)(tid - FIRST_THREAD) : 0;
}

static int64_t
get_number(json_t *object, const char *key)
{
	return json_integer_value(json_object_get(object, key));
}

static const char *
get_text(json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static void
see_name(struct seen_trace *t, json_t *event)
{
	const char *what = get_text(event, "name");

	if (strcmp(what, "process_name") == 0 ||
	    strcmp(what, "thread_name") == 0)
		seen_add_row(t, (uint32_t)get_number(event, "pid"),
		    get_row(event),
		    get_text(json_object_get(event, "args"), "name"));
}

/* Belongs to the slice just before it. */
static void
see_flow(struct seen_trace *t, json_t *event, bool leads)
{
	const struct seen *s = &t->events[t->n - 1];

	assert_true(t->n > 0);
	assert_int_equal(s->kind, SEEN_SLICE);
	assert_int_equal(s->group, get_number(event, "pid"));
	assert_int_equal(s->number, get_row(event));
	if (leads)
		assert_int_equal(s->start, get_time(event, "ts"));
	assert_in_range(get_time(event, "ts"), s->start, s->end - 1);
	seen_add_arrow(t, (uint64_t)get_number(event, "id"), leads, t->n - 1);
}

static void
see_json(struct seen_trace *t, json_t *event)
{
	json_t *args = json_object_get(event, "args");
	char phase = get_text(event, "ph")[0];
	const char *key;
	json_t *value;
	struct seen *s;

	if (phase == 'M') {
		see_name(t, event);
		return;
	}
	if (phase == 's' || phase == 'f') {
		see_flow(t, event, phase == 'f');
		return;
	}
	s = seen_add_event(t,
	    phase == 'X'       ? SEEN_SLICE
		: phase == 'C' ? SEEN_COUNTER
			       : SEEN_INSTANT);
	s->group = (uint32_t)get_number(event, "pid");
	s->number = get_row(event);
	s->start = get_time(event, "ts");
	if (phase == 'X')
		s->end = s->start + get_time(event, "dur");
	s->value = json_number_value(json_object_get(args, "value"));
	json_object_foreach(args, key, value) seen_keep_argument(
	    s, key, json_integer_value(value), json_string_value(value));
	snprintf(s->name, sizeof(s->name), "%s", get_text(event, "name"));
}

void
seen_chrome(struct seen_trace *t, const char *path)
{
	json_error_t error;
	json_t *all = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
	json_t *event;
	size_t i;

	*t = (struct seen_trace){0};
	if (!json_is_array(all))
		fail_msg("line %d: %s", error.line, error.text);
	json_array_foreach(all, i, event) see_json(t, event);
	json_decref(all);
}
