/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The folders of this user's own for what outlives a run, best first:
 * $XDG_STATE_HOME/gpuwl/ or ~/.local/state/gpuwl/, and gpuwl-UID/ in /tmp for
 * where there is none. As the XDG rules have it, what is no absolute path does
 * not count. A folder of somebody else, or one that a link of somebody else
 * leads to, is none: who can write there reads along, and puts links in the
 * way.
 */
#ifndef BASE_STATE_FOLDER_H
#define BASE_STATE_FOLDER_H

#include <stdbool.h>

#include "base/text.h"

enum state_place { STATE_OF_USER, STATE_IN_TMP, N_STATE_PLACES };

/* Its path, with a slash at the end, replaces that in path. Made, for us
 * alone, if wanted and missing. False: there is no such folder to be used. */
bool state_folder(enum state_place place, bool make, struct text *path);
/* Appends why STATE_OF_USER will not do; false: nothing speaks against it.
 * Makes nothing. */
bool state_folder_problem(struct text *why);

/* $XDG_CONFIG_HOME/gpuwl/config, or below ~/.config, replaces path; "" without
 * a home. */
void config_default_path(struct text *path);

#endif
