/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/case_file.h"

#include <ctype.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/file.h"
#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"

/* A line without its comment. */
struct case_line {
	const char *file;
	unsigned number;
	char *text;
};

/* The lines of a file before its first case, and the lines of a case. */
struct case_script {
	struct test test;
	const struct case_kind *kind;
	const struct case_line *common, *lines;
	size_t n_common, n;
};

/* The test that is being played; there is one in a process. `$name` is the value of
 * the last name that is the same. */
static struct {
	const struct case_kind *kind;
	void *lab;
	struct {
		char *name, *value;
		bool is_of_row;
	} names[64];
	size_t n;
} playing;

static void __attribute__((noreturn, format(printf, 3, 0)))
fail_at(const char *file, unsigned line, const char *fmt, va_list ap)
{
	struct text text = {0};

	text_addv(&text, fmt, ap);
	print_error("%s:%u: %s\n", file, line, text_str(&text));
	for (size_t i = 0; i < playing.n; i++)
		if (playing.names[i].is_of_row)
			print_error("  %s: %s\n", playing.names[i].name,
			    playing.names[i].value);
	_fail(file, (int)line);
	abort();
}

void
case_fail(const struct statement *s, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_at(s->file, s->line, fmt, ap);
}

static void __attribute__((noreturn, format(printf, 2, 3)))
fail_line(const struct case_line *line, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	fail_at(line->file, line->number, fmt, ap);
}

static size_t
name_length(const char *s)
{
	size_t len = 0;

	while (isalnum((unsigned char)s[len]) || s[len] == '_')
		len++;
	return len;
}

static void
add_name(const struct case_line *line, const char *name, size_t len,
    const char *value, bool is_of_row)
{
	if (playing.n == sizeof playing.names / sizeof *playing.names)
		fail_line(line, "more than %zu names", playing.n);
	playing.names[playing.n].name = mem_strndup(name, len);
	playing.names[playing.n].value = mem_strdup(value);
	playing.names[playing.n++].is_of_row = is_of_row;
}

static void
forget_names(size_t n)
{
	while (playing.n > n) {
		free(playing.names[--playing.n].name);
		free(playing.names[playing.n].value);
	}
}

/* Adds the text with the value of each $name, in which there may be others. */
static void
add_text(struct text *out, const struct case_line *line, const char *at)
{
	for (; *at != '\0'; at++) {
		size_t len, i = playing.n;

		if (*at != '$') {
			text_addc(out, *at);
			continue;
		}
		len = name_length(++at);
		while (i > 0 &&
		    (strncmp(playing.names[i - 1].name, at, len) != 0 ||
			playing.names[i - 1].name[len] != '\0'))
			i--;
		if (i == 0)
			fail_line(line, "no value of $%.*s", (int)len, at);
		add_text(out, line, playing.names[i - 1].value);
		at += len - 1;
	}
}

/* Returns the words of the text, which is changed; the caller frees the array. */
static char **
words_of(char *text, size_t *n)
{
	char **words = NULL, *word;
	size_t cap = 0;

	*n = 0;
	while ((word = strtok_r(NULL, " ", &text)) != NULL) {
		words = mem_grow(words, *n, &cap, sizeof *words);
		words[(*n)++] = word;
	}
	return words;
}

static bool
begins(const char *text, const char *word)
{
	size_t len = strlen(word);

	return strncmp(text, word, len) == 0 && text[len] == ' ';
}

/* Returns the line behind a statement's. */
static size_t
behind(const struct case_line *lines, size_t n, size_t i)
{
	do
		i++;
	while (i < n && lines[i].text[0] == ' ');
	return i;
}

static void
say(const struct case_line *line, char *text)
{
	struct statement s = {.file = line->file, .line = line->number};
	char *kept = mem_strdup(text);

	s.text = kept + strcspn(kept, " ");
	s.text += strspn(s.text, " ");
	s.words = words_of(text, &s.n);
	playing.kind->play(playing.lab, &s);
	free(s.words);
	free(kept);
}

static void play_rest(const struct case_script *script);

/* `let NAME TEXT` gives a name the text as it is, with the names in it. */
static void
let(const struct case_line *lines, size_t n)
{
	const char *name = lines[0].text + 4;
	size_t len = name_length(name);
	struct text text = {0};

	text_adds(&text, name + len);
	for (size_t i = 1; i < n; i++)
		text_adds(&text, lines[i].text);
	add_name(lines, name, len, text.data + strspn(text.data, " "), false);
	text_free(&text);
}

/* Plays the `let` statements, or the others, or both. */
static void
play_statements(const struct case_line *lines, size_t n, bool lets, bool others)
{
	for (size_t i = 0, end; i < n; i = end) {
		struct text text = {0};

		end = behind(lines, n, i);
		if (begins(lines[i].text, "let")) {
			if (lets)
				let(lines + i, end - i);
			continue;
		}
		for (size_t k = i; others && k < end; k++)
			add_text(&text, &lines[k], lines[k].text);
		if (others)
			say(&lines[i], text.data);
		text_free(&text);
	}
}

/* Plays the rest of a case with a row of `each NAME...`: the last name has what is
 * left of the row. */
static void
play_row(const struct case_line *row, const char *names,
    const struct case_script *rest)
{
	const char *at = row->text + strspn(row->text, " ");
	size_t before = playing.n;

	while (*names != '\0') {
		size_t len = name_length(names);
		bool is_last = names[len] == '\0';
		char *value = mem_strndup(
		    at, is_last ? strlen(at) : strcspn(at, " "));

		if (*value == '\0')
			fail_line(row, "a value is missing");
		add_name(row, names, len, value, true);
		at += strlen(value);
		at += strspn(at, " ");
		names += len + !is_last;
		free(value);
	}
	play_rest(rest);
	forget_names(before);
}

/* Plays lines of a case, which begin with `let` and `each` statements: on a lab of
 * their own, or of each row. */
static void
play_rest(const struct case_script *script)
{
	struct case_script rest = *script;
	size_t end = 0;

	while (end < rest.n && begins(rest.lines[end].text, "let"))
		end = behind(rest.lines, rest.n, end);
	play_statements(rest.lines, end, true, false);
	rest.lines += end;
	rest.n -= end;
	if (rest.n == 0 || !begins(rest.lines[0].text, "each")) {
		if (rest.kind->begin != NULL)
			playing.lab = rest.kind->begin();
		play_statements(rest.common, rest.n_common, false, true);
		play_statements(rest.lines, rest.n, true, true);
		if (rest.kind->end != NULL)
			rest.kind->end(playing.lab);
		return;
	}
	end = behind(rest.lines, rest.n, 0);
	rest.lines += end;
	rest.n -= end;
	for (size_t i = 1; i < end; i++)
		play_row(rest.lines - end + i,
		    rest.lines[-(ptrdiff_t)end].text + 5, &rest);
}

static void
play_case(void **state)
{
	const struct case_script *script = *state;

	playing.kind = script->kind;
	play_statements(script->common, script->n_common, true, false);
	play_rest(script);
	forget_names(0);
}

/* Splits the text, which is kept, into lines that are not empty. */
static struct case_line *
lines_of(const char *file, char *text, size_t *n)
{
	struct case_line *lines = NULL;
	size_t cap = 0;
	char *at;

	*n = 0;
	for (unsigned number = 1; (at = strsep(&text, "\n")) != NULL;
	     number++) {
		size_t len = strcspn(at, "#");

		while (len > 0 && at[len - 1] == ' ')
			len--;
		at[len] = '\0';
		if (len == 0)
			continue;
		lines = mem_grow(lines, *n, &cap, sizeof *lines);
		lines[(*n)++] = (struct case_line){file, number, at};
	}
	return lines;
}

static size_t
next_case(const struct case_line *lines, size_t n, size_t i)
{
	while (i < n && !begins(lines[i].text, "case"))
		i++;
	return i;
}

/* All of a file lives as long as the program. */
static void
add_cases(const struct case_kind *kind, const char *path)
{
	struct text text = {0}, error = {0};
	struct case_line *lines;
	size_t n, first;

	if (!file_read(path, &text, NULL, &error)) {
		fprintf(stderr, "%s\n", text_str(&error));
		exit(1);
	}
	lines = lines_of(path, text.data, &n);
	first = next_case(lines, n, 0);
	for (size_t i = first, end; i < n; i = end) {
		struct case_script *script = mem_calloc(1, sizeof *script);

		end = next_case(lines, n, i + 1);
		*script = (struct case_script){.test = {.file = path,
						   .name = lines[i].text + 5,
						   .run = play_case,
						   .given = script},
		    .kind = kind,
		    .common = lines,
		    .n_common = first,
		    .lines = lines + i + 1,
		    .n = end - i - 1};
		runner_add(&script->test);
	}
}

void
case_files_add(const struct case_kind *kind)
{
	static glob_t found; /* paths are kept */
	size_t i = found.gl_pathc;

	if (glob(kind->pattern, i > 0 ? GLOB_APPEND : 0, NULL, &found) != 0) {
		fprintf(stderr, "no file %s\n", kind->pattern);
		exit(1);
	}
	for (; i < found.gl_pathc; i++)
		add_cases(kind, found.gl_pathv[i]);
}

const char *
case_word(const struct statement *s, size_t i)
{
	if (i >= s->n)
		case_fail(
		    s, "a word is missing behind \"%s\"", s->words[s->n - 1]);
	return s->words[i];
}

bool
case_is(const struct statement *s, size_t i, const char *word)
{
	return i < s->n && strcmp(s->words[i], word) == 0;
}

uint64_t
case_value(const struct statement *s, const char *text, int base)
{
	uint64_t sum = 0, value;

	for (const char *at = text;; at++) {
		size_t len = strcspn(at, "+|");
		char *part = mem_strndup(at, len), *end;

		if (playing.kind->find_name == NULL ||
		    !playing.kind->find_name(playing.lab, part, &value)) {
			value = strtoull(part, &end, base);
			if (len == 0 || *end != '\0')
				case_fail(s, "\"%s\" is no number", text);
		}
		sum = at > text && at[-1] == '|' ? sum | value : sum + value;
		free(part);
		at += len;
		if (*at == '\0')
			return sum;
	}
}

uint64_t
case_number(const struct statement *s, size_t i)
{
	return case_value(s, case_word(s, i), 0);
}

static uint64_t
limit(const struct statement *s, const char *text, int base)
{
	return strcmp(text, "never") == 0 ? UINT64_MAX
					  : case_value(s, text, base);
}

void
case_expect(const struct statement *s, const char *what, uint64_t value,
    const char *text, int base)
{
	char *least = mem_strdup(text), *dots = strstr(least, "..");

	if (dots != NULL)
		*dots = '\0';
	if (value < limit(s, least, base) ||
	    value > limit(s, dots != NULL ? dots + 2 : least, base))
		case_fail(s,
		    base == 16 ? "%s is %#llx, not %s" : "%s is %llu, not %s",
		    what, (unsigned long long)value, text);
	free(least);
}

/* Returns the field that the word names; *text is the value. */
static const struct case_field *
field_of(const struct statement *s, const char *word,
    const struct case_field *fields, const char **text)
{
	size_t len = strcspn(word, "=");

	for (; word[len] == '=' && fields->name != NULL; fields++)
		if (strncmp(fields->name, word, len) == 0 &&
		    fields->name[len] == '\0') {
			*text = word + len + 1;
			return fields;
		}
	case_fail(s, "unknown field \"%s\"", word);
}

uint64_t
case_get(const struct statement *s, const char *word,
    const struct case_field *fields, const void *object, const char **text)
{
	const struct case_field *f = field_of(s, word, fields, text);
	uint64_t value = 0;

	memcpy(&value, (const char *)object + f->offset, f->size);
	return value;
}

void
case_set(const struct statement *s, const char *word,
    const struct case_field *fields, void *object)
{
	const char *text;
	const struct case_field *f = field_of(s, word, fields, &text);
	uint64_t value = case_value(s, text, 0);

	memcpy((char *)object + f->offset, &value, f->size);
}

void
case_check(const struct statement *s, const char *word,
    const struct case_field *fields, const void *object)
{
	const char *text;
	uint64_t value = case_get(s, word, fields, object, &text);
	size_t bits = 8 * field_of(s, word, fields, &text)->size;

	/* A negative number has as many bits as the field. */
	if (strstr(text, "..") == NULL && bits < 64 &&
	    (case_value(s, text, 0) ^ value) << (64 - bits) == 0)
		return;
	case_expect(s, word, value, text, 0);
}
