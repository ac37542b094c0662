/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page of changes: each edit and live change with what it did to misses,
 * rates and latencies, the newest first; and setting the totals that are shown
 * to zero.
 */
#include <inttypes.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/views/page.h"

/* Adds the change and, below it, its effect. */
static void
add_run_change(struct page *p, const struct session *s, size_t i)
{
	const struct changes *c = &s->changes;
	const struct run_change *change = &c->list[i];
	struct run_figures after = changes_after(c, i, s->run.sim);
	struct text head = {0}, effect = {0};
	char at[UNITS_LEN], span[UNITS_LEN];

	text_addf(&head, "%12s  ", format_time(at, change->at));
	page_add_hanging(
	    p, ROLE_STRONG, text_str(&head), text_str(&change->what));
	changes_effect(&change->before, &after, s->run.sim, &effect);
	if (i + 1 == c->n && after.span > 0)
		text_addf(&effect, " (the last %s)",
		    format_duration(span, after.span));
	page_add_hanging(p, ROLE_NORMAL, "                ", text_str(&effect));
	text_free(&head);
	text_free(&effect);
}

void
act_changes(struct ui *ui, int arg)
{
	const struct session *s = ui->session;
	const struct changes *c = &s->changes;
	struct page *p;

	(void)arg;
	if (c->n == 0) {
		ui_say(ui, ROLE_NORMAL,
		    "nothing was changed yet: edits and live changes are "
		    "listed here with what they did");
		return;
	}
	p = page_new("Changes, and what each did");
	for (size_t i = c->n; i-- > 0;) {
		add_run_change(p, s, i);
		if (i > 0 && c->list[i - 1].launch != c->list[i].launch)
			page_add(p, ROLE_DIM, "  in the run before:", NULL);
	}
	if (c->n_forgotten > 0) {
		struct text t = {0};

		text_addf(&t, "  and %" PRIu64 " earlier ones", c->n_forgotten);
		page_add(p, ROLE_DIM, text_str(&t), NULL);
		text_free(&t);
	}
	ui_open_page(ui, p);
}

void
act_reset_totals(struct ui *ui, int arg)
{
	char at[UNITS_LEN];

	(void)arg;
	session_reset_totals(ui->session);
	ui_say(ui, ROLE_NORMAL, "totals count from now on, %s",
	    format_time(at, ui->session->run.sim->now));
}
