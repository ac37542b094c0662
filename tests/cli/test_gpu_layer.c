/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Layer messages of a run on a GPU, which is the virtual i915: those that Arm's host
 * server gets (--layer-connect), in batch mode and from the console, and those in
 * files.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/arm_join.h"
#include "tests/support/fake_host.h"
#include "tests/support/folder.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/pty.h"
#include "tests/support/run_program.h"

#define CONNECT "--layer-connect"
#define PASSES                                                                 \
	"#@ renderpass 64x64 draws=3\n1.RCS.500.0.0\n"                         \
	"#@ dispatch 4x4x1\n2.RCS.300.-1.1\n#@ copybuffer 300\n1.BCS.200.0.1\n"
#define ITERATIONS 10

static int
use_layer(void **state)
{
	use_gpuwl_top(state);
	write_file("passes.wsim", PASSES);
	return 0;
}

/* Returns the number of messages to the timeline that the server got. */
static size_t
messages_of(struct fake_host *h)
{
	size_t len, n = 0;
	uint8_t *all = fake_host_read(h, &len);
	const uint8_t *at = all;
	struct fake_message m;

	while (fake_host_next(&at, &len, &m))
		n += m.endpoint == 2;
	free(all);
	return n;
}

TEST(batch_mode)
{
	const struct fake_plan good = {0};
	struct arm_record *records;
	size_t n, workloads = 0;
	struct fake_host h;
	struct outcome r;

	fake_host_start(&h, &good);
	RUN(&r, "-q", "--profile=default", gpuwl_top(), "-b", "-q", "-D",
	    "pci:", "-w", "passes.wsim", "-r", "10", "--arm-metadata=a",
	    CONNECT, h.address);
	assert_string_equal(r.err, "");
	assert_int_equal(r.status, 0);
	outcome_free(&r);
	records = arm_records("a", &n);
	for (size_t i = 0; i < n; i++)
		workloads += records[i].device != 0;
	free(records);
	assert_int_equal(workloads, 3 * ITERATIONS);
	/* Beside them header, device, submissions and frames. */
	assert_true(messages_of(&h) > workloads);
}

/* Also over a restart, after which clients are other devices. */
TEST(console)
{
	const struct fake_plan good = {0};
	char address[64];
	char *argv[] = {pty_program(), (char *)"-q",
	    (char *)"--profile=default", gpuwl_top(), (char *)"-D",
	    (char *)"pci:", address, (char *)"passes.wsim", NULL};
	char *env[] = {test_state_home(), NULL};
	struct fake_host h;
	struct pty *p;

	fake_host_start(&h, &good);
	snprintf(address, sizeof address, CONNECT "=%s", h.address);
	p = pty_start(120, 40, argv, env);
	pty_wait_text(p, "ctx 1 ");
	pty_send(p, "6");
	pty_wait_text(p, "renderpass");
	pty_send(p, "R");
	pty_wait_text(p, "restarted");
	pty_send(p, "q");
	assert_int_equal(pty_wait_status(p), 0);
	pty_free(p);
	assert_true(messages_of(&h) > 10);
}

FIXTURES(use_layer, NULL);
