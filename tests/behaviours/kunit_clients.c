/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The KUnit suites with several clients (doc/behaviours.md "The table", section
 * 5.8): the ten parameter sets of two clients, with one credit and with two,
 * and the many clients. They themselves only ask that all complete; the orders
 * are those that the facts derive for "classic".
 */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

/* The work of a client in a cycle: its jobs, a wait for them if sync, a pause. */
struct load {
	int priority;
	unsigned jobs, job_us, wait_us;
	bool sync;
};

#define H 1
#define N 0
#define L (-1)

static const struct load sets[10][2] = {
    {{N, 1, 8000, 0, false}, {N, 1, 8000, 0, false}},
    {{N, 1, 8000, 0, false}, {L, 1, 8000, 0, false}},
    {{H, 1, 8000, 0, false}, {N, 1, 8000, 0, false}},
    {{H, 1, 8000, 0, false}, {L, 1, 8000, 0, false}},
    {{N, 1, 1500, 1500, true}, {N, 1, 2500, 2500, true}},
    {{N, 1, 1500, 1500, true}, {L, 1, 2500, 2500, true}},
    {{H, 1, 1500, 1500, true}, {N, 1, 2500, 2500, true}},
    {{L, 3, 2500, 500, false}, {N, 1, 500, 10000, true}},
    {{N, 3, 2500, 2500, true}, {N, 1, 1000, 9000, true}},
    {{N, 4, 50000, 1, true}, {N, 1, 1000, 9000, true}},
};

static unsigned
cycles(const struct load *load, unsigned total_us)
{
	unsigned period = load->jobs * load->job_us + load->wait_us;

	return (total_us + period - 1) / period;
}

static void
add_client(struct lab *lab, const struct load *load, unsigned total_us,
    unsigned clones)
{
	struct text t = {0};

	text_addf(&t, "P.1.%d", load->priority);
	for (unsigned i = 1; i <= load->jobs; i++)
		text_addf(&t, ",1.RCS.%u.0.%d", load->job_us,
		    load->sync && i == load->jobs);
	if (load->wait_us > 0)
		text_addf(&t, ",d.%u", load->wait_us);
	lab_add(lab, text_str(&t), clones,
	    (struct client_options){.repeat = cycles(load, total_us)});
	text_free(&t);
}

/* Threads that submit at the same time do so in turns: a submission takes time. */
static void
start(const char *sched, struct lab *lab, unsigned credits)
{
	lab_init(lab, sched);
	lab->config.profile.ring_credits = credits;
	lab->config.profile.submit_ns = US(1);
}

static void
expect_complete(const struct lab *lab, unsigned client, const struct load *load)
{
	const struct client *c = lab->sim->clients[client];

	assert_int_equal(c->state, CLIENT_ENDED);
	assert_int_equal(c->batches, cycles(load, 1000000) * load->jobs);
	assert_int_equal(c->busy_ns, US(c->batches * load->job_us));
}

/* Sorts jobs by the time at which they started. */
static int
by_start(const void *a, const void *b)
{
	const struct lab_row *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

/* "Alternates strictly in submit order". */
static void
expect_alternation(struct lab *lab)
{
	qsort(lab->rows, lab->n_rows, sizeof *lab->rows, by_start);
	for (size_t i = 1; i < lab->n_rows; i++)
		assert_int_not_equal(
		    lab->rows[i].client, lab->rows[i - 1].client);
}

/* Returns the number of jobs of the second client that ran before the last of
 * the first. */
static unsigned
overtaken_by(struct lab *lab)
{
	unsigned low = 0, high = 0;

	qsort(lab->rows, lab->n_rows, sizeof *lab->rows, by_start);
	for (size_t i = 0; i < lab->n_rows; i++)
		high += lab->rows[i].client == 0;
	for (size_t i = 0; high > 0; i++) {
		if (lab->rows[i].client == 0)
			high--;
		else
			low++;
	}
	return low;
}

/* Expects that no job of the client waits longer, beside those of its own
 * cycle. */
static void
expect_short_waits(const struct lab *lab, unsigned client, nsec wait)
{
	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *job = &lab->rows[i];

		if (job->client == client)
			assert_true(job->start - job->submit <= wait);
	}
}

/*
 * Sets but the first four and 8: jobs of the other client that one of the
 * second waits for at most: all that it has, where the first that came is the
 * first; in turns those on the ring; with fair shares one more, if it joins
 * behind its equal.
 */
static unsigned
jobs_before(const char *sched, unsigned jobs, unsigned credits)
{
	unsigned n = jobs;

	if (strcmp(sched, "drm:rr") == 0)
		n = credits;
	else if (strcmp(sched, "drm:fair") == 0)
		n = credits + 1;
	return n < jobs ? n : jobs;
}

static void
expect_turns(
    const char *sched, const struct lab *lab, unsigned set, unsigned credits)
{
	const struct load *other = &sets[set - 1][0];
	unsigned n = jobs_before(sched, other->jobs, credits);

	expect_short_waits(lab, 1, US(n * other->job_us));
	if (set <= 7)
		expect_short_waits(lab, 0, US(sets[set - 1][1].job_us));
}

/* Classic: sets 2 to 4: "the higher class finishes fully before the lower
 * starts", but for what the ring took while the higher one had nothing yet. */
static void
expect_classic(struct lab *lab, unsigned set, unsigned credits)
{
	switch (set) {
	case 1: expect_alternation(lab); break;
	case 2:
	case 3:
	case 4: assert_true(overtaken_by(lab) < credits); break;
	case 8: expect_short_waits(lab, 1, credits * US(2500)); break;
	default: break;
	}
}

/* Fair: "about 8:1 / 4:1 / 32:1 in GPU time", that is of 125 jobs each. */
static void
expect_fair_shares(struct lab *lab, unsigned set, unsigned credits)
{
	static const unsigned shares[] = {1, 8, 4, 32};
	unsigned low, expected;

	if (set > 4)
		return;
	low = overtaken_by(lab);
	expected = 125 / shares[set - 1];
	assert_in_range(low, expected * 3 / 4, expected * 5 / 4 + 1 + credits);
}

static void
two_clients(const char *sched, unsigned set, unsigned credits)
{
	const struct load *loads = sets[set - 1];

	struct lab lab;

	start(sched, &lab, credits);
	add_client(&lab, &loads[0], 1000000, 1);
	add_client(&lab, &loads[1], 1000000, 1);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	expect_complete(&lab, 0, &loads[0]);
	expect_complete(&lab, 1, &loads[1]);
	if (set >= 5 && set != 8)
		expect_turns(sched, &lab, set, credits);
	else if (strcmp(sched, "drm:fair") == 0)
		expect_fair_shares(&lab, set, credits);
	else
		expect_classic(&lab, set, credits);
	lab_free(&lab);
}

#define TWO_CLIENTS(set)                                                       \
	static void one_credit_##set(const char *sched)                        \
	{                                                                      \
		two_clients(sched, set, 1);                                    \
	}                                                                      \
	static void two_credits_##set(const char *sched)                       \
	{                                                                      \
		two_clients(sched, set, 2);                                    \
	}

TWO_CLIENTS(1)
TWO_CLIENTS(2)
TWO_CLIENTS(3)
TWO_CLIENTS(4)
TWO_CLIENTS(5)
TWO_CLIENTS(6)
TWO_CLIENTS(7)
TWO_CLIENTS(8)
TWO_CLIENTS(9)
TWO_CLIENTS(10)

/* n equal clients, with 1000/n ms of work each: all complete, and none takes
 * more than a cycle's jobs longer than another. */
static void
many_clients(const char *sched, unsigned n, unsigned jobs)
{
	const struct load load = {N, jobs, 1000, 0, true};

	nsec least = NSEC_NEVER, most = 0;
	struct lab lab;

	start(sched, &lab, 2);
	add_client(&lab, &load, 1000000 / n, n);
	assert_int_equal(sim_run(lab.sim, NSEC_NEVER, 0), SIM_DONE);
	for (unsigned i = 0; i < n; i++) {
		const struct client *c = lab.sim->clients[i];

		assert_int_equal(c->batches, cycles(&load, 1000000 / n) * jobs);
		if (c->ended_ns < least)
			least = c->ended_ns;
		if (c->ended_ns > most)
			most = c->ended_ns;
	}
	assert_true(most - least <= MS(n * jobs));
	lab_free(&lab);
}

static void
many_clients_2(const char *sched)
{
	many_clients(sched, 2, 4);
}

static void
many_clients_3(const char *sched)
{
	many_clients(sched, 3, 4);
}

static void
many_clients_7(const char *sched)
{
	many_clients(sched, 7, 4);
}

static void
many_clients_13(const char *sched)
{
	many_clients(sched, 13, 4);
}

static void
many_clients_31(const char *sched)
{
	many_clients(sched, 31, 2);
}

static const struct behaviour list[] = {
    {18, "two_clients_one_credit #1 N/N", DRM, one_credit_1, NULL},
    {18, "two_clients_one_credit #2 N/L", DRM, one_credit_2, NULL},
    {18, "two_clients_one_credit #3 H/N", DRM, one_credit_3, NULL},
    {18, "two_clients_one_credit #4 H/L", DRM, one_credit_4, NULL},
    {18, "two_clients_one_credit #5 N/N 50/50", DRM, one_credit_5, NULL},
    {18, "two_clients_one_credit #6 N/L 50/50", DRM, one_credit_6, NULL},
    {18, "two_clients_one_credit #7 H/N 50/50", DRM, one_credit_7, NULL},
    {18, "two_clients_one_credit #8 low hog, interactive", DRM, one_credit_8,
	NULL},
    {18, "two_clients_one_credit #9 heavy, interactive", DRM, one_credit_9,
	NULL},
    {18, "two_clients_one_credit #10 very heavy, interactive", DRM,
	one_credit_10, NULL},
    {18, "two_clients_two_credits #1 N/N", DRM, two_credits_1, NULL},
    {18, "two_clients_two_credits #2 N/L", DRM, two_credits_2, NULL},
    {18, "two_clients_two_credits #3 H/N", DRM, two_credits_3, NULL},
    {18, "two_clients_two_credits #4 H/L", DRM, two_credits_4, NULL},
    {18, "two_clients_two_credits #5 N/N 50/50", DRM, two_credits_5, NULL},
    {18, "two_clients_two_credits #6 N/L 50/50", DRM, two_credits_6, NULL},
    {18, "two_clients_two_credits #7 H/N 50/50", DRM, two_credits_7, NULL},
    {18, "two_clients_two_credits #8 low hog, interactive", DRM, two_credits_8,
	NULL},
    {18, "two_clients_two_credits #9 heavy, interactive", DRM, two_credits_9,
	NULL},
    {18, "two_clients_two_credits #10 very heavy, interactive", DRM,
	two_credits_10, NULL},
    {19, "many_clients 2 x 4 x 1 ms", DRM, many_clients_2, NULL},
    {19, "many_clients 3 x 4 x 1 ms", DRM, many_clients_3, NULL},
    {19, "many_clients 7 x 4 x 1 ms", DRM, many_clients_7, NULL},
    {19, "many_clients 13 x 4 x 1 ms", DRM, many_clients_13, NULL},
    {19, "many_clients 31 x 2 x 1 ms", DRM, many_clients_31, NULL},
};

const struct behaviours behaviours_kunit_clients = BEHAVIOURS("5.8", list);
