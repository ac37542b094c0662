/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Private to recorder*.c: lines of a recording that have the words of a GPU
 * (engine/follow/follow.h), of one look at it each:
 *
 *   {"at_ns":T,"instant":N,"i915":[["started",12,0,34567],...]}
 */
#ifndef RUN_RECORDER_WORDS_H
#define RUN_RECORDER_WORDS_H

#include "base/text.h"
#include "engine/follow/follow.h"

struct sim;

struct word_lines {
	struct follow_listener listener;
	struct sim *sim;
	/* Writes a line, with its newline. */
	void (*write)(void *data, const struct text *line);
	void *data;
	struct text line; /* that is not whole yet; empty: none */
	bool answered;    /* it has an answer: news begin another one */
	nsec at;
	uint64_t instant;
};

/* Writes the words of a simulation that follows a GPU from now on; of others
 * there are none. */
void word_lines_listen(struct word_lines *w, struct sim *sim);
/* Writes the line that was begun, if there is one. */
void word_lines_flush(struct word_lines *w);

/* Names of words in recordings; NULL after the last. */
extern const char *const word_names[N_FOLLOW_WORDS + 1];

#endif
