/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode: runs a plan to its end and prints what gem_wsim would, and the
 * reports asked for. Returns the exit status (design section 8).
 */
#ifndef TUI_BATCH_H
#define TUI_BATCH_H

struct options;
struct plan;

int batch_run(const struct options *o, struct plan *plan);

#endif
