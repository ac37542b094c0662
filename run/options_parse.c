/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Reads a command line with getopt_long, by the table of options, and then
 * checks the options against the mode and against each other. */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/near.h"
#include "base/text.h"
#include "device/serve/address.h"
#include "engine/sched/sched.h"
#include "run/options.h"
#include "run/options_table.h"
#include "run/texts.h"
#include "trace/host.h"
#include "trace/outputs.h"

#define MAX_BATCH_SPEED 1000 /* engine/gpu/pace.h */

#define LONG_VALUE 256 /* getopt's value of the first long option */

/* True for modes that ignore all later options. */
static bool
is_final(enum mode mode)
{
	return mode == MODE_HELP || mode == MODE_VERSION;
}

bool
reader_choose_mode(struct option_reader *r, enum mode mode)
{
	struct options *o = r->o;
	bool lists = mode == MODE_LIST_DEVICES || mode == MODE_LIST_ENGINES;
	bool listed = o->mode == MODE_LIST_DEVICES ||
	    o->mode == MODE_LIST_ENGINES;

	/* gem_wsim has no batch mode, and lists with any options: -b is
	 * ignored. */
	if (listed && mode == MODE_BATCH)
		return true;
	if (r->mode_given && !is_final(mode) && o->mode != mode &&
	    !(lists && o->mode == MODE_BATCH)) {
		text_addf(r->err, "%s and %s exclude each other", r->mode_shown,
		    r->shown);
		return false;
	}
	o->mode = mode;
	r->mode_given = true;
	memcpy(r->mode_shown, r->shown, sizeof(r->mode_shown));
	return true;
}

/* Fills the tables of getopt_long from ours. */
static void
make_getopt(enum mode mode, char *letters, struct option *longs)
{
	/* '-': reports FILEs in order, as 1; '+': ends at the first word that is
	 * not an option; ':': reports missing arguments as ':'. */
	*letters++ = mode == MODE_PROGRAM ? '+' : '-';
	*letters++ = ':';
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];
		bool optional = info->argument != NULL &&
		    *info->argument == '[';

		longs[i] = (struct option){
		    .name = info->name,
		    .has_arg = info->argument == NULL ? no_argument
			: optional                    ? optional_argument
						      : required_argument,
		    .val = LONG_VALUE + (int)i,
		};
		if (info->letter == 0)
			continue;
		*letters++ = info->letter;
		if (info->argument != NULL)
			*letters++ = ':';
	}
	*letters = '\0';
	longs[N_OPTIONS] = (struct option){0};
}

/* The row of a value that getopt_long returned; shown gets the option as it was
 * typed. */
static size_t
find_option(int value, char *shown, size_t size)
{
	size_t i = 0;

	if (value >= LONG_VALUE) {
		i = (size_t)(value - LONG_VALUE);
		snprintf(shown, size, "--%s", option_table[i].name);
		return i;
	}
	while (i < N_OPTIONS && option_table[i].letter != value)
		i++;
	snprintf(shown, size, "-%c", value);
	return i;
}

/* Appends "--trace or --trace-json": the options that begin with the len bytes
 * of a name or, if none does, those with a name like it. Returns the number of
 * those that begin with it. */
static size_t
add_options_like(const char *name, size_t len, struct text *out)
{
	struct near like = {0}, begun = {0};
	struct text word = {0};
	size_t n;

	text_add(&word, name, len);
	for (size_t i = 0; i < N_OPTIONS; i++) {
		const char *known = option_table[i].name;
		struct text shown = {0};

		text_addf(&shown, "--%s", known);
		if (strncmp(known, name, len) == 0)
			near_add(&begun, shown.data, shown.len);
		else if (near_is(text_str(&word), known))
			near_add(&like, shown.data, shown.len);
		text_free(&shown);
	}
	n = begun.n;
	near_print(n > 0 ? &begun : &like, out);
	near_free(&like);
	near_free(&begun);
	text_free(&word);
	return n;
}

/* Reports a long option that getopt_long does not know, or that several begin
 * with. */
static void
refuse_long_option(const char *word, struct text *err)
{
	size_t len = strcspn(word, "="), n;
	struct text like = {0};

	n = add_options_like(word + 2, len - 2, &like);
	text_addf(err, "%s option '", n > 0 ? "ambiguous" : "unknown");
	text_add_visible(err, word, len);
	text_adds(err, "'");
	if (like.len > 0)
		text_addf(err, "%s%s",
		    n > 0 ? ": expected " : ": did you mean ", text_str(&like));
	text_adds(err, n == 0 && like.len > 0 ? "?" : "");
	text_free(&like);
}

/* Reports a '?' of getopt_long: unknown, ambiguous, or with an argument that it
 * does not take. */
static bool
refuse_option(struct option_reader *r, char *const *argv)
{
	const char *word = argv[optind - 1];

	if (optopt >= LONG_VALUE) {
		find_option(optopt, r->shown, sizeof(r->shown));
		text_addf(r->err, "%s takes no argument", r->shown);
	} else if (optopt != 0) {
		char letter = (char)optopt;

		text_adds(r->err, "unknown option '-");
		text_add_visible(r->err, &letter, 1);
		text_adds(r->err, "'");
	} else {
		refuse_long_option(word, r->err);
	}
	return false;
}

/* "file" or "folder" if the argument can be nothing else; NULL: it can. */
static const char *
named_by(const struct option_info *info)
{
	static const char *const files[] = {"FILE", "[=FILE]", "FILE|none"};

	if (info->argument == NULL)
		return NULL;
	if (strcmp(info->argument, "DIR") == 0)
		return "folder";
	for (size_t i = 0; i < sizeof(files) / sizeof(*files); i++)
		if (strcmp(info->argument, files[i]) == 0)
			return "file";
	return NULL;
}

/* Refuses empty names, of unset shell variables for example: the system's
 * message for them would not name the option. */
static bool
check_name(struct option_reader *r, const struct option_info *info)
{
	const char *what = named_by(info);

	if (what == NULL || optarg == NULL || *optarg != '\0')
		return true;
	text_addf(r->err,
	    "%s: empty name: expected the name of a %s, e.g. %s=%s", r->shown,
	    what, r->shown,
	    strcmp(what, "folder") == 0 ? "errors" : "some.file");
	return false;
}

static bool
apply_option(struct option_reader *r, const struct option_info *info)
{
	return check_name(r, info) && info->take(r, optarg, info->arg);
}

static bool
read_option(struct option_reader *r, int value, char *const *argv)
{
	size_t i;

	if (value == 1) {
		reader_add_workload(r, optarg, false, true);
		return true;
	}
	if (value == '?')
		return refuse_option(r, argv);
	if (value == ':') {
		find_option(optopt, r->shown, sizeof(r->shown));
		text_addf(r->err, "%s needs an argument", r->shown);
		return false;
	}
	i = find_option(value, r->shown, sizeof(r->shown));
	r->seen |= UINT64_C(1) << i;
	return apply_option(r, &option_table[i]);
}

static bool
read_options(struct option_reader *r, int argc, char **argv)
{
	char letters[2 * N_OPTIONS + 3];
	struct option longs[N_OPTIONS + 1];
	int value;

	_Static_assert(N_OPTIONS <= 64, "bits of reader.seen");
	make_getopt(r->o->mode, letters, longs);
	optind = 0; /* glibc: resets getopt */
	opterr = 0;
	while ((value = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		if (!read_option(r, value, argv))
			return false;
		if (is_final(r->o->mode))
			return true;
	}
	if (r->o->mode == MODE_PROGRAM) {
		r->o->program = &argv[optind];
		return true;
	}
	if (r->o->serve != NULL && optind < argc) {
		r->o->program = &argv[optind];
		return true;
	}
	for (int i = optind; i < argc; i++) /* behind "--" */
		reader_add_workload(r, argv[i], false, true);
	return true;
}

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
	enum mode mode = r->o->mode;

	for (size_t i = 0; i < N_OPTIONS; i++) {
		const struct option_info *info = &option_table[i];

		if ((r->seen >> i & 1) == 0 || (info->modes & IN(mode)) != 0)
			continue;
		name_option(info, r->err);
		if (mode == MODE_CONSOLE)
			text_adds(r->err, " is for batch mode: add -b");
		else if (mode == MODE_BATCH)
			text_adds(r->err, " is for the console: leave out -b");
		else
			text_addf(
			    r->err, " has no effect with %s", r->mode_shown);
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

		if ((r->seen >> i & 1) == 0 || !is_recorded(info))
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
	if (o->mode == MODE_BATCH && o->n_workloads == 0 && o->serve == NULL) {
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

static void
set_defaults(struct option_reader *r)
{
	struct options *o = r->o;

	o->scheduler_given = o->scheduler != NULL;
	o->profile_given = o->profile != NULL;
	o->speed_given = o->speed >= 0;
	if (o->scheduler == NULL)
		o->scheduler = SCHED_OF_PROFILE;
	if (o->profile == NULL)
		o->profile = o->mode == MODE_CHECK ? "ideal" : "default";
	if (!o->speed_given)
		o->speed = o->mode != MODE_BATCH || o->serve != NULL;
	if (!r->repeat_given)
		o->repeat = o->mode == MODE_BATCH && o->serve == NULL &&
		    o->duration == NSEC_NEVER;
}

/* True if the program was called by that name. */
static bool
called_as(const char *called, const char *name)
{
	const char *slash = strrchr(called, '/');

	return strcmp(slash != NULL ? slash + 1 : called, name) == 0;
}

bool
options_parse(struct options *o, int argc, char **argv, struct text *err)
{
	struct option_reader r = {.o = o, .err = err};

	*o = (struct options){
	    /* getopt changes the order of argv. */
	    .command = run_command_line(argc, argv),
	    .clients = 1,
	    .seed = 1,
	    .duration_scale = 1,
	    .delay_scale = 1,
	    .speed = -1,
	    .duration = NSEC_NEVER,
	};
	if (argc > 0 && called_as(argv[0], "gpuwl-run")) {
		o->mode = MODE_PROGRAM;
		o->is_run = true;
		strcpy(r.mode_shown, "gpuwl-run");
	}
	if (!read_options(&r, argc, argv))
		return false;
	if (is_final(o->mode))
		return true;
	set_defaults(&r);
	/* As in gem_wsim any other option may be given with -L and -l. */
	if (o->mode == MODE_LIST_DEVICES || o->mode == MODE_LIST_ENGINES ||
	    o->mode == MODE_LAYER_DUMP)
		return check_no_file(&r);
	if (!check_modes(&r))
		return false;
	if (o->mode == MODE_CHECK || o->mode == MODE_FORMAT)
		return take_files(&r);
	if (o->mode == MODE_PROGRAM)
		return check_run(&r) && check_traces(&r);
	return check_serve(&r) && check_workloads(&r) && check_input(&r, o) &&
	    check_outputs(&r) && check_traces(&r) && check_connect(&r);
}

void
options_free(struct options *o)
{
	free(o->command);
	free(o->workloads);
	free(o->files);
	*o = (struct options){0};
}
