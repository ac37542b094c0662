/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The command line that runs inferred descriptors (doc/model/infer.md
 * "Command line"): -r where all clients did as many iterations, else
 * --duration.
 */
#include <math.h>

#include "base/shell.h"
#include "base/text.h"
#include "trace/infer/infer.h"

/* Iterations that each clone of each client did; 0: they differ. */
static uint64_t
common_iterations(const struct infer_result *result)
{
	const struct infer_client *first = &result->clients[0];
	uint64_t n = first->n_iterations / first->n_clones;

	for (size_t i = 0; i < result->n_clients; i++)
		if (result->clients[i].n_iterations !=
		    n * result->clients[i].n_clones)
			return 0;
	return n;
}

static nsec
span(const struct infer_result *result)
{
	nsec begin = result->clients[0].begin_ns, end = 0;

	for (size_t i = 0; i < result->n_clients; i++) {
		begin = nsec_earlier(begin, result->clients[i].begin_ns);
		end = nsec_later(end, result->clients[i].end_ns);
	}
	return end > begin ? end - begin : 0;
}

void
infer_print_command(const struct infer_result *result, const char *const *files,
    struct text *out)
{
	uint64_t iterations = common_iterations(result);

	text_adds(out, "gpuwl-top -b");
	if (iterations > 0)
		text_addf(out, " -r %llu", (unsigned long long)iterations);
	else
		text_addf(out, " --duration=%.6f",
		    fmax(1e-6, (double)span(result) / 1e9));
	if (result->n_clients == 1 && result->clients[0].n_clones > 1)
		text_addf(out, " -c %u", result->clients[0].n_clones);
	for (size_t i = 0; i < result->n_clients; i++) {
		uint32_t times = result->n_clients == 1
		    ? 1
		    : result->clients[i].n_clones;

		while (times-- > 0) {
			text_adds(out, " -w ");
			shell_add_quoted(out, files[i]);
		}
	}
}
