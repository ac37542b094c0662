/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same submissions, from a program or from outside, give the same run
 * (doc/model/outside.md "Owners"): what the walkers of random descriptors submit
 * and end is recorded, and an owner does the same at the same times. Without
 * parallel slots, and without what takes effect between submissions: software
 * fences and slice masks.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "base/util.h"
#include "tests/runner/test.h"
#include "tests/support/outsider.h"

#define MAX_STEPS   14
#define MAX_RECORDS 4000
#define MAX_WAITS   8
#define MAX_USES    12
#define MAX_OBJECTS 400
#define UNTIL       (20 * NSEC_PER_MSEC)
#define N_CASES     200

/* An act of a walker. */
struct record {
	nsec time;
	enum { RECORD_SUBMIT, RECORD_END, RECORD_LEAVE } what;
	uint64_t ended; /* seq of the request that it ended */
	uint32_t client, context, slot;
	int priority;
	nsec preempt_ns, duration_ns;
	struct submission_wait waits[MAX_WAITS]; /* of requests by seq */
	uint32_t n_waits;
	struct object_use uses[MAX_USES]; /* by index in objects */
	uint32_t n_uses;
};

struct twin {
	struct lab walked, replayed;
	struct owner owner;
	struct backend_ops recording;
	struct record *records;
	size_t n_records, next;
	const struct object *objects[MAX_OBJECTS];
	uint32_t n_objects;
	struct context *contexts[8][8]; /* by client and context */
	struct request_ref *requests;   /* by seq */
};

/* A backend has no place for the test. */
static struct twin *twin;

/* Recording. */

static uint32_t
object_index(const struct object *object)
{
	uint32_t i = 0;

	while (i < twin->n_objects && twin->objects[i] != object)
		i++;
	assert_true(i < MAX_OBJECTS);
	twin->objects[i] = object;
	if (i == twin->n_objects)
		twin->n_objects++;
	return i;
}

static uint32_t
slot_of(const struct ring *ring)
{
	const struct client *c = ring->context->client;
	uint32_t first = ring->context->def->first_ring, i = first;

	while (c->rings[i] != ring)
		i++;
	return i - first;
}

static struct record *
add_record(struct sim *sim)
{
	assert_true(twin->n_records < MAX_RECORDS);
	twin->records[twin->n_records] = (struct record){.time = sim->now};
	return &twin->records[twin->n_records++];
}

static struct request_ref
record_submit(struct sim *sim, const struct submission *s)
{
	const struct context *context = s->ring->context;
	struct record *r = add_record(sim);

	r->client = context->client->id;
	r->context = context->index;
	r->slot = slot_of(s->ring);
	r->priority = context->priority;
	r->preempt_ns = s->preempt_ns;
	r->duration_ns = s->durations_ns[0];
	assert_true(s->n_waits <= MAX_WAITS && s->n_uses <= MAX_USES);
	r->n_waits = s->n_waits;
	for (uint32_t i = 0; i < s->n_waits; i++) {
		r->waits[i] = s->waits[i];
		assert_int_not_equal(r->waits[i].kind, AFTER_SIGNAL);
	}
	r->n_uses = s->n_uses;
	for (uint32_t i = 0; i < s->n_uses; i++) {
		const struct object_use *use = &s->uses[i];

		r->uses[i].object = object_index(
		    &s->objects[use->shared][use->object]);
		r->uses[i].write = use->write;
	}
	return model_backend.submit(sim, s);
}

static void
record_end(struct sim *sim, struct request *rq, nsec more)
{
	struct record *r = add_record(sim);

	r->what = RECORD_END;
	r->ended = rq->seq;
	model_backend.end(sim, rq, more);
}

static void
record_blocked(struct observer *o, struct client *c)
{
	struct record *r;

	(void)o;
	if (c->state != CLIENT_ENDED)
		return;
	r = add_record(c->sim);
	r->what = RECORD_LEAVE;
	r->client = c->id;
}

/* Replaying. */

static void
replay_submission(struct sim *sim, const struct record *r, uint64_t seq)
{
	struct context *context = twin->contexts[r->client][r->context];
	struct submission_wait waits[MAX_WAITS];

	for (uint32_t i = 0; i < r->n_waits; i++) {
		waits[i] = r->waits[i];
		waits[i].request = twin->requests[waits[i].request.seq];
	}
	backend_context_set_priority(context, r->priority);
	assert_int_equal(backend_submit(sim,
			     &(struct outside_submission){
				 .timeline = backend_timeline(context, r->slot),
				 .preempt_ns = r->preempt_ns,
				 .durations_ns = &r->duration_ns,
				 .waits = waits,
				 .n_waits = r->n_waits,
				 .uses = r->uses,
				 .n_uses = r->n_uses},
			     &twin->requests[seq]),
	    SUBMITTED);
}

static void
replay_now(struct owner *owner, struct client *c)
{
	struct sim *sim = c->sim;

	(void)owner;
	for (; twin->next < twin->n_records; twin->next++) {
		const struct record *r = &twin->records[twin->next];

		if (r->time > sim->now) {
			backend_wake_at(c, r->time);
			return;
		}
		assert_int_equal(r->time, sim->now);
		switch (r->what) {
		case RECORD_SUBMIT:
			replay_submission(sim, r, sim->n_submitted + 1);
			break;
		case RECORD_END:
			backend_end(sim, twin->requests[r->ended], 0);
			break;
		case RECORD_LEAVE:
			backend_client_leave(sim->clients[r->client]);
			break;
		}
	}
}

/* Adds a context like one of a walker. */
static struct context *
like_context(struct client *to, const struct context *from)
{
	struct slot_setup slots[8] = {{0}};
	struct context_setup setup = {
	    .number = from->def->number,
	    .slots = slots,
	    .n_slots = from->def->n_rings,
	    .bannable = true,
	    .recoverable = true,
	};
	struct context *context;
	struct text err = {0};

	for (uint32_t i = 0; i < setup.n_slots; i++) {
		const struct ring_def *def =
		    from->client->rings[from->def->first_ring + i]->def;

		slots[i] = (struct slot_setup){
		    .engines = def->engines,
		    .bonds = def->bonds,
		    .n_bonds = def->n_bonds,
		};
	}
	context = backend_context_new(to, &setup, &err);
	assert_string_equal(text_str(&err), "");
	return context;
}

static void
replay_all(struct twin *t)
{
	static const struct owner_ops ops = {.go = replay_now};
	struct client *driver;
	struct sim *sim;

	t->owner.ops = &ops;
	lab_open(&t->replayed);
	sim = t->replayed.sim;
	for (size_t i = 0; i < t->walked.sim->n_clients; i++) {
		const struct client *from = t->walked.sim->clients[i];
		struct client *c = backend_client_new(
		    sim, from->name, 0, &t->owner);

		for (uint32_t k = 0; k < from->n_contexts; k++)
			t->contexts[i][k] = like_context(c, from->contexts[k]);
	}
	for (uint32_t i = 0; i < t->n_objects; i++)
		assert_int_equal(backend_object_new(sim), i);
	driver = backend_client_new(sim, "driver", 0, &t->owner);
	backend_wake(driver);
	sim_run(sim, UNTIL, 0);
	assert_int_equal(t->next, t->n_records);
}

/* Random descriptors. */

static uint64_t dice_state;

static unsigned
dice(unsigned n)
{
	dice_state = dice_state * 6364136223846793005u + 1442695040888963407u;
	return (unsigned)(dice_state >> 33) % n;
}

/* Appends a reference to a batch at least one step back: "-2"; false: there is
 * none. */
static bool
add_reference(
    const bool *batches, unsigned n, const char *kind, struct text *out)
{
	unsigned back = 1 + dice(n > 0 ? n : 1);

	if (n == 0 || back > n || !batches[n - back])
		return false;
	text_addf(out, "%s-%u", kind, back);
	return true;
}

static void
add_dependencies(const bool *batches, unsigned n, struct text *out)
{
	static const char *const kinds[] = {"", "", "f", "s"};
	struct text one = {0};
	bool any = false;

	for (unsigned i = dice(3); i > 0; i--) {
		text_clear(&one);
		if (!add_reference(batches, n, kinds[dice(4)], &one))
			continue;
		text_addf(out, "%s%s", any ? "/" : "", text_str(&one));
		any = true;
	}
	text_free(&one);
	if (dice(5) == 0) {
		text_addf(
		    out, "%s%c1-%u", any ? "/" : "", "rw"[dice(2)], dice(2));
		any = true;
	}
	if (!any)
		text_addc(out, '0');
}

static void
add_batch(const bool *batches, unsigned n, struct text *out)
{
	static const char *const engines[] = {
	    "RCS", "BCS", "VCS1", "VCS2", "VECS1"};
	unsigned context = 1 + dice(4), us = 1 + dice(400);

	text_addf(out, "%u.%s.%u", context,
	    context == 4 ? "DEFAULT" : engines[dice(5)], us);
	if (dice(3) == 0)
		text_addf(out, "-%u", us + 1 + dice(300));
	text_addc(out, '.');
	add_dependencies(batches, n, out);
	text_addf(out, ".%u\n", dice(5) == 0);
}

static void
add_random_step(bool *batches, unsigned n, struct text *out)
{
	batches[n] = false;
	switch (dice(12)) {
	case 0: text_addf(out, "d.%u\n", 1 + dice(300)); break;
	case 1: text_addf(out, "p.%u\n", 100 + dice(2000)); break;
	case 2:
		text_addf(out, "P.%u.%d\n", 1 + dice(4), (int)dice(41) - 20);
		break;
	case 3: text_addf(out, "X.%u.%u\n", 1 + dice(4), 10 * dice(20)); break;
	case 4:
		if (add_reference(batches, n, "s.", out)) {
			text_addc(out, '\n');
			break;
		}
		/* fallthrough */
	default:
		add_batch(batches, n, out);
		batches[n] = true;
		break;
	}
}

/* Each context has a batch, so that all steps name one; the last batch never
 * ends, until it is terminated. */
static void
make_text(bool bonds, struct text *out)
{
	bool batches[MAX_STEPS + 8] = {false};
	unsigned n = 2;

	text_adds(out, "M.4.VCS1|VCS2\nB.4\n");
	if (bonds) {
		text_adds(out, "b.4.VCS2.RCS\n");
		n++;
	}
	text_adds(out, "W.1.4/4\n");
	n++;
	for (unsigned i = 1; i < 5; i++) {
		text_addf(out, "%u.%s.%u.0.0\n", i, i == 4 ? "DEFAULT" : "RCS",
		    1 + dice(50));
		batches[n++] = true;
	}
	for (unsigned left = 2 + dice(MAX_STEPS - 6); left > 0; left--)
		add_random_step(batches, n++, out);
	text_addf(
	    out, "%u.VECS1.*.0.0\nd.%u\nT.-2\n", 1 + dice(3), 1 + dice(500));
}

/* Comparing. */

static void
compare_runs(const struct twin *t, const char *text)
{
	assert_int_equal(t->walked.n_rows, t->replayed.n_rows);
	for (size_t i = 0; i < t->walked.n_rows; i++) {
		const struct lab_row *a = &t->walked.rows[i];
		const struct lab_row *b = &t->replayed.rows[i];

		if (a->submit == b->submit && a->start == b->start &&
		    a->end == b->end && a->ready == b->ready &&
		    a->preemptions == b->preemptions &&
		    strcmp(a->engine, b->engine) == 0)
			continue;
		fail_msg("request %zu under %s: %s %g %g %g, from outside %s "
			 "%g %g %g:\n%s",
		    i, t->walked.config.sched->name, a->engine,
		    (double)a->submit / 1e3, (double)a->start / 1e3,
		    (double)a->end / 1e3, b->engine, (double)b->submit / 1e3,
		    (double)b->start / 1e3, (double)b->end / 1e3, text);
	}
}

static void
run_case(const char *sched, const char *profile, uint64_t seed)
{
	struct twin t = {0};
	struct text text = {0}, err = {0};

	dice_state = seed;
	lab_init(&t.walked, sched);
	assert_true(profile_load(&t.walked.config.profile, profile, &err));
	lab_init(&t.replayed, sched);
	t.replayed.config = t.walked.config;
	t.records = mem_calloc(MAX_RECORDS, sizeof *t.records);
	t.requests = mem_calloc(MAX_RECORDS + 1, sizeof *t.requests);
	twin = &t;
	t.walked.observer.blocked = record_blocked;
	make_text(t.walked.config.sched->takes_bonds, &text);
	lab_add(&t.walked, text_str(&text), 1 + dice(3),
	    (struct client_options){.repeat = 3});
	t.recording = model_backend;
	t.recording.submit = record_submit;
	t.recording.end = record_end;
	t.walked.sim->backend = &t.recording;
	sim_run(t.walked.sim, UNTIL, 0);
	replay_all(&t);
	compare_runs(&t, text_str(&text));
	assert_true(t.walked.n_rows > 10);
	lab_free(&t.walked);
	lab_free(&t.replayed);
	free(t.records);
	free(t.requests);
	text_free(&text);
}

TEST(same_run_from_outside)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "guc"};

	for (unsigned i = 0; i < 4; i++)
		for (uint64_t seed = 1; seed <= N_CASES; seed++)
			run_case(schedulers[i],
			    seed % 3 == 0 ? "default" : "ideal", seed);
}
