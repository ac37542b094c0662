/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads launches and controls of a recording: a launch becomes a plan with its
 * documents and profile, a control an action with its compiled program. */
#include "run/replay_read.h"

#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/client/control.h"
#include "engine/follow/follow.h"
#include "parser/step.h"
#include "run/plan.h"

#define MAX_SCALE 1e6 /* as for the options */

/* Appends a byte for each character, in UTF-8. False: one is above U+00FF. */
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

/* Makes a source of what was read. False: rd->err says why. */
static bool
make_source(struct recording_reader *rd, struct source *s, const json_t *name,
    const struct document_fields *d)
{
	*s = (struct source){
	    .name = mem_strdup(json_string_value(name)),
	    .is_inline = d->is_inline,
	    /* so that the name is not taken for a descriptor */
	    .is_example = !d->is_inline,
	    .waiting = d->waiting,
	    .doc = make_document(d, rd->err),
	};
	return s->doc != NULL;
}

/* Counts n more clients. False: too many, rd->err says so. */
static bool
count_clients(struct recording_reader *rd, int64_t n)
{
	rd->n_clients += n;
	if (rd->n_clients <= CONTROL_MAX_CLIENTS)
		return true;
	text_addf(rd->err, "%lld clients in all: expected at most %u",
	    (long long)rd->n_clients, CONTROL_MAX_CLIENTS);
	return false;
}

static bool
read_workload(struct recording_reader *rd, const json_t *o, struct source *s)
{
	struct document_fields d = {0};
	const json_t *name;
	int64_t clients, priority;
	bool master, background, small_sseu;
	const struct json_field fields[] = {
	    FIELD("name", STRING, &name),
	    DOCUMENT_FIELDS(&d),
	    FIELD_RANGE("clients", &clients, 0, CONTROL_MAX_CLIENTS),
	    FIELD_RANGE(
		"priority", &priority, -STEP_MAX_PRIORITY, STEP_MAX_PRIORITY),
	    FIELD("small_sseu", BOOL, &small_sseu),
	    FIELD("master", BOOL, &master),
	    FIELD("background", BOOL, &background),
	    FIELD_OPTIONAL("waiting", BOOL, &d.waiting),
	};

	if (!json_is_object(o)) {
		text_adds(rd->err, "'workloads' takes objects");
		return false;
	}
	if (!fields_read(o, fields, N(fields), rd->err) ||
	    !count_clients(rd, clients) || !make_source(rd, s, name, &d))
		return false;
	s->clones = (unsigned)clients;
	s->priority = (int)priority;
	s->small_sseu = small_sseu;
	s->master = master;
	s->background = background;
	return true;
}

static bool
read_workloads(struct recording_reader *rd, const json_t *list)
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
			plan->n_sources++; /* plan_close() frees what it has */
			return false;
		}
	return true;
}

static bool
read_append(struct recording_reader *rd, const json_t *o)
{
	struct document_fields d = {0};
	const struct json_field fields[] = {DOCUMENT_FIELDS(&d)};
	struct document *doc;

	if (o == NULL)
		return true;
	if (!fields_read(o, fields, N(fields), rd->err))
		return false;
	doc = make_document(&d, rd->err);
	rd->plan->append = doc;
	rd->plan->append_inline = d.is_inline;
	if (doc == NULL || document_is_valid(doc))
		return doc != NULL;
	text_adds(rd->err, "the appended document has errors:\n");
	source_explain(doc, document_diagnostics(doc), NULL, false, rd->err);
	return false;
}

static bool
copy_name(struct recording_reader *rd, char *to, size_t size, const char *key,
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
read_profile(struct recording_reader *rd, const json_t *o)
{
	struct profile *p = &rd->plan->profile;
	const json_t *name, *description, *ini;
	const struct json_field fields[] = {
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
check_scale(
    struct recording_reader *rd, const char *key, double scale, bool zero)
{
	if (scale <= MAX_SCALE && (scale > 0 || (zero && scale == 0)))
		return true;
	text_addf(rd->err, "'%s' takes a number %s to 1000000", key,
	    zero ? "from 0" : "above 0");
	return false;
}

/* Finds the scheduler. gpu: of a run on a GPU, which has none. */
static bool
read_scheduler(
    struct recording_reader *rd, const json_t *sched, const json_t *gpu)
{
	const json_t *name, *pci = NULL;
	const struct json_field fields[] = {
	    FIELD("name", STRING, &name),
	    FIELD_OPTIONAL("pci", STRING, &pci),
	};

	if (gpu == NULL) {
		rd->plan->sched = sched_find(json_string_value(sched), rd->err);
		return rd->plan->sched != NULL;
	}
	if (!fields_read(gpu, fields, N(fields), rd->err))
		return false;
	if (strcmp(json_string_value(sched), sched_follow.name) != 0) {
		text_addf(rd->err, "'scheduler' takes \"%s\" on a GPU",
		    sched_follow.name);
		return false;
	}
	plan_open_past(
	    rd->plan, json_string_value(name), json_string_value(pci));
	return true;
}

bool
read_launch(struct recording_reader *rd, const json_t *o)
{
	struct plan *plan = rd->plan;
	const json_t *sched, *profile, *workloads, *append = NULL, *gpu = NULL;
	int64_t seed, repeat, duration = -1;
	const struct json_field fields[] = {
	    FIELD("scheduler", STRING, &sched),
	    FIELD_OPTIONAL("i915", OBJECT, &gpu),
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
	return read_scheduler(rd, sched, gpu) && read_profile(rd, profile) &&
	    read_append(rd, append) && read_workloads(rd, workloads);
}

struct control_fields {
	struct time_fields time;
	const json_t *control;
	int64_t client, workload; /* -1: missing */
};

#define CONTROL_FIELDS(c)                                                      \
	TIME_FIELDS(&(c)->time), FIELD("control", STRING, &(c)->control)
#define TARGET_FIELDS(c)                                                       \
	FIELD_RANGE_OPTIONAL(                                                  \
	    "client", &(c)->client, 0, CONTROL_MAX_CLIENTS - 1),               \
	    FIELD_RANGE_OPTIONAL(                                              \
		"workload", &(c)->workload, 0, UINT32_MAX - 1)

static bool
take_target(struct recording_reader *rd, struct control *control,
    const struct control_fields *c)
{
	if ((c->client < 0) == (c->workload < 0)) {
		text_adds(rd->err,
		    "expected either a 'client', or a 'workload' for all "
		    "of its clients");
		return false;
	}
	control->client = c->client < 0 ? CONTROL_ALL : (uint32_t)c->client;
	control->workload = c->workload < 0 ? 0 : (uint32_t)c->workload;
	return true;
}

/* Compiles the source of an action, which owns the program. */
static bool
compile_action(struct recording_reader *rd, struct replay_action *a)
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
take_source(struct recording_reader *rd, struct replay_action *a,
    const json_t *name, const struct document_fields *d)
{
	a->source = mem_calloc(1, sizeof(*a->source));
	return make_source(rd, a->source, name, d) && compile_action(rd, a);
}

static bool
read_on_context(
    struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.client = -1, .workload = -1};
	int64_t context;
	const struct json_field fields[] = {
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
read_kill(struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.client = -1, .workload = -1};
	const struct json_field fields[] = {
	    CONTROL_FIELDS(&c),
	    TARGET_FIELDS(&c),
	    FIELD("persistent", BOOL, &a->control.persistent),
	};

	return fields_read(o, fields, N(fields), rd->err) &&
	    take_target(rd, &a->control, &c);
}

static bool
read_swap(struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.client = -1, .workload = -1};
	struct document_fields d = {0};
	const json_t *name;
	const struct json_field fields[] = {
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
read_add_options(struct recording_reader *rd, struct control *control,
    int64_t clients, int64_t repeat, int64_t priority)
{
	control->n_clients = (uint32_t)clients;
	control->options.repeat = (uint64_t)repeat;
	control->options.priority = (int)priority;
	return count_clients(rd, clients);
}

static bool
read_add(struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	struct control_fields c = {.workload = -1};
	struct document_fields d = {0};
	struct client_options *options = &a->control.options;
	const json_t *name = NULL;
	int64_t clients, repeat, priority;
	const struct json_field fields[] = {
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
	    "expected a 'workload', or a new one with a 'name', a "
	    "'document' and a 'text'");
	return false;
}

static bool (*const control_readers[N_CONTROLS])(
    struct recording_reader *rd, const json_t *o, struct replay_action *a) = {
    [CONTROL_PRIORITY] = read_on_context,
    [CONTROL_SSEU] = read_on_context,
    [CONTROL_PREEMPTION] = read_on_context,
    [CONTROL_ADD] = read_add,
    [CONTROL_KILL] = read_kill,
    [CONTROL_SWAP] = read_swap,
};

bool
reader_find_word(struct recording_reader *rd, const char *key,
    const json_t *word, const char *const *list, size_t n, size_t *found)
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
read_control(
    struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	const char *names[N_CONTROLS];
	size_t kind;

	for (size_t i = 0; i < N_CONTROLS; i++)
		names[i] = control_name((enum control_kind)i);
	if (!reader_find_word(rd, "control", json_object_get(o, "control"),
		names, N_CONTROLS, &kind))
		return false;
	a->control.kind = (enum control_kind)kind;
	return control_readers[kind](rd, o, a);
}
