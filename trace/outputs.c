/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The list of open outputs, and the table of the kinds that there are. All
 * that differs between kinds is behind struct output_ops.
 */
#include "trace/outputs.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/mem.h"
#include "engine/sim.h"
#include "trace/layer.h"
#include "trace/sink.h"

static const struct output_ops *const output_table[N_OUTPUTS] = {
    [OUTPUT_LAYER] = &output_layer,
    [OUTPUT_TRACE] = &output_trace,
    [OUTPUT_TRACE_JSON] = &output_trace_json,
    [OUTPUT_ARM] = &output_arm,
    [OUTPUT_KERNEL] = &output_kernel,
    [OUTPUT_FRAMES] = &output_frames,
    [OUTPUT_SERVER] = &output_server,
};

const char *
output_option(enum output_kind kind)
{
	return output_table[kind]->option;
}

enum output_kind
output_trace_kind(const char *path)
{
	size_t len = strlen(path);

	return len >= 5 && strcasecmp(path + len - 5, ".json") == 0
	    ? OUTPUT_TRACE_JSON
	    : OUTPUT_TRACE;
}

/* Ends the slices of running batches now: outputs are added and removed between
 * slices. */
static void
settle_layer(const struct outputs *o)
{
	if (o->launch.layer != NULL)
		layer_settle(o->launch.layer);
}

static void
add_output(struct outputs *o, enum output_kind kind, struct output *output)
{
	o->open[kind] = output;
	if (o->launch.sim != NULL)
		output->ops->watch(output, &o->launch);
}

bool
outputs_open(struct outputs *o, enum output_kind kind,
    const struct output_target *target, struct text *err)
{
	struct output *output = output_table[kind]->open(target, err);

	if (output == NULL)
		return false;
	output->ops = output_table[kind];
	output->path = mem_strdup(target->path);
	output->fd = target->fd;
	add_output(o, kind, output);
	return true;
}

void
outputs_move(struct outputs *o, struct outputs *from, enum output_kind kind)
{
	add_output(o, kind, from->open[kind]);
	from->open[kind] = NULL;
}

static int
close_file(int fd, uint64_t *bytes)
{
	struct stat st;

	if (bytes != NULL && fstat(fd, &st) == 0 && S_ISREG(st.st_mode))
		*bytes = (uint64_t)st.st_size;
	if (fd < 0 || fd == STDOUT_FILENO)
		return 0;
	return close(fd) == 0 ? 0 : errno;
}

int
outputs_close(struct outputs *o, enum output_kind kind, uint64_t *bytes)
{
	struct output *output = o->open[kind];
	char *path;
	int fd, error, failed;

	if (output == NULL)
		return 0;
	if (bytes != NULL)
		*bytes = outputs_bytes(o, kind);
	settle_layer(o);
	path = output->path;
	fd = output->fd;
	error = output->ops->close(output);
	o->open[kind] = NULL;
	failed = close_file(fd, bytes);
	free(path);
	return error != 0 ? error : failed;
}

bool
outputs_any(const struct outputs *o)
{
	for (unsigned i = 0; i < N_OUTPUTS; i++)
		if (o->open[i] != NULL)
			return true;
	return false;
}

bool
outputs_need_layer(const struct outputs *o)
{
	for (unsigned i = 0; i < N_OUTPUTS; i++)
		if (o->open[i] != NULL && o->open[i]->ops->needs_layer)
			return true;
	return false;
}

void
outputs_watch(struct outputs *o, struct sim *sim, struct layer *layer)
{
	o->launch = (struct output_launch){sim, layer, o->past, o->texts};
	for (unsigned i = 0; i < N_OUTPUTS; i++)
		if (o->open[i] != NULL)
			o->open[i]->ops->watch(o->open[i], &o->launch);
}

void
outputs_leave(struct outputs *o)
{
	if (o->launch.sim == NULL)
		return;
	settle_layer(o);
	o->past = outputs_any(o) ? o->past + o->launch.sim->now : 0;
	for (unsigned i = 0; i < N_OUTPUTS; i++)
		if (o->open[i] != NULL)
			o->open[i]->ops->leave(o->open[i]);
	o->launch = (struct output_launch){0};
}

void
outputs_flush(struct outputs *o)
{
	for (unsigned i = 0; i < N_OUTPUTS; i++)
		if (o->open[i] != NULL && o->open[i]->sink != NULL)
			sink_flush(o->open[i]->sink);
}

const char *
outputs_path(const struct outputs *o, enum output_kind kind)
{
	return o->open[kind] != NULL ? o->open[kind]->path : NULL;
}

/* NULL: nothing was written. */
static const struct sink *
sink_of(const struct outputs *o, enum output_kind kind)
{
	return o->open[kind] != NULL ? o->open[kind]->sink : NULL;
}

uint64_t
outputs_bytes(const struct outputs *o, enum output_kind kind)
{
	const struct sink *sink = sink_of(o, kind);

	return sink != NULL ? sink->total : 0;
}

int
outputs_error(const struct outputs *o, enum output_kind kind)
{
	const struct sink *sink = sink_of(o, kind);

	return sink != NULL ? sink->error : 0;
}

bool
outputs_failed(const struct outputs *o)
{
	for (unsigned i = 0; i < N_OUTPUTS; i++)
		if (outputs_error(o, i) != 0)
			return true;
	return false;
}

bool
outputs_work(struct outputs *o, struct text *news)
{
	struct output *server = o->open[OUTPUT_SERVER];

	return server != NULL && server->ops->work(server, news);
}

int
outputs_poll(const struct outputs *o, short *events)
{
	const struct output *server = o->open[OUTPUT_SERVER];

	*events = 0;
	return server != NULL ? server->ops->poll(server, events) : -1;
}

bool
outputs_finish(struct outputs *o, int limit_ms,
    void (*waiting)(const char *line), struct text *err)
{
	struct output *server = o->open[OUTPUT_SERVER];
	bool ok;

	if (server == NULL)
		return true;
	settle_layer(o);
	if (o->launch.sim != NULL)
		server->ops->leave(server);
	ok = server->ops->finish(server, limit_ms, waiting, err);
	outputs_close(o, OUTPUT_SERVER, NULL);
	return ok;
}
