/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The log of changes, done and undone. */
#ifndef PARSER_DOCUMENT_UNDO_H
#define PARSER_DOCUMENT_UNDO_H

#include "parser/document/document_private.h"

/* Its list; the changes are the arena's. */
void undo_free(struct undo_log *log);
/* Notes a change just done; what was undone can't be redone then. The change
 * belongs to the document's arena. */
void undo_note(struct undo_log *log, struct change *change);

#endif
