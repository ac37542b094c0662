/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The worst of a run: a picture of the engines around the worst missed period, or
 * else the slowest batch, and why the worst ones were late, in the words of W. */
#include <inttypes.h>
#include <string.h>

#include "base/units.h"
#include "engine/explain/why.h"
#include "engine/sim.h"
#include "report/chart.h"
#include "report/html.h"
#include "report/page.h"
#include "report/report.h"
#include "run/digest/digest.h"
#include "run/texts.h"

#define N_COLOURS  8
#define MOST_KEYS  12
#define LABEL_WIDE (CHART_WIDTH / 16.0) /* least width of a block with a name */
#define TITLE_WIDE 4
#define IN_FULL    2 /* answers with all their rows; others have the longest */

/* A context that has blocks in a picture, in the order of their appearance. */
struct shown_context {
	uint32_t client, context;
};

struct picture_drawing {
	const struct digest_picture *picture;
	const struct sim *sim;
	nsec due; /* NSEC_NEVER: none */
	struct shown_context contexts[MOST_KEYS];
	unsigned n_contexts;
	struct text labels; /* of a lane */
};

/* Returns the class of a context's colour. */
static unsigned
colour_of(struct picture_drawing *d, const struct batch_name *name)
{
	for (unsigned i = 0; i < d->n_contexts; i++)
		if (d->contexts[i].client == name->client &&
		    d->contexts[i].context == name->context)
			return i % N_COLOURS;
	if (d->n_contexts == MOST_KEYS)
		return (name->client * 3 + name->context) % N_COLOURS;
	d->contexts[d->n_contexts] = (struct shown_context){
	    name->client, name->context};
	return d->n_contexts++ % N_COLOURS;
}

static double
picture_x(const struct picture_drawing *d, nsec time)
{
	const struct digest_picture *p = d->picture;

	return (double)(time - p->from) / (double)(p->to - p->from) *
	    CHART_WIDTH;
}

/* Adds a rectangle without its end, for a title. */
static void
begin_rectangle(struct text *out, const char *class, double x0, double x1)
{
	text_addf(out, "<path class=\"%s\" d=\"M%.1f 0H%.1fV%dH%.1fZ\"", class,
	    x0, x1 > x0 + 0.5 ? x1 : x0 + 0.5, CHART_HEIGHT, x0);
}

static void
add_block_label(
    struct picture_drawing *d, double x0, double x1, const char *name)
{
	text_addf(&d->labels, "<i style=\"left:%.2f%%;width:%.2f%%\">",
	    x0 * 100 / CHART_WIDTH, (x1 - x0) * 100 / CHART_WIDTH);
	html_add_text(&d->labels, name, SIZE_MAX);
	text_adds(&d->labels, "</i>");
}

/* Appends the title of a block: its batch, or how many there are, and its time. */
static void
add_block_title(const struct digest_block *b, struct text *out)
{
	char ns[UNITS_LEN];

	if (b->count == 0)
		text_adds(out, "free, work for it is blocked");
	else if (b->count > 1)
		text_addf(out, "%" PRIu32 " batches", b->count);
	else
		batch_name_long(&b->name, NULL, out);
	text_addf(out, ", %s", format_duration(ns, b->to - b->from));
}

/* Adds the beginning of a stay, in which the batch does not run yet, if it can be
 * seen. Returns where it ends. */
static double
add_stay_beginning(
    struct picture_drawing *d, const struct digest_block *b, struct text *out)
{
	double from = picture_x(d, b->from), at = picture_x(d, b->switched);
	double begin = picture_x(d, b->begin);

	if (begin - from < 0.5)
		return from;
	if (at - from >= 0.5) {
		begin_rectangle(out, "switch", from, at);
		text_adds(out, "/>");
		from = at;
	}
	if (begin - from >= 0.5) {
		begin_rectangle(out, "poll", from, begin);
		text_adds(out, "/>");
	}
	return begin;
}

static void
choose_block_class(
    struct picture_drawing *d, const struct digest_block *b, char class[16])
{
	if (b->count == 0)
		snprintf(class, 16, "block");
	else if (b->mixed)
		snprintf(class, 16, "mix");
	else
		snprintf(class, 16, "c%u", colour_of(d, &b->name));
}

static void
add_picture_block(
    struct picture_drawing *d, const struct digest_block *b, struct text *out)
{
	double x0 = picture_x(d, b->from), x1 = picture_x(d, b->to);
	struct text name = {0};
	char class[16];

	choose_block_class(d, b, class);
	if (b->count == 1)
		x0 = add_stay_beginning(d, b, out);
	begin_rectangle(out, class, x0, x1);
	if (x1 - x0 >= TITLE_WIDE) {
		add_block_title(b, &name);
		text_adds(out, "><title>");
		html_add_text(out, text_str(&name), name.len);
		text_adds(out, "</title></path>\n");
	} else {
		text_adds(out, "/>\n");
	}
	text_clear(&name);
	if (b->count == 1 && x1 - x0 >= LABEL_WIDE) {
		batch_name_short(&b->name, d->sim->n_clients > 1, &name);
		add_block_label(d, x0, x1, text_str(&name));
	}
	text_free(&name);
}

static void
add_picture_lane(struct picture_drawing *d, unsigned engine, struct text *out)
{
	const struct digest_picture *p = d->picture;
	bool begun = false;

	text_clear(&d->labels);
	for (unsigned i = 0; i < p->n; i++) {
		if (p->blocks[i].engine != engine)
			continue;
		if (!begun)
			chart_lane(out, d->sim->device.engines[engine].name);
		begun = true;
		add_picture_block(d, &p->blocks[i], out);
	}
	if (!begun)
		return;
	if (d->due != NSEC_NEVER)
		text_addf(out, "<path class=\"due\" d=\"M%.1f 0V%d\"/>\n",
		    picture_x(d, d->due), CHART_HEIGHT);
	chart_end_drawing(out);
	text_adds(out, text_str(&d->labels));
	chart_end_area(out);
}

static void
add_picture_key(const struct picture_drawing *d, struct text *out)
{
	char class[8], name[64];

	chart_begin_key(out);
	for (unsigned i = 0; i < d->n_contexts; i++) {
		snprintf(class, sizeof class, "c%u", i % N_COLOURS);
		snprintf(name, sizeof name, "client %u context %u",
		    d->contexts[i].client, d->contexts[i].context);
		chart_key(out, class, name);
	}
	if (d->n_contexts == MOST_KEYS)
		text_adds(out, "<span>and others</span>");
	chart_key(out, "switch", "switching");
	chart_key(out, "poll", "polling");
	chart_key(out, "block", "free, work blocked");
	chart_key(out, "mix", "several short batches");
	if (d->due != NSEC_NEVER)
		chart_key(out, "miss", "when the period was due");
	chart_end_key(out);
}

static void
add_picture(
    const struct run_page *page, const struct digest_worst *w, struct text *out)
{
	struct picture_drawing d = {
	    .picture = &page->digest->picture,
	    .sim = page->result->sim,
	    .due = w->due,
	};

	if (d.picture->to <= d.picture->from)
		return;
	chart_begin(out, "strip", NULL);
	for (unsigned i = 0; i < d.sim->device.n_engines; i++)
		add_picture_lane(&d, i, out);
	chart_times(out, d.picture->from, d.picture->to);
	chart_end(out);
	add_picture_key(&d, out);
	text_free(&d.labels);
}

/* The class of a row, as W colours it. */
static const char *
why_class(uint8_t role)
{
	switch ((enum why_role)role) {
	case WHY_QUEUED:
	case WHY_OFF:
	case WHY_SSEU:
	case WHY_DEVICE: return "w";
	case WHY_BLOCKED:
	case WHY_POLLS: return "b";
	case WHY_RUNS: return "g";
	case WHY_IDLE:
	case WHY_SEVERAL:
	case WHY_UNKNOWN: return "d";
	default: return "";
	}
}

static void
add_why(const struct digest_why *why, bool in_full, struct text *out)
{
	unsigned left = why->n_more;
	char ns[UNITS_LEN];

	text_adds(out, "<div class=\"why\">\n");
	for (unsigned i = 1; i < why->n; i++) {
		const struct digest_row *row = &why->rows[i];

		if (!in_full &&
		    (row->indent > 1 || row->ns < why->rows[0].ns / 10))
			continue;
		text_addf(out,
		    "<div style=\"--d:%u\" class=\"%s\"><span>%s</span><span>",
		    row->indent - 1, why_class(row->role),
		    format_duration(ns, row->ns));
		html_add_text(out, why->text + row->text, SIZE_MAX);
		text_adds(out, "</span></div>\n");
	}
	if (in_full && left > 0)
		text_addf(
		    out, "<div class=\"d\">and %u more rows</div>\n", left);
	text_adds(out, "</div>\n");
}

static void
add_worst(const struct digest_worst *w, bool in_full, struct text *out)
{
	const struct digest_why *why = &w->why;
	char at[UNITS_LEN], cost[UNITS_LEN];
	struct text name = {0};

	text_addf(out, "<h3>%s: ", format_time(at, w->to));
	text_addf(out, "%s%s</h3>\n<p>", format_duration(cost, w->cost),
	    w->due != NSEC_NEVER ? " late" : "");
	if (why->n > 0) {
		html_add_text(out, why->text + why->rows[0].text, SIZE_MAX);
	} else {
		html_addf(&name,
		    "client %" PRIu32 ", iteration %" PRIu64
		    ": it began so long before that its records are gone",
		    w->client, w->iteration);
		text_adds(out, text_str(&name));
	}
	text_adds(out, "</p>\n");
	text_free(&name);
	add_why(why, in_full, out);
}

static void
add_list(const struct digest *d, enum digest_kind kind, struct text *out)
{
	for (unsigned i = 0; i < d->n_worst[kind]; i++)
		add_worst(&d->worst[kind][i], i < IN_FULL, out);
}

void
page_worst(const struct run_page *page, struct text *out)
{
	const struct digest *d = page->digest;
	enum digest_kind kind = d->n_worst[DIGEST_MISSES] > 0 ? DIGEST_MISSES
							      : DIGEST_SLOWEST;

	if (d->n_worst[kind] == 0)
		return;
	html_begin_section(out, "worst",
	    kind == DIGEST_MISSES
		? "The worst stretch: the latest of the missed "
		  "periods"
		: "The worst stretch: the slowest batch");
	add_picture(page, &d->worst[kind][0], out);
	html_end_section(out);
	if (kind == DIGEST_MISSES) {
		html_begin_section(out, "misses", "Missed periods, and why");
		text_addf(out,
		    "<p class=\"dim\">The worst %u of %" PRIu64
		    ", the latest first.</p>\n",
		    d->n_worst[kind], page_missed(page));
		add_list(d, kind, out);
		html_end_section(out);
	}
	html_begin_section(out, "slowest", "The slowest batches, and why");
	add_list(d, DIGEST_SLOWEST, out);
	html_end_section(out);
}
