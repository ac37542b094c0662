/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header: state, time, speed, profile, scheduler, and totals. Fields flow
 * over its rows; where they do not fit, labels get shorter and the least
 * important fields are dropped.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/units.h"
#include "tui/views/view.h"

#define N_FIELDS     10
#define FIRST_RESULT 5
#define GAP          2

struct header_field {
	const char *label, *brief; /* brief: the short form */
	enum role role;
	int importance; /* 0: never dropped; else the highest goes first */
	int width; /* least width, so that the fields behind it stay in place */
	char value[96];
};

static const char *
state_text(const struct session *s, enum role *role)
{
	*role = ROLE_WARN;
	switch (session_state(s)) {
	case SESSION_RUNNING: *role = ROLE_GOOD; return "running";
	case SESSION_PAUSED: return "PAUSED";
	case SESSION_LIMIT: return "TIME LIMIT";
	case SESSION_DEADLOCK: *role = ROLE_BAD; return "DEADLOCK";
	case SESSION_TIME_OVER: *role = ROLE_BAD; return "TIME OVERFLOW";
	case SESSION_STOPPED: *role = ROLE_BAD; return "STOPPED";
	case SESSION_NOTHING: return "NOTHING RUNS";
	case SESSION_DONE: break;
	}
	*role = ROLE_STRONG;
	return "DONE";
}

/* Prints the speed asked for, and the speed reached if it is lower. */
static void
speed_text(const struct session *s, char *buf, size_t size)
{
	char asked[UNITS_LEN], got[UNITS_LEN];
	double reached = s->clock.reached;

	format_speed(asked, s->clock.speed);
	if (session_moves(s) && s->behind && reached > 0)
		snprintf(buf, size, "%s (reached %s)", asked,
		    format_speed(got, reached));
	else
		snprintf(buf, size, "%s", asked);
}

static struct header_field
number_field(const char *label, const char *brief, int importance, uint64_t n,
    bool alarm)
{
	struct header_field f = {.label = label,
	    .brief = brief,
	    .importance = importance,
	    .role = alarm && n > 0 ? ROLE_BAD : ROLE_STRONG,
	    .width = 5};

	format_count(f.value, n);
	return f;
}

static struct header_field
text_field(
    const char *label, const char *brief, int importance, const char *value)
{
	struct header_field f = {.label = label,
	    .brief = brief,
	    .importance = importance,
	    .role = ROLE_STRONG};

	snprintf(f.value, sizeof(f.value), "%s", value);
	return f;
}

/* Counts the clients that have not ended, "of" all if some have. */
static struct header_field
clients_field(const struct sim *sim)
{
	struct header_field f = number_field(
	    "clients", "cl", 7, sim->n_clients - sim->n_gone, false);
	char buf[UNITS_LEN];
	size_t len = strlen(f.value);

	if (sim->n_gone > 0)
		snprintf(f.value + len, sizeof(f.value) - len, " of %s",
		    format_count(buf, sim->n_clients));
	return f;
}

/* Names the outputs that are being written and their sizes; empty if there are
 * none. */
static struct header_field
writing_field(const struct session *s)
{
	static const char *const names[N_OUTPUT_FILES] = {
	    "layer", "trace", "JSON", "metadata"};
	struct header_field f = text_field("writes", "", 9, "");
	char buf[UNITS_LEN];
	size_t len = 0;

	for (enum output_kind i = 0; i < N_OUTPUT_FILES; i++)
		if (session_output_path(s, i) != NULL)
			len += (size_t)snprintf(f.value + len,
			    sizeof(f.value) - len, "%s%s %s",
			    len > 0 ? ", " : "", names[i],
			    format_count(buf, session_output_bytes(s, i)));
	return f;
}

static void
make_fields(struct header_field f[N_FIELDS], const struct session *s)
{
	const struct sim *sim = s->run.sim;
	char buf[UNITS_LEN];
	double rate;

	f[0] = text_field("", "", 0, "");
	strcpy(f[0].value, state_text(s, &f[0].role));
	f[0].width = 7;
	f[1] = text_field("time", "", 1, format_time(buf, sim->now));
	f[1].width = 10;
	f[2] = text_field("speed", "", 2, "");
	speed_text(s, f[2].value, sizeof(f[2].value));
	f[3] = text_field("profile", "", 4, s->plan->profile.name);
	f[4] = text_field("scheduler", "", 3, s->plan->sched->name);
	f[5] = clients_field(sim);
	f[6] = text_field("workloads/s", "w/s", 5, "");
	if (load_history_rate(&s->history, &rate))
		snprintf(f[6].value, sizeof(f[6].value), "%.1f", rate);
	else
		snprintf(f[6].value, sizeof(f[6].value), "-");
	f[6].width = 7;
	f[7] = number_field("misses", "miss", 6, sim->n_missed, true);
	f[8] = number_field("hangs", "hang", 8, sim->n_hangs, true);
	f[9] = writing_field(s);
}

static int
field_width(const struct area *a, const struct header_field *f, bool brief)
{
	const char *label = brief ? f->brief : f->label;
	int value = columns(a->screen, f->value, strlen(f->value));

	if (value < f->width && !brief)
		value = f->width;
	return (int)strlen(label) + (*label != 0) + value;
}

static bool
is_field_shown(const struct header_field *f, int dropped)
{
	return *f->value != 0 && f->importance <= N_FIELDS - 1 - dropped;
}

/*
 * True if the fields fit; draws them if so. In two rows the second begins with
 * the results.
 */
static bool
flow(struct area *a, const struct header_field f[N_FIELDS], bool brief,
    int dropped, bool draw)
{
	int x = 0, y = 0, all = 0;

	for (int i = 0; i < N_FIELDS; i++)
		if (is_field_shown(&f[i], dropped))
			all += field_width(a, &f[i], brief) + GAP;

	for (int i = 0; i < N_FIELDS; i++) {
		const char *label = brief ? f[i].brief : f[i].label;
		int w = field_width(a, &f[i], brief);

		if (!is_field_shown(&f[i], dropped))
			continue;
		if (x > 0 &&
		    (x + w > a->r.w ||
			(i == FIRST_RESULT && y == 0 && a->r.h > 1 &&
			    all - GAP > a->r.w))) {
			x = 0;
			y++;
		}
		if (y >= a->r.h || (x + w > a->r.w && f[i].importance > 0))
			return false;
		if (draw) {
			int n = put(a, y, x, w, ROLE_LABEL, label);

			put(a, y, x + n + (n > 0), w, f[i].role, f[i].value);
		}
		x += w + GAP;
	}
	if (draw && dropped > 0 && x <= a->r.w)
		put_char(a, y, x - 1, ROLE_DIM, cut_sign(a->screen));
	return true;
}

static void
header_draw(struct view *v, const struct view_env *env, struct area *a)
{
	struct header_field f[N_FIELDS];
	int dropped = 0;
	bool brief = false;

	(void)v;
	make_fields(f, env->session);
	/* Labels are shortened only if dropping the outputs is not enough. */
	if (*f[9].value != 0 && !flow(a, f, false, 0, false))
		dropped = 1;
	if (!flow(a, f, false, dropped, false)) {
		brief = true;
		while (
		    dropped < N_FIELDS - 1 && !flow(a, f, true, dropped, false))
			dropped++;
	}
	flow(a, f, brief, dropped, true);
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
