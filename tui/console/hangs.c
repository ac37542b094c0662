/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Hangs after the fact: goes to the time of one, and shows its error state on a
 * page. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "run/hang_dump/hang_history.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"

/* Moves the selection, and the timeline to where the request still has its
 * engine. */
static void
select_hang(struct ui *ui, const struct hang_record *hang)
{
	ui_show_time(ui, hang->time - 1);
	select_context(
	    &ui->selection, ui->session, hang->client, hang->context);
	select_request(&ui->selection, hang->request);
	ui->selection.miss = 0;
}

/* The page has exactly the text that --error-state writes. */
static void
show_hang(struct ui *ui, const struct hang_record *hang)
{
	struct text title = {0};
	char at[UNITS_LEN];
	struct page *p;

	select_hang(ui, hang);
	text_addf(&title, "Hang %" PRIu64 " of %" PRIu64 ", at %s: error state",
	    hang->number, ui->session->hangs.last, format_time(at, hang->time));
	p = page_new(text_str(&title));
	page_add_text(p, text_str(&hang->text));
	ui_open_page(ui, p);
	text_free(&title);
}

void
act_hang(struct ui *ui, int arg)
{
	const struct hang_history *h = &ui->session->hangs;
	const struct hang_record *hang = hang_history_find(h, h->last);

	(void)arg;
	if (hang != NULL)
		show_hang(ui, hang);
	else
		ui_say(ui, ROLE_NORMAL, "no hang in this run (? is help)");
}

/* Reads the number of a hang; "": the last. False: err says why. */
static bool
read_hang_number(
    const char *typed, uint64_t last, uint64_t *n, struct text *err)
{
	char *end;

	*n = last;
	if (*typed == 0)
		return true;
	*n = strtoull(typed, &end, 10);
	if (*typed >= '0' && *typed <= '9' && *end == 0)
		return true;
	text_adds(err, "invalid hang number '");
	text_add_visible(err, typed, strlen(typed));
	text_adds(err, "': expected a whole number, e.g. 1");
	return false;
}

bool
cmd_hang(struct ui *ui, const char *typed, int arg, struct text *err)
{
	const struct hang_history *h = &ui->session->hangs;
	const struct hang_record *hang;
	uint64_t n;

	(void)arg;
	if (!read_hang_number(typed, h->last, &n, err))
		return false;
	hang = hang_history_find(h, n);
	if (hang != NULL) {
		show_hang(ui, hang);
		return true;
	}
	if (h->last == 0)
		text_adds(err, "no hang in this run");
	else
		text_addf(err,
		    "hang %" PRIu64 " is not kept: expected %" PRIu64
		    " to %" PRIu64,
		    n, h->last < HANGS_KEPT ? 1 : h->last - HANGS_KEPT + 1,
		    h->last);
	return false;
}
