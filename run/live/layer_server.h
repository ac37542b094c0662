/* SPDX-License-Identifier: GPL-3.0-or-later */
/* --layer-connect: what a session sends to Arm's host server, over launches. */
#ifndef RUN_LIVE_LAYER_SERVER_H
#define RUN_LIVE_LAYER_SERVER_H

#include <stdbool.h>

struct options;
struct session;
struct text;

/* After session_begin(), before anything runs; nothing without the option. May
 * take some seconds. False and a line: there is no such server. */
bool session_server_open(
    struct session *s, const struct options *o, struct text *err);
/* Sends what can be sent now. True: said has a line, for the person. */
bool session_server_work(struct session *s, struct text *said);
/* When that is of use: a descriptor, -1 for none, and what poll() waits for. */
int session_server_poll(const struct session *s, short *events);
/* Before session_end(), as host_stream_end(). */
bool session_server_close(struct session *s, int limit_ms,
    void (*waiting)(const char *line), struct text *err);

#endif
