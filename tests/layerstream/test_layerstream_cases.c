/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Plays command buffers as data: layerstream*.cases, whose words tests/README.md lists
 * ("Command buffers"). */
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "tests/runner/test.h"
#include "tests/support/case_file.h"
#include "tests/support/layer_lab.h"

#define BUFFERS 4

struct layer_cases {
	struct layer_lab lab;
	struct command_buffer cb[BUFFERS];
	char *said; /* that is expected; NULL: nothing */
};

static const struct workload_info pass_1080p = {
    .type = WORKLOAD_RENDERPASS, .size = {1920, 1080}, .subpasses = 1};
static const struct workload_info groups = {
    .type = WORKLOAD_DISPATCH, .size = {8, 4, 1}};
static const struct workload_info fill = {.type = WORKLOAD_BUFFER_TRANSFER,
    .transfer = TRANSFER_FILL_BUFFER,
    .amount = WORKLOAD_WHOLE};

static void *
begin_layer(void)
{
	struct layer_cases *c = mem_calloc(1, sizeof *c);

	layer_lab_init(&c->lab);
	for (unsigned i = 0; i < BUFFERS; i++)
		command_buffer_init(&c->cb[i], &c->lab.tags, &c->lab.report);
	return c;
}

/* Lines as one, with single spaces; to be freed. */
static char *
on_one_line(const char *text)
{
	struct text t = {0};

	for (; *text != '\0'; text++)
		if (*text != ' ' && *text != '\n')
			text_addc(&t, *text);
		else if (t.len > 0 && t.data[t.len - 1] != ' ')
			text_addc(&t, ' ');
	while (t.len > 0 && t.data[t.len - 1] == ' ')
		t.data[--t.len] = '\0';
	return t.len > 0 ? t.data : mem_strdup("");
}

static void
end_layer(void *data)
{
	struct layer_cases *c = data;
	char *said = on_one_line(text_str(&c->lab.said));

	assert_string_equal(said, c->said != NULL ? c->said : "");
	for (unsigned i = 0; i < BUFFERS; i++)
		command_buffer_free(&c->cb[i]);
	layer_lab_free(&c->lab);
	free(c->said);
	free(said);
	free(c);
}

static struct command_buffer *
buffer_of(struct layer_cases *c, const struct statement *s, size_t i)
{
	uint64_t n = case_number(s, i);

	if (n >= BUFFERS)
		case_fail(s, "there are %d command buffers", BUFFERS);
	return &c->cb[n];
}

/* Records an item of a command buffer, such as `pass resume 3`. */
static void
record_item(struct layer_cases *c, const struct statement *s,
    struct command_buffer *cb, char *item)
{
	char *word = strtok_r(NULL, " ", &item), *last = strrchr(item, ' ');
	uint32_t n = (uint32_t)strtoul(last != NULL ? last : item, NULL, 10);
	bool is_pass = strcmp(word, "pass") == 0;

	if (strcmp(word, "push") == 0)
		record_label_push(cb, item, strlen(item));
	else if (strcmp(word, "pop") == 0)
		record_label_pop(cb);
	else if (strcmp(word, "groups") == 0)
		record_workload(cb, &groups);
	else if (strcmp(word, "fill") == 0)
		record_workload(cb, &fill);
	else if (strcmp(word, "draw") == 0)
		record_draw(cb, n);
	else if (strcmp(word, "execute") == 0)
		record_execute(cb, &c->cb[n % BUFFERS]);
	else if (is_pass && strstr(item, "resume") != NULL)
		record_renderpass_resume(cb, &pass_1080p);
	else if (is_pass || strcmp(word, "begin") == 0)
		record_renderpass_begin(cb, &pass_1080p);
	else if (strcmp(word, "end") != 0)
		case_fail(s, "unknown word \"%s\"", word);
	if (is_pass)
		record_draw(cb, n);
	if (is_pass || strcmp(word, "end") == 0)
		record_renderpass_end(cb, strstr(item, "suspend") != NULL);
}

/* `record CB [once]; ITEM; ...`; `abandon` resets the buffer in place of ending it. */
static void
record_buffer(struct layer_cases *c, const struct statement *s)
{
	struct command_buffer *cb = buffer_of(c, s, 1);
	char *text = mem_strdup(s->text + strlen(s->words[1])), *at = text;
	bool once = case_is(s, 2, "once;");
	char *item;

	command_buffer_begin(cb, once ? RECORD_ONE_TIME_SUBMIT : 0);
	if (once)
		strsep(&at, ";");
	while ((item = strsep(&at, ";")) != NULL)
		record_item(c, s, cb, item);
	if (case_is(s, 0, "abandon"))
		command_buffer_reset(cb);
	else
		command_buffer_end(cb);
	free(text);
}

/* `annotated CB DEFAULT`, and annotations without their `#@`. */
static void
record_annotated(struct layer_cases *c, const struct statement *s)
{
	static const char *const defaults[] = {
	    "nothing", "renderpass", "dispatch", "buffer"};
	struct command_buffer *cb = buffer_of(c, s, 1);
	char *text = mem_strdup(s->text), *item, *at;
	struct text lines = {0};
	size_t d = 0;

	while (d < 4 && !case_is(s, 2, defaults[d]))
		d++;
	if (d == 4)
		case_fail(s, "unknown default \"%s\"", case_word(s, 2));
	at = strstr(text, defaults[d]) + strlen(defaults[d]);
	while ((item = strsep(&at, ";")) != NULL)
		if (item[strspn(item, " ")] != '\0')
			text_addf(
			    &lines, "#@%s%s\n", *item == ' ' ? "" : " ", item);
	layer_lab_record(&c->lab, cb, text_str(&lines), (int)d);
	text_free(&lines);
	free(text);
}

/* `submit CB... [on QUEUE]` */
static void
submit_buffers(struct layer_cases *c, const struct statement *s)
{
	struct command_recording *list[BUFFERS];
	struct played_submission *done[BUFFERS] = {NULL};
	unsigned queue = 0;
	size_t n = 0;

	for (size_t i = 1; i < s->n; i++)
		if (case_is(s, i, "on"))
			queue = case_number(s, ++i) != 0;
		else if (n < BUFFERS)
			list[n++] = buffer_of(c, s, i)->recording;
	play_submit(&c->lab.queue[queue], list, n, c->lab.now, done);
	c->lab.now += 100;
	for (size_t i = 0; i < n; i++)
		if (done[i] != NULL)
			play_completed(done[i]);
}

static void
expect_lines(const struct statement *s, const struct text *text)
{
	char *found = on_one_line(text_str(text));
	char *expected = on_one_line(s->text);

	if (strcmp(found, expected) != 0)
		case_fail(s, "they are\n%s", text_str(text));
	free(found);
	free(expected);
}

static void
play_layer(void *data, const struct statement *s)
{
	struct layer_cases *c = data;
	struct text t = {0};

	if (case_is(s, 0, "record") || case_is(s, 0, "abandon")) {
		record_buffer(c, s);
	} else if (case_is(s, 0, "annotated")) {
		record_annotated(c, s);
	} else if (case_is(s, 0, "submit")) {
		submit_buffers(c, s);
	} else if (case_is(s, 0, "frame")) {
		play_frame(&c->lab.player, 4096, case_number(s, 1), c->lab.now);
		c->lab.now += 100;
	} else if (case_is(s, 0, "messages")) {
		layer_lab_dump(&c->lab, &t);
		expect_lines(s, &t);
	} else if (case_is(s, 0, "merged")) {
		text_clear(&c->lab.merged);
		layer_lab_merge(&c->lab);
		expect_lines(s, &c->lab.merged);
	} else if (case_is(s, 0, "needs_submit_id")) {
		case_expect(s, "the need",
		    buffer_of(c, s, 1)->recording->needs_submit_id,
		    case_word(s, 2), 0);
	} else if (case_is(s, 0, "said")) {
		c->said = on_one_line(s->text);
	} else {
		case_fail(s, "unknown word \"%s\"", s->words[0]);
	}
	text_free(&t);
}

TEST_SOURCE(layer_cases)
{
	static const struct case_kind kind = {
	    .pattern = "tests/layerstream/layerstream*.cases",
	    .begin = begin_layer,
	    .end = end_layer,
	    .play = play_layer};

	case_files_add(&kind);
}
