/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A run queue of `drm` (engine/sched/drm.h) against a scan over all keys. */
#include <stdlib.h>
#include <string.h>

#include "engine/sched/drm.h"
#include "tests/runner/test.h"

#define N_KEYS 40

/* Returns the least key that is there and after the turn, else the least; 0:
 * none. */
static uint64_t
scan(const bool there[N_KEYS + 1], uint64_t turn)
{
	uint64_t first = 0;

	for (uint64_t k = 1; k <= N_KEYS; k++) {
		if (there[k] && k > turn)
			return k;
		if (there[k] && first == 0)
			first = k;
	}
	return first;
}

TEST(runqueue)
{
	struct drm_runqueue q = {0};
	bool there[N_KEYS + 1] = {false};
	struct drm_link links[N_KEYS + 1] = {{0}};
	uint64_t turn = 0;

	srand(7);
	for (unsigned i = 0; i < 20000; i++) {
		unsigned what = (unsigned)rand() % 16;
		uint64_t key = (uint64_t)rand() % N_KEYS + 1;
		uint64_t first = scan(there, turn);

		assert_ptr_equal(
		    drm_runqueue_first(&q), first > 0 ? &links[first] : NULL);
		if (what == 0) {
			drm_runqueue_restart(&q);
			turn = 0;
		} else if (what < 8 && first > 0) {
			assert_ptr_equal(
			    drm_runqueue_take(&q, true), &links[first]);
			there[first] = false;
			turn = first;
		} else if (what >= 8 && !there[key]) {
			drm_runqueue_add(&q, key, &links[key]);
			there[key] = true;
		}
	}
	heap_free(&q.now);
	heap_free(&q.next_round);
}

/* Some are withdrawn, and do not come back. */
TEST(runqueue_withdrawn)
{
	struct drm_runqueue q = {0};
	struct drm_link links[N_KEYS + 1] = {{0}};
	unsigned taken = 0;

	for (uint64_t k = 1; k <= N_KEYS; k++)
		drm_runqueue_add(&q, k, &links[k]);
	for (uint64_t k = 1; k <= N_KEYS; k++) {
		if (k % 3 != 0)
			drm_runqueue_withdraw(&links[k]);
	}
	while (drm_runqueue_first(&q) != NULL) {
		taken++;
		assert_ptr_equal(
		    drm_runqueue_take(&q, true), &links[taken * 3]);
	}
	assert_int_equal(taken, N_KEYS / 3);
	heap_free(&q.now);
	heap_free(&q.next_round);
}
