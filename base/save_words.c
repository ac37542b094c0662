/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The messages of a save that does not get on. */
#include <errno.h>
#include <string.h>

#include "base/save_private.h"

void
save_pass(const struct save *s, enum save_moment moment)
{
	if (s->seam && s->seam->at)
		s->seam->at(s->seam->arg, moment);
}

enum attempt
save_changed(const struct save *s)
{
	file_refused(s->err, s->name, "was changed by another program");
	return TRY_CONFLICT;
}

enum attempt
save_fail(const struct save *s)
{
	file_failed(s->err, "can't save", s->name);
	return TRY_FAILED;
}

/* Saving makes a new file beside the old one. */
enum attempt
save_fail_in_folder(const struct save *s)
{
	bool denied = errno == EACCES || errno == EPERM;

	if (!denied && errno != ENOENT)
		return save_fail(s);
	if (s->err) {
		text_adds(s->err, "can't save ");
		text_add_visible(s->err, s->name, strlen(s->name));
		text_addf(s->err, ": its folder %s",
		    denied ? "may not be written to" : "is not there");
	}
	return TRY_FAILED;
}
