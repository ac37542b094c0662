/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/export/sink.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ENOUGH ((size_t)1 << 16)
/* A write can be cut short by a kill only where it goes on to another page. */
#define PAGE 4096

/* Whether what was written can be written over. */
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

/* 0, or errno. */
static int
write_all(int fd, const char *bytes, size_t len)
{
	while (len > 0) {
		ssize_t n = write(fd, bytes, len);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return errno;
		bytes += n;
		len -= (size_t)n;
	}
	return 0;
}

/* After an error: as it was before, so that it is whole at least. */
static void
take_back(struct sink *s)
{
	if (ftruncate(s->fd, s->end) == 0 &&
	    lseek(s->fd, s->end, SEEK_SET) == s->end)
		write_all(s->fd, s->tail, strlen(s->tail));
}

/* In one write with its new tail, from where the old one begins. */
static void
flush_over_tail(struct sink *s)
{
	size_t len = s->pending.len;

	if (lseek(s->fd, s->end, SEEK_SET) != s->end) {
		s->error = errno;
		return;
	}
	text_adds(&s->pending, s->tail);
	s->error = write_all(s->fd, s->pending.data, s->pending.len);
	if (s->error == 0)
		s->end += (off_t)len;
	else
		take_back(s);
}

void
sink_flush(struct sink *s)
{
	if (s->error == 0 && s->pending.len > 0) {
		if (s->seeks)
			flush_over_tail(s);
		else
			s->error = write_all(
			    s->fd, s->pending.data, s->pending.len);
	}
	text_clear(&s->pending);
}

/* With len more it would take more pages than the one that it begins in and
 * the next. */
static bool
too_many_pages(const struct sink *s, size_t len)
{
	size_t begin = (size_t)(s->end % PAGE);

	return s->seeks &&
	    begin + s->pending.len + len + strlen(s->tail) > 2 * PAGE;
}

void
sink_add(struct sink *s, const void *bytes, size_t len)
{
	if (too_many_pages(s, len))
		sink_flush(s);
	text_add(&s->pending, bytes, len);
	if (s->pending.len >= ENOUGH)
		sink_flush(s);
}

int
sink_close(struct sink *s)
{
	if (s->tail != NULL && !s->seeks)
		text_adds(&s->pending, s->tail);
	sink_flush(s);
	text_free(&s->pending);
	return s->error;
}
