/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What is under the cursor, merged: of a message all that the others say of its
 * workload; of a request (Fences, Timeline) its workloads; or else what engines
 * do now. A part of the layer view.
 */
#ifndef TUI_VIEWS_LAYER_BOX_H
#define TUI_VIEWS_LAYER_BOX_H

#include "trace/message_log.h"
#include "tui/views/view.h"

/* With a title. message: where the one under the cursor is in the log;
 * UINT64_MAX: there is none. */
void layer_box_draw(
    const struct view_env *env, struct area *a, uint64_t message);
/* Appends what the messages of the log say of the workload of that one, merged:
 * its submitID and tag, and JSON. False: it is not about a workload. */
bool layer_box_merge(
    const struct message_log *log, uint64_t message, struct text *out);

#endif
