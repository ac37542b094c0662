/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A service in virtual time: turns of threads, and the device between them. */
#include <signal.h>

#include "device/i915/i915.h"
#include "device/model/virtual.h"
#include "device/serve/server.h"
#include "device/service/service_private.h"
#include "device/turns/turns.h"
#include "engine/sim.h"

/* Real time after which a thread that has its turn is looked at, and that the
 * outside has to do something, in ms. */
#define LOOK_MS    50
#define OUTSIDE_MS 10
/* Real time that the device has for itself, at most, in ns, and its moves from one
 * look at the clock to the next. */
#define ALONE_NS    (20 * NSEC_PER_MSEC)
#define ALONE_MOVES 64
/* Times to serve what is there, at most, once threads have had signals. */
#define SETTLED_ROUNDS 100

static uint64_t
next_of_device(void *data)
{
	struct service *s = data;

	return virtual_next(s->device);
}

static void
advance_in_turns(void *data, uint64_t now_ns)
{
	struct service *s = data;
	const struct i915 *i915 = virtual_i915(s->device);
	uint64_t readable = i915_readable(i915);

	virtual_poke(s->device);
	virtual_advance(s->device, now_ns);
	if (i915_readable(i915) != readable)
		turns_news(s->turns);
}

/* The device has had the time for itself that it may have: signals and the end of
 * programs must be seen even if no thread ever goes on. */
static bool
pauses_in_turns(void *data)
{
	struct service *s = data;

	return ++s->n_moves % ALONE_MOVES == 0 && clock_wall() > s->alone_end;
}

static uint32_t
number_in_turns(void *data, uint32_t pid)
{
	const struct service *s = data;

	return turns_process(s->turns, (pid_t)pid);
}

void
service_begin_turns(struct service *s)
{
	const struct profile *profile = &s->sim->config.profile;
	const struct server_turns how = {
	    .next = next_of_device,
	    .advance = advance_in_turns,
	    .pauses = pauses_in_turns,
	    .now_ns = virtual_now(s->device),
	    .costs = {.submit_ns = profile->submit_ns,
		.slack_ns = profile->timer_slack_ns,
		.wakeup_ns = profile->wakeup_ns},
	};

	s->turns = server_turns(s->server, &how);
	virtual_number_processes(s->device, number_in_turns, s);
}

/* Appends why nothing goes on after real time has passed; false: it may yet. */
static bool
explain_standstill(struct service *s, enum turns_state state, struct text *why)
{
	if (state == TURNS_RUN)
		return turns_blocked(s->turns, why);
	if (state == TURNS_OUTSIDE) {
		turns_news(s->turns);
		return false;
	}
	text_adds(why, "all threads wait, and nothing can wake them: ");
	turns_explain(s->turns, why);
	return true;
}

enum service_turned
service_turn(struct service *s, struct text *why)
{
	enum turns_state state;
	uint32_t ended;

	s->alone_end = clock_wall() + ALONE_NS;
	state = turns_go(s->turns);
	ended = turns_ended(s->turns);
	if (state == TURNS_PAUSED) {
		server_wait(s->server, 0);
		return TURN_PAUSES;
	}
	if (state == TURNS_SETTLED) {
		for (int i = 0; i < SETTLED_ROUNDS; i++)
			if (!server_wait(s->server, 0))
				break;
		return TURN_PAUSES;
	}
	if (server_wait(
		s->server, state == TURNS_OUTSIDE ? OUTSIDE_MS : LOOK_MS))
		return ended != turns_ended(s->turns) ? TURN_PAUSES
						      : TURN_GOES_ON;
	return explain_standstill(s, state, why) ? TURN_STOPS : TURN_PAUSES;
}

void
service_kill(struct service *s)
{
	turns_signal(s->turns, SIGKILL);
}
