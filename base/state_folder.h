/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The user's folders for files that outlive a run, best first:
 * $XDG_STATE_HOME/gpuwl/ or ~/.local/state/gpuwl/, and /tmp/gpuwl-UID/ where
 * that cannot be used. A variable that is not an absolute path is ignored, as
 * the XDG rules have it. So is a folder that another user owns or can write to,
 * or that another user's link leads to: its owner could read or redirect files.
 */
#ifndef BASE_STATE_FOLDER_H
#define BASE_STATE_FOLDER_H

#include <stdbool.h>

#include "base/text.h"

enum state_place {
	STATE_OF_USER,
	STATE_IN_TMP,
	N_STATE_PLACES,
	/* $XDG_RUNTIME_DIR/gpuwl/, for sockets: gone when the user logs out. */
	RUNTIME_OF_USER = N_STATE_PLACES,
	/* /dev/shm/gpuwl-UID/: as fast, where no variable names a folder. */
	RUNTIME_IN_MEMORY,
};

/* Sets path to the folder, with a slash at the end. make: makes it, of mode 0700,
 * if it is missing. False: it cannot be used; path is then undefined. */
bool state_folder(enum state_place place, bool make, struct text *path);
/* True if STATE_OF_USER cannot be used; appends why. Makes nothing. */
bool state_folder_problem(struct text *why);

/* Sets path to $XDG_CONFIG_HOME/gpuwl/config, else to that below ~/.config; to
 * "" without a home. */
void config_default_path(struct text *path);

#endif
