/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keys and commands that launch and kill clients, and that open files for them
 * to run.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/client/control.h"
#include "run/live/live.h"
#include "run/live/saving.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

/* Clients that are launched after the end do not run: background clients only
 * loop while others run. */
static const char *
over_hint(const struct ui *ui)
{
	const struct sim *sim = ui->session->run.sim;
	bool done = sim->n_foreground > 0 && sim->n_ended == sim->n_foreground;

	return done || sim->now >= ui->session->limit
	    ? "; the run is over (R restarts)"
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
		ui_say(ui, ROLE_NORMAL, "%u more client%s of %s, %u in all%s",
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
		ui_say(ui, ROLE_BAD, "%s does not run: %s", text_str(&title),
		    text_str(&why));
	} else if (document_n_steps(s->doc) > 0) {
		ui_say(ui, ROLE_NORMAL, "%s runs as soon as it has a batch",
		    text_str(&title));
	} else {
		ui->focus = PART_DESCRIPTOR; /* where e works */
		ui_say(ui, ROLE_NORMAL, "%s: %s (e inserts a line)",
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
	ui_say(ui, ROLE_GOOD, "%s runs now: %u client%s", text_str(&title), n,
	    n == 1 ? "" : "s");
	text_free(&title);
}

static bool
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

/* Opens a file as one more descriptor with n clients, and shows it. If it is
 * open: n more clients of it if more is true, else none. False: err says
 * why. */
static bool
launch_file(
    struct ui *ui, const char *path, uint32_t n, bool more, struct text *err)
{
	size_t source, before = ui->session->plan->n_sources;

	begin_reading(ui, path);
	if (!session_open(ui->session, path, n, more, &source, err))
		return false;
	ui->work.reverts = false; /* it is open now */
	if (source == before && ui->session->plan->sources[source].waiting)
		session_look_at_document(ui->session, source);
	show_source(ui, source);
	if (!launch_say_waiting(ui, source) && (more || source == before))
		say_launched(ui, source, n);
	if (source == before)
		recovery_offer_from(ui, source);
	return true;
}

/* False: no client is selected, and a message says so. */
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

void
act_add_client(struct ui *ui, int arg)
{
	const struct sim *sim = ui->session->run.sim;
	uint32_t client = ui->selection.client;
	struct text err = {0};
	size_t source;

	(void)arg;
	if (!has_client(ui))
		return;
	source = client_workload(sim->clients[client]);
	if (source == NO_WORKLOAD)
		ui_say(ui, ROLE_BAD,
		    "client %u is a program: :run PROGRAM starts another",
		    client);
	else if (session_add_clients(ui->session, source, 1, &err))
		say_launched(ui, source, 1);
	else
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	text_free(&err);
}

/* Killing the selected client, or the tagged ones. */
struct killing {
	struct session *session;
	uint32_t last; /* clients come in order, once for each context */
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

/* Kills or counts a client of many that are one row, unless it has ended. */
static bool
kill_living(void *arg, uint32_t client, uint32_t context)
{
	const struct killing *k = arg;
	const struct client *c = k->session->run.sim->clients[client];

	return c->killed || c->state == CLIENT_ENDED ||
	    kill_one(arg, client, context);
}

/* Kills or counts the clients of the row that is selected. False: the row is one
 * client's. */
static bool
kill_crowd(struct ui *ui, struct killing *k)
{
	return contexts_each_selected(
	    ui->views[PART_CONTEXTS], &ui->selection, kill_living, k);
}

static void
say_killed(struct ui *ui, const struct killing *k)
{
	if (k->n_killed == 0)
		ui_say(ui, ROLE_BAD, "%s", text_str(&k->err));
	else if (k->n_killed == 1 &&
	    k->session->run.sim->clients[k->last]->walker == NULL)
		ui_say(ui, ROLE_NORMAL, "SIGTERM sent to %s",
		    k->session->run.sim->clients[k->last]->name);
	else if (k->n_killed == 1)
		ui_say(ui, ROLE_NORMAL, "killed client %u", k->last);
	else
		ui_say(ui, ROLE_NORMAL, "killed %u clients", k->n_killed);
}

/* tagged: the tagged clients, else the selected one. */
static void
kill_clients(struct ui *ui, int tagged)
{
	struct killing k = {.session = ui->session};

	if (tagged)
		tags_each(&ui->tags, kill_one, &k);
	else if (!kill_crowd(ui, &k))
		kill_one(&k, ui->selection.client, 0);
	say_killed(ui, &k);
	text_free(&k.err);
}

static const struct ui_answer kill_answers[] = {
    {"yY", "yes", kill_clients, false}, {"nN", "no", NULL, 0}, {0}};
static const struct ui_answer kill_tagged_answers[] = {
    {"yY", "yes", kill_clients, true}, {"nN", "no", NULL, 0}, {0}};

static void
ask_kill_crowd(struct ui *ui, uint32_t n)
{
	if (n == 0)
		ui_say(ui, ROLE_WARN, "these clients have ended");
	else
		ui_ask(ui, kill_answers,
		    "Kill %u clients, all of this row (Right shows each)?", n);
}

/* Selects the client and asks whether to kill it. False: it has ended, or there
 * is none. */
static bool
ask_kill(struct ui *ui, uint32_t client, struct text *err)
{
	const struct sim *sim = ui->session->run.sim;
	const struct client *c;

	if (client >= sim->n_clients) {
		text_addf(err, "no client %u", client);
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
		ui->selection.foreign = 0;
		ui->selection.context = 0;
	}
	if (programs_ask_to_end(ui, c, kill_answers))
		return true;
	ui_ask(ui, kill_answers, "Kill client %u, with %u request%s in flight?",
	    client, c->in_flight, c->in_flight == 1 ? "" : "s");
	return true;
}

void
act_kill(struct ui *ui, int arg)
{
	struct killing k = {.session = ui->session, .count_only = true};
	struct text err = {0};

	(void)arg;
	tags_each(&ui->tags, kill_one, &k);
	if (k.n > 0)
		ui_ask(ui, kill_tagged_answers, "Kill %u client%s (tagged)?",
		    k.n, k.n == 1 ? "" : "s");
	else if (kill_crowd(ui, &k))
		ask_kill_crowd(ui, k.n);
	else if (has_client(ui) && !ask_kill(ui, ui->selection.client, &err))
		ui_say(ui, ROLE_WARN, "%s", text_str(&err));
	text_free(&err);
}

void
act_restart_client(struct ui *ui, int arg)
{
	struct text err = {0};
	uint32_t before = ui->selection.client, id;

	(void)arg;
	if (!has_client(ui))
		return;
	if (ui->selection.crowd) {
		ui_say(ui, ROLE_WARN,
		    "this row is several clients: Right shows each, then r "
		    "restarts one");
		return;
	}
	if (session_restart_client(ui->session, before, &id, &err)) {
		ui_say(ui, ROLE_NORMAL, "restarted client %u as client %u",
		    before, id);
		ui->selection.client = id;
		ui->selection.foreign = 0;
	} else {
		ui_say(ui, ROLE_BAD, "%s", text_str(&err));
	}
	text_free(&err);
}

static bool
launch_typed(struct ui *ui, const char *name, uint32_t n, struct text *err)
{
	struct text path = {0};
	bool ok;

	filename_of(name, &path);
	ok = launch_file(ui, text_str(&path), n, true, err);
	text_free(&path);
	return ok;
}

/* "[N] [FILE]". A number is N, even if a file has that name. */
bool
cmd_launch(struct ui *ui, const char *typed, int arg, struct text *err)
{
	size_t len = strcspn(typed, " \t");
	char word[16] = "";
	int64_t n = 1;

	(void)arg;
	if (len < sizeof(word)) {
		memcpy(word, typed, len);
		word[len] = 0;
	}
	if (parse_integer(word, &n))
		typed += len + strspn(typed + len, " \t");
	else
		n = 1;
	if (n < 1 || n > CONTROL_MAX_CLIENTS) {
		text_addf(err,
		    "invalid number of clients '%s': expected 1 to %u, e.g. 4",
		    word, CONTROL_MAX_CLIENTS);
		return false;
	}
	if (*typed == 0)
		return launch_shown(ui, (uint32_t)n, err);
	return launch_typed(ui, typed, (uint32_t)n, err);
}

bool
cmd_kill(struct ui *ui, const char *typed, int arg, struct text *err)
{
	int64_t client;

	if (*typed == 0) {
		ui_act(ui, act_kill, arg);
		return true;
	}
	if (!parse_integer(typed, &client) || client < 0 ||
	    client > UINT32_MAX) {
		text_adds(err, "invalid client '");
		text_add_visible(err, typed, strlen(typed));
		text_adds(err, "': expected its number, e.g. :kill 3");
		return false;
	}
	return ask_kill(ui, (uint32_t)client, err);
}

static bool
is_folder_path(const char *path)
{
	struct stat st;

	return stat(path, &st) == 0 && S_ISDIR(st.st_mode);
}

/* Opens the prompt again, with the files of the folder as completions. */
static void
browse_folder(struct ui *ui, const char *folder)
{
	struct key_press tab = {.code = KEY_TAB, .bytes = "\t", .len = 1};
	struct text line = {0};

	text_addf(&line, "e %s", folder);
	if (line.data[line.len - 1] != '/')
		text_addc(&line, '/');
	command_line_open(ui, text_str(&line));
	ui_line_key(ui, &tab);
	text_free(&line);
}

static bool
open_typed(struct ui *ui, const char *typed, struct text *err)
{
	struct text path = {0};
	bool ok = true;

	filename_of(typed, &path);
	if (is_folder_path(text_str(&path)))
		browse_folder(ui, typed);
	else
		ok = launch_file(ui, text_str(&path), 1, false, err);
	text_free(&path);
	return ok;
}

bool
cmd_edit(struct ui *ui, const char *typed, int arg, struct text *err)
{
	size_t i = ui->selection.source;

	(void)arg;
	if (*typed != 0)
		return open_typed(ui, typed, err);
	if (source_is_unsaved(&ui->session->plan->sources[i])) {
		text_adds(err,
		    "there are unsaved edits: w writes them, :e! reads the "
		    "file and drops them");
		return false;
	}
	files_reread(ui);
	return true;
}

bool
cmd_reread(struct ui *ui, const char *typed, int arg, struct text *err)
{
	(void)typed;
	(void)arg;
	(void)err;
	files_reread(ui);
	return true;
}
