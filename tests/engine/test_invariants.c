/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Each invariant that is looked at whenever something happens
 * (engine/invariants/invariants.h) can be broken, and is reported. The
 * invariants of instants are in test_invariants_instant.c.
 */
#include <stddef.h>
#include <stdint.h>

#include "engine/gpu/exec.h"
#include "tests/runner/test.h"
#include "tests/support/breakage.h"

#ifdef GPUWL_INVARIANTS

#define US NSEC_PER_USEC

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
	waiter_wake(victim->waits);
}

static void
on_begin(struct sim *sim, struct event *event)
{
	(void)event;
	exec_begin(sim, victim->engine);
}

static void
happens(struct lab *lab, nsec time_us,
    void (*fire)(struct sim *sim, struct event *event))
{
	events[0].fire = fire;
	event_arm(&lab->sim->events, &events[0], time_us * US);
}

/* Mistakes, each of which breaks a rule. */

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
	breakage_engine(lab, BCS)->running = breakage_row(lab, 0);
	happens(lab, 60, on_nothing);
}

static void
run_without_running(struct lab *lab)
{
	breakage_row(lab, 0)->state = REQUEST_READY;
	happens(lab, 60, on_nothing);
}

static void
run_where_forbidden(struct lab *lab)
{
	breakage_row(lab, 0)->allowed = 1 << BCS;
	happens(lab, 60, on_nothing);
}

static void
run_the_ended(struct lab *lab)
{
	breakage_row(lab, 0)->seq = 0;
	happens(lab, 60, on_nothing);
}

static void
wake_early(struct lab *lab)
{
	victim = breakage_row(lab, 1);
	happens(lab, 60, on_wake);
}

static void
wake_only_one(struct lab *lab)
{
	victim = breakage_row(lab, 0);
	happens(lab, 60, on_wake);
}

static void
begin_early(struct lab *lab)
{
	victim = breakage_row(lab, 1);
	happens(lab, 60, on_begin);
}

static void
begin_unnoted(struct lab *lab)
{
	breakage_row(lab, 1)->check.waits = NULL;
	begin_early(lab);
}

static void
end_before_others(struct lab *lab)
{
	breakage_row(lab, 0)->check.waits = breakage_row(lab, 2)->check.waits;
	breakage_row(lab, 2)->check.waits = NULL;
}

static void
run_too_long(struct lab *lab)
{
	breakage_row(lab, 0)->run_ns++;
}

static void
start_after_end(struct lab *lab)
{
	breakage_row(lab, 0)->scheduled.time = 1000 * US;
}

static void
start_before_ready(struct lab *lab)
{
	breakage_row(lab, 0)->queued.time = 1;
}

static void
ready_before_submission(struct lab *lab)
{
	breakage_row(lab, 0)->submit_ns = 1;
}

static void
raise_too_far(struct lab *lab)
{
	breakage_row(lab, 0)->check.priority = -5;
	breakage_row(lab, 0)->priority = 7;
}

static void
go_back_a_step(struct lab *lab)
{
	lab->sim->clients[0]->walker->pc--;
	lab->sim->clients[0]->walker->phase = 0;
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
    {"fifo", "1.RCS.100.0.0", 50, breakage_raise,
	"has priority 1 and inherited no more than 0"},
    {"execlists", "1.RCS.100.0.0,d.80,2.BCS.10.-2.0", 50, raise_too_far,
	"has priority 7 and not that of what waits for it, 0"},
    {"fifo", "f,d.50,a.-2", 20, go_back_a_step,
	"client 0 resets fence 0, which has not signalled"},
};

TEST(at_events)
{
	breakages_expect(
	    at_events, sizeof at_events / sizeof *at_events, false);
}

#else

#define test_at_events breakages_skip

#endif
