/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Gathers bytes and writes them: over the tail of a file that can seek, as far
 * as it takes them to a pipe.
 */
#include "trace/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/file.h"

#define ENOUGH ((size_t)1 << 16) /* pending bytes that are written */
/* A kill can cut a write only between two pages. */
#define PAGE    4096
#define WAITING ((size_t)4 << 20) /* most bytes that wait for a reader */
#define LAST_MS 1000              /* the reader's time, when it is closed */

/* True for a regular file that can be written over. */
static bool
can_seek(int fd)
{
	struct stat st;
	int flags = fcntl(fd, F_GETFL);

	return fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && flags >= 0 &&
	    !(flags & O_APPEND);
}

void
sink_init(struct sink *s, int fd, const char *tail)
{
	*s = (struct sink){.fd = fd, .tail = tail};
	s->seeks = tail != NULL && can_seek(fd);
	if (s->seeks)
		s->end = lseek(fd, 0, SEEK_CUR);
}

/* Returns 0 or an errno. */
static int
write_whole(int fd, const char *bytes, size_t len)
{
	return file_write_all(fd, bytes, len) ? 0 : errno;
}

/* Writes what is pending; the rest stays pending. */
static void
write_pending(struct sink *s)
{
	struct text *p = &s->pending;
	size_t done = file_write_some(s->fd, p->data, p->len);

	if (done < p->len && errno != EAGAIN)
		s->error = errno;
	else if (p->len - done > WAITING)
		s->error = ENOBUFS;
	memmove(p->data, p->data + done, p->len - done + 1);
	p->len -= done;
}

static void
wait_for_pipe_reader(struct sink *s)
{
	struct pollfd fd = {.fd = s->fd, .events = POLLOUT};

	while (s->error == 0 && s->pending.len > 0) {
		if (poll(&fd, 1, LAST_MS) <= 0)
			s->error = ENOBUFS;
		else
			write_pending(s);
	}
}

/* Restores the file after a write that failed, so that it is complete. */
static void
restore_tail(struct sink *s)
{
	if (ftruncate(s->fd, s->end) == 0 &&
	    lseek(s->fd, s->end, SEEK_SET) == s->end)
		write_whole(s->fd, s->tail, strlen(s->tail));
}

/* Writes what is pending and a new tail in one write, over the old tail. */
static void
flush_over_tail(struct sink *s)
{
	size_t len = s->pending.len;

	if (lseek(s->fd, s->end, SEEK_SET) != s->end) {
		s->error = errno;
		return;
	}
	text_adds(&s->pending, s->tail);
	s->error = write_whole(s->fd, s->pending.data, s->pending.len);
	if (s->error == 0)
		s->end += (off_t)len;
	else
		restore_tail(s);
}

void
sink_flush(struct sink *s)
{
	if (s->error == 0 && s->pending.len > 0 && !s->seeks) {
		write_pending(s);
		if (s->error == 0)
			return;
	} else if (s->error == 0 && s->pending.len > 0) {
		flush_over_tail(s);
	}
	text_clear(&s->pending);
}

/* True if len bytes more would be on a third page. */
static bool
too_many_pages(const struct sink *s, size_t len)
{
	size_t begin = (size_t)(s->end % PAGE);

	return s->seeks &&
	    begin + s->pending.len + len + strlen(s->tail) > 2 * PAGE;
}

/* Adds blanks, so that the next len bytes are on one page. */
static void
pad_to_page(struct sink *s, size_t len)
{
	size_t at = ((size_t)s->end + s->pending.len) % PAGE;

	if (!s->seeks || at + len <= PAGE || len > PAGE)
		return;
	s->total += PAGE - at;
	for (; at < PAGE; at++)
		text_addc(&s->pending, ' ');
}

void
sink_add(struct sink *s, const void *bytes, size_t len)
{
	if (too_many_pages(s, len))
		sink_flush(s);
	pad_to_page(s, len);
	s->total += len;
	text_add(&s->pending, bytes, len);
	if (s->pending.len >= ENOUGH)
		sink_flush(s);
}

void
sink_put(struct sink *s, const void *bytes, size_t len)
{
	size_t done = 0;

	sink_flush(s);
	if (s->error == 0 && s->pending.len == 0 && !s->seeks) {
		s->total += len;
		done = file_write_some(s->fd, bytes, len);
		if (done == len)
			return;
		if (errno != EAGAIN) {
			s->error = errno;
			return;
		}
		s->total -= len - done;
	}
	sink_add(s, (const char *)bytes + done, len - done);
	sink_flush(s);
}

int
sink_close(struct sink *s)
{
	if (s->tail != NULL && !s->seeks)
		text_adds(&s->pending, s->tail);
	sink_flush(s);
	wait_for_pipe_reader(s);
	text_free(&s->pending);
	return s->error;
}
