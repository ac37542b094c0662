/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contents of a batch and why it failed, in numbers and in words for people
 * (doc/model/streamer.md "Counts").
 */
#include <inttypes.h>

#include "base/text.h"
#include "device/streamer/cs.h"

enum cs_step
cs_unknown(struct streamer_batch *b, const struct cs_command *c)
{
	b->counts.unknown++;
	b->counts.unknown_last = c->header;
	return CS_NEXT;
}

const struct streamer_counts *
streamer_counts(const struct streamer_batch *b)
{
	return &b->counts;
}

static uint64_t
capped_sum(uint64_t a, uint64_t b)
{
	uint64_t sum;

	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}

void
streamer_counts_add(
    struct streamer_counts *sum, const struct streamer_counts *counts)
{
	sum->commands += counts->commands;
	sum->draws += counts->draws;
	sum->vertices = capped_sum(sum->vertices, counts->vertices);
	sum->clears += counts->clears;
	sum->copies += counts->copies;
	sum->dispatches += counts->dispatches;
	sum->groups = capped_sum(sum->groups, counts->groups);
	sum->blits += counts->blits;
	sum->blit_bytes = capped_sum(sum->blit_bytes, counts->blit_bytes);
	sum->frames += counts->frames;
	sum->coded += counts->coded;
	sum->filters += counts->filters;
	sum->interrupts += counts->interrupts;
	sum->unknown += counts->unknown;
	if (counts->codec != NULL)
		sum->codec = counts->codec;
	if (counts->unknown > 0)
		sum->unknown_last = counts->unknown_last;
}

static void
add_count(struct text *label, uint64_t n, const char *one, const char *many)
{
	if (n == 0)
		return;
	text_addf(label, "%s%" PRIu64 " %s", label->len ? ", " : "", n,
	    n == 1 ? one : many);
}

void
streamer_label(const struct streamer_counts *counts, struct text *label)
{
	struct text words = {0};

	add_count(&words, counts->frames, "frame", "frames");
	if (counts->codec)
		text_addf(&words, " (%s)", counts->codec);
	add_count(&words, counts->draws, "draw", "draws");
	add_count(&words, counts->clears, "clear", "clears");
	add_count(&words, counts->copies, "copy", "copies");
	add_count(&words, counts->dispatches, "dispatch", "dispatches");
	add_count(&words, counts->blits, "blit", "blits");
	add_count(&words, counts->filters, "filter", "filters");
	text_adds(label, text_str(&words));
	text_free(&words);
}

void
streamer_explain(const struct streamer_answer *answer, struct text *text)
{
	if (answer->verdict == STREAMER_FAULT)
		text_addf(text,
		    "page fault at 0x%012" PRIx64
		    ": %s (expected an address of an object of the request)",
		    answer->address, answer->why);
	else if (answer->verdict == STREAMER_ERROR)
		text_addf(text,
		    "invalid command 0x%08" PRIx32 " at 0x%012" PRIx64 ": %s",
		    answer->value, answer->address, answer->why);
}
