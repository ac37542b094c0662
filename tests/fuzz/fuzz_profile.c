/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: any text is read or refused with a text, and a device that was
 * accepted can be built. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/gpu/engine.h"
#include "engine/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *ini = mem_strndup((const char *)data, size);
	struct text err = {0};
	struct profile p;
	struct device dev;

	profile_init(&p);
	if (profile_parse(&p, "fuzz", ini, &err)) {
		device_init(&dev, &p);
		if (dev.n_engines == 0 || dev.slices == 0)
			abort();
	} else if (err.len == 0) {
		abort();
	}
	text_free(&err);
	free(ini);
	return 0;
}
