/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The modes that do not need a terminal. Each returns the exit status (the
 * manual, EXIT STATUS). */
#ifndef CLI_MODES_H
#define CLI_MODES_H

struct options;
struct plan;
struct replay;

/* Batch mode: runs a plan to its end and prints what gem_wsim would, and the
 * reports that were asked for. replay: the recording to follow; NULL: none. */
int batch_run(
    const struct options *o, struct plan *plan, struct replay *replay);

/* --check: reports errors and portability of descriptors without a run. */
int check_run(const struct options *o);
/* --format: prints a descriptor in canonical form. */
int format_run(const struct options *o);

/* -L and -l: list the GPUs of this machine, and their engines; without a GPU,
 * those of the model. */
int devices_list(const struct options *o);
int devices_list_engines(const struct options *o);

/* gpuwl-run, and -b with --serve: runs a program on a virtual i915, and returns
 * its exit status; 126 or 127, after a line, if it could not be run; gpuwl-run:
 * 125 for other failures. Without a program, which --serve alone allows, serves
 * until a signal. */
int program_run(const struct options *o);
/* The same for gpuwl-run on the served device of that name or path. */
int program_run_on(const struct options *o, const char *device);
#define PROGRAM_RUN_FAILED 125

/* --calibrate: measures a GPU and writes a profile. */
int calibrate_run(const struct options *o);
/* --compare-device: runs workloads on a GPU and on the model. */
int compare_run_device(const struct options *o);

/* --import: makes descriptors of traces. */
int import_run(const struct options *o);

/* --layer-dump: prints the messages of a file, one per line. */
int layer_dump_run(const struct options *o);

#endif
