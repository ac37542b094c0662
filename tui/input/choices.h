/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Several completions of a word, of which Tab takes one after the other. */
#ifndef TUI_INPUT_CHOICES_H
#define TUI_INPUT_CHOICES_H

#include <stdbool.h>

#include "base/text.h"

struct choices {
	struct text rows;  /* as they are shown, a newline behind each */
	struct text words; /* as they are put in the line, a zero behind each;
			      empty: they are only shown */
	size_t n, chosen;  /* chosen n: none yet */
	int begin, end;    /* the word in readline's line */
};

void choices_clear(struct choices *c);
void choices_free(struct choices *c);
/* As readline has them: matches[0] is what they have in common, n follow. The
 * word begins at begin and ends at the cursor. */
void choices_set(struct choices *c, char **matches, size_t n, int begin);
/* The next one (1) or the one before (-1) into the line; false: there are
 * none to be taken. */
bool choices_take(struct choices *c, int by);
/* A folder was taken: it ends with a slash already. */
bool choices_is_folder(const struct choices *c);

#endif
