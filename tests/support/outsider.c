/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See outsider.h. */
#include "tests/support/outsider.h"

#include <stddef.h>
#include <string.h>

#include "base/util.h"
#include "engine/client/outside.h"
#include "tests/runner/test.h"

static struct outsider *
outsider_of(struct owner *owner)
{
	return container_of(owner, struct outsider, owner);
}

/* Begins an event: "100: end " or ", end ". */
static void
begin_event(struct outsider *o, const char *word)
{
	nsec now = o->lab->sim->now;

	if (o->events.len > 0)
		text_adds(&o->events, now == o->last_ns ? ", " : "; ");
	if (o->events.len == 0 || now != o->last_ns)
		text_addf(&o->events, "%g: ", (double)now / 1e3);
	o->last_ns = now;
	text_adds(&o->events, word);
}

static void
add_event(struct outsider *o, const char *word, const struct request *rq)
{
	begin_event(o, word);
	text_addc(&o->events, ' ');
	text_addc(&o->events, (char)(uintptr_t)request_tag(rq));
	if (rq->row > 0)
		text_addf(&o->events, "%u", rq->row);
}

static void
on_outsider_ready(struct owner *owner, struct request *rq)
{
	add_event(outsider_of(owner), "ready", rq);
}

static void
on_outsider_started(struct owner *owner, struct request *rq)
{
	struct outsider *o = outsider_of(owner);

	add_event(o, "start", rq);
	text_addf(&o->events, " %s", rq->engine->name);
	o->started_on[(uintptr_t)request_tag(rq)] =
	    (uint8_t)(rq->engine->index + 1);
}

static nsec
on_outsider_duration(struct owner *owner, struct request *rq)
{
	struct outsider *o = outsider_of(owner);
	nsec answer = o->answers[0];

	add_event(o, "asks", rq);
	memmove(o->answers, o->answers + 1,
	    sizeof o->answers - sizeof o->answers[0]);
	o->answers[sizeof o->answers / sizeof o->answers[0] - 1] = 0;
	backend_set_points(rq, o->points_ns);
	backend_set_polling(
	    rq, o->endless_polls && answer == NSEC_NEVER ? &o->poll : NULL);
	return answer;
}

static void
on_outsider_replayed(struct owner *owner, struct request *rq)
{
	add_event(outsider_of(owner), "replayed", rq);
}

static void
on_outsider_ended(struct owner *owner, struct request *rq, enum ending how)
{
	static const char *const words[] = {"end", "guilty", "cancelled"};

	add_event(outsider_of(owner), words[how], rq);
}

static void
on_outsider_room(struct owner *owner, struct ring *timeline)
{
	begin_event(outsider_of(owner), "room");
	(void)timeline;
}

static void
on_outsider_go(struct owner *owner, struct client *c)
{
	struct outsider *o = outsider_of(owner);

	begin_event(o, "go");
	text_addf(&o->events, " %u", c->id);
	o->n_turns++;
}

static const struct owner_ops outsider_ops = {
    .ready = on_outsider_ready,
    .started = on_outsider_started,
    .duration = on_outsider_duration,
    .replayed = on_outsider_replayed,
    .ended = on_outsider_ended,
    .room = on_outsider_room,
    .go = on_outsider_go,
};

void
outsider_init(struct outsider *o, struct lab *lab)
{
	*o = (struct outsider){.owner = {&outsider_ops}, .lab = lab};
	lab_open(lab);
}

void
outsider_free(struct outsider *o)
{
	text_free(&o->events);
}

struct client *
outsider_join(struct outsider *o)
{
	return backend_client_new(o->lab->sim, "program", 4711, &o->owner);
}

engine_mask
outsider_engines(const struct lab *lab, const char *engines)
{
	const struct device *dev = &lab->sim->device;
	engine_mask mask = 0;

	while (*engines != '\0') {
		size_t len = strcspn(engines, "|");

		for (unsigned i = 0; i < dev->n_engines; i++) {
			const char *name = dev->engines[i].name;

			if (strlen(name) == len &&
			    memcmp(name, engines, len) == 0)
				mask |= (engine_mask)1 << i;
		}
		engines += len + (engines[len] == '|');
	}
	return mask;
}

struct context *
outsider_context(struct client *c, const engine_mask *slots, uint32_t n)
{
	struct slot_setup list[8] = {{0}};
	struct context_setup setup = {
	    .number = c->n_contexts + 1,
	    .persistent = true,
	    .bannable = true,
	    .recoverable = true,
	    .slots = list,
	    .n_slots = n,
	};
	struct text err = {0};
	struct context *context;

	for (uint32_t i = 0; i < n; i++)
		list[i].engines = slots[i];
	context = backend_context_new(c, &setup, &err);
	assert_string_equal(text_str(&err), "");
	assert_non_null(context);
	text_free(&err);
	return context;
}

struct context *
outsider_context_on(struct client *c, const char *engines)
{
	struct outsider *o = outsider_of(outside_of(c)->owner);
	engine_mask mask = outsider_engines(o->lab, engines);

	return outsider_context(c, &mask, 1);
}

struct request_ref
outsider_submit(struct outsider *o, struct context *context, char tag,
    uint64_t us, const struct submission_wait *waits, uint32_t n)
{
	nsec duration = us == UINT64_MAX ? NSEC_NEVER : us * NSEC_PER_USEC;
	nsec durations[8] = {duration, duration, duration, duration};
	struct outside_submission s = {
	    .timeline = backend_timeline(context, 0),
	    .durations_ns = durations,
	    .preempt_ns = 100 * NSEC_PER_USEC,
	    .waits = waits,
	    .n_waits = n,
	    .tag = (void *)(uintptr_t)tag,
	};
	struct request_ref rq;

	assert_int_equal(backend_submit(o->lab->sim, &s, &rq), SUBMITTED);
	return rq;
}

struct request_ref
outsider_batch(
    struct outsider *o, struct context *context, char tag, uint64_t us)
{
	return outsider_submit(o, context, tag, us, NULL, 0);
}

void
outsider_expect(struct outsider *o, uint64_t us, const char *events)
{
	sim_run(o->lab->sim, us * NSEC_PER_USEC, 0);
	assert_string_equal(text_str(&o->events), events);
	text_clear(&o->events);
}

const char *const outside_schedulers[OUTSIDE_SCHEDULERS] = {
    "fifo", "execlists", "drm", "guc"};

void
outside_set_up(struct outside_bench *b, const char *sched)
{
	lab_init(&b->lab, sched);
	outsider_init(&b->o, &b->lab);
	b->client = outsider_join(&b->o);
}

void
outside_tear_down(struct outside_bench *b)
{
	lab_free(&b->lab);
	outsider_free(&b->o);
}
