/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What settings do: one table. See ui.h. */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/units.h"
#include "tui/console/arrange.h"
#include "tui/views/view.h"

/* Values have been checked. */
static bool
apply_theme(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	(void)wall;
	(void)err;
	theme_find(value, &ui->settings->theme.base);
	ui->wants_theme = true;
	return true;
}

static bool
apply_ascii(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	(void)wall;
	(void)err;
	ui->screen.unicode = ui->unicode && !setting_is_yes(value);
	ui->wants_redraw = true;
	return true;
}

static bool
apply_views(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	unsigned shown = 0;
	enum part first = PART_CONTEXTS;

	(void)wall;
	(void)err;
	settings_parse_views(value, &shown, &first);
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

/* The one with the focus first, as it is set. */
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
apply_sort(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
	return contexts_sort(ui->views[PART_CONTEXTS], &env, value, err);
}

static void
show_sort(const struct ui *ui, struct text *out)
{
	contexts_sorted_by(ui->views[PART_CONTEXTS], out);
}

static bool
apply_tree(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
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

static bool
apply_hide_idle(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	struct view_env env = ui_env(ui, PART_CONTEXTS);

	(void)wall;
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
apply_delay(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	nsec ns;

	(void)wall;
	(void)err;
	if (settings_parse_delay(value, &ns))
		ui->delay = (double)ns / 1e9;
	return true;
}

static void
show_delay(const struct ui *ui, struct text *out)
{
	text_addf(out, "%g", ui->delay);
}

static bool
apply_speed(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	double speed;

	(void)err;
	if (parse_speed(value, &speed))
		session_set_speed(ui->session, wall, speed);
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
apply_scheduler(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	return session_set_scheduler(ui->session, wall, value, err);
}

static void
show_scheduler(const struct ui *ui, struct text *out)
{
	text_adds(out, ui->session->plan->sched->name);
}

static bool
apply_profile(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	return session_set_profile(ui->session, wall, value, err);
}

static void
show_profile(const struct ui *ui, struct text *out)
{
	text_adds(out, ui->session->plan->profile.name);
}

static bool
apply_history(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	(void)wall;
	(void)err;
	ui->persistent = ui->for_a_person && setting_is_yes(value);
	return true;
}

static bool
apply_mouse(struct ui *ui, const char *value, nsec wall, struct text *err)
{
	(void)wall;
	(void)err;
	ui->mouse = setting_is_yes(value);
	return true;
}

static void
show_mouse(const struct ui *ui, struct text *out)
{
	text_adds(out, ui->mouse ? "yes" : "no");
}

static const struct {
	/* False: err says why it can't be so. */
	bool (*apply)(
	    struct ui *ui, const char *value, nsec wall, struct text *err);
	/* What is so now, where other keys change it too; NULL: they don't. */
	void (*show)(const struct ui *ui, struct text *out);
	bool at_start; /* else the command line's business then */
} effects[N_SETTINGS] = {
    [SET_THEME] = {apply_theme, NULL, true},
    [SET_ASCII] = {apply_ascii, NULL, true},
    [SET_VIEWS] = {apply_views, show_views, true},
    [SET_SORT] = {apply_sort, show_sort, true},
    [SET_TREE] = {apply_tree, show_tree, true},
    [SET_HIDE_IDLE] = {apply_hide_idle, show_hide_idle, true},
    [SET_DELAY] = {apply_delay, show_delay, true},
    [SET_SPEED] = {apply_speed, show_speed, false},
    [SET_SCHEDULER] = {apply_scheduler, show_scheduler, false},
    [SET_PROFILE] = {apply_profile, show_profile, false},
    [SET_HISTORY] = {apply_history, NULL, true},
    [SET_MOUSE] = {apply_mouse, show_mouse, true},
};

void
ui_setting_value(const struct ui *ui, enum setting which, struct text *out)
{
	if (effects[which].show != NULL)
		effects[which].show(ui, out);
	else
		text_adds(out, settings_value(ui->settings, which));
}

bool
ui_setting_stands(const struct ui *ui, enum setting which)
{
	const char *shown = ui->settings->shown[which];
	struct text now = {0};
	bool same;

	ui_setting_value(ui, which, &now);
	same = shown != NULL && strcmp(shown, text_str(&now)) == 0;
	text_free(&now);
	return same;
}

static void
note_shown(struct ui *ui, enum setting which)
{
	struct text now = {0};

	ui_setting_value(ui, which, &now);
	free(ui->settings->shown[which]);
	ui->settings->shown[which] = mem_strdup(text_str(&now));
	text_free(&now);
}

void
ui_apply_settings(struct ui *ui)
{
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		const char *value = settings_value(ui->settings, i);

		if (effects[i].at_start)
			effects[i].apply(ui, value, 0, NULL);
		note_shown(ui, i);
	}
}

bool
ui_set(struct ui *ui, enum setting which, const char *value, nsec wall,
    struct text *err)
{
	if (!setting_infos[which].check(value, err) ||
	    !effects[which].apply(ui, value, wall, err))
		return false;
	settings_set(ui->settings, which, value,
	    (struct origin){.kind = FROM_TYPED}, err);
	note_shown(ui, which);
	return true;
}
