/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Pastes: their bytes, what prompts and views make of them, and that broken
 * ones are never taken for keys and never block the console. */
#include <locale.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <readline/readline.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/pty.h"
#include "tests/support/pty_console.h"
#include "tui/input/prompt.h"
#include "tui/input/prompt_private.h"
#include "tui/terminal/sequences.h"

const char *__lsan_default_suppressions(void);

/* Commands of readline 8.2 that are broken off leave a few bytes behind. */
const char *
__lsan_default_suppressions(void)
{
	return "leak:libreadline";
}

#define N(array) (sizeof(array) / sizeof(*(array)))

/* Reads s as if after PASTE_BEGIN; returns the bytes taken until the end. */
static size_t
read_paste(const char *s, size_t len, struct text *out, size_t *pieces)
{
	static struct paste_reader p;
	struct key_press key;
	size_t i = 0;

	*pieces = 0;
	paste_begin(&p);
	while (i < len && p.reading) {
		if (!paste_take(&p, (unsigned char)s[i++]))
			continue;
		while (paste_give(&p, &key)) {
			assert_int_equal(key.code, KEY_PASTE);
			assert_int_equal(key.pasted.first, *pieces == 0);
			assert_int_equal(key.pasted.last, !p.reading);
			text_add(out, key.pasted.text, key.pasted.len);
			++*pieces;
		}
	}
	assert_int_equal(p.total, out->len);
	return i;
}

TEST(reader)
{
	static const struct {
		const char *bytes, *text;
		size_t taken;
	} rows[] = {
	    {"abc\033[201~def", "abc", 9},
	    {"\033[201~", "", 6},
	    {"a\033[20\033[201~", "a\033[20", 11},
	    {"\033\033[201~", "\033", 7},
	    {"\033[201\033[201~", "\033[201", 11},
	    {"\033[200~\033[A\033[201~", "\033[200~\033[A", 15},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct text out = {0};
		size_t pieces;

		assert_int_equal(read_paste(rows[i].bytes,
				     strlen(rows[i].bytes), &out, &pieces),
		    rows[i].taken);
		assert_string_equal(text_str(&out), rows[i].text);
		assert_int_equal(pieces, 1);
		text_free(&out);
	}
}

/* Pieces are of bounded size and never cut a character. */
TEST(reader_of_much)
{
	struct text all = {0}, out = {0};
	size_t pieces;

	for (int i = 0; i < 50000; i++)
		text_adds(&all, i % 3 ? "€" : "x\033[20");
	text_adds(&all, PASTE_END);
	read_paste(text_str(&all), all.len, &out, &pieces);
	assert_int_equal(out.len, all.len - strlen(PASTE_END));
	assert_memory_equal(text_str(&out), text_str(&all), out.len);
	assert_true(pieces >= all.len / (PASTE_PIECE + 10));
	text_free(&all);
	text_free(&out);
}

static void
check_text(const char *pasted, const char *wanted)
{
	struct text out = {0};
	struct pasted p = {0};
	size_t len = strlen(pasted), half = len / 2;

	pasted_add(&out, &p, pasted, len);
	assert_string_equal(text_str(&out), wanted);
	text_clear(&out);
	p = (struct pasted){0};
	if (((unsigned char)pasted[half] & 0xc0) == 0x80)
		half = 0;
	pasted_add(&out, &p, pasted, half);
	pasted_add(&out, &p, pasted + half, len - half);
	assert_string_equal(text_str(&out), wanted);
	text_free(&out);
}

TEST(text)
{
	check_text("1.RCS.5.0.0", "1.RCS.5.0.0");
	check_text("\n\na\r\nb\n\nc\n", "a b c");
	check_text("a\nb\n", "a b");
	check_text("a\tb", "a b");
	check_text("a\033[Ab\003\001\177c", "a[Abc");
	check_text("é\xff\xc3(€", "é(€");
	check_text("\n", "");
	check_text("", "");
}

TEST(lines)
{
	static const struct {
		const char *pasted, *wanted;
	} rows[] = {
	    {"a\n\n# b, c\n", "a\n\n# b, c\n"},
	    {"\r\na\r\n\r\nb", "\na\n\nb"},
	    {"a\rb\n\rc", "a\nb\n\nc"},
	    {"\ta\033[A\003\001\177\n\xff", "\ta[A\n"},
	    {"", ""},
	};

	for (size_t i = 0; i < N(rows); i++) {
		struct text out = {0};

		prompt_paste_lines(
		    &out, rows[i].pasted, strlen(rows[i].pasted));
		assert_string_equal(text_str(&out), rows[i].wanted);
		text_free(&out);
	}
}

static const struct prompt_kind kind = {.prompt = ":"};
static const struct prompt_kind replacing = {
    .prompt = "value ", .replaces = true};

static void
type(const char *keys)
{
	for (; *keys != 0; keys++) {
		struct key_press key = {.code = (unsigned char)*keys, .len = 1};
		char *line;

		key.bytes[0] = *keys;
		prompt_feed(&key, &line);
	}
}

static void
check_line(const char *wanted)
{
	assert_true(prompt_is_open());
	assert_string_equal(prompt_look().line, wanted);
	prompt_cancel();
}

/* A paste is text, whatever command the line editor is in. */
TEST(prompt)
{
	static const struct {
		const char *mode, *keys, *wanted;
	} rows[] = {
	    {"emacs", "ab\001", "x yab"},
	    {"emacs", "ab\030", "abx y"}, /* C-x waits for a key */
	    {"emacs", "ab\021", "abx y"}, /* C-q as well */
	    {"emacs", "ab\035", "abx y"}, /* a character to go to */
	    {"vi", "ab\033", "ax yb"},    /* commands */
	    {"vi", "ab\033d", "ax yb"},   /* wants a motion */
	    {"vi", "ab\0333", "ax yb"},
	    {"vi", "ab\033r", "ax yb"},
	};

	for (size_t i = 0; i < N(rows); i++) {
		prompt_open(&kind, "", false, NULL);
		rl_variable_bind("editing-mode", rows[i].mode);
		prompt_cancel();
		prompt_open(&kind, "", false, NULL);
		type(rows[i].keys);
		prompt_paste("x\n", 2, true);
		prompt_paste("y\n", 2, false);
		if (strcmp(prompt_look().line, rows[i].wanted) != 0)
			fail_msg("%zu: \"%s\"", i, prompt_look().line);
		prompt_cancel();
	}
	prompt_open(&kind, "", false, NULL);
	rl_variable_bind("editing-mode", "emacs");
	prompt_cancel();
	prompt_open(&replacing, "500", false, NULL);
	prompt_paste("7", 1, true);
	prompt_paste("8", 1, false);
	check_line("78");
}

/* A long paste fills the prompt to its limit, a search to its own. */
TEST(prompt_much)
{
	struct text much = {0};

	for (int i = 0; i < 100000; i++)
		text_adds(&much, "€");
	prompt_open(&kind, "begin ", false, NULL);
	prompt_paste(text_str(&much), much.len, true);
	prompt_paste(text_str(&much), much.len, false);
	assert_true(strlen(prompt_look().line) <= 5000);
	prompt_cancel();
	prompt_open(&kind, "begin", false, NULL);
	type("\022");
	prompt_paste("a\003b\r\004", 5, true);
	assert_true(prompt_is_open());
	prompt_cancel();
	prompt_paste("x", 1, true); /* no prompt is open */
	prompt_open(&kind, "", false, NULL);
	check_line("");
	text_free(&much);
}

/* On a terminal. */

static struct pty *
start(const char *term)
{
	static char *argv[] = {NULL, (char *)"a.wsim", NULL};
	char name[64];
	char *env[] = {test_state_home(), name, NULL};
	struct pty *p;

	write_file("a.wsim", "1.RCS.1000-2000.0.0\np.5000\n");
	argv[0] = pty_program();
	snprintf(name, sizeof(name), "TERM=%s", term);
	p = pty_start(80, 24, argv, env);
	pty_wait_text(p, "F10");
	return p;
}

static void
finish(struct pty *p)
{
	pty_send(p, ":speed 7\r");
	pty_wait_text(p, "speed 7x");
	pty_send(p, ":q!\r");
	assert_int_equal(pty_wait_status(p), 0);
	pty_check_given_back(p);
	pty_free(p);
}

TEST(outside)
{
	struct pty *p = start("xterm-256color");

	assert_true(pty_modes(p).paste);
	pty_send(p, "\033[200~dddd q\r:speed 9\r\003\004\033[201~");
	pty_wait_text(p, "paste of 18 bytes ignored: press 5 or : first");
	assert_true(pty_shows(p, "speed 1x"));
	/* an end without a paste, and an empty paste */
	pty_send(p, "\033[201~\033[200~\033[201~");
	pty_wait_text(p, "paste of 0 bytes ignored");
	/* Not taken for an answer. */
	pty_send(p, ":prio 1 7\rq");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "\033[200~dyw\033[201~");
	pty_wait_text(p, "unsaved edits: a.wsim");
	pty_send(p, "\033");
	pty_wait_gone(p, "unsaved edits: a.wsim");
	finish(p);
}

TEST(inside)
{
	struct pty *p = start("xterm-256color");

	pty_send(p, ":\033[200~speed 5\n\033[201~");
	pty_wait_text(p, ":speed 5");
	pty_send(p, "\r");
	pty_wait_text(p, "speed 5x");
	pty_send(p, "5o\033[200~1.VCS.7.0.0\r\n\033[201~");
	pty_wait_text(p, "1.VCS.7.0.0");
	pty_send(p, "\003:\033[200~\033[31mq\033[0m\003!\033[201~");
	pty_wait_text(p, ":[31mq[0m!");
	pty_send(p, "\003");
	finish(p);
}

static const char pasted_lines[] =
    "\033[200~# one, with a comma\r1.RCS.500.0.0\r\r# two\rp.5000\r"
    "\033[201~";

/* Writes the descriptor and waits for the message: the file must be wanted. */
static void
check_written(struct pty *p, const char *command, const char *message,
    const char *file, const char *wanted)
{
	pty_send(p, command);
	pty_wait_text(p, message);
	expect_file(file, wanted);
}

/* Several lines are as many, comments with commas and blank lines included,
 * wherever they are pasted, and one undo. */
TEST(several_lines)
{
	struct pty *p = start("xterm-256color");

	pty_send(p, "5o");
	pty_send(p, pasted_lines);
	pty_wait_text(p, "5 lines pasted (Esc, then u undoes)");
	pty_send(p, "\r");
	pty_wait_gone(p, "Enter accepts");
	check_written(p, ":w! b.wsim\r", "b.wsim written, 7 lines", "b.wsim",
	    "1.RCS.1000-2000.0.0\n# one, with a comma\n1.RCS.500.0.0\n"
	    "\n# two\np.5000\np.5000\n");
	pty_send(p, "u");
	check_written(p, ":w! c.wsim\r", "c.wsim written, 2 lines", "c.wsim",
	    "1.RCS.1000-2000.0.0\np.5000\n");
	/* Without a prompt, at the last line. */
	pty_send(p, "G");
	pty_send(p, pasted_lines);
	pty_wait_text(p, "5 lines pasted (u undoes)");
	check_written(p, ":w! d.wsim\r", "d.wsim written, 7 lines", "d.wsim",
	    "1.RCS.1000-2000.0.0\np.5000\n# one, with a comma\n"
	    "1.RCS.500.0.0\n\n# two\np.5000\n");
	/* In the middle of a line. */
	pty_send(p, "uge\001");
	pty_wait_text(p, "Enter accepts");
	pty_send(p, "\033[200~2.BCS.7.0.0\n#\033[201~");
	pty_wait_text(p, "2 lines pasted");
	pty_send(p, "\033");
	pty_wait_gone(p, "Enter accepts");
	check_written(p, ":w! e.wsim\r", "e.wsim written, 3 lines", "e.wsim",
	    "2.BCS.7.0.0\n#1.RCS.1000-2000.0.0\np.5000\n");
	finish(p);
}

/* Also in a descriptor that was given on the command line, where a comma ends a
 * comment. */
TEST(several_lines_inline)
{
	char *argv[] = {pty_program(), (char *)"-w",
	    (char *)"1.RCS.1000-2000.0.0,p.5000", NULL};
	char *env[] = {test_state_home(), NULL};
	struct pty *p = pty_start(80, 24, argv, env);

	pty_wait_text(p, "F10");
	pty_send(p, "5");
	pty_send(p, pasted_lines);
	pty_wait_text(p, "5 lines pasted (u undoes)");
	check_written(p, ":w b.wsim\r", "b.wsim written, 7 lines", "b.wsim",
	    "1.RCS.1000-2000.0.0\n# one, with a comma\n1.RCS.500.0.0\n"
	    "\n# two\np.5000\np.5000\n");
	finish(p);
}

/* A paste without an end, or a very long one, blocks neither Ctrl-C nor signals
 * nor later keys. */
TEST(broken)
{
	struct pty *p = start("xterm-256color");
	struct text much = {0};

	pty_send(p, "\033[200~never ends");
	pty_wait_text(p, "paste of 10 bytes ignored");
	pty_send(p, "\003");
	pty_send(p, ":speed 3\r");
	pty_wait_text(p, "speed 3x");
	pty_send(p, "\033[200~\033[20");
	pty_send(p, "\033[201~:speed 4\r");
	pty_wait_text(p, "speed 4x");
	for (int i = 0; i < 300000; i++)
		text_adds(&much, "dq:x\r");
	pty_send(p, "\033[200~");
	for (size_t at = 0; at < much.len; at += 1000) {
		char part[1001];

		memcpy(part, much.data + at, 1000);
		part[1000] = 0;
		pty_send(p, part);
		pty_drain(p);
	}
	pty_wait_text(p, "paste of 1500000 bytes ignored");
	kill(pty_pid(p), SIGTERM);
	assert_int_equal(pty_wait_status(p), SIGTERM);
	pty_check_given_back(p);
	pty_free(p);
	text_free(&much);
}

/* After a silence, input is keys again. */
TEST(silence)
{
	struct pty *p = start("xterm-256color");

	pty_send(p, "\033[200~x");
	pty_wait_text(p, "paste of 1 byte ignored");
	while (!pty_shows(p, "speed 2x")) {
		pty_wait_bytes(p);
		pty_send(p, "\022"); /* no key outside, and ends nothing */
		for (int i = 0; i < 30; i++)
			pty_wait_bytes(p);
		pty_send(p, ":speed 2\r");
		pty_wait_bytes(p);
	}
	finish(p);
}

/* Other terminals are not asked for bracketed pastes. */
TEST(other_terminals)
{
	static const char *const names[] = {"vt100", "vt52", "ansi"};

	for (size_t i = 0; i < N(names); i++) {
		struct pty *p = start(names[i]);

		assert_null(strstr(text_str(pty_stream(p)), "2004"));
		pty_send(p, ":q!\r");
		assert_int_equal(pty_wait_status(p), 0);
		assert_null(strstr(text_str(pty_stream(p)), "2004"));
		pty_free(p);
	}
}

/* Editors and shells get the terminal without it. */
TEST(given_away)
{
	struct pty *p = start("xterm-256color");

	for (int i = 0; i < 2; i++) {
		kill(pty_pid(p), SIGTSTP);
		assert_true(WIFSTOPPED(pty_wait_status(p)));
		pty_check_given_back(p);
		kill(pty_pid(p), SIGCONT);
		while (!pty_modes(p).paste)
			pty_wait_bytes(p);
	}
	kill(pty_pid(p), SIGSEGV);
	assert_int_equal(WTERMSIG(pty_wait_status(p)), SIGSEGV);
	pty_check_given_back(p);
	pty_free(p);
}

static int
use_prompt(void **state)
{
	(void)state;
	enter_test_folder();
	setlocale(LC_ALL, "C.UTF-8");
	setenv("INPUTRC", "/dev/null", 1);
	return 0;
}

static int
leave_prompt(void **state)
{
	(void)state;
	prompt_free();
	return 0;
}

FIXTURES(use_prompt, leave_prompt);
