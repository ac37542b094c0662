/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Saving a file: compares it with what was read, fills a new one (save_new.c),
 * moves that to its place (save_place.c), and starts again when the file
 * changes meanwhile.
 */
#include "base/file.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file_private.h"

#define LOOK_EVERY_MS 10
#define LOCK_LOOKS    100 /* one second */
#define TRIES         4   /* for a file that changes while it is saved */

static enum attempt
refuse_locked(struct save *s, const struct stat *st)
{
	if (errno != EACCES)
		return save_fail(s);
	file_refused(s->err, s->name,
	    st->st_uid == geteuid()
		? "is read-only (chmod u+w makes it writable)"
		: "is read-only, and another user's");
	return TRY_FAILED;
}

/* Locks fd; waits while another save has the lock. False: it has not finished
 * for a second. */
static bool
save_lock(int fd)
{
	for (int i = 0; i < LOCK_LOOKS; i++) {
		if (!flock(fd, LOCK_EX | LOCK_NB) || errno != EWOULDBLOCK)
			return true; /* or the file system has no locks */
		poll(NULL, 0, LOOK_EVERY_MS);
	}
	return false;
}

/* Opens and locks the file that has the name now. fd is -1 if it is not
 * readable. */
static enum attempt
open_current(struct save *s)
{
	struct stat now;

	s->fd = open(s->target,
	    O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK | O_NOCTTY);
	if (s->fd < 0)
		return TRY_DONE;
	if (!save_lock(s->fd) && !s->force) {
		file_refused(s->err, s->name,
		    "is being saved by another process, which has not "
		    "finished for a second");
		return TRY_FAILED;
	}
	/* The process that had the lock has replaced it. */
	if (fstat(s->fd, &s->before) < 0 || lstat(s->target, &now) < 0 ||
	    !save_is_same_file(&s->before, &now))
		return TRY_AGAIN;
	return TRY_DONE;
}

/* Checks that the file may be replaced, and is what was read. */
static enum attempt
save_check(struct save *s)
{
	struct text why = {0};
	enum attempt end;
	struct stat st;

	s->exists = !lstat(s->target, &st);
	if (!s->exists)
		return !s->force && s->stamp->exists ? save_changed(s)
						     : TRY_DONE;
	s->before = st;
	if (!S_ISREG(st.st_mode)) {
		file_refused(s->err, s->name, "is not a regular file");
		return TRY_FAILED;
	}
	/* A read-only file is not replaced, though its folder is writable. */
	if (access(s->target, W_OK) < 0)
		return refuse_locked(s, &st);
	save_explain_in_place(s, &st, &why);
	if (why.len) {
		if (!s->force)
			file_refused(s->err, s->name, text_str(&why));
		text_free(&why);
		return s->force ? save_in_place(s) : TRY_BY_FORCE;
	}
	end = open_current(s);
	if (end != TRY_DONE || s->force)
		return end;
	if (!s->stamp->exists || s->fd < 0 ||
	    !file_has_contents(s->fd, s->stamp))
		return save_changed(s);
	return TRY_DONE;
}

static mode_t
default_mode(void)
{
	mode_t mask = umask(0);

	umask(mask);
	return 0666 & ~mask;
}

/* Makes, writes and syncs the new file. */
static enum attempt
save_fill(struct save *s)
{
	bool done;

	file_remove_dead(s->target);
	if (!temporary_open(&s->new, s->target))
		return save_fail_in_folder(s);
	text_clear(&s->lost);
	if (s->exists)
		done = attributes_keep(
		    s->new.fd, s->target, &s->before, &s->lost);
	else
		done = !fchmod(s->new.fd, default_mode());
	done = done &&
	    file_write_all(
		s->new.fd, text_str(s->contents), s->contents->len) &&
	    !fsync(s->new.fd) && !fstat(s->new.fd, &s->written);
	return done ? TRY_DONE : save_fail(s);
}

static enum attempt
save_attempt(struct save *s)
{
	enum attempt end = save_check(s);

	if (end != TRY_DONE || s->in_place)
		return end;
	save_pass(s, SAVE_CHECKED);
	end = save_fill(s);
	if (end != TRY_DONE)
		return end;
	save_pass(s, SAVE_FILLED);
	return save_place(s);
}

/* Removes the new file, and closes both, after an attempt. */
static void
save_release(struct save *s)
{
	temporary_remove(&s->new);
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

static void
save_report_lost(const struct save *s)
{
	if (s->lost.len && s->err)
		text_addf(s->err, "not kept: %s", text_str(&s->lost));
}

static bool
is_link(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0 && S_ISLNK(st.st_mode);
}

enum save_result
file_save_through(const struct save_seam *seam, const char *path,
    const struct text *contents, struct file_stamp *stamp, bool force,
    struct text *err)
{
	static const enum save_result results[] = {
	    [TRY_DONE] = SAVE_DONE,
	    [TRY_CONFLICT] = SAVE_CONFLICT,
	    [TRY_FAILED] = SAVE_FAILED,
	    [TRY_BY_FORCE] = SAVE_BY_FORCE,
	};
	char *target = file_final_path(path);
	struct save s = {
	    .seam = seam,
	    .name = target && is_link(path) ? target : path,
	    .target = target,
	    .contents = contents,
	    .stamp = stamp,
	    .force = force,
	    .fd = -1,
	    .new.fd = -1,
	    .err = err,
	};
	enum attempt end = TRY_AGAIN;

	if (!target)
		end = errno == ENOENT ? save_fail_in_folder(&s) : save_fail(&s);
	for (int i = 0; i < TRIES && end == TRY_AGAIN; i++) {
		save_release(&s);
		end = save_attempt(&s);
	}
	if (end == TRY_AGAIN)
		end = save_changed(&s);
	if (end == TRY_DONE) {
		/* The status before the rename: a change since then shows as
		 * a change by another program. */
		*stamp = file_stamp_of(&s.written, contents);
		folder_sync(s.target);
		save_report_lost(&s);
	}
	save_release(&s);
	text_free(&s.lost);
	free(target);
	return results[end];
}

enum save_result
file_save(const char *path, const struct text *contents,
    struct file_stamp *stamp, bool force, struct text *err)
{
	return file_save_through(NULL, path, contents, stamp, force, err);
}
