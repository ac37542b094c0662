/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of files as they are typed: "~/" is the home folder, a backslash takes
 * the next character as it is, "\ooo" is a byte in octal. All else is the name
 * itself.
 */
#ifndef TUI_INPUT_FILENAMES_H
#define TUI_INPUT_FILENAMES_H

#include <stddef.h>

struct prompt_kind;
struct text;

/* Adds the name that was typed. */
void filename_of(const char *typed, struct text *out);
/* Adds a name so that filename_of() gives it again. */
void filename_quote(const char *name, size_t len, struct text *out);

/* The i-th name of a file that word, as typed, may be the beginning of: as it
 * would be typed, folders with a slash behind them. NULL after the last. Good
 * until the next call. */
const char *filename_complete(const char *word, unsigned i);

/* A prompt for a name, "Write to: ". */
extern const struct prompt_kind filename_prompt;

#endif
