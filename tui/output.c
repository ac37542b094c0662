/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tui/output.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

int
output_close(int status)
{
	errno = 0;
	if (fflush(stdout) == 0 && !ferror(stdout))
		return status;
	fprintf(stderr, "gpuwl-top: standard output: %s\n",
	    errno != 0 ? strerror(errno) : "not all could be written");
	return STATUS_FAILED;
}
