/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * intel_gpu_top beside programs that use engines in part. Its percents, added up
 * over all of its periods, are the times that the device's own report has, however
 * busy the machine is. The programs are this one: their batches end when they say.
 */
#include <fcntl.h>
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <jansson.h>

#include "device/i915/uapi.h"
#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"
#include "tests/support/wsim_version.h"

#define PAGE       4096
#define ADDRESS    0x100000
#define BATCH_END  0x05000000u
#define ARB_CHECK  0x02800000u
#define JUMP       0x18800101u
#define ITERATIONS 60
#define PERIOD_MS  100 /* as the script has it */

/* Programs. */

static uint32_t *
map_object(int fd, uint32_t handle)
{
	struct drm_i915_gem_mmap_offset arg = {
	    .handle = handle, .flags = I915_MMAP_OFFSET_WB};

	ioctl(fd, DRM_IOCTL_I915_GEM_MMAP_OFFSET, &arg);
	return mmap(NULL, PAGE, PROT_READ | PROT_WRITE, MAP_SHARED, fd,
	    (off_t)arg.offset);
}

/* Runs a batch for that time, and none for another, on an engine. */
static void
use_engine(int fd, uint64_t ring, useconds_t on_us, useconds_t off_us)
{
	struct drm_i915_gem_create create = {.size = PAGE};
	struct drm_i915_gem_exec_object2 object = {.offset = ADDRESS,
	    .flags = EXEC_OBJECT_PINNED | EXEC_OBJECT_SUPPORTS_48B_ADDRESS};
	struct drm_i915_gem_execbuffer2 exec = {
	    .buffers_ptr = (uintptr_t)&object,
	    .buffer_count = 1,
	    .flags = ring};
	struct drm_i915_gem_wait wait = {.timeout_ns = -1};
	volatile uint32_t *batch;

	ioctl(fd, DRM_IOCTL_I915_GEM_CREATE, &create);
	object.handle = wait.bo_handle = create.handle;
	batch = map_object(fd, create.handle);
	for (int i = 0; i < ITERATIONS; i++) {
		batch[1] = JUMP;
		batch[2] = ADDRESS;
		batch[3] = 0;
		batch[0] = ARB_CHECK;
		ioctl(fd, DRM_IOCTL_I915_GEM_EXECBUFFER2, &exec);
		usleep(on_us);
		batch[0] = BATCH_END;
		ioctl(fd, DRM_IOCTL_I915_GEM_WAIT, &wait);
		usleep(off_us);
	}
}

/* Arguments: the ring, and the two times. Begins when the file go is there, and
 * stays until it is killed. */
static _Noreturn void
be_program(char **argv)
{
	int fd = open("/dev/dri/renderD128", O_RDWR | O_CLOEXEC);
	char done[64];

	while (access("go", F_OK) != 0)
		usleep(1000);
	use_engine(fd, strtoull(argv[1], NULL, 10),
	    (useconds_t)strtoul(argv[2], NULL, 10),
	    (useconds_t)strtoul(argv[3], NULL, 10));
	snprintf(done, sizeof done, "done-%d", (int)getpid());
	close(open(done, O_WRONLY | O_CREAT | O_CLOEXEC, 0600));
	for (;;)
		pause();
}

/* Tests. */

static const struct load {
	const char *engine, *class; /* intel_gpu_top's names */
	const char *ours;
} loads[] = {
    {"Render/3D/0", "Render/3D", "RCS"},
    {"Blitter/0", "Blitter", "BCS"},
};

#define N_LOADS (sizeof loads / sizeof *loads)

/* Starts both programs, then intel_gpu_top, lets them go, and ends all when it
 * has looked after they are done: it keeps some periods before it writes them. 2.0
 * writes a line to its output all the same. */
static const char script[] =
    "rm -f go done-* top.json; "
    "$0 :gpu_top 1 3000 2000 & a=$!; $0 :gpu_top 3 1000 4000 & b=$!; "
    "exec 3>&1 >/dev/null; " GPU_TOP "-J -s 100 -o top.json & t=$!; "
    "looks() { touch top.json; grep -c '\"period\"' top.json || :; }; "
    "until test \"$(looks)\" -ge 3; do sleep 0.01; done; touch go; "
    "until test -e done-$a -a -e done-$b; do sleep 0.01; done; n=$(looks); "
    "until test \"$(looks)\" -ge $((n + 7)); do sleep 0.01; done; "
    "kill -INT $t; wait $t; kill $a $b; echo $a $b >&3";

static double
number_of(json_t *o, const char *key)
{
	json_t *value = json_object_get(o, key);

	/* Values of clients are text. */
	return json_is_string(value) ? strtod(json_string_value(value), NULL)
				     : json_number_value(value);
}

/* Reads intel_gpu_top's periods, of which the last one may be cut off, and the
 * first ones may have no comma between them. */
static json_t *
read_periods(void)
{
	char *text = read_whole("top.json", NULL);
	json_t *list = json_array(), *period;
	json_error_t where;

	for (char *at = strchr(text, '{'); at != NULL; at = strchr(at, '{')) {
		period = json_loads(at, JSON_DISABLE_EOF_CHECK, &where);
		if (period == NULL)
			break;
		json_array_append_new(list, period);
		at += where.position;
	}
	free(text);
	assert_true(json_array_size(list) > 0);
	return list;
}

/* Returns the ms that the engine was busy, and adds up those of all periods. */
static double
engine_ms(json_t *periods, const char *name, double *all)
{
	double sum = 0;
	size_t i;
	json_t *p;

	*all = 0;
	json_array_foreach(periods, i, p)
	{
		double ms = number_of(json_object_get(p, "period"), "duration");
		json_t *engine = json_object_get(
		    json_object_get(p, "engines"), name);

		*all += ms;
		sum += ms * number_of(engine, "busy") / 100;
	}
	return sum;
}

/* The same of a class of a process, which is one client in each period. Its
 * percents are those of the period that was asked for, in 1.27.1; newer ones measure it. */
static double
client_ms(json_t *periods, int pid, const char *class)
{
	double sum = 0;
	size_t i;
	json_t *p, *client, *classes;
	const char *key;

	json_array_foreach(periods, i, p)
	{
		unsigned rows = 0;
		double ms = wsim_questions() == 0
		    ? PERIOD_MS
		    : number_of(json_object_get(p, "period"), "duration");

		json_object_foreach(json_object_get(p, "clients"), key, client)
		{
			if (number_of(client, "pid") != pid)
				continue;
			rows++;
			classes = json_object_get(client, "engine-classes");
			sum += number_of(
				   json_object_get(classes, class), "busy") *
			    ms / 100;
		}
		assert_in_range(rows, 0, 1);
	}
	return sum;
}

static double
our_ms(json_t *report, const char *name)
{
	size_t i;
	json_t *e;

	json_array_foreach(json_object_get(report, "engines"), i, e)
	{
		const char *engine = json_string_value(
		    json_object_get(e, "name"));

		if (strcmp(engine, name) == 0)
			return number_of(e, "busy_ns") / 1e6;
	}
	return -1;
}

/* Both are within 2 points of ours. */
static void
expect_figures(const char *scheduler, const int pids[N_LOADS])
{
	json_t *periods = read_periods(),
	       *report = json_load_file("report.json", 0, NULL);

	assert_non_null(report);
	for (size_t i = 0; i < N_LOADS; i++) {
		double all,
		    ours = our_ms(report, loads[i].ours),
		    engine = engine_ms(periods, loads[i].engine, &all),
		    client = client_ms(periods, pids[i], loads[i].class);

		if (ours <= 0 || ours >= all ||
		    fabs(engine - ours) > all / 50 ||
		    fabs(client - ours) > all / 50)
			fail_msg("%s %s: ours %.3f ms, engine %.3f, client "
				 "%.3f, of %.3f",
			    scheduler, loads[i].ours, ours, engine, client,
			    all);
	}
	json_decref(periods);
	json_decref(report);
}

TEST(engines_in_part)
{
	static const char *const schedulers[] = {
	    "fifo", "execlists", "drm", "guc"};
	char option[64];
	int pids[N_LOADS];

	need_gem_wsim(); /* which is in the package of intel_gpu_top */
	allow_sanitizers();
	for (size_t i = 0; i < sizeof schedulers / sizeof *schedulers; i++) {
		struct outcome r;
		char *second;

		snprintf(
		    option, sizeof option, "--scheduler=%s", schedulers[i]);
		RUN(&r, "-q", "--profile=tgl", option, "--json=report.json",
		    "sh", "-c", script, test_runner());
		if (r.status != 0)
			fail_msg("%s", r.err);
		pids[0] = (int)strtol(r.out, &second, 10);
		pids[1] = (int)strtol(second, NULL, 10);
		assert_true(pids[0] > 0 && pids[1] > 0);
		outcome_free(&r);
		expect_figures(schedulers[i], pids);
	}
	unsetenv("ASAN_OPTIONS");
}

ROLE(gpu_top)
{
	be_program(argv);
	return 0;
}

FIXTURES(use_gpuwl_run, NULL);
