/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `:report` writes the run so far as a page (report/page.h): of the same figures as
 * --report in batch mode, with the changes that were made and what each did.
 */
#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/text.h"
#include "report/page.h"
#include "report/report.h"
#include "run/digest/digest.h"
#include "run/file_uses.h"
#include "run/live/saving.h"
#include "run/options.h"
#include "tui/console/actions.h"
#include "tui/console/report.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

static enum run_end
end_of_session(const struct session *s)
{
	switch (session_state(s)) {
	case SESSION_DONE: return RUN_DONE;
	case SESSION_DEADLOCK: return RUN_DEADLOCK;
	case SESSION_TIME_OVER: return RUN_TIME_OVER;
	case SESSION_STOPPED: return RUN_SIGNAL;
	case SESSION_REFUSED: return RUN_REFUSED;
	default: return RUN_DURATION;
	}
}

static void
add_session_page(struct session *s, struct text *out)
{
	enum session_state state = session_state(s);
	struct hang_log hangs = {0};
	struct result result;
	struct run_page page = {
	    .result = &result,
	    .digest = s->digest,
	    .session = s,
	    .command = s->options != NULL ? s->options->command : NULL,
	    .goes_on = state == SESSION_RUNNING || state == SESSION_PAUSED ||
		state == SESSION_PAUSING,
	};

	hang_log_add_kept(&hangs, &s->hangs);
	result_init(&result, s->plan, s->run.sim, &hangs, end_of_session(s));
	result.busyness = s->run.busyness;
	result.served = session_is_served(s);
	digest_settle(s->digest);
	page_of_run(&page, out);
	hang_log_free(&hangs);
}

/* Opens a file that is not in use; one that has something is replaced only if
 * over. -1: err says why not. */
static int
open_report_file(
    const struct session *s, const char *path, bool over, struct text *err)
{
	struct file_uses uses = {0};
	int fd;

	session_add_uses(s, &uses);
	fd = file_uses_open(&uses, "--report", path,
	    O_CREAT | O_NONBLOCK | (over ? O_TRUNC : O_EXCL), err);
	file_uses_free(&uses);
	if (fd < 0 && errno == EEXIST)
		text_adds(err, " (a ! after the command writes over it)");
	return fd;
}

bool
report_write(const struct session *s, const char *path, bool over,
    const struct text *html, struct text *err)
{
	int fd = open_report_file(s, path, over, err);
	bool ok;

	if (fd < 0)
		return false;
	ok = file_write_all(fd, html->data, html->len);
	ok = close(fd) == 0 && ok;
	if (!ok) {
		text_add_visible(err, path, strlen(path));
		text_addf(err, ": %s", strerror(errno));
	}
	return ok;
}

/* arg: WRITE_OVER or 0. */
bool
cmd_report(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct text path = {0}, html = {0};
	bool ok;

	filename_of(*typed != '\0' ? typed : "report.html", &path);
	add_session_page(ui->session, &html);
	ok = report_write(
	    ui->session, text_str(&path), arg == WRITE_OVER, &html, err);
	if (ok)
		ui_say(ui, ROLE_NORMAL,
		    "the run up to now is written to %s: open it in a browser",
		    text_str(&path));
	text_free(&path);
	text_free(&html);
	return ok;
}
