/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Records the annotations of a batch, as if an application made the calls that
 * they stand for.
 */
#include <string.h>

#include "base/text.h"
#include "layerstream/record.h"

struct recorder {
	struct command_buffer *primary;
	struct command_buffer *now; /* points to primary or a secondary */
	/* Each is within the one before it. */
	struct {
		struct command_buffer cb;
		uint32_t times; /* executions in the one around it */
		uint32_t total; /* in the batch */
	} secondaries[ANNOTATION_NESTED_MAX];
	size_t n, n_ignored; /* that were begun */
	uint32_t weight;     /* of the next workload; 0: default */
};

static const struct {
	enum workload_type type;
	enum transfer transfer;
} workloads_of[N_ANNOTATION_KINDS] = {
    [ANNOTATION_RENDERPASS] = {WORKLOAD_RENDERPASS, TRANSFER_NONE},
    [ANNOTATION_DISPATCH] = {WORKLOAD_DISPATCH, TRANSFER_NONE},
    [ANNOTATION_TRACERAYS] = {WORKLOAD_TRACERAYS, TRANSFER_NONE},
    [ANNOTATION_COPYBUFFER] = {WORKLOAD_BUFFER_TRANSFER, TRANSFER_COPY_BUFFER},
    [ANNOTATION_FILLBUFFER] = {WORKLOAD_BUFFER_TRANSFER, TRANSFER_FILL_BUFFER},
    [ANNOTATION_COPYIMAGE] = {WORKLOAD_IMAGE_TRANSFER, TRANSFER_COPY_IMAGE},
    [ANNOTATION_CLEARIMAGE] = {WORKLOAD_IMAGE_TRANSFER, TRANSFER_CLEAR_IMAGE},
    [ANNOTATION_BLITIMAGE] = {WORKLOAD_IMAGE_TRANSFER, TRANSFER_BLIT_IMAGE},
    [ANNOTATION_RESOLVEIMAGE] = {WORKLOAD_IMAGE_TRANSFER,
	TRANSFER_RESOLVE_IMAGE},
    [ANNOTATION_MIPMAPS] = {WORKLOAD_IMAGE_TRANSFER, TRANSFER_MIPMAPS},
    [ANNOTATION_BUFFERTOIMAGE] = {WORKLOAD_IMAGE_TRANSFER,
	TRANSFER_BUFFER_TO_IMAGE},
    [ANNOTATION_IMAGETOBUFFER] = {WORKLOAD_IMAGE_TRANSFER,
	TRANSFER_IMAGE_TO_BUFFER},
    [ANNOTATION_MEMORYTOIMAGE] = {WORKLOAD_IMAGE_TRANSFER,
	TRANSFER_MEMORY_TO_IMAGE},
    [ANNOTATION_COPYMEMORY] = {WORKLOAD_BUFFER_TRANSFER, TRANSFER_COPY_MEMORY},
    [ANNOTATION_COPYTENSOR] = {WORKLOAD_BUFFER_TRANSFER, TRANSFER_COPY_TENSOR},
    [ANNOTATION_COPYQUERY] = {WORKLOAD_BUFFER_TRANSFER, TRANSFER_COPY_QUERY},
    [ANNOTATION_ASCOPY] = {WORKLOAD_STRUCTURE_TRANSFER, TRANSFER_STRUCTURE},
    [ANNOTATION_ASTOMEMORY] = {WORKLOAD_STRUCTURE_TRANSFER,
	TRANSFER_STRUCTURE_TO_MEMORY},
    [ANNOTATION_MEMORYTOAS] = {WORKLOAD_STRUCTURE_TRANSFER,
	TRANSFER_MEMORY_TO_STRUCTURE},
    [ANNOTATION_MICROMAPCOPY] = {WORKLOAD_STRUCTURE_TRANSFER,
	TRANSFER_MICROMAP},
    [ANNOTATION_MICROMAPTOMEMORY] = {WORKLOAD_STRUCTURE_TRANSFER,
	TRANSFER_MICROMAP_TO_MEMORY},
    [ANNOTATION_MEMORYTOMICROMAP] = {WORKLOAD_STRUCTURE_TRANSFER,
	TRANSFER_MEMORY_TO_MICROMAP},
    [ANNOTATION_ASBUILD] = {WORKLOAD_STRUCTURE_BUILD, TRANSFER_FAST_BUILD},
    [ANNOTATION_DATAGRAPH] = {WORKLOAD_DATA_GRAPH, TRANSFER_NONE},
};

static void
do_push(struct recorder *r, const struct annotation *a)
{
	struct text label = {0};

	annotation_label(a, &label);
	record_label_push(r->now, text_str(&label), label.len);
	text_free(&label);
}

static void
do_pop(struct recorder *r, const struct annotation *a)
{
	(void)a;
	record_label_pop(r->now);
}

static void
do_renderpass(struct recorder *r, const struct annotation *a,
    const struct workload_info *info)
{
	if (a->resume)
		record_renderpass_resume(r->now, info);
	else
		record_renderpass_begin(r->now, info);
	record_renderpass_end(r->now, a->suspend);
}

static void
do_workload(struct recorder *r, const struct annotation *a)
{
	struct workload_info info = {.type = workloads_of[a->kind].type,
	    .transfer = workloads_of[a->kind].transfer,
	    .amount = a->amount,
	    .draws = a->draws,
	    .subpasses = a->subpasses,
	    .indirect = a->indirect,
	    .update = a->update,
	    .weight = a->weight ? a->weight : r->weight,
	    .n_attachments = a->n_attachments};

	r->weight = 0;
	if (a->fast_trace)
		info.transfer = TRANSFER_FAST_TRACE;
	memcpy(info.size, a->size, sizeof(info.size));
	memcpy(info.local, a->local, sizeof(info.local));
	if (a->n_attachments > 0)
		memcpy(info.attachments, a->attachments,
		    a->n_attachments * sizeof(*a->attachments));
	if (info.type == WORKLOAD_RENDERPASS)
		do_renderpass(r, a, &info);
	else
		record_workload(r->now, &info);
}

static void
do_secondary_begin(struct recorder *r, const struct annotation *a)
{
	uint32_t total = a->times;

	if (r->n > 0)
		total *= r->secondaries[r->n - 1].total;
	if (r->n_ignored > 0 || r->n == ANNOTATION_NESTED_MAX ||
	    total > ANNOTATION_TIMES_MAX) {
		r->n_ignored++;
		debug_report_say(r->primary->report,
		    "a secondary begins within too many others: ignored (at most "
		    "%d, which are executed %d times in all)",
		    ANNOTATION_NESTED_MAX, ANNOTATION_TIMES_MAX);
		return;
	}
	r->secondaries[r->n].times = a->times;
	r->secondaries[r->n].total = total;
	r->now = &r->secondaries[r->n++].cb;
	command_buffer_init(r->now, r->primary->tags, r->primary->report);
	command_buffer_begin(r->now, 0);
}

static void
do_secondary_end(struct recorder *r, const struct annotation *a)
{
	struct command_buffer *ended = r->now;

	(void)a;
	if (r->n_ignored > 0) {
		r->n_ignored--;
		return;
	}
	if (r->n == 0) {
		debug_report_say(r->primary->report,
		    "the end of a secondary command buffer that was not begun: "
		    "ignored");
		return;
	}
	command_buffer_end(ended);
	r->n--;
	r->now = r->n > 0 ? &r->secondaries[r->n - 1].cb : r->primary;
	for (uint32_t i = 0; i < r->secondaries[r->n].times; i++)
		record_execute(r->now, ended);
	command_buffer_free(ended);
}

static void
do_weight(struct recorder *r, const struct annotation *a)
{
	r->weight = a->weight;
}

/* Record annotations other than workloads. */
static void (*const actions[N_ANNOTATION_KINDS])(
    struct recorder *r, const struct annotation *a) = {
    [ANNOTATION_LABEL_PUSH] = do_push,
    [ANNOTATION_LABEL_POP] = do_pop,
    [ANNOTATION_SECONDARY_BEGIN] = do_secondary_begin,
    [ANNOTATION_SECONDARY_END] = do_secondary_end,
    [ANNOTATION_WEIGHT] = do_weight,
};

static void
do_default(struct recorder *r, enum record_default otherwise)
{
	static const enum annotation_kind kinds[] = {
	    [RECORD_RENDERPASS] = ANNOTATION_RENDERPASS,
	    [RECORD_DISPATCH] = ANNOTATION_DISPATCH,
	    [RECORD_BUFFER_TRANSFER] = ANNOTATION_COPYBUFFER,
	};
	struct annotation a = {.size = {ANNOTATION_UNKNOWN, ANNOTATION_UNKNOWN,
				   ANNOTATION_UNKNOWN},
	    .amount = ANNOTATION_UNKNOWN,
	    .draws = ANNOTATION_UNKNOWN,
	    .subpasses = 1};

	if (otherwise == RECORD_NOTHING)
		return;
	a.kind = kinds[otherwise];
	do_workload(r, &a);
}

/*
 * The index before which the default workload is recorded; n + 1: it is not. It
 * is in no secondary, which may be executed more than once. A weight holds for
 * it too.
 */
static size_t
default_place(const struct annotation *list, size_t n)
{
	size_t place = n;
	bool pushed = false;
	size_t depth = 0; /* of secondaries */

	for (size_t i = 0; i < n; i++) {
		if (annotation_is_workload(list[i].kind))
			return n + 1;
		if (list[i].kind == ANNOTATION_SECONDARY_BEGIN)
			depth++;
		else if (list[i].kind == ANNOTATION_SECONDARY_END && depth > 0)
			depth--;
		if (depth > 0)
			continue;
		if (list[i].kind == ANNOTATION_LABEL_PUSH) {
			pushed = true;
			place = n;
		} else if (list[i].kind == ANNOTATION_LABEL_POP && pushed &&
		    place == n) {
			place = i;
		}
	}
	return place;
}

static unsigned
flags_of(const struct annotation *list, size_t n)
{
	for (size_t i = 0; i < n; i++)
		if (list[i].kind == ANNOTATION_ONCE)
			return RECORD_ONE_TIME_SUBMIT;
	return 0;
}

static void
end_secondary(struct recorder *r)
{
	r->n_ignored = 0;
	if (r->n == 0)
		return;
	debug_report_say(r->primary->report,
	    "a secondary command buffer is not ended: it ends with its batch "
	    "(add #@ secondary end)");
	while (r->n > 0)
		do_secondary_end(r, NULL);
}

static void
finish_recorder(struct recorder *r)
{
	if (r->weight)
		debug_report_say(r->primary->report,
		    "no workload follows weight=%u: ignored", r->weight);
	command_buffer_end(r->primary);
}

void
record_annotations(struct command_buffer *cb, const struct annotation *list,
    size_t n, enum record_default otherwise)
{
	struct recorder r = {.primary = cb, .now = cb};
	size_t place = default_place(list, n);

	command_buffer_begin(cb, flags_of(list, n));
	for (size_t i = 0; i < n; i++) {
		if (i == place)
			do_default(&r, otherwise);
		if (annotation_is_workload(list[i].kind))
			do_workload(&r, &list[i]);
		else if (actions[list[i].kind])
			actions[list[i].kind](&r, &list[i]);
	}
	end_secondary(&r);
	if (place == n)
		do_default(&r, otherwise);
	finish_recorder(&r);
}
