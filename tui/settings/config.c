/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the config file. inih takes lines apart; line numbers, lines that are
 * too long, and all errors after the first are found as lines are handed to it,
 * since it does not report them.
 */
#include "tui/settings/config.h"

#include <ini.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/mem.h"

#define MAX_PROBLEMS 50
#define BLANKS       " \t\r\v\f"

struct config_reader {
	struct settings *s;
	const char *path;
	const char *data;
	size_t len, at;
	unsigned line;
	/* a line was handed over that must yield a name and a value */
	bool awaited;
};

/* Records a problem. why contains no control characters. */
static void
problem(const struct config_reader *r, unsigned line, const char *why)
{
	struct text *out = &r->s->problems;

	if (r->s->n_problems++ >= MAX_PROBLEMS)
		return;
	text_add_visible(out, r->path, strlen(r->path));
	text_addf(out, ":%u: error: %s\n", line, why);
}

static void
name_problem(const struct config_reader *r, const char *before,
    const char *name, const char *after)
{
	struct text why = {0};

	text_adds(&why, before);
	text_add_visible(&why, name, strlen(name));
	text_adds(&why, after);
	problem(r, r->line, text_str(&why));
	text_free(&why);
}

static struct origin
here(const struct config_reader *r)
{
	return (struct origin){FROM_FILE, r->line};
}

/* True if the file has set the name before; the first value stays. */
static bool
is_repeated(const struct config_reader *r, const char *name,
    const struct origin *before)
{
	struct text why = {0};

	if (before->kind != FROM_FILE)
		return false;
	text_addf(&why, "%s is set on line %u already", name, before->line);
	problem(r, r->line, text_str(&why));
	text_free(&why);
	return true;
}

/* Records that the value of a known name is invalid. */
static void
text_problem(
    const struct config_reader *r, const char *name, const struct text *err)
{
	struct text why = {0};

	if (role_find(name) != N_ROLES ||
	    action_find(r->s->keymap.table, name) != r->s->keymap.table->n ||
	    setting_find(name) != N_SETTINGS)
		text_addf(&why, "%s: ", name);
	text_adds(&why, text_str(err));
	problem(r, r->line, text_str(&why));
	text_free(&why);
}

static void
on_setting(struct config_reader *r, const char *name, const char *value)
{
	struct text err = {0};
	enum setting i = setting_find(name);

	/* Names are not shortened in the file. */
	if (i == N_SETTINGS || strcmp(setting_infos[i].name, name) != 0)
		name_problem(r, "unknown setting '", name,
		    "': gpuwl-top --print-config lists them");
	else if (is_repeated(r, name, &r->s->origins[i]))
		;
	else if (!settings_set(r->s, i, value, here(r), &err))
		text_problem(r, name, &err);
	text_free(&err);
}

static void
on_key(struct config_reader *r, const char *name, const char *value)
{
	struct text err = {0};
	const struct action_table *actions = r->s->keymap.table;
	size_t row = action_find(actions, name);

	if (row == actions->n)
		name_problem(r, "unknown action '", name,
		    "': gpuwl-top --print-config lists them");
	else if (is_repeated(r, name, &r->s->key_origins[row]))
		;
	else if (keymap_set(&r->s->keymap, row, value, &err))
		r->s->key_origins[row] = here(r);
	else
		text_problem(r, name, &err);
	text_free(&err);
}

static void
on_colour(struct config_reader *r, const char *name, const char *value)
{
	struct text err = {0};
	enum role role = role_find(name);

	if (role != N_ROLES && is_repeated(r, name, &r->s->look_origins[role]))
		;
	else if (!settings_set_look(r->s, name, value, here(r), &err))
		text_problem(r, name, &err);
	text_free(&err);
}

static const struct {
	const char *name;
	void (*take)(
	    struct config_reader *r, const char *name, const char *value);
} sections[] = {
    {"console", on_setting},
    {"", on_setting}, /* before any section */
    {"keys", on_key},
    {"colours", on_colour},
    {"colors", on_colour},
};

/* inih's handler. Errors are recorded, not returned to inih. */
static int
on_config_line(
    void *user, const char *section, const char *name, const char *value)
{
	struct config_reader *r = user;

	r->awaited = false;
	for (size_t i = 0; i < sizeof(sections) / sizeof(*sections); i++)
		if (strcmp(sections[i].name, section) == 0) {
			sections[i].take(r, name, value);
			return 1;
		}
	name_problem(r, "unknown section [", section,
	    "]: expected [console], [keys] or [colours]");
	return 1;
}

static void
check_last_line(struct config_reader *r)
{
	if (r->awaited)
		problem(r, r->line, "expected a [section] or name = value");
	r->awaited = false;
}

/* True if inih must find a name and a value in the line. */
static bool
says_something(const char *line, size_t len)
{
	if (len == 0 || line[0] == ';' || line[0] == '#')
		return false;
	return line[0] != '[' || memchr(line, ']', len) == NULL;
}

/*
 * inih's fgets(): returns the next line without blanks in front, which would
 * make it a continuation of the line before; "" for a line that is too long.
 */
static char *
next_line(char *to, int room, void *user)
{
	struct config_reader *r = user;
	const char *from = r->data + r->at;
	const char *end = memchr(from, '\n', r->len - r->at);
	size_t len = end != NULL ? (size_t)(end - from) : r->len - r->at;

	check_last_line(r);
	if (r->at >= r->len)
		return NULL;
	r->at += len + (end != NULL);
	r->line++;
	if (r->line == 1 && len >= 3 && memcmp(from, "\xef\xbb\xbf", 3) == 0) {
		from += 3;
		len -= 3;
	}
	while (len > 0 && memchr(BLANKS, *from, strlen(BLANKS)) != NULL) {
		from++;
		len--;
	}
	if (len + 2 > (size_t)room) {
		problem(r, r->line, "line too long");
		len = 0;
	}
	memcpy(to, from, len);
	for (size_t i = 0; i < len; i++)
		if (to[i] == 0)
			to[i] = '?';
	r->awaited = says_something(to, len);
	to[len] = '\n';
	to[len + 1] = 0;
	return to;
}

/* Chooses which of two rows with the same key to reset: that of the later
 * line, if the file sets both. */
static size_t
which_loses(const struct settings *s, size_t a, size_t b)
{
	if (s->key_origins[b].kind == FROM_FILE &&
	    s->key_origins[b].line > s->key_origins[a].line)
		return b;
	return a;
}

/* Resets keys that clash. This is done at the end, because rows may exchange
 * keys. */
static void
settle_keys(struct config_reader *r)
{
	struct settings *s = r->s;
	size_t n = s->keymap.table->n, row = 0;

	while (row < n) {
		struct text why = {0};
		size_t other = n, loser;

		if (s->key_origins[row].kind == FROM_FILE)
			other = keymap_clash(&s->keymap, row, &why);
		if (other == n) {
			row++;
			continue;
		}
		loser = which_loses(s, row, other);
		text_adds(&why, ": choose another key for one of them");
		problem(r, s->key_origins[loser].line, text_str(&why));
		keymap_set(&s->keymap, loser, NULL, NULL);
		s->key_origins[loser] = (struct origin){0};
		text_free(&why);
		row = 0; /* its default keys may clash again */
	}
}

void
config_read(struct settings *s, const char *path, const char *data, size_t len)
{
	struct config_reader r = {
	    .s = s, .path = path, .data = data, .len = len};

	ini_parse_stream(next_line, &r, on_config_line, &r);
	settle_keys(&r);
	if (s->n_problems > MAX_PROBLEMS)
		text_addf(&s->problems, "and %u more\n",
		    s->n_problems - MAX_PROBLEMS);
}

bool
config_load(struct settings *s, const char *path, struct text *err)
{
	struct text data = {0};
	struct file_stamp stamp;
	struct stat st;
	bool ok;

	if (stat(path, &st) == 0 && st.st_size > CONFIG_MAX_BYTES) {
		text_add_visible(err, path, strlen(path));
		text_adds(
		    err, ": too large for a config file (the limit is 1 MiB)");
		return false;
	}
	ok = file_read(path, &data, &stamp, err);
	if (ok) {
		free(s->path);
		s->path = mem_strdup(path);
		config_read(s, path, text_str(&data), data.len);
	}
	text_free(&data);
	return ok;
}
