/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Looks as a person writes them: "red", "231 24 bold", "- yellow". */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tui/screen/theme.h"

#define BLANKS " \t"

static const struct {
	const char *name;
	int16_t number;
} colours[] = {
    {"default", -1},
    {"-", -1},
    {"black", 0},
    {"red", 1},
    {"green", 2},
    {"yellow", 3},
    {"blue", 4},
    {"magenta", 5},
    {"cyan", 6},
    {"white", 7},
    {"grey", 8},
};

static const struct {
	const char *name;
	uint8_t bit;
} attributes[] = {
    {"bold", LOOK_BOLD},
    {"dim", LOOK_DIM},
    {"underline", LOOK_UNDERLINE},
    {"reverse", LOOK_REVERSE},
};

static bool
is_word(const char *name, const char *s, size_t len)
{
	return strlen(name) == len && strncmp(name, s, len) == 0;
}

static bool
find_colour(const char *s, size_t len, int16_t *colour)
{
	int n = 0;

	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++)
		if (is_word(colours[i].name, s, len)) {
			*colour = colours[i].number;
			return true;
		}
	if (len > 3 || strspn(s, "0123456789") < len)
		return false;
	for (size_t i = 0; i < len; i++)
		n = n * 10 + s[i] - '0';
	*colour = (int16_t)n;
	return n <= 255;
}

static bool
find_attribute(const char *s, size_t len, uint8_t *attrs)
{
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (is_word(attributes[i].name, s, len)) {
			*attrs |= attributes[i].bit;
			return true;
		}
	return false;
}

bool
look_parse(const char *s, struct look *look, struct text *err)
{
	int16_t *const places[] = {&look->fg, &look->bg};
	size_t len, n_colours = 0;

	*look = (struct look){-1, -1, 0};
	for (s += strspn(s, BLANKS); *s != 0;
	     s += len + strspn(s + len, BLANKS)) {
		len = strcspn(s, BLANKS);
		if (find_attribute(s, len, &look->attrs))
			continue;
		if (n_colours < 2 && look->attrs == 0 &&
		    find_colour(s, len, places[n_colours])) {
			n_colours++;
			continue;
		}
		text_addc(err, '\'');
		text_add_visible(err, s, len);
		text_adds(err,
		    "' does not fit here: a foreground, a background "
		    "(default black red green yellow blue magenta cyan white "
		    "grey, or 0 to 255), then any of bold dim underline "
		    "reverse");
		return false;
	}
	return true;
}

static void
print_colour(int16_t colour, struct text *out)
{
	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++)
		if (colours[i].number == colour) {
			text_adds(out, colours[i].name);
			return;
		}
	text_addf(out, "%d", colour);
}

void
look_print(const struct look *look, struct text *out)
{
	print_colour(look->fg, out);
	if (look->bg >= 0) {
		text_addc(out, ' ');
		print_colour(look->bg, out);
	}
	for (size_t i = 0; i < sizeof(attributes) / sizeof(*attributes); i++)
		if (look->attrs & attributes[i].bit)
			text_addf(out, " %s", attributes[i].name);
}
