/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Outputs (trace/outputs.h) of a session. Files are begun and ended by the user
 * at any time; the server is connected to at the start. Both outlive launches.
 */
#ifndef RUN_LIVE_OUTPUTS_H
#define RUN_LIVE_OUTPUTS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "trace/outputs.h"

struct file_uses;
struct session;

/* Opens a file for an output and empties nothing. -1 with one line in err: it
 * cannot be opened, or is a terminal. */
int session_output_file(const struct file_uses *uses, enum output_kind kind,
    const char *path, struct text *err);
/* Writes to fd, which session_output_file() returned and belongs to the session
 * now, from now on. No output of that kind is open. False with one line in
 * err. */
bool session_output_begin(struct session *s, enum output_kind kind,
    const char *path, int fd, struct text *err);
/* Writes to a file from now on. An earlier file of that kind is closed; said
 * gets its line. over: the file may have contents, which are lost. False with
 * one line in err; nothing has changed then. */
bool session_output_open(struct session *s, enum output_kind kind,
    const char *path, bool over, struct text *said, struct text *err);
/* Closes a file and appends its size, or what went wrong, to said. False if
 * it was not open or a write failed. */
bool session_output_close(
    struct session *s, enum output_kind kind, struct text *said);
/* Closes the files of which a write failed and appends why. False: none did. */
bool session_outputs_check(struct session *s, struct text *why);
uint64_t session_output_bytes(const struct session *s, enum output_kind kind);
/* The file's path; NULL: it is not open. */
const char *session_output_path(const struct session *s, enum output_kind kind);

/* Takes a server that server->open[OUTPUT_SERVER] is connected to, if it is. To
 * be called after session_begin(), before anything runs. */
void session_server_take(struct session *s, struct outputs *server);
/* As outputs_work(), outputs_poll(). */
bool session_server_work(struct session *s, struct text *news);
int session_server_poll(const struct session *s, short *events);
/* As outputs_finish(), before session_end(). */
bool session_server_close(struct session *s, int limit_ms,
    void (*waiting)(const char *line), struct text *err);

#endif
