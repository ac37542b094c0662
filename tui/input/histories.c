/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Histories of prompts, each in a file of its own. readline has one history per
 * process: it is filled from ours when a line begins, and emptied afterwards.
 */
#include "tui/input/prompt_private.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <readline/history.h>
#include <readline/readline.h>

#include "base/mem.h"
#include "base/state_folder.h"
#include "base/text.h"

#define MAX_LINES      500
#define MAX_HISTORIES  8
#define MAX_FILE_BYTES (4 << 20)

struct line_history {
	const char *name; /* NULL: free */
	char *lines[MAX_LINES];
	size_t n;
	struct text path; /* "": no file */
};

static struct line_history histories[MAX_HISTORIES];
static struct line_history *current; /* NULL: none */

/* True if path does not exist, or is a small enough regular file of the user. A
 * link must be the user's own. */
static bool
is_history(const char *path)
{
	struct stat st;

	if (lstat(path, &st) != 0)
		return errno == ENOENT;
	if (S_ISLNK(st.st_mode) &&
	    (st.st_uid != geteuid() || stat(path, &st) != 0))
		return false;
	return S_ISREG(st.st_mode) && st.st_uid == geteuid() &&
	    st.st_size <= MAX_FILE_BYTES;
}

/* Sets path to the file of a history and makes its folders; "": there is no
 * place for it. */
static void
find_history_file(struct text *path, const char *name)
{
	if (state_folder(STATE_OF_USER, true, path)) {
		text_adds(path, name);
		if (is_history(text_str(path)))
			return;
	}
	text_clear(path);
}

static void
add_line(struct line_history *h, const char *line)
{
	if (h->n == MAX_LINES) {
		free(h->lines[0]);
		memmove(h->lines, h->lines + 1,
		    (MAX_LINES - 1) * sizeof(*h->lines));
		h->n--;
	}
	h->lines[h->n++] = mem_strdup(line);
}

void
histories_tidy(void)
{
	UNDO_LIST *now = rl_undo_list;

	for (int i = 0; i < history_length; i++) {
		HIST_ENTRY *entry = history_get(history_base + i);

		rl_undo_list = entry->data;
		entry->data = NULL;
		if (rl_undo_list != now)
			rl_free_undo_list();
	}
	rl_undo_list = now;
}

/* Empties the history. readline 8.2's rl_clear_history() leaves a list without an
 * end. */
static void
clear_lines(void)
{
	histories_tidy();
	while (history_length > 0)
		free_history_entry(remove_history(history_length - 1));
	using_history();
}

static void
read_history_file(struct line_history *h)
{
	clear_lines();
	if (read_history(text_str(&h->path)) != 0)
		return;
	for (int i = 0; i < history_length; i++)
		add_line(h, history_get(history_base + i)->line);
}

/* Returns the history of that name; creates it if needed. */
static struct line_history *
find_history(const char *name, bool persistent)
{
	struct line_history *h = histories;

	while (h < histories + MAX_HISTORIES - 1 && h->name != NULL &&
	    strcmp(h->name, name) != 0)
		h++;
	if (h->name != NULL)
		return h;
	h->name = name;
	if (persistent)
		find_history_file(&h->path, name);
	if (h->path.len > 0)
		read_history_file(h);
	return h;
}

static void
fill_readline(const struct line_history *h)
{
	clear_lines();
	for (size_t i = 0; i < h->n; i++)
		add_history(h->lines[i]);
	using_history();
}

void
histories_show(const char *name, bool persistent)
{
	histories_hide();
	if (name == NULL)
		return;
	current = find_history(name, persistent);
	fill_readline(current);
}

void
histories_keep(const char *line)
{
	struct line_history *h = current;

	if (h == NULL || *line == 0 ||
	    (h->n > 0 && strcmp(h->lines[h->n - 1], line) == 0))
		return;
	add_line(h, line);
	fill_readline(h);
	if (h->path.len == 0)
		return;
	if (append_history(1, text_str(&h->path)) != 0)
		write_history(text_str(&h->path));
	history_truncate_file(text_str(&h->path), MAX_LINES);
}

void
histories_hide(void)
{
	clear_lines();
	current = NULL;
}

void
histories_free(void)
{
	histories_hide();
	for (size_t i = 0; i < MAX_HISTORIES; i++) {
		for (size_t k = 0; k < histories[i].n; k++)
			free(histories[i].lines[k]);
		text_free(&histories[i].path);
		histories[i].name = NULL;
		histories[i].n = 0;
	}
}
