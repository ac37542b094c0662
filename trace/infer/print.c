/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The descriptor as a file: steps, and comments that say what each is inferred
 * from.
 */
#include <string.h>

#include "base/units.h"
#include "parser/step.h"
#include "trace/infer/infer_private.h"

/* How many steps back what a batch depends on is; 0: not in the iteration. */
static uint32_t
steps_to_dep(
    const struct made *made, uint32_t position, const struct found_dep *dep)
{
	uint32_t at = made->step_of[position], to;

	if (dep->kind != INFER_SIGNAL)
		return at - made->step_of[position - dep->distance];
	to = infer_find_fence(made, at, dep->distance);
	return to != INFER_NONE ? at - to : 0;
}

/* The working set of data that pass from an iteration to the next. */
#define PASSED_SET 1

/* The working set of objects that clients share. */
#define SHARED_SET 2

/* Prints the uses of objects that clients share; *separator is what is between
 * them. */
static void
print_uses(const struct found *f, const struct found_batch *b,
    const char **separator, struct text *out)
{
	for (uint32_t i = 0; i < b->n_uses; i++) {
		uint32_t place = infer_place_in_set(f, b->uses[i].object);

		if (place == INFER_NONE)
			continue;
		text_addf(out, "%s%c%u-%u", *separator,
		    b->uses[i].write ? 'w' : 'r', SHARED_SET, place);
		*separator = "/";
	}
}

/* Prints an object of the batch that dep is on. */
static void
print_passed(const struct found *f, uint32_t position,
    const struct found_dep *dep, const char *separator, struct text *out)
{
	uint32_t writer = (position + f->length - dep->distance) % f->length;

	text_addf(out, "%sr%u-%u", separator, PASSED_SET,
	    f->batches[writer].object - 1);
}

static void
print_deps(const struct found *f, const struct made *made, uint32_t position,
    struct text *out)
{
	const struct found_batch *b = &f->batches[position];

	const char *separator = "";

	for (uint32_t i = 0; i < b->n_deps; i++) {
		const struct found_dep *dep = &b->deps[i];
		uint32_t back;

		if (dep->crosses) {
			print_passed(f, position, dep, separator, out);
			separator = "/";
			continue;
		}
		back = steps_to_dep(made, position, dep);
		if (back == 0)
			continue;
		text_addf(out, "%s%s-%u", separator,
		    dep->kind == INFER_DATA         ? ""
			: dep->kind == INFER_SUBMIT ? "s"
						    : "f",
		    back);
		separator = "/";
	}
	if (b->object > 0) {
		text_addf(
		    out, "%sw%u-%u", separator, PASSED_SET, b->object - 1);
		separator = "/";
	}
	print_uses(f, b, &separator, out);
	if (*separator == '\0')
		text_addc(out, '0');
}

static void
print_durations(const struct found_batch *b, const struct infer_timeline *t,
    struct text *out)
{
	if (b->infinite) {
		text_addc(out, '*');
		return;
	}
	duration_print(
	    out, (struct duration){.min_us = b->min_us, .max_us = b->max_us});
	for (uint32_t k = 1; t->is_parallel && k < t->setup->n_rows; k++) {
		text_addc(out, '/');
		duration_print(out,
		    (struct duration){.min_us = b->row_min_us[k - 1],
			.max_us = b->row_max_us[k - 1]});
	}
}

static void
print_made_batch(const struct found *f, const struct made *made,
    const struct made_step *step, struct text *out)
{
	const struct found_batch *b = &f->batches[step->position];
	const struct infer_timeline *t = &f->s->timelines[b->timeline];

	text_addf(out, "%u.", t->number);
	infer_print_engine(t, out);
	text_addc(out, '.');
	print_durations(b, t, out);
	text_addc(out, '.');
	print_deps(f, made, step->position, out);
	text_addf(out, ".%d\n", step->wait);
}

static void
print_step(const struct found *f, const struct made *made, uint32_t index,
    struct text *out)
{
	const struct made_step *step = &made->steps[index];
	const struct infer_timeline *t =
	    &f->s->timelines[f->batches[step->position].timeline];

	switch ((enum step_kind)step->kind) {
	case STEP_BATCH: print_made_batch(f, made, step, out); return;
	case STEP_MAP:
		text_addf(out, "M.%u.", step->number);
		infer_print_map(t, out);
		break;
	case STEP_SET:
		text_addf(out,
		    "# objects that pass from an iteration to the next\n"
		    "w.%u.%un4k",
		    PASSED_SET, step->number);
		break;
	case STEP_SHARED_SET:
		text_addf(out, "# objects that threads share\nW.%u.%un4k",
		    SHARED_SET, step->number);
		break;
	case STEP_BALANCE: text_addf(out, "B.%u", step->number); break;
	case STEP_PRIORITY:
		text_addf(out, "P.%u.%d", step->number, step->priority);
		break;
	case STEP_DELAY: text_addf(out, "d.%u", step->number); break;
	case STEP_PERIOD: text_addf(out, "p.%u", step->number); break;
	case STEP_SYNC: text_addf(out, "s.-%u", step->number); break;
	case STEP_THROTTLE: text_addf(out, "t.%u", step->number); break;
	case STEP_FENCE: text_adds(out, "f"); break;
	case STEP_ADVANCE:
		text_addf(out, "a.-%u",
		    index - infer_find_fence(made, index, step->back));
		break;
	case STEP_TERMINATE:
		text_addf(out, "T.-%u", index - made->step_of[step->position]);
		break;
	case STEP_SSEU:
		text_addf(out, "S.%u.%d", step->number, step->priority);
		break;
	case STEP_PREEMPTION:
		text_addf(out, "X.%u.%d", step->number, step->priority);
		break;
	case STEP_PARALLEL:
		text_addf(out, "G.%u.", step->number);
		infer_print_rows(t, out);
		break;
	case STEP_BOND:
		text_addf(out, "b.%u.", step->number);
		infer_print_set(t->setup->bonds[step->back].siblings, out);
		text_addc(out, '.');
		infer_print_bit(t->setup->bonds[step->back].master, true, out);
		break;
	default: break; /* no other kind is inferred */
	}
	text_addc(out, '\n');
}

/* Comments */

static void
explain_pace(
    const struct found *f, const struct found_pace *pace, struct text *out)
{
	char buf[UNITS_LEN];

	if (pace->kind == PACE_PHASE)
		text_addf(out, "# it begins %s after another client\n",
		    format_duration(buf, pace->ns));
	else if (pace->loose)
		text_addf(out, "# pauses differ, their %s is %s\n",
		    f->s->n_told > 0 ? "mean" : "median",
		    format_duration(buf, pace->ns));
	else
		text_addf(out, "# %s: %u of %u pauses\n",
		    pace->kind == PACE_PERIOD      ? "period"
			: pace->kind == PACE_DELAY ? "delay"
			: pace->ns > 0             ? "delay after a wait"
						   : "wait",
		    pace->n_hits, pace->n_of);
}

static void
explain_deps(const struct found *f, const struct made *made, uint32_t position,
    struct text *out)
{
	const struct found_batch *b = &f->batches[position];

	for (uint32_t i = 0; i < b->n_deps; i++) {
		const struct found_dep *dep = &b->deps[i];
		uint32_t back;

		if (dep->crosses)
			continue;
		back = steps_to_dep(made, position, dep);
		if (dep->timed)
			text_addf(out,
			    "# -%u inferred: ready when it ended, %u of %u"
			    " times\n",
			    back, dep->n_hits, dep->n_of);
		else if (dep->guessed)
			text_addf(out, "# -%u inferred by the source\n", back);
	}
}

static void
explain_batch(const struct found *f, const struct made *made,
    const struct made_step *step, struct text *out)
{
	const struct found_batch *b = &f->batches[step->position];

	if (b->label != NULL) {
		text_adds(out, "# ");
		text_add_visible(out, b->label, strnlen(b->label, 64));
		text_addc(out, '\n');
	}
	if (b->is_between && !b->infinite)
		text_addf(out, "# %.2f us, between two whole ones\n",
		    (double)b->mean_ns / NSEC_PER_USEC);
	else if (b->min_us != b->max_us && !b->infinite)
		text_addf(out,
		    "# %llu-%llu us: p5 %llu, median %llu, p95 %llu\n",
		    (unsigned long long)b->least_us,
		    (unsigned long long)b->most_us,
		    (unsigned long long)b->p5_us, (unsigned long long)b->p50_us,
		    (unsigned long long)b->p95_us);
	if (b->never_ended)
		text_adds(out,
		    "# it had not ended: reset, its client gone, or still"
		    " running\n");
	else if (b->mean_ns < NSEC_PER_USEC / 2 && !b->infinite)
		text_addf(out, "# it took %llu ns: 1 us is the least\n",
		    (unsigned long long)b->mean_ns);
	if (b->n_other_priorities > 0 && b->priority != INFER_NO_PRIORITY)
		text_addf(out, "# another priority in %u of %u iterations\n",
		    b->n_other_priorities, f->n_begins);
	explain_deps(f, made, step->position, out);
	if (step->wait && step->pace != NULL)
		explain_pace(f, step->pace, out);
}

/* How many batches of an iteration mostly depend on other clients. */
static uint32_t
count_foreign(const struct found *f)
{
	uint32_t n = 0;

	for (uint32_t p = 0; p < f->length; p++)
		n += f->batches[p].n_foreign > f->n_sampled / 2;
	return n;
}

/* Names the client, and the number of those that are like it. */
static void
print_one_client(
    const struct found *f, const struct infer_client *client, struct text *out)
{
	const char *source = f->book->options->source;

	if (f->book->options->titled) {
		if (client->n_clones > 1)
			text_addf(out, "# and %u thread%s like it\n",
			    client->n_clones - 1,
			    client->n_clones > 2 ? "s" : "");
		return;
	}
	text_addf(out, "# Inferred from client %u", client->client);
	if (client->n_clones > 1)
		text_addf(out, " and %u like it", client->n_clones - 1);
	if (source != NULL) {
		text_adds(out, " of ");
		text_add_visible(out, source, strlen(source));
	}
	text_addc(out, '\n');
}

static void
print_head(const struct found *f, const struct made *made,
    const struct infer_client *client, struct text *out)
{
	uint32_t n_foreign = count_foreign(f);
	char buf[UNITS_LEN];

	print_one_client(f, client, out);
	if (f->repeats)
		text_addf(out, "# %llu iteration%s of %u batch%s",
		    (unsigned long long)client->n_iterations,
		    client->n_iterations == 1 ? "" : "s", f->length,
		    f->length == 1 ? "" : "es");
	else
		text_addf(out,
		    "# nothing repeats: %s %u batches are one"
		    " iteration",
		    f->is_cut ? "the first" : "all", f->length);
	text_addf(out, "; they explain %.1f %% of %llu requests\n",
	    100 * (double)client->n_explained / (double)client->n_requests,
	    (unsigned long long)client->n_requests);
	if (f->n_shares > 0)
		text_addf(out,
		    "# each is %u of the program's, with pauses from short to"
		    " long;\n# --virtual-time captures them without the"
		    " noise of a host\n",
		    f->n_shares);
	if (client->period_ns > 0)
		text_addf(out, "# period %s\n",
		    format_duration(buf, client->period_ns));
	if (f->n_dropped_deps > 0)
		text_addf(out,
		    "# left out: %u dependencies on earlier iterations\n",
		    f->n_dropped_deps);
	if (n_foreign > 0)
		text_addf(out,
		    "# left out: %u batches depend on those of other clients\n",
		    n_foreign);
	if (made->n_dropped > 0)
		text_addf(out, "# left out: %u waits for earlier iterations\n",
		    made->n_dropped);
}

void
infer_print_file(const struct found *f, const struct made *made,
    const struct infer_client *client, struct text *out)
{
	print_head(f, made, client, out);
	for (uint32_t i = 0; i < made->n; i++) {
		const struct made_step *step = &made->steps[i];

		if (step->kind == STEP_BATCH)
			explain_batch(f, made, step, out);
		else if (step->pace != NULL)
			explain_pace(f, step->pace, out);
		print_step(f, made, i, out);
	}
}
