/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See mends.h. */
#include "tui/input/mends.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include <readline/readline.h>

#include "base/utf8.h"

/* What a word is made of: everything between blanks (E), or letters and the
 * like, or signs (e). Beyond ASCII all are letters. */
enum class { CLASS_BLANK, CLASS_LETTER, CLASS_SIGN };

static enum class class_at(int at, bool whole) {
	unsigned char c = (unsigned char)rl_line_buffer[at];

	if (c == ' ' || c == '\t') return CLASS_BLANK;
	return whole || c >= 0x80 || isalnum(c) || c == '_' ? CLASS_LETTER
							    : CLASS_SIGN;
}

static int
after(int at)
{
	struct utf8_char c = utf8_decode(
	    rl_line_buffer + at, (size_t)(rl_end - at));

	return at + c.len;
}

/* The last character of the word that ends next. */
static int
word_end(int at, bool whole)
{
	enum class class;
	int last = at;

	if (at >= rl_end)
		return at;
	for (at = after(at); at < rl_end && class_at(at, whole) == CLASS_BLANK;)
		at = after(at);
	if (at >= rl_end)
		return last;
	class = class_at(at, whole);
	for (; at < rl_end && class_at(at, whole) == class; at = after(at))
		last = at;
	return last;
}

static int
end_word(int count, int key)
{
	while (count-- > 0) {
		int to = word_end(rl_point, isupper(key) != 0);

		if (to == rl_point)
			break;
		rl_point = to;
	}
	return 0;
}

/* From behind the word there is nothing to look for. */
static int
complete_word(int count, int key)
{
	while (rl_point < rl_end && class_at(rl_point, true) != CLASS_BLANK)
		rl_point = after(rl_point);
	return rl_vi_complete(count, key);
}

static int
search(int count, int key)
{
	rl_free_undo_list();
	return rl_vi_search(count, key);
}

static int
search_again(int count, int key)
{
	rl_free_undo_list();
	return rl_vi_search_again(count, key);
}

static const struct {
	rl_command_func_t *theirs, *ours;
} mends[] = {
    {rl_vi_end_word, end_word},
    {rl_vi_complete, complete_word},
    {rl_vi_search, search},
    {rl_vi_search_again, search_again},
};

static void
mend_map(Keymap map)
{
	for (int key = 0; key < KEYMAP_SIZE; key++)
		for (size_t i = 0; i < sizeof(mends) / sizeof(*mends); i++)
			if (map[key].type == ISFUNC &&
			    map[key].function == mends[i].theirs)
				map[key].function = mends[i].ours;
}

void
mends_install(void)
{
	mend_map(vi_movement_keymap);
	mend_map(vi_insertion_keymap);
}
