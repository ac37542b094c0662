/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The keys in force: those of the table (keys.h) but where the person has
 * said otherwise. All zero: as the table has them. */
#ifndef TUI_INPUT_KEYMAP_H
#define TUI_INPUT_KEYMAP_H

#include <stdbool.h>
#include <stddef.h>

#include "tui/input/keys.h"

struct text;

struct keymap {
	char **own; /* of each row of the table; NULL: the table's */
};

void keymap_free(struct keymap *m);

/* The row's keys as in the table: names, separated by blanks; "": none. */
const char *keymap_keys(const struct keymap *m, size_t row);
/* Has the person said so? */
bool keymap_is_own(const struct keymap *m, size_t row);

/* The action of a key: of an open page or else of the pane first, then that
 * of all lists, then that of everywhere. What the person has given a key to
 * goes before what the table has. */
enum action keymap_find(
    const struct keymap *m, int code, enum scope pane, bool page);

/* Where else than there a key does something, in the panes: adds "e is of
 * Descriptor (5)". False: nowhere. */
bool keymap_add_elsewhere(const struct keymap *m, int code, struct text *out);

/* The row with that name; n_key_rows: none. */
size_t key_row_find(const char *name);

/*
 * Gives a row these keys instead of its own: names separated by blanks, "none"
 * for none; NULL: the table's again. False: err says why not, and nothing has
 * changed. Whether another row has one of them is keymap_clash()'s question,
 * since rows may trade keys.
 */
bool keymap_set(
    struct keymap *m, size_t row, const char *keys, struct text *err);

/* Another row of the same scope that has one of this row's keys too, and err
 * names both; n_key_rows: none. */
size_t keymap_clash(const struct keymap *m, size_t row, struct text *err);

/* Gives a row one more key, or takes a key from the row of that scope
 * (action "none"). False: err says why not. */
bool keymap_bind(
    struct keymap *m, const char *key, const char *action, struct text *err);

#endif
