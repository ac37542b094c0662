/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Roles and themes as tables: the default look of each role, what the other
 * themes change, and looks as users write them: "red", "231 24 bold", "-
 * yellow".
 */
#include "tui/screen/theme.h"

#include <string.h>

#include "base/text.h"

#define B LOOK_BOLD
#define D LOOK_DIM
#define U LOOK_UNDERLINE
#define R LOOK_REVERSE

enum { RED = 1, GREEN, YELLOW, BLUE, MAGENTA, CYAN, WHITE, GREY };

/*
 * The looks of the theme default. With 256 colours they have medium brightness:
 * a contrast of 3:1 or more on white and on black. With 8 colours yellow and
 * white are not used, which are illegible on white. Without colours only what
 * has the focus, selected rows and alarms are reversed, so that a title does not
 * run into the selected row below it.
 */
static const struct {
	const char *name;
	struct look mono, c8, c16, c256;
} role_looks[N_ROLES] = {
    /* clang-format off */
    [ROLE_NORMAL] =          {"normal",          {-1, -1, 0}, {-1, -1, 0}, {-1, -1, 0}, {-1, -1, 0}},
    [ROLE_DIM] =             {"dim",             {-1, -1, D}, {-1, -1, D}, {GREY, -1, 0}, {244, -1, 0}},
    [ROLE_STRONG] =          {"strong",          {-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_LABEL] =           {"label",           {-1, -1, 0}, {CYAN, -1, 0}, {CYAN, -1, 0}, {31, -1, 0}},
    [ROLE_TITLE] =           {"title",           {-1, -1, U}, {-1, -1, U}, {-1, -1, U}, {-1, -1, U}},
    [ROLE_TITLE_FOCUS] =     {"title-focus",     {-1, -1, U | B}, {0, CYAN, 0}, {0, CYAN, 0}, {231, 24, 0}},
    [ROLE_SORTED] =          {"sorted",          {-1, -1, B}, {0, GREEN, 0}, {0, GREEN, 0}, {231, 28, B}},
    [ROLE_SELECTED] =        {"selected",        {-1, -1, U | B}, {-1, -1, U | B}, {-1, -1, U | B}, {-1, -1, U | B}},
    [ROLE_SELECTED_FOCUS] =  {"selected-focus",  {-1, -1, R}, {-1, -1, R}, {-1, -1, R}, {-1, -1, R}},
    [ROLE_GOOD] =            {"good",            {-1, -1, B}, {GREEN, -1, B}, {GREEN, -1, B}, {28, -1, B}},
    [ROLE_WARN] =            {"warn",            {-1, -1, U}, {MAGENTA, -1, B}, {MAGENTA, -1, B}, {166, -1, B}},
    [ROLE_BAD] =             {"bad",             {-1, -1, B | R}, {RED, -1, B}, {RED, -1, B}, {160, -1, B}},
    [ROLE_RUNNING] =         {"running",         {-1, -1, B}, {GREEN, -1, 0}, {GREEN, -1, 0}, {28, -1, 0}},
    [ROLE_SWITCHING] =       {"switching",       {-1, -1, U | B}, {CYAN, -1, B}, {CYAN, -1, B}, {31, -1, 0}},
    [ROLE_POLLING] =         {"polling",         {-1, -1, U}, {MAGENTA, -1, 0}, {MAGENTA, -1, 0}, {130, -1, 0}},
    [ROLE_BLOCKED] =         {"blocked",         {-1, -1, D}, {RED, -1, 0}, {RED, -1, 0}, {162, -1, 0}},
    [ROLE_BRACKET] =         {"bracket",         {-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_HISTORY] =         {"history",         {-1, -1, 0}, {GREEN, -1, 0}, {GREEN, -1, 0}, {28, -1, 0}},
    [ROLE_COMMENT] =         {"comment",         {-1, -1, D}, {CYAN, -1, 0}, {CYAN, -1, 0}, {30, -1, 0}},
    [ROLE_ANNOTATION] =      {"annotation",      {-1, -1, D}, {MAGENTA, -1, 0}, {MAGENTA, -1, 0}, {97, -1, 0}},
    [ROLE_RELATED] =         {"related",         {-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_TAGGED] =          {"tagged",          {-1, -1, U | B}, {MAGENTA, -1, B}, {MAGENTA, -1, B}, {133, -1, B}},
    [ROLE_MATCH] =           {"match",           {-1, -1, R | U}, {0, MAGENTA, 0}, {0, MAGENTA, 0}, {231, 90, 0}},
    [ROLE_KEY] =             {"key",             {-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_KEY_LABEL] =       {"key-label",       {-1, -1, R}, {0, CYAN, 0}, {0, CYAN, 0}, {231, 24, 0}},
    [ROLE_PROMPT] =          {"prompt",          {-1, -1, B}, {-1, -1, B}, {-1, -1, B}, {-1, -1, B}},
    [ROLE_CONTEXT_0] =       {"context-0",       {-1, -1, 0}, {BLUE, -1, 0}, {BLUE, -1, 0}, {93, -1, 0}},
    [ROLE_CONTEXT_1] =       {"context-1",       {-1, -1, U}, {CYAN, -1, 0}, {CYAN, -1, 0}, {33, -1, 0}},
    [ROLE_CONTEXT_2] =       {"context-2",       {-1, -1, B}, {-1, -1, 0}, {-1, -1, 0}, {100, -1, 0}},
    [ROLE_CONTEXT_3] =       {"context-3",       {-1, -1, D}, {BLUE, -1, B}, {BLUE, -1, B}, {29, -1, 0}},
    [ROLE_CONTEXT_4] =       {"context-4",       {-1, -1, U | B}, {-1, -1, B}, {-1, -1, B}, {167, -1, 0}},
    [ROLE_CONTEXT_5] =       {"context-5",       {-1, -1, U | D}, {CYAN, -1, U}, {CYAN, -1, U}, {201, -1, 0}},
    [ROLE_CONTEXT_6] =       {"context-6",       {-1, -1, B | D}, {BLUE, -1, U}, {BLUE, -1, U}, {133, -1, 0}},
    [ROLE_CONTEXT_7] =       {"context-7",       {-1, -1, U | B | D}, {-1, -1, U}, {-1, -1, U}, {137, -1, 0}},
    [ROLE_CONTEXT_8] =       {"context-8",       {-1, -1, 0}, {CYAN, -1, U | B}, {CYAN, -1, U | B}, {197, -1, 0}},
    [ROLE_CONTEXT_9] =       {"context-9",       {-1, -1, U}, {BLUE, -1, U | B}, {BLUE, -1, U | B}, {63, -1, 0}},
    [ROLE_CONTEXT_10] =      {"context-10",      {-1, -1, B}, {-1, -1, U | B}, {-1, -1, U | B}, {59, -1, 0}},
    [ROLE_CONTEXT_11] =      {"context-11",      {-1, -1, D}, {MAGENTA, -1, U}, {MAGENTA, -1, U}, {127, -1, 0}},
    /* clang-format on */
};

/* A role's look in another theme. */
struct theme_change {
	enum role role;
	struct look few, many; /* with 8 or 16 colours; with 256 */
};

/*
 * After the palette of Okabe and Ito: blue for good, orange for bad, in the
 * nearest medium tones. Bad is also reversed.
 */
static const struct theme_change cbsafe[] = {
    /* clang-format off */
    {ROLE_LABEL,      {-1, -1, 0},      {66, -1, 0}},
    {ROLE_SORTED,     {0, BLUE, B},     {231, 25, B}},
    {ROLE_GOOD,       {CYAN, -1, B},    {32, -1, B}},
    {ROLE_WARN,       {MAGENTA, -1, B}, {136, -1, B}},
    {ROLE_BAD,        {RED, -1, B | R}, {166, -1, B | R}},
    {ROLE_RUNNING,    {CYAN, -1, 0},    {32, -1, 0}},
    {ROLE_SWITCHING,  {BLUE, -1, B},    {93, -1, 0}},
    {ROLE_POLLING,    {MAGENTA, -1, 0}, {136, -1, 0}},
    {ROLE_BLOCKED,    {RED, -1, 0},     {167, -1, 0}},
    {ROLE_HISTORY,    {CYAN, -1, 0},    {32, -1, 0}},
    {ROLE_COMMENT,    {CYAN, -1, 0},    {66, -1, 0}},
    {ROLE_ANNOTATION, {MAGENTA, -1, 0}, {132, -1, 0}},
    {ROLE_CONTEXT_0, {BLUE, -1, U}, {29, -1, 0}},
    {ROLE_CONTEXT_1, {-1, -1, 0}, {199, -1, 0}},
    {ROLE_CONTEXT_2, {BLUE, -1, 0}, {59, -1, 0}},
    {ROLE_CONTEXT_3, {-1, -1, B}, {28, -1, 0}},
    {ROLE_CONTEXT_4, {BLUE, -1, U | B}, {201, -1, 0}},
    {ROLE_CONTEXT_5, {-1, -1, U}, {196, -1, 0}},
    {ROLE_CONTEXT_6, {CYAN, -1, U}, {135, -1, 0}},
    {ROLE_CONTEXT_7, {-1, -1, U | B}, {197, -1, 0}},
    {ROLE_CONTEXT_8, {CYAN, -1, B}, {137, -1, 0}},
    {ROLE_CONTEXT_9, {CYAN, -1, U | B}, {139, -1, 0}},
    {ROLE_CONTEXT_10, {MAGENTA, -1, U}, {26, -1, 0}},
    {ROLE_CONTEXT_11, {MAGENTA, -1, U | B}, {169, -1, 0}},
    {.role = N_ROLES},
    /* clang-format on */
};

/* Bright colours: 4.5:1 or more on black. */
static const struct theme_change dark[] = {
    /* clang-format off */
    {ROLE_DIM,         {-1, -1, D},      {246, -1, 0}},
    {ROLE_LABEL,       {CYAN, -1, 0},    {80, -1, 0}},
    {ROLE_TITLE_FOCUS, {0, CYAN, 0},     {16, 80, 0}},
    {ROLE_SORTED,      {0, GREEN, 0},    {16, 77, B}},
    {ROLE_GOOD,        {GREEN, -1, B},   {77, -1, B}},
    {ROLE_WARN,        {YELLOW, -1, B},  {214, -1, B}},
    {ROLE_BAD,         {RED, -1, B},     {203, -1, B}},
    {ROLE_RUNNING,     {GREEN, -1, 0},   {77, -1, 0}},
    {ROLE_SWITCHING,   {CYAN, -1, B},    {51, -1, 0}},
    {ROLE_POLLING,     {YELLOW, -1, 0},  {220, -1, 0}},
    {ROLE_BLOCKED,     {RED, -1, 0},     {205, -1, 0}},
    {ROLE_HISTORY,     {GREEN, -1, 0},   {77, -1, 0}},
    {ROLE_COMMENT,     {CYAN, -1, 0},    {73, -1, 0}},
    {ROLE_ANNOTATION,  {MAGENTA, -1, 0}, {141, -1, 0}},
    {ROLE_KEY_LABEL,   {0, CYAN, 0},     {16, 80, 0}},
    {ROLE_TAGGED,      {MAGENTA, -1, B}, {213, -1, B}},
    {ROLE_CONTEXT_0, {BLUE, -1, B}, {63, -1, 0}},
    {ROLE_CONTEXT_1, {CYAN, -1, 0}, {243, -1, 0}},
    {ROLE_CONTEXT_2, {-1, -1, 0}, {39, -1, 0}},
    {ROLE_CONTEXT_3, {MAGENTA, -1, 0}, {164, -1, 0}},
    {ROLE_CONTEXT_4, {WHITE, -1, B}, {208, -1, 0}},
    {ROLE_CONTEXT_5, {CYAN, -1, U}, {46, -1, 0}},
    {ROLE_CONTEXT_6, {BLUE, -1, U | B}, {100, -1, 0}},
    {ROLE_CONTEXT_7, {-1, -1, U}, {29, -1, 0}},
    {ROLE_CONTEXT_8, {MAGENTA, -1, B}, {183, -1, 0}},
    {ROLE_CONTEXT_9, {CYAN, -1, U | B}, {217, -1, 0}},
    {ROLE_CONTEXT_10, {-1, -1, U | B}, {196, -1, 0}},
    {ROLE_CONTEXT_11, {MAGENTA, -1, U}, {222, -1, 0}},
    {.role = N_ROLES},
    /* clang-format on */
};

/* Dark colours: 4.5:1 or more on white. */
static const struct theme_change light[] = {
    /* clang-format off */
    {ROLE_DIM,        {-1, -1, D},      {242, -1, 0}},
    {ROLE_LABEL,      {BLUE, -1, 0},    {24, -1, 0}},
    {ROLE_GOOD,       {GREEN, -1, B},   {28, -1, B}},
    {ROLE_WARN,       {MAGENTA, -1, B}, {130, -1, B}},
    {ROLE_BAD,        {RED, -1, B},     {124, -1, B}},
    {ROLE_RUNNING,    {GREEN, -1, 0},   {28, -1, 0}},
    {ROLE_SWITCHING,  {CYAN, -1, B},    {25, -1, 0}},
    {ROLE_POLLING,    {MAGENTA, -1, 0}, {94, -1, 0}},
    {ROLE_BLOCKED,    {RED, -1, 0},     {125, -1, 0}},
    {ROLE_HISTORY,    {GREEN, -1, 0},   {28, -1, 0}},
    {ROLE_COMMENT,    {BLUE, -1, 0},    {23, -1, 0}},
    {ROLE_ANNOTATION, {MAGENTA, -1, 0}, {91, -1, 0}},
    {ROLE_TAGGED,     {MAGENTA, -1, B}, {127, -1, B}},
    {ROLE_CONTEXT_0, {BLUE, -1, 0}, {21, -1, 0}},
    {ROLE_CONTEXT_1, {CYAN, -1, 0}, {234, -1, 0}},
    {ROLE_CONTEXT_2, {-1, -1, 0}, {18, -1, 0}},
    {ROLE_CONTEXT_3, {BLUE, -1, B}, {29, -1, 0}},
    {ROLE_CONTEXT_4, {-1, -1, B}, {131, -1, 0}},
    {ROLE_CONTEXT_5, {CYAN, -1, U}, {27, -1, 0}},
    {ROLE_CONTEXT_6, {BLUE, -1, U}, {163, -1, 0}},
    {ROLE_CONTEXT_7, {-1, -1, U}, {53, -1, 0}},
    {ROLE_CONTEXT_8, {CYAN, -1, U | B}, {52, -1, 0}},
    {ROLE_CONTEXT_9, {BLUE, -1, U | B}, {92, -1, 0}},
    {ROLE_CONTEXT_10, {-1, -1, U | B}, {96, -1, 0}},
    {ROLE_CONTEXT_11, {MAGENTA, -1, U}, {23, -1, 0}},
    {.role = N_ROLES},
    /* clang-format on */
};

static const struct {
	const char *name, *help;
	/* from the theme default; NULL: none */
	const struct theme_change *changes;
	bool mono;
} themes[] = {
    {"default", "for dark and light terminals", NULL, false},
    {"mono", "no colours, only bold, underlined and reversed", NULL, true},
    {"cbsafe", "blue and orange: safe for colour-blind eyes", cbsafe, false},
    {"dark", "brighter, for dark terminals", dark, false},
    {"light", "deeper, for light terminals", light, false},
};
#define N_THEMES (sizeof(themes) / sizeof(*themes))

static struct look
default_look(enum role role, int n_colours)
{
	if (n_colours >= 256)
		return role_looks[role].c256;
	if (n_colours >= 16)
		return role_looks[role].c16;
	if (n_colours >= 8)
		return role_looks[role].c8;
	return role_looks[role].mono;
}

static bool
has_colours(const struct look *look, int n_colours)
{
	return look->fg < n_colours && look->bg < n_colours;
}

enum role
theme_stack_role(enum role lower, enum role upper)
{
	return (enum role)(
	    N_ROLES + (lower - ROLE_RUNNING) * 4 + (upper - ROLE_RUNNING));
}

static struct look
stacked_look(const struct theme *t, unsigned pair, int n_colours)
{
	struct look look = theme_look(
	    t, (enum role)(ROLE_RUNNING + pair / 4), n_colours);

	look.bg =
	    theme_look(t, (enum role)(ROLE_RUNNING + pair % 4), n_colours).fg;
	return look;
}

struct look
theme_look(const struct theme *t, enum role role, int n_colours)
{
	const struct theme_change *c = themes[t->base].changes;

	if (role >= N_ROLES)
		return stacked_look(t, role - N_ROLES, n_colours);
	if (n_colours < 8)
		return role_looks[role].mono;
	if (t->own[role] && has_colours(&t->looks[role], n_colours))
		return t->looks[role];
	if (themes[t->base].mono)
		return role_looks[role].mono;
	for (; c != NULL && c->role != N_ROLES; c++)
		if (c->role == role)
			return n_colours >= 256 ? c->many : c->few;
	return default_look(role, n_colours);
}

struct look
look_styled(struct look look, enum cell_style style)
{
	if (style == CELL_BLOCK)
		look.attrs &= (uint8_t)~R;
	else if (style == CELL_ON_BLOCK)
		look.attrs |= R;
	return look;
}

enum role
theme_context_role(unsigned colour)
{
	return (enum role)(ROLE_CONTEXT_0 + colour);
}

const char *
theme_name(unsigned i)
{
	return i < N_THEMES ? themes[i].name : NULL;
}

const char *
theme_help(unsigned i)
{
	return i < N_THEMES ? themes[i].help : NULL;
}

bool
theme_find(const char *name, unsigned *number)
{
	for (unsigned i = 0; i < N_THEMES; i++)
		if (strcmp(themes[i].name, name) == 0) {
			*number = i;
			return true;
		}
	return false;
}

const char *
role_name(enum role role)
{
	return role_looks[role].name;
}

enum role
role_find(const char *name)
{
	enum role r = 0;

	while (r < N_ROLES && strcmp(role_looks[r].name, name) != 0)
		r++;
	return r;
}

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
is_look_word(const char *name, const char *s, size_t len)
{
	return strlen(name) == len && strncmp(name, s, len) == 0;
}

static bool
find_colour(const char *s, size_t len, int16_t *colour)
{
	int n = 0;

	for (size_t i = 0; i < sizeof(colours) / sizeof(*colours); i++)
		if (is_look_word(colours[i].name, s, len)) {
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
		if (is_look_word(attributes[i].name, s, len)) {
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
		text_adds(err, "invalid colour or attribute '");
		text_add_visible(err, s, len);
		text_adds(err,
		    "': expected a foreground, a background (default black red "
		    "green yellow blue magenta cyan white grey, or 0 to 255), "
		    "then any of bold dim underline reverse");
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
