/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/pty_console.h"

#include <stddef.h>
#include <stdint.h>

#include "tests/runner/test.h"
#include "tests/support/pty.h"

struct pty *
pty_start_console(int cols, int rows, char *const env[])
{
	char *argv[] = {
	    pty_program(), (char *)"-w", (char *)CONSOLE_WORKLOAD, NULL};

	return pty_start(cols, rows, argv, env);
}

void
pty_wait_running(struct pty *p)
{
	struct pty_modes m;

	pty_wait_text(p, "F10");
	m = pty_modes(p);
	assert_true(m.alternate);
	assert_false(m.cursor);
	assert_true(m.keypad);
	assert_int_equal(m.mouse, 1); /* clicks, and no motion */
}
