/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys: their codes and names, a table of actions that they run, and the keys
 * in force. The console has the table (console/actions.c); dispatch, help,
 * footer, config file and man page all read it.
 */
#ifndef TUI_INPUT_KEYS_H
#define TUI_INPUT_KEYS_H

#include <stdbool.h>
#include <stddef.h>

struct text;
struct ui;

/* A key: a character, or one of these. */
enum key_code {
	KEY_NONE = -1,
	KEY_C_C = 3,
	KEY_C_G = 7,
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
	KEY_PASTE,    /* not a key: pasted text */
	KEY_UNKNOWN,  /* a key without a name */
	KEY_FUNCTION, /* + n for F<n> */
};

/* A key press, with the bytes that readline takes for it. */
struct key_press {
	int code; /* an enum key_code, or a character */
	char bytes[16];
	size_t len;
	int x, y; /* of the mouse: columns and rows from 0 */
	struct {
		const char *text; /* any bytes, without a 0 at the end; valid
				     until the next key */
		size_t len;
		size_t total; /* bytes of the paste so far */
		bool first;   /* the paste begins here */
		bool last;    /* and ends here; len may be 0 */
	} pasted;
};

enum mouse { MOUSE_CLICK, MOUSE_WHEEL_UP, MOUSE_WHEEL_DOWN };

/* The part of the screen in which a key has its meaning. */
enum scope {
	SCOPE_ALL,  /* everywhere */
	SCOPE_LIST, /* any pane with the focus */
	SCOPE_ENGINES,
	SCOPE_CONTEXTS,
	SCOPE_REQUESTS,
	SCOPE_TIMELINE,
	SCOPE_DESCRIPTOR,
	SCOPE_LAYER,
	SCOPE_PAGE, /* after the views: help and other pages over the panes */
	N_SCOPES,
};

/* Returns the title of the scope; that of a view is also, in small letters, the
 * action that shows the view. */
const char *scope_name(enum scope scope);

/* Actions that a view, a list or a page performs itself (view.h). */
enum action {
	ACT_UP,
	ACT_DOWN,
	ACT_PAGE_UP,
	ACT_PAGE_DOWN,
	ACT_HALF_UP,
	ACT_HALF_DOWN,
	ACT_FIRST,
	ACT_LAST,
	ACT_LEFT,
	ACT_RIGHT,
	ACT_FOLLOW,
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
	ACT_TOGGLE_FOLD,
	ACT_CROWDS,
	ACT_HIDE_IDLE,
	ACT_CLASSES,
	ACT_SORT_REQUESTS,
	ACT_HIDE_DONE,
	ACT_OTHER_LIST,
	ACT_SOURCE_NEXT,
	ACT_SOURCE_PREV,
	ACT_BLOCK_NEXT,
	ACT_BLOCK_PREV,
	ACT_ZOOM_IN,
	ACT_ZOOM_OUT,
};

/* Performs an action; arg is the argument of its row. */
typedef void action_fn(struct ui *ui, int arg);

/* One action. A name may be given to several keys, a function to several
 * actions. */
struct action_row {
	const char *name; /* unique; for [keys] and :bind */
	enum scope scope;
	const char *keys;  /* names, separated by blanks; the first leads */
	const char *label; /* in the footer; NULL: not there */
	const char *help;
	action_fn *run;
	int arg;
};

struct action_table {
	const struct action_row *rows;
	size_t n;
	const char *needed; /* the action that must keep a key: it quits */
	const char *fixed;  /* the action whose keys can't be changed */
};

/* Returns the row with that name, table->n if there is none. */
size_t action_find(const struct action_table *table, const char *name);

/* Returns the code of the key that s[0..len) names in tables and scripts: "q",
 * "Space", "C-l", "F1". KEY_NONE: there is no such key. */
int key_parse(const char *s, size_t len);
/* Appends the name of a key as key_parse() takes it; "this key": it has none. */
void key_print(int code, struct text *out);
/* Returns the i-th name in a list of keys and its length; NULL after the
 * last. */
const char *key_name_at(const char *keys, unsigned i, size_t *len);

/* Prints the actions and their keys as a list for gpuwl-top(1). */
void actions_print_man(const struct action_table *table, struct text *out);

/* The keys in force: the table's, except where the user has changed them. */
struct keymap {
	const struct action_table *table;
	char **own; /* the user's keys of each row; NULL: the table's */
};

void keymap_init(struct keymap *m, const struct action_table *table);
void keymap_free(struct keymap *m);

/* Returns the row's keys: names, separated by blanks; "": none. */
const char *keymap_keys(const struct keymap *m, size_t row);
/* True if the user has set the row's keys. */
bool keymap_is_own(const struct keymap *m, size_t row);

/* Returns the action of a key: first that of an open page, or else of the pane;
 * then that of all panes; then that of everywhere. Keys that the user has given
 * come before the table's. NULL: the key does nothing. */
const struct action_row *keymap_find(
    const struct keymap *m, int code, enum scope pane, bool page);

/* Adds the panes where the key has a meaning: "e works in Descriptor (5)".
 * False: in none. */
bool keymap_add_elsewhere(const struct keymap *m, int code, struct text *out);

/*
 * Sets a row's keys: names separated by blanks; "none": no keys; NULL: those of
 * the table. False: err says why, and nothing has changed. Other rows may have
 * the same keys for a while, so that rows can trade keys: ask keymap_clash().
 */
bool keymap_set(
    struct keymap *m, size_t row, const char *keys, struct text *err);

/* Returns another row of the same scope with one of this row's keys, and adds
 * both names to err; table->n: none. */
size_t keymap_clash(const struct keymap *m, size_t row, struct text *err);

/* Gives a key to an action too, or takes it from all (action "none"). False:
 * err says why, and nothing has changed. */
bool keymap_bind(
    struct keymap *m, const char *key, const char *action, struct text *err);

#endif
