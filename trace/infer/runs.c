/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Facts that records may leave open: how long a request ran and when it was
 * ready.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/util.h"
#include "trace/infer/infer_private.h"

static int
compare_starts(const void *a, const void *b)
{
	const struct seen *const *x = a, *const *y = b;

	if ((*x)->engine != (*y)->engine)
		return (*x)->engine < (*y)->engine ? -1 : 1;
	if ((*x)->start != (*y)->start)
		return (*x)->start < (*y)->start ? -1 : 1;
	return (*x)->end < (*y)->end ? -1 : (*x)->end > (*y)->end;
}

/*
 * doc/model/infer.md "Durations": an engine runs one request at a time, so a
 * request begins when the one before it on its engine has ended. One that begins
 * on an idle engine has become ready just then, or polled for its dependencies
 * until then.
 */
void
infer_runs(struct infer_book *book)
{
	struct seen **sorted = mem_calloc(book->n_seen, sizeof(*sorted));
	nsec until = 0;

	for (uint32_t i = 0; i < book->n_seen; i++)
		sorted[i] = &book->seen[i];
	qsort(sorted, book->n_seen, sizeof(struct seen *), compare_starts);
	for (uint32_t i = 0; i < book->n_seen; i++) {
		struct seen *seen = sorted[i];

		if (i == 0 || sorted[i - 1]->engine != seen->engine)
			until = 0;
		if (seen->run == NSEC_NEVER) {
			nsec start = nsec_later(seen->start, until);

			seen->run = seen->end > start ? seen->end - start : 0;
		}
		if (seen->start > until)
			seen->ready = seen->start;
		until = nsec_later(until, seen->end);
	}
	free(sorted);
}
