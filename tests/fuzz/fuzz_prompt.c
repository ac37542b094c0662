/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The line that is typed: keys in any order, with any bytes, in emacs' way or
 * vi's, leave a line or none, and a prompt that can be opened again. */
#include <locale.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/prompt.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
const char *__lsan_default_suppressions(void);

/* Searches of readline 8.2 that are broken off leave a few bytes behind. */
const char *
__lsan_default_suppressions(void)
{
	return "leak:libreadline";
}

static char
offer(const void *arg, const char *line, size_t start, const char *word,
    struct text *rows)
{
	(void)arg;
	if (start > strlen(line))
		abort();
	text_addf(rows, "%s1\tone\n%s2\n", word, word);
	return '.';
}

static const struct prompt_kind offering = {
    .prompt = "edit ", .history = "fuzzed", .breaks = ".,", .offer = offer};
static const struct prompt_kind replacing = {
    .prompt = "value ", .replaces = true};

static void
open_kind(unsigned which)
{
	switch (which % 3) {
	case 0: prompt_open(&command_prompt, "", false, NULL); break;
	case 1: prompt_open(&offering, "1.RCS.500.0.0", false, NULL); break;
	default: prompt_open(&replacing, "500", false, NULL);
	}
}

/* The next key: one byte, or as many as the first says. */
static size_t
take_key(const uint8_t *data, size_t size, struct key_press *key)
{
	size_t len = 1, head = 0;

	if (data[0] >= 0xf8 && size > 1) {
		len = data[0] & 7u;
		head = 1;
	}
	if (len > size - head)
		len = size - head;
	memset(key, 0, sizeof(*key));
	memcpy(key->bytes, data + head, len);
	key->len = len;
	key->code = len == 1 ? data[head] : KEY_UNKNOWN;
	return head + len;
}

/* A piece of a paste, as long as the second byte says, whose third bit says
 * whether it is the first; returns the bytes taken. */
static size_t
paste(const uint8_t *data, size_t size)
{
	size_t len = data[1] & 0x3fu;

	if (len > size - 2)
		len = size - 2;
	prompt_paste((const char *)data + 2, len, data[1] & 0x40);
	return 2 + len;
}

static void
check_look(void)
{
	struct ui_prompt p = prompt_look();

	if (p.line == NULL || p.prompt == NULL || p.point > strlen(p.line))
		abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct key_press key;

	if (size < 2)
		return 0;
	setenv("INPUTRC", "/dev/null", 1);
	setlocale(LC_ALL, "C.UTF-8");
	open_kind(data[0]);
	rl_variable_bind("editing-mode", data[1] & 1 ? "vi" : "emacs");
	for (size_t at = 2; at < size;) {
		char *line = NULL;

		if (!prompt_is_open())
			open_kind(data[at]);
		if (data[at] == 0xf7 && size - at > 2) {
			at += paste(data + at, size - at);
			check_look();
			continue;
		}
		at += take_key(data + at, size - at, &key);
		if (prompt_feed(&key, &line) == PROMPT_OPEN)
			check_look();
		free(line);
	}
	prompt_cancel();
	return 0;
}
