/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of trace-cmd: any bytes behind the magic ones are read, or refused with a
 * text. Version 7 is libtracecmd's, in a process of its own, which broken files may
 * end (tests/cli/test_import_dat.c).
 */
#include "tests/fuzz/fuzz_import.h"

int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= FUZZ_IMPORT_MAX && (size == 0 || data[0] != '7'))
		fuzz_import("\x17\x08\x44tracing", 10, data, size);
	return 0;
}
