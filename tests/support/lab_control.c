/* SPDX-License-Identifier: GPL-3.0-or-later */
#include "tests/support/lab_control.h"

#include <stddef.h>
#include <stdint.h>

#include "base/text.h"
#include "tests/runner/test.h"

void
lab_control(struct lab *lab, struct control control)
{
	struct text err = {0};

	if (!sim_control(lab->sim, &control, &err))
		fail_msg("refused: %s", text_str(&err));
	text_free(&err);
}

void
lab_refuse(struct lab *lab, struct control control, const char *why)
{
	struct text err = {0};

	assert_false(sim_control(lab->sim, &control, &err));
	assert_string_equal(text_str(&err), why);
	text_free(&err);
}

void
lab_swap(struct lab *lab, uint32_t client, const char *text)
{
	struct program *p = lab_compile(lab, text);

	assert_non_null(p);
	lab_control(lab,
	    (struct control){
		.kind = CONTROL_SWAP, .client = client, .program = p});
	program_free(p); /* who has it, holds it */
}

void
lab_kill(struct lab *lab, uint32_t client, bool persistent)
{
	lab_control(lab,
	    (struct control){.kind = CONTROL_KILL,
		.client = client,
		.persistent = persistent});
}
