/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Pictures of the screen: a row is cut into runs of cells with one look, and
 * each form writes runs in its own way. An SVG image draws block elements as
 * rectangles, so that meters have no gaps whatever font the viewer has.
 */
#include "tui/screen/picture.h"

#include <string.h>
#include <strings.h>

#define CELL_W    8 /* pixels */
#define CELL_H    17
#define BASELINE  13
#define FONT_SIZE 13
#define MARGIN    8

/* Cells of one row with one look. */
struct cell_run {
	const struct cell *cells;
	int n;
	int x, y; /* columns and rows from the picture's corner */
	struct look look;
};

enum picture_form
picture_form_of(const char *path)
{
	const char *dot = strrchr(path, '.');

	if (dot != NULL && strcasecmp(dot, ".svg") == 0)
		return PICTURE_SVG;
	if (dot != NULL && strcasecmp(dot, ".ansi") == 0)
		return PICTURE_ANSI;
	return PICTURE_TEXT;
}

void
picture_begin(struct picture *p, enum picture_form form,
    const struct theme *theme, int n_colours)
{
	*p = (struct picture){
	    .form = form, .theme = theme, .n_colours = n_colours};
}

void
picture_free(struct picture *p)
{
	text_free(&p->body);
}

/* ---- Text and terminal ---- */

static void
add_cell_text(struct text *out, const struct cell *c)
{
	if (c->ch != 0)
		text_add_code(out, (uint32_t)c->ch);
	if (c->mark != 0)
		text_add_code(out, (uint32_t)c->mark);
}

/* Adds the parameters of a colour: of the first 8, of the bright 8, or of 256. */
static void
add_ansi_colour(struct text *out, int colour, bool background)
{
	int base = background ? 40 : 30;

	if (colour < 0)
		return;
	if (colour < 8)
		text_addf(out, ";%d", base + colour);
	else if (colour < 16)
		text_addf(out, ";%d", base + 60 + colour - 8);
	else
		text_addf(out, ";%d;5;%d", base + 8, colour);
}

static void
add_ansi_run(struct picture *p, const struct cell_run *run)
{
	static const struct {
		int attr, code;
	} codes[] = {{LOOK_BOLD, 1}, {LOOK_DIM, 2}, {LOOK_UNDERLINE, 4},
	    {LOOK_REVERSE, 7}};

	text_adds(&p->body, "\033[0");
	for (size_t i = 0; i < sizeof(codes) / sizeof(*codes); i++)
		if (run->look.attrs & codes[i].attr)
			text_addf(&p->body, ";%d", codes[i].code);
	add_ansi_colour(&p->body, run->look.fg, false);
	add_ansi_colour(&p->body, run->look.bg, true);
	text_addc(&p->body, 'm');
	for (int i = 0; i < run->n; i++)
		add_cell_text(&p->body, &run->cells[i]);
}

/* ---- SVG ---- */

/* Returns 0xrrggbb of a colour, as xterm has it. */
static uint32_t
rgb_of(int colour)
{
	static const uint32_t first[16] = {0x000000, 0xcd0000, 0x00a000,
	    0xa08000, 0x1e5fd0, 0xa000a0, 0x008b8b, 0xc0c0c0, 0x7f7f7f,
	    0xff4040, 0x40c040, 0xd0b000, 0x5c8cff, 0xd040d0, 0x20b0b0,
	    0xffffff};
	static const uint32_t steps[] = {0, 95, 135, 175, 215, 255};
	uint32_t n = (uint32_t)colour;

	if (n < 16)
		return first[n];
	if (n >= 232)
		return (8 + 10 * (n - 232)) * 0x010101;
	n -= 16;
	return steps[n / 36] << 16 | steps[n / 6 % 6] << 8 | steps[n % 6];
}

/* Adds the fill of a colour. The terminal's own are classes of the style sheet,
 * which follows the viewer's preference for light or dark. */
static void
add_fill(struct text *out, int colour, char class)
{
	if (colour < 0)
		text_addf(out, " class=\"%c\"", class);
	else
		text_addf(out, " fill=\"#%06x\"", (unsigned)rgb_of(colour));
}

static void
add_rect(struct text *out, double x, double y, double w, double h)
{
	text_addf(out, "<rect x=\"%g\" y=\"%g\" width=\"%g\" height=\"%g\"", x,
	    y, w, h);
}

/* A block element: the part of the cell that it fills, and how densely. */
struct block {
	double x, y, w, h, density;
};

/* Sets the block of a character (U+2580 to U+2593). False: it is none of those
 * that the console draws. */
static bool
find_block(wchar_t ch, struct block *b)
{
	*b = (struct block){0, 0, 1, 1, 1};
	if (ch >= L'▁' && ch <= L'█') { /* lower eighths */
		b->h = (double)(ch - L'▁' + 1) / 8;
		b->y = 1 - b->h;
	} else if (ch >= L'▉' && ch <= L'▏') { /* left eighths, falling */
		b->w = (double)(L'▏' - ch + 1) / 8;
	} else if (ch >= L'░' && ch <= L'▓') {
		b->density = (double)(ch - L'░' + 1) / 4;
	} else if (ch == L'▐') {
		b->x = b->w = 0.5;
	} else if (ch == L'▀') {
		b->h = 0.5;
	} else {
		return false;
	}
	return true;
}

static void
add_svg_block(struct picture *p, const struct cell_run *run, int i, int n,
    const struct block *b, int fg, char class)
{
	double x = MARGIN + (run->x + i + b->x) * CELL_W;
	double y = MARGIN + (run->y + b->y) * CELL_H;
	double w = b->w == 1 ? n * CELL_W : b->w * CELL_W;

	add_rect(&p->body, x, y, w, b->h * CELL_H);
	add_fill(&p->body, fg, class);
	if (b->density < 1)
		text_addf(&p->body, " fill-opacity=\"%g\"", b->density);
	text_adds(&p->body, "/>\n");
}

static void
add_xml(struct text *out, const struct cell *c)
{
	switch (c->ch) {
	case L'&': text_adds(out, "&amp;"); break;
	case L'<': text_adds(out, "&lt;"); break;
	case L'>': text_adds(out, "&gt;"); break;
	default: add_cell_text(out, c);
	}
}

/* Adds n cells from i on as text of exactly that width. */
static void
add_svg_text(struct picture *p, const struct cell_run *run, int i, int n,
    int fg, char class)
{
	struct text *out = &p->body;

	text_addf(out, "<text x=\"%d\" y=\"%d\" textLength=\"%d\"",
	    MARGIN + (run->x + i) * CELL_W, MARGIN + run->y * CELL_H + BASELINE,
	    n * CELL_W);
	add_fill(out, fg, class);
	if (run->look.attrs & LOOK_BOLD)
		text_adds(out, " font-weight=\"bold\"");
	if (run->look.attrs & LOOK_UNDERLINE)
		text_adds(out, " text-decoration=\"underline\"");
	if (run->look.attrs & LOOK_DIM)
		text_adds(out, " opacity=\"0.6\"");
	text_addc(out, '>');
	for (int k = i; k < i + n; k++)
		add_xml(out, &run->cells[k]);
	text_adds(out, "</text>\n");
}

static bool
is_blank_cell(const struct cell *c)
{
	return c->ch == L' ' && c->mark == 0;
}

/* Returns how many cells from i on can be drawn together: of one block element,
 * or of text without two blanks in turn. */
static int
piece_length(const struct cell_run *run, int i)
{
	const struct cell *c = run->cells;
	struct block block;
	bool is_block = find_block(c[i].ch, &block);
	int n = 1;

	while (i + n < run->n) {
		if (is_block ? c[i + n].ch != c[i].ch
			     : find_block(c[i + n].ch, &block) ||
			    (is_blank_cell(&c[i + n]) &&
				is_blank_cell(&c[i + n - 1])))
			break;
		n++;
	}
	return n;
}

static void
add_svg_run(struct picture *p, const struct cell_run *run)
{
	bool reverse = (run->look.attrs & LOOK_REVERSE) != 0;
	int fg = reverse ? run->look.bg : run->look.fg;
	int bg = reverse ? run->look.fg : run->look.bg;
	char fg_class = reverse ? 'b' : 'f', bg_class = reverse ? 'f' : 'b';
	struct block block;
	int n;

	if (reverse || bg >= 0) {
		add_rect(&p->body, MARGIN + run->x * CELL_W,
		    MARGIN + run->y * CELL_H, run->n * CELL_W, CELL_H);
		add_fill(&p->body, bg, bg_class);
		text_adds(&p->body, "/>\n");
	}
	for (int i = 0; i < run->n; i += n) {
		n = 1;
		if (is_blank_cell(&run->cells[i]))
			continue;
		n = piece_length(run, i);
		if (!find_block(run->cells[i].ch, &block)) {
			add_svg_text(p, run, i, n, fg, fg_class);
			continue;
		}
		if (block.w < 1)
			n = 1;
		add_svg_block(p, run, i, n, &block, fg, fg_class);
	}
}

/* ---- Rows ---- */

static bool
same_look(const struct look *a, const struct look *b)
{
	return a->fg == b->fg && a->bg == b->bg && a->attrs == b->attrs;
}

static struct look
look_of_cell(const struct picture *p, const struct cell *c)
{
	return look_styled(
	    theme_look(p->theme, c->role, p->n_colours), c->style);
}

/* Sets the look of the run that begins at x and its length. */
static void
find_run(const struct picture *p, const struct cell *row, int end,
    struct cell_run *run)
{
	run->cells = row + run->x;
	run->look = look_of_cell(p, &run->cells[0]);
	for (run->n = 1; run->x + run->n < end; run->n++) {
		struct look look = look_of_cell(p, &run->cells[run->n]);

		if (!same_look(&look, &run->look))
			break;
	}
}

static void
add_looks_row(struct picture *p, const struct cell *row, int end)
{
	struct cell_run run = {.y = p->rows};

	for (; run.x < end; run.x += run.n) {
		find_run(p, row, end, &run);
		if (p->form == PICTURE_SVG)
			add_svg_run(p, &run);
		else
			add_ansi_run(p, &run);
	}
	if (p->form == PICTURE_ANSI)
		text_adds(&p->body, end > 0 ? "\033[0m\n" : "\n");
}

void
picture_add(struct picture *p, const struct screen *s, struct rect r)
{
	if (p->form == PICTURE_TEXT)
		screen_dump(s, r, &p->body);
	for (int y = r.y; y < r.y + r.h; y++) {
		const struct cell *row = s->cells + (size_t)y * s->cols + r.x;

		if (p->form != PICTURE_TEXT)
			add_looks_row(p, row, r.w);
		p->rows++;
	}
	if (r.w > p->cols)
		p->cols = r.w;
}

void
picture_write(const struct picture *p, struct text *out)
{
	int w = p->cols * CELL_W + 2 * MARGIN,
	    h = p->rows * CELL_H + 2 * MARGIN;

	if (p->form == PICTURE_SVG)
		text_addf(out,
		    "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"%d\" "
		    "height=\"%d\" viewBox=\"0 0 %d %d\" "
		    "font-family=\"DejaVu Sans Mono,Menlo,Consolas,monospace\" "
		    "font-size=\"%d\" xml:space=\"preserve\">\n"
		    "<style>.f{fill:#24292f}.b{fill:#ffffff}"
		    "@media(prefers-color-scheme:dark){"
		    ".f{fill:#d0d7de}.b{fill:#0d1117}}</style>\n"
		    "<rect class=\"b\" width=\"%d\" height=\"%d\" "
		    "rx=\"6\"/>\n",
		    w, h, w, h, FONT_SIZE, w, h);
	text_add(out, p->body.data, p->body.len);
	if (p->form == PICTURE_SVG)
		text_adds(out, "</svg>\n");
}
