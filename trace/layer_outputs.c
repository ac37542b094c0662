/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_outputs.h. */
#include "trace/layer_outputs.h"

const char *
layer_output_option(enum layer_output i)
{
	static const char *const options[N_LAYER_OUTPUTS] = {
	    [OUTPUT_LAYER] = "--layer",
	    [OUTPUT_TRACE] = "--trace",
	    [OUTPUT_TRACE_JSON] = "--trace-json",
	    [OUTPUT_ARM] = "--arm-metadata",
	};

	return options[i];
}

static bool
is_trace(enum layer_output i)
{
	return i == OUTPUT_TRACE || i == OUTPUT_TRACE_JSON;
}

static nsec
now(const struct layer_outputs *l)
{
	return l->layer != NULL ? layer_past(l->layer) + l->sim->now : 0;
}

static void
listen(struct layer_outputs *l, enum layer_output i)
{
	if (l->layer == NULL || !l->open[i])
		return;
	if (is_trace(i))
		trace_watch(l->traces[i], l->sim, l->layer);
	else if (i == OUTPUT_ARM)
		arm_file_listen(&l->arm, l->layer, l->sim);
	else
		layer_listen(l->layer, &l->file.listener);
}

static void
unlisten(struct layer_outputs *l, enum layer_output i)
{
	if (l->layer == NULL || !l->open[i])
		return;
	if (is_trace(i))
		trace_leave(l->traces[i]);
	else if (i == OUTPUT_ARM)
		arm_file_leave(&l->arm, l->layer);
	else
		layer_unlisten(l->layer, &l->file.listener);
}

void
layer_outputs_open(struct layer_outputs *l, enum layer_output i, int fd)
{
	if (is_trace(i))
		l->traces[i] = trace_new(fd,
		    i == OUTPUT_TRACE ? TRACE_PERFETTO : TRACE_CHROME, now(l));
	else if (i == OUTPUT_ARM)
		arm_file_init(&l->arm, fd);
	else
		layer_file_init(&l->file, fd);
	l->open[i] = true;
	listen(l, i);
}

bool
layer_outputs_any(const struct layer_outputs *l)
{
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		if (l->open[i])
			return true;
	return l->host.client != NULL;
}

static void
host_listen(struct layer_outputs *l)
{
	if (l->layer != NULL && l->host.client != NULL)
		host_stream_listen(&l->host, l->layer, l->sim);
}

static void
host_unlisten(struct layer_outputs *l)
{
	if (l->layer != NULL && l->host.client != NULL)
		host_stream_leave(&l->host, l->layer);
}

bool
layer_outputs_connect(
    struct layer_outputs *l, const char *address, bool remote, struct text *err)
{
	if (!host_stream_open(&l->host, address, remote, err))
		return false;
	host_listen(l);
	return true;
}

bool
layer_outputs_work(struct layer_outputs *l, struct text *said)
{
	return host_stream_work(&l->host, said);
}

int
layer_outputs_poll(const struct layer_outputs *l, short *events)
{
	*events = 0;
	return l->host.client != NULL ? host_client_poll(l->host.client, events)
				      : -1;
}

bool
layer_outputs_disconnect(struct layer_outputs *l, int limit_ms,
    void (*waiting)(const char *line), struct text *err)
{
	if (l->layer != NULL)
		layer_settle(l->layer);
	host_unlisten(l);
	return host_stream_end(&l->host, limit_ms, waiting, err);
}

void
layer_outputs_watch(
    struct layer_outputs *l, struct layer *layer, struct sim *sim)
{
	l->layer = layer;
	l->sim = sim;
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		listen(l, i);
	host_listen(l);
}

/* What runs is told of first, so that the files have it. The last messages
 * come when the layer ends, which forgets its listeners. */
void
layer_outputs_leave(struct layer_outputs *l)
{
	if (l->layer == NULL)
		return;
	layer_settle(l->layer);
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		if (i != OUTPUT_LAYER)
			unlisten(l, i);
	host_unlisten(l);
	l->layer = NULL;
}

/* Of messages and frames what there is has been written when it came. */
void
layer_outputs_flush(struct layer_outputs *l)
{
	if (l->open[OUTPUT_LAYER])
		sink_flush(&l->file.sink);
	if (l->open[OUTPUT_ARM])
		sink_flush(&l->arm.sink);
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		if (l->open[i] && is_trace(i))
			trace_flush(l->traces[i]);
}

uint64_t
layer_outputs_bytes(const struct layer_outputs *l, enum layer_output i)
{
	if (is_trace(i))
		return trace_bytes(l->traces[i]);
	return i == OUTPUT_ARM ? l->arm.sink.total : l->file.sink.total;
}

int
layer_outputs_error(const struct layer_outputs *l, enum layer_output i)
{
	if (!l->open[i])
		return 0;
	if (is_trace(i))
		return trace_error(l->traces[i]);
	return i == OUTPUT_ARM ? l->arm.sink.error : l->file.sink.error;
}

bool
layer_outputs_failed(const struct layer_outputs *l)
{
	for (unsigned i = 0; i < N_LAYER_OUTPUTS; i++)
		if (layer_outputs_error(l, i) != 0)
			return true;
	return false;
}

int
layer_outputs_close(struct layer_outputs *l, enum layer_output i)
{
	if (l->layer != NULL)
		layer_settle(l->layer);
	unlisten(l, i);
	l->open[i] = false;
	if (is_trace(i))
		return trace_end(l->traces[i]);
	return i == OUTPUT_ARM ? arm_file_end(&l->arm)
			       : sink_close(&l->file.sink);
}
