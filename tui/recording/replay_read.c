/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads recordings, which may have been written by anybody: each line becomes
 * a plan, an action or nothing, or an error that names the line.
 */
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "parser/file.h"
#include "parser/mem.h"
#include "parser/step.h"
#include "parser/text.h"
#include "tui/plan.h"
#include "tui/recording/fields.h"
#include "tui/recording/replay.h"
#include "tui/source.h"

#define MAX_SCALE 1e6

#define N(list) (sizeof(list) / sizeof(*(list)))

/* What is known while a recording is read. */
struct reader {
	struct replay *r;
	struct plan *plan;
	struct text *err;
	size_t line;       /* from 1 */
	int64_t n_clients; /* of the launch, and added since */
	uint64_t instant;  /* of the line before */
	nsec at;
	bool ended;
};

/* Documents and sources. */

struct document_fields {
	const json_t *name, *text, *latin1;
	bool is_inline;
};

/* The rows of a table that read a document. */
#define DOCUMENT_FIELDS(d)                                                     \
	FIELD("document", STRING, &(d)->name),                                 \
	    FIELD_OPTIONAL("text", STRING, &(d)->text),                        \
	    FIELD_OPTIONAL("latin1", STRING, &(d)->latin1),                    \
	    FIELD("inline", BOOL, &(d)->is_inline)

/* Characters up to U+00FF, in UTF-8, are bytes. */
static bool
decode_latin1(const json_t *s, struct text *out)
{
	const char *p = json_string_value(s), *end = p + json_string_length(s);

	for (; p < end; p++) {
		unsigned char c = (unsigned char)*p;

		if (c > 0xc3)
			return false;
		if (c >= 0xc0)
			c = (unsigned char)(c << 6 |
			    ((unsigned char)*++p & 0x3f));
		text_addc(out, (char)c);
	}
	return true;
}

static struct document *
make_document(const struct document_fields *d, struct text *err)
{
	enum document_source kind = d->is_inline ? SOURCE_INLINE : SOURCE_FILE;
	const char *name = json_string_value(d->name);
	struct document *doc = NULL;
	struct text bytes = {0};

	if ((d->text == NULL) == (d->latin1 == NULL))
		text_adds(err, "a descriptor has either 'text' or 'latin1'");
	else if (d->text != NULL)
		doc = document_parse(name, json_string_value(d->text),
		    json_string_length(d->text), kind);
	else if (decode_latin1(d->latin1, &bytes))
		doc = document_parse(name, text_str(&bytes), bytes.len, kind);
	else
		text_adds(err,
		    "'latin1' takes a string of characters up to U+00FF, one "
		    "for each byte");
	text_free(&bytes);
	return doc;
}

static bool
make_source(struct source *s, const json_t *name,
    const struct document_fields *d, struct text *err)
{
	*s = (struct source){
	    .name = mem_strdup(json_string_value(name)),
	    .is_inline = d->is_inline,
	    /* So that nobody takes the name for a descriptor. */
	    .is_example = !d->is_inline,
	    .doc = make_document(d, err),
	};
	return s->doc != NULL;
}

/* Launches. */

static bool
count_clients(struct reader *rd, int64_t n)
{
	rd->n_clients += n;
	if (rd->n_clients <= CONTROL_MAX_CLIENTS)
		return true;
	text_addf(rd->err, "%lld clients in all: there can be %u",
	    (long long)rd->n_clients, CONTROL_MAX_CLIENTS);
	return false;
}

static bool
read_workload(struct reader *rd, const json_t *o, struct source *s)
{
	struct document_fields d = {0};
	const json_t *name;
	int64_t clients, priority;
	bool master, background, small_sseu;
	const struct field fields[] = {
	    FIELD("name", STRING, &name),
	    DOCUMENT_FIELDS(&d),
	    FIELD_RANGE("clients", &clients, 0, CONTROL_MAX_CLIENTS),
	    FIELD_RANGE(
		"priority", &priority, -STEP_MAX_PRIORITY, STEP_MAX_PRIORITY),
	    FIELD("small_sseu", BOOL, &small_sseu),
	    FIELD("master", BOOL, &master),
	    FIELD("background", BOOL, &background),
	};

	if (!json_is_object(o)) {
		text_adds(rd->err, "'workloads' takes objects");
		return false;
	}
	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !count_clients(rd, clients) || !make_source(s, name, &d, rd->err))
		return false;
	s->clones = (unsigned)clients;
	s->priority = (int)priority;
	s->small_sseu = small_sseu;
	s->master = master;
	s->background = background;
	return true;
}

static bool
read_workloads(struct reader *rd, const json_t *list)
{
	struct plan *plan = rd->plan;
	size_t n = json_array_size(list);

	if (n == 0) {
		text_adds(rd->err, "'workloads' takes at least one object");
		return false;
	}
	plan->sources = mem_calloc(n, sizeof(*plan->sources));
	for (; plan->n_sources < n; plan->n_sources++)
		if (!read_workload(rd, json_array_get(list, plan->n_sources),
			&plan->sources[plan->n_sources])) {
			plan->n_sources++; /* what there is of it is freed */
			return false;
		}
	return true;
}

static bool
read_append(struct reader *rd, const json_t *o)
{
	struct document_fields d = {0};
	const struct field fields[] = {DOCUMENT_FIELDS(&d)};

	if (o == NULL)
		return true;
	if (!fields_read(o, fields, N(fields), rd->err))
		return false;
	rd->plan->append = make_document(&d, rd->err);
	rd->plan->append_inline = d.is_inline;
	return rd->plan->append != NULL;
}

static bool
copy_name(struct reader *rd, char *to, size_t size, const char *key,
    const json_t *from)
{
	struct text visible = {0};
	bool fits;

	text_add_visible(
	    &visible, json_string_value(from), json_string_length(from));
	fits = visible.len < size;
	if (fits)
		memcpy(to, text_str(&visible), visible.len + 1);
	else
		text_addf(
		    rd->err, "'%s' takes at most %zu bytes", key, size - 1);
	text_free(&visible);
	return fits;
}

static bool
read_profile(struct reader *rd, const json_t *o)
{
	struct profile *p = &rd->plan->profile;
	const json_t *name, *description, *ini;
	const struct field fields[] = {
	    FIELD("name", STRING, &name),
	    FIELD("description", STRING, &description),
	    FIELD("ini", STRING, &ini),
	};

	profile_init(p);
	return fields_read(o, fields, N(fields), rd->err) &&
	    profile_parse(p, "profile", json_string_value(ini), rd->err) &&
	    copy_name(rd, p->name, sizeof(p->name), "name", name) &&
	    copy_name(rd, p->description, sizeof(p->description), "description",
		description);
}

static bool
check_scale(struct reader *rd, const char *key, double scale, bool zero)
{
	if (scale <= MAX_SCALE && (scale > 0 || (zero && scale == 0)))
		return true;
	text_addf(rd->err, "'%s' takes a number %s to 1000000", key,
	    zero ? "from 0" : "above 0");
	return false;
}

/* Each launch begins anew: what was before it has no traces. */
static bool
read_launch(struct reader *rd, const json_t *o)
{
	struct plan *plan = rd->plan;
	const json_t *sched, *profile, *workloads, *append = NULL;
	int64_t seed, repeat, duration = -1;
	const struct field fields[] = {
	    FIELD("scheduler", STRING, &sched),
	    FIELD("profile", OBJECT, &profile),
	    FIELD_RANGE("seed", &seed, 0, UINT32_MAX),
	    FIELD("same_random", BOOL, &plan->same_random),
	    FIELD("sync_data", BOOL, &plan->sync_deps),
	    FIELD_RANGE("repeat", &repeat, 0, INT64_MAX),
	    FIELD("scale_durations", REAL, &plan->duration_scale),
	    FIELD("scale_delays", REAL, &plan->delay_scale),
	    FIELD_RANGE_OPTIONAL("duration_ns", &duration, 1, INT64_MAX),
	    FIELD_OPTIONAL("append", OBJECT, &append),
	    FIELD("workloads", ARRAY, &workloads),
	};

	replay_forget(rd->r);
	plan_close(plan);
	rd->at = 0;
	rd->instant = 0;
	rd->n_clients = 0;
	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !check_scale(rd, "scale_durations", plan->duration_scale, false) ||
	    !check_scale(rd, "scale_delays", plan->delay_scale, true))
		return false;
	plan->seed = (uint32_t)seed;
	plan->repeat = rd->r->repeat = (uint64_t)repeat;
	rd->r->duration = duration >= 0 ? (nsec)duration : NSEC_NEVER;
	plan->sched = sched_find(json_string_value(sched), rd->err);
	return plan->sched != NULL && read_profile(rd, profile) &&
	    read_append(rd, append) && read_workloads(rd, workloads);
}

/* Controls. */

struct control_fields {
	int64_t at, instant;
	const json_t *control;
	int64_t client, workload; /* -1: not named */
};

#define TIME_FIELDS(c)                                                         \
	FIELD_RANGE("at_ns", &(c)->at, 0, INT64_MAX),                          \
	    FIELD_RANGE("instant", &(c)->instant, 0, INT64_MAX)
#define CONTROL_FIELDS(c)                                                      \
	TIME_FIELDS(c), FIELD("control", STRING, &(c)->control)
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

	a->control.program = plan_build(rd->plan, a->source, &why);
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
	return make_source(a->source, name, d, rd->err) && take_program(rd, a);
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
	return count_clients(rd, clients);
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
	    FIELD_RANGE("clients", &clients, 1, CONTROL_MAX_CLIENTS),
	    FIELD_RANGE("repeat", &repeat, 0, INT64_MAX),
	    FIELD_RANGE(
		"priority", &priority, -STEP_MAX_PRIORITY, STEP_MAX_PRIORITY),
	    FIELD("small_sseu", BOOL, &options->small_sseu),
	    FIELD("background", BOOL, &options->background),
	};

	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !read_add_options(rd, &a->control, clients, repeat, priority))
		return false;
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

/* Index of a word in a list; not_found, and all of it in err. */
static bool
find_word(struct reader *rd, const char *key, const json_t *word,
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

static bool
read_control(struct reader *rd, const json_t *o, struct replay_action *a)
{
	const char *names[N_CONTROLS];
	size_t kind;

	for (size_t i = 0; i < N_CONTROLS; i++)
		names[i] = control_name((enum control_kind)i);
	if (!find_word(rd, "control", json_object_get(o, "control"), names,
		N_CONTROLS, &kind))
		return false;
	a->control.kind = (enum control_kind)kind;
	return readers[kind](rd, o, a);
}

static bool
read_end(struct reader *rd, const json_t *o, struct replay_action *a)
{
	int64_t at, instant;
	const json_t *word;
	const struct field fields[] = {
	    FIELD_RANGE("at_ns", &at, 0, INT64_MAX),
	    FIELD_RANGE("instant", &instant, 0, INT64_MAX),
	    FIELD("end", STRING, &word),
	};
	size_t end;

	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !find_word(rd, "end", word, recording_ends, N_RECORDING_ENDS, &end))
		return false;
	a->is_end = true;
	a->end = (enum recording_end)end;
	rd->ended = true;
	return true;
}

static bool
read_note(struct reader *rd, const json_t *o)
{
	int64_t at, instant;
	const json_t *note, *value;
	const struct field fields[] = {
	    FIELD_RANGE("at_ns", &at, 0, INT64_MAX),
	    FIELD_RANGE("instant", &instant, 0, INT64_MAX),
	    FIELD("note", STRING, &note),
	    FIELD_OPTIONAL("value", STRING, &value),
	};

	return fields_read(o, fields, N(fields), rd->err);
}

/* When it was, which nothing goes back behind. */
static bool
read_time(struct reader *rd, const json_t *o)
{
	static const char *const keys[] = {"at_ns", "instant"};
	uint64_t *before[] = {&rd->at, &rd->instant};

	for (size_t i = 0; i < 2; i++) {
		const json_t *value = json_object_get(o, keys[i]);
		json_int_t n = json_integer_value(value);

		if (!json_is_integer(value) || n < 0)
			continue; /* whoever reads the line says so */
		if ((uint64_t)n < *before[i]) {
			text_addf(rd->err,
			    "'%s' goes back from %llu to %llu: lines stand in "
			    "the order in which things were done",
			    keys[i], (unsigned long long)*before[i],
			    (unsigned long long)n);
			return false;
		}
		*before[i] = (uint64_t)n;
	}
	return true;
}

static bool
read_action(struct reader *rd, const json_t *o)
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
	if (!(json_object_get(o, "end") != NULL ? read_end(rd, o, a)
						: read_control(rd, o, a)))
		return false;
	a->at = rd->at;
	a->instant = rd->instant;
	return true;
}

static bool
read_first(struct reader *rd, const json_t *o)
{
	const json_t *version, *launch;
	int64_t format;
	const struct field fields[] = {
	    FIELD_RANGE("gpuwl_recording", &format, 1, INT64_MAX),
	    FIELD("version", STRING, &version),
	    FIELD("launch", OBJECT, &launch),
	};

	if (json_object_get(o, "gpuwl_recording") == NULL) {
		text_adds(rd->err,
		    "this is no recording: those begin with a "
		    "line {\"gpuwl_recording\":1,...");
		return false;
	}
	if (!fields_read(o, fields, N(fields), rd->err))
		return false;
	if (format != RECORDING_VERSION) {
		text_addf(rd->err,
		    "a recording of format %lld: this version reads %d",
		    (long long)format, RECORDING_VERSION);
		return false;
	}
	rd->r->version = mem_strdup(json_string_value(version));
	return read_launch(rd, launch);
}

static bool
read_again(struct reader *rd, const json_t *o)
{
	const json_t *launch;
	const struct field fields[] = {FIELD("launch", OBJECT, &launch)};

	return fields_read(o, fields, N(fields), rd->err) &&
	    read_launch(rd, launch);
}

static bool
read_object(struct reader *rd, const json_t *o)
{
	if (!json_is_object(o)) {
		text_adds(rd->err, "a line of a recording is an object: {...}");
		return false;
	}
	if (rd->line == 1)
		return read_first(rd, o);
	if (rd->ended) {
		text_adds(rd->err, "nothing stands after the end");
		return false;
	}
	if (json_object_get(o, "launch") != NULL)
		return read_again(rd, o);
	return read_action(rd, o);
}

static bool
read_line(struct reader *rd, const char *line, size_t len)
{
	json_error_t error;
	json_t *o = json_loadb(line, len,
	    JSON_ALLOW_NUL | JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
	bool ok;

	if (o == NULL) {
		text_adds(rd->err, "this is no JSON: ");
		text_add_visible(rd->err, error.text, strlen(error.text));
		return false;
	}
	ok = read_object(rd, o);
	json_decref(o);
	return ok;
}

static bool
read_lines(struct reader *rd, const char *text, size_t len)
{
	const char *end = text + len;

	do {
		const char *newline = memchr(text, '\n', (size_t)(end - text));
		const char *stop = newline != NULL ? newline : end;

		rd->line++;
		if (!read_line(rd, text, (size_t)(stop - text)))
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
	struct reader rd = {.r = r, .plan = plan, .err = &why};
	bool ok;

	*r = (struct replay){.path = mem_strdup(path)};
	*plan = (struct plan){0};
	ok = read_lines(&rd, text, len);
	if (!ok) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, ":%zu: error: %s\n", rd.line, text_str(&why));
	}
	text_free(&why);
	r->n_lines = rd.line;
	r->is_unfinished = !rd.ended;
	return ok && plan_check(plan, false, err);
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
