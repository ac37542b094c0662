/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The error state of a hang as text and as JSON: the same facts. */
#ifndef RUN_HANG_DUMP_HANG_REPORT_H
#define RUN_HANG_DUMP_HANG_REPORT_H

#include "engine/hang/error_state.h"

struct document;
struct line;
struct sim;
struct text;

/* What the engine does not know of the request that hung. */
struct error_place {
	const struct document *doc; /* of its step */
	const struct line *line;    /* of doc, perhaps before an edit; NULL:
				       not known */
};

void hang_report_text(const struct sim *sim, const struct error_state *state,
    const struct error_place *place, struct text *out);
/* One object. */
void hang_report_json(const struct sim *sim, const struct error_state *state,
    const struct error_place *place, struct text *out);

/* "ok", or the name of an error (-errno). */
const char *hang_report_status(int error);

#endif
