/* SPDX-License-Identifier: GPL-3.0-or-later */
/* SPIR-V: any bytes are a size of at least 1 each, or a reason that is safe to
 * show. The first bytes say what is asked. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "layerstream/spirv.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_reason(const struct text *err)
{
	if (err->len == 0)
		abort();
	for (size_t i = 0; i < err->len; i++)
		if ((unsigned char)err->data[i] < ' ' || err->data[i] == 0x7f)
			abort();
}

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct spec_constant given = {0, 0};
	struct spirv_query query = {.constants = &given};
	uint32_t groups[3] = {0};
	struct text err = {0};

	if (size < 3)
		return 0;
	query.entry = data[0] & 1 ? "main" : NULL;
	query.n_constants = data[0] >> 1 & 1;
	given = (struct spec_constant){data[1], data[2]};
	if (!spirv_group_size(data + 3, size - 3, &query, groups, &err))
		check_reason(&err);
	else if (groups[0] == 0 || groups[1] == 0 || groups[2] == 0)
		abort();
	text_free(&err);
	return 0;
}
