/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of the Contexts view for a context's setup: its engines and the distance
 * of its preemption points.
 */
#include "base/text.h"
#include "base/units.h"
#include "tui/views/context_cells.h"
#include "tui/views/contexts.h"

static void
print_us(struct text *out, uint64_t us)
{
	char buf[UNITS_LEN];

	text_adds(
	    out, us == 0 ? "off" : format_duration(buf, us * NSEC_PER_USEC));
}

void
context_print_preempt(struct text *out, const void *row)
{
	const struct context_cell *cell = row;
	nsec live = cell->row->context->preempt_ns;

	if (cell->crowd != NULL && cell->crowd->preempt_differ) {
		text_adds(out, "mixed");
		return;
	}
	if (live != PREEMPT_BY_PROGRAM) {
		print_us(out, live / NSEC_PER_USEC);
		return;
	}
	if (cell->facts == NULL || !cell->facts->any) {
		text_addc(out, '-');
		return;
	}
	print_us(out, cell->facts->preempt_min_us);
	if (cell->facts->preempt_max_us != cell->facts->preempt_min_us) {
		text_adds(out, "..");
		print_us(out, cell->facts->preempt_max_us);
	}
}

/* Prints an engine map as "VCS1|VCS3/VCS2|VCS4": widths and siblings. */
static void
print_rows(
    struct text *out, const struct device *dev, const struct context_def *def)
{
	for (uint32_t i = 0; i < def->n_rows * def->n_siblings; i++) {
		if (i > 0)
			text_addc(out, i % def->n_siblings == 0 ? '/' : '|');
		text_adds(out, dev->engines[def->rows[i]].name);
	}
}

/* True if the ring is the context's, and no earlier one has the same engines:
 * maps of programs may name an engine twice. */
static bool
is_first_of_its_engines(
    const struct client *client, uint32_t at, const struct context *context)
{
	if (client->rings[at]->context != context)
		return false;
	for (uint32_t r = 0; r < at; r++)
		if (client->rings[r]->context == context &&
		    client->rings[r]->def->engines ==
			client->rings[at]->def->engines)
			return false;
	return true;
}

static void
print_siblings(struct text *out, const struct device *dev, engine_mask engines)
{
	for (engine_mask m = engines; m != 0; m &= m - 1)
		text_addf(out, "%s%s", m != engines ? "|" : "",
		    dev->engines[__builtin_ctzll(m)].name);
}

/* Prints "RCS,VCS1" for separate rings, "VCS1|VCS2" for a virtual engine. */
void
context_print_engines(struct text *out, const void *row)
{
	const struct context_cell *cell = row;
	const struct device *dev = &cell->session->run.sim->device;
	const struct context_def *def = cell->row->context->def;
	const struct client *client = cell->row->context->client;
	size_t start = out->len;

	if (def->n_rows > 0) {
		print_rows(out, dev, def);
		return;
	}
	for (uint32_t r = 0; r < client->n_rings; r++) {
		if (!is_first_of_its_engines(client, r, cell->row->context))
			continue;
		if (out->len > start)
			text_addc(out, ',');
		print_siblings(out, dev, client->rings[r]->def->engines);
	}
	if (out->len == start)
		text_addc(out, '-');
}
