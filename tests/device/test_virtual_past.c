/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A device that serves for a long time: programs and contexts that are over
 * become sums (doc/model/outside.md "Past contexts and clients"), so that its
 * memory stays as it is.
 */
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/region.h"
#include "base/text.h"
#include "device/service/runs.h"
#include "engine/client/outside.h"
#include "engine/sim.h"
#include "tests/runner/test.h"
#include "tests/support/device_rig.h"

#define PROGRAMS 10000
#define CONTEXTS 3000
#define REQUESTS 8000
/* Batches that a program does not wait for one by one. */
#define AT_A_TIME       20
#define BYTES_IN_FLIGHT 1024
/* An id, and blocks of sizes that are free. */
#define BYTES_EACH 16

static const char *const schedulers[] = {"fifo", "execlists", "drm", "guc"};
#define N_SCHEDULERS (sizeof schedulers / sizeof *schedulers)

/* Makes a context, submits a batch of 2 us, and waits for it. */
static void
use_context(struct rig *b, nsec *now)
{
	struct drm_i915_gem_context_destroy old = {
	    .ctx_id = uapi_context(&b->lab, b->fd)};
	struct code c = rig_wsim(b, 2, false);
	struct drm_gem_close gone = {.handle = c.handle};

	assert_int_equal(rig_submit(b, &c, old.ctx_id, RENDER), 0);
	rig_run_to(b, *now += 4);
	assert_int_equal(uapi_ioctl(&b->lab, b->fd,
			     DRM_IOCTL_I915_GEM_CONTEXT_DESTROY, &old),
	    0);
	assert_int_equal(
	    uapi_ioctl(&b->lab, b->fd, DRM_IOCTL_GEM_CLOSE, &gone), 0);
}

/* Program number n comes, submits and goes. */
static void
run_program(struct rig *b, uint32_t n, nsec *now)
{
	size_t n_fds = b->lab.n_fds;
	int fd = b->fd;

	b->lab.threads[0].caller.pid = 10000 + n;
	b->fd = uapi_open(&b->lab, 0, "dev/dri/renderD128");
	assert_true(b->fd >= 0);
	use_context(b, now);
	uapi_close(&b->lab, b->fd);
	b->fd = fd;
	b->lab.n_fds = n_fds;
	rig_run_to(b, *now += 4);
}

/* The first and the latest clients that have not become sums. */
static void
expect_clients(const struct sim *sim)
{
	size_t n = 0;

	assert_int_equal(sim->n_clients, PROGRAMS);
	for (size_t i = 0; i < sim->n_clients; i++)
		n += sim->clients[i]->id == i;
	assert_int_equal(n, PAST_CLIENTS + 1);
	assert_int_equal(sim->outsiders.past.n_summed, PROGRAMS - n);
	assert_int_equal(sim->clients[PROGRAMS - 1]->id, PROGRAMS - 1);
	assert_int_equal(sim->clients[PROGRAMS - 1]->pid, 10000 + PROGRAMS - 1);
	assert_int_equal(sim->clients[PROGRAMS - 1]->batches, 1);
	assert_int_equal(sim->clients[0]->state, CLIENT_ENDED);
	assert_int_equal(sim->clients[0]->n_contexts, 0);
}

/* Nothing is lost from totals. */
static void
expect_sums(const struct sim *sim, uint64_t batches)
{
	struct histogram times = {0};

	histogram_merge(&times, &sim->outsiders.past.sums->times);
	for (size_t i = 0; i < sim->n_clients; i++)
		client_add_times(sim->clients[i], &times);
	assert_int_equal(histogram_n(&times, LATENCY), batches);
	histogram_free(&times);
}

TEST(programs_come_and_go)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		const struct sim *sim = b->model.sim;
		size_t used = 0;
		nsec now = 0;

		for (uint32_t n = 0; n < PROGRAMS; n++) {
			if (n == PAST_CLIENTS + 100)
				used = region_used(sim->region);
			run_program(b, n, &now);
		}
		expect_clients(sim);
		expect_sums(sim, PROGRAMS);
		assert_in_range(region_used(sim->region), used,
		    used + (PROGRAMS - PAST_CLIENTS) * BYTES_EACH);
		rig_finish(b);
	}
}

/* A process that starts programs hears of those that became sums, too. */
TEST(a_summary_has_all_programs)
{
	enum { MINE = PAST_CLIENTS + 20 };
	struct rig *b = rig_start("fifo");
	struct text lines = {0};
	struct runs runs = {0};
	size_t n_lines = 0;
	nsec now = 0;

	runs_begin(&runs, b->model.sim);
	runs_join(&runs, 1);
	runs_join(&runs, 2);
	for (uint32_t n = 0; n < MINE + 3; n++) {
		runs_add_program(&runs, n < MINE ? 1 : 2, 10000 + n);
		run_program(b, n, &now);
	}
	runs_summary(&runs, 2, &lines);
	assert_null(strstr(text_str(&lines), "other"));
	text_clear(&lines);
	runs_summary(&runs, 1, &lines);
	/* One client is still open: the latest have a line each. */
	assert_ptr_equal(strstr(text_str(&lines),
			     "22 other programs, which ended before: 22 "
			     "batches\n"),
	    text_str(&lines));
	for (const char *s = text_str(&lines); (s = strchr(s, '\n')) != NULL;
	     s++)
		n_lines++;
	assert_int_equal(n_lines, 1 + MINE - 22);
	text_free(&lines);
	runs_end(&runs);
	rig_finish(b);
}

/* The contexts of one program, of which the device uses the ids again. */
TEST(contexts_come_and_go)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		const struct sim *sim = b->model.sim;
		const struct client *c;
		uint64_t kept;
		size_t used = 0;
		nsec now = 0;

		for (uint32_t n = 0; n < CONTEXTS; n++) {
			if (n == CONTEXTS / 2)
				used = region_used(sim->region);
			use_context(b, &now);
		}
		c = sim->clients[0];
		assert_int_equal(c->batches, CONTEXTS);
		assert_in_range(
		    c->n_contexts, PAST_CONTEXTS, PAST_CONTEXTS + 3);
		kept = 0;
		for (uint32_t j = 0; j < c->n_contexts; j++)
			kept += c->contexts[j]->batches;
		assert_int_equal(client_past(c)->batches + kept, CONTEXTS);
		expect_sums(sim, CONTEXTS);
		assert_int_equal(region_used(sim->region), used);
		rig_finish(b);
	}
}

/* A program with many contexts comes, uses them, and goes without destroying
 * any. */
static void
leave_contexts(struct rig *b, uint32_t pid, unsigned n, nsec *now)
{
	size_t n_fds = b->lab.n_fds;
	int fd = b->fd;

	b->lab.threads[0].caller.pid = pid;
	b->fd = uapi_open(&b->lab, 0, "dev/dri/renderD128");
	for (unsigned i = 0; i < n; i++) {
		uint32_t context = uapi_context(&b->lab, b->fd);
		struct code c = rig_wsim(b, 2, false);

		assert_int_equal(rig_submit(b, &c, context, RENDER), 0);
		rig_run_to(b, *now += 4);
	}
	uapi_close(&b->lab, b->fd);
	b->fd = fd;
	b->lab.n_fds = n_fds;
	rig_run_to(b, *now += 4);
}

TEST(contexts_of_programs_that_ended)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		const struct sim *sim = b->model.sim;
		const struct client *c;
		nsec now = 0;

		leave_contexts(b, 20000, 500, &now);
		c = sim->clients[0];
		assert_int_equal(c->pid, 20000);
		assert_int_equal(c->state, CLIENT_ENDED);
		leave_contexts(b, 20001, 1, &now);
		assert_int_equal(c->n_contexts, PAST_CONTEXTS);
		for (uint32_t k = 0; k < PAST_CONTEXTS; k++)
			assert_int_equal(c->contexts[k]->index, k);
		assert_int_equal(client_past(c)->batches, 500 - PAST_CONTEXTS);
		expect_sums(sim, 501);
		rig_finish(b);
	}
}

/* Submits batches, each after the fence of the one before, on two engines and with
 * an object, and waits for them. */
static void
submit_some(struct rig *b, const struct code *c, uint32_t data, nsec *now)
{
	size_t n_fds = b->lab.n_fds;
	int fence = -1;

	for (unsigned i = 0; i < AT_A_TIME; i++) {
		int next = rig_submit_with(b, c, 0,
		    (i % 2 == 0 ? RENDER : BLIT) | I915_EXEC_FENCE_OUT |
			(fence >= 0 ? I915_EXEC_FENCE_IN : 0),
		    fence, data, i % 3 == 0);

		assert_true(next >= 0);
		if (fence >= 0)
			uapi_close(&b->lab, fence);
		fence = next;
	}
	uapi_close(&b->lab, fence);
	b->lab.n_fds = n_fds;
	rig_run_to(b, *now += 4 * AT_A_TIME);
}

/* The batches of one program, which submits for hours. */
TEST(requests_come_and_go)
{
	for (size_t i = 0; i < N_SCHEDULERS; i++) {
		struct rig *b = rig_start(schedulers[i]);
		const struct sim *sim = b->model.sim;
		struct code c = rig_wsim(b, 2, false);
		uint32_t data = rig_code(b).handle;
		size_t used = 0;
		nsec now = 0;

		for (uint32_t n = 0; n < REQUESTS; n += AT_A_TIME) {
			if (n == REQUESTS / 4)
				used = region_used(sim->region);
			submit_some(b, &c, data, &now);
		}
		assert_int_equal(sim->n_ended_requests, REQUESTS);
		/* One more of some kind may be in flight at once. */
		assert_in_range(
		    region_used(sim->region), used, used + BYTES_IN_FLIGHT);
		rig_finish(b);
	}
}
