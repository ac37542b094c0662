/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of trace/import: the jobs that events tell of. A job is a
 * request as one family of events tells of it; several families of one file may
 * tell of the same request (join.c).
 */
#ifndef TRACE_IMPORT_PRIVATE_H
#define TRACE_IMPORT_PRIVATE_H

#include <regex.h>

#include "base/hash.h"
#include "base/mem.h"
#include "trace/import/import.h"
#include "trace/import/read_event.h"

/* Events that tell of jobs in the same way, the most trusted first. */
enum family {
	FAMILY_I915,
	FAMILY_MSM, /* with the GPU's own clock */
	FAMILY_617, /* drm_sched since Linux 6.17 */
	FAMILY_OLD, /* drm_sched before */
	FAMILY_AMDGPU,
	FAMILY_XE,
	N_FAMILIES,
};

#define NO_JOB    UINT32_MAX
#define NO_ENGINE UINT8_MAX
#define NO_CLIENT UINT32_MAX

/* A process, or a file's client that the DRM scheduler gives a number. */
struct job_client {
	struct chain_node node; /* by p: a kind of number, n: the number */
	uint32_t index;
	int64_t pid;
	char *comm;
	bool is_kernel;
	uint8_t device; /* GPU that its queues are of, once has_device is set */
	bool has_device;
	bool is_used;   /* it has a job that counts */
	bool has_ended; /* it has a job that has ended */
};

/* Engines of a queue of xe. */
struct xe_queue {
	struct chain_node node; /* by its number, and that of its GT */
	uint32_t engines;       /* instances from 0, a bit each */
	uint8_t class;          /* NO_ENGINE: of no class that is known here */
	uint8_t width;          /* engines that a job has at once */
};

/* A queue of jobs that run in order. */
struct job_line {
	struct chain_node node; /* by family and number */
	enum family family;
	uint8_t device; /* GPU: index in import.devices */
	struct job_client *client;
	uint64_t engines;    /* that its jobs ran on: a set */
	uint64_t last_seqno; /* submitted */
	/* Classes, a bit each, of which jobs ran on another engine than they were
	 * submitted to: a virtual one. */
	unsigned moved;
	uint64_t left;    /* engines of classes of which it has a home: a set */
	int16_t priority; /* of its first job */
	uint32_t index, context;
	uint8_t n_fences;      /* FAMILY_XE: contexts that are its fences' */
	struct job_line *next; /* of the same client */
	uint32_t n_jobs;       /* that count */
	uint32_t *n_on;        /* the same, by engine; NULL: all are on one */
	/* Sums over these of run_ns and shared_ns, in us, and of their squares. */
	double run, run_squares, shared, shared_squares;
};

struct job {
	struct chain_node node;    /* by line and seqno, or by fence */
	struct chain_node id_node; /* FAMILY_OLD: by ring and id */
	struct job_line *line;
	uint64_t seqno, fence;
	nsec added_ns, ready_ns, start_ns, end_ns, retired_ns;
	nsec in_ns;     /* when it was handed to the engine last */
	nsec run_ns;    /* so far; NSEC_NEVER: not known */
	nsec shared_ns; /* the same if the engine was shared in turns */
	uint32_t index;
	uint32_t part;
	uint32_t first_dep; /* in deps; NO_JOB: none */
	uint32_t same_as;   /* a job of a more trusted family; NO_JOB */
	uint32_t record;    /* index among the requests; NO_JOB */
	int16_t priority;
	uint8_t n_signals; /* FAMILY_XE: ends of it on its engines */
	uint8_t engine;    /* number of a bit; NO_ENGINE */
	uint8_t asked; /* that it was submitted to; NO_ENGINE: a virtual one */
	uint64_t origin; /* infer_request.origin */
	bool added, ended, listed, id_listed;
	bool asked_unnamed; /* asked is of a ring whose GPU was not named */
	bool on_engine;     /* it is among those of an engine (on_engine.c) */
	bool had_company;   /* so was one of another queue, before it ended */
	bool is_spare;      /* it does not count */
	bool is_open; /* it counts, and had not ended when the trace did */
};

struct job_dep {
	uint32_t on;   /* index of a job */
	uint32_t next; /* in deps; NO_JOB: none */
	uint8_t kind;  /* enum infer_dep_kind */
};

/* A wait of a task for a job. */
struct job_wait {
	uint32_t job;
	int64_t pid;
	nsec from_ns, to_ns; /* NSEC_NEVER: it has not ended */
};

/* Time of an engine that no job has yet. */
struct engine_span {
	nsec from_ns, left_ns;
};

/* Jobs handed to an engine that have not ended, the first first. */
struct engine_jobs {
	struct job **jobs;
	size_t n, cap;
	struct engine_span *spans;
	size_t n_spans, cap_spans;
	nsec at; /* up to which spans are */
};

/* GPUs that are told apart, with the one that events do not name. */
#define MAX_DEVICES 32

/* A GPU. Numbers of its engines are its own, until devices_number(). */
struct job_device {
	struct slice name; /* as dev= has it; terminated; empty: not named */
	uint64_t number;   /* the same, if is_number: of i915 */
	bool is_number;
	bool is_used;           /* it has a job that counts */
	uint64_t known_engines; /* a set */
	/* Instances of other GPUs before its own, by class. */
	uint8_t first[N_CLASSES];
	uint32_t xe_running[N_CLASSES * INFER_MAX_INSTANCES];
	struct engine_jobs engines[N_CLASSES * INFER_MAX_INSTANCES];
};

struct frame_mark {
	nsec time;
	uint32_t part;
};

struct ring_name {
	char *name;
	uint8_t device;
	uint8_t engine; /* of that GPU: number of a bit */
};

/* Drivers whose events are not read. */
enum other_driver {
	OTHER_KGSL,
	OTHER_MALI,
	OTHER_V3D,
	OTHER_PVR,
	OTHER_VIRTIO,
	OTHER_RADEON,
	N_OTHER_DRIVERS,
};

/* Counts of what was left out, or is doubtful. */
struct import_counts {
	uint64_t n_lines, n_events; /* of the file that is read */
	uint64_t n_lost;            /* events, as the file says */
	uint64_t n_broken, first_broken;
	uint64_t n_cut;       /* pages and places of trace.dat beyond its end */
	uint64_t n_unknown;   /* events of jobs that began before */
	uint64_t n_kernel;    /* jobs of the kernel's own */
	uint64_t n_questions; /* empty batches before all work */
	uint64_t n_incomplete; /* jobs without an end, or engine */
	uint64_t n_open;       /* jobs that count without an end */
	uint64_t n_retired;    /* jobs whose end is that of their clean-up */
	uint64_t n_recycled;   /* numbers that were used again */
	uint64_t n_twice;      /* jobs that another family tells of */
	uint64_t n_other_part, n_outside, n_unwanted;
	uint64_t n_other_device;   /* jobs of GPUs that -D does not name */
	uint64_t n_unknown_device; /* events of more GPUs than are told apart */
	uint64_t n_backwards;      /* events before the one before them */
	uint64_t n_cycles,
	    first_cycles; /* events whose times are not seconds */
	uint64_t n_others[N_OTHER_DRIVERS]; /* events */
	uint64_t n_fences;                  /* events of dma_fence */
	uint64_t
	    n_impossible; /* jobs that end before they begin, or too late */
};

struct import {
	struct import_options options;
	regex_t clients_regex;
	bool has_regex;
	struct arena arena; /* jobs, lines and clients */
	struct job **jobs;
	size_t n_jobs, cap_jobs;
	struct job_line **lines;
	size_t n_lines, cap_lines;
	struct job_client **clients;
	size_t n_clients, cap_clients;
	struct job_dep *deps;
	size_t n_deps, cap_deps;
	struct job_wait *waits;
	size_t n_waits, cap_waits;
	size_t first_open_wait;
	struct chains by_number; /* jobs by line and seqno */
	struct chains by_fence;  /* live jobs by pointer */
	struct chains by_id;     /* live jobs by ring and id */
	struct chains lines_by_number, clients_by_number;
	struct chains xe_queues, xe_fences; /* these by context */
	uint64_t xe_context, xe_seqno;      /* of the last fence of xe */
	struct job_device *devices[MAX_DEVICES];
	uint8_t n_devices;
	uint8_t device;        /* of the event that is taken */
	uint8_t wanted_device; /* 0: all */
	bool has_several_devices;
	char *fence_driver; /* of the first fence; NULL: none */
	char *broken_event; /* name of the first event without its fields */
	unsigned broken_kind;
	struct ring_name *rings;
	size_t n_rings, cap_rings;
	struct text map;  /* of rings, with the default's rules behind it */
	size_t own_rules; /* bytes of it that are the user's */
	struct frame_mark *marks; /* events of --frame-on */
	size_t n_marks, cap_marks;
	nsec *mark_times; /* of those that count */
	size_t n_mark_times;
	uint32_t main_part;
	nsec ends_from_ns, ends_to_ns; /* jobs of that time have ends */
	uint32_t part; /* of the trace: boots, jumps of the clock */
	nsec last_ns, first_ns;
	bool any_event, any_in, any_out, any_dep_617, has_ns_times;
	bool any_xe, any_xe_signal;
	bool from_table, is_exact;
	struct import_counts counts;
	struct text warnings; /* of reading, a line each */

	/* import_finish() */
	struct infer_request *requests;
	struct infer_request *roaming; /* imported.roaming */
	struct infer_dep *infer_deps;
	struct infer_act *acts;
	struct imported_client *named;
	size_t n_requests, n_infer_deps, cap_infer_deps, n_acts;
};

/* import_jobs.c */
struct job_client *import_job_client(
    struct import *im, const char *kind, uint64_t number);
struct job_line *import_job_line(
    struct import *im, enum family family, uint64_t number, bool make);
struct job *import_job_new(
    struct import *im, struct job_line *line, uint64_t seqno);
struct job *import_job_find(const struct import *im, enum family family,
    uint64_t number, uint64_t seqno);
/* The number of i915's timelines: kernels before 4.17 have the same on each GPU. */
uint64_t import_i915_number(uint8_t device, uint64_t context);
/* The same job by its fence, which names no GPU. */
struct job *import_job_find_i915(
    const struct import *im, uint64_t context, uint64_t seqno);
/* The job ran on that engine, or was submitted to it. */
void import_job_on(struct import *im, struct job *job, uint8_t engine);
/* Forgets the number of a job, which another one will have. */
void import_job_forget(struct import *im, struct job *job);
/* Forgets all numbers: the machine began anew, or its clock jumped. */
void import_job_begin_part(struct import *im);
void import_job_add_dep(struct import *im, struct job *job,
    const struct job *on, enum infer_dep_kind kind);

/* assemble.c: takes the next event of a trace. */
void assemble_event(struct import *im, const struct read_event *e);
/* assemble_sched.c: the same for those of the DRM scheduler and of amdgpu. False:
 * it is another event. */
bool assemble_sched(struct import *im, const struct read_event *e);
/* A job was handed to its ring; it has ended. NULL: it is not known. */
void assemble_run_job(struct import *im, struct job *job, nsec now);
void assemble_done_job(struct import *im, struct job *job, nsec now);
/* Lists a job by its line and seqno. */
void assemble_list_number(struct import *im, struct job *job);

/* assemble_xe.c, assemble_msm.c: the same as assemble_sched() for the events that
 * these drivers have of their own. */
bool assemble_xe(struct import *im, const struct read_event *e);
bool assemble_msm(struct import *im, const struct read_event *e);
/* A fence of xe was signalled. */
void assemble_xe_fence(struct import *im, const struct read_event *e);
/* Places a job of the DRM scheduler whose ring is one of xe's queues, once it
 * runs. False: it is none of these. */
bool assemble_xe_ring(
    struct import *im, struct job *job, struct slice ring, bool runs);

/* The client of a task that submits. */
struct job_client *assemble_client(
    struct import *im, const struct read_event *e);

/* on_engine.c: who had an engine, from when jobs were handed to it. */
void on_engine_in(struct import *im, struct job *job, nsec now);
/* ended: else it was preempted. */
void on_engine_out(struct import *im, struct job *job, nsec now, bool ended);
void on_engine_clear(struct import *im);
/* Where nothing tells when jobs left an engine: takes their time as if it was
 * shared in turns, if durations of a queue then vary less. */
void on_engine_settle(struct import *im);

/* turns.c: gives jobs that the GuC shared engines out to the times that they had in its
 * turns, where the trace agrees with these. */
void guc_turns_settle(const struct import *im);

/* rings.c */
/* Reads the option; false: err says what is wrong with it. */
bool rings_open(struct import *im, struct text *err);
/* Appends a line for each of the user's rules that fits no ring. */
void rings_say_unused(const struct import *im, struct text *said);
/* Returns the engine of a ring of a GPU; NO_ENGINE: none is left. */
uint8_t rings_engine(struct import *im, uint8_t device, struct slice ring);

/* devices.c */
void devices_open(struct import *im);
void devices_free(struct import *im);
/* Sets im->device to the GPU of an event; 0: it names none. False: there are too many. */
bool devices_choose(struct import *im, const struct read_event *e);
/* True if two GPUs are one, as far as their names say. */
bool devices_may_be_same(const struct import *im, uint8_t a, uint8_t b);
/* Gives queues that are told of twice one GPU, and each GPU its own clients. False: err
 * says that the GPU which is wanted is not there. */
bool devices_settle(struct import *im, struct text *err);
/* Gives each GPU instances of the engines of its own. */
void devices_number(struct import *im);
void devices_add_name(
    const struct import *im, uint8_t device, struct text *out);
/* Appends a line on the GPUs, if there are several. */
void devices_say(const struct import *im, struct text *said);

/* others.c */
/* Returns the driver of an event by its name; N_OTHER_DRIVERS: none of these. */
enum other_driver others_find(const char *name, size_t len);
/* Counts events of other drivers, and of fences. */
void others_count(struct import *im, const struct read_event *e);
/* Appends a line for each driver whose events were left out. */
void others_say(const struct import *im, struct text *said);
/* Appends why a trace of other drivers, or of fences alone, has no request. False: it has
 * neither. */
bool others_explain(const struct import *im, struct text *err);

/* join.c: finds the jobs of which two families tell. */
void join_families(struct import *im);

/* records.c: what trace/infer takes. */
void records_make(struct import *im);
/* homes.c: queues whose jobs ran on several engines of a class. */
/* Finds those that are virtual, and those that have a home. */
void homes_settle(struct import *im);
/* The engines that a job of a queue may run on, by those of its others: a set. */
uint64_t homes_engines(const struct job_line *line);
/* Gives a job of a virtual queue that no engine had taken one of those that took
 * others. */
void homes_take_engine(struct job *job);
/* Gives queues their contexts. */
void homes_place_lines(struct import *im);
/* Sets context, slot and engines of a job's request. */
void homes_place(
    const struct import *im, const struct job *job, struct infer_request *r);
/* Makes im->roaming of the requests, if a queue has a home: all such queues are virtual
 * from then on. */
void homes_roam(struct import *im);
/* semaphores.c: finds priorities below 0 where requests have those of others. */
void semaphores_settle(struct import *im);
/* ties.c: numbers the clients so that those which submit at one instant do so in the
 * order of their numbers. */
void ties_order_clients(struct import *im);
/* words.c: says what was left out. */
void import_say_counts(const struct import *im, struct text *said);

/* text_file.c, requests_file.c, dat_file.c: read an opened file, whose first len
 * bytes are in begin. */
struct import_source {
	struct import *im;
	const char *path;
	int fd;
	char *begin; /* of which the reader gives back none */
	size_t len;
	uint64_t size, done; /* bytes; size 0: not known */
};
bool text_file_read(struct import_source *s, struct text *err);
bool requests_file_read(struct import_source *s, struct text *err);
bool dat_file_read(struct import_source *s, struct text *err);

/* True if the file is of another kind, which is not read: err says which. */
bool refused_by_beginning(const struct import_source *s, struct text *err);

/* Calls handle for each line without its end, until it returns false. Lines of
 * more than 64 KiB are cut. False: err says why reading failed; stopped: the
 * user's. */
typedef bool source_line_fn(void *data, const char *line, size_t len);
bool source_lines(struct import_source *s, source_line_fn *handle, void *data,
    struct text *err);

#endif
