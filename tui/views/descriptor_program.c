/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Descriptor view where the selected client is a program: the descriptor
 * that --capture would write of it, or what is missing for that. It can be
 * read, and is not what a program runs; the documents are one key away.
 */
#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "run/live/programs.h"
#include "tui/views/descriptor.h"

const struct client *
descriptor_program(const struct view_env *env)
{
	const struct session *s = env->session;
	const struct selection *sel = env->selection;
	const struct client *c;

	if (sel->client >= s->run.sim->n_clients || env->draft != NULL ||
	    sel->document_over == sel->client + 1)
		return NULL;
	c = s->run.sim->clients[sel->client];
	return c->walker == NULL ? c : NULL;
}

static void
draw_program_title(const struct program_look *look, const struct view_env *env,
    const struct client *c, struct area *a)
{
	enum role role = view_title_role(env);
	struct text title = {0};

	fill(a, 0, 0, a->r.w, role);
	text_addf(&title, "%s (pid %" PRId64 "), as --capture would write it",
	    c->name, c->pid);
	put_cut(a, 0, VIEW_NUMBER_COLS, a->r.w - VIEW_NUMBER_COLS, role,
	    text_str(&title));
	list_draw_place(&look->list, a, role);
	text_free(&title);
}

static const char *
text_of_program(const struct view_env *env, const struct client *c)
{
	const char *text = session_program_text(env->session, c);

	return *text != 0 ? text
	    : c->state == CLIENT_ENDED
	    ? "# it has ended, and no batch of it did"
	    : "# no batch of it has ended yet";
}

/* Moves *text behind its first line. Returns that line, of *len bytes. */
static const char *
take_text_line(const char **text, size_t *len)
{
	const char *line = *text;

	*len = strcspn(line, "\n");
	*text = line + *len + (line[*len] == '\n');
	return line;
}

static size_t
count_text_lines(const char *text)
{
	size_t n = 0, len;

	for (; *text != 0; n++)
		take_text_line(&text, &len);
	return n;
}

static void
draw_program_line(const struct program_look *look, const struct view_env *env,
    struct area *a, int y, const char *text, size_t len)
{
	struct needle needle = needle_of(env->search, strlen(env->search));
	struct text line = {0};

	text_add_visible(&line, text, len);
	put_cut_skip(a, y, 0, a->r.w,
	    len > 0 && *text == '#' ? ROLE_DIM : ROLE_NORMAL, text_str(&line),
	    line.len, look->skip);
	if (needle.len > 0)
		paint_matches(
		    a, y, 0, text_str(&line), line.len, look->skip, &needle);
	text_free(&line);
}

void
descriptor_draw_program(struct program_look *look, const struct view_env *env,
    const struct client *c, struct area *a)
{
	const char *text = text_of_program(env, c);
	size_t len;

	if (look->client != c->id + 1)
		*look = (struct program_look){.client = c->id + 1};
	look->list.pager = true;
	list_fit(&look->list, count_text_lines(text), a->r.h - 1);
	draw_program_title(look, env, c, a);
	for (size_t i = 0; *text != 0 && i < look->list.top + look->list.height;
	     i++) {
		const char *line = take_text_line(&text, &len);

		if (i >= look->list.top)
			draw_program_line(look, env, a,
			    1 + (int)(i - look->list.top), line, len);
	}
}

bool
program_look_find(struct program_look *look, const struct view_env *env,
    const struct client *c, const char *text, size_t from, int step)
{
	struct needle needle = needle_of(text, strlen(text));
	size_t n = count_text_lines(text_of_program(env, c));

	for (struct list_walk w = walk_begin(n, from, step); walk_goes_on(&w);
	     walk_step(&w)) {
		const char *rest = text_of_program(env, c), *line = rest;
		size_t len = 0;

		for (size_t i = 0; i <= w.at; i++)
			line = take_text_line(&rest, &len);
		if (needle_find(&needle, line, len, 0) == NOWHERE)
			continue;
		look->list.top = w.at;
		return true;
	}
	return false;
}
