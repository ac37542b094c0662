/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The person's inputrc, read here and given to readline line by line. readline
 * 8.2 would follow a file that includes itself until its stack ends, and wait
 * for ever in opening a FIFO; and it writes what is wrong over the screen.
 */
#ifndef TUI_INPUT_INPUTRC_H
#define TUI_INPUT_INPUTRC_H

#include <stdbool.h>

struct text;

#define INPUTRC_MAX_DEPTH 8
#define INPUTRC_MAX_FILES 32
#define INPUTRC_MAX_BYTES (1 << 20) /* of all files */
#define INPUTRC_MAX_LINE  4096      /* bytes */

/* readline as it is without an inputrc. */
void inputrc_initialize_without(void);

/*
 * Reads $INPUTRC, ~/.inputrc or /etc/inputrc, whichever comes first, once
 * readline is initialised: regular files only. Appends a line for each of the
 * first things that did not count: "FILE:LINE: why"; returns how many did not.
 */
unsigned inputrc_read(struct text *problems);

#endif
