/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What is said on the standard streams; standard output is a file that can
 * fail, like any other. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdio.h>

enum { STATUS_FAILED = 3 }; /* hang, deadlock, or results not written */

/* Lines that may hold words of files and arguments: all is shown as it can be
 * on a terminal, with '?' for what would command it. */
void output_text(FILE *out, const char *lines);
void output_textf(FILE *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* On standard error, by a program that is about to end: a terminal that takes
 * nothing for a second (Ctrl-S) does not keep it. */
void output_last_words(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));

/* Flushes standard output. Returns status, or STATUS_FAILED and a line on
 * standard error if not all could be written; that is told once. */
int output_close(int status);

#endif
