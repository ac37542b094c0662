/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The program of hardware_record.cases: it runs a descriptor on a GPU (doc/model/libdrm.md
 * "The record"), or on the model, and prints its requests.
 */
#include <errno.h>
#include <poll.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "device/hardware/hardware.h"
#include "device/hardware/record.h"
#include "engine/client/control.h"
#include "tests/runner/test.h"
#include "tests/support/lab.h"

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

/* Arguments: "model", or nothing for the GPU; "live", or a descriptor, clients and
 * repeats; a fourth argument: without times. */
ROLE(hardware_record)
{
	struct hardware opened, *hw = &opened;
	struct text rows;

	if (strcmp(argv[1], "model") == 0) {
		hw = NULL;
		argc--;
		argv++;
	}
	rows = argc < 4 ? run_live(hw)
			: run_descriptor(hw, argv[1], (unsigned)atoi(argv[2]),
			      (uint64_t)atoll(argv[3]), argc == 4);
	fputs(text_str(&rows), stdout);
	text_free(&rows);
	return 0;
}
