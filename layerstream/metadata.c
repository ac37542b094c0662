/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layerstream/metadata.h"

#include <stdlib.h>
#include <string.h>

#include "layerstream/message.h"
#include "parser/mem.h"
#include "parser/text.h"
#include "parser/utf8.h"

/* Bytes of the character at s, 0 if it may not stand in JSON: utf8_decode()
 * also refuses what is UTF-8, but not to be shown. */
static size_t
character(const char *s, size_t len)
{
	struct utf8_char c = utf8_decode(s, len);
	unsigned char first = (unsigned char)s[0];

	if (c.visible || (first && first < 0x80))
		return c.len;
	if (first == 0xed && c.len == 3 && (unsigned char)s[1] >= 0xa0)
		return 0; /* half a surrogate */
	return c.len > 1 ? c.len : 0;
}

void
metadata_string(struct text *t, const char *s, size_t len)
{
	text_addc(t, '"');
	for (size_t i = 0; i < len;) {
		size_t n = character(s + i, len - i);

		if (n == 0) {
			text_adds(t, "\xef\xbf\xbd");
			n = 1;
		} else if (s[i] == '"' || s[i] == '\\') {
			text_addf(t, "\\%c", s[i]);
		} else if ((unsigned char)s[i] < 0x20) {
			text_addf(t, "\\u%04x", (unsigned char)s[i]);
		} else {
			text_add(t, s + i, n);
		}
		i += n;
	}
	text_addc(t, '"');
}

static void
add_number(struct text *t, const char *key, int64_t value)
{
	text_addf(
	    t, "%s\"%s\":%lld", t->len > 1 ? "," : "", key, (long long)value);
}

static void
add_tag(struct text *t, const struct layer_workload *w)
{
	text_addf(t, "%s\"tid\":%llu,\"type\":\"%s\"", t->len > 1 ? "," : "",
	    (unsigned long long)w->tag, workload_type_name(w->info.type));
}

/* Colours, what they are resolved into, then depth and stencil. */
static unsigned
attachment_rank(const struct attachment *a)
{
	if (a->binding < ATTACHMENT_DEPTH)
		return a->binding + (a->resolve ? ATTACHMENT_DEPTH : 0u);
	return 2u * a->binding + (a->resolve ? 1u : 0u);
}

static void
add_attachment(struct text *t, const struct attachment *a)
{
	text_addf(t, "%s{\"binding\":\"%s\"",
	    t->data[t->len - 1] == '}' ? "," : "", binding_name(a->binding));
	if (a->load == LOAD_LOAD && !a->resolve)
		text_adds(t, ",\"load\":true");
	if (a->resolve)
		text_adds(t, ",\"resolve\":true");
	if (a->store != STORE_STORE)
		text_adds(t, ",\"store\":false");
	text_addc(t, '}');
}

static void
add_attachments(struct text *t, const struct workload_info *info)
{
	text_adds(t, "\"attachments\":[");
	for (unsigned rank = 0; rank <= 2u * N_ATTACHMENT_BINDINGS; rank++)
		for (unsigned i = 0; i < info->n_attachments; i++)
			if (attachment_rank(&info->attachments[i]) == rank)
				add_attachment(t, &info->attachments[i]);
	text_addc(t, ']');
}

static void
add_renderpass(struct text *t, struct layer_workload *w)
{
	const struct workload_info *info = &w->info;

	add_attachments(t, info);
	text_adds(t, ",\"drawCallCount\":");
	w->draws_at = (uint32_t)t->len;
	text_addf(
	    t, "%lld", (long long)(w->split ? WORKLOAD_UNKNOWN : info->draws));
	w->draws_len = (uint32_t)t->len - w->draws_at;
	add_number(t, "height", info->size[1]);
	if (info->subpasses != 1)
		add_number(t, "subpassCount", info->subpasses);
	add_tag(t, w);
	add_number(t, "width", info->size[0]);
}

/* Groups, and items where they are known; or rays, which are items. */
static void
add_sizes(struct text *t, const struct workload_info *info, unsigned i)
{
	static const char *const names[3][2] = {{"xGroups", "xItems"},
	    {"yGroups", "yItems"}, {"zGroups", "zItems"}};
	int64_t items[3];
	bool known = workload_items(info, items);

	if (info->type == WORKLOAD_DISPATCH)
		add_number(t, names[i][0], info->size[i]);
	if (info->type == WORKLOAD_TRACERAYS || known)
		add_number(t, names[i][1], known ? items[i] : info->size[i]);
}

/* Sorted: indirect, tid, type, then x, y, z. */
static void
add_grid(struct text *t, const struct layer_workload *w)
{
	struct workload_info info = w->info;

	if (info.indirect) {
		text_adds(t, "\"indirect\":true");
		for (unsigned i = 0; i < 3; i++)
			info.size[i] = WORKLOAD_UNKNOWN;
	}
	add_tag(t, w);
	for (unsigned i = 0; i < 3; i++)
		add_sizes(t, &info, i);
}

static void
add_transfer(struct text *t, const struct layer_workload *w)
{
	bool buffer = w->info.type == WORKLOAD_BUFFER_TRANSFER;

	add_number(t, buffer ? "byteCount" : "pixelCount", w->info.amount);
	text_addf(t, ",\"subtype\":\"%s\"", transfer_name(w->info.transfer));
	add_tag(t, w);
}

/* What is known when an indirect one has run. */
static void
add_resolved(struct text *t, const struct layer_workload *w)
{
	struct text fields = {0};

	text_addc(&fields, '{');
	for (unsigned i = 0; i < 3; i++)
		add_sizes(&fields, &w->info, i);
	text_addc(&fields, '}');
	text_add(t, fields.data, fields.len);
	text_free(&fields);
}

static void
add_json(struct text *t, struct layer_workload *w)
{
	text_addc(t, '{');
	switch (w->info.type) {
	case WORKLOAD_RENDERPASS: add_renderpass(t, w); break;
	case WORKLOAD_DISPATCH:
	case WORKLOAD_TRACERAYS: add_grid(t, w); break;
	default: add_transfer(t, w);
	}
	text_addc(t, '}');
}

void
metadata_build(struct layer_workload *w)
{
	struct text t = {0};

	add_json(&t, w);
	w->bytes = (uint32_t)(MESSAGE_HEADER + t.len);
	w->draws_at += MESSAGE_HEADER;
	if (w->info.indirect)
		add_resolved(&t, w);
	w->resolved = (uint32_t)(MESSAGE_HEADER + t.len) - w->bytes;
	w->message = mem_realloc(w->message, w->bytes + w->resolved, 1);
	message_header(w->message, MESSAGE_WORKLOAD, false, 0, w->tag,
	    w->bytes - MESSAGE_HEADER);
	memcpy(w->message + MESSAGE_HEADER, t.data, t.len);
	text_free(&t);
}
