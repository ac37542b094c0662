/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The person's side: which view has the focus, what is open, what was said.
 * Turns keys into actions and the session into a screen. Knows no terminal.
 */
#ifndef TUI_CONSOLE_UI_H
#define TUI_CONSOLE_UI_H

#include <stdbool.h>

#include "base/text.h"
#include "run/live/session.h"
#include "tui/console/anchor.h"
#include "tui/console/line_edit.h"
#include "tui/input/prompt.h"
#include "tui/screen/layout.h"
#include "tui/screen/screen.h"
#include "tui/settings/settings.h"
#include "tui/views/page.h"
#include "tui/views/selection.h"
#include "tui/views/view.h"

enum ui_leave { UI_STAY, UI_QUIT, UI_INTERRUPTED };

struct ui;

/*
 * A line that somebody is asked for: what it is for, and what comes of it. All
 * that a key opens is a constant of the file that opens it. Any of the
 * functions but accepted may be NULL.
 */
struct ui_line {
	const struct prompt_kind *input;
	void (*accepted)(struct ui *ui, const char *line, nsec wall);
	/* After each key that changed the line. */
	void (*changed)(struct ui *ui, const char *line, nsec wall);
	void (*cancelled)(struct ui *ui, nsec wall);
	/* Which view draws the line, in place; PART_FOOTER: the last line. */
	enum part place;
	const char *hint; /* on the last line, while it is typed elsewhere */
};

/* A question with answers of one key each; Esc and C-c answer nothing. */
struct ui_answer {
	const char *keys;  /* characters: "yY"; also those of Esc and C-c */
	const char *label; /* "yes"; its first key stands before it; NULL: not
			      shown */
	void (*given)(struct ui *ui, nsec wall);
};

/* A key that is no answer is told, and what comes soon after it answers
 * nothing: it belongs to something that was meant for another place. */
struct ui_question {
	const struct ui_answer *answers; /* the last has no keys */
	struct text text;
	bool astray; /* a key was no answer */
	bool typing; /* and it was one that begins a line */
	nsec deaf_until;
};

/* What is being written, while that asks something (files.h). */
struct ui_filing {
	size_t source;
	struct text path;       /* "": the document's own */
	struct file_stamp seen; /* what was there when it was asked about, */
	bool again;             /* not for the first time */
	enum { FILING_STAY, FILING_QUIT, FILING_ALL, FILING_ALL_QUIT } then;
	struct recovered found; /* what is offered; file NULL: nothing */
	size_t offered;         /* the source that it is of, */
	unsigned skip;          /* how many of it are kept for later, */
	size_t end;             /* and where the offering ends */
	bool wanted; /* somebody asked for it: what was kept for later too */
	nsec looked; /* when files were looked at last, */
	size_t next; /* and which is next */
};

/* The state drawn last, to know whether lists and rows of views are still of
 * what is there. */
struct ui_drawn {
	uint64_t generation, versions; /* of the run */
	size_t n_clients, n_sources, source;
	const struct document *document; /* the one that is selected, */
	uint64_t revision;               /* as it was then */
};

/* Work of a key that may take long. */
struct ui_work {
	struct text what; /* "reading a.wsim"; "": nothing in particular */
	bool reverts;     /* stopped, all is as it was before */
};

struct ui {
	struct session *session;
	struct screen screen;
	struct layout layout;
	struct view *views[N_PARTS]; /* NULL: the footer */
	enum part focus;
	bool zoom;
	bool arranged;  /* by the person; else as the size has it */
	unsigned shown; /* then: PANE() of those asked for (arrange.h) */
	struct selection selection;
	struct anchor anchor; /* of its line */
	struct tag_set tags;  /* contexts that keys act on together */
	struct text search;   /* what is looked for; "": nothing */
	/* Where the cursor, or the page, was before a prompt moved it. */
	size_t searched_from;
	struct selection selected_before;
	struct text filter_before;
	uint64_t generation; /* of the run that views know */
	struct ui_drawn drawn;
	struct page *page;   /* over the panes; NULL */
	struct text message; /* instead of the footer; "": none */
	enum role message_role;
	double delay; /* seconds between frames */
	struct settings *settings;
	bool unicode;      /* the locale has it */
	bool for_a_person; /* no script: what is typed and edited may be kept */

	struct {
		nsec at;
		int x, y;
	} click; /* the last */

	/* What is being asked. */
	const struct ui_line *line;  /* the open prompt; NULL */
	struct text line_seen;       /* as changed was told of it last */
	struct ui_question question; /* answers NULL: none */
	/* What is asked when the page has been closed; NULL. */
	void (*page_closed)(struct ui *ui, nsec wall);
	struct line_edit edit; /* of a descriptor, with its line open */
	struct text copied;    /* a line, to be pasted */
	bool has_copied;
	struct ui_filing filing;
	struct ui_work work; /* of the key at hand */

	/* What the loop has to do. */
	enum ui_leave leave;
	bool wants_redraw; /* the terminal's contents are in doubt */
	bool mouse;        /* is ours, not the terminal's */
	bool wants_editor; /* the descriptor that is shown, in $EDITOR */
	bool unfinished;   /* the frame is to be drawn anew: there is more */
	bool wants_theme;  /* another one has been chosen */
	bool persistent;   /* histories of prompts are kept in files */
	bool more_keys;    /* others wait behind the key at hand */
};

/* settings must outlive it. unicode: the locale has it; for_a_person: not for
 * a script. */
void ui_init(struct ui *ui, struct session *session, struct settings *settings,
    bool unicode, bool for_a_person);
void ui_free(struct ui *ui);

void ui_resize(struct ui *ui, int cols, int rows);
/* What a view is given. */
struct view_env ui_env(struct ui *ui, enum part part);
void ui_key(struct ui *ui, int code, nsec wall);
/* After each key: if a page has been closed, who wanted it shown goes on. */
void ui_follow_page(struct ui *ui, nsec wall);
void ui_act(struct ui *ui, enum action action, nsec wall);
/* What stands in the past follows the present again. False: nothing does. */
bool ui_follow_present(struct ui *ui);
/* The timeline's cursor goes to that time. */
void ui_show_time(struct ui *ui, nsec at);
/* A key press of the mouse. */
/* Views let go of an old run before anything is drawn of it, or done to what
 * they show: a key before this one may have ended the run. */
void ui_follow_launches(struct ui *ui);
void ui_mouse(struct ui *ui, const struct key_press *key, nsec wall);
/* A tick of the screen: time has moved on. */
void ui_tick(struct ui *ui, nsec wall);
/* Draws a frame. */
void ui_draw(struct ui *ui);
/* Has the run or the text become another one since? Then lists, rows and places
 * of views are of what is gone. */
bool ui_is_outdated(const struct ui *ui);

/* Draws, and writes the screen to a file: arg is "FILE [REGION]...", a region
 * being the name of a part (layout.h). On false nothing is written, and err says
 * why. */
bool ui_dump(struct ui *ui, const char *arg, struct text *err);

/* Begins work that may take long: if it does, the message line shows this text
 * and the key that stops it. reverts: stopped work leaves everything as it was,
 * and the message says so. */
void ui_begin_work(struct ui *ui, bool reverts, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* The same of what is done with a descriptor, called by its title. */
void ui_begin_work_on(
    struct ui *ui, bool reverts, const char *verb, size_t source);
/* On the last line, and those above if it is long, until the next key. */
void ui_say(struct ui *ui, enum role role, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* An error: as ui_say, or on a page if it has several lines or is very long. */
void ui_say_error(struct ui *ui, const char *title, const struct text *err);
void ui_open_page(struct ui *ui, struct page *page);
/* Why the document can't be run: "line 4 is wrong" while the view shows there
 * what is, or else all. */
void ui_add_problem(struct ui *ui, size_t source, struct text *out);

/* ask.c: keys go to a prompt or a question until that is over. */

/* text stands in it already; line must last. */
void ui_open_line(struct ui *ui, const struct ui_line *line, const char *text);
/* Closes it, as Esc does. */
void ui_cancel_line(struct ui *ui, nsec wall);
/* A key for the open prompt. */
void ui_line_key(struct ui *ui, const struct key_press *key, nsec wall);

/* Text that was pasted: it goes into the open prompt, and nowhere else. */
void ui_paste(struct ui *ui, const struct key_press *key, nsec wall);

/* answers must last, and ends with a row without keys. */
void ui_ask(struct ui *ui, const struct ui_answer *answers, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* False: there is no question. */
bool ui_question_key(struct ui *ui, int code, nsec wall);

/* apply.c: settings that have an effect. */

/* All of them, as they are at the start. */
void ui_apply_settings(struct ui *ui);
/* The value now: keys and commands of its own may have changed it since. */
void ui_setting_value(
    const struct ui *ui, enum setting which, struct text *out);
/* Is it what it was when it was set? */
bool ui_setting_stands(const struct ui *ui, enum setting which);
/* False: err says why not, and all is as it was. */
bool ui_set(struct ui *ui, enum setting which, const char *value, nsec wall,
    struct text *err);

/* settings_page.c */
struct page *settings_page(const struct ui *ui);

/* The key that the footer has at column x; NULL: none. */
const struct key_row *footer_key_at(const struct ui *ui, int x);
/* footer.c; prompt is NULL when none is open there. */
void footer_draw(
    const struct ui *ui, struct area *a, const struct ui_prompt *prompt);
/* choices_popup.c: the prompt's choices, above the footer. */
void choices_draw(const struct area *footer, const struct ui_prompt *prompt);

#endif
