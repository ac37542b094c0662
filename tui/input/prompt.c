/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The prompt, on top of readline: feeds it keys and pastes, and keeps it from
 * what it must not do here, since the screen is not its own: set up the
 * terminal, write, export LINES, ask, ring. readline's callbacks take no
 * argument, so the state is static.
 */
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <readline/readline.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/utf8.h"
#include "tui/input/keys.h"
#include "tui/input/prompt.h"
#include "tui/input/prompt_private.h"

#define SEARCH_END ('J' & 0x1f)
/* Bytes that may be added to a line. A count before a character could repeat it a
 * million times, and completion takes the square of the length. */
#define MAX_TYPED 4096

static struct {
	bool initialised, open;
	const struct prompt_kind *kind;
	struct pasted pasted;
	bool marked;    /* the next character replaces the text */
	bool quoting;   /* readline inserts the next key as it is */
	bool done;      /* readline has ended the line */
	char *line;     /* the line it ended; NULL: end of input */
	int first_len;  /* bytes of the text at the beginning */
	char bytes[16]; /* for readline to take: one key, or one character */
	size_t taken, len;
	FILE *nowhere;
} state;

static int
has_byte(void)
{
	return state.taken < state.len || macros_have_byte();
}

static int
take_byte(FILE *f)
{
	(void)f;
	if (macros_have_byte())
		return macros_take_byte();
	return has_byte() ? (unsigned char)state.bytes[state.taken++] : EOF;
}

static void
draw_nothing(void)
{
}

static void
on_line(char *line)
{
	state.done = true;
	state.line = line;
	rl_callback_handler_remove();
}

/* Returns the number of problems in the inputrc. */
static unsigned
initialise(struct text *problems)
{
	unsigned n_problems;

	if (state.initialised)
		return 0;
	state.initialised = true;
	state.nowhere = fopen("/dev/null", "r+");
	rl_readline_name = "gpuwl-top";
	rl_catch_signals = 0;
	rl_catch_sigwinch = 0;
	rl_change_environment = 0;
	rl_prep_term_function = NULL;
	rl_deprep_term_function = NULL;
	rl_instream = rl_outstream = state.nowhere;
	rl_getc_function = take_byte;
	rl_input_available_hook = has_byte;
	rl_redisplay_function = draw_nothing;
	completions_install();
	inputrc_initialize_without();
	n_problems = inputrc_read(problems);
	vi_fixes_install();
	if (macros_install() > 0) {
		text_adds(problems,
		    "do-lowercase-version on a key other than A to Z\n");
		n_problems++;
	}
	/* It would take its next line from another history. */
	rl_unbind_function_in_map(
	    rl_operate_and_get_next, emacs_standard_keymap);
	rl_variable_bind("bell-style", "none"); /* it rings on stderr */
	rl_variable_bind("isearch-terminators", "\033\012");
	rl_variable_bind("show-all-if-ambiguous", "on");
	rl_variable_bind("enable-bracketed-paste", "off");
	return n_problems;
}

unsigned
prompt_prepare(struct text *problems)
{
	return initialise(problems);
}

/* Inserts the text that a line begins with, as if typed. */
static void
insert_text(const char *s)
{
	if (*s == 0)
		return;
	rl_insert_text(s);
	rl_point = rl_end;
}

void
prompt_open(const struct prompt_kind *kind, const char *text, bool persistent,
    const void *arg)
{
	struct text unseen = {0};

	initialise(&unseen);
	text_free(&unseen);
	prompt_cancel();
	state.kind = kind;
	histories_show(kind->history, persistent);
	state.open = true;
	state.done = state.quoting = false;
	state.taken = state.len = 0;
	completions_begin(kind, arg);
	rl_completer_word_break_characters = kind->breaks != NULL ? kind->breaks
								  : " \t";
	rl_callback_handler_install(kind->prompt, on_line);
	insert_text(text);
	state.first_len = rl_end;
	state.marked = kind->replaces && *text != 0;
}

/* Closes the line, accepted or not. Ends searches and counts, which readline would
 * continue in the next line, and forgets the line that was put aside for one of
 * the history. */
static void
close_prompt(void)
{
	RL_SETSTATE(RL_STATE_CALLBACK); /* else the cleanup does nothing */
	rl_callback_sigcleanup();
	rl_callback_handler_remove();
	rl_maybe_unsave_line();
	rl_replace_line("", 1);
	rl_point = rl_end = 0;
	histories_hide();
	state.open = false;
}

bool
prompt_is_open(void)
{
	return state.open;
}

static void
cut_line(void)
{
	int longest = state.first_len + MAX_TYPED;

	if (rl_end <= longest)
		return;
	longest = (int)utf8_whole(rl_line_buffer, (size_t)longest);
	rl_delete_text(longest, rl_end);
	if (rl_point > rl_end)
		rl_point = rl_end;
}

/* Passes the pending bytes to readline, until it ends the line. */
static void
feed_all(void)
{
	while (has_byte() && !state.done) {
		rl_callback_read_char();
		histories_tidy();
		if (!state.done)
			cut_line();
	}
	state.taken = state.len = 0;
	macros_end();
}

void
prompt_cancel(void)
{
	if (!state.open)
		return;
	/* A search or a count keeps the prompt for later: abort it first. */
	if (RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH |
		RL_STATE_NUMERICARG | RL_STATE_MULTIKEY)) {
		state.bytes[0] = 'G' & 0x1f;
		state.taken = 0;
		state.len = 1;
		feed_all();
	}
	rl_free_undo_list();
	rl_free_line_state();
	close_prompt();
}

/* In vi's insert mode Esc enters command mode; there, and elsewhere, it
 * cancels. */
static enum prompt_result
feed_escape(void)
{
	if (rl_editing_mode == 0 && rl_get_keymap() == vi_insertion_keymap &&
	    !RL_ISSTATE(
		RL_STATE_ISEARCH | RL_STATE_NSEARCH | RL_STATE_MULTIKEY)) {
		rl_vi_movement_mode(1, KEY_ESC);
		return PROMPT_OPEN;
	}
	prompt_cancel();
	return PROMPT_CANCELLED;
}

/* True for ASCII and characters that the locale has. Other bytes make readline
 * 8.2 loop without end, e.g. vi's e after one. */
static bool
is_fit(const char *s, size_t len)
{
	struct utf8_char c;

	for (size_t i = 0; i < len; i += c.len) {
		c = utf8_decode(s + i, len - i);
		if ((unsigned char)s[i] >= 0x80 &&
		    (MB_CUR_MAX == 1 || !c.visible))
			return false;
	}
	return true;
}

static void
feed_fit(void)
{
	if (!is_fit(state.bytes, state.len))
		state.len = 0;
	feed_all();
}

/* True for keys that a search takes: characters, Backspace, Enter, C-g, C-r and
 * C-s. */
static bool
is_for_search(const struct key_press *key)
{
	unsigned char c = (unsigned char)key->bytes[0];

	return c >= ' ' ||
	    (key->len == 1 && c != 0 && strchr("\r\n\b\a\022\023", c));
}

/* Ends a search before other keys, and keeps the line that was found. readline
 * 8.2 itself would read further keys within the search, and fails if these are
 * two. */
static void
end_search(const struct key_press *key)
{
	if (!RL_ISSTATE(RL_STATE_ISEARCH) || is_for_search(key))
		return;
	state.bytes[0] = SEARCH_END;
	state.taken = 0;
	state.len = 1;
	feed_all();
}

/* Collects the bytes of a character: readline's search needs them at once. */
static void
feed_bytes(const struct key_press *key)
{
	bool follows = key->len == 1 &&
	    ((unsigned char)key->bytes[0] & 0xc0) == 0x80;

	if (!follows)
		feed_fit();
	end_search(key);
	for (size_t i = 0; i < key->len && state.len < sizeof(state.bytes); i++)
		state.bytes[state.len++] = key->bytes[i];
	if (MB_CUR_MAX == 1 || state.len >= utf8_length(state.bytes[0]))
		feed_fit();
}

static void
replace_marked(const struct key_press *key)
{
	unsigned char first = (unsigned char)key->bytes[0];
	bool typed = key->len > 0 && first >= ' ' && first != 0x7f;

	if (state.marked && typed)
		rl_delete_text(0, rl_end);
	if (state.marked && typed)
		rl_point = 0;
	state.marked = false;
}

static rl_command_func_t *
bound_to(const struct key_press *key)
{
	char sequence[2] = {key->bytes[0], 0};

	return key->len == 1
	    ? rl_function_of_keyseq(sequence, rl_get_keymap(), NULL)
	    : NULL;
}

/* True for C-c, and for C-g unless readline waits for it or the inputrc has
 * bound it to something else. */
static bool
cancels(const struct key_press *key)
{
	if (key->code != KEY_C_G || state.quoting ||
	    RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH |
		RL_STATE_NUMERICARG | RL_STATE_MULTIKEY))
		return key->code == KEY_C_C;
	return bound_to(key) == rl_abort || bound_to(key) == rl_insert;
}

enum prompt_result
prompt_feed(const struct key_press *key, char **line)
{
	int shown = completions_shown();

	if (completions_feed(key))
		return PROMPT_OPEN;
	completions_clear();
	if (cancels(key)) {
		prompt_cancel();
		return PROMPT_CANCELLED;
	}
	if (key->code == KEY_ESC && key->len == 1)
		return feed_escape();
	/* Backspace in an empty line cancels, as in vi and tig. */
	if (key->code == KEY_BACKSPACE_CODE && rl_end == 0 &&
	    !RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH)) {
		prompt_cancel();
		return PROMPT_CANCELLED;
	}
	replace_marked(key);
	state.quoting = !state.quoting && bound_to(key) == rl_quoted_insert;
	feed_bytes(key);
	if (!state.done) {
		completions_follow(shown);
		return PROMPT_OPEN;
	}
	if (state.line != NULL)
		histories_keep(state.line);
	close_prompt();
	if (state.line == NULL) /* Ctrl-D on an empty line */
		return PROMPT_CANCELLED;
	*line = state.line;
	state.line = NULL;
	return PROMPT_ACCEPTED;
}

/* True for characters that the locale has. */
static bool
is_pasted_text(const struct utf8_char *c)
{
	return c->visible && (c->len == 1 ? c->code < 0x80 : MB_CUR_MAX > 1);
}

void
pasted_add(struct text *out, struct pasted *p, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		const char *s = text + i;
		struct utf8_char c = utf8_decode(s, len - i);

		i += c.len;
		if (*s == '\n' || *s == '\r') {
			p->between = p->any;
		} else if (*s == '\t' || is_pasted_text(&c)) {
			if (p->between)
				text_addc(out, ' ');
			p->between = false;
			p->any = true;
			text_add(out, *s == '\t' ? " " : s, c.len);
		}
	}
}

void
prompt_paste_lines(struct text *out, const char *text, size_t len)
{
	for (size_t i = 0; i < len;) {
		const char *s = text + i;
		struct utf8_char c = utf8_decode(s, len - i);

		if (*s == '\r' || (*s == '\n' && (i == 0 || s[-1] != '\r')))
			text_addc(out, '\n');
		else if (*s == '\t' || is_pasted_text(&c))
			text_add(out, s, c.len);
		i += c.len;
	}
}

/* Leaves states in which readline would take the text as keys of commands. */
static void
leave_commands(void)
{
	if (RL_ISSTATE(RL_STATE_NUMERICARG | RL_STATE_MULTIKEY |
		RL_STATE_CHARSEARCH | RL_STATE_VIMOTION | RL_STATE_METANEXT)) {
		state.bytes[0] = 'G' & 0x1f;
		state.taken = 0;
		state.len = 1;
		feed_all();
	}
	if (rl_editing_mode == 0 && rl_get_keymap() == vi_movement_keymap)
		rl_vi_insertion_mode(1, 0);
}

/* Passes the text to a search, character by character. */
static void
search_pasted(const char *s, size_t len)
{
	while (len > 0) {
		struct key_press key = {.code = KEY_UNKNOWN};

		key.len = utf8_decode(s, len).len;
		memcpy(key.bytes, s, key.len);
		feed_bytes(&key);
		s += key.len;
		len -= key.len;
	}
}

static void
insert_pasted(const char *s)
{
	leave_commands();
	if (state.marked)
		rl_delete_text(0, rl_end);
	if (state.marked)
		rl_point = 0;
	rl_insert_text(s);
	cut_line();
}

void
prompt_paste(const char *text, size_t len, bool first)
{
	struct text clean = {0};

	if (!state.open)
		return;
	if (first)
		state.pasted = (struct pasted){0};
	pasted_add(&clean, &state.pasted, text, len);
	completions_clear();
	if (clean.len > 0 && RL_ISSTATE(RL_STATE_ISEARCH | RL_STATE_NSEARCH))
		search_pasted(text_str(&clean), clean.len);
	else if (clean.len > 0)
		insert_pasted(text_str(&clean));
	if (clean.len > 0)
		state.marked = false;
	text_free(&clean);
}

struct ui_prompt
prompt_look(void)
{
	const char *prompt = rl_display_prompt;
	struct ui_prompt look = {
	    .prompt = prompt != NULL ? prompt : "",
	    .line = rl_line_buffer != NULL ? rl_line_buffer : "",
	    .point = (size_t)rl_point,
	    .marked = state.marked,
	};

	completions_look(&look);
	return look;
}

void
prompt_free(void)
{
	prompt_cancel();
	completions_free();
	histories_free();
	if (state.nowhere != NULL)
		fclose(state.nowhere);
	state.nowhere = NULL;
}
