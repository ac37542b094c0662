/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Compiles documents to a program: collects their steps, numbers the contexts,
 * has the compile_*.c files resolve engines, maps and objects, and reports what
 * does not fit the device. The helpers that those files share are here too.
 */
#include "engine/compile/compile.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "base/stop.h"
#include "base/text.h"

#define DEFAULT_PREEMPT_US 100 /* doc/model/gem_wsim.md "A client" */

void *
compile_alloc(struct compiler *c, size_t n, size_t size)
{
	void *p = arena_array(&c->program->arena, n > 0 ? n : 1, size);

	return memset(p, 0, n * size);
}

void *
compile_copy(struct compiler *c, const void *from, size_t n, size_t size)
{
	void *p = compile_alloc(c, n, size);

	if (n > 0)
		memcpy(p, from, n * size);
	return p;
}

void
compile_report(struct compiler *c, const struct source_step *s,
    enum severity severity, unsigned field, const char *fmt, ...)
{
	struct diag_list *diags = &c->diags[s->document];
	uint32_t col, len;
	va_list ap;

	if (severity == DIAG_ERROR)
		c->failed = true;
	if (!diag_has_room(diags, severity)) {
		diag_count(diags, fmt, severity, 1);
		return;
	}
	document_field(c->docs[s->document], s->line, field, &col, &len);
	va_start(ap, fmt);
	diag_sayv(diags, fmt, severity, s->line, col, len, fmt, ap);
	va_end(ap);
}

void
compile_add_engines(
    const struct compiler *c, engine_mask engines, struct text *out)
{
	for (; engines != 0; engines &= engines - 1)
		text_addf(
		    out, " %s", c->dev->engines[__builtin_ctzll(engines)].name);
}

void
compile_no_engine(struct compiler *c, const struct source_step *s,
    unsigned field, struct engine_name name)
{
	struct text t = {0};

	engine_name_print(&t, name);
	text_adds(&t, "': the device has");
	compile_add_engines(c,
	    c->dev->n_engines < DEVICE_MAX_ENGINES
		? ((engine_mask)1 << c->dev->n_engines) - 1
		: ~(engine_mask)0,
	    &t);
	compile_report(c, s, DIAG_ERROR, field, "no engine '%s", text_str(&t));
	text_free(&t);
}

/* Collecting steps and contexts. */

static int
by_number(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x < y ? -1 : x > y;
}

/* Makes a context_def for each number used, in the order of numbers. */
static void
number_contexts(struct compiler *c)
{
	struct program *p = c->program;
	uint32_t *numbers = mem_calloc(p->n_ops + 1, sizeof *numbers);
	uint32_t n = 0, unique = 0;

	for (uint32_t i = 0; i < p->n_ops; i++) {
		if (step_has_context(c->steps[i].step))
			numbers[n++] = c->steps[i].step->context;
	}
	qsort(numbers, n, sizeof *numbers, by_number);
	for (uint32_t i = 0; i < n; i++) {
		if (i == 0 || numbers[i] != numbers[unique - 1])
			numbers[unique++] = numbers[i];
	}
	p->n_contexts = unique;
	p->contexts = compile_alloc(c, unique, sizeof *p->contexts);
	for (uint32_t i = 0; i < unique; i++)
		p->contexts[i].number = numbers[i];
	c->contexts = mem_calloc(unique + 1, sizeof *c->contexts);
	free(numbers);
}

/* Annotations since the last batch. */
struct pending_annotations {
	const struct annotation **list;
	size_t n, cap;
};

static void
add_pending(struct pending_annotations *p, const struct annotation *a)
{
	if (a == NULL)
		return;
	p->list = mem_grow(p->list, p->n, &p->cap, sizeof(*p->list));
	p->list[p->n++] = a;
}

/* Copies the pending annotations into the program, which may outlive their
 * document. NULL if there are none. */
static const struct batch_annotations *
take_pending(struct compiler *c, struct pending_annotations *p)
{
	struct batch_annotations *b;

	if (p->n == 0)
		return NULL;
	b = compile_alloc(c, 1, sizeof(*b) + p->n * sizeof(b->list[0]));
	b->n = p->n;
	for (size_t i = 0; i < p->n; i++)
		annotation_copy(&c->program->arena, &b->list[i], p->list[i]);
	p->n = 0;
	return b;
}

/* Replaces a step that did not parse, so that the others keep their numbers. */
static const struct step nothing = {.kind = STEP_THROTTLE};

/* Returns true if the compiler must stop; asks at every STOP_EVERY-th line or
 * step, of which i are done. */
static bool
compile_is_stopped(struct compiler *c, size_t i)
{
	if ((i + 1) % STOP_EVERY == 0 && stop_is_wanted(c->options->stop))
		c->failed = c->stopped = true;
	return c->stopped;
}

static void
collect_document(struct compiler *c, uint32_t d, uint32_t base)
{
	struct program *p = c->program;
	const struct document *doc = c->docs[d];
	struct pending_annotations pending = {0};
	uint32_t at = base;
	size_t n = document_n_lines(doc);

	for (size_t line = 0; line < n && !compile_is_stopped(c, line);
	     line++) {
		const struct step *step = document_line_step(doc, line);
		enum line_kind kind = document_line_kind(doc, line);

		if (kind == LINE_ANNOTATION)
			add_pending(
			    &pending, document_line_annotation(doc, line));
		if (kind == LINE_BAD)
			step = &nothing;
		if (step == NULL)
			continue;
		if (step->kind == STEP_BATCH)
			p->annotations[at] = take_pending(c, &pending);
		c->steps[at++] = (struct source_step){
		    step, d, (uint32_t)line, base};
	}
	free(pending.list);
}

static void
collect_steps(struct compiler *c)
{
	struct program *p = c->program;
	uint32_t n = 0;

	for (unsigned d = 0; d < c->n_docs; d++)
		n += (uint32_t)document_n_steps(c->docs[d]);
	p->n_ops = n;
	p->ops = compile_alloc(c, n, sizeof *p->ops);
	p->annotations = compile_alloc(c, n, sizeof *p->annotations);
	c->steps = mem_calloc(n + 1, sizeof *c->steps);
	n = 0;
	for (unsigned d = 0; d < c->n_docs; d++) {
		collect_document(c, d, n);
		n += (uint32_t)document_n_steps(c->docs[d]);
	}
}

static struct duration
scaled(struct duration d, double scale)
{
	d.min_us = (uint64_t)llround((double)d.min_us * scale);
	d.max_us = (uint64_t)llround((double)d.max_us * scale);
	return d;
}

/* Sets the durations of a batch: one that is drawn for all rows, or one for
 * each row. */
static void
compile_durations(
    struct compiler *c, const struct source_step *s, struct op_batch *b)
{
	const struct step *step = s->step;
	uint32_t rows = c->program->contexts[b->context].n_rows;
	uint32_t n = rows > 0 ? rows : 1;
	uint32_t given = step->batch.n_durations;
	struct duration *list = compile_alloc(c, given, sizeof *list);

	if (given > 1 && given != n) {
		compile_report(c, s, DIAG_ERROR, 2,
		    "%u durations for %u rows: expected 1, or one for each row",
		    given, n);
		return;
	}
	for (uint32_t i = 0; i < given; i++)
		list[i] = scaled(
		    given > 1 ? step->batch.rows[i] : step->batch.duration,
		    c->options->duration_scale);
	b->durations = list;
	b->n_durations = given;
}

static void
compile_fences(struct compiler *c, const struct source_step *s, uint32_t step,
    struct op_batch *b)
{
	const struct dep *deps = s->step->batch.deps;
	struct fence_use *list = compile_alloc(
	    c, s->step->batch.n_deps, sizeof *list);

	for (uint32_t i = 0; i < s->step->batch.n_deps; i++) {
		if (deps[i].kind != DEP_FENCE && deps[i].kind != DEP_SUBMIT)
			continue;

		const struct op *target = &c->program->ops[step - deps[i].back];
		struct fence_use *use = &list[b->n_fences++];

		use->step = step - deps[i].back;
		use->submit = deps[i].kind == DEP_SUBMIT;
		use->software = target->kind == STEP_FENCE;
		use->fence = use->software ? target->fence : NO_INDEX;
	}
	b->fences = list;
}

static uint32_t
row_of_step(const struct compiler *c, const struct source_step *s)
{
	size_t row, column;

	document_position(c->docs[s->document], s->line, 0, &row, &column);
	return (uint32_t)row;
}

/* Sets what follows from the step alone: kind, targets, values, and the numbers
 * of contexts and fences. */
static void
compile_plain(struct compiler *c, uint32_t i)
{
	struct program *p = c->program;
	const struct source_step *s = &c->steps[i];
	const struct step *step = s->step;
	struct op *op = &p->ops[i];

	op->kind = step->kind;
	op->document = s->document;
	op->line = s->line;
	op->text_row = row_of_step(c, s);
	switch (step->kind) {
	case STEP_BATCH:
		op->batch.context = program_find_context(
		    c->program, step->context);
		op->batch.output = p->n_batches++;
		op->batch.wait = step->batch.wait;
		break;
	case STEP_DELAY:
		op->delay = scaled((struct duration){.min_us = step->us},
				c->options->delay_scale)
				.min_us *
		    NSEC_PER_USEC;
		break;
	case STEP_PERIOD:
		op->delay = step->us * NSEC_PER_USEC;
		p->periods[p->n_periods++] = i;
		break;
	case STEP_SYNC:
	case STEP_TERMINATE: op->target = i - step->back; break;
	case STEP_THROTTLE: op->count = step->count; break;
	case STEP_QUEUE_DEPTH:
		op->count = step->count;
		p->uses_queue_depth |= step->count > 0;
		break;
	case STEP_FENCE: op->fence = p->n_fences++; break;
	case STEP_ADVANCE: op->target = p->ops[i - step->back].fence; break;
	case STEP_PREEMPTION: /* its value is collected */
	case STEP_PRIORITY:
	case STEP_SSEU:
		op->set.context = program_find_context(
		    c->program, step->context);
		op->set.value = step->value;
		break;
	/* Collected for the whole program. */
	case STEP_MAP:
	case STEP_BALANCE:
	case STEP_BOND:
	case STEP_PARALLEL:
	case STEP_SET:
	case STEP_SHARED_SET:
	case N_STEP_KINDS: break;
	}
}

static void
compile_sseu(struct compiler *c, uint32_t i)
{
	struct op *op = &c->program->ops[i];
	uint32_t all = c->options->all_slices;

	if (op->set.value == -1) {
		op->set.value = all;
		return;
	}
	if (op->set.value > all)
		compile_report(c, &c->steps[i],
		    op->set.value & all ? DIAG_WARNING : DIAG_ERROR, 2,
		    "slice mask %lld names slices that the device lacks: "
		    "expected slices of mask %u, or -1 for all",
		    (long long)op->set.value, all);
	op->set.value &= all;
}

/* Sets the X of each batch: the last one of its context before it in the
 * text. */
static void
compile_preemption(struct compiler *c)
{
	for (uint32_t i = 0; i < c->program->n_contexts; i++)
		c->contexts[i].preempt_us = DEFAULT_PREEMPT_US;
	for (uint32_t i = 0; i < c->program->n_ops; i++) {
		const struct step *step = c->steps[i].step;

		if (step->kind == STEP_PREEMPTION)
			c->contexts[program_find_context(
					c->program, step->context)]
			    .preempt_us = step->us;
		else if (step->kind == STEP_BATCH) {
			struct op_batch *b = &c->program->ops[i].batch;

			b->preempt_us = c->contexts[b->context].preempt_us;
		}
	}
}

/* Sets durations, fences and uses of a batch, and notes the engine it needs. */
static void
compile_batch(struct compiler *c, struct object_space *space, uint32_t i)
{
	const struct source_step *s = &c->steps[i];
	struct op_batch *b = &c->program->ops[i].batch;
	struct engine_choice choice;

	compile_durations(c, s, b);
	compile_fences(c, s, i, b);
	compile_uses(c, space, s, b);
	c->program->contexts[b->context].n_batches++;
	if (!compile_choose_engine(c, s, &choice))
		return;
	if (choice.is_outside)
		compile_warn_outside(c, s);
	if (choice.is_virtual)
		c->contexts[b->context].used_virtual = true;
	else
		c->contexts[b->context].used |= (engine_mask)1 << choice.engine;
}

/* Sets the ring of each batch: rings are numbered by context, once all batches
 * are known. */
static void
assign_rings(struct compiler *c)
{
	compile_rings(c);
	for (uint32_t i = 0; i < c->program->n_ops; i++) {
		struct op *op = &c->program->ops[i];
		struct engine_choice choice;

		if (op->kind == STEP_BATCH &&
		    compile_choose_engine(c, &c->steps[i], &choice))
			op->batch.ring = compile_find_ring(
			    c, op->batch.context, choice);
	}
}

/* Makes room for the list of p steps. */
static void
make_periods(struct compiler *c)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < c->program->n_ops; i++)
		n += c->steps[i].step->kind == STEP_PERIOD;
	c->program->periods = compile_alloc(c, n, sizeof(uint32_t));
}

static void
compile_all(struct compiler *c)
{
	struct program *p = c->program;
	struct object_space *space;

	make_periods(c);
	for (uint32_t i = 0; i < p->n_ops && !compile_is_stopped(c, i); i++)
		compile_plain(c, i);
	if (c->stopped)
		return;
	compile_maps(c);
	compile_preemption(c);
	space = compile_objects(c);
	for (uint32_t i = 0; i < p->n_ops && !compile_is_stopped(c, i); i++) {
		if (p->ops[i].kind == STEP_BATCH)
			compile_batch(c, space, i);
		else if (p->ops[i].kind == STEP_SSEU)
			compile_sseu(c, i);
	}
	compile_objects_free(space);
	if (!c->stopped)
		compile_platform(c);
	if (!c->failed)
		assign_rings(c);
}

/* Reports what can be said of engines in documents with errors, whose
 * references and sets can't be followed. */
static void
check_engines_only(struct compiler *c)
{
	struct engine_choice choice;

	c->failed = true;
	compile_maps(c);
	for (uint32_t i = 0; i < c->program->n_ops && !compile_is_stopped(c, i);
	     i++) {
		if (c->steps[i].step->kind == STEP_BATCH)
			compile_choose_engine(c, &c->steps[i], &choice);
	}
}

static void
compile_collected(struct compiler *c, bool valid)
{
	number_contexts(c);
	if (valid)
		compile_all(c);
	else
		check_engines_only(c);
}

struct program *
program_compile(const struct document *const *docs, unsigned n_docs,
    const struct device *dev, const struct program_options *options,
    struct diag_list *diags)
{
	struct compiler c = {.docs = docs,
	    .n_docs = n_docs,
	    .dev = dev,
	    .options = options,
	    .diags = diags};

	bool valid = true;

	for (unsigned d = 0; d < n_docs; d++)
		valid &= document_is_valid(docs[d]);
	c.program = mem_calloc(1, sizeof *c.program);
	c.program->refs = 1;
	collect_steps(&c);
	if (!c.stopped)
		compile_collected(&c, valid);
	free(c.steps);
	free(c.contexts);
	if (c.failed) {
		program_free(c.program);
		return NULL;
	}
	return c.program;
}
