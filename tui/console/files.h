/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Documents and their files, as far as a person has a say in it: what writing,
 * leaving and finding things changed ask, and what comes of the answers.
 */
#ifndef TUI_CONSOLE_FILES_H
#define TUI_CONSOLE_FILES_H

#include "tui/console/ui.h"

/* Writes the shown descriptor to path ("": its own), then quits if wanted.
 * forced: over what is there. */
void files_write(
    struct ui *ui, const char *path, bool forced, bool quit, nsec wall);
/* All that have unsaved edits. */
void files_write_all(struct ui *ui, nsec wall);
/* The shown one again from its file. */
void files_reread(struct ui *ui, nsec wall);
/* The document of a source was edited by what is done here. */
void files_edited(struct ui *ui, size_t source);

/* Leaves, or asks if there are unsaved edits. */
void files_quit(struct ui *ui, enum ui_leave leave, nsec wall);

/* Says which file somebody else has changed; looks once a second. */
void files_watch(struct ui *ui, nsec wall);

/* recover.c: offers what was left of the sources from that one on, one after
 * another; what was kept for later is only told of. */
void files_offer_from(struct ui *ui, size_t source, nsec wall);
/* Goes on with that. */
void files_offer(struct ui *ui, nsec wall);
/* All that was left of the shown descriptor, kept for later or not. */
bool files_recover(struct ui *ui, nsec wall, struct text *err);

/* differ.c: a page of what the file and the document have not in common. */
struct page *files_difference(const struct source *s, struct text *err);
/* The same of the document and what was left of it. */
struct page *files_difference_left(
    const struct source *s, const struct recovered *left);

#endif
