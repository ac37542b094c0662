/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The files of a decision: those of --report and --json are opened before anything
 * runs, and written at the end; that of -o is looked at. */
#ifndef CLI_DECIDE_OUTPUTS_H
#define CLI_DECIDE_OUTPUTS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "base/text.h"

struct options;
struct plan;

struct decision_outputs {
	const struct options *o;
	int page;          /* of --report; -1: none is asked for */
	FILE *json;        /* stdout, or a file; NULL: none is asked for */
	struct text lines; /* of a sweep, the first of them, for the page */
};

/* Opens the files that the options name: none is a workload's, and no two are one;
 * and looks if -o can be written. False, after a line: the program ends with
 * EXIT_STATUS_OPTIONS. */
bool decision_outputs_open(struct decision_outputs *out,
    const struct options *o, const struct plan *plan);
/* Keeps lines for the page, as far as it has room for them. */
void decision_outputs_keep(
    struct decision_outputs *out, const char *bytes, size_t len);
/* Prints the object of --json, if that is asked for. False, after a line: not all
 * was written. */
bool decision_outputs_json(struct decision_outputs *out,
    void (*print)(void *of, FILE *file), void *of);
/* Writes the page (NULL: nothing), frees it, and closes the files. False, after a
 * line: not all was written. */
bool decision_outputs_close(struct decision_outputs *out, struct text *html);

/* Sets out to the file of -o of the n-th document, from 1: FILE, FILE-2, with the
 * number before the last dot of its name. */
void decision_outputs_name(const char *path, size_t n, struct text *out);

#endif
