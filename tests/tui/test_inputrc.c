/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The inputrc: what counts of it is what counts for readline, and nothing in it
 * costs the session. */
#include <fcntl.h>
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <readline/readline.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "tui/input/prompt_private.h"

/* The message about the file, without its name; to be freed. */
static char *
read_inputrc(unsigned n)
{
	struct text said = {0};

	inputrc_initialize_without();
	setenv("INPUTRC", "rc", 1);
	assert_int_equal(inputrc_read(&said), n);
	return said.data != NULL ? said.data : strdup("");
}

static void
check(const char *contents, unsigned n, const char *wanted)
{
	char *said;

	write_file("rc", contents);
	said = read_inputrc(n);
	if (strcmp(said, wanted) != 0)
		fail_msg("\"%s\": \"%s\"", contents, said);
	free(said);
}

static void
check_variable(const char *name, const char *value)
{
	assert_string_equal(rl_variable_value(name), value);
}

TEST(what_counts)
{
	check("", 0, "");
	check("# a comment\n\n   \t\n", 0, "");
	check("set comment-begin A", 0, "");
	check_variable("comment-begin", "A");
	check("set comment-begin B\r\nset history-size 7\r\n", 0, "");
	check_variable("comment-begin", "B");
	check_variable("history-size", "7");
	check("$if mode=vi\nset comment-begin V\n$else\nset comment-begin E\n"
	      "$endif\n",
	    0, "");
	check_variable("comment-begin", "E");
	check("$if gpuwl-top\nset comment-begin own\n$endif\n", 0, "");
	check("set editing-mode vi\n$if mode=vi\nset comment-begin V\n$endif\n"
	      "set editing-mode emacs\n",
	    0, "");
	check_variable("comment-begin", "V");
	check_variable("editing-mode", "emacs");
	check("set keymap vi-command\n\"x\": beginning-of-line\n", 0, "");
	assert_true(rl_get_keymap() == rl_get_keymap_by_name("emacs"));
	check("\"\\C-o\": \"macro\"\nControl-t: end-of-line\n", 0, "");
	assert_ptr_equal(
	    rl_function_of_keyseq("\024", NULL, NULL), rl_end_of_line);
}

TEST(what_is_said)
{
	check("set comment-begin A\nset nonsense on\n", 1,
	    "rc:2: nonsense: unknown variable name\n");
	check("hm\n", 1, "rc:1: hm: no key sequence terminator\n");
	check("$endif\n\n$endif", 2,
	    "rc:1: $endif without matching $if\n"
	    "rc:3: $endif without matching $if\n");
}

TEST(includes)
{
	char *said;

	write_file("other", "set comment-begin OTHER\nset nonsense on\n");
	check("$include other\n", 1,
	    "other:2: nonsense: unknown variable name\n");
	check_variable("comment-begin", "OTHER");
	check("set comment-begin A\n$if mode=vi\n$include other\n$endif\n", 0,
	    "");
	check_variable("comment-begin", "A");
	check("$include nowhere\n", 0, "");
	check("$include /dev/null\n", 0, "");
	check("$include .\n", 1, "rc:1: .: expected a regular file\n");
	check("$include /dev/zero\n", 1,
	    "rc:1: /dev/zero: expected a regular file\n");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	check("$include fifo\nset comment-begin ON\n", 1,
	    "rc:1: fifo: expected a regular file\n");
	check_variable("comment-begin", "ON");
	check("  $include rc\nset comment-begin AFTER\n", 1,
	    "rc:1: rc: files include others too deep\n");
	check_variable("comment-begin", "AFTER");
	/* Two by two, which would be many. */
	write_file("rc", "$include rc\n$include rc\n");
	inputrc_initialize_without();
	said = NULL;
	{
		struct text t = {0};

		assert_true(inputrc_read(&t) > 0);
		said = t.data;
	}
	assert_non_null(strstr(said, "too deep"));
	free(said);
}

TEST(sizes)
{
	struct text t = {0}, said = {0};

	for (int i = 0; i < INPUTRC_MAX_LINE + 1; i++)
		text_addc(&t, 'x');
	text_adds(&t, "\nset comment-begin L\n");
	check(text_str(&t), 1, "rc:1: more than 4096 bytes\n");
	check_variable("comment-begin", "L");
	while (t.len <= INPUTRC_MAX_BYTES)
		text_adds(&t, "# comment\n");
	write_file("rc", text_str(&t));
	assert_int_equal(inputrc_read(&said), 1);
	assert_string_equal(
	    text_str(&said), "rc: more than 1048576 bytes in all\n");
	text_free(&t);
	text_free(&said);
}

/* Keys, and what comes of them; or of a file that opens nothing. */
static void
check_session(const char *contents, const char *keys, const char *shown)
{
	char *argv[] = {pty_program(), (char *)"a.wsim", NULL};
	char rc[96];
	char *env[] = {rc, test_state_home(), NULL};
	struct pty *p;

	write_file("a.wsim", "1.RCS.1000-2000.0.0\np.5000\n");
	write_file("session-rc", contents);
	snprintf(rc, sizeof(rc), "INPUTRC=%s/session-rc", test_folder());
	p = pty_start(100, 24, argv, env);
	pty_wait_text(p, "inputrc: ");
	pty_send(p, keys);
	pty_wait_text(p, shown);
	kill(pty_pid(p), SIGTERM);
	assert_int_equal(pty_wait_status(p), SIGTERM);
	pty_check_given_back(p);
	pty_free(p);
}

TEST(hostile)
{
	unlink("fifo");
	assert_int_equal(mkfifo("fifo", 0600), 0);
	check_session("$include session-rc\n", ":speed 7\r", "speed 7x");
	check_session("$include fifo\n", ":speed 7\r", "speed 7x");
	check_session("\"a\": do-lowercase-version\n"
		      "\"\\C-xa\": do-lowercase-version\n"
		      "\"\\xc3\": do-lowercase-version\n",
	    ":a\030a\xc3\xa9\003:speed 7\r", "speed 7x");
}

TEST(it_is_said)
{
	check_session("\"a\": do-lowercase-version\n", "",
	    "ignored: do-lowercase-version on a key other than A to Z");
	check_session("nonsense\n\"a\": do-lowercase-version\n", "",
	    "2 lines ignored, the first: ");
}

static int
use_readline(void **state)
{
	(void)state;
	setlocale(LC_ALL, "C.UTF-8");
	rl_readline_name = "gpuwl-top";
	enter_test_folder();
	return 0;
}

FIXTURES(use_readline, NULL);
