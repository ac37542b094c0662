/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layerstream/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "layerstream/json.h"
#include "layerstream/message.h"

static void
add_tag(struct json *j, const struct layer_workload *w)
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
	add_tag(j, w);
	json_number(j, "width", info->size[0]);
}

/* Groups, and items where they are known; or rays, which are items. */
static void
add_sizes(struct json *j, const struct workload_info *info)
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

/* Sorted: indirect, tid, type, then x, y, z. */
static void
add_grid(struct json *j, const struct layer_workload *w)
{
	struct workload_info info = w->info;

	if (info.indirect) {
		json_puts(j, "\"indirect\":true");
		for (unsigned i = 0; i < 3; i++)
			info.size[i] = WORKLOAD_UNKNOWN;
	}
	add_tag(j, w);
	add_sizes(j, &info);
}

static void
add_transfer(struct json *j, const struct layer_workload *w)
{
	bool buffer = w->info.type == WORKLOAD_BUFFER_TRANSFER;

	json_number(j, buffer ? "byteCount" : "pixelCount", w->info.amount);
	json_name(j, "subtype", transfer_name(w->info.transfer));
	add_tag(j, w);
}

static void
add_json(struct json *j, struct layer_workload *w)
{
	json_puts(j, "{");
	switch (w->info.type) {
	case WORKLOAD_RENDERPASS: add_renderpass(j, w); break;
	case WORKLOAD_DISPATCH:
	case WORKLOAD_TRACERAYS: add_grid(j, w); break;
	default: add_transfer(j, w);
	}
	json_puts(j, "}");
}

/* What is known when an indirect one has run. */
static void
add_resolved(struct json *j, const struct layer_workload *w)
{
	if (!w->info.indirect)
		return;
	json_puts(j, "{");
	add_sizes(j, &w->info);
	json_puts(j, "}");
}

void
metadata_build(struct layer_workload *w)
{
	struct json j;
	uint32_t len;
	uint8_t *at;

	j.len = 0;
	add_json(&j, w);
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
