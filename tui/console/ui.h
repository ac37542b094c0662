/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's side of the console: which panes are shown and which has the
 * focus, what is being typed or asked, the message that is shown. Turns keys
 * into actions and the session into a screen. Knows no terminal.
 *
 * The functions below are of several files, one per subject; functions for
 * rows of the tables of actions and commands are in actions.h. All of them
 * take the time from ui->now, which the loop sets before it calls here.
 */
#ifndef TUI_CONSOLE_UI_H
#define TUI_CONSOLE_UI_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "engine/explain/why.h"
#include "parser/diag.h"
#include "parser/step.h"
#include "run/live/session.h"
#include "run/live/tweak.h"
#include "tui/console/decision.h"
#include "tui/input/complete.h"
#include "tui/input/keys.h"
#include "tui/input/prompt.h"
#include "tui/screen/layout.h"
#include "tui/screen/screen.h"
#include "tui/settings/settings.h"
#include "tui/views/context_colours.h"
#include "tui/views/page.h"
#include "tui/views/selection.h"
#include "tui/views/view.h"

enum ui_leave { UI_STAY, UI_QUIT, UI_INTERRUPTED };

struct import_done;
struct replay;
struct ui;

/* Keeps the descriptor's cursor on its line when edits or undo move lines. */
struct anchor {
	const void *document;
	size_t source, line;
	uint32_t identity; /* of the line; 0: none */
	uint64_t revision; /* of the document at that time */
};

/* A descriptor's line that is typed in place. The document has it once it is
 * accepted. */
struct line_edit {
	struct line_draft draft;
	struct step_scene scene; /* for completion */
	struct diag_list diags;  /* of the line as typed */
	size_t from;             /* the cursor's line before */
	bool after_paste;        /* new, below pasted lines: none if empty */
};

/* A line that the user is asked to type. A constant of the file that opens it;
 * the functions, except accepted, may be NULL. */
struct ui_line {
	const struct prompt_kind *input;
	void (*accepted)(struct ui *ui, const char *line, int arg);
	/* After each key that changed the line. */
	void (*changed)(struct ui *ui, const char *line, int arg);
	void (*cancelled)(struct ui *ui, int arg);
	int arg;
	/* Adds to the page of help what is known of the text typed so far, and
	 * what may be typed. Either may be NULL. */
	void (*help)(const struct ui *ui, struct page *p);
	void (*more_help)(struct page *p);
	/* The view that draws the line in place; PART_FOOTER: the last row. */
	enum part place;
	const char *hint; /* on the last row, while a view draws the line */
};

/* An answer to a question: one key. Esc, C-c and C-g, unless they are keys of an
 * answer, cancel the question. */
struct ui_answer {
	const char *keys;  /* characters: "yY" */
	const char *label; /* "yes", shown after the first key; NULL: hidden */
	void (*given)(struct ui *ui, int arg); /* NULL: nothing happens */
	int arg;
};

/* A question. After a key that is not an answer, other keys are ignored for a
 * moment: the user may be typing for another place. */
struct ui_question {
	const struct ui_answer *answers; /* ends with a row without keys */
	struct text text;
	bool stray_key; /* a key was not an answer */
	bool typing;    /* and it began a command or a search */
	nsec ignore_until;
};

/* Writing of one or more descriptors, which may ask for a name, or what to do
 * about a file that has changed (save_dialog.c). */
struct save_dialog {
	size_t source;
	struct text path;       /* "": the document's own */
	struct file_stamp seen; /* the file that the question was about */
	bool again;             /* it has changed since the first question */
	enum { SAVE_THEN_STAY, SAVE_THEN_QUIT, SAVE_ALL, SAVE_ALL_QUIT } then;
};

/* Edits left by a killed process, offered one after the other (recover.c). */
struct recovery_offer {
	struct recovered found; /* being asked about; file NULL: nothing */
	size_t source;          /* it is of this source */
	unsigned skip;          /* recoveries of the source kept for later */
	size_t end;             /* sources from here on are not offered */
	bool wanted; /* :recover: also what was kept for later before */
};

/* The state drawn last, to tell whether lists and rows of views are stale. */
struct ui_drawn {
	uint64_t generation, versions; /* of the run */
	size_t n_clients, n_sources, source;
	const struct document *document; /* the selected one */
	uint64_t revision;               /* of that document */
};

/* Work of a key that may take long. */
struct ui_work {
	struct text what; /* "reading a.wsim"; "": not named */
	bool reverts;     /* stopping it changes nothing */
	bool is_new;      /* what is not on the screen yet */
};

struct ui {
	struct session *session;
	nsec now; /* wall time of the key or tick at hand */
	struct screen screen;
	struct layout layout;
	struct view *views[N_PARTS]; /* NULL: the footer */
	enum part focus;
	bool zoom;
	bool arranged;  /* the user chose the panes; else the size does */
	unsigned shown; /* then: PANE() of each that was chosen */
	struct selection selection;
	struct anchor anchor; /* of the selected line */
	struct tag_set tags;  /* contexts that keys act on together */
	struct context_colours colours;
	struct text search; /* "": none */
	/* Before a prompt moved them: cursor or page, selection, filter. */
	size_t searched_from;
	struct selection selected_before;
	struct text filter_before;
	uint64_t generation; /* of the run that views know */
	struct ui_drawn drawn;
	struct page *page;   /* over the panes; NULL: none */
	struct text message; /* above the keys; "": none */
	enum role message_role;
	nsec delay; /* between frames */
	struct settings *settings;
	bool unicode;      /* the locale has it */
	int n_colours;     /* of the terminal; 0: none, or not wanted */
	bool for_a_person; /* no script: histories and recovery files */

	struct {
		nsec at;
		int x, y;
	} click; /* the last; at 0: none */

	/* The open prompt, question or page. */
	const struct ui_line *line;  /* the open prompt; NULL */
	bool line_waits;             /* below a page of help about it */
	struct text line_seen;       /* passed to line->changed last */
	struct ui_question question; /* answers NULL: none */
	/* Called when the page has been closed; NULL. */
	void (*page_closed)(struct ui *ui);
	struct line_edit edit; /* while a descriptor's line is open */
	struct text pasted;    /* so far, for the descriptor */
	struct text copied;    /* a line to paste */
	bool has_copied;
	struct goto_target asked_place; /* of a question */
	struct save_dialog save;
	bool saved; /* a descriptor was written */
	struct {
		const struct page *page; /* of programs; may be closed */
		int64_t size;            /* of the file when it was read */
	} output;
	struct recovery_offer offer;
	struct decision decision;     /* the last */
	struct import_done *imported; /* the last; NULL: none */
	struct {
		nsec looked; /* when files were last checked for changes */
		size_t next; /* the source to check next */
	} watch;
	struct ui_work work; /* of the key at hand */

	/* Requests to the loop. */
	enum ui_leave leave;
	bool wants_redraw; /* the terminal may not show what was drawn */
	bool mouse;        /* used here, not by the terminal */
	bool wants_editor; /* for the shown descriptor */
	bool unfinished;   /* a view has more to draw: draw again */
	bool wants_theme;  /* the theme has changed */
	bool persistent;   /* prompts keep their histories in files */
	bool more_keys;    /* keys are pending after the one at hand */
};

/* ui.c */

/* session and settings must outlive it. unicode: the locale has it;
 * for_a_person: false for a script. */
void ui_init(struct ui *ui, struct session *session, struct settings *settings,
    bool unicode, bool for_a_person);
void ui_free(struct ui *ui);
void ui_resize(struct ui *ui, int cols, int rows);
/* Returns what a view's functions are given. */
struct view_env ui_env(struct ui *ui, enum part part);
/* Brings the views to now: a tick of the screen. */
void ui_tick(struct ui *ui);
/* Lets the views sample. */
void ui_tick_views(struct ui *ui);
/* If the run is a new one, views drop what they know of the old one. Call it
 * before a view draws or acts. */
void ui_follow_launches(struct ui *ui);
/* Makes views that show the past follow the present. False: none did. */
bool ui_follow_present(struct ui *ui);
/* Moves the timeline's cursor to that virtual time. */
void ui_show_time(struct ui *ui, nsec at);

/* Shows a message above the keys, until the next key. */
void ui_say(struct ui *ui, enum role role, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* As ui_say, of a change of the run, after which the views follow the present. */
void ui_say_change(struct ui *ui, const char *said);
/* Shows an error: as ui_say, or on a page if it has several lines or is very
 * long. */
void ui_say_error(struct ui *ui, const char *title, const struct text *err);
/* Adds why the document can't be run: "line 4 is wrong" if the view shows the
 * diagnostic there, else the diagnostic. */
void ui_add_problem(struct ui *ui, size_t source, struct text *out);
/* Opens a page over the panes, which owns it; NULL: closes the one open. */
void ui_open_page(struct ui *ui, struct page *page);
/* Calls page_closed once the page is closed. Call it after each key. */
void ui_follow_page(struct ui *ui);

/* Names work that may take long. If it does, the last row shows the text and
 * the key that stops it. reverts: stopping it changes nothing. */
void ui_begin_work(struct ui *ui, bool reverts, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* As ui_begin_work, with the source's title after the verb. */
void ui_begin_work_on(
    struct ui *ui, bool reverts, const char *verb, size_t source);

/* Remembers that the cursor is meant to be where it is. */
void anchor_set(struct ui *ui);
/* If only the document has changed since, moves the cursor with its line; keeps
 * the cursor within the document. */
void anchor_follow(struct ui *ui);

/* actions.c: keys and clicks. */

/* Runs an action's function. */
void ui_act(struct ui *ui, action_fn *run, int arg);
/* A key while no prompt is open. */
void ui_key(struct ui *ui, int code);
/* A click or a turn of the wheel. */
void ui_mouse(struct ui *ui, const struct key_press *key);

/* panes.c: which panes are shown, and drawing them. The pane with the focus is
 * always shown. */

/* Computes ui->layout anew. */
void arrange(struct ui *ui);
/* Shows a pane and focuses it, and closes a page. Without room for one more
 * pane the least important one is hidden. */
void arrange_show(struct ui *ui, enum part part);
/* Shows these panes only, as far as there is room, and focuses first. */
void arrange_set(struct ui *ui, unsigned shown, enum part first);
/* Shows the default panes for the size. */
void arrange_default(struct ui *ui);
/* Draws a frame. */
void ui_draw(struct ui *ui);
/* True if the run or the text is another one than was drawn. */
bool ui_is_outdated(const struct ui *ui);

/* footer.c: the last row, and messages above it. */

/* Returns the rows that the message needs now, at most a fifth of the screen. */
int footer_message_rows(struct ui *ui);

/* prompt: the one that is open in the footer; NULL. */
void footer_draw(
    const struct ui *ui, struct area *a, const struct ui_prompt *prompt);
/* Returns the action that the footer has at column x; NULL: none. */
const struct action_row *footer_key_at(const struct ui *ui, int x);

/* ask.c: while a prompt is open or a question is asked, it gets the keys. */

/* Opens a prompt with text in it. line must last; scene is for the `offer` of
 * line->input, and must last until the prompt is closed. */
void ui_open_line(struct ui *ui, const struct ui_line *line, const char *text,
    const void *scene);
/* Passes a key to the open prompt. */
void ui_line_key(struct ui *ui, const struct key_press *key);
/* Pastes into the open prompt, or into the descriptor with the focus. Elsewhere a
 * paste is ignored, with a message. */
void ui_paste(struct ui *ui, const struct key_press *key);
/* Pastes into the prompt that is open, as prompt_paste(). */
void ui_paste_typed(struct ui *ui, const char *text, size_t len, bool first);
/* Asks a question. answers must last, and end with a row without keys. */
void ui_ask(struct ui *ui, const struct ui_answer *answers, const char *fmt,
    ...) __attribute__((format(printf, 3, 4)));
/* Passes a key to the question. False: there is none. */
bool ui_question_key(struct ui *ui, int code);

/* travel.c */

/* Plays the recording from whose plan the session has begun, and goes to its
 * beginning, from where it goes on. False: it is that of another run, err says
 * where. */
bool ui_play_recording(struct ui *ui, struct replay *replay, struct text *err);

/* As ui_tick_views(), for session_on_tick(); data is the ui. */
void ui_tick_again(void *data);
/* Selects the request of the event at this instant, if it was one of a request. */
void select_event(struct ui *ui);
/* Returns to the present. False: the session is there. */
bool ui_return_to_present(struct ui *ui);

/* command_line.c */

/* Opens the ":" prompt with text in it. */
void command_line_open(struct ui *ui, const char *text);

/* edit.c: lines of the descriptor. */

/* Call it after an edit of the shown document. Moves the cursor to line; the
 * clients get the text at once, or at their next iteration; a message says
 * what happened. */
void document_edited(struct ui *ui, size_t line, bool at_once);
/* Returns the line that is being typed; NULL: none. */
const struct line_draft *line_edit_draft(const struct ui *ui);
/* Takes a piece of a paste. A paste of one line goes into the line that is typed;
 * several become as many lines of the document, one step of undo. */
void line_edit_paste(struct ui *ui, const struct key_press *key);
void line_edit_free(struct line_edit *edit);

/* launch.c: clients and the files that they run. */

/* If the source can't run yet, says why. False: it can. */
bool launch_say_waiting(struct ui *ui, size_t source);
/* Says that the source runs now. */
void launch_say_started(struct ui *ui, size_t source);

/* tweaks.c: the targets of a key or command. */

/* True if the user can see the selected context: not if the table's filter
 * hides it and no other view shows it. False: err says so. */
bool targets_selected(struct ui *ui, struct text *err);

/* save_dialog.c: documents and their files. */

/* The document of a source was replaced: compiles it, and says what happened.
 */
void files_edited(struct ui *ui, size_t source);
/* Reads the shown descriptor from its file again. */
void files_reread(struct ui *ui);
/* Looks once a second whether a file was changed on disk, and says so. */
void files_watch(struct ui *ui);

/* Quits, or asks first if edits are not saved. */
void files_quit(struct ui *ui, enum ui_leave leave);

/* programs.c: programs on a virtual i915. */

/* Says what happened to them. */
void programs_say_news(struct ui *ui);
/* Brings the descriptor of the selected one to now, if it is shown. */
void programs_describe(struct ui *ui);
/* Brings the page of their output to now, if it is open. */
void programs_follow_output(struct ui *ui);
/* True if the Descriptor shows a program, whose text can't be edited; a message
 * says so. */
bool programs_refuse_edit(struct ui *ui);
/* Likewise, where a file is to be written; appends to err. */
bool programs_refuse_write(struct ui *ui, struct text *err);
/* Asks whether to quit, if programs use the device. False: none does. */
bool programs_ask_to_quit(struct ui *ui);
/* Asks whether to end a program, the selected client. False: it is none. */
bool programs_ask_to_end(
    struct ui *ui, const struct client *c, const struct ui_answer *answers);

/* recover.c: edits that a killed process left. */

/* Offers those of the sources from first on, one after the other. */
void recovery_offer_from(struct ui *ui, size_t first);

/* pages.c: differences of two texts. */

/* Returns a page of the lines that differ between a source's file and its
 * document; NULL: err says why. */
struct page *differences_on_disk(const struct source *s, struct text *err);
/* The same between its document and what was left of it. */
struct page *differences_left(
    const struct source *s, const struct recovered *left);

/* apply_settings.c: what settings do. */

/* Applies all settings at the start. */
void ui_apply_settings(struct ui *ui);
/* Adds the value now, which keys and commands may have changed since it was
 * set. */
void ui_setting_value(
    const struct ui *ui, enum setting which, struct text *out);
/* True if the value is still what was set. */
bool ui_setting_is_unchanged(const struct ui *ui, enum setting which);

/* line_help.c: help while a line is typed. */

/* True if the key opens help about the open prompt. */
bool line_help_wants(const struct ui *ui, int code);
/* Opens it, over the prompt. */
void line_help_open(struct ui *ui);
/* A key while that page is open. */
void line_help_key(struct ui *ui, int code);

/* help.c and pages.c: pages over the panes, made from the tables. */

/* Begins with the view that has that scope. unicode: the screen has it. */
struct page *help_page(const struct keymap *m, enum scope focus, bool unicode);
struct page *settings_page(const struct ui *ui);
/* Adds a kind of step with its fields; all kinds and annotations; all
 * commands. */
void help_add_step(struct page *p, enum step_kind kind);
void help_add_language(struct page *p);
void help_add_commands(struct page *p);

/* why.c, why_time.c */

#define WHY_TITLE "Why: time by cause (children sum to parent)"
/* Returns the role of a row of a page that says why. */
enum role ui_why_role(enum why_role role);
/* Appends the other programs that used an engine (struct why); data: the
 * session. */
void ui_add_other_users(
    void *data, unsigned engine, nsec from, nsec to, struct text *out);
/* Opens the page of time by cause: of engines if Engines has the focus, else of
 * the selected client or context. False: nothing is known of it. */
bool ui_open_why_time(struct ui *ui);

/* import.c */

/* NULL is ignored. */
void import_done_free(struct import_done *d);

/* dump.c */

/* Draws, and writes the screen to a file: arg is "FILE [REGION]...", a region
 * being the name of a part (layout.h); path gets the file's name without quotes,
 * whose end says the form (tui/screen/picture.h). False: err says why. */
bool ui_dump(
    struct ui *ui, const char *arg, struct text *path, struct text *err);

#endif
