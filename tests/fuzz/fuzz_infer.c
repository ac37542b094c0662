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
	struct infer_options options = {.source = "fuzz"};
	struct infer_result result;
	struct text err = {0};
	uint32_t n = 0;

	if (size < 1)
		return 0;
	options.exact = data[0] & 1;
	options.keep_contexts = (data[0] & 2) != 0;
	options.merge = (data[0] & 4) != 0;
	for (size_t at = 1; at + RECORD <= size && n < MAX_RECORDS;
	     at += RECORD, n++) {
		read_record(data + at, n, &requests[n], &deps[n], &acts[n]);
		requests[n].first_use = requests[n].first_dep;
		requests[n].n_uses = requests[n].n_deps;
		uses[n] = (struct infer_use){
		    data[at + 13] & 3u, (data[at + 14] & 1) != 0};
	}
	if (infer(&(struct infer_input){.requests = requests,
		      .n_requests = n,
		      .deps = deps,
		      .n_deps = n,
		      .uses = uses,
		      .n_uses = data[0] & 32 ? n : 0,
		      .deps_are_complete = (data[0] & 8) != 0,
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
