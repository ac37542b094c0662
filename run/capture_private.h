/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of the capture: a log of acts for each process, in their
 * order. An act is known by its number in the log of its process, which counts
 * from 0; the oldest acts are dropped, the numbers of the others stay.
 */
#ifndef RUN_CAPTURE_PRIVATE_H
#define RUN_CAPTURE_PRIVATE_H

#include "base/hash.h"
#include "base/text.h"
#include "device/i915/witness.h"
#include "engine/observer.h"
#include "engine/sim.h"
#include "run/capture.h"
#include "run/capture_frames.h"
#include "trace/infer/infer.h"

#define CAPTURE_NONE      UINT64_MAX
#define CAPTURE_THREADS   256 /* of a process; further ones count as one */
#define CAPTURE_READERS   8   /* of an object since its writer: the latest */
#define CAPTURE_DEPS      32  /* of a request, with uses of shared objects */
#define CAPTURE_LABELS    64
#define CAPTURE_PROCESSES 64 /* that are kept, the latest active ones */
#define CAPTURE_ENGINES   64 /* of a slot */
#define CAPTURE_TEXT_ACTS 8192
#define CAPTURE_LOGS      16 /* that are full: more acts are not kept */

struct capture_process;

/* An act of a process; NULL: none. */
struct capture_ref {
	struct capture_process *process;
	uint64_t act;
};

/* A slot of a context, as long as acts are on it. */
struct capture_slot {
	struct chain_node node; /* p: process, n: file, context and place */
	uint32_t refs, context, place;
	bool listed; /* the table has it */
	struct infer_slot setup;
	uint8_t engines[CAPTURE_ENGINES];
	struct infer_bond bonds[INFER_MAX_BONDS];
};

enum capture_kind {
	CAPTURED_SUBMIT,
	CAPTURED_WAIT,   /* for a request */
	CAPTURED_FENCE,  /* a software fence was made */
	CAPTURED_SIGNAL, /* software fences were signalled */
};

/* Kinds of struct capture_dep beside enum infer_dep_kind: uses of an object that
 * threads share. */
enum { CAPTURED_READ = 16, CAPTURED_WRITE };

struct capture_dep {
	uint64_t act; /* that is depended on; of a use: none */
	/* Shared object that it is by, or use; 0: another, or none. */
	uint64_t object;
	uint8_t kind; /* enum infer_dep_kind, or a use */
};

struct capture_act {
	uint8_t kind;    /* enum capture_kind */
	uint8_t n_deps;  /* of SUBMIT */
	uint16_t thread; /* of the process */
	nsec from, to;   /* of the call */
	union {
		uint64_t target; /* WAIT: the act */
		struct {         /* FENCE, SIGNAL (up to value) */
			uint64_t timeline, value;
		};
		struct {
			struct capture_slot *slot;
			uint64_t origin;
			uint64_t first_dep; /* number in the process */
			uint64_t allowed;   /* as in infer_request */
			nsec ready, start, end, run;
			nsec released; /* of an infinite one, by its program */
			nsec row_runs[INFER_MAX_ROWS - 1];
			const char *label; /* of the capture; NULL: none */
			uint32_t sseu;
			int16_t priority;
			uint8_t class, instance; /* instance 0: none yet */
			bool infinite, no_points, failed, foreign;
			bool empty; /* it ended with its first command */
			/* Video frames; whether their costs are estimates. */
			uint16_t decoded, coded;
			bool estimated;
		};
	};
};

struct capture_process {
	struct capture *capture;
	struct chain_node node; /* n: pid */
	bool listed;            /* the table has it */
	uint32_t client;        /* UINT32_MAX: it has submitted nothing */
	int64_t pid;
	int64_t shown_pid; /* in reports: its place where time is virtual */
	char *name;
	uint64_t used; /* when it did something, counted in acts of all */
	uint32_t threads[CAPTURE_THREADS]; /* their ids */
	uint64_t dropped[CAPTURE_THREADS]; /* submissions of each */
	uint32_t n_threads;
	uint64_t files[CAPTURE_THREADS];
	uint32_t n_files;
	struct capture_act *acts;
	size_t n, cap;
	uint64_t first; /* number of acts[0] */
	struct capture_dep *deps;
	size_t n_deps, cap_deps;
	uint64_t deps_first;
	uint64_t n_submitted, n_ended, n_dropped; /* requests */
	uint64_t n_hangs;
	uint64_t n_foreign; /* requests that waited for other processes */
};

/* A request in flight. */
struct capture_flight {
	struct chain_node node; /* n: seq of the request */
	struct capture_ref ref;
	uint8_t row;
};

/* The fence of a request. */
struct capture_fence {
	struct chain_node node; /* p: timeline, n: number */
	struct capture_ref ref;
};

struct capture_object {
	struct chain_node node; /* n: serial */
	struct capture_ref writer;
	struct capture_ref readers[CAPTURE_READERS];
	uint8_t n_readers;
	uint64_t user; /* its first: process and thread */
	bool shared;   /* there are others */
};

/* A submission between the device and the simulation. */
struct capture_pending {
	bool valid;
	struct i915_seen_submit seen;
	struct i915_seen_object *objects;
	struct i915_seen_fence *after;
	size_t cap_objects, cap_after;
	struct capture_ref ref; /* of its first row; NULL: none yet */
};

struct capture {
	struct sim *sim;
	struct i915 *dev; /* that is watched; NULL: none */
	struct capture_options options;
	struct frame_marker marker;
	struct observer observer;
	struct i915_witness witness;
	struct chains by_pid, flights, fences, objects, slots;
	struct capture_process **processes; /* in order of appearance */
	size_t n_processes, cap_processes;
	uint64_t n_forgotten;     /* processes that are not kept */
	uint64_t n_acts, n_added; /* that are kept, of all; that ever were */
	struct capture_pending pending;
	char *labels[CAPTURE_LABELS];
	unsigned n_labels;
};

/* capture_log.c */
/* Returns the process that is pid now; makes it. */
struct capture_process *capture_process_of(struct capture *c, uint32_t pid);
/* Returns the place of a thread in its process. */
uint16_t capture_thread(struct capture_process *p, uint32_t tid);
/* Returns a new act at the end of the log. Drops the oldest ones first where
 * there are too many. */
struct capture_act *capture_add(
    struct capture_process *p, const struct capture_act *act);
/* Returns the act; NULL: it was dropped. */
struct capture_act *capture_get(struct capture_ref ref);
void capture_process_free(struct capture_process *p);
/* Frees the tables, after all processes. */
void capture_forget(struct capture *c);

/* capture_slots.c */
/* Returns the engines as a set of INFER_ENGINE(). */
uint64_t capture_bits_of_engines(const struct sim *sim, engine_mask mask);
/* Returns the slot that the pending submission of p is on. */
struct capture_slot *capture_slot_of(
    struct capture *c, struct capture_process *p);

/* capture_uses.c */
/* NULL: no request has used it. */
struct capture_object *capture_find_object(struct capture *c, uint64_t serial);
/* Returns the act whose fence it is; NULL in it: none. */
struct capture_ref capture_find_fence(
    struct capture *c, const struct i915_seen_fence *f);
/* Notes the act whose fence it is, if it has none. */
void capture_add_fence(
    struct capture *c, const struct i915_seen_fence *f, struct capture_ref ref);
/* Adds a dependency to an act of p, the last of its log; object: serial of the
 * shared one that it is by, 0: none. */
void capture_add_dep(struct capture_process *p, struct capture_act *act,
    struct capture_ref on, enum infer_dep_kind kind, uint64_t object);
/* Notes that a request uses an object, and adds what it depends on by that. */
void capture_use_object(struct capture *c, struct capture_ref by,
    struct capture_act *act, const struct i915_seen_object *seen);

/* capture_watch.c: the device's and the simulation's events. */
void capture_watch_begin(struct capture *c);
void capture_watch_end(struct capture *c);

/* Acts of a process that follow each other. */
struct capture_span {
	const struct capture_process *p;
	const struct capture_act *acts;
	size_t n;
	uint64_t first; /* number of acts[0] */
};

/* capture_groups.c */
/* Returns an act by its number; NULL: it is not among them. */
const struct capture_act *capture_act_at(
    const struct capture_span *s, uint64_t number);
const struct capture_dep *capture_deps_of(
    const struct capture_span *s, const struct capture_act *act);
/* True if a thread waits for a request of another: a driver may have a thread that
 * submits for its program. */
bool capture_waits_for_other(
    const struct capture_span *s, const struct capture_act *act);
/* Finds the client of each thread: groups[thread] is the first thread that is of the
 * same one. */
void capture_groups_find(
    const struct capture_span *s, uint32_t groups[CAPTURE_THREADS]);

/* capture_shared.c: objects that a process's clients share, by serial. */
struct capture_shared {
	uint64_t *objects;
	size_t n;
};
/* Finds those that acts of several groups of threads use, some of them to write.
 * groups[thread] is the first thread of its group. */
void capture_shared_find(struct capture_shared *s,
    const struct capture_process *p, const struct capture_act *acts, size_t n,
    const uint32_t *groups);
/* Returns the number of an object from 1; 0: it is not shared. */
uint32_t capture_shared_number(const struct capture_shared *s, uint64_t object);
void capture_shared_free(struct capture_shared *s);

/* Video of a request: frames, and whether their costs are estimates. */
struct capture_media {
	uint16_t decoded, coded;
	bool estimated;
};

/* capture_records.c */
/* Records of one process, for infer(). */
struct capture_records {
	struct infer_input input;
	struct infer_request *requests;
	struct capture_media *media; /* of each */
	struct infer_dep *deps;
	struct infer_use *uses;
	struct infer_act *acts;
	struct capture_shared shared;
	nsec *row_runs;
	uint32_t *index;  /* of acts: that of its request, or act */
	uint32_t *groups; /* of threads: number of its client */
};
/* Returns how many acts of a process there are up to the last of its questions to
 * the kernel: empty batches before its first one with work (doc/model/infer.md
 * "Acts"); 0: none, or it has no batch with work. */
size_t capture_acts_of_questions(const struct capture_process *p);
/* The latest max_acts, behind these. */
void capture_records_take(struct capture_records *r,
    const struct capture_process *p, size_t max_acts);
void capture_records_free(struct capture_records *r);

/* capture_frames.c: frames of a descriptor, of the requests that are in an
 * iteration. */
struct capture_frames {
	uint64_t n, iterations; /* that were seen */
	uint32_t length;        /* batches of such an iteration */
	bool estimated;         /* durations of some are estimates */
};
/* Counts them for each descriptor of a result; the caller frees the list. */
struct capture_frames *capture_frames_count(const struct frame_marker *marker,
    const struct capture_records *r, const struct infer_result *result);
/* Appends comments: the frames of an iteration, with periods for it. */
void capture_frames_print(const struct capture_frames *f,
    const struct frame_marker *marker, const struct infer_client *client,
    struct text *out);

#endif
