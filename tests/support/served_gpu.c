/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/served_gpu.h"

#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "device/i915/device.h"
#include "device/i915/gpu.h"
#include "device/model/virtual.h"
#include "device/service/service.h"
#include "device/wire/wire.h"
#include "tests/runner/test.h"
#include "tests/support/folder.h"

#define LONGEST (20 * NSEC_PER_SEC)

static void
note_problem(void *data, const char *line)
{
	text_addf(data, "%s\n", line);
}

int
served_enter(void **state)
{
	(void)state;
	enter_test_folder();
	use_own_devices();
	/* The preload library comes before that of the sanitizers. */
	setenv("ASAN_OPTIONS",
	    "verify_asan_link_order=0:detect_leaks=0:"
	    "handle_segv=0:handle_abort=0",
	    1);
	return 0;
}

void
served_open(struct served_gpu *g, const char *profile, nsec heartbeat)
{
	struct service_settings settings = {
	    .name = "chaos", .problem = note_problem, .data = &g->problems};
	struct profile *p = &g->lab.config.profile;
	struct text err = {0};

	memset(g, 0, sizeof *g);
	lab_init(&g->lab, "execlists");
	assert_true(profile_load(p, profile, &err));
	p->preempt_timeout_ns = p->preempt_timeout_compute_ns = 5 *
	    NSEC_PER_MSEC;
	p->heartbeat_ns = heartbeat;
	/* No watchdog ends what a program has left running. */
	p->request_timeout_ns = 1000 * NSEC_PER_SEC;
	lab_open(&g->lab);
	g->service = service_open(g->lab.sim, &settings, &err);
	if (g->service == NULL)
		fail_msg("%s", text_str(&err));
}

void
served_die(struct served_gpu *g)
{
	service_close(g->service);
	g->service = NULL;
}

void
served_close(struct served_gpu *g)
{
	served_die(g);
	lab_free(&g->lab);
	text_free(&g->problems);
	text_free(&g->library);
}

/* Finds $GPUWL_TOP, and the preload library beside it. Returns its path, to be
 * freed. */
static char *
find_program(struct served_gpu *g)
{
	char *path = realpath(test_program(), NULL);

	assert_non_null(path);
	text_clear(&g->library);
	text_add(&g->library, path, (size_t)(strrchr(path, '/') + 1 - path));
	text_adds(&g->library, "libgpuwl-i915.so");
	return path;
}

void
served_environment(struct served_gpu *g, char *env[SERVED_VARIABLES])
{
	size_t size = sizeof g->variables[0];

	free(find_program(g));
	snprintf(g->variables[0], size, "LD_PRELOAD=%s", text_str(&g->library));
	snprintf(g->variables[1], size, WIRE_SOCKET_VARIABLE "=%s",
	    service_path(g->service));
	snprintf(g->variables[2], size, WIRE_ROOT_VARIABLE "=%s",
	    service_root(g->service));
	for (size_t i = 0; i < SERVED_VARIABLES; i++)
		env[i] = g->variables[i];
}

void
served_start(struct served_gpu *g, struct launched *p, const char *const *argv,
    int output)
{
	char *path = find_program(g);
	struct text err = {0};
	struct launch how = {.path = path,
	    .argv = (char *const *)(uintptr_t)argv,
	    .socket = service_path(g->service),
	    .root = service_root(g->service),
	    .output = output,
	    .apart = true};

	how.library = text_str(&g->library);
	if (!launch_start(p, &how, &err))
		fail_msg("%s", text_str(&err));
	free(path);
}

/* Waits for a call, an event of the GPU, or others. False: none came. */
static bool
wait_for_any(struct served_gpu *g, const int others[2], nsec longest)
{
	struct pollfd fds[] = {{.fd = -1, .events = POLLIN},
	    {.fd = others[0], .events = POLLIN},
	    {.fd = others[1], .events = POLLIN}};
	nsec now = clock_wall(), next = nsec_after(now, longest), due;
	struct timespec t;

	if (g->service != NULL) {
		fds[0].fd = service_fd(g->service);
		next = nsec_earlier(next, service_next(g->service));
	}
	due = next > now ? next - now : 0;
	t = (struct timespec){
	    (time_t)(due / NSEC_PER_SEC), (long)(due % NSEC_PER_SEC)};
	return ppoll(fds, 3, &t, NULL) > 0 || due < longest;
}

bool
served_turn_beside(struct served_gpu *g, const int fds[2], nsec longest)
{
	bool came = wait_for_any(g, fds, longest);

	if (g->service != NULL)
		service_work(g->service, 1);
	return came;
}

bool
served_turn(struct served_gpu *g, const struct launched *p)
{
	const int fds[] = {p != NULL && p->pid != 0 ? p->pidfd : -1, -1};

	return served_turn_beside(g, fds, LONGEST);
}

void
served_rest(struct served_gpu *g)
{
	struct pollfd fd = {.fd = service_fd(g->service), .events = POLLIN};

	for (int i = 0; i < 200 &&
	     (service_next(g->service) != NSEC_NEVER || poll(&fd, 1, 0) > 0);
	     i++)
		served_turn(g, NULL);
}

bool
served_until_end(struct served_gpu *g, struct launched *p, int *status)
{
	nsec end = nsec_after(clock_wall(), LONGEST);

	while (!launch_ended(p, status)) {
		served_turn(g, p);
		if (clock_wall() < end)
			continue;
		launch_signal(p, SIGKILL);
		while (!launch_ended(p, status))
			served_turn(g, p);
		return false;
	}
	return true;
}

static unsigned
count_objects(const struct i915 *dev)
{
	unsigned n = 0;

	for (size_t i = 0; i < dev->offsets.n; i++)
		n += dev->offsets.items[i] != NULL;
	return n;
}

static unsigned
count_in_flight(const struct sim *sim)
{
	unsigned n = 0;

	for (size_t i = 0; i < sim->n_clients; i++)
		n += sim->clients[i]->in_flight;
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		n += sim->device.engines[i].running != NULL;
	return n;
}

const char *
served_left(struct served_gpu *g)
{
	static char left[160];
	const struct i915 *dev = virtual_i915(service_device(g->service));
	nsec end = nsec_after(clock_wall(), LONGEST);

	do {
		size_t threads = service_connections(g->service);
		unsigned objects = count_objects(dev),
			 running = count_in_flight(g->lab.sim);

		if (threads == 0 && dev->programs.n == 0 &&
		    dev->marked.n == 0 && dev->requests.n == 0 &&
		    objects == 0 && running == 0)
			return "";
		snprintf(left, sizeof left,
		    "%zu threads, %zu programs, %zu files and fences, "
		    "%zu requests, %u objects, %u batches",
		    threads, dev->programs.n, dev->marked.n, dev->requests.n,
		    objects, running);
	} while (served_turn(g, NULL) && clock_wall() < end);
	return left;
}

void
served_wedge(struct served_gpu *g, bool wedged)
{
	struct i915 *dev = virtual_i915(service_device(g->service));

	dev->resets = wedged ? 0 : 3;
	i915_hang_handle(dev);
}

void
served_reset(struct served_gpu *g)
{
	struct i915 *dev = virtual_i915(service_device(g->service));

	dev->gpu->ops->reset(dev->gpu, UINT64_MAX);
}
