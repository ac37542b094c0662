/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Random annotated batches, submitted to two queues in random order, against a
 * plain model without commands: every executed workload has exactly one merged
 * record, with the labels of the stack and the draws of all its parts.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/layer_lab.h"

#define SEEDS   400
#define BUFFERS 6
#define LINES   10
#define SUBMITS 30

static uint64_t
next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state >> 11;
}

/* Lists of strings, sorted when compared. */
struct strings {
	char **list;
	size_t n, cap;
};

static void __attribute__((format(printf, 2, 3)))
strings_add(struct strings *s, const char *fmt, ...)
{
	struct text t = {0};
	va_list ap;

	va_start(ap, fmt);
	text_addv(&t, fmt, ap);
	va_end(ap);
	s->list = mem_grow(s->list, s->n, &s->cap, sizeof(char *));
	s->list[s->n++] = mem_strdup(text_str(&t));
	text_free(&t);
}

static void
strings_free(struct strings *s)
{
	for (size_t i = 0; i < s->n; i++)
		free(s->list[i]);
	free(s->list);
	*s = (struct strings){0};
}

static int
compare(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

static void
strings_sort(struct strings *s)
{
	if (s->n)
		qsort(s->list, s->n, sizeof(char *), compare);
}

/* A line, as the model knows it. */
enum plain { PUSH, POP, PASS, PART, OTHER, INDIRECT, OPEN, CLOSE, ONCE };

struct plain_line {
	enum plain what;
	char label;
	int draws; /* -1: not said */
	bool suspend;
	unsigned times;
	uint64_t tag; /* given when it is recorded */
};

struct plain_buffer {
	struct plain_line lines[LINES * 2 + 2];
	size_t n;
};

/* The open pass of a queue. */
struct plain_queue {
	struct strings labels;
	struct plain_line *pass;
	char *pass_labels;
	int draws;
};

/* The model's records: "t1 [A,B] 7". */
static char *
join(const struct strings *labels)
{
	struct text t = {0};
	char *s;

	for (size_t i = 0; i < labels->n; i++)
		text_addf(&t, "%s%s", i ? "," : "", labels->list[i]);
	s = mem_strdup(text_str(&t));
	text_free(&t);
	return s;
}

static void
plain_record(struct strings *records, const struct plain_line *line,
    const char *labels, int draws)
{
	strings_add(records, "t%llu [%s] %d", (unsigned long long)line->tag,
	    labels, draws);
}

static void
plain_end_pass(struct plain_queue *q, struct strings *records)
{
	if (!q->pass)
		return;
	plain_record(records, q->pass, q->pass_labels, q->draws);
	free(q->pass_labels);
	q->pass = NULL;
}

static void
plain_part(
    struct plain_queue *q, struct plain_line *line, struct strings *records)
{
	if (line->what == PASS) {
		plain_end_pass(q, records);
		q->pass = line;
		q->pass_labels = join(&q->labels);
		q->draws = line->draws;
	} else if (q->pass) {
		bool known = q->draws >= 0 && line->draws >= 0;

		q->draws = known ? q->draws + line->draws : -1;
	}
	if (!line->suspend)
		plain_end_pass(q, records);
}

static void
plain_line(
    struct plain_queue *q, struct plain_line *line, struct strings *records)
{
	char *labels;

	switch (line->what) {
	case PUSH: strings_add(&q->labels, "%c", line->label); break;
	case POP:
		if (q->labels.n)
			free(q->labels.list[--q->labels.n]);
		break;
	case PASS:
	case PART: plain_part(q, line, records); break;
	case OTHER:
	case INDIRECT:
		labels = join(&q->labels);
		plain_record(records, line, labels, 0);
		free(labels);
		break;
	default: break;
	}
}

static void
plain_submit(
    struct plain_queue *q, struct plain_buffer *b, struct strings *records)
{
	for (size_t i = 0; i < b->n; i++) {
		size_t end = i;

		if (b->lines[i].what != OPEN) {
			plain_line(q, &b->lines[i], records);
			continue;
		}
		while (b->lines[end].what != CLOSE)
			end++;
		for (unsigned n = 0; n < b->lines[i].times; n++)
			for (size_t j = i + 1; j < end; j++)
				plain_line(q, &b->lines[j], records);
		i = end;
	}
}

static bool
is_in_secondary(const struct plain_buffer *b, size_t at)
{
	while (at-- > 0)
		if (b->lines[at].what == OPEN || b->lines[at].what == CLOSE)
			return b->lines[at].what == OPEN;
	return false;
}

/* Annotations without a workload have a default pass: after the last label that
 * they push, before its pop, but in no secondary. */
static void
plain_default(struct plain_buffer *b)
{
	size_t at = 0;

	for (size_t i = 0; i < b->n; i++)
		if (b->lines[i].what == PASS || b->lines[i].what == PART ||
		    b->lines[i].what == OTHER || b->lines[i].what == INDIRECT)
			return;
	for (size_t i = 0; i < b->n; i++)
		if (b->lines[i].what == PUSH && !is_in_secondary(b, i))
			at = i + 1;
	if (at)
		while (at < b->n &&
		    (b->lines[at].what != POP || is_in_secondary(b, at)))
			at++;
	else
		at = b->n;
	memmove(&b->lines[at + 1], &b->lines[at],
	    (b->n - at) * sizeof(b->lines[0]));
	b->lines[at] = (struct plain_line){.what = PASS, .draws = -1};
	b->n++;
}

static struct plain_line
random_line(uint64_t *seed, bool in_secondary)
{
	static const enum plain kinds[] = {PUSH, PUSH, POP, POP, PASS, PASS,
	    PART, PART, OTHER, INDIRECT, ONCE, OPEN};
	struct plain_line line = {
	    .what = kinds[next_random(seed) % (in_secondary ? 10 : 12)],
	    .label = (char)('A' + next_random(seed) % 26),
	    .draws = (int)(next_random(seed) % 10) - 1,
	    .suspend = next_random(seed) % 3 == 0,
	    .times = (unsigned)(next_random(seed) % 3) + 1};

	if (line.what == PASS || line.what == PART)
		line.suspend = next_random(seed) % 2;
	return line;
}

static void
random_buffer(struct plain_buffer *b, uint64_t *seed)
{
	size_t n = next_random(seed) % LINES;
	bool in_secondary = false;

	*b = (struct plain_buffer){.n = 0};
	for (size_t i = 0; i < n; i++) {
		b->lines[b->n] = random_line(seed, in_secondary);
		if (in_secondary && next_random(seed) % 3 == 0) {
			b->lines[b->n].what = CLOSE;
			in_secondary = false;
		}
		if (b->lines[b->n++].what == OPEN)
			in_secondary = true;
	}
	if (in_secondary)
		b->lines[b->n++].what = CLOSE;
}

static void
write_pass(struct text *t, const struct plain_line *line)
{
	text_adds(t,
	    line->what == PART ? "#@ renderpass resume" : "#@ renderpass 8x4");
	if (line->draws >= 0)
		text_addf(t, " draws=%d", line->draws);
	text_adds(t, line->suspend ? " suspend\n" : "\n");
}

static void
write_line(struct text *t, const struct plain_line *line)
{
	switch (line->what) {
	case PUSH: text_addf(t, "#@ label push \"%c\"\n", line->label); break;
	case POP: text_adds(t, "#@ label pop\n"); break;
	case PASS:
	case PART: write_pass(t, line); break;
	case OTHER: text_adds(t, "#@ copybuffer 7\n"); break;
	case INDIRECT: text_adds(t, "#@ dispatch 1x2x3 indirect\n"); break;
	case OPEN:
		text_addf(t, "#@ secondary begin times=%u\n", line->times);
		break;
	case CLOSE: text_adds(t, "#@ secondary end\n"); break;
	case ONCE: text_adds(t, "#@ once\n"); break;
	}
}

static void
record(struct layer_lab *lab, struct command_buffer *cb, struct plain_buffer *b,
    uint64_t *tag)
{
	struct text t = {0};

	for (size_t i = 0; i < b->n; i++)
		write_line(&t, &b->lines[i]);
	layer_lab_record(lab, cb, text_str(&t), RECORD_RENDERPASS);
	text_free(&t);
	plain_default(b);
	for (size_t i = 0; i < b->n; i++)
		if (b->lines[i].what == PASS || b->lines[i].what == OTHER ||
		    b->lines[i].what == INDIRECT)
			b->lines[i].tag = ++*tag;
}

/* A merged record in the words of the model. */
static void
merged(void *user, const struct merged *m)
{
	json_t *json = json_loads(m->json, 0, NULL), *label;
	json_t *array = json_object_get(json, "label");
	struct strings labels = {0};
	char *joined;
	size_t i;

	assert_non_null(json);
	assert_true(m->complete);
	json_array_foreach(array, i, label)
	    strings_add(&labels, "%s", json_string_value(label));
	joined = join(&labels);
	strings_add(user, "t%llu [%s] %lld", (unsigned long long)m->tag, joined,
	    json_integer_value(json_object_get(json, "drawCallCount")));
	free(joined);
	strings_free(&labels);
	json_decref(json);
}

static void
merge_all(struct layer_lab *lab, struct strings *records)
{
	struct merger *m = merge_new(merged, records, 0);
	size_t at = 0, used;

	while (at < lab->out.len) {
		struct message message;
		bool more;

		assert_null(message_decode(lab->out.data + at,
		    lab->out.len - at, &message, &used, &more));
		assert_null(merge_message(m, &message));
		at += used;
	}
	merge_finish(m);
	merge_free(m);
}

/* Sinks get each part once, in order, with its queue's labels. */
struct listener {
	struct play_sink sink;
	uint64_t whole, parts, sums, resolved;
};

static void
heard_executed(struct play_sink *s, const struct execution *e)
{
	struct listener *l = (struct listener *)s;

	*(e->workload == e->part ? &l->whole : &l->parts) += 1;
	assert_true(e->workload->tag != 0);
	assert_true(e->labels_len >= 2);
	assert_int_equal(e->labels[0], '[');
	assert_int_equal(e->labels[e->labels_len - 1], ']');
}

static void
heard_sum(struct play_sink *s, const struct layer_workload *pass, uint64_t id,
    int64_t draws, uint32_t parts, bool closed)
{
	struct listener *l = (struct listener *)s;

	(void)id;
	(void)closed;
	assert_int_equal(pass->info.type, WORKLOAD_RENDERPASS);
	assert_true(draws >= -1);
	assert_true(parts >= 1);
	l->sums++;
}

static void
heard_resolved(struct play_sink *s, const struct layer_workload *w, uint64_t id)
{
	assert_true(w->info.indirect);
	assert_true(id != 0);
	((struct listener *)s)->resolved++;
}

static void
submit_all(struct layer_lab *lab, struct command_buffer *cbs,
    struct plain_buffer *buffers, struct strings *expected, uint64_t *seed)
{
	struct plain_queue queues[2] = {0};

	for (unsigned i = 0; i < SUBMITS; i++) {
		unsigned q = (unsigned)(next_random(seed) % 2);
		unsigned b = (unsigned)(next_random(seed) % BUFFERS);

		/* Pops the labels that are left: their bound is not tested
		 * here. */
		if (queues[q].labels.n > LABELS_DEPTH - LINES * 3)
			continue;
		layer_lab_submit(lab, q, &cbs[b]);
		plain_submit(&queues[q], &buffers[b], expected);
	}
	for (unsigned q = 0; q < 2; q++) {
		plain_end_pass(&queues[q], expected);
		strings_free(&queues[q].labels);
		play_queue_free(&lab->queue[q]);
		play_queue_init(&lab->queue[q], &lab->player, 4096, 16 + q);
	}
}

static void
check_seed(uint64_t number)
{
	uint64_t seed = number * 0x9e3779b97f4a7c15 | 1, tag = 0;
	struct listener listener = {
	    .sink = {heard_executed, heard_sum, heard_resolved}};
	struct strings expected = {0}, records = {0};
	struct command_buffer cbs[BUFFERS];
	struct plain_buffer buffers[BUFFERS];
	struct layer_lab lab;

	layer_lab_init(&lab);
	lab.player.sink = &listener.sink;
	for (unsigned i = 0; i < BUFFERS; i++) {
		random_buffer(&buffers[i], &seed);
		record(&lab, &cbs[i], &buffers[i], &tag);
	}
	submit_all(&lab, cbs, buffers, &expected, &seed);
	merge_all(&lab, &records);
	strings_sort(&expected);
	strings_sort(&records);
	if (listener.whole != expected.n)
		fail_msg("seed %llu: %llu executed, %zu expected",
		    (unsigned long long)number,
		    (unsigned long long)listener.whole, expected.n);
	for (size_t i = 0; i < records.n && i < expected.n; i++)
		if (strcmp(records.list[i], expected.list[i]) != 0)
			fail_msg("seed %llu: %s, not %s",
			    (unsigned long long)number, records.list[i],
			    expected.list[i]);
	assert_int_equal(records.n, expected.n);
	for (unsigned i = 0; i < BUFFERS; i++)
		command_buffer_free(&cbs[i]);
	layer_lab_free(&lab);
	strings_free(&expected);
	strings_free(&records);
}

TEST(every_workload_has_its_record)
{
	for (uint64_t i = 1; i <= SEEDS; i++)
		check_seed(i);
}
