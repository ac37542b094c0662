/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Operations of dma-bufs that differ from those of the memory behind them. */
#ifndef DEVICE_PRELOAD_DMA_BUF_H
#define DEVICE_PRELOAD_DMA_BUF_H

#include <poll.h>
#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

/* The program has exported or imported an object: before, nothing below looks
 * at a descriptor. */
void dma_buf_seen(void);

/* True if fd is a dma-buf and a mapping of len bytes at offset ends beyond it. */
bool dma_buf_ends_before(int fd, size_t len, off_t offset);

/* Descriptors of a poll(2), with fences in place of dma-bufs. */
struct dma_buf_poll {
	struct pollfd *asked, fds[64];
	nfds_t n;
	bool fenced;
};

/* Puts the descriptors of a poll into p. Returns those to be polled. */
struct pollfd *dma_buf_poll(
    struct dma_buf_poll *p, struct pollfd *fds, nfds_t n);
/* Passes the events back, after the poll. */
void dma_buf_polled(struct dma_buf_poll *p);

#endif
