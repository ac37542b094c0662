/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * All that is made of the layer for others to read: which were asked for, and
 * writing. Each begins and ends when somebody wants it, and goes on over
 * launches: what they watch comes and goes.
 */
#ifndef TRACE_LAYER_OUTPUTS_H
#define TRACE_LAYER_OUTPUTS_H

#include "trace/arm_file.h"
#include "trace/host_stream.h"
#include "trace/layer_file.h"
#include "trace/layer_output.h"
#include "trace/trace.h"

struct layer_outputs {
	bool open[N_LAYER_OUTPUTS];
	struct layer *layer; /* watched now; NULL: none */
	struct sim *sim;
	struct layer_file file;
	struct arm_file arm;
	struct trace *traces[N_LAYER_OUTPUTS]; /* of those that are traces */
	struct host_stream host;
};

/* The option that asks for it: "--trace". */
const char *layer_output_option(enum layer_output i);

/* Begins to write to fd, the caller's. */
void layer_outputs_open(struct layer_outputs *l, enum layer_output i, int fd);
bool layer_outputs_any(const struct layer_outputs *l);
/* What happens to sim from now on is written, until layer_outputs_leave(),
 * which is before layer_end(). */
void layer_outputs_watch(
    struct layer_outputs *l, struct layer *layer, struct sim *sim);
void layer_outputs_leave(struct layer_outputs *l);
/* What is pending goes out. */
void layer_outputs_flush(struct layer_outputs *l);
/* Bytes so far. */
uint64_t layer_outputs_bytes(
    const struct layer_outputs *l, enum layer_output i);
/* errno of the first write that failed; 0. */
int layer_outputs_error(const struct layer_outputs *l, enum layer_output i);
/* Can something not be written? */
bool layer_outputs_failed(const struct layer_outputs *l);
/* As host_stream_open(). May take some seconds. */
bool layer_outputs_connect(struct layer_outputs *l, const char *address,
    bool remote, struct text *err);
/* As host_stream_work(): now and then, also while nothing runs. */
bool layer_outputs_work(struct layer_outputs *l, struct text *said);
/* As host_client_poll(). */
int layer_outputs_poll(const struct layer_outputs *l, short *events);
/* As host_stream_end(). */
bool layer_outputs_disconnect(struct layer_outputs *l, int limit_ms,
    void (*waiting)(const char *line), struct text *err);
/* Writes the rest of one that is open; the error. */
int layer_outputs_close(struct layer_outputs *l, enum layer_output i);

#endif
