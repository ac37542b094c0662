/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Modes of batch mode that make many runs for a decision. Each returns the exit
 * status (the manual, EXIT STATUS). */
#ifndef CLI_DECIDE_H
#define CLI_DECIDE_H

struct options;
struct plan;
struct text;

/* --sweep: prints a line for each combination. */
int decide_sweep(const struct options *o);
/* --capacity: prints the most clients for which a goal holds. */
int decide_capacity(const struct options *o);
/* --tune: prints the fewest edits with which a goal holds. */
int decide_tune(const struct options *o);

/* --mix without a decision: sets the clients of each workload. Returns
 * EXIT_STATUS_OK, or EXIT_STATUS_OPTIONS after a line. */
int decide_mix(const struct options *o, struct plan *plan);

/* For these: the runs at a time; a line "gpuwl-top: OPTION: WHY" on standard error;
 * and the progress of the runs, a line that is renewed where standard error is a
 * terminal. */
unsigned decide_jobs(const struct options *o);
/* Frees why, and returns EXIT_STATUS_OPTIONS. */
int decide_refuse(const char *option, struct text *why);
void decide_progress(const struct options *o, const char *line);
void decide_progress_end(void);

#endif
