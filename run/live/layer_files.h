/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files that are made of the layer while the session goes on (layer_outputs.h):
 * begun and ended by who wants them. A launch does not end them: their time
 * and numbers go on.
 */
#ifndef RUN_LIVE_LAYER_FILES_H
#define RUN_LIVE_LAYER_FILES_H

#include <stdbool.h>
#include <stdint.h>

#include "base/text.h"
#include "trace/layer_output.h"

struct session;

struct layer_files {
	struct {
		char *path; /* NULL: nothing is written */
		int fd;
	} list[N_LAYER_OUTPUTS];
	struct text problems; /* lines: what could not be written so far */
};

/* Writes from now on; what was written until now ends, and said is told of it.
 * over: there may be something in the file. False: err says why not, and all is
 * as it was. */
bool session_layer_open(struct session *s, enum layer_output i,
    const char *path, bool over, struct text *said, struct text *err);
/* Ends it, and appends what came of it; false: nothing is written, or it could
 * not be. */
bool session_layer_close(
    struct session *s, enum layer_output i, struct text *said);
/* Ends what can't be written, and appends why; false: nothing of that. */
bool session_layer_trouble(struct session *s, struct text *why);
/* Bytes so far. */
uint64_t session_layer_bytes(const struct session *s, enum layer_output i);
/* Where it is written; NULL: nowhere. */
const char *session_layer_path(const struct session *s, enum layer_output i);

#endif
