/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Cells of the Contexts view for times: latencies of batches, and missed and
 * overdue periods. A crowd has a median and a maximum.
 */
#include "base/text.h"
#include "base/units.h"
#include "run/live/figures.h"
#include "run/live/overdue.h"
#include "tui/views/context_cells.h"
#include "tui/views/contexts.h"

/* Appends "4.12ms..9.60ms", the median of a crowd's clients and the maximum;
 * "-": nothing is known. */
static void
add_spread(struct text *out, nsec median, nsec max)
{
	char buf[UNITS_LEN];

	if (max == 0) {
		text_addc(out, '-');
		return;
	}
	text_addf(
	    out, "%s..", median == 0 ? "-" : format_duration(buf, median));
	text_adds(out, format_duration(buf, max));
}

/* Prints the mean latency of a window, "-" if no batch ended in it. */
void
context_time_print_latency(struct text *out, const void *row)
{
	const struct context_cell *cell = row;
	nsec latency = cell->shares->latency_ns;
	char buf[UNITS_LEN];

	if (cell->crowd != NULL && cell->crowd->latency_max_ns > 0)
		add_spread(out, latency, cell->crowd->latency_max_ns);
	else if (latency == NSEC_NEVER || latency == 0)
		text_addc(out, '-');
	else
		text_adds(out, format_duration(buf, latency));
}

#define LATENCY_WIDTH 9
#define SPREAD_WIDTH  16 /* of a column of crowds with a spread */

int
context_time_measure_latency(const void *table, int width)
{
	(void)width;
	return frame_has_crowds(table) ? SPREAD_WIDTH : LATENCY_WIDTH;
}

double
context_time_key_latency(const void *row)
{
	nsec latency = cell_shares(row)->latency_ns;

	return latency == NSEC_NEVER ? 0 : (double)latency;
}

/* Returns the figures since the totals were set to zero. Only then a histogram
 * is copied. */
static struct context_rates
totals_of_context(const void *row)
{
	const struct session *s = ((const struct context_cell *)row)->session;
	const struct context *context = cell_context(row);

	if (figures_context(&s->since, context) != NULL)
		return figures_context_since(&s->since, s->run.sim, context);
	return (struct context_rates){
	    .batches = context->batches,
	    .p99_ns = histogram_percentile(&context->times, LATENCY, 990),
	    .max_ns = histogram_max(&context->times, LATENCY),
	};
}

/* Appends a latency of the totals, "-" while no batch has ended. */
static void
add_total_latency(
    struct text *out, const struct context_rates *totals, nsec latency)
{
	char buf[UNITS_LEN];

	if (totals->batches == 0)
		text_addc(out, '-');
	else
		text_adds(out, format_duration(buf, latency));
}

double
context_time_key_p99(const void *row)
{
	return (double)totals_of_context(row).p99_ns;
}

void
context_time_print_p99(struct text *out, const void *row)
{
	struct context_rates totals = totals_of_context(row);

	add_total_latency(out, &totals, totals.p99_ns);
}

double
context_time_key_max(const void *row)
{
	return (double)totals_of_context(row).max_ns;
}

void
context_time_print_max(struct text *out, const void *row)
{
	struct context_rates totals = totals_of_context(row);

	add_total_latency(out, &totals, totals.max_ns);
}

static uint64_t
misses_of(const void *row)
{
	const struct context_cell *cell = row;

	return cell->crowd != NULL
	    ? cell->crowd->misses
	    : context_misses(cell->session, cell->row->context);
}

/* True if the client has reached a p step, or is late for its first one. */
static bool
has_periods(const struct client *client)
{
	return client->period.n > 0 || overdue_client(client) > 0;
}

void
context_time_print_misses(struct text *out, const void *row)
{
	char buf[UNITS_LEN];

	if (!has_periods(cell_context(row)->client))
		text_addc(out, '-');
	else
		text_adds(out, format_count(buf, misses_of(row)));
}

void
context_time_print_miss_rate(struct text *out, const void *row)
{
	double rate = (double)cell_shares(row)->missed;

	if (!has_periods(cell_context(row)->client))
		text_addc(out, '-');
	else
		text_addf(out, rate < 9.95 ? "%.1f" : "%.0f", rate);
}

#define MISS_WIDTH      6
#define MISS_RATE_WIDTH 8
#define LATE_WIDTH      8

int
context_time_measure_misses(const void *table, int width)
{
	(void)width;
	return ((const struct contexts_frame *)table)->periods ? MISS_WIDTH : 0;
}

int
context_time_measure_miss_rate(const void *table, int width)
{
	(void)width;
	return ((const struct contexts_frame *)table)->periods ? MISS_RATE_WIDTH
							       : 0;
}

static nsec
lateness_of(const void *row)
{
	const struct crowd_figures *crowd = cell_crowd(row);

	return crowd != NULL ? crowd->late_max_ns
			     : overdue_client(cell_context(row)->client);
}

void
context_time_print_late(struct text *out, const void *row)
{
	const struct crowd_figures *crowd = cell_crowd(row);
	nsec late = lateness_of(row);
	char buf[UNITS_LEN];

	if (crowd != NULL && !((const struct context_cell *)row)->late_is_max)
		add_spread(out, crowd->late_ns, late);
	else
		text_adds(out, late > 0 ? format_duration(buf, late) : "-");
}

/* Where clients have periods the column is there before one is late, so that it
 * does not move the others. */
int
context_time_measure_late(const void *table, int width)
{
	const struct contexts_frame *frame = table;

	return !frame->periods                                ? 0
	    : frame->crowds && width >= CONTEXTS_BOTH_SPREADS ? SPREAD_WIDTH
							      : LATE_WIDTH;
}

double
context_time_key_late(const void *row)
{
	return (double)overdue_client(cell_context(row)->client);
}

double
context_time_key_miss_rate(const void *row)
{
	return (double)cell_shares(row)->missed;
}

double
context_time_key_misses(const void *row)
{
	return (double)misses_of(row);
}

enum role
context_time_role_late(const void *row)
{
	return cell_role(row, lateness_of(row) > 0 ? ROLE_BAD : ROLE_NORMAL);
}

enum role
context_time_role_misses(const void *row)
{
	return cell_role(row, misses_of(row) > 0 ? ROLE_BAD : ROLE_NORMAL);
}

enum role
context_time_role_miss_rate(const void *row)
{
	return cell_role(
	    row, cell_shares(row)->missed > 0 ? ROLE_BAD : ROLE_NORMAL);
}
