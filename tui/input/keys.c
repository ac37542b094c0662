/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names of keys, and which action a key runs: a table of actions has keys for
 * each row, and the user may give a row other keys (keymap). Two rows of one
 * scope never share a key; a pane's keys come before those of everywhere.
 */
#include "tui/input/keys.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/mem.h"
#include "base/text.h"

#define BLANKS " \t"

const char *
scope_name(enum scope scope)
{
	switch (scope) {
	case SCOPE_ALL: return "Everywhere";
	case SCOPE_LIST: return "In the pane with the focus";
	case SCOPE_ENGINES: return "Engines";
	case SCOPE_CONTEXTS: return "Contexts";
	case SCOPE_REQUESTS: return "Requests";
	case SCOPE_TIMELINE: return "Timeline";
	case SCOPE_DESCRIPTOR: return "Descriptor";
	case SCOPE_LAYER: return "Layer";
	case SCOPE_PAGE: return "On a page like this one";
	case N_SCOPES: break;
	}
	return "";
}

static const struct {
	const char *name;
	int code;
} key_names[] = {
    {"Space", ' '}, {"Tab", KEY_TAB}, {"S-Tab", KEY_BACK_TAB},
    {"Enter", KEY_ENTER_CODE}, {"Esc", KEY_ESC},
    {"Backspace", KEY_BACKSPACE_CODE}, {"Up", KEY_CURSOR_UP},
    {"Down", KEY_CURSOR_DOWN}, {"Left", KEY_CURSOR_LEFT},
    {"Right", KEY_CURSOR_RIGHT}, {"PgUp", KEY_PAGE_UP}, {"PgDn", KEY_PAGE_DOWN},
    {"Home", KEY_HOME_CODE}, {"End", KEY_END_CODE}, {"Insert", KEY_INSERT_CODE},
    {"Delete", KEY_DELETE_CODE}, {"lt", '<'},
    {"Semicolon", ';'}, /* which begins a comment in the config file */
};

void
key_print(int code, struct text *out)
{
	for (size_t i = 0; i < sizeof(key_names) / sizeof(*key_names); i++)
		if (key_names[i].code == code && code != '<') {
			text_adds(out, key_names[i].name);
			return;
		}
	if (code > KEY_FUNCTION && code <= KEY_FUNCTION + 24)
		text_addf(out, "F%d", code - KEY_FUNCTION);
	else if (code > 0 && code < ' ')
		text_addf(out, "C-%c", code < 27 ? code + '`' : code + '@');
	else if (code > ' ' && code < 0x7f)
		text_addc(out, (char)code);
	else
		text_adds(out, "this key");
}

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
	for (size_t i = 0; i < sizeof(key_names) / sizeof(*key_names); i++)
		if (strlen(key_names[i].name) == len &&
		    strncmp(key_names[i].name, s, len) == 0)
			return key_names[i].code;
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

size_t
action_find(const struct action_table *table, const char *name)
{
	size_t i = 0;

	while (i < table->n && strcmp(table->rows[i].name, name) != 0)
		i++;
	return i;
}

/* Escapes what roff interprets: '.' and '\'' at the start of a line, '\\', '`'
 * and '-' anywhere. */
static void
add_roff(struct text *out, const char *s, size_t len)
{
	for (size_t i = 0; i < len; i++) {
		if (s[i] == '\\')
			text_adds(out, "\\e");
		else if (s[i] == '-')
			text_adds(out, "\\-");
		else if (s[i] == '`')
			text_adds(out, "\\(ga");
		else if ((s[i] == '.' || s[i] == '\'') && i == 0)
			text_addf(out, "\\&%c", s[i]);
		else
			text_addc(out, s[i]);
	}
}

static void
print_action(struct text *out, const struct action_row *row)
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
actions_print_man(const struct action_table *table, struct text *out)
{
	for (enum scope s = 0; s < N_SCOPES; s++) {
		text_addf(out, ".SS %s\n", scope_name(s));
		for (size_t i = 0; i < table->n; i++)
			if (table->rows[i].scope == s)
				print_action(out, &table->rows[i]);
	}
}

void
keymap_init(struct keymap *m, const struct action_table *table)
{
	*m = (struct keymap){.table = table};
}

void
keymap_free(struct keymap *m)
{
	for (size_t i = 0; m->own != NULL && i < m->table->n; i++)
		free(m->own[i]);
	free(m->own);
	m->own = NULL;
}

bool
keymap_is_own(const struct keymap *m, size_t row)
{
	return m->own != NULL && m->own[row] != NULL;
}

const char *
keymap_keys(const struct keymap *m, size_t row)
{
	return keymap_is_own(m, row) ? m->own[row] : m->table->rows[row].keys;
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

/* True if the user has given the row that key. */
static bool
has_own_code(const struct keymap *m, size_t row, int code)
{
	return keymap_is_own(m, row) && has_code(m, row, code) &&
	    !names_code(m->table->rows[row].keys, code);
}

typedef bool has_fn(const struct keymap *m, size_t row, int code);

/* Returns the first row of the scope that has the key; m->table->n: none. */
static size_t
row_with(const struct keymap *m, enum scope scope, int code, has_fn *has)
{
	size_t i = 0;

	while (i < m->table->n &&
	    (m->table->rows[i].scope != scope || !has(m, i, code)))
		i++;
	return i;
}

const struct action_row *
keymap_find(const struct keymap *m, int code, enum scope pane, bool page)
{
	const enum scope scopes[] = {
	    page ? SCOPE_PAGE : pane, SCOPE_LIST, SCOPE_ALL};

	has_fn *const ways[] = {has_own_code, has_code};

	for (size_t w = 0; w < 2; w++)
		for (size_t i = 0; i < sizeof(scopes) / sizeof(*scopes); i++) {
			size_t row = row_with(m, scopes[i], code, ways[w]);

			if (row < m->table->n)
				return &m->table->rows[row];
		}
	return NULL;
}

/* Adds the pane's name and the key that shows it: "Descriptor (5)". */
static void
add_pane(const struct keymap *m, enum scope scope, struct text *out)
{
	size_t row = 0, len;
	const char *key = NULL;

	text_adds(out, scope_name(scope));
	while (row < m->table->n &&
	    strcasecmp(m->table->rows[row].name, scope_name(scope)) != 0)
		row++;
	if (row < m->table->n)
		key = key_name_at(keymap_keys(m, row), 0, &len);
	if (key != NULL)
		text_addf(out, " (%.*s)", (int)len, key);
}

/* Adds the name by which the row has the key. */
static void
add_key_name(const struct keymap *m, size_t row, int code, struct text *out)
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

	for (enum scope s = SCOPE_ENGINES; s < SCOPE_PAGE; s++) {
		size_t row = row_with(m, s, code, has_code);

		if (row == m->table->n)
			continue;
		if (!any) {
			add_key_name(m, row, code, out);
			text_adds(out, " works in ");
		} else {
			text_adds(out, ", ");
		}
		add_pane(m, s, out);
		any = true;
	}
	return any;
}

/* Checks a list of keys: "none" becomes "", runs of blanks become one. */
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
			text_adds(err, "unknown key '");
			text_add_visible(err, keys, len);
			text_adds(err,
			    "': expected a character, C-a to C-z, F1 to F24, "
			    "Space Tab S-Tab Enter Esc Backspace Insert Delete "
			    "Home End PgUp PgDn Up Down Left Right Semicolon, "
			    "or none");
			return false;
		}
		if (key_parse(keys, len) == KEY_C_C) {
			text_adds(err, "C-c always quits: choose another key");
			return false;
		}
		if (out->len > 0)
			text_addc(out, ' ');
		text_add(out, keys, len);
	}
	if (out->len == 0)
		text_adds(
		    err, "missing key: expected a key, or none for no key");
	return out->len > 0;
}

/* Refuses keys that would leave no way to quit. */
static bool
keeps_the_way_out(
    const struct keymap *m, size_t row, const char *keys, struct text *err)
{
	const struct action_row *action = &m->table->rows[row];

	if (strcmp(action->name, m->table->fixed) == 0)
		text_adds(err, "C-c always quits: it can't be changed");
	else if (strcmp(action->name, m->table->needed) == 0 && *keys == 0)
		text_addf(err, "%s needs a key", action->name);
	else
		return true;
	return false;
}

/* keys NULL: the table's. */
static void
replace_keys(struct keymap *m, size_t row, const char *keys)
{
	if (m->own == NULL)
		m->own = mem_calloc(m->table->n, sizeof(*m->own));
	free(m->own[row]);
	m->own[row] = keys != NULL ? mem_strdup(keys) : NULL;
}

bool
keymap_set(struct keymap *m, size_t row, const char *keys, struct text *err)
{
	struct text tidy = {0};
	bool ok = keys == NULL ||
	    (tidy_keys(keys, &tidy, err) &&
		keeps_the_way_out(m, row, text_str(&tidy), err));

	if (ok)
		replace_keys(m, row, keys != NULL ? text_str(&tidy) : NULL);
	text_free(&tidy);
	return ok;
}

static void
explain_clash(const char *key, size_t len, const struct action_row *a,
    const struct action_row *b, struct text *err)
{
	text_add_visible(err, key, len);
	text_addf(err, " is bound to both %s and %s (%s)", a->name, b->name,
	    scope_name(a->scope));
}

size_t
keymap_clash(const struct keymap *m, size_t row, struct text *err)
{
	const char *keys = keymap_keys(m, row), *name;
	size_t len;

	for (unsigned i = 0; (name = key_name_at(keys, i, &len)) != NULL; i++)
		for (size_t other = 0; other < m->table->n; other++) {
			if (other == row ||
			    m->table->rows[other].scope !=
				m->table->rows[row].scope ||
			    !has_code(m, other, key_parse(name, len)))
				continue;
			explain_clash(name, len, &m->table->rows[row],
			    &m->table->rows[other], err);
			return other;
		}
	return m->table->n;
}

/* Removes one of the row's keys. */
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
	ok = keeps_the_way_out(m, row, text_str(&rest), err);
	if (ok)
		replace_keys(m, row, text_str(&rest));
	text_free(&rest);
	return ok;
}

/* Takes the key from all rows that have it; there must be one. */
static bool
unbind_key(struct keymap *m, const char *key, struct text *err)
{
	int code = key_parse(key, strlen(key));
	bool found = false;

	for (size_t row = 0; row < m->table->n; row++) {
		if (!has_code(m, row, code))
			continue;
		if (!take_key(m, row, code, err))
			return false;
		found = true;
	}
	if (!found)
		text_addf(err, "%s is not bound to any action", key);
	return found;
}

static bool
bind_one_more(struct keymap *m, size_t row, const char *key, struct text *err)
{
	char *before = keymap_is_own(m, row) ? mem_strdup(m->own[row]) : NULL;
	struct text keys = {0}, clash = {0};
	size_t other;
	bool ok;

	text_adds(&keys, key);
	if (*keymap_keys(m, row) != 0)
		text_addf(&keys, " %s", keymap_keys(m, row));
	ok = keymap_set(m, row, text_str(&keys), err);
	other = ok ? keymap_clash(m, row, &clash) : m->table->n;
	if (other < m->table->n) {
		text_addf(err, "%s is bound to %s: free it with :bind %s none",
		    key, m->table->rows[other].name, key);
		replace_keys(m, row, before);
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
	size_t row = action_find(m->table, action);
	bool ok = tidy_keys(key, &tidy, err);

	text_free(&tidy);
	if (!ok)
		return false;
	if (strcmp(action, "none") == 0)
		return unbind_key(m, key, err);
	if (row == m->table->n) {
		text_adds(err, "unknown action '");
		text_add_visible(err, action, strlen(action));
		text_adds(err, "': :bind lists the actions");
		return false;
	}
	if (has_code(m, row, key_parse(key, strlen(key))))
		return true; /* already so */
	return bind_one_more(m, row, key, err);
}
