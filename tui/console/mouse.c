/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the mouse does: a click goes to the pane, the page or the key below it,
 * the wheel scrolls what it is over. */
#include "tui/console/ui.h"

/* Two clicks within that time at one place are Enter. */
#define DOUBLE_NS (400 * NSEC_PER_MSEC)

static enum mouse
what_of(int code)
{
	return code == KEY_WHEEL_UP  ? MOUSE_WHEEL_UP
	    : code == KEY_WHEEL_DOWN ? MOUSE_WHEEL_DOWN
				     : MOUSE_CLICK;
}

static bool
is_in(const struct rect *r, const struct key_press *key)
{
	return key->x >= r->x && key->x < r->x + r->w && key->y >= r->y &&
	    key->y < r->y + r->h;
}

static bool
is_double(struct ui *ui, const struct key_press *key, nsec wall)
{
	bool again = ui->click.at != 0 && ui->click.x == key->x &&
	    ui->click.y == key->y && wall - ui->click.at < DOUBLE_NS;

	ui->click.at = again ? 0 : wall;
	ui->click.x = key->x;
	ui->click.y = key->y;
	return again;
}

static void
click_footer(struct ui *ui, int x, nsec wall)
{
	const struct key_row *row = footer_key_at(ui, x);
	bool said = ui->message.len > 0; /* instead of keys */

	text_clear(&ui->message);
	if (!said && row != NULL)
		ui_act(ui, row->action, wall);
}

/* The first click selects, and may make more room for what it was in: the
 * second is for what is selected, wherever that is now. */
static void
mouse_in_pane(
    struct ui *ui, enum part part, const struct key_press *key, nsec wall)
{
	const struct rect *r = &ui->layout.parts[part];
	enum mouse what = what_of(key->code);
	struct view *v = ui->views[part];
	struct view_env env;
	bool again = what == MOUSE_CLICK && is_double(ui, key, wall);

	if (what == MOUSE_CLICK) {
		text_clear(&ui->message);
		if (part == ui->focus && key->y > r->y && again) {
			ui_key(ui, KEY_ENTER_CODE, wall);
			return;
		}
		ui->focus = part;
	}
	env = ui_env(ui, part);
	if (v->ops->mouse != NULL)
		v->ops->mouse(v, &env, key->x - r->x, key->y - r->y, what);
}

void
ui_mouse(struct ui *ui, const struct key_press *key, nsec wall)
{
	const struct layout *l = &ui->layout;
	bool click = key->code == KEY_CLICK;

	if (l->too_small || ui->question.answers != NULL)
		return;
	ui_follow_launches(ui);
	if (is_in(&l->parts[PART_FOOTER], key) && click) {
		click_footer(ui, key->x, wall);
		return;
	}
	if (ui->page != NULL) {
		if (!click)
			list_mouse(&ui->page->list, 0, what_of(key->code));
		return;
	}
	for (enum part p = PART_FIRST_PANE; p < N_PARTS; p++)
		if (layout_shows(l, p) && is_in(&l->parts[p], key)) {
			mouse_in_pane(ui, p, key, wall);
			return;
		}
}
