/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The pairing heap against a scan over all its nodes. */
#include <stdlib.h>
#include <string.h>

#include "base/heap.h"
#include "tests/runner/test.h"

#define N_NODES 60

static struct pairing_node *
scan(struct pairing_node *nodes, const bool *there)
{
	struct pairing_node *first = NULL;

	for (unsigned i = 0; i < N_NODES; i++) {
		if (there[i] &&
		    (first == NULL || pairing_before(&nodes[i], first)))
			first = &nodes[i];
	}
	return first;
}

/* Nodes come, and go from the top or the middle; many have the same key. */
TEST(first_is_the_least)
{
	struct pairing heap = {0};
	struct pairing_node nodes[N_NODES] = {0};
	bool there[N_NODES] = {false};

	srand(5);
	for (unsigned n = 0; n < 20000; n++) {
		unsigned i = (unsigned)rand() % N_NODES;

		if (rand() % 3 == 0 && heap.first != NULL)
			i = (unsigned)(heap.first - nodes);
		if (there[i]) {
			pairing_remove(&heap, &nodes[i]);
		} else {
			nodes[i].key = (uint64_t)rand() % 10;
			nodes[i].seq = i;
			pairing_add(&heap, &nodes[i]);
		}
		there[i] = !there[i];
		assert_ptr_equal(heap.first, scan(nodes, there));
	}
}
