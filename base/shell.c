/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Quotes words for a shell, and for programs that read line by line. */
#include "base/shell.h"

#include <stdbool.h>
#include <string.h>

#include "base/text.h"
#include "base/utf8.h"

static bool
is_all_visible(const char *word, size_t len)
{
	for (size_t i = 0; i < len;) {
		struct utf8_char c = utf8_decode(word + i, len - i);

		if (!c.visible)
			return false;
		i += c.len;
	}
	return true;
}

/* No quote or backslash is left in it: so a shell that does not know $'...' ends the
 * word at the same place. */
static void
add_escaped(struct text *out, const char *word, size_t len)
{
	text_adds(out, "$'");
	for (size_t i = 0; i < len;) {
		struct utf8_char c = utf8_decode(word + i, len - i);

		if (c.visible && c.code != '\'' && c.code != '\\')
			text_add(out, word + i, c.len);
		else
			for (size_t k = 0; k < c.len; k++)
				text_addf(out, "\\%03o",
				    (unsigned)(unsigned char)word[i + k]);
		i += c.len;
	}
	text_addc(out, '\'');
}

void
shell_add_quoted(struct text *out, const char *word)
{
	size_t len = strlen(word);

	if (!is_all_visible(word, len)) {
		add_escaped(out, word, len);
		return;
	}
	text_addc(out, '\'');
	for (; *word != '\0'; word++)
		if (*word == '\'')
			text_adds(out, "'\\''");
		else
			text_addc(out, *word);
	text_addc(out, '\'');
}

void
shell_add_word(struct text *out, const char *word)
{
	size_t len = strlen(word);

	if (len > 0 &&
	    strspn(word,
		"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
		"0123456789_./:=,+-@%") == len)
		text_add(out, word, len);
	else
		shell_add_quoted(out, word);
}
