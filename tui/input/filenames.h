/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of files and programs as they are typed: "~/" is the home folder, a backslash quotes the
 * next character, "\ooo" is a byte in octal.
 */
#ifndef TUI_INPUT_FILENAMES_H
#define TUI_INPUT_FILENAMES_H

#include <stddef.h>

struct prompt_kind;
struct text;

/* Adds the name that was typed, without quotes. */
void filename_of(const char *typed, struct text *out);

/* Returns the i-th file whose name begins with word, quoted as it is typed, with
 * a slash after a folder; NULL after the last. Valid until the next call. */
const char *filename_complete(const char *word, unsigned i);

/* The same for a program to run: without a slash in the word, those of $PATH. */
const char *program_complete(const char *word, unsigned i);

/* A prompt for a name, "Write to: ". */
extern const struct prompt_kind filename_prompt;

#endif
