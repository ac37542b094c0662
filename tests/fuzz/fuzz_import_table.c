/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Tables of requests: any bytes behind the heading are read, or refused with a text. */
#include "tests/fuzz/fuzz_import.h"

static const char heading[] =
    "client\titeration\tstep\tcontext\tengine\tsubmit_ns\tready_ns\tstart_ns\t"
    "end_ns\trun_ns\tpreemptions\tstatus\n";
int
LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	if (size <= FUZZ_IMPORT_MAX)
		fuzz_import(heading, sizeof(heading) - 1, data, size);
	return 0;
}
