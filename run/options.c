/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of options, and what each does when it is read. options_parse.c
 * reads a command line by it, options_help.c makes the texts of it.
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
#define MAX_SCALE    1e6 /* times STEP_MAX_SLEEP_US still fits 64-bit ns */
#define MAX_DURATION (9000000000 * NSEC_PER_SEC)

#define IN_CONSOLE IN(MODE_CONSOLE)
#define IN_BATCH   IN(MODE_BATCH)
#define IN_RUN     (IN_CONSOLE | IN_BATCH)
#define IN_TEXT    (IN(MODE_CHECK) | IN(MODE_FORMAT))
#define IN_ALL     (~0u)

static bool
refuse_argument(struct option_reader *r, const char *value, const char *wanted)
{
	text_addf(r->err, "%s: '", r->shown);
	text_add_visible(r->err, value, strlen(value));
	text_addf(r->err, "' is not %s", wanted);
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

/* Digits and nothing else, so that "1x" or "abc" is no number. */
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

/* strtod, without its blanks, hexadecimals, infinities and rest. */
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

static bool
take_workload(struct option_reader *r, const char *value)
{
	reader_add_workload(r, value, false, false);
	return true;
}

static bool
take_master(struct option_reader *r, const char *value)
{
	for (size_t i = 0; i < r->o->n_workloads; i++) {
		if (!r->o->workloads[i].master)
			continue;
		text_addf(r->err, "%s: only one master workload can be given",
		    r->shown);
		return false;
	}
	reader_add_workload(r, value, true, false);
	return true;
}

static bool
take_append(struct option_reader *r, const char *value)
{
	if (r->o->append != NULL) {
		text_addf(r->err, "%s: only one append workload can be given",
		    r->shown);
		return false;
	}
	r->o->append = value;
	return true;
}

static bool
take_priority(struct option_reader *r, const char *value)
{
	int64_t n;
	struct text why = {0};

	if (!value_read(VALUE_PRIORITY, value, strlen(value), &n, &why)) {
		text_addf(r->err, "%s: %s", r->shown, text_str(&why));
		text_free(&why);
		return false;
	}
	r->priority = (int)n;
	return true;
}

static bool
take_small_sseu(struct option_reader *r, const char *value)
{
	(void)value;
	r->small_sseu = !r->small_sseu;
	return true;
}

static bool
take_n_clients(struct option_reader *r, const char *value)
{
	uint64_t n;

	if (!parse_whole(value, MAX_CLIENTS, &n) || n == 0)
		return refuse_argument(
		    r, value, "a number of clients, 1 to 1000000");
	r->o->clients = (unsigned)n;
	return true;
}

static bool
take_repeat(struct option_reader *r, const char *value)
{
	uint64_t n;

	if (!parse_whole(value, INT64_MAX, &n) || n == 0)
		return refuse_argument(
		    r, value, "a number of iterations, at least 1");
	r->o->repeat = n;
	r->repeat_given = true;
	return true;
}

static bool
take_seed(struct option_reader *r, const char *value)
{
	uint64_t n;

	if (!parse_whole(value, UINT32_MAX, &n))
		return refuse_argument(
		    r, value, "a whole number, 0 to 4294967295");
	r->o->seed = (uint32_t)n;
	return true;
}

static bool
take_scale(struct option_reader *r, const char *value, double *scale)
{
	if (!parse_real(value, scale) || *scale > MAX_SCALE)
		return refuse_argument(
		    r, value, "a factor, a number from 0 to 1000000");
	return true;
}

static bool
take_duration_scale(struct option_reader *r, const char *value)
{
	if (!take_scale(r, value, &r->o->duration_scale))
		return false;
	/* A batch of no time is refused everywhere. */
	if (r->o->duration_scale <= 0)
		return refuse_argument(r, value, "a factor above 0");
	return true;
}

static bool
take_delay_scale(struct option_reader *r, const char *value)
{
	return take_scale(r, value, &r->o->delay_scale);
}

static bool
take_quiet(struct option_reader *r, const char *value)
{
	(void)value;
	r->o->verbose = -1;
	return true;
}

static bool
take_verbose(struct option_reader *r, const char *value)
{
	(void)value;
	r->o->verbose++;
	return true;
}

static bool
take_scheduler(struct option_reader *r, const char *value)
{
	r->o->scheduler = value;
	r->o->scheduler_given = true;
	return true;
}

static bool
take_speed(struct option_reader *r, const char *value)
{
	struct text why = {0};
	bool ok = read_speed(value, &r->o->speed, &why);

	r->o->speed_given = true;
	return ok || refuse_because(r, &why);
}

bool
options_read_delay(const char *value, nsec *delay, struct text *err)
{
	return read_duration(
	    value, NSEC_PER_SEC / 100, 3600 * NSEC_PER_SEC, delay, err);
}

static bool
take_delay(struct option_reader *r, const char *value)
{
	struct text why = {0};
	nsec delay;

	if (!options_read_delay(value, &delay, &why))
		return refuse_because(r, &why);
	r->o->delay = (double)delay / 1e9;
	return true;
}

static bool
take_duration(struct option_reader *r, const char *value)
{
	struct text why = {0};

	return read_duration(value, 1, MAX_DURATION, &r->o->duration, &why) ||
	    refuse_because(r, &why);
}

static bool
take_json(struct option_reader *r, const char *value)
{
	r->o->json = value != NULL ? value : "-";
	return true;
}

static bool
take_layer_dump(struct option_reader *r, const char *value)
{
	r->o->layer_dump = value;
	return reader_choose_mode(r, MODE_LAYER_DUMP);
}

static bool
take_layer_connect(struct option_reader *r, const char *value)
{
	struct host_address address;

	if (!host_address_parse(&address, value))
		return refuse_argument(
		    r, value, "HOST:PORT, like localhost:62142");
	r->o->layer_connect = value;
	return true;
}

/* What an option does: the four forms of a row of the table. */
#define DO_MODE(m)    .mode = (m)
#define SET_FLAG(f)   .flag = offsetof(struct options, f)
#define SET_STRING(s) .string = offsetof(struct options, s)
#define CALL(f)       .take = (f)

/* And that this is the name of a file. */
#define READS(s)     SET_STRING(s), .file = OPTION_READS
#define WRITES(s)    SET_STRING(s), .file = OPTION_WRITES
#define WRITES_IN(s) SET_STRING(s), .file = OPTION_WRITES_IN

const struct option_info option_table[] = {
    {'b', "batch", NULL, GROUP_MODE, IN_ALL,
	"batch mode: run to the end and print gem_wsim's closing lines; "
	"without it the console opens",
	DO_MODE(MODE_BATCH)},
    {0, "check", NULL, GROUP_MODE, IN_ALL,
	"print the diagnostics of each FILE and whether gem_wsim could run "
	"it, on the platform of --profile if given; compiled for the engines "
	"of the profile (default: ideal)",
	DO_MODE(MODE_CHECK)},
    {0, "format", NULL, GROUP_MODE, IN_ALL,
	"print the canonical text of FILE, comments kept",
	DO_MODE(MODE_FORMAT)},
    {'L', "list-devices", NULL, GROUP_MODE, IN_ALL,
	"list the GPUs of this machine", DO_MODE(MODE_LIST_DEVICES)},
    {'l', "list-engines", NULL, GROUP_MODE, IN_ALL,
	"list the engines of the GPU, or of the model where there is none",
	DO_MODE(MODE_LIST_ENGINES)},
    {'h', "help", NULL, GROUP_MODE, IN_ALL, "print this help",
	DO_MODE(MODE_HELP)},
    {0, "version", NULL, GROUP_MODE, IN_ALL, "print the version",
	DO_MODE(MODE_VERSION)},
    {0, "print-config", NULL, GROUP_MODE, IN_ALL,
	"print a config file with all settings, keys and colours, each in a "
	"comment",
	DO_MODE(MODE_PRINT_CONFIG)},

    {'w', "workload", "FILE|TEXT", GROUP_WORKLOAD, IN_RUN,
	"a workload: the path of a file ('-': standard input, in batch mode), "
	"else the descriptor itself; may be repeated",
	CALL(take_workload), .file = OPTION_READS},
    {'W', "master", "FILE|TEXT", GROUP_WORKLOAD, IN_RUN,
	"the master workload: all others loop until it has done its repeats",
	CALL(take_master), .file = OPTION_READS},
    {'a', "append", "FILE|TEXT", GROUP_WORKLOAD, IN_RUN,
	"append these steps to every workload", CALL(take_append),
	READS(append)},
    {'p', "priority", "N", GROUP_WORKLOAD, IN_RUN,
	"priority of all contexts of the workloads that follow, " PRIORITY_RANGE,
	CALL(take_priority)},
    {'s', "small-sseu", NULL, GROUP_WORKLOAD, IN_RUN,
	"turn the small slice configuration (mask 1) on or off for the "
	"workloads that follow",
	CALL(take_small_sseu)},
    {'c', "clients", "N", GROUP_WORKLOAD, IN_RUN,
	"clients that run the workload, only with a single one (default 1)",
	CALL(take_n_clients)},
    {'r', "repeat", "N", GROUP_WORKLOAD, IN_RUN,
	"iterations of each client (default: 1, or until --duration is over; "
	"in the console until stopped)",
	CALL(take_repeat)},
    {'I', "seed", "N", GROUP_WORKLOAD, IN_RUN,
	"seed of the random durations (default 1)", CALL(take_seed)},
    {'S', "same-random", NULL, GROUP_WORKLOAD, IN_RUN,
	"all clients draw the same random durations", SET_FLAG(same_random)},
    {'d', "sync-data", NULL, GROUP_WORKLOAD, IN_RUN,
	"wait for data dependencies in user space before submitting",
	SET_FLAG(sync_deps)},
    {'f', "scale-durations", "X", GROUP_WORKLOAD, IN_RUN,
	"multiply the durations of batches by X", CALL(take_duration_scale)},
    {'F', "scale-delays", "X", GROUP_WORKLOAD, IN_RUN,
	"multiply delays (d steps) by X", CALL(take_delay_scale)},

    {0, "scheduler", "NAME", GROUP_MODEL, IN_RUN | IN(MODE_CHECK),
	"the scheduler (default: fifo with -b, else the profile's)",
	CALL(take_scheduler)},
    {0, "profile", "NAME|FILE", GROUP_MODEL, IN_RUN | IN(MODE_CHECK),
	"the modelled GPU: a built-in profile, or an INI file", READS(profile)},
    {0, "speed", "N|max", GROUP_MODEL, IN_RUN,
	"0.001 to 1000000 times real time, or as fast as possible (default: max "
	"in batch mode, 1 in the console)",
	CALL(take_speed)},
    {'D', "device", "FILTER", GROUP_MODEL, IN_RUN,
	"choose a GPU as gem_wsim does; the model runs all the same, for "
	"this version has no hardware backend",
	SET_STRING(device)},

    {0, "error-state", "DIR", GROUP_MODEL, IN_RUN,
	"write what is known of each hang to error-1.txt and error-1.json in "
	"DIR, and so on",
	WRITES_IN(error_state)},

    {0, "duration", "SECONDS", GROUP_BATCH, IN_BATCH,
	"stop after that much virtual time", CALL(take_duration)},
    {0, "json", "[=FILE]", GROUP_BATCH, IN_BATCH,
	"write the results as one JSON object (default: to standard output; "
	"the closing lines then go to standard error)",
	CALL(take_json), WRITES(json)},
    {0, "requests", "FILE", GROUP_BATCH, IN_BATCH,
	"write one tab-separated line per request ('-': to standard "
	"output; the closing lines then go to standard error)",
	WRITES(requests)},
    {'q', "quiet", NULL, GROUP_BATCH, IN_BATCH | IN_TEXT,
	"no closing lines, no warnings", CALL(take_quiet)},
    {'v', "verbose", NULL, GROUP_BATCH, IN_BATCH,
	"a line per client too; twice: engines, latencies and missed periods, on "
	"standard error",
	CALL(take_verbose)},

    {0, "script", "FILE", GROUP_CONSOLE, IN_CONSOLE, "play the keys in FILE",
	READS(script)},
    {0, "ascii", NULL, GROUP_CONSOLE, IN_CONSOLE,
	"draw with ASCII characters only", SET_FLAG(ascii)},
    {0, "no-mouse", NULL, GROUP_CONSOLE, IN_CONSOLE,
	"leave the mouse to the terminal, to select text", SET_FLAG(no_mouse)},
    {0, "delay", "SECONDS", GROUP_CONSOLE, IN_CONSOLE,
	"time between two frames (default 1)", CALL(take_delay)},
    {0, "config", "FILE|none", GROUP_CONSOLE, IN_CONSOLE,
	"read settings from FILE, or none (default: gpuwl/config in "
	"$XDG_CONFIG_HOME or ~/.config; with --script none)",
	READS(config)},

    {0, "record", "FILE", GROUP_RECORDING, IN_RUN,
	"write what is run, and all that is done to it while it runs, so that "
	"it can be replayed",
	WRITES(record)},
    {0, "replay", "FILE", GROUP_RECORDING, IN_BATCH,
	"run a recording again, to the nanosecond; it has its own workloads, "
	"scheduler and profile",
	READS(replay)},

    {0, "layer", "FILE", GROUP_LAYER, IN_RUN,
	"write the messages of the layer: what the workloads of each batch "
	"are, as its annotations (#@) say",
	WRITES(layer)},
    {0, "layer-dump", "FILE", GROUP_LAYER, IN_ALL,
	"print a file of messages as text, a line each ('-': standard input)",
	CALL(take_layer_dump), READS(layer_dump)},

    {0, "trace", "FILE", GROUP_LAYER, IN_RUN,
	"write a trace for Perfetto's UI and Arm's timeline viewer",
	WRITES(trace)},
    {0, "trace-json", "FILE", GROUP_LAYER, IN_RUN,
	"write a trace as JSON, Chrome's trace events", WRITES(trace_json)},
    {0, "arm-metadata", "FILE", GROUP_LAYER, IN_RUN,
	"write what Arm's timeline viewer reads beside a --trace",
	WRITES(arm_metadata)},
    {0, "layer-connect", "HOST:PORT", GROUP_LAYER, IN_RUN,
	"send what the workloads of each batch are to Arm's host server "
	"(lgl_host_server.py), as it runs; HOST is this machine",
	CALL(take_layer_connect)},
    {0, "layer-connect-remote", NULL, GROUP_LAYER, IN_RUN,
	"HOST of --layer-connect may be another machine",
	SET_FLAG(layer_connect_remote)},
};

_Static_assert(sizeof(option_table) / sizeof(option_table[0]) == N_OPTIONS,
    "N_OPTIONS counts the rows");

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
