/* SPDX-License-Identifier: GPL-3.0-or-later */
/* See uses.h. */
#include "run/live/uses.h"

#include "run/file_uses.h"
#include "run/live/session.h"

static void
add_fixed(const struct session *s, struct file_uses *uses)
{
	if (s->options != NULL)
		file_uses_add_options(uses, s->options, false);
	file_uses_add(uses, FILE_READ, "the profile", s->profile_file);
}

static void
add_outputs(const struct session *s, struct file_uses *uses)
{
	for (unsigned i = 0; i < N_OUTPUT_FILES; i++)
		file_uses_add(uses, FILE_WRITTEN, output_option(i),
		    session_output_path(s, i));
}

void
session_add_uses(const struct session *s, struct file_uses *uses)
{
	add_fixed(s, uses);
	add_outputs(s, uses);
	file_uses_add_workloads(uses, s->plan);
	file_uses_add_named(uses, s->plan);
}

bool
session_may_save(
    const struct session *s, const char *path, bool own, struct text *err)
{
	struct file_uses uses = {0};
	bool ok;

	add_fixed(s, &uses);
	if (own)
		file_uses_drop_read(&uses);
	else
		file_uses_add_named(&uses, s->plan);
	add_outputs(s, &uses);
	ok = file_uses_may_write(&uses, NULL, path, err);
	file_uses_free(&uses);
	return ok;
}
