/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A session that runs one workload, as -w has it, on the default profile. */
#ifndef TESTS_SUPPORT_SESSION_LAB_H
#define TESTS_SUPPORT_SESSION_LAB_H

#include "run/live/session.h"
#include "run/plan.h"

struct session_lab {
	struct plan plan;
	struct session session;
};

/* speed: times real time, 0 for max. */
void session_lab_begin(struct session_lab *t, const char *scheduler,
    const char *workload, double speed);
void session_lab_end(struct session_lab *t);

#endif
