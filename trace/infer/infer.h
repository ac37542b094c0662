/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptors inferred from requests: what a client submitted, to which
 * engines, and when, becomes a descriptor that does the same in the model
 * (doc/model/infer.md). The records may come from a capture of a device, or
 * from a trace.
 *
 * Times are ns of one clock; NSEC_NEVER: unknown. Requests are referred to by
 * their index in infer_input.requests.
 */
#ifndef TRACE_INFER_INFER_H
#define TRACE_INFER_INFER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "base/text.h"
#include "parser/engine_name.h"

/* Instances of a class that a record may name, from 1. */
#define INFER_MAX_INSTANCES 12
/* A set of engines: a bit for each class and instance. */
#define INFER_ENGINE(class, instance)                                          \
	(1ull << ((class) * INFER_MAX_INSTANCES + (instance)-1))
/* infer_request.priority that is unknown. */
#define INFER_NO_PRIORITY INT16_MIN

struct infer_request {
	uint32_t client;        /* any number */
	uint32_t context, slot; /* its timeline in that client: any numbers */
	uint8_t class;          /* enum engine_class: that it ran on */
	uint8_t instance;       /* from 1 to INFER_MAX_INSTANCES */
	uint64_t allowed; /* engines that it might have taken; 0: unknown */
	nsec queued_ns;   /* submitted by the client */
	nsec ready_ns;    /* all that it waits for has happened */
	nsec start_ns, end_ns;
	nsec run_ns; /* time on the engine; NSEC_NEVER: from start and end */
	int16_t priority;
	uint32_t first_dep, n_deps; /* in infer_input.deps */
	const char *label;          /* for a comment; NULL: none */
};

enum infer_dep_kind {
	INFER_DATA,   /* waits for the end of a writer of its data */
	INFER_FENCE,  /* waits for the end */
	INFER_SUBMIT, /* waits for the start */
};

struct infer_dep {
	uint32_t request; /* that it waits for */
	uint8_t kind;     /* enum infer_dep_kind */
	bool guessed;     /* by the caller: a comment says so */
};

/* A wait of a client's thread for a request of its own. */
struct infer_wait {
	uint32_t client, request;
	nsec from_ns, to_ns;
};

/* All arrays belong to the caller. Requests of one client that were queued at
 * the same time count as queued in the order of the array. */
struct infer_input {
	const struct infer_request *requests;
	size_t n_requests; /* less than UINT32_MAX */
	const struct infer_dep *deps;
	size_t n_deps;
	/* True: what no dependency names depends on nothing. False: where a
	 * request has none, they are inferred from its times. */
	bool deps_are_complete;
	const struct infer_wait *waits;
	size_t n_waits;
};

struct infer_options {
	const char *source; /* for comments; NULL: none */
	/* True: the times are those of a model, to the ns. False: measured, see
	 * doc/model/infer.md "Thresholds". */
	bool exact;
	bool keep_contexts; /* numbers as recorded, where they can be written */
	bool merge;         /* equal clients become one descriptor */
};

/* A descriptor, and what it is inferred from. */
struct infer_client {
	uint32_t client;       /* the first that it is of */
	uint32_t n_clones;     /* clients that it is of, at least 1 */
	struct text text;      /* a file; "" if the client has no request */
	uint32_t n_batches;    /* of an iteration */
	uint64_t n_iterations; /* seen; of all clones */
	uint64_t n_requests, n_explained; /* those in an iteration */
	nsec period_ns;                   /* 0: none */
	nsec begin_ns, end_ns;            /* first submission, last end */
};

struct infer_result {
	struct infer_client *clients; /* by number of the first client */
	size_t n_clients;
	/* Records that could not be used. */
	uint64_t
	    n_incomplete; /* without an end, or without any time before it */
	uint64_t n_engineless; /* class or instance out of range */
	uint64_t n_duplicates;
	uint64_t n_bad_deps;     /* of no request, or of a later one */
	uint64_t n_foreign_deps; /* of another client's request */
	uint64_t n_bad_waits;
};

/*
 * Infers the descriptors of all clients. Returns false if no record can be used,
 * and appends why to err. The caller frees the result with infer_free() either
 * way. Memory: 1 KiB for each request at most.
 */
bool infer(const struct infer_input *input, const struct infer_options *options,
    struct infer_result *result, struct text *err);
void infer_free(struct infer_result *result);

/* Appends the command line that runs the descriptors in batch mode; files[i] is
 * the name of that of clients[i]. */
void infer_print_command(const struct infer_result *result,
    const char *const *files, struct text *out);

#endif
