/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * `:import` reads traces of a machine, writes a descriptor for each client as --import
 * does, and restarts with them. Alone it shows how near they come.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/units.h"
#include "run/import/beside.h"
#include "run/import/import_files.h"
#include "run/live/saving.h"
#include "run/live/vary.h"
#include "run/options.h"
#include "run/plan.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/input/filenames.h"

#define BLANKS " \t"

/* An import while it is made. */
struct importing {
	struct ui *ui;
	struct options options; /* that were typed; their texts are words */
	char **words;           /* as typed, without quotes; owned */
	size_t n_words, cap_words;
	const char **paths; /* of traces, among the words */
	size_t n, cap;
	bool over; /* files that exist are replaced */
};

/* The last import, for its page. */
struct import_done {
	struct import_model model;
	struct import_files files;
	struct text sources, said; /* names of traces; warnings, a line each */
};

void
import_done_free(struct import_done *d)
{
	if (d == NULL)
		return;
	import_model_free(&d->model);
	import_files_free(&d->files);
	text_free(&d->sources);
	text_free(&d->said);
	free(d);
}

/* Words as they are typed. */

/* Takes the next word, in which a backslash quotes; NULL: none is left. */
static char *
next_typed(const char **at)
{
	struct text word = {0}, name = {0};
	const char *s = *at + strspn(*at, BLANKS);
	size_t len = 0;

	while (s[len] != '\0' && strchr(BLANKS, s[len]) == NULL)
		len += s[len] == '\\' && s[len + 1] != '\0' ? 2 : 1;
	*at = s + len;
	if (len == 0)
		return NULL;
	text_add(&word, s, len);
	filename_of(text_str(&word), &name);
	text_free(&word);
	return name.data;
}

/* Options of --import that may be words here. */
static const char *const import_words[] = {"time", "clients", "engine-map",
    "frame-on", "profile", "scheduler", "output", "device"};
#define N_IMPORT_WORDS (sizeof(import_words) / sizeof(*import_words))

/* Returns the option that a word sets, and where its value begins; NULL: it is a
 * file's name. */
static const char *
option_of_word(const char *word, const char **value)
{
	word += strncmp(word, "--", 2) == 0 ? 2 : 0;
	for (size_t i = 0; i < N_IMPORT_WORDS; i++) {
		size_t len = strlen(import_words[i]);

		if (strncmp(word, import_words[i], len) != 0 ||
		    word[len] != '=')
			continue;
		*value = word + len + 1;
		return import_words[i];
	}
	return NULL;
}

static bool
refuse_import_word(const char *word, struct text *err)
{
	text_add_visible(err, word, strlen(word));
	text_adds(err, ": unknown option: expected ");
	for (size_t i = 0; i < N_IMPORT_WORDS; i++)
		text_addf(err, "%s%s",
		    i == 0                       ? ""
			: i + 1 < N_IMPORT_WORDS ? ", "
						 : " or ",
		    import_words[i]);
	text_adds(err, ", e.g. time=1s..3s");
	return false;
}

/* The keyboard, a pipe or a device could block the console. */
static bool
check_trace(const char *path, struct text *err)
{
	struct stat st;
	const char *why = NULL;

	if (stat(path, &st) != 0 && errno == ENOENT &&
	    path[strcspn(path, "/=")] == '=')
		return refuse_import_word(path, err);
	if (stat(path, &st) != 0)
		why = strerror(errno);
	else if (S_ISDIR(st.st_mode))
		why = "is a folder: expected the file of a trace in it";
	else if (!S_ISREG(st.st_mode))
		why = "not a regular file: gpuwl-top --import reads it";
	if (why == NULL)
		return true;
	text_add_visible(err, path, strlen(path));
	text_addf(err, ": %s", why);
	return false;
}

static bool
take_words(struct importing *im, const char *typed, struct text *err)
{
	const char *name, *value;
	char *word;

	while ((word = next_typed(&typed)) != NULL) {
		im->words = mem_grow(
		    im->words, im->n_words, &im->cap_words, sizeof(*im->words));
		im->words[im->n_words++] = word;
		name = option_of_word(word, &value);
		if (name != NULL) {
			if (!options_set(&im->options, name, value, err))
				return false;
			continue;
		}
		if (!check_trace(word, err))
			return false;
		im->paths = mem_grow(
		    im->paths, im->n, &im->cap, sizeof(*im->paths));
		im->paths[im->n++] = word;
	}
	if (im->n == 0)
		text_adds(err,
		    "no trace is named: expected its file, e.g. :import "
		    "game.txt time=1s..3s");
	return im->n > 0;
}

/* Reading and running. */

static bool
tell_import_progress(void *data, uint64_t done, uint64_t size)
{
	struct importing *im = data;

	ui_begin_work(im->ui, true, "reading the trace: %.0f %%",
	    size > 0 ? 100 * (double)done / (double)size : 0);
	return !stop_is_wanted(im->ui->session->plan->stop);
}

static bool
find_import_model(struct importing *im, const struct imported *trace,
    struct import_model *model, struct text *err)
{
	const struct plan *plan = im->ui->session->plan;
	const struct import_model_options options = {
	    .scheduler = im->options.scheduler,
	    .profile = im->options.profile,
	    .seed = plan->seed,
	    .stop = plan->stop,
	};

	ui_begin_work(im->ui, true, "running what the trace was imported as");
	if (!import_model_find(model, trace, &options, err))
		return false;
	if (stop_is_wanted(plan->stop))
		text_adds(err, "stopped");
	return err->len == 0;
}

/* False: a file of the import is used otherwise. */
static bool
may_write_files(
    const struct importing *im, const struct import_done *d, struct text *err)
{
	const struct plan *plan = im->ui->session->plan;

	for (size_t i = 0; i < d->files.n; i++) {
		size_t source = plan_find_file(plan, d->files.paths[i]);

		if (!session_may_save(im->ui->session, d->files.paths[i],
			source < plan->n_sources, err))
			return false;
		if (!im->over && access(d->files.paths[i], F_OK) == 0) {
			text_add_visible(
			    err, d->files.paths[i], strlen(d->files.paths[i]));
			text_adds(err,
			    " is there already: :import! writes over it; "
			    "output=FOLDER writes elsewhere");
			return false;
		}
		if (source == plan->n_sources ||
		    !source_is_unsaved(&plan->sources[source]))
			continue;
		source_add_title(plan, source, err);
		text_adds(err,
		    " is open, with unsaved edits: w writes them; "
		    "output=FOLDER writes the import elsewhere");
		return false;
	}
	return true;
}

static bool
write_imported(struct importing *im, const struct imported *trace,
    struct import_done *d, struct text *err)
{
	const char *folder = im->options.output != NULL ? im->options.output
							: ".";

	import_files_name(&d->files, &d->model, folder);
	return may_write_files(im, d, err) &&
	    import_files_write(&d->files, &d->model, trace,
		text_str(&d->sources), folder, im->over, err);
}

static bool
launch_imported(struct importing *im, const struct imported *trace,
    struct import_done *d, struct text *err)
{
	struct session *s = im->ui->session;
	struct text what = {0};
	bool ok;

	text_addf(&what, "import of %s", text_str(&d->sources));
	ui_begin_work(im->ui, false, "restarting with the import");
	ok = session_take_import(s, im->ui->now, &d->model, &d->files,
	    beside_new(trace, &d->model), text_str(&what), err);
	text_free(&what);
	return ok;
}

static bool
import_traces(struct importing *im, struct import *reader,
    struct import_done *d, struct text *err)
{
	struct imported trace;

	import_files_join(im->paths, im->n, &d->sources);
	return import_files_read(reader, im->paths, im->n, err) &&
	    import_finish(reader, &trace, &d->said, err) &&
	    find_import_model(im, &trace, &d->model, err) &&
	    write_imported(im, &trace, d, err) &&
	    launch_imported(im, &trace, d, err);
}

static void
say_imported(struct ui *ui, const struct import_done *d)
{
	uint64_t clients = 0;
	const struct fidelity *f = &d->model.fidelity;
	struct text near = {0};

	for (size_t i = 0; i < d->model.inferred.n_clients; i++)
		clients += d->model.inferred.clients[i].n_clones;
	if (f->n_poor == 0)
		text_adds(&near, "all figures are near the trace");
	else
		text_addf(&near, "%zu of %zu figures %s not near the trace",
		    f->n_poor, f->n, f->n_poor == 1 ? "is" : "are");
	ui_say(ui, f->n_poor == 0 ? ROLE_GOOD : ROLE_WARN,
	    "%zu descriptor%s, %llu client%s, under %s: %s (:import shows them)",
	    d->files.n, d->files.n == 1 ? "" : "s", (unsigned long long)clients,
	    clients == 1 ? "" : "s", d->model.scheduler, text_str(&near));
	text_free(&near);
}

static bool
import_typed(struct importing *im, struct text *err)
{
	struct ui *ui = im->ui;
	const struct import_options options = {
	    .engine_map = im->options.engine_map,
	    .from_ns = im->options.import_from,
	    .to_ns = im->options.import_to,
	    .clients = im->options.client_names,
	    .frame_on = im->options.frame_on,
	    .device = im->options.device,
	    .progress = tell_import_progress,
	    .progress_data = im};
	struct import_done *d = mem_calloc(1, sizeof(*d));
	struct import *reader = import_new(&options, err);
	bool ok = reader != NULL && import_traces(im, reader, d, err);

	import_free(reader);
	if (!ok) {
		import_done_free(d);
		return false;
	}
	import_done_free(ui->imported);
	ui->imported = d;
	ui_follow_launches(ui);
	ui->selection.source = plan_find_file(
	    ui->session->plan, d->files.paths[0]);
	ui->selection.line = session_first_line(
	    ui->session, ui->selection.source);
	say_imported(ui, d);
	return true;
}

/* The page. */

static void
add_import_files(struct page *p, const struct import_done *d)
{
	struct text line = {0};
	char buf[UNITS_LEN];

	page_add(p, ROLE_LABEL, "Descriptors", NULL);
	for (size_t i = 0; i < d->files.n; i++) {
		const struct infer_client *c = &d->model.inferred.clients[i];

		text_clear(&line);
		text_addf(&line, "  %s: %u client%s, %u batch%s an iteration",
		    d->files.paths[i], c->n_clones, c->n_clones == 1 ? "" : "s",
		    c->n_batches, c->n_batches == 1 ? "" : "es");
		if (c->period_ns > 0)
			text_addf(&line, ", every %s",
			    format_duration(buf, c->period_ns));
		page_add(p, ROLE_NORMAL, text_str(&line), NULL);
	}
	page_add(p, ROLE_NORMAL, "", NULL);
	page_add(p, ROLE_LABEL, "Command line that runs them", NULL);
	page_add_hanging(p, ROLE_NORMAL, "  ", text_str(&d->files.command));
	page_add(p, ROLE_NORMAL, "", NULL);
	text_free(&line);
}

static void
add_import_figure(struct page *p, const struct fidelity_row *r)
{
	char line[160];

	if (r->has_model)
		snprintf(line, sizeof(line), "  %-30s %11.2f %11.2f %9.2f  %s",
		    r->what, r->trace, r->model, r->difference + 0.0,
		    r->ok ? "ok" : "poor");
	else
		snprintf(line, sizeof(line), "  %-30s %11.2f %11s %9s  %s",
		    r->what, r->trace, "-", "-", r->ok ? "ok" : "poor");
	page_add(p, r->ok ? ROLE_NORMAL : ROLE_WARN, line, NULL);
}

static void
show_import(struct ui *ui)
{
	const struct import_done *d = ui->imported;
	struct text title = {0};
	char line[160];
	struct page *p;

	text_addf(&title, "Import of %s", text_str(&d->sources));
	p = page_new(text_str(&title));
	text_free(&title);
	add_import_files(p, d);
	snprintf(line, sizeof(line), "  %-30s %11s %11s %9s", "figure", "trace",
	    "model", "differs");
	page_add(p, ROLE_LABEL, line, NULL);
	for (size_t i = 0; i < d->model.fidelity.n; i++)
		add_import_figure(p, &d->model.fidelity.rows[i]);
	if (d->said.len > 0) {
		page_add(p, ROLE_NORMAL, "", NULL);
		page_add(p, ROLE_LABEL, "Warnings", NULL);
		page_add_text(p, text_str(&d->said));
	}
	ui_open_page(ui, p);
}

/* arg: WRITE_OVER or 0. */
bool
cmd_import(struct ui *ui, const char *typed, int arg, struct text *err)
{
	struct importing im = {.ui = ui,
	    .over = arg == WRITE_OVER,
	    .options = {.mode = MODE_IMPORT, .import_to = NSEC_NEVER}};
	bool ok = true;

	if (*typed == '\0' && ui->imported != NULL)
		show_import(ui);
	else
		ok = session_may_import(ui->session, err) &&
		    take_words(&im, typed, err) && import_typed(&im, err);
	for (size_t i = 0; i < im.n_words; i++)
		free(im.words[i]);
	free(im.words);
	free(im.paths);
	return ok;
}
