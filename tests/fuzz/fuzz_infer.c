/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Inference: any records become descriptors without errors, or are refused with
 * a text. A record is 16 bytes, from which all numbers of a request, a dependency
 * and an act are made, hostile ones among them.
 */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "parser/document/document.h"
#include "trace/infer/infer.h"

#define RECORD      16
#define MAX_RECORDS 512

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Small times mostly, so that much is alike; 0xff: unknown, 0xfe: far off. */
static nsec
fuzz_time(uint8_t byte, nsec base)
{
	if (byte == 0xff)
		return NSEC_NEVER;
	return byte == 0xfe ? NSEC_MAX - 1 : base + byte * 1000ull;
}

static void
read_record(const uint8_t *at, uint32_t index, struct infer_request *r,
    struct infer_dep *dep, struct infer_act *act)
{
	nsec base = index * 20000ull;

	*r = (struct infer_request){.client = at[0] & 3,
	    .context = at[1] >= 0xf0 ? UINT32_MAX - at[1] : at[1] & 7u,
	    .slot = at[1] >> 6,
	    .class = at[2] & 7,
	    .instance = at[2] >> 4,
	    .allowed = at[3] < 0xf0 ? at[3] & 1u ? 0 : 3ull << (at[3] & 15)
				    : UINT64_MAX,
	    .queued_ns = fuzz_time(at[4], base),
	    .ready_ns = fuzz_time(at[5], base),
	    .start_ns = fuzz_time(at[6], base),
	    .end_ns = fuzz_time(at[7], base),
	    .run_ns = fuzz_time(at[8], 0),
	    .priority = (int16_t)(at[9] << 8 | at[10]),
	    .first_dep = at[11] >= 0xf0 ? UINT32_MAX - 1 : index,
	    .n_deps = at[12] >= 0xf0 ? UINT32_MAX : at[12] & 1u,
	    .label = at[12] & 2 ? "label\n,#@" : NULL};
	*dep = (struct infer_dep){.request = index - at[13],
	    .kind = at[12] >> 6,
	    .guessed = (at[12] & 4) != 0};
	*act = (struct infer_act){.client = at[0] & 3,
	    .request = index - at[14],
	    .from_ns = fuzz_time(at[15], base),
	    .to_ns = fuzz_time(at[15], base + 500),
	    .next = at[12] & 32 ? index + 1 + (at[14] & 3) : 0,
	    .kind = at[12] >> 3 & 3};
}

/* Slots of contexts: a virtual engine with bonds, one that says nothing, rows of
 * parallel batches, and more of them than a record has room for. */
static const uint8_t slot_engines[] = {24, 25, 36, 24, 0, 47, 1, 2};
static const struct infer_bond slot_bonds[] = {
    {24, 3ull << 24}, {25, 0}, {36, UINT64_MAX}};
static const struct infer_slot fuzz_slots[] = {
    {1, 2, slot_engines, slot_bonds, 3},
    {1, 0, NULL, NULL, 0},
    {2, 2, slot_engines, NULL, 0},
    {INFER_MAX_ROWS + 1, 0, slot_engines, NULL, 0},
};

/* Fills in the fields that captures have and traces do not. */
static void
read_captured(const uint8_t *at, uint32_t index, struct infer_request *r)
{
	nsec base = index * 20000ull;

	r->call_ns = fuzz_time(at[14], 0);
	r->n_earlier = at[14] & 3u;
	r->origin = at[13];
	r->sseu = at[13] & 7u;
	r->infinite = at[15] & 1;
	r->released_ns = at[15] & 2 ? fuzz_time(at[4], base) : NSEC_NEVER;
	r->no_points = (at[15] & 4) != 0;
	r->is_doubtful = (at[15] & 8) != 0;
	r->unfinished = (at[15] & 0x30) == 0x30;
	r->first_row = index;
	if (at[13] & 8)
		r->setup = &fuzz_slots[at[13] & 3];
}

static void
check(const struct infer_result *result)
{
	for (size_t i = 0; i < result->n_clients; i++) {
		const struct text *t = &result->clients[i].text;
		struct document *doc = document_parse(
		    "fuzz", text_str(t), t->len, SOURCE_FILE);

		if (!document_is_valid(doc) ||
		    result->clients[i].n_explained >
			result->clients[i].n_requests)
			abort();
		document_free(doc);
	}
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static struct infer_request requests[MAX_RECORDS];
	static struct infer_dep deps[MAX_RECORDS];
	static struct infer_act acts[MAX_RECORDS];
	static struct infer_use uses[MAX_RECORDS];
	static nsec runs[MAX_RECORDS], marks[MAX_RECORDS];
	struct infer_options options = {.source = "fuzz"};
	struct infer_result result;
	struct text err = {0};
	uint32_t n = 0;

	if (size < 1)
		return 0;
	options.exact = data[0] & 1;
	options.keep_contexts = (data[0] & 2) != 0;
	options.merge = (data[0] & 4) != 0;
	options.all_slices = data[0] & 128 ? 7 : 0;
	for (size_t at = 1; at + RECORD <= size && n < MAX_RECORDS;
	     at += RECORD, n++) {
		read_record(data + at, n, &requests[n], &deps[n], &acts[n]);
		if (data[0] & 128)
			read_captured(data + at, n, &requests[n]);
		requests[n].first_use = requests[n].first_dep;
		requests[n].n_uses = requests[n].n_deps;
		uses[n] = (struct infer_use){
		    data[at + 13] & 3u, (data[at + 14] & 1) != 0};
		marks[n] = n * 40000ull + data[at + 15] * 100u;
		runs[n] = fuzz_time(data[at + 8], n * 30000ull);
	}
	if (infer(&(struct infer_input){.requests = requests,
		      .n_requests = n,
		      .deps = deps,
		      .n_deps = n,
		      .uses = uses,
		      .n_uses = data[0] & 32 ? n : 0,
		      .deps_are_complete = (data[0] & 8) != 0,
		      .is_trace = (data[0] & 64) != 0,
		      .from_start = (data[0] & 128) != 0,
		      .marks = marks,
		      .n_marks = data[0] & 64 ? n / 4 : 0,
		      .row_runs = runs,
		      .n_row_runs = n,
		      .acts = acts,
		      .n_acts = data[0] & 16 ? n : 0},
		&options, &result, &err))
		check(&result);
	else if (err.len == 0)
		abort();
	infer_free(&result);
	text_free(&err);
	return 0;
}
