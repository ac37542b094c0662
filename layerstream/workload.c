/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "layerstream/workload.h"

static const char *const types[N_WORKLOAD_TYPES] = {
    [WORKLOAD_RENDERPASS] = "renderpass",
    [WORKLOAD_DISPATCH] = "dispatch",
    [WORKLOAD_TRACERAYS] = "tracerays",
    [WORKLOAD_BUFFER_TRANSFER] = "buffertransfer",
    [WORKLOAD_IMAGE_TRANSFER] = "imagetransfer",
};

static const char *const transfers[N_TRANSFERS] = {
    [TRANSFER_COPY_BUFFER] = "Copy buffer",
    [TRANSFER_FILL_BUFFER] = "Fill buffer",
    [TRANSFER_COPY_IMAGE] = "Copy image",
    [TRANSFER_CLEAR_IMAGE] = "Clear image",
    [TRANSFER_BUFFER_TO_IMAGE] = "Copy buffer to image",
    [TRANSFER_IMAGE_TO_BUFFER] = "Copy image to buffer",
};

static const char *const bindings[N_ATTACHMENT_BINDINGS] = {
    "C0", "C1", "C2", "C3", "C4", "C5", "C6", "C7", "D", "S"};

const char *
workload_type_name(enum workload_type type)
{
	return types[type];
}

const char *
transfer_name(enum transfer transfer)
{
	return transfers[transfer];
}

const char *
binding_name(unsigned binding)
{
	return bindings[binding];
}

unsigned
attachment_rank(const struct attachment *a)
{
	if (a->binding < ATTACHMENT_DEPTH)
		return a->binding + (a->resolve ? ATTACHMENT_DEPTH : 0u);
	return 2u * a->binding + (a->resolve ? 1u : 0u);
}

bool
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
