/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The person's side: which view has the focus, what is open, what was said.
 * Turns keys into actions and the session into a screen. Knows no terminal.
 */
#ifndef TUI_UI_H
#define TUI_UI_H

#include <stdbool.h>

#include "parser/text.h"
#include "tui/input/prompt.h"
#include "tui/screen/layout.h"
#include "tui/screen/screen.h"
#include "tui/session/session.h"
#include "tui/views/page.h"
#include "tui/views/view.h"

enum ui_leave { UI_STAY, UI_QUIT, UI_INTERRUPTED };

struct ui {
	struct session *session;
	struct screen screen;
	struct layout layout;
	struct view *views[N_PARTS]; /* NULL: the footer */
	enum part focus;
	bool zoom;
	struct selection selection;
	uint64_t generation; /* of the run that views know */
	struct page *page;   /* over the panes; NULL */
	struct text message; /* instead of the footer; "": none */
	enum role message_role;
	double delay; /* seconds between frames */

	/* What the loop has to do. */
	enum ui_leave leave;
	bool wants_prompt;
	bool wants_redraw; /* the terminal's contents are in doubt */
};

void ui_init(struct ui *ui, struct session *session, bool unicode);
void ui_free(struct ui *ui);

void ui_resize(struct ui *ui, int cols, int rows);
void ui_key(struct ui *ui, int code, nsec wall);
void ui_act(struct ui *ui, enum action action, nsec wall);
/* A tick of the screen: time has moved on. */
void ui_tick(struct ui *ui, nsec wall);
/* Draws a frame; prompt is NULL when none is open. */
void ui_draw(struct ui *ui, const struct ui_prompt *prompt);

/* On the last line, until the next key. */
void ui_say(struct ui *ui, enum role role, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* An error: on the last line, or on a page if it has several. */
void ui_say_error(struct ui *ui, const char *title, const struct text *err);
void ui_open_page(struct ui *ui, struct page *page);

/* footer.c */
void footer_draw(
    const struct ui *ui, struct area *a, const struct ui_prompt *prompt);

#endif
