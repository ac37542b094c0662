/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of options: each row has the function that takes its argument
 * (options_take.c, options_decide.c). options_parse.c reads a command line with
 * it, options_help.c prints it.
 */
#include "run/options.h"

#include <stddef.h>

#include "parser/step.h"
#include "run/options_table.h"

#define IN_CONSOLE IN(MODE_CONSOLE)
#define IN_BATCH   IN(MODE_BATCH)
#define IN_RUN     (IN_CONSOLE | IN_BATCH)
#define IN_PROGRAM IN(MODE_PROGRAM)
#define IN_TEXT    (IN(MODE_CHECK) | IN(MODE_FORMAT))
#define IN_LISTS   (IN(MODE_LIST_DEVICES) | IN(MODE_LIST_ENGINES))
#define IN_WORK    (IN_RUN | IN(MODE_COMPARE))
#define IN_GPU     (IN(MODE_CALIBRATE) | IN(MODE_COMPARE))
#define IN_IMPORT  IN(MODE_IMPORT)
#define IN_ALL     (~0u)
#define IN_TOP     (~IN_PROGRAM) /* not of gpuwl-run */

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
    {'b', "batch", NULL, GROUP_MODE, IN_TOP,
	"batch mode: run to the end and print gem_wsim's closing lines; "
	"without it the console opens",
	MODE(MODE_BATCH)},
    {0, "check", NULL, GROUP_MODE, IN_TOP,
	"print the diagnostics of each FILE and whether gem_wsim could run "
	"it, on the platform of --profile if given; compiled for the engines "
	"of the profile (default: ideal)",
	MODE(MODE_CHECK)},
    {0, "format", NULL, GROUP_MODE, IN_TOP,
	"print the canonical text of FILE, comments kept", MODE(MODE_FORMAT)},
    {'L', "list-devices", NULL, GROUP_MODE, IN_TOP,
	"list the GPUs of this machine", MODE(MODE_LIST_DEVICES)},
    {'l', "list-engines", NULL, GROUP_MODE, IN_TOP,
	"list the engines of the model, or with -D of that GPU",
	MODE(MODE_LIST_ENGINES)},
    {'h', "help", NULL, GROUP_MODE, IN_ALL, "print this help", MODE(MODE_HELP)},
    {0, "version", NULL, GROUP_MODE, IN_ALL, "print the version",
	MODE(MODE_VERSION)},
    {0, "print-config", NULL, GROUP_MODE, IN_TOP,
	"print a config file with all settings, keys and colours, each in a "
	"comment",
	MODE(MODE_PRINT_CONFIG)},

    {'w', "workload", "FILE|TEXT", GROUP_WORKLOAD, IN_WORK,
	"a workload: the path of a file ('-': standard input, in batch mode), "
	"else the descriptor itself; may be repeated",
	CALL_WITH(take_workload, false), .file = OPTION_READS_SOURCE},
    {'W', "master", "FILE|TEXT", GROUP_WORKLOAD, IN_WORK,
	"the master workload: all others loop until it has done its repeats",
	CALL_WITH(take_workload, true), .file = OPTION_READS_SOURCE},
    {'a', "append", "FILE|TEXT", GROUP_WORKLOAD, IN_WORK,
	"append these steps to every workload", CALL(take_append, append),
	READS},
    {'p', "priority", "N", GROUP_WORKLOAD, IN_WORK,
	"priority of all contexts of the workloads that follow, " PRIORITY_RANGE,
	CALL_WITH(take_priority, VALUE_PRIORITY)},
    {'s', "small-sseu", NULL, GROUP_WORKLOAD, IN_WORK,
	"turn the small slice configuration (mask 1) on or off for the "
	"workloads that follow",
	CALL_WITH(take_small_sseu, 0)},
    {'c', "clients", "N", GROUP_WORKLOAD, IN_WORK | IN_IMPORT,
	"number of clients, only with a single workload (default 1); with "
	"--import an expression: read clients with such names only",
	CALL(take_clients, clients)},
    {'r', "repeat", "N", GROUP_WORKLOAD, IN_WORK,
	"iterations of each client (default: 1, or until --duration is over; "
	"in the console until stopped)",
	CALL(take_repeat, repeat)},
    {'I', "seed", "N", GROUP_WORKLOAD, IN_WORK | IN_IMPORT,
	"seed of the random durations (default 1)", CALL(take_seed, seed)},
    {'S', "same-random", NULL, GROUP_WORKLOAD, IN_WORK,
	"all clients draw the same random durations", FLAG(same_random)},
    {'d', "sync-data", NULL, GROUP_WORKLOAD, IN_WORK,
	"wait for data dependencies in user space before submitting",
	FLAG(sync_deps)},
    {'f', "scale-durations", "X", GROUP_WORKLOAD, IN_WORK,
	"multiply the durations of batches by X",
	CALL(take_scale_above_0, duration_scale)},
    {'F', "scale-delays", "X", GROUP_WORKLOAD, IN_WORK,
	"multiply delays (d steps) by X", CALL(take_scale, delay_scale)},

    {0, "scheduler", "NAME", GROUP_MODEL,
	IN_WORK | IN(MODE_CHECK) | IN_PROGRAM | IN_IMPORT,
	"the scheduler (default: the profile's)", STRING(scheduler)},
    {0, "profile", "NAME|FILE", GROUP_MODEL,
	IN_WORK | IN(MODE_CHECK) | IN_PROGRAM | IN_IMPORT,
	"the modelled GPU: a built-in profile, or an INI file", STRING(profile),
	READS},
    {0, "speed", "N|max", GROUP_MODEL, IN_RUN | IN_PROGRAM,
	"0.001 to 1000000 times real time, or as fast as possible (default: "
	"max in batch mode, 1 in the console); with programs the factor by "
	"which batches are faster, up to 1000",
	CALL(take_speed, speed)},
    {'D', "device", "FILTER", GROUP_MODEL,
	IN_RUN | IN_LISTS | IN_GPU | IN_IMPORT,
	"choose a GPU: drm:/dev/dri/NODE, sys:PATH, or pci: with fields vendor, "
	"device and card; -L lists these for each, -l the engines of the one "
	"chosen; the run is on that GPU, not on the model; with --import the "
	"dev= of the only GPU of the trace that is read, e.g. 1",
	CALL(take_device, device)},
    {0, "calibrate", "FILE", GROUP_MODEL, IN(MODE_CALIBRATE),
	"measure what the GPU of -D takes for submissions, switches and "
	"preemptions, and write a profile to FILE ('-': to standard output)",
	CALL(take_calibrate, calibrate), WRITES},
    {0, "compare-device", NULL, GROUP_MODEL, IN_TOP,
	"run the workloads on the GPU of -D, then on the model with --profile, "
	"and print the figures of both side by side",
	MODE(MODE_COMPARE)},

    {0, "error-state", "DIR", GROUP_MODEL, IN_RUN,
	"write the error state of each hang to error-1.txt and error-1.json "
	"in DIR, and so on",
	STRING(error_state), WRITES_IN},

    {0, "duration", "SECONDS", GROUP_BATCH, IN_BATCH | IN(MODE_COMPARE),
	"stop after that much virtual time", CALL(take_duration, duration)},
    {0, "json", "[=FILE]", GROUP_BATCH, IN_BATCH | IN_PROGRAM | IN_IMPORT,
	"write the results as one JSON object (default: to standard output, "
	"unless a program has it; the closing lines then go to standard error)",
	CALL(take_json, json), WRITES},
    {0, "report", "FILE.html", GROUP_BATCH,
	IN_BATCH | IN_PROGRAM | IN(MODE_COMPARE),
	"write a page for a browser or for paper: what was run, figures, charts, "
	"the worst stretch, missed periods and why, the descriptors",
	STRING(report), WRITES},
    {0, "requests", "FILE", GROUP_BATCH, IN_BATCH | IN_PROGRAM,
	"write one tab-separated line per request ('-': to standard "
	"output, unless a program has it; the closing lines then go to "
	"standard error)",
	STRING(requests), WRITES},
    {0, "capture", "FILE.wsim", GROUP_PROGRAM, IN_BATCH | IN_PROGRAM,
	"write what the program did as a descriptor; further processes and "
	"threads go to FILE-2.wsim and so on",
	STRING(capture), WRITES},
    {'q', "quiet", NULL, GROUP_BATCH,
	IN_BATCH | IN_TEXT | IN_PROGRAM | IN_GPU | IN_IMPORT,
	"no closing lines, no warnings; gpuwl-run: nor lines of hangs",
	CALL(take_quiet, verbose)},
    {'v', "verbose", NULL, GROUP_BATCH, IN_BATCH,
	"a line per client too, and on standard error the profile, scheduler "
	"and seed; twice: engines, latencies and missed periods as well",
	CALL(take_verbose, verbose)},

    {0, "sweep", "KEY=VALUES", GROUP_DECISION, IN_BATCH,
	"run each combination of values and print a line of figures for each; "
	"repeatable, the first varies slowest. KEY: clients, seed, scheduler, "
	"profile, repeat, scale-durations, scale-delays, mix, or a knob of the "
	"profile, SECTION.NAME; VALUES: a,b,c or 1..8 or 1..64*2 or "
	"0.5..2+0.25",
	CALL_WITH(take_sweep, 0)},
    {0, "sweep-commands", NULL, GROUP_DECISION, IN_BATCH,
	"print the shell command of each row of the sweep instead",
	FLAG(sweep_commands)},
    {0, "sweep-row", "N", GROUP_DECISION, IN_BATCH,
	"run one row of the sweep, from 1, and print its line; with 1 the "
	"header too",
	CALL(take_sweep_row, sweep_row)},
    {0, "capacity", NULL, GROUP_DECISION, IN_BATCH,
	"find the most clients for which the goal holds", FLAG(capacity)},
    {0, "goal", "CONDITIONS", GROUP_DECISION, IN_BATCH,
	"misses<=N or N%, rate>=R, latency.p99<=T, queue_wait.p99<=T and "
	"hangs<=N, with commas between them (default: misses<=0)",
	STRING(goal)},
    {0, "mix", "N:N...", GROUP_DECISION, IN_BATCH,
	"clients of each -w: a number is fixed, x or Nx is multiplied by the "
	"count that --capacity searches (default: x for each)",
	STRING(mix)},
    {0, "tune", "[=KINDS]", GROUP_DECISION, IN_BATCH,
	"find the fewest edits of the workloads with which the goal holds, and "
	"print the edited workload; KINDS: priority, sseu, preempt, engines, "
	"balance, with commas between them (default: all)",
	CALL(take_tune, tune)},
    {0, "keep", "CTX...", GROUP_DECISION, IN_BATCH,
	"contexts that --tune leaves as they are, with commas between them",
	STRING(keep)},
    {0, "max-clients", "N", GROUP_DECISION, IN_BATCH,
	"the most that --capacity tries (default 4096)",
	CALL(take_n_clients, max_clients)},
    {0, "seeds", "N", GROUP_DECISION, IN_BATCH,
	"seeds on which the goal must hold: that of -I and those that follow "
	"(default 3)",
	CALL(take_small_number, seeds)},
    {'j', "jobs", "N", GROUP_DECISION, IN_BATCH,
	"runs at a time (default: the number of processors)",
	CALL(take_small_number, jobs)},
    {0, "warmup", "SECONDS", GROUP_DECISION, IN_BATCH,
	"virtual time before figures are counted (default 0)",
	CALL(take_warmup, warmup)},
    {'o', "output", "FILE", GROUP_DECISION, IN_BATCH | IN_IMPORT,
	"write the sweep to FILE, where an interrupted one goes on; with "
	"--tune, the edited workload; with --import a folder, which gets the "
	"descriptors (default: this one)",
	STRING(output), WRITES},

    {0, "import", "FILE", GROUP_IMPORT, IN_TOP,
	"read a trace: text of trace-cmd report, perf script or tracefs, "
	"trace.dat, a table of --requests, or a recording; write descriptors "
	"that do the same, and print how near they come; repeatable",
	CALL_WITH(take_import, 0), .file = OPTION_READS_SOURCE},
    {0, "force", NULL, GROUP_IMPORT, IN_IMPORT,
	"write over descriptors that are there", FLAG(force)},
    {0, "engine-map", "RULES", GROUP_IMPORT, IN_IMPORT,
	"engines of the rings of DRM schedulers: RING=ENGINE,... or a file of "
	"such rules; '*' in RING is any text",
	STRING(engine_map)},
    {0, "frame-on", "EVENT", GROUP_IMPORT, IN_IMPORT | IN_BATCH | IN_PROGRAM,
	"in a trace iterations begin at events of that name, e.g. "
	"drm_vblank_event (default: as requests recur); with --capture what "
	"is a frame: decode, encode, a batch on an engine, e.g. RCS, or one "
	"whose contents have a text, label:TEXT (default: decode)",
	STRING(frame_on)},
    {0, "time", "FROM..TO", GROUP_IMPORT, IN_IMPORT,
	"read that part only: in seconds of the trace's clock or, where it has "
	"none so early, from its first request on",
	CALL_WITH(take_time, 0)},

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
    {0, "replay", "FILE", GROUP_RECORDING, IN_RUN,
	"run a recording again, to the nanosecond; it has its own workloads, "
	"scheduler and profile; in the console any instant of it can be seen",
	STRING(replay), READS},

    {0, "layer", "FILE", GROUP_LAYER, IN_RUN,
	"write the layer's messages: the workloads of each batch, from its "
	"annotations (#@)",
	STRING(layer), WRITES},
    {0, "layer-dump", "FILE", GROUP_LAYER, IN_TOP,
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
    {0, "trace-kernel", "FILE", GROUP_LAYER, IN_RUN | IN_PROGRAM,
	"write the run as a kernel traces it, with events of i915, dma_fence "
	"and the DRM scheduler: FILE.txt as trace-cmd report -t, FILE.perf as "
	"perf script, else trace.dat",
	STRING(trace_kernel), WRITES},
    {0, "trace-events", "LIST", GROUP_LAYER, IN_RUN | IN_PROGRAM,
	"the events of --trace-kernel and --trace: i915, drm (the DRM scheduler "
	"before Linux 6.17), drm617 (since then); default: i915,drm,drm617",
	CALL(take_trace_events, trace_events)},
    {0, "profile-frames", "FILE.csv", GROUP_LAYER, IN_RUN,
	"write a line of CSV for each frame, an iteration of a client, with its "
	"time, and the time, queue time and waits of each of its batches",
	STRING(profile_frames), WRITES},
    {0, "layer-connect", "HOST:PORT", GROUP_LAYER, IN_RUN,
	"send the workloads of each batch to Arm's host server "
	"(lgl_host_server.py) while it runs; HOST is this machine",
	CALL(take_layer_connect, layer_connect)},
    {0, "layer-connect-remote", NULL, GROUP_LAYER, IN_RUN,
	"HOST of --layer-connect may be another machine",
	FLAG(layer_connect_remote)},

    {0, "serve", "[=NAME]", GROUP_PROGRAM, IN_RUN,
	"serve a virtual i915 for programs, with the FILEs beside them (default "
	"NAME: 0), and start the PROGRAM behind \"--\" on it; with -b until "
	"PROGRAM, --duration or a signal ends it",
	CALL(take_serve, serve)},
    {0, "connect", "NAME|SOCKET", GROUP_PROGRAM, IN_PROGRAM,
	"run the program on that device (default: $GPUWL_DEVICE, else the only "
	"one that is served, else a new one)",
	STRING(connect)},
    {0, "own", NULL, GROUP_PROGRAM, IN_PROGRAM,
	"run the program on a new device, also where one is served",
	FLAG(own_device)},
    {0, "privileged", NULL, GROUP_PROGRAM, IN_RUN | IN_PROGRAM,
	"let programs do what a kernel leaves to root, e.g. raise priorities "
	"above 0",
	FLAG(privileged)},
    {0, "virtual-time", NULL, GROUP_PROGRAM, IN_PROGRAM,
	"run programs in virtual time: one thread at a time, none waits for "
	"real time, and every run is the same",
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
	    [OUTPUT_KERNEL] = o->trace_kernel,
	    [OUTPUT_FRAMES] = o->profile_frames,
	    [OUTPUT_SERVER] = o->layer_connect,
	};

	return paths[kind];
}
