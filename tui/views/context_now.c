/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Contexts view that compare figures with a baseline: a
 * snapshot, or another run beside this one.
 */
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "tui/views/context_cells.h"
#include "tui/views/contexts.h"

static const struct client *
client_of_row(const void *row)
{
	return ((const struct context_cell *)row)->row->context->client;
}

/* Prints "4.01ms -61%": a figure and its change against the baseline. */
static void
add_change(struct text *out, const char *now, double live, double other)
{
	double percent = (live - other) / other * 100;

	text_adds(out, now);
	if (other <= 0)
		text_adds(out, live > 0 ? "   new" : "     =");
	else if (percent > 999)
		text_adds(out, " >999%");
	else
		text_addf(out, " %+4.0f%%", difference_in_steps(percent, 1));
}

/* Returns the difference to the baseline. A filter may look into cells without
 * one, which are empty. */
static const struct difference *
difference_of(const void *row)
{
	static const struct difference none;
	const struct context_cell *cell = row;

	return cell->difference != NULL ? cell->difference : &none;
}

static void
print_now_time(
    struct text *out, const struct difference *d, nsec live, nsec other)
{
	char buf[UNITS_LEN];

	if (d->live.batches == 0)
		text_addc(out, '-');
	else if (!d->known || d->other.batches == 0)
		text_addf(out, "%s   new", format_duration(buf, live));
	else
		add_change(out, format_duration(buf, live), (double)live,
		    (double)other);
}

void
context_now_print_latency(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	print_now_time(out, d, d->live.mean_ns, d->other.mean_ns);
}

void
context_now_print_p99(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	print_now_time(out, d, d->live.p99_ns, d->other.p99_ns);
}

/* Prints a rate with its difference, since rates are often 0. */
static void
print_now_rate(
    struct text *out, const struct difference *d, double live, double other)
{
	text_addf(out, "%.1f", live);
	if (d->known)
		text_addf(
		    out, " %+.1f", difference_in_steps(live - other, 0.1));
}

void
context_now_print_misses(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	if (!d->measured || client_of_row(row)->period.n == 0)
		text_addc(out, '-');
	else
		print_now_rate(out, d, d->live.missed, d->other.missed);
}

void
context_now_print_busy(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	if (!d->measured)
		text_addc(out, '-');
	else
		print_now_rate(out, d, d->live.busy * 100, d->other.busy * 100);
}

/* An ended client is dim in all columns. */
static enum role
now_role(const void *row, enum role role)
{
	return client_of_row(row)->state == CLIENT_ENDED ? ROLE_DIM : role;
}

/* Less is better; a change below 5 % is not coloured. */
static enum role
role_of_change(const void *row, double live, double other)
{
	if (!difference_of(row)->known || live == other)
		return now_role(row, ROLE_NORMAL);
	return now_role(row,
	    live < other * 0.95       ? ROLE_GOOD
		: live > other * 1.05 ? ROLE_BAD
				      : ROLE_NORMAL);
}

enum role
context_now_role_misses(const void *row)
{
	const struct difference *d = difference_of(row);

	return role_of_change(row, d->live.missed, d->other.missed);
}

enum role
context_now_role_latency(const void *row)
{
	const struct difference *d = difference_of(row);

	return role_of_change(
	    row, (double)d->live.mean_ns, (double)d->other.mean_ns);
}

enum role
context_now_role_p99(const void *row)
{
	const struct difference *d = difference_of(row);

	return role_of_change(
	    row, (double)d->live.p99_ns, (double)d->other.p99_ns);
}

/* "LATENCY NOW" against a snapshot, "LATENCY HERE" beside another run. */
void
context_now_heading(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct contexts_frame *frame = table;
	bool beside = frame->env->session->baseline.kind != BASELINE_SNAPSHOT;

	(void)width;
	text_addf(out, "%.*s%s", (int)(strlen(column->title) - strlen("NOW")),
	    column->title, beside ? "HERE" : "NOW");
}
