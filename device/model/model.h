/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to device/model: the simulation as the GPU of a virtual i915
 * (device/i915/gpu.h). Engines have the same numbers in both.
 *
 * The engine's events come while the simulation runs, where nothing may be
 * submitted or signalled. So they are noted, and passed on to the device between
 * two instants (model_report()).
 */
#ifndef DEVICE_MODEL_MODEL_H
#define DEVICE_MODEL_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/hash.h"
#include "base/text.h"
#include "device/i915/i915.h"
#include "device/model/virtual.h"
#include "device/streamer/streamer.h"
#include "engine/backend.h"
#include "engine/observer.h"

struct model;

/* A process: a client of the simulation. */
struct model_program {
	struct chain_node node; /* n: pid */
	struct client *client;
	struct model_file *files;
};

/* An open file, whose engine time fdinfo has. */
struct model_file {
	struct chain_node node;  /* n: id of the client */
	struct model_file *next; /* of the program */
	struct gpu_context *contexts;
	bool orphan;                /* its program is gone */
	nsec run_ns[N_GPU_CLASSES]; /* of contexts that are gone */
};

struct gpu_context {
	unsigned refs; /* the device's, and one of each timeline */
	struct model *model;
	struct model_file *file;
	struct gpu_context *next, **at; /* of the file */
	struct context *context;        /* NULL: it could not be made */
	int32_t priority;               /* that the program has set */
	nsec waited_ns[N_GPU_CLASSES];  /* its batches were at semaphores */
};

/* A slot. Its requests keep it. */
struct gpu_timeline {
	unsigned refs;
	struct gpu_context *context;
	struct ring *ring; /* NULL: it could not be made */
	unsigned width, class;
	nsec work_ns; /* of its ended requests; CTX_TIMESTAMP goes on there */
	struct streamer_context *streamers[GPU_WIDTH_MAX]; /* of the rows */
};

/* A row of a request: its batch, and how it goes on. */
struct model_row {
	struct gpu_batch *batch; /* NULL: none, or it has ended */
	nsec due_ns;             /* work after which it is asked again */
	bool polls;              /* it is asked again when it may have ended */
	bool waits;              /* at a semaphore */
	bool failed, invalid, ended;
	bool told; /* that it never ends */
};

/* A request in flight. */
struct model_request {
	struct chain_node node; /* n: its fence */
	struct model *model;
	struct gpu_timeline *timeline;
	struct request_ref ref;
	struct model_request *prev, *next; /* of those that poll */
	bool polls;                        /* is in that list */
	bool stores;                       /* its last turn of a loop stored */
	bool begun;
	bool lost;            /* the device was, with it: it ends with EIO */
	unsigned n_questions; /* to its first batch */
	nsec asked_ns;        /* work at the last question */
	struct virtual_work did;
	struct model_ahead *ahead; /* NULL: it is not looked at (ahead.c) */
	struct model_row rows[GPU_WIDTH_MAX];
};

/* A software fence. */
struct model_fence {
	struct chain_node node; /* n: its number */
	struct fence *fence;
};

/* A signal of a software fence, with an error. */
struct model_signal {
	uint64_t fence;
	int error;
};

/* An event for the device. */
enum model_event { MODEL_STARTED, MODEL_ENDED, MODEL_HUNG };

struct model_note {
	uint64_t request; /* that has started or ended */
	nsec ns;
	int error;
	enum model_event event;
};

struct model {
	struct gpu gpu; /* first */
	struct owner owner;
	struct observer observer;
	struct sim *sim;
	uint32_t n_restored; /* of sim, when m began to keep what is in it */
	nsec epoch_ns;       /* the device's time at 0 of the simulation */
	/* Returns the number of a process in reports; NULL: its pid. */
	uint32_t (*process_number)(void *data, uint32_t pid);
	void *process_data;
	/* Reports batches that never end; NULL: nothing does. */
	void (*tell)(void *data, const char *line);
	void *tell_data;
	unsigned n_told;
	struct i915 *dev; /* that gets the events */
	struct i915_host *host;
	struct streamer_gpu streamer;
	struct streamer_engine engines[GPU_ENGINES_MAX];
	unsigned max_mhz;
	unsigned pci_id, pci_revision, kernel; /* that programs see */
	struct chains programs, files, requests, fences;
	struct model_note *notes;
	size_t n_notes, cap_notes;
	struct model_request *polling;
	struct model_ahead *ahead; /* endless batches that have not begun */
	unsigned n_ahead;
	bool looks_ahead;          /* the device has a witness */
	struct request_ref *poked; /* private to model_poke() */
	size_t n_poked, cap_poked;
	/* When a program last made a call, or a batch began to poll. */
	nsec news_ns;
	nsec poll_ns; /* when those that poll are asked again at the latest */
	bool memory_changed;   /* a batch, or a stopped GPU's program, did more
				than to poll */
	bool spinner_stored;   /* a turn of a loop did, in this round */
	uint64_t n_resets;     /* of the whole GPU */
	unsigned engine_reset; /* of the profile */
	bool tells_errors;     /* engines interrupt for invalid commands */
	bool lost;             /* the uAPI says so: requests end with EIO */
	struct fence *gate;    /* of a GPU that is stopped; NULL: it runs */
	bool gated;            /* a request waits for it */
	struct model_signal *held; /* to be given when it runs */
	size_t n_held, cap_held;
	struct streamer_counts counts; /* of all batches that are over */
	struct text error; /* state of a hang that was not cleared */
};

/* model.c */
/* Prepares m for a simulation. */
void model_init(struct model *m, struct sim *sim);
/* Frees what belongs to m, after the device. */
void model_free(struct model *m);
struct model *model_of(struct gpu *gpu);
/* Returns the device's time. */
nsec model_now(const struct model *m);
/* Adds an event for the device. */
void model_note(
    struct model *m, enum model_event event, uint64_t request, int error);
/* Passes the events on. Returns true if there were any. */
bool model_report(struct model *m);

/* contexts.c */
struct gpu_context *model_context_new(
    struct gpu *gpu, const struct gpu_context_state *state);
void model_context_set(struct gpu *gpu, struct gpu_context *c,
    const struct gpu_context_state *state);
void model_context_free(struct gpu *gpu, struct gpu_context *c);
bool model_context_banned(struct gpu *gpu, struct gpu_context *c);
struct gpu_reset_stats model_reset_stats(
    struct gpu *gpu, struct gpu_context *c);
uint64_t model_client_ns(struct gpu *gpu, uint64_t client, unsigned class);
/* Returns the process with that pid; NULL: none. */
struct model_program *model_program(struct model *m, uint32_t pid);
void model_program_gone(struct gpu *gpu, uint32_t pid);
void model_context_put(struct gpu_context *c);
/* Lets all programs leave. */
void model_programs_leave(struct model *m);
/* Frees the tables of programs and files, after all requests. */
void model_programs_free(struct model *m);

/* timelines.c */
struct gpu_timeline *model_timeline_new(
    struct gpu *gpu, struct gpu_context *c, const struct gpu_slot *slot);
void model_timeline_sseu(
    struct gpu *gpu, struct gpu_timeline *t, const struct gpu_sseu *sseu);
void model_timeline_free(struct gpu *gpu, struct gpu_timeline *t);
void model_timeline_put(struct gpu_timeline *t);
uint64_t model_room(struct gpu *gpu, struct gpu_timeline *t);

/* requests.c */
void model_submit(struct gpu *gpu, const struct gpu_submission *s);
void model_fence_new(struct gpu *gpu, uint64_t fence);
void model_fence_signal(struct gpu *gpu, uint64_t fence, int error);
void model_on_started(struct owner *owner, struct request *rq);
void model_on_ended(struct owner *owner, struct request *rq, enum ending how);
/* Frees the batches of all requests, which end then: memory goes. */
void model_close(struct model *m);
/* Frees all requests and fences. */
void model_requests_free(struct model *m);

/* instalments.c */
/* Batches that poll are asked again after this time of the device, later while
 * nothing happens. */
#define MODEL_POLL_NS      (50 * NSEC_PER_USEC)
#define MODEL_POLL_MOST_NS NSEC_PER_MSEC
nsec model_on_duration(struct owner *owner, struct request *rq);
/* Lets those that poll be asked now; if the GPU is stopped, when it runs. */
void model_poke(struct gpu *gpu);
/* The same, also if it is stopped. */
void model_ask_polling(struct model *m);
/* Takes r off the list of those that poll. */
void model_stop_polling(struct model_request *r);

/* stop.c */
/* Stops the GPU: requests that are submitted wait for its gate. */
void model_stop(struct model *m);
/* True if something waits for the GPU to go on. */
bool model_is_awaited(const struct model *m);
/* Opens the gate, and signals what programs have signalled meanwhile. Does
 * nothing if it runs. */
void model_go_on(struct model *m);
/* Keeps a fence that a program signals for later. False: the GPU runs. */
bool model_hold_signal(struct model *m, uint64_t fence, int error);
/* Frees what belongs to the stop. */
void model_stop_free(struct model *m);

/* files.c: of live files */
uint64_t model_knob(struct gpu *gpu, unsigned engine, enum gpu_knob knob);
void model_knob_set(
    struct gpu *gpu, unsigned engine, enum gpu_knob knob, uint64_t value);
void model_reset(struct gpu *gpu, uint64_t engines);
void model_reset_all(struct gpu *gpu, bool all);
void model_hangcheck(struct gpu *gpu, bool on);
void model_request_timeout(struct gpu *gpu, uint64_t ms);
void model_lose(struct gpu *gpu, bool lost);
/* Keeps the state of a hang, if none is kept. */
void model_capture(struct model *m, const struct hang *hang);
void model_error_state(struct gpu *gpu, struct text *out);
void model_error_clear(struct gpu *gpu);

/* batch.c */
struct gpu_batch *model_batch(struct gpu *gpu, struct gpu_timeline *t,
    unsigned row, struct i915_space *space, uint64_t address);

/* Returns the address space of a batch, and where in it the batch begins. */
struct i915_space *model_batch_space(
    const struct gpu_batch *batch, uint64_t *address);

/* ahead.c: endless batches that programs end before these begin */
void model_look_ahead(struct gpu *gpu, bool on);
/* Looks at a request that was submitted, if it has not begun. */
void model_see_ahead(struct model_request *r);
/* Programs may have changed memory: notes which batches would end. */
void model_ask_ahead(struct model *m);
/* The request begins to run, and is looked at no more. */
void model_begins(struct model_request *r);
void model_forget_ahead(struct model_request *r);

/* platform.c */
/* Sets what programs see of a profile with that scheduler, and the command
 * streamer. False: there is no such i915, and err says why. */
bool platform_config(const struct sim *sim, struct i915_config *config,
    struct streamer_gpu *gpu, struct streamer_engine *engines,
    struct text *err);

#endif
