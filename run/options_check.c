/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Checks the options of a command line against the mode and against each
 * other. */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/serve/address.h"
#include "run/capture_frames.h"
#include "run/options.h"
#include "run/options_table.h"
#include "trace/host.h"
#include "trace/outputs.h"

#define MAX_BATCH_SPEED 1000 /* engine/gpu/pace.h */

static void
name_option(const struct option_info *info, struct text *out)
{
	if (info->letter != 0)
		text_addf(out, "-%c (--%s)", info->letter, info->name);
	else
		text_addf(out, "--%s", info->name);
}

/* Refuses options that have no effect in the mode. */
static bool
check_modes(struct option_reader *r)
{
	/* Another mode is none of gpuwl-run's options. */
	enum mode mode = r->o->is_run ? MODE_PROGRAM : r->o->mode;

	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (!r->seen[i] || (info->modes & IN(mode)) != 0)
			continue;
		name_option(info, r->err);
		if (mode == MODE_CONSOLE)
			text_adds(r->err, " is for batch mode: add -b");
		else if (mode == MODE_BATCH)
			text_adds(r->err, " is for the console: leave out -b");
		else
			text_addf(r->err, " has no effect with %s",
			    r->o->is_run ? "gpuwl-run" : r->mode_shown);
		return false;
	}
	return true;
}

/* True for options that a recording contains. */
static bool
is_recorded(const struct option_info *info)
{
	static const char *const names[] = {
	    "scheduler", "profile", "duration", "record"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strcmp(info->name, names[i]) == 0)
			return true;
	return info->group == GROUP_WORKLOAD;
}

static bool
check_replay(struct option_reader *r)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (!r->seen[i] || !is_recorded(info))
			continue;
		name_option(info, r->err);
		text_adds(r->err,
		    " cannot be used with --replay: the recording contains "
		    "it");
		return false;
	}
	if (r->o->n_workloads > 0)
		text_adds(r->err,
		    "--replay takes one FILE: the recording contains the "
		    "workloads");
	return r->o->n_workloads == 0;
}

static bool
check_workloads(struct option_reader *r)
{
	const struct options *o = r->o;

	if (o->replay != NULL)
		return check_replay(r);
	if ((o->mode == MODE_BATCH || o->mode == MODE_COMPARE) &&
	    o->n_workloads == 0 && o->serve == NULL) {
		text_adds(r->err, "no workload: name one with -w");
		return false;
	}
	if (o->n_workloads > 1 && o->clients > 1) {
		text_adds(r->err,
		    "-c: cloned clients cannot be combined with "
		    "several workloads");
		return false;
	}
	for (size_t i = 0; i < o->n_workloads; i++) {
		if (o->mode != MODE_CONSOLE ||
		    strcmp(o->workloads[i].argument, "-") != 0)
			continue;
		text_adds(r->err,
		    "'-': in the console standard input is the "
		    "keyboard; add -b, or name a file");
		return false;
	}
	return true;
}

/* Refuses to read standard input twice. */
static bool
check_input(struct option_reader *r, const struct options *o)
{
	size_t n = o->append != NULL && strcmp(o->append, "-") == 0;

	for (size_t i = 0; i < o->n_workloads; i++)
		n += strcmp(o->workloads[i].argument, "-") == 0;
	for (size_t i = 0; i < o->n_files; i++)
		n += strcmp(o->files[i], "-") == 0;
	if (n < 2)
		return true;
	text_adds(r->err,
	    "'-': standard input can be read once, and was named twice");
	return false;
}

/* True if the option writes to standard output. */
static bool
writes_stdout(const struct options *o, const struct option_info *info)
{
	const char *path = option_path(o, info);

	return info->file == OPTION_WRITES && path != NULL &&
	    strcmp(path, "-") == 0;
}

/* Refuses two outputs on standard output. Files are compared when they are
 * opened (file_uses.h). */
static bool
check_outputs(struct option_reader *r)
{
	const struct option_info *first = NULL;

	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if (!writes_stdout(r->o, info))
			continue;
		if (first != NULL) {
			text_addf(r->err,
			    "--%s and --%s cannot share standard output",
			    first->name, info->name);
			return false;
		}
		first = info;
	}
	return true;
}

/* A --trace whose name ends in .json is Chrome's, as --trace-json. */
static bool
check_traces(struct option_reader *r)
{
	struct options *o = r->o;

	if (o->trace == NULL ||
	    output_trace_kind(o->trace) != OUTPUT_TRACE_JSON)
		return true;
	if (o->trace_json != NULL) {
		text_adds(r->err, "--trace: '");
		text_add_visible(r->err, o->trace, strlen(o->trace));
		text_adds(r->err,
		    "' is Chrome's JSON, as --trace-json is: expected one of "
		    "them, or another name, e.g. x.perfetto");
		return false;
	}
	o->trace_json = o->trace;
	o->trace = NULL;
	return true;
}

/* Refuses another machine unless --layer-connect-remote is given. */
static bool
check_connect(struct option_reader *r)
{
	const struct options *o = r->o;
	struct host_address address;

	if (o->layer_connect == NULL) {
		if (o->layer_connect_remote)
			text_adds(r->err,
			    "--layer-connect-remote needs --layer-connect");
		return !o->layer_connect_remote;
	}
	if (o->layer_connect_remote ||
	    (host_address_parse(&address, o->layer_connect) &&
		host_address_is_local(&address)))
		return true;
	text_adds(r->err, "--layer-connect: '");
	text_add_visible(r->err, o->layer_connect, strlen(o->layer_connect));
	text_adds(r->err,
	    "' is another machine: expected localhost, 127.0.0.1 or [::1], or "
	    "--layer-connect-remote");
	return false;
}

/* --check and --format: takes the positional arguments as files. */
static bool
take_files(struct option_reader *r)
{
	struct options *o = r->o;

	o->files = mem_calloc(o->n_workloads + 1, sizeof(*o->files));
	for (size_t i = 0; i < o->n_workloads; i++)
		o->files[i] = o->workloads[i].argument;
	o->n_files = o->n_workloads;
	o->n_workloads = 0;
	if (o->n_files == 0) {
		text_addf(r->err, "%s needs a FILE", r->mode_shown);
		return false;
	}
	if (o->mode == MODE_FORMAT && o->n_files > 1) {
		text_addf(r->err, "%s takes one FILE", r->mode_shown);
		return false;
	}
	for (size_t i = 0; i < o->n_files; i++) {
		if (*o->files[i] != '\0')
			continue;
		text_addf(r->err,
		    "%s: empty name: expected the name of a file, or '-' for "
		    "standard input",
		    r->mode_shown);
		return false;
	}
	return check_input(r, o);
}

/* Refuses a FILE for modes that read none. */
static bool
check_no_file(struct option_reader *r)
{
	const struct options *o = r->o;

	for (size_t i = 0; i < o->n_workloads; i++) {
		const char *file = o->workloads[i].argument;

		if (!o->workloads[i].positional)
			continue;
		text_addf(r->err, "%s takes no FILE: '", r->mode_shown);
		text_add_visible(r->err, file, strlen(file));
		text_adds(r->err, "'");
		return false;
	}
	return true;
}

/* Refuses outputs on standard output, which is the program's. */
static bool
check_streams(struct option_reader *r)
{
	for (size_t i = 0; i < N_OPTIONS; i++) {
		if (!writes_stdout(r->o, &option_table[i]))
			continue;
		text_addf(r->err,
		    "--%s: standard output is the program's: name a file, "
		    "e.g. --%s=run.%s",
		    option_table[i].name, option_table[i].name,
		    option_table[i].name);
		return false;
	}
	return true;
}

/* Programs measure time by the wall clock. */
static bool
check_real_time(struct option_reader *r)
{
	double speed = r->o->speed;

	if (speed > 0 && speed <= MAX_BATCH_SPEED)
		return true;
	text_adds(r->err,
	    "--speed: programs live in real time: expected a number up to 1000 "
	    "that batches are faster by, e.g. 2");
	text_adds(r->err, speed > 0 ? "" : ", not max");
	return false;
}

/* gpuwl-run: a program, and outputs that leave its streams alone. */
static bool
check_run(struct option_reader *r)
{
	const struct options *o = r->o;

	if (o->program[0] == NULL) {
		text_adds(r->err,
		    "no program: name one, e.g. gpuwl-run gem_wsim -w "
		    "1.RCS.1000.0.0");
		return false;
	}
	if (o->own_device && o->connect != NULL) {
		text_adds(r->err, "--own and --connect exclude each other");
		return false;
	}
	if (o->virtual_time && o->connect != NULL) {
		text_adds(r->err,
		    "--virtual-time needs a device of its own: leave --connect "
		    "out");
		return false;
	}
	r->o->own_device |= o->virtual_time;
	return check_real_time(r) && check_streams(r);
}

/* Refuses options that programs make impossible, or that they alone make
 * possible. */
static bool
check_serve(struct option_reader *r)
{
	const struct options *o = r->o;

	if (o->serve == NULL) {
		if (o->privileged || o->capture != NULL)
			text_addf(r->err, "%s needs --serve",
			    o->privileged ? "--privileged" : "--capture");
		return r->err->len == 0;
	}
	if (!address_check_served(o->serve, r->err))
		return false;
	if (o->replay != NULL || o->record != NULL) {
		text_addf(r->err,
		    "--%s cannot be used with --serve: programs do not repeat "
		    "what they did",
		    o->replay != NULL ? "replay" : "record");
		return false;
	}
	if (o->program == NULL)
		return check_real_time(r);
	if (o->duration != NSEC_NEVER) {
		text_adds(r->err,
		    "--duration: the device is served until the program ends: "
		    "leave out one of them");
		return false;
	}
	return check_real_time(r) && check_streams(r);
}

/* -D: what the model alone has is refused. */
static bool
check_gpu(struct option_reader *r)
{
	static const struct {
		const char *name, *why;
	} others[] = {
	    {"profile", "the GPU is as it is"},
	    {"scheduler", "the kernel's driver schedules"},
	    {"speed", "a GPU runs in real time"},
	    {"replay", "a recording is played without the GPU"},
	    {"serve", "programs open the GPU themselves"},
	};

	if (r->o->device == NULL)
		return true;
	for (size_t i = 0; i < N_OPTIONS; i++) {
		for (size_t k = 0; k < sizeof(others) / sizeof(*others); k++) {
			if (!r->seen[i] ||
			    strcmp(option_table[i].name, others[k].name) != 0)
				continue;
			text_addf(r->err, "--%s cannot be used with -D: %s",
			    others[k].name, others[k].why);
			return false;
		}
	}
	return true;
}

static bool
check_device_given(struct option_reader *r)
{
	if (r->o->device == NULL)
		text_addf(r->err,
		    "%s needs a GPU: choose one with -D, e.g. -D pci:vendor=intel",
		    r->mode_shown);
	return r->o->device != NULL;
}

/* Each workload is read twice. */
static bool
check_compared(struct option_reader *r)
{
	const struct options *o = r->o;

	for (size_t i = 0; i < o->n_workloads; i++) {
		if (strcmp(o->workloads[i].argument, "-") != 0)
			continue;
		text_adds(r->err,
		    "'-': standard input can be read once, and "
		    "--compare-device runs it twice: name a file");
		return false;
	}
	return true;
}

/* --frame-on of a capture. */
static bool
check_frame_on(struct option_reader *r)
{
	struct frame_marker marker;

	if (r->o->frame_on == NULL)
		return true;
	if (r->o->capture != NULL)
		return frame_marker_read(&marker, r->o->frame_on, r->err);
	text_addf(r->err, "--frame-on needs --capture%s",
	    r->o->is_run ? "" : " or --import");
	return false;
}

/* As in gem_wsim any other option may be given with -L and -l. */
bool
options_check(struct option_reader *r)
{
	const struct options *o = r->o;

	if (r->device_why != NULL && o->mode != MODE_IMPORT) {
		text_adds(r->err, r->device_why);
		return false;
	}
	if (o->is_run)
		return check_modes(r) && check_run(r) && check_frame_on(r) &&
		    check_traces(r);
	if (o->mode == MODE_LIST_DEVICES || o->mode == MODE_LIST_ENGINES ||
	    o->mode == MODE_LAYER_DUMP)
		return check_no_file(r);
	if (!check_clients(r) || !check_modes(r))
		return false;
	if (o->mode == MODE_IMPORT)
		return check_no_file(r) && check_import(r);
	if (o->mode == MODE_CHECK || o->mode == MODE_FORMAT)
		return take_files(r);
	if (o->mode == MODE_CALIBRATE)
		return check_no_file(r) && check_device_given(r);
	if (o->mode == MODE_COMPARE)
		return check_device_given(r) && check_compared(r) &&
		    check_workloads(r);
	return check_decision(r) && check_gpu(r) && check_serve(r) &&
	    check_frame_on(r) && check_workloads(r) && check_input(r, o) &&
	    check_outputs(r) && check_traces(r) && check_connect(r);
}
