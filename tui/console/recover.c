/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What a killed process has left of a document is offered at the start. */
#include <string.h>
#include <time.h>

#include "tui/console/files.h"
#include "tui/session/saving.h"

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

	saving_recover(plan, f->offered, &f->found.contents);
	/* Our own file first, so that it is never nowhere. */
	saving_keep(plan, wall, true, NULL);
	recovered_remove(&f->found);
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

static void
keep_for_later(struct ui *ui, nsec wall)
{
	ui->filing.skip++;
	done_with_this(ui);
	files_offer(ui, wall);
}

static const struct ui_answer answers[] = {
    {"rR", "recover", recover},
    {"dD", "delete", discard},
    {"\033\003", "keep for later", keep_for_later},
    {NULL, NULL, NULL},
};

static void
ask(struct ui *ui)
{
	const struct ui_filing *f = &ui->filing;
	struct text title = {0};
	char when[32] = "";
	struct tm tm;

	source_add_title(ui->session->plan, f->offered, &title);
	if (localtime_r(&f->found.when.tv_sec, &tm) != NULL)
		strftime(when, sizeof(when), "%Y-%m-%d %H:%M", &tm);
	ui_ask(ui, answers, "unsaved edits of %s from %s:", text_str(&title),
	    when);
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
		return !plan->sources[source].is_again;
	for (size_t i = 0; i < source; i++)
		if (source_path(&plan->sources[i]) == NULL)
			return false;
	return true;
}

void
files_offer(struct ui *ui, nsec wall)
{
	struct ui_filing *f = &ui->filing;
	const struct plan *plan = ui->session->plan;

	(void)wall;
	while (f->offered < plan->n_sources) {
		const struct source *s = &plan->sources[f->offered];

		if (!is_offered(plan, f->offered) ||
		    !recovery_find(source_path(s), f->skip, &f->found)) {
			f->offered++;
			f->skip = 0;
		} else if (is_nothing_new(s->doc, &f->found)) {
			recovered_remove(&f->found);
			done_with_this(ui);
		} else {
			ask(ui);
			return;
		}
	}
}
