/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Shared by the files of trace/infer: the requests of a client in order of
 * submission, what is found in them, and the steps that are written.
 *
 * A distance counts requests of the client, in order of submission, backwards
 * from another one. A position counts the batches of an iteration from 0.
 */
#ifndef TRACE_INFER_PRIVATE_H
#define TRACE_INFER_PRIVATE_H

#include "parser/step.h"
#include "trace/infer/infer.h"

#define INFER_NONE UINT32_MAX

/* doc/model/infer.md "Thresholds" has the sources. */
struct infer_thresholds {
	double repeats;   /* share of requests that recur a period later */
	double holds;     /* share of samples in which a rule must hold */
	double majority;  /* share of iterations that have a dependency */
	double explained; /* share of waits for which causes are found */
	double noticed;   /* least share of samples worth a cause */
	nsec near_ns;     /* a cause is followed this soon */
	nsec near_exact_ns;
	nsec sleep_exact_ns; /* sleeps of a program in virtual time vary by */
	nsec cpu_ns;         /* gaps below are the cost of submitting */
	nsec cpu_exact_ns;
	double spread; /* of a duration that is one value */
	double spread_exact;
	double jitter; /* of a delay or period */
	double jitter_exact;
	double skew;          /* of a range's middle from the mean */
	double rounding;      /* of one value to whole us */
	double late;          /* of a run, by which clients begin apart */
	uint32_t max_batches; /* of an iteration */
	uint32_t max_samples; /* iterations that causes are looked for in */
	uint32_t max_reach;   /* distance of a cause */
};
extern const struct infer_thresholds infer_thresholds;

/* A request that can be used. */
struct seen {
	uint32_t record;
	uint32_t timeline; /* index in the client's */
	nsec queued, ready, start, end, run;
	nsec released;   /* infinite: when the client ended it; else its end */
	uint32_t engine; /* bit of a set of engines */
	bool unfinished; /* run is 0, all times are that of its submission */
	bool infinite;   /* the client ended it */
};

struct infer_timeline {
	uint32_t context, slot;
	uint64_t ran_on, allowed; /* sets of engines */
	bool is_virtual;
	uint32_t number;                /* of its context in the descriptor */
	const struct infer_slot *setup; /* NULL: unknown */
	bool is_parallel;
};

struct infer_ending {
	nsec ns;
	uint32_t index; /* in seen */
};

/* An act of the client that the records have. */
struct infer_told {
	uint32_t index;  /* in seen: the request that follows; n: none */
	uint32_t target; /* in seen: WAIT; SIGNALLED: in told, that made it */
	uint32_t act;    /* in the input */
	uint8_t kind;    /* enum infer_act_kind */
	nsec from, to;
	bool is_over; /* MADE: a signal was for it */
};

/* The requests of one client. */
struct infer_sequence {
	uint32_t client;
	struct seen *seen; /* in order of submission */
	uint32_t n;
	struct infer_ending *endings; /* by time */
	struct infer_timeline *timelines;
	uint32_t n_timelines;
	uint32_t *before; /* of seen: the one before it on its timeline */
	struct infer_told *told; /* in their order */
	uint32_t n_told;
	/* Waits that took time, of which told is made (waits.c); NULL: told is all
	 * that the records have. */
	struct infer_told *raw;
	uint32_t n_raw;
	nsec near_ns, cpu_ns;
	double spread, jitter;
	nsec submit_ns, wakeup_ns, slack_ns; /* that the model adds */
};

/* All that is prepared of the input. */
struct infer_book {
	const struct infer_input *input;
	const struct infer_options *options;
	struct infer_result *result;
	struct seen *seen;
	uint32_t n_seen;
	uint32_t *place;    /* of a record: index in seen, or INFER_NONE */
	uint32_t *sequence; /* of a record: its sequence's, valid with place */
	struct infer_sequence *sequences;
	uint32_t n_sequences;
	/* The clients began one after another: each is one iteration, which begins
	 * as late as it did. */
	bool is_apart;
};

/* A dependency that batches of a position have. */
struct found_dep {
	uint32_t distance; /* SIGNAL: fences made since, that one included */
	uint8_t kind;
	bool guessed, timed; /* by the caller; here, from times */
	bool apart; /* DATA: waits for the batch are not for its readers here */
	bool
	    crosses; /* by an object: apart, or on one of the iteration before */
	uint32_t n_hits, n_of;
};

enum pace_kind {
	PACE_DELAY,  /* ns after the request before */
	PACE_WAIT,   /* for a request, and ns after that (0: at once) */
	PACE_PERIOD, /* ns after the iteration's start */
	PACE_PHASE,  /* ns by which the client began later than another one */
};

/* Why the client submits a position's batch no sooner. */
struct found_pace {
	uint8_t kind;
	bool loose;   /* a delay that does not explain all */
	uint8_t slot; /* told acts of the position that are before it */
	uint32_t distance;
	nsec ns;
	uint32_t n_hits, n_of; /* samples that it explains, and blocked ones */
};

/* An act of the client before a position's batch. */
struct found_act {
	uint8_t kind; /* enum infer_act_kind */
	bool blocks;  /* WAIT: the client sleeps in it, mostly */
	/* WAIT: requests back; SIGNALLED: fences made since the one that is
	 * meant, that included. */
	uint32_t distance;
};

/* A use of an object that clients share, by batches of a position. */
struct found_use {
	uint32_t object;
	bool write;
	uint32_t n_hits;
};

#define MAX_FOUND_USES  8
#define MAX_FOUND_DEPS  16
#define MAX_FOUND_PACES 6  /* of a slot */
#define MAX_ALL_PACES   24 /* of a position */
#define MAX_FOUND_ACTS  32
#define MAX_SPLITS      8 /* of the sleeps before a position */
#define MAX_FENCE_REACH 1024

/* Where a batch ends in a slot: before, within or after the client's sleep. */
enum end_place { END_EARLY, END_WITHIN, END_LATE };

/* A part of a sleep. */
struct found_split {
	struct found_pace pace;
	nsec at; /* its end: time from the begin of the slot */
};

/* Batches of one position, over all iterations. */
struct found_batch {
	uint32_t timeline;
	uint64_t min_us, max_us;        /* as written */
	uint64_t p5_us, p50_us, p95_us; /* as seen */
	uint64_t least_us, most_us;
	nsec mean_ns;
	bool never_ended; /* times are those until the records end */
	bool is_between;  /* one value, between min_us and max_us */
	int32_t priority; /* INFER_NO_PRIORITY: unknown */
	uint32_t n_other_priorities;
	struct found_dep deps[MAX_FOUND_DEPS];
	uint32_t n_deps;
	uint32_t n_foreign; /* on requests of other clients */
	struct found_use uses[MAX_FOUND_USES]; /* in order */
	uint32_t n_uses;
	struct found_pace paces[MAX_ALL_PACES]; /* before it */
	uint32_t n_paces;
	struct found_act acts[MAX_FOUND_ACTS]; /* before it */
	uint32_t n_acts, n_act_hits, n_act_samples, act_hash;
	uint32_t n_before; /* position 0: acts of the iteration before */
	/* Times of further rows of a parallel slot, as min_us and max_us. */
	uint64_t row_min_us[INFER_MAX_ROWS - 1], row_max_us[INFER_MAX_ROWS - 1];
	uint32_t sseu;
	uint32_t object; /* of the set that it writes, from 1; 0: none */
	bool infinite, no_points;
	nsec
	    carried_ns; /* measured pauses before it that are in a later delay */
	/* Where an infinite one is ended: before that position (length: at the
	 * end), in that slot. */
	uint32_t end_position, end_slot;
	uint8_t end_at;    /* enum end_place */
	uint8_t end_split; /* END_WITHIN: behind that part of the sleep */
	/* Where batches end within the sleep of a slot: the delays before, in their
	 * order; the sleep has the rest. */
	struct found_split splits[MAX_SPLITS];
	uint32_t n_splits;
	const char *label;
};

/* The iteration of a client, and where it was seen. */
struct found {
	const struct infer_book *book;
	const struct infer_sequence *s;
	uint32_t length;  /* batches */
	uint32_t *begins; /* of iterations: index of the first request */
	uint32_t n_begins;
	uint32_t *sampled; /* some of begins' indices */
	uint32_t n_sampled;
	bool repeats;
	bool has_waits;     /* acts of an iteration are waits */
	bool all_throttled; /* steps.c: one t says the waits */
	bool is_cut; /* the sequence has more than max_batches, none repeats */
	struct found_batch *batches; /* by position */
	/* Readers of the data of the batch at p: readers[first_reader[p]] up to
	 * the next, each the distance from it back to that batch. */
	uint32_t *first_reader, *readers;
	uint32_t n_dropped_deps;
	uint32_t n_objects;         /* of the working set */
	uint32_t *shared, n_shared; /* objects of the shared one, in order */
	uint32_t n_pauses, n_unexplained; /* of the sampled iterations */
	/* A delay before the first batch, so that iterations begin when they did
	 * beside those of other clients; ns 0: none. */
	struct found_pace lead;
	bool
	    lead_is_last; /* it is that of the first batch's pauses, else more */
	uint32_t
	    n_shares; /* iterations seen that are one; 0: each is one (vary.c) */
	nsec carry_ns;     /* time that is too short for a delay so far */
	bool rounds_carry; /* half of the shortest delay becomes one */
};

/* prepare.c. False: no record can be used. */
bool infer_prepare(struct infer_book *book);
void infer_book_free(struct infer_book *book);
/* Sets the runs of requests without run_ns (runs.c). */
void infer_runs(struct infer_book *book);
/* Adds the acts of the input to the sequences (acts.c). */
void infer_take_acts(struct infer_book *book);

/* iteration.c: finds length and begins. by_pauses: where pauses differ, it may
 * be several times as long. */
void infer_find_iteration(struct found *f, bool by_pauses);
/* Makes the iteration multiple times as long. False: it would be too long. */
bool infer_stretch(struct found *f, uint32_t multiple);
/* Returns the mean time from an iteration's start to the next, in ns. */
double infer_mean_iteration(const struct found *f);
/* Begins the iterations that many requests later (iteration.c). */
void infer_rotate(struct found *f, uint32_t by);
/* Makes all requests one iteration where the only whole one leaves too many over, or the
 * acts of a few differ. */
bool infer_take_all(struct found *f);
void infer_found_free(struct found *f);

/* relation.c: finds deps. */
void infer_find_deps(struct found *f);
/* Returns how many positions later an iteration should begin, so that fewest
 * dependencies cross its start: preferred, if it is one of those places, else the
 * first. */
uint32_t infer_best_start(const struct found *f, uint32_t preferred);
/* True if fences of an iteration are waited for in the next. */
bool infer_fences_cross(const struct found *f);
/* True if the objects of batches imply the dependency. */
bool infer_is_implied(
    const struct found *f, uint32_t position, uint32_t distance);
/* sets.c: those across the start of an iteration become uses of objects, or are
 * dropped, as they are implied or cannot be written. Lists the readers of
 * batches, too. */
void infer_settle_crossing_deps(struct found *f);
/* Lists the readers of each batch. */
void infer_list_readers(struct found *f);

/* uses.c */
/* Finds the uses of objects that clients share. */
void infer_find_uses(struct found *f);
/* True if the batches use the same ones. */
bool infer_are_same_uses(
    const struct found_batch *a, const struct found_batch *b);
/* Counts uses of objects that clients of other descriptors have too as those of
 * other clients: founds[i] is of the descriptor owners[i]. */
void infer_count_foreign_uses(
    struct found *founds, const size_t *owners, size_t n);
/* Returns the place of an object in the shared set of the client; INFER_NONE: it
 * never writes it. */
uint32_t infer_place_in_set(const struct found *f, uint32_t object);

/* told.c */
/* Finds the acts before each batch. */
void infer_find_acts(struct found *f);
/* Returns the first of the acts before that request or later. */
uint32_t infer_first_told(const struct infer_sequence *s, uint32_t index);
/* True, in virtual time, if a wait comes as soon as a client can have heard that what
 * it is for has ended: it waited for that elsewhere, in memory for instance. False for
 * a batch that the client ended itself. */
bool infer_heard_of_end(
    const struct infer_sequence *s, const struct infer_told *t);
/* True if the client slept in a wait; false for other acts. */
bool infer_slept_in(const struct infer_sequence *s, const struct infer_told *t);
/* Returns a hash of the acts before a request, relative to it. */
uint32_t infer_hash_acts(const struct infer_sequence *s, uint32_t index);
bool infer_is_after_gap(const struct found *f, uint32_t which);
uint32_t infer_fence_distance(
    const struct found *f, uint32_t index, uint32_t act);

/* waits.c: adds the waits to the acts of f's client that took no time, if those are not
 * recorded. */
void infer_fill_waits(struct found *f);
/* The place in raw of the first of those before that request or later. */
uint32_t infer_first_raw(const struct infer_sequence *s, uint32_t index);

/* pace.c: finds paces. Returns the multiple of length that they need, 1 for
 * none. */
uint32_t infer_find_paces(struct found *f);

/* vary.c */
/* Returns how many iterations should be one, as their measured pauses vary so that the
 * mean is not the median; 0: one is enough. */
uint32_t infer_shares_of_pauses(struct found *f);
/* Makes that many one, with pauses from short to long, if they may be. */
void infer_vary_pauses(struct found *f, uint32_t n_shares);

/* phase.c */
/* True if clients began so late that iterations, which all begin at once, would not
 * run beside each other as they did, and all can be one iteration each. */
bool infer_begin_apart(const struct infer_book *book);
/* Finds how the clients' iterations begin beside each other. */
void infer_find_phases(struct found *founds, uint32_t n);

/* values.c: durations, priorities, labels. */
void infer_find_values(struct found *f);

/* priorities.c: contexts have their own priorities, not those that batches got from
 * others. Contexts are numbered. */
void infer_settle_priorities(struct found *f);

/* timelines.c: numbers of contexts, and how engines are named. */
void infer_number_contexts(struct found *f);
/* Appends the engine that batches of a timeline name. */
void infer_print_engine(const struct infer_timeline *t, struct text *out);
/* Appends an engine by its bit, with its number or without one if that is 1. */
void infer_print_bit(unsigned bit, bool numbered, struct text *out);
/* Appends the engines of a set as a map. */
void infer_print_set(uint64_t set, struct text *out);
/* Appends the rows of a parallel timeline. */
void infer_print_rows(const struct infer_timeline *t, struct text *out);
/* Appends the engines of a virtual timeline's map. */
void infer_print_map(const struct infer_timeline *t, struct text *out);

/* A step of the descriptor. */
struct made_step {
	uint8_t kind;      /* enum step_kind */
	uint32_t position; /* of its batch; s, t: of the batch waited for */
	uint32_t number;   /* M, B, P: context; t, s, d, p: the value */
	int32_t priority;  /* P */
	uint32_t back;     /* a: fences back, its own included */
	bool wait;         /* of a batch */
	const struct found_pace *pace; /* that it comes from; NULL: none */
};

struct made {
	struct made_step *steps;
	uint32_t n;
	size_t cap;
	uint32_t *step_of;  /* by position: its batch's index in steps */
	uint32_t n_dropped; /* waits that cannot be written */
};

/* setup.c: steps of contexts. */
struct made_step *infer_add_step(struct made *made, enum step_kind kind);
/* Adds what is said once: maps, bonds, and what does not change. */
void infer_add_setup(const struct found *f, struct made *made);
/* Adds what changes before the batch of a position. */
void infer_add_changes(const struct found *f, struct made *made, uint32_t p);

/* end_steps.c: finds the places of the steps that end infinite batches. */
void infer_find_ends(struct found *f);
/* ends.c: true if a request, which is at that place in seen, ended in a wait that could not
 * end before it: one for itself or for a later one of its timeline. */
bool infer_ends_in_wait(
    const struct infer_sequence *s, const struct infer_told *told, uint32_t at);

/* steps.c: the steps that the findings make. */
void infer_make_steps(struct found *f, struct made *made);
/* Returns the f step that is n back (1: the last) before that step; INFER_NONE:
 * there is none in the iteration. */
uint32_t infer_find_fence(const struct made *made, uint32_t before, uint32_t n);
void infer_made_free(struct made *made);
/* throttle.c: adds the t steps for waits that reach into the iteration before;
 * targets[p] is the position that the batch at p waits for, or INFER_NONE. */
void infer_make_throttles(
    struct found *f, struct made *made, const uint32_t *targets);

/* print.c: appends the descriptor. */
void infer_print_file(const struct found *f, const struct made *made,
    const struct infer_client *client, struct text *out);
/* merge.c. Makes equal clients one; founds[i] is of clients[i]. */
/* Frees the members of a client, whose descriptor is that of another. */
void infer_client_free(struct infer_client *client);
void infer_merge(struct infer_result *result, struct found *founds);

/* A request whose time is to be explained by the end of an earlier one. */
struct sample {
	uint32_t index;
	nsec at;   /* that time */
	nsec from; /* the time without a cause */
	bool open; /* not explained yet */
};

/* cause.c: memory for votes, and how samples are looked at. */
struct voter {
	const struct found *f;
	uint32_t position; /* of all samples */
	/* True: the client waited for a request as user space does, which is
	 * for all submitted readers of its data too. */
	bool of_client;
	double *scores;    /* by distance */
	uint32_t *touched; /* distances with a score */
	uint32_t n_touched, reach;
};
void voter_init(struct voter *v, const struct found *f, bool of_client);
void voter_free(struct voter *v);

/* True if request target may be the cause of what happened to request index. */
typedef bool infer_may_fn(
    const struct infer_sequence *s, uint32_t index, uint32_t target);

/* Returns the distance at which most open samples have a request that ended just
 * then; 0: none. In nearly all samples the request at that distance must have
 * ended by then. */
uint32_t infer_find_cause(struct voter *v, const struct sample *samples,
    uint32_t n, infer_may_fn *may);
/* When a wait of request index for the one at that distance is over. */
nsec infer_wait_end(const struct voter *v, uint32_t index, uint32_t distance);
/* Closes the open samples that the ends at that distance explain. Returns how
 * many. */
uint32_t infer_close_samples(const struct voter *v, struct sample *samples,
    uint32_t n, uint32_t distance);
uint32_t infer_count_open(const struct sample *samples, uint32_t n);

/* samples.c: small statistics. */
/* Sorts n values. */
void infer_sort(nsec *values, size_t n);
/* The value below which that share of n sorted values is; n > 0. */
nsec infer_quantile(const nsec *sorted, size_t n, double share);
/* Finds the most values in a window of that width (ns, and share of the value)
 * among n sorted ones: sets *middle, returns their number. */
size_t infer_densest(
    const nsec *sorted, size_t n, nsec width, double share, nsec *middle);
/* The first of the endings at or after ns. */
uint32_t infer_ending_at(const struct infer_sequence *s, nsec ns);

#endif
