/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --import: reads traces, writes descriptors that do the same, and prints how near
 * they come (doc/model/import.md).
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/json.h"
#include "base/mem.h"
#include "base/output.h"
#include "cli/decide.h"
#include "cli/modes.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "run/import/import_files.h"
#include "run/options.h"

static bool
show_progress(void *data, uint64_t done, uint64_t size)
{
	char line[80];

	if (size > 0)
		snprintf(line, sizeof(line), "reading: %.0f %%",
		    100 * (double)done / (double)size);
	else
		snprintf(
		    line, sizeof(line), "reading: %.0f MB", (double)done / 1e6);
	decide_progress(data, line);
	return true;
}

/* Prints each line of a text as one of the program's. */
static void
print_said(const struct options *o, const struct text *said)
{
	const char *at = text_str(said);

	while (*at != '\0' && o->verbose >= 0) {
		int len = (int)strcspn(at, "\n");

		output_textf(stderr, "gpuwl-top: %.*s\n", len, at);
		at += len + (at[len] == '\n');
	}
}

static json_t *
row_as_json(const struct fidelity_row *r)
{
	json_t *o = json_object();

	json_put_string(o, "what", r->what);
	json_put_real(o, "trace", r->trace);
	if (r->has_model) {
		json_put_real(o, "model", r->model);
		json_put_real(o, "difference", r->difference);
	} else {
		json_object_set_new(o, "model", json_null());
		json_object_set_new(o, "difference", json_null());
	}
	json_put_string(o, "verdict", r->ok ? "ok" : "poor");
	return o;
}

static json_t *
model_as_json(const struct import_model *m, const struct import_files *f)
{
	json_t *o = json_object(), *files = json_array(), *rows = json_array();

	for (size_t i = 0; i < f->n; i++) {
		json_t *file = json_object();

		json_put_string(file, "name", m->names[i]);
		json_put_string(file, "path", f->paths[i]);
		json_put_count(
		    file, "clients", m->inferred.clients[i].n_clones);
		json_put_count(
		    file, "period_ns", m->inferred.clients[i].period_ns);
		json_array_append_new(files, file);
	}
	for (size_t i = 0; i < m->fidelity.n; i++)
		json_array_append_new(rows, row_as_json(&m->fidelity.rows[i]));
	json_put_string(o, "command", text_str(&f->command));
	json_put_string(o, "scheduler", m->scheduler);
	json_put_string(o, "profile", m->profile_name);
	json_object_set_new(o, "descriptors", files);
	json_object_set_new(o, "fidelity", rows);
	json_put_count(o, "poor", m->fidelity.n_poor);
	return o;
}

static bool
write_import_json(const char *path, const struct import_model *m,
    const struct import_files *f)
{
	json_t *o = model_as_json(m, f);
	FILE *out = strcmp(path, "-") == 0 ? stdout : fopen(path, "w");
	bool ok = out != NULL && json_dumpf(o, out, JSON_INDENT(2)) == 0 &&
	    fputc('\n', out) != EOF;

	if (out != NULL && out != stdout)
		ok = fclose(out) == 0 && ok;
	json_decref(o);
	if (!ok)
		output_textf(
		    stderr, "gpuwl-top: %s: %s\n", path, strerror(errno));
	return ok;
}

static int
print_results(const struct options *o, const struct import_model *m,
    const struct import_files *f)
{
	struct text table = {0};
	bool ok = true;

	if (o->verbose >= 0)
		output_textf(stderr, "%s\n", text_str(&f->command));
	if (o->json != NULL)
		ok = write_import_json(o->json, m, f);
	if (o->json == NULL || strcmp(o->json, "-") != 0) {
		fidelity_print(&m->fidelity, &table);
		fputs(text_str(&table), stdout);
		text_free(&table);
	}
	return ok ? EXIT_STATUS_OK : EXIT_STATUS_FAILED;
}

static int
write_and_print(const struct options *o, const struct imported *trace,
    const struct import_model *m, struct text *err)
{
	const char *folder = o->output != NULL ? o->output : ".";
	struct import_files files;
	struct text sources = {0};
	int status = EXIT_STATUS_OPTIONS;

	import_files_join(o->imports, o->n_imports, &sources);
	import_files_name(&files, m, folder);
	if (import_files_write(
		&files, m, trace, text_str(&sources), folder, o->force, err))
		status = print_results(o, m, &files);
	import_files_free(&files);
	text_free(&sources);
	return status;
}

static int
import_with(struct import *im, const struct options *o, struct text *err)
{
	struct import_model_options options = {
	    .scheduler = o->scheduler_given ? o->scheduler : NULL,
	    .profile = o->profile_given ? o->profile : NULL,
	    .seed = o->seed};
	struct import_model model = {0};
	struct imported trace;
	struct text said = {0};
	int status = EXIT_STATUS_INPUT;
	bool ok = import_files_read(im, o->imports, o->n_imports, err);

	decide_progress_end();
	ok = ok && import_finish(im, &trace, &said, err);
	print_said(o, &said);
	text_free(&said);
	if (!ok)
		return status;
	decide_progress(o, "running the model");
	ok = import_model_find(&model, &trace, &options, err);
	decide_progress_end();
	if (ok)
		status = write_and_print(o, &trace, &model, err);
	import_model_free(&model);
	return status;
}

/* Checks the options of the model, as a trace may take long to read. Returns the exit
 * status; if it is not 0, err says why. */
static int
check_import_model(const struct options *o, struct text *err)
{
	struct profile profile;

	if (o->scheduler_given && sched_find(o->scheduler, err) == NULL)
		return EXIT_STATUS_OPTIONS;
	if (!o->profile_given || profile_load(&profile, o->profile, err))
		return EXIT_STATUS_OK;
	/* A file that is there is input. */
	return access(o->profile, F_OK) == 0 ? EXIT_STATUS_INPUT
					     : EXIT_STATUS_OPTIONS;
}

int
import_run(const struct options *o)
{
	struct import_options options = {.engine_map = o->engine_map,
	    .from_ns = o->import_from,
	    .to_ns = o->import_to,
	    .clients = o->client_names,
	    .frame_on = o->frame_on,
	    .device = o->device,
	    .progress = show_progress,
	    .progress_data = (void *)(uintptr_t)o};
	struct text err = {0};
	struct import *im = NULL;
	int status = check_import_model(o, &err);

	if (status == EXIT_STATUS_OK) {
		im = import_new(&options, &err);
		status = im != NULL ? import_with(im, o, &err)
				    : EXIT_STATUS_OPTIONS;
	}

	if (err.len > 0)
		print_said(&(struct options){0}, &err);
	import_free(im);
	text_free(&err);
	return output_close(status);
}
