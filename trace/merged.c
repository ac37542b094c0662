/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See merged.h. */
#include "trace/merged.h"

#include <inttypes.h>

#include "base/text.h"
#include "layerstream/workload.h"
#include "trace/layer_trail.h"

/* The strings of a JSON array; of their escapes only those of quotes and
 * backslashes are undone. */
static void
add_labels(const char *json, struct text *out)
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
add_sizes(const int64_t *size, unsigned n, struct text *out)
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
add_amount(int64_t amount, const char *unit, struct text *out)
{
	if (amount == WORKLOAD_WHOLE)
		text_adds(out, " whole");
	else if (amount >= 0)
		text_addf(out, " %" PRId64 " %s", amount, unit);
}

static void
add_workload(const struct workload_info *info, struct text *out)
{
	const bool pass = info->type == WORKLOAD_RENDERPASS;

	if (info->transfer != TRANSFER_NONE) {
		text_adds(out, transfer_name(info->transfer));
		add_amount(info->amount,
		    info->type == WORKLOAD_BUFFER_TRANSFER ? "bytes" : "pixels",
		    out);
		return;
	}
	text_adds(out, workload_type_name(info->type));
	if (info->size[0] >= 0)
		add_sizes(info->size, pass ? 2 : 3, out);
	if (pass && info->draws >= 0)
		text_addf(out, " %" PRId64 " %s", info->draws,
		    info->draws == 1 ? "draw" : "draws");
}

static void
add_merged(const char *labels, const struct workload_info *info,
    enum layer_part part, struct text *out)
{
	static const char *const parts[] = {
	    [LAYER_NOTHING] = "",
	    [LAYER_WHOLE] = "",
	    [LAYER_BINNING] = ", binning",
	    [LAYER_MAIN] = "",
	};

	if (part == LAYER_NOTHING)
		return;
	add_labels(labels, out);
	add_workload(info, out);
	text_adds(out, parts[part]);
}

void
merged_line(const struct layer_interval *i, struct text *out)
{
	struct workload_info info = i->workload->info;

	info.draws = i->draws;
	add_merged(i->labels, &info, i->part, out);
}

void
merged_piece(const struct layer_piece *p, struct text *out)
{
	add_merged(p->labels, &p->info, LAYER_WHOLE, out);
}
