/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Workloads: names of what they are, the metadata message that is built when
 * one is recorded (compact JSON, keys sorted), and a line of text for people.
 */
#include "layerstream/workload.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/json.h"
#include "layerstream/message.h"

static const char *const workload_types[N_WORKLOAD_TYPES] = {
    [WORKLOAD_RENDERPASS] = "renderpass",
    [WORKLOAD_DISPATCH] = "dispatch",
    [WORKLOAD_TRACERAYS] = "tracerays",
    [WORKLOAD_BUFFER_TRANSFER] = "buffertransfer",
    [WORKLOAD_IMAGE_TRANSFER] = "imagetransfer",
    [WORKLOAD_STRUCTURE_BUILD] = "asbuild",
    [WORKLOAD_STRUCTURE_TRANSFER] = "astransfer",
    [WORKLOAD_DATA_GRAPH] = "datagraph",
};

static const char *const transfer_names[N_TRANSFERS] = {
    [TRANSFER_COPY_BUFFER] = "Copy buffer",
    [TRANSFER_FILL_BUFFER] = "Fill buffer",
    [TRANSFER_COPY_IMAGE] = "Copy image",
    [TRANSFER_CLEAR_IMAGE] = "Clear image",
    [TRANSFER_BUFFER_TO_IMAGE] = "Copy buffer to image",
    [TRANSFER_IMAGE_TO_BUFFER] = "Copy image to buffer",
    [TRANSFER_MEMORY_TO_IMAGE] = "Copy memory to image",
    [TRANSFER_BLIT_IMAGE] = "Blit image",
    [TRANSFER_RESOLVE_IMAGE] = "Resolve image",
    [TRANSFER_MIPMAPS] = "Generate mipmap",
    [TRANSFER_COPY_MEMORY] = "Copy memory",
    [TRANSFER_COPY_TENSOR] = "Copy tensor",
    [TRANSFER_COPY_QUERY] = "Copy query",
    [TRANSFER_STRUCTURE] = "Copy acceleration structure",
    [TRANSFER_STRUCTURE_TO_MEMORY] = "Copy acceleration structure to memory",
    [TRANSFER_MEMORY_TO_STRUCTURE] = "Copy memory to acceleration structure",
    [TRANSFER_MICROMAP] = "Copy micromap",
    [TRANSFER_MICROMAP_TO_MEMORY] = "Copy micromap to memory",
    [TRANSFER_MEMORY_TO_MICROMAP] = "Copy memory to micromap",
    [TRANSFER_FAST_BUILD] = "Fast build",
    [TRANSFER_FAST_TRACE] = "Fast trace",
};

static const char *const binding_names[N_ATTACHMENT_BINDINGS] = {
    "C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "D", "S"};

const char *
workload_type_name(enum workload_type type)
{
	return workload_types[type];
}

const char *
transfer_name(enum transfer transfer)
{
	return transfer_names[transfer];
}

const char *
binding_name(unsigned binding)
{
	return binding_names[binding];
}

unsigned
attachment_rank(const struct attachment *a)
{
	if (a->binding < ATTACHMENT_DEPTH)
		return a->binding + (a->resolve ? ATTACHMENT_DEPTH : 0u);
	return 2u * a->binding + (a->resolve ? 1u : 0u);
}

/* Sets items to groups times group size, or to the rays. False if a number is
 * unknown or too large, or the workload has no items. */
static bool
workload_items(const struct workload_info *info, int64_t items[3])
{
	bool groups = info->type == WORKLOAD_DISPATCH;

	if (!groups && info->type != WORKLOAD_TRACERAYS)
		return false;
	for (unsigned i = 0; i < 3; i++) {
		int64_t each = groups ? info->local[i] : 1;

		if (info->size[i] < 0 || each == 0 ||
		    __builtin_mul_overflow(info->size[i], each, &items[i]))
			return false;
	}
	return true;
}

static void
add_tag_and_type(struct json *j, const struct layer_workload *w)
{
	json_unsigned(j, "tid", w->tag);
	json_name(j, "type", workload_type_name(w->info.type));
}

static void
add_attachment(struct json *j, const struct attachment *a)
{
	json_puts(j, j->data[j->len - 1] == '}' ? ",{" : "{");
	json_name(j, "binding", binding_name(a->binding));
	if (a->load == LOAD_LOAD && !a->resolve)
		json_puts(j, ",\"load\":true");
	if (a->resolve)
		json_puts(j, ",\"resolve\":true");
	if (a->store != STORE_STORE)
		json_puts(j, ",\"store\":false");
	json_puts(j, "}");
}

static void
add_attachments(struct json *j, const struct workload_info *info)
{
	unsigned ranks = info->n_attachments ? ATTACHMENT_RANKS : 0;

	json_key(j, "attachments");
	json_puts(j, "[");
	for (unsigned rank = 0; rank < ranks; rank++)
		for (unsigned i = 0; i < info->n_attachments; i++)
			if (attachment_rank(&info->attachments[i]) == rank)
				add_attachment(j, &info->attachments[i]);
	json_puts(j, "]");
}

static void
add_renderpass(struct json *j, struct layer_workload *w)
{
	const struct workload_info *info = &w->info;

	add_attachments(j, info);
	json_key(j, "drawCallCount");
	w->draws_at = MESSAGE_HEADER + j->len;
	json_put_number(j, w->split ? WORKLOAD_UNKNOWN : info->draws);
	w->draws_len = MESSAGE_HEADER + j->len - w->draws_at;
	json_number(j, "height", info->size[1]);
	if (info->subpasses != 1)
		json_number(j, "subpassCount", info->subpasses);
	add_tag_and_type(j, w);
	json_number(j, "width", info->size[0]);
}

/* Adds groups, and items if they are known; or rays, which are items. */
static void
add_grid_sizes(struct json *j, const struct workload_info *info)
{
	static const char *const names[3][2] = {{"xGroups", "xItems"},
	    {"yGroups", "yItems"}, {"zGroups", "zItems"}};
	int64_t items[3];
	bool known = workload_items(info, items);

	for (unsigned i = 0; i < 3; i++) {
		if (info->type == WORKLOAD_DISPATCH)
			json_number(j, names[i][0], info->size[i]);
		if (info->type == WORKLOAD_TRACERAYS || known)
			json_number(
			    j, names[i][1], known ? items[i] : info->size[i]);
	}
}

/* Keys are sorted: indirect, tid, type, then x, y, z. */
static void
add_grid(struct json *j, const struct layer_workload *w)
{
	struct workload_info info = w->info;

	if (info.indirect) {
		json_puts(j, "\"indirect\":true");
		for (unsigned i = 0; i < 3; i++)
			info.size[i] = WORKLOAD_UNKNOWN;
	}
	add_tag_and_type(j, w);
	add_grid_sizes(j, &info);
}

static void
add_transfer(struct json *j, const struct layer_workload *w)
{
	static const char *const amounts[N_WORKLOAD_TYPES] = {
	    [WORKLOAD_BUFFER_TRANSFER] = "byteCount",
	    [WORKLOAD_IMAGE_TRANSFER] = "pixelCount",
	    [WORKLOAD_STRUCTURE_BUILD] = "primitiveCount",
	    [WORKLOAD_STRUCTURE_TRANSFER] = "byteCount",
	};

	json_number(j, amounts[w->info.type], w->info.amount);
	json_name(j, "subtype", transfer_name(w->info.transfer));
	add_tag_and_type(j, w);
}

static void
add_metadata(struct json *j, struct layer_workload *w)
{
	json_puts(j, "{");
	switch (w->info.type) {
	case WORKLOAD_RENDERPASS: add_renderpass(j, w); break;
	case WORKLOAD_DISPATCH:
	case WORKLOAD_TRACERAYS: add_grid(j, w); break;
	case WORKLOAD_DATA_GRAPH: add_tag_and_type(j, w); break;
	default: add_transfer(j, w);
	}
	json_puts(j, "}");
}

/* Adds what becomes known when an indirect workload has run. */
static void
add_resolved(struct json *j, const struct layer_workload *w)
{
	if (!w->info.indirect)
		return;
	json_puts(j, "{");
	add_grid_sizes(j, &w->info);
	json_puts(j, "}");
}

void
workload_build_message(struct layer_workload *w)
{
	struct json j;
	uint32_t len;
	uint8_t *at;

	j.len = 0;
	add_metadata(&j, w);
	len = j.len;
	add_resolved(&j, w);
	w->bytes = MESSAGE_HEADER + len;
	w->resolved = j.len - len;
	free(w->message);
	w->message = mem_realloc(NULL, MESSAGE_HEADER + j.len, 1);
	at = message_header(
	    w->message, MESSAGE_WORKLOAD, false, 0, w->tag, len);
	memcpy(at, j.data, j.len);
}

/* Adds the strings of a JSON array, each with " > " behind it. Only the escapes
 * of quotes and backslashes are undone. */
static void
describe_labels(const char *json, struct text *out)
{
	bool inside = false;

	for (; *json != '\0'; json++) {
		if (*json == '"') {
			inside = !inside;
			if (!inside)
				text_adds(out, " > ");
		} else if (inside) {
			if (*json == '\\' &&
			    (json[1] == '"' || json[1] == '\\'))
				json++;
			text_addc(out, *json);
		}
	}
}

static void
describe_size(const int64_t *size, unsigned n, struct text *out)
{
	for (unsigned i = 0; i < n; i++) {
		text_addc(out, i == 0 ? ' ' : 'x');
		if (size[i] < 0)
			text_addc(out, '?');
		else
			text_addf(out, "%" PRId64, size[i]);
	}
}

static void
describe_amount(int64_t amount, const char *unit, struct text *out)
{
	if (amount == WORKLOAD_WHOLE)
		text_adds(out, " whole");
	else if (amount >= 0)
		text_addf(out, " %" PRId64 " %s", amount, unit);
}

static void
describe_workload(const struct workload_info *info, struct text *out)
{
	static const char *const units[N_WORKLOAD_TYPES] = {
	    [WORKLOAD_BUFFER_TRANSFER] = "bytes",
	    [WORKLOAD_IMAGE_TRANSFER] = "pixels",
	    [WORKLOAD_STRUCTURE_BUILD] = "primitives",
	    [WORKLOAD_STRUCTURE_TRANSFER] = "bytes",
	};
	const bool pass = info->type == WORKLOAD_RENDERPASS;

	if (info->type == WORKLOAD_STRUCTURE_BUILD)
		text_adds(out,
		    info->update ? "Acceleration structure: update, "
				 : "Acceleration structure: ");
	if (info->transfer != TRANSFER_NONE) {
		text_adds(out, transfer_name(info->transfer));
		describe_amount(info->amount, units[info->type], out);
		return;
	}
	text_adds(out, workload_type_name(info->type));
	if (info->size[0] >= 0 && info->type != WORKLOAD_DATA_GRAPH)
		describe_size(info->size, pass ? 2 : 3, out);
	if (pass && info->draws >= 0)
		text_addf(out, " %" PRId64 " %s", info->draws,
		    info->draws == 1 ? "draw" : "draws");
}

void
workload_describe(
    const struct workload_info *info, const char *labels, struct text *out)
{
	describe_labels(labels, out);
	describe_workload(info, out);
}
