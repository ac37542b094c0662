/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Numbers, lists and quoted pieces of a line. */
#include "parser/scan.h"

#include <string.h>

#include "base/text.h"

#define QUOTED_BYTES 40

struct quoted
quote(struct field f)
{
	struct quoted q;
	struct text t = {0};
	size_t len = f.len < QUOTED_BYTES ? f.len : QUOTED_BYTES;

	/* Not through the middle of a character. */
	while (len < f.len && len && (f.s[len] & 0xc0) == 0x80)
		len--;
	text_add_visible(&t, f.s, len);
	if (len < f.len)
		text_adds(&t, "...");
	memcpy(q.s, text_str(&t), t.len + 1);
	text_free(&t);
	return q;
}
