/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Profiles: any text is read or refused with a text, and a device that was
 * accepted can be built, and printed as a profile that is the same. */
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/text.h"
#include "engine/gpu/engine.h"
#include "engine/profile.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void
check_printed(const struct profile *p)
{
	struct text once = {0}, twice = {0}, err = {0};
	struct profile again;

	profile_print(p, &once);
	profile_init(&again);
	if (!profile_parse(&again, "printed", text_str(&once), &err))
		abort();
	profile_print(&again, &twice);
	if (strcmp(text_str(&once), text_str(&twice)) != 0)
		abort();
	text_free(&once);
	text_free(&twice);
	text_free(&err);
}

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
		check_printed(&p);
	} else if (err.len == 0) {
		abort();
	}
	text_free(&err);
	free(ini);
	return 0;
}
