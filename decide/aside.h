/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A decision aside: its search runs in a process of its own, which has the plan
 * as it was when it began, and sends records of what it finds. The caller polls,
 * and never waits. The process, and those that it starts, end with the caller.
 */
#ifndef DECIDE_ASIDE_H
#define DECIDE_ASIDE_H

#include <stdbool.h>
#include <stddef.h>

struct text;

struct aside;

/* In the process: does the work, and sends records with aside_send(). */
typedef void (*aside_work)(void *data, int fd);
/* Sends a record. Ends the process when its pipe has no reader. */
void aside_send(int fd, const void *record, size_t len);

/* Starts a process, with a priority below the caller's. NULL: err has the reason.
 * The caller frees it with aside_stop(). */
struct aside *aside_start(aside_work work, void *data, struct text *err);
/* Kills the process if it runs, and frees a. NULL is allowed. */
void aside_stop(struct aside *a);
/* Returns a descriptor that is readable when aside_take() has work to do. */
int aside_fd(const struct aside *a);

enum aside_got {
	ASIDE_NOTHING, /* yet */
	ASIDE_RECORD,
	ASIDE_END,  /* the work is done */
	ASIDE_DIED, /* the process ended before it was */
};

/* Sets *record to the next record. Does not wait. After ASIDE_DIED record has the
 * reason. */
enum aside_got aside_take(struct aside *a, struct text *record);

#endif
