/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The person's side: which view has the focus, what is open, what was said.
 * Turns keys into actions and the session into a screen. Knows no terminal.
 */
#ifndef TUI_CONSOLE_UI_H
#define TUI_CONSOLE_UI_H

#include <stdbool.h>

#include "base/text.h"
#include "parser/diag.h"
#include "run/live/session.h"
#include "run/live/tweak.h"
#include "tui/input/commands.h"
#include "tui/input/complete.h"
#include "tui/input/prompt.h"
#include "tui/screen/layout.h"
#include "tui/screen/screen.h"
#include "tui/settings/settings.h"
#include "tui/views/page.h"
#include "tui/views/selection.h"
#include "tui/views/view.h"

struct anchor {
	const void *document;
	size_t source, line;
	uint32_t identity; /* of the line; 0: none */
	uint64_t revision; /* of the document then */
};

struct line_edit {
	struct line_draft draft;
	struct step_scene scene; /* for completion */
	struct diag_list diags;
	size_t from; /* the line where the cursor was before */
};

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
	nsec delay; /* between frames */
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
void ui_open_line(struct ui *ui, const struct ui_line *line, const char *text,
    const void *scene);
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

/* The cursor is meant to be where it is now. */
void anchor_set(struct ui *ui);
/* If only the document has changed, the cursor goes where its line has gone.
 * It is on a line, if there is any, though nobody may have drawn it yet. */
void anchor_follow(struct ui *ui);

/* The line with the cursor. */
void line_edit_open(struct ui *ui);
/* A new one, that is to stand before line at (== their number: at the end). */
void line_edit_open_new(struct ui *ui, size_t at);
void line_edit_free(struct line_edit *edit);
/* NULL: no line of a descriptor is being typed. */
const struct line_draft *line_edit_draft(const struct ui *ui);

/* Which panes are on the screen: shown, hidden, walked through. The pane with
 * the focus always is. */

/* Renews ui->layout. */
void arrange(struct ui *ui);
/* Shows a pane and gives it the focus; where there is no room for one more,
 * the least important goes. A page over the panes is closed. */
void arrange_show(struct ui *ui, enum part part);
/* False: it is the last. */
bool arrange_hide_focused(struct ui *ui);
/* These panes and no others, as far as there is room; first has the focus. */
void arrange_set(struct ui *ui, unsigned shown, enum part first);
/* As the size has it. */
void arrange_default(struct ui *ui);
/* The focus goes on by places. */
void arrange_walk(struct ui *ui, int by);

/*
 * What keys do: a file act_*.c per group, each with a table from actions to
 * functions, which ends with ACT_NONE. What concerns one view only is done
 * there (view.h).
 */

/* wall: the time of the key. */
typedef void act_fn(struct ui *ui, nsec wall);

struct act_row {
	enum action action;
	act_fn *act;
};

extern const struct act_row act_compare[]; /* snapshot */
extern const struct act_row act_find[];    /* search, filter */
extern const struct act_row act_run[];     /* time: pause, speed, restart */
extern const struct act_row act_why_and_misses[];
extern const struct act_row act_edit[];   /* lines of a descriptor */
extern const struct act_row act_files[];  /* writing, leaving */
extern const struct act_row act_screen[]; /* focus, zoom, pages, leaving */
extern const struct act_row act_launch[]; /* clients come and go */
extern const struct act_row act_tweak[];  /* priorities ..., undo */

/* What follows an edit, whoever made it. */

/* The document that is shown was edited, the cursor belongs on this line now.
 * Its clients get it, at once or at their next iteration, and what came of it
 * is said. */
void document_edited(struct ui *ui, size_t line, bool at_once);

/*
 * Documents and their files, as far as a person has a say in it: what writing,
 * leaving and finding things changed ask, and what comes of the answers.
 */

/* Writes the shown descriptor to path ("": its own), then quits if wanted.
 * forced: over what is there. */
void files_write(
    struct ui *ui, const char *path, bool forced, bool quit, nsec wall);
/* All that have unsaved edits. */
void files_write_all(struct ui *ui, nsec wall);
/* The shown one again from its file. */
void files_reread(struct ui *ui, nsec wall);
/* The document of a source was edited by what is done here. */
void files_edited(struct ui *ui, size_t source);

/* Leaves, or asks if there are unsaved edits. */
void files_quit(struct ui *ui, enum ui_leave leave, nsec wall);

/* Says which file somebody else has changed; looks once a second. */
void files_watch(struct ui *ui, nsec wall);

/* recover.c: offers what was left of the sources from that one on, one after
 * another; what was kept for later is only told of. */
void files_offer_from(struct ui *ui, size_t source, nsec wall);
/* Goes on with that. */
void files_offer(struct ui *ui, nsec wall);
/* All that was left of the shown descriptor, kept for later or not. */
bool files_recover(struct ui *ui, nsec wall, struct text *err);

/* differ.c: a page of what the file and the document have not in common. */
struct page *files_difference(const struct source *s, struct text *err);
/* The same of the document and what was left of it. */
struct page *files_difference_left(
    const struct source *s, const struct recovered *left);

/* Clients launched and killed, as keys and commands do it. */

/* Opens a file as one more descriptor, with n clients, and shows it. One that
 * is open gets n more clients if more is true. False: err says why not. */
bool launch_file(struct ui *ui, const char *path, uint32_t n, bool more,
    nsec wall, struct text *err);
/* n more clients of the descriptor that is shown. */
bool launch_shown(struct ui *ui, uint32_t n, struct text *err);
/* If the source waits: says why. False: it does not. */
bool launch_say_waiting(struct ui *ui, size_t source);
/* Says that it waits no more. */
void launch_say_started(struct ui *ui, size_t source);
/* Asks whether that client is to be killed; ended ones: err says so. */
bool launch_ask_kill(struct ui *ui, uint32_t client, struct text *err);

/* What a tweak is for: the step under the descriptor's cursor, the contexts
 * that are tagged, or the one that is selected. */

struct targets {
	struct tweak_target *list;
	size_t n, cap;
};

/* False: there is none, and err says why. Free with targets_free. */
bool targets_find(struct ui *ui, enum tweak_kind kind, struct targets *targets,
    struct text *err);
/* Those that are tagged or selected, whatever has the focus. */
bool targets_contexts(struct ui *ui, struct targets *targets, struct text *err);
/* The context that is called so: of the selected client, or of the descriptor
 * that is shown, or of any. */
bool targets_number(
    struct ui *ui, uint32_t context, struct targets *targets, struct text *err);
/* Can the person see what is selected, where no tags say what is meant? Not
 * while the table leaves it out and nothing else shows it. False: err. */
bool targets_selected(struct ui *ui, struct text *err);
void targets_free(struct targets *targets);

/* Where something was changed is shown, and can be undone; but the cursor of
 * who works in the descriptor stays. */
void targets_show(struct ui *ui, const struct tweak_place *place);
/* One tweak of targets, told. */
void targets_tweak(
    struct ui *ui, const struct tweak *tweak, const struct targets *targets);

/*
 * What commands do: a file cmd_*.c per group, each with a table from commands
 * (input/commands.h) to functions, which ends with N_COMMANDS.
 */

/* arg: "" if there is none. wall: the time of the key that entered it. False:
 * err says why. */
typedef bool command_fn(
    struct ui *ui, const char *arg, nsec wall, struct text *err);

struct command_row {
	enum command command;
	command_fn *run;
};

extern const struct command_row commands_of_files[];
extern const struct command_row commands_of_run[];
extern const struct command_row commands_of_screen[];
extern const struct command_row commands_of_table[];
extern const struct command_row commands_of_settings[];
extern const struct command_row commands_of_tweaks[];
extern const struct command_row commands_of_launches[];
extern const struct command_row commands_of_comparing[];
extern const struct command_row commands_of_layer[];

/* The prompt that commands are typed at. */
extern const struct ui_line command_line;

/* A line as it was typed after the colon; says what came of it. */
void execute(struct ui *ui, const char *typed, nsec wall);

/* The prompt that commands are typed at (tui/input/commands.h), and what may be
 * said there: settings, their values and actions among it. */

extern const struct prompt_kind command_prompt;

/*
 * The i-th completion of word, the argument-th word (0: the command itself)
 * of line; NULL after the last. Good until the next call. Profiles that
 * are files are not completed here.
 */
const char *command_complete(
    const char *line, const char *word, size_t argument, unsigned i);

#endif
