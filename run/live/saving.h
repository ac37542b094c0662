/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saving: which documents have edits that are not in their files, and what keeps
 * those from being lost: writing, reading again, recovery files (base/file.h),
 * and which paths may be written at all.
 *
 * A document without a file (-w, standard input, an example) is saved only after
 * it was edited, and takes the first path that it is written to. The caller
 * gives edited documents to their clients (live.h). Times are wall time.
 */
#ifndef RUN_LIVE_SAVING_H
#define RUN_LIVE_SAVING_H

#include <stdbool.h>

#include "run/live/session.h"

struct file_uses;
struct session;
struct text;

/* A recovery file is written so soon after an edit, when the screen shows that;
 * but not more often than this, and where that takes long not so often: it is
 * a copy of all. */
#define SAVING_SOON_NS  (20 * NSEC_PER_MSEC)
#define SAVING_EVERY_NS (200 * NSEC_PER_MSEC)
#define SAVING_SHARE    20 /* of the time, one part */

/* The path, NULL if it has none yet. */
const char *source_path(const struct source *s);
/* The one that its recovery files are found by, whatever becomes of folders
 * and links while it is open; NULL if it has none yet. */
const char *source_recovery_path(const struct source *s);
/* What to call it: the file without its folders; "-w" of two is "-w (2)". */
void source_add_title(const struct plan *plan, size_t source, struct text *out);
bool source_is_unsaved(const struct source *s);
size_t saving_n_unsaved(const struct plan *plan);
/* All of these, ", " between them. */
void saving_add_unsaved(const struct plan *plan, struct text *out);

/* Writes the document to its file, which it must have. With SAVE_DONE err says
 * what of the file was not kept. */
enum save_result saving_write(
    struct plan *plan, size_t source, bool force, struct text *err);
/*
 * To another file: SAVE_CONFLICT if that is there, unless force, or unless it is
 * what was seen (all zero: nothing). A document
 * without a file has that one then; for others it is a copy. Its own path is
 * as good as none; that of another descriptor is refused,
 * and with force a copy. What it means stays the same: clients need not be told.
 */
enum save_result saving_write_to(struct plan *plan, size_t source,
    const char *path, const struct file_stamp *seen, bool force,
    struct text *err);
/* The file's text becomes the document's, as an edit, and what is saved. */
bool saving_reread(struct plan *plan, size_t source, struct text *err);
/* What somebody else has left becomes the document's text, as an edit. */
void saving_recover(
    struct plan *plan, size_t source, const struct text *contents);

/*
 * Recovery files follow the documents: writes what is due, or all. Returns
 * when to be called again, NSEC_NEVER if nothing is to be written. What can't
 * be written is added to err, once for each document.
 */
nsec saving_keep(struct plan *plan, nsec wall, bool all, struct text *err);
/* Removes what killed saves have left where the sources from first on are, and
 * where recovery files may be. */
void saving_remove_dead(const struct plan *plan, size_t first);
/* Nothing is to be recovered: all was saved, or is not wanted. */
void saving_discard(struct plan *plan);

/* A source from *next on whose file somebody else has changed since it was
 * looked at last; n_sources: none among the few that were looked at. *next
 * goes round. */
size_t saving_find_changed(struct plan *plan, size_t *next);

/* Adds all. */
void session_add_uses(const struct session *s, struct file_uses *uses);
/* May a descriptor be written to path? own: it is the descriptor's own file,
 * which only what is being written may not be. Other descriptors' files are the
 * caller's matter. False: err says why not. */
bool session_may_save(
    const struct session *s, const char *path, bool own, struct text *err);

#endif
