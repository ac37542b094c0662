/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A descriptor edited on a real pty: vi's keys, completion, sizes that change
 * meanwhile, and an editor that has the terminal for a while. */
#include <fcntl.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"

#define WORKLOAD "1.RCS.1000-2000.0.0,2.VCS1.3000.0.0,2.RCS.500.-1.1,p.5000"

/* On the descriptor, with all the room; with no history, and nothing left by
 * others to recover. first: more of the environment, or NULL. */
static struct pty *
start(const char *workload, char *first)
{
	static int n;
	char state[128];
	char *env[] = {state, first, NULL};
	char *argv[] = {pty_program(), (char *)"-w", (char *)workload, NULL};
	struct pty *p;

	snprintf(
	    state, sizeof(state), "XDG_STATE_HOME=%s/%d", test_folder(), n++);
	p = pty_start(80, 24, argv, env);
	pty_wait_text(p, "F10");
	pty_send(p, "5z");
	pty_wait_text(p, "LINE");
	return p;
}

static void
quit(struct pty *p)
{
	int status;

	pty_send(p, ":q!\r");
	status = pty_wait_status(p);
	assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
	pty_check_given_back(p);
	pty_free(p);
}

TEST(vi)
{
	char env_rc[160];
	struct pty *p;

	write_file(test_path("inputrc"), "set editing-mode vi\n");
	snprintf(env_rc, sizeof(env_rc), "INPUTRC=%s", test_path("inputrc"));
	p = start(WORKLOAD, env_rc);
	pty_send(p, "e");
	pty_wait_text(p, "Enter accepts");
	pty_wait_cursor(p, 55, 3);
	pty_send(p, "\033"); /* alone: to vi's command mode */
	pty_wait_cursor(p, 54, 3);
	pty_send(p, "0r3");
	pty_wait_text(p, "3.RCS.1000-2000.0.0");
	pty_send(p, "A0\r");
	pty_wait_text(p, "3.RCS.1000-2000.0.00");
	pty_wait_gone(p, "Enter accepts");
	quit(p);
}

TEST(completion)
{
	struct pty *p = start(WORKLOAD, NULL);

	pty_send(p, "o1.vc\t");
	pty_wait_text(p, "1.VCS");
	pty_wait_text(p, "video, the first of 2");
	pty_send(p, "2.5\t");
	pty_wait_text(p, "1.VCS2.500.");
	pty_send(p, "s\t");
	pty_wait_text(p, "s-1");
	pty_send(p, ".0\r");
	pty_wait_text(p, "1.VCS2.500.s-1.0");
	quit(p);
}

/* Typed text survives every size, also sizes that show nothing of it. */
TEST(resized)
{
	static const int sizes[][2] = {
	    {40, 10}, {200, 50}, {1, 1}, {39, 9}, {500, 3}, {80, 24}};
	struct pty *p = start(WORKLOAD, NULL);

	pty_send(p, "e");
	pty_wait_text(p, "Enter accepts");
	for (int i = 0; i < 6; i++) {
		pty_resize(p, sizes[i][0], sizes[i][1]);
		pty_send(p, "\177\0017\005"); /* at the start: another 7 */
		pty_send(p, "0");
		if (sizes[i][0] >= 40 && sizes[i][1] >= 10)
			pty_wait_text(p, "accepts");
	}
	pty_wait_text(p, "7777771.RCS.1000-2000.0.0");
	pty_send(p, "\r");
	pty_wait_gone(p, "Enter accepts");
	pty_wait_text(p, "7777771.RCS.1000-2000.0.0");
	quit(p);
}

#define EDITOR                                                                 \
	"trap 'echo GOT INT' INT\n"                                            \
	"[ \"$(stat -c %a \"$1\")\" = 600 ] && echo PRIVATE\n"                 \
	"echo HAVE IT\n"                                                       \
	"while ! read -r line; do :; done\n"                                   \
	"sed -i s/3000/\"$line\"/ \"$1\"\n"

static struct pty *
start_editor_of(const char *script, char *env_visual, size_t size)
{
	struct pty *p;

	write_file(test_path("editor"), script);
	snprintf(env_visual, size, "VISUAL=sh %s", test_path("editor"));
	p = start(WORKLOAD, env_visual);
	pty_send(p, "E");
	pty_wait_text(p, "HAVE IT");
	return p;
}

static struct pty *
start_editor(char *env_visual, size_t size)
{
	return start_editor_of(EDITOR, env_visual, size);
}

/* It has the terminal as it was, Ctrl-C is its own, and afterwards all is
 * painted again, at the size that it is then. */
TEST(editor)
{
	char visual[160];
	struct pty *p = start_editor(visual, sizeof(visual));
	struct pty_modes now;

	pty_check_given_back(p);
	assert_true(pty_shows(p, "PRIVATE"));
	pty_send(p, "\003");
	pty_wait_text(p, "GOT INT");
	pty_resize(p, 100, 30);
	pty_send(p, "4000\r");
	pty_wait_text(p, "2.VCS1.4000.0.0");
	pty_wait_text(p, "next iteration");
	now = pty_modes(p);
	assert_true(now.alternate);
	pty_send(p, "?");
	pty_wait_text(p, "Help:");
	pty_send(p, "q");
	quit(p);
}

TEST(editor_stopped)
{
	char visual[160];
	struct pty *p = start_editor(visual, sizeof(visual));

	pty_send(p, "\032");
	assert_true(WIFSTOPPED(pty_wait_status(p)));
	pty_check_given_back(p);
	kill(-pty_pid(p), SIGCONT);
	pty_send(p, "4000x\r");
	pty_wait_text(p, "2.VCS1.4000x.0.0");
	pty_wait_text(p, "the run continues with the previous text");
	quit(p);
}

TEST(editor_and_signals)
{
	static const int deadly[] = {SIGTERM, SIGHUP, SIGUSR1};

	for (size_t i = 0; i < sizeof(deadly) / sizeof(*deadly); i++) {
		char visual[160];
		struct pty *p = start_editor(visual, sizeof(visual));
		int status;

		kill(pty_pid(p), deadly[i]);
		status = pty_wait_status(p);
		assert_true(WIFSIGNALED(status));
		assert_int_equal(WTERMSIG(status), deadly[i]);
		pty_check_given_back(p);
		pty_free(p);
	}
}

/* Where the edited text is can't be said on a terminal that is held by Ctrl-S:
 * the program ends all the same. */
TEST(editor_on_held_terminal)
{
	char visual[160];
	struct pty *p = start_editor_of("sed -i s/3000/4000/ \"$1\"\n"
					"echo HAVE IT\n"
					"while ! read -r line; do :; done\n",
	    visual, sizeof(visual));
	int status;

	pty_hold_output(p);
	kill(pty_pid(p), SIGTERM);
	status = pty_wait_status(p);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGTERM);
	pty_free(p);
}

/* A line of a document of 100,000 is edited as one of a short one. */
TEST(long_document)
{
	const char *path = test_path("long.wsim");
	struct text steps = {0};
	struct pty *p;

	for (int i = 0; i < 100000; i++)
		text_addf(&steps, "1.RCS.%d.%d.0\n", 1000 + i % 9, -(i > 0));
	write_file(path, text_str(&steps));
	text_free(&steps);
	p = start(path, NULL);
	pty_send(p, " e");
	pty_wait_text(p, "Enter accepts");
	for (int i = 0; i < 8; i++) {
		char wanted[32];

		snprintf(wanted, sizeof(wanted), "'0%.*s'", i + 1, "xxxxxxxx");
		pty_send(p, "x");
		pty_wait_text(p, wanted);
	}
	pty_send(p, "\003");
	pty_wait_gone(p, "Enter accepts");
	quit(p);
}
