/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error state of a hang (engine/hang/error_state.h) as text and as JSON:
 * the same facts. */
#ifndef RUN_HANG_DUMP_HANG_REPORT_H
#define RUN_HANG_DUMP_HANG_REPORT_H

#include "engine/hang/error_state.h"

struct document;
struct line;
struct plan;
struct request;
struct run;
struct sim;
struct text;

/* The step of the request that hung. */
struct error_place {
	const struct document *doc;
	const struct line *line; /* may have been edited since; NULL: unknown */
};

/* Returns the place of a request's step. */
struct error_place hang_report_place(
    const struct run *run, const struct plan *plan, const struct request *rq);
void hang_report_text(const struct sim *sim, const struct error_state *state,
    const struct error_place *place, struct text *out);
/* Appends one object. */
void hang_report_json(const struct sim *sim, const struct error_state *state,
    const struct error_place *place, struct text *out);

/* "ok", or the name of an errno, negative or not ("EIO"). */
const char *hang_report_status(int error);

#endif
