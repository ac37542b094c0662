/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Restarts of a session as a decision (decide/) has found it, and as an import has.
 * They fail, and change nothing, on a GPU and while programs use the device. */
#ifndef RUN_LIVE_VARY_H
#define RUN_LIVE_VARY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/nsec.h"

struct beside;
struct import_files;
struct import_model;
struct options;
struct session;
struct text;

/* Restarts with n clients of a source. */
bool session_set_clients(
    struct session *s, nsec wall, size_t source, unsigned n, struct text *err);
/* Restarts as plan_vary() says; what: the words for the list of changes. */
bool session_vary(struct session *s, nsec wall, const struct options *o,
    const char *knobs, const char *what, struct text *err);
/* True if session_take_import() can succeed. */
bool session_may_import(const struct session *s, struct text *err);
/* Restarts with the descriptors of an import, from their files, for as long as the
 * trace took, and compares with it; clients of other descriptors go. Takes the trace
 * over (session_set_trace()), also if it fails. what: as in session_vary(). */
bool session_take_import(struct session *s, nsec wall,
    const struct import_model *m, const struct import_files *files,
    struct beside *trace, const char *what, struct text *err);

#endif
