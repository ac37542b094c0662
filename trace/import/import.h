/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Traces of a real machine, read as requests: kernel traces as text and as
 * trace.dat, and tables of requests as --requests writes them. What is read
 * goes to trace/infer, which makes descriptors of it (doc/model/import.md).
 *
 * Times are ns of the trace's clock, from its first event on.
 */
#ifndef TRACE_IMPORT_IMPORT_H
#define TRACE_IMPORT_IMPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "trace/infer/infer.h"

struct stop;

struct import_options {
	const char *engine_map; /* "RING=ENGINE,..." or a file; NULL: none */
	/* Part of the trace that is taken, in its clock or, where it has no such
	 * times, from its first event on. */
	nsec from_ns, to_ns;  /* 0, NSEC_NEVER: all */
	const char *clients;  /* regular expression of names; NULL: all */
	const char *frame_on; /* name of an event; NULL: none */
	const char *device; /* dev= of the only GPU that is taken; NULL: all */
	/* Called after each block that was read; false stops. NULL: none. */
	bool (*progress)(void *data, uint64_t done, uint64_t size);
	void *progress_data;
};

/* A process that submitted requests. */
struct imported_client {
	char *name;   /* that its descriptor gets, unique among all */
	char *comm;   /* its name in the trace */
	int64_t pid;  /* -1: not known */
	char *device; /* GPU, as "dev=0"; NULL: the trace has one */
};

/* How much the events of a trace say. */
enum import_grade {
	IMPORT_TABLE,   /* a table of requests, or a recording */
	IMPORT_I915_A,  /* starts and ends on the engine */
	IMPORT_I915_B,  /* when they were handed to the GuC, and ends */
	IMPORT_I915_C,  /* submissions and ends */
	IMPORT_SCHED,   /* the DRM scheduler's hand-over, and ends */
	IMPORT_UNKNOWN, /* no request */
};

struct import;

/* Begins an import. Copies options; their texts must outlive it. NULL: err says
 * which option is invalid. The caller frees it with import_free(). */
struct import *import_new(
    const struct import_options *options, struct text *err);
void import_free(struct import *im);

/* Reads a file ("-": standard input). False: err says what is wrong, and where;
 * what was read before stays. */
bool import_read(struct import *im, const char *path, struct text *err);

/* Tells the progress of a reader elsewhere. False: it shall stop. */
bool import_tell_progress(
    const struct import *im, uint64_t done, uint64_t size);

/* Adds a request from elsewhere, and returns its index. r's client must be that
 * of import_add_client(), its dependencies are those of import_add_dep(). */
uint32_t import_add_client(struct import *im, const char *name, int64_t pid);
uint32_t import_add_request(struct import *im, const struct infer_request *r);
void import_add_dep(
    struct import *im, uint32_t request, uint32_t on, enum infer_dep_kind kind);

/* Requests that were read. */
struct imported {
	struct infer_input input;
	/* The same requests, but those of queues that left their engine for a few are
	 * of virtual engines; NULL: there is no such queue. */
	const struct infer_request *roaming;
	const struct imported_client *clients; /* by infer_request.client */
	size_t n_clients;
	enum import_grade grade;
	bool is_exact;         /* the times are those of a model */
	bool has_exact_times;  /* in ns; else in us */
	nsec begin_ns, end_ns; /* of the trace's clock */
	uint64_t n_requests;   /* in the files, that count */
	/* Engines of each class, that were used; the same with roaming. */
	unsigned engines[N_CLASSES], roaming_engines[N_CLASSES];
};

/* Makes requests of all that was read. Appends warnings, a line each, to said,
 * with what was left out. False: there is no request, err says why. The result is
 * valid until import_free(). */
bool import_finish(struct import *im, struct imported *result,
    struct text *said, struct text *err);

#endif
