/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Typed commands: any line is a command with its argument, or refused with a
 * text that is safe to show; what completes a line goes on with what was
 * typed, and can be entered. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

#define MAX_OFFERED 1000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_refusal(const struct text *err)
{
	if (err->len == 0)
		abort();
	for (size_t i = 0; i < err->len; i++) {
		unsigned char c = (unsigned char)err->data[i];

		if (c < ' ' || c == 0x7f)
			abort();
	}
}

static const struct command_row *
parse(const char *line, const char **argument)
{
	struct text err = {0};
	const struct command_row *c = command_parse(line, argument, &err);

	if (c == NULL)
		check_refusal(&err);
	else if (err.len > 0 || *argument < line ||
	    *argument > line + strlen(line))
		abort();
	text_free(&err);
	return c;
}

/* Its whole name means the same. */
static void
check_whole(const struct command_row *c, const char *argument)
{
	struct text whole = {0};
	const char *again;

	text_addf(&whole, "%s %s", c->name, argument);
	if (parse(text_str(&whole), &again) != c ||
	    strcmp(again, argument) != 0)
		abort();
	text_free(&whole);
}

/* Files and programs are not: they are those of this machine. */
static void
check_completions(const char *line)
{
	size_t start = strlen(line), argument = 0;
	const char *word, *s;
	unsigned n = 0;

	while (start > 0 && line[start - 1] != ' ' && line[start - 1] != '\t')
		start--;
	word = line + start;
	argument = strspn(line, " \t") < start;
	if (argument > 0 &&
	    (command_argument(line) == ARG_FILE ||
		command_argument(line) == ARG_PROGRAM))
		return;
	for (; (s = command_complete(line, word, argument, n)) != NULL; n++)
		if (n > MAX_OFFERED || strncmp(s, word, strlen(word)) != 0)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *line = mem_strndup((const char *)data, size);
	const char *argument = NULL;
	const struct command_row *c;

	line[strcspn(line, "\n")] = '\0';
	c = parse(line, &argument);
	if (c != NULL)
		check_whole(c, argument);
	check_completions(line);
	free(line);
	return 0;
}
