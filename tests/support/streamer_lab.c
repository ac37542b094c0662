/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/streamer_lab.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "tests/runner/test.h"

/* Returns the page that has the address, and the offset in it. */
static uint8_t *
lab_page(const struct streamer_lab *lab, uint64_t address, size_t *offset)
{
	uint64_t page = address & ~(uint64_t)(LAB_PAGE - 1);

	*offset = address & (LAB_PAGE - 1);
	if (page == LAB_BATCH)
		return (uint8_t *)lab->code;
	if (page == LAB_SECOND)
		return (uint8_t *)lab->second;
	if (page == LAB_DATA || page == LAB_OLD)
		return (uint8_t *)lab->data;
	return NULL;
}

static void *
lab_span(void *data, uint64_t address, size_t *len, bool write)
{
	const struct streamer_lab *lab = data;
	size_t offset;
	uint8_t *page = lab_page(lab, address, &offset);

	(void)write;
	if (page == NULL || lab->far)
		return NULL;
	*len = LAB_PAGE - offset;
	return page + offset;
}

static bool
lab_read(void *data, uint64_t address, void *buf, size_t len)
{
	struct streamer_lab *lab = data;
	size_t offset;
	uint8_t *page = lab_page(lab, address, &offset);

	lab->reads++;
	if (page == NULL || LAB_PAGE - offset < len)
		return false;
	memcpy(buf, page + offset, len);
	return true;
}

static bool
lab_write(void *data, uint64_t address, const void *buf, size_t len)
{
	size_t offset;
	uint8_t *page = lab_page(data, address, &offset);

	if (page == NULL || LAB_PAGE - offset < len)
		return false;
	memcpy(page + offset, buf, len);
	return true;
}

void
streamer_lab_open(struct streamer_lab *lab, unsigned version)
{
	*lab = (struct streamer_lab){
	    .gpu = {.version = version,
		.ring_hz = NSEC_PER_SEC,
		.context_hz = NSEC_PER_SEC},
	    .context = streamer_context_new(),
	    .memory = {lab_span, lab_read, lab_write, lab},
	    .code = mem_calloc(1, LAB_PAGE),
	    .second = mem_calloc(1, LAB_PAGE),
	    .data = mem_calloc(1, LAB_PAGE),
	};
}

void
streamer_lab_again(struct streamer_lab *lab)
{
	if (lab->batch)
		streamer_end(lab->batch);
	lab->batch = NULL;
	lab->n = lab->calls = 0;
}

void
streamer_lab_close(struct streamer_lab *lab)
{
	streamer_lab_again(lab);
	streamer_context_free(lab->context);
	free(lab->code);
	free(lab->second);
	free(lab->data);
}

void
streamer_lab_emit(struct streamer_lab *lab, const uint32_t *dwords, size_t n)
{
	assert_true((lab->n + n) * 4 <= LAB_PAGE);
	memcpy(lab->code + lab->n, dwords, n * 4);
	lab->n += (unsigned)n;
}

struct streamer_answer
streamer_lab_at(struct streamer_lab *lab, nsec ns)
{
	if (lab->batch == NULL)
		lab->batch = streamer_begin(
		    &lab->gpu, lab->context, &lab->memory, LAB_BATCH);
	lab->now.engine_ns += ns - lab->now.running_ns;
	lab->now.running_ns = ns;
	lab->calls++;
	return streamer_run(lab->batch, lab->engine, lab->now, STREAMER_BUDGET);
}

struct streamer_answer
streamer_lab_run(struct streamer_lab *lab)
{
	struct streamer_answer answer = {.verdict = STREAMER_RUNS};

	for (unsigned i = 0; i < 10000; i++) {
		answer = streamer_lab_at(
		    lab, lab->now.running_ns + answer.run_ns);
		if (answer.verdict != STREAMER_RUNS)
			return answer;
	}
	fail_msg("%s", "the batch runs for ever");
	return answer;
}

void
streamer_lab_labelled(const struct streamer_lab *lab, const char *label)
{
	struct text text = {0};

	streamer_label(streamer_counts(lab->batch), &text);
	assert_string_equal(text_str(&text), label);
	text_free(&text);
}

int
streamer_lab_setup(void **state)
{
	static struct streamer_lab lab;

	streamer_lab_open(&lab, 120);
	*state = &lab;
	return 0;
}

int
streamer_lab_teardown(void **state)
{
	streamer_lab_close(*state);
	return 0;
}

bool
streamer_lab_rests(struct streamer_lab *lab, nsec ns)
{
	lab->now = (struct streamer_time){ns, ns};
	return streamer_rests(lab->batch, lab->engine, lab->now);
}
