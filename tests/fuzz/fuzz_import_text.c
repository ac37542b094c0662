/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Text of traces: any bytes are read, or refused with a text. */
#include "tests/fuzz/fuzz_import.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= FUZZ_IMPORT_MAX)
		fuzz_import("", 0, data, size);
	return 0;
}
