/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A file that can't be replaced is written over: not atomic, so that its new
 * text is in a recovery file, on the disk, before. */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/file.h"
#include "base/save_private.h"

/* A file of another user in a sticky folder can't be replaced. */
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

/* A full disk is noticed before anything is written. */
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
		    "is not written: it can only be written in place, and "
		    "there can be no recovery file");
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
