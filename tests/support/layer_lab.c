/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/layer_lab.h"
#include "base/util.h"
#include "tests/runner/test.h"

#include <stddef.h>
#include <stdint.h>
#include <string.h>

static void
say(struct debug_report *r, const char *line)
{
	struct layer_lab *lab = container_of(r, struct layer_lab, report);

	text_addf(&lab->said, "%s\n", line);
}

void
layer_lab_init(struct layer_lab *lab)
{
	*lab = (struct layer_lab){.report = {say}, .now = 100};
	play_init(&lab->player, &lab->out, NULL, &lab->report);
	for (unsigned i = 0; i < 2; i++)
		play_queue_init(&lab->queue[i], &lab->player, 4096, 16 + i);
}

void
layer_lab_free(struct layer_lab *lab)
{
	for (unsigned i = 0; i < 2; i++)
		play_queue_free(&lab->queue[i]);
	play_free(&lab->player);
	message_buffer_free(&lab->out);
	text_free(&lab->said);
	text_free(&lab->merged);
}

void
layer_lab_submit(
    struct layer_lab *lab, unsigned queue, struct command_buffer *cb)
{
	struct played_submission *done;

	play_submit(&lab->queue[queue], &cb->recording, 1, lab->now, &done);
	lab->now += 100;
	if (done)
		play_completed(done);
}

void
layer_lab_record(struct layer_lab *lab, struct command_buffer *cb,
    const char *lines, enum record_default otherwise)
{
	struct annotation list[64];
	struct arena arena = {0};
	size_t n = 0;

	command_buffer_init(cb, &lab->tags, &lab->report);
	while (*lines) {
		size_t len = strcspn(lines, "\n");

		assert_true(n < 64);
		if (!annotation_parse(&arena, lines, len, 0, &list[n++], NULL))
			fail_msg("wrong annotation: %.*s", (int)len, lines);
		lines += len + (lines[len] == '\n');
	}
	record_annotations(cb, list, n, otherwise);
	arena_free(&arena);
}

/* Calls f for each message. */
static void
each_message(struct layer_lab *lab,
    void (*f)(const struct message *m, void *user), void *user)
{
	size_t at = 0, used;

	while (at < lab->out.len) {
		struct message m;
		bool more;
		const char *wrong = message_decode(
		    lab->out.data + at, lab->out.len - at, &m, &used, &more);

		if (wrong)
			fail_msg("at %zu: %s", at, wrong);
		f(&m, user);
		at += used;
	}
}

static void
dump_one(const struct message *m, void *user)
{
	message_print(m, user);
	text_addc(user, '\n');
}

void
layer_lab_dump(struct layer_lab *lab, struct text *t)
{
	each_message(lab, dump_one, t);
	lab->out.len = 0;
}

static void
merged(void *user, const struct merged *m)
{
	text_addf(user, "%s", m->complete ? "" : "! ");
	if (m->submit)
		text_addf(user, "s%llu ", (unsigned long long)m->submit);
	text_addf(user, "t%llu %s\n", (unsigned long long)m->tag, m->json);
}

static void
merge_one(const struct message *m, void *user)
{
	const char *wrong = merge_message(user, m);

	if (wrong)
		fail_msg("merger: %s", wrong);
}

void
layer_lab_merge(struct layer_lab *lab)
{
	struct merger *m = merge_new(merged, &lab->merged, 0);

	each_message(lab, merge_one, m);
	merge_finish(m);
	merge_free(m);
}
