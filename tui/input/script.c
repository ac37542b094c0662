/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Splits a script of keys into items: keys, commands, and lines about time,
 * screen and size. */
#include "tui/input/script.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/units.h"
#include "tui/input/keys.h"

bool
script_open(struct script *s, const char *path, struct text *err)
{
	struct file_stamp stamp;

	*s = (struct script){.path = path};
	return file_read(path, &s->text, &stamp, err);
}

void
script_close(struct script *s)
{
	text_free(&s->text);
}

static const struct {
	int code;
	const char *bytes;
} sequences[] = {
    {KEY_CURSOR_UP, "\033[A"},
    {KEY_CURSOR_DOWN, "\033[B"},
    {KEY_CURSOR_RIGHT, "\033[C"},
    {KEY_CURSOR_LEFT, "\033[D"},
    {KEY_HOME_CODE, "\033[H"},
    {KEY_END_CODE, "\033[F"},
    {KEY_DELETE_CODE, "\033[3~"},
};

struct key_press
script_key(int code)
{
	struct key_press key = {.code = code};

	if (code < 0x80) {
		key.bytes[0] = (char)code;
		key.len = 1;
	}
	for (size_t i = 0; i < sizeof(sequences) / sizeof(*sequences); i++)
		if (sequences[i].code == code) {
			key.len = strlen(sequences[i].bytes);
			memcpy(key.bytes, sequences[i].bytes, key.len);
		}
	return key;
}

static void
fail(const struct script *s, struct script_item *item, const char *what,
    const char *arg, size_t len)
{
	item->kind = SCRIPT_ERROR;
	text_clear(&item->text);
	text_addf(&item->text, "%s:%zu: %s", s->path, s->line_no, what);
	text_add_visible(&item->text, arg, len);
}

/* Reads a number from 1 to 9999 after the character, and moves *at past it. */
static bool
read_place(const char **at, char before, unsigned *n)
{
	char *end;

	if (**at != before || (*at)[1] < '1' || (*at)[1] > '9')
		return false;
	*n = (unsigned)strtoul(*at + 1, &end, 10);
	if (end - *at > 5)
		return false;
	*at = end;
	return true;
}

/* Reads "Click 10,5". */
static bool
read_mouse(const char *s, size_t len, struct key_press *key)
{
	static const struct {
		const char *name;
		int code;
	} kinds[] = {
	    {"Click", KEY_CLICK},
	    {"WheelUp", KEY_WHEEL_UP},
	    {"WheelDown", KEY_WHEEL_DOWN},
	};
	size_t name = strcspn(s, " >");
	const char *at = s + name;
	unsigned x, y;

	if (name >= len || !read_place(&at, ' ', &x) ||
	    !read_place(&at, ',', &y) || *at != '>')
		return false;
	for (size_t i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (strlen(kinds[i].name) == name &&
		    strncmp(kinds[i].name, s, name) == 0) {
			*key = (struct key_press){
			    .code = kinds[i].code,
			    .x = (int)x - 1,
			    .y = (int)y - 1,
			};
			return true;
		}
	return false;
}

/* Takes the next key of the line: a character, or a name in angle brackets. */
static void
next_key(
    struct script *s, struct script_item *item, const char *line, size_t len)
{
	const char *p = line + s->at;
	const char *end = *p == '<' ? memchr(p, '>', len - s->at) : NULL;
	int code;

	if (end != NULL &&
	    read_mouse(p + 1, (size_t)(end - p) - 1, &item->key)) {
		item->kind = SCRIPT_KEY;
		s->at += (size_t)(end - p) + 1;
		return;
	}
	if (end != NULL) {
		code = key_parse(p + 1, (size_t)(end - p) - 1);
		s->at += (size_t)(end - p) + 1;
	} else if ((unsigned char)*p >= 0x80) { /* a byte of a character */
		code = KEY_UNKNOWN;
		s->at++;
	} else {
		code = key_parse(p, 1);
		s->at++;
	}
	if (code == KEY_NONE) {
		fail(s, item, "no such key: ", p, (size_t)(end - p) + 1);
		return;
	}
	item->kind = SCRIPT_KEY;
	item->key = script_key(code);
	if (code == KEY_UNKNOWN) {
		item->key.bytes[0] = *p;
		item->key.len = 1;
	}
}

/* Returns the rest of the line after "word "; NULL: it begins otherwise. */
static const char *
directive(const char *line, const char *word)
{
	size_t len = strlen(word);

	if (strncmp(line, word, len) != 0 || line[len] != ' ')
		return NULL;
	return line + len + strspn(line + len, " ");
}

static void
read_size(const struct script *s, struct script_item *item, const char *arg)
{
	char *end;
	long cols = strtol(arg, &end, 10);
	long rows = *end == 'x' ? strtol(end + 1, &end, 10) : 0;

	if (*end != 0 || cols < 1 || cols > 1000 || rows < 1 || rows > 1000) {
		fail(s, item, "not a size such as 80x24: ", arg, strlen(arg));
		return;
	}
	item->kind = SCRIPT_SIZE;
	item->cols = (int)cols;
	item->rows = (int)rows;
}

/* Reads a line that is not one of keys. False: it is. */
static bool
read_line(const struct script *s, struct script_item *item, const char *line)
{
	const char *arg;

	if (line[0] == ':') {
		item->kind = SCRIPT_COMMAND;
		text_adds(&item->text, line + 1);
	} else if ((arg = directive(line, "wait")) != NULL) {
		item->kind = SCRIPT_WAIT;
		text_adds(&item->text, arg);
	} else if ((arg = directive(line, "dump")) != NULL) {
		item->kind = SCRIPT_DUMP;
		text_adds(&item->text, arg);
	} else if ((arg = directive(line, "advance")) != NULL) {
		item->kind = SCRIPT_ADVANCE;
		if (!read_duration(arg, 0, NSEC_MAX, &item->duration, NULL))
			fail(s, item, "not a time such as 16.7ms: ", arg,
			    strlen(arg));
	} else if ((arg = directive(line, "size")) != NULL) {
		read_size(s, item, arg);
	} else {
		return false;
	}
	return true;
}

/* Copies the line without blanks at its ends. */
static char *
copy_line(const char *from, size_t len)
{
	while (len > 0 && strchr(" \t\r", from[len - 1]) != NULL)
		len--;
	while (len > 0 && strchr(" \t", from[0]) != NULL) {
		from++;
		len--;
	}
	return mem_strndup(from, len);
}

void
script_next(struct script *s, struct script_item *item)
{
	bool found = false;

	text_clear(&item->text);
	item->kind = SCRIPT_END;
	while (!found && s->line_start < s->text.len) {
		const char *from = s->text.data + s->line_start;
		size_t len = strcspn(from, "\n");
		char *line = copy_line(from, len);

		if (s->at == 0)
			s->line_no++;
		if (line[0] != 0 && line[0] != '#' && s->at < strlen(line)) {
			found = true;
			if (s->at > 0 || !read_line(s, item, line))
				next_key(s, item, line, strlen(line));
		}
		/* After the last key of a line the next line begins. */
		if (item->kind != SCRIPT_KEY || s->at >= strlen(line)) {
			s->line_start += len + 1;
			s->at = 0;
		}
		free(line);
	}
}
