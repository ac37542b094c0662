/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tweaks: values of contexts and durations of steps, changed while they run.
 * Every tweak is an edit of the document (the manual, SAVING): of the step that
 * governs the context where its client is now, or of a new one at the top. All
 * edits of one call to one document are one undo step of it.
 */
#ifndef RUN_LIVE_TWEAK_H
#define RUN_LIVE_TWEAK_H

#include "parser/document/edit.h"
#include "run/live/live.h"

enum tweak_kind { TWEAK_PRIORITY, TWEAK_SSEU, TWEAK_PREEMPTION };

struct tweak {
	enum tweak_kind kind;
	bool relative; /* PRIORITY only: value is added */
	int64_t value; /* priority; slice mask, -1: all; us, 0: none */
};

/* A context of a document, and where in it. */
struct tweak_target {
	size_t source;
	uint32_t context; /* as in the text */
	size_t at;        /* the step whose governing one is meant */
	int64_t client;   /* where that is; -1: of none */
};

/* Where the last edit was. */
struct tweak_place {
	size_t source, line;
};

/* That of a client (id) and the context-th of its contexts; false: there is
 * no such one. */
bool tweak_target_of_context(const struct session *s, uint32_t client,
    uint32_t context, struct tweak_target *target);
/* That of a step in the text; itself, if it sets what the tweak is about.
 * False: the line names no context. */
bool tweak_target_of_line(const struct session *s, size_t source, size_t line,
    enum tweak_kind kind, struct tweak_target *target);
/* What the text says there now; false: nothing. */
bool tweak_value(const struct session *s, const struct tweak_target *target,
    enum tweak_kind kind, int64_t *value);

/* False: nothing has changed, said is why. Else said tells what is changed
 * where, and what the clients do with it; *place too. */
bool session_tweak(struct session *s, const struct tweak *tweak,
    const struct tweak_target *targets, size_t n, enum live_when when,
    struct tweak_place *place, struct text *said);

/* Durations a tenth shorter, or as much longer as takes that back: of one line,
 * or of all batches of the targets' contexts. */
bool session_scale_line(struct session *s, size_t source, size_t line,
    enum edit_scale which, enum live_when when, struct text *said);
bool session_scale_contexts(struct session *s,
    const struct tweak_target *targets, size_t n, enum edit_scale which,
    enum live_when when, struct tweak_place *place, struct text *said);
/* Adds the duration in the line, as it stands there; nothing if there is none. */
void tweak_add_duration(
    const struct session *s, size_t source, size_t line, struct text *out);
/* duration as in the text: "1000", "500-1000", "*". */
bool session_set_duration(struct session *s, size_t source, size_t line,
    const char *duration, enum live_when when, struct text *said);

#endif
