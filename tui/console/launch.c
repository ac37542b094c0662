/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Keys that launch and kill clients. See launch.h. */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/client/control.h"
#include "run/live/live.h"
#include "run/live/saving.h"
#include "run/live/session.h"
#include "run/plan.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

/* They are launched, but nothing goes on: clients that are to loop beside others
 * have none left to do so for. */
static const char *
over_hint(const struct ui *ui)
{
	const struct sim *sim = ui->session->run.sim;
	bool done = sim->n_foreground > 0 && sim->n_ended == sim->n_foreground;

	return done || sim->now >= ui->session->limit
	    ? "; the run is over, R begins it anew"
	    : "";
}

static void
say_launched(struct ui *ui, size_t source, uint32_t n)
{
	uint32_t all = plan_n_clones(ui->session->plan, source);
	struct text title = {0};

	source_add_title(ui->session->plan, source, &title);
	if (all == n)
		ui_say(ui, ROLE_NORMAL, "%u client%s of %s%s", n,
		    n == 1 ? "" : "s", text_str(&title), over_hint(ui));
	else
		ui_say(ui, ROLE_NORMAL, "%u client%s more of %s, %u in all%s",
		    n, n == 1 ? "" : "s", text_str(&title), all, over_hint(ui));
	text_free(&title);
}

static void
show_source(struct ui *ui, size_t source)
{
	if (ui->selection.source == source)
		return;
	ui->selection.source = source;
	ui->selection.line = session_first_line(ui->session, source);
}

bool
launch_say_waiting(struct ui *ui, size_t source)
{
	const struct source *s = &ui->session->plan->sources[source];
	const char *problem = session_document_problem(ui->session, source);
	struct text title = {0}, why = {0};

	if (!s->waiting)
		return false;
	source_add_title(ui->session->plan, source, &title);
	if (problem != NULL) {
		ui_add_problem(ui, source, &why);
		ui_say(ui, ROLE_BAD, "%s is not run, %s", text_str(&title),
		    text_str(&why));
	} else {
		ui->focus = PART_DESCRIPTOR; /* where e is */
		ui_say(ui, ROLE_NORMAL, "%s: %s (e opens a line)",
		    text_str(&title),
		    source_path(s) != NULL && !s->stamp.exists ? "new file"
							       : "no step yet");
	}
	text_free(&why);
	text_free(&title);
	return true;
}

void
launch_say_started(struct ui *ui, size_t source)
{
	uint32_t n = plan_n_clones(ui->session->plan, source);
	struct text title = {0};

	source_add_title(ui->session->plan, source, &title);
	ui_say(ui, ROLE_GOOD, "%s can be run now: %u client%s",
	    text_str(&title), n, n == 1 ? "" : "s");
	text_free(&title);
}

bool
launch_shown(struct ui *ui, uint32_t n, struct text *err)
{
	size_t source = ui->selection.source;

	ui_begin_work_on(ui, false, "launching clients of", source);
	if (!session_add_clients(ui->session, source, n, err))
		return false;
	say_launched(ui, source, n);
	return true;
}

static void
begin_reading(struct ui *ui, const char *path)
{
	struct text shown = {0};

	text_add_visible(&shown, path, strlen(path));
	ui_begin_work(ui, true, "reading %s", text_str(&shown));
	text_free(&shown);
}

bool
launch_file(struct ui *ui, const char *path, uint32_t n, bool more, nsec wall,
    struct text *err)
{
	size_t source, before = ui->session->plan->n_sources;

	begin_reading(ui, path);
	if (!session_open(ui->session, path, n, more, &source, err))
		return false;
	ui->work.reverts = false; /* it is open */
	if (source == before && ui->session->plan->sources[source].waiting)
		session_look_at_document(ui->session, source);
	show_source(ui, source);
	if (!launch_say_waiting(ui, source) && (more || source == before))
		say_launched(ui, source, n);
	if (source == before)
		files_offer_from(ui, source, wall);
	return true;
}

/* Is there a client that a key can mean? */
static bool
has_client(struct ui *ui)
{
	struct text err = {0};
	bool has = targets_selected(ui, &err);

	if (has && ui->selection.client >= ui->session->run.sim->n_clients) {
		text_adds(&err, "no client is selected");
		has = false;
	}
	if (!has)
		ui_say(ui, ROLE_WARN, "%s", text_str(&err));
	text_free(&err);
	return has;
}

static void
act_add(struct ui *ui, nsec wall)
{
	const struct sim *sim = ui->session->run.sim;
	uint32_t client = ui->selection.client;
	struct text err = {0};
	size_t source;

	(void)wall;
	if (!has_client(ui))
		return;
	source = sim->clients[client]->workload->id;
	if (session_add_clients(ui->session, source, 1, &err))
		say_launched(ui, source, 1);
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	text_free(&err);
}

/* Killing: the client that is selected, or those that have tags. */

struct killing {
	struct session *session;
	uint32_t last; /* clients come in order, with all their contexts */
	uint32_t n, n_killed;
	bool count_only;
	struct text err;
};

static bool
kill_one(void *arg, uint32_t client, uint32_t context)
{
	struct killing *k = arg;

	(void)context;
	if (k->n > 0 && k->last == client)
		return true;
	k->last = client;
	k->n++;
	if (k->count_only)
		return true;
	text_clear(&k->err);
	k->n_killed += session_kill(k->session, client, &k->err);
	return true;
}

static void
say_killed(struct ui *ui, const struct killing *k)
{
	if (k->n_killed == 0)
		ui_say(ui, ROLE_BAD, "%s", text_str(&k->err));
	else if (k->n_killed == 1)
		ui_say(ui, ROLE_NORMAL, "client %u is killed", k->last);
	else
		ui_say(ui, ROLE_NORMAL, "%u clients are killed", k->n_killed);
}

static void
kill_selected(struct ui *ui, nsec wall)
{
	struct killing k = {.session = ui->session};

	(void)wall;
	kill_one(&k, ui->selection.client, 0);
	say_killed(ui, &k);
	text_free(&k.err);
}

static void
kill_tagged(struct ui *ui, nsec wall)
{
	struct killing k = {.session = ui->session};

	(void)wall;
	tags_each(&ui->tags, kill_one, &k);
	say_killed(ui, &k);
	text_free(&k.err);
}

static const struct ui_answer answers_one[] = {
    {"yY", "yes", kill_selected}, {"nN", "no", NULL}, {NULL, NULL, NULL}};
static const struct ui_answer answers_tagged[] = {
    {"yY", "yes", kill_tagged}, {"nN", "no", NULL}, {NULL, NULL, NULL}};

bool
launch_ask_kill(struct ui *ui, uint32_t client, struct text *err)
{
	const struct sim *sim = ui->session->run.sim;
	const struct client *c;

	if (client >= sim->n_clients) {
		text_addf(err, "there is no client %u", client);
		return false;
	}
	c = sim->clients[client];
	if (c->killed || c->state == CLIENT_ENDED) {
		text_addf(err, "client %u %s", client,
		    c->killed ? "was killed" : "has ended");
		return false;
	}
	if (ui->selection.client != client) {
		ui->selection.client = client;
		ui->selection.context = 0;
	}
	ui_ask(ui, answers_one, "Kill client %u, with %u requests in flight?",
	    client, c->in_flight);
	return true;
}

static void
act_kill(struct ui *ui, nsec wall)
{
	struct killing k = {.session = ui->session, .count_only = true};
	struct text err = {0};

	(void)wall;
	tags_each(&ui->tags, kill_one, &k);
	if (k.n > 0)
		ui_ask(ui, answers_tagged, "Kill %u client%s (tagged)?", k.n,
		    k.n == 1 ? "" : "s");
	else if (has_client(ui) &&
	    !launch_ask_kill(ui, ui->selection.client, &err))
		ui_say(ui, ROLE_WARN, "%s", text_str(&err));
	text_free(&err);
}

static void
act_restart_client(struct ui *ui, nsec wall)
{
	struct text err = {0};
	uint32_t before = ui->selection.client, id;

	(void)wall;
	if (!has_client(ui))
		return;
	if (session_restart_client(ui->session, before, &id, &err)) {
		ui_say(ui, ROLE_NORMAL, "client %u begins anew as client %u",
		    before, id);
		ui->selection.client = id;
	} else {
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	}
	text_free(&err);
}

const struct act_row act_launch[] = {
    {ACT_ADD_CLIENT, act_add},
    {ACT_KILL, act_kill},
    {ACT_RESTART_CLIENT, act_restart_client},
    {ACT_NONE, NULL},
};

/* Commands that launch and kill clients. */

static bool
launch_typed(
    struct ui *ui, const char *name, uint32_t n, nsec wall, struct text *err)
{
	struct text path = {0};
	bool ok;

	filename_of(name, &path);
	ok = launch_file(ui, text_str(&path), n, true, wall, err);
	text_free(&path);
	return ok;
}

/* "[N] [FILE]": a number is a number, though a file may be called so. */
static bool
run_launch(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	size_t len = strcspn(arg, " \t");
	char word[16] = "";
	int64_t n = 1;

	if (len < sizeof(word)) {
		memcpy(word, arg, len);
		word[len] = 0;
	}
	if (parse_integer(word, &n))
		arg += len + strspn(arg + len, " \t");
	else
		n = 1;
	if (n < 1 || n > CONTROL_MAX_CLIENTS) {
		text_addf(err, "from 1 to %u clients can be launched",
		    CONTROL_MAX_CLIENTS);
		return false;
	}
	if (*arg == 0)
		return launch_shown(ui, (uint32_t)n, err);
	return launch_typed(ui, arg, (uint32_t)n, wall, err);
}

static bool
run_kill(struct ui *ui, const char *arg, nsec wall, struct text *err)
{
	int64_t client;

	if (*arg == 0) {
		ui_act(ui, ACT_KILL, wall);
		return true;
	}
	if (!parse_integer(arg, &client) || client < 0 || client > UINT32_MAX) {
		text_adds(err, "a client is named by its number, like :kill 3");
		return false;
	}
	return launch_ask_kill(ui, (uint32_t)client, err);
}

const struct command_row commands_of_launches[] = {
    {CMD_KILL, run_kill},
    {CMD_LAUNCH, run_launch},
    {N_COMMANDS, NULL},
};
