/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Messages on a connection. None of these is a point of cancellation, as ioctl(2)
 * is none; errno is theirs. */
#ifndef DEVICE_PRELOAD_MESSAGE_H
#define DEVICE_PRELOAD_MESSAGE_H

#include <stdbool.h>

struct call;

/* Sends the request of c. False, with errno: EFAULT if its argument is not
 * memory of the program, else the device has gone. */
bool message_send(int fd, struct call *c);

/* Waits for the reply to c. A signal lets the device end the call, with -EINTR
 * or with what it has. False: the device has gone. */
bool message_await(int fd, struct call *c);

/* Says which process this is. False: the device refused, which is said, or has gone. */
bool message_greet(int fd);

/* Writes one line to standard error, the first time only. */
void message_complain(const char *text);

#endif
