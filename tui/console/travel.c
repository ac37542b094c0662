/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Any instant of the run: :goto, the keys that go back by one event, batch or
 * iteration, the way back to the present, and the page of branches.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/client/origin.h"
#include "run/recording.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/views/page.h"

/* Where. */

static bool
refuse_place(const char *typed, struct text *err)
{
	text_adds(err, "invalid place '");
	text_add_visible(err, typed, strlen(typed));
	text_adds(err,
	    "': expected a time (12.5, 3ms), +TIME, -TIME, LINE@ITERATION, "
	    "miss N, hang N or end, e.g. 12.5s");
	return false;
}

/* Reads digits; false: there is none, or too many. */
static bool
read_count(const char **s, uint64_t *n)
{
	char *end;

	if (**s < '0' || **s > '9' || strspn(*s, "0123456789") > 18)
		return false;
	*n = strtoull(*s, &end, 10);
	*s = end;
	return true;
}

/* Reads "miss" or "hang", and a number or nothing (0: the last). */
static bool
read_numbered(const char *typed, struct goto_target *to)
{
	size_t len = strcspn(typed, " ");
	const char *n = typed + len + strspn(typed + len, " ");

	if (len != 4 ||
	    (strncmp(typed, "miss", 4) != 0 && strncmp(typed, "hang", 4) != 0))
		return false;
	to->kind = *typed == 'm' ? GOTO_MISS : GOTO_HANG;
	return *n == 0 || (read_count(&n, &to->number) && *n == 0);
}

/* The selected client, if it runs the descriptor that is shown; else the first
 * that does. False: none does. */
static bool
find_past_client(const struct ui *ui, struct goto_target *to)
{
	const struct session *s = ui->session;
	size_t doc = plan_document(s->plan, ui->selection.source);
	const struct sim *sim = s->run.sim;
	uint32_t selected = ui->selection.client;

	for (size_t i = 0; i <= sim->n_clients; i++) {
		size_t id = i == 0 ? selected : i - 1;

		if (id >= sim->n_clients || sim->clients[id]->walker == NULL ||
		    plan_document(s->plan, client_workload(sim->clients[id])) !=
			doc)
			continue;
		to->client = (uint32_t)id;
		return true;
	}
	return false;
}

/* Reads "line N", "line N@I", "N@I" or "N@" (the last iteration). */
static bool
read_line_place(const struct ui *ui, const char *typed, struct goto_target *to)
{
	const struct session *s = ui->session;
	const struct document *doc = s->plan->sources[ui->selection.source].doc;
	bool named = strncmp(typed, "line ", 5) == 0;
	uint64_t row;

	typed += named ? 5 : 0;
	if (!read_count(&typed, &row) || (!named && *typed != '@'))
		return false;
	to->kind = GOTO_LINE;
	to->source = ui->selection.source;
	to->line = document_line_of_row(doc, (size_t)row);
	to->iteration = UINT64_MAX;
	if (*typed == '@' && *++typed != 0 &&
	    !read_count(&typed, &to->iteration))
		return false;
	return *typed == 0 && row > 0;
}

static bool
read_time_place(const struct ui *ui, const char *typed, struct goto_target *to,
    struct text *err)
{
	nsec now = ui->session->run.sim->now, time;
	bool later = *typed == '+', earlier = *typed == '-';

	if (!read_duration(
		typed + (later || earlier), 0, NSEC_MAX, &time, NULL))
		return refuse_place(typed, err);
	if (earlier && time > now) {
		char at[UNITS_LEN];

		text_addf(err, "the run is at %s: there is nothing before 0",
		    format_time(at, now));
		return false;
	}
	to->kind = GOTO_TIME;
	to->time = later ? now + time : earlier ? now - time : time;
	return true;
}

static bool
read_goto_place(const struct ui *ui, const char *typed, struct goto_target *to,
    struct text *err)
{
	if (strcmp(typed, "end") == 0) {
		to->kind = GOTO_END;
		return true;
	}
	if (read_numbered(typed, to))
		return true;
	if (!read_line_place(ui, typed, to))
		return read_time_place(ui, typed, to, err);
	if (find_past_client(ui, to))
		return true;
	text_adds(err, "no client has run this descriptor");
	return false;
}

/* Arrivals. */

/* Views take a sample again that they took then. */
void
ui_tick_again(void *data)
{
	struct ui *ui = data;

	ui_follow_launches(ui);
	ui_tick_views(ui);
}

/* Says where the session is. what: what happened there; "": nothing. */
static void
say_arrived(struct ui *ui, const char *what)
{
	const struct session *s = ui->session;
	char at[UNITS_LEN], present[UNITS_LEN];

	if (session_is_past(s))
		ui_say(ui, ROLE_WARN,
		    "the past: %s of %s%s (F returns to the present)",
		    format_time(at, s->run.sim->now),
		    format_time(present, session_present(s)), what);
	else
		ui_say(ui, ROLE_NORMAL, "at %s, the present%s",
		    format_time(at, s->run.sim->now), what);
}

/* The session is at another instant: views show that one. */
static void
arrive(struct ui *ui)
{
	ui->selection.request = 0;
	ui->selection.miss = 0;
	ui_follow_launches(ui);
	ui_follow_present(ui);
	ui_tick(ui);
}

/* Selects the request that a line has just submitted. */
static void
select_submission(struct ui *ui, const struct goto_target *to)
{
	const struct session *s = ui->session;
	uint64_t last = s->run.sim->n_submitted;

	for (uint64_t id = last; id > 0 && last - id < 1000; id--) {
		const struct trail_request *r = trail_request(s->trail, id);
		size_t source, line;

		if (r == NULL || r->client != to->client ||
		    !session_past_line(s, r, &source, &line) ||
		    line != to->line)
			continue;
		select_request(&ui->selection, id);
		return;
	}
}

/* Returns how a request changed in this instant: 0 most, N_CHANGES not. */
enum { ENDS_NOW, RUNS_NOW, TAKEN_NOW, READY_NOW, SUBMITTED_NOW, N_CHANGES };

static int
change_now(const struct session *s, const struct trail_request *r)
{
	const struct trail_span *span = r->engine != TRAIL_NO_ENGINE
	    ? trail_span(s->trail, r->engine, r->last_span)
	    : NULL;
	nsec now = s->run.sim->now;

	if (r->end_ns == now)
		return ENDS_NOW;
	if (r->start_ns == now || (span != NULL && span->begin_ns == now))
		return RUNS_NOW;
	if (span != NULL && (span->taken_ns == now || span->end_ns == now))
		return TAKEN_NOW;
	if (r->ready_ns == now)
		return READY_NOW;
	return r->submit_ns == now ? SUBMITTED_NOW : N_CHANGES;
}

#define EVENT_REQUESTS 1000 /* looked at, the last ones */

void
select_event(struct ui *ui)
{
	const struct session *s = ui->session;
	uint64_t last = s->run.sim->n_submitted, found = 0;
	int most = N_CHANGES;

	for (uint64_t id = last; id > 0 && last - id < EVENT_REQUESTS; id--) {
		const struct trail_request *r = trail_request(s->trail, id);
		int change = r != NULL ? change_now(s, r) : N_CHANGES;

		if (change > most || change == N_CHANGES)
			continue;
		most = change;
		found = id;
	}
	if (found > 0)
		select_request(&ui->selection, found);
}

/* Selects what was looked for, so that W explains it. present: where the run was
 * before. */
static void
select_target(struct ui *ui, const struct goto_target *to, nsec present)
{
	struct text what = {0};
	char from[UNITS_LEN];

	if (to->kind == GOTO_LINE)
		select_submission(ui, to);
	else if (to->kind == GOTO_MISS)
		text_addf(&what, ", missed period %" PRIu64,
		    ui->session->run.sim->n_missed);
	else if (to->kind == GOTO_HANG)
		text_addf(
		    &what, ", hang %" PRIu64, ui->session->run.sim->n_hangs);
	if (to->kind == GOTO_MISS)
		ui_act(ui, act_miss, 1);
	if (ui->session->run.sim->now > present)
		text_addf(
		    &what, "; it ran on from %s", format_time(from, present));
	say_arrived(ui, text_str(&what));
	text_free(&what);
}

/* On a device the timeline has the past, as far back as its memory goes. */
static bool
show_in_timeline(struct ui *ui, const struct goto_target *to, struct text *err)
{
	const struct session *s = ui->session;
	nsec since = trail_since(s->trail);
	char from[UNITS_LEN];

	if (to->kind != GOTO_TIME || to->time > s->run.sim->now)
		return session_may_travel(s, err);
	if (to->time < since) {
		text_addf(err,
		    "a device does not repeat what it did: its past is kept "
		    "from %s on",
		    format_time(from, since));
		return false;
	}
	ui_show_time(ui, to->time);
	ui_say(ui, ROLE_NORMAL,
	    "the timeline shows the past, as far back as memory keeps it: "
	    "from %s on",
	    format_time(from, since));
	return true;
}

/* An instant, and where the session is in the run. */
struct instant {
	nsec at;
	uint64_t number;
	bool past;
};

static struct instant
instant_of(const struct session *s)
{
	return (struct instant){
	    s->run.sim->now, s->run.sim->n_instants, session_is_past(s)};
}

/* True if the session is still there: what was selected then is selected again. */
static bool
stays_at(struct ui *ui, struct instant from, const struct selection *then)
{
	struct instant now = instant_of(ui->session);

	if (now.at != from.at || now.number != from.number ||
	    now.past != from.past)
		return false;
	ui_follow_launches(ui);
	ui->selection = *then;
	return true;
}

static bool
go_to(struct ui *ui, const struct goto_target *to, struct text *err)
{
	struct session *s = ui->session;
	struct instant from = instant_of(s);
	struct selection then = ui->selection;
	nsec present = session_present(s);
	struct text why = {0};
	bool ok;

	s->delay = ui->delay;
	ok = session_goto(s, ui->now, to, &why);
	if (ok || !stays_at(ui, from, &then))
		arrive(ui);
	if (ok)
		select_target(ui, to, present);
	text_adds(err, text_str(&why));
	text_free(&why);
	return ok;
}

static void
go_on_to_asked(struct ui *ui, int arg)
{
	struct text err = {0};

	(void)arg;
	ui_begin_work(ui, false, "running on to %s %" PRIu64,
	    ui->asked_place.kind == GOTO_HANG ? "hang" : "missed period",
	    ui->asked_place.number);
	if (!go_to(ui, &ui->asked_place, &err))
		ui_say_error(ui, "Not reached", &err);
	text_free(&err);
}

static const struct ui_answer go_on_answers[] = {
    {"yY", "run on until then", go_on_to_asked, 0},
    {"nN\033\003", "stay here", NULL, 0},
    {0},
};

/* Asks before the run goes on to a missed period or hang that has not been. False:
 * the place is another one. */
static bool
ask_to_go_on(struct ui *ui, const struct goto_target *to)
{
	bool hangs = to->kind == GOTO_HANG;
	uint64_t n;

	if (to->kind != GOTO_MISS && to->kind != GOTO_HANG)
		return false;
	n = session_number_so_far(ui->session, hangs);
	if (to->number <= n)
		return false;
	ui->asked_place = *to;
	ui_ask(ui, go_on_answers, "Only %" PRIu64 " %s%s so far:", n,
	    hangs ? "hang" : "missed period", n == 1 ? "" : "s");
	return true;
}

bool
cmd_goto(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct session *s = ui->session;
	struct goto_target to = {0};

	(void)arg;
	if (!read_goto_place(ui, typed, &to, err))
		return false;
	if (session_is_served(s) || session_is_on_gpu(s))
		return show_in_timeline(ui, &to, err);
	if (ask_to_go_on(ui, &to))
		return true;
	ui_begin_work(ui, false,
	    to.kind == GOTO_TIME && to.time > session_present(s)
		? "running on to %s"
		: "going to %s",
	    typed);
	return go_to(ui, &to, err);
}

/* what: an enum sim_step. */
void
act_back(struct ui *ui, int what)
{
	struct instant from = instant_of(ui->session);
	struct selection then = ui->selection;
	struct text err = {0};

	ui_begin_work(ui, false, "going back");
	if (session_back(ui->session, ui->now, (enum sim_step)what, &err)) {
		arrive(ui);
		select_event(ui);
		say_arrived(ui, "");
	} else {
		if (!stays_at(ui, from, &then))
			arrive(ui);
		ui_say(ui, ROLE_WARN, "%s", text_str(&err));
	}
	text_free(&err);
}

/* Returns false if the session is in the present already. */
bool
ui_return_to_present(struct ui *ui)
{
	if (!session_is_past(ui->session))
		return false;
	session_return(ui->session, ui->now);
	arrive(ui);
	say_arrived(ui, "");
	return true;
}

/* Recordings. */

/* Says how long the recording is; stopped: where it ends for now, if not at its
 * end. */
static void
say_recording(struct ui *ui, const struct replay *replay, const char *stopped)
{
	char end[UNITS_LEN], all[UNITS_LEN];
	const char *of = format_time(end, session_present(ui->session));

	if (*stopped != 0)
		ui_say(ui, ROLE_WARN,
		    "the recording of %s was %s: the rest is not known",
		    format_time(all, replay_duration(replay)), stopped);
	else if (session_is_past(ui->session))
		ui_say(ui, ROLE_NORMAL,
		    "a recording of %s, from its beginning (F goes to its end, "
		    ":goto to any instant)",
		    of);
}

bool
ui_play_recording(struct ui *ui, struct replay *replay, struct text *err)
{
	struct session *s = ui->session;
	struct goto_target start = {.kind = GOTO_TIME};
	struct text why = {0};
	bool ok;

	ui_begin_work(ui, false, "playing the recording");
	s->delay = ui->delay;
	ok = session_play_recording(s, ui->now, replay, &why);
	if (ok) {
		session_goto(s, ui->now, &start, err);
		text_clear(err);
		session_pause(s, ui->now, false);
		arrive(ui);
		say_recording(ui, replay, text_str(&why));
	} else {
		text_adds(err, text_str(&why));
	}
	text_free(&why);
	return ok;
}

/* Branches. */

static void
add_branch(struct page *p, const struct session *s, size_t i)
{
	struct branch_view b = session_branch(s, i);
	struct text line = {0}, words = {0};
	char from[UNITS_LEN], to[UNITS_LEN];

	text_addf(&line, "%4u  from %s to %s: ", b.number,
	    format_time(from, b.fork), format_time(to, b.end));
	session_add_branch_changes(s, i, false, &words);
	page_add_hanging(p, ROLE_STRONG, text_str(&line), text_str(&words));
	text_clear(&words);
	session_add_branch_changes(s, i, true, &words);
	page_add_hanging(
	    p, ROLE_NORMAL, "      this run since then: ", text_str(&words));
	text_clear(&words);
	changes_effect(&b.figures, &b.mine, s->run.sim, &words);
	page_add_hanging(
	    p, ROLE_NORMAL, "      compared with it: ", text_str(&words));
	text_free(&line);
	text_free(&words);
}

static void
add_forgotten(struct page *p, unsigned n)
{
	struct text line = {0};

	if (n == 0)
		return;
	text_addf(&line,
	    "%u older %s forgotten: their ends take %zu MB at most", n,
	    n == 1 ? "branch is" : "branches are", HISTORY_BRANCH_BYTES >> 20);
	page_add_hanging(p, ROLE_WARN, "      ", text_str(&line));
	text_free(&line);
}

static void
show_branches(struct ui *ui)
{
	const struct session *s = ui->session;
	size_t n = session_n_branches(s);
	struct page *p;

	if (n == 0) {
		ui_say(ui, ROLE_NORMAL,
		    "no branch: a change in the past begins one (:goto)");
		return;
	}
	p = page_new("Branches: runs that were left, to return to with "
		     ":branches N");
	for (size_t i = n; i-- > 0;)
		add_branch(p, s, i);
	add_forgotten(p, session_n_forgotten_branches(s));
	ui_open_page(ui, p);
}

bool
cmd_branches(struct ui *ui, const char *typed, int arg, struct text *err)
{
	uint64_t number;
	const char *end = typed;

	(void)arg;
	if (*typed == 0) {
		show_branches(ui);
		return true;
	}
	if (!read_count(&end, &number) || *end != 0 || number > UINT32_MAX) {
		text_adds(err, "invalid branch '");
		text_add_visible(err, typed, strlen(typed));
		text_adds(err, "': expected the number of one, e.g. 1");
		return false;
	}
	if (!session_take_branch(ui->session, ui->now, (unsigned)number, err))
		return false;
	arrive(ui);
	say_arrived(ui, "; the run that was left is a branch now");
	return true;
}
