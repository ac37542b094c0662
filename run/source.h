/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Where a descriptor comes from: a file, a pipe, standard input, the command
 * line itself, or the examples that are built in.
 */
#ifndef RUN_SOURCE_H
#define RUN_SOURCE_H

#include <stdbool.h>

struct diag_list;
struct document;
struct source;
struct stop;
struct text;

/* The path of a file, "-", else descriptor text, which is called label in
 * diagnostics. False if it looks like a path but can't be read. Either way
 * free with source_close. */
bool source_open(struct source *s, const char *argument, const char *label,
    struct text *err);
/* The path of a file, or "-"; never text. */
bool source_open_file(struct source *s, const char *path, struct text *err);
/* The same, and false with "stopped" once stop says so (NULL: never). */
bool source_open_until(struct source *s, const char *path,
    const struct stop *stop, struct text *err);
/* Is there nothing of that name as yet, in a folder that is there? */
bool source_is_new_file(const char *path);
/* An empty document, that this file is to have. */
void source_open_new(struct source *s, const char *path);
/* The shipped example that runs when nothing is named. */
bool source_open_example(struct source *s, struct text *err);
void source_close(struct source *s);

/* Appends what is said of doc, explained, in order of place: its own
 * diagnostics and those of a compiler (NULL: none); warnings if wanted. */
void source_explain(const struct document *doc, const struct diag_list *own,
    const struct diag_list *compiled, bool warnings, struct text *out);
/* Was text that has errors perhaps meant as a path? */
bool source_may_be_path(const struct source *s);
/* Then says so. */
void source_hint(const struct source *s, struct text *out);

/* Appends "gpuwl-top: words" as a line of its own. */
void source_add_line(struct text *out, const char *words);

#endif
