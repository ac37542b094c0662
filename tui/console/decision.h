/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A search for a capacity or for edits, or a sweep, beside the session: of the documents as
 * they were when it began, in processes of its own (decide/aside.h).
 */
#ifndef TUI_CONSOLE_DECISION_H
#define TUI_CONSOLE_DECISION_H

#include <stdbool.h>
#include <stddef.h>

#include "base/text.h"
#include "decide/aside.h"
#include "decide/capacity.h"
#include "decide/goal.h"
#include "decide/sweep.h"
#include "run/options.h"

struct page;
struct tuning;
struct ui;

enum decision_kind {
	DECISION_NONE,
	DECISION_CAPACITY,
	DECISION_SWEEP,
	DECISION_TUNE,
};

struct decision {
	enum decision_kind kind;
	struct aside *aside;    /* NULL: it has ended */
	bool stopped;           /* by the user, before it was done */
	struct text error;      /* why it failed; "": it has not */
	struct text words;      /* as typed; options point into it */
	struct text command;    /* the program's, and what was typed */
	struct text html;       /* its page, when it is over; "": none */
	struct options options; /* of the session, with those of words */
	char *profile;          /* of options; NULL: theirs */
	struct plan *plan;      /* the session's; not owned */
	size_t source;          /* the descriptor whose clients are counted */

	/* DECISION_CAPACITY */
	struct goal goal;
	struct mix_field *mix; /* by source */
	struct capacity capacity;
	struct capacity sent; /* in its process: the counts that were sent */

	/* DECISION_SWEEP */
	struct sweep sweep;
	struct text header, rows; /* lines */
	size_t n_rows;            /* that have come */
	char column[32];          /* that is drawn */

	struct tuning *tuning; /* DECISION_TUNE; else NULL */

	const struct page *page; /* that shows it; may be closed */
	bool stale;              /* the page is not of now */
	nsec shown;              /* wall time when it was made */
	int cols, body_rows;     /* of the screen that it was made for */
};

/* decision.c */

/* Returns the name of its command. */
const char *decision_name(enum decision_kind kind);
void decision_free(struct decision *d);
/* Returns the descriptor to poll; -1: none. */
int decision_fd(const struct ui *ui);
/* Takes over a record that has arrived. False: none has. */
bool decision_work(struct ui *ui);

/* For commands. Functions that return false append the reason to err. */

/* Begins a decision: d is freed with decision_free(), or moves with
 * decision_start(). */
bool decision_open(struct ui *ui, struct decision *d, enum decision_kind kind,
    struct text *err);
/* Gives each word that was typed to take(). */
bool decision_take_words(struct decision *d, const char *typed,
    bool (*take)(struct decision *d, const char *word, struct text *err),
    struct text *err);
/* Takes NAME=VALUE of an option that decisions have. False, without a text in err: it
 * is none. */
bool decision_take_option(
    struct decision *d, const char *word, struct text *err);
/* Returns the runs at a time. */
unsigned decision_jobs(const struct decision *d);
/* In the process: sends the page, which is freed, before what completes the answer;
 * and sends why the work failed. */
void decision_send_page(struct text *html, int fd);
void decision_send_error(const char *why, int fd);
/* Starts the process, and shows the page. d moves into ui if it is started. */
bool decision_start(
    struct ui *ui, struct decision *d, aside_work work, struct text *err);
bool decision_stop(struct ui *ui, enum decision_kind kind, struct text *err);
/* Shows the page again, of what has ended too. */
bool decision_show_again(struct ui *ui, enum decision_kind kind,
    const char *example, struct text *err);
/* Returns what follows a word; NULL: typed does not begin with it. */
const char *decision_after_word(const char *typed, const char *word);

/* decision_result.c: for commands, as above. */

/* Launches as many clients as fit. */
bool decision_launch(struct ui *ui, struct text *err);
/* Restarts the session as a row of the sweep, from "1". */
bool decision_open_row(struct ui *ui, const char *number, struct text *err);
/* Draws another column of the sweep. */
bool decision_draw_column(struct ui *ui, const char *name, struct text *err);
/* True if what was typed asks for a page: sets its path, and if it replaces a
 * file. */
bool decision_asks_report(const char *typed, const char **path, bool *over);
/* Writes the page to the file that was typed; "": report.html. */
bool decision_report(struct ui *ui, enum decision_kind kind, const char *typed,
    bool over, struct text *err);

/* tuning.c: searches for edits. */

/* NULL is allowed. */
void tuning_free(struct tuning *t);
/* Takes over a record. */
void tuning_take(struct tuning *t, const struct text *record);
/* True if the answer is known. */
bool tuning_is_complete(const struct tuning *t);
/* Appends the answer as a line. */
void tuning_answer(const struct tuning *t, struct text *out);
/* Adds its page. */
void tuning_add(struct page *p, const struct ui *ui, const struct decision *d);

/* decision_page.c */

/* Sets the size of a plot on a page. */
struct plot;
void decision_size_plot(const struct ui *ui, struct plot *plot);
/* Returns by how much values of a condition's figure are divided for a plot: times
 * are in ms there. */
double decision_plot_unit(const struct condition *c);
/* Appends the figure and its unit in plots: "latency.p99, ms". */
void decision_add_figure(const struct condition *c, struct text *out);

/* Opens the page of what is known. */
void decision_show(struct ui *ui);
/* Brings the page to now, if it is open and there is news, or the screen has
 * another size. While many records come, ten times a second. */
void decision_follow(struct ui *ui, bool news);
/* Appends the answer as a line. */
void decision_answer(const struct decision *d, struct text *out);
/* Returns field i, from 0, of line n, from 0, as a text of *len bytes. */
const char *decision_field(
    const struct text *lines, size_t n, size_t i, size_t *len);

#endif
