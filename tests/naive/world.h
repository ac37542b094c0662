/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The state of the naive model: all that exists in a run, in arrays. Indices
 * point into them; nothing is ever removed or used again.
 */
#ifndef TESTS_NAIVE_WORLD_H
#define TESTS_NAIVE_WORLD_H

#include "tests/naive/naive.h"

#define NONE (-1)

/* A growing list of numbers. */
struct naive_list {
	int *items;
	unsigned n;
};

/* Where a batch step runs ("Virtual engines"; guc, parallel slots). */
struct naive_target {
	bool is_virtual;             /* or parallel: more than one engine */
	bool may[NAIVE_MAX_ENGINES]; /* fixed: just the one */
	int first; /* fixed: that engine; virtual: the first of its map;
		      parallel: the first of its first row */
	/* The engines that it can have at once, in the order of rows; of a
	 * fixed or virtual one each is one engine. */
	unsigned width, n_sets;
	int sets[NAIVE_MAX_ENGINES][NAIVE_MAX_WIDTH];
};

/* Causes of a request's wait; the scheduler decides what each means. */
enum naive_cause {
	FOR_RESULT,   /* data, objects, f-n */
	FOR_START,    /* s-n */
	FOR_TIMELINE, /* the one before it there */
	FOR_SIGNAL,   /* a software fence */
};

struct naive_wait {
	enum naive_cause cause;
	unsigned which; /* row, or software fence */
};

struct naive_request {
	struct naive_row row;
	const struct naive_target *target;
	unsigned ring;
	bool may[NAIVE_MAX_ENGINES]; /* target's, less what bonds forbid */
	bool infinite, terminated;
	nsec duration; /* parallel: of its longest row */
	nsec rest;     /* infinite: of its longest row that is not */
	nsec due;      /* running: when it ends */
	int first_on;  /* the engine on which it started; NONE */
	int priority;  /* of its context at submission; may be raised */
	struct naive_wait *waits;
	unsigned n_waits;
	struct naive_list submit_fences; /* rows that its s-n name */

	/* execlists */
	nsec level; /* when it came to its level */
	int on;     /* the engine that it holds; NONE */
	nsec taken; /* since then */
	nsec piece; /* its batch runs since then; NSEC_NEVER: it does not */
	struct naive_list semaphores; /* rows that it may poll for */

	int bound; /* drm: the engine that it will run on */
	int set;   /* guc: the engines that it runs on; NONE */
};

struct naive_object {
	int writer;                /* row, or NONE */
	struct naive_list readers; /* rows, since that writer */
};

/* One f that was executed. */
struct naive_fence {
	unsigned client;
	uint64_t iteration;
	unsigned step;
	bool signalled;
};

/* A timeline: (client, context, engine), a virtual engine being one. */
struct naive_ring {
	unsigned client;
	uint32_t context;
	bool is_virtual;
	int engine;      /* fixed */
	int last;        /* row */
	int last_engine; /* virtual: where it ran last */

	/* drm: the entity */
	unsigned attached; /* counts up; 0: not yet */
	int bound, level;

	/* guc: the queue */
	const struct naive_target *target;
	struct naive_list handed; /* rows that GuC has, not ended */
	unsigned place;
	int band;          /* waiting: as it was when last looked at */
	int set, last_set; /* that it is on; was on last; NONE */
	nsec since;        /* on engines: since then */
	nsec off;          /* when it was taken off last; NSEC_NEVER: never */
	nsec used;         /* of its quantum, before that */
};

enum naive_state { WALKING, DRAINING, ENDED };
enum naive_phase {
	AT_DEPS,
	AT_THROTTLE,
	AT_RING,
	AT_SUBMIT,
	AT_WAIT,
	AT_QUEUE
};

struct naive_client {
	unsigned id;
	const struct naive_job *job;
	const struct naive_workload *workload;
	enum naive_state state;
	unsigned step;
	enum naive_phase phase;
	uint64_t iteration;
	nsec started;   /* this iteration */
	bool submitted; /* anything in it */

	/* Its waits; all must be over. */
	nsec wake;
	struct naive_list waits; /* rows, for their ends */
	int full_ring;

	unsigned throttle, depth; /* t and q in force */
	uint32_t random;
	struct naive_list priorities; /* P steps, the latest one last */
	struct naive_object *outputs; /* one per step */
	struct naive_object **sets;   /* w: one array per step, else NULL */
	int *latest; /* per step: the row of its latest submission */
	struct naive_list queues[NAIVE_MAX_ENGINES]; /* of steps, for q */
	struct naive_client_figures *figures;
};

struct naive_engine {
	enum engine_class class;
	int instance;      /* from 1 */
	int running;       /* row, or NONE */
	int last;          /* row that it took last */
	nsec slice;        /* execlists: its begin; NSEC_NEVER: none */
	unsigned turns[3]; /* drm:rr: attached of the last one, per level */
	int queue;         /* guc: the ring that is on it; NONE */
};

struct naive_world;

/* Functions that each scheduler has of its own (fifo.c, ...). */
struct naive_rules {
	/* A request was made, its waits are known. May be NULL. */
	void (*submitted)(struct naive_world *w, unsigned row);
	/* All that happens in an instant but for the clients. */
	void (*settle)(struct naive_world *w);
	/* Nothing is left in the instant. May be NULL. */
	void (*instant_over)(struct naive_world *w);
	/* When it has something to do next, other than at the end of what
	 * runs. May be NULL. */
	nsec (*next)(const struct naive_world *w);
	/* The run is over: run and held of what runs still, busy. */
	void (*sum_up)(struct naive_world *w);
};

extern const struct naive_rules naive_fifo, naive_execlists, naive_drm,
    naive_guc;

struct naive_world {
	const struct naive_config *config;
	const struct naive_rules *rules;
	struct naive_result *result;
	nsec now;
	bool stopped;

	struct naive_engine engines[NAIVE_MAX_ENGINES];
	unsigned n_engines;
	struct naive_request *requests;
	unsigned n_requests;
	unsigned first_open; /* all rows before this one have ended */
	struct naive_fence *fences;
	unsigned n_fences;
	struct naive_ring *rings;
	unsigned n_rings;
	unsigned n_attached; /* drm */
	unsigned n_places;   /* guc */
	nsec progress;       /* guc: when something was last new */
	struct naive_client clients[NAIVE_MAX_CLIENTS];
	/* Per workload. */
	struct naive_target *targets[NAIVE_MAX_WORKLOADS]; /* per step */
	struct naive_object **shared[NAIVE_MAX_WORKLOADS]; /* W, per step */
};

void naive_list_add(struct naive_list *list, int item);
void naive_list_remove(struct naive_list *list, int item);

/* device.c: engines and which of them a batch means. */
void naive_device_init(struct naive_world *w);
bool naive_find_target(const struct naive_world *w,
    const struct naive_workload *workload, unsigned step,
    struct naive_target *target);
/* Takes the engines from may that the bonds of the context forbid while the
 * master runs on this engine. */
void naive_apply_bonds(const struct naive_world *w,
    const struct naive_workload *workload, uint32_t context, int master,
    bool *may);

/* submit.c: a batch becomes a request. */
struct naive_object *naive_set_object(struct naive_world *w,
    struct naive_client *c, uint32_t id, unsigned object);
unsigned naive_find_ring(struct naive_world *w, unsigned client,
    uint32_t context, const struct naive_target *target);
unsigned naive_in_flight(const struct naive_world *w, unsigned ring);
void naive_submit(struct naive_world *w, struct naive_client *c);

/* settle.c: what the schedulers have in common. */
void naive_skip_ended(struct naive_world *w);
/* Common: two requests that need nothing but the order of their engine: both
 * fixed, to the same one. */
bool naive_same_engine(
    const struct naive_request *a, const struct naive_request *b);
/* Tool: the distance of preemption points; 0: there are none. */
nsec naive_find_distance(
    const struct naive_world *w, const struct naive_request *rq);
/* A virtual request becomes ready: leaves the engines that its bonds allow. */
void naive_restrict_to_bonds(struct naive_world *w, struct naive_request *rq);
int naive_find_free_engine(
    const struct naive_world *w, const struct naive_request *rq);
/* The engine takes the request: who runs there, and switches. */
void naive_take(struct naive_world *w, unsigned row, int e);
/* Where nothing is ever taken off: what is due ends (false: nothing); a request
 * starts; the sums. */
bool naive_end_due(struct naive_world *w);
void naive_start(struct naive_world *w, unsigned row, int e);
void naive_sum_up_whole(struct naive_world *w);

/* client.c: user space. */
bool naive_client_blocked(
    const struct naive_world *w, const struct naive_client *c);
void naive_client_go_on(struct naive_world *w, struct naive_client *c);

static inline bool
naive_ended(const struct naive_world *w, unsigned row)
{
	return w->requests[row].row.end != NSEC_NEVER;
}

#endif
