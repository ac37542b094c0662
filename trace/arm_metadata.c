/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "trace/arm_metadata.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"

/* Keys of the numbers of each type, in the order of the file. */
static const struct {
	const char *sizes[3];
	const char *amount;
} keys[N_WORKLOAD_TYPES] = {
    [WORKLOAD_RENDERPASS] = {.sizes = {"width", "height"}},
    [WORKLOAD_DISPATCH] = {.sizes = {"xGroups", "yGroups", "zGroups"}},
    [WORKLOAD_TRACERAYS] = {.sizes = {"xItems", "yItems", "zItems"}},
    [WORKLOAD_BUFFER_TRANSFER] = {.amount = "byteCount"},
    [WORKLOAD_IMAGE_TRANSFER] = {.amount = "pixelCount"},
};

static void
put_key(struct text *t, const char *key)
{
	if (t->data[t->len - 1] != '{')
		text_addc(t, ',');
	text_addc(t, '"');
	text_adds(t, key);
	text_adds(t, "\":");
}

static void
put_number(struct text *t, const char *key, int64_t n)
{
	put_key(t, key);
	text_add_number(t, n);
}

static void
put_string(struct text *t, const char *key, const char *s)
{
	put_key(t, key);
	json_add_string(t, s, strlen(s), true);
}

static void
put_bool(struct text *t, const char *key, bool yes)
{
	put_key(t, key);
	text_adds(t, yes ? "true" : "false");
}

/* What is resolved into is written, whatever was there before. */
static void
put_attachment(struct text *t, const struct attachment *a)
{
	text_addc(t, '{');
	put_string(t, "binding", binding_name(a->binding));
	put_bool(t, "load", a->load == LOAD_LOAD && !a->resolve);
	put_bool(t, "store", a->store == STORE_STORE || a->resolve);
	put_bool(t, "resolve", a->resolve);
	text_addc(t, '}');
}

static void
put_attachments(struct text *t, const struct workload_info *info)
{
	bool any = false;

	put_key(t, "attachments");
	text_addc(t, '[');
	for (unsigned r = 0; r < ATTACHMENT_RANKS; r++)
		for (unsigned i = 0; i < info->n_attachments; i++)
			if (attachment_rank(&info->attachments[i]) == r) {
				text_adds(t, any ? "," : "");
				put_attachment(t, &info->attachments[i]);
				any = true;
			}
	text_addc(t, ']');
}

/* An array of strings, of UTF-8, as ASCII. */
static void
put_labels(struct text *t, const char *json, size_t len)
{
	put_key(t, "label");
	if (len == 0)
		text_adds(t, "[]");
	json_add_ascii(t, json, len);
}

static const char *
subtype(const struct workload_info *info)
{
	const char *name = transfer_name(info->transfer);

	return name != NULL ? name : "Unknown";
}

static void
put_workload(
    struct text *t, const struct arm_frame *f, const struct arm_kept *w)
{
	const struct workload_info *info = &w->info;
	bool pass = info->type == WORKLOAD_RENDERPASS;

	text_addc(t, '{');
	put_string(t, "type", workload_type_name(info->type));
	put_number(t, "tid", (int64_t)w->tag);
	for (unsigned i = 0; i < 3 && keys[info->type].sizes[i]; i++)
		put_number(t, keys[info->type].sizes[i], info->size[i]);
	if (keys[info->type].amount != NULL) {
		put_string(t, "subtype", subtype(info));
		put_number(t, keys[info->type].amount, info->amount);
	}
	if (pass) {
		put_number(t, "drawCallCount", info->draws);
		put_number(t, "subpassCount", info->subpasses);
	}
	put_labels(t, text_str(&f->labels) + w->labels, w->labels_len);
	if (pass)
		put_attachments(t, info);
	text_addc(t, '}');
}

/* The workloads of a submit, first to end. */
static void
put_submit(struct text *t, const struct arm_frame *f,
    const struct arm_submit *s, size_t end)
{
	text_addc(t, '{');
	put_number(t, "device", (int64_t)f->device);
	put_number(t, "queue", (int64_t)s->queue);
	put_number(t, "timestamp", (int64_t)s->at_ns);
	put_key(t, "workloads");
	text_addc(t, '[');
	for (size_t i = s->first; i < end; i++) {
		text_adds(t, i > s->first ? "," : "");
		put_workload(t, f, &f->workloads[i]);
	}
	text_adds(t, "]}");
}

static void
put_frame(
    struct text *t, const struct arm_frame *f, uint64_t number, uint64_t now_ns)
{
	text_addc(t, '{');
	put_number(t, "device", (int64_t)f->device);
	put_number(t, "frame", (int64_t)number);
	put_number(t, "presentTimestamp", (int64_t)now_ns);
	put_key(t, "submits");
	text_addc(t, '[');
	for (size_t i = 0; i < f->n_submits; i++) {
		text_adds(t, i > 0 ? "," : "");
		put_submit(t, f, &f->submits[i], arm_submit_end(f, i));
	}
	text_adds(t, "]}");
}

/* Each record goes to the sink at once, so that what is written are whole
 * ones. */
bool
arm_frame_write(
    struct arm_frame *f, struct sink *out, uint64_t number, uint64_t now_ns)
{
	struct text record = {0};
	uint32_t len;
	bool fits;

	text_add(&record, "\0\0\0\0", sizeof(len));
	put_frame(&record, f, number, now_ns);
	fits = record.len - sizeof(len) <= UINT32_MAX;
	len = htole32((uint32_t)(record.len - sizeof(len)));
	memcpy(record.data, &len, sizeof(len));
	if (fits)
		sink_add(out, record.data, record.len);
	text_free(&record);
	arm_frame_clear(f);
	return fits;
}
