/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a recording: a line of JSON for each launch, each control, which an
 * observer of the run sees, each note, and the end. */
#include "run/recording.h"

#include <errno.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/client/control.h"
#include "run/plan.h"

struct run_recorder {
	struct observer observer;
	int fd;
	int error;
	bool begun; /* the first line is written */
	struct sim *sim;
};

const char *const recording_ends[] = {
    [RECORDING_DONE] = "done",
    [RECORDING_DEADLOCK] = "deadlock",
    [RECORDING_DURATION] = "duration",
    [RECORDING_QUIT] = "quit",
    [N_RECORDING_ENDS] = NULL,
};

/* A string of any bytes. JSON is UTF-8, so each byte becomes a character U+0000
 * to U+00FF. */
static json_t *
latin1(const struct text *bytes)
{
	struct text t = {0};
	json_t *s;

	for (size_t i = 0; i < bytes->len; i++) {
		unsigned char c = (unsigned char)bytes->data[i];

		if (c >= 0x80)
			text_addc(&t, (char)(0xc0 | c >> 6));
		text_addc(&t, (char)(c >= 0x80 ? 0x80 | (c & 0x3f) : c));
	}
	s = json_stringn(text_str(&t), t.len);
	text_free(&t);
	return s;
}

static void
put_document(json_t *o, const struct document *doc, bool is_inline)
{
	struct text t = {0};
	json_t *text;

	document_print(doc, &t);
	text = json_stringn(text_str(&t), t.len);
	json_put_string(o, "document", document_name(doc));
	if (text != NULL)
		json_object_set_new(o, "text", text);
	else
		json_object_set_new(o, "latin1", latin1(&t));
	json_put_bool(o, "inline", is_inline);
	text_free(&t);
}

static void
set_source(json_t *o, const struct source *s)
{
	json_put_string(o, "name", s->name);
	put_document(o, s->doc, s->is_inline);
	if (s->waiting)
		json_put_bool(o, "waiting", true);
}

static json_t *
source_json(const struct source *s)
{
	json_t *o = json_object();

	set_source(o, s);
	json_put_integer(o, "clients", s->waiting ? 0 : s->clones);
	json_put_integer(o, "priority", s->priority);
	json_put_bool(o, "small_sseu", s->small_sseu);
	json_put_bool(o, "master", s->master);
	json_put_bool(o, "background", s->background);
	return o;
}

static json_t *
sources_json(const struct plan *plan)
{
	json_t *list = json_array();

	for (size_t i = 0; i < plan->n_sources; i++)
		json_array_append_new(list, source_json(&plan->sources[i]));
	return list;
}

static json_t *
profile_json(const struct profile *profile)
{
	json_t *o = json_object();
	struct text ini = {0};

	profile_print(profile, &ini);
	json_put_string(o, "name", profile->name);
	json_put_string(o, "description", profile->description);
	json_put_string(o, "ini", text_str(&ini));
	text_free(&ini);
	return o;
}

static json_t *
launch_json(const struct plan *plan, nsec duration)
{
	json_t *o = json_object(), *append;

	json_put_string(o, "scheduler", plan->sched->name);
	json_object_set_new(o, "profile", profile_json(&plan->profile));
	json_put_integer(o, "seed", plan->seed);
	json_put_bool(o, "same_random", plan->same_random);
	json_put_bool(o, "sync_data", plan->sync_deps);
	json_put_integer(o, "repeat", (int64_t)plan->repeat);
	json_put_real(o, "scale_durations", plan->duration_scale);
	json_put_real(o, "scale_delays", plan->delay_scale);
	if (duration != NSEC_NEVER)
		json_put_integer(o, "duration_ns", (int64_t)duration);
	if (plan->append != NULL) {
		append = json_object();
		put_document(append, plan->append, plan->append_inline);
		json_object_set_new(o, "append", append);
	}
	json_object_set_new(o, "workloads", sources_json(plan));
	return o;
}

/* Writes o as a line, in one write(), so that a line is complete or missing.
 * Frees o. */
static void
write_line(struct run_recorder *r, json_t *o)
{
	char *s = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);
	struct text line = {0};

	text_adds(&line, s);
	text_addc(&line, '\n');
	if (r->error == 0 && !file_write_all(r->fd, line.data, line.len))
		r->error = errno;
	text_free(&line);
	free(s);
	json_decref(o);
}

/* An object with the time of the run. */
static json_t *
line_now(const struct run_recorder *r)
{
	json_t *o = json_object();

	json_put_integer(o, "at_ns", (int64_t)r->sim->now);
	json_put_integer(o, "instant", (int64_t)r->sim->n_instants);
	return o;
}

static void
set_target(json_t *o, const struct control *control)
{
	if (control->client != CONTROL_ALL)
		json_put_integer(o, "client", control->client);
	else
		json_put_integer(o, "workload", control->workload);
}

static void
set_context(json_t *o, const struct control *control)
{
	set_target(o, control);
	json_put_integer(o, "context", control->context);
	json_put_integer(o, "value", control->value);
}

static void
set_add(json_t *o, const struct control *control)
{
	if (control->program != NULL)
		set_source(o, control->source);
	else
		json_put_integer(o, "workload", control->workload);
	json_put_integer(o, "clients", control->n_clients);
	json_put_integer(o, "repeat", (int64_t)control->options.repeat);
	json_put_integer(o, "priority", control->options.priority);
	json_put_bool(o, "small_sseu", control->options.small_sseu);
	json_put_bool(o, "background", control->options.background);
}

static void
set_kill(json_t *o, const struct control *control)
{
	set_target(o, control);
	json_put_bool(o, "persistent", control->persistent);
}

static void
set_swap(json_t *o, const struct control *control)
{
	set_target(o, control);
	if (control->at_once)
		json_put_bool(o, "at_once", true);
	set_source(o, control->source);
}

static void (*const setters[N_CONTROLS])(
    json_t *o, const struct control *control) = {
    [CONTROL_PRIORITY] = set_context,
    [CONTROL_SSEU] = set_context,
    [CONTROL_PREEMPTION] = set_context,
    [CONTROL_ADD] = set_add,
    [CONTROL_KILL] = set_kill,
    [CONTROL_SWAP] = set_swap,
};

static void
on_recorded_control(struct observer *observer, const struct control *control)
{
	struct run_recorder *r = container_of(
	    observer, struct run_recorder, observer);
	json_t *o = line_now(r);

	json_put_string(o, "control", control_name(control->kind));
	setters[control->kind](o, control);
	write_line(r, o);
}

struct run_recorder *
recorder_new(int fd)
{
	struct run_recorder *r = mem_calloc(1, sizeof(*r));

	r->fd = fd;
	r->observer.controlled = on_recorded_control;
	return r;
}

int
recorder_error(const struct run_recorder *r)
{
	return r->error;
}

int
recorder_close(struct run_recorder *r)
{
	int error = r->error;

	if (close(r->fd) != 0 && error == 0)
		error = errno;
	free(r);
	return error;
}

void
recorder_launch(struct run_recorder *r, const struct plan *plan,
    const struct run *run, nsec duration)
{
	json_t *o = json_object();

	if (!r->begun) {
		json_put_integer(o, "gpuwl_recording", RECORDING_VERSION);
		json_put_string(o, "version", GPUWL_VERSION);
	}
	json_object_set_new(o, "launch", launch_json(plan, duration));
	write_line(r, o);
	r->begun = true;
	r->sim = run->sim;
	sim_add_observer(run->sim, &r->observer);
}

void
recorder_note(struct run_recorder *r, const char *note, const char *value)
{
	json_t *o = line_now(r);

	json_put_string(o, "note", note);
	if (value != NULL)
		json_put_string(o, "value", value);
	write_line(r, o);
}

void
recorder_end(struct run_recorder *r, enum recording_end end)
{
	json_t *o = line_now(r);

	json_put_string(o, "end", recording_ends[end]);
	write_line(r, o);
	sim_remove_observer(r->sim, &r->observer);
}
