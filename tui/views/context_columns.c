/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Contexts view: how each prints a context or a client, its
 * role, and what it is sorted by. context_columns[] has a row for each.
 */
#include "tui/views/contexts.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"

static const struct context *
context_of(const void *row)
{
	return ((const struct context_cell *)row)->row->context;
}

/* Adds n faster than text_addf(): filters print ids of very many contexts. */
static void
add_column_number(struct text *out, uint32_t n)
{
	char digits[12];
	size_t at = sizeof(digits);

	do
		digits[--at] = (char)('0' + n % 10);
	while ((n /= 10) > 0);
	text_add(out, digits + at, sizeof(digits) - at);
}

static void
print_client_id(struct text *out, const void *row)
{
	const struct context_cell *cell = row;
	const struct client *client = cell->row->context->client;

	/* The document was edited and this client still runs the old text. */
	if (session_is_older(cell->session, client))
		text_addc(out, '~');
	add_column_number(out, client->id);
}

static void
print_context_number(struct text *out, const void *row)
{
	add_column_number(out, context_of(row)->def->number);
}

static void
print_context_priority(struct text *out, const void *row)
{
	text_addf(out, "%d", context_of(row)->priority);
}

static void
print_sseu(struct text *out, const void *row)
{
	text_addf(out, "%#x", context_of(row)->sseu);
}

static void
print_us(struct text *out, uint64_t us)
{
	char buf[UNITS_LEN];

	text_adds(
	    out, us == 0 ? "off" : format_duration(buf, us * NSEC_PER_USEC));
}

static void
print_preempt(struct text *out, const void *row)
{
	const struct context_cell *cell = row;
	nsec live = cell->row->context->preempt_ns;

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

/* Prints "RCS,VCS1" for separate rings, "VCS1|VCS2" for a virtual engine. */
static void
print_rings(struct text *out, const void *row)
{
	const struct context_cell *cell = row;
	const struct device *dev = &cell->session->run.sim->device;
	const struct context_def *def = cell->row->context->def;
	const struct program *p = cell->row->context->client->program;
	size_t start = out->len;

	if (def->n_rows > 0) {
		print_rows(out, dev, def);
		return;
	}
	for (uint32_t r = 0; r < def->n_rings; r++) {
		const struct ring_def *ring = &p->rings[def->first_ring + r];
		bool more = false;

		if (out->len > start)
			text_addc(out, ',');
		for (unsigned e = 0; e < dev->n_engines; e++) {
			if (!(ring->engines >> e & 1))
				continue;
			if (more)
				text_addc(out, '|');
			text_adds(out, dev->engines[e].name);
			more = true;
		}
	}
	if (out->len == start)
		text_addc(out, '-');
}

static void
print_busy(struct text *out, const void *row)
{
	const struct context_cell *cell = row;

	text_addf(out, "%.1f", (double)cell->row->busy.busy * 100);
}

static void
print_queue(struct text *out, const void *row)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, context_of(row)->in_flight));
}

/* Appends a latency, "-" while no batch has ended. */
static void
add_latency(struct text *out, const void *row, nsec latency)
{
	char buf[UNITS_LEN];

	if (context_of(row)->batches == 0)
		text_addc(out, '-');
	else
		text_adds(out, format_duration(buf, latency));
}

static double
mean_latency(const void *row)
{
	return (double)histogram_mean(&context_of(row)->times, LATENCY);
}

static void
print_latency(struct text *out, const void *row)
{
	add_latency(out, row, (nsec)mean_latency(row));
}

static double
p99_latency(const void *row)
{
	return (double)histogram_percentile(
	    &context_of(row)->times, LATENCY, 990);
}

static void
print_p99(struct text *out, const void *row)
{
	add_latency(out, row, (nsec)p99_latency(row));
}

static double
key_max(const void *row)
{
	return (double)histogram_max(&context_of(row)->times, LATENCY);
}

static void
print_max(struct text *out, const void *row)
{
	add_latency(out, row, (nsec)key_max(row));
}

static void
print_misses(struct text *out, const void *row)
{
	const struct period_stats *p = &context_of(row)->client->period;
	char buf[UNITS_LEN];

	if (p->n == 0)
		text_addc(out, '-');
	else
		text_adds(out, format_count(buf, p->missed));
}

static bool
is_banned(const struct context *context)
{
	return context->ban.banned && context->client->state != CLIENT_ENDED;
}

static void
print_client_state(struct text *out, const void *row)
{
	text_adds(out, client_state_name(context_of(row)->client));
}

static void
print_context_state(struct text *out, const void *row)
{
	const struct context *context = context_of(row);

	/* The client's state says nothing of a banned context. */
	text_adds(out,
	    is_banned(context) ? "banned" : client_state_name(context->client));
}

/* Prints the file's name without its folder; "bg" marks a client that loops
 * until the others have ended. */
static void
print_workload(struct text *out, const void *row)
{
	const struct client *client = context_of(row)->client;
	const char *name = client->workload->name;
	const char *slash = strrchr(name, '/');

	if (client->background)
		text_adds(out, "bg ");
	text_adds(out, slash != NULL && slash[1] != 0 ? slash + 1 : name);
}

static double
key_client(const void *row)
{
	(void)row;
	return 0; /* the rows' own order */
}

static double
key_context(const void *row)
{
	return context_of(row)->def->number;
}

static double
key_priority(const void *row)
{
	return context_of(row)->priority;
}

static double
key_sseu(const void *row)
{
	return context_of(row)->sseu;
}

static double
key_busy(const void *row)
{
	const struct context_cell *cell = row;

	return (double)cell->row->busy.busy;
}

static double
key_queue(const void *row)
{
	return context_of(row)->in_flight;
}

static double
key_misses(const void *row)
{
	return (double)context_of(row)->client->period.missed;
}

static double
key_state(const void *row)
{
	return is_banned(context_of(row)) ? CLIENT_ENDED + 1
					  : context_of(row)->client->state;
}

static void
print_n_contexts(struct text *out, const void *row)
{
	uint32_t n = context_of(row)->client->n_contexts;

	text_addf(out, n == 1 ? "%u context" : "%u contexts", n);
}

static void
print_client_busy(struct text *out, const void *row)
{
	const struct context_cell *cell = row;

	text_addf(out, "%.1f", (double)cell->client_busy->busy * 100);
}

static void
print_client_queue(struct text *out, const void *row)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, context_of(row)->client->in_flight));
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
		text_addf(out, " %+4.0f%%", percent);
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

static void
print_now_latency(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	print_now_time(out, d, d->live.mean_ns, d->other.mean_ns);
}

static void
print_now_p99(struct text *out, const void *row)
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
		text_addf(out, " %+.1f", live - other);
}

static void
print_now_misses(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	if (!d->measured || context_of(row)->client->period.n == 0)
		text_addc(out, '-');
	else
		print_now_rate(out, d, d->live.missed, d->other.missed);
}

static void
print_now_busy(struct text *out, const void *row)
{
	const struct difference *d = difference_of(row);

	if (!d->measured)
		text_addc(out, '-');
	else
		print_now_rate(out, d, d->live.busy * 100, d->other.busy * 100);
}

/* An ended client is dim in all columns. */
static enum role
role_of(const void *row, enum role role)
{
	return context_of(row)->client->state == CLIENT_ENDED ? ROLE_DIM : role;
}

static enum role
role_busy(const void *row)
{
	const struct context_cell *cell = row;

	return role_of(
	    row, cell->row->busy.busy > 0 ? ROLE_STRONG : ROLE_NORMAL);
}

static enum role
role_misses(const void *row)
{
	return role_of(row,
	    context_of(row)->client->period.missed > 0 ? ROLE_BAD
						       : ROLE_NORMAL);
}

static enum role
role_state(const void *row)
{
	return role_of(
	    row, context_of(row)->ban.banned ? ROLE_BAD : ROLE_NORMAL);
}

/* Less is better; a change below 5 % is not coloured. */
static enum role
role_of_change(const void *row, double live, double other)
{
	if (!difference_of(row)->known || live == other)
		return role_of(row, ROLE_NORMAL);
	return role_of(row,
	    live < other * 0.95       ? ROLE_GOOD
		: live > other * 1.05 ? ROLE_BAD
				      : ROLE_NORMAL);
}

static enum role
role_now_misses(const void *row)
{
	const struct difference *d = difference_of(row);

	return role_of_change(row, d->live.missed, d->other.missed);
}

static enum role
role_now_latency(const void *row)
{
	const struct difference *d = difference_of(row);

	return role_of_change(
	    row, (double)d->live.mean_ns, (double)d->other.mean_ns);
}

static enum role
role_now_p99(const void *row)
{
	const struct difference *d = difference_of(row);

	return role_of_change(
	    row, (double)d->live.p99_ns, (double)d->other.p99_ns);
}

/* "LATENCY NOW" against a snapshot, "LATENCY HERE" beside another run. */
static void
heading_now(
    struct text *out, const struct column *column, int width, const void *table)
{
	const struct view_env *env = table;
	bool beside = env->session->baseline.kind == BASELINE_SHADOW;

	(void)width;
	text_addf(out, "%.*s%s", (int)(strlen(column->title) - strlen("NOW")),
	    column->title, beside ? "HERE" : "NOW");
}

const struct column context_columns[N_COLUMNS] = {
    [COLUMN_CLIENT] = {"CLIENT", 9, .flags = COL_FOUND | COL_OF_GROUP,
	.print = print_client_id, .sort_name = "client", .key = key_client,
	.print_group = print_client_id},
    [COLUMN_CONTEXT] = {"CTX", 5, .flags = COL_FOUND,
	.print = print_context_number, .sort_name = "ctx", .key = key_context},
    [COLUMN_PRIORITY] = {"PRI", 6, .importance = 1,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX,
	.print = print_context_priority, .sort_name = "pri",
	.key = key_priority},
    [COLUMN_SSEU] = {"SSEU", 6, .importance = 7,
	.flags = COL_MOVES | COL_DESCENDS, .print = print_sseu,
	.sort_name = "sseu", .key = key_sseu},
    [COLUMN_PREEMPT] = {"PREEMPT", 9, .importance = 8, .print = print_preempt},
    [COLUMN_ENGINES] = {"ENGINES", 14, .importance = 6, .percent = 50, .gap = 2,
	.flags = COL_LEFT | COL_FOUND, .print = print_rings,
	.print_group = print_n_contexts},
    [COLUMN_BUSY] = {"BUSY%", 7, .importance = 2,
	.flags = COL_MOVES | COL_DESCENDS | COL_SUM, .print = print_busy,
	.role = role_busy, .sort_name = "busy", .key = key_busy,
	.print_group = print_client_busy},
    [COLUMN_QUEUE] = {"QUEUE", 6, .importance = 4,
	.flags = COL_MOVES | COL_DESCENDS | COL_SUM, .print = print_queue,
	.sort_name = "queue", .key = key_queue,
	.print_group = print_client_queue},
    [COLUMN_LATENCY] = {"LATENCY", 9, .importance = 3,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX, .print = print_latency,
	.sort_name = "latency", .key = mean_latency},
    [COLUMN_P99] = {"P99", 9, .importance = 11,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX, .print = print_p99,
	.sort_name = "p99", .key = p99_latency},
    [COLUMN_MAX] = {"MAX", 9, .importance = 9,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX, .print = print_max,
	.sort_name = "max", .key = key_max},
    [COLUMN_MISSES] = {"MISS", 6, .importance = 5,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_GROUP,
	.print = print_misses, .role = role_misses, .sort_name = "miss",
	.key = key_misses, .print_group = print_misses},
    [COLUMN_NOW_MISSES] = {"MISS/s NOW", 14, .importance = 2,
	.flags = COL_COMPARED, .heading = heading_now,
	.print = print_now_misses, .role = role_now_misses},
    [COLUMN_NOW_LATENCY] = {"LATENCY NOW", 15, .importance = 2,
	.flags = COL_COMPARED, .heading = heading_now,
	.print = print_now_latency, .role = role_now_latency},
    [COLUMN_NOW_P99] = {"P99 NOW", 15, .importance = 2, .flags = COL_COMPARED,
	.heading = heading_now, .print = print_now_p99, .role = role_now_p99},
    [COLUMN_NOW_BUSY] = {"BUSY% NOW", 13, .importance = 4,
	.flags = COL_COMPARED, .heading = heading_now, .print = print_now_busy},
    [COLUMN_STATE] = {"STATE", 12, .importance = 10, .gap = 2,
	.flags = COL_LEFT | COL_MOVES | COL_FOUND | COL_MAX,
	.print = print_context_state, .role = role_state, .sort_name = "state",
	.key = key_state, .print_group = print_client_state},
    [COLUMN_WORKLOAD] = {"WORKLOAD", 14, .importance = 12, .percent = 100,
	.gap = 2, .flags = COL_LEFT | COL_FOUND, .print = print_workload,
	.print_group = print_workload},
};
