/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Contexts view: how each prints a context or a client, its
 * role, and what it is sorted by. context_columns[] has a row for each.
 */
#include "tui/views/contexts.h"

#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "run/live/figures.h"
#include "run/live/overdue.h"
#include "tui/views/context_cells.h"

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
add_share(struct text *out, float share)
{
	text_addf(out, "%.1f", (double)share * 100);
}

static void
print_context_run(struct text *out, const void *row)
{
	add_share(out, ((const struct context_cell *)row)->row->sample.run);
}

static void
print_context_poll(struct text *out, const void *row)
{
	add_share(out, ((const struct context_cell *)row)->row->sample.poll);
}

static void
print_context_switch(struct text *out, const void *row)
{
	add_share(
	    out, ((const struct context_cell *)row)->row->sample.switching);
}

/* Prints a share of a class, which is narrow: "-" of an engine class that the
 * context did not use in the window. */
static void
add_class_share(struct text *out, float share)
{
	if (share <= 0)
		text_addc(out, '-');
	else
		text_addf(out, "%.0f", (double)share * 100);
}

/* True if the class has run, switched or polled for any context. */
static bool
class_has_work(const struct device *dev, enum engine_class class)
{
	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct hw_engine *e = &dev->engines[i];

		if (e->class == class &&
		    (e->busy_ns > 0 || e->batches > 0 || e->running != NULL))
			return true;
	}
	return false;
}

#define CLASS_WIDTH 5

/* The functions of a class's column. */
#define CLASS_COLUMN(name, index)                                              \
	static void print_##name(struct text *out, const void *row)            \
	{                                                                      \
		const struct context_cell *cell = row;                         \
		add_class_share(out, cell->row->sample.classes[index]);        \
	}                                                                      \
	static void print_client_##name(struct text *out, const void *row)     \
	{                                                                      \
		const struct context_cell *cell = row;                         \
		add_class_share(out, cell->client_sample->classes[index]);     \
	}                                                                      \
	static double key_##name(const void *row)                              \
	{                                                                      \
		const struct context_cell *cell = row;                         \
		return (double)cell->row->sample.classes[index];               \
	}                                                                      \
	static int measure_##name(const void *table, int width)                \
	{                                                                      \
		const struct view_env *env = table;                            \
		(void)width;                                                   \
		return class_has_work(&env->session->run.sim->device, index)   \
		    ? CLASS_WIDTH                                              \
		    : 0;                                                       \
	}

CLASS_COLUMN(rcs, CLASS_RCS)
CLASS_COLUMN(bcs, CLASS_BCS)
CLASS_COLUMN(vcs, CLASS_VCS)
CLASS_COLUMN(vecs, CLASS_VECS)
CLASS_COLUMN(ccs, CLASS_CCS)

static void
print_queue(struct text *out, const void *row)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, context_of(row)->in_flight));
}

/* Appends the mean latency of a window, "-" if no batch ended in it. */
static void
add_window_latency(struct text *out, const struct context_sample *sample)
{
	char buf[UNITS_LEN];
	bool unknown = sample->latency_ns == NSEC_NEVER ||
	    (sample->at == 0 && sample->latency_ns == 0);

	if (unknown)
		text_addc(out, '-');
	else
		text_adds(out, format_duration(buf, sample->latency_ns));
}

static void
print_latency(struct text *out, const void *row)
{
	const struct context_cell *cell = row;

	add_window_latency(out, &cell->row->sample);
}

static void
print_client_latency(struct text *out, const void *row)
{
	const struct context_cell *cell = row;

	add_window_latency(out, cell->client_sample);
}

static double
key_latency(const void *row)
{
	const struct context_cell *cell = row;
	nsec latency = cell->row->sample.latency_ns;

	return latency == NSEC_NEVER ? 0 : (double)latency;
}

/* Returns the figures since the totals were set to zero. Only then a histogram
 * is copied. */
static struct context_rates
totals_of_context(const void *row)
{
	const struct session *s = ((const struct context_cell *)row)->session;
	const struct context *context = context_of(row);

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

static double
p99_latency(const void *row)
{
	return (double)totals_of_context(row).p99_ns;
}

static void
print_p99(struct text *out, const void *row)
{
	struct context_rates totals = totals_of_context(row);

	add_total_latency(out, &totals, totals.p99_ns);
}

static double
key_max(const void *row)
{
	return (double)totals_of_context(row).max_ns;
}

static void
print_max(struct text *out, const void *row)
{
	struct context_rates totals = totals_of_context(row);

	add_total_latency(out, &totals, totals.max_ns);
}

/* Returns the missed periods of the client, the overdue one too, since the
 * totals were set to zero. */
static uint64_t
misses_of(const void *row)
{
	const struct session *s = ((const struct context_cell *)row)->session;
	const struct context *context = context_of(row);
	const struct context_figures *then = figures_context(
	    &s->since, context);
	uint64_t missed = overdue_client_misses(context->client);

	return then != NULL ? missed - then->missed : missed;
}

static void
print_misses(struct text *out, const void *row)
{
	const struct client *client = context_of(row)->client;
	char buf[UNITS_LEN];

	if (client->period.n == 0 && overdue_client(client) == 0)
		text_addc(out, '-');
	else
		text_adds(out, format_count(buf, misses_of(row)));
}

static void
print_overdue_time(struct text *out, const void *row)
{
	nsec late = overdue_client(context_of(row)->client);
	char buf[UNITS_LEN];

	text_adds(out, late > 0 ? format_duration(buf, late) : "-");
}

/* The column is there once a period was missed. */
static int
measure_late(const void *table, int width)
{
	const struct session *s = ((const struct view_env *)table)->session;

	(void)width;
	return s->overdue.n > 0 || s->run.sim->n_missed > 0 ? 8 : 0;
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
	const char *name = client->name;
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
key_run(const void *row)
{
	return (double)((const struct context_cell *)row)->row->sample.run;
}

static double
key_poll(const void *row)
{
	return (double)((const struct context_cell *)row)->row->sample.poll;
}

static double
key_switch(const void *row)
{
	const struct context_cell *cell = row;

	return (double)cell->row->sample.switching;
}

static double
key_late(const void *row)
{
	return (double)overdue_client(context_of(row)->client);
}

static double
key_queue(const void *row)
{
	return context_of(row)->in_flight;
}

static double
key_misses(const void *row)
{
	return (double)misses_of(row);
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
print_client_run(struct text *out, const void *row)
{
	add_share(out, ((const struct context_cell *)row)->client_sample->run);
}

static void
print_client_poll(struct text *out, const void *row)
{
	add_share(out, ((const struct context_cell *)row)->client_sample->poll);
}

static void
print_client_switch(struct text *out, const void *row)
{
	const struct context_cell *cell = row;

	add_share(out, cell->client_sample->switching);
}

static void
print_client_queue(struct text *out, const void *row)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, context_of(row)->client->in_flight));
}

/* An ended client is dim in all columns. */
static enum role
role_of(const void *row, enum role role)
{
	return context_of(row)->client->state == CLIENT_ENDED ? ROLE_DIM : role;
}

static enum role
role_context_run(const void *row)
{
	const struct context_cell *cell = row;

	return role_of(
	    row, cell->row->sample.run > 0 ? ROLE_STRONG : ROLE_NORMAL);
}

static enum role
role_late(const void *row)
{
	return role_of(row,
	    overdue_client(context_of(row)->client) > 0 ? ROLE_BAD
							: ROLE_NORMAL);
}

static enum role
role_misses(const void *row)
{
	return role_of(row, misses_of(row) > 0 ? ROLE_BAD : ROLE_NORMAL);
}

static enum role
role_state(const void *row)
{
	return role_of(
	    row, context_of(row)->ban.banned ? ROLE_BAD : ROLE_NORMAL);
}

#define CLASS_ROW(name, title)                                                 \
	{                                                                      \
		title, CLASS_WIDTH,                                            \
		    .importance = 7,                                           \
		    .flags = COL_MOVES | COL_DESCENDS | COL_SUM,               \
		    .measure = measure_##name, .print = print_##name,          \
		    .sort_name = #name, .help = "share of " title " engines",  \
		    .key = key_##name, .print_group = print_client_##name      \
	}

const struct column context_columns[N_COLUMNS] = {
    [COLUMN_CLIENT] = {"CLIENT", 9, .flags = COL_FOUND | COL_OF_GROUP,
	.print = print_client_id, .sort_name = "client",
	.help = "client, in order of launch", .key = key_client,
	.print_group = print_client_id},
    [COLUMN_CONTEXT] = {"CTX", 5, .flags = COL_FOUND,
	.print = print_context_number, .sort_name = "ctx",
	.help = "number of the context in the text", .key = key_context},
    [COLUMN_PRIORITY] = {"PRI", 6, .importance = 1,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX,
	.print = print_context_priority, .sort_name = "pri",
	.help = "priority of the context", .key = key_priority},
    [COLUMN_SSEU] = {"SSEU", 6, .importance = 8,
	.flags = COL_MOVES | COL_DESCENDS, .print = print_sseu,
	.sort_name = "sseu", .help = "slice mask", .key = key_sseu},
    [COLUMN_PREEMPT] = {"PREEMPT", 9, .importance = 10,
	.print = context_print_preempt},
    [COLUMN_ENGINES] = {"ENGINES", 14, .importance = 6, .percent = 50, .gap = 2,
	.flags = COL_LEFT | COL_FOUND, .print = context_print_engines,
	.print_group = print_n_contexts},
    [COLUMN_RUN] = {"RUN%", 7, .importance = 2,
	.flags = COL_MOVES | COL_DESCENDS | COL_SUM, .print = print_context_run,
	.role = role_context_run, .sort_name = "run",
	.help = "share of the last window that batches ran", .key = key_run,
	.alias = "busy", .print_group = print_client_run},
    [COLUMN_CLASS_0 + CLASS_RCS] = CLASS_ROW(rcs, "RCS"),
    [COLUMN_CLASS_0 + CLASS_BCS] = CLASS_ROW(bcs, "BCS"),
    [COLUMN_CLASS_0 + CLASS_VCS] = CLASS_ROW(vcs, "VCS"),
    [COLUMN_CLASS_0 + CLASS_VECS] = CLASS_ROW(vecs, "VECS"),
    [COLUMN_CLASS_0 + CLASS_CCS] = CLASS_ROW(ccs, "CCS"),
    [COLUMN_POLL] = {"POLL%", 7, .importance = 14,
	.flags = COL_MOVES | COL_DESCENDS | COL_SUM,
	.print = print_context_poll, .sort_name = "poll",
	.help = "time that engines polled semaphores for it", .key = key_poll,
	.print_group = print_client_poll},
    [COLUMN_SWITCH] = {"SWITCH%", 8, .importance = 15,
	.flags = COL_MOVES | COL_DESCENDS | COL_SUM,
	.print = print_context_switch, .sort_name = "switch",
	.help = "time that engines switched to it", .key = key_switch,
	.print_group = print_client_switch},
    [COLUMN_QUEUE] = {"QUEUE", 6, .importance = 4,
	.flags = COL_MOVES | COL_DESCENDS | COL_SUM, .print = print_queue,
	.sort_name = "queue", .help = "requests in flight", .key = key_queue,
	.print_group = print_client_queue},
    [COLUMN_LATENCY] = {"LATENCY", 9, .importance = 3,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX, .print = print_latency,
	.sort_name = "latency", .help = "mean latency in the last window",
	.key = key_latency, .print_group = print_client_latency},
    [COLUMN_P99] = {"P99", 9, .importance = 12,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX, .print = print_p99,
	.sort_name = "p99", .help = "99th percentile of latencies",
	.key = p99_latency},
    [COLUMN_MAX] = {"MAX", 9, .importance = 11,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX, .print = print_max,
	.sort_name = "max", .help = "longest latency", .key = key_max},
    [COLUMN_MISSES] = {"MISS", 6, .importance = 5,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_GROUP,
	.print = print_misses, .role = role_misses, .sort_name = "miss",
	.help = "missed periods", .key = key_misses,
	.print_group = print_misses},
    [COLUMN_LATE] = {"LATE", 8, .importance = 6,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_GROUP,
	.measure = measure_late, .print = print_overdue_time, .role = role_late,
	.sort_name = "late", .help = "for how long a period is overdue",
	.key = key_late, .print_group = print_overdue_time},
    [COLUMN_NOW_MISSES] = {"MISS/s NOW", 14, .importance = 2,
	.flags = COL_COMPARED, .heading = context_now_heading,
	.print = context_now_print_misses, .role = context_now_role_misses},
    [COLUMN_NOW_LATENCY] = {"LATENCY NOW", 15, .importance = 2,
	.flags = COL_COMPARED, .heading = context_now_heading,
	.print = context_now_print_latency, .role = context_now_role_latency},
    [COLUMN_NOW_P99] = {"P99 NOW", 15, .importance = 2, .flags = COL_COMPARED,
	.heading = context_now_heading, .print = context_now_print_p99,
	.role = context_now_role_p99},
    [COLUMN_NOW_BUSY] = {"BUSY% NOW", 13, .importance = 4,
	.flags = COL_COMPARED, .heading = context_now_heading,
	.print = context_now_print_busy},
    [COLUMN_STATE] = {"STATE", 12, .importance = 9, .gap = 2,
	.flags = COL_LEFT | COL_MOVES | COL_FOUND | COL_MAX,
	.print = print_context_state, .role = role_state, .sort_name = "state",
	.help = "what the client does", .key = key_state,
	.print_group = print_client_state},
    [COLUMN_WORKLOAD] = {"WORKLOAD", 14, .importance = 13, .percent = 100,
	.gap = 2, .flags = COL_LEFT | COL_FOUND, .print = print_workload,
	.print_group = print_workload},
};
