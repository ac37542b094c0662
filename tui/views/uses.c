/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The looks of an engine's uses as a table, and the meter and legend made of
 * them. */
#include "tui/views/uses.h"

#include <string.h>

static const struct {
	const char *name;
	enum role role;
	wchar_t unicode, ascii;
} uses[N_USES] = {
    [USE_RUNNING] = {"run", ROLE_RUNNING, L'█', L'#'},
    [USE_SWITCHING] = {"switch", ROLE_SWITCHING, L'▓', L'%'},
    [USE_POLLING] = {"poll", ROLE_POLLING, L'▒', L'='},
    [USE_BLOCKED] = {"blocked", ROLE_BLOCKED, L'░', L':'},
};

const char *
use_name(enum engine_use use)
{
	return uses[use].name;
}

enum role
use_role(enum engine_use use)
{
	return uses[use].role;
}

wchar_t
use_glyph(enum engine_use use, bool unicode)
{
	return unicode ? uses[use].unicode : uses[use].ascii;
}

void
put_uses(struct area *a, int y, int x, int width, const float shares[N_USES])
{
	struct meter_part parts[N_USES];

	for (int use = 0; use < N_USES; use++)
		parts[use] = (struct meter_part){
		    .share = (double)shares[use],
		    .role = uses[use].role,
		    .glyph = use_glyph(
			(enum engine_use)use, a->screen->unicode),
		};
	put_meter(a, y, x, width, parts, N_USES);
}

int
put_uses_legend(struct area *a, int y, int x, int width)
{
	int at = 0;

	for (int use = 0; use < N_USES; use++) {
		int len = (int)strlen(uses[use].name);

		if (at + 2 + len > width)
			break;
		put_char(a, y, x + at, uses[use].role,
		    use_glyph((enum engine_use)use, a->screen->unicode));
		put(a, y, x + at + 2, len, ROLE_DIM, uses[use].name);
		at += 2 + len + (use + 1 < N_USES);
	}
	return at;
}
