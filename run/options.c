/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of options: each row has the function that takes its argument.
 * options_parse.c reads a command line with it, options_help.c prints it.
 */
#include "run/options.h"

#include <math.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "parser/step.h"
#include "run/options_table.h"
#include "trace/host.h"

#define MAX_CLIENTS  1000000u
#define MAX_SCALE    1e6 /* times STEP_MAX_SLEEP_US fits 64-bit ns */
#define MAX_DURATION (9000000000 * NSEC_PER_SEC)

#define IN_CONSOLE IN(MODE_CONSOLE)
#define IN_BATCH   IN(MODE_BATCH)
#define IN_RUN     (IN_CONSOLE | IN_BATCH)
#define IN_PROGRAM IN(MODE_PROGRAM)
#define IN_TEXT    (IN(MODE_CHECK) | IN(MODE_FORMAT))
#define IN_ALL     (~0u)

/* The member of struct options at offset arg. */
#define MEMBER(r, type, arg) (*(type *)(void *)((char *)(r)->o + (arg)))

static bool
refuse_argument(
    struct option_reader *r, const char *value, const char *expected)
{
	text_addf(r->err, "%s: invalid value '", r->shown);
	text_add_visible(r->err, value, strlen(value));
	text_addf(r->err, "': expected %s", expected);
	return false;
}

/* Refuses the option for that reason, which is freed. */
static bool
refuse_because(struct option_reader *r, struct text *why)
{
	text_addf(r->err, "%s: %s", r->shown, text_str(why));
	text_free(why);
	return false;
}

/* Reads digits and nothing else, as a number up to max. */
static bool
parse_whole(const char *s, uint64_t max, uint64_t *value)
{
	uint64_t n = 0;

	if (*s == '\0')
		return false;
	for (; *s != '\0'; s++) {
		if (*s < '0' || *s > '9')
			return false;
		if (__builtin_mul_overflow(n, 10u, &n) ||
		    __builtin_add_overflow(n, (uint64_t)(*s - '0'), &n) ||
		    n > max)
			return false;
	}
	*value = n;
	return true;
}

/* Reads a number as strtod() does, but no blanks, signs, hexadecimals,
 * infinities or rest. */
static bool
parse_real(const char *s, double *value)
{
	char *end;

	if (*s == '\0' || s[strspn(s, "0123456789.eE+-")] != '\0' || *s == '-')
		return false;
	*value = strtod(s, &end);
	return *end == '\0' && end != s && isfinite(*value);
}

void
reader_add_workload(
    struct option_reader *r, const char *argument, bool master, bool positional)
{
	struct options *o = r->o;

	o->workloads = mem_grow(o->workloads, o->n_workloads, &r->cap_workloads,
	    sizeof(*o->workloads));
	o->workloads[o->n_workloads++] = (struct workload_option){
	    .argument = argument,
	    .master = master,
	    .priority = r->priority,
	    .small_sseu = r->small_sseu,
	    .positional = positional,
	};
}

/* Functions of the table. value is NULL if the option has no argument. arg is
 * the offset of a member unless a comment says otherwise. */

/* arg: enum mode */
static bool
take_program_mode(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	return reader_choose_mode(r, (enum mode)arg);
}

static bool
take_true(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	MEMBER(r, bool, arg) = true;
	return true;
}

static bool
take_string(struct option_reader *r, const char *value, size_t arg)
{
	MEMBER(r, const char *, arg) = value;
	return true;
}

static bool
master_given(const struct options *o)
{
	for (size_t i = 0; i < o->n_workloads; i++)
		if (o->workloads[i].master)
			return true;
	return false;
}

/* arg: true for the master */
static bool
take_workload(struct option_reader *r, const char *value, size_t arg)
{
	if (arg && master_given(r->o)) {
		text_addf(r->err, "%s: only one master workload can be given",
		    r->shown);
		return false;
	}
	reader_add_workload(r, value, arg, false);
	return true;
}

static bool
take_append(struct option_reader *r, const char *value, size_t arg)
{
	if (MEMBER(r, const char *, arg) != NULL) {
		text_addf(r->err, "%s: only one append workload can be given",
		    r->shown);
		return false;
	}
	return take_string(r, value, arg);
}

/* arg: enum value_kind */
static bool
take_priority(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};
	int64_t n;

	if (!value_read(arg, value, strlen(value), &n, &why))
		return refuse_because(r, &why);
	r->priority = (int)n;
	return true;
}

/* arg: unused */
static bool
take_small_sseu(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	(void)arg;
	r->small_sseu = !r->small_sseu;
	return true;
}

static bool
take_n_clients(struct option_reader *r, const char *value, size_t arg)
{
	uint64_t n;

	if (!parse_whole(value, MAX_CLIENTS, &n) || n == 0)
		return refuse_argument(
		    r, value, "a number of clients, 1 to 1000000");
	MEMBER(r, unsigned, arg) = (unsigned)n;
	return true;
}

static bool
take_repeat(struct option_reader *r, const char *value, size_t arg)
{
	uint64_t n;

	if (!parse_whole(value, INT64_MAX, &n) || n == 0)
		return refuse_argument(
		    r, value, "a number of iterations, at least 1");
	MEMBER(r, uint64_t, arg) = n;
	r->repeat_given = true;
	return true;
}

static bool
take_seed(struct option_reader *r, const char *value, size_t arg)
{
	uint64_t n;

	if (!parse_whole(value, UINT32_MAX, &n))
		return refuse_argument(
		    r, value, "a whole number, 0 to 4294967295");
	MEMBER(r, uint32_t, arg) = (uint32_t)n;
	return true;
}

static bool
take_scale(struct option_reader *r, const char *value, size_t arg)
{
	double *scale = &MEMBER(r, double, arg);

	if (!parse_real(value, scale) || *scale > MAX_SCALE)
		return refuse_argument(r, value, "a factor, 0 to 1000000");
	return true;
}

/* A batch without a duration is refused everywhere. */
static bool
take_scale_above_0(struct option_reader *r, const char *value, size_t arg)
{
	if (!take_scale(r, value, arg))
		return false;
	return MEMBER(r, double, arg) > 0 ||
	    refuse_argument(r, value, "a factor above 0");
}

static bool
take_quiet(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	MEMBER(r, int, arg) = -1;
	return true;
}

static bool
take_verbose(struct option_reader *r, const char *value, size_t arg)
{
	(void)value;
	MEMBER(r, int, arg)++;
	return true;
}

static bool
take_speed(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return read_speed(value, &MEMBER(r, double, arg), &why) ||
	    refuse_because(r, &why);
}

bool
options_read_delay(const char *value, nsec *delay, struct text *err)
{
	return read_duration(
	    value, NSEC_PER_SEC / 100, 3600 * NSEC_PER_SEC, delay, err);
}

static bool
take_delay(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return options_read_delay(value, &MEMBER(r, nsec, arg), &why) ||
	    refuse_because(r, &why);
}

static bool
take_duration(struct option_reader *r, const char *value, size_t arg)
{
	struct text why = {0};

	return read_duration(
		   value, 1, MAX_DURATION, &MEMBER(r, nsec, arg), &why) ||
	    refuse_because(r, &why);
}

static bool
take_json(struct option_reader *r, const char *value, size_t arg)
{
	return take_string(r, value != NULL ? value : "-", arg);
}

static bool
take_serve(struct option_reader *r, const char *value, size_t arg)
{
	return take_string(r, value != NULL ? value : "0", arg);
}

static bool
take_layer_dump(struct option_reader *r, const char *value, size_t arg)
{
	take_string(r, value, arg);
	return reader_choose_mode(r, MODE_LAYER_DUMP);
}

static bool
take_layer_connect(struct option_reader *r, const char *value, size_t arg)
{
	struct host_address address;

	if (!host_address_parse(&address, value))
		return refuse_argument(
		    r, value, "HOST:PORT, e.g. localhost:62142");
	return take_string(r, value, arg);
}

/* The end of a row: a function, and its argument. */
#define CALL(function, member)                                                 \
	.take = (function), .arg = offsetof(struct options, member)
#define CALL_WITH(function, value) .take = (function), .arg = (value)
#define MODE(m)                    CALL_WITH(take_program_mode, m)
#define FLAG(member)               CALL(take_true, member)
#define STRING(member)             CALL(take_string, member)

/* The member is the name of a file. */
#define READS     .file = OPTION_READS
#define WRITES    .file = OPTION_WRITES
#define WRITES_IN .file = OPTION_WRITES_IN

const struct option_info option_table[] = {
    {'b', "batch", NULL, GROUP_MODE, IN_ALL,
	"batch mode: run to the end and print gem_wsim's closing lines; "
	"without it the console opens",
	MODE(MODE_BATCH)},
    {0, "check", NULL, GROUP_MODE, IN_ALL,
	"print the diagnostics of each FILE and whether gem_wsim could run "
	"it, on the platform of --profile if given; compiled for the engines "
	"of the profile (default: ideal)",
	MODE(MODE_CHECK)},
    {0, "format", NULL, GROUP_MODE, IN_ALL,
	"print the canonical text of FILE, comments kept", MODE(MODE_FORMAT)},
    {'L', "list-devices", NULL, GROUP_MODE, IN_ALL,
	"list the GPUs of this machine", MODE(MODE_LIST_DEVICES)},
    {'l', "list-engines", NULL, GROUP_MODE, IN_ALL,
	"list the engines of the GPU, or of the model where there is none",
	MODE(MODE_LIST_ENGINES)},
    {'h', "help", NULL, GROUP_MODE, IN_ALL, "print this help", MODE(MODE_HELP)},
    {0, "version", NULL, GROUP_MODE, IN_ALL, "print the version",
	MODE(MODE_VERSION)},
    {0, "print-config", NULL, GROUP_MODE, IN_ALL,
	"print a config file with all settings, keys and colours, each in a "
	"comment",
	MODE(MODE_PRINT_CONFIG)},

    {'w', "workload", "FILE|TEXT", GROUP_WORKLOAD, IN_RUN,
	"a workload: the path of a file ('-': standard input, in batch mode), "
	"else the descriptor itself; may be repeated",
	CALL_WITH(take_workload, false), .file = OPTION_READS_SOURCE},
    {'W', "master", "FILE|TEXT", GROUP_WORKLOAD, IN_RUN,
	"the master workload: all others loop until it has done its repeats",
	CALL_WITH(take_workload, true), .file = OPTION_READS_SOURCE},
    {'a', "append", "FILE|TEXT", GROUP_WORKLOAD, IN_RUN,
	"append these steps to every workload", CALL(take_append, append),
	READS},
    {'p', "priority", "N", GROUP_WORKLOAD, IN_RUN,
	"priority of all contexts of the workloads that follow, " PRIORITY_RANGE,
	CALL_WITH(take_priority, VALUE_PRIORITY)},
    {'s', "small-sseu", NULL, GROUP_WORKLOAD, IN_RUN,
	"turn the small slice configuration (mask 1) on or off for the "
	"workloads that follow",
	CALL_WITH(take_small_sseu, 0)},
    {'c', "clients", "N", GROUP_WORKLOAD, IN_RUN,
	"number of clients, only with a single workload (default 1)",
	CALL(take_n_clients, clients)},
    {'r', "repeat", "N", GROUP_WORKLOAD, IN_RUN,
	"iterations of each client (default: 1, or until --duration is over; "
	"in the console until stopped)",
	CALL(take_repeat, repeat)},
    {'I', "seed", "N", GROUP_WORKLOAD, IN_RUN,
	"seed of the random durations (default 1)", CALL(take_seed, seed)},
    {'S', "same-random", NULL, GROUP_WORKLOAD, IN_RUN,
	"all clients draw the same random durations", FLAG(same_random)},
    {'d', "sync-data", NULL, GROUP_WORKLOAD, IN_RUN,
	"wait for data dependencies in user space before submitting",
	FLAG(sync_deps)},
    {'f', "scale-durations", "X", GROUP_WORKLOAD, IN_RUN,
	"multiply the durations of batches by X",
	CALL(take_scale_above_0, duration_scale)},
    {'F', "scale-delays", "X", GROUP_WORKLOAD, IN_RUN,
	"multiply delays (d steps) by X", CALL(take_scale, delay_scale)},

    {0, "scheduler", "NAME", GROUP_MODEL, IN_RUN | IN(MODE_CHECK) | IN_PROGRAM,
	"the scheduler (default: the profile's)", STRING(scheduler)},
    {0, "profile", "NAME|FILE", GROUP_MODEL,
	IN_RUN | IN(MODE_CHECK) | IN_PROGRAM,
	"the modelled GPU: a built-in profile, or an INI file", STRING(profile),
	READS},
    {0, "speed", "N|max", GROUP_MODEL, IN_RUN | IN_PROGRAM,
	"0.001 to 1000000 times real time, or as fast as possible (default: "
	"max in batch mode, 1 in the console); with programs how much faster "
	"batches are, up to 1000",
	CALL(take_speed, speed)},
    {'D', "device", "FILTER", GROUP_MODEL, IN_RUN,
	"choose a GPU as gem_wsim does; the model runs in any case: this "
	"version has no hardware backend",
	STRING(device)},

    {0, "error-state", "DIR", GROUP_MODEL, IN_RUN,
	"write the error state of each hang to error-1.txt and error-1.json "
	"in DIR, and so on",
	STRING(error_state), WRITES_IN},

    {0, "duration", "SECONDS", GROUP_BATCH, IN_BATCH,
	"stop after that much virtual time", CALL(take_duration, duration)},
    {0, "json", "[=FILE]", GROUP_BATCH, IN_BATCH | IN_PROGRAM,
	"write the results as one JSON object (default: to standard output; "
	"the closing lines then go to standard error)",
	CALL(take_json, json), WRITES},
    {0, "requests", "FILE", GROUP_BATCH, IN_BATCH | IN_PROGRAM,
	"write one tab-separated line per request ('-': to standard "
	"output; the closing lines then go to standard error)",
	STRING(requests), WRITES},
    {0, "capture", "FILE.wsim", GROUP_PROGRAM, IN_BATCH | IN_PROGRAM,
	"write what the program did as a descriptor; further processes and "
	"threads go to FILE-2.wsim and so on",
	STRING(capture), WRITES},
    {'q', "quiet", NULL, GROUP_BATCH, IN_BATCH | IN_TEXT | IN_PROGRAM,
	"no closing lines, no warnings", CALL(take_quiet, verbose)},
    {'v', "verbose", NULL, GROUP_BATCH, IN_BATCH,
	"a line per client too, and on standard error the profile, scheduler "
	"and seed; twice: engines, latencies and missed periods as well",
	CALL(take_verbose, verbose)},

    {0, "script", "FILE", GROUP_CONSOLE, IN_CONSOLE, "play the keys in FILE",
	STRING(script), READS},
    {0, "ascii", NULL, GROUP_CONSOLE, IN_CONSOLE,
	"draw with ASCII characters only", FLAG(ascii)},
    {0, "no-mouse", NULL, GROUP_CONSOLE, IN_CONSOLE,
	"leave the mouse to the terminal, to select text", FLAG(no_mouse)},
    {0, "delay", "SECONDS", GROUP_CONSOLE, IN_CONSOLE,
	"time between two frames (default 0.25)", CALL(take_delay, delay)},
    {0, "config", "FILE|none", GROUP_CONSOLE, IN_CONSOLE,
	"read settings from FILE, or none (default: gpuwl/config in "
	"$XDG_CONFIG_HOME or ~/.config; with --script none)",
	STRING(config), READS},

    {0, "record", "FILE", GROUP_RECORDING, IN_RUN,
	"record the workloads, and every change to the run, so that it can be "
	"replayed",
	STRING(record), WRITES},
    {0, "replay", "FILE", GROUP_RECORDING, IN_BATCH,
	"run a recording again, to the nanosecond; it has its own workloads, "
	"scheduler and profile",
	STRING(replay), READS},

    {0, "layer", "FILE", GROUP_LAYER, IN_RUN,
	"write the layer's messages: the workloads of each batch, from its "
	"annotations (#@)",
	STRING(layer), WRITES},
    {0, "layer-dump", "FILE", GROUP_LAYER, IN_ALL,
	"print a file of messages as text, a line each ('-': standard input)",
	CALL(take_layer_dump, layer_dump), READS},

    {0, "trace", "FILE", GROUP_LAYER, IN_RUN | IN_PROGRAM,
	"write a trace for Perfetto's UI and Arm's timeline viewer; a FILE that "
	"ends in .json gets Chrome's trace events",
	STRING(trace), WRITES},
    {0, "trace-json", "FILE", GROUP_LAYER, IN_RUN,
	"write a trace as JSON, Chrome's trace events", STRING(trace_json),
	WRITES},
    {0, "arm-metadata", "FILE", GROUP_LAYER, IN_RUN,
	"write the metadata that Arm's timeline viewer reads with a --trace",
	STRING(arm_metadata), WRITES},
    {0, "layer-connect", "HOST:PORT", GROUP_LAYER, IN_RUN,
	"send the workloads of each batch to Arm's host server "
	"(lgl_host_server.py) while it runs; HOST is this machine",
	CALL(take_layer_connect, layer_connect)},
    {0, "layer-connect-remote", NULL, GROUP_LAYER, IN_RUN,
	"HOST of --layer-connect may be another machine",
	FLAG(layer_connect_remote)},

    {0, "serve", "[=NAME]", GROUP_PROGRAM, IN_RUN,
	"be a virtual i915 for programs (default NAME: 0), the FILEs beside "
	"them; what follows \"--\" is a PROGRAM to start on it. With -b until "
	"PROGRAM or a signal ends it",
	CALL(take_serve, serve)},
    {0, "connect", "NAME|SOCKET", GROUP_PROGRAM, IN_PROGRAM,
	"run the program on that device (default: $GPUWL_DEVICE, else the only "
	"one that is served, else a new one)",
	STRING(connect)},
    {0, "own", NULL, GROUP_PROGRAM, IN_PROGRAM,
	"run the program on a new device in any case", FLAG(own_device)},
    {0, "privileged", NULL, GROUP_PROGRAM, IN_RUN | IN_PROGRAM,
	"programs may do what a kernel leaves to root, e.g. raise priorities "
	"above 0",
	FLAG(privileged)},
    {0, "virtual-time", NULL, GROUP_PROGRAM, IN_PROGRAM,
	"let programs run in virtual time: a thread at a time, none waits for "
	"real time, and each run is the same",
	FLAG(virtual_time)},
};

_Static_assert(sizeof(option_table) / sizeof(option_table[0]) == N_OPTIONS,
    "N_OPTIONS counts the rows");

const char *
option_path(const struct options *o, const struct option_info *info)
{
	if (info->file == OPTION_NO_FILE || info->file == OPTION_READS_SOURCE)
		return NULL;
	return *(
	    const char *const *)(const void *)((const char *)o + info->arg);
}

const char *
options_output(const struct options *o, enum output_kind kind)
{
	const char *const paths[N_OUTPUTS] = {
	    [OUTPUT_LAYER] = o->layer,
	    [OUTPUT_TRACE] = o->trace,
	    [OUTPUT_TRACE_JSON] = o->trace_json,
	    [OUTPUT_ARM] = o->arm_metadata,
	    [OUTPUT_SERVER] = o->layer_connect,
	};

	return paths[kind];
}
