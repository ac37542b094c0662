/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Moves the new file to its place. RENAME_EXCHANGE also returns the file that
 * was there: if that is not what was read, it is put back. Where the file system
 * has no such rename (NFS), the file is compared just before it is replaced.
 *
 * A file that cannot be replaced is written in place, which is not atomic: its
 * new text is in a recovery file, on the disk, before.
 *
 * The messages of a save that fails are here too.
 */
#include "base/file_private.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define LOOK_EVERY_MS 10
#define WRITER_LOOKS  50 /* half a second */

static bool
is_plain(const struct save *s)
{
	return s->seam && s->seam->plain;
}

void
save_pass(const struct save *s, enum save_moment moment)
{
	if (s->seam && s->seam->at)
		s->seam->at(s->seam->arg, moment);
}

enum attempt
save_changed(const struct save *s)
{
	file_refused(s->err, s->name, "was changed by another program");
	return TRY_CONFLICT;
}

enum attempt
save_fail(const struct save *s)
{
	file_failed(s->err, "can't save", s->name);
	return TRY_FAILED;
}

/* Names the folder, in which saving makes a new file, as the reason. */
enum attempt
save_fail_in_folder(const struct save *s)
{
	bool denied = errno == EACCES || errno == EPERM;

	if (!denied && errno != ENOENT)
		return save_fail(s);
	if (s->err) {
		text_adds(s->err, "can't save ");
		text_add_visible(s->err, s->name, strlen(s->name));
		text_addf(s->err, ": its folder %s",
		    denied ? "is not writable" : "does not exist");
	}
	return TRY_FAILED;
}

bool
save_is_same_file(const struct stat *a, const struct stat *b)
{
	return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

static bool
is_untouched(const struct stat *a, const struct stat *b)
{
	return save_is_same_file(a, b) && a->st_size == b->st_size &&
	    a->st_ctim.tv_sec == b->st_ctim.tv_sec &&
	    a->st_ctim.tv_nsec == b->st_ctim.tv_nsec;
}

/* Waits until no other process has the file, whose name is ours, open for
 * writing. False: one still has, after half a second. True where the file system
 * cannot tell. */
static bool
is_left_alone(int fd)
{
	/* The signal that breaks a lease, SIGIO, would end the program. */
	fcntl(fd, F_SETSIG, SIGURG);
	for (int i = 0; i < WRITER_LOOKS; i++) {
		if (fcntl(fd, F_SETLEASE, F_RDLCK) == 0) {
			fcntl(fd, F_SETLEASE, F_UNLCK);
			return true;
		}
		if (errno != EAGAIN)
			return true;
		poll(NULL, 0, LOOK_EVERY_MS);
	}
	return false;
}

/* True if the file at path is the one that was read, with that text. */
static bool
is_what_was_read(const struct save *s, const char *path)
{
	struct stat st;

	return s->force ||
	    (!lstat(path, &st) && save_is_same_file(&st, &s->before) &&
		is_left_alone(s->fd) && file_has_contents(s->fd, s->stamp));
}

/* True if the file with the temporary name is the one that was written, and was
 * not written to since. */
static bool
is_ours_again(const struct save *s)
{
	struct stat st;

	return !lstat(s->new.path.data, &st) &&
	    save_is_same_file(&st, &s->written) &&
	    st.st_size == s->written.st_size &&
	    st.st_mtim.tv_sec == s->written.st_mtim.tv_sec &&
	    st.st_mtim.tv_nsec == s->written.st_mtim.tv_nsec;
}

/* Gives another program's file its name back. If one more program wrote there
 * meanwhile, its text stays under the temporary name, which no process removes. */
static enum attempt
save_put_back(struct save *s)
{
	bool done = !renameat2(
	    AT_FDCWD, s->new.path.data, AT_FDCWD, s->target, RENAME_EXCHANGE);

	save_changed(s);
	if (done && is_ours_again(s))
		return TRY_CONFLICT;
	if (s->err) {
		text_adds(s->err, " twice; one of the texts is in ");
		text_add_visible(s->err, s->new.path.data, s->new.path.len);
	}
	temporary_close(&s->new);
	return TRY_CONFLICT;
}

static enum attempt
replace_plainly(struct save *s)
{
	if (!is_what_was_read(s, s->target))
		return save_changed(s);
	return temporary_move_over(&s->new, s->target) ? TRY_DONE
						       : save_fail(s);
}

static enum attempt
save_exchange(struct save *s)
{
	if (renameat2(AT_FDCWD, s->new.path.data, AT_FDCWD, s->target,
		RENAME_EXCHANGE) < 0) {
		if (errno == EINVAL || errno == ENOSYS)
			return replace_plainly(s);
		return errno == ENOENT ? TRY_AGAIN : save_fail(s);
	}
	save_pass(s, SAVE_PLACED);
	if (!is_what_was_read(s, s->new.path.data))
		return save_put_back(s);
	unlink(s->new.path.data);
	text_clear(&s->new.path);
	return TRY_DONE;
}

enum attempt
save_place(struct save *s)
{
	struct stat now;

	if (!s->exists) {
		if (temporary_move_new(&s->new, s->target, is_plain(s)))
			return TRY_DONE;
		return errno == EEXIST ? TRY_AGAIN : save_fail_in_folder(s);
	}
	if (s->force)
		return temporary_move_over(&s->new, s->target) ? TRY_DONE
							       : save_fail(s);
	/* Its text or its attributes have changed: start again. */
	if (lstat(s->target, &now) < 0 || !is_untouched(&now, &s->before))
		return TRY_AGAIN;
	save_pass(s, SAVE_READY);
	if (is_plain(s))
		return replace_plainly(s);
	if (!temporary_announce(&s->new, s->stamp->hash))
		return save_fail_in_folder(s);
	return save_exchange(s);
}

/* True for another user's file in a sticky folder: it cannot be replaced. */
static bool
is_stuck(const struct save *s, const struct stat *st)
{
	struct text folder = {0};
	struct stat of_folder;
	bool stuck;

	text_add(&folder, s->target,
	    (size_t)(strrchr(s->target, '/') - s->target) + 1);
	stuck = !stat(folder.data, &of_folder) &&
	    (of_folder.st_mode & S_ISVTX) && geteuid() != 0 &&
	    st->st_uid != geteuid() && of_folder.st_uid != geteuid();
	text_free(&folder);
	return stuck;
}

void
save_explain_in_place(
    const struct save *s, const struct stat *st, struct text *why)
{
	if (st->st_nlink > 1)
		text_addf(why,
		    "has %lu names (hard links), and the others would keep "
		    "the old text",
		    (unsigned long)st->st_nlink);
	else if (is_stuck(s, st))
		text_adds(why,
		    "is another user's, and its folder is sticky: only "
		    "its owner can replace it");
}

/* Allocates len bytes, so that a full disk fails before the text is overwritten.
 * False, with errno. */
static bool
make_room(int fd, off_t len)
{
	struct stat st;
	int number;

	if (fstat(fd, &st) < 0)
		return false;
	if (st.st_size >= len || !fallocate(fd, 0, 0, len) ||
	    errno == EOPNOTSUPP || errno == ENOSYS)
		return true;
	number = errno;
	if (ftruncate(fd, st.st_size) == 0)
		errno = number;
	return false;
}

static bool
write_over(struct save *s)
{
	int fd = open(
	    s->target, O_WRONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
	off_t len = (off_t)s->contents->len;
	bool done;
	int number;

	if (fd < 0)
		return false;
	done = make_room(fd, len) &&
	    file_write_all(fd, text_str(s->contents), s->contents->len) &&
	    !ftruncate(fd, len) && !fsync(fd) && !fstat(fd, &s->written);
	number = errno;
	close(fd);
	errno = number;
	return done;
}

enum attempt
save_in_place(struct save *s)
{
	struct text kept = {0}, why = {0};
	enum attempt end = TRY_FAILED;

	if (!recovery_write_synced(s->target, s->contents, &kept, &why)) {
		file_refused(s->err, s->name,
		    "is not saved: it can only be written in place, and no "
		    "recovery file can be made");
		if (s->err)
			text_addf(s->err, ": %s", text_str(&why));
	} else if (write_over(s)) {
		recovery_remove(s->target, 0);
		s->in_place = true;
		end = TRY_DONE;
	} else {
		save_fail(s);
		if (s->err) {
			text_adds(s->err, "; the text is in ");
			text_add_visible(s->err, text_str(&kept), kept.len);
		}
	}
	text_free(&kept);
	text_free(&why);
	return end;
}
