/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Tweaks: values of contexts and durations of steps, changed while they run. A
 * tweak is an edit of the document (the manual, SAVING): of the step that
 * governs the context where its client is now, or of a new step at the top. All
 * edits of a call to one document are one undo step of it.
 *
 * said gets what was changed, and what clients do with it. With false nothing
 * has changed, and said has the reason.
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

/* A context of a document, and a place in it. */
struct tweak_target {
	size_t source;    /* never an alias */
	uint32_t context; /* number in the text */
	size_t at;        /* step whose governing step is meant */
	int64_t client;   /* that is at this step; -1: none */
};

/* The line that was edited last. */
struct tweak_place {
	size_t source, line;
};

/* Targets the context with that index of a client, where the client is now.
 * False: there is none. */
bool tweak_target_of_context(const struct session *s, uint32_t client,
    uint32_t context, struct tweak_target *target);
/* Targets the context of a line; the line's own step if it sets that kind of
 * value. False: the line names no context. */
bool tweak_target_of_line(const struct session *s, size_t source, size_t line,
    enum tweak_kind kind, struct tweak_target *target);
/* The value that the text sets for a target; false: none. */
bool tweak_value(const struct session *s, const struct tweak_target *target,
    enum tweak_kind kind, int64_t *value);

/* Appends why a change of a context has no effect, if it has none. */
void tweak_say_without_effect(const struct session *s, enum tweak_kind kind,
    int64_t before, int64_t after, struct text *said);

bool session_tweak(struct session *s, const struct tweak *tweak,
    const struct tweak_target *targets, size_t n, enum live_when when,
    struct tweak_place *place, struct text *said);

/* Makes durations a tenth shorter, or longer by the inverse: of one line, or of
 * all batches of the targets' contexts. */
bool session_scale_line(struct session *s, size_t source, size_t line,
    enum edit_scale which, enum live_when when, struct text *said);
bool session_scale_contexts(struct session *s,
    const struct tweak_target *targets, size_t n, enum edit_scale which,
    enum live_when when, struct tweak_place *place, struct text *said);
/* duration as in the text, in us: "1000", "500-1000", "*". */
bool session_set_duration(struct session *s, size_t source, size_t line,
    const char *duration, enum live_when when, struct text *said);
/* Appends the duration in a line as it is written; nothing if it has none. */
void tweak_add_duration(
    const struct session *s, size_t source, size_t line, struct text *out);

/* Calls edit() for each document, and gives those that it has edited to their
 * clients. False: edit() has failed, and no document has changed. */
bool session_edit_documents(struct session *s,
    bool (*edit)(
	struct document *doc, size_t source, void *arg, struct text *err),
    void *arg, enum live_when when, struct text *said);

/* False for a kind of change that contexts of programs do not have; said says
 * why. */
bool session_may_tweak_programs(enum tweak_kind kind, struct text *said);

#endif
