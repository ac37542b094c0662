/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * --arm-metadata: the file that Arm's viewer reads beside a Perfetto trace. For
 * each frame a length and JSON with all keys that the viewer asks for
 * (doc/layer.md "Arm's metadata file").
 */
#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "base/mem.h"
#include "base/util.h"
#include "trace/arm_frames.h"
#include "trace/outputs.h"
#include "trace/sink.h"

/* Keys of the numbers of each type, in the order of the file. */
static const struct {
	const char *sizes[3];
	const char *amount;
} size_keys[N_WORKLOAD_TYPES] = {
    [WORKLOAD_RENDERPASS] = {.sizes = {"width", "height"}},
    [WORKLOAD_DISPATCH] = {.sizes = {"xGroups", "yGroups", "zGroups"}},
    [WORKLOAD_TRACERAYS] = {.sizes = {"xItems", "yItems", "zItems"}},
    [WORKLOAD_BUFFER_TRANSFER] = {.amount = "byteCount"},
    [WORKLOAD_IMAGE_TRANSFER] = {.amount = "pixelCount"},
    [WORKLOAD_STRUCTURE_BUILD] = {.amount = "primitiveCount"},
    [WORKLOAD_STRUCTURE_TRANSFER] = {.amount = "byteCount"},
};

static void
arm_number(struct text *t, const char *key, int64_t n)
{
	json_add_key(t, key);
	text_add_number(t, n);
}

static void
arm_string(struct text *t, const char *key, const char *s)
{
	json_add_key(t, key);
	json_add_string(t, s, strlen(s), true);
}

static void
arm_bool(struct text *t, const char *key, bool yes)
{
	json_add_key(t, key);
	text_adds(t, yes ? "true" : "false");
}

/* The target of a resolve is stored, and its old contents are not loaded. */
static void
arm_attachment(struct text *t, const struct attachment *a)
{
	text_addc(t, '{');
	arm_string(t, "binding", binding_name(a->binding));
	arm_bool(t, "load", a->load == LOAD_LOAD && !a->resolve);
	arm_bool(t, "store", a->store == STORE_STORE || a->resolve);
	arm_bool(t, "resolve", a->resolve);
	text_addc(t, '}');
}

static void
arm_attachments(struct text *t, const struct workload_info *info)
{
	bool any = false;

	json_add_key(t, "attachments");
	text_addc(t, '[');
	for (unsigned r = 0; r < ATTACHMENT_RANKS; r++)
		for (unsigned i = 0; i < info->n_attachments; i++)
			if (attachment_rank(&info->attachments[i]) == r) {
				text_adds(t, any ? "," : "");
				arm_attachment(t, &info->attachments[i]);
				any = true;
			}
	text_addc(t, ']');
}

/* json is an array of UTF-8 strings; the file has ASCII. */
static void
arm_labels(struct text *t, const char *json, size_t len)
{
	json_add_key(t, "label");
	if (len == 0)
		text_adds(t, "[]");
	json_add_ascii(t, json, len);
}

/* Writes the labels of a data graph, and one that says so. */
static void
arm_graph_labels(struct text *t, const char *json, size_t len)
{
	json_add_key(t, "label");
	if (len > 2)
		json_add_ascii(t, json, len - 1);
	text_adds(t, len > 2 ? ",\"data graph\"]" : "[\"data graph\"]");
}

static const char *
arm_subtype(const struct workload_info *info)
{
	const char *name = transfer_name(info->transfer);

	return name != NULL ? name : "Unknown";
}

/* A data graph is a dispatch of unknown size: the viewer refuses other types. */
static void
arm_put_graph(
    struct text *t, const struct arm_frame *f, const struct arm_kept *w)
{
	text_addc(t, '{');
	arm_string(t, "type", workload_type_name(WORKLOAD_DISPATCH));
	arm_number(t, "tid", (int64_t)w->execution);
	for (unsigned i = 0; i < 3; i++)
		arm_number(
		    t, size_keys[WORKLOAD_DISPATCH].sizes[i], WORKLOAD_UNKNOWN);
	arm_graph_labels(t, text_str(&f->labels) + w->labels, w->labels_len);
	text_addc(t, '}');
}

static void
arm_put_workload(
    struct text *t, const struct arm_frame *f, const struct arm_kept *w)
{
	const struct workload_info *info = &w->info;
	bool pass = info->type == WORKLOAD_RENDERPASS;

	text_addc(t, '{');
	arm_string(t, "type", workload_type_name(info->type));
	arm_number(t, "tid", (int64_t)w->execution);
	for (unsigned i = 0; i < 3 && size_keys[info->type].sizes[i]; i++)
		arm_number(t, size_keys[info->type].sizes[i], info->size[i]);
	if (size_keys[info->type].amount != NULL) {
		arm_string(t, "subtype", arm_subtype(info));
		arm_number(t, size_keys[info->type].amount, info->amount);
	}
	if (pass) {
		arm_number(t, "drawCallCount", info->draws);
		arm_number(t, "subpassCount", info->subpasses);
	}
	arm_labels(t, text_str(&f->labels) + w->labels, w->labels_len);
	if (pass)
		arm_attachments(t, info);
	text_addc(t, '}');
}

/* The workloads of a submit, first to end. */
static void
arm_put_submit(struct text *t, const struct arm_frame *f,
    const struct arm_submit *s, size_t end)
{
	text_addc(t, '{');
	arm_number(t, "device", (int64_t)f->device);
	arm_number(t, "queue", (int64_t)s->queue);
	arm_number(t, "timestamp", (int64_t)s->at_ns);
	json_add_key(t, "workloads");
	text_addc(t, '[');
	for (size_t i = s->first; i < end; i++) {
		text_adds(t, i > s->first ? "," : "");
		if (f->workloads[i].info.type == WORKLOAD_DATA_GRAPH)
			arm_put_graph(t, f, &f->workloads[i]);
		else
			arm_put_workload(t, f, &f->workloads[i]);
	}
	text_adds(t, "]}");
}

static void
arm_put_frame(
    struct text *t, const struct arm_frame *f, uint64_t number, uint64_t now_ns)
{
	text_addc(t, '{');
	arm_number(t, "device", (int64_t)f->device);
	arm_number(t, "frame", (int64_t)number);
	arm_number(t, "presentTimestamp", (int64_t)now_ns);
	json_add_key(t, "submits");
	text_addc(t, '[');
	for (size_t i = 0; i < f->n_submits; i++) {
		text_adds(t, i > 0 ? "," : "");
		arm_put_submit(t, f, &f->submits[i], arm_submit_end(f, i));
	}
	text_adds(t, "]}");
}

/* Adds a record to the sink at once, so that only whole ones are written. */
bool
arm_frame_write(
    struct arm_frame *f, struct sink *out, uint64_t number, uint64_t now_ns)
{
	struct text record = {0};
	uint32_t len;
	bool fits;

	text_add(&record, "\0\0\0\0", sizeof(len));
	arm_put_frame(&record, f, number, now_ns);
	fits = record.len - sizeof(len) <= UINT32_MAX;
	len = htole32((uint32_t)(record.len - sizeof(len)));
	memcpy(record.data, &len, sizeof(len));
	if (fits)
		sink_add(out, record.data, record.len);
	text_free(&record);
	arm_frame_clear(f);
	return fits;
}

/* Frames, as they are complete, into a file. */
struct arm_file {
	struct output output;
	struct arm_frames frames;
	struct layer *layer; /* NULL: none is listened to */
	struct sink sink;
};

static void
write_frame(struct arm_frames *frames, struct arm_frame *frame, uint64_t number,
    nsec at)
{
	struct arm_file *f = container_of(frames, struct arm_file, frames);

	arm_frame_write(frame, &f->sink, number, at);
}

static struct output *
arm_file_open(const struct output_target *target, struct text *err)
{
	struct arm_file *f = mem_calloc(1, sizeof(*f));

	(void)err;
	f->frames.over = write_frame;
	sink_init(&f->sink, target->fd, NULL);
	f->output.sink = &f->sink;
	return &f->output;
}

static void
arm_file_watch(struct output *o, const struct output_launch *launch)
{
	struct arm_file *f = (struct arm_file *)o;

	f->layer = launch->layer;
	arm_frames_begin(&f->frames, f->layer, launch->sim);
}

static void
arm_file_leave(struct output *o)
{
	struct arm_file *f = (struct arm_file *)o;

	arm_frames_end(&f->frames, f->layer);
	f->layer = NULL;
}

static int
arm_file_close(struct output *o)
{
	struct arm_file *f = (struct arm_file *)o;
	int error;

	if (f->layer != NULL)
		arm_file_leave(o);
	error = sink_close(&f->sink);
	free(f);
	return error;
}

const struct output_ops output_arm = {
    .option = "--arm-metadata",
    .needs_layer = true,
    .open = arm_file_open,
    .watch = arm_file_watch,
    .leave = arm_file_leave,
    .close = arm_file_close,
};
