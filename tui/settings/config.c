/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See config.h. inih takes lines apart; what it would not tell of (the number
 * of a line, one too long, the second wrong one) is found as it is given them. */
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
	bool awaited; /* a line was given that must give a name and value */
};

/* why is safe to show. */
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

/* Was it said before? Then this time does not count. */
static bool
is_repeated(const struct config_reader *r, const char *name,
    const struct origin *before)
{
	struct text why = {0};

	if (before->kind != FROM_FILE)
		return false;
	text_addf(&why, "%s stands on line %u already", name, before->line);
	problem(r, r->line, text_str(&why));
	text_free(&why);
	return true;
}

/* Of a name that is right, with a value that is not. */
static void
text_problem(
    const struct config_reader *r, const char *name, const struct text *err)
{
	struct text why = {0};

	if (role_find(name) != N_ROLES || key_row_find(name) != n_key_rows ||
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

	/* Here names are written out. */
	if (i == N_SETTINGS || strcmp(setting_infos[i].name, name) != 0)
		name_problem(r, "no setting is called '", name,
		    "' (gpuwl-top --print-config shows all)");
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
	size_t row = key_row_find(name);

	if (row == n_key_rows)
		name_problem(r, "no action is called '", name,
		    "' (gpuwl-top --print-config shows all)");
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

/* inih's handler: never an error to it. */
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
	name_problem(r, "no section is called [", section,
	    "]: use [console], [keys] or [colours]");
	return 1;
}

static void
check_last_line(struct config_reader *r)
{
	if (r->awaited)
		problem(r, r->line, "neither a [section] nor a name = value");
	r->awaited = false;
}

/* Is this a line that inih must take something from? */
static bool
says_something(const char *line, size_t len)
{
	if (len == 0 || line[0] == ';' || line[0] == '#')
		return false;
	return line[0] != '[' || memchr(line, ']', len) == NULL;
}

/* inih's fgets(): the next line, with no blanks before it, which would make it
 * the rest of the one before; "" for one that is too long. */
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
		problem(r, r->line, "the line is too long");
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

/* Of two rows that want a key, the one to let go of it: what the file says
 * later, if it says both. */
static size_t
which_loses(const struct settings *s, size_t a, size_t b)
{
	if (s->key_origins[b].kind == FROM_FILE &&
	    s->key_origins[b].line > s->key_origins[a].line)
		return b;
	return a;
}

/* Rows may trade keys, so this is known only at the end. A line that wants
 * what another has does not count. */
static void
settle_keys(struct config_reader *r)
{
	struct settings *s = r->s;
	size_t row = 0;

	while (row < n_key_rows) {
		struct text why = {0};
		size_t other = n_key_rows, loser;

		if (s->key_origins[row].kind == FROM_FILE)
			other = keymap_clash(&s->keymap, row, &why);
		if (other == n_key_rows) {
			row++;
			continue;
		}
		loser = which_loses(s, row, other);
		text_adds(&why, ": choose another key for one of them");
		problem(r, s->key_origins[loser].line, text_str(&why));
		keymap_set(&s->keymap, loser, NULL, NULL);
		s->key_origins[loser] = (struct origin){0};
		text_free(&why);
		row = 0; /* its keys are back, and may be somebody's */
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
		text_adds(err, ": more than 1 MiB is no config file");
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
