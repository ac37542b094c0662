/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See keys.h. Names and places follow htop, tig, vi and mpv where they agree;
 * + - and F2 to F5, F7 to F9 are kept for what htop has there. */
#include "tui/input/keys.h"

#include <stdlib.h>
#include <string.h>

#include "base/text.h"

const char *const scope_names[N_SCOPES] = {
    [SCOPE_ALL] = "Everywhere",
    [SCOPE_LIST] = "In the pane with the focus",
    [SCOPE_ENGINES] = "Engines",
    [SCOPE_CONTEXTS] = "Contexts",
    [SCOPE_FENCES] = "Fences",
    [SCOPE_TIMELINE] = "Timeline",
    [SCOPE_DESCRIPTOR] = "Descriptor",
    [SCOPE_LAYER] = "Layer",
    [SCOPE_PAGE] = "On a page like this one",
};

const struct key_row key_rows[] = {
    {ACT_HELP, "help", SCOPE_ALL, "F1 ? h", "Help", "this list"},
    {ACT_SETTINGS, "settings", SCOPE_ALL, "F2 ,", NULL,
	"the settings, and the names of keys' actions"},
    {ACT_PAUSE, "pause", SCOPE_ALL, "Space Z", "Pause", "pause, go on"},
    {ACT_STEP_EVENT, "step", SCOPE_ALL, ".", "Step",
	"pause, and go on to the next event"},
    {ACT_STEP_BATCH, "step-batch", SCOPE_ALL, "b", NULL,
	"pause, and go on to the end of a batch"},
    {ACT_STEP_ITERATION, "step-iteration", SCOPE_ALL, "B", NULL,
	"pause, and go on to the end of an iteration"},
    {ACT_FOCUS_NEXT, "next-pane", SCOPE_ALL, "Tab", "Pane",
	"focus on the next pane"},
    {ACT_FOCUS_PREV, "previous-pane", SCOPE_ALL, "S-Tab", NULL,
	"focus on the pane before"},
    {ACT_COMMAND, "command", SCOPE_ALL, ":", "Command",
	"type a command (Tab completes, :help lists them)"},
    {ACT_ZOOM, "zoom", SCOPE_ALL, "z", "Zoom",
	"give the pane with the focus all the room, or take it back"},
    {ACT_SORT_NEXT, "sort-next", SCOPE_CONTEXTS, "F6 >", "Sort",
	"sort by the next column"},
    {ACT_PRIORITY_DOWN, "priority-down", SCOPE_CONTEXTS, "F7 -", "Pri -",
	"priority one down, in the text too"},
    {ACT_PRIORITY_UP, "priority-up", SCOPE_CONTEXTS, "F8 +", "Pri +",
	"priority one up, in the text too"},
    {ACT_KILL, "kill", SCOPE_CONTEXTS, "F9 x", "Kill",
	"kill the client, or those tagged; asks"},
    {ACT_FILTER, "filter", SCOPE_ALL, "F4 \\", "Filter",
	"show only contexts, or messages of the layer, that have a text"},
    {ACT_SEARCH, "search", SCOPE_ALL, "F3 /", "Search",
	"look for a text in the pane with the focus"},
    {ACT_EDIT_LINE, "edit-line", SCOPE_DESCRIPTOR, "e Enter", "Edit",
	"edit the line in its place (Tab completes)"},
    {ACT_FOLLOW, "follow-messages", SCOPE_LAYER, "F", "Follow",
	"follow the newest message, or stand"},
    {ACT_OTHER_LIST, "annotations", SCOPE_LAYER, "a", "List",
	"the cursor goes to the annotations, or to the messages"},
    {ACT_SLOWER, "slower", SCOPE_ALL, "[", "Slower", "let time pass slower"},
    {ACT_FASTER, "faster", SCOPE_ALL, "]", "Faster", "let time pass faster"},
    {ACT_REAL_TIME, "real-time", SCOPE_ALL, "Backspace", NULL,
	"real time again: speed 1x"},
    {ACT_RESTART, "restart", SCOPE_ALL, "R", "Restart",
	"start again at time 0"},
    {ACT_FIND_NEXT, "find-next", SCOPE_ALL, "n", NULL,
	"to the next row with the text"},
    {ACT_FIND_PREV, "find-previous", SCOPE_ALL, "N", NULL,
	"to the row before with the text"},
    {ACT_UNDO, "undo", SCOPE_ALL, "u", NULL,
	"undo the last change of the descriptor that is shown"},
    {ACT_REDO, "redo", SCOPE_ALL, "C-r", NULL, "redo what was undone"},
    {ACT_SOURCE_NEXT, "next-descriptor", SCOPE_ALL, "J", NULL,
	"show the next descriptor"},
    {ACT_SOURCE_PREV, "previous-descriptor", SCOPE_ALL, "K", NULL,
	"show the descriptor before"},
    {ACT_SHOW_ENGINES, "engines", SCOPE_ALL, "1", NULL, "show the engines"},
    {ACT_SHOW_CONTEXTS, "contexts", SCOPE_ALL, "2", NULL, "show the contexts"},
    {ACT_SHOW_FENCES, "fences", SCOPE_ALL, "3", NULL,
	"show the fences: all requests in flight"},
    {ACT_SHOW_TIMELINE, "timeline", SCOPE_ALL, "4", NULL,
	"show the timeline: engines against time"},
    {ACT_SHOW_DESCRIPTOR, "descriptor", SCOPE_ALL, "5", NULL,
	"show the descriptor"},
    {ACT_SHOW_LAYER, "layer", SCOPE_ALL, "6", NULL,
	"show what a GPU timeline layer says"},
    {ACT_SHOW_DEFAULT, "default-panes", SCOPE_ALL, "0", NULL,
	"show the panes that fit the screen best"},
    {ACT_HIDE, "hide", SCOPE_ALL, "H", NULL, "hide the pane with the focus"},
    {ACT_WHY, "why", SCOPE_ALL, "W", "Why",
	"what the selected request, or a missed period, waited for"},
    {ACT_WRITE, "write", SCOPE_ALL, "w", "Write",
	"write the shown descriptor to its file"},
    {ACT_SNAPSHOT, "snapshot", SCOPE_ALL, "=", NULL,
	"keep the figures since the last change, to compare those of now with; forget them"},
    {ACT_MISS_NEXT, "next-miss", SCOPE_ALL, "m", NULL,
	"go to the last missed period; in the past, to the one after it"},
    {ACT_FOLLOW, "follow-present", SCOPE_ALL, "F", NULL,
	"what stands in the past, timeline or messages, follows the present"},
    {ACT_MISS_PREV, "previous-miss", SCOPE_TIMELINE, "M", NULL,
	"go to the missed period before"},
    {ACT_EDITOR, "editor", SCOPE_ALL, "E", NULL,
	"edit all of the descriptor in $VISUAL or $EDITOR"},
    {ACT_APPLY, "apply", SCOPE_ALL, "!", NULL,
	"the clients run the text as it is now at once, not at their next "
	"iteration"},
    {ACT_MOUSE, "mouse", SCOPE_ALL, "C-t", NULL,
	"leave the mouse to the terminal, to select text; or take it back"},
    {ACT_REDRAW, "redraw", SCOPE_ALL, "C-l", NULL, "draw the screen anew"},
    {ACT_CANCEL, "cancel", SCOPE_ALL, "Esc", NULL,
	"leave zoom; forget a message; stop work"},
    {ACT_QUIT, "quit", SCOPE_ALL, "F10 q", "Quit",
	"quit; asks if there are unsaved edits"},
    {ACT_INTERRUPT, "interrupt", SCOPE_ALL, "C-c", NULL,
	"quit, as interrupted"},

    {ACT_UP, "up", SCOPE_LIST, "Up k", NULL, "one row up"},
    {ACT_DOWN, "down", SCOPE_LIST, "Down j", NULL, "one row down"},
    {ACT_PAGE_UP, "page-up", SCOPE_LIST, "PgUp C-b", NULL, "a page up"},
    {ACT_PAGE_DOWN, "page-down", SCOPE_LIST, "PgDn C-f", NULL, "a page down"},
    {ACT_FIRST, "first", SCOPE_LIST, "Home g", NULL, "to the first row"},
    {ACT_LAST, "last", SCOPE_LIST, "End G", NULL, "to the last row"},

    {ACT_SORT_PREV, "sort-previous", SCOPE_CONTEXTS, "<", NULL,
	"sort by the column before"},
    {ACT_SORT_INVERT, "sort-invert", SCOPE_CONTEXTS, "I", NULL,
	"invert the order"},
    {ACT_SORT_CLIENT, "sort-client", SCOPE_CONTEXTS, "C", NULL,
	"sort by client and context"},
    {ACT_SORT_BUSY, "sort-busy", SCOPE_CONTEXTS, "P", NULL, "sort by busy"},
    {ACT_SORT_LATENCY, "sort-latency", SCOPE_CONTEXTS, "L", NULL,
	"sort by latency"},
    {ACT_SORT_MISSES, "sort-misses", SCOPE_CONTEXTS, "M", NULL,
	"sort by missed periods"},

    {ACT_TAG, "tag", SCOPE_CONTEXTS, "v Insert", NULL,
	"tag the context, or take its tag off, and go down"},
    {ACT_UNTAG_ALL, "untag-all", SCOPE_CONTEXTS, "U", NULL,
	"take off all tags"},
    {ACT_TREE, "tree", SCOPE_CONTEXTS, "F5 t", "Tree",
	"contexts below their clients, or all alike"},
    {ACT_FOLD, "fold", SCOPE_CONTEXTS, "Left", NULL,
	"tree: show the client without its contexts"},
    {ACT_UNFOLD, "unfold", SCOPE_CONTEXTS, "Right", NULL,
	"tree: show the contexts of the client"},
    {ACT_FOLLOW, "follow", SCOPE_CONTEXTS, "F", NULL,
	"the cursor stays with its context, or on its row; if the timeline "
	"stands in the past, that follows the present first"},
    {ACT_HIDE_IDLE, "hide-idle", SCOPE_CONTEXTS, "i", NULL,
	"hide contexts that do nothing, or show them"},
    {ACT_LEFT, "earlier", SCOPE_TIMELINE, "Left", "Earlier",
	"the cursor one column back in time"},
    {ACT_RIGHT, "later", SCOPE_TIMELINE, "Right", "Later",
	"the cursor one column on; at the end it follows the present"},
    {ACT_BLOCK_PREV, "previous-block", SCOPE_TIMELINE, "(", NULL,
	"to the start of the block before, on this engine"},
    {ACT_BLOCK_NEXT, "next-block", SCOPE_TIMELINE, ")", NULL,
	"to the start of the next block"},
    {ACT_ZOOM_IN, "zoom-in", SCOPE_TIMELINE, "+", "In",
	"see less time, closer"},
    {ACT_ZOOM_OUT, "zoom-out", SCOPE_TIMELINE, "-", "Out", "see more time"},
    {ACT_FOLLOW, "follow-time", SCOPE_TIMELINE, "F", "Follow",
	"follow the present"},
    {ACT_WHY, "why-block", SCOPE_TIMELINE, "Enter", NULL, "as W"},
    {ACT_CLASSES, "classes", SCOPE_ENGINES, "c", "Classes",
	"engines one by one, or those of a class together"},

    {ACT_SORT_FENCES, "by-engine", SCOPE_FENCES, "F6 >", NULL,
	"sort by age, or by engine"},
    {ACT_HIDE_DONE, "hide-done", SCOPE_FENCES, "i", "Done",
	"hide those that are done, or show the last of them"},

    {ACT_OPEN_BELOW, "open-below", SCOPE_DESCRIPTOR, "o", NULL,
	"type a new line below"},
    {ACT_OPEN_ABOVE, "open-above", SCOPE_DESCRIPTOR, "O", NULL,
	"type a new line above"},
    {ACT_DELETE_LINE, "delete-line", SCOPE_DESCRIPTOR, "d", NULL,
	"delete the line; asks if others refer to it"},
    {ACT_COPY_LINE, "copy-line", SCOPE_DESCRIPTOR, "y", NULL, "copy the line"},
    {ACT_PASTE_BELOW, "paste-below", SCOPE_DESCRIPTOR, "p", NULL,
	"paste what was copied or deleted, below"},
    {ACT_PASTE_ABOVE, "paste-above", SCOPE_DESCRIPTOR, "P", NULL,
	"paste what was copied or deleted, above"},
    {ACT_MOVE_UP, "move-up", SCOPE_DESCRIPTOR, "{", NULL,
	"move the line up; references go on meaning the same steps"},
    {ACT_MOVE_DOWN, "move-down", SCOPE_DESCRIPTOR, "}", NULL,
	"move the line down"},
    {ACT_ADD_CLIENT, "add-client", SCOPE_CONTEXTS, "a", NULL,
	"one more client like this one"},
    {ACT_RESTART_CLIENT, "restart-client", SCOPE_CONTEXTS, "r", NULL,
	"kill the client, and begin it anew"},
    {ACT_PRIORITY, "priority", SCOPE_CONTEXTS, "p", NULL, "type a priority"},
    {ACT_SSEU, "slice-mask", SCOPE_CONTEXTS, "S", NULL, "type a slice mask"},
    {ACT_PREEMPTION, "preemption", SCOPE_CONTEXTS, "X", NULL,
	"type a preemption period"},
    {ACT_SHORTER, "shorter", SCOPE_CONTEXTS, "(", NULL,
	"batches of the context 10 % shorter, in the text too"},
    {ACT_LONGER, "longer", SCOPE_CONTEXTS, ")", NULL,
	"the same longer, by 11 %: that takes ( back"},

    {ACT_PRIORITY_DOWN, "line-priority-down", SCOPE_DESCRIPTOR, "-", NULL,
	"priority of the line's context one down"},
    {ACT_PRIORITY_UP, "line-priority-up", SCOPE_DESCRIPTOR, "+", NULL,
	"priority of the line's context one up"},
    {ACT_SSEU, "line-slice-mask", SCOPE_DESCRIPTOR, "S", NULL,
	"type a slice mask for the line's context"},
    {ACT_PREEMPTION, "line-preemption", SCOPE_DESCRIPTOR, "X", NULL,
	"type a preemption period for the line's context"},
    {ACT_SHORTER, "line-shorter", SCOPE_DESCRIPTOR, "(", NULL,
	"duration of the step 10 % shorter"},
    {ACT_LONGER, "line-longer", SCOPE_DESCRIPTOR, ")", NULL,
	"duration of the step 11 % longer: that takes ( back"},
    {ACT_DURATION, "line-duration", SCOPE_DESCRIPTOR, "D", NULL,
	"type a duration"},
    {ACT_LEFT, "left", SCOPE_DESCRIPTOR, "Left", NULL, "see more of the left"},
    {ACT_RIGHT, "right", SCOPE_DESCRIPTOR, "Right", NULL,
	"see more of the right"},

    {ACT_LEFT, "message-left", SCOPE_LAYER, "Left", NULL,
	"see more of the messages' left"},
    {ACT_RIGHT, "message-right", SCOPE_LAYER, "Right", NULL,
	"see more of the messages' right"},

    {ACT_CLOSE, "close", SCOPE_PAGE, "q Esc Enter", "Close", "close the page"},
};
const size_t n_key_rows = sizeof(key_rows) / sizeof(*key_rows);

static const struct {
	const char *name;
	int code;
} names[] = {
    {"Space", ' '}, {"Tab", KEY_TAB}, {"S-Tab", KEY_BACK_TAB},
    {"Enter", KEY_ENTER_CODE}, {"Esc", KEY_ESC},
    {"Backspace", KEY_BACKSPACE_CODE}, {"Up", KEY_CURSOR_UP},
    {"Down", KEY_CURSOR_DOWN}, {"Left", KEY_CURSOR_LEFT},
    {"Right", KEY_CURSOR_RIGHT}, {"PgUp", KEY_PAGE_UP}, {"PgDn", KEY_PAGE_DOWN},
    {"Home", KEY_HOME_CODE}, {"End", KEY_END_CODE}, {"Insert", KEY_INSERT_CODE},
    {"Delete", KEY_DELETE_CODE}, {"lt", '<'},
    {"Semicolon", ';'}, /* which begins a comment in the config file */
};

int
key_parse(const char *s, size_t len)
{
	if (len == 1)
		return (unsigned char)s[0];
	if (len == 3 && s[0] == 'C' && s[1] == '-' && s[2] >= '@' &&
	    s[2] <= 'z')
		return s[2] & 0x1f;
	if (len >= 2 && len <= 3 && s[0] == 'F' && s[1] >= '1' && s[1] <= '9' &&
	    (len == 2 || (s[2] >= '0' && s[2] <= '9'))) {
		int n = s[1] - '0';

		if (len == 3)
			n = n * 10 + s[2] - '0';
		return n <= 24 ? KEY_FUNCTION + n : KEY_NONE;
	}
	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strlen(names[i].name) == len &&
		    strncmp(names[i].name, s, len) == 0)
			return names[i].code;
	return KEY_NONE;
}

const char *
key_name_at(const char *keys, unsigned i, size_t *len)
{
	for (; *keys != 0; keys += *len + (keys[*len] == ' ')) {
		*len = strcspn(keys, " ");
		if (i-- == 0)
			return keys;
	}
	return NULL;
}

/* roff takes '.' and '\'' at the start of a line, and '\\' and '-' anywhere,
 * for its own. */
static void
add_roff(struct text *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\\')
			text_adds(out, "\\e");
		else if (s[i] == '-')
			text_adds(out, "\\-");
		else if ((s[i] == '.' || s[i] == '\'') && i == 0)
			text_addf(out, "\\&%c", s[i]);
		else
			text_addc(out, s[i]);
	}
}

static void
print_row(struct text *out, const struct key_row *row)
{
	const char *name;
	size_t len;

	text_adds(out, ".TP\n");
	for (unsigned i = 0; (name = key_name_at(row->keys, i, &len)) != NULL;
	     i++) {
		text_adds(out, i > 0 ? ", \\fB" : "\\fB");
		add_roff(out, name, len);
		text_adds(out, "\\fR");
	}
	text_adds(out, " (\\fI");
	add_roff(out, row->name, strlen(row->name));
	text_adds(out, "\\fR)\n");
	add_roff(out, row->help, strlen(row->help));
	text_addc(out, '\n');
}

void
keys_print_man(struct text *out)
{
	for (enum scope s = 0; s < N_SCOPES; s++) {
		text_addf(out, ".SS %s\n", scope_names[s]);
		for (size_t i = 0; i < n_key_rows; i++)
			if (key_rows[i].scope == s)
				print_row(out, &key_rows[i]);
	}
}
