/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Steps printed as canonical text, and what can be said of a step by its kind.
 */
#include "parser/step.h"

#include <inttypes.h>

#include "base/text.h"

void
duration_print(struct text *t, struct duration d)
{
	if (d.infinite)
		text_addc(t, '*');
	else if (d.min_us == d.max_us)
		text_addf(t, "%" PRIu64, d.min_us);
	else
		text_addf(t, "%" PRIu64 "-%" PRIu64, d.min_us, d.max_us);
}

static void
print_dep(struct text *t, const struct dep *dep)
{
	switch (dep->kind) {
	case DEP_DATA: text_addf(t, "-%" PRIu32, dep->back); return;
	case DEP_FENCE: text_addf(t, "f-%" PRIu32, dep->back); return;
	case DEP_SUBMIT: text_addf(t, "s-%" PRIu32, dep->back); return;
	case DEP_READ:
	case DEP_WRITE: break;
	}
	text_addf(t, "%c%" PRIu32 "-%" PRIu32,
	    dep->kind == DEP_READ ? 'r' : 'w', dep->set, dep->first);
	if (dep->last != dep->first)
		text_addf(t, "-%" PRIu32, dep->last);
}

static void
print_batch(struct text *t, const struct step *step)
{
	text_addf(t, "%" PRIu32 ".", step->context);
	engine_name_print(t, step->batch.engine);
	text_addc(t, '.');
	if (step->batch.n_durations <= 1)
		duration_print(t, step->batch.duration);
	else
		for (unsigned i = 0; i < step->batch.n_durations; i++) {
			if (i)
				text_addc(t, '/');
			duration_print(t, step->batch.rows[i]);
		}
	text_addc(t, '.');
	if (!step->batch.n_deps)
		text_addc(t, '0');
	for (uint32_t i = 0; i < step->batch.n_deps; i++) {
		if (i)
			text_addc(t, '/');
		print_dep(t, &step->batch.deps[i]);
	}
	text_adds(t, step->batch.wait ? ".1" : ".0");
}

/* Appends bytes in the largest unit that divides them. */
static void
print_bytes(struct text *t, uint64_t bytes)
{
	static const char units[] = " kmg";
	unsigned unit = 0;

	while (unit < 3 && bytes && bytes % 1024 == 0) {
		bytes /= 1024;
		unit++;
	}
	text_addf(t, "%" PRIu64, bytes);
	if (unit)
		text_addc(t, units[unit]);
}

static void
print_sizes(struct text *t, const struct step *step)
{
	for (uint32_t i = 0; i < step->set.n_sizes; i++) {
		const struct set_size *size = &step->set.sizes[i];

		if (i)
			text_addc(t, '/');
		if (size->count != 1)
			text_addf(t, "%" PRIu32 "n", size->count);
		print_bytes(t, size->min_bytes);
		if (size->max_bytes != size->min_bytes) {
			text_addc(t, '-');
			print_bytes(t, size->max_bytes);
		}
	}
}

static void
print_map(struct text *t, const struct step *step)
{
	uint32_t rows = step->kind == STEP_PARALLEL ? step->map.n_rows : 1;
	uint32_t width = rows ? step->map.n_engines / rows : 0;

	for (uint32_t i = 0; i < step->map.n_engines; i++) {
		if (i)
			text_addc(t, i % width ? '|' : '/');
		engine_name_print(t, step->map.engines[i]);
	}
	if (step->kind != STEP_BOND)
		return;
	text_addc(t, '.');
	engine_name_print(t, step->map.master);
}

void
step_print(struct text *t, const struct step *step)
{
	if (step->kind == STEP_BATCH) {
		print_batch(t, step);
		return;
	}
	text_addc(t, step_infos[step->kind].letter);
	switch (step->kind) {
	case STEP_DELAY:
	case STEP_PERIOD: text_addf(t, ".%" PRIu64, step->us); break;
	case STEP_THROTTLE:
	case STEP_QUEUE_DEPTH: text_addf(t, ".%" PRIu32, step->count); break;
	case STEP_SYNC:
	case STEP_ADVANCE:
	case STEP_TERMINATE: text_addf(t, ".-%" PRIu32, step->back); break;
	case STEP_PRIORITY:
	case STEP_SSEU:
		text_addf(
		    t, ".%" PRIu32 ".%" PRId64, step->context, step->value);
		break;
	case STEP_PREEMPTION:
		text_addf(t, ".%" PRIu32 ".%" PRIu64, step->context, step->us);
		break;
	case STEP_BALANCE: text_addf(t, ".%" PRIu32, step->context); break;
	case STEP_MAP:
	case STEP_BOND:
	case STEP_PARALLEL:
		text_addf(t, ".%" PRIu32 ".", step->context);
		print_map(t, step);
		break;
	case STEP_SET:
	case STEP_SHARED_SET:
		text_addf(t, ".%" PRIu32 ".", step->set.id);
		print_sizes(t, step);
		break;
	case STEP_BATCH:
	case STEP_FENCE:
	case N_STEP_KINDS: break;
	}
}

bool
step_has_context(const struct step *step)
{
	switch (step->kind) {
	case STEP_BATCH:
	case STEP_PRIORITY:
	case STEP_SSEU:
	case STEP_PREEMPTION:
	case STEP_MAP:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_PARALLEL: return true;
	default: return false;
	}
}

bool
step_is_infinite(const struct step *step)
{
	if (step->batch.n_durations > 1)
		for (unsigned i = 0; i < step->batch.n_durations; i++)
			if (step->batch.rows[i].infinite)
				return true;
	return step->batch.duration.infinite;
}
