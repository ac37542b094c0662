/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The table of options, for what is made of it: parser, help, man page. */
#ifndef RUN_OPTIONS_TABLE_H
#define RUN_OPTIONS_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "run/options.h"

struct text;

#define N_OPTIONS 44

/* Modes as bits, for the table. */
#define IN(mode) (1u << (mode))

/* What is known while the command line is read. */
struct option_reader {
	struct options *o;
	struct text *err;
	char shown[40]; /* the option in hand, as it was typed */
	size_t cap_workloads;
	bool mode_given;
	char mode_shown[40]; /* the option that gave it */
	bool repeat_given;
	int priority;    /* -p, for what follows */
	bool small_sseu; /* -s */
	uint64_t seen;   /* options of the table, by index */
};

bool reader_choose_mode(struct option_reader *r, enum mode mode);
void reader_add_workload(struct option_reader *r, const char *argument,
    bool master, bool positional);

enum option_group {
	GROUP_MODE,
	GROUP_WORKLOAD,
	GROUP_MODEL,
	GROUP_BATCH,
	GROUP_CONSOLE,
	GROUP_RECORDING,
	GROUP_LAYER,
	N_SHOWN_GROUPS,
	GROUP_HIDDEN = N_SHOWN_GROUPS,
};

/* The use that an option makes of the file that it names (file_uses.h). */
enum option_file {
	OPTION_NO_FILE,
	OPTION_READS,
	OPTION_WRITES,
	OPTION_WRITES_IN, /* a folder */
};

struct option_info {
	char letter;          /* 0: none */
	const char *name;     /* of the long form */
	const char *argument; /* "FILE"; "[=FILE]" may be left out; NULL */
	enum option_group group;
	unsigned modes; /* bit i: makes sense in enum mode i */
	const char *help;

	/* What it does, one of: */
	enum mode mode; /* chooses this mode */
	size_t flag;    /* sets the bool there in struct options */
	size_t string;  /* keeps its argument there */
	bool (*take)(struct option_reader *r, const char *value);

	/* With string, also if take keeps it there; without: several, which
	 * are sources of the plan. */
	enum option_file file;
};

extern const struct option_info option_table[];

#endif
