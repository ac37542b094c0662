/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Writes the words of a GPU. There are many, so that they are text at once, not
 * JSON objects first.
 */
#include "run/recorder_words.h"

#include <inttypes.h>

#include "base/util.h"
#include "engine/follow/follow_past.h"
#include "engine/sim.h"

#define MOST_BYTES 65536

const char *const word_names[] = {
    [FOLLOW_TOOK] = "took",
    [FOLLOW_REFUSED] = "refused",
    [FOLLOW_STARTED] = "started",
    [FOLLOW_RAN] = "ran",
    [FOLLOW_WORKED] = "worked",
    [FOLLOW_ENDED] = "ended",
    [FOLLOW_HUNG] = "hung",
    [FOLLOW_BANNED] = "banned",
    [FOLLOW_HELD] = "held",
    [FOLLOW_LET_GO] = "let go",
    [N_FOLLOW_WORDS] = NULL,
};

void
word_lines_flush(struct word_lines *w)
{
	if (w->line.len == 0)
		return;
	text_adds(&w->line, "]}\n");
	w->write(w->data, &w->line);
	text_clear(&w->line);
}

/* News belong to their instant; answers come within the ones after it. */
static bool
fits_line(const struct word_lines *w, const struct follow_word *word)
{
	return w->line.len < MOST_BYTES &&
	    (follow_word_is_answer(word) ||
		(!w->answered && w->at == w->sim->now &&
		    w->instant == w->sim->n_instants));
}

static void
begin_words(struct word_lines *w)
{
	w->at = w->sim->now;
	w->instant = w->sim->n_instants;
	w->answered = false;
	text_addf(&w->line,
	    "{\"at_ns\":%" PRIu64 ",\"instant\":%" PRIu64 ",\"i915\":[", w->at,
	    w->instant);
}

/* Appends the operands of a word. */
static void
add_operands(struct text *line, const struct follow_word *word)
{
	switch (word->kind) {
	case FOLLOW_TOOK:
	case FOLLOW_WORKED:
		text_addf(
		    line, ",%" PRIu64 ",%" PRIu64, word->request, word->time);
		break;
	case FOLLOW_REFUSED:
		text_addf(line, ",%" PRIu64 ",%d", word->request, word->error);
		break;
	case FOLLOW_STARTED:
	case FOLLOW_RAN:
		text_addf(line, ",%" PRIu64 ",%d,%" PRIu64, word->request,
		    word->engine, word->time);
		break;
	case FOLLOW_ENDED:
		text_addf(line, ",%" PRIu64 ",%" PRIu64 ",%d", word->request,
		    word->time, word->error);
		break;
	case FOLLOW_HUNG:
		text_addf(line, ",%" PRIu64 ",%" PRIu64 ",%d,%d", word->request,
		    word->time, word->error, (int)word->cause);
		break;
	case FOLLOW_BANNED:
		text_addf(
		    line, ",%" PRIu32 ",%" PRIu32, word->client, word->context);
		break;
	case FOLLOW_HELD:
	case FOLLOW_LET_GO:
	case N_FOLLOW_WORDS: break;
	}
}

static void
on_word(struct follow_listener *listener, const struct follow_word *word)
{
	struct word_lines *w = container_of(
	    listener, struct word_lines, listener);

	if (w->line.len > 0 && !fits_line(w, word))
		word_lines_flush(w);
	if (w->line.len == 0)
		begin_words(w);
	else
		text_addc(&w->line, ',');
	text_addf(&w->line, "[\"%s\"", word_names[word->kind]);
	add_operands(&w->line, word);
	text_addc(&w->line, ']');
	w->answered = w->answered || follow_word_is_answer(word);
}

void
word_lines_listen(struct word_lines *w, struct sim *sim)
{
	w->listener.heard = on_word;
	w->sim = sim;
	if (sim->config.sched == &sched_follow)
		follow_listen(sim, &w->listener);
}
