/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What settings do: one table. See ui.h. */
#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"
#include "parser/text.h"
#include "tui/console/ui.h"
#include "tui/screen/units.h"

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
