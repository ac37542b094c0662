/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gem_wsim in virtual time against batch mode, request by request, in `ideal`
 * under `fifo` (doc/model/virtual.md "Virtual time"), and four clients under
 * `execlists`: shipped examples, and the published descriptors where others' data
 * is ($GPUWL_SHARED, else ../shared).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "tests/runner/test.h"
#include "tests/support/wsim_both.h"
#include "tests/support/wsim_version.h"

/* Steps of each kind that gem_wsim has, and whose requests are the same. */
static const struct {
	const char *steps;
	enum artefact artefact;
} steps[] = {
    {"1.RCS.1000.0.1", EXACT},
    {"1.RCS.1000.0.0,2.VCS1.500.-1.0,1.BCS.*.0.0,d.1000,T.-2,s.-3,s.-5", EXACT},
    {"q.2,1.RCS.500.0.0,2.VCS2.300.-1.0", EXACT},
    {"1.RCS.500-4000.0.0,2.BCS.100.-1.0,t.2,1.VECS.300.0.0", EXACT},
    {"1.BCS.100.0.0,f,1.RCS.500.f-1.0,2.VCS1.500.0.0,d.200,a.-4,s.-4", EXACT},
    {"M.1.VCS,B.1,1.VCS.1000.0.0,1.VCS.500.0.0,1.DEFAULT.100.0.1", EXACT},
    {"1.RCS.100-5000.0.0,2.VCS1.100-5000.0.0,s.-2,s.-2", EXACT},
    {"w.1.10n8m,W.2.16m,1.RCS.500.r1-0-4/w1-9.0,3.BCS.800.r1-9/w2-0.1", EXACT},
    {"1.RCS.3000.0.0,p.10000", DRIFT},
};

/* Batches that share engines by timeslices. */
static const char *const sliced[] = {
    "M.1.VCS,B.1,1.VCS.1256.0.0,1.VCS.334.0.1",
    "1.VCS1.3256.0.1,2.VCS1.2334.0.1",
};

TEST(steps)
{
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++) {
		wsim_compare(
		    IDEAL, steps[i].steps, "1", FIFO, steps[i].artefact);
		wsim_compare(
		    IDEAL, steps[i].steps, "3", FIFO, steps[i].artefact);
	}
	for (size_t i = 0; i < sizeof sliced / sizeof *sliced; i++)
		wsim_compare(IDEAL, sliced[i], "3", EXECLISTS, EXACT);
	wsim_end();
}

static void
compare_published(const char *clients, const char *scheduler)
{
	for (size_t i = 0; wsim_published[i] != NULL; i++) {
		const char *file = wsim_published[i];
		enum artefact artefact = wsim_artefact(
		    file, atoi(clients), scheduler);

		wsim_compare(
		    IDEAL, wsim_path(file), clients, scheduler, artefact);
		if (artefact < REWRITES)
			continue;
		wsim_fix_ranges(wsim_path(file), "fixed.wsim");
		wsim_compare(IDEAL, "fixed.wsim", clients, scheduler, EXACT);
	}
	wsim_end();
}

TEST(published_1)
{
	compare_published("1", FIFO);
}

TEST(published_2)
{
	compare_published("2", FIFO);
}

TEST(published_4)
{
	compare_published("4", FIFO);
}

TEST(published_8)
{
	compare_published("8", FIFO);
}

/* A scheduler that preempts: the points of batches are those of descriptors. */
TEST(published_preempted)
{
	compare_published("4", EXECLISTS);
}

FIXTURES(wsim_find_both, NULL);
