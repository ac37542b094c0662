/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Private to the files of run/live/ that are about programs. */
#ifndef RUN_LIVE_PROGRAMS_PRIVATE_H
#define RUN_LIVE_PROGRAMS_PRIVATE_H

#include <stdbool.h>

struct programs;
struct session;

/* programs.c */
/* Sets the news to be shown, in place of others that were not yet. */
void programs_say(struct programs *p, bool bad, const char *line);

/* programs_run.c */
/* Drops the beginning of an output that is too long. */
void programs_limit_log(const struct programs *p);
/* Reports the programs started here that have ended. */
void programs_reap(struct session *s);
/* Ends those that run: SIGTERM, and after a while SIGKILL. */
void programs_end_children(struct session *s);

#endif
