/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The end of a child and of its process group, also from a signal handler. */
#ifndef TUI_TERMINAL_GROUP_H
#define TUI_TERMINAL_GROUP_H

#include <sys/types.h>

/*
 * Asks the group that the child leads to end (TERM, and CONT for what is
 * stopped), waits for it for at most a second, and kills what is left. The
 * child is reaped. Calls only what is safe in handlers; errno stays.
 */
void group_end(pid_t child);

#endif
