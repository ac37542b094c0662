/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Policy fair of the DRM scheduler (doc/model/drm.md "Shares"; what they leave
 * open stands in engine/sched/drm_fair.h): virtual runtimes worked out by hand,
 * and the shares that come of them. Orders: drm_fair.cases.
 */
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "engine/sched/drm.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

/* The queue by itself. */

static struct fair_member
member(uint64_t number, enum drm_level level)
{
	return (struct fair_member){
	    .node.seq = number, .level = (uint8_t)level};
}

/* GPU time << 1, 2, 4, 7, when a job is taken with more behind it. */
TEST(runtime_is_weighted_by_level)
{
	static const int64_t expected[] = {2000, 4000, 16000, 128000};

	for (unsigned level = 0; level < N_DRM_LEVELS; level++) {
		struct fair_queue q = {0};
		struct fair_member m = member(1, level);

		fair_queue_join(&q, &m);
		fair_queue_ready(&q, &m);
		fair_queue_take(&q, &m, true);
		assert_int_equal(m.vruntime, 0);
		fair_queue_ended(&q, &m, 700);
		fair_queue_ended(&q, &m, 300);
		assert_int_equal(m.vruntime, 0);
		fair_queue_ready(&q, &m);
		fair_queue_take(&q, &m, true);
		assert_int_equal(m.vruntime, expected[level]);
	}
}

/* One that leaves behind a least one (whose head is not ready) comes back at
 * the same distance from the least that there is then. */
TEST(offset_is_saved_and_restored)
{
	struct fair_queue q = {0};
	struct fair_member blocked = member(1, DRM_NORMAL);
	struct fair_member m = member(2, DRM_NORMAL);

	blocked.vruntime = 1000;
	m.vruntime = 1500;
	fair_queue_join(&q, &blocked);
	fair_queue_join(&q, &m); /* 1500 behind 1000 */
	assert_int_equal(m.vruntime, 2500);
	fair_queue_ready(&q, &m);
	fair_queue_take(&q, &m, false);
	assert_int_equal(m.vruntime, 1500);
	fair_queue_ended(&q, &m, 4000); /* charged when one is left behind */
	fair_queue_join(&q, &m);
	assert_int_equal(m.vruntime, 2500);
}

/* "If it was at the top", by the level of the head that is there now. */
TEST(rejoining_at_the_top)
{
	static const struct {
		enum drm_level level;
		nsec own, all;
		int64_t expected;
	} rows[] = {
	    /* Higher: just before the head. */
	    {DRM_HIGH, 9000, 5000, 99999},
	    {DRM_KERNEL, 9000, 5000, 99999},
	    /* Equal: the shorter average job first, a tie is shorter. */
	    {DRM_NORMAL, 4999, 5000, 99999},
	    {DRM_NORMAL, 5000, 5000, 99999},
	    {DRM_NORMAL, 5001, 5000, 100001},
	    /* Lower: (1 + 9 + 5) us << 7 behind. */
	    {DRM_LOW, 9000, 5000, 100000 + 15000 * 128},
	    {DRM_LOW, 0, 0, 100000 + 1000 * 128},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct fair_queue q = {.average_ns = rows[i].all};
		struct fair_member head = member(1, DRM_NORMAL);
		struct fair_member m = member(2, rows[i].level);

		head.vruntime = 100000;
		m.average_ns = rows[i].own;
		fair_queue_join(&q, &head);
		fair_queue_join(&q, &m);
		assert_int_equal(m.vruntime, rows[i].expected);
	}
}

/* In an empty queue an entity keeps its own offset. An entity that leaves an
 * empty queue, or had the least runtime, is at the top. */
TEST(alone_in_the_queue)
{
	struct fair_queue q = {0};
	struct fair_member m = member(1, DRM_LOW);

	m.vruntime = 77;
	fair_queue_join(&q, &m);
	assert_int_equal(m.vruntime, 77);
	fair_queue_ready(&q, &m);
	fair_queue_take(&q, &m, false);
	assert_int_equal(m.vruntime, 0);
	assert_null(fair_queue_first(&q));
}

/* The average job: the newest counts for a quarter. */
TEST(average_job)
{
	struct fair_queue q = {0};
	struct fair_member a = member(1, DRM_NORMAL), b = a;

	fair_queue_ended(&q, &a, 8000);
	fair_queue_ended(&q, &b, 4000);
	fair_queue_ended(&q, &b, 8000);
	assert_int_equal(a.average_ns, 8000);
	assert_int_equal(b.average_ns, 5000);
	assert_int_equal(q.average_ns, 7250); /* 8000, 7000, 7250 */
}

/* Years of GPU time neither wrap nor bring anybody forward. */
TEST(runtime_does_not_wrap)
{
	struct fair_queue q = {0};
	struct fair_member m = member(1, DRM_LOW);
	int64_t before = 0;

	fair_queue_join(&q, &m);
	for (unsigned i = 0; i < 100; i++) {
		fair_queue_ready(&q, &m);
		fair_queue_ended(&q, &m, NSEC_NEVER / 2);
		fair_queue_take(&q, &m, true);
		assert_true(m.vruntime >= before);
		before = m.vruntime;
	}
}

/* Against a scan over all. */

#define N_MEMBERS 60

static struct fair_member *
scan(struct fair_member *members, const bool *there)
{
	struct fair_member *first = NULL;

	for (unsigned i = 0; i < N_MEMBERS; i++) {
		struct fair_member *m = &members[i];

		if (there[i] &&
		    (first == NULL || m->vruntime < first->vruntime ||
			(m->vruntime == first->vruntime &&
			    m->node.seq < first->node.seq)))
			first = m;
	}
	return first;
}

TEST(first_is_the_least)
{
	struct fair_queue q = {0};
	struct fair_member members[N_MEMBERS];
	bool joined[N_MEMBERS] = {false}, ready[N_MEMBERS] = {false};

	srand(7);
	for (unsigned i = 0; i < N_MEMBERS; i++)
		members[i] = member(i * 7 % N_MEMBERS + 1, i % N_DRM_LEVELS);
	for (unsigned n = 0; n < 20000; n++) {
		unsigned i = (unsigned)rand() % N_MEMBERS;
		struct fair_member *m = scan(members, ready);

		assert_ptr_equal(fair_queue_first(&q), m);
		fair_queue_ended(&q, &members[i], (nsec)(rand() % 3) * 1000);
		if (!joined[i]) {
			fair_queue_join(&q, &members[i]);
			joined[i] = true;
		} else if (!ready[i]) {
			fair_queue_ready(&q, &members[i]);
			ready[i] = true;
		}
		if (m == NULL || rand() % 2 > 0)
			continue;
		m = fair_queue_first(&q);
		i = (unsigned)(m - members);
		joined[i] = rand() % 4 > 0;
		fair_queue_take(&q, m, joined[i]);
		ready[i] = false;
	}
}

/* The scheduler. */

static int
by_start(const void *a, const void *b)
{
	const struct lab_row *x = a, *y = b;

	return (x->start > y->start) - (x->start < y->start);
}

/* The clients whose batches ran one after the other. */
static char *
order_of(struct lab *lab)
{
	struct text t = {0};

	assert_int_equal(sim_run(lab->sim, NSEC_NEVER, 0), SIM_DONE);
	qsort(lab->rows, lab->n_rows, sizeof *lab->rows, by_start);
	for (size_t i = 0; i < lab->n_rows; i++)
		text_addf(&t, "%u", lab->rows[i].client);
	return t.data;
}

/*
 * Two clients of facts section 5.8, "two_clients parameter sets": each submits
 * 125 jobs of 8 ms at once.
 */
static char *
two_clients(int first, int second, unsigned credits)
{
	struct lab lab;
	char *order;

	lab_init(&lab, "drm:fair");
	lab.config.profile.ring_credits = credits;
	lab_add(&lab, "1.RCS.8000.0.0", 1,
	    (struct client_options){.repeat = 125, .priority = first});
	lab_add(&lab, "1.RCS.8000.0.0", 1,
	    (struct client_options){.repeat = 125, .priority = second});
	order = order_of(&lab);
	lab_free(&lab);
	return order;
}

/* Expects runs[0] jobs of client 0, then runs[1] of client 1, and so on. */
static void
expect_start(const char *order, const unsigned *runs, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		for (unsigned k = 0; k < runs[i]; k++, order++)
			assert_int_equal(*order, i % 2 > 0 ? '1' : '0');
	}
}

/* Returns the number of jobs of client 1 before the last of client 0. */
static unsigned
ran_beside(const char *order)
{
	const char *last = strrchr(order, '0');
	unsigned n = 0;

	for (; order < last; order++)
		n += *order == '1';
	return n;
}

/* Equals: client 1 comes in just before client 0, whose first job runs, and is
 * charged for its first with its second; then they take turns. */
TEST(two_clients_1_equals)
{
	static const unsigned runs[] = {1, 2, 1, 1, 1, 1, 1, 1, 1, 1};
	char *order = two_clients(0, 0, 1);

	expect_start(order, runs, sizeof runs / sizeof *runs);
	assert_in_range(ran_beside(order), 124, 125);
	free(order);
}

/*
 * Normal (a job is 8 ms << 4 = 128 ms) and low (1024 ms, and 0.128 ms for
 * joining behind a higher head). Both have one free job; then low is at
 * 1024.128 and normal at 128, 256, ... 1024 before it has its turn: eight.
 */
TEST(two_clients_2_normal_low)
{
	static const unsigned runs[] = {2, 2, 8, 1, 8, 1, 8, 1, 8, 1};
	char *order = two_clients(0, -1, 1);

	expect_start(order, runs, sizeof runs / sizeof *runs);
	/* 2 + 8 * 15 = 122 of 125: 2 + 15 of the other. */
	assert_int_equal(ran_beside(order), 17);
	free(order);
}

/* High: 32 ms a job; normal 128, and 0.016 for joining. */
TEST(two_clients_3_high_normal)
{
	static const unsigned runs[] = {2, 2, 4, 1, 4, 1, 4, 1, 4, 1};
	char *order = two_clients(1, 0, 1);

	expect_start(order, runs, sizeof runs / sizeof *runs);
	/* 2 + 4 * 30 = 122 of 125. */
	assert_int_equal(ran_beside(order), 32);
	free(order);
}

TEST(two_clients_4_high_low)
{
	static const unsigned runs[] = {2, 2, 32, 1, 32, 1, 32, 1, 27};
	char *order = two_clients(1, -1, 1);

	expect_start(order, runs, sizeof runs / sizeof *runs);
	assert_int_equal(ran_beside(order), 5);
	free(order);
}

/* With two credits a job is charged one job later still: the shares stay. */
TEST(two_clients_two_credits)
{
	static const struct {
		int first, second;
		unsigned low, high;
	} rows[] = {
	    {0, 0, 122, 125}, {0, -1, 15, 19}, {1, 0, 31, 35}, {1, -1, 3, 7}};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		char *order = two_clients(rows[i].first, rows[i].second, 2);

		assert_in_range(ran_beside(order), rows[i].low, rows[i].high);
		free(order);
	}
}

/* Under drm the higher level is through before the lower one starts, under
 * equals in the order of submission: here that of the clients. */
TEST(two_clients_under_fifo)
{
	struct lab lab;
	char *order;

	lab_init(&lab, "drm");
	lab_add(&lab, "1.RCS.8000.0.0", 1,
	    (struct client_options){.repeat = 125, .priority = -1});
	lab_add(&lab, "1.RCS.8000.0.0", 1,
	    (struct client_options){.repeat = 125, .priority = 0});
	order = order_of(&lab);
	assert_int_equal(order[0], '0'); /* nothing is taken off */
	assert_int_equal(strspn(order + 1, "1"), 125);
	free(order);
	lab_free(&lab);
}
