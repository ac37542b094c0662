/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A session on a real GPU (-D): its time is the wall clock's, and its run is the
 * record of what the GPU did (doc/model/hardware.md). While it is paused nothing
 * is submitted, and its time stops once nothing is in flight ("Pauses").
 */
#ifndef RUN_LIVE_GPU_H
#define RUN_LIVE_GPU_H

#include <poll.h>
#include <stdbool.h>

#include "base/nsec.h"

struct session;

/* True if the session runs on a GPU, not on the model. */
bool session_is_on_gpu(const struct session *s);

/* The program will not look at the GPU for a while: holds submissions, and waits
 * for batches in flight, 100 ms at most, so that none ends unseen.
 * session_device_skip() lets submissions go. */
void session_settle_gpu(struct session *s);

/* For the files of run/live/. */

/* Fills fds with what a loop is to poll while time moves. Returns their number.
 * *next: the wall time of the next event of the run; NSEC_NEVER: none. */
unsigned gpu_poll(const struct session *s, struct pollfd *fds, nsec *next);
/* Takes the news of the GPU, and runs the record up to now. */
void gpu_advance(struct session *s);
/* Holds submissions, or lets them go, as the session is paused. */
void gpu_follow(struct session *s);

#endif
