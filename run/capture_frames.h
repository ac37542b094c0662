/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Frames of a capture: which requests have them, and how many there are in an
 * iteration of a descriptor (doc/model/infer.md "Frames").
 */
#ifndef RUN_CAPTURE_FRAMES_H
#define RUN_CAPTURE_FRAMES_H

#include <stdbool.h>
#include <stdint.h>

struct text;

/* The comment of a descriptor whose durations are estimates. */
#define CAPTURE_ESTIMATES "# media costs: estimates"

enum frame_marker_kind {
	FRAME_ON_VIDEO, /* decoded frames; coded ones where none is decoded */
	FRAME_ON_DECODE,
	FRAME_ON_ENCODE,
	FRAME_ON_ENGINE, /* each batch there */
	FRAME_ON_LABEL,  /* each batch whose contents have the text */
};

struct frame_marker {
	enum frame_marker_kind kind;
	uint8_t class;    /* of the engine */
	uint8_t instance; /* from 1; 0: any */
	const char *text; /* of --frame-on: it belongs to the caller */
};

/* Reads the value of --frame-on; NULL: none is given. False: err says what was
 * expected. */
bool frame_marker_read(
    struct frame_marker *m, const char *value, struct text *err);

#endif
