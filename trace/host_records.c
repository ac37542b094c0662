/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Arm's frames as records of the GPU timeline service, in protobuf
 * (trace/timeline.proto).
 */
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "layerstream/play.h"
#include "trace/host.h"
#include "trace/timeline.pb-c.h"

#define RECORD_SMALL 1024 /* bytes of nearly all records */

void
host_records_free(struct host_records *r)
{
	text_free(&r->bytes);
	text_free(&r->chars);
	free(r->labels);
	*r = (struct host_records){0};
}

static void
put_record(struct host_records *r, const Timeline__Record *record)
{
	uint8_t head[HOST_HEADER], small[RECORD_SMALL], *bytes = small;
	size_t len = timeline__record__get_packed_size(record);

	if (len > sizeof(small))
		bytes = mem_calloc(len, 1);
	timeline__record__pack(record, bytes);
	host_put_header(head, HOST_SEND, r->endpoint, 0, (uint32_t)len);
	text_add(&r->bytes, (const char *)head, sizeof(head));
	text_add(&r->bytes, (const char *)bytes, len);
	if (bytes != small)
		free(bytes);
}

/* Appends the next string of a JSON array to r->chars, zero terminated. Zeros
 * in it become '?'. */
static bool
read_label(struct host_records *r, const char **at, const char *end)
{
	size_t begin = r->chars.len;

	if (!labels_next(at, end, &r->chars))
		return false;
	for (size_t i = begin; i < r->chars.len; i++)
		if (r->chars.data[i] == '\0')
			r->chars.data[i] = '?';
	text_addc(&r->chars, '\0');
	return true;
}

/* Reads a JSON array of strings into r->labels. */
static void
read_labels(struct host_records *r, const char *json, size_t len)
{
	const char *at = json, *end = json + len;
	size_t n = 0;

	text_clear(&r->chars);
	while (read_label(r, &at, end))
		n++;
	for (r->n_labels = 0; r->n_labels < n;) {
		r->labels = mem_grow(
		    r->labels, r->n_labels, &r->cap_labels, sizeof(char *));
		r->labels[r->n_labels++] = NULL;
	}
	/* r->chars moves no more. */
	for (size_t i = 0, begin = 0; i < n; i++) {
		r->labels[i] = r->chars.data + begin;
		begin += strlen(r->labels[i]) + 1;
	}
}

void
host_records_header(struct host_records *r)
{
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__Header header = TIMELINE__HEADER__INIT;

	record.header = &header;
	put_record(r, &record);
}

void
host_records_device(
    struct host_records *r, uint64_t device, uint32_t process, const char *name)
{
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__Device d = TIMELINE__DEVICE__INIT;
	struct text json = {0};

	json_add_string(&json, name, strlen(name), false);
	read_labels(r, json.data, json.len);
	d.id = device;
	d.process = process;
	d.major = 1;
	d.name = r->labels[0];
	record.device = &d;
	put_record(r, &record);
	text_free(&json);
}

void
host_records_next(
    struct host_records *r, uint64_t device, uint64_t number, uint64_t now_ns)
{
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__Frame frame = TIMELINE__FRAME__INIT;

	frame.number = number;
	frame.device = device;
	frame.timestamp = now_ns;
	record.frame = &frame;
	put_record(r, &record);
}

/* Bytes that Arm's server writes for a submission without a workload:
 * {"device": 1, "queue": 0, "timestamp": 0, "workloads": []} */
#define PADDING_BYTES 58

void
host_records_padding(
    struct host_records *r, uint64_t device, size_t bytes, uint64_t now_ns)
{
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__Submit submit = TIMELINE__SUBMIT__INIT;

	submit.timestamp = now_ns;
	submit.device = device;
	record.submit = &submit;
	for (size_t done = 0; done < bytes; done += PADDING_BYTES)
		put_record(r, &record);
}

/* Appends a label of our own, a string that lives on. */
static void
add_own_label(struct host_records *r, const char *label)
{
	r->labels = mem_grow(
	    r->labels, r->n_labels, &r->cap_labels, sizeof(char *));
	r->labels[r->n_labels++] = (char *)(uintptr_t)label;
}

static uint32_t
known_or_0(int64_t n)
{
	if (n < 0)
		return 0;
	return n > UINT32_MAX ? UINT32_MAX : (uint32_t)n;
}

/* The target of a resolve is stored, and its old contents are not loaded. */
static void
make_attachment(Timeline__Attachment *to, const struct attachment *a)
{
	bool colour = a->binding < ATTACHMENT_DEPTH;

	timeline__attachment__init(to);
	to->type = colour ? 1 : 2u + a->binding - ATTACHMENT_DEPTH;
	to->index = colour ? a->binding : 0;
	to->not_loaded = a->load != LOAD_LOAD || a->resolve;
	to->not_stored = a->store != STORE_STORE && !a->resolve;
	to->resolved = a->resolve;
}

static void
put_pass(struct host_records *r, const struct arm_kept *w)
{
	const struct workload_info *info = &w->info;
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__RenderPass pass = TIMELINE__RENDER_PASS__INIT;
	Timeline__Attachment made[ANNOTATION_ATTACHMENTS];
	Timeline__Attachment *list[ANNOTATION_ATTACHMENTS];

	if (info->size[0] < 0 || info->size[1] < 0)
		add_own_label(r, "size unknown");
	else if (info->draws < 0)
		add_own_label(r, "draws unknown");
	for (unsigned rank = 0; rank < ATTACHMENT_RANKS; rank++)
		for (unsigned i = 0; i < info->n_attachments; i++) {
			const struct attachment *a = &info->attachments[i];

			if (attachment_rank(a) != rank)
				continue;
			make_attachment(&made[pass.n_attachments], a);
			list[pass.n_attachments] = &made[pass.n_attachments];
			pass.n_attachments++;
		}
	pass.attachments = list;
	pass.tag = w->execution;
	pass.width = known_or_0(info->size[0]);
	pass.height = known_or_0(info->size[1]);
	pass.draws = known_or_0(info->draws);
	pass.subpasses = info->subpasses;
	pass.n_labels = r->n_labels;
	pass.labels = r->labels;
	record.render_pass = &pass;
	put_record(r, &record);
}

static void
put_grid(struct host_records *r, const struct arm_kept *w)
{
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__Grid grid = TIMELINE__GRID__INIT;

	grid.tag = w->execution;
	grid.x = w->info.size[0];
	grid.y = w->info.size[1];
	grid.z = w->info.size[2];
	grid.n_labels = r->n_labels;
	grid.labels = r->labels;
	if (w->info.type == WORKLOAD_DISPATCH)
		record.dispatch = &grid;
	else
		record.trace_rays = &grid;
	put_record(r, &record);
}

/* The protocol has a record for it, 13, by which Arm's host ends (doc/layer.md
 * "Arm's records"). */
static void
put_data_graph(struct host_records *r, const struct arm_kept *w)
{
	struct arm_kept dispatch = *w;

	add_own_label(r, "data graph");
	dispatch.info.type = WORKLOAD_DISPATCH;
	for (unsigned i = 0; i < 3; i++)
		dispatch.info.size[i] = WORKLOAD_UNKNOWN;
	put_grid(r, &dispatch);
}

static void
put_transfer(struct host_records *r, const struct arm_kept *w)
{
	static const uint8_t types[N_TRANSFERS] = {
	    [TRANSFER_CLEAR_IMAGE] = 1,
	    [TRANSFER_COPY_IMAGE] = 2,
	    [TRANSFER_BUFFER_TO_IMAGE] = 3,
	    [TRANSFER_IMAGE_TO_BUFFER] = 4,
	    [TRANSFER_MEMORY_TO_IMAGE] = 5,
	    [TRANSFER_BLIT_IMAGE] = 2,
	    [TRANSFER_RESOLVE_IMAGE] = 2,
	    [TRANSFER_MIPMAPS] = 2,
	    [TRANSFER_FILL_BUFFER] = 1,
	    [TRANSFER_COPY_BUFFER] = 2,
	    [TRANSFER_COPY_MEMORY] = 3,
	    [TRANSFER_COPY_TENSOR] = 4,
	    [TRANSFER_COPY_QUERY] = 2,
	    [TRANSFER_STRUCTURE] = 1,
	    [TRANSFER_STRUCTURE_TO_MEMORY] = 2,
	    [TRANSFER_MEMORY_TO_STRUCTURE] = 3,
	    [TRANSFER_MICROMAP] = 4,
	    [TRANSFER_MICROMAP_TO_MEMORY] = 5,
	    [TRANSFER_MEMORY_TO_MICROMAP] = 6,
	    [TRANSFER_FAST_BUILD] = 1,
	    [TRANSFER_FAST_TRACE] = 2,
	};
	Timeline__Record record = TIMELINE__RECORD__INIT;
	Timeline__Transfer transfer = TIMELINE__TRANSFER__INIT;

	transfer.tag = w->execution;
	transfer.amount = w->info.amount;
	transfer.type = types[w->info.transfer];
	transfer.n_labels = r->n_labels;
	transfer.labels = r->labels;
	if (w->info.type == WORKLOAD_IMAGE_TRANSFER)
		record.image_transfer = &transfer;
	else if (w->info.type == WORKLOAD_STRUCTURE_BUILD)
		record.structure_build = &transfer;
	else if (w->info.type == WORKLOAD_STRUCTURE_TRANSFER)
		record.structure_transfer = &transfer;
	else
		record.buffer_transfer = &transfer;
	put_record(r, &record);
}

static void
put_host_workload(
    struct host_records *r, const struct arm_frame *f, const struct arm_kept *w)
{
	static void (*const puts[N_WORKLOAD_TYPES])(
	    struct host_records *, const struct arm_kept *) = {
	    [WORKLOAD_RENDERPASS] = put_pass,
	    [WORKLOAD_DISPATCH] = put_grid,
	    [WORKLOAD_TRACERAYS] = put_grid,
	    [WORKLOAD_BUFFER_TRANSFER] = put_transfer,
	    [WORKLOAD_IMAGE_TRANSFER] = put_transfer,
	    [WORKLOAD_STRUCTURE_BUILD] = put_transfer,
	    [WORKLOAD_STRUCTURE_TRANSFER] = put_transfer,
	    [WORKLOAD_DATA_GRAPH] = put_data_graph,
	};

	read_labels(r, text_str(&f->labels) + w->labels, w->labels_len);
	puts[w->info.type](r, w);
}

void
host_records_frame(struct host_records *r, const struct arm_frame *f)
{
	for (size_t i = 0; i < f->n_submits; i++) {
		const struct arm_submit *s = &f->submits[i];
		Timeline__Record record = TIMELINE__RECORD__INIT;
		Timeline__Submit submit = TIMELINE__SUBMIT__INIT;

		submit.timestamp = s->at_ns;
		submit.device = f->device;
		submit.queue = s->queue;
		record.submit = &submit;
		put_record(r, &record);
		for (size_t k = s->first; k < arm_submit_end(f, i); k++)
			put_host_workload(r, f, &f->workloads[k]);
	}
}
