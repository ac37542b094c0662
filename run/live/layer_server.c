/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See layer_server.h. */
#include "run/live/layer_server.h"

#include "run/live/session.h"
#include "run/options.h"
#include "trace/layer_outputs.h"

bool
session_server_open(
    struct session *s, const struct options *o, struct text *err)
{
	if (o->layer_connect == NULL)
		return true;
	layer_watch_want(&s->layer, &s->run);
	return layer_outputs_connect(layer_watch_outputs(&s->layer),
	    o->layer_connect, o->layer_connect_remote, err);
}

bool
session_server_work(struct session *s, struct text *said)
{
	return s->layer.outputs != NULL &&
	    layer_outputs_work(s->layer.outputs, said);
}

int
session_server_poll(const struct session *s, short *events)
{
	*events = 0;
	return s->layer.outputs != NULL
	    ? layer_outputs_poll(s->layer.outputs, events)
	    : -1;
}

bool
session_server_close(struct session *s, int limit_ms,
    void (*waiting)(const char *line), struct text *err)
{
	return s->layer.outputs == NULL ||
	    layer_outputs_disconnect(s->layer.outputs, limit_ms, waiting, err);
}
