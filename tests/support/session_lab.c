/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/session_lab.h"

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "base/text.h"
#include "run/options.h"
#include "tests/runner/test.h"

void
session_lab_begin(struct session_lab *t, const char *scheduler,
    const char *workload, double speed)
{
	char option[64];
	const char *argv[] = {"gpuwl-top", option, "-w", workload, NULL};
	struct options o;
	struct text err = {0};
	int status;

	*t = (struct session_lab){0};
	snprintf(option, sizeof(option), "--scheduler=%s", scheduler);
	assert_true(options_parse(&o, 4, (char **)(uintptr_t)argv, &err));
	if (!plan_open(&t->plan, &o, &status, &err) ||
	    !session_begin(
		&t->session, &t->plan, speed, NSEC_NEVER, NULL, NULL, &err))
		fail_msg("%s", text_str(&err));
	options_free(&o);
	text_free(&err);
}

void
session_lab_end(struct session_lab *t)
{
	session_end(&t->session);
	plan_close(&t->plan);
}
