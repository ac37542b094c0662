/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The same controls between the same instants give the same run
 * (engine/client/control.h). A session: at odd times, in slices of the clock,
 * anything is done to anybody; again between the same instants it must be the
 * same run.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

#define US NSEC_PER_USEC

static const char *const texts[] = {
    "1.RCS.1000-3000.0.0,2.BCS.500.-1.0,1.VCS1.700.0.1,d.120",
    "P.2.7,2.RCS.900.0.0,M.4.VCS1|VCS2,B.4,4.DEFAULT.400-900.0.0,"
    "1.RCS.300.-1/-4.0,3.VECS1.200.-1.1",
    "M.4.VCS1|VCS2,B.4,q.2,W.1.4/4,4.DEFAULT.1500.w1-0.0,4.DEFAULT.300.r1-1.0,"
    "1.RCS.800.w1-1/-1.0,t.2,2.CCS.640.f-2.0,p.2000",
    "W.1.4/4,w.2.8,1.RCS.333.w1-0/w2-0.0,f,2.BCS.444.f-1.0,X.3.0,"
    "3.RCS.2500.r2-0.0,S.1.1,d.1000,a.-6,s.-4,1.BCS.77.0.1",
    "M.4.BCS|VECS1,B.4,5.RCS.*.0.0,4.DEFAULT.200.s-1.0,d.900,T.-3",
};
#define N_TEXTS (sizeof texts / sizeof *texts)
#define N_STEPS 150

struct action {
	uint64_t n_instants;
	nsec now;
	unsigned dice[6];
};

struct session {
	struct lab lab;
	struct program *programs[N_TEXTS];
	struct action actions[N_STEPS];
	unsigned n_done;
};

static void
act(struct session *s, const unsigned dice[6])
{
	struct sim *sim = s->lab.sim;
	struct text err = {0};
	struct control control = {
	    .kind = dice[0] % N_CONTROLS,
	    .client = dice[1] % (unsigned)(sim->n_clients + 1),
	    .workload = dice[2] % (sim->n_workloads + 1),
	    .context = dice[3] % 6,
	    .value = (int)(dice[4] % 400) - 100,
	    .n_clients = 1 + dice[3] % 2,
	    .options = {.repeat = dice[4] % 9, .priority = (int)dice[5] % 40},
	};

	if (control.client == sim->n_clients)
		control.client = CONTROL_ALL;
	control.persistent = dice[5] % 2;
	if (control.kind == CONTROL_KILL && dice[4] % 4 > 0)
		control.kind = CONTROL_ADD;
	if (control.kind == CONTROL_SSEU)
		control.value = 1 + dice[4] % 7;
	if (control.kind == CONTROL_SWAP ||
	    (control.kind == CONTROL_ADD && dice[5] % 3 == 0)) {
		control.program = s->programs[dice[4] % N_TEXTS];
		control.name = "more";
	}
	if (control.kind == CONTROL_ADD && sim->n_clients > 12)
		control.kind = CONTROL_SWAP,
		control.program = s->programs[dice[4] % N_TEXTS];
	s->n_done += sim_control(sim, &control, &err);
	text_free(&err);
}

static void
begin(struct session *s, const char *sched, const struct session *like)
{
	lab_init(&s->lab, sched);
	s->lab.config.profile.ring_requests = 6;
	s->lab.config.profile.context_switch_ns = 3100;
	s->lab.config.profile.submit_ns = 700;
	for (size_t i = 0; i < N_TEXTS; i++)
		s->programs[i] = like != NULL ? like->programs[i]
					      : lab_compile(&s->lab, texts[i]);
	s->n_done = 0;
	lab_add(&s->lab, texts[0], 2, (struct client_options){.repeat = 0});
	lab_add(&s->lab, texts[2], 1, (struct client_options){.repeat = 40});
}

static void
live(struct session *s, unsigned seed)
{
	struct sim *sim = s->lab.sim;

	srandom(seed);
	for (unsigned i = 0; i < N_STEPS; i++) {
		struct action *a = &s->actions[i];

		/* Some come at one instant, some in the middle of nowhere. */
		for (unsigned n = (unsigned)random() % 4; n > 0; n--)
			sim_run(sim, sim->now + (nsec)random() % (400 * US),
			    (uint64_t)random() % 50);
		a->n_instants = sim->n_instants;
		a->now = sim->now;
		for (unsigned k = 0; k < 6; k++)
			a->dice[k] = (unsigned)random();
		act(s, a->dice);
	}
	sim_run(sim, sim->now + 20000 * US, 0);
}

static void
replay(struct session *s, const struct session *live)
{
	struct sim *sim = s->lab.sim;

	for (unsigned i = 0; i < N_STEPS; i++) {
		const struct action *a = &live->actions[i];

		lab_run_instants(sim, NSEC_NEVER, a->n_instants, 0);
		assert_int_equal(sim->n_instants, a->n_instants);
		assert_true(sim_move_to(sim, a->now));
		act(s, a->dice);
	}
	sim_run(sim, live->lab.sim->now, 0);
}

static void
compare(const struct lab *a, const struct lab *b)
{
	assert_int_equal(a->n_rows, b->n_rows);
	assert_int_equal(a->sim->now, b->sim->now);
	assert_int_equal(a->sim->n_events, b->sim->n_events);
	assert_int_equal(a->sim->n_instants, b->sim->n_instants);
	for (size_t i = 0; i < a->n_rows; i++) {
		const struct lab_row *x = &a->rows[i], *y = &b->rows[i];

		assert_int_equal(x->client, y->client);
		assert_int_equal(x->step, y->step);
		assert_int_equal(x->iteration, y->iteration);
		assert_string_equal(x->engine, y->engine);
		assert_int_equal(x->submit, y->submit);
		assert_int_equal(x->ready, y->ready);
		assert_int_equal(x->start, y->start);
		assert_int_equal(x->end, y->end);
		assert_int_equal(x->run, y->run);
		assert_int_equal(x->preemptions, y->preemptions);
		assert_int_equal(x->error, y->error);
	}
}

TEST(replay)
{
	unsigned n_done = 0;

	for (unsigned i = 0; sched_list(i) != NULL; i++) {
		for (unsigned seed = 1; seed <= 20; seed++) {
			struct session a, b;

			begin(&a, sched_list(i)->name, NULL);
			live(&a, seed);
			begin(&b, sched_list(i)->name, &a);
			replay(&b, &a);
			compare(&a.lab, &b.lab);
			n_done += a.n_done;
			for (size_t k = 0; k < N_TEXTS; k++)
				program_free(a.programs[k]);
			lab_free(&a.lab);
			lab_free(&b.lab);
		}
	}
	/* Enough of it was possible. */
	assert_true(n_done > N_STEPS * 20);
}
