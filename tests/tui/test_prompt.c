/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that is typed, key by key, where readline alone would go astray. */
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tui/input/prompt.h"

static const struct prompt_kind kind = {.prompt = ":", .history = "tested"};

/* Keys of one byte each; those in the text between < and > of several. Sets
 * *line to the text that was accepted last. */
static enum prompt_result
type(const char *keys, char **line)
{
	enum prompt_result result = PROMPT_OPEN;

	for (const char *s = keys; *s != 0 && result == PROMPT_OPEN; s++) {
		struct key_press key = {.code = (unsigned char)*s, .len = 1};

		key.bytes[0] = *s;
		if (*s == '<') {
			key.len = strcspn(s + 1, ">");
			memcpy(key.bytes, s + 1, key.len);
			key.code = KEY_UNKNOWN;
			s += key.len + 1;
		}
		result = prompt_feed(&key, line);
	}
	return result;
}

/* The line that stands there once they are typed. */
static void
check_line(const char *keys, const char *wanted)
{
	char *line = NULL;

	if (!prompt_is_open())
		prompt_open(&kind, "", false, NULL);
	assert_int_equal(type(keys, &line), PROMPT_OPEN);
	assert_string_equal(prompt_look().line, wanted);
}

static void
check_accepted(const char *keys, const char *wanted)
{
	char *line = NULL;

	if (!prompt_is_open())
		prompt_open(&kind, "", false, NULL);
	assert_int_equal(type(keys, &line), PROMPT_ACCEPTED);
	assert_string_equal(line, wanted);
	free(line);
}

static int
use_emacs(void **state)
{
	(void)state;
	setenv("INPUTRC", "/dev/null", 1);
	assert_non_null(setlocale(LC_ALL, "C.UTF-8"));
	prompt_open(&kind, "", false, NULL); /* readline is initialised */
	prompt_cancel();
	rl_variable_bind("editing-mode", "emacs");
	return 0;
}

static int
forget(void **state)
{
	(void)state;
	prompt_free();
	return 0;
}

/* e and E, also behind an operator, with é as the last character. */
TEST(vi_words)
{
	rl_variable_bind("editing-mode", "vi");
	check_line("caf\xc3\xa9\033", "caf\xc3\xa9");
	check_line("0exi", "caf");
	prompt_cancel();
	check_line("a,b caf\xc3\xa9 d\033", "a,b caf\xc3\xa9 d");
	check_line("0eeEx", "a,b caf d");
	check_line("0cEx\033", "x caf d");
	prompt_cancel();
	check_line("ab \xc3\xa9\033", "ab \xc3\xa9");
	check_line("0EEEEx", "ab ");
	prompt_cancel();
}

TEST(no_bytes_that_are_no_characters)
{
	check_line("a\xff"
		   "b\xbf\xc3(c\xe2\x82",
	    "ab(c");
	check_line("\xe2\x82\xac", "ab(c\xe2\x82\xac");
	prompt_cancel();
}

/* Two keys of which the first ends the search. */
TEST(search_ended_by_prefix)
{
	check_accepted("first\r", "first");
	check_accepted("second\r", "second");
	check_line("\022fir<\030)>?-", "?-first");
	prompt_cancel();
	check_line("\022sec<\033[D>\001x", "xsecond");
	prompt_cancel();
	check_line("\022sec\010\010\010fir", "first");
	check_accepted("\r", "first");
}

/* A million characters by a count would take all time to look at. */
TEST(counts)
{
	prompt_open(&kind, "", false, NULL);
	assert_int_equal(
	    type("\033", &(char *){NULL}), PROMPT_CANCELLED); /* alone */
	check_line("x", "x");
	assert_int_equal(type("<\0339>99999a", &(char *){NULL}), PROMPT_OPEN);
	assert_in_range(strlen(prompt_look().line), 100, 5000);
	prompt_cancel();
}

/* Text that was typed before a line of the history came is of that prompt only. */
TEST(history_of_another_line)
{
	check_accepted("kept\r", "kept");
	check_line("abc\020", "kept");
	prompt_cancel();
	check_line("x\020\016", "x");
	prompt_cancel();
	/* Nor are lines of it other lines then, if they were not accepted. */
	check_line("\020!\016", "");
	prompt_cancel();
	check_line("\020", "kept");
	prompt_cancel();
}

TEST(history_keeps_repeated_lines_once)
{
	check_accepted("first\r", "first");
	check_accepted("again\r", "again");
	check_accepted("again\r", "again");
	check_line("\020\020", "first");
	prompt_cancel();
}

FIXTURES(use_emacs, forget);
