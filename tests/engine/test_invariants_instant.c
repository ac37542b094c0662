/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Each invariant that is looked at when an instant is over
 * (engine/invariants/invariants.h) can be broken, and says so. */
#include <stddef.h>
#include <stdint.h>

#include "engine/sched/execlists.h"
#include "engine/sched/guc.h"
#include "tests/runner/test.h"
#include "tests/support/breakage.h"

#ifdef GPUWL_INVARIANTS

static void
wait_once_more(struct lab *lab)
{
	breakage_row(lab, 1)->n_waits++;
}

static void
lose_blocked(struct lab *lab)
{
	breakage_row(lab, 1)->check.waits = NULL;
}

static void
block_the_ready(struct lab *lab)
{
	breakage_row(lab, 1)->queued.signalled = true;
}

static void
allow_idle(struct lab *lab)
{
	breakage_row(lab, 1)->allowed |= 1 << BCS;
}

static void
lose_running(struct lab *lab)
{
	breakage_engine(lab, RCS)->running = NULL;
}

static void
run_from_later(struct lab *lab)
{
	breakage_row(lab, 0)->piece_ns = lab->sim->now + 1;
}

static void
end_too_late(struct lab *lab)
{
	breakage_row(lab, 0)->duration_ns = 1;
}

static void
never_start(struct lab *lab)
{
	breakage_row(lab, 0)->scheduled.signalled = false;
}

static void
end_in_flight(struct lab *lab)
{
	breakage_row(lab, 0)->finished.signalled = true;
}

static void
keep_the_ended(struct lab *lab)
{
	breakage_row(lab, 1)->state = REQUEST_ENDED;
}

static void
part_rows(struct lab *lab)
{
	breakage_row(lab, 1)->state = REQUEST_READY;
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
forget_to_enqueue(struct lab *lab)
{
	lab->sim->ready_first = breakage_row(lab, 1);
}

static void
arm_free_engine(struct lab *lab)
{
	breakage_engine(lab, BCS)->event.seq = 1;
}

static void
lose_end(struct lab *lab)
{
	event_disarm(&breakage_engine(lab, RCS)->event);
}

static void
reset_for_ever(struct lab *lab)
{
	breakage_engine(lab, BCS)->resetting = true;
}

static void
lose_queued(struct lab *lab)
{
	breakage_engine(lab, RCS)->queued--;
}

static void
wait_while_busy(struct lab *lab)
{
	breakage_engine(lab, RCS)->waiting_ns++;
}

static void
count_batch(struct lab *lab)
{
	breakage_engine(lab, RCS)->batches++;
}

static void
use_more(struct lab *lab)
{
	breakage_row(lab, 0)->context->busy_ns++;
	breakage_row(lab, 0)->client->busy_ns++;
}

static void
fill_ring(struct lab *lab)
{
	breakage_row(lab, 0)->ring->in_flight++;
}

static void
lose_last(struct lab *lab)
{
	breakage_row(lab, 0)->ring->last.seq = 0;
}

static void
swap_on_ring(struct lab *lab)
{
	breakage_row(lab, 0)->seq = 2;
}

static void
stray_from_ring(struct lab *lab)
{
	breakage_row(lab, 0)->ring = breakage_row(lab, 1)->ring;
}

static void
fill_context(struct lab *lab)
{
	breakage_row(lab, 0)->context->in_flight++;
}

static void
fill_client(struct lab *lab)
{
	breakage_row(lab, 0)->client->in_flight++;
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
	lab->sim->clients[0]->walker->n_waits++;
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
	breakage_row(lab, 1)->queued.time++;
}

static void
leave_level(struct lab *lab)
{
	struct execlists *x = lab->sim->sched_data;

	priolist_remove(&x->ports[RCS].waiting, breakage_row(lab, 1)->places);
}

static void
swap_in_level(struct lab *lab)
{
	breakage_row(lab, 1)->level_ns++;
}

static void
mistake_level(struct lab *lab)
{
	breakage_row(lab, 1)->places->priority = 3;
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
	return breakage_row(lab, i)->ring->sched_data;
}

static void
change_place(struct lab *lab)
{
	queue(lab, 1)->place++;
}

static void
stand_aside(struct lab *lab)
{
	queue(lab, 1)->waits = NULL;
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
    {"fifo", ONE, 50, breakage_raise,
	"has priority 1 and inherited no more than 0"},
    {"fifo", ONE, 50, count_submitted,
	"requests submitted: 2 counted, 1 found"},
    {"fifo", ONE, 50, count_ended,
	"requests that have ended: 1 counted, 0 found"},
    {"fifo", TWO, 50, forget_to_enqueue,
	"is ready and was not given to the scheduler"},
    {"fifo", ONE, 50, arm_free_engine, "BCS is free and has an event"},
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

    {"fifo", TWO, 50, come_later, "is in the queue of RCS as ready at 0 ns"},
    {"execlists", TWO, 50, leave_level,
	"1 requests wait for RCS, and 0 are in its queue"},
    {"execlists", TWO ",3.RCS.100.0.0", 50, swap_in_level,
	"is behind a later one on RCS"},
    {"execlists", TWO, 50, mistake_level, "is in the wrong list of RCS: 0"},
    {"execlists", TWO, 50, forget_engine,
	"execlists has lost track of what waits for RCS"},
    {"guc", TWO, 50, change_place,
	"its queue is wrongly in the wait queue of RCS"},
    {"guc", TWO, 50, stand_aside, "its queue does not wait where it should"},
    {"guc", ONE, 50, change_band, "its queue is in band 1, and it in 0"},
    {"guc", ONE, 50, lose_owner, "GuC has lost track of the owner of RCS"},
    {"guc", TWO, 50, change_owner,
	"RCS runs a request of another queue than its owner"},
    {"guc", ONE, 50, hand_over_twice, "its queue has 2 handed over, 1 found"},
    {"guc", ONE, 50, stop_between,
	"GuC has something left to do when an instant is over"},
};

TEST(at_instants)
{
	breakages_expect(
	    at_instants, sizeof at_instants / sizeof *at_instants, true);
}

#else

#define test_at_instants breakages_skip

#endif
