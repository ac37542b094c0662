/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The documents while clients run them (the manual, LIVE CONTROL). Whoever has
 * edited the document of a source (parser/document/edit.h: any edit, undo, redo, a whole
 * new text) calls session_document_changed; the document itself is never put in
 * another's place.
 */
#ifndef RUN_LIVE_LIVE_H
#define RUN_LIVE_LIVE_H

#include "run/live/session.h"

/* When clients take an edited text over. */
enum live_when {
	LIVE_LATER,    /* at their next iteration */
	LIVE_AT_ONCE,  /* giving their iteration up, if need be */
	LIVE_IN_PLACE, /* at once, if they all can go on at the step where they
			  are; else at their next iteration */
};

enum live_result {
	LIVE_SAME, /* it is what the clients have got already: perhaps nothing */
	LIVE_TAKEN,   /* all clients take it over, or have done so */
	LIVE_BAD,     /* the clients, if any, go on with the text before */
	LIVE_STARTED, /* it can be run at last: its clients begin */
};

/*
 * The document of plan->sources[source] (one that has its own: plan_files.h,
 * as everywhere here) has been edited. If it can run, all
 * its clients are given it, values of contexts that are in force (P, S, X) at
 * once in any case. Else nothing changes for them. Adds to said, with LIVE_BAD,
 * why ("not run, line 12: ..."), and else nothing.
 */
enum live_result session_document_changed(
    struct session *s, size_t source, enum live_when when, struct text *said);

/* Undoes or redoes in that document, as above; false: there is nothing to.
 * Adds to said what has changed in the text: "P.2.1 -> P.2.0 at line 15". */
bool session_undo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said);
bool session_redo(struct session *s, size_t source, enum live_when when,
    enum live_result *result, struct text *said);

/* Only looks whether it can be run; the session knows why not. Nothing stops
 * that: what was done is done. */
bool session_look_at_document(struct session *s, size_t source);

/* Is it free of errors on this device, as --check would tell? What a scheduler
 * refuses, and a text without steps, are none. */
bool session_document_compiles(struct session *s, size_t source);

/* Where a client is in the document as it is now, as a number of a step: of
 * the next one, if the one it is at has gone. */
size_t live_step_of_client(const struct session *s, const struct client *c);
/* The context that the client's text calls so; NULL: it has none. */
const struct context *live_find_context(
    const struct client *c, uint32_t number);

#endif
