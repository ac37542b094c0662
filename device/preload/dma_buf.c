/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * dma-bufs (doc/model/i915.md "PRIME"): the descriptor is the object's memory, a
 * memfd. A memfd differs in some calls, which are here: poll(2) waits for the GPU by
 * a fence that the device makes, mappings end with the object, and lseek(2)
 * knows the two ends.
 */
#define _GNU_SOURCE 1
#include "device/preload/dma_buf.h"

#include <errno.h>
#include <linux/dma-buf.h>
#include <stdatomic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "device/preload/files.h"
#include "device/preload/paths.h"
#include "device/preload/real.h"

#define N_FDS (sizeof((struct dma_buf_poll *)0)->fds / sizeof(struct pollfd))

static _Atomic bool is_seen;

void
dma_buf_seen(void)
{
	is_seen = true;
}

/* Object memory has a name. */
static bool
is_dma_buf(int fd)
{
	static const char name[] = "/memfd:i915 ";
	char link[PATH_MAX];
	int e = errno;
	bool is = is_seen && fd >= 0 && path_of_descriptor(fd, link) &&
	    strncmp(link, name, sizeof name - 1) == 0;

	errno = e;
	return is;
}

bool
dma_buf_ends_before(int fd, size_t len, off_t offset)
{
	struct stat st;
	int e = errno;
	bool beyond = is_seen && fd >= 0 && real()->fstat(fd, &st) == 0 &&
	    (offset > st.st_size || len > (size_t)(st.st_size - offset));

	errno = e;
	return beyond && is_dma_buf(fd);
}

/* poll(2). */

/* Returns a sync_file of what the events wait for: writers for POLLIN, all for
 * POLLOUT. -1: nothing to wait for. */
static int
fence_of(const struct pollfd *p)
{
	struct dma_buf_export_sync_file arg = {
	    .flags = (p->events & POLLIN) != 0 ? DMA_BUF_SYNC_READ
					       : DMA_BUF_SYNC_WRITE};
	int e = errno,
	    result = ioctl(p->fd, DMA_BUF_IOCTL_EXPORT_SYNC_FILE, &arg);

	errno = e;
	return result == 0 ? arg.fd : -1;
}

struct pollfd *
dma_buf_poll(struct dma_buf_poll *p, struct pollfd *fds, nfds_t n)
{
	p->asked = fds;
	p->n = n;
	p->fenced = false;
	if (!is_seen || n > N_FDS)
		return fds;
	for (nfds_t i = 0; i < n; i++) {
		int fence = -1;

		p->fds[i] = fds[i];
		if ((fds[i].events & (POLLIN | POLLOUT)) != 0 &&
		    is_dma_buf(fds[i].fd))
			fence = fence_of(&fds[i]);
		if (fence < 0)
			continue;
		p->fds[i] = (struct pollfd){.fd = fence, .events = POLLIN};
		p->fenced = true;
	}
	return p->fenced ? p->fds : fds;
}

void
dma_buf_polled(struct dma_buf_poll *p)
{
	int e = errno;

	if (!p->fenced)
		return;
	for (nfds_t i = 0; i < p->n; i++) {
		struct pollfd *to = &p->asked[i];
		short ready = p->fds[i].revents;

		if (p->fds[i].fd == to->fd) {
			to->revents = ready;
			continue;
		}
		to->revents = 0;
		if (ready != 0)
			to->revents = to->events & POLLIN ? POLLIN : POLLOUT;
		real_close(p->fds[i].fd);
	}
	errno = e;
}

/* lseek(2): its size, and back; the text of a live file is that of now then. */
off_t
lseek(int fd, off_t offset, int whence)
{
	bool end = offset == 0 && (whence == SEEK_SET || whence == SEEK_END);

	if (!end && is_dma_buf(fd)) {
		errno = EINVAL;
		return -1;
	}
	if (whence == SEEK_SET && offset == 0)
		files_renew(fd);
	return real()->lseek(fd, offset, whence);
}

off64_t lseek64(int fd, off64_t offset, int whence)
    __attribute__((alias("lseek")));
