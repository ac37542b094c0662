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

#define N_OPTIONS 50

/* A mode as a bit. */
#define IN(mode) (1u << (mode))

/* State of reading a command line. */
struct option_reader {
	struct options *o;
	struct text *err;
	char shown[40]; /* the current option as it was typed */
	size_t cap_workloads;
	bool mode_given;
	char mode_shown[40]; /* the option that chose it */
	bool repeat_given;
	int priority;    /* -p, for later workloads */
	bool small_sseu; /* -s */
	uint64_t seen;   /* a bit for each row of the table */
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
	OPTION_READS_SOURCE, /* a workload, or text */
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

/* The file or folder that an option names; NULL: none. Workloads are sources of
 * the plan, and not among these. */
const char *option_path(
    const struct options *o, const struct option_info *info);

#endif
