/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The header: the program, what is below it, state, time, speed, and what happens
 * now beside totals; one row of header_fields[] each. Fields flow over the rows of
 * the header; where they do not fit, labels get shorter and the least important
 * fields are dropped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "engine/follow/follow.h"
#include "tui/views/view.h"

#define GAP 2

struct header_field {
	const char *label, *brief; /* brief: the short form */
	int brief_from;            /* level of shortening that uses it */
	int importance; /* 0: never dropped; else the highest goes first */
	int width; /* least width, so that the fields behind it stay in place */
	/* Appends the value, nothing if there is none; returns its role. */
	enum role (*print)(struct text *out, const struct session *s);
};

static enum role
print_program(struct text *out, const struct session *s)
{
	(void)s;
	text_adds(out, "gpuwl-top");
	return ROLE_STRONG;
}

/* Names the first descriptor, and counts the others. */
static enum role
print_sources(struct text *out, const struct session *s)
{
	const struct source *source = &s->plan->sources[0];
	const char *slash = source->is_file || source->is_example
	    ? strrchr(source->name, '/')
	    : NULL;

	if (s->plan->n_sources == 0 || source_is_blank(source))
		return ROLE_NORMAL;
	if (!source->is_file && !source->is_example)
		text_adds(out, "-w");
	else
		text_add_visible(out, slash != NULL ? slash + 1 : source->name,
		    strlen(slash != NULL ? slash + 1 : source->name));
	if (s->plan->n_sources > 1)
		text_addf(out, " +%zu", s->plan->n_sources - 1);
	return ROLE_STRONG;
}

static enum role
print_session_state(struct text *out, const struct session *s)
{
	static const struct {
		const char *name;
		enum role role;
	} states[] = {
	    [SESSION_RUNNING] = {"running", ROLE_GOOD},
	    [SESSION_PAUSED] = {"PAUSED", ROLE_WARN},
	    [SESSION_PAUSING] = {"PAUSING", ROLE_WARN},
	    [SESSION_LIMIT] = {"TIME LIMIT", ROLE_WARN},
	    [SESSION_DONE] = {"DONE", ROLE_STRONG},
	    [SESSION_DEADLOCK] = {"DEADLOCK", ROLE_BAD},
	    [SESSION_TIME_OVER] = {"TIME OVERFLOW", ROLE_BAD},
	    [SESSION_STOPPED] = {"STOPPED", ROLE_BAD},
	    [SESSION_REFUSED] = {"GPU REFUSES", ROLE_BAD},
	    [SESSION_NOTHING] = {"NOTHING RUNS", ROLE_WARN},
	};
	enum session_state state = session_state(s);

	if (session_is_past(s)) {
		text_adds(out, session_moves(s) ? "REPEATS" : "PAST");
		return ROLE_WARN;
	}
	/* The clock of programs goes on. */
	text_adds(out,
	    state == SESSION_PAUSED && session_is_served(s)
		? "GPU STOPPED"
		: states[state].name);
	return states[state].role;
}

/* Prints the time to a tenth of a second, so that its digits can be read; to all
 * digits while it does not move or is slow. */
static enum role
print_time(struct text *out, const struct session *s)
{
	bool slow = s->clock.speed > 0 && s->clock.speed < 0.1;
	char buf[UNITS_LEN];
	const char *time = format_time(buf, s->run.sim->now);
	size_t len = strlen(time);

	if (session_moves(s) && !slow)
		len = strcspn(time, ".") + 2;
	else if (time[len - 1] == 's')
		len--;
	text_add(out, time, len);
	text_addc(out, 's');
	if (session_is_past(s))
		text_addf(out, " of %s", format_time(buf, session_present(s)));
	return ROLE_STRONG;
}

/* Prints the speed asked for, and the speed reached if it is lower. */
static enum role
print_speed(struct text *out, const struct session *s)
{
	double reached = s->clock.reached;
	char buf[UNITS_LEN];

	if (session_is_on_gpu(s))
		return ROLE_NORMAL; /* real time */
	text_adds(out, format_speed(buf, session_speed(s)));
	if (session_moves(s) && s->behind && reached > 0)
		text_addf(out, " (reached %s)", format_speed(buf, reached));
	return ROLE_STRONG;
}

static enum role
print_profile(struct text *out, const struct session *s)
{
	if (!plan_is_of_gpu(s->plan))
		text_adds(out, s->plan->profile.name);
	return ROLE_STRONG;
}

/* Prints the part and the address of the GPU that it runs on, or ran on. */
static enum role
print_gpu(struct text *out, const struct session *s)
{
	const char *address;

	if (!plan_is_of_gpu(s->plan))
		return ROLE_NORMAL;
	address = plan_gpu_address(s->plan);
	text_adds(out, plan_gpu_name(s->plan));
	if (address != NULL)
		text_addf(out, " %s", address);
	return ROLE_STRONG;
}

/* Prints by how much the times of its stamps may be wrong. */
static enum role
print_stamp_error(struct text *out, const struct session *s)
{
	char buf[UNITS_LEN];

	if (session_is_on_gpu(s))
		text_addf(
		    out, "+-%s", format_duration(buf, plan_gpu_error(s->plan)));
	return ROLE_STRONG;
}

/* Prints the name of the virtual i915, if there is one. */
static enum role
print_virtual_device(struct text *out, const struct session *s)
{
	if (session_is_served(s))
		text_adds(out, s->programs.name);
	return ROLE_STRONG;
}

static enum role
print_no_pictures(struct text *out, const struct session *s)
{
	if (session_is_served(s))
		text_adds(out, "nothing is rendered");
	return ROLE_DIM;
}

static enum role
print_n_programs(struct text *out, const struct session *s)
{
	char buf[UNITS_LEN];

	if (session_is_served(s))
		text_adds(out, format_count(buf, session_n_programs(s)));
	return ROLE_STRONG;
}

static enum role
print_scheduler(struct text *out, const struct session *s)
{
	if (!plan_is_of_gpu(s->plan))
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

	if (session_has_only_programs(s))
		return ROLE_NORMAL; /* they have no iterations */
	if (load_history_rate(&s->history, &rate))
		text_addf(out, "%.1f", rate);
	else
		text_addc(out, '-');
	return ROLE_STRONG;
}

/* Prints events that should not happen: how many of them now, and in total. */
static enum role
print_alarms(struct text *out, double rate, uint64_t total)
{
	char buf[UNITS_LEN];

	if (total == 0) {
		text_addc(out, '0');
		return ROLE_STRONG;
	}
	text_addf(out, rate > 0 && rate < 9.95 ? "%.1f/s" : "%.0f/s", rate);
	text_addf(out, ", %s in all", format_count(buf, total));
	return rate > 0 ? ROLE_BAD : ROLE_STRONG;
}

static enum role
print_missed(struct text *out, const struct session *s)
{
	struct overdue late = overdue_find(s->run.sim);

	if (session_has_only_programs(s))
		return ROLE_NORMAL;
	return print_alarms(out, load_history_missed(&s->history),
	    overdue_misses(&late, s->run.sim));
}

static enum role
print_hangs(struct text *out, const struct session *s)
{
	return print_alarms(
	    out, load_history_hangs(&s->history), s->run.sim->n_hangs);
}

/* Counts the requests that the GPU has not got: software fences and pauses hold
 * them. */
static enum role
print_held(struct text *out, const struct session *s)
{
	char buf[UNITS_LEN];

	if (session_is_on_gpu(s) && follow_counts(s->run.sim)->n_held > 0)
		text_adds(
		    out, format_count(buf, follow_counts(s->run.sim)->n_held));
	return ROLE_WARN;
}

/* Prints for how long the latest of the periods that are overdue has been over,
 * and their number. */
static enum role
print_late(struct text *out, const struct session *s)
{
	struct overdue late = overdue_find(s->run.sim);
	char buf[UNITS_LEN];

	if (late.n == 0)
		return ROLE_BAD;
	text_adds(out, format_duration(buf, late.late_ns));
	if (late.n > 1)
		text_addf(out, " (%s clients)", format_count(buf, late.n));
	return ROLE_BAD;
}

/* Names the outputs that are being written, and their sizes. */
static enum role
print_outputs(struct text *out, const struct session *s)
{
	static const char *const names[N_OUTPUT_FILES] = {
	    "layer", "trace", "JSON", "metadata", "kernel", "frames"};
	char buf[UNITS_LEN];

	for (enum output_kind i = 0; i < N_OUTPUT_FILES; i++)
		if (session_output_path(s, i) != NULL)
			text_addf(out, "%s%s %s", out->len > 0 ? ", " : "",
			    names[i],
			    format_count(buf, session_output_bytes(s, i)));
	return ROLE_STRONG;
}

enum { FIRST_RESULT = 11, FIELD_OUTPUTS = 18, N_FIELDS = 19 };

/* Rank of the field that is dropped first. */
#define LEAST_IMPORTANT 12

#define MAX_BRIEF 2

static const struct header_field header_fields[N_FIELDS] = {
    {"", "", 0, 0, 0, print_program},
    {"", "", 0, 10, 0, print_sources},
    {"model", "model", 0, 0, 0, print_profile},
    {"i915", "i915", 0, 0, 0, print_gpu},
    {"virtual i915", "i915", 1, 0, 0, print_virtual_device},
    {"", "", 0, 11, 0, print_no_pictures},
    {"", "", 0, 0, 7, print_session_state},
    {"time", "", 1, 2, 7, print_time},
    {"speed", "", 2, 3, 0, print_speed},
    {"scheduler", "", 1, 4, 0, print_scheduler},
    {"stamps", "stamps", 0, 11, 0, print_stamp_error},
    [FIRST_RESULT] = {"clients", "cl", 2, 8, 2, print_clients},
    {"programs", "prog", 2, 9, 0, print_n_programs},
    {"workloads/s", "w/s", 2, 6, 6, print_rate},
    {"misses", "miss", 2, 5, 0, print_missed},
    {"LATE", "LATE", 0, 1, 0, print_late},
    {"hangs", "hangs", 0, 7, 0, print_hangs},
    {"held", "held", 0, 8, 0, print_held},
    [FIELD_OUTPUTS] = {"writes", "", 2, 12, 0, print_outputs},
};

/* The values of all fields, as they are shown. */
struct header_values {
	struct text text[N_FIELDS];
	enum role role[N_FIELDS];
	int brief;   /* level of shortening, from 0 to MAX_BRIEF */
	int dropped; /* fields, the least important ones */
};

static const char *
header_label(const struct header_values *v, const struct header_field *f)
{
	return v->brief > 0 && v->brief >= f->brief_from ? f->brief : f->label;
}

static int
field_width(const struct area *a, const struct header_values *v, int i)
{
	const struct header_field *f = &header_fields[i];
	const char *label = header_label(v, f);
	int value = columns(a->screen, text_str(&v->text[i]), v->text[i].len);

	if (value < f->width && v->brief < MAX_BRIEF)
		value = f->width;
	return (int)strlen(label) + (*label != 0) + value;
}

static bool
is_field_shown(const struct header_values *v, int i)
{
	return v->text[i].len > 0 &&
	    header_fields[i].importance <= LEAST_IMPORTANT - v->dropped;
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
	int n = put(a, y, x, w, ROLE_LABEL, header_label(v, f));

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
	while (v->brief < MAX_BRIEF && !flow(a, v, false))
		v->brief++;
	while (v->dropped < LEAST_IMPORTANT && !flow(a, v, false))
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
