/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The pace of a session on a GPU: the record runs up to the clock, never beyond
 * it, whenever the GPU has news or a client's timer is due. Where the session
 * ends before its batches do, these are ended.
 */
#include "run/live/gpu.h"

#include "base/units.h"
#include "run/live/session.h"
#include "run/plan.h"

/* Longest wait for batches in flight. */
#define SETTLE_NS (100 * NSEC_PER_MSEC)
/* Events of the record between two looks at the keyboard. */
#define GPU_SLICE_EVENTS 20000

bool
session_is_on_gpu(const struct session *s)
{
	return s->run.record != NULL;
}

unsigned
gpu_poll(const struct session *s, struct pollfd *fds, nsec *next)
{
	if (!session_moves(s))
		return 0;
	*next = run_gpu_due(&s->run, s->limit);
	*fds = (struct pollfd){.fd = run_gpu_fd(&s->run), .events = POLLIN};
	return 1;
}

/* Lets no batch of a run that has ended occupy the GPU. */
static void
end_what_is_left(struct session *s)
{
	if (!session_moves(s) && !run_gpu_is_idle(&s->run))
		run_end_gpu_batches(&s->run);
}

void
gpu_advance(struct session *s)
{
	struct sim *sim = s->run.sim;
	nsec now = nsec_earlier(run_look_at_gpu(&s->run), s->limit);

	baseline_before(s);
	s->behind = sim_go(sim, now, GPU_SLICE_EVENTS) != SIM_ENDED &&
	    sim->now < now;
	baseline_after(s);
	end_what_is_left(s);
}

void
session_settle_gpu(struct session *s)
{
	nsec end = clock_wall() + SETTLE_NS, now;

	if (!session_is_on_gpu(s) || !session_moves(s))
		return;
	run_hold_gpu(&s->run, true);
	do {
		gpu_advance(s);
		now = s->run.sim->now;
		if (!session_moves(s) || run_gpu_is_idle(&s->run))
			break;
		run_wait_for_gpu(&s->run, now, now + NSEC_PER_MSEC);
	} while (clock_wall() < end);
}

void
gpu_follow(struct session *s)
{
	if (session_is_on_gpu(s))
		run_hold_gpu(&s->run, s->clock.paused);
}
