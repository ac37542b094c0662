/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The parts of batch mode: outputs (batch_outputs.c), and lines on standard
 * error while a plan runs (batch_news.c).
 */
#ifndef CLI_BATCH_H
#define CLI_BATCH_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/nsec.h"
#include "engine/observer.h"
#include "layerstream/record.h"
#include "report/report.h"
#include "run/file_uses.h"
#include "run/texts.h"
#include "trace/outputs.h"

struct capture;
struct digest;
struct hang_dump;
struct i915;
struct options;
struct plan;
struct run_recorder;
struct run;
struct trail;

#define BATCH_MAX_LINES 20 /* per kind of trouble; the others are counted */

/*
 * The progress of a run: one line on standard error, renewed in place and
 * erased at the end, only where that is a terminal.
 */
struct progress {
	bool wanted, shown;
	double iterations; /* of all foreground clients; 0: not known */
	nsec duration;     /* of virtual time; NSEC_NEVER: not known */
	nsec begun, last;  /* wall clock */
};

void progress_begin(
    struct progress *p, const struct options *o, const struct sim *sim);
/* Sets the end of a run whose iterations are not known, as in a replay. */
void progress_until(struct progress *p, nsec end);
/* Shows or renews the line when it is due. */
void progress_update(struct progress *p, const struct sim *sim);
/* Erases the line, before another one and at the end. */
void progress_erase(struct progress *p);

/* Reports hangs, timeouts and (-vv) missed periods when they happen. */
struct batch_news {
	struct observer observer;
	const struct options *o;
	const struct plan *plan;
	const struct run *run;
	struct progress progress;
	struct hang_log hangs;
	uint64_t *missed; /* periods reported, by client */
	size_t n_missed, cap_missed;
};

void batch_news_begin(struct batch_news *news, const struct options *o,
    const struct plan *plan, const struct run *run);
void batch_news_end(struct batch_news *news);

/* The outputs that the options ask for. */
struct batch_outputs {
	const struct options *o;
	const struct plan *plan;
	/* Not 0: a signal asks the run to end. */
	const volatile sig_atomic_t *stop;
	struct progress *progress; /* erased before a line */
	struct file_uses uses;
	FILE *lines;  /* for the closing lines; NULL: none */
	FILE *json;   /* NULL: none */
	int requests; /* file descriptor; -1: none */
	int page;     /* of --report; -1: none */
	/* Files that are open and not emptied yet. */
	struct created_output {
		const char *path;
		int fd;
	} * created;
	size_t n_created, cap_created;
	bool json_begun; /* the report is partly written */
	struct request_log *log;
	struct digest *digest;   /* for the page; NULL: none */
	struct trail *trail;     /* that it follows */
	struct capture *capture; /* NULL: none */
	struct run_recorder *recorder;
	struct hang_dump *errors;
	struct layer *layer;     /* NULL: no output needs it */
	struct outputs watching; /* those that watch the run */
	struct run_texts texts;  /* that they get */
	struct debug_report report;
	unsigned n_reports;
};

/* out: all zero but o, plan, stop and progress. All functions that return bool
 * print a line on standard error and return false when something fails. */
bool batch_outputs_open(struct batch_outputs *out);
/* Starts to write about a run. */
void batch_outputs_begin(struct batch_outputs *out, struct run *run);
/* Captures the programs of a device of the run, before they use it; NULL: no
 * more, before it is freed. */
void batch_outputs_device(struct batch_outputs *out, struct i915 *dev);
/* Sends what the layer's server accepts without blocking. Prints a line when
 * the connection is lost. */
void batch_outputs_work(struct batch_outputs *out);
/* True if an output has failed: the run would be for nothing. */
bool batch_outputs_failed(const struct batch_outputs *out);
/* Completes all outputs but the reports and the connection. */
bool batch_outputs_finish(struct batch_outputs *out, enum run_end end);
/* Prints the closing lines and the JSON report. */
bool batch_outputs_report(
    struct batch_outputs *out, const struct result *result);
/* Waits for the layer's server, limit_ms at most, or until a signal. False if
 * the server may not have received everything. */
bool batch_outputs_disconnect(struct batch_outputs *out, int limit_ms);
/* Ends what observes the run; before the run is freed. */
void batch_outputs_leave(struct batch_outputs *out);
/* Writes what the buffers have, when there is no memory left. */
void batch_outputs_rescue(struct batch_outputs *out);
/* Closes the files and frees *out. */
bool batch_outputs_close(struct batch_outputs *out);

#endif
