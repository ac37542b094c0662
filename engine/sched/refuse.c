/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "engine/sched/refuse.h"

#include "base/text.h"
#include "engine/compile/program.h"

bool
refuse_parallel(
    const struct context_def *def, const char *sched, struct text *err)
{
	if (def->n_rows == 0)
		return false;
	text_addf(err,
	    "parallel submission (G) needs --scheduler=guc; %s refuses it",
	    sched);
	return true;
}

bool
refuse_bonds(const struct context_def *def, struct text *err)
{
	if (def->n_bonds == 0)
		return false;
	text_adds(err, "engine bonds (b) need --scheduler=fifo or execlists");
	return true;
}
