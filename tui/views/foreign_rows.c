/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Rows of other programs' clients, and how busy the GPU is with all of them. */
#include "tui/views/foreign_rows.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "tui/views/contexts.h"
#include "tui/views/idle_engines.h"

/* ---- Engines ---- */

int
foreign_busyness_cols(const struct session *s)
{
	const struct busyness *b = s->run.busyness;

	return b == NULL ? 0 : (int)strlen(busyness_source_name(b->source)) + 2;
}

void
foreign_busyness_title(const struct session *s, struct text *out)
{
	const char *name = busyness_source_name(s->run.busyness->source);

	for (; *name != '\0'; name++)
		text_addc(out, (char)toupper((unsigned char)*name));
	text_addc(out, '%');
}

void
foreign_explain_busyness(const struct session *s, struct text *out)
{
	static const char *const words[N_BUSYNESS_SOURCES] = {
	    [BUSYNESS_PMU] = "busyness with all programs: by the PMU of i915",
	    [BUSYNESS_FDINFO] = "busyness with all programs of this user: by "
				"fdinfo, the mean of each class",
	    [BUSYNESS_STAMPS] = "busyness with batches of this run only: by "
				"their stamps",
	};
	const struct busyness *b = s->run.busyness;

	text_adds(out, words[b->source]);
	if (b->why.len > 0)
		text_addf(out, " (%s)", text_str(&b->why));
}

void
foreign_explain_others(const struct session *s, struct text *out)
{
	const struct foreign *f = &s->run.busyness->others;

	text_adds(out,
	    f->n > 0 ? "other programs on the GPU: "
		     : "no other program on the GPU is seen");
	for (size_t i = 0; i < f->n; i++) {
		text_adds(out, i > 0 ? ", " : "");
		foreign_add_name(&f->list[i], out);
	}
	if (f->n_hidden > 0)
		text_adds(out,
		    "; those of other users are not seen: needs the capability "
		    "CAP_SYS_PTRACE");
}

engine_mask
foreign_idle(const struct session *s)
{
	const struct busyness *b = s->run.busyness;
	const struct device *dev = &s->run.sim->device;
	engine_mask idle = engines_idle(dev);

	for (unsigned i = 0; b != NULL && i < dev->n_engines; i++)
		if (b->engines[i].busy_ns > 0)
			idle &= ~dev->engines[i].bit;
	return idle;
}

/* ---- Rows ---- */

unsigned
foreign_classes(const struct session *s)
{
	const struct busyness *b = s->run.busyness;
	unsigned classes = 0;

	for (size_t i = 0; b != NULL && i < b->others.n; i++)
		for (int k = 0; k < N_CLASSES; k++)
			if (b->others.list[i].looks[k] != 0)
				classes |= 1U << k;
	return classes;
}

static bool
is_idle_client(const struct foreign_client *c)
{
	for (int i = 0; i < N_CLASSES; i++)
		if (c->used_ns[i] > 0)
			return false;
	return true;
}

/* True if a row is shown: its text has that of the filter. */
static bool
passes_filter(
    const struct context_table *t, const struct foreign_client *client)
{
	const char *filter = filter_text(&t->filter);
	struct needle needle = needle_of(filter, strlen(filter));
	struct text label = {0};
	bool passes;

	if (t->hide_idle && is_idle_client(client))
		return false;
	foreign_label(client, &label);
	passes = needle.len == 0 ||
	    needle_find(&needle, text_str(&label), label.len, 0) != NOWHERE;
	text_free(&label);
	return passes;
}

size_t
foreign_count(const struct session *s, const struct context_table *t)
{
	const struct busyness *b = s->run.busyness;
	size_t n = 0;

	for (size_t i = 0; b != NULL && i < b->others.n; i++)
		n += passes_filter(t, &b->others.list[i]);
	return n;
}

const struct foreign_client *
foreign_at(const struct session *s, const struct context_table *t, size_t row)
{
	const struct foreign *f = &s->run.busyness->others;
	size_t i = 0;

	while (!passes_filter(t, &f->list[i]) || row-- > 0)
		i++;
	return &f->list[i];
}

size_t
foreign_selected(const struct session *s, const struct context_table *t,
    const struct selection *sel)
{
	size_t n = sel->foreign != 0 ? foreign_count(s, t) : 0;

	for (size_t i = 0; i < n; i++)
		if (foreign_at(s, t, i)->id + 1 == sel->foreign)
			return i;
	return SIZE_MAX;
}

void
foreign_label(const struct foreign_client *c, struct text *out)
{
	text_adds(out, "other: ");
	foreign_add_name(c, out);
}

/* Draws a share in a column, if that is shown. */
static void
draw_foreign_share(
    const struct columns *c, struct area *a, int y, int column, float share)
{
	char percent[16];
	int x = 0;

	if (c->widths[column] == 0)
		return;
	for (int i = 0; i < column; i++)
		x += c->widths[i];
	snprintf(percent, sizeof(percent), "%.*f", column == COLUMN_RUN,
	    (double)share * 100);
	if (share <= 0 && column != COLUMN_RUN)
		strcpy(percent, "-");
	put_right(a, y, x, c->widths[column],
	    share > 0 ? ROLE_NORMAL : ROLE_DIM, percent);
}

void
foreign_draw(const struct session *s, const struct foreign_client *client,
    const struct columns *c, struct area *a, int y)
{
	const struct foreign *f = &s->run.busyness->others;
	struct text label = {0};
	float all = 0;
	int width = 0;

	for (int i = 0; i < COLUMN_RUN; i++)
		width += c->widths[i];
	foreign_label(client, &label);
	put_cut(a, y, 1, width - 1, ROLE_DIM, text_str(&label));
	for (int i = 0; i < N_CLASSES; i++) {
		float share = foreign_share(f, client, (unsigned)i);

		all += share;
		draw_foreign_share(c, a, y, COLUMN_CLASS_0 + i, share);
	}
	draw_foreign_share(c, a, y, COLUMN_RUN, all);
	text_free(&label);
}

bool
foreign_explain_selected(
    const struct session *s, const struct selection *sel, struct text *out)
{
	const struct busyness *b = s->run.busyness;

	for (size_t i = 0; b != NULL && i < b->others.n; i++) {
		if (b->others.list[i].id + 1 != sel->foreign)
			continue;
		foreign_add_name(&b->others.list[i], out);
		text_adds(out,
		    " is another program on the GPU: it is shown, and cannot "
		    "be changed here");
		return true;
	}
	return false;
}
