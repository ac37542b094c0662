/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Completions at a prompt. readline asks for the completions of a word, one
 * after the other, and hands over the list when there are several. The list is
 * shown as choices, of which Tab and S-Tab put one after the other into the
 * line. A prompt with an `offer` of its own gives rows with meanings; its list
 * follows the word while that is typed.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "base/mem.h"
#include "base/text.h"
#include "tui/input/prompt_private.h"

/* Several completions of a word. */
struct choices {
	struct text rows;  /* as shown, a newline after each */
	struct text words; /* as put into the line, a zero after each; empty:
			      they are only shown */
	size_t n, chosen;  /* chosen == n: none yet */
	int begin, end;    /* bytes of the word in readline's line */
};

/* readline's hooks take no argument. */
static struct {
	const struct prompt_kind *kind;
	const void *arg; /* of kind->offer */
	size_t argument; /* number of the word that is completed */
	int word;        /* byte where it begins */
	struct text offers;
	const char *next_offer;
	struct choices choices;
} completion;

void
completions_clear(void)
{
	struct choices *c = &completion.choices;

	text_clear(&c->rows);
	text_clear(&c->words);
	c->n = c->chosen = 0;
}

/* Length of the folder that all names share, which is not shown. */
static size_t
common_folder(const char *common)
{
	const char *slash = strrchr(common, '/');

	return slash != NULL ? (size_t)(slash - common) + 1 : 0;
}

/* Adds what a completion is for, if the kind of prompt knows. */
static void
add_meaning(struct text *row, const char *match)
{
	const struct prompt_kind *kind = completion.kind;
	const char *meaning = kind->meaning != NULL
	    ? kind->meaning(rl_line_buffer, match, completion.argument)
	    : NULL;

	if (meaning != NULL)
		text_addf(row, "\t%s", meaning);
}

/* Shows n matches as readline has them: matches[0] is their common beginning,
 * the matches follow. The word begins at byte begin and ends at the cursor. */
static void
set_choices(char **matches, size_t n, int begin)
{
	struct choices *c = &completion.choices;
	size_t skip = common_folder(matches[0]);

	completions_clear();
	for (size_t i = 1; i <= n; i++) {
		const char *name = matches[i] + skip;

		text_add_visible(&c->rows, name, strlen(name));
		add_meaning(&c->rows, matches[i]);
		text_addc(&c->rows, '\n');
		text_add(&c->words, matches[i], strlen(matches[i]) + 1);
	}
	c->n = c->chosen = n;
	c->begin = begin;
	c->end = begin + (int)strlen(matches[0]);
}

static const char *
choice_at(const struct choices *c, size_t i)
{
	const char *s = text_str(&c->words);

	while (i-- > 0)
		s += strlen(s) + 1;
	return s;
}

/* Puts the next choice (by 1) or the previous one (-1) into the line. False:
 * there is none. */
static bool
take_choice(struct choices *c, int by)
{
	if (c->words.len == 0 || c->end > rl_end)
		return false;
	if (c->chosen == c->n)
		c->chosen = by > 0 ? 0 : c->n - 1;
	else
		c->chosen = (c->chosen + (by > 0 ? 1 : c->n - 1)) % c->n;
	rl_begin_undo_group();
	rl_delete_text(c->begin, c->end);
	rl_point = c->begin;
	rl_insert_text(choice_at(c, c->chosen));
	rl_end_undo_group();
	c->end = rl_point;
	return true;
}

/* True if the choice in the line is a folder: it ends with a slash already. */
static bool
chose_folder(const struct choices *c)
{
	return c->words.len > 0 && c->chosen < c->n &&
	    rl_line_buffer[c->end - 1] == '/';
}

bool
completions_feed(const struct key_press *key)
{
	struct choices *c = &completion.choices;

	if (key->code == KEY_TAB || key->code == KEY_BACK_TAB)
		return take_choice(c, key->code == KEY_TAB ? 1 : -1);
	if (key->len != 1 || key->bytes[0] != '/' || !chose_folder(c))
		return false;
	completions_clear(); /* the slash goes on in that folder */
	return true;
}

/* Number of words before the byte where one begins. */
static size_t
words_before(int start)
{
	const char *breaks = rl_completer_word_break_characters;
	size_t n = 0;

	for (int i = 0; i < start; i++)
		if (strchr(breaks, rl_line_buffer[i]) == NULL &&
		    (i + 1 == start ||
			strchr(breaks, rl_line_buffer[i + 1]) != NULL))
			n++;
	return n;
}

/* Returns the next completion of the kind; readline frees it. */
static char *
next_completion(const char *word, int again)
{
	static unsigned i;
	const char *s;

	if (!again)
		i = 0;
	if (completion.kind->complete == NULL)
		return NULL;
	s = completion.kind->complete(
	    rl_line_buffer, word, completion.argument, i++);
	return s != NULL ? mem_strdup(s) : NULL;
}

/* Returns the word of the next row that was offered; readline frees it. */
static char *
next_offer(const char *word, int again)
{
	const char *row = again ? completion.next_offer
				: text_str(&completion.offers);
	char *copy;

	(void)word;
	if (*row == 0)
		return NULL;
	copy = mem_strdup(row);
	copy[strcspn(copy, "\t\n")] = 0;
	completion.next_offer = row + strcspn(row, "\n") + 1;
	return copy;
}

static char **
complete_offered(const char *word, int start)
{
	const struct prompt_kind *kind = completion.kind;

	text_clear(&completion.offers);
	completion.word = start;
	rl_completion_append_character = kind->offer(completion.arg,
	    rl_line_buffer, (size_t)start, word, &completion.offers);
	rl_attempted_completion_over = 1;
	rl_sort_completion_matches = 0;
	return rl_completion_matches(word, next_offer);
}

static bool
ends_with_slash(const char *s)
{
	size_t len = strlen(s);

	return len > 0 && s[len - 1] == '/';
}

static char **
complete_word_at(const char *word, int start, int end)
{
	const struct prompt_kind *kind = completion.kind;
	char **matches;

	(void)end;
	rl_sort_completion_matches = 1;
	if (kind->offer != NULL)
		return complete_offered(word, start);
	completion.word = start;
	completion.argument = words_before(start);
	rl_attempted_completion_over = kind->is_file == NULL ||
	    !kind->is_file(rl_line_buffer, completion.argument);
	matches = rl_completion_matches(word, next_completion);
	/* No blank after a folder: its files follow. */
	if (matches != NULL && matches[1] == NULL && ends_with_slash(*matches))
		rl_completion_suppress_append = 1;
	return matches;
}

/* Shows the rows that were offered for the word from byte begin to the
 * cursor. */
static void
set_offers(int begin)
{
	struct choices *c = &completion.choices;
	const char *row = text_str(&completion.offers);

	completions_clear();
	text_adds(&c->rows, row);
	for (; *row != 0; row += strcspn(row, "\n") + 1) {
		text_add(&c->words, row, strcspn(row, "\t\n"));
		text_add(&c->words, "", 1);
		c->n++;
	}
	c->chosen = c->n;
	c->begin = begin;
	c->end = rl_point;
}

static void
show_choices(char **matches, int n, int longest)
{
	(void)longest;
	if (completion.kind->offer == NULL)
		set_choices(matches, (size_t)n, completion.word);
	else
		set_offers(completion.word);
}

int
completions_shown(void)
{
	const struct choices *c = &completion.choices;

	return completion.kind->offer != NULL && c->rows.len > 0 ? c->begin
								 : -1;
}

/* Returns where the word at the cursor begins. */
static int
word_begin(void)
{
	int at = rl_point;

	while (at > 0 &&
	    strchr(rl_completer_word_break_characters,
		rl_line_buffer[at - 1]) == NULL)
		at--;
	return at;
}

void
completions_follow(int begin)
{
	const struct prompt_kind *kind = completion.kind;
	struct text word = {0};

	if (begin < 0 || completion.choices.rows.len > 0 ||
	    word_begin() != begin)
		return;
	text_add(&word, rl_line_buffer + begin, (size_t)(rl_point - begin));
	text_clear(&completion.offers);
	kind->offer(completion.arg, rl_line_buffer, (size_t)begin,
	    text_str(&word), &completion.offers);
	set_offers(begin);
	if (completion.choices.n == 1) /* Tab completes it */
		text_clear(&completion.choices.words);
	text_free(&word);
}

/* A blank after a backslash is part of the word. */
static int
is_quoted(char *line, int at)
{
	int n = 0;

	while (at > n && line[at - 1 - n] == '\\')
		n++;
	return n % 2;
}

void
completions_install(void)
{
	rl_attempted_completion_function = complete_word_at;
	rl_completion_display_matches_hook = show_choices;
	rl_completion_query_items = -1;
	/* It looks for backslashes only beside quotes: no one types this. */
	rl_completer_quote_characters = "\001";
	rl_char_is_quoted_p = is_quoted;
}

void
completions_begin(const struct prompt_kind *kind, const void *arg)
{
	completion.kind = kind;
	completion.arg = arg;
	completions_clear();
}

void
completions_look(struct ui_prompt *prompt)
{
	const struct choices *c = &completion.choices;

	prompt->choices = c->rows.len > 0 ? text_str(&c->rows) : NULL;
	prompt->chosen = c->words.len > 0 ? c->chosen : SIZE_MAX;
}

void
completions_free(void)
{
	text_free(&completion.choices.rows);
	text_free(&completion.choices.words);
	text_free(&completion.offers);
}
