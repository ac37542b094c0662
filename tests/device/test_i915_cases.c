/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Calls of the uAPI as data: i915*.cases, whose words tests/README.md lists ("Batches
 * and calls"). Each case has a virtual i915 of its own. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/case_file.h"
#include "tests/support/i915_lab.h"
#include "tests/support/uapi_types.h"

/* A number that a case has named, or a structure. */
struct uapi_name {
	char *name;
	uint64_t value;               /* a structure's: its address */
	const struct uapi_type *type; /* NULL: a number */
};

struct uapi_cases {
	struct i915_lab lab; /* first */
	bool started, has_engines;
	struct uapi_name names[100];
	size_t n_names;
	_Alignas(8) char memory[16384]; /* of structures */
	size_t used;
	struct uapi_call {
		const struct uapi_type *type;
		_Alignas(8) char arg[256];
	} calls[UAPI_THREADS]; /* the last ones */
	struct text refused;
	uint32_t n_refused, grave;
};

static void *
begin_i915(void)
{
	struct uapi_cases *c = mem_calloc(1, sizeof *c);

	i915_lab_init(&c->lab);
	return c;
}

static void
end_i915(void *data)
{
	struct uapi_cases *c = data;

	uapi_end_all(&c->lab);
	i915_lab_free(&c->lab);
	for (size_t i = 0; i < c->n_names; i++)
		free(c->names[i].name);
	text_free(&c->refused);
	free(c);
}

static struct uapi_name *
name_in(struct uapi_cases *c, const char *name, size_t len)
{
	for (size_t i = c->n_names; i-- > 0;)
		if (strncmp(c->names[i].name, name, len) == 0 &&
		    c->names[i].name[len] == '\0')
			return &c->names[i];
	return NULL;
}

static struct uapi_name *
set_name(struct uapi_cases *c, const char *name, uint64_t value)
{
	struct uapi_name *known = name_in(c, name, strlen(name));

	assert_true(
	    known != NULL || c->n_names < sizeof c->names / sizeof *c->names);
	if (known == NULL) {
		known = &c->names[c->n_names++];
		known->name = mem_strdup(name);
	}
	known->value = value;
	known->type = NULL;
	return known;
}

/* `NAME`, `&STRUCTURE`, `STRUCTURE.FIELD`, or the number of an error */
static bool
find_uapi(void *data, const char *name, uint64_t *value)
{
	const char *field = strchr(name, '.');
	const struct uapi_name *known;

	name += *name == '&';
	known = name_in(data, name, strcspn(name, "."));
	if (known != NULL)
		*value = known->value;
	for (int error = 1; known == NULL && error < 134; error++) {
		const char *known_error = strerrorname_np(error);

		if (known_error != NULL && strcmp(known_error, name) == 0) {
			*value = (uint64_t)-error;
			return true;
		}
	}
	if (known != NULL && field != NULL) {
		const struct case_field *fields = uapi_fields(known->type);
		size_t i = 0;

		while (strcmp(fields[i].name, field + 1) != 0)
			i++;
		*value = 0;
		memcpy(value,
		    (char *)(uintptr_t)known->value + fields[i].offset,
		    fields[i].size);
	}
	return known != NULL;
}

static void
take_refused(void *data, const char *line, bool grave)
{
	struct uapi_cases *c = data;

	text_clear(&c->refused);
	text_adds(&c->refused, line);
	c->grave = grave;
	c->n_refused++;
}

/* Sets fields of the object by the words i and on. Returns the word behind `->`. */
static size_t
set_words(const struct statement *s, size_t i, const struct case_field *fields,
    void *object)
{
	for (; i < s->n && !case_is(s, i, "->"); i++)
		case_set(s, s->words[i], fields, object);
	return i + 1;
}

/* Checks fields; `FIELD=?NAME` gives its value a name. */
static void
check_words(struct uapi_cases *c, const struct statement *s, size_t i,
    const struct case_field *fields, const void *object)
{
	for (; i < s->n; i++) {
		const char *text;
		uint64_t value = case_get(
		    s, s->words[i], fields, object, &text);

		if (*text == '?')
			set_name(c, text + 1, value);
		else
			case_check(s, s->words[i], fields, object);
	}
}

/* Checks the last call of a thread: the words i and on are `[RESULT] [FIELD=VALUE...]`,
 * without a result 0. */
static void
check_call(
    struct uapi_cases *c, const struct statement *s, size_t i, unsigned thread)
{
	int result = c->lab.threads[thread].result, expected = 0;

	if (i < s->n && strchr(s->words[i], '=') == NULL) {
		expected = case_is(s, i, "waits")
		    ? UAPI_WAITS
		    : (int)case_value(s, s->words[i], 0);
		i++;
	}
	if (result == UAPI_WAITS && expected != UAPI_WAITS)
		case_fail(s, "the call waits");
	if (result != expected)
		case_fail(s, "the call returns %d (%s), not %d", result,
		    strerror(result < 0 ? -result : 0), expected);
	if (i < s->n)
		check_words(c, s, i, uapi_fields(c->calls[thread].type),
		    c->calls[thread].arg);
}

/* `FD[@THREAD] CALL [FIELD=VALUE...] [-> ...]` */
static void
make_call(struct uapi_cases *c, const struct statement *s)
{
	const struct uapi_type *type = uapi_type(case_word(s, 1));
	char *fd = mem_strdup(s->words[0]), *at = strchr(fd, '@');
	unsigned thread = at != NULL ? (unsigned)atoi(at + 1) : 0;
	struct uapi_call *call = &c->calls[thread];
	size_t i;

	if (at != NULL)
		*at = '\0';
	if (type == NULL || type->request == 0)
		case_fail(s, "there is no call %s", s->words[1]);
	*call = (struct uapi_call){.type = type};
	i = set_words(s, 2, uapi_fields(type), call->arg);
	uapi_ioctl_on(&c->lab, thread, (int)case_value(s, fd, 0), type->request,
	    type->size > 0 ? call->arg : NULL);
	check_call(c, s, i, thread);
	free(fd);
}

/* Structures that follow each other are an array. */
static void
make_structure(struct uapi_cases *c, const struct statement *s)
{
	const struct uapi_type *type = uapi_type(s->words[2]);
	char *at;

	if (type->size % 8 == 0)
		c->used = (c->used + 7) / 8 * 8;
	at = c->memory + c->used;
	c->used += type->size;
	assert_true(c->used <= sizeof c->memory);
	set_name(c, s->words[0], (uintptr_t)at)->type = type;
	set_words(s, 3, uapi_fields(type), at);
}

static void
start_device(struct uapi_cases *c)
{
	if (c->started)
		return;
	c->started = true;
	i915_lab_start(&c->lab);
	i915_set_refusals(c->lab.dev, take_refused, c);
}

/* `NAME = open PATH [-> ERROR]`, `NAME = TYPE [FIELD=VALUE...]`, `NAME = NUMBER` */
static void
make_name(struct uapi_cases *c, const struct statement *s)
{
	if (case_is(s, 2, "open")) {
		start_device(c);
		set_name(c, s->words[0],
		    (uint64_t)uapi_open(&c->lab, 0, case_word(s, 3)));
		if (s->n > 4 || c->lab.threads[0].result < 0)
			check_call(c, s, 5, 0);
	} else if (uapi_type(case_word(s, 2)) != NULL) {
		make_structure(c, s);
	} else {
		set_name(c, s->words[0], case_number(s, 2));
	}
}

#define CONFIG(name) CASE_FIELD(struct i915_config, name)
static const struct case_field config_fields[] = {CONFIG(pci_id),
    CONFIG(graphics), CONFIG(kernel), CONFIG(scheduler), CONFIG(discrete),
    CONFIG(any_sseu), CONFIG(no_parallel), CONFIG(n_engines),
    {"max_objects", offsetof(struct i915_config, limits[I915_LIMIT_OBJECTS]),
	8},
    {"max_contexts", offsetof(struct i915_config, limits[I915_LIMIT_CONTEXTS]),
	8},
    {"max_bytes", offsetof(struct i915_config, limits[I915_LIMIT_MEMORY]), 8},
    {0}};

#define OF_LAB(name) CASE_FIELD(struct i915_lab, name)
static const struct case_field lab_fields[] = {OF_LAB(ring), OF_LAB(wedged),
    OF_LAB(banned_client), OF_LAB(n_requests), OF_LAB(n_signalled), OF_LAB(now),
    {0}};

static const struct case_field caller_fields[] = {
    CASE_FIELD(struct i915_caller, pid),
    CASE_FIELD(struct i915_caller, capabilities), {0}};

static const struct case_field context_fields[] = {
    CASE_FIELD(struct gpu_context, banned),
    {"priority", offsetof(struct gpu_context, state.priority), 4},
    {"resets", offsetof(struct gpu_context, stats), 4},
    {"guilty", offsetof(struct gpu_context, stats) + 4, 4},
    {"innocent", offsetof(struct gpu_context, stats) + 8, 4}, {0}};

static const struct case_field descriptor_fields[] = {
    CASE_FIELD(struct uapi_fd, readable), CASE_FIELD(struct uapi_fd, kind),
    {0}};

#define ENGINE(name) CASE_FIELD(struct gpu_engine, name)
static const struct case_field engine_fields[] = {ENGINE(class),
    ENGINE(instance), ENGINE(logical),
    {"base", offsetof(struct gpu_engine, mmio_base), 4}, {0}};

static const struct case_field refusal_fields[] = {
    CASE_FIELD(struct uapi_cases, n_refused),
    CASE_FIELD(struct uapi_cases, grave), {0}};

/* A request as cases see it. */
struct uapi_seen {
	uint32_t rows0, rows1, width, n_bonds, master, bonded, n_after;
	uint32_t after_end, after_start; /* a bit for each request */
	uint32_t timeline;               /* the first request of its timeline */
	uint32_t ended, boosted;
};

#define SEEN(name) CASE_FIELD(struct uapi_seen, name)
static const struct case_field request_fields[] = {SEEN(rows0), SEEN(rows1),
    SEEN(width), SEEN(n_bonds), SEEN(master), SEEN(bonded), SEEN(n_after),
    SEEN(after_end), SEEN(after_start), SEEN(timeline), SEEN(ended),
    SEEN(boosted), {0}};

static void
check_request(struct uapi_cases *c, const struct statement *s)
{
	const struct i915_lab *lab = &c->lab;
	size_t n = case_number(s, 1), first = 0;
	const struct uapi_request *rq = &lab->requests[n];
	const struct gpu_timeline *t = rq->timeline;
	struct uapi_seen seen;

	if (n >= lab->n_requests)
		case_fail(s, "there are %zu requests", lab->n_requests);
	while (lab->requests[first].timeline != t)
		first++;
	seen = (struct uapi_seen){.rows0 = t->slot.rows[0],
	    .rows1 = t->slot.rows[1],
	    .width = t->slot.width,
	    .n_bonds = (uint32_t)t->slot.n_bonds,
	    .master = t->bonds[0].master,
	    .bonded = t->bonds[0].engines,
	    .n_after = (uint32_t)rq->n_after,
	    .timeline = (uint32_t)first,
	    .ended = rq->ended,
	    .boosted = rq->boosted};
	for (size_t m = 0; m < n; m++) {
		seen.after_end |= (uint32_t)uapi_after(lab, n, m, GPU_AFTER_END)
		    << m;
		seen.after_start |=
		    (uint32_t)uapi_after(lab, n, m, GPU_AFTER_START) << m;
	}
	check_words(c, s, 3, request_fields, &seen);
}

/* Sets and checks an object that is not the program's. */
static bool
play_object(struct uapi_cases *c, const struct statement *s)
{
	struct i915_lab *lab = &c->lab;
	const struct case_field *fields = NULL;
	void *object = NULL;
	size_t i = 2;

	if (case_is(s, 0, "device") || case_is(s, 0, "lab")) {
		i = 1;
		object = case_is(s, 0, "lab") ? (void *)lab : &lab->config;
		fields = case_is(s, 0, "lab") ? lab_fields : config_fields;
	} else if (case_is(s, 0, "engine")) {
		if (!c->has_engines)
			lab->config.n_engines = 0;
		c->has_engines = true;
		i = 1;
		object = &lab->config.engines[lab->config.n_engines++];
		fields = engine_fields;
	} else if (case_is(s, 0, "refusals")) {
		i = 1;
		object = c;
		fields = refusal_fields;
	} else if (case_is(s, 0, "caller")) {
		object = &lab->threads[case_number(s, 1)].caller;
		fields = caller_fields;
	} else if (case_is(s, 0, "context")) {
		object = lab->contexts[case_number(s, 1)];
		fields = context_fields;
	} else if (case_is(s, 0, "descriptor")) {
		object = uapi_fd(lab, (int)case_number(s, 1));
		fields = descriptor_fields;
	} else {
		return false;
	}
	if (object == NULL)
		case_fail(s, "there is no such %s", s->words[0]);
	i = set_words(s, i, fields, object);
	check_words(c, s, i, fields, object);
	return true;
}

/* Lets something happen to the device or to the program. */
static bool
play_event(struct uapi_cases *c, const struct statement *s)
{
	struct i915_lab *lab = &c->lab;
	const char *word = s->words[0];

	if (strcmp(word, "end") == 0 && case_is(s, 1, "all")) {
		uapi_end_all(lab);
	} else if (strcmp(word, "end") == 0) {
		uapi_end(lab, case_number(s, 1),
		    s->n > 2 ? (int)case_number(s, 2) : 0);
	} else if (strcmp(word, "advance") == 0) {
		uapi_advance(lab, case_number(s, 1));
	} else if (strcmp(word, "close") == 0) {
		uapi_close(lab, (int)case_number(s, 1));
	} else if (strcmp(word, "hear_nothing") == 0) {
		i915_set_refusals(lab->dev, NULL, NULL);
	} else if (strcmp(word, "drop_caches") == 0) {
		i915_drop_caches(lab->dev);
	} else if (strcmp(word, "signal") == 0) {
		static const struct wire_request rq = {.kind = WIRE_CANCEL};

		i915_call(lab->dev, &lab->threads[case_number(s, 1)].caller,
		    &rq, NULL);
	} else if (strcmp(word, "exit") == 0) {
		i915_caller_gone(
		    lab->dev, &lab->threads[case_number(s, 1)].caller);
	} else {
		return false;
	}
	return true;
}

static void
play_uapi(void *data, const struct statement *s)
{
	struct uapi_cases *c = data;
	const struct case_field *fields;
	struct uapi_name *name;

	if (case_is(s, 1, "=")) {
		make_name(c, s);
	} else if (case_is(s, 0, "thread")) {
		check_call(c, s, 3, (unsigned)case_number(s, 1));
	} else if (case_is(s, 0, "request")) {
		check_request(c, s);
	} else if (case_is(s, 0, "next")) {
		uint64_t ns = i915_next_ns(c->lab.dev);

		case_expect(s, "the time until the next act",
		    ns == I915_NEVER ? ns : ns - c->lab.now, case_word(s, 1),
		    0);
	} else if (case_is(s, 0, "refused")) {
		if (strcmp(text_str(&c->refused), s->text) != 0)
			case_fail(
			    s, "the refusal is \"%s\"", text_str(&c->refused));
	} else if (!play_object(c, s) && !play_event(c, s)) {
		name = name_in(c, s->words[0], strcspn(s->words[0], "@"));
		if (name == NULL)
			case_fail(s, "unknown word \"%s\"", s->words[0]);
		if (name->type == NULL) {
			make_call(c, s);
			return;
		}
		fields = uapi_fields(name->type);
		check_words(c, s,
		    set_words(s, 1, fields, (void *)(uintptr_t)name->value),
		    fields, (void *)(uintptr_t)name->value);
	}
}

static const struct case_kind i915_cases = {
    .pattern = "tests/device/i915*.cases",
    .begin = begin_i915,
    .end = end_i915,
    .find_name = find_uapi,
    .play = play_uapi,
};

TEST_SOURCE(i915_cases)
{
	case_files_add(&i915_cases);
}
