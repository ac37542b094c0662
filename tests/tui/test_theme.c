/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Themes: roles that must be told apart look different in every theme and with
 * any number of colours; with 256, text is legible on the backgrounds that the
 * theme is for, and cbsafe keeps its promise to the colour-blind.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tests/runner/test.h"
#include "tui/screen/theme.h"
#include "tui/views/uses.h"

static const int depths[] = {0, 8, 16, 88, 256};
#define N_DEPTHS (sizeof(depths) / sizeof(*depths))

static const enum role pairs[][2] = {
    {ROLE_RUNNING, ROLE_SWITCHING},
    {ROLE_RUNNING, ROLE_POLLING},
    {ROLE_RUNNING, ROLE_BLOCKED},
    {ROLE_GOOD, ROLE_WARN},
    {ROLE_GOOD, ROLE_BAD},
    {ROLE_WARN, ROLE_BAD},
    {ROLE_NORMAL, ROLE_WARN},
    {ROLE_NORMAL, ROLE_BAD},
    {ROLE_NORMAL, ROLE_STRONG},
    {ROLE_NORMAL, ROLE_COMMENT},
    {ROLE_NORMAL, ROLE_RELATED},
    {ROLE_NORMAL, ROLE_SELECTED},
    {ROLE_NORMAL, ROLE_SELECTED_FOCUS},
    {ROLE_SELECTED, ROLE_SELECTED_FOCUS},
    {ROLE_SELECTED, ROLE_RELATED},
    {ROLE_BAD, ROLE_SELECTED_FOCUS},
    {ROLE_TITLE, ROLE_TITLE_FOCUS},
    {ROLE_TITLE, ROLE_SORTED},
    {ROLE_TITLE_FOCUS, ROLE_SORTED},
    {ROLE_KEY, ROLE_KEY_LABEL},
    {ROLE_NORMAL, ROLE_TAGGED},
    {ROLE_NORMAL, ROLE_MATCH},
    {ROLE_COMMENT, ROLE_MATCH},
    {ROLE_BAD, ROLE_MATCH},
    {ROLE_SELECTED_FOCUS, ROLE_MATCH},
};
#define N_PAIRS (sizeof(pairs) / sizeof(*pairs))

static struct theme
theme_number(unsigned i)
{
	return (struct theme){.base = i};
}

static bool
same(struct look a, struct look b)
{
	return a.fg == b.fg && a.bg == b.bg && a.attrs == b.attrs;
}

static size_t
count_alike(unsigned theme, int n_colours)
{
	struct theme t = theme_number(theme);
	size_t alike = 0;

	for (size_t i = 0; i < N_PAIRS; i++) {
		enum role a = pairs[i][0], b = pairs[i][1];

		if (!same(theme_look(&t, a, n_colours),
			theme_look(&t, b, n_colours)))
			continue;
		fprintf(stderr, "theme %s, %d colours: %s looks like %s\n",
		    theme_name(theme), n_colours, role_name(a), role_name(b));
		alike++;
	}
	return alike;
}

TEST(told_apart)
{
	size_t alike = 0;

	for (unsigned i = 0; theme_name(i) != NULL; i++)
		for (size_t d = 0; d < N_DEPTHS; d++)
			alike += count_alike(i, depths[d]);
	assert_int_equal(alike, 0);
}

/* Roles of blocks: the colours of contexts, the uses of an engine, and a batch that
 * failed. */
#define N_BLOCKS (N_CONTEXT_COLOURS + N_USES + 1)
/* Contexts that differ without colours, by attributes. */
#define N_PLAIN 8

static enum role
block_role(size_t i)
{
	if (i < N_CONTEXT_COLOURS)
		return theme_context_role((unsigned)i);
	i -= N_CONTEXT_COLOURS;
	return i < N_USES ? use_role((enum engine_use)i) : ROLE_BAD;
}

/* Returns the number of pairs of blocks in [0, n) that look alike. */
static size_t
count_blocks_alike(unsigned theme, int n_colours, size_t n)
{
	struct theme t = theme_number(theme);
	size_t alike = 0;

	for (size_t i = 0; i < n; i++)
		for (size_t j = 0; j < i; j++) {
			enum role a = block_role(i), b = block_role(j);

			if (!same(look_styled(
				      theme_look(&t, a, n_colours), CELL_BLOCK),
				look_styled(
				    theme_look(&t, b, n_colours), CELL_BLOCK)))
				continue;
			fprintf(stderr, "%s, %d colours: %s looks like %s\n",
			    theme_name(theme), n_colours, role_name(a),
			    role_name(b));
			alike++;
		}
	return alike;
}

/* Contexts differ from each other everywhere, the first ones without colours. With colours they differ from the
 * uses too; without, there are fewer looks than roles, and uses are told by their
 * glyph: a block of a context is a batch that runs. */
TEST(blocks_told_apart)
{
	size_t alike = 0;

	for (unsigned i = 0; theme_name(i) != NULL; i++)
		for (size_t d = 0; d < N_DEPTHS; d++)
			alike += count_blocks_alike(i, depths[d],
			    depths[d] >= 8 && strcmp(theme_name(i), "mono") != 0
				? N_BLOCKS
				: N_PLAIN);
	assert_int_equal(alike, 0);
	for (int use = 0; use < N_USES; use++)
		for (int other = 0; other < use; other++)
			for (int unicode = 0; unicode < 2; unicode++)
				assert_int_not_equal(
				    use_glyph((enum engine_use)use, unicode),
				    use_glyph((enum engine_use)other, unicode));
}

/* A filled cell is never reversed, text on it always; a title is not reversed
 * without colours, as the row below it may be. */
TEST(nothing_disappears)
{
	static const enum role titles[] = {
	    ROLE_TITLE, ROLE_TITLE_FOCUS, ROLE_SORTED};

	for (unsigned i = 0; theme_name(i) != NULL; i++)
		for (size_t d = 0; d < N_DEPTHS; d++)
			for (enum role r = 0; r < N_ROLES; r++) {
				struct theme t = theme_number(i);
				struct look l = theme_look(&t, r, depths[d]);

				assert_true(l.fg < 0 || l.fg != l.bg);
				assert_false(look_styled(l, CELL_BLOCK).attrs &
				    LOOK_REVERSE);
				assert_true(
				    look_styled(l, CELL_ON_BLOCK).attrs &
				    LOOK_REVERSE);
				assert_true(same(look_styled(l, CELL_TEXT), l));
			}
	for (size_t i = 0; i < sizeof(titles) / sizeof(*titles); i++) {
		struct theme t = {0};

		assert_false(theme_look(&t, titles[i], 0).attrs & LOOK_REVERSE);
	}
}

/* With 8 colours, yellow and white can't be read on white, nor dark blue on
 * black. */
TEST(legible_8_colours)
{
	for (unsigned i = 0; theme_name(i) != NULL; i++)
		for (enum role r = 0; r < N_ROLES; r++) {
			struct theme t = theme_number(i);
			struct look l = theme_look(&t, r, 8);

			if (l.bg >= 0)
				continue;
			if (strcmp(theme_name(i), "dark") == 0)
				assert_false(
				    l.fg == 4 && !(l.attrs & LOOK_BOLD));
			else
				assert_true(l.fg != 3 && l.fg != 7);
		}
}

/* Looks use only colours that the terminal has. */
TEST(colours_exist)
{
	for (unsigned i = 0; theme_name(i) != NULL; i++)
		for (size_t d = 0; d < N_DEPTHS; d++)
			for (enum role r = 0; r < N_ROLES; r++) {
				struct theme t = theme_number(i);
				struct look l = theme_look(&t, r, depths[d]);

				assert_true(l.fg < depths[d] || l.fg == -1);
				assert_true(l.bg < depths[d] || l.bg == -1);
			}
}

struct rgb {
	double r, g, b; /* linear, 0 to 1 */
};

static double
linear(int v)
{
	double u = v / 255.0;

	return u <= 0.04045 ? u / 12.92 : pow((u + 0.055) / 1.055, 2.4);
}

/* Colours of xterm's cube and greys. Colours below 16 differ between
 * terminals. */
static struct rgb
colour(int n)
{
	static const int steps[] = {0, 95, 135, 175, 215, 255};
	double v;

	assert_in_range(n, 16, 255);
	if (n >= 232) {
		v = linear(8 + 10 * (n - 232));
		return (struct rgb){v, v, v};
	}
	n -= 16;
	return (struct rgb){linear(steps[n / 36]), linear(steps[n / 6 % 6]),
	    linear(steps[n % 6])};
}

static double
luminance(struct rgb c)
{
	return 0.2126 * c.r + 0.7152 * c.g + 0.0722 * c.b;
}

/* Contrast as defined by WCAG. */
static double
contrast(double a, double b)
{
	return a > b ? (a + 0.05) / (b + 0.05) : (b + 0.05) / (a + 0.05);
}

static size_t
count_faint(const char *name, double on_black, double on_white)
{
	struct theme t = {0};
	size_t faint = 0;

	assert_true(theme_find(name, &t.base));
	for (enum role r = 0; r < N_ROLES; r++) {
		struct look l = theme_look(&t, r, 256);
		double fg, black, white;

		if (l.fg < 0)
			continue;
		fg = luminance(colour(l.fg));
		black = white = contrast(fg, 0);
		if (l.bg >= 0)
			black = white = contrast(fg, luminance(colour(l.bg)));
		else
			white = contrast(fg, 1);
		if (black >= on_black && white >= on_white)
			continue;
		fprintf(stderr,
		    "theme %s: %s has %.2f on black, %.2f on white\n", name,
		    role_name(r), black, white);
		faint++;
	}
	return faint;
}

TEST(contrast)
{
	assert_int_equal(count_faint("default", 3, 3), 0);
	assert_int_equal(count_faint("cbsafe", 3, 3), 0);
	assert_int_equal(count_faint("dark", 4.5, 0), 0);
	assert_int_equal(count_faint("light", 0, 4.5), 0);
}

/* Both red-green kinds of colour blindness, after Vienot, Brettel and Mollon
 * (1999): in linear RGB, red and green become one. */
static struct rgb
seen(struct rgb c, bool protan)
{
	static const double weights[2][2] = {
	    {0.29275, 0.70725}, {0.11238, 0.88762}};
	static const double blue[2] = {-0.02234, 0.00401};
	double yellow = weights[protan][0] * c.r + weights[protan][1] * c.g;

	return (struct rgb){yellow, yellow, blue[protan] * (c.r - c.g) + c.b};
}

/* Distance in CIELAB: below 10 colours look alike. */
static double
distance(struct rgb a, struct rgb b)
{
	static const double m[3][3] = {{0.4339, 0.3762, 0.1899},
	    {0.2126, 0.7152, 0.0722}, {0.0178, 0.1096, 0.8727}};
	double f[2][3], d = 0;
	const struct rgb *both[] = {&a, &b};

	for (int i = 0; i < 2; i++)
		for (int k = 0; k < 3; k++) {
			double v = m[k][0] * both[i]->r + m[k][1] * both[i]->g +
			    m[k][2] * both[i]->b;

			v = v < 0 ? 0 : v;
			f[i][k] = v > 0.008856 ? cbrt(v)
					       : 7.787 * v + 16 / 116.0;
		}
	d += pow(116 * (f[0][1] - f[1][1]), 2);
	d += pow(500 * (f[0][0] - f[0][1] - f[1][0] + f[1][1]), 2);
	d += pow(200 * (f[0][1] - f[0][2] - f[1][1] + f[1][2]), 2);
	return sqrt(d);
}

/* Colours of blocks are not only different but seen to be. */
TEST(blocks_far_apart)
{
	size_t near = 0;

	for (unsigned i = 0; theme_name(i) != NULL; i++)
		for (size_t a = 0; a < N_BLOCKS; a++)
			for (size_t b = 0; b < a; b++) {
				struct theme t = theme_number(i);
				int one = theme_look(&t, block_role(a), 256).fg;
				int other =
				    theme_look(&t, block_role(b), 256).fg;

				if (one < 0 || other < 0 ||
				    distance(colour(one), colour(other)) >= 30)
					continue;
				fprintf(stderr, "%s: %s is near %s\n",
				    theme_name(i), role_name(block_role(a)),
				    role_name(block_role(b)));
				near++;
			}
	assert_int_equal(near, 0);
}

TEST(colour_blind)
{
	static const enum role apart[][2] = {
	    {ROLE_RUNNING, ROLE_BLOCKED},
	    {ROLE_GOOD, ROLE_WARN},
	    {ROLE_GOOD, ROLE_BAD},
	};
	struct theme t = {0};
	struct rgb red = colour(160), green = colour(28);

	/* Red and green are far apart for one eye and alike for the other. */
	assert_true(distance(red, green) > 100);
	assert_true(distance(seen(red, false), seen(green, false)) < 30);
	assert_true(theme_find("cbsafe", &t.base));
	for (size_t i = 0; i < sizeof(apart) / sizeof(*apart); i++) {
		struct rgb a = colour(theme_look(&t, apart[i][0], 256).fg);
		struct rgb b = colour(theme_look(&t, apart[i][1], 256).fg);

		assert_true(distance(a, b) > 60);
		assert_true(distance(seen(a, false), seen(b, false)) > 60);
		assert_true(distance(seen(a, true), seen(b, true)) > 60);
	}
	/* Warnings and errors are both warm colours, so errors are reversed: */
	assert_true(theme_look(&t, ROLE_BAD, 256).attrs & LOOK_REVERSE);
	assert_false(theme_look(&t, ROLE_WARN, 256).attrs & LOOK_REVERSE);
}

TEST(own_looks)
{
	struct theme t = {0};
	struct look l;

	t.own[ROLE_RUNNING] = true;
	t.looks[ROLE_RUNNING] = (struct look){208, -1, LOOK_BOLD};
	l = theme_look(&t, ROLE_RUNNING, 256);
	assert_int_equal(l.fg, 208);
	/* Without the colour, the theme's look is used. */
	assert_int_equal(theme_look(&t, ROLE_RUNNING, 8).fg, 2);
	/* Without colours there are none. */
	assert_int_equal(theme_look(&t, ROLE_RUNNING, 0).fg, -1);
	/* A theme without colours can be given some. */
	assert_true(theme_find("mono", &t.base));
	assert_int_equal(theme_look(&t, ROLE_RUNNING, 256).fg, 208);
	assert_int_equal(theme_look(&t, ROLE_BLOCKED, 256).fg, -1);
	assert_false(theme_find("monochrome", &t.base));
}

TEST(names)
{
	for (enum role r = 0; r < N_ROLES; r++) {
		assert_non_null(role_name(r));
		assert_int_equal(role_find(role_name(r)), r);
	}
	assert_int_equal(role_find("nothing"), N_ROLES);
	for (unsigned i = 0, n; theme_name(i) != NULL; i++) {
		assert_true(theme_find(theme_name(i), &n));
		assert_int_equal(n, i);
	}
}

TEST(look_parse)
{
	static const struct {
		const char *text;
		struct look look;
	} good[] = {
	    {"", {-1, -1, 0}},
	    {"red", {1, -1, 0}},
	    {"  grey  blue ", {8, 4, 0}},
	    {"231 24 bold", {231, 24, LOOK_BOLD}},
	    {"- 24", {-1, 24, 0}},
	    {"default default reverse dim", {-1, -1, LOOK_REVERSE | LOOK_DIM}},
	    {"underline", {-1, -1, LOOK_UNDERLINE}},
	};
	static const char *const bad[] = {"256", "pink", "1 2 3", "bold red",
	    "-1", "1x", "red bold\033[31m", "99999999999999999999"};
	struct text err = {0};
	struct look l;

	for (size_t i = 0; i < sizeof(good) / sizeof(*good); i++) {
		assert_true(look_parse(good[i].text, &l, &err));
		assert_true(same(l, good[i].look));
	}
	assert_int_equal(err.len, 0);
	for (size_t i = 0; i < sizeof(bad) / sizeof(*bad); i++) {
		text_clear(&err);
		assert_false(look_parse(bad[i], &l, &err));
		assert_non_null(strstr(text_str(&err), "bold dim underline"));
		assert_null(strchr(text_str(&err), '\033'));
	}
	text_free(&err);
}
