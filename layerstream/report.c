/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layerstream/report.h"

#include <stdarg.h>

#include "base/text.h"

void
report_say(struct report *r, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	if (r == NULL || r->say == NULL)
		return;
	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	r->say(r, text_str(&t));
	text_free(&t);
}
