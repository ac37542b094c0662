/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Whatever happens to a run on a GPU (-b -D), no batch is left spinning and no
 * context left behind: signals, resets, a GPU that is given up, a device that
 * dies, a full disk, each after a random number of calls of the program and
 * events of the GPU. The test serves the virtual i915 itself, so that it sees
 * what is left there.
 *
 * CHAOS_RUNS in the environment asks for more runs, CHAOS_SEED for another
 * first seed; each run has a seed of its own, which a failure names.
 */
#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <jansson.h>

#include "tests/runner/test.h"
#include "tests/support/chaos.h"
#include "tests/support/environment.h"
#include "tests/support/folder.h"
#include "tests/support/served_gpu.h"

#define N(array) (sizeof(array) / sizeof *(array))
/* Exit statuses of runs that failed: at a step and before they began, and later. */
#define INVALID 1
#define REFUSED 2
#define FAILED  3

/* A program on the device, and what happens to it. */
struct chaos_run {
	struct served_gpu gpu;
	struct chaos chaos;
	const struct trouble *trouble;
	const char *descriptor;
	struct launched program;
	unsigned turns; /* before the trouble */
	int output;     /* what it prints */
	int status;
};

/* Endless ones; X.0 does not let others preempt, RCS.* alone hangs. */
static const char *const descriptors[] = {
    "1.RCS.300.0.1,1.VCS1.100.-1.0",
    "1.RCS.*.0.0,d.2000,T.-2,s.-3,1.BCS.100.0.1",
    "X.1.0,1.RCS.*.0.0,2.RCS.200.0.0,d.1000,T.-3,s.-4",
    "M.1.VCS1|VCS2,B.1,1.DEFAULT.300.0.0,1.DEFAULT.500.0.0,2.RCS.100.f-1.1",
    "1.RCS.200.0.0,f,2.RCS.300.f-1.0,1.VCS1.100.0.0,d.500,a.-4,1.VCS1.10.0.1",
    "w.1.4096/8192/1m,1.RCS.200.w1-0.0,2.VCS1.100.r1-0-1.0,3.BCS.50.w1-1.1",
    "P.1.-5,1.RCS.300.0.0,2.RCS.100.0.0,P.1.-100,1.RCS.100.0.1",
    "X.1.0,1.RCS.*.0.0,2.RCS.300.0.1",
    "1.RCS.10.0.0,1.BCS.*.0.0,p.1000,T.-2",
};

/* Trouble, and the statuses that a run may end with. */
struct trouble {
	const char *name;
	void (*strike)(struct chaos_run *r);
	int signal; /* sent then; 0: none */
	int statuses[4];
};

static void
wedge_gpu(struct chaos_run *r)
{
	served_wedge(&r->gpu, true);
}

static void
kill_gpu(struct chaos_run *r)
{
	served_die(&r->gpu);
}

/* Turns that the run goes on for. False: it has ended. */
static bool
go_on(struct chaos_run *r, unsigned turns)
{
	while (turns-- > 0) {
		if (launch_ended(&r->program, &r->status))
			return false;
		if (!served_turn(&r->gpu, &r->program))
			fail_msg("%s: %s: nothing happens any more",
			    r->descriptor, r->trouble->name);
	}
	return true;
}

/* Some turns, to the end of which the run should come. */
static void
go_on_for_some(struct chaos_run *r)
{
	go_on(r, chaos_below(&r->chaos, 300));
}

static void
shake_gpu(struct chaos_run *r)
{
	served_reset(&r->gpu);
	go_on_for_some(r);
}

static void
break_pipe(struct chaos_run *r)
{
	launch_signal(&r->program, SIGPIPE);
	go_on_for_some(r);
}

static void
stop_for_a_while(struct chaos_run *r)
{
	launch_signal(&r->program, SIGSTOP);
	served_rest(&r->gpu);
	launch_signal(&r->program, SIGCONT);
	go_on_for_some(r);
}

/* No file may become longer than it is. */
static void
fill_disk(struct chaos_run *r)
{
	struct rlimit none = {0, 0};

	prlimit(r->program.pid, RLIMIT_FSIZE, &none, NULL);
	go_on_for_some(r);
}

static const struct trouble troubles[] = {
    {"INT", NULL, SIGINT, {128 + SIGINT}},
    {"TERM", NULL, SIGTERM, {128 + SIGTERM}},
    {"HUP", NULL, SIGHUP, {128 + SIGHUP}},
    {"QUIT", NULL, SIGQUIT, {128 + SIGQUIT}},
    {"KILL", NULL, SIGKILL, {128 + SIGKILL}},
    {"SEGV", NULL, SIGSEGV, {128 + SIGSEGV}},
    {"ABRT", NULL, SIGABRT, {128 + SIGABRT}},
    {"PIPE", break_pipe, SIGTERM, {128 + SIGTERM, 128 + SIGPIPE}},
    {"STOP", stop_for_a_while, SIGTERM, {128 + SIGTERM}},
    {"reset", shake_gpu, SIGTERM, {128 + SIGTERM, REFUSED}},
    {"full disk", fill_disk, SIGTERM, {128 + SIGTERM, FAILED, 128 + SIGXFSZ}},
    {"wedged", wedge_gpu, 0, {FAILED, REFUSED, INVALID}},
    {"device dies", kill_gpu, 0, {FAILED, REFUSED, INVALID}},
};

static void
start_chaos(struct chaos_run *r)
{
	static const char *const clients[] = {"1", "2", "5"};
	const char *argv[] = {"gpuwl-top", "-b", "-D", "pci:", "-r", "1000000",
	    "--json=run.json", "--requests=run.tsv", "--error-state=errors",
	    "--record=run.rec", "-c",
	    clients[chaos_below(&r->chaos, N(clients))], "-w", r->descriptor,
	    NULL};

	unlink("run.json");
	unlink("run.tsv");
	unlink("run.rec");
	assert_int_equal(ftruncate(r->output, 0), 0);
	lseek(r->output, 0, SEEK_SET);
	served_start(&r->gpu, &r->program, argv, r->output);
}

static bool
may_end_so(const struct trouble *t, int status)
{
	for (size_t i = 0; i < N(t->statuses); i++)
		if (t->statuses[i] == status)
			return true;
	return false;
}

/* Returns NULL, or what is wrong with the end of a run. */
static const char *
judge_end(struct chaos_run *r)
{
	const struct trouble *t = r->trouble;
	char *json = access("run.json", F_OK) == 0
	    ? read_whole("run.json", NULL)
	    : NULL;
	bool whole = t->strike != NULL || t->signal == SIGKILL ||
	    t->signal == SIGSEGV || t->signal == SIGABRT || json == NULL ||
	    *json == '\0';
	json_t *o = whole ? NULL : json_loads(json, 0, NULL);

	whole = whole || o != NULL;
	json_decref(o);
	free(json);
	if (!may_end_so(t, r->status))
		return "another exit status was expected";
	if (!whole)
		return "its JSON is cut off";
	return NULL;
}

static void
expect_good_end(struct chaos_run *r, bool ended, uint64_t seed)
{
	const char *wrong = judge_end(r), *left = "";
	char *said = read_whole("output", NULL);

	if (r->trouble->signal == 0 && strstr(said, "/dev/dri/") == NULL &&
	    strstr(said, "no GPU") == NULL)
		wrong = "it does not say what is wrong with the GPU";
	if (!ended)
		wrong = "it does not end";
	if (r->gpu.service != NULL)
		left = served_left(&r->gpu);
	if (wrong != NULL || *left != '\0')
		fail_msg("CHAOS_SEED=%llu, %s after %u turns of %s: status %d: "
			 "%s%s; it said: %s",
		    (unsigned long long)seed, r->trouble->name, r->turns,
		    r->descriptor, r->status,
		    wrong != NULL ? wrong : "left: ", left, said);
	free(said);
}

static void
play_chaos(struct chaos_run *r, uint64_t seed)
{
	bool ended;

	r->chaos = (struct chaos){.random = seed};
	if (r->gpu.service == NULL) {
		served_close(&r->gpu);
		served_open(&r->gpu, "tgl", 5 * NSEC_PER_MSEC);
	}
	served_wedge(&r->gpu, false);
	r->trouble = &troubles[chaos_below(&r->chaos, N(troubles))];
	r->descriptor = descriptors[chaos_below(&r->chaos, N(descriptors))];
	/* Some hundred turns are those of the start. */
	r->turns = chaos_below(&r->chaos, 2u << chaos_below(&r->chaos, 11));
	start_chaos(r);
	if (!go_on(r, r->turns))
		fail_msg("CHAOS_SEED=%llu: %s ends by itself",
		    (unsigned long long)seed, r->descriptor);
	if (r->trouble->strike != NULL)
		r->trouble->strike(r);
	if (r->trouble->signal != 0)
		launch_signal(&r->program, r->trouble->signal);
	ended = r->program.pid == 0 ||
	    served_until_end(&r->gpu, &r->program, &r->status);
	expect_good_end(r, ended, seed);
}

TEST(nothing_is_left)
{
	uint64_t first = from_environment("CHAOS_SEED", 1010),
		 n = test_rounds("CHAOS_RUNS", 50);
	struct chaos_run r = {0};

	r.output = open("output", O_RDWR | O_CREAT | O_TRUNC | O_APPEND, 0600);
	assert_true(r.output >= 0);
	served_open(&r.gpu, "tgl", 5 * NSEC_PER_MSEC);
	for (uint64_t i = 0; i < n; i++)
		play_chaos(&r, first + i);
	served_close(&r.gpu);
	close(r.output);
}

static int
enter_chaos(void **state)
{
	struct rlimit none = {0, 0};

	/* No core of programs that SIGSEGV ends. */
	setrlimit(RLIMIT_CORE, &none);
	return served_enter(state);
}

FIXTURES(enter_chaos, NULL);
