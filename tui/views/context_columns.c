/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See context_columns.h. */
#include "tui/views/contexts.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"

/* Filters print these two of very many contexts. */
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
print_client_id(struct text *out, const struct context_cell *cell)
{
	const struct client *client = cell->row->context->client;

	/* The document has been edited, and it runs the text before still. */
	if (session_is_older(cell->session, client))
		text_addc(out, '~');
	add_column_number(out, client->id);
}

static void
print_context_number(struct text *out, const struct context_cell *cell)
{
	add_column_number(out, cell->row->context->def->number);
}

static void
print_priority(struct text *out, const struct context_cell *cell)
{
	text_addf(out, "%d", cell->row->context->priority);
}

static void
print_sseu(struct text *out, const struct context_cell *cell)
{
	text_addf(out, "%#x", cell->row->context->sseu);
}

static void
print_us(struct text *out, uint64_t us)
{
	char buf[UNITS_LEN];

	text_adds(
	    out, us == 0 ? "off" : format_duration(buf, us * NSEC_PER_USEC));
}

static void
print_preempt(struct text *out, const struct context_cell *cell)
{
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

/* As G has it: "VCS1|VCS3/VCS2|VCS4". */
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

/* "RCS,VCS1": rings of their own; "VCS1|VCS2": a virtual engine. */
static void
print_rings(struct text *out, const struct context_cell *cell)
{
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
print_busy(struct text *out, const struct context_cell *cell)
{
	text_addf(out, "%.1f", (double)cell->row->busy.busy * 100);
}

static void
print_queue(struct text *out, const struct context_cell *cell)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, cell->row->context->in_flight));
}

static double
mean_latency(const struct context_line *row)
{
	return (double)histogram_mean(&row->context->times, LATENCY);
}

static void
print_latency(struct text *out, const struct context_cell *cell)
{
	char buf[UNITS_LEN];

	if (cell->row->context->batches == 0)
		text_addc(out, '-');
	else
		text_adds(
		    out, format_duration(buf, (nsec)mean_latency(cell->row)));
}

static double
p99_latency(const struct context_line *row)
{
	return (double)histogram_percentile(&row->context->times, LATENCY, 990);
}

static void
print_p99(struct text *out, const struct context_cell *cell)
{
	char buf[UNITS_LEN];

	if (cell->row->context->batches == 0)
		text_addc(out, '-');
	else
		text_adds(
		    out, format_duration(buf, (nsec)p99_latency(cell->row)));
}

static void
print_max(struct text *out, const struct context_cell *cell)
{
	char buf[UNITS_LEN];

	if (cell->row->context->batches == 0)
		text_addc(out, '-');
	else
		text_adds(out,
		    format_duration(buf,
			histogram_max(&cell->row->context->times, LATENCY)));
}

static void
print_misses(struct text *out, const struct context_cell *cell)
{
	const struct period_stats *p = &cell->row->context->client->period;
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
print_client_state(struct text *out, const struct context_cell *cell)
{
	text_adds(out, client_state_name(cell->row->context->client));
}

static void
print_context_state(struct text *out, const struct context_cell *cell)
{
	const struct context *context = cell->row->context;

	/* What becomes of its client says nothing about it any more. */
	text_adds(out,
	    is_banned(context) ? "banned" : client_state_name(context->client));
}

/* Of a path, the last part. */
static void
print_workload(struct text *out, const struct context_cell *cell)
{
	const struct client *client = cell->row->context->client;
	const char *name = client->workload->name;
	const char *slash = strrchr(name, '/');

	/* It loops until the master, or all others, are done. */
	if (client->background)
		text_adds(out, "bg ");
	text_adds(out, slash != NULL && slash[1] != 0 ? slash + 1 : name);
}

static double
key_client(const struct context_line *row)
{
	(void)row;
	return 0; /* the order that the rows are in */
}

static double
key_context(const struct context_line *row)
{
	return row->context->def->number;
}

static double
key_priority(const struct context_line *row)
{
	return row->context->priority;
}

static double
key_sseu(const struct context_line *row)
{
	return row->context->sseu;
}

static double
key_busy(const struct context_line *row)
{
	return (double)row->busy.busy;
}

static double
key_queue(const struct context_line *row)
{
	return row->context->in_flight;
}

static double
key_max(const struct context_line *row)
{
	return (double)histogram_max(&row->context->times, LATENCY);
}

static double
key_misses(const struct context_line *row)
{
	return (double)row->context->client->period.missed;
}

static double
key_state(const struct context_line *row)
{
	return is_banned(row->context) ? CLIENT_ENDED + 1
				       : row->context->client->state;
}

static void
print_n_contexts(struct text *out, const struct context_cell *cell)
{
	uint32_t n = cell->row->context->client->n_contexts;

	text_addf(out, n == 1 ? "%u context" : "%u contexts", n);
}

static void
print_client_busy(struct text *out, const struct context_cell *cell)
{
	text_addf(out, "%.1f", (double)cell->client_busy->busy * 100);
}

static void
print_client_queue(struct text *out, const struct context_cell *cell)
{
	char buf[UNITS_LEN];

	text_adds(
	    out, format_count(buf, cell->row->context->client->in_flight));
}

/* "4.01ms  -61%": what it is now, and against what it is compared with. */
static void
print_change(struct text *out, const char *now, double live, double other)
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

static void
print_now_time(
    struct text *out, const struct context_cell *cell, nsec live, nsec other)
{
	const struct difference *d = cell->difference;
	char buf[UNITS_LEN];

	if (d == NULL || d->live.batches == 0)
		text_addc(out, '-');
	else if (!d->known || d->other.batches == 0)
		text_addf(out, "%s   new", format_duration(buf, live));
	else
		print_change(out, format_duration(buf, live), (double)live,
		    (double)other);
}

static void
print_now_latency(struct text *out, const struct context_cell *cell)
{
	const struct difference *d = cell->difference;

	print_now_time(out, cell, d != NULL ? d->live.mean_ns : 0,
	    d != NULL ? d->other.mean_ns : 0);
}

static void
print_now_p99(struct text *out, const struct context_cell *cell)
{
	const struct difference *d = cell->difference;

	print_now_time(out, cell, d != NULL ? d->live.p99_ns : 0,
	    d != NULL ? d->other.p99_ns : 0);
}

/* Rates say more by their difference: often they are 0. */
static void
print_now_rate(
    struct text *out, const struct difference *d, double live, double other)
{
	text_addf(out, "%.1f", live);
	if (d->known)
		text_addf(out, " %+.1f", live - other);
}

static void
print_now_misses(struct text *out, const struct context_cell *cell)
{
	const struct difference *d = cell->difference;

	if (d == NULL || !d->measured ||
	    cell->row->context->client->period.n == 0)
		text_addc(out, '-');
	else
		print_now_rate(out, d, d->live.missed, d->other.missed);
}

static void
print_now_busy(struct text *out, const struct context_cell *cell)
{
	const struct difference *d = cell->difference;

	if (d == NULL || !d->measured)
		text_addc(out, '-');
	else
		print_now_rate(out, d, d->live.busy * 100, d->other.busy * 100);
}

#define SUM TOTAL_SUM
#define MAX TOTAL_MAX

const struct column_info context_columns[N_COLUMNS] = {
    /* clang-format off */
    [COLUMN_CLIENT] =   {"CLIENT", NULL, 7, 0, false, false, false, false, true, 0, print_client_id, key_client, print_client_id},
    [COLUMN_CONTEXT] =  {"CTX", NULL, 5, 0, false, false, false, false, true, 0, print_context_number, key_context, NULL},
    [COLUMN_PRIORITY] = {"PRI", NULL, 6, 1, false, true, true, false, false, MAX, print_priority, key_priority, NULL},
    [COLUMN_SSEU] =     {"SSEU", NULL, 6, 7, false, true, true, false, false, 0, print_sseu, key_sseu, NULL},
    [COLUMN_PREEMPT] =  {"PREEMPT", NULL, 9, 8, false, false, false, false, false, 0, print_preempt, NULL, NULL},
    [COLUMN_ENGINES] =  {"ENGINES", NULL, 14, 6, true, false, false, false, true, 0, print_rings, NULL, print_n_contexts},
    [COLUMN_BUSY] =     {"BUSY%", NULL, 7, 2, false, true, true, false, false, SUM, print_busy, key_busy, print_client_busy},
    [COLUMN_QUEUE] =    {"QUEUE", NULL, 6, 4, false, true, true, false, false, SUM, print_queue, key_queue, print_client_queue},
    [COLUMN_LATENCY] =  {"LATENCY", NULL, 9, 3, false, true, true, false, false, MAX, print_latency, mean_latency, NULL},
    [COLUMN_P99] =      {"P99", NULL, 9, 11, false, true, true, false, false, MAX, print_p99, p99_latency, NULL},
    [COLUMN_MAX] =      {"MAX", NULL, 9, 9, false, true, true, false, false, MAX, print_max, key_max, NULL},
    [COLUMN_MISSES] =   {"MISS", NULL, 6, 5, false, true, true, false, false, MAX, print_misses, key_misses, print_misses},
    [COLUMN_NOW_MISSES] =  {"MISS/s NOW", "MISS/s HERE", 14, 2, false, true, true, true, false, 0, print_now_misses, NULL, NULL},
    [COLUMN_NOW_LATENCY] = {"LATENCY NOW", "LATENCY HERE", 15, 2, false, true, true, true, false, 0, print_now_latency, NULL, NULL},
    [COLUMN_NOW_P99] =     {"P99 NOW", "P99 HERE", 15, 2, false, true, true, true, false, 0, print_now_p99, NULL, NULL},
    [COLUMN_NOW_BUSY] =    {"BUSY% NOW", "BUSY% HERE", 13, 4, false, true, true, true, false, 0, print_now_busy, NULL, NULL},
    [COLUMN_STATE] =    {"STATE", NULL, 12, 10, true, true, false, false, true, MAX, print_context_state, key_state, print_client_state},
    [COLUMN_WORKLOAD] = {"WORKLOAD", NULL, 14, 12, true, false, false, false, true, 0, print_workload, NULL, print_workload},
    /* clang-format on */
};
