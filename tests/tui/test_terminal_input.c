/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys, the prompt and the mouse, as a terminal sends them. */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/pty.h"
#include "tests/support/pty_console.h"

/* The selected context stays selected when order and run change. */
TEST(selection_follows)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"tests/tui/scripts/many.wsim", NULL};
	struct pty *p = pty_start(80, 24, argv, NULL);

	pty_wait_running(p);
	pty_wait_reverse(p, "  0     0 ");
	pty_send(p, "jjjj");
	pty_wait_reverse(p, "  4     0 ");
	pty_send(p, " P"); /* by busy: context 4 moves */
	pty_wait_text(p, "RUN%");
	pty_wait_reverse(p, "  4     0 ");
	pty_send(p, "II");
	pty_wait_reverse(p, "  4     0 ");
	pty_send(p, "C");
	pty_wait_text(p, "▴CLIENT");
	pty_wait_reverse(p, "  4     0 ");
	pty_send(p, "R");
	pty_wait_text(p, "restarted");
	pty_wait_reverse(p, "  4     0 ");
	pty_send(p, "\033[B"); /* arrow keys in both forms */
	pty_wait_reverse(p, "  5     0 ");
	pty_send(p, "\033OB");
	pty_wait_reverse(p, "  6     0 ");
	pty_free(p);
}

TEST(prompt_editing)
{
	char home[] = "/tmp/gpuwl-home-XXXXXX", env_home[64], command[80];
	char *env[] = {env_home, NULL};
	struct pty *p;

	assert_non_null(mkdtemp(home));
	snprintf(env_home, sizeof(env_home), "XDG_STATE_HOME=%s", home);
	p = pty_start_console(80, 24, env);
	pty_wait_running(p);
	/* Emacs keys, while the views go on. */
	pty_send(p, ":peed 5\001s\005");
	pty_wait_text(p, ":speed 5");
	pty_send(p, "\r");
	pty_wait_text(p, "speed 5x");
	/* Completion: one, then many. */
	pty_send(p, ":sch\t");
	pty_wait_cursor(p, 11, 23);
	pty_wait_text(p, ":scheduler");
	pty_send(p, "\033"); /* Esc cancels */
	pty_wait_gone(p, ":scheduler");
	pty_send(p, ":step \t");
	pty_wait_text(p, " batch  event  iteration");
	pty_send(p, "\003"); /* so does Ctrl-C */
	pty_wait_gone(p, ":step");
	pty_send(p, ":nonsense\r");
	pty_wait_text(p, "unknown command 'nonsense'");
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
	/* A later session. */
	p = pty_start_console(80, 24, env);
	pty_wait_running(p);
	pty_send(p, ":\033[A\033[A");
	pty_wait_text(p, ":speed 5");
	pty_free(p);
	snprintf(command, sizeof(command), "rm -r %s", home);
	assert_int_equal(system(command), 0);
}

/* Names are offered as they are accepted, and the number that had no room. */
TEST(completion_of_profiles)
{
	struct pty *p = pty_start_console(50, 14, NULL);

	pty_wait_running(p);
	pty_send(p, ":profile \t");
	pty_wait_text(p, " adl-n ");
	pty_wait_text(p, "Alder Lake");
	pty_wait_text(p, " more");
	pty_send(p, "skl-gt2\t");
	pty_wait_text(p, ":profile skl-gt2");
	assert_false(pty_shows(p, ".ini"));
	pty_send(p, "\r");
	pty_wait_text(p, "restarted with profile skl-gt2");
	pty_free(p);
}

/* Views have no keys beyond ASCII; the prompt takes whole characters. */
TEST(characters_beyond_ascii)
{
	struct pty *p = pty_start_console(80, 24, NULL);

	pty_wait_running(p);
	/* Without their 8th bits these would be Space, q, i, Ctrl-C and
	 * others. */
	pty_send(p, "€éñ\xf1\x81\x80\x80\xc2\x83");
	pty_send(p, ":é€\xf0\x9f\x98\x80");
	pty_wait_text(p, ":é€\xf0\x9f\x98\x80");
	assert_false(pty_shows(p, "PAUSED"));
	assert_true(pty_shows(p, "▴CLIENT"));
	pty_send(p, "\177\177");
	pty_wait_gone(p, "€");
	pty_send(p, "\r");
	pty_wait_text(p, "unknown command 'é'");
	pty_free(p);
}

TEST(vi_mode)
{
	char path[] = "/tmp/gpuwl-inputrc-XXXXXX", env_rc[64];
	char *env[] = {env_rc, (char *)"XDG_STATE_HOME=/nonexistent", NULL};
	struct pty *p;
	int fd = mkstemp(path);

	assert_true(write(fd, "set editing-mode vi\n", 20) == 20);
	close(fd);
	snprintf(env_rc, sizeof(env_rc), "INPUTRC=%s", path);
	p = pty_start_console(80, 24, env);
	pty_wait_running(p);
	pty_send(p, ":xspeed 3");
	pty_wait_text(p, ":xspeed 3");
	pty_send(p, "\033");
	/* An Esc is alone only if no byte follows: wait for the cursor. */
	pty_wait_cursor(p, 8, 23);
	pty_send(p, "0x");
	pty_wait_text(p, ":speed 3");
	pty_send(p, "\r");
	pty_wait_text(p, "speed 3x");
	pty_free(p);
	unlink(path);
}

/* The first context is on the 9th row of the screen. */
TEST(mouse)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"tests/tui/scripts/many.wsim", NULL};
	struct pty *p = pty_start(80, 24, argv, NULL);

	pty_wait_running(p);
	pty_send(p, " \033[<0;5;11M\033[<0;5;11m");
	pty_wait_reverse(p, "  2     0 ");
	pty_send(p, "\033[M %,\033[M#%,"); /* the older form */
	pty_wait_reverse(p, "  3     0 ");
	/* In pieces; the wheel moves the cursor along. */
	pty_send(p, "\033[<65;5;");
	pty_drain(p);
	pty_send(p, "14M\033[<65;5;14M");
	pty_wait_reverse(p, "  6     0 ");
	pty_send(p, "\033[<0;43;8M"); /* RUN% */
	pty_wait_text(p, "▾RUN%");
	pty_send(p, "\033[<0;2;24M"); /* F1 Help */
	pty_wait_text(p, "Help:");
	pty_send(p, "\033[<0;2;24M"); /* q Close */
	pty_wait_gone(p, "Help:");
	pty_send(p, "\024");
	pty_wait_text(p, "text can be selected");
	pty_drain(p);
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_send(p, "\024");
	pty_wait_text(p, "the mouse is used here");
	pty_drain(p);
	assert_int_equal(pty_modes(p).mouse, 1);
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
}

/* Bytes that are no mouse report do nothing and swallow no later key. */
TEST(hostile_mouse)
{
	static const char *const bytes[] = {
	    "\033[<0;99999999999999999999999;99999999999999M",
	    "\033[<99999999999999999999;1;1M", "\033[<M", "\033[<;;M",
	    "\033[<0;5M", "\033[<0;5;14;9M", "\033[<0;0;0M", "\033[<35;5;14M",
	    "\033[<0;5;14q", "\033[<-5;5;5M", "\033[M###", "\033[M\377\377\377",
	    "\033[<0;1000;1000M", "\033[<65;1000;2M", "\033[<0;5;14"};
	struct pty *p = pty_start_console(80, 24, NULL);

	pty_wait_running(p);
	for (size_t i = 0; i < sizeof(bytes) / sizeof(*bytes); i++)
		pty_send(p, bytes[i]);
	pty_send(p, "\033OP"); /* ends the last one and is F1 itself */
	pty_wait_text(p, "Help:");
	pty_free(p);
}

TEST(no_mouse)
{
	char *argv[] = {pty_program(), (char *)"--no-mouse", (char *)"-w",
	    (char *)CONSOLE_WORKLOAD, NULL};
	char *env[] = {(char *)"TERM=vt220", NULL};
	struct pty *p = pty_start(80, 24, argv, NULL);

	pty_wait_text(p, "F10");
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_free(p);
	p = pty_start_console(80, 24, env); /* without a mouse */
	pty_wait_text(p, "F10");
	assert_int_equal(pty_modes(p).mouse, 0);
	pty_free(p);
}

/* Keys of a terminal whose TERM, vt100, has others. */
TEST(keys_of_other_terminals)
{
	char *env[] = {(char *)"TERM=vt100", NULL};
	struct pty *p = pty_start_console(80, 24, env);

	pty_wait_text(p, "running"); /* no alternate screen */
	pty_send(p, "\033[20~");     /* F9 */
	pty_wait_text(p, "Kill client 0");
	pty_send(p, "\033"); /* Esc: no */
	pty_wait_gone(p, "Kill client 0");
	pty_send(p, "\033[21~"); /* F10 */
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
}
