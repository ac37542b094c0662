/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See theme.h: one table. */
#include "tui/screen/theme.h"

#define B LOOK_BOLD
#define D LOOK_DIM
#define U LOOK_UNDERLINE
#define R LOOK_REVERSE

enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GREY };

/*
 * The 256 colour column takes middle tones (contrast of 3:1 or better on
 * both white and black). With 8 colours yellow and white are left out: they
 * can't be read on white.
 */
static const struct {
	struct look mono, c8, c16, c256;
} looks[N_ROLES] = {
    /* clang-format off */
    [ROLE_NORMAL] =         {{-1, -1, 0}, {-1, -1, 0}, {-1, -1, 0}, {-1, -1, 0}},
    [ROLE_DIM] =            {{-1, -1, D}, {-1, -1, D}, {GREY, -1, 0}, {244, -1, 0}},
    [ROLE_STRONG] =         {{-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_LABEL] =          {{-1, -1, 0}, {CYAN, -1, 0}, {CYAN, -1, 0}, {31, -1, 0}},
    [ROLE_TITLE] =          {{-1, -1, U}, {-1, -1, U}, {-1, -1, U}, {-1, -1, U}},
    [ROLE_TITLE_FOCUS] =    {{-1, -1, R}, {0, CYAN, 0}, {0, CYAN, 0}, {231, 24, 0}},
    [ROLE_SORTED] =         {{-1, -1, R | B}, {0, GREEN, 0}, {0, GREEN, 0}, {231, 28, B}},
    [ROLE_SELECTED] =       {{-1, -1, U | B}, {-1, -1, U | B}, {-1, -1, U | B}, {-1, -1, U | B}},
    [ROLE_SELECTED_FOCUS] = {{-1, -1, R}, {-1, -1, R}, {-1, -1, R}, {-1, -1, R}},
    [ROLE_GOOD] =           {{-1, -1, B}, {GREEN, -1, B}, {GREEN, -1, B}, {34, -1, B}},
    [ROLE_WARN] =           {{-1, -1, B}, {MAGENTA, -1, B}, {MAGENTA, -1, B}, {166, -1, B}},
    [ROLE_BAD] =            {{-1, -1, B | R}, {RED, -1, B}, {RED, -1, B}, {160, -1, B}},
    [ROLE_BUSY] =           {{-1, -1, B}, {GREEN, -1, 0}, {GREEN, -1, 0}, {34, -1, 0}},
    [ROLE_WAITING] =        {{-1, -1, 0}, {MAGENTA, -1, 0}, {MAGENTA, -1, 0}, {166, -1, 0}},
    [ROLE_BRACKET] =        {{-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_HISTORY] =        {{-1, -1, 0}, {GREEN, -1, 0}, {GREEN, -1, 0}, {34, -1, 0}},
    [ROLE_COMMENT] =        {{-1, -1, D}, {CYAN, -1, 0}, {CYAN, -1, 0}, {30, -1, 0}},
    [ROLE_ANNOTATION] =     {{-1, -1, D}, {MAGENTA, -1, 0}, {MAGENTA, -1, 0}, {97, -1, 0}},
    [ROLE_RELATED] =        {{-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_KEY] =            {{-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_KEY_LABEL] =      {{-1, -1, R}, {0, CYAN, 0}, {0, CYAN, 0}, {231, 24, 0}},
    [ROLE_PROMPT] =         {{-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    /* clang-format on */
};

struct look
theme_look(enum role role, int n_colours)
{
	if (n_colours >= 256)
		return looks[role].c256;
	if (n_colours >= 16)
		return looks[role].c16;
	if (n_colours >= 8)
		return looks[role].c8;
	return looks[role].mono;
}
