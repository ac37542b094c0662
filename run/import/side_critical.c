/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The critical path of an iteration (doc/model/import.md "Fidelity"): of all chains
 * of batches that wait for each other, or follow each other on an engine, the one
 * whose batches ran longest together. Pauses of the client are not in it, so that it
 * says what the GPU would need for an iteration alone.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "run/import/side.h"

struct chain_link {
	const struct side_row *row;
	uint32_t position;
};

static int
compare_chain_links(const void *a, const void *b)
{
	const struct chain_link *x = a, *y = b;

	if (x->row->start_ns != y->row->start_ns)
		return x->row->start_ns < y->row->start_ns ? -1 : 1;
	if (x->row->end_ns != y->row->end_ns)
		return x->row->end_ns < y->row->end_ns ? -1 : 1;
	return (x->position > y->position) - (x->position < y->position);
}

/* The longest chain before a batch: chains has those that end with the batches which
 * began before it, on_engine those that end on each engine. */
static nsec
chain_before(const struct chain_link *l, const struct infer_client *client,
    const nsec *chains, const nsec *on_engine)
{
	nsec longest = on_engine[l->row->engine];

	for (uint32_t i = client->first_dep[l->position];
	     i < client->first_dep[l->position + 1]; i++)
		longest = nsec_later(
		    longest, chains[l->position - client->deps[i]]);
	return longest;
}

nsec
side_critical_path(
    const struct side_row *const *rows, const struct infer_client *client)
{
	uint32_t n = client->n_batches;
	struct chain_link *links = mem_calloc(n, sizeof(*links));
	nsec *chains = mem_calloc(n, sizeof(*chains)), longest = 0;
	nsec on_engine[SIDE_ENGINES] = {0};

	for (uint32_t p = 0; p < n; p++)
		links[p] = (struct chain_link){rows[p], p};
	qsort(links, n, sizeof(*links), compare_chain_links);
	for (uint32_t i = 0; i < n; i++) {
		const struct chain_link *l = &links[i];
		nsec chain = l->row->run_ns +
		    chain_before(l, client, chains, on_engine);

		chains[l->position] = on_engine[l->row->engine] = chain;
		longest = nsec_later(longest, chain);
	}
	free(links);
	free(chains);
	return longest;
}
