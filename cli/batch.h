/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode: runs a plan to its end and prints what gem_wsim would, and the
 * reports asked for. Returns the exit status (the manual, EXIT STATUS).
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

struct options;
struct plan;
struct replay;

/* replay: what is done to the plan meanwhile; NULL: nothing. */
int batch_run(
    const struct options *o, struct plan *plan, struct replay *replay);

#endif
