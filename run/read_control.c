/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Controls of a recording. */
#include "engine/client/control.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "parser/step.h"
#include "run/reader.h"
#include "run/source.h"

struct control_fields {
	struct time_fields time;
	const json_t *control;
	int64_t client, workload; /* -1: not named */
};

#define CONTROL_FIELDS(c)                                                      \
	TIME_FIELDS(&(c)->time), FIELD("control", STRING, &(c)->control)
#define TARGET_FIELDS(c)                                                       \
	FIELD_RANGE_OPTIONAL(                                                  \
	    "client", &(c)->client, 0, CONTROL_MAX_CLIENTS - 1),               \
	    FIELD_RANGE_OPTIONAL(                                              \
		"workload", &(c)->workload, 0, UINT32_MAX - 1)

static bool
take_target(
    struct reader *rd, struct control *control, const struct control_fields *c)
{
	if ((c->client < 0) == (c->workload < 0)) {
		text_adds(rd->err,
		    "a control is for a 'client', or for all of "
		    "a 'workload'");
		return false;
	}
	control->client = c->client < 0 ? CONTROL_ALL : (uint32_t)c->client;
	control->workload = c->workload < 0 ? 0 : (uint32_t)c->workload;
	return true;
}

/* Compiles the action's source. */
static bool
take_program(struct reader *rd, struct replay_action *a)
{
	struct text why = {0};

	a->control.program = a->source->waiting
	    ? plan_placeholder(rd->plan)
	    : plan_build(rd->plan, a->source, &why);
	a->control.source = a->source;
	a->control.name = a->source->name;
	if (a->control.program == NULL) {
		text_adds(rd->err, "its descriptor has errors:\n");
		text_adds(rd->err, text_str(&why));
	}
	text_free(&why);
	return a->control.program != NULL;
}

static bool
take_source(struct reader *rd, struct replay_action *a, const json_t *name,
    const struct document_fields *d)
{
	a->source = mem_calloc(1, sizeof(*a->source));
	return reader_make_source(rd, a->source, name, d) &&
	    take_program(rd, a);
}

static bool
read_on_context(struct reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.client = -1, .workload = -1};
	int64_t context;
	const struct field fields[] = {
	    CONTROL_FIELDS(&c),
	    TARGET_FIELDS(&c),
	    FIELD_RANGE("context", &context, 0, UINT32_MAX),
	    FIELD_RANGE("value", &a->control.value, INT64_MIN, INT64_MAX),
	};

	if (!fields_read(o, fields, N(fields), rd->err))
		return false;
	a->control.context = (uint32_t)context;
	return take_target(rd, &a->control, &c);
}

static bool
read_kill(struct reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.client = -1, .workload = -1};
	const struct field fields[] = {
	    CONTROL_FIELDS(&c),
	    TARGET_FIELDS(&c),
	    FIELD("persistent", BOOL, &a->control.persistent),
	};

	return fields_read(o, fields, N(fields), rd->err) &&
	    take_target(rd, &a->control, &c);
}

static bool
read_swap(struct reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.client = -1, .workload = -1};
	struct document_fields d = {0};
	const json_t *name;
	const struct field fields[] = {
	    CONTROL_FIELDS(&c),
	    TARGET_FIELDS(&c),
	    FIELD_OPTIONAL("at_once", BOOL, &a->control.at_once),
	    FIELD("name", STRING, &name),
	    DOCUMENT_FIELDS(&d),
	};

	return fields_read(o, fields, N(fields), rd->err) &&
	    take_target(rd, &a->control, &c) && take_source(rd, a, name, &d);
}

static bool
read_add_options(struct reader *rd, struct control *control, int64_t clients,
    int64_t repeat, int64_t priority)
{
	control->n_clients = (uint32_t)clients;
	control->options.repeat = (uint64_t)repeat;
	control->options.priority = (int)priority;
	return reader_count_clients(rd, clients);
}

static bool
read_add(struct reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.workload = -1};
	struct document_fields d = {0};
	struct client_options *options = &a->control.options;
	const json_t *name = NULL;
	int64_t clients, repeat, priority;
	const struct field fields[] = {
	    CONTROL_FIELDS(&c),
	    FIELD_RANGE_OPTIONAL("workload", &c.workload, 0, UINT32_MAX - 1),
	    FIELD_OPTIONAL("name", STRING, &name),
	    FIELD_OPTIONAL("document", STRING, &d.name),
	    FIELD_OPTIONAL("text", STRING, &d.text),
	    FIELD_OPTIONAL("latin1", STRING, &d.latin1),
	    FIELD_OPTIONAL("inline", BOOL, &d.is_inline),
	    FIELD_OPTIONAL("waiting", BOOL, &d.waiting),
	    FIELD_RANGE("clients", &clients, 0, CONTROL_MAX_CLIENTS),
	    FIELD_RANGE("repeat", &repeat, 0, INT64_MAX),
	    FIELD_RANGE(
		"priority", &priority, -STEP_MAX_PRIORITY, STEP_MAX_PRIORITY),
	    FIELD("small_sseu", BOOL, &options->small_sseu),
	    FIELD("background", BOOL, &options->background),
	};

	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !read_add_options(rd, &a->control, clients, repeat, priority))
		return false;
	if (clients == 0 && !d.waiting) {
		text_adds(rd->err,
		    "'clients' takes 0 only with a workload that is 'waiting'");
		return false;
	}
	if (c.workload >= 0 && name == NULL && d.name == NULL) {
		a->control.workload = (uint32_t)c.workload;
		return true;
	}
	if (c.workload < 0 && name != NULL && d.name != NULL)
		return take_source(rd, a, name, &d);
	text_adds(rd->err,
	    "clients are added to a 'workload', or run one with "
	    "a 'name', a 'document' and a 'text'");
	return false;
}

static bool (*const readers[N_CONTROLS])(
    struct reader *rd, const json_t *o, struct replay_action *a) = {
    [CONTROL_PRIORITY] = read_on_context,
    [CONTROL_SSEU] = read_on_context,
    [CONTROL_PREEMPTION] = read_on_context,
    [CONTROL_ADD] = read_add,
    [CONTROL_KILL] = read_kill,
    [CONTROL_SWAP] = read_swap,
};

bool
reader_find_word(struct reader *rd, const char *key, const json_t *word,
    const char *const *list, size_t n, size_t *found)
{
	const char *s = json_string_value(word);

	for (*found = 0; *found < n; ++*found)
		if (s != NULL && strcmp(s, list[*found]) == 0)
			return true;
	text_addf(rd->err, "'%s' takes", key);
	for (size_t i = 0; i < n; i++)
		text_addf(rd->err, "%s '%s'", i > 0 ? "," : "", list[i]);
	return false;
}

bool
read_control(struct reader *rd, const json_t *o, struct replay_action *a)
{
	const char *names[N_CONTROLS];
	size_t kind;

	for (size_t i = 0; i < N_CONTROLS; i++)
		names[i] = control_name((enum control_kind)i);
	if (!reader_find_word(rd, "control", json_object_get(o, "control"),
		names, N_CONTROLS, &kind))
		return false;
	a->control.kind = (enum control_kind)kind;
	return readers[kind](rd, o, a);
}
