/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/chaos.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "engine/invariants/invariants.h"
#include "engine/snapshot.h"
#include "tests/support/lab.h"

#define N(array) (sizeof(array) / sizeof *(array))

static unsigned
next_byte(struct chaos *c)
{
	return c->at < c->size ? c->data[c->at++] : 0;
}

unsigned
chaos_below(struct chaos *c, unsigned n)
{
	uint64_t x;

	if (c->data != NULL) {
		x = next_byte(c);
		return (n > 256 ? x << 8 | next_byte(c) : x) % n;
	}
	x = c->random += 0x9e3779b97f4a7c15u;
	x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9u;
	x = (x ^ x >> 27) * 0x94d049bb133111ebu;
	return (unsigned)((x ^ x >> 31) % n);
}

/* 1 in n; never when the stream is over. */
static bool
one_in(struct chaos *c, unsigned n)
{
	return chaos_below(c, n) == n - 1;
}

/* Configurations. */

/* The limits of a knob are the profile's business: it takes what it takes. */
static void
set_knob(struct chaos *c, struct profile *p, const char *section,
    const char *key, size_t len)
{
	static const unsigned values[] = {0, 1, 2, 3, 5, 8, 10, 20, 50, 100,
	    300, 500, 700, 1000, 2000, 2500, 10000, 100000};
	struct text ini = {0}, err = {0};
	struct profile changed = *p;

	text_addf(&ini, "[%s]\n%.*s = %u\n", section, (int)len, key,
	    values[chaos_below(c, N(values))]);
	if (profile_parse(&changed, "chaos", text_str(&ini), &err))
		*p = changed;
	text_free(&ini);
	text_free(&err);
}

/* Each knob that the profile names, by its own list of them. */
static void
set_knobs(struct chaos *c, struct profile *p, bool few_devices)
{
	struct text list = {0};
	char section[32] = "";
	bool device;

	profile_print(p, &list);
	for (const char *line = text_str(&list); *line != '\0';
	     line = strchr(line, '\n') + 1) {
		if (sscanf(line, "[%31[^]]", section) == 1)
			continue;
		device = strcmp(section, "device") == 0;
		if (one_in(c, device && few_devices ? 40 : 4))
			set_knob(c, p, section, line, strcspn(line, " "));
	}
	text_free(&list);
}

/* Files give them in ms or us, and descriptors here are over in less. */
static void
shrink_times(struct chaos *c, struct profile *p)
{
	nsec *const times[] = {&p->timeslice_ns, &p->quantum_ns, &p->hang_ns,
	    &p->preempt_timeout_ns, &p->preempt_timeout_compute_ns,
	    &p->heartbeat_ns, &p->request_timeout_ns, &p->job_timeout_ns,
	    &p->ban_context_ns, &p->ban_client_ns, &p->guc_yield_window_ns};

	for (size_t i = 0; i < N(times); i++) {
		if (one_in(c, 2))
			*times[i] /= chaos_below(c, 2) ? 1000 : 100;
	}
}

/* Switches that a number hardly ever hits. */
static void
turn_on_nearness(struct chaos *c, struct profile *p)
{
	static const unsigned ticks[] = {100, 250, 300, 1000};
	unsigned *const switches[] = {&p->committed_port, &p->sticky_yield,
	    &p->saturation, &p->virtual_tie};

	for (size_t i = 0; i < N(switches); i++)
		*switches[i] = !one_in(c, 3);
	if (one_in(c, 2))
		p->hz = ticks[chaos_below(c, N(ticks))];
	for (unsigned i = 0; i < N_CLASSES; i++)
		if (one_in(c, 2))
			p->arbitration_ns[i] = (1 + chaos_below(c, 20)) * 100;
	if (one_in(c, 2))
		p->same_ring_ns = chaos_below(c, 2000);
	if (one_in(c, 2))
		p->next_port_ns = chaos_below(c, 3000);
}

void
chaos_configure(struct chaos *c, struct sim_config *config, bool few_devices)
{
	unsigned n_scheds = 0;

	while (sched_list(n_scheds) != NULL)
		n_scheds++;
	*config = (struct sim_config){
	    .sched = sched_list(chaos_below(c, n_scheds)),
	    .seed = chaos_below(c, 256),
	    .same_random = one_in(c, 4),
	    .sync_deps = one_in(c, 6),
	};
	profile_init(&config->profile);
	/* A client that never waits has filled its rings soon. */
	config->profile.ring_requests = 2048;
	if (one_in(c, 4))
		return; /* ideal */
	set_knobs(c, &config->profile, few_devices);
	if (one_in(c, 2))
		turn_on_nearness(c, &config->profile);
	if (one_in(c, 2))
		shrink_times(c, &config->profile);
	if (one_in(c, 3))
		config->profile.ring_requests = 2 + chaos_below(c, 6);
	if (one_in(c, 3))
		config->profile.cpus = 1 + chaos_below(c, 4);
}

/* Runs. */

struct run {
	struct observer observer; /* first */
	struct chaos *c;
	struct sim *sim;
	const struct program *const *programs;
	unsigned n_programs;
	struct chaos_result *result;
};

static void
digest(struct run *run, uint64_t value)
{
	uint64_t x = run->result->digest ^ value;

	run->result->digest = (x ^ x >> 29) * 0x9e3779b97f4a7c15u + 1;
}

static void
on_ended(struct observer *o, struct request *rq)
{
	struct run *run = (struct run *)(void *)o;

	run->result->requests++;
	run->result->errors += rq->error != 0;
	digest(run, rq->seq);
	digest(run, fence_time(&rq->scheduled));
	digest(run, fence_time(&rq->finished));
	digest(run, (uint64_t)rq->error);
	digest(run, rq->engine != NULL ? rq->engine->index : 99);
}

static int
choose_priority(struct chaos *c)
{
	static const int values[] = {0, 1, -1, 5, -7, 1023, -1023, 1024};

	return values[chaos_below(c, N(values))];
}

static struct client_options
choose_options(struct chaos *c)
{
	struct client_options options = {
	    .repeat = 1 + chaos_below(c, 6),
	    .background = one_in(c, 6),
	    .small_sseu = one_in(c, 4),
	};

	if (one_in(c, 3))
		options.priority = choose_priority(c);
	/* In the foreground, a run without end is one like others. */
	if (one_in(c, 20))
		options.repeat = 0;
	if (options.priority > 1023)
		options.priority = 1023;
	return options;
}

static int64_t
choose_value(struct chaos *c, enum control_kind kind)
{
	static const int64_t values[] = {-1, 0, 1, 5, 100, 3, 7, 1000};

	return kind == CONTROL_PRIORITY ? choose_priority(c)
					: values[chaos_below(c, N(values))];
}

/* Any control to anyone; it may be refused, with a reason. */
static void
apply_control(struct run *run)
{
	struct chaos *c = run->c;
	struct control control = {
	    .kind = (enum control_kind)chaos_below(c, N_CONTROLS),
	    .name = "chaos",
	    .persistent = one_in(c, 2),
	    .at_once = one_in(c, 2),
	};
	struct text err = {0};

	control.client = chaos_below(c, (unsigned)run->sim->n_clients + 1);
	control.workload = chaos_below(c, run->sim->n_workloads + 1);
	if (one_in(c, 4))
		control.client = CONTROL_ALL;
	control.context = chaos_below(c, 4);
	control.value = choose_value(c, control.kind);
	if (control.kind == CONTROL_SWAP ||
	    (control.kind == CONTROL_ADD && one_in(c, 3)))
		control.program =
		    run->programs[chaos_below(c, run->n_programs)];
	if (control.kind == CONTROL_ADD) {
		control.n_clients = chaos_below(c, 3);
		control.options = choose_options(c);
	}
	if (sim_control(run->sim, &control, &err))
		run->result->controls++;
	else if (err.len == 0)
		abort(); /* without a reason */
	text_free(&err);
}

static uint64_t
events_left(const struct run *run)
{
	uint64_t max = run->c->max_events;

	if (max == 0)
		return UINT64_MAX;
	return run->sim->n_events < max ? max - run->sim->n_events : 1;
}

/* A little further. */
static void
go_on(struct run *run)
{
	struct sim *sim = run->sim;
	struct chaos *c = run->c;

	switch (chaos_below(c, 5)) {
	case 0: lab_step(sim, SIM_STEP_EVENT); break;
	case 1:
		lab_run_instants(sim, NSEC_NEVER,
		    sim->n_instants + 1 + chaos_below(c, 8), 0);
		break;
	case 2:
		sim_run(sim, sim->now + chaos_below(c, 40) * NSEC_PER_USEC,
		    events_left(run));
		break;
	case 3:
		sim_run(sim, sim->now + chaos_below(c, 3000) * NSEC_PER_USEC,
		    events_left(run));
		break;
	default: sim_run(sim, NSEC_NEVER, 1 + chaos_below(c, 100)); break;
	}
}

/* Asks for all that views may ask for at any time. */
static void
look(struct run *run)
{
	const struct sim *sim = run->sim;
	struct text text = {0};

	sim_explain_deadlock(sim, &text);
	for (unsigned i = 0; i < sim->device.n_engines; i++) {
		const struct hw_engine *e = &sim->device.engines[i];

		digest(run, hw_engine_busy(e, sim->now));
		digest(run, hw_engine_idle(e, sim->now));
		digest(run, hw_engine_sema(e, sim->now));
	}
	for (size_t i = 0; i < text.len; i++)
		digest(run, (unsigned char)text.data[i]);
	text_free(&text);
}

static void
watch(struct run *run, enum chaos_moment moment)
{
	if (run->c->watch != NULL)
		run->c->watch(run->c->watcher, run->sim, moment);
}

static void
play_some(struct run *run, unsigned n)
{
	struct sim *sim = run->sim;

	while (n-- > 0 && sim->n_events < events_left(run)) {
		go_on(run);
		invariants_check(sim);
		watch(run, CHAOS_GOES_ON);
		for (unsigned k = chaos_below(run->c, 3); k > 0; k--)
			apply_control(run);
		if (one_in(run->c, 4))
			look(run);
	}
}

static void
play_to_end(struct run *run, unsigned n)
{
	struct sim *sim = run->sim;

	play_some(run, n);
	if (one_in(run->c, 8))
		return; /* the user quits */
	if (sim_run(sim, NSEC_NEVER, events_left(run)) == SIM_DEADLOCK)
		run->result->deadlocks++;
	invariants_check(sim);
	look(run);
}

/* Plays to the end, goes back and does so again. */
static void
play_twice(struct run *run, unsigned n)
{
	struct snapshot *snapshot = snapshot_take(run->sim);
	struct chaos_result result = *run->result;
	struct chaos c = *run->c;

	play_to_end(run, n);
	*run->result = result;
	*run->c = c;
	snapshot_restore(run->sim, snapshot);
	snapshot_free(snapshot);
	play_to_end(run, n);
}

static void
play(struct run *run)
{
	unsigned n = chaos_below(run->c, 12);

	if (!run->c->goes_back) {
		play_to_end(run, n);
		return;
	}
	play_some(run, n / 2);
	play_twice(run, n - n / 2);
}

void
chaos_run(struct chaos *c, const struct sim_config *config,
    const struct program *const *programs, unsigned n,
    struct chaos_result *result)
{
	struct run run = {
	    .observer.ended = on_ended,
	    .c = c,
	    .sim = sim_new(config),
	    .programs = programs,
	    .n_programs = n,
	    .result = result,
	};

	sim_add_observer(run.sim, &run.observer);
	watch(&run, CHAOS_BEGINS);
	for (unsigned i = 0; i < n; i++) {
		struct workload *w = sim_add_workload(
		    run.sim, "chaos", programs[i]);

		for (unsigned k = chaos_below(c, 3) + (i == 0); k > 0; k--) {
			struct client_options options = choose_options(c);

			sim_add_client(run.sim, w, &options);
		}
	}
	play(&run);
	watch(&run, CHAOS_IS_OVER);
	result->events += run.sim->n_events;
	result->hangs += run.sim->n_hangs;
	sim_free(run.sim);
}
