/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a killed process has left of a document is offered at the start, and at
 * :recover. */
#include <string.h>
#include <time.h>

#include "run/live/saving.h"
#include "tui/console/ui.h"

static void
done_with_this(struct ui *ui)
{
	recovered_free(&ui->filing.found);
}

static void
recover(struct ui *ui, nsec wall)
{
	struct ui_filing *f = &ui->filing;
	struct plan *plan = ui->session->plan;
	const struct source *s = &plan->sources[f->offered];

	saving_recover(plan, f->offered, &f->found.contents);
	/* Our own file first, so that it is never nowhere. */
	saving_keep(plan, wall, true, NULL);
	if (s->saved.has_recovery || !source_is_unsaved(s))
		recovered_remove(&f->found);
	else
		recovered_put_off(&f->found);
	done_with_this(ui);
	files_edited(ui, f->offered);
	ui_say(
	    ui, ROLE_GOOD, "recovered (undo leads back to the file, w writes)");
	files_offer(ui, wall);
}

static void
discard(struct ui *ui, nsec wall)
{
	recovered_remove(&ui->filing.found);
	done_with_this(ui);
	files_offer(ui, wall);
}

/* It is not asked about again by itself. */
static void
keep_for_later(struct ui *ui, nsec wall)
{
	struct ui_filing *f = &ui->filing;

	recovered_put_off(&f->found);
	ui_say(ui, ROLE_NORMAL, ":recover asks again; kept in ");
	text_add_visible(&ui->message, f->found.file, strlen(f->found.file));
	f->skip++;
	done_with_this(ui);
	files_offer(ui, wall);
}

static void ask(struct ui *ui, nsec wall);

static void
show_difference(struct ui *ui, nsec wall)
{
	const struct ui_filing *f = &ui->filing;
	const struct source *s = &ui->session->plan->sources[f->offered];

	(void)wall;
	ui_open_page(ui, files_difference_left(s, &f->found));
	ui->page_closed = ask;
}

static const struct ui_answer answers[] = {
    {"rR", "recover", recover},
    {"dD", "differences", show_difference},
    {"xX", "delete", discard},
    {"\033\003", "keep for later", keep_for_later},
    {NULL, NULL, NULL},
};

/* Has the file been written since? */
static bool
is_outdated(const struct ui_filing *f, const struct source *s)
{
	const struct timespec *left = &f->found.when, *file = &s->stamp.mtime;

	return s->stamp.exists &&
	    (left->tv_sec < file->tv_sec ||
		(left->tv_sec == file->tv_sec &&
		    left->tv_nsec < file->tv_nsec));
}

static void
ask(struct ui *ui, nsec wall)
{
	const struct ui_filing *f = &ui->filing;
	const struct plan *plan = ui->session->plan;
	struct text title = {0};
	char when[32] = "";
	struct tm tm;

	(void)wall;
	source_add_title(plan, f->offered, &title);
	if (localtime_r(&f->found.when.tv_sec, &tm) == NULL ||
	    strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm) == 0)
		strcpy(when, "no year of ours");
	ui_ask(ui, answers, "unsaved edits of %s from %s%s:", text_str(&title),
	    when,
	    is_outdated(f, &plan->sources[f->offered])
		? ", before it was written"
		: "");
	text_free(&title);
}

/* It was saved after all. */
static bool
is_nothing_new(const struct document *doc, const struct recovered *found)
{
	struct text t = {0};
	bool same;

	document_print(doc, &t);
	same = t.len == found->contents.len &&
	    memcmp(text_str(&t), text_str(&found->contents), t.len) == 0;
	text_free(&t);
	return same;
}

/* What is left of documents without a name is for the first of those. */
static bool
is_offered(const struct plan *plan, size_t source)
{
	if (source_path(&plan->sources[source]) != NULL)
		return !plan->sources[source].is_alias;
	for (size_t i = 0; i < source; i++)
		if (source_path(&plan->sources[i]) == NULL)
			return false;
	return true;
}

/* It was seen before: a word about it will do. */
static void
pass_over(struct ui *ui)
{
	struct ui_filing *f = &ui->filing;
	struct text title = {0};

	source_add_title(ui->session->plan, f->offered, &title);
	if (ui->message.len == 0)
		ui_say(ui, ROLE_WARN,
		    "unsaved edits of %s are kept (:recover asks)",
		    text_str(&title));
	text_free(&title);
	f->skip++;
	done_with_this(ui);
}

void
files_offer(struct ui *ui, nsec wall)
{
	struct ui_filing *f = &ui->filing;
	const struct plan *plan = ui->session->plan;

	while (f->offered < f->end) {
		const struct source *s = &plan->sources[f->offered];

		if (!is_offered(plan, f->offered) ||
		    !recovery_find(
			source_recovery_path(s), f->skip, &f->found)) {
			f->offered++;
			f->skip = 0;
		} else if (is_nothing_new(s->doc, &f->found)) {
			recovered_remove(&f->found);
			done_with_this(ui);
		} else if (f->found.put_off && !f->wanted) {
			pass_over(ui);
		} else {
			ask(ui, wall);
			return;
		}
	}
}

static void
begin(struct ui *ui, size_t first, size_t end, bool wanted)
{
	struct ui_filing *f = &ui->filing;

	done_with_this(ui);
	ui->page_closed = NULL;
	f->offered = first;
	f->end = ui->for_a_person ? end : first;
	f->skip = 0;
	f->wanted = wanted;
}

void
files_offer_from(struct ui *ui, size_t source, nsec wall)
{
	begin(ui, source, ui->session->plan->n_sources, false);
	if (ui->for_a_person)
		saving_remove_dead(ui->session->plan, source);
	files_offer(ui, wall);
}

bool
files_recover(struct ui *ui, nsec wall, struct text *err)
{
	size_t source = ui->selection.source;

	begin(ui, source, source + 1, true);
	files_offer(ui, wall);
	if (ui->question.answers != NULL)
		return true;
	text_adds(err, "there are no unsaved edits of ");
	source_add_title(ui->session->plan, source, err);
	text_adds(err, " from before");
	return false;
}
