/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_outputs.h. */
#include "tui/layer/layer_outputs.h"

#include "tui/options.h"

const char *
layer_output_path(const struct options *o, enum layer_output i)
{
	const char *const paths[N_LAYER_OUTPUTS] = {
	    [OUTPUT_LAYER] = o->layer,
	    [OUTPUT_TRACE] = o->trace,
	    [OUTPUT_TRACE_JSON] = o->trace_json,
	    [OUTPUT_ARM] = o->arm_metadata,
	};

	return paths[i];
}

void
layer_outputs_begin(
    struct layer_outputs *l, struct sim *sim, struct report *report)
{
	const int *fds = l->fds;
	bool any = false;

	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		any |= fds[i] >= 0;
	if (!any)
		return;
	l->layer = layer_begin(sim, report);
	if (fds[OUTPUT_LAYER] >= 0) {
		layer_file_init(&l->file, fds[OUTPUT_LAYER]);
		layer_listen(l->layer, &l->file.listener);
	}
	if (fds[OUTPUT_ARM] >= 0)
		arm_file_begin(&l->arm, l->layer, sim, fds[OUTPUT_ARM]);
	if (fds[OUTPUT_TRACE] >= 0 || fds[OUTPUT_TRACE_JSON] >= 0)
		l->trace = trace_begin(
		    sim, l->layer, fds[OUTPUT_TRACE], fds[OUTPUT_TRACE_JSON]);
}

bool
layer_outputs_failed(const struct layer_outputs *l)
{
	return l->layer != NULL &&
	    (l->file.error != 0 || l->arm.sink.error != 0 ||
		(l->trace != NULL && trace_error(l->trace) != 0));
}

/* What runs is told of first, so that the files have it. */
void
layer_outputs_end(struct layer_outputs *l)
{
	if (l->layer == NULL)
		return;
	layer_settle(l->layer);
	if (l->trace != NULL)
		trace_end(l->trace, &l->errors[OUTPUT_TRACE],
		    &l->errors[OUTPUT_TRACE_JSON]);
	if (l->fds[OUTPUT_ARM] >= 0)
		l->errors[OUTPUT_ARM] = arm_file_end(&l->arm, l->layer);
	layer_end(l->layer);
	l->errors[OUTPUT_LAYER] = l->file.error;
	l->layer = NULL;
}
