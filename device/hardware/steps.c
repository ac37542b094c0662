/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Which steps of a program a GPU refuses. Slots that are more than an engine are
 * tried, as the program has them: the driver knows what it takes.
 */
#include "device/hardware/steps.h"

#include <string.h>

#include "base/text.h"
#include "device/hardware/batch.h"
#include "device/hardware/facts_private.h"
#include "device/hardware/hardware.h"
#include "device/hardware/health.h"
#include "device/hardware/submit.h"
#include "engine/compile/program.h"
#include "parser/diag.h"
#include "parser/document/document.h"

struct step_check {
	const struct hardware *hw;
	const struct program *p;
	const struct document *const *docs;
	struct diag_list *diags;
	bool refused;
};

/* Adds a diagnostic at a field of a step. */
static void
report_step(struct step_check *c, const struct op *op, unsigned field,
    enum severity severity, const struct text *words)
{
	uint32_t col, len;

	document_field(c->docs[op->document], op->line, field, &col, &len);
	diag_add(&c->diags[op->document], severity, op->line, col, len, "%s",
	    text_str(words));
	c->refused = c->refused || severity == DIAG_ERROR;
}

/* Reports an error, unless err is empty, and frees it. */
static void
refuse_step(
    struct step_check *c, const struct op *op, unsigned field, struct text *err)
{
	if (err->len > 0)
		report_step(c, op, field, DIAG_ERROR, err);
	text_free(err);
}

static void
need_feature(struct step_check *c, const struct op *op, unsigned field,
    enum facts_feature feature)
{
	struct text err = {0};

	facts_need(&c->hw->facts, feature, &err);
	refuse_step(c, op, field, &err);
}

/* Batches. */

static bool
waits_for_start(const struct op_batch *batch)
{
	for (uint32_t i = 0; i < batch->n_fences; i++)
		if (batch->fences[i].submit)
			return true;
	return false;
}

/* Returns the longest duration that a batch may draw. */
static nsec
longest_duration(const struct op_batch *batch)
{
	uint64_t us = 0;

	for (uint32_t i = 0; i < batch->n_durations; i++)
		if (!batch->durations[i].infinite &&
		    batch->durations[i].max_us > us)
			us = batch->durations[i].max_us;
	return us * NSEC_PER_USEC;
}

static void
check_gpu_batch(struct step_check *c, const struct op *op)
{
	struct batch_order order = {
	    .duration_ns = longest_duration(&op->batch), .engines = 1};
	struct text err = {0};

	batch_possible(c->hw, &order, &err);
	refuse_step(c, op, 2, &err);
	if (waits_for_start(&op->batch))
		need_feature(c, op, 3, FEATURE_SUBMIT_FENCES);
}

/* Slots. */

/* Returns the context that a step is about. */
static const struct context_def *
context_of(const struct step_check *c, const struct op *op)
{
	const struct step *step = document_line_step(
	    c->docs[op->document], op->line);
	uint32_t i = program_find_context(c->p, step->context);

	return i < c->p->n_contexts ? &c->p->contexts[i] : NULL;
}

/* Tries a slot on the driver, which the device is said to have: expected are
 * the words for what it takes. */
static void
try_slot(struct step_check *c, const struct op *op, unsigned field,
    const struct slot_setup *slot, const char *expected)
{
	struct text err = {0};
	int rc = facts_try_slots(&c->hw->facts, c->hw->fd, slot, 1);

	if (rc != 0 && hardware_works(c->hw, &err))
		text_addf(&err, "%s refuses these engines: expected %s (%s)",
		    c->hw->facts.path, expected, strerror(-rc));
	refuse_step(c, op, field, &err);
}

static void
check_balance(struct step_check *c, const struct op *op)
{
	const struct context_def *def = context_of(c, op);
	struct slot_setup slot = {0};
	struct text err = {0};

	/* A slot of one engine is that engine. */
	if (def == NULL || !def->is_virtual)
		return;
	slot.engines = def->map;
	if (!facts_need(&c->hw->facts, FEATURE_BALANCING, &err) ||
	    !facts_need(&c->hw->facts, FEATURE_RELATIVE, &err))
		refuse_step(c, op, 0, &err);
	else
		try_slot(c, op, 0, &slot, "engines of one class, each once");
}

static void
check_bond(struct step_check *c, const struct op *op)
{
	const struct context_def *def = context_of(c, op);

	if (def != NULL && def->is_virtual)
		need_feature(c, op, 0, FEATURE_BONDS);
}

static void
check_parallel(struct step_check *c, const struct op *op)
{
	const struct context_def *def = context_of(c, op);
	struct slot_setup slot = {0};
	struct text err = {0};

	if (def == NULL)
		return;
	slot.n_rows = def->n_rows;
	slot.n_siblings = def->n_siblings;
	slot.rows = def->rows;
	if (def->n_rows > SUBMIT_MAX_ROWS)
		text_addf(&err, "invalid width %u: expected %u rows at most",
		    def->n_rows, (unsigned)SUBMIT_MAX_ROWS);
	if (err.len > 0 || !facts_need(&c->hw->facts, FEATURE_PARALLEL, &err))
		refuse_step(c, op, 0, &err);
	else
		try_slot(c, op, 2, &slot,
		    "engines of one class, not RCS or CCS, each row one "
		    "engine after the row before, and without GuC rows of one "
		    "engine");
}

static void
check_step(struct step_check *c, const struct op *op)
{
	switch (op->kind) {
	case STEP_BATCH: check_gpu_batch(c, op); break;
	case STEP_BALANCE: check_balance(c, op); break;
	case STEP_BOND: check_bond(c, op); break;
	case STEP_PARALLEL: check_parallel(c, op); break;
	case STEP_SSEU: need_feature(c, op, 0, FEATURE_SSEU); break;
	default: break;
	}
}

bool
hardware_accepts(const struct hardware *hw, const struct program *p,
    const struct document *const *docs, struct diag_list *diags)
{
	struct step_check c = {hw, p, docs, diags, false};

	for (uint32_t i = 0; i < p->n_ops; i++)
		check_step(&c, &p->ops[i]);
	return !c.refused;
}

/* Steps that run in another way. */

bool
hardware_grants(
    struct hardware *hw, enum facts_feature feature, struct text *words)
{
	uint32_t bit = UINT32_C(1) << feature;

	if ((hw->reported & bit) != 0 || facts_need(&hw->facts, feature, words))
		return true;
	hw->reported |= bit;
	text_addf(words, "; %s", facts_instead(feature));
	return false;
}

/* Returns the feature without which a step runs in another way; N_FEATURES:
 * none. */
static enum facts_feature
wish_of(const struct op *op)
{
	switch (op->kind) {
	case STEP_PRIORITY:
		return op->set.value > 0 ? FEATURE_RAISED_PRIORITY : N_FEATURES;
	case STEP_PREEMPTION:
		return op->set.value > 0 ? FEATURE_PREEMPTION : N_FEATURES;
	default: return N_FEATURES;
	}
}

/* Says, once, that software fences are not the kernel's. False: it is known. */
static bool
report_holds(struct hardware *hw, const struct op *op, struct text *words)
{
	if (op->kind != STEP_FENCE || hw->reported_holds)
		return false;
	hw->reported_holds = true;
	text_adds(words,
	    "batches that wait for software fences (f) are held in user space "
	    "until these have signalled (a)");
	return true;
}

/* Says, once, that the driver will end a batch as hung. False: it will not, or
 * it is known. */
static bool
report_watchdog(struct hardware *hw, const struct op *op, struct text *words)
{
	nsec limit = hw->facts.watchdog_ns;

	if (op->kind != STEP_BATCH || hw->reported_watchdog || limit == 0 ||
	    longest_duration(&op->batch) < limit)
		return false;
	hw->reported_watchdog = true;
	text_addf(words,
	    "i915 ends a request after %llu s: a batch that may take %llu us "
	    "needs its parameter request_timeout_ms=0",
	    (unsigned long long)(limit / NSEC_PER_SEC),
	    (unsigned long long)(longest_duration(&op->batch) / NSEC_PER_USEC));
	return true;
}

void
hardware_warn(struct hardware *hw, const struct program *p,
    const struct document *const *docs, struct diag_list *diags)
{
	struct step_check c = {hw, p, docs, diags, false};

	for (uint32_t i = 0; i < p->n_ops; i++) {
		enum facts_feature wish = wish_of(&p->ops[i]);
		struct text words = {0};

		if (report_holds(hw, &p->ops[i], &words) ||
		    report_watchdog(hw, &p->ops[i], &words) ||
		    (wish != N_FEATURES && !hardware_grants(hw, wish, &words)))
			report_step(&c, &p->ops[i], 0, DIAG_WARNING, &words);
		text_free(&words);
	}
}
