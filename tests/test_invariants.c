/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each invariant (engine/check/invariants.h) can be broken, and says so: a live
 * simulation is corrupted on purpose, in a child, which then dies with the
 * text of the rule.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "engine/check/invariants.h"
#include "engine/engine_port.h"
#include "engine/sched/execlists_port.h"
#include "engine/sched/guc_queue.h"
#include "tests/support/lab.h"

#ifdef GPUWL_INVARIANTS

#define US NSEC_PER_USEC

/* Engines of `ideal`. */
enum { RCS, BCS, VCS1 };

struct breakage {
	const char *sched, *text;
	nsec until_us; /* the run is corrupted then */
	void (*corrupt)(struct lab *lab);
	const char *expected; /* part of what is said */
};

static struct request *
row(const struct lab *lab, size_t i)
{
	struct request *rq = request_get(lab->rows[i].request);

	if (rq == NULL)
		_exit(3); /* it has ended: the test is wrong */
	return rq;
}

static struct hw_engine *
engine(const struct lab *lab, unsigned i)
{
	return &lab->sim->device.engines[i];
}

/* Something that happens at a time of its own. */

static struct event events[2];
static struct request *victim;

static void
on_nothing(struct sim *sim, struct event *event)
{
	(void)sim;
	(void)event;
}

static void
on_arming_the_past(struct sim *sim, struct event *event)
{
	(void)event;
	events[1].fire = on_nothing;
	event_arm(&sim->events, &events[1], sim->now - 1);
}

static void
on_wake(struct sim *sim, struct event *event)
{
	(void)sim;
	(void)event;
	victim->waits->wake(victim->waits);
}

static void
on_begin(struct sim *sim, struct event *event)
{
	(void)event;
	port_begin(sim, victim->engine);
}

static void
happens(struct lab *lab, nsec time_us,
    void (*fire)(struct sim *sim, struct event *event))
{
	events[0].fire = fire;
	event_arm(&lab->sim->events, &events[0], time_us * US);
}

/* At every event. */

static void
turn_back_time(struct lab *lab)
{
	lab->sim->now = 20 * US;
	happens(lab, 30, on_nothing);
}

static void
arm_the_past(struct lab *lab)
{
	happens(lab, 60, on_arming_the_past);
}

static void
run_on_two(struct lab *lab)
{
	engine(lab, BCS)->running = row(lab, 0);
	happens(lab, 60, on_nothing);
}

static void
run_without_running(struct lab *lab)
{
	row(lab, 0)->state = REQUEST_READY;
	happens(lab, 60, on_nothing);
}

static void
run_where_forbidden(struct lab *lab)
{
	row(lab, 0)->allowed = 1 << BCS;
	happens(lab, 60, on_nothing);
}

static void
run_the_ended(struct lab *lab)
{
	row(lab, 0)->seq = 0;
	happens(lab, 60, on_nothing);
}

static void
wake_early(struct lab *lab)
{
	victim = row(lab, 1);
	happens(lab, 60, on_wake);
}

static void
wake_only_one(struct lab *lab)
{
	victim = row(lab, 0);
	happens(lab, 60, on_wake);
}

static void
begin_early(struct lab *lab)
{
	victim = row(lab, 1);
	happens(lab, 60, on_begin);
}

static void
begin_unnoted(struct lab *lab)
{
	row(lab, 1)->check.waits = NULL;
	begin_early(lab);
}

static void
end_before_others(struct lab *lab)
{
	row(lab, 0)->check.waits = row(lab, 2)->check.waits;
	row(lab, 2)->check.waits = NULL;
}

static void
run_too_long(struct lab *lab)
{
	row(lab, 0)->run_ns++;
}

static void
start_after_end(struct lab *lab)
{
	row(lab, 0)->scheduled.time = 1000 * US;
}

static void
start_before_ready(struct lab *lab)
{
	row(lab, 0)->queued.time = 1;
}

static void
ready_before_submission(struct lab *lab)
{
	row(lab, 0)->submit_ns = 1;
}

static void
raise_alone(struct lab *lab)
{
	row(lab, 0)->priority++;
}

static void
raise_too_far(struct lab *lab)
{
	row(lab, 0)->check.priority = -5;
	row(lab, 0)->priority = 7;
}

static void
go_back_a_step(struct lab *lab)
{
	lab->sim->clients[0]->pc--;
	lab->sim->clients[0]->phase = 0;
}

static const struct breakage at_events[] = {
    {"fifo", "1.RCS.100.0.0,d.300", 150, turn_back_time,
	"at 30000 ns under fifo: time went back from 100000 ns"},
    {"fifo", "1.RCS.100.0.0", 50, arm_the_past,
	"an event of 59999 ns comes late"},
    {"fifo", "1.RCS.100.0.0", 50, run_on_two,
	"client 0, step 0, iteration 0: is on BCS, and on another engine"},
    {"fifo", "1.RCS.100.0.0", 50, run_without_running,
	"is on RCS but is not running"},
    {"fifo", "1.RCS.100.0.0", 50, run_where_forbidden,
	"is on RCS, where it may not run"},
    {"fifo", "1.RCS.100.0.0", 50, run_the_ended,
	"RCS runs a request that has ended"},
    {"fifo", "1.RCS.100.0.0,2.VCS1.100.-1.0", 50, wake_early,
	"at 60000 ns under fifo: client 0, step 1, iteration 0: runs before "
	"its fences: it waits for client 0, step 0, iteration 0"},
    {"drm", "1.RCS.100.0.0,2.VCS1.100.-1.0", 50, wake_early,
	"runs before its fences"},
    {"guc", "1.RCS.100.0.0,2.VCS1.100.-1.0", 50, wake_early,
	"runs before its fences"},
    {"execlists", "M.2.VCS,B.2,1.RCS.100.0.0,2.VCS.100.-1.0", 50, wake_early,
	"runs before its fences"},
    {"execlists", "1.RCS.100.0.0,2.VCS1.100.-1.0", 50, begin_early,
	"runs before its fences"},
    {"fifo", "f,1.RCS.10.f-1.0,d.100", 50, wake_only_one,
	"runs before its fences: a software fence has not signalled"},
    {"execlists", "1.RCS.100.0.0,2.VCS1.100.-1.0", 50, begin_unnoted,
	"step 1, iteration 0: runs with waits that are not over"},
    {"fifo", "1.RCS.100.0.0,2.VCS1.100.0.0,3.VCS2.10.-1.0", 50,
	end_before_others, "step 0, iteration 0: ends before its fences"},
    {"fifo", "1.RCS.100.0.0", 50, run_too_long,
	"ran for longer than from its start to its end"},
    {"fifo", "1.RCS.100.0.0", 50, start_after_end, "ends before its start"},
    {"fifo", "1.RCS.100.0.0", 50, start_before_ready,
	"started before it was ready"},
    {"fifo", "1.RCS.100.0.0", 50, ready_before_submission,
	"was ready before its submission"},
    {"fifo", "1.RCS.100.0.0", 50, raise_alone,
	"has priority 1 and inherited no more than 0"},
    {"execlists", "1.RCS.100.0.0,d.80,2.BCS.10.-2.0", 50, raise_too_far,
	"has priority 7 and not that of what waits for it, 0"},
    {"fifo", "f,d.50,a.-2", 20, go_back_a_step,
	"client 0 makes fence 0 anew, which has not signalled"},
};

/* When an instant is over. */

static void
wait_once_more(struct lab *lab)
{
	row(lab, 1)->n_waits++;
}

static void
lose_blocked(struct lab *lab)
{
	row(lab, 1)->check.waits = NULL;
}

static void
block_the_ready(struct lab *lab)
{
	row(lab, 1)->queued.signalled = true;
}

static void
allow_idle(struct lab *lab)
{
	row(lab, 1)->allowed |= 1 << BCS;
}

static void
lose_running(struct lab *lab)
{
	engine(lab, RCS)->running = NULL;
}

static void
run_from_later(struct lab *lab)
{
	row(lab, 0)->piece_ns = lab->sim->now + 1;
}

static void
end_too_late(struct lab *lab)
{
	row(lab, 0)->duration_ns = 1;
}

static void
never_start(struct lab *lab)
{
	row(lab, 0)->scheduled.signalled = false;
}

static void
end_in_flight(struct lab *lab)
{
	row(lab, 0)->finished.signalled = true;
}

static void
keep_the_ended(struct lab *lab)
{
	row(lab, 1)->state = REQUEST_ENDED;
}

static void
part_rows(struct lab *lab)
{
	row(lab, 1)->state = REQUEST_READY;
}

static void
count_submitted(struct lab *lab)
{
	lab->sim->n_submitted++;
}

static void
count_ended(struct lab *lab)
{
	lab->sim->n_ended_requests++;
}

static void
forget_to_join(struct lab *lab)
{
	lab->sim->ready_first = row(lab, 1);
}

static void
arm_free_engine(struct lab *lab)
{
	engine(lab, BCS)->event.seq = 1;
}

static void
lose_end(struct lab *lab)
{
	event_disarm(&engine(lab, RCS)->event);
}

static void
reset_for_ever(struct lab *lab)
{
	engine(lab, BCS)->resetting = true;
}

static void
lose_queued(struct lab *lab)
{
	engine(lab, RCS)->queued--;
}

static void
wait_while_busy(struct lab *lab)
{
	engine(lab, RCS)->waiting_ns++;
}

static void
count_batch(struct lab *lab)
{
	engine(lab, RCS)->batches++;
}

static void
use_more(struct lab *lab)
{
	row(lab, 0)->context->busy_ns++;
	row(lab, 0)->client->busy_ns++;
}

static void
fill_ring(struct lab *lab)
{
	row(lab, 0)->ring->in_flight++;
}

static void
lose_last(struct lab *lab)
{
	row(lab, 0)->ring->last.seq = 0;
}

static void
swap_on_ring(struct lab *lab)
{
	row(lab, 0)->seq = 2;
}

static void
stray_from_ring(struct lab *lab)
{
	row(lab, 0)->ring = row(lab, 1)->ring;
}

static void
fill_context(struct lab *lab)
{
	row(lab, 0)->context->in_flight++;
}

static void
fill_client(struct lab *lab)
{
	row(lab, 0)->client->in_flight++;
}

static void
complete_early(struct lab *lab)
{
	lab->sim->clients[0]->completed++;
}

static void
lose_timer(struct lab *lab)
{
	event_disarm(&lab->sim->clients[0]->timer);
}

static void
lose_client(struct lab *lab)
{
	lab->sim->clients[0]->n_waits++;
}

static void
end_client(struct lab *lab)
{
	lab->sim->clients[0]->state = CLIENT_ENDED;
}

static void
fill_no_ring(struct lab *lab)
{
	lab->sim->clients[0]->state = CLIENT_RING_FULL;
}

static void
forget_turn(struct lab *lab)
{
	lab->sim->clients[0]->state = CLIENT_RUNNABLE;
}

/* The schedulers' own. */

static void
come_later(struct lab *lab)
{
	row(lab, 1)->queued.time++;
}

static void
leave_level(struct lab *lab)
{
	struct execlists *x = lab->sim->sched_data;

	priolist_remove(&x->ports[RCS].waiting, row(lab, 1)->places);
}

static void
swap_in_level(struct lab *lab)
{
	row(lab, 1)->level_ns++;
}

static void
mistake_level(struct lab *lab)
{
	row(lab, 1)->places->priority = 3;
}

static void
forget_engine(struct lab *lab)
{
	struct execlists *x = lab->sim->sched_data;

	x->waited_for = 0;
}

static struct guc_queue *
queue(const struct lab *lab, size_t i)
{
	return row(lab, i)->ring->sched_data;
}

static void
change_place(struct lab *lab)
{
	queue(lab, 1)->place++;
}

static void
stand_aside(struct lab *lab)
{
	queue(lab, 1)->stands = NULL;
}

static void
change_band(struct lab *lab)
{
	queue(lab, 0)->band = 1;
}

static void
lose_owner(struct lab *lab)
{
	struct guc *guc = lab->sim->sched_data;

	guc->owned = 0;
}

static void
change_owner(struct lab *lab)
{
	struct guc *guc = lab->sim->sched_data;

	guc->engines[RCS].owner = queue(lab, 1);
}

static void
hand_over_twice(struct lab *lab)
{
	queue(lab, 0)->n_ready++;
}

static void
stop_between(struct lab *lab)
{
	struct guc *guc = lab->sim->sched_data;

	guc->between = 1 << RCS;
}

#define ONE      "1.RCS.100.0.0"
#define TWO      "1.RCS.100.0.0,2.RCS.100.0.0"
#define ON_RING  "1.RCS.100.0.0,1.RCS.100.0.0"
#define BLOCKED  "1.RCS.100.0.0,2.VCS1.100.-1.0"
#define PARALLEL "G.1.VCS1/VCS2,1.DEFAULT.100.0.0"

static const struct breakage at_instants[] = {
    {"fifo", BLOCKED, 50, wait_once_more,
	"client 0, step 1, iteration 0: is blocked with 2 waits, of which 1 "
	"will be over"},
    {"fifo", BLOCKED, 50, lose_blocked,
	"step 1, iteration 0: is lost: blocked, and all that it waits for is "
	"over"},
    {"fifo", BLOCKED, 50, block_the_ready, "is blocked, but was ready"},
    {"fifo", TWO, 50, wait_once_more, "is ready with waits"},
    {"fifo", TWO, 50, allow_idle, "is ready and may run on BCS, which is idle"},
    {"guc", TWO, 50, allow_idle, "is ready and may run on BCS, which is idle"},
    {"fifo", ONE, 50, lose_running,
	"is lost: running, and no engine knows of it"},
    {"fifo", ONE, 50, run_from_later, "runs since 50001 ns"},
    {"fifo", ONE, 50, end_too_late, "runs for more than its duration"},
    {"fifo", ONE, 50, never_start,
	"has started, and its fence does not say so"},
    {"fifo", ONE, 50, end_in_flight, "is in flight, but has ended"},
    {"fifo", TWO, 50, keep_the_ended, "has ended and is not released"},
    {"guc", PARALLEL, 50, part_rows, "row 1 is not where the first is"},
    {"fifo", ONE, 50, raise_alone,
	"has priority 1 and inherited no more than 0"},
    {"fifo", ONE, 50, count_submitted,
	"requests submitted: 2 counted, 1 found"},
    {"fifo", ONE, 50, count_ended,
	"requests that have ended: 1 counted, 0 found"},
    {"fifo", TWO, 50, forget_to_join, "was found ready and has not joined"},
    {"fifo", ONE, 50, arm_free_engine,
	"BCS is free, and something is to happen there"},
    {"fifo", ONE, 50, lose_end, "is on RCS and will never end"},
    {"execlists", BLOCKED, 50, lose_blocked, "polls on VCS1 for nothing"},
    {"fifo", ONE, 50, reset_for_ever, "BCS is reset without an end"},
    {"fifo", TWO, 50, lose_queued,
	"RCS has 0 queued and 0 blocked, 1 and 0 found"},
    {"fifo", ONE, 50, wait_while_busy, "RCS was busy and waiting for 50001 ns"},
    {"fifo", ONE, 50, count_batch,
	"batches of all engines: 1 counted, 0 found"},
    {"fifo", ONE, 50, use_more,
	"busy time of engines, and of contexts: 0 counted, 1 found"},
    {"fifo", ONE, 50, fill_ring, "client 0: a ring with 2 in flight, 1 found"},
    {"fifo", ONE, 50, lose_last, "is not the last of its ring"},
    {"fifo", ON_RING, 50, swap_on_ring, "is behind a later one"},
    {"fifo", TWO, 50, stray_from_ring,
	"a ring holds a request that is none of its own"},
    {"fifo", ONE, 50, fill_context,
	"client 0: context 0 has 2 in flight, 1 found"},
    {"fifo", ONE, 50, fill_client,
	"client 0: its contexts do not add up to it"},
    {"fifo", "1.RCS.10.0.1,d.100", 50, complete_early,
	"client 0 has completed iterations before walking them"},
    {"fifo", "d.100", 50, lose_timer,
	"client 0 is lost: sleeping at step 0, 0 in flight"},
    {"fifo", "1.RCS.100.0.1", 50, lose_client,
	"client 0 has 2 waits, of which 1 will be over"},
    {"fifo", ONE, 50, end_client, "client 0 is lost: ended"},
    {"fifo", ONE, 50, fill_no_ring, "client 0 is lost: ring full"},
    {"fifo", ONE, 50, forget_turn, "client 0 is lost: runnable"},

    {"fifo", TWO, 50, come_later,
	"stands in the queue of RCS as ready at 0 ns"},
    {"execlists", TWO, 50, leave_level,
	"1 requests wait for RCS, and 0 are in its queue"},
    {"execlists", TWO ",3.RCS.100.0.0", 50, swap_in_level,
	"stands behind a later one on RCS"},
    {"execlists", TWO, 50, mistake_level, "stands in the wrong list of RCS: 0"},
    {"execlists", TWO, 50, forget_engine,
	"execlists has forgotten who waits for RCS"},
    {"guc", TWO, 50, change_place,
	"its queue stands wrongly in the line of RCS"},
    {"guc", TWO, 50, stand_aside, "its queue does not wait where it should"},
    {"guc", ONE, 50, change_band, "its queue is in band 1, and it in 0"},
    {"guc", ONE, 50, lose_owner, "GuC has forgotten who has RCS"},
    {"guc", TWO, 50, change_owner,
	"RCS runs what is not of the queue that is on it"},
    {"guc", ONE, 50, hand_over_twice, "its queue has 2 handed over, 1 found"},
    {"guc", ONE, 50, stop_between,
	"GuC has something left to do when an instant is over"},
};

/* In a child: runs, corrupts, and looks at once or goes on. */
static void
break_it(const struct breakage *b, bool at_once)
{
	struct lab lab;

	alarm(60);
	lab_init(&lab, b->sched);
	lab_add(&lab, b->text, 1,
	    (struct client_options){.repeat = at_once ? 1 : 2});
	sim_run(lab.sim, b->until_us * US, 0);
	invariants_check(lab.sim);
	b->corrupt(&lab);
	if (at_once)
		invariants_check(lab.sim);
	else
		sim_run(lab.sim, NSEC_NEVER, 0);
}

/* What the child says before it dies; aborted: of SIGABRT. */
static char *
read_all(int fd)
{
	static char said[4096];
	size_t n = 0;
	ssize_t got;

	while ((got = read(fd, said + n, sizeof said - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	return said;
}

static unsigned
expect_abort(const struct breakage *b, bool at_once)
{
	int ends[2], status;
	const char *said;
	pid_t child;

	assert_int_equal(pipe(ends), 0);
	child = fork();
	assert_true(child >= 0);
	if (child == 0) {
		signal(SIGABRT, SIG_DFL); /* not cmocka's */
		dup2(ends[1], STDERR_FILENO);
		close(ends[0]);
		close(ends[1]);
		break_it(b, at_once);
		_exit(2);
	}
	close(ends[1]);
	said = read_all(ends[0]);
	close(ends[0]);
	assert_int_equal(waitpid(child, &status, 0), child);
	if (WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT &&
	    strstr(said, b->expected) != NULL)
		return 0;
	fprintf(stderr, "%s, '%s': expected '%s', status %#x, said: %s\n",
	    b->sched, b->text, b->expected, (unsigned)status, said);
	return 1;
}

static void
test_at_events(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof at_events / sizeof *at_events; i++)
		wrong += expect_abort(&at_events[i], false);
	assert_int_equal(wrong, 0);
}

static void
test_at_instants(void **state)
{
	unsigned wrong = 0;

	(void)state;
	for (size_t i = 0; i < sizeof at_instants / sizeof *at_instants; i++)
		wrong += expect_abort(&at_instants[i], true);
	assert_int_equal(wrong, 0);
}

#else

static void
not_here(void **state)
{
	(void)state;
	print_message("invariants are in builds with SAN=1 or DEBUG=1\n");
	skip();
}

#define test_at_events   not_here
#define test_at_instants not_here

#endif

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_at_events),
	    cmocka_unit_test(test_at_instants),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
