/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A simulation as the record of a real device (doc/model/hardware.md, whose
 * headings the comments quote). Walkers run their programs as ever, but a
 * submission goes to the device, and batches begin and end when the device did
 * so: its driver finds that out and reports it here. Nothing is predicted.
 *
 * struct followed is what the driver implements: hooks that the simulation
 * calls. The functions below are the other direction: news of the device, which
 * the driver calls between two instants (when sim_run() has returned).
 *
 * All times are ns on the clock of the simulation: of the CPU's monotonic clock
 * since the start of the run.
 *
 * One turn of the loop of a run:
 *     now = clock;
 *     the driver looks at the device, and reports the news;
 *     sim_run(sim, now, 0);
 *     wait for the device, until sim_next_event() at most.
 */
#ifndef ENGINE_FOLLOW_FOLLOW_H
#define ENGINE_FOLLOW_FOLLOW_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/nsec.h"
#include "engine/gpu/submission.h"
#include "engine/hang/hang.h"
#include "engine/sched/sched.h"

struct client;
struct context;
struct followed;
struct hw_engine;
struct request;
struct ring;
struct sim;

/* The scheduler of such a simulation: it only waits for the device. Not one of
 * sched_list(). Its config.profile has no costs and no timeouts. */
extern const struct sched_ops sched_follow;

/*
 * The hooks. Functions that are NULL are not called. They run within an
 * instant: they must not change the simulation, nor report news, and take notes
 * at most.
 */
struct followed_ops {
	/* The contexts and rings of a client are new, or their definitions are
	 * (context->def, ring->def): it was added, or changed its program. */
	void (*contexts)(struct followed *device, struct client *c);
	/* rq is to be submitted, now or later on: keeps what submit needs of s
	 * and of the n requests that it waits for, all of which are in flight
	 * and were noted before. The pointers are valid until the return.
	 *
	 * rq is the first row of a parallel slot; the others follow by
	 * next_row. A batch of rq->duration_ns (ns) that is not infinite ends
	 * by itself. Waits by cause: WAIT_OBJECT through memory, which the
	 * signaler writes; WAIT_FENCE and WAIT_SUBMIT through fences;
	 * WAIT_TIMELINE is kept by the ring itself. Software fences are over
	 * when submit is called. */
	void (*note)(struct followed *device, struct request *rq,
	    const struct submission *s, const struct dependency *deps,
	    size_t n);
	/* Submits rq, which was noted: in the order of notes, but for those
	 * that wait for software fences or behind such ones ("Software
	 * fences"). Sets *time_ns, which is sim->now at first, to the time
	 * just before. Returns 0; -EAGAIN: there is no room, and it is called
	 * again when a request has ended; -ENODEV: the device is lost, and the
	 * run stops within this instant (SIM_STOPPED); another -errno: rq ends
	 * with that error. With priority and slice mask of rq->priority, rq->ring->sseu
	 * and rq->context->sseu: the device compares them with those that it
	 * set last. */
	int (*submit)(
	    struct followed *device, struct request *rq, nsec *time_ns);
	/* Ends rq, an infinite batch that was submitted, for T. */
	void (*end)(struct followed *device, struct request *rq);
	/* rq has ended: frees what belongs to it. Also called if it never was
	 * submitted. */
	void (*forget)(struct followed *device, struct request *rq);
	/* The process of the client was killed (c->killed): its contexts are
	 * closed. Requests in flight are reported as ever, with the errors that
	 * the device gives them; those that were not submitted end by
	 * themselves. */
	void (*killed)(struct followed *device, struct client *c);
	/* The ring, whose sched_data is not NULL, gets no more requests, unless
	 * its client is started again: frees it. */
	void (*ring_closed)(struct followed *device, struct ring *ring);
};

/* To be embedded in the driver's own struct, which outlives the simulation. */
struct followed {
	const struct followed_ops *ops;
};

/*
 * Data of the driver: follow_set_data(), ring->sched_data and context->device
 * are its own, NULL at first. A request's must be freed in forget, a ring's in
 * ring_closed, which sets it to NULL; a context's last until its client has
 * ended.
 */
void follow_set_data(struct request *rq, void *data);
void *follow_data(const struct request *rq);

/* Makes sim, which is new and whose scheduler is sched_follow, the record of
 * device. */
void follow_device(struct sim *sim, struct followed *device);

/*
 * News. A time before sim->now is late: for the order of events it counts as
 * now ("Late news"); the time that a batch ran is right nevertheless. Reports
 * may come in any order of requests, but those of one request in the order of
 * time. Reports about requests that have ended are ignored, so that references
 * may be kept.
 *
 * A row of a parallel slot is reported as any request; all rows begin with the
 * last that does so, and end with the last that ends.
 */
/* The batch began on e at that time, for the first time, or anew after a
 * reset. */
void follow_started(
    struct sim *sim, struct request_ref ref, struct hw_engine *e, nsec time);
/* The batch, which has started, was seen running at that time ("Preemption"). e:
 * there; NULL: where it was before. */
void follow_ran(
    struct sim *sim, struct request_ref ref, struct hw_engine *e, nsec time);
/* The batch, which is about to end, says itself how long it ran ("Preemption").
 * Before its end is reported. */
void follow_worked(struct sim *sim, struct request_ref ref, nsec ran);
/* The request ended at that time, with an error (-errno), or 0. Without a start
 * it began just then, or with an error never. */
void follow_ended(
    struct sim *sim, struct request_ref ref, nsec time, int error);
/* The same, as a hang for which it is guilty: by a reset of its engine. */
void follow_hung(struct sim *sim, struct request_ref ref, nsec time,
    enum hang_cause cause, int error);
/* The device refuses submissions of the context from now on. */
void follow_banned(struct sim *sim, struct context *context);

/* Holds all submissions from now on, or lets them go ("Pauses"). To be called
 * between two instants. */
void follow_hold(struct sim *sim, bool hold);

/* Returns true if rq is held in user space: its client has submitted it, and the
 * device has not got it. False for requests of the model. */
bool follow_holds(const struct request *rq);

/*
 * Words of a device: its answers to submissions, its news, and holds. With the
 * same clients, and told at the same instants, they make the same record
 * ("Recordings"; follow_past.h).
 */
enum follow_word_kind {
	FOLLOW_TOOK,    /* an answer: the submission, made at time */
	FOLLOW_REFUSED, /* an answer: error */
	FOLLOW_STARTED, /* news, of engine and time */
	FOLLOW_RAN,     /* news, of engine (-1: the same) and time */
	FOLLOW_WORKED,  /* news, of a time: how long its batch ran */
	FOLLOW_ENDED,   /* news, of time and error */
	FOLLOW_HUNG,    /* news, of time, error and cause */
	FOLLOW_BANNED,  /* news, of a client's context */
	FOLLOW_HELD,    /* from now on submissions are held */
	FOLLOW_LET_GO,  /* and now not any more */
	N_FOLLOW_WORDS,
};

struct follow_word {
	enum follow_word_kind kind;
	uint64_t request; /* its seq, or that of a row */
	nsec time;
	int engine; /* index */
	int error;  /* -errno */
	enum hang_cause cause;
	uint32_t client, context; /* id and index */
};

/* To be embedded in the struct of the listener, which outlives the
 * simulation. */
struct follow_listener {
	void (*heard)(
	    struct follow_listener *listener, const struct follow_word *word);
};

/* Lets listener hear all words from now on, as they come; answers come within an
 * instant. */
void follow_listen(struct sim *sim, struct follow_listener *listener);

/* Counts of a run. */
struct follow_counts {
	uint64_t n_submitted; /* requests that the device has got */
	uint64_t n_in_flight; /* of those, without an end */
	uint64_t n_held;      /* requests that were not submitted yet */
	uint64_t n_late;      /* news that came late */
	nsec latest_ns;       /* the greatest lateness */
};

/* Returns the counts, valid as long as sim. */
const struct follow_counts *follow_counts(const struct sim *sim);

#endif
