/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/wsim_version.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/runner/test.h"
#include "tests/support/gpuwl_run.h"
#include "tests/support/run_program.h"

static unsigned
count_questions(void)
{
	char *text, *program = strdup(getenv("GPUWL_TOP"));
	char path[PATH_MAX], option[64], *file = option + strlen("--requests=");
	struct outcome r;
	unsigned n = 0;

	snprintf(path, sizeof(path), "%.*s/gpuwl-run",
	    (int)(strrchr(program, '/') - program), program);
	setenv("GPUWL_TOP", path, 1);
	/* Another process may count at the same time in this folder. */
	snprintf(option, sizeof(option), "--requests=questions-%d.tsv",
	    (int)getpid());
	RUN(&r, "--own", "-q", "--virtual-time", "--profile=ideal", option,
	    GEM_WSIM, "-q", "-w", "1.RCS.1.0.1");
	if (r.status != 0)
		fail_msg("%s", r.err);
	outcome_free(&r);
	text = read_whole(file, NULL);
	for (char *p = text; (p = strstr(p, "\tempty\n")) != NULL; p++)
		n++;
	unlink(file);
	setenv("GPUWL_TOP", program, 1);
	free(text);
	free(program);
	return n;
}

unsigned
wsim_questions(void)
{
	static bool known;
	static unsigned n;

	if (!known)
		n = count_questions();
	known = true;
	return n;
}

unsigned
wsim_batches(unsigned n)
{
	return n + wsim_questions();
}

static bool left_out;

void
wsim_leave_out(void)
{
	left_out = true;
}

/* True if a line, or a part between commas, begins with that. */
static bool
has_step(const char *steps, const char *begin)
{
	const char *p = steps;

	while ((p = strstr(p, begin)) != NULL) {
		if (p == steps || strchr(",\n", p[-1]) != NULL)
			return true;
		p++;
	}
	return false;
}

bool
wsim_can_run(const char *workload)
{
	char *steps;
	bool can;

	if (wsim_questions() == 0)
		return true;
	steps = access(workload, R_OK) == 0 ? read_whole(workload, NULL)
					    : strdup(workload);
	can = !has_step(steps, "b.") && !has_step(steps, "S.");
	free(steps);
	left_out |= !can;
	return can;
}

void
wsim_end(void)
{
	bool skip = left_out;

	left_out = false;
	if (skip)
		skip_test("gem_wsim is not 1.27.1");
}
