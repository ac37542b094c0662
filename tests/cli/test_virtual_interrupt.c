/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A signal ends gpuwl-run --virtual-time while the device is on its own: the
 * threads of the program wait, and batches without end take turns for ever. The
 * status names the signal, and the outputs are whole. Such a run once heeded no
 * signal but KILL.
 */
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <time.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

/* Two contexts whose timeslices end every ms of virtual time; the client waits
 * for the first. */
#define ENDLESS "1.RCS.*.0.0,2.RCS.*.0.0,s.-1"
/* Ticks of CPU time, far more than it takes to start a program. */
#define AT_WORK 30

/* Returns the CPU time of a process in ticks. */
static unsigned long
cpu_time_of(pid_t pid)
{
	char path[64];
	unsigned long user = 0, system = 0;
	FILE *f;

	snprintf(path, sizeof(path), "/proc/%d/stat", (int)pid);
	f = fopen(path, "r");
	assert_non_null(f);
	assert_int_equal(fscanf(f,
			     "%*d (%*[^)]) %*c %*d %*d %*d %*d %*d %*u %*u %*u "
			     "%*u %*u %lu %lu",
			     &user, &system),
	    2);
	fclose(f);
	return user + system;
}

static void
wait_for_work_of(pid_t pid)
{
	const struct timespec pause = {.tv_nsec = 2000000};
	unsigned long first = cpu_time_of(pid);

	while (cpu_time_of(pid) < first + AT_WORK)
		nanosleep(&pause, NULL);
}

TEST(while_the_device_works)
{
	static const struct streams limited = {.before = "ulimit -t 60"};
	const char *json = test_path("json");
	char to_json[300];
	const char *args[] = {"--own", "--virtual-time", "--profile=ideal",
	    "--scheduler=execlists", to_json, GEM_WSIM, "-w", ENDLESS, "-r",
	    "1", NULL};
	struct outcome r;
	struct child c;
	json_t *o;

	need_gem_wsim();
	snprintf(to_json, sizeof(to_json), "--json=%s", json);
	c = start_program(&limited, args);
	wait_for_work_of(c.pid);
	kill(c.pid, SIGTERM);
	finish_program(&r, c);
	assert_int_equal(r.status, 128 + SIGTERM);
	/* The one that waits for the engine may not have ended. */
	expect_matchf(r.err, ": (%u batch(es)?|%u batches) in ",
	    wsim_batches(1), wsim_batches(2));
	outcome_free(&r);
	o = json_load_file(json, 0, NULL);
	assert_non_null(o);
	json_decref(o);
}

FIXTURES(use_gpuwl_run, NULL);
