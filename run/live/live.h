/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live edits: documents that are edited while clients run them (the manual,
 * LIVE CONTROL). A caller that has edited the document of a source in any way
 * (parser/document/edit.h) calls session_document_changed(). A source always
 * keeps its document. source is never an alias here (run/plan.h).
 */
#ifndef RUN_LIVE_LIVE_H
#define RUN_LIVE_LIVE_H

#include "run/live/session.h"

/* When clients take an edited text over. */
enum live_when {
	LIVE_LATER,    /* at their next iteration */
	LIVE_AT_ONCE,  /* now: an iteration that cannot go on is given up */
	LIVE_IN_PLACE, /* now if all can go on at their step, else as LATER */
};

enum live_result {
	LIVE_SAME,    /* clients have that text, or it has no step */
	LIVE_TAKEN,   /* all clients take it over */
	LIVE_BAD,     /* it cannot run: clients go on with the text before */
	LIVE_STARTED, /* it can run at last: its clients were launched */
};

/*
 * Gives the edited document of a source to its clients, if it can run. Values
 * of contexts (P, S, X) are in force at once whatever when is. With LIVE_BAD
 * appends the reason to said: "not run, line 12: ...".
 */
enum live_result session_document_changed(
    struct session *s, size_t source, enum live_when when, struct text *said);

/* Appends the last edit of its document: "P.2.1 -> P.2.0 at line 15". */
void session_describe_edit(
    const struct session *s, size_t source, struct text *out);

/* Undoes or redoes an edit of the document, and gives it to its clients.
 * Appends the change: "P.2.1 -> P.2.0 at line 15". False: nothing to undo or
 * redo. */
bool session_undo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said);
bool session_redo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said);

/* True if the document can run; session_document_problem() says why not. The
 * plan's stop is not asked. */
bool session_look_at_document(struct session *s, size_t source);
/* True if the document compiles for this device, as --check would report. A
 * text that the scheduler refuses, or without steps, compiles. */
bool session_document_compiles(struct session *s, size_t source);

/* The step of its document that a client is at now, as a number of a step; the
 * next one if that has been deleted. */
size_t live_step_of_client(const struct session *s, const struct client *c);
/* The client's context of that number in the text; NULL: none. */
const struct context *live_find_context(
    const struct client *c, uint32_t number);

#endif
