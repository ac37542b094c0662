/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Says what was left out of an import, and what is doubtful, a line each. */
#include <inttypes.h>
#include <string.h>

#include "trace/import/import_private.h"

static void
say_left_out(struct text *said, uint64_t n, const char *one, const char *many)
{
	if (n > 0)
		text_addf(said, "%" PRIu64 " %s\n", n, n == 1 ? one : many);
}

static void
say_no_mark(const struct import *im, struct text *said)
{
	const char *wanted = im->options.frame_on;

	if (wanted == NULL || im->n_marks > 0)
		return;
	text_adds(said, "--frame-on: no event of the trace is called '");
	text_add_visible(said, wanted, strlen(wanted));
	text_adds(said,
	    "': expected the name of one, e.g. drm_vblank_event; iterations "
	    "are found by what recurs\n");
}

/* Requests that options leave out, and events of more GPUs than are told apart. */
static void
say_not_chosen(const struct import_counts *c, struct text *said)
{
	say_left_out(said, c->n_other_device,
	    "request of a GPU that -D does not name is left out",
	    "requests of GPUs that -D does not name are left out");
	say_left_out(said, c->n_unknown_device,
	    "event is left out: the trace has more than 31 GPUs",
	    "events are left out: the trace has more than 31 GPUs");
	say_left_out(said, c->n_outside, "request outside --time is left out",
	    "requests outside --time are left out");
	say_left_out(said, c->n_unwanted,
	    "request of a client that --clients does not name is left out",
	    "requests of clients that --clients does not name are left out");
}

void
import_say_counts(const struct import *im, struct text *said)
{
	const struct import_counts *c = &im->counts;

	say_no_mark(im, said);
	devices_say(im, said);
	say_left_out(said, c->n_lost, "event was lost, as the trace says",
	    "events were lost, as the trace says");
	say_left_out(said, c->n_cut, "page of the file is cut off or broken",
	    "pages of the file are cut off or broken");
	if (c->n_broken > 0) {
		say_left_out(said, c->n_broken,
		    "event without its fields is left out",
		    "events without their fields are left out");
		if (c->first_broken > 0)
			text_addf(said,
			    "the first of them is in line %" PRIu64 "\n",
			    c->first_broken);
	}
	if (im->part > 0 && c->n_other_part > 0) {
		say_left_out(said, im->part, "jump of the clock, or boot",
		    "jumps of the clock, or boots");
		say_left_out(said, c->n_other_part,
		    "request of other parts of the trace is left out",
		    "requests of other parts of the trace are left out");
	}
	say_left_out(said, c->n_backwards,
	    "event is earlier than the one before",
	    "events are earlier than the one before");
	if (im->n_requests > 0)
		others_say(im, said);
	say_left_out(said, c->n_cycles,
	    "event whose time is not in seconds is left out",
	    "events whose times are not in seconds are left out");
	say_left_out(said, c->n_impossible,
	    "request ends before its submission, or after 100 years: it is "
	    "left out",
	    "requests end before their submission, or after 100 years: they "
	    "are left out");
	say_left_out(said, c->n_incomplete,
	    "request without an end, or an engine, is left out",
	    "requests without an end, or an engine, are left out");
	say_left_out(said, c->n_open,
	    "request had not ended when the trace did: how long it takes is "
	    "that of others in its place",
	    "requests had not ended when the trace did: how long they take is "
	    "that of others in their places");
	say_left_out(said, c->n_retired,
	    "request has no end: that of its clean-up is taken",
	    "requests have no end: those of their clean-up are taken");
	say_left_out(said, c->n_kernel,
	    "request of the kernel's own is left out",
	    "requests of the kernel's own are left out");
	say_left_out(said, c->n_questions,
	    "empty batch before the first with work is left out",
	    "empty batches before the first with work are left out");
	say_not_chosen(c, said);
}
