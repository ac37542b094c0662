/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Words of commands that are printed for a shell. A command is one line, which a
 * terminal shows as it is, whatever its words are: a word with a character that is
 * not visible is written as $'...', with each such byte as \nnn. bash, ksh, zsh and
 * any sh of POSIX 2024 read that word back; an older sh reads one word with the
 * escapes in it.
 */
#ifndef BASE_SHELL_H
#define BASE_SHELL_H

struct text;

/* Appends a word, in quotes if a shell would read more than it is. */
void shell_add_word(struct text *out, const char *word);
/* The same, always in quotes. */
void shell_add_quoted(struct text *out, const char *word);

#endif
