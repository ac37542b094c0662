/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Watches over copies from and to programs' memory. The kernel lets such a copy
 * wait for as long as the program likes: where it handles its own page faults
 * (userfaultfd(2)) or its files (fuse(4)). A process beside the device ends a
 * program for which a copy waits a second, which ends the copy. If it does not,
 * the page faults are another process's, which is ended a second later.
 */
#ifndef DEVICE_SERVE_GUARD_H
#define DEVICE_SERVE_GUARD_H

#include <sys/types.h>

struct guard;

/* Returns a guard, for guard_free(); NULL: there can be none. */
struct guard *guard_new(void);
/* NULL is allowed. */
void guard_free(struct guard *g);

/* A copy from or to a program begins, and has ended. NULL is allowed. */
void guard_begin(struct guard *g, pid_t pid);
void guard_end(struct guard *g);

/* Returns the program that was ended since the last call, and sets *holder to the
 * process that was ended after it; 0: none. */
pid_t guard_ended(struct guard *g, pid_t *holder);

#endif
