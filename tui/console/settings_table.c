/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The table of settings: which values each takes, what it does in the console,
 * and what it shows. To add a setting, add its row and functions here, and its
 * name to enum setting. The config file, F2, :set and the manual use the table.
 */
#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "base/units.h"
#include "engine/profile.h"
#include "engine/sched/sched.h"
#include "run/options.h"
#include "tui/console/actions.h"
#include "tui/console/ui.h"
#include "tui/settings/settings.h"
#include "tui/views/contexts.h"

/* Values: check functions and the values offered. */

#define BLANKS " \t"

/* Appends "unknown WHAT 'value': expected one of" and the offered values.
 * Returns false. */
static bool
refuse_name(struct text *err, const char *what, const char *value,
    const char *(*offered)(unsigned i))
{
	const char *name;

	text_addf(err, "unknown %s '", what);
	text_add_visible(err, value, strlen(value));
	text_adds(err, "': expected one of");
	for (unsigned i = 0; (name = offered(i)) != NULL; i++)
		text_addf(err, " %s", name);
	return false;
}

static bool
check_theme(const char *value, struct text *err)
{
	unsigned number;

	return theme_find(value, &number) ||
	    refuse_name(err, "theme", value, theme_name);
}

static bool
check_bool(const char *value, struct text *err)
{
	if (setting_is_yes(value) || strcmp(value, "no") == 0 ||
	    strcmp(value, "off") == 0)
		return true;
	text_adds(err, "invalid value '");
	text_add_visible(err, value, strlen(value));
	text_adds(err, "': expected yes or no");
	return false;
}

static const char *
bool_value(unsigned i)
{
	static const char *const names[] = {"yes", "no"};

	return i < 2 ? names[i] : NULL;
}

static const char *
bool_meaning(const struct setting_info *info, const char *value)
{
	return setting_is_yes(value) ? info->yes : info->no;
}

static const char *
theme_meaning(const struct setting_info *info, const char *value)
{
	unsigned number;

	(void)info;
	return theme_find(value, &number) ? theme_help(number) : NULL;
}

static bool
check_delay(const char *value, struct text *err)
{
	nsec delay;

	return options_read_delay(value, &delay, err);
}

static bool
check_speed(const char *value, struct text *err)
{
	double speed;

	return read_speed(value, &speed, err);
}

static const char *
speed_value(unsigned i)
{
	static const char *const names[] = {"0.1", "1", "10", "100", "max"};

	return i < 5 ? names[i] : NULL;
}

static const char *
speed_meaning(const struct setting_info *info, const char *value)
{
	static const char *const meanings[] = {
	    "ten times slower than real time", "as fast as real time",
	    "ten times faster", "a hundred times faster",
	    "as fast as this machine can"};
	const char *name;

	(void)info;
	for (unsigned i = 0; (name = speed_value(i)) != NULL; i++)
		if (strcmp(name, value) == 0)
			return meanings[i];
	return NULL;
}

/* Parses "default", the empty set, or names of panes into a set and the one
 * named first. */
static bool
parse_views(const char *value, unsigned *shown, enum part *first)
{
	*shown = 0;
	if (strcmp(value, "default") == 0)
		return true;
	for (size_t len; *(value += strspn(value, BLANKS)) != 0; value += len) {
		enum part p;

		len = strcspn(value, BLANKS);
		p = layout_find(value, len);
		if (p < PART_FIRST_PANE || p == N_PARTS)
			return false;
		if (*shown == 0)
			*first = p;
		*shown |= PANE(p);
	}
	return *shown != 0;
}

static const char *
views_value(unsigned i)
{
	if (PART_FIRST_PANE + i < N_PARTS)
		return layout_name(PART_FIRST_PANE + i);
	return PART_FIRST_PANE + i == N_PARTS ? "default" : NULL;
}

/* A view is described by the action that shows it. */
static const char *
view_meaning(const struct setting_info *info, const char *value)
{
	size_t at = action_find(&console_actions, value);

	(void)info;
	if (strcmp(value, "default") == 0)
		return "those that the size of the screen has room for";
	return at < console_actions.n ? console_actions.rows[at].help : NULL;
}

static bool
check_views(const char *value, struct text *err)
{
	unsigned shown;
	enum part first;

	return parse_views(value, &shown, &first) ||
	    refuse_name(err, "view in", value, views_value);
}

static const char *
sort_value(unsigned i)
{
	for (int column = 0; column < N_COLUMNS; column++)
		if (context_columns[column].sort_name != NULL && i-- == 0)
			return context_columns[column].sort_name;
	return NULL;
}

static const char *
sort_meaning(const struct setting_info *info, const char *value)
{
	(void)info;
	for (int column = 0; column < N_COLUMNS; column++) {
		const char *name = context_columns[column].sort_name;

		if (name != NULL && strcmp(name, value) == 0)
			return context_columns[column].help;
	}
	return NULL;
}

static bool
check_sort(const char *value, struct text *err)
{
	const char *column = value + (*value == '-'), *name;

	if (strcmp(column, "busy") == 0) /* the name of run up to 0.1.0 */
		return true;
	for (unsigned i = 0; (name = sort_value(i)) != NULL; i++)
		if (strcmp(name, column) == 0)
			return true;
	return refuse_name(err, "column", value, sort_value);
}

/* The schedulers' names, then that for the profile's own. */
static const char *
scheduler_value(unsigned i)
{
	const char *name = sched_name(i);

	if (name != NULL)
		return name;
	return i == 0 || sched_name(i - 1) != NULL ? SCHED_OF_PROFILE : NULL;
}

static const char *
scheduler_meaning(const struct setting_info *info, const char *value)
{
	struct text ignored = {0};
	const struct sched_ops *sched = sched_find(value, &ignored);

	(void)info;
	text_free(&ignored);
	return sched != NULL ? sched->summary
			     : "the one that the profile names";
}

static bool
check_scheduler(const char *value, struct text *err)
{
	return strcmp(value, SCHED_OF_PROFILE) == 0 ||
	    sched_find(value, err) != NULL;
}

static bool
check_profile(const char *value, struct text *err)
{
	struct profile p;

	return profile_load(&p, value, err);
}

/* The name of a built-in profile, as profile_load() takes it. */
static const char *
profile_value(unsigned i)
{
	static char name[64];
	const char *file = profile_builtin(i);

	if (file == NULL)
		return NULL;
	snprintf(name, sizeof(name), "%.*s", (int)strcspn(file, "."), file);
	return name;
}

static const char *
profile_meaning(const struct setting_info *info, const char *value)
{
	static struct profile p;
	struct text ignored = {0};
	bool known = profile_load(&p, value, &ignored);

	(void)info;
	text_free(&ignored);
	return known && p.description[0] != 0 ? p.description : NULL;
}

/* Effects: functions that apply a value, which has been checked, and that show
 * the value in force. */

static bool
apply_theme(struct ui *ui, const char *value, struct text *err)
{
	(void)err;
	theme_find(value, &ui->settings->theme.base);
	ui->wants_theme = true;
	return true;
}

static bool
apply_ascii(struct ui *ui, const char *value, struct text *err)
{
	(void)err;
	ui->screen.unicode = ui->unicode && !setting_is_yes(value);
	ui->wants_redraw = true;
	return true;
}

static bool
apply_views(struct ui *ui, const char *value, struct text *err)
{
	unsigned shown = 0;
	enum part first = PART_CONTEXTS;

	(void)err;
	parse_views(value, &shown, &first);
	if (shown == 0)
		arrange_default(ui);
	else
		arrange_set(ui, shown, first);
	return true;
}

static void
add_view(struct text *out, enum part part)
{
	text_addf(out, out->len > 0 ? " %s" : "%s", layout_name(part));
}

/* The view with the focus comes first, as in the setting. */
static void
show_views(const struct ui *ui, struct text *out)
{
	if (!ui->arranged) {
		text_adds(out, "default");
		return;
	}
	add_view(out, ui->focus);
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (ui->shown & PANE(p) && p != ui->focus)
			add_view(out, p);
}

static bool
apply_sort(struct ui *ui, const char *value, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	return contexts_sort(ui->views[PART_CONTEXTS], &env, value, err);
}

static void
show_sort(const struct ui *ui, struct text *out)
{
	contexts_sorted_by(ui->views[PART_CONTEXTS], out);
}

static bool
apply_tree(struct ui *ui, const char *value, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)err;
	contexts_set_tree(
	    ui->views[PART_CONTEXTS], &env, setting_is_yes(value));
	return true;
}

static void
show_tree(const struct ui *ui, struct text *out)
{
	text_adds(out, contexts_tree(ui->views[PART_CONTEXTS]) ? "yes" : "no");
}

/* In the order of enum crowd_mode. */
static const struct {
	const char *name, *meaning;
} crowd_values[] = {
    [CROWDS_MANY] = {"auto", "as one row if there are 33 or more"},
    [CROWDS_ALWAYS] = {"yes", "two or more as one row"},
    [CROWDS_NEVER] = {"no", "each client by itself"},
};

static const char *
crowds_value(unsigned i)
{
	return i <= CROWDS_NEVER ? crowd_values[i].name : NULL;
}

static bool
find_crowds(const char *value, enum crowd_mode *mode)
{
	const char *name;

	for (unsigned i = 0; (name = crowds_value(i)) != NULL; i++)
		if (strcmp(name, value) == 0) {
			*mode = (enum crowd_mode)i;
			return true;
		}
	return false;
}

static const char *
crowds_meaning(const struct setting_info *info, const char *value)
{
	enum crowd_mode mode;

	(void)info;
	return find_crowds(value, &mode) ? crowd_values[mode].meaning : NULL;
}

static bool
check_crowds(const char *value, struct text *err)
{
	enum crowd_mode mode;

	return find_crowds(value, &mode) ||
	    refuse_name(err, "collapse", value, crowds_value);
}

static bool
apply_crowds(struct ui *ui, const char *value, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);
	enum crowd_mode mode = CROWDS_MANY;

	(void)err;
	find_crowds(value, &mode);
	contexts_set_crowds(ui->views[PART_CONTEXTS], &env, mode);
	return true;
}

static void
show_crowds(const struct ui *ui, struct text *out)
{
	text_adds(out, crowds_value(contexts_crowds(ui->views[PART_CONTEXTS])));
}

static bool
apply_hide_idle(struct ui *ui, const char *value, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)err;
	contexts_set_hide_idle(
	    ui->views[PART_CONTEXTS], &env, setting_is_yes(value));
	return true;
}

static void
show_hide_idle(const struct ui *ui, struct text *out)
{
	text_adds(
	    out, contexts_hide_idle(ui->views[PART_CONTEXTS]) ? "yes" : "no");
}

static bool
apply_delay(struct ui *ui, const char *value, struct text *err)
{
	return options_read_delay(value, &ui->delay, err);
}

static void
show_delay(const struct ui *ui, struct text *out)
{
	text_addf(out, "%g", (double)ui->delay / 1e9);
}

static bool
apply_speed(struct ui *ui, const char *value, struct text *err)
{
	double speed;

	if (session_is_on_gpu(ui->session)) {
		text_adds(err, "a GPU runs in real time: no other speed");
		return false;
	}
	if (read_speed(value, &speed, NULL))
		session_set_speed(ui->session, ui->now, speed);
	return true;
}

static void
show_speed(const struct ui *ui, struct text *out)
{
	if (ui->session->clock.speed > 0)
		text_addf(out, "%g", ui->session->clock.speed);
	else
		text_adds(out, "max");
}

static bool
apply_scheduler(struct ui *ui, const char *value, struct text *err)
{
	return session_set_scheduler(ui->session, ui->now, value, err);
}

static void
show_scheduler(const struct ui *ui, struct text *out)
{
	text_adds(out, ui->session->plan->sched->name);
}

static bool
apply_profile(struct ui *ui, const char *value, struct text *err)
{
	return session_set_profile(ui->session, ui->now, value, err);
}

static void
show_profile(const struct ui *ui, struct text *out)
{
	text_adds(out, ui->session->plan->profile.name);
}

static bool
apply_history(struct ui *ui, const char *value, struct text *err)
{
	(void)err;
	ui->persistent = ui->for_a_person && setting_is_yes(value);
	return true;
}

static bool
apply_mouse(struct ui *ui, const char *value, struct text *err)
{
	(void)err;
	ui->mouse = setting_is_yes(value);
	return true;
}

static void
show_mouse(const struct ui *ui, struct text *out)
{
	text_adds(out, ui->mouse ? "yes" : "no");
}

#define YES_OR_NO                                                              \
	.syntax = "yes|no", .is_bool = true, .check = check_bool,              \
	.value = bool_value, .meaning = bool_meaning

const struct setting_info setting_infos[N_SETTINGS] = {
    [SET_THEME] = {"theme", .syntax = "NAME", .fallback = "default",
	.help = "colours; none if NO_COLOR is set", .check = check_theme,
	.value = theme_name, .meaning = theme_meaning, .apply = apply_theme,
	.at_start = true},
    [SET_ASCII] = {"ascii", YES_OR_NO, .fallback = "no", .option = "ascii",
	.help = "only ASCII characters", .yes = "only ASCII",
	.no = "blocks and arrows, if the locale has them", .apply = apply_ascii,
	.at_start = true},
    [SET_VIEWS] = {"views", .syntax = "NAMES|default", .fallback = "default",
	.help = "panes to show, the first with the focus", .check = check_views,
	.value = views_value, .meaning = view_meaning, .apply = apply_views,
	.show = show_views, .at_start = true},
    [SET_SORT] = {"sort", .syntax = "[-]COLUMN", .fallback = "client",
	.help = "order of contexts; -: in the other direction",
	.check = check_sort, .value = sort_value, .meaning = sort_meaning,
	.apply = apply_sort, .show = show_sort, .at_start = true},
    [SET_TREE] = {"tree", YES_OR_NO, .fallback = "no",
	.help = "contexts below their clients",
	.yes = "a row per client, its contexts below", .no = "contexts only",
	.apply = apply_tree, .show = show_tree, .at_start = true},
    [SET_COLLAPSE] = {"collapse", .syntax = "auto|yes|no", .fallback = "auto",
	.help = "equal clients as one row; auto: if there are 33 or more",
	.check = check_crowds, .value = crowds_value, .meaning = crowds_meaning,
	.apply = apply_crowds, .show = show_crowds, .at_start = true},
    [SET_HIDE_IDLE] = {"hide-idle", YES_OR_NO, .fallback = "no",
	.help = "leave out contexts that do nothing",
	.yes = "only contexts that do something", .no = "all contexts",
	.apply = apply_hide_idle, .show = show_hide_idle, .at_start = true},
    [SET_DELAY] = {"delay", .syntax = "SECONDS", .fallback = "0.25",
	.option = "delay", .help = "time between frames; keys show at once",
	.check = check_delay, .apply = apply_delay, .show = show_delay,
	.at_start = true},
    [SET_SPEED] = {"speed", .syntax = "N|max", .fallback = "1",
	.option = "speed", .help = "virtual time per real time",
	.check = check_speed, .value = speed_value, .meaning = speed_meaning,
	.apply = apply_speed, .show = show_speed},
    [SET_SCHEDULER] = {"scheduler", .syntax = "NAME",
	.fallback = SCHED_OF_PROFILE, .option = "scheduler",
	.help = "scheduler, or profile for that of the profile; restarts",
	.check = check_scheduler, .value = scheduler_value,
	.meaning = scheduler_meaning, .apply = apply_scheduler,
	.show = show_scheduler},
    [SET_PROFILE] = {"profile", .syntax = "NAME|FILE", .fallback = "default",
	.option = "profile", .help = "the modelled GPU; restarts",
	.check = check_profile, .value = profile_value,
	.meaning = profile_meaning, .apply = apply_profile,
	.show = show_profile},
    [SET_HISTORY] = {"history", YES_OR_NO, .fallback = "yes",
	.help = "keep prompt histories between sessions",
	.yes = "kept in files between sessions", .no = "of this session only",
	.apply = apply_history, .at_start = true},
    [SET_MOUSE] = {"mouse", YES_OR_NO, .fallback = "yes", .option = "no-mouse",
	.help = "use the mouse; no: the terminal selects text with it",
	.yes = "clicks and the wheel act here",
	.no = "the terminal selects text with it", .apply = apply_mouse,
	.show = show_mouse, .at_start = true},
};
