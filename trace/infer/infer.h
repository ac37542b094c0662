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
#include "base/stop.h"
#include "base/text.h"
#include "parser/engine_name.h"

/* Instances of a class that a record may name, from 1. */
#define INFER_MAX_INSTANCES 12
/* A set of engines: a bit for each class and instance. */
#define INFER_ENGINE(class, instance)                                          \
	(1ull << ((class) * INFER_MAX_INSTANCES + (instance)-1))
#define INFER_NO_POSITION UINT32_MAX
/* infer_request.priority that is unknown. */
#define INFER_NO_PRIORITY INT16_MIN

/* Rows of a parallel slot, and bonds of a virtual engine, at most. */
#define INFER_MAX_ROWS  8
#define INFER_MAX_BONDS 16

/* A bond: behind a request that ran on master, only some may be taken. */
struct infer_bond {
	uint8_t master;    /* number of the bit of INFER_ENGINE() */
	uint64_t siblings; /* a set of engines */
};

/* A slot of a context, which is a timeline, as it was made. */
struct infer_slot {
	uint32_t n_rows, n_siblings; /* parallel; else n_rows is 1 */
	const uint8_t *engines;      /* numbers of bits, row by row */
	const struct infer_bond *bonds;
	uint32_t n_bonds;
};

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
	uint32_t first_use, n_uses; /* in infer_input.uses */
	const char *label;          /* for a comment; NULL: none */
	/* 0 where a trace does not have it. */
	nsec
	    call_ns; /* that the call took which submitted it, up to queued_ns */
	/* With from_start, of a client's first one: those before it that are not
	 * among the requests. */
	uint64_t n_earlier;
	uint64_t origin;                /* that of the same batch is the same */
	const struct infer_slot *setup; /* of its timeline; NULL: unknown */
	uint32_t first_row; /* in infer_input.row_runs, of its other rows */
	uint32_t sseu;      /* slice mask; 0: all slices */
	bool infinite;      /* it ran until the client ended it */
	nsec released_ns;   /* then: when that was; NSEC_NEVER: at its end */
	bool no_points;     /* it could not be preempted */
	bool is_doubtful;   /* other requests may have had some of run_ns */
	/* It had not ended when its client did, or was reset: of its times only
	 * queued_ns counts, and run_ns, until then. Its engine may be any of allowed. */
	bool unfinished;
};

enum infer_dep_kind {
	INFER_DATA,   /* waits for the end of a writer of its data */
	INFER_FENCE,  /* waits for the end */
	INFER_SUBMIT, /* waits for the start */
	INFER_SIGNAL, /* waits for a software fence */
};

struct infer_dep {
	uint32_t request; /* that it waits for; SIGNAL: index of an act */
	uint8_t kind;     /* enum infer_dep_kind */
	bool guessed;     /* by the caller: a comment says so */
};

/* A use of an object that several clients share, whose dependencies are not among
 * the deps. */
struct infer_use {
	uint32_t object; /* any number */
	bool write;
};

enum infer_act_kind {
	INFER_WAIT,      /* for a request of the client's own */
	INFER_MADE,      /* a software fence */
	INFER_SIGNALLED, /* one, and those made before it */
};

/* An act of a client's thread beside submissions. */
struct infer_act {
	uint32_t client;
	uint32_t request; /* SIGNALLED: index of the act that made the fence */
	nsec from_ns, to_ns;
	/* 1 + index of the client's request that was submitted next, more than
	 * n_requests: none; 0: not known, the first one at to_ns or later. */
	uint32_t next;
	uint8_t kind; /* enum infer_act_kind */
};

/* All arrays belong to the caller. Requests of one client that were queued at
 * the same time count as queued in the order of the array. */
struct infer_input {
	const struct infer_request *requests;
	size_t n_requests; /* less than UINT32_MAX */
	const struct infer_dep *deps;
	size_t n_deps;
	const struct infer_use *uses;
	size_t n_uses;
	/* True: what no dependency names depends on nothing. False: where a
	 * request has none, they are inferred from its times. */
	bool deps_are_complete;
	/* True: a kernel's trace, which has no waits that took no time, no deps on
	 * requests that had ended, and DATA for FENCE; and in which a request may have
	 * the priority of one that waits for it. */
	bool is_trace;
	/* True: no request of a client before its first one is unknown. */
	bool from_start;
	const struct infer_act *acts; /* in order, where next is known */
	size_t n_acts;
	/* Times at which iterations begin, in order, where the user says so. */
	const nsec *marks;
	size_t n_marks;
	const nsec *row_runs; /* times of further rows on their engines */
	size_t n_row_runs;
};

struct infer_options {
	const char *source; /* for comments; NULL: none */
	bool titled;        /* the caller names the client before each text */
	/* True: the times are those of a model, to the ns. False: measured, see
	 * doc/model/infer.md "Thresholds". */
	bool exact;
	uint32_t all_slices; /* mask of all slices; 0: not known */
	nsec submit_ns;      /* CPU time of a submission in the model */
	nsec wakeup_ns;      /* that a client takes in it after a wait */
	nsec slack_ns;       /* that a sleep takes longer in it */
	bool keep_contexts; /* numbers as recorded, where they can be written */
	bool merge;         /* equal clients become one descriptor */
	bool vary; /* iterations with pauses that vary become several; positions
	            * are of those that were seen */
	const struct stop *stop; /* NULL: it is never cancelled */
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
	/* By position in the iteration, from first_dep[position] up to the next:
	 * how many batches before it are those whose end it waits for. */
	uint32_t *first_dep, *deps;
	nsec first_ns; /* submission of its first whole iteration */
};

/* Which descriptor a client of the records is one of. */
struct infer_member {
	uint32_t client;
	uint32_t descriptor; /* index in infer_result.clients */
};

struct infer_result {
	struct infer_client *clients; /* by number of the first client */
	size_t n_clients;
	struct infer_member *members; /* by number of client */
	size_t n_members;
	/* By record: its place in an iteration, INFER_NO_POSITION: in none. */
	uint32_t *positions;
	/* By request: the number of its context in the descriptor, from 1; 0: the
	 * record could not be used. */
	uint32_t *contexts;
	/* Records that could not be used. */
	uint64_t
	    n_incomplete; /* without an end, or without any time before it */
	uint64_t n_engineless; /* class or instance out of range */
	uint64_t n_duplicates;
	uint64_t n_bad_deps;     /* of no request, or of a later one */
	uint64_t n_foreign_deps; /* of another client's request */
	uint64_t n_bad_acts;
};

/*
 * Infers the descriptors of all clients. Returns false if no record can be used, or
 * if the user stops, and appends the reason to err. The caller frees the result with
 * infer_free() either way. Memory: 1 KiB for each request at most.
 */
bool infer(const struct infer_input *input, const struct infer_options *options,
    struct infer_result *result, struct text *err);
void infer_free(struct infer_result *result);

/* Appends the command line that runs the descriptors in batch mode; files[i] is
 * the name of that of clients[i]. */
void infer_print_command(const struct infer_result *result,
    const char *const *files, struct text *out);

#endif
