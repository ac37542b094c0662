/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "cli/batch_layer.h"

#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

#include "base/output.h"
#include "base/text.h"
#include "cli/batch_file.h"
#include "cli/progress.h"
#include "run/options.h"

#define MAX_TOLD 20 /* things that annotations do wrong */

static bool
connect_to(struct batch_layer *l)
{
	struct text err = {0};
	bool ok = layer_outputs_connect(&l->outputs, l->options->layer_connect,
	    l->options->layer_connect_remote, &err);

	if (!ok)
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return ok;
}

bool
batch_layer_open(struct batch_layer *l, const struct options *o,
    const struct batch_files *files, struct progress *progress)
{
	l->options = o;
	l->progress = progress;
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++) {
		const char *path = options_layer_output(o, i);

		if (path == NULL)
			continue;
		l->fds[i] = batch_create(files, layer_output_option(i), path);
		if (l->fds[i] < 0)
			return false;
	}
	return connect_to(l);
}

static void
on_report(struct report *r, const char *text)
{
	struct batch_layer *l = (struct batch_layer *)((char *)r -
	    offsetof(struct batch_layer, report));

	if (l->options->verbose < 0 || ++l->n_reports > MAX_TOLD)
		return;
	progress_erase(l->progress);
	output_textf(stderr, "gpuwl-top: layer: %s\n", text);
}

void
batch_layer_begin(struct batch_layer *l, struct sim *sim)
{
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		if (l->fds[i] >= 0)
			layer_outputs_open(&l->outputs, i, l->fds[i]);
	if (!layer_outputs_any(&l->outputs))
		return;
	l->report.say = on_report;
	l->layer = layer_begin(sim, &l->report);
	layer_outputs_watch(&l->outputs, l->layer, sim);
}

void
batch_layer_work(struct batch_layer *l)
{
	struct text said = {0};

	if (layer_outputs_work(&l->outputs, &said) &&
	    l->options->verbose >= 0) {
		progress_erase(l->progress);
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&said));
	}
	text_free(&said);
}

bool
batch_layer_end(struct batch_layer *l)
{
	bool ok = true;

	layer_outputs_leave(&l->outputs);
	layer_end(l->layer);
	l->layer = NULL;
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++) {
		int error = l->outputs.open[i]
		    ? layer_outputs_close(&l->outputs, i)
		    : 0;

		if (error != 0)
			ok = batch_can_not(
			    options_layer_output(l->options, i), error);
	}
	return ok;
}

static void
say_waiting(const char *line)
{
	if (isatty(STDERR_FILENO))
		output_textf(stderr, "gpuwl-top: %s\n", line);
}

bool
batch_layer_disconnect(struct batch_layer *l, int limit_ms)
{
	struct text err = {0};
	bool ok = layer_outputs_disconnect(
	    &l->outputs, limit_ms, say_waiting, &err);

	if (err.len > 0 && (!ok || l->options->verbose >= 0))
		output_textf(stderr, "gpuwl-top: %s\n", text_str(&err));
	text_free(&err);
	return ok;
}

bool
batch_layer_close(struct batch_layer *l)
{
	struct text err = {0};
	bool ok = true;

	/* Open only if nothing has run: there is nothing to wait for. */
	layer_outputs_disconnect(&l->outputs, 0, NULL, &err);
	text_free(&err);
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		if (l->fds[i] >= 0 && l->fds[i] != STDOUT_FILENO &&
		    close(l->fds[i]) != 0)
			ok = batch_can_not(
			    options_layer_output(l->options, i), errno);
	return ok;
}
