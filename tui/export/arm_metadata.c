/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/export/arm_metadata.h"

#include <endian.h>
#include <stdlib.h>
#include <string.h>

#include "parser/mem.h"
#include "tui/export/export_text.h"

struct arm_submit {
	uint64_t queue, at_ns;
	size_t first; /* of its workloads, which end where the next's begin */
};

struct arm_kept {
	uint64_t tag, submit;
	uint64_t newest; /* submitID up to here: they count up */
	struct workload_info info;
	size_t labels, labels_len; /* where in the frame's */
};

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

void
arm_frame_free(struct arm_frame *f)
{
	free(f->submits);
	free(f->workloads);
	text_free(&f->labels);
	*f = (struct arm_frame){0};
}

void
arm_frame_submit(struct arm_frame *f, uint64_t queue, uint64_t now_ns)
{
	f->submits = mem_grow(
	    f->submits, f->n_submits, &f->cap_submits, sizeof(*f->submits));
	f->submits[f->n_submits++] = (struct arm_submit){
	    queue, now_ns, f->n_workloads};
}

void
arm_frame_workload(struct arm_frame *f, const struct arm_workload *w)
{
	size_t n = f->n_workloads;
	uint64_t before = n > 0 ? f->workloads[n - 1].newest : 0;

	f->workloads = mem_grow(
	    f->workloads, n, &f->cap_workloads, sizeof(*f->workloads));
	f->workloads[f->n_workloads++] = (struct arm_kept){
	    .tag = w->tag,
	    .submit = w->submit,
	    .newest = w->submit > before ? w->submit : before,
	    .info = w->info,
	    .labels = f->labels.len,
	    .labels_len = w->labels_len,
	};
	text_add(&f->labels, w->labels, w->labels_len);
}

/* How many were there before anything newer than this. */
static size_t
count_up_to(const struct arm_frame *f, uint64_t submit)
{
	size_t low = 0, high = f->n_workloads;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (f->workloads[middle].newest <= submit)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

struct workload_info *
arm_frame_find(struct arm_frame *f, uint64_t tag, uint64_t submit)
{
	size_t i = submit != 0 ? count_up_to(f, submit) : 0;

	for (; i > 0 && f->workloads[i - 1].newest == submit; i--) {
		struct arm_kept *w = &f->workloads[i - 1];

		if (w->tag == tag && w->submit == submit)
			return &w->info;
	}
	return NULL;
}

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
	export_number(t, n);
}

static void
put_string(struct text *t, const char *key, const char *s)
{
	put_key(t, key);
	export_json_string(t, s, true);
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

/* Colours, what they are resolved into, then depth and stencil. */
static unsigned
rank(const struct attachment *a)
{
	if (a->binding < ATTACHMENT_DEPTH)
		return a->binding + (a->resolve ? ATTACHMENT_DEPTH : 0u);
	return 2u * a->binding + a->resolve;
}

static void
put_attachments(struct text *t, const struct workload_info *info)
{
	bool any = false;

	put_key(t, "attachments");
	text_addc(t, '[');
	for (unsigned r = 0; r < 2u * N_ATTACHMENT_BINDINGS; r++)
		for (unsigned i = 0; i < info->n_attachments; i++)
			if (rank(&info->attachments[i]) == r) {
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
	export_json_ascii(t, json, len);
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
		put_submit(t, f, &f->submits[i],
		    i + 1 < f->n_submits ? f->submits[i + 1].first
					 : f->n_workloads);
	}
	text_adds(t, "]}");
}

static void
clear(struct arm_frame *f)
{
	f->n_submits = f->n_workloads = 0;
	text_clear(&f->labels);
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
	clear(f);
	return fits;
}
