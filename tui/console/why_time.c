/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The page that adds up by cause what engines, a context or a client did in the
 * last windows of load: those of the line that says which engine limits the run.
 */
#include "base/text.h"
#include "base/units.h"
#include "engine/explain/causes.h"
#include "tui/console/ui.h"
#include "tui/views/foreign_rows.h"
#include "tui/views/page.h"

#define MAX_CHILDREN 8   /* rows below a row; the others are added up */
#define MAX_CONTEXTS 8   /* of a client */
#define TIME_COLS    18  /* of share and time, with the blanks behind them */
#define LEAST_SHARE  200 /* of the window; shorter rows are added up */

static enum role
cause_role(const struct cause *row)
{
	switch ((enum cause_kind)row->kind) {
	case CAUSE_SUBJECT: return ROLE_STRONG;
	case CAUSE_PART: return ui_why_role((enum why_role)row->role);
	case CAUSE_ENGINES: return ROLE_GOOD;
	case CAUSE_OWNER: return ROLE_NORMAL;
	case CAUSE_NONE:
	case CAUSE_REST: break;
	}
	return ROLE_DIM;
}

/* A page that is being filled. */
struct time_page {
	struct page *page;
	const struct causes *causes;
	struct text head, line;
};

/* Adds a row: its share of the window, its time, and the text in p->line. */
static void
add_time_row(struct time_page *p, enum role role, unsigned indent, nsec ns)
{
	nsec window = p->causes->to - p->causes->from;
	char time[UNITS_LEN];

	text_addf(&p->head, "%*s%5.1f %% %8s  ", (int)indent * 4, "",
	    100 * (double)ns / (double)window, format_duration(time, ns));
	page_add_hanging(p->page, role, text_str(&p->head), text_str(&p->line));
	text_clear(&p->head);
	text_clear(&p->line);
}

/* Adds who had the engine, which makes up all of the row above. */
static void
add_owners(struct time_page *p, const struct cause *row, unsigned indent)
{
	causes_owners(p->causes, row, &p->line);
	text_addf(&p->head, "%*s", (int)indent * 4 + TIME_COLS, "");
	page_add_hanging(
	    p->page, ROLE_NORMAL, text_str(&p->head), text_str(&p->line));
	text_clear(&p->head);
	text_clear(&p->line);
}

static void add_causes(
    struct time_page *p, const struct cause *row, unsigned indent);

/* Returns true if a child is one of those that are added up, if it is not the only
 * one. */
static bool
is_folded(const struct time_page *p, const struct cause *row, unsigned place)
{
	nsec window = p->causes->to - p->causes->from;

	return place >= MAX_CHILDREN || row->ns < window / LEAST_SHARE;
}

/* Adds rows for the first children, and one for the sum of the others. */
static void
add_children(struct time_page *p, const struct cause *row, unsigned indent)
{
	unsigned n = 0, more = 0;
	nsec rest = 0;

	for (const struct cause *r = row->first; r != NULL; r = r->next, n++) {
		if (!is_folded(p, r, n) || (more == 0 && r->next == NULL)) {
			add_causes(p, r, indent);
			continue;
		}
		more++;
		rest += r->ns;
	}
	if (more == 0)
		return;
	text_addf(&p->line, "%u more causes", more);
	add_time_row(p, ROLE_DIM, indent, rest);
}

/* "runs" and, if that is all, "on RCS" are one row. */
static bool
is_one_row(const struct cause *row)
{
	return row->first != NULL && row->first->kind == CAUSE_ENGINES &&
	    row->first->next == NULL;
}

static void
add_causes(struct time_page *p, const struct cause *row, unsigned indent)
{
	causes_text(p->causes, row, &p->line);
	if (is_one_row(row)) {
		text_addc(&p->line, ' ');
		causes_text(p->causes, row->first, &p->line);
	}
	add_time_row(p, cause_role(row), indent, row->ns);
	if (causes_has_owners(row)) {
		add_owners(p, row, indent + 1);
	} else if (!is_one_row(row)) {
		add_children(p, row, indent + 1);
	}
}

/* Returns true if the engine had no requests. */
static bool
was_unused(const struct cause *engine)
{
	const struct cause *row = engine->first;

	return row != NULL && row->next == NULL && row->kind == CAUSE_PART &&
	    row->role == WHY_IDLE && row->how == 0;
}

/* Adds the engines that had requests, the one that limits first; names the
 * others. */
static void
add_engines(struct time_page *p, struct causes *c, const struct session *s)
{
	const struct device *dev = &s->run.sim->device;
	unsigned first = s->limits.limits.engine;
	struct text idle = {0};

	causes_add_engine(c, first);
	for (unsigned i = 0; i < dev->n_engines; i++)
		if (i != first)
			causes_add_engine(c, i);
	for (const struct cause *e = c->root.first; e != NULL; e = e->next) {
		if (!was_unused(e)) {
			add_causes(p, e, 0);
			continue;
		}
		text_adds(&idle, idle.len > 0 ? ", " : "idle: ");
		text_adds(&idle, dev->engines[e->engine].name);
	}
	if (idle.len > 0)
		page_add(p->page, ROLE_DIM, text_str(&idle), NULL);
	text_free(&idle);
}

/* Adds the selected client, with its contexts, or the selected context. */
static void
add_selected(struct time_page *p, struct causes *c, const struct ui *ui)
{
	const struct selection *sel = &ui->selection;
	const struct client *client =
	    ui->session->run.sim->clients[sel->client];

	if (!sel->whole_client)
		causes_add_context(c, sel->client,
		    client->contexts[sel->context]->def->number);
	if (client->walker != NULL)
		causes_add_client(c, sel->client);
	for (uint32_t i = 0;
	     sel->whole_client && i < client->n_contexts && i < MAX_CONTEXTS;
	     i++)
		if (client->contexts[i]->def->n_batches > 0 ||
		    client->contexts[i]->batches > 0)
			causes_add_context(
			    c, sel->client, client->contexts[i]->def->number);
	for (const struct cause *r = c->root.first; r != NULL; r = r->next)
		add_causes(p, r, 0);
}

/* Says where the busyness of a GPU comes from, and which programs are on it. */
static void
add_gpu(struct time_page *p, const struct session *s)
{
	foreign_explain_busyness(s, &p->line);
	page_add_hanging(p->page, ROLE_NORMAL, "", text_str(&p->line));
	text_clear(&p->line);
	foreign_explain_others(s, &p->line);
	page_add_hanging(p->page, ROLE_NORMAL, "", text_str(&p->line));
	text_clear(&p->line);
}

/* Says which window it is, and which engine limits the run. */
static void
add_opening(struct time_page *p, const struct session *s)
{
	char span[UNITS_LEN], to[UNITS_LEN];

	text_addf(&p->line, "the last %s, up to %s",
	    format_duration(span, p->causes->to - p->causes->from),
	    format_time(to, p->causes->to));
	page_add(p->page, ROLE_NORMAL, text_str(&p->line), NULL);
	text_clear(&p->line);
	limits_long(&s->limits.limits, s->run.sim, &p->line);
	if (p->line.len > 0)
		page_add_hanging(p->page, ROLE_STRONG, "", text_str(&p->line));
	text_clear(&p->line);
	if (s->run.busyness != NULL)
		add_gpu(p, s);
	page_add(p->page, ROLE_NORMAL, "", NULL);
}

bool
ui_open_why_time(struct ui *ui)
{
	const struct session *s = ui->session;
	struct causes c = {0};
	struct time_page p = {.causes = &c};
	bool known = causes_begin(
	    &c, s->trail, s->run.sim, s->limits.limits.from, s->run.sim->now);

	c.why.others = ui_add_other_users;
	c.why.data = ui->session;
	if (ui->focus != PART_ENGINES &&
	    selected_context(&ui->selection, s) == NULL)
		known = false;
	if (known) {
		p.page = page_new(WHY_TITLE);
		add_opening(&p, s);
		if (ui->focus == PART_ENGINES)
			add_engines(&p, &c, s);
		else
			add_selected(&p, &c, ui);
		ui_open_page(ui, p.page);
	}
	text_free(&p.head);
	text_free(&p.line);
	causes_free(&c);
	return known;
}
