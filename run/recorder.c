/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes a recording: a line of JSON for each launch, each control, which an
 * observer of the run sees, each note, and the end; of a run on a GPU, what that
 * says (recorder_words.c). */
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
#include "run/recorder_words.h"

struct run_recorder {
	struct observer observer;
	struct word_lines words;
	int fd;
	int error;
	bool begun; /* the first line is written */
	bool held;
	struct recorded_lines lines; /* of this launch */
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
gpu_json(const struct plan *plan)
{
	json_t *o = json_object();

	json_put_string(o, "name", plan_gpu_name(plan));
	if (plan_gpu_address(plan) != NULL)
		json_put_string(o, "pci", plan_gpu_address(plan));
	return o;
}

static json_t *
launch_json(const struct plan *plan, nsec duration)
{
	json_t *o = json_object(), *append;

	json_put_string(o, "scheduler", plan->sched->name);
	if (plan_is_of_gpu(plan))
		json_object_set_new(o, "i915", gpu_json(plan));
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

/* Writes a line in one write(), so that it is complete or missing. */
static void
write_text_line(void *data, const struct text *line)
{
	struct run_recorder *r = data;

	if (r->error == 0 && !file_write_all(r->fd, line->data, line->len))
		r->error = errno;
}

/* Writes s as a line, behind the words of the GPU. */
static void
write_text(struct run_recorder *r, const char *s)
{
	struct text line = {0};

	word_lines_flush(&r->words);
	text_adds(&line, s);
	text_addc(&line, '\n');
	write_text_line(r, &line);
	text_free(&line);
}

static void
keep_line(struct recorded_lines *lines, const char *s)
{
	lines->list = mem_grow(
	    lines->list, lines->n, &lines->cap, sizeof(*lines->list));
	lines->list[lines->n++] = mem_strdup(s);
}

/* Keeps o as a line that is written already. Frees o. */
static void
keep_object(struct run_recorder *r, json_t *o)
{
	char *s = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);

	keep_line(&r->lines, s);
	free(s);
	json_decref(o);
}

/* Writes o as a line. keep: of a launch or a control. Frees o. */
static void
write_line(struct run_recorder *r, json_t *o, bool keep)
{
	char *s = json_dumps(o, JSON_COMPACT | JSON_PRESERVE_ORDER);

	if (!r->held)
		write_text(r, s);
	if (!r->held && keep)
		keep_line(&r->lines, s);
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
	write_line(r, o, true);
}

struct run_recorder *
recorder_new(int fd)
{
	struct run_recorder *r = mem_calloc(1, sizeof(*r));

	r->fd = fd;
	r->observer.controlled = on_recorded_control;
	r->words.write = write_text_line;
	r->words.data = r;
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

	text_free(&r->words.line);
	if (close(r->fd) != 0 && error == 0)
		error = errno;
	recorded_lines_free(&r->lines);
	free(r);
	return error;
}

void
recorder_launch(struct run_recorder *r, const struct plan *plan,
    const struct run *run, nsec duration)
{
	json_t *o = json_object(), *first;

	recorded_lines_free(&r->lines);
	json_object_set_new(o, "launch", launch_json(plan, duration));
	if (r->begun) {
		write_line(r, o, true);
	} else {
		first = json_object();
		json_put_integer(first, "gpuwl_recording", RECORDING_VERSION);
		json_put_string(first, "version", GPUWL_VERSION);
		json_object_update(first, o);
		write_line(r, first, false);
		keep_object(r, o);
	}
	r->begun = true;
	r->sim = run->sim;
	sim_add_observer(run->sim, &r->observer);
	word_lines_listen(&r->words, run->sim);
}

void
recorder_note(struct run_recorder *r, const char *note, const char *value)
{
	json_t *o = line_now(r);

	json_put_string(o, "note", note);
	if (value != NULL)
		json_put_string(o, "value", value);
	write_line(r, o, false);
}

void
recorder_end(struct run_recorder *r, enum recording_end end)
{
	json_t *o = line_now(r);

	json_put_string(o, "end", recording_ends[end]);
	write_line(r, o, false);
	sim_remove_observer(r->sim, &r->observer);
	if (r->sim->config.sched == &sched_follow)
		follow_listen(r->sim, NULL);
}

void
recorder_hold(struct run_recorder *r, bool hold)
{
	r->held = hold;
}

void
recorded_lines_free(struct recorded_lines *lines)
{
	for (size_t i = 0; i < lines->n; i++)
		free(lines->list[i]);
	free(lines->list);
	*lines = (struct recorded_lines){0};
}

void
recorder_copy_lines(const struct run_recorder *r, struct recorded_lines *lines)
{
	recorded_lines_free(lines);
	for (size_t i = 0; i < r->lines.n; i++)
		keep_line(lines, r->lines.list[i]);
}

void
recorder_again(struct run_recorder *r, const struct recorded_lines *lines,
    size_t n_controls)
{
	recorded_lines_free(&r->lines);
	for (size_t i = 0; i < lines->n && i <= n_controls; i++) {
		write_text(r, lines->list[i]);
		keep_line(&r->lines, lines->list[i]);
	}
}
