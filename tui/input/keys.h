/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of keys: one row per action. The dispatcher, the help screen, the
 * footer and the man page's list are all made from it; keymap.h has the keys
 * as the person wants them.
 */
#ifndef TUI_INPUT_KEYS_H
#define TUI_INPUT_KEYS_H

#include <stdbool.h>
#include <stddef.h>

struct text;

/* A key: a character, or one of these. */
enum key_code {
	KEY_NONE = -1,
	KEY_C_C = 3,
	KEY_TAB = 9,
	KEY_ENTER_CODE = 13,
	KEY_ESC = 27,
	KEY_BACKSPACE_CODE = 127,
	KEY_SPECIAL = 0x200000, /* above every character */
	KEY_CURSOR_UP = KEY_SPECIAL,
	KEY_CURSOR_DOWN,
	KEY_CURSOR_LEFT,
	KEY_CURSOR_RIGHT,
	KEY_PAGE_UP,
	KEY_PAGE_DOWN,
	KEY_HOME_CODE,
	KEY_END_CODE,
	KEY_INSERT_CODE,
	KEY_DELETE_CODE,
	KEY_BACK_TAB,
	KEY_CLICK, /* of the mouse, at x, y */
	KEY_WHEEL_UP,
	KEY_WHEEL_DOWN,
	KEY_PASTE,    /* no key: text that was pasted */
	KEY_UNKNOWN,  /* a key that the table has no name for */
	KEY_FUNCTION, /* + n for F<n> */
};

/* A key, and the bytes that an editor of lines wants for it. */
struct key_press {
	int code; /* an enum key_code, or a character */
	char bytes[16];
	size_t len;
	int x, y; /* of the mouse: columns and rows from 0 */
	struct {
		const char *text; /* any bytes, not ended by a 0; good until
				     the next key */
		size_t len;
		size_t total; /* of the paste so far */
		bool first;   /* it begins with that */
	} pasted;
};

/* What the mouse does. */
enum mouse { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

enum scope {
	SCOPE_ALL,  /* everywhere */
	SCOPE_LIST, /* the pane with the focus */
	SCOPE_ENGINES,
	SCOPE_CONTEXTS,
	SCOPE_FENCES,
	SCOPE_TIMELINE,
	SCOPE_DESCRIPTOR,
	SCOPE_LAYER,
	SCOPE_PAGE, /* help and notices, instead of all others */
	N_SCOPES,
};

enum action {
	ACT_NONE,
	ACT_HELP,
	ACT_SETTINGS,
	ACT_QUIT,
	ACT_INTERRUPT,
	ACT_COMMAND,
	ACT_REDRAW,
	ACT_CANCEL,
	ACT_PAUSE,
	ACT_SLOWER,
	ACT_FASTER,
	ACT_REAL_TIME,
	ACT_STEP_EVENT,
	ACT_STEP_BATCH,
	ACT_STEP_ITERATION,
	ACT_RESTART,
	ACT_WRITE,
	ACT_FOCUS_NEXT,
	ACT_FOCUS_PREV,
	ACT_ZOOM,
	ACT_SHOW_ENGINES,
	ACT_SHOW_CONTEXTS,
	ACT_SHOW_FENCES,
	ACT_SHOW_TIMELINE,
	ACT_SHOW_DESCRIPTOR,
	ACT_SHOW_LAYER,
	ACT_SHOW_DEFAULT,
	ACT_HIDE,
	ACT_UP,
	ACT_DOWN,
	ACT_PAGE_UP,
	ACT_PAGE_DOWN,
	ACT_FIRST,
	ACT_LAST,
	ACT_LEFT,
	ACT_RIGHT,
	ACT_SORT_NEXT,
	ACT_SORT_PREV,
	ACT_SORT_INVERT,
	ACT_SORT_CLIENT,
	ACT_SORT_BUSY,
	ACT_SORT_LATENCY,
	ACT_SORT_MISSES,
	ACT_TAG,
	ACT_UNTAG_ALL,
	ACT_TREE,
	ACT_FOLD,
	ACT_UNFOLD,
	ACT_FOLLOW,
	ACT_HIDE_IDLE,
	ACT_FILTER,
	ACT_SEARCH,
	ACT_FIND_NEXT,
	ACT_FIND_PREV,
	ACT_CLASSES,
	ACT_SORT_FENCES,
	ACT_HIDE_DONE,
	ACT_MOUSE,
	ACT_OTHER_LIST,
	ACT_PRIORITY_UP,
	ACT_PRIORITY_DOWN,
	ACT_PRIORITY,
	ACT_SSEU,
	ACT_PREEMPTION,
	ACT_SHORTER,
	ACT_LONGER,
	ACT_DURATION,
	ACT_ADD_CLIENT,
	ACT_KILL,
	ACT_RESTART_CLIENT,
	ACT_UNDO,
	ACT_REDO,
	ACT_SOURCE_NEXT,
	ACT_SOURCE_PREV,
	ACT_BLOCK_NEXT,
	ACT_BLOCK_PREV,
	ACT_ZOOM_IN,
	ACT_ZOOM_OUT,
	ACT_WHY,
	ACT_SNAPSHOT,
	ACT_MISS_NEXT,
	ACT_MISS_PREV,
	ACT_EDIT_LINE,
	ACT_OPEN_BELOW,
	ACT_OPEN_ABOVE,
	ACT_DELETE_LINE,
	ACT_COPY_LINE,
	ACT_PASTE_BELOW,
	ACT_PASTE_ABOVE,
	ACT_MOVE_UP,
	ACT_MOVE_DOWN,
	ACT_APPLY,
	ACT_EDITOR,
	ACT_CLOSE,
	N_ACTIONS,
};

struct key_row {
	enum action action;
	const char *name; /* for [keys] and :bind; no two are the same */
	enum scope scope;
	const char *keys;  /* names, separated by blanks; the first leads */
	const char *label; /* in the footer; NULL: not there */
	const char *help;  /* what it does */
};

extern const struct key_row key_rows[];
extern const size_t n_key_rows;
extern const char *const scope_names[N_SCOPES];

/* Code of the name s[0..len), as tables and scripts write it: "q", "Space",
 * "C-l", "F1". KEY_NONE: no such key. */
int key_parse(const char *s, size_t len);
/* The i-th name in a list of keys, with its length; NULL after the last. */
const char *key_name_at(const char *keys, unsigned i, size_t *len);

/* All keys as a man page's list, for gpuwl-top(1). */
void keys_print_man(struct text *out);

#endif
