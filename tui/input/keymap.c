/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See keymap.h. */
#include "tui/input/keymap.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

#define BLANKS " \t"

void
keymap_free(struct keymap *m)
{
	for (size_t i = 0; m->own != NULL && i < n_key_rows; i++)
		free(m->own[i]);
	free(m->own);
	*m = (struct keymap){0};
}

bool
keymap_is_own(const struct keymap *m, size_t row)
{
	return m->own != NULL && m->own[row] != NULL;
}

const char *
keymap_keys(const struct keymap *m, size_t row)
{
	return keymap_is_own(m, row) ? m->own[row] : key_rows[row].keys;
}

static bool
names_code(const char *keys, int code)
{
	const char *name;
	size_t len;

	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++)
		if (key_parse(name, len) == code)
			return true;
	return false;
}

static bool
has_code(const struct keymap *m, size_t row, int code)
{
	return names_code(keymap_keys(m, row), code);
}

/* Has the person given that key to it? */
static bool
was_given(const struct keymap *m, size_t row, int code)
{
	return keymap_is_own(m, row) && has_code(m, row, code) &&
	    !names_code(key_rows[row].keys, code);
}

typedef bool has_fn(const struct keymap *m, size_t row, int code);

/* n_key_rows: none. */
static size_t
row_with(const struct keymap *m, enum scope scope, int code, has_fn *has)
{
	size_t i = 0;

	while (
	    i < n_key_rows && (key_rows[i].scope != scope || !has(m, i, code)))
		i++;
	return i;
}

enum action
keymap_find(const struct keymap *m, int code, enum scope pane, bool page)
{
	const enum scope scopes[] = {
	    page ? SCOPE_PAGE : pane, SCOPE_LIST, SCOPE_ALL};

	has_fn *const ways[] = {was_given, has_code};

	for (size_t w = 0; w < 2; w++)
		for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++) {
			size_t row = row_with(m, scopes[i], code, ways[w]);

			if (row < n_key_rows)
				return key_rows[row].action;
		}
	return ACT_NONE;
}

/* The names of keys that show the pane lead. */
static void
add_pane(const struct keymap *m, enum scope scope, struct text *out)
{
	static const enum action shows[N_SCOPES] = {
	    [SCOPE_ENGINES] = ACT_SHOW_ENGINES,
	    [SCOPE_CONTEXTS] = ACT_SHOW_CONTEXTS,
	    [SCOPE_FENCES] = ACT_SHOW_FENCES,
	    [SCOPE_TIMELINE] = ACT_SHOW_TIMELINE,
	    [SCOPE_DESCRIPTOR] = ACT_SHOW_DESCRIPTOR,
	    [SCOPE_LAYER] = ACT_SHOW_LAYER,
	};
	const char *key;
	size_t row = 0, len;

	while (row < n_key_rows && key_rows[row].action != shows[scope])
		row++;
	text_adds(out, scope_names[scope]);
	key = row < n_key_rows ? key_name_at(keymap_keys(m, row), 0, &len)
			       : NULL;
	if (key != NULL)
		text_addf(out, " (%.*s)", (int)len, key);
}

static void
add_name(const struct keymap *m, size_t row, int code, struct text *out)
{
	const char *name;
	size_t len;

	for (unsigned i = 0;
	     (name = key_name_at(keymap_keys(m, row), i, &len)) != NULL; i++)
		if (key_parse(name, len) == code) {
			text_add(out, name, len);
			return;
		}
}

bool
keymap_add_elsewhere(const struct keymap *m, int code, struct text *out)
{
	bool any = false;

	for (enum scope s = SCOPE_ENGINES; s <= SCOPE_LAYER; s++) {
		size_t row = row_with(m, s, code, has_code);

		if (row == n_key_rows)
			continue;
		if (!any) {
			add_name(m, row, code, out);
			text_adds(out, " is of ");
		} else {
			text_adds(out, ", ");
		}
		add_pane(m, s, out);
		any = true;
	}
	return any;
}

size_t
key_row_find(const char *name)
{
	size_t i = 0;

	while (i < n_key_rows && strcmp(key_rows[i].name, name) != 0)
		i++;
	return i;
}

/* "none" becomes "", blanks become one. */
static bool
tidy_keys(const char *keys, struct text *out, struct text *err)
{
	size_t len;

	keys += strspn(keys, BLANKS);
	if (strncmp(keys, "none", 4) == 0 &&
	    keys[4 + strspn(keys + 4, BLANKS)] == 0)
		return true;
	for (; *keys != 0; keys += len + strspn(keys + len, BLANKS)) {
		len = strcspn(keys, BLANKS);
		if (key_parse(keys, len) == KEY_NONE) {
			text_addc(err, '\'');
			text_add_visible(err, keys, len);
			text_adds(err,
			    "' is no key: a character, C-a to C-z, F1 to F24, "
			    "Space Tab S-Tab Enter Esc Backspace Insert Delete "
			    "Home End PgUp PgDn Up Down Left Right Semicolon, "
			    "or none");
			return false;
		}
		if (key_parse(keys, len) == KEY_C_C) {
			text_adds(err, "C-c always quits: take another key");
			return false;
		}
		if (out->len > 0)
			text_addc(out, ' ');
		text_add(out, keys, len);
	}
	if (out->len == 0)
		text_adds(err, "no key; none takes the keys away");
	return out->len > 0;
}

/* There is always a way out. */
static bool
keeps_the_way_out(size_t row, const char *keys, struct text *err)
{
	enum action action = key_rows[row].action;

	if (action == ACT_INTERRUPT)
		text_adds(err, "C-c always quits: it can't be changed");
	else if (action == ACT_QUIT && *keys == 0)
		text_addf(err, "%s needs a key", key_rows[row].name);
	else
		return true;
	return false;
}

static void
replace(struct keymap *m, size_t row, const char *keys)
{
	if (m->own == NULL)
		m->own = mem_calloc(n_key_rows, sizeof(*m->own));
	free(m->own[row]);
	m->own[row] = keys != NULL ? mem_strdup(keys) : NULL;
}

bool
keymap_set(struct keymap *m, size_t row, const char *keys, struct text *err)
{
	struct text tidy = {0};
	bool ok = keys == NULL ||
	    (tidy_keys(keys, &tidy, err) &&
		keeps_the_way_out(row, text_str(&tidy), err));

	if (ok)
		replace(m, row, keys != NULL ? text_str(&tidy) : NULL);
	text_free(&tidy);
	return ok;
}

static void
explain_clash(const char *key, size_t len, size_t a, size_t b, struct text *err)
{
	text_add_visible(err, key, len);
	text_addf(err, " is both %s's and %s's (%s)", key_rows[a].name,
	    key_rows[b].name, scope_names[key_rows[a].scope]);
}

size_t
keymap_clash(const struct keymap *m, size_t row, struct text *err)
{
	const char *keys = keymap_keys(m, row), *name;
	size_t len;

	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++)
		for (size_t other = 0; other < n_key_rows; other++) {
			if (other == row ||
			    key_rows[other].scope != key_rows[row].scope ||
			    !has_code(m, other, key_parse(name, len)))
				continue;
			explain_clash(name, len, row, other, err);
			return other;
		}
	return n_key_rows;
}

/* The row's keys without that one. */
static bool
take_key(struct keymap *m, size_t row, int code, struct text *err)
{
	const char *keys = keymap_keys(m, row), *name;
	struct text rest = {0};
	size_t len;
	bool ok;

	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++) {
		if (key_parse(name, len) == code)
			continue;
		if (rest.len > 0)
			text_addc(&rest, ' ');
		text_add(&rest, name, len);
	}
	ok = keeps_the_way_out(row, text_str(&rest), err);
	if (ok)
		replace(m, row, text_str(&rest));
	text_free(&rest);
	return ok;
}

/* From all rows that have it: at least one. */
static bool
unbind(struct keymap *m, const char *key, struct text *err)
{
	int code = key_parse(key, strlen(key));
	bool found = false;

	for (size_t row = 0; row < n_key_rows; row++) {
		if (!has_code(m, row, code))
			continue;
		if (!take_key(m, row, code, err))
			return false;
		found = true;
	}
	if (!found)
		text_addf(err, "%s does nothing as it is", key);
	return found;
}

static bool
add_key(struct keymap *m, size_t row, const char *key, struct text *err)
{
	char *before = keymap_is_own(m, row) ? mem_strdup(m->own[row]) : NULL;
	struct text keys = {0}, clash = {0};
	bool ok;

	text_adds(&keys, key);
	if (*keymap_keys(m, row) != 0)
		text_addf(&keys, " %s", keymap_keys(m, row));
	ok = keymap_set(m, row, text_str(&keys), err);
	if (ok && keymap_clash(m, row, &clash) < n_key_rows) {
		text_addf(err, "%s would be%s: free it with :bind %s none", key,
		    text_str(&clash) + strlen(key) + strlen(" is"), key);
		replace(m, row, before);
		ok = false;
	}
	text_free(&keys);
	text_free(&clash);
	free(before);
	return ok;
}

bool
keymap_bind(
    struct keymap *m, const char *key, const char *action, struct text *err)
{
	struct text tidy = {0};
	size_t row = key_row_find(action);
	bool ok = tidy_keys(key, &tidy, err);

	text_free(&tidy);
	if (!ok)
		return false;
	if (strcmp(action, "none") == 0)
		return unbind(m, key, err);
	if (row == n_key_rows) {
		text_adds(err, "no action is called '");
		text_add_visible(err, action, strlen(action));
		text_adds(err, "' (:bind lists them)");
		return false;
	}
	if (has_code(m, row, key_parse(key, strlen(key))))
		return true; /* as it is */
	return add_key(m, row, key, err);
}
