/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * IGT's gem_exec_fair (doc/behaviours.md "The table", section 6.1, row 49),
 * under execlists: clients that make frames of 16 ms of one engine's time
 * between them. How long a frame takes is the time from the end of one to the
 * next.
 */
#include "tests/behaviours/behaviour.h"
#include "tests/behaviours/scene.h"

#define FRAME_US 16000
#define FRAMES   100

/* How a client is held back between two frames. */
static const char *const throttles[] = {
    "",         /* none: until its ring is full */
    "p.16000,", /* pace: one frame per period */
    "s.-1,",    /* sync: until the frame is done */
    "t.5,",     /* throttle: until the previous frame is done */
};

enum { NONE, PACE, SYNC, THROTTLE };

static int
by_length(const void *a, const void *b)
{
	const nsec *x = a, *y = b;

	return *x < *y ? -1 : *x > *y;
}

struct frames {
	nsec mean, median, quartiles; /* quartiles: their distance */
};

static struct frames
frames_of(const struct lab *lab, unsigned client, unsigned last_step)
{
	nsec lengths[FRAMES], before = 0, sum = 0;
	unsigned n = 0;

	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];

		if (row->client != client || row->step != last_step)
			continue;
		if (row->end == NSEC_NEVER || n == FRAMES)
			break;
		lengths[n] = row->end - before;
		before = row->end;
		sum += lengths[n++];
	}
	assert_true(n > FRAMES / 4);
	qsort(lengths, n, sizeof *lengths, by_length);
	return (struct frames){.mean = sum / n,
	    .median = lengths[n / 2],
	    .quartiles = lengths[3 * n / 4] - lengths[n / 4]};
}

static void
expect_frame(nsec got, nsec wanted)
{
	assert_in_range(got, wanted * 3 / 4, wanted * 4 / 3);
}

/* A frame is four batches. */
#define LAST_STEP 4

static void
add_clients(
    struct lab *lab, unsigned n, unsigned us, int priority, unsigned mode)
{
	struct text t = {0};

	text_addf(&t, "P.1.%d,", priority);
	for (unsigned i = 0; i < LAST_STEP; i++)
		text_addf(&t, "1.RCS.%u.0.0,", us / LAST_STEP);
	text_adds(&t, throttles[mode]);
	t.data[--t.len] = '\0';
	lab_add(lab, t.data, n, (struct client_options){.repeat = 2 * FRAMES});
	text_free(&t);
}

static void
start(const char *sched, struct lab *lab)
{
	lab_init(lab, sched);
	/* As on hardware: not so much that a client is done with its
	 * submissions before the others have begun. */
	lab->config.profile.ring_requests = 64;
	lab->config.profile.submit_ns = US(3);
}

/* Expects that each frame begins in its period, and is done before the next,
 * nearly. */
static void
expect_on_time(const struct lab *lab)
{
	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];
		nsec due = row->iteration * US(FRAME_US);

		assert_in_range(row->submit, due, due + US(FRAME_US) / 100);
		if (row->end != NSEC_NEVER)
			assert_true(
			    row->end - row->submit <= US(FRAME_US) * 4 / 3);
	}
}

static void
fair(const char *sched, unsigned mode)
{
	for (unsigned n = 1; n <= 5; n++) {
		struct lab lab;

		start(sched, &lab);
		add_clients(&lab, n, FRAME_US / n, 0, mode);
		lab_run(&lab, US(FRAME_US * FRAMES));
		for (unsigned i = 0; i < n; i++) {
			struct frames f = frames_of(&lab, i, LAST_STEP);

			expect_frame(f.median, US(FRAME_US));
			expect_frame(f.mean, f.median);
			assert_true(f.quartiles < f.median);
		}
		if (mode == PACE)
			expect_on_time(&lab);
		lab_free(&lab);
	}
}

static void
none(const char *sched)
{
	fair(sched, NONE);
}

static void
pace(const char *sched)
{
	fair(sched, PACE);
}

static void
in_sync(const char *sched)
{
	fair(sched, SYNC);
}

static void
throttle(const char *sched)
{
	fair(sched, THROTTLE);
}

/* One client that needs half of the engine, among four that take all they get. */
static void
vip(const char *sched)
{
	for (unsigned mode = NONE; mode <= THROTTLE; mode++) {
		struct lab lab;

		start(sched, &lab);
		add_clients(&lab, 4, FRAME_US, 0, mode);
		add_clients(&lab, 1, FRAME_US / 2, 1023, PACE);
		lab_run(&lab, US(FRAME_US * FRAMES));
		expect_frame(
		    frames_of(&lab, 4, LAST_STEP).median, US(FRAME_US));
		expect_frame(frames_of(&lab, 4, LAST_STEP).mean, US(FRAME_US));
		lab_free(&lab);
	}
}

static const struct behaviour list[] = {
    {49, "gem_exec_fair@basic-none", PREEMPTIVE, none, NULL},
    {49, "gem_exec_fair@basic-pace", PREEMPTIVE, pace, NULL},
    {49, "gem_exec_fair@basic-sync", PREEMPTIVE, in_sync, NULL},
    {49, "gem_exec_fair@basic-throttle", PREEMPTIVE, throttle, NULL},
    {49, "gem_exec_fair@basic-*-vip", PREEMPTIVE, vip, NULL},
};

const struct behaviours behaviours_igt_fair = BEHAVIOURS("6.1", list);
