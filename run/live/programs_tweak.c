/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Live changes of programs. A program has no descriptor, so that they are no
 * edits: they hold until the program sets the same itself (doc/model/virtual.md
 * "Changes by the user").
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <string.h>

#include "base/text.h"
#include "engine/backend.h"
#include "engine/client/client.h"
#include "parser/step.h"
#include "run/live/programs.h"
#include "run/live/session.h"
#include "run/live/tweak.h"

static const struct program_child *
child_of(const struct session *s, const struct client *c)
{
	const struct programs *p = &s->programs;

	for (unsigned i = 0; i < p->n_children; i++)
		if (p->children[i].process.pid == c->pid)
			return &p->children[i];
	return NULL;
}

bool
session_end_program(struct session *s, const struct client *c, struct text *err)
{
	const struct program_child *child = child_of(s, c);

	if (c->state == CLIENT_ENDED || c->pid <= 0) {
		text_addf(err, "client %u has ended", c->id);
		return false;
	}
	if (child != NULL) {
		launch_signal(&child->process, SIGTERM);
	} else if (kill((pid_t)c->pid, SIGTERM) < 0) {
		text_addf(err, "%s (pid %" PRId64 "): %s", c->name, c->pid,
		    strerror(errno));
		return false;
	}
	changes_add(&s->changes, s->run.sim, "SIGTERM to %s (pid %" PRId64 ")",
	    c->name, c->pid);
	return true;
}

/* Appends "gem_wsim (pid 4711) context 2". */
static void
add_program_context(const struct context *context, struct text *out)
{
	const struct client *c = context->client;

	text_addf(out, "%s (pid %" PRId64 ") context %u", c->name, c->pid,
	    context->def->number);
}

static bool
tweak_program_priority(struct session *s, const struct tweak *tweak,
    struct context *context, struct text *said)
{
	int64_t was = context->priority;
	int64_t value = tweak->value + (tweak->relative ? was : 0);

	if (tweak->relative && value > STEP_MAX_PRIORITY)
		value = STEP_MAX_PRIORITY;
	if (tweak->relative && value < -STEP_MAX_PRIORITY)
		value = -STEP_MAX_PRIORITY;
	if (!value_check(VALUE_PRIORITY, value, said))
		return false;
	backend_context_set_priority(context, (int)value);
	add_program_context(context, said);
	text_addf(said,
	    ": priority %" PRId64 " -> %" PRId64
	    ", until the program sets its own",
	    was, value);
	tweak_say_without_effect(s, TWEAK_PRIORITY, was, value, said);
	return true;
}

static bool
tweak_program_sseu(struct session *s, const struct tweak *tweak,
    struct context *context, struct text *said)
{
	uint32_t was = context->sseu;

	if (!device_check_slices(&s->run.sim->device, tweak->value, said) ||
	    !backend_context_set_sseu(
		context, tweak->value == -1 ? 0 : (uint32_t)tweak->value, said))
		return false;
	add_program_context(context, said);
	text_addf(said, ": slices %#x -> %#x, until the program sets its own",
	    was, context->sseu);
	tweak_say_without_effect(s, TWEAK_SSEU, was, context->sseu, said);
	return true;
}

bool
session_may_tweak_programs(enum tweak_kind kind, struct text *said)
{
	if (kind == TWEAK_PREEMPTION)
		text_adds(said,
		    "a program's batches have their own preemption points");
	return kind != TWEAK_PREEMPTION;
}

bool
session_tweak_program(struct session *s, const struct tweak *tweak,
    uint32_t client, uint32_t context, struct text *said)
{
	struct context *target = s->run.sim->clients[client]->contexts[context];
	bool ok = false;

	text_clear(said);
	if (!session_may_tweak_programs(tweak->kind, said))
		return false;
	if (target->closed || target->client->state == CLIENT_ENDED) {
		add_program_context(target, said);
		text_adds(said, " has ended");
	} else if (tweak->kind == TWEAK_PRIORITY) {
		ok = tweak_program_priority(s, tweak, target, said);
	} else if (tweak->kind == TWEAK_SSEU) {
		ok = tweak_program_sseu(s, tweak, target, said);
	}
	if (ok) {
		baseline_change(s);
		changes_add(&s->changes, s->run.sim, "%s", text_str(said));
	}
	return ok;
}
