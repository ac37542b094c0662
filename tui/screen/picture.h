/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A picture of the screen, or of parts of it one below the other, in a file: as
 * text, as text with the colours of a terminal (ECMA-48), or as an SVG image,
 * which needs no font of its own for meters and graphs.
 */
#ifndef TUI_SCREEN_PICTURE_H
#define TUI_SCREEN_PICTURE_H

#include "base/text.h"
#include "tui/screen/screen.h"

enum picture_form { PICTURE_TEXT, PICTURE_ANSI, PICTURE_SVG };

/* Returns the form by the end of a file's name: .svg, .ansi; else text. */
enum picture_form picture_form_of(const char *path);

struct picture {
	enum picture_form form;
	const struct theme *theme;
	int n_colours; /* that looks may use: 0, 8, 16, 256 */
	int cols, rows;
	struct text body; /* freed with picture_free() */
};

/* Begins a picture without rows. The theme must outlive it. */
void picture_begin(struct picture *p, enum picture_form form,
    const struct theme *theme, int n_colours);
/* Adds the rows of r, which is on the screen. */
void picture_add(struct picture *p, const struct screen *s, struct rect r);
/* Appends the whole picture. */
void picture_write(const struct picture *p, struct text *out);
void picture_free(struct picture *p);

#endif
