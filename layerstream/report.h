/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Where those who record and play say what an application did wrong. */
#ifndef LAYERSTREAM_REPORT_H
#define LAYERSTREAM_REPORT_H

struct report {
	/* text is for the user, without a newline; gone afterwards. */
	void (*say)(struct report *r, const char *text);
};

/* r may be NULL. */
void report_say(struct report *r, const char *fmt, ...)
    __attribute__((format(printf, 2, 3), cold));

#endif
