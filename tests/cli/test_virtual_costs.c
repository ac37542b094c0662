/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gem_wsim in virtual time against batch mode where the CPU takes time
 * (doc/model/virtual.md "The CPU"): request by request where commands cost
 * nothing, and the figures of `default`.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/folder.h"
#include "tests/support/wsim_both.h"

/* Costs of `default`, but for those of commands, which batches of descriptors do
 * not have. */
#define COSTS_PROFILE "costs.ini"

static const char costs_profile[] =
    "[profile]\nname = costs\n"
    "[i915]\nclock_hz = 1000000000\n"
    "[device]\nRCS = 1\nBCS = 1\nVCS = 2\nVECS = 2\nCCS = 1\n"
    "[costs]\nsubmit_ns = 2000\ncontext_switch_ns = 5000\n"
    "completion_ns = 1000\nsame_ring_ns = 500\nwake_ns = 10000\n"
    "wake_after_us = 10000\nring_requests = 64\n"
    "[nearness]\nwakeup_ns = 5000\ntimer_slack_ns = 50000\n";

/* A submission takes CPU time, after room in the ring; threads wake up late, and
 * timers later. */
static void
compare_costs(const char *clients)
{
	write_file(COSTS_PROFILE, costs_profile);
	for (size_t i = 0; wsim_published[i] != NULL; i++) {
		const char *file = wsim_published[i];
		const char *compared = wsim_path(file);
		enum artefact artefact = wsim_artefact(
		    file, atoi(clients), FIFO);

		if (artefact >= REWRITES) {
			wsim_fix_ranges(compared, "fixed.wsim");
			compared = "fixed.wsim";
			artefact = EXACT;
		}
		wsim_compare("--profile=" COSTS_PROFILE, compared, clients,
		    FIFO, artefact);
		/* Its commands cost time: the figure only. */
		wsim_compare(
		    "--profile=default", compared, clients, FIFO, REWRITES);
	}
}

static void
test_costs_1(void **state)
{
	(void)state;
	compare_costs("1");
}

static void
test_costs_2(void **state)
{
	(void)state;
	compare_costs("2");
}

/* Batches that share engines by timeslices. */
static void
test_costs_preempted(void **state)
{
	(void)state;
	write_file(COSTS_PROFILE, costs_profile);
	wsim_compare("--profile=" COSTS_PROFILE,
	    "M.1.VCS,B.1,1.VCS.1256.0.0,1.VCS.334.0.1", "3", EXECLISTS, EXACT);
	wsim_compare("--profile=" COSTS_PROFILE,
	    "1.VCS1.3256.0.1,2.VCS1.2334.0.1", "3", EXECLISTS, EXACT);
}

int
main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_costs_1),
	    cmocka_unit_test(test_costs_2),
	    cmocka_unit_test(test_costs_preempted),
	};

	return cmocka_run_group_tests(tests, wsim_find_both, NULL);
}
