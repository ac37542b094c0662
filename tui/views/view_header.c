/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header: state, time, speed, profile, scheduler, and totals, one row of
 * header_fields[] each. Fields flow over the rows of the header; where they do
 * not fit, labels get shorter and the least important fields are dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "tui/views/view.h"

#define GAP 2

struct header_field {
	const char *label, *brief; /* brief: the short form */
	int importance; /* 0: never dropped; else the highest goes first */
	int width; /* least width, so that the fields behind it stay in place */
	/* Appends the value, nothing if there is none; returns its role. */
	enum role (*print)(struct text *out, const struct session *s);
};

static enum role
print_session_state(struct text *out, const struct session *s)
{
	static const struct {
		const char *name;
		enum role role;
	} states[] = {
	    [SESSION_RUNNING] = {"running", ROLE_GOOD},
	    [SESSION_PAUSED] = {"PAUSED", ROLE_WARN},
	    [SESSION_LIMIT] = {"TIME LIMIT", ROLE_WARN},
	    [SESSION_DONE] = {"DONE", ROLE_STRONG},
	    [SESSION_DEADLOCK] = {"DEADLOCK", ROLE_BAD},
	    [SESSION_TIME_OVER] = {"TIME OVERFLOW", ROLE_BAD},
	    [SESSION_STOPPED] = {"STOPPED", ROLE_BAD},
	    [SESSION_NOTHING] = {"NOTHING RUNS", ROLE_WARN},
	};
	enum session_state state = session_state(s);

	text_adds(out, states[state].name);
	return states[state].role;
}

static enum role
print_time(struct text *out, const struct session *s)
{
	char buf[UNITS_LEN];

	text_adds(out, format_time(buf, s->run.sim->now));
	return ROLE_STRONG;
}

/* Prints the speed asked for, and the speed reached if it is lower. */
static enum role
print_speed(struct text *out, const struct session *s)
{
	double reached = s->clock.reached;
	char buf[UNITS_LEN];

	text_adds(out, format_speed(buf, s->clock.speed));
	if (session_moves(s) && s->behind && reached > 0)
		text_addf(out, " (reached %s)", format_speed(buf, reached));
	return ROLE_STRONG;
}

static enum role
print_profile(struct text *out, const struct session *s)
{
	text_adds(out, s->plan->profile.name);
	return ROLE_STRONG;
}

static enum role
print_scheduler(struct text *out, const struct session *s)
{
	text_adds(out, s->plan->sched->name);
	return ROLE_STRONG;
}

/* Counts the clients that have not ended, "of" all if some have. */
static enum role
print_clients(struct text *out, const struct session *s)
{
	const struct sim *sim = s->run.sim;
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, sim->n_clients - sim->n_gone));
	if (sim->n_gone > 0)
		text_addf(out, " of %s", format_count(buf, sim->n_clients));
	return ROLE_STRONG;
}

static enum role
print_rate(struct text *out, const struct session *s)
{
	double rate;

	if (load_history_rate(&s->history, &rate))
		text_addf(out, "%.1f", rate);
	else
		text_addc(out, '-');
	return ROLE_STRONG;
}

/* Prints a number of events that should not happen. */
static enum role
print_alarms(struct text *out, uint64_t n)
{
	char buf[UNITS_LEN];

	text_adds(out, format_count(buf, n));
	return n > 0 ? ROLE_BAD : ROLE_STRONG;
}

static enum role
print_missed(struct text *out, const struct session *s)
{
	return print_alarms(out, s->run.sim->n_missed);
}

static enum role
print_hangs(struct text *out, const struct session *s)
{
	return print_alarms(out, s->run.sim->n_hangs);
}

/* Names the outputs that are being written, and their sizes. */
static enum role
print_outputs(struct text *out, const struct session *s)
{
	static const char *const names[N_OUTPUT_FILES] = {
	    "layer", "trace", "JSON", "metadata"};
	char buf[UNITS_LEN];

	for (enum output_kind i = 0; i < N_OUTPUT_FILES; i++)
		if (session_output_path(s, i) != NULL)
			text_addf(out, "%s%s %s", out->len > 0 ? ", " : "",
			    names[i],
			    format_count(buf, session_output_bytes(s, i)));
	return ROLE_STRONG;
}

enum { FIRST_RESULT = 5, FIELD_OUTPUTS = 9, N_FIELDS = 10 };

static const struct header_field header_fields[N_FIELDS] = {
    {"", "", 0, 7, print_session_state},
    {"time", "", 1, 10, print_time},
    {"speed", "", 2, 0, print_speed},
    {"profile", "", 4, 0, print_profile},
    {"scheduler", "", 3, 0, print_scheduler},
    [FIRST_RESULT] = {"clients", "cl", 7, 5, print_clients},
    {"workloads/s", "w/s", 5, 7, print_rate},
    {"misses", "miss", 6, 5, print_missed},
    {"hangs", "hang", 8, 5, print_hangs},
    [FIELD_OUTPUTS] = {"writes", "", 9, 0, print_outputs},
};

/* The values of all fields, as they are shown. */
struct header_values {
	struct text text[N_FIELDS];
	enum role role[N_FIELDS];
	bool brief;  /* short labels */
	int dropped; /* fields, the least important ones */
};

static int
field_width(const struct area *a, const struct header_values *v, int i)
{
	const struct header_field *f = &header_fields[i];
	const char *label = v->brief ? f->brief : f->label;
	int value = columns(a->screen, text_str(&v->text[i]), v->text[i].len);

	if (value < f->width && !v->brief)
		value = f->width;
	return (int)strlen(label) + (*label != 0) + value;
}

static bool
is_field_shown(const struct header_values *v, int i)
{
	return v->text[i].len > 0 &&
	    header_fields[i].importance <= N_FIELDS - 1 - v->dropped;
}

static int
total_width(const struct area *a, const struct header_values *v)
{
	int all = -GAP;

	for (int i = 0; i < N_FIELDS; i++)
		if (is_field_shown(v, i))
			all += field_width(a, v, i) + GAP;
	return all;
}

static void
draw_field(
    struct area *a, int y, int x, int w, const struct header_values *v, int i)
{
	const struct header_field *f = &header_fields[i];
	int n = put(a, y, x, w, ROLE_LABEL, v->brief ? f->brief : f->label);

	put(a, y, x + n + (n > 0), w, v->role[i], text_str(&v->text[i]));
}

/* True if the fields fit; draws them if so. In two rows the second begins with
 * the results. */
static bool
flow(struct area *a, const struct header_values *v, bool draw)
{
	bool one_row = a->r.h <= 1 || total_width(a, v) <= a->r.w;
	int x = 0, y = 0;

	for (int i = 0; i < N_FIELDS; i++) {
		int w = field_width(a, v, i);

		if (!is_field_shown(v, i))
			continue;
		if (x > 0 &&
		    (x + w > a->r.w ||
			(i == FIRST_RESULT && y == 0 && !one_row))) {
			x = 0;
			y++;
		}
		if (y >= a->r.h ||
		    (x + w > a->r.w && header_fields[i].importance > 0))
			return false;
		if (draw)
			draw_field(a, y, x, w, v, i);
		x += w + GAP;
	}
	if (draw && v->dropped > 0 && x <= a->r.w)
		put_char(a, y, x - 1, ROLE_DIM, cut_sign(a->screen));
	return true;
}

/* Drops the outputs first; then labels are shortened, and more is dropped. */
static void
fit_fields(struct area *a, struct header_values *v)
{
	if (v->text[FIELD_OUTPUTS].len > 0 && !flow(a, v, false))
		v->dropped = 1;
	if (flow(a, v, false))
		return;
	v->brief = true;
	while (v->dropped < N_FIELDS - 1 && !flow(a, v, false))
		v->dropped++;
}

static void
header_draw(struct view *view, const struct view_env *env, struct area *a)
{
	struct header_values v = {0};

	(void)view;
	for (int i = 0; i < N_FIELDS; i++)
		v.role[i] = header_fields[i].print(&v.text[i], env->session);
	fit_fields(a, &v);
	flow(a, &v, true);
	for (int i = 0; i < N_FIELDS; i++)
		text_free(&v.text[i]);
}

static void
header_free(struct view *v)
{
	free(v);
}

static const struct view_ops header_ops = {
    .name = "Header",
    .scope = SCOPE_ALL,
    .draw = header_draw,
    .free = header_free,
};

struct view *
view_header_new(void)
{
	struct view *v = mem_calloc(1, sizeof(*v));

	v->ops = &header_ops;
	return v;
}
