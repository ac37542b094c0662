/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The columns of the Contexts view: how each prints a context or a client, its
 * role, and what it is sorted by. context_columns[] has a row for each.
 */
#include "tui/views/contexts.h"

#include <inttypes.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "run/live/figures.h"
#include "run/live/overdue.h"
#include "tui/views/context_cells.h"

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

	if (cell->crowd != NULL) {
		text_addf(out, "%u x", cell->crowd->n);
		return;
	}
	/* The document was edited and this client still runs the old text. */
	if (session_is_older(cell->session, client))
		text_addc(out, '~');
	add_column_number(out, client->id);
}

static void
print_context_number(struct text *out, const void *row)
{
	add_column_number(out, cell_context(row)->def->number);
}

static void
print_context_priority(struct text *out, const void *row)
{
	const struct crowd_figures *crowd = cell_crowd(row);

	if (crowd != NULL && crowd->priorities_differ)
		text_adds(out, "mixed");
	else
		text_addf(out, "%d", cell_context(row)->priority);
}

static void
print_sseu(struct text *out, const void *row)
{
	const struct crowd_figures *crowd = cell_crowd(row);

	if (crowd != NULL && crowd->sseu_differ)
		text_adds(out, "mixed");
	else
		text_addf(out, "%#x", cell_context(row)->sseu);
}

static void
add_share(struct text *out, float share)
{
	text_addf(out, "%.1f", (double)share * 100);
}

static void
print_context_run(struct text *out, const void *row)
{
	add_share(out, cell_shares(row)->run);
}

static void
print_context_poll(struct text *out, const void *row)
{
	add_share(out, cell_shares(row)->poll);
}

static void
print_context_switch(struct text *out, const void *row)
{
	add_share(out, cell_shares(row)->switching);
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

#define CLASS_WIDTH 5
#define MORE_WIDTH  4 /* "+2" */

static int
measure_class(const void *table, enum engine_class class)
{
	const struct contexts_frame *frame = table;

	return frame->classes >> class & 1 ? CLASS_WIDTH : 0;
}

/* The functions of a class's column. */
#define CLASS_COLUMN(name, index)                                              \
	static void print_##name(struct text *out, const void *row)            \
	{                                                                      \
		add_class_share(out, cell_shares(row)->classes[index]);        \
	}                                                                      \
	static double key_##name(const void *row)                              \
	{                                                                      \
		return (double)cell_shares(row)->classes[index];               \
	}                                                                      \
	static int measure_##name(const void *table, int width)                \
	{                                                                      \
		(void)width;                                                   \
		return measure_class(table, index);                            \
	}

CLASS_COLUMN(rcs, CLASS_RCS)
CLASS_COLUMN(bcs, CLASS_BCS)
CLASS_COLUMN(vcs, CLASS_VCS)
CLASS_COLUMN(vecs, CLASS_VECS)
CLASS_COLUMN(ccs, CLASS_CCS)

/* The classes without a column, where there is room for some only. */
static int
measure_more(const void *table, int width)
{
	(void)width;
	return ((const struct contexts_frame *)table)->n_left_out > 0
	    ? MORE_WIDTH
	    : 0;
}

static void
heading_more(
    struct text *out, const struct column *column, int width, const void *table)
{
	(void)column;
	(void)width;
	text_addf(
	    out, "+%u", ((const struct contexts_frame *)table)->n_left_out);
}

static void
print_nothing(struct text *out, const void *row)
{
	(void)out;
	(void)row;
}

static void
print_queue(struct text *out, const void *row)
{
	const struct crowd_figures *crowd = cell_crowd(row);
	char buf[UNITS_LEN];

	text_adds(out,
	    format_count(buf,
		crowd != NULL ? crowd->queue : cell_context(row)->in_flight));
}

static bool
is_banned(const struct context *context)
{
	return context->ban.banned && context->client->state != CLIENT_ENDED;
}

/* Appends "waiting", or "58 waiting" if other clients of the crowd do something
 * else: the commonest state. */
static void
add_crowd_state(
    struct text *out, const struct crowd_figures *f, const struct client *first)
{
	unsigned most = 0;
	struct client like = *first;

	for (unsigned i = 1; i <= CLIENT_ENDED; i++)
		if (f->states[i] > f->states[most])
			most = i;
	if (f->n > 0 && f->states[most] < f->n)
		text_addf(out, "%u ", f->states[most]);
	like.state = (uint8_t)(f->n > 0 ? most : CLIENT_ENDED);
	text_adds(out, client_state_name(&like));
}

#define STATE_WIDTH       12
#define CROWD_STATE_WIDTH 18

static int
measure_context_state(const void *table, int width)
{
	(void)width;
	return frame_has_crowds(table) ? CROWD_STATE_WIDTH : STATE_WIDTH;
}

static void
print_client_state(struct text *out, const void *row)
{
	text_adds(out, client_state_name(cell_context(row)->client));
}

static void
print_context_state(struct text *out, const void *row)
{
	const struct context *context = cell_context(row);

	if (cell_crowd(row) != NULL) {
		add_crowd_state(out, cell_crowd(row), context->client);
		return;
	}
	/* The client's state says nothing of a banned context. */
	text_adds(out,
	    is_banned(context) ? "banned" : client_state_name(context->client));
}

/* Returns the file's name without its folder. */
static const char *
file_name(const void *row)
{
	const char *name = cell_context(row)->client->name;
	const char *slash = strrchr(name, '/');

	return slash != NULL && slash[1] != 0 ? slash + 1 : name;
}

/* "bg" marks a client that loops until the others have ended. */
static void
print_workload(struct text *out, const void *row)
{
	if (cell_context(row)->client->background)
		text_adds(out, "bg ");
	text_adds(out, file_name(row));
}

/* Widths of the table from which on it has WORKLOAD, and else NAME if there are
 * several workloads. */
#define WORKLOAD_FROM 160
#define NAME_WIDTH    11
/* Width from which on names of programs have their pids. */
#define PROGRAM_FROM  60
#define PROGRAM_WIDTH 17

static int
measure_name_column(const void *table, int width)
{
	const struct view_env *env =
	    ((const struct contexts_frame *)table)->env;

	if (session_is_served(env->session))
		return width < PROGRAM_FROM ? NAME_WIDTH : PROGRAM_WIDTH;
	return width < WORKLOAD_FROM && env->session->run.sim->n_workloads > 1
	    ? NAME_WIDTH
	    : 0;
}

/* Prints a program's name and pid, in parentheses once it has ended. */
static void
print_program_name(struct text *out, const struct client *c)
{
	bool ended = c->state == CLIENT_ENDED;

	text_addf(out, "%s%s %" PRId64 "%s", ended ? "(" : "", c->name, c->pid,
	    ended ? ")" : "");
}

/* Prints the file's name without ".wsim"; that of a program. */
static void
print_short_name(struct text *out, const void *row)
{
	const struct client *client = cell_context(row)->client;
	const char *name = file_name(row), *dot = strrchr(name, '.');
	size_t len = dot != NULL && dot > name ? (size_t)(dot - name)
					       : strlen(name);

	if (client->walker == NULL)
		print_program_name(out, client);
	else
		text_add(out, name, len);
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
	return cell_context(row)->def->number;
}

static double
key_priority(const void *row)
{
	return cell_context(row)->priority;
}

static double
key_sseu(const void *row)
{
	return cell_context(row)->sseu;
}

static double
key_run(const void *row)
{
	return (double)cell_shares(row)->run;
}

static double
key_poll(const void *row)
{
	return (double)cell_shares(row)->poll;
}

static double
key_switch(const void *row)
{
	return (double)cell_shares(row)->switching;
}

static double
key_queue(const void *row)
{
	return cell_context(row)->in_flight;
}

static double
key_state(const void *row)
{
	return is_banned(cell_context(row)) ? CLIENT_ENDED + 1
					    : cell_context(row)->client->state;
}

static void
print_n_contexts(struct text *out, const void *row)
{
	uint32_t n = cell_context(row)->client->n_contexts;

	text_addf(out, n == 1 ? "%u context" : "%u contexts", n);
}

static void
print_client_queue(struct text *out, const void *row)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, cell_context(row)->client->in_flight));
}

static enum role
role_context_run(const void *row)
{
	return cell_role(
	    row, cell_shares(row)->run > 0 ? ROLE_STRONG : ROLE_NORMAL);
}

static enum role
role_state(const void *row)
{
	const struct crowd_figures *crowd = cell_crowd(row);
	bool banned = crowd != NULL ? crowd->n_banned > 0
				    : cell_context(row)->ban.banned;

	return cell_role(row, banned ? ROLE_BAD : ROLE_NORMAL);
}

/* A figure that groups and crowds have the sum of. */
#define SUM_FLAGS (COL_MOVES | COL_DESCENDS | COL_SUM | COL_OF_CROWD)

#define CLASS_ROW(name, title)                                                 \
	{                                                                      \
		title, CLASS_WIDTH,                                            \
		    .importance = 7, .flags = SUM_FLAGS,                       \
		    .measure = measure_##name, .print = print_##name,          \
		    .sort_name = #name, .help = "share of " title " engines",  \
		    .key = key_##name, .print_group = print_##name             \
	}

const struct column context_columns[N_COLUMNS] = {
    [COLUMN_CLIENT] = {"CLIENT", 9,
	.flags = COL_FOUND | COL_OF_GROUP | COL_OF_CROWD,
	.print = print_client_id, .sort_name = "client",
	.help = "client, in order of launch", .key = key_client,
	.print_group = print_client_id},
    [COLUMN_CONTEXT] = {"CTX", 5, .flags = COL_FOUND | COL_OF_CROWD,
	.print = print_context_number, .sort_name = "ctx",
	.help = "number of the context in the text", .key = key_context},
    [COLUMN_NAME] = {"NAME", .importance = 3, .gap = 1,
	.flags = COL_LEFT | COL_OF_GROUP | COL_OF_CROWD,
	.measure = measure_name_column, .print = print_short_name,
	.print_group = print_short_name},
    [COLUMN_PRIORITY] = {"PRI", 6, .importance = 1,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_CROWD,
	.print = print_context_priority, .sort_name = "pri",
	.help = "priority of the context", .key = key_priority},
    [COLUMN_SSEU] = {"SSEU", 6, .importance = 11,
	.flags = COL_MOVES | COL_DESCENDS | COL_OF_CROWD, .print = print_sseu,
	.sort_name = "sseu", .help = "slice mask", .key = key_sseu},
    [COLUMN_PREEMPT] = {"PREEMPT", 9, .importance = 12, .flags = COL_OF_CROWD,
	.print = context_print_preempt},
    [COLUMN_ENGINES] = {"ENGINES", 14, .importance = 9, .percent = 50, .gap = 2,
	.flags = COL_LEFT | COL_FOUND | COL_OF_CROWD,
	.print = context_print_engines, .print_group = print_n_contexts},
    [COLUMN_RUN] = {"RUN%", 7, .importance = 2, .flags = SUM_FLAGS,
	.print = print_context_run, .role = role_context_run,
	.sort_name = "run", .help = "share of the last window that batches ran",
	.key = key_run, .alias = "busy", .print_group = print_context_run},
    [COLUMN_CLASS_0 + CLASS_RCS] = CLASS_ROW(rcs, "RCS"),
    [COLUMN_CLASS_0 + CLASS_BCS] = CLASS_ROW(bcs, "BCS"),
    [COLUMN_CLASS_0 + CLASS_VCS] = CLASS_ROW(vcs, "VCS"),
    [COLUMN_CLASS_0 + CLASS_VECS] = CLASS_ROW(vecs, "VECS"),
    [COLUMN_CLASS_0 + CLASS_CCS] = CLASS_ROW(ccs, "CCS"),
    [COLUMN_CLASS_MORE] = {NULL, .importance = 6, .measure = measure_more,
	.heading = heading_more, .print = print_nothing},
    [COLUMN_POLL] = {"POLL%", 7, .importance = 16, .flags = SUM_FLAGS,
	.print = print_context_poll, .sort_name = "poll",
	.help = "time that engines polled semaphores for it", .key = key_poll,
	.print_group = print_context_poll},
    [COLUMN_SWITCH] = {"SWITCH%", 8, .importance = 17, .flags = SUM_FLAGS,
	.print = print_context_switch, .sort_name = "switch",
	.help = "time that engines switched to it", .key = key_switch,
	.print_group = print_context_switch},
    [COLUMN_QUEUE] = {"QUEUE", 6, .importance = 4, .flags = SUM_FLAGS,
	.print = print_queue, .sort_name = "queue",
	.help = "requests in flight", .key = key_queue,
	.print_group = print_client_queue},
    [COLUMN_LATENCY] = {"LATENCY", .importance = 3,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_CROWD,
	.measure = context_time_measure_latency,
	.print = context_time_print_latency, .sort_name = "latency",
	.help = "mean latency in the last window",
	.key = context_time_key_latency,
	.print_group = context_time_print_latency},
    [COLUMN_P99] = {"P99", 9, .importance = 14,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX,
	.print = context_time_print_p99, .sort_name = "p99",
	.help = "99th percentile of latencies", .key = context_time_key_p99},
    [COLUMN_MAX] = {"MAX", 9, .importance = 13,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX,
	.print = context_time_print_max, .sort_name = "max",
	.help = "longest latency", .key = context_time_key_max},
    [COLUMN_MISS_RATE] = {"MISS/s", .importance = 5,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_GROUP |
	    COL_OF_CROWD,
	.measure = context_time_measure_miss_rate,
	.print = context_time_print_miss_rate,
	.role = context_time_role_miss_rate, .sort_name = "miss/s",
	.help = "missed periods per second", .key = context_time_key_miss_rate,
	.print_group = context_time_print_miss_rate},
    [COLUMN_MISSES] = {"MISS", .importance = 8,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_GROUP |
	    COL_OF_CROWD,
	.measure = context_time_measure_misses,
	.print = context_time_print_misses, .role = context_time_role_misses,
	.sort_name = "miss", .help = "missed periods",
	.key = context_time_key_misses,
	.print_group = context_time_print_misses},
    [COLUMN_LATE] = {"LATE", .importance = 5,
	.flags = COL_MOVES | COL_DESCENDS | COL_MAX | COL_OF_GROUP |
	    COL_OF_CROWD,
	.measure = context_time_measure_late, .print = context_time_print_late,
	.role = context_time_role_late, .sort_name = "late",
	.help = "for how long a period is overdue",
	.key = context_time_key_late, .print_group = context_time_print_late},
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
    [COLUMN_STATE] = {"STATE", .importance = 10, .gap = 2,
	.flags = COL_LEFT | COL_MOVES | COL_FOUND | COL_MAX | COL_OF_CROWD,
	.measure = measure_context_state, .print = print_context_state,
	.role = role_state, .sort_name = "state",
	.help = "what the client does", .key = key_state,
	.print_group = print_client_state},
    [COLUMN_WORKLOAD] = {"WORKLOAD", 14, .from = WORKLOAD_FROM,
	.importance = 15, .percent = 100, .gap = 2,
	.flags = COL_LEFT | COL_FOUND | COL_OF_CROWD, .print = print_workload,
	.print_group = print_workload},
};
