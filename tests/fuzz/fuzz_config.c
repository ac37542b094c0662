/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Config files: any bytes are read, what is said of them is safe to show, and
 * there is a way out with the keys that come of it. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "tui/console/actions.h"
#include "tui/settings/config.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_problems(const struct settings *s)
{
	for (size_t i = 0; i < s->problems.len; i++) {
		unsigned char c = (unsigned char)s->problems.data[i];

		if ((c < ' ' && c != '\n') || c == 0x7f)
			abort();
	}
	if ((s->n_problems > 0) != (s->problems.len > 0))
		abort();
}

static void
check_interrupt(const struct settings *s, enum scope pane, bool page)
{
	const struct action_row *row = keymap_find(
	    &s->keymap, KEY_C_C, pane, page);

	if (row == NULL || strcmp(row->name, "interrupt") != 0)
		abort();
}

static void
check_keys(const struct settings *s)
{
	struct text err = {0};

	if (*keymap_keys(&s->keymap, action_find(&console_actions, "quit")) ==
	    0)
		abort();
	for (enum scope pane = 0; pane < N_SCOPES; pane++)
		for (int page = 0; page < 2; page++)
			check_interrupt(s, pane, page != 0);
	for (size_t i = 0; i < console_actions.n; i++)
		if (keymap_clash(&s->keymap, i, &err) != console_actions.n)
			abort();
	text_free(&err);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct settings s;

	settings_init(&s, &console_actions);
	config_read(&s, "fuzz", (const char *)data, size);
	check_problems(&s);
	check_keys(&s);
	for (enum role r = 0; r < N_ROLES; r++)
		theme_look(&s.theme, r, 256);
	settings_free(&s);
	return 0;
}
