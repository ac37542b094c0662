/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Clients come and go while the others run. Whatever is launched here is
 * launched again at a restart, and what was killed is not.
 */
#ifndef RUN_LIVE_LAUNCH_H
#define RUN_LIVE_LAUNCH_H

#include "run/live/session.h"

/*
 * Launches n more clients of a source; refused for a source that waits. False:
 * err says why. Nothing has changed then, unless many clients were launched and
 * the plan's stop came in between: those that err counts stay.
 */
bool session_add_clients(
    struct session *s, size_t source, uint32_t n, struct text *err);
/* Those of a source that waited for its text to be right. */
bool session_start_clients(struct session *s, size_t source, struct text *err);
/*
 * Opens a file as one more descriptor with n clients, from now on; one that is
 * open already gets no second one, but n more clients if more is true; one
 * that is not there is new, unless more is true. What can't be run waits.
 * *source is it. False: nothing has changed, with the exception of
 * session_add_clients; err says all that is wrong.
 */
bool session_open(struct session *s, const char *path, uint32_t n, bool more,
    size_t *source, struct text *err);
/* The client's process dies. */
bool session_kill(struct session *s, uint32_t client, struct text *err);
/* Dies, if it lives, and another one like it begins: *id. */
bool session_restart_client(
    struct session *s, uint32_t client, uint32_t *id, struct text *err);

#endif
