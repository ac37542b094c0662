/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Unsaved edits that a killed process left in recovery files are offered: at
 * the start for all sources, and by :recover for the shown one. ui->offer is
 * the one being asked about; an answer goes on to the next.
 */
#include <string.h>
#include <time.h>

#include "run/live/saving.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

static void offer_next(struct ui *ui);

static void
end_offer(struct ui *ui)
{
	recovered_free(&ui->offer.found);
}

static void
recover(struct ui *ui, int arg)
{
	struct recovery_offer *o = &ui->offer;
	struct plan *plan = ui->session->plan;
	const struct source *s = &plan->sources[o->source];

	(void)arg;
	saving_recover(plan, o->source, &o->found.contents);
	/* Our own recovery file first: the edits are always in one. */
	saving_keep(plan, ui->now, true, NULL);
	if (s->saved.has_recovery || !source_is_unsaved(s))
		recovered_remove(&o->found);
	else
		recovered_put_off(&o->found);
	end_offer(ui);
	files_edited(ui, o->source);
	ui_say(ui, ROLE_GOOD, "recovered (undo returns to the file, w writes)");
	offer_next(ui);
}

static void
discard(struct ui *ui, int arg)
{
	(void)arg;
	recovered_remove(&ui->offer.found);
	end_offer(ui);
	offer_next(ui);
}

/* Only :recover asks about it again. */
static void
keep_for_later(struct ui *ui, int arg)
{
	struct recovery_offer *o = &ui->offer;

	(void)arg;
	recovered_put_off(&o->found);
	ui_say(ui, ROLE_NORMAL, ":recover asks again; kept in ");
	text_add_visible(&ui->message, o->found.file, strlen(o->found.file));
	o->skip++;
	end_offer(ui);
	offer_next(ui);
}

static void ask_to_recover(struct ui *ui);

static void
show_left(struct ui *ui, int arg)
{
	const struct recovery_offer *o = &ui->offer;
	const struct source *s = &ui->session->plan->sources[o->source];

	(void)arg;
	ui_open_page(ui, differences_left(s, &o->found));
	ui->page_closed = ask_to_recover;
}

static const struct ui_answer recovery_answers[] = {
    {"rR", "recover", recover, 0},
    {"dD", "differences", show_left, 0},
    {"xX", "delete", discard, 0},
    {"\033\003", "keep for later", keep_for_later, 0},
    {0},
};

/* True if the file was written after the edits. */
static bool
is_older(const struct recovery_offer *o, const struct source *s)
{
	const struct timespec *left = &o->found.when, *file = &s->stamp.mtime;

	return s->stamp.exists &&
	    (left->tv_sec < file->tv_sec ||
		(left->tv_sec == file->tv_sec &&
		    left->tv_nsec < file->tv_nsec));
}

static void
ask_to_recover(struct ui *ui)
{
	const struct recovery_offer *o = &ui->offer;
	const struct plan *plan = ui->session->plan;
	struct text title = {0};
	char when[32] = "";
	struct tm tm;

	source_add_title(plan, o->source, &title);
	if (localtime_r(&o->found.when.tv_sec, &tm) == NULL ||
	    strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm) == 0)
		strcpy(when, "an unknown time");
	ui_ask(ui, recovery_answers,
	    "unsaved edits of %s from %s%s:", text_str(&title), when,
	    is_older(o, &plan->sources[o->source]) ? ", before it was written"
						   : "");
	text_free(&title);
}

/* True if the document has the edits already: they were saved. */
static bool
is_saved(const struct document *doc, const struct recovered *found)
{
	struct text t = {0};
	bool same;

	document_print(doc, &t);
	same = t.len == found->contents.len &&
	    memcmp(text_str(&t), text_str(&found->contents), t.len) == 0;
	text_free(&t);
	return same;
}

/* The first document without a name gets what was left of any of these. */
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

/* The user has seen it before: only a message. */
static void
pass_over(struct ui *ui)
{
	struct recovery_offer *o = &ui->offer;
	struct text title = {0};

	source_add_title(ui->session->plan, o->source, &title);
	if (ui->message.len == 0)
		ui_say(ui, ROLE_WARN,
		    "unsaved edits of %s are kept (:recover asks)",
		    text_str(&title));
	text_free(&title);
	o->skip++;
	end_offer(ui);
}

/* Asks about the next recovery, if there is one. */
static void
offer_next(struct ui *ui)
{
	struct recovery_offer *o = &ui->offer;
	const struct plan *plan = ui->session->plan;

	while (o->source < o->end) {
		const struct source *s = &plan->sources[o->source];

		if (!is_offered(plan, o->source) ||
		    !recovery_find(
			source_recovery_path(s), o->skip, &o->found)) {
			o->source++;
			o->skip = 0;
		} else if (is_saved(s->doc, &o->found)) {
			recovered_remove(&o->found);
			end_offer(ui);
		} else if (o->found.put_off && !o->wanted) {
			pass_over(ui);
		} else {
			ask_to_recover(ui);
			return;
		}
	}
}

static void
begin_offers(struct ui *ui, size_t first, size_t end, bool wanted)
{
	struct recovery_offer *o = &ui->offer;

	end_offer(ui);
	ui->page_closed = NULL;
	o->source = first;
	o->end = ui->for_a_person ? end : first;
	o->skip = 0;
	o->wanted = wanted;
}

void
recovery_offer_from(struct ui *ui, size_t first)
{
	begin_offers(ui, first, ui->session->plan->n_sources, false);
	if (ui->for_a_person)
		saving_remove_dead(ui->session->plan, first);
	offer_next(ui);
}

bool
cmd_recover(struct ui *ui, const char *typed, int arg, struct text *err)
{
	size_t source = ui->selection.source;

	(void)typed;
	(void)arg;
	begin_offers(ui, source, source + 1, true);
	offer_next(ui);
	if (ui->question.answers != NULL)
		return true;
	text_adds(err, "no unsaved edits were left of ");
	source_add_title(ui->session->plan, source, err);
	return false;
}
