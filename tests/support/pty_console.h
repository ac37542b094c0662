/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The console on a pty (pty.h) with a workload that goes on for ever. */
#ifndef TESTS_SUPPORT_PTY_CONSOLE_H
#define TESTS_SUPPORT_PTY_CONSOLE_H

struct pty;

/* Ends by itself never, and always has something running. */
#define CONSOLE_WORKLOAD                                                       \
	"1.RCS.1000-2000.0.0,2.VCS1.3000.0.0,2.RCS.500.-1.1,p.5000"

/* env: as that of pty_start(). pty_free() what is returned. */
struct pty *pty_start_console(int cols, int rows, char *const env[]);

/* Until it has drawn, on its second screen, with keys and mouse its own. */
void pty_wait_running(struct pty *p);

#endif
