/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Writes pages of the console. */
#ifndef TUI_CONSOLE_REPORT_H
#define TUI_CONSOLE_REPORT_H

#include <stdbool.h>

struct session;
struct text;

/* Writes a page to a file that is not in use; one that has something is replaced
 * only if over. False: err says why not. */
bool report_write(const struct session *s, const char *path, bool over,
    const struct text *html, struct text *err);

#endif
