/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Annotations: any line is read, or refused with a message whose place is in
 * the line; what was read can be recorded, played and merged, and what comes
 * of it are whole messages.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "layerstream/message.h"
#include "layerstream/play.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

#define LINES 64

static void
check_line(const char *line, size_t len, const struct diag_list *diags, bool ok)
{
	const char *words[64];
	size_t typed;

	if (ok != (diags->n == 0))
		abort();
	for (size_t i = 0; i < diags->n; i++)
		if (diags->list[i].col > len || diags->list[i].len == 0 ||
		    !*diags->list[i].message)
			abort();
	if (annotation_words(line, len, words, 64, &typed) > 64 || typed > len)
		abort();
}

static size_t
read_lines(
    struct arena *arena, const char *text, size_t size, struct annotation *list)
{
	const char *end = text + size;
	size_t n = 0;

	while (text < end && n < LINES) {
		const char *stop = memchr(text, '\n', (size_t)(end - text));
		size_t len = (size_t)((stop ? stop : end) - text);
		struct diag_list diags = {0};
		bool ok = annotation_parse(
		    arena, text, len, 0, &list[n], &diags);

		check_line(text, len, &diags, ok);
		if (ok != annotation_parse(arena, text, len, 0, &list[n], NULL))
			abort();
		n += ok;
		diag_list_free(&diags);
		text += len + (stop != NULL);
	}
	return n;
}

struct counts {
	struct play_sink sink;
	size_t executed, merged;
};

static void
count_executed(struct play_sink *s, const struct execution *e)
{
	((struct counts *)s)->executed += e->workload == e->part;
}

static void
count_merged(void *user, const struct merged *m)
{
	if (!m->complete)
		abort();
	((struct counts *)user)->merged++;
}

static void
merge_all(const struct message_buffer *b, struct counts *counts)
{
	struct merger *m = merge_new(count_merged, counts, SIZE_MAX);
	size_t at = 0, used;

	while (at < b->len) {
		struct message message;
		bool more;

		if (message_decode(
			b->data + at, b->len - at, &message, &used, &more) ||
		    merge_message(m, &message))
			abort();
		at += used;
	}
	merge_finish(m);
	merge_free(m);
}

static void
play(struct play_queue *q, struct command_buffer *cb)
{
	struct played_submission *done;

	play_submit(q, &cb->recording, 1, 1, &done);
	if (done)
		play_completed(done);
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct counts counts = {.sink = {.executed = count_executed}};
	struct annotation list[LINES];
	struct arena arena = {0};
	struct message_buffer out = {0};
	struct tag_counter tags = {0};
	struct command_buffer cb;
	struct player player;
	struct play_queue queue;
	/* In memory of its own: labels point there. */
	char *text = malloc(size + 1);
	size_t n;

	/* More would only test the merger's bounds. */
	if (size > 2048)
		size = 2048;
	memcpy(text, data, size);
	n = read_lines(&arena, text, size, list);
	command_buffer_init(&cb, &tags, NULL);
	record_annotations(&cb, list, n, RECORD_RENDERPASS);
	free(text);
	arena_free(&arena);
	play_init(&player, &out, &counts.sink, NULL);
	play_queue_init(&queue, &player, 1, 2);
	play(&queue, &cb);
	play(&queue, &cb);
	play_queue_free(&queue);
	merge_all(&out, &counts);
	if (counts.executed != counts.merged)
		abort();
	command_buffer_free(&cb);
	play_free(&player);
	message_buffer_free(&out);
	return 0;
}
