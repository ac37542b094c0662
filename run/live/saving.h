/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saving: which documents have edits that are not in their files, and what
 * keeps those from being lost: writing, reading again, recovery files
 * (base/file.h), and which paths may be written at all.
 *
 * A document without a file (-w, standard input, an example) is saved only
 * after it was edited, and takes the first path that it is written to. The
 * caller gives edited documents to their clients (live.h). Times are wall time.
 */
#ifndef RUN_LIVE_SAVING_H
#define RUN_LIVE_SAVING_H

#include <stdbool.h>

#include "run/live/session.h"

struct file_uses;
struct session;
struct text;

/* A recovery file is written soon after an edit, when the screen shows the
 * edit, but not more often than EVERY, and it takes at most a SHARE-th of the
 * time: it is a copy of the whole document. */
#define SAVING_SOON_NS  (20 * NSEC_PER_MSEC)
#define SAVING_EVERY_NS (200 * NSEC_PER_MSEC)
#define SAVING_SHARE    20

size_t saving_n_unsaved(const struct plan *plan);
/* Appends the titles of unsaved documents, with ", " between them. */
void saving_add_unsaved(const struct plan *plan, struct text *out);

/* Writes the document to its file, which it must have. With SAVE_DONE err says
 * which attributes of the file were lost; with others nothing has changed. */
enum save_result saving_write(
    struct plan *plan, size_t source, bool force, struct text *err);
/*
 * Writes the document to path, which becomes its file if it had none; else the
 * file is a copy. SAVE_CONFLICT if the file exists, unless force is set or it
 * still is what was seen (all zero: nothing). Its own path is saving_write();
 * the path of another source is refused, and with force written as a copy. The
 * meaning of the document does not change.
 */
enum save_result saving_write_to(struct plan *plan, size_t source,
    const char *path, const struct file_stamp *seen, bool force,
    struct text *err);
/* Reads the file again as an edit of the document, which is saved then. False:
 * nothing has changed. */
bool saving_reread(struct plan *plan, size_t source, struct text *err);
/* Makes recovered contents the document's text, as an edit. */
void saving_recover(
    struct plan *plan, size_t source, const struct text *contents);

/*
 * Writes the recovery files that are due, or all of unsaved documents, and
 * removes those of saved ones. Returns when to call it again; NSEC_NEVER: after
 * the next edit. Reports in err, once per document, if one can't be written.
 */
nsec saving_keep(struct plan *plan, nsec wall, bool all, struct text *err);
/* Removes files that killed saves have left in the folders of sources from
 * first on, and where recovery files may be. */
void saving_remove_dead(const struct plan *plan, size_t first);
/* Removes all recovery files: everything was saved, or is not wanted. */
void saving_discard(struct plan *plan);

/* The first of the next few sources from *next on whose file another program
 * has changed since it was last looked at; n_sources: none. Advances *next,
 * which wraps. */
size_t saving_find_changed(struct plan *plan, size_t *next);

/* Adds all files that a session reads and writes. */
void session_add_uses(const struct session *s, struct file_uses *uses);
/* True if a descriptor may be written to path. own: path is its own file, so
 * that only outputs are in the way. Files of other descriptors are left to the
 * caller. False: err says why not. */
bool session_may_save(
    const struct session *s, const char *path, bool own, struct text *err);

#endif
