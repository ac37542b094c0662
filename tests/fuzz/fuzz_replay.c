/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Recordings: any bytes are read or refused with a text that has the line; what
 * was read is launched and played, for a bounded number of events, and each
 * control is applied or refused with a text.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "run/recording.h"

#define MAX_BYTES   8192
#define MAX_CLIENTS 64 /* of what is run: they are allowed to be many */
#define MAX_EVENTS  2000

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static bool
is_small(const struct replay *r, const struct plan *plan)
{
	uint64_t n = 0;

	for (size_t i = 0; i < plan->n_sources; i++)
		n += plan->sources[i].clones;
	for (size_t i = 0; i < r->n; i++)
		n += r->actions[i].control.n_clients;
	return n <= MAX_CLIENTS;
}

static void
play(struct replay *r, struct plan *plan, struct text *err)
{
	struct run run;

	if (!plan_launch(plan, &run, err))
		abort(); /* it was checked */
	for (unsigned i = 0; i < 8 && !r->is_over; i++) {
		if (!replay_run(r, &run, NSEC_NEVER, MAX_EVENTS / 8, err)) {
			if (err->len == 0)
				abort();
			break;
		}
	}
	run_free(&run);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct text err = {0};
	struct replay r;
	struct plan plan;

	if (size > MAX_BYTES)
		return 0;
	if (!replay_parse(&r, &plan, "fuzz", (const char *)data, size, &err)) {
		if (err.len == 0)
			abort();
	} else if (is_small(&r, &plan)) {
		play(&r, &plan, &err);
	}
	replay_close(&r);
	plan_close(&plan);
	text_free(&err);
	return 0;
}
