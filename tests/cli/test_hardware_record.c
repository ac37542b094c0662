/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Descriptors on a GPU (doc/model/libdrm.md "The record"): this program runs one
 * on the virtual i915, under gpuwl-run, and prints its requests; the model runs
 * it too. In virtual time and without costs both are the same.
 */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/embedded.h"
#include "device/hardware/hardware.h"
#include "device/hardware/record.h"
#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/lab.h"
#include "tests/support/run_program.h"

/* The run gives up after that time, ns. */
#define LONGEST (30 * NSEC_PER_SEC)

static void
add_us(struct text *t, nsec ns)
{
	if (ns == NSEC_NEVER)
		text_adds(t, " -");
	else
		text_addf(t, " %.3f", (double)ns / 1e3);
}

/* Appends "client:step engine start end" of each request, us; without times:
 * only the others. */
static void
add_rows(const struct lab *lab, bool times, struct text *t)
{
	for (size_t i = 0; i < lab->n_rows; i++) {
		const struct lab_row *row = &lab->rows[i];

		text_addf(t, "%u:%u %s", row->client, row->step, row->engine);
		if (times)
			add_us(t, row->start);
		if (times)
			add_us(t, row->end);
		if (row->error != 0)
			text_addf(t, " %s", strerrorname_np(-row->error));
		text_adds(t, "\n");
	}
}

/* A run on the GPU, or without hw on the model. */
struct recorded {
	struct lab lab;
	struct hardware *hw;
	struct record *record; /* NULL: the model */
	nsec now;
};

/* Waits for the GPU, the next event of the simulation, or that time. */
static void
wait_for_news(const struct recorded *b, nsec until)
{
	nsec next = sim_next_event(b->lab.sim), wait;
	struct pollfd p = {.fd = record_fd(b->record), .events = POLLIN};
	struct timespec t;

	if (next > until)
		next = until;
	wait = next > b->now ? next - b->now : 0;
	t = (struct timespec){
	    (time_t)(wait / NSEC_PER_SEC), (long)(wait % NSEC_PER_SEC)};
	ppoll(&p, 1, &t, NULL);
}

/* Runs up to that time, or the end. */
static void
run_until(struct recorded *b, nsec until)
{
	while (b->record != NULL && b->now <= until &&
	    sim_run(b->lab.sim, b->now, 0) == SIM_RUNNING && b->now < until &&
	    *record_failure(b->record) == '\0') {
		wait_for_news(b, until);
		b->now = record_look(b->record);
	}
	if (b->record == NULL)
		sim_run(b->lab.sim, until, 0);
}

/* Opens the GPU; with NULL, the model. */
static void
recorded_open(struct recorded *b, struct hardware *hw)
{
	struct text err = {0};

	memset(b, 0, sizeof *b);
	lab_init(&b->lab, "fifo");
	b->hw = hw;
	if (hw != NULL && !hardware_open(hw, "pci:", &err)) {
		fprintf(stderr, "%s\n", text_str(&err));
		exit(1);
	}
	if (hw != NULL)
		record_configure(hw, &b->lab.config);
	lab_open(&b->lab);
	if (hw != NULL)
		b->record = record_new(hw, b->lab.sim, &err);
}

/* True if the driver says that the file has no memory, or does not say. */
static bool
has_no_memory(const struct hardware *hw)
{
	char path[64], line[128];
	bool none = true;
	FILE *f;

	snprintf(path, sizeof path, "/proc/self/fdinfo/%d", hw->fd);
	f = fopen(path, "re");
	while (f != NULL && fgets(line, sizeof line, f) != NULL)
		if (strncmp(line, "drm-total-", 10) == 0)
			none = strcmp(strchr(line, ':'), ":\t0\n") == 0;
	if (f != NULL)
		fclose(f);
	return none;
}

/* Returns the rows, to be freed. */
static struct text
recorded_close(struct recorded *b, bool times)
{
	struct text rows = {0};

	add_rows(&b->lab, times, &rows);
	if (b->record != NULL && *record_failure(b->record) != '\0')
		fprintf(stderr, "%s\n", record_failure(b->record));
	else if (b->lab.sim->state != SIM_DONE)
		fprintf(stderr, "state %d\n", b->lab.sim->state);
	lab_free(&b->lab);
	record_free(b->record);
	if (b->hw != NULL && !has_no_memory(b->hw))
		fprintf(stderr, "memory is left\n");
	if (b->hw != NULL)
		hardware_close(b->hw);
	return rows;
}

static struct text
run_descriptor(struct hardware *hw, const char *descriptor, unsigned clones,
    uint64_t repeat, bool times)
{
	struct recorded b;

	recorded_open(&b, hw);
	lab_add(&b.lab, descriptor, clones,
	    (struct client_options){.repeat = repeat});
	run_until(&b, LONGEST);
	return recorded_close(&b, times);
}

/* A client whose priority, engine map and life change, and a second one. */
static struct text
run_live(struct hardware *hw)
{
	struct control priority = {.kind = CONTROL_PRIORITY,
			   .context = 1,
			   .value = -9},
		       swap = {.kind = CONTROL_SWAP},
		       kill = {.kind = CONTROL_KILL};
	struct text err = {0};
	struct program *other;
	struct recorded b;

	recorded_open(&b, hw);
	lab_add(&b.lab, "1.RCS.1000.0.0,1.RCS.1000.0.1", 1,
	    (struct client_options){.repeat = 0});
	run_until(&b, 3500 * NSEC_PER_USEC);
	sim_control(b.lab.sim, &priority, &err);
	run_until(&b, 5250 * NSEC_PER_USEC);
	other = lab_compile(&b.lab,
	    "M.1.VCS1|VCS2,B.1,1.DEFAULT.700.0.0,1.DEFAULT.400.0.0,"
	    "2.BCS.*.-1.0,d.3000,T.-2,s.-3");
	swap.program = other;
	sim_control(b.lab.sim, &swap, &err);
	run_until(&b, 12250 * NSEC_PER_USEC);
	lab_add(&b.lab, "1.BCS.300.0.1,1.VECS1.200.-1.1", 2,
	    (struct client_options){.repeat = 3});
	run_until(&b, 14 * NSEC_PER_MSEC);
	sim_control(b.lab.sim, &kill, &err);
	run_until(&b, LONGEST);
	program_unref(other);
	if (err.len > 0)
		fprintf(stderr, "%s\n", text_str(&err));
	text_free(&err);
	return recorded_close(&b, true);
}

/* Runs a descriptor on the GPU and on the model, and compares. */
static void
expect_same(const char *descriptor, unsigned clones, unsigned repeat)
{
	struct text rows = run_descriptor(
	    NULL, descriptor, clones, repeat, true);
	char clones_text[16], repeat_text[16];
	struct outcome r;

	snprintf(clones_text, sizeof clones_text, "%u", clones);
	snprintf(repeat_text, sizeof repeat_text, "%u", repeat);
	RUN(&r, "-q", "--virtual-time", "--profile=ideal", "--scheduler=fifo",
	    test_runner(), ":hardware_record", descriptor, clones_text,
	    repeat_text);
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, text_str(&rows));
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	text_free(&rows);
}

TEST(live_changes)
{
	struct text rows = run_live(NULL);
	struct outcome r;

	RUN(&r, "-q", "--virtual-time", "--profile=ideal", "--scheduler=fifo",
	    test_runner(), ":hardware_record", "live");
	assert_string_equal(r.err, "");
	assert_string_equal(r.out, text_str(&rows));
	outcome_free(&r);
	text_free(&rows);
}

TEST(batches)
{
	expect_same("1.RCS.1000.0.0", 1, 1);
	expect_same("1.RCS.1000.0.1,1.VCS1.500.-1.0,2.BCS.300-700.0.1", 2, 5);
}

/* Each kind of step, on its own. */
static const char *const steps[] = {
    /* data, fences and submit fences */
    "1.RCS.1000.0.0,2.VCS1.500.-1.0,3.BCS.500.-1/-2.0,1.RCS.10.-1.1",
    "1.RCS.1000.0.0,2.VCS1.500.f-1.0,3.BCS.300.0.0,4.VCS2.5.f-3/f-1.1",
    "1.RCS.1000.0.0,2.VCS1.500.s-1.0,2.VCS1.500.0.1",
    "1.RCS.1000.0.0,3.BCS.1500.0.0,2.VCS1.500.s-1/f-2.0,2.VCS1.500.0.1",
    "1.RCS.1000.0.0,3.BCS.1500.0.0,4.VCS2.100.0.0,"
    "2.VCS1.500.s-3/f-1/f-2/s-2.0,2.VCS1.500.0.1",
    /* working sets */
    "w.1.4096/8192/1m,W.2.64k,1.RCS.1000.w1-0/r2-0.0,"
    "2.VCS1.500.r1-0-1.0,3.BCS.500.w1-1/w2-0.1",
    /* infinite batches */
    "1.RCS.*.0.0,1.VCS1.2000.0.1,T.-2,1.RCS.500.0.1",
    "1.RCS.*.0.0,1.RCS.*.0.0,d.500,T.-3,d.500,T.-4,s.-5",
    /* maps, virtual engines, parallel slots */
    "M.1.VCS1|VCS2,B.1,1.DEFAULT.1000.0.0,1.DEFAULT.500.0.0,"
    "1.DEFAULT.500.0.1",
    "M.1.RCS|VCS2,1.VCS2.1000.0.0,1.RCS1.500.-1.0,2.CCS.100.0.1",
    /* waits in user space, times */
    "1.RCS.500.0.0,s.-1,d.700,p.5000,1.VCS1.300.0.0",
    "t.2,1.RCS.500.0.0,1.RCS.300.0.0,1.VCS1.300.0.0,1.RCS.300.0.1",
    "q.2,1.RCS.500.0.0,1.RCS.300.0.0,1.RCS.300.0.0,1.RCS.300.0.1",
    /* parameters */
    "P.1.-5,1.RCS.1000.0.0,P.1.-1000,1.RCS.500.0.1",
    "S.1.1,1.RCS.1000.0.0,S.1.-1,1.RCS.500.0.1",
    "X.1.0,1.RCS.1000.0.0,X.1.50,1.RCS.500.0.1",
};

/* Held until the fence signals, so that of several clients the order of what is
 * ready at the same time may be another one. */
#define SOFTWARE_FENCES                                                        \
	"1.RCS.500.0.0,f,2.RCS.1000.f-1.0,1.VCS1.100.0.0,d.3000,a.-4,"         \
	"1.VCS1.10.0.1"

TEST(steps)
{
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		expect_same(steps[i], 1, 2);
		expect_same(steps[i], 3, 3);
	}
	expect_same(SOFTWARE_FENCES, 1, 3);
	expect_same(SOFTWARE_FENCES, 3, 2);
}

/* Returns a descriptor in one line, to be freed. */
static char *
in_one_line(const char *file)
{
	struct text t = {0};

	while (*file != '\0') {
		size_t len = strcspn(file, "\n");

		if (len > 0 && *file != '#') {
			text_adds(&t, t.len > 0 ? "," : "");
			text_add(&t, file, len);
		}
		file += len + (file[len] != '\0');
	}
	return t.data;
}

static bool
ends_with(const char *text, const char *end)
{
	size_t len = strlen(text), n = strlen(end);

	return len >= n && strcmp(text + len - n, end) == 0;
}

/* Descriptors that come with the program, but for one that hangs and one for guc. */
TEST(shipped_descriptors)
{
	unsigned n = 0;

	for (size_t i = 0; i < n_embedded_files; i++) {
		const struct embedded_file *file = &embedded_files[i];
		char *line;

		if (!ends_with(file->path, ".wsim") ||
		    ends_with(file->path, "/hang.wsim") ||
		    ends_with(file->path, "/parallel-frame.wsim"))
			continue;
		line = in_one_line(file->data);
		expect_same(line, 2, 2);
		free(line);
		n++;
	}
	assert_true(n > 8);
}

/* The device has less room on its rings than the run thinks: what it refuses is
 * submitted later, and takes no longer. */
TEST(full_rings)
{
	struct text descriptor = {0};
	struct outcome r;

	write_file("small.ini", "[costs]\nring_requests = 4\n");
	for (int i = 0; i < 30; i++)
		text_addf(&descriptor, "%s1.RCS.100.0.0,2.VCS1.50.-1.0",
		    i > 0 ? "," : "");
	RUN(&r, "-q", "--virtual-time", "--profile=./small.ini",
	    "--scheduler=fifo", test_runner(), ":hardware_record",
	    text_str(&descriptor), "2", "1");
	assert_string_equal(r.err, "");
	assert_non_null(strstr(r.out, "1:59 VCS1 6000.000 6050.000\n"));
	outcome_free(&r);
	text_free(&descriptor);
}

/* Descriptors whose batches hang, and what becomes of them. */
TEST(hangs)
{
	static const struct {
		const char *descriptor, *repeat, *out;
	} rows[] = {
	    /* Without preemption points: the driver resets the engine; the third
	     * hang bans the context, whose execbufs fail from then on. */
	    {"X.1.0,1.RCS.*.0.0,2.RCS.1000.0.1", "5",
		"0:1 RCS EIO\n0:2 RCS\n0:1 RCS EIO\n0:2 RCS\n"
		"0:1 RCS EIO\n0:2 RCS\n0:1 RCS EIO\n0:2 RCS\n"
		"0:1  EIO\n0:2 RCS\n"},
	    /* With them: the watchdog ends it after 20 s. */
	    {"1.RCS.*.0.0,2.RCS.1000.0.1,s.-2", "1",
		"0:0 RCS EINTR\n0:1 RCS\n"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct outcome r;

		RUN(&r, "-q", "--virtual-time", "--profile=kbl-gt2",
		    test_runner(), ":hardware_record", rows[i].descriptor, "1",
		    rows[i].repeat, "no times");
		assert_string_equal(r.out, rows[i].out);
		assert_int_equal(r.status, 0);
		outcome_free(&r);
	}
}

/* A refusal of the driver ends the run, and is reported. */
TEST(failures)
{
	struct outcome r;

	RUN(&r, "-q", "--virtual-time", "--profile=kbl-gt2", test_runner(),
	    ":hardware_record", "S.1.1,1.RCS.1000.0.1", "1", "1");
	assert_string_equal(r.err, "");
	outcome_free(&r);
	RUN(&r, "-q", "--virtual-time", "--profile=skl-gt4", test_runner(),
	    ":hardware_record", "M.1.VCS1|VCS2,B.1,1.DEFAULT.1000.0.1", "1",
	    "1");
	assert_string_equal(r.err,
	    "/dev/dri/renderD128 has no registers relative to the engine, "
	    "which batches of virtual engines (B) use: needs a GPU of "
	    "generation 11 or later\n");
	outcome_free(&r);
}

/* A process that is killed leaves no batch behind. */
TEST(killed_process)
{
	char script[3 * 4096];
	struct outcome r;

	snprintf(script, sizeof script,
	    "mkfifo running; (echo; exec %s :hardware_record 1.RCS.*.0.0,d.60000000 1 1) "
	    ">running & read line <running; "
	    "kill -9 $!; exec %s :hardware_record 1.RCS.1000.0.1 1 1 >out",
	    test_runner(), test_runner());
	RUN(&r, "-q", "--profile=tgl", "sh", "-c", script);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
}

/* This program on the GPU: "live", or a descriptor, clients and repeats. */
static int
play(int argc, char **argv)
{
	struct hardware hw;
	struct text rows = argc < 4
	    ? run_live(&hw)
	    : run_descriptor(&hw, argv[1], (unsigned)atoi(argv[2]),
		  (uint64_t)atoll(argv[3]), argc == 4);

	fputs(text_str(&rows), stdout);
	text_free(&rows);
	return 0;
}

ROLE(hardware_record)
{
	return play(argc, argv);
}

FIXTURES(use_gpuwl_top, NULL);
