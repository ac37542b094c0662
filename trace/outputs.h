/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs: what is written of a run, for other tools, while it goes on. An
 * output is a file or a connection to a server. It can be opened and closed at
 * any time and outlives launches: the simulation that it watches is replaced,
 * virtual time goes on.
 *
 * Each kind of output is one file, which defines its struct output_ops, and
 * one row of the table in outputs.c. Batch mode and the console both keep a
 * struct outputs.
 */
#ifndef TRACE_OUTPUTS_H
#define TRACE_OUTPUTS_H

#include <signal.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"

struct client;
struct layer;
struct request;
struct sim;
struct sink;

/* Files come first; they are opened and closed in this order. */
enum output_kind {
	OUTPUT_LAYER,      /* --layer: wire messages (layerstream/message.h) */
	OUTPUT_TRACE,      /* --trace: Perfetto */
	OUTPUT_TRACE_JSON, /* --trace-json: Chrome's trace events */
	OUTPUT_ARM,        /* --arm-metadata: Arm's metadata file */
	OUTPUT_KERNEL,     /* --trace-kernel: as a kernel traces */
	OUTPUT_FRAMES,     /* --profile-frames: a line of CSV for each */
	N_OUTPUT_FILES,
	OUTPUT_SERVER = N_OUTPUT_FILES, /* --layer-connect: Arm's host */
	N_OUTPUTS
};

/* Where an output is written. */
struct output_target {
	const char *path; /* of a file; HOST:PORT of a server */
	int fd;           /* of a file, open for writing; -1: a server */
	bool remote;      /* the server may be beyond loopback */
	/* The run waits for a server whose queue is full, until this is not 0.
	 * NULL: it never waits, and frames without room are dropped. */
	const volatile sig_atomic_t *stop;
	/* Kernel events to write: 1 << enum kernel_set of each set; 0: all. */
	unsigned events;
};

/* Texts about a step. Empty: none, or not known. */
struct step_texts {
	struct text file;    /* short name of the text that it is in */
	struct text line;    /* the step as written */
	struct text comment; /* on the line before it, without its # */
};

/* The texts that run, as the owner of outputs describes them. */
struct output_texts {
	const char *command; /* the command line; NULL: not known */
	void (*step)(const struct output_texts *texts, const struct request *rq,
	    struct step_texts *out);
	/* Appends the short name of what the client runs. */
	void (*title)(const struct output_texts *texts, const struct client *c,
	    struct text *out);
};

/* The simulation that outputs watch. */
struct output_launch {
	struct sim *sim;     /* NULL: none */
	struct layer *layer; /* of sim; NULL: no open output needs one */
	nsec past;           /* virtual time of earlier launches, in ns */
	const struct output_texts *texts; /* NULL: none */
};

struct output {
	const struct output_ops *ops;
	struct sink *sink; /* of a file; NULL: nothing was written so far */
	char *path;        /* as struct output_target has it */
	int fd;
};

/* A kind of output. Its struct begins with a struct output. */
struct output_ops {
	const char *option; /* that asks for it: "--trace" */
	bool needs_layer;   /* it watches the layer, not only the simulation */

	/* Makes an output, of which the caller sets path and fd. Nothing is
	 * written yet. A server is connected to, which can take some seconds.
	 * NULL with one line in err: that failed, or it is not such a file. */
	struct output *(*open)(
	    const struct output_target *target, struct text *err);
	/* Writes what happens in launch from now on. */
	void (*watch)(struct output *o, const struct output_launch *launch);
	/* The launch ends; the layer, if there is one, ends next. */
	void (*leave)(struct output *o);
	/* Stops watching if it does, writes the rest, and frees. Returns errno
	 * of the first write that failed, 0 if there was none. */
	int (*close)(struct output *o);

	/* These are NULL for files. See outputs_work() and below. */
	bool (*work)(struct output *o, struct text *news);
	int (*poll)(const struct output *o, short *events);
	bool (*finish)(struct output *o, int limit_ms,
	    void (*waiting)(const char *line), struct text *err);
};

/* Zeroed: none is open. */
struct outputs {
	struct output *open[N_OUTPUTS]; /* NULL: not open */
	struct output_launch launch;
	const struct output_texts *texts; /* set by the owner; NULL: none */
	nsec past; /* virtual time of the launches that were left, in ns; 0 if
		    * no output was open then */
};

/* The option that asks for an output: "--trace". */
const char *output_option(enum output_kind kind);
/* Returns the kind of a trace by its file's name: Chrome's if it ends in
 * ".json", of any case. */
enum output_kind output_trace_kind(const char *path);

/*
 * Opens an output that is not open, and has it watch what the others do. On
 * success a file's descriptor belongs to it; standard output is never closed.
 * False with one line in err: no server listens there, or the file is of a kind
 * that cannot have what is written.
 */
bool outputs_open(struct outputs *o, enum output_kind kind,
    const struct output_target *target, struct text *err);
/* Moves an open output from others, which watch nothing, to o, and has it watch
 * what o does. o has none of that kind. */
void outputs_move(
    struct outputs *o, struct outputs *from, enum output_kind kind);
/* Writes what is left and closes; no-op if it is not open. Returns the errno
 * of the first write that failed, or of the closing, or 0. *bytes, unless NULL,
 * is set to the file's size. */
int outputs_close(struct outputs *o, enum output_kind kind, uint64_t *bytes);

bool outputs_any(const struct outputs *o);
/* True if an open output needs a layer in struct output_launch. */
bool outputs_need_layer(const struct outputs *o);
/* From now on what happens to sim is written, until outputs_leave(), which has
 * to come before layer_end(). layer may be NULL if none is needed. */
void outputs_watch(struct outputs *o, struct sim *sim, struct layer *layer);
void outputs_leave(struct outputs *o);
/* Writes all that is pending. */
void outputs_flush(struct outputs *o);

/* One output: the file's path or the server's address, NULL if it is not
 * open; the bytes written so far; the errno of the first write that failed, or
 * 0. */
const char *outputs_path(const struct outputs *o, enum output_kind kind);
uint64_t outputs_bytes(const struct outputs *o, enum output_kind kind);
int outputs_error(const struct outputs *o, enum output_kind kind);
/* True if a write of any output failed. */
bool outputs_failed(const struct outputs *o);

/* Sends to servers without blocking. To be called now and then, also while
 * nothing runs. True: news has a line for the user, such as a lost connection,
 * which is reported once. */
bool outputs_work(struct outputs *o, struct text *news);
/* When outputs_work() is of use: a descriptor, -1 for none, and the events that
 * poll() has to wait for. */
int outputs_poll(const struct outputs *o, short *events);
/*
 * Leaves servers, waits until they have all, and closes. Waits for limit_ms at
 * most, or until a signal comes. False with a line in err: it is not known that
 * all arrived. waiting, if not NULL, gets a line when it takes a while.
 */
bool outputs_finish(struct outputs *o, int limit_ms,
    void (*waiting)(const char *line), struct text *err);

/* The kinds. */
extern const struct output_ops output_layer;
extern const struct output_ops output_trace;
extern const struct output_ops output_trace_json;
extern const struct output_ops output_arm;
extern const struct output_ops output_kernel;
extern const struct output_ops output_frames;
extern const struct output_ops output_server;

#endif
