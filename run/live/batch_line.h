/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The command line that runs in batch mode what a session runs. */
#ifndef RUN_LIVE_BATCH_LINE_H
#define RUN_LIVE_BATCH_LINE_H

#include "base/text.h"
#include "run/live/session.h"

/* Appends "gpuwl-top -b ...", quoted for a shell, without a newline: it gives
 * the figures of the session so far, if session_add_batch_notes() adds
 * nothing. */
void session_add_batch_line(const struct session *s, struct text *out);
/* Appends a line for each reason why the figures are others: unsaved edits,
 * changes of the run that no text has, too many clients for a command line. */
void session_add_batch_notes(const struct session *s, struct text *out);

#endif
