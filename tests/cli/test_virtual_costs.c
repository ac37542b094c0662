/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gem_wsim in virtual time against batch mode where the CPU takes time
 * (doc/model/virtual.md "The CPU"): request by request where commands cost
 * nothing, and the figures of `default`; infinite batches request by request, also
 * where their commands cost time.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/runner/test.h"
#include "tests/support/folder.h"
#include "tests/support/wsim_both.h"
#include "tests/support/wsim_version.h"

/* Costs of `default`, but for those of commands, which batches of descriptors do
 * not have. */
#define COSTS_PROFILE "costs.ini"
#define DEFAULT       "--profile=default"

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
	wsim_end();
}

TEST(costs_1)
{
	compare_costs("1");
}

TEST(costs_2)
{
	compare_costs("2");
}

/* Batches that share engines by timeslices. */
TEST(costs_preempted)
{
	write_file(COSTS_PROFILE, costs_profile);
	wsim_compare("--profile=" COSTS_PROFILE,
	    "M.1.VCS,B.1,1.VCS.1256.0.0,1.VCS.334.0.1", "3", EXECLISTS, EXACT);
	wsim_compare("--profile=" COSTS_PROFILE,
	    "1.VCS1.3256.0.1,2.VCS1.2334.0.1", "3", EXECLISTS, EXACT);
	wsim_end();
}

/* Infinite batches of several engines at once, all of which run when they are ended:
 * each ends when its T says, also where the loops that they are cost time, and a wait
 * for one that has ended goes on at once. */
static const char *const infinite[] = {
    "1.RCS.*.0.0,d.500,T.-2,s.-3",
    "1.RCS.*.0.0,2.BCS.*.0.0,d.500,T.-2,T.-4,s.-4",
    "1.RCS.*.0.0,2.BCS.*.0.0,d.500,T.-3,d.300,T.-4,d.200",
    "1.RCS.*.0.0,2.BCS.*.0.0,3.VCS1.*.0.0,d.500,T.-3,d.7,T.-6,s.-6,s.-8,T.-7,s.-8",
};

TEST(infinite)
{
	write_file(COSTS_PROFILE, costs_profile);
	for (size_t i = 0; i < sizeof infinite / sizeof *infinite; i++) {
		for (const char *c = "123"; *c != '\0'; c++) {
			const char clients[] = {*c, '\0'};

			wsim_compare(IDEAL, infinite[i], clients, FIFO, EXACT);
			wsim_compare("--profile=" COSTS_PROFILE, infinite[i],
			    clients, FIFO, EXACT);
			wsim_compare("--profile=" COSTS_PROFILE, infinite[i],
			    clients, EXECLISTS, EXACT);
		}
		wsim_compare(DEFAULT, infinite[i], "1", FIFO, EXACT);
		wsim_compare(DEFAULT, infinite[i], "1", EXECLISTS, EXACT);
	}
	wsim_end();
}

FIXTURES(wsim_find_both, NULL);
