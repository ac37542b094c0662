/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Batches as data: streamer*.cases, whose words tests/README.md lists ("Batches and
 * calls"). Each case has a command streamer of its own. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "device/streamer/decode.h"
#include "tests/runner/test.h"
#include "tests/support/case_file.h"
#include "tests/support/streamer_lab.h"

/* The lab, and the answer to its last call. */
struct cases_lab {
	struct streamer_lab lab; /* first */
	struct streamer_answer answer;
	nsec began_ns;
};

static void *
begin_lab(void)
{
	struct cases_lab *c = mem_calloc(1, sizeof *c);

	streamer_lab_open(&c->lab, 120);
	return c;
}

static void
end_lab(void *lab)
{
	streamer_lab_close(lab);
	free(lab);
}

/* Addresses have 32 bits on generation 7. */
static bool
find_name(void *data, const char *name, uint64_t *value)
{
	const struct streamer_lab *lab = data;
	const struct {
		const char *name;
		uint64_t value;
	} names[] = {{"BATCH", LAB_BATCH}, {"SECOND", LAB_SECOND},
	    {"DATA", lab->gpu.version < 80 ? LAB_OLD : LAB_DATA},
	    {"END", BATCH_END}};

	for (size_t i = 0; i < 4; i++)
		if (strcmp(name, names[i].name) == 0) {
			*value = names[i].value;
			return true;
		}
	return false;
}

/* Returns the N of a word N*DWORD, else 1. */
static size_t
times_of(const char **word)
{
	const char *star = strchr(*word, '*');
	size_t times = star != NULL ? strtoul(*word, NULL, 10) : 1;

	*word = star != NULL ? star + 1 : *word;
	return times;
}

/* Reads words i and on as dwords; an address is two of them, or one on generation 7.
 * Returns their number. */
static size_t
dwords_of(const struct streamer_lab *lab, const struct statement *s, size_t i,
    uint32_t *dwords)
{
	size_t n = 0;

	for (; i < s->n; i++) {
		const char *word = s->words[i];
		size_t times = times_of(&word);
		uint64_t value = case_value(s, word, 16);
		bool is_address = isupper((unsigned char)*word) &&
		    strcmp(word, "END") != 0;

		for (; times > 0; times--) {
			if (n + 2 > LAB_PAGE / 4)
				case_fail(s, "more dwords than a page has");
			dwords[n++] = LOW(value);
			if (is_address && lab->gpu.version >= 80)
				dwords[n++] = HIGH(value);
		}
	}
	return n;
}

static void
set_engine(struct streamer_lab *lab, const struct statement *s)
{
	static const char names[][5] = {"RCS", "BCS", "VCS", "VECS", "CCS"};
	const char *word = case_word(s, 1);
	size_t len = strcspn(word, "0123"), i = 0;

	while (
	    i < 5 && (strlen(names[i]) != len || memcmp(word, names[i], len)))
		i++;
	if (i == 5)
		case_fail(s, "there is no engine %s", word);
	lab->engine = (struct streamer_engine){i, (unsigned)atoi(word + len)};
}

static const struct case_field cost_fields[] = {
    CASE_FIELD(struct streamer_costs, command_ns),
    CASE_FIELD(struct streamer_costs, flush_ns),
    CASE_FIELD(struct streamer_costs, draw_ns),
    CASE_FIELD(struct streamer_costs, vertex_ps),
    CASE_FIELD(struct streamer_costs, dispatch_ns),
    CASE_FIELD(struct streamer_costs, group_ps),
    CASE_FIELD(struct streamer_costs, blit_ns),
    CASE_FIELD(struct streamer_costs, byte_ps),
    CASE_FIELD(struct streamer_costs, frame_ns),
    CASE_FIELD(struct streamer_costs, decode_ns),
    CASE_FIELD(struct streamer_costs, hevc_decode_ns),
    CASE_FIELD(struct streamer_costs, vp9_decode_ns),
    CASE_FIELD(struct streamer_costs, av1_decode_ns),
    CASE_FIELD(struct streamer_costs, encode_ns),
    CASE_FIELD(struct streamer_costs, hevc_encode_ns),
    CASE_FIELD(struct streamer_costs, vp9_encode_ns),
    CASE_FIELD(struct streamer_costs, av1_encode_ns),
    CASE_FIELD(struct streamer_costs, filter_ns),
    CASE_FIELD(struct streamer_costs, ten_bit_percent),
    {0},
};

static const struct case_field count_fields[] = {
    CASE_FIELD(struct streamer_counts, commands),
    CASE_FIELD(struct streamer_counts, draws),
    CASE_FIELD(struct streamer_counts, vertices),
    CASE_FIELD(struct streamer_counts, groups),
    CASE_FIELD(struct streamer_counts, blit_bytes),
    CASE_FIELD(struct streamer_counts, interrupts),
    CASE_FIELD(struct streamer_counts, unknown),
    CASE_FIELD(struct streamer_counts, unknown_last),
    {0},
};

static const struct case_field answer_fields[] = {
    CASE_FIELD(struct streamer_answer, is_register),
    CASE_FIELD(struct streamer_answer, never_ends),
    CASE_FIELD(struct streamer_answer, stored),
    {0},
};

static void
write_memory(struct streamer_lab *lab, const struct statement *s)
{
	uint32_t dwords[LAB_PAGE / 4];
	uint64_t address = case_value(s, case_word(s, 1), 16);
	size_t n = dwords_of(lab, s, 2, dwords);

	if (!lab->memory.write(lab, address, dwords, n * 4))
		case_fail(s, "no memory at %#llx", (unsigned long long)address);
}

/* Says what there is. Returns false if the statement says something else. */
static bool
set_up(struct streamer_lab *lab, const struct statement *s)
{
	struct streamer_gpu *gpu = &lab->gpu;

	if (case_is(s, 0, "generation")) {
		gpu->version = (unsigned)(atof(case_word(s, 1)) * 10 + 0.5);
	} else if (case_is(s, 0, "engine")) {
		set_engine(lab, s);
	} else if (case_is(s, 0, "clock")) {
		gpu->ring_hz = gpu->context_hz = case_number(s, 1);
	} else if (case_is(s, 0, "costs")) {
		for (size_t i = 1; i < s->n; i++)
			case_set(s, s->words[i], cost_fields, &gpu->costs);
	} else if (case_is(s, 0, "time")) {
		lab->now.engine_ns = case_number(s, 1);
		lab->now.running_ns = case_number(s, s->n > 2 ? 2 : 1);
	} else if (case_is(s, 0, "preempted")) {
		lab->now.engine_ns += case_number(s, 1);
	} else if (case_is(s, 0, "pointers")) {
		lab->far = case_is(s, 1, "no");
	} else if (case_is(s, 0, "write")) {
		write_memory(lab, s);
	} else {
		return false;
	}
	return true;
}

static const char *const verdicts[] = {
    "runs", "waits", "ends", "faults", "fails"};

/* Checks the answer by the words i and on. */
static void
check_answer(const struct cases_lab *c, const struct statement *s, size_t i)
{
	static const char *const waits[] = {"semaphore", "spinner"};
	const struct streamer_answer *answer = &c->answer;
	struct text why = {0};

	streamer_explain(answer, &why);
	if (!case_is(s, i++, verdicts[answer->verdict]))
		case_fail(s, "the batch %s %s", verdicts[answer->verdict],
		    text_str(&why));
	text_free(&why);
	if (answer->verdict == STREAMER_WAITS && i < s->n &&
	    !case_is(s, i++, waits[answer->wait]))
		case_fail(s, "the batch waits at a %s", waits[answer->wait]);
	if (answer->verdict == STREAMER_RUNS && i < s->n)
		case_expect(s, "the time until the next call", answer->run_ns,
		    s->words[i++], 0);
	if (answer->verdict == STREAMER_ENDED && case_is(s, i, "after")) {
		case_expect(s, "the time that the batch ran",
		    c->lab.now.running_ns - c->began_ns, case_word(s, i + 1),
		    0);
		i += 2;
	}
	if (answer->verdict != STREAMER_ENDED && i < s->n)
		case_expect(
		    s, "the address", answer->address, s->words[i++], 16);
	if (answer->verdict != STREAMER_FAULT && i < s->n)
		case_expect(s, "the value", answer->value, s->words[i++], 16);
	if (i < s->n)
		case_fail(s, "unknown word \"%s\"", s->words[i]);
}

/* Calls the streamer as often as the batch asks. The answer to a batch that is over
 * stays the same. */
static void
run_batch(struct cases_lab *c)
{
	struct streamer_answer again;

	c->answer = streamer_lab_run(&c->lab);
	if (c->answer.verdict < STREAMER_ENDED)
		return;
	again = streamer_run(
	    c->lab.batch, c->lab.engine, c->lab.now, STREAMER_BUDGET);
	assert_memory_equal(&c->answer, &again, sizeof again);
}

/* `at NS [every NS until NS] [ANSWER]` */
static void
call_at(struct cases_lab *c, const struct statement *s)
{
	nsec ns = case_number(s, 1), step = 1, until = ns + 1;
	size_t i = 2;

	if (case_is(s, 2, "every")) {
		step = case_number(s, 3);
		until = case_number(s, 5);
		i = 6;
	}
	for (; ns < until; ns += step) {
		c->answer = streamer_lab_at(&c->lab, ns);
		if (i < s->n)
			check_answer(c, s, i);
	}
}

/* `batch` is executed to its end, which is not written. The batch before it is
 * forgotten; registers and memory are not. */
static bool
execute(struct cases_lab *c, const struct statement *s)
{
	if (case_is(s, 0, "batch") || case_is(s, 0, "start")) {
		uint32_t dwords[LAB_PAGE / 4 + 1];
		size_t n = dwords_of(&c->lab, s, 1, dwords);

		if (case_is(s, 0, "batch"))
			dwords[n++] = BATCH_END;
		streamer_lab_again(&c->lab);
		streamer_lab_emit(&c->lab, dwords, n);
		c->began_ns = c->lab.now.running_ns;
		if (case_is(s, 0, "start"))
			return true;
		run_batch(c);
		if (c->answer.verdict != STREAMER_ENDED)
			check_answer(c, s, s->n);
	} else if (case_is(s, 0, "run")) {
		run_batch(c);
		check_answer(c, s, 1);
	} else if (case_is(s, 0, "at")) {
		call_at(c, s);
	} else {
		return false;
	}
	return true;
}

static void
check_text(const struct statement *s, struct text *text)
{
	if (strcmp(text_str(text), s->text) != 0)
		case_fail(s, "the text is \"%s\"", text_str(text));
	text_free(text);
}

static void
check_memory(const struct streamer_lab *lab, const struct statement *s)
{
	uint64_t address = case_value(s, case_word(s, 1), 16);

	for (size_t i = 2; i < s->n; i++) {
		const char *word = s->words[i];

		for (size_t times = times_of(&word); times > 0; times--) {
			char what[64];
			uint32_t dword;

			snprintf(what, sizeof what, "the dword at %#llx",
			    (unsigned long long)address);
			if (!lab->memory.read(
				lab->memory.data, address, &dword, 4))
				case_fail(s, "%s is not there", what);
			case_expect(s, what, dword, word, 16);
			address += 4;
		}
	}
}

/* Registers as the context has them, `register OFFSET DWORD...` */
static void
check_registers(const struct streamer_lab *lab, const struct statement *s)
{
	uint32_t offset = (uint32_t)case_value(s, case_word(s, 1), 16);

	for (size_t i = 2; i < s->n; i++, offset += 4)
		case_expect(s, "the register",
		    streamer_context_register(lab->context, offset),
		    s->words[i], 16);
}

static bool
check_batch(struct cases_lab *c, const struct statement *s)
{
	struct streamer_batch *batch = c->lab.batch;
	struct text text = {0};

	if (case_is(s, 0, "explains")) {
		streamer_explain(&c->answer, &text);
		check_text(s, &text);
	} else if (case_is(s, 0, "label")) {
		streamer_label(streamer_counts(batch), &text);
		check_text(s, &text);
	} else if (case_is(s, 0, "counts")) {
		for (size_t i = 1; i < s->n; i++)
			case_check(s, s->words[i], count_fields,
			    streamer_counts(batch));
	} else if (case_is(s, 0, "calls")) {
		case_expect(
		    s, "the number of calls", c->lab.calls, case_word(s, 1), 0);
	} else if (case_is(s, 0, "preemptible")) {
		case_expect(s, "the time until preemption",
		    streamer_preemptible_after(batch, c->lab.now.running_ns),
		    case_word(s, 1), 0);
	} else if (case_is(s, 0, "answer")) {
		for (size_t i = 1; i < s->n; i++)
			case_check(s, s->words[i], answer_fields, &c->answer);
	} else {
		return false;
	}
	return true;
}

static void
play_statement(void *data, const struct statement *s)
{
	struct cases_lab *c = data;
	struct streamer_lab *lab = &c->lab;

	if (set_up(lab, s) || execute(c, s) || check_batch(c, s))
		return;
	if (case_is(s, 0, "holds"))
		check_memory(lab, s);
	else if (case_is(s, 0, "register"))
		check_registers(lab, s);
	else if (case_is(s, 0, "rests"))
		case_expect(s, "the rest",
		    streamer_lab_rests(lab, case_number(s, 1)), case_word(s, 2),
		    0);
	else if (case_is(s, 0, "length"))
		case_expect(s, "the length",
		    command_length(lab->gpu.version,
			(uint32_t)case_value(s, case_word(s, 1), 16)),
		    case_word(s, 2), 0);
	else if (case_is(s, 0, "base"))
		case_expect(s, "the base",
		    streamer_engine_base(lab->gpu.version, lab->engine),
		    case_word(s, 1), 16);
	else
		case_fail(s, "unknown word \"%s\"", s->words[0]);
}

static const struct case_kind streamer_cases = {
    .pattern = "tests/device/streamer*.cases",
    .begin = begin_lab,
    .end = end_lab,
    .find_name = find_name,
    .play = play_statement,
};

TEST_SOURCE(streamer_cases)
{
	case_files_add(&streamer_cases);
}
