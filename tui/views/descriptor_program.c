/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The Descriptor view where the selected client is a program: the descriptor
 * that --capture would write of it, or what is missing for that. It can be
 * read, and is not what a program runs.
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

	if (sel->client >= s->run.sim->n_clients || env->draft != NULL)
		return NULL;
	c = s->run.sim->clients[sel->client];
	if (c->walker != NULL ||
	    (env->focus && !source_is_blank(&s->plan->sources[sel->source])))
		return NULL;
	return c;
}

static void
draw_program_title(
    const struct view_env *env, const struct client *c, struct area *a)
{
	enum role role = view_title_role(env);
	struct text title = {0};

	fill(a, 0, 0, a->r.w, role);
	text_addf(&title, "%s (pid %" PRId64 "), as --capture would write it",
	    c->name, c->pid);
	put_cut(a, 0, VIEW_NUMBER_COLS, a->r.w - VIEW_NUMBER_COLS, role,
	    text_str(&title));
	text_free(&title);
}

void
descriptor_draw_program(
    const struct view_env *env, const struct client *c, struct area *a)
{
	const char *text = session_program_text(env->session, c);
	struct text line = {0};

	draw_program_title(env, c, a);
	if (*text == 0)
		text = "# nothing of it has ended yet";
	for (int y = 1; y < a->r.h && *text != 0; y++) {
		size_t len = strcspn(text, "\n");

		text_clear(&line);
		text_add_visible(&line, text, len);
		put_cut(a, y, 0, a->r.w, *text == '#' ? ROLE_DIM : ROLE_NORMAL,
		    text_str(&line));
		text += len + (text[len] == '\n');
	}
	text_free(&line);
}
