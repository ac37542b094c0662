/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/fake_gpu.h"

#include <stdlib.h>
#include <string.h>

#include "engine/client/client.h"
#include "tests/runner/test.h"

static struct fake_gpu *
gpu_of(struct followed *device)
{
	return (struct fake_gpu *)(void *)device;
}

static void
add_asked(struct fake_gpu *gpu, const char *what, uint64_t number)
{
	text_addf(&gpu->asked, "%s%s %llu", gpu->asked.len > 0 ? ", " : "",
	    what, (unsigned long long)number);
}

static void
note_request(struct followed *device, struct request *rq,
    const struct submission *s, const struct dependency *deps, size_t n)
{
	struct fake_gpu *gpu = gpu_of(device);

	assert_ptr_equal(s->ring, rq->ring);
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(follow_data(deps[i].signaler), gpu);
	for (; rq != NULL; rq = rq->next_row) {
		assert_true(rq->seq <= FAKE_MAX_REQUESTS);
		gpu->requests[rq->seq - 1] = request_ref(rq);
		follow_set_data(rq, gpu);
		gpu->n_noted++;
	}
}

static int
submit_request(struct followed *device, struct request *rq, nsec *time_ns)
{
	struct fake_gpu *gpu = gpu_of(device);
	int fails = gpu->fails;

	gpu->fails = 0;
	add_asked(gpu, fails == 0 ? "submit" : "refuse", rq->seq - 1);
	*time_ns += gpu->submit_us * NSEC_PER_USEC;
	return fails;
}

static void
end_request(struct followed *device, struct request *rq)
{
	add_asked(gpu_of(device), "end", rq->seq - 1);
}

static void
forget_request(struct followed *device, struct request *rq)
{
	for (; rq != NULL; rq = rq->next_row) {
		assert_ptr_equal(follow_data(rq), device);
		gpu_of(device)->n_forgotten++;
	}
}

static void
kill_client(struct followed *device, struct client *c)
{
	add_asked(gpu_of(device), "kill", c->id);
}

static void
open_contexts(struct followed *device, struct client *c)
{
	add_asked(gpu_of(device), "contexts", c->id);
	for (uint32_t i = 0; i < c->n_contexts; i++)
		c->contexts[i]->device = device;
	for (uint32_t i = 0; i < c->n_rings; i++)
		c->rings[i]->sched_data = device;
}

static void
close_ring(struct followed *device, struct ring *ring)
{
	assert_ptr_equal(ring->sched_data, device);
	ring->sched_data = NULL;
}

static const struct followed_ops fake_gpu_ops = {
    .contexts = open_contexts,
    .note = note_request,
    .submit = submit_request,
    .end = end_request,
    .forget = forget_request,
    .killed = kill_client,
    .ring_closed = close_ring,
};

void
fake_gpu_init(struct fake_gpu *gpu)
{
	memset(gpu, 0, sizeof *gpu);
	gpu->followed.ops = &fake_gpu_ops;
	lab_init(&gpu->lab, "fifo");
	gpu->lab.config.sched = &sched_follow;
}

void
fake_gpu_free(struct fake_gpu *gpu)
{
	lab_free(&gpu->lab);
	text_free(&gpu->asked);
}

void
fake_gpu_add(struct fake_gpu *gpu, const char *descriptor, uint64_t repeat)
{
	if (gpu->lab.sim == NULL) {
		lab_open(&gpu->lab);
		follow_device(gpu->lab.sim, &gpu->followed);
	}
	lab_add(&gpu->lab, descriptor, 1,
	    (struct client_options){.repeat = repeat});
}

static nsec
ns_of(double us)
{
	return (nsec)(us * 1e3 + 0.5);
}

void
fake_started(struct fake_gpu *gpu, unsigned rq, const char *engine, double us)
{
	struct device *dev = &gpu->lab.sim->device;

	for (unsigned i = 0; i < dev->n_engines; i++) {
		if (strcmp(dev->engines[i].name, engine) == 0) {
			follow_started(gpu->lab.sim, gpu->requests[rq],
			    &dev->engines[i], ns_of(us));
			return;
		}
	}
	fail_msg("no engine %s", engine);
}

void
fake_ran(struct fake_gpu *gpu, unsigned rq, double us)
{
	follow_ran(gpu->lab.sim, gpu->requests[rq], NULL, ns_of(us));
}

void
fake_ended(struct fake_gpu *gpu, unsigned rq, double us, int error)
{
	follow_ended(gpu->lab.sim, gpu->requests[rq], ns_of(us), error);
}

void
fake_run(struct fake_gpu *gpu, double us, const char *asked)
{
	sim_run(gpu->lab.sim, ns_of(us), 0);
	assert_string_equal(text_str(&gpu->asked), asked);
	text_clear(&gpu->asked);
}

void
fake_expect(const struct fake_gpu *gpu, const char *rows)
{
	char *text = lab_rows_text(&gpu->lab, LAB_ROWS);

	assert_string_equal(text, rows);
	free(text);
}
