/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Reads the words of a GPU from a recording. Each is an array: its name, then
 * integers, by a table.
 */
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "engine/follow/follow_past.h"
#include "run/plan.h"
#include "run/recorder_words.h"
#include "run/replay_read.h"

#define MOST_OPERANDS 4
#define MOST_ERROR    4095 /* as the kernel's */

/* An operand of a word: null where it has no more. */
enum operand_kind {
	OPERAND_NONE,
	OPERAND_REQUEST,
	OPERAND_TIME,
	OPERAND_ENGINE,
	OPERAND_SAME_ENGINE, /* or -1: that where it was */
	OPERAND_ERROR,
	OPERAND_CAUSE,
	OPERAND_CLIENT,
	OPERAND_CONTEXT,
	N_OPERANDS,
};

static const enum operand_kind operands[N_FOLLOW_WORDS][MOST_OPERANDS] = {
    [FOLLOW_TOOK] = {OPERAND_REQUEST, OPERAND_TIME},
    [FOLLOW_REFUSED] = {OPERAND_REQUEST, OPERAND_ERROR},
    [FOLLOW_STARTED] = {OPERAND_REQUEST, OPERAND_ENGINE, OPERAND_TIME},
    [FOLLOW_RAN] = {OPERAND_REQUEST, OPERAND_SAME_ENGINE, OPERAND_TIME},
    [FOLLOW_WORKED] = {OPERAND_REQUEST, OPERAND_TIME},
    [FOLLOW_ENDED] = {OPERAND_REQUEST, OPERAND_TIME, OPERAND_ERROR},
    [FOLLOW_HUNG] = {OPERAND_REQUEST, OPERAND_TIME, OPERAND_ERROR,
	OPERAND_CAUSE},
    [FOLLOW_BANNED] = {OPERAND_CLIENT, OPERAND_CONTEXT},
};

static const struct operand_range {
	const char *name;
	int64_t min, max;
} ranges[N_OPERANDS] = {
    [OPERAND_REQUEST] = {"request", 1, INT64_MAX},
    [OPERAND_TIME] = {"time", 0, INT64_MAX},
    [OPERAND_ENGINE] = {"engine", 0, DEVICE_MAX_ENGINES - 1},
    [OPERAND_SAME_ENGINE] = {"engine", -1, DEVICE_MAX_ENGINES - 1},
    [OPERAND_ERROR] = {"error", -MOST_ERROR, 0},
    [OPERAND_CAUSE] = {"cause", 0, N_HANG_CAUSES - 1},
    [OPERAND_CLIENT] = {"client", 0, UINT32_MAX},
    [OPERAND_CONTEXT] = {"context", 0, UINT32_MAX},
};

static void
set_operand(struct follow_word *w, enum operand_kind kind, int64_t value)
{
	switch (kind) {
	case OPERAND_REQUEST: w->request = (uint64_t)value; break;
	case OPERAND_TIME: w->time = (nsec)value; break;
	case OPERAND_ENGINE:
	case OPERAND_SAME_ENGINE: w->engine = (int)value; break;
	case OPERAND_ERROR: w->error = (int)value; break;
	case OPERAND_CAUSE: w->cause = (enum hang_cause)value; break;
	case OPERAND_CLIENT: w->client = (uint32_t)value; break;
	case OPERAND_CONTEXT: w->context = (uint32_t)value; break;
	case OPERAND_NONE:
	case N_OPERANDS: break;
	}
}

/* Reads operand i of a word, if it has that many. */
static bool
read_word_operand(struct recording_reader *rd, const json_t *list, size_t i,
    struct follow_word *w)
{
	enum operand_kind kind = i < MOST_OPERANDS ? operands[w->kind][i]
						   : OPERAND_NONE;
	const struct operand_range *range = &ranges[kind];
	const json_t *value = json_array_get(list, i + 1);
	json_int_t n = json_integer_value(value);

	if (kind == OPERAND_NONE && value == NULL)
		return true;
	if (kind == OPERAND_NONE) {
		text_addf(
		    rd->err, "'%s' takes %zu numbers", word_names[w->kind], i);
		return false;
	}
	if (!json_is_integer(value) || n < range->min || n > range->max) {
		text_addf(rd->err,
		    "the %s of '%s' takes a whole number from %lld to %lld",
		    range->name, word_names[w->kind], (long long)range->min,
		    (long long)range->max);
		return false;
	}
	set_operand(w, kind, n);
	return true;
}

static bool
read_gpu_word(
    struct recording_reader *rd, const json_t *list, struct follow_word *w)
{
	const json_t *name = json_array_get(list, 0);
	size_t kind;

	*w = (struct follow_word){.engine = -1, .cause = N_HANG_CAUSES};
	if (!json_is_string(name)) {
		text_adds(rd->err,
		    "'i915' takes arrays, e.g. [\"ended\",12,34567,0]");
		return false;
	}
	if (!reader_find_word(
		rd, "i915", name, word_names, N_FOLLOW_WORDS, &kind))
		return false;
	w->kind = (enum follow_word_kind)kind;
	for (size_t i = 0; i <= MOST_OPERANDS; i++)
		if (!read_word_operand(rd, list, i, w))
			return false;
	if (w->kind != FOLLOW_REFUSED || w->error != 0)
		return true;
	text_adds(rd->err, "the error of 'refused' is not 0");
	return false;
}

bool
read_words(
    struct recording_reader *rd, const json_t *o, struct replay_action *a)
{
	struct time_fields time;
	const json_t *list;
	const struct json_field fields[] = {
	    TIME_FIELDS(&time),
	    FIELD("i915", ARRAY, &list),
	};
	struct follow_past *past = plan_past(rd->plan);

	if (!fields_read(o, fields, N(fields), rd->err))
		return false;
	if (past == NULL) {
		text_adds(rd->err, "'i915' in a recording of the model");
		return false;
	}
	a->words = mem_calloc(json_array_size(list) + 1, sizeof *a->words);
	for (size_t i = 0; i < json_array_size(list); i++) {
		struct follow_word *w = &a->words[a->n_words];

		if (!read_gpu_word(rd, json_array_get(list, i), w))
			return false;
		if (follow_word_is_answer(w))
			follow_past_add_answer(past, w);
		else
			a->n_words++;
	}
	return true;
}
