/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Standard output is a file that can fail, like any other. */
#ifndef TUI_OUTPUT_H
#define TUI_OUTPUT_H

enum { STATUS_FAILED = 3 }; /* hang, deadlock, or results not written */

/* Flushes standard output. Returns status, or STATUS_FAILED and a line on
 * standard error if not all could be written. */
int output_close(int status);

#endif
