/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Actions of keys and clicks. The table has one row per action; its order is that
 * of the footer, of help and of the manual. Below it, a key or a click finds
 * its row and runs it. A function for an action is in the file of its subject
 * (actions.h), or in a view.
 */
#include "tui/console/actions.h"

#include <string.h>

#include "tui/console/ui.h"

/* Arguments. */
enum { PREVIOUS = -1, NEXT = 1 };
enum { ABOVE, BELOW };
enum { SLOWER = -1, REAL_TIME, FASTER };
enum { UNDO, REDO };

static action_fn act_in_view, act_follow, act_other_source;

/* Names and keys follow htop, tig, vi and mpv where these agree; F2 to F5, F7 to
 * F9 have their meaning in htop. + and - change a priority wherever they work:
 * time is zoomed with other keys, so that a zoom in the wrong pane edits
 * nothing. */
static const struct action_row action_rows[] = {
    {"help", SCOPE_ALL, "F1 ?", "Help", "show this help", act_help, 0},
    {"settings", SCOPE_ALL, "F2 ,", NULL,
	"show the settings, and the names of actions", act_settings, 0},
    {"pause", SCOPE_ALL, "Space Z", "Pause", "pause or resume", act_pause, 0},
    {"step", SCOPE_ALL, ".", "Step", "pause, then run to the next event",
	act_step, SIM_STEP_EVENT},
    {"step-batch", SCOPE_ALL, "b", NULL,
	"pause, then run to the end of a batch", act_step, SIM_STEP_BATCH},
    {"step-iteration", SCOPE_ALL, "B", NULL,
	"pause, then run to the end of an iteration", act_step,
	SIM_STEP_ITERATION},
    {"step-back", SCOPE_ALL, "'", NULL, "pause, and go back by one event",
	act_back, SIM_STEP_EVENT},
    {"batch-back", SCOPE_ALL, "\"", NULL,
	"pause, and go back to the end of the batch before", act_back,
	SIM_STEP_BATCH},
    {"iteration-back", SCOPE_ALL, "&", NULL,
	"pause, and go back to the end of the iteration before", act_back,
	SIM_STEP_ITERATION},
    {"next-pane", SCOPE_ALL, "Tab", "Pane", "focus the next pane", act_focus,
	NEXT},
    {"previous-pane", SCOPE_ALL, "S-Tab", NULL, "focus the previous pane",
	act_focus, PREVIOUS},
    {"command", SCOPE_ALL, ":", "Command",
	"type a command (Tab completes, :help lists them)", act_command, 0},
    {"zoom", SCOPE_ALL, "z", "Zoom",
	"show only the pane with the focus, or all again", act_zoom, 0},
    {"sort-next", SCOPE_CONTEXTS, "F6 >", "Sort", "sort by the next column",
	act_in_view, ACT_SORT_NEXT},
    {"priority-down", SCOPE_CONTEXTS, "F7 -", "Pri -",
	"lower the priority by one, in the text too", act_nudge_priority, -1},
    {"priority-up", SCOPE_CONTEXTS, "F8 +", "Pri +",
	"raise the priority by one, in the text too", act_nudge_priority, 1},
    {"kill", SCOPE_CONTEXTS, "F9 x", "Kill",
	"kill the client, or the tagged ones; asks", act_kill, 0},
    {"zoom-in", SCOPE_TIMELINE, "<", "In", "show less time, in more detail",
	act_in_view, ACT_ZOOM_IN},
    {"zoom-out", SCOPE_TIMELINE, ">", "Out", "show more time", act_in_view,
	ACT_ZOOM_OUT},
    {"filter", SCOPE_ALL, "F4 \\", "Filter",
	"show only contexts, requests, or messages of the layer that contain "
	"a text",
	act_filter, 0},
    {"search", SCOPE_ALL, "F3 /", "Search", "search in the pane with the focus",
	act_search, 0},
    {"edit-line", SCOPE_DESCRIPTOR, "e Enter", "Edit",
	"edit the line in place (Tab completes)", act_edit_line, 0},
    {"follow-messages", SCOPE_LAYER, "F", "Follow",
	"follow the newest message, or hold the list", act_follow, ACT_FOLLOW},
    {"annotations", SCOPE_LAYER, "a", "List",
	"move between annotations and messages", act_in_view, ACT_OTHER_LIST},
    {"slower", SCOPE_ALL, "[", "Slower", "slow time down", act_speed, SLOWER},
    {"faster", SCOPE_ALL, "]", "Faster", "speed time up", act_speed, FASTER},
    {"real-time", SCOPE_ALL, "Backspace", NULL, "return to speed 1x", act_speed,
	REAL_TIME},
    {"restart", SCOPE_ALL, "R", "Restart", "restart at time 0", act_restart, 0},
    {"find-next", SCOPE_ALL, "n", NULL, "go to the next row with the text",
	act_find, NEXT},
    {"find-previous", SCOPE_ALL, "N", NULL,
	"go to the previous row with the text", act_find, PREVIOUS},
    {"undo", SCOPE_ALL, "u", NULL,
	"undo the last change of the descriptor shown", act_undo, UNDO},
    {"redo", SCOPE_ALL, "C-r", NULL, "redo what was undone", act_undo, REDO},
    {"changes", SCOPE_ALL, "~", NULL,
	"list edits and live changes with what each did to the figures",
	act_changes, 0},
    {"next-descriptor", SCOPE_ALL, "J", NULL, "show the next descriptor",
	act_other_source, ACT_SOURCE_NEXT},
    {"previous-descriptor", SCOPE_ALL, "K", NULL,
	"show the previous descriptor", act_other_source, ACT_SOURCE_PREV},
    {"engines", SCOPE_ALL, "1", NULL, "show the engines", act_show,
	PART_ENGINES},
    {"contexts", SCOPE_ALL, "2", NULL, "show the contexts", act_show,
	PART_CONTEXTS},
    {"requests", SCOPE_ALL, "3", NULL,
	"show the requests in flight, and those that ended last", act_show,
	PART_REQUESTS},
    {"timeline", SCOPE_ALL, "4", NULL, "show the timeline: engines over time",
	act_show, PART_TIMELINE},
    {"descriptor", SCOPE_ALL, "5", NULL, "show the descriptor", act_show,
	PART_DESCRIPTOR},
    {"layer", SCOPE_ALL, "6", NULL, "show the messages of a GPU timeline layer",
	act_show, PART_LAYER},
    {"default-panes", SCOPE_ALL, "0", NULL,
	"show the default panes for this size", act_default, 0},
    {"hide", SCOPE_ALL, "H", NULL, "hide the pane with the focus", act_hide, 0},
    {"why", SCOPE_ALL, "W", "Why",
	"explain what the selected request or a missed period waited for; in "
	"Engines and Contexts, where the time of the last windows went",
	act_why, 0},
    {"write", SCOPE_ALL, "w", "Write", "write the descriptor shown to its file",
	act_write, 0},
    {"snapshot", SCOPE_ALL, "=", NULL,
	"take a snapshot of the figures since the last change, to compare "
	"with; again: drop it",
	act_snapshot, 0},
    {"reset-totals", SCOPE_ALL, "T", NULL,
	"set totals to zero: misses, hangs, maxima count from now on",
	act_reset_totals, 0},
    {"next-miss", SCOPE_ALL, "m", NULL,
	"go to the last missed period; on the timeline to the next one",
	act_miss, NEXT},
    {"last-hang", SCOPE_ALL, "h", NULL,
	"go to the last hang, and show its error state", act_hang, 0},
    {"follow-present", SCOPE_ALL, "F", NULL,
	"return to the present, or let timeline and messages follow it",
	act_follow, ACT_FOLLOW},
    {"previous-miss", SCOPE_TIMELINE, "M", NULL,
	"go to the previous missed period", act_miss, PREVIOUS},
    {"editor", SCOPE_ALL, "E", NULL,
	"edit the whole descriptor in $VISUAL or $EDITOR", act_editor, 0},
    {"apply", SCOPE_ALL, "!", NULL,
	"run the text as it is now at once, not at the clients' next "
	"iteration",
	act_apply, 0},
    {"next-error", SCOPE_ALL, "`", NULL,
	"go to the next line of the descriptor with an error or a warning",
	act_next_error, 0},
    {"mouse", SCOPE_ALL, "C-t", NULL,
	"leave the mouse to the terminal, to select text; again: use it",
	act_mouse, 0},
    {"redraw", SCOPE_ALL, "C-l", NULL, "redraw the screen", act_redraw, 0},
    {"cancel", SCOPE_ALL, "Esc C-g", NULL,
	"leave zoom; clear a message; stop work", act_cancel, 0},
    {"quit", SCOPE_ALL, "F10 q", "Quit",
	"quit; asks first if there are unsaved edits", act_quit, UI_QUIT},
    {"interrupt", SCOPE_ALL, "C-c", NULL, "quit, as interrupted", act_quit,
	UI_INTERRUPTED},

    {"up", SCOPE_LIST, "Up k", NULL, "move up one row", act_in_view, ACT_UP},
    {"down", SCOPE_LIST, "Down j", NULL, "move down one row", act_in_view,
	ACT_DOWN},
    {"page-up", SCOPE_LIST, "PgUp C-b", NULL, "move up one page", act_in_view,
	ACT_PAGE_UP},
    {"page-down", SCOPE_LIST, "PgDn C-f", NULL, "move down one page",
	act_in_view, ACT_PAGE_DOWN},
    {"half-page-up", SCOPE_LIST, "C-u", NULL, "move up half a page",
	act_in_view, ACT_HALF_UP},
    {"half-page-down", SCOPE_LIST, "C-d", NULL, "move down half a page",
	act_in_view, ACT_HALF_DOWN},
    {"first", SCOPE_LIST, "Home g", NULL, "go to the first row", act_in_view,
	ACT_FIRST},
    {"last", SCOPE_LIST, "End G", NULL, "go to the last row", act_in_view,
	ACT_LAST},

    {"sort-previous", SCOPE_CONTEXTS, "<", NULL, "sort by the previous column",
	act_in_view, ACT_SORT_PREV},
    {"sort-invert", SCOPE_CONTEXTS, "I", NULL, "reverse the order", act_in_view,
	ACT_SORT_INVERT},
    {"sort-client", SCOPE_CONTEXTS, "C", NULL, "sort by client and context",
	act_in_view, ACT_SORT_CLIENT},
    {"sort-busy", SCOPE_CONTEXTS, "P", NULL, "sort by busy", act_in_view,
	ACT_SORT_BUSY},
    {"sort-latency", SCOPE_CONTEXTS, "L", NULL, "sort by latency", act_in_view,
	ACT_SORT_LATENCY},
    {"sort-misses", SCOPE_CONTEXTS, "M", NULL, "sort by missed periods",
	act_in_view, ACT_SORT_MISSES},

    {"tag", SCOPE_CONTEXTS, "v Insert", NULL,
	"tag or untag the context, and move down", act_in_view, ACT_TAG},
    {"untag-all", SCOPE_CONTEXTS, "U", NULL, "remove all tags", act_in_view,
	ACT_UNTAG_ALL},
    {"tree", SCOPE_CONTEXTS, "F5 t", "Tree",
	"show contexts below their clients, or as one list", act_in_view,
	ACT_TREE},
    {"collapse", SCOPE_CONTEXTS, "c", "Collapse",
	"show equal clients as one row for each context, or each client",
	act_in_view, ACT_CROWDS},
    {"fold", SCOPE_CONTEXTS, "Left", NULL,
	"hide the contexts of the client, or of equal clients", act_in_view,
	ACT_FOLD},
    {"unfold", SCOPE_CONTEXTS, "Right", NULL, "show them", act_in_view,
	ACT_UNFOLD},
    {"toggle-fold", SCOPE_CONTEXTS, "Enter", NULL, "show or hide them",
	act_in_view, ACT_TOGGLE_FOLD},
    {"follow", SCOPE_CONTEXTS, "F", NULL,
	"keep the cursor on its context, or on its row; if the timeline shows "
	"the past, return to the present first",
	act_follow, ACT_FOLLOW},
    {"hide-idle", SCOPE_CONTEXTS, "i", NULL, "hide idle contexts, or show them",
	act_in_view, ACT_HIDE_IDLE},
    {"earlier", SCOPE_TIMELINE, "Left", "Earlier",
	"move the cursor back one column", act_in_view, ACT_LEFT},
    {"later", SCOPE_TIMELINE, "Right", "Later",
	"move the cursor on one column; at the end it follows the present",
	act_in_view, ACT_RIGHT},
    {"previous-block", SCOPE_TIMELINE, "(", NULL,
	"go to the start of the previous block on this engine", act_in_view,
	ACT_BLOCK_PREV},
    {"next-block", SCOPE_TIMELINE, ")", NULL,
	"go to the start of the next block", act_in_view, ACT_BLOCK_NEXT},
    {"follow-time", SCOPE_TIMELINE, "F", "Follow", "follow the present",
	act_follow, ACT_FOLLOW},
    {"why-block", SCOPE_TIMELINE, "Enter", NULL, "the same as W", act_why, 0},
    {"classes", SCOPE_ENGINES, "c", "Classes",
	"show each engine, or one row per class", act_in_view, ACT_CLASSES},

    {"by-engine", SCOPE_REQUESTS, "F6 >", NULL, "sort by age, or by engine",
	act_in_view, ACT_SORT_REQUESTS},
    {"hide-done", SCOPE_REQUESTS, "i", "Done",
	"hide completed requests, or show the last of them", act_in_view,
	ACT_HIDE_DONE},

    {"follow-client", SCOPE_DESCRIPTOR, "F", NULL,
	"keep the cursor on the selected client's step, or stop; if the "
	"timeline shows the past, return to the present first",
	act_follow, ACT_FOLLOW},
    {"open-below", SCOPE_DESCRIPTOR, "o", NULL, "insert a line below",
	act_open_line, BELOW},
    {"open-above", SCOPE_DESCRIPTOR, "O", NULL, "insert a line above",
	act_open_line, ABOVE},
    {"delete-line", SCOPE_DESCRIPTOR, "d", NULL,
	"delete the line; asks if others refer to it", act_delete_line, 0},
    {"copy-line", SCOPE_DESCRIPTOR, "y", NULL, "copy the line", act_copy_line,
	0},
    {"paste-below", SCOPE_DESCRIPTOR, "p", NULL,
	"paste the line copied or deleted last below", act_paste_line, BELOW},
    {"paste-above", SCOPE_DESCRIPTOR, "P", NULL,
	"paste the line copied or deleted last above", act_paste_line, ABOVE},
    {"move-up", SCOPE_DESCRIPTOR, "{", NULL,
	"move the line up; references keep their steps", act_move_line,
	PREVIOUS},
    {"move-down", SCOPE_DESCRIPTOR, "}", NULL, "move the line down",
	act_move_line, NEXT},
    {"add-client", SCOPE_CONTEXTS, "a", NULL,
	"launch one more client of this descriptor", act_add_client, 0},
    {"restart-client", SCOPE_CONTEXTS, "r", NULL,
	"kill the client, and launch it anew", act_restart_client, 0},
    {"priority", SCOPE_CONTEXTS, "p", NULL, "type a priority", act_ask_tweak,
	TWEAK_PRIORITY},
    {"slice-mask", SCOPE_CONTEXTS, "S", NULL, "type a slice mask",
	act_ask_tweak, TWEAK_SSEU},
    {"preemption", SCOPE_CONTEXTS, "X", NULL, "type a preemption period",
	act_ask_tweak, TWEAK_PREEMPTION},
    {"shorter", SCOPE_CONTEXTS, "(", NULL,
	"make the context's batches 10 % shorter, in the text too", act_scale,
	EDIT_SHORTER},
    {"longer", SCOPE_CONTEXTS, ")", NULL,
	"make them 11 % longer, which takes ( back", act_scale, EDIT_LONGER},

    {"line-priority-down", SCOPE_DESCRIPTOR, "-", NULL,
	"lower the priority of the line's context by one", act_nudge_priority,
	-1},
    {"line-priority-up", SCOPE_DESCRIPTOR, "+", NULL,
	"raise the priority of the line's context by one", act_nudge_priority,
	1},
    {"line-slice-mask", SCOPE_DESCRIPTOR, "S", NULL,
	"type a slice mask for the line's context", act_ask_tweak, TWEAK_SSEU},
    {"line-preemption", SCOPE_DESCRIPTOR, "X", NULL,
	"type a preemption period for the line's context", act_ask_tweak,
	TWEAK_PREEMPTION},
    {"line-shorter", SCOPE_DESCRIPTOR, "(", NULL, "make the step 10 % shorter",
	act_scale, EDIT_SHORTER},
    {"line-longer", SCOPE_DESCRIPTOR, ")", NULL,
	"make the step 11 % longer, which takes ( back", act_scale,
	EDIT_LONGER},
    {"line-duration", SCOPE_DESCRIPTOR, "D", NULL, "type a duration",
	act_duration, 0},
    {"left", SCOPE_DESCRIPTOR, "Left", NULL, "scroll left", act_in_view,
	ACT_LEFT},
    {"right", SCOPE_DESCRIPTOR, "Right", NULL, "scroll right", act_in_view,
	ACT_RIGHT},

    {"message-left", SCOPE_LAYER, "Left", NULL, "scroll the messages left",
	act_in_view, ACT_LEFT},
    {"message-right", SCOPE_LAYER, "Right", NULL, "scroll the messages right",
	act_in_view, ACT_RIGHT},
    {"message-json", SCOPE_LAYER, "Enter", NULL,
	"show all fields of the message, as JSON", act_message, 0},

    {"close", SCOPE_PAGE, "q Esc Enter C-g", "Close", "close the page",
	act_close, 0},
};

const struct action_table console_actions = {
    .rows = action_rows,
    .n = sizeof(action_rows) / sizeof(*action_rows),
    .needed = "quit",
    .fixed = "interrupt",
};

static void
act_in_part(struct ui *ui, enum part part, enum action action)
{
	struct view_env env = ui_env(ui, part);
	struct view *v = ui->views[part];

	if (v->ops->act != NULL)
		v->ops->act(v, &env, action);
}

/* An action of the page over the panes, or of the view with the focus. */
static void
act_in_view(struct ui *ui, int action)
{
	if (ui->page != NULL) {
		list_act(&ui->page->list, (enum action)action);
		return;
	}
	if (action <= ACT_RIGHT)
		ui->selection.miss = 0; /* the cursor moves */
	act_in_part(ui, ui->focus, (enum action)action);
}

/* Another descriptor is shown, whichever view has the focus. */
static void
act_other_source(struct ui *ui, int action)
{
	if (ui->page == NULL)
		act_in_part(ui, PART_DESCRIPTOR, (enum action)action);
}

/* Returns to the present, if a view shows the past: the pane's own title says
 * so, other panes need a message. Else the view has a meaning of its own. */
static void
act_follow(struct ui *ui, int action)
{
	if (ui->page == NULL && ui_return_to_present(ui))
		return;
	if (ui->page != NULL || !ui_follow_present(ui))
		act_in_view(ui, action);
	else if (ui->views[ui->focus]->ops->follow == NULL)
		ui_say(ui, ROLE_NORMAL, "following the present");
}

void
ui_act(struct ui *ui, action_fn *run, int arg)
{
	ui_follow_launches(ui);
	anchor_follow(ui);
	run(ui, arg);
	anchor_follow(ui);
}

/* A key of other panes only: says which. */
static void
say_where_key_works(struct ui *ui, int code)
{
	const struct keymap *m = &ui->settings->keymap;
	const char *help = keymap_keys(
	    m, action_find(&console_actions, "help"));
	const char *last = strrchr(help, ' ');
	struct text said = {0};

	if (!keymap_add_elsewhere(m, code, &said)) {
		key_print(code, &said);
		text_adds(&said, ": no such key");
		if (*help != 0)
			text_addf(&said, " (%s lists them)",
			    last != NULL ? last + 1 : help);
	}
	ui_say(ui, ROLE_NORMAL, "%s", text_str(&said));
	text_free(&said);
}

void
ui_key(struct ui *ui, int code)
{
	bool page = ui->page != NULL && !ui->layout.too_small;
	const struct action_row *action;

	if (ui_question_key(ui, code))
		return;
	action = keymap_find(&ui->settings->keymap, code,
	    ui->views[ui->focus]->ops->scope, page);

	/* A message stays while a command is typed, so that :dump can show
	 * it. */
	if (action == NULL || action->run != act_command)
		text_clear(&ui->message);
	if (action != NULL)
		ui_act(ui, action->run, action->arg);
	else if (!page && !ui->layout.too_small)
		say_where_key_works(ui, code);
}

/* Two clicks at one place within this time are Enter. */
#define DOUBLE_NS (400 * NSEC_PER_MSEC)

static enum mouse
mouse_of(int code)
{
	return code == KEY_WHEEL_UP  ? MOUSE_WHEEL_UP
	    : code == KEY_WHEEL_DOWN ? MOUSE_WHEEL_DOWN
				     : MOUSE_CLICK;
}

static bool
is_in(const struct rect *r, const struct key_press *key)
{
	return key->x >= r->x && key->x < r->x + r->w && key->y >= r->y &&
	    key->y < r->y + r->h;
}

static bool
is_double_click(struct ui *ui, const struct key_press *key)
{
	bool again = ui->click.at != 0 && ui->click.x == key->x &&
	    ui->click.y == key->y && ui->now - ui->click.at < DOUBLE_NS;

	ui->click.at = again ? 0 : ui->now;
	ui->click.x = key->x;
	ui->click.y = key->y;
	return again;
}

static void
click_footer(struct ui *ui, const struct key_press *key)
{
	const struct rect *r = &ui->layout.parts[PART_FOOTER];
	const struct action_row *action = footer_key_at(ui, key->x);

	text_clear(&ui->message);
	if (key->y == r->y + r->h - 1 && action != NULL)
		ui_act(ui, action->run, action->arg);
}

/* The first click selects, and may move rows as its pane gets more room. The
 * second acts on what is selected, wherever that is now. */
static void
mouse_in_pane(struct ui *ui, enum part part, const struct key_press *key)
{
	const struct rect *r = &ui->layout.parts[part];
	enum mouse what = mouse_of(key->code);
	struct view *v = ui->views[part];
	struct view_env env;
	bool again = what == MOUSE_CLICK && is_double_click(ui, key);

	if (what == MOUSE_CLICK) {
		text_clear(&ui->message);
		if (part == ui->focus && key->y > r->y && again) {
			ui_key(ui, KEY_ENTER_CODE);
			return;
		}
		ui->focus = part;
	}
	env = ui_env(ui, part);
	if (what == MOUSE_CLICK && key->y > r->y)
		ui->selection.miss = 0;
	if (v->ops->mouse != NULL)
		v->ops->mouse(v, &env, key->x - r->x, key->y - r->y, what);
}

void
ui_mouse(struct ui *ui, const struct key_press *key)
{
	const struct layout *l = &ui->layout;
	bool click = key->code == KEY_CLICK;

	if (l->too_small || ui->question.answers != NULL)
		return;
	ui_follow_launches(ui);
	if (is_in(&l->parts[PART_FOOTER], key) && click) {
		click_footer(ui, key);
		return;
	}
	if (ui->page != NULL) {
		if (!click)
			list_mouse(&ui->page->list, 0, mouse_of(key->code));
		return;
	}
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (layout_shows(l, p) && is_in(&l->parts[p], key)) {
			mouse_in_pane(ui, p, key);
			return;
		}
}
