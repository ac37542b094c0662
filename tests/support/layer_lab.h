/* SPDX-License-Identifier: GPL-3.0-or-later */
/* A layer for tests: one device, two queues, all messages kept. */
#ifndef TESTS_SUPPORT_LAYER_LAB_H
#define TESTS_SUPPORT_LAYER_LAB_H

#include "base/text.h"
#include "layerstream/message.h"
#include "layerstream/play.h"

struct layer_lab {
	struct tag_counter tags;
	struct message_buffer out;
	struct player player;
	struct play_queue queue[2]; /* 16 and 17 of device 4096 */
	struct debug_report report;
	struct text said;   /* reports, a line each */
	struct text merged; /* records, a line each */
	uint64_t now;       /* of the next submit; goes up by 100 */
};

void layer_lab_init(struct layer_lab *lab);
void layer_lab_free(struct layer_lab *lab);
/* Submits to a queue; asynchronous commands complete at once. */
void layer_lab_submit(
    struct layer_lab *lab, unsigned queue, struct command_buffer *cb);
/* Begins cb and records the annotations, lines of text; ends it. */
void layer_lab_record(struct layer_lab *lab, struct command_buffer *cb,
    const char *lines, enum record_default otherwise);
/* Prints all messages so far as --layer-dump does, and forgets them. */
void layer_lab_dump(struct layer_lab *lab, struct text *t);
/* The same through the merger: a line "s1 t1 {...}" each, with a '!' in front
 * if it is not complete. Keeps them. */
void layer_lab_merge(struct layer_lab *lab);

#endif
