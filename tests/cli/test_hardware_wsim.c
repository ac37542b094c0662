/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Batch mode on a GPU against gem_wsim on the same one, the virtual i915, in virtual
 * time: request by request where commands cost nothing, as doc/model/libdrm.md
 * "The record" says. The published descriptors need others' data
 * ($GPUWL_SHARED, else ../shared).
 */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/wsim_both.h"
#include "tests/support/wsim_version.h"

/* Queues more batches than a ring of a GPU has room for. */
#define QUEUES_MANY "carchasepart.wsim"

static char source[4096]; /* the top folder */

static int
use_device(void **state)
{
	assert_non_null(getcwd(source, sizeof source));
	wsim_use_device(true);
	allow_sanitizers();
	return wsim_find_both(state);
}

/* Returns how the descriptor differs at least. */
static enum artefact
artefact_on_device(const char *file, const char *clients, const char *scheduler)
{
	enum artefact artefact = wsim_artefact(file, atoi(clients), scheduler);

	if (strcmp(file, QUEUES_MANY) == 0)
		return ROOM;
	/* Turns between two looks at the GPU are not seen. */
	if (strcmp(scheduler, EXECLISTS) == 0 && artefact < REWRITES)
		return REWRITES;
	return artefact;
}

static void
compare_on_device(const char *clients, const char *scheduler)
{
	for (size_t i = 0; wsim_published[i] != NULL; i++) {
		const char *file = wsim_published[i];
		enum artefact artefact = artefact_on_device(
		    file, clients, scheduler);

		wsim_compare(
		    IDEAL, wsim_path(file), clients, scheduler, artefact);
		if (strcmp(scheduler, FIFO) != 0 ||
		    (artefact != REWRITES && artefact != SATURATED))
			continue;
		wsim_fix_ranges(wsim_path(file), "fixed.wsim");
		wsim_compare(IDEAL, "fixed.wsim", clients, scheduler, EXACT);
	}
	wsim_end();
}

TEST(one_client)
{
	compare_on_device("1", FIFO);
}

TEST(clients)
{
	compare_on_device("4", FIFO);
}

TEST(preemption)
{
	compare_on_device("4", EXECLISTS);
}

/* Shipped descriptors that gem_wsim reads, without their comments. */
static const char *const for_gem_wsim[] = {"composited", "load-balance",
    "priority-inversion", "queue-depth", "split-frame", "sseu", "submit-fence",
    "transcode", "working-sets"};

static const char *
shipped_path(const char *name)
{
	static char path[sizeof source + 64];

	snprintf(path, sizeof path, "%s/workloads/%s.wsim", source, name);
	return path;
}

TEST(shipped)
{
	for (size_t i = 0; i < sizeof for_gem_wsim / sizeof *for_gem_wsim;
	     i++) {
		wsim_fix_ranges(shipped_path(for_gem_wsim[i]), "shipped.wsim");
		wsim_compare(IDEAL, "shipped.wsim", "1", FIFO, EXACT);
		wsim_compare(IDEAL, "shipped.wsim", "3", FIFO, EXACT);
	}
	wsim_end();
}

/* The others, with a profile that has what they need. */
TEST(shipped_as_on_the_model)
{
	static const struct {
		const char *name, *profile;
	} rows[] = {
	    {"bonds", "--profile=default"},
	    {"desktop", "--profile=default"},
	    {"desktop", "--profile=dg2-g10"},
	    {"layer", "--profile=default"},
	    {"layer", "--profile=dg2-g10"},
	    {"parallel-frame", "--profile=dg2-g10"},
	    {"parallel-frame", "--profile=adl-p"},
	};

	for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
		wsim_compare_model(
		    rows[i].profile, shipped_path(rows[i].name), "1");
		wsim_compare_model(
		    rows[i].profile, shipped_path(rows[i].name), "3");
	}
}

FIXTURES(use_device, NULL);
