/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/mutants/mutant.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"

static char *
copy(const char *from, size_t len)
{
	char *to = mem_calloc(len + 1, 1);

	memcpy(to, from, len);
	return to;
}

static void
set(char **to, const char *from, size_t len)
{
	free(*to);
	*to = copy(from, len);
}

/* Adds a line to a text of several. */
static void
add_line(char **to, const char *line, size_t len)
{
	struct text t = {0};

	if (*to != NULL && **to != '\0')
		text_addf(&t, "%s\n", *to);
	text_add(&t, line, len);
	free(*to);
	*to = copy(text_str(&t), t.len);
	text_free(&t);
}

static bool
begins(const char *line, size_t len, const char *word)
{
	return len >= strlen(word) && strncmp(line, word, strlen(word)) == 0;
}

static bool
wrong(const char *list, unsigned line, const char *what, struct text *err)
{
	text_addf(err, "%s:%u: %s", list, line, what);
	return false;
}

/* Is there all that a mutant needs? */
static bool
is_whole(const struct mutants *m, struct text *err)
{
	const struct mutant *last = &m->all[m->n - 1];

	if (m->n == 0 ||
	    (last->file != NULL && last->old_text != NULL &&
		last->new_text != NULL))
		return true;
	return wrong(last->list, last->line,
	    "a mutant needs lines 'in FILE', '- OLD TEXT' and '+ NEW TEXT'",
	    err);
}

static bool
begin_mutant(struct mutants *m, const char *list, unsigned number,
    const char *line, size_t len, struct text *err)
{
	const char *name = line + strlen("mutant ");
	const char *colon = memchr(name, ':', len - strlen("mutant "));

	if (colon == NULL)
		return wrong(list, number,
		    "expected 'mutant NAME: WHAT', e.g. mutant no-slices: a "
		    "slice is never over",
		    err);
	m->all = mem_grow(m->all, m->n, &m->cap, sizeof *m->all);
	m->all[m->n] = (struct mutant){.list = list, .line = number};
	set(&m->all[m->n].name, name, (size_t)(colon - name));
	set(&m->all[m->n].what, colon + 2,
	    (size_t)(line + len - colon) < 2
		? 0
		: (size_t)(line + len - colon - 2));
	m->n++;
	return true;
}

static bool
read_line(struct mutants *m, const char *list, unsigned number,
    const char *line, size_t len, struct text *err)
{
	struct mutant *last = m->n > 0 ? &m->all[m->n - 1] : NULL;

	if (len == 0 || *line == '#')
		return true;
	if (begins(line, len, "mutant "))
		return (last == NULL || is_whole(m, err)) &&
		    begin_mutant(m, list, number, line, len, err);
	if (last == NULL || last->list != list)
		return wrong(list, number, "expected 'mutant NAME: WHAT'", err);
	if (begins(line, len, "in "))
		set(&last->file, line + 3, len - 3);
	else if (begins(line, len, "- "))
		add_line(&last->old_text, line + 2, len - 2);
	else if (*line == '+')
		add_line(&last->new_text, line + 1, len - 1);
	else if (begins(line, len, "equivalent: "))
		set(&last->equivalent, line + 12, len - 12);
	else if (begins(line, len, "tests: "))
		set(&last->tests, line + 7, len - 7);
	else
		return wrong(list, number,
		    "expected 'mutant', 'in', '-', '+', 'equivalent:' or "
		    "'tests:'",
		    err);
	return true;
}

bool
mutants_parse(
    struct mutants *m, const char *list, const char *text, struct text *err)
{
	unsigned number = 0;

	while (*text != '\0') {
		size_t len = strcspn(text, "\n");

		if (!read_line(m, list, ++number, text, len, err))
			return false;
		text += len + (text[len] == '\n');
	}
	return m->n == 0 || is_whole(m, err);
}

void
mutants_free(struct mutants *m)
{
	for (size_t i = 0; i < m->n; i++) {
		struct mutant *mutant = &m->all[i];

		free(mutant->name);
		free(mutant->what);
		free(mutant->file);
		free(mutant->old_text);
		free(mutant->new_text);
		free(mutant->equivalent);
		free(mutant->tests);
	}
	free(m->all);
	*m = (struct mutants){0};
}

static const char *
skip_blanks(const char *at)
{
	while (isspace((unsigned char)*at))
		at++;
	return at;
}

/* Behind the text that begins here; NULL: another does. */
static const char *
match(const char *at, const char *text)
{
	text = skip_blanks(text);
	while (*text != '\0') {
		at = skip_blanks(at);
		if (*at != *text)
			return NULL;
		at++;
		text = skip_blanks(text + 1);
	}
	return at;
}

bool
mutant_apply(const struct mutant *m, const char *source, struct text *out,
    struct text *err)
{
	const char *found = NULL, *end = NULL;
	unsigned n = 0;

	for (const char *at = source; *at != '\0'; at++) {
		const char *behind = isspace((unsigned char)*at)
		    ? NULL
		    : match(at, m->old_text);

		if (behind == NULL)
			continue;
		found = at;
		end = behind;
		n++;
	}
	if (n != 1) {
		text_addf(err,
		    "%s:%u: mutant '%s': its old text is %u times in %s, "
		    "expected once: make it what stands there now",
		    m->list, m->line, m->name, n, m->file);
		return false;
	}
	text_add(out, source, (size_t)(found - source));
	text_addf(out, "%s%s", m->new_text, end);
	return true;
}
