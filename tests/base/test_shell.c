/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Words for a shell: shells read them back, and each is one visible line. */
#include "base/shell.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"
#include "base/utf8.h"
#include "tests/runner/test.h"

static const char *const words[] = {"a.wsim", "", "a b", "it's", "-", "$(x)",
    "`x`", "a\\b", "~", "*", "#", "a\nb", "\n", "a\nb\n", "\033[31m", "\a",
    "\t", "\r", "\xc2\x85", /* a control of C1 */
    "\xe2\x80\xae",         /* writes from right to left */
    "\xff\x80", "n/nl\n$(touch x)\n", "'\n'", "\\\n\\", "$'\n'", "\xc3\xa9",
    "\n'; touch x; '"};

#define N (sizeof words / sizeof *words)

static void
check_line(const struct text *line)
{
	for (size_t i = 0; i < line->len;) {
		struct utf8_char c = utf8_decode(
		    text_str(line) + i, line->len - i);

		assert_true(c.visible);
		i += c.len;
	}
}

/* Returns what a command writes. */
static void
read_command(const char *shell, const char *line, struct text *out)
{
	char command[2000];
	FILE *f;
	int c;

	assert_int_equal(setenv("LINE", line, 1), 0);
	snprintf(command, sizeof command, "%s -c \"$LINE\"", shell);
	f = popen(command, "r");
	assert_non_null(f);
	while ((c = getc(f)) != EOF)
		text_addc(out, (char)c);
	assert_int_equal(pclose(f), 0);
}

TEST(bash_reads_them)
{
	for (size_t i = 0; i < N; i++) {
		struct text line = {0}, out = {0};

		text_adds(&line, "printf %s. ");
		shell_add_word(&line, words[i]);
		check_line(&line);
		read_command("bash", text_str(&line), &out);
		assert_int_equal(out.len, strlen(words[i]) + 1);
		assert_memory_equal(text_str(&out), words[i], strlen(words[i]));
		text_free(&line);
		text_free(&out);
	}
}

/* For any sh each is one word, of which nothing is executed. */
TEST(sh_takes_them_for_words)
{
	for (size_t i = 0; i < N; i++) {
		struct text line = {0}, out = {0};

		text_adds(&line, "f() { printf %s $#; }; f ");
		shell_add_word(&line, words[i]);
		read_command("sh", text_str(&line), &out);
		assert_string_equal(text_str(&out), "1");
		text_free(&line);
		text_free(&out);
	}
}

TEST(spelling)
{
	struct text out = {0};

	shell_add_word(&out, "a.wsim");
	shell_add_word(&out, "a b");
	shell_add_quoted(&out, "it's");
	shell_add_quoted(&out, "a\n'\\");
	assert_string_equal(
	    text_str(&out), "a.wsim'a b''it'\\''s'$'a\\012\\047\\134'");
	text_free(&out);
}
