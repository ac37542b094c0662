/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line: one table of options makes the parser, the help text and
 * the man page's list. Long options everywhere; the short ones are
 * gem_wsim's, with gem_wsim's meanings (doc/model/gem_wsim.md "Options").
 */
#ifndef RUN_OPTIONS_H
#define RUN_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "trace/outputs.h"

#include "base/nsec.h"

struct text;

enum mode {
	MODE_CONSOLE,
	MODE_BATCH,        /* -b */
	MODE_CHECK,        /* --check */
	MODE_FORMAT,       /* --format */
	MODE_LIST_DEVICES, /* -L */
	MODE_LIST_ENGINES, /* -l */
	MODE_HELP,
	MODE_VERSION,
	MODE_PRINT_CONFIG,
	MODE_LAYER_DUMP,
	MODE_PROGRAM, /* gpuwl-run: a program on a virtual i915 */
	MODE_CALIBRATE,
	MODE_COMPARE, /* --compare-device */
	MODE_IMPORT,  /* --import */
};

#define OPTIONS_ALL_ROWS UINT64_MAX

/* A -w, -W or FILE, with the values of -p and -s before it. */
struct workload_option {
	const char *argument;
	bool master; /* -W */
	int priority;
	bool small_sseu;
	bool positional; /* a FILE, without -w or -W */
};

struct options {
	enum mode mode;
	char *command; /* the whole command line, as a shell takes it */
	char *const
	    *argv; /* its words, options before others; NULL at the end */
	struct workload_option *workloads;
	size_t n_workloads;
	const char **files; /* --check, --format */
	size_t n_files;
	bool is_run; /* the program was called as gpuwl-run */
	/* gpuwl-run, and --serve behind "--": a program and its arguments, NULL
	 * at the end. NULL: none. */
	char **program;
	const char *serve;     /* --serve: the device's name; NULL: none */
	const char *connect;   /* gpuwl-run: a name or a path; NULL: any */
	bool own_device;       /* gpuwl-run --own */
	bool privileged;       /* gpuwl-run, --serve */
	bool virtual_time;     /* gpuwl-run */
	const char *append;    /* -a; NULL */
	uint64_t repeat;       /* -r; 0: until stopped */
	unsigned clients;      /* -c */
	uint32_t seed;         /* -I; default 1, so that runs repeat */
	bool same_random;      /* -S */
	bool sync_deps;        /* -d */
	double duration_scale; /* -f */
	double delay_scale;    /* -F */
	int verbose;           /* number of -v; -1: -q */
	const char *device;    /* -D */
	const char *scheduler; /* name; default SCHED_OF_PROFILE */
	bool scheduler_given, profile_given, speed_given;
	const char *profile;     /* name or file; default "default", for
				  --check "ideal" */
	double speed;            /* times real time; 0: max */
	nsec duration;           /* --duration; NSEC_NEVER */
	const char *json;        /* file, "-": standard output; NULL: none */
	const char *requests;    /* file, "-": standard output; NULL: none */
	const char *report;      /* file, "-": standard output; NULL: none */
	const char *capture;     /* file; NULL: none */
	const char *record;      /* file; NULL: none */
	const char *error_state; /* folder; NULL: none */
	const char *layer;       /* file; NULL: none */
	const char *trace, *trace_json, *arm_metadata; /* files; NULL: none */
	const char *trace_kernel, *profile_frames;
	unsigned trace_events;     /* 1 << enum kernel_set of each; 0: all */
	const char *layer_connect; /* HOST:PORT; NULL: none */
	bool layer_connect_remote;
	const char *layer_dump; /* --layer-dump: file */
	const char *calibrate;  /* --calibrate: file, "-": standard output */
	const char *replay;     /* file, instead of workloads; NULL: none */
	/* Decisions (decide/). */
	const char **sweeps; /* --sweep */
	size_t n_sweeps;
	bool sweep_commands;
	uint64_t sweep_row; /* --sweep-row; OPTIONS_ALL_ROWS */
	bool capacity;
	const char *goal;     /* --goal; NULL: the default */
	const char *mix;      /* --mix; NULL: x for each workload */
	const char *tune;     /* --tune: kinds, "": all; NULL: not given */
	const char *keep;     /* --keep; NULL: none */
	unsigned max_clients; /* --max-clients */
	unsigned seeds;       /* --seeds; 0: the default */
	unsigned jobs;        /* --jobs; 0: one for each processor */
	nsec warmup;          /* --warmup */
	const char *output;   /* -o; NULL: standard output */
	const char **imports; /* --import */
	size_t n_imports;
	bool force;
	const char *frame_on;   /* --frame-on, also of --capture; NULL: none */
	const char *engine_map; /* NULL: none */
	nsec import_from, import_to; /* --time; 0, NSEC_NEVER */
	const char *client_names;    /* --clients with --import; NULL */
	const char *script;          /* console: --script */
	nsec delay;                  /* console: --delay; 0: the setting */
	bool ascii;                  /* console: --ascii */
	bool no_mouse;               /* console: --no-mouse */
	const char *config; /* console: file or "none"; NULL: the usual */
};

/* Reads a command line; argv must live as long as o, which is freed with
 * options_free(). False: err has a line, the program exits with
 * EXIT_STATUS_OPTIONS. */
bool options_parse(struct options *o, int argc, char **argv, struct text *err);
void options_free(struct options *o);
/* Sets one option, by its long name, as if it had been given. value must live as
 * long as o. Options are not checked against each other. */
bool options_set(
    struct options *o, const char *name, const char *value, struct text *err);
void options_print_help(struct text *out);
/* The help of gpuwl-run. */
void options_print_run_help(struct text *out);
/* Appends the man page's OPTIONS as roff. */
void options_print_man(struct text *out);

/* The name that the program was called by, with which its lines begin. */
static inline const char *
options_caller(const struct options *o)
{
	return o->is_run ? "gpuwl-run" : "gpuwl-top";
}

/* True if many runs are made, for a decision. */
static inline bool
options_decide(const struct options *o)
{
	return o->capacity || o->tune != NULL || o->n_sweeps > 0;
}

/* Reads the time between frames of the console, 10ms to 3600s. Like
 * read_duration(). */
bool options_read_delay(const char *value, nsec *delay, struct text *err);

/* The path of an output; NULL: none. */
const char *options_output(const struct options *o, enum output_kind kind);

#endif
