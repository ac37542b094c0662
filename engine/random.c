/* SPDX-License-Identifier: GPL-3.0-or-later */
/* glibc's rand() without its global state: 128 bytes of it, as rand() has. */
#include "engine/random.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"

struct random {
	struct random_data data;
	char state[128];
	uint32_t master;
	bool same_for_all;
};

static uint32_t
draw(struct random *r)
{
	int32_t value = 0;

	random_r(&r->data, &value);
	return (uint32_t)value;
}

struct random *
random_new(uint32_t seed, bool same_for_all)
{
	struct random *r = mem_calloc(1, sizeof *r);

	initstate_r(seed, r->state, sizeof r->state, &r->data);
	r->master = draw(r);
	r->same_for_all = same_for_all;
	return r;
}

void
random_free(struct random *r)
{
	free(r);
}

void
random_client(struct random *r, uint32_t *durations, uint32_t *sizes)
{
	if (r->same_for_all) {
		*durations = *sizes = r->master;
		return;
	}
	*durations = draw(r);
	*sizes = draw(r);
}
