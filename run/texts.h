/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Names, lines and comments of the texts that run, for outputs. */
#ifndef RUN_TEXTS_H
#define RUN_TEXTS_H

#include "trace/outputs.h"

struct plan;
struct run;

/* Outputs point to texts. run and plan live as long. */
struct run_texts {
	struct output_texts texts;
	const struct run *run;
	const struct plan *plan;
};

/* command: the command line; NULL: not known. */
void run_texts_init(struct run_texts *t, const struct run *run,
    const struct plan *plan, const char *command);
/* Returns the command line as a shell takes it, to be freed. */
char *run_command_line(int argc, char *const *argv);
/* Appends " --duration=" and t in seconds, to the nanosecond. */
void run_add_duration(nsec t, struct text *out);

#endif
