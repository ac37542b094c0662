/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Which files are in use while a session goes on (file_uses.h): what it reads
 * and writes changes with it. */
#ifndef RUN_LIVE_USES_H
#define RUN_LIVE_USES_H

#include <stdbool.h>

struct file_uses;
struct session;
struct text;

/* Adds all. */
void session_add_uses(const struct session *s, struct file_uses *uses);
/* May a descriptor be written to path? own: it is the descriptor's own file,
 * which only what is being written may not be. Other descriptors' files are the
 * caller's matter. False: err says why not. */
bool session_may_save(
    const struct session *s, const char *path, bool own, struct text *err);

#endif
