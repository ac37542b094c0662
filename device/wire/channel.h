/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Sending and receiving of messages, as the device's end needs it. */
#ifndef DEVICE_WIRE_CHANNEL_H
#define DEVICE_WIRE_CHANNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "device/wire/wire.h"

/*
 * Receives one request into rq and its argument, at most max bytes, into arg.
 * Returns 1; 0: the other end has closed; -1, with errno (EAGAIN on a socket
 * that does not block; EPROTO if the size of the message is not what it says).
 */
int wire_receive(int socket, struct wire_request *rq, void *arg, size_t max);

/* Sends a reply, rp->size bytes of data and the descriptor fd (-1: none), which
 * stays the caller's. False, with errno: the other end has gone, or does not
 * read. */
bool wire_answer(
    int socket, const struct wire_reply *rp, const void *data, int fd);

#endif
