/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The manual's lists of what a config file can say. */
#include "tui/settings/config.h"

/* Each hyphen is a minus sign. */
static void
add_roff(struct text *out, const char *s)
{
	for (; *s != 0; s++)
		if (*s == '-')
			text_adds(out, "\\-");
		else
			text_addc(out, *s);
}

static void
add_values(struct text *out, const struct setting_info *info)
{
	const char *s;

	if (info->value == NULL ||
	    info->value == setting_infos[SET_PROFILE].value)
		return;
	text_adds(out, ".br\nValues: ");
	for (unsigned i = 0; (s = info->value(i)) != NULL; i++) {
		if (i > 0)
			text_adds(out, ", ");
		add_roff(out, s);
	}
	text_adds(out, ".\n");
}

void
config_print_man_settings(struct text *out)
{
	for (enum setting i = 0; i < N_SETTINGS; i++) {
		const struct setting_info *info = &setting_infos[i];

		text_adds(out, ".TP\n\\fB");
		add_roff(out, info->name);
		text_addf(out, "\\fR = \\fI%s\\fR\n", info->syntax);
		add_roff(out, info->help);
		text_addf(out, " (default %s).\n", info->fallback);
		add_values(out, info);
	}
}

void
config_print_man_roles(struct text *out)
{
	for (enum role r = 0; r < N_ROLES; r++) {
		add_roff(out, role_name(r));
		text_adds(out, r + 1 < N_ROLES ? ",\n" : ".\n");
	}
}
