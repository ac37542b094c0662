/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to options*.c, file_uses.c and tests: the table of options, from
 * which the parser, the help and the manual's list are made. */
#ifndef RUN_OPTIONS_TABLE_H
#define RUN_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/options.h"

struct text;

#define N_OPTIONS 74

/* A mode as a bit. */
#define IN(mode) (1u << (mode))

/* State of reading a command line. */
struct option_reader {
	struct options *o;
	struct text *err;
	char shown[40]; /* the current option as it was typed */
	size_t cap_workloads, cap_sweeps;
	bool mode_given;
	char mode_shown[40]; /* the option that chose it */
	bool repeat_given;
	int priority;    /* -p, for later workloads */
	bool small_sseu; /* -s */
	size_t cap_imports;
	char *clients_why; /* why --clients is no number; NULL: it is */
	char *
	    device_why; /* why -D is no filter of devices; NULL: -D is a filter */
	bool seen[N_OPTIONS];
};

/* False: another mode was chosen before, and both exclude each other. */
bool reader_choose_mode(struct option_reader *r, enum mode mode);
void reader_add_workload(struct option_reader *r, const char *argument,
    bool master, bool positional);
/* Checks all options once they are read. False: err says which are refused. */
bool options_check(struct option_reader *r);

enum option_group {
	GROUP_MODE,
	GROUP_WORKLOAD,
	GROUP_MODEL,
	GROUP_BATCH,
	GROUP_DECISION,
	GROUP_IMPORT,
	GROUP_CONSOLE,
	GROUP_RECORDING,
	GROUP_LAYER,
	GROUP_PROGRAM,
	N_SHOWN_GROUPS,
	GROUP_HIDDEN = N_SHOWN_GROUPS,
};

/* How an option uses the file that it names (file_uses.h). */
enum option_file {
	OPTION_NO_FILE,
	OPTION_READS_SOURCE, /* a workload, text, or a trace */
	OPTION_READS,
	OPTION_WRITES,
	OPTION_WRITES_IN, /* a folder */
};

struct option_info {
	char letter;          /* 0: none */
	const char *name;     /* long form */
	const char *argument; /* "FILE"; "[=FILE]": optional; NULL: none */
	enum option_group group;
	unsigned modes; /* bit i: allowed in enum mode i */
	const char *help;

	/* Takes its argument. False: err says why it is refused. arg: mostly
	 * the offset in struct options of the member that it sets. */
	bool (*take)(struct option_reader *r, const char *value, size_t arg);
	size_t arg;

	enum option_file file;
};

extern const struct option_info option_table[];

/* options_take.c: functions of the table. value is NULL if the option has no
 * argument. */
bool take_program_mode(struct option_reader *r, const char *value, size_t arg);
bool take_true(struct option_reader *r, const char *value, size_t arg);
bool take_string(struct option_reader *r, const char *value, size_t arg);
bool take_device(struct option_reader *r, const char *value, size_t arg);
bool take_workload(struct option_reader *r, const char *value, size_t arg);
bool take_append(struct option_reader *r, const char *value, size_t arg);
bool take_priority(struct option_reader *r, const char *value, size_t arg);
bool take_small_sseu(struct option_reader *r, const char *value, size_t arg);
bool take_n_clients(struct option_reader *r, const char *value, size_t arg);
bool take_repeat(struct option_reader *r, const char *value, size_t arg);
bool take_seed(struct option_reader *r, const char *value, size_t arg);
bool take_scale(struct option_reader *r, const char *value, size_t arg);
bool take_scale_above_0(struct option_reader *r, const char *value, size_t arg);
bool take_quiet(struct option_reader *r, const char *value, size_t arg);
bool take_verbose(struct option_reader *r, const char *value, size_t arg);
bool take_speed(struct option_reader *r, const char *value, size_t arg);
bool take_delay(struct option_reader *r, const char *value, size_t arg);
bool take_duration(struct option_reader *r, const char *value, size_t arg);
bool take_json(struct option_reader *r, const char *value, size_t arg);
bool take_serve(struct option_reader *r, const char *value, size_t arg);
bool take_layer_dump(struct option_reader *r, const char *value, size_t arg);
bool take_calibrate(struct option_reader *r, const char *value, size_t arg);
bool take_layer_connect(struct option_reader *r, const char *value, size_t arg);
bool take_trace_events(struct option_reader *r, const char *value, size_t arg);

/* options_decide.c: the same, for decisions. */
bool take_sweep(struct option_reader *r, const char *value, size_t arg);
bool take_tune(struct option_reader *r, const char *value, size_t arg);
bool take_sweep_row(struct option_reader *r, const char *value, size_t arg);
bool take_small_number(struct option_reader *r, const char *value, size_t arg);
bool take_warmup(struct option_reader *r, const char *value, size_t arg);
/* options_import.c: the same, for --import. */
bool take_import(struct option_reader *r, const char *value, size_t arg);
bool take_time(struct option_reader *r, const char *value, size_t arg);
bool take_clients(struct option_reader *r, const char *value, size_t arg);
bool check_import(struct option_reader *r);
/* Refuses an argument of --clients that its mode does not take. */
bool check_clients(struct option_reader *r);
/* Refuses options that decisions make impossible, or that they alone make
 * possible. */
bool check_decision(struct option_reader *r);

/* The file or folder that an option names; NULL: none. Workloads are sources of
 * the plan, and not among these. */
const char *option_path(
    const struct options *o, const struct option_info *info);

#endif
