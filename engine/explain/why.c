/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Makes rows of parts: each part is a row, and the parts of what it waited for
 * are the rows below it. */
#include "engine/explain/why.h"

#include <stdlib.h>

#include "base/mem.h"
#include "engine/explain/causes.h"

#define MAX_DEPTH 12  /* of rows in rows */
#define MAX_ROWS  200 /* from there on no row gets children */
#define MAX_PARTS 14  /* children of a row; more than that are summed up, ... */
#define HEAD_KEPT 5   /* ... except the first ones */
#define MAX_TURNS 6   /* requests on an engine meanwhile; more are one row */

/* Sums up the parts in the middle of those from first on, if there are too
 * many. */
static void
sum_up_parts(struct why *why, size_t first)
{
	struct why_part *p;
	size_t n = why->n_parts - first;
	size_t tail = MAX_PARTS - HEAD_KEPT - 1;
	struct why_part sum;

	if (n <= MAX_PARTS)
		return;
	p = why->parts + first;
	sum = (struct why_part){
	    .role = WHY_SEVERAL,
	    .from = p[HEAD_KEPT].from,
	    .to = p[n - tail - 1].to,
	    .count = (uint32_t)(n - HEAD_KEPT - tail),
	    .engine = p[HEAD_KEPT].engine,
	    .how = (uint8_t)p[0].role,
	};
	for (size_t i = HEAD_KEPT; i < n - tail; i++)
		if (p[i].role == WHY_RUNS || p[i].role == WHY_OTHER)
			sum.ran += p[i].to - p[i].from;
	p[HEAD_KEPT] = sum;
	for (size_t i = 0; i < tail; i++)
		p[HEAD_KEPT + 1 + i] = p[n - tail + i];
	why->n_parts = first + MAX_PARTS;
}

/* Rows. */

static size_t
why_begin_row(struct why *why, enum why_role role, unsigned indent, nsec from,
    nsec to, uint64_t request)
{
	why->rows = mem_grow(why->rows, why->n, &why->cap, sizeof *why->rows);
	why->rows[why->n] = (struct why_row){
	    .from_ns = from,
	    .to_ns = to,
	    .request = request,
	    .text = why->text.len,
	    .indent = (uint8_t)indent,
	    .role = (uint8_t)role,
	};
	return why->n++;
}

static void
why_end_row(struct why *why)
{
	text_addc(&why->text, '\0');
}

static bool
waits_for_its_turn(const struct why_part *part)
{
	return part->role == WHY_QUEUED || part->role == WHY_OFF;
}

/* Adds one row for all requests that had the engine during a part. */
static void
format_owners(struct why *why, const struct why_part *part, unsigned indent)
{
	why_begin_row(why, WHY_OTHER, indent, part->from, part->to, 0);
	causes_engine_owners(why->trail, why->sim, part->engine, part->from,
	    part->to, &why->text);
	why_end_row(why);
}

/* Turns the parts from first on into rows, each with its children, and removes
 * them. */
static void
format_parts(struct why *why, size_t first, unsigned indent)
{
	sum_up_parts(why, first);

	size_t n = why->n_parts;

	for (size_t i = first; i < n; i++) {
		struct why_part part = why->parts[i];

		why_begin_row(why, part.role, indent, part.from, part.to,
		    part.role == WHY_OTHER || part.by == 0 ? part.request
							   : part.by);
		why_format(why, &part, &why->text);
		why_end_row(why);
		if (indent >= MAX_DEPTH || why->n >= MAX_ROWS)
			continue;
		why_find_below(why, &part);
		if (waits_for_its_turn(&part) && why->n_parts - n > MAX_TURNS) {
			why->n_parts = n;
			format_owners(why, &part, indent + 1);
		}
		format_parts(why, n, indent + 1);
	}
	why->n_parts = first;
}

void
why_begin(struct why *why, const struct trail *t, const struct sim *sim)
{
	why->n = why->n_parts = 0;
	text_clear(&why->text);
	why->trail = t;
	why->sim = sim;
}

bool
why_request(struct why *why, const struct trail *t, const struct sim *sim,
    uint64_t request)
{
	const struct trail_request *r = trail_request(t, request);
	nsec end;

	why_begin(why, t, sim);
	if (r == NULL)
		return false;
	end = r->end_ns != NSEC_NEVER ? r->end_ns
				      : nsec_later(sim->now, r->submit_ns);
	why_begin_row(why, WHY_HEAD, 0, r->submit_ns, end, request);
	why_format_head(why, r, &why->text);
	why_end_row(why);
	why_find_request(why, (struct why_window){r->submit_ns, end}, request);
	format_parts(why, 0, 1);
	return true;
}

bool
why_miss(struct why *why, const struct trail *t, const struct sim *sim,
    uint64_t miss)
{
	const struct trail_miss *m = trail_miss(t, miss);

	why_begin(why, t, sim);
	if (m == NULL)
		return false;
	why_begin_row(why, WHY_HEAD, 0, m->started_ns, m->came_ns, 0);
	why_format_miss(why, m, &why->text);
	why_end_row(why);
	why_find_client(
	    why, (struct why_window){m->started_ns, m->came_ns}, m->client);
	format_parts(why, 0, 1);
	return true;
}

bool
why_client(struct why *why, const struct trail *t, const struct sim *sim,
    uint32_t client, nsec from, nsec to)
{
	why_begin(why, t, sim);
	if (trail_last_wait(t, client) == 0 || to <= from)
		return false;
	why_begin_row(why, WHY_HEAD, 0, from, to, 0);
	text_addf(&why->text, "client %u", client);
	why_end_row(why);
	why_find_client(why, (struct why_window){from, to}, client);
	format_parts(why, 0, 1);
	return true;
}

const char *
why_text(const struct why *why, size_t row)
{
	return why->text.data + why->rows[row].text;
}

void
why_free(struct why *why)
{
	free(why->rows);
	free(why->parts);
	free(why->spans);
	text_free(&why->text);
	*why = (struct why){0};
}
