/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages on the standard streams, and the exit status. */
#ifndef BASE_OUTPUT_H
#define BASE_OUTPUT_H

#include <stdbool.h>
#include <stdio.h>

/* The manual, EXIT STATUS. */
enum exit_status {
	EXIT_STATUS_OK = 0,
	EXIT_STATUS_INPUT = 1,    /* a descriptor or another input is invalid */
	EXIT_STATUS_OPTIONS = 2,  /* wrong usage; files that can't be opened */
	EXIT_STATUS_FAILED = 3,   /* hang, deadlock, results not written */
	EXIT_STATUS_SIGNAL = 128, /* plus the number of the signal */
};

/* Writes lines that may quote files or arguments: control characters, invalid
 * UTF-8 and invisible characters become '?'. */
void output_text(FILE *out, const char *lines);
void output_textf(FILE *out, const char *fmt, ...)
    __attribute__((format(printf, 2, 3)));

/* Writes to standard error before the program ends; gives up after a second in
 * which the terminal accepts nothing (Ctrl-S). */
void output_last_words(const char *fmt, ...)
    __attribute__((format(printf, 1, 2)));

/* True if standard output is a pipe that nothing reads any more, as of
 * "| head". */
bool output_reader_is_gone(void);
/* Flushes standard output and returns status. If not all was written, returns
 * EXIT_STATUS_FAILED, after a line on standard error the first time, unless
 * output_reader_is_gone(). */
int output_close(int status);

#endif
