/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Descriptor view: the text of a descriptor, a row per line, with live
 * marks of its steps and diagnostics below the lines they are about; the line
 * being typed is edited in place.
 */
#ifndef TUI_VIEWS_DESCRIPTOR_H
#define TUI_VIEWS_DESCRIPTOR_H

#include "parser/diag.h"
#include "parser/document/document.h"
#include "run/live/marks.h"
#include "tui/screen/screen.h"
#include "tui/views/list.h"
#include "tui/views/view.h"

/* The text of a program, which can be read only. Zeroed at first. */
struct program_look {
	uint32_t client; /* its id plus one; 0: none */
	struct row_list list;
	int skip; /* columns scrolled to the right */
};

/* Draws the program. */
void descriptor_draw_program(struct program_look *look,
    const struct view_env *env, const struct client *c, struct area *a);
/* Moves the cursor to the next line with the text, as views do (view.h). */
bool program_look_find(struct program_look *look, const struct view_env *env,
    const struct client *c, const char *text, size_t from, int step);

/* The text, its marks and where it is drawn. */
struct line_look {
	const struct view_env *env;
	const struct document *doc;
	size_t source; /* of doc and marks, in plan->sources */
	const struct marks *marks;
	const struct diag_list *of_run; /* diagnostics of the run, by line */
	int skip;                       /* columns scrolled to the right */
	const struct area *area;        /* the area that lines are drawn in */
};

/* Diagnostics that depend on the run, not only on the text: why the scheduler or
 * the profile refuses it, and steps without effect. Zeroed at first. */
struct run_diagnostics {
	struct diag_list list; /* by line; freed with diag_list_free() */
	size_t source;         /* what it is of, as below */
	uint64_t generation, versions, revision;
};

/* Finds them again if the source, its text, its program or the run is another
 * one. */
void run_diagnostics_update(
    struct run_diagnostics *r, const struct session *s, size_t source);
/* Sets the first line from `from` on, or around the end, with a diagnostic of the
 * run or of the document. False: there is none. */
bool run_diagnostics_next(const struct run_diagnostics *r,
    const struct document *doc, size_t from, size_t *line);

/* Draws the title: names of the columns, of the source, its state, and how many
 * clients run an older text of it. */
void lines_draw_title(const struct line_look *look, struct area *a);
/* Returns the column where the text of lines begins. */
int lines_text_column(const struct area *a);

/* Draws number and marks of a line, without its text. */
void line_draw_margin(
    const struct line_look *look, struct area *a, int y, size_t line);
/* Draws a line in one row. */
void line_draw(
    const struct line_look *look, struct area *a, int y, size_t line);
/* Highlights the search's matches in a line that was drawn. */
void line_draw_matches(
    const struct line_look *look, struct area *a, int y, size_t line);
/* Returns the rows that a line takes with its diagnostics, those of the run
 * included. */
int line_rows(const struct line_look *look, size_t line);
/* Draws the diagnostics of a line from row y on; returns the row after them. */
int line_draw_diagnostics(
    const struct line_look *look, struct area *a, int y, size_t line);

/* Diagnostics below the text they are about: carets under the bytes, and the
 * message beside them, or below where there is little room. */
struct caret_line {
	const char *text; /* as drawn above them: */
	size_t len;
	int x, skip; /* from column x on, without its first skip columns */
	const struct diag *list;
	size_t n;
	bool is_typed; /* with the cursor at byte `point` */
	size_t point;
};

/* In a typed line, a diagnostic of the word at the cursor is a hint until the
 * cursor leaves the word; one of text that is still missing is hidden. */
enum caret_look { CARET_FULL, CARET_HINT, CARET_HIDDEN };
enum caret_look caret_look(const struct caret_line *line, const struct diag *d);
/* Returns the rows that the diagnostics take. */
int caret_rows(const struct caret_line *line, const struct area *a);
/* Draws them from row y on; returns the row after them. */
int caret_draw(const struct caret_line *line, struct area *a, int y);

/* The line being typed: in its place, with its diagnostics and its completions
 * below. look->env has the draft. */

/* Returns the rows that it takes, at most those of the area without its
 * title. */
int draft_rows(const struct line_look *look, const struct area *a);
/* Draws it from row y on; returns the row after it. */
int draft_draw(const struct line_look *look, struct area *a, int y);
/* Marks a line that was drawn in row y if an offset in the typed line, or else
 * in the line under the cursor, leads to it. */
void draft_mark_target(
    const struct line_look *look, struct area *a, int y, size_t line);

#endif
