/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Puts the results of decisions into the session: launches a capacity, opens a row of a
 * sweep; and writes them as pages.
 */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "run/live/vary.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/decision.h"
#include "tui/console/report.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

bool
decision_launch(struct ui *ui, struct text *err)
{
	struct decision *d = &ui->decision;
	struct capacity_answer a;

	if (d->kind != DECISION_CAPACITY || d->capacity.n_tried == 0) {
		text_adds(err, "no capacity is known: :capacity searches it");
		return false;
	}
	if (d->aside != NULL) {
		text_adds(
		    err, "the search is not over: :capacity stop ends it");
		return false;
	}
	capacity_answer(&d->capacity, &a);
	if (a.count == 0) {
		text_adds(err, "not even one client fits");
		return false;
	}
	if (d->source >= d->plan->n_sources ||
	    !session_set_clients(ui->session, ui->now, d->source, a.count, err))
		return false;
	ui_open_page(ui, NULL);
	ui_say(ui, ROLE_NORMAL, "restarted with %u client%s", a.count,
	    a.count == 1 ? "" : "s");
	return true;
}

/* Appends a line without the program's name, which a shell would show. */
static void
add_bare_reason(const char *why, struct text *err)
{
	static const char name[] = "gpuwl-top: ";

	if (strncmp(why, name, strlen(name)) == 0)
		why += strlen(name);
	text_add(err, why, strcspn(why, "\n"));
}

bool
decision_open_row(struct ui *ui, const char *number, struct text *err)
{
	struct decision *d = &ui->decision;
	struct text knobs = {0}, what = {0}, why = {0};
	struct options varied;
	int64_t row;
	bool ok;

	if (d->kind != DECISION_SWEEP || !parse_integer(number, &row) ||
	    row < 1 || (size_t)row > sweep_n_rows(&d->sweep)) {
		text_adds(err,
		    "expected the number of a row, e.g. :sweep open "
		    "3");
		return false;
	}
	text_addf(&what, "row %" PRId64 " of the sweep", row);
	ok = sweep_vary(&d->sweep, (size_t)row - 1, &d->options, &varied,
		 &knobs, &why) &&
	    session_vary(ui->session, ui->now, &varied, text_str(&knobs),
		text_str(&what), &why);
	if (ok) {
		ui_open_page(ui, NULL);
		ui_say(ui, ROLE_NORMAL, "restarted as %s", text_str(&what));
	} else {
		add_bare_reason(text_str(&why), err);
	}
	text_free(&knobs);
	text_free(&what);
	text_free(&why);
	return ok;
}

bool
decision_draw_column(struct ui *ui, const char *name, struct text *err)
{
	struct decision *d = &ui->decision;
	size_t len;

	for (size_t i = 0; d->kind == DECISION_SWEEP; i++) {
		const char *column = decision_field(&d->header, 0, i, &len);

		if (column == NULL)
			break;
		if (len != strlen(name) || len >= sizeof d->column ||
		    strncmp(column, name, len) != 0)
			continue;
		strcpy(d->column, name);
		decision_show(ui);
		return true;
	}
	text_adds(
	    err, "expected a column of the sweep, e.g. :sweep plot misses");
	return false;
}

bool
decision_asks_report(const char *typed, const char **path, bool *over)
{
	*path = decision_after_word(typed, "report");
	*over = *path == NULL;
	if (*over)
		*path = decision_after_word(typed, "report!");
	return *path != NULL;
}

/* Appends why a decision has no page. */
static void
explain_no_page(
    const struct decision *d, enum decision_kind kind, struct text *err)
{
	if (d->kind != kind)
		text_addf(err, "nothing is known to report: :%s searches",
		    decision_name(kind));
	else if (d->aside != NULL)
		text_addf(err,
		    "it is not over: :%s report writes it when it is",
		    decision_name(kind));
	else
		text_addf(err,
		    "it has not come to its end, which a page is of: :%s "
		    "begins again",
		    decision_name(kind));
}

bool
decision_report(struct ui *ui, enum decision_kind kind, const char *typed,
    bool over, struct text *err)
{
	const struct decision *d = &ui->decision;
	struct text path = {0};
	bool ok = d->kind == kind && d->html.len > 0;

	if (!ok) {
		explain_no_page(d, kind, err);
		return false;
	}
	filename_of(*typed != '\0' ? typed : "report.html", &path);
	ok = report_write(ui->session, text_str(&path), over, &d->html, err);
	if (ok)
		ui_say(ui, ROLE_NORMAL,
		    "the page is written to %s: open it in a browser",
		    text_str(&path));
	text_free(&path);
	return ok;
}
