/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Names and arguments in a trace. Perfetto's UI colours a slice by its name
 * without the digits, so that names of clients, contexts and steps have their
 * numbers in letters too: "AbD" is client 0, context 1, step 3.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/batch_name.h"
#include "engine/client/origin.h"
#include "engine/sim.h"
#include "trace/trace_private.h"

#define LABEL_BYTES 40 /* of a name; a longer label is cut */
#define TEXT_BYTES  200

/* Appends n in letters: A to Z, AA to AZ, ... */
static void
add_letters(uint32_t n, char first, struct text *out)
{
	char letters[8];
	size_t len = 0;

	do {
		letters[len++] = (char)(first + (char)(n % 26));
		n /= 26;
	} while (n-- > 0);
	while (len > 0)
		text_addc(out, letters[--len]);
}

/* Appends at most max bytes, without a part of a character at the end. */
static void
add_cut_text(struct text *out, const struct text *from, size_t max)
{
	size_t len = from->len;

	if (len > max) {
		len = max;
		while (
		    len > 0 && ((unsigned char)from->data[len] & 0xc0) == 0x80)
			len--;
	}
	text_add(out, text_str(from), len);
}

/* Appends the first label that the batch pushes. */
static void
add_first_label(const struct batch_annotations *list, struct text *out)
{
	for (size_t i = 0; list != NULL && i < list->n; i++)
		if (list->list[i].kind == ANNOTATION_LABEL_PUSH) {
			annotation_label(&list->list[i], out);
			return;
		}
}

/* Appends what a reader of the descriptor calls the step: its label, the comment
 * above it, or its text. */
static void
add_label(
    const struct request *rq, const struct step_texts *texts, struct text *out)
{
	struct text label = {0};

	if (request_program(rq) != NULL)
		add_first_label(request_annotations(rq), &label);
	else if (request_label(rq) != NULL)
		text_adds(&label, request_label(rq));
	if (label.len == 0)
		text_adds(&label,
		    text_str(texts->comment.len > 0 ? &texts->comment
						    : &texts->line));
	add_cut_text(out, &label, LABEL_BYTES);
	if (label.len > 0)
		text_addc(out, ' ');
	text_free(&label);
}

static char *
copy_words(const struct text *text)
{
	return mem_strdup(text_str(text));
}

static void
fill_words(struct trace *t, const struct request *rq, struct step_words *w)
{
	struct step_texts texts = {0};
	struct batch_name name = batch_name_of(rq);
	struct text out = {0};

	if (t->texts != NULL)
		t->texts->step(t->texts, rq, &texts);
	add_label(rq, &texts, &out);
	batch_name_short(&name, t->sim->n_clients > 1, &out);
	text_addc(&out, ' ');
	add_letters(rq->client->id, 'A', &out);
	add_letters(rq->context->def->number, 'a', &out);
	add_letters(rq->origin.step, 'A', &out);
	w->name = copy_words(&out);
	text_clear(&out);
	if (texts.file.len > 0)
		text_addf(
		    &out, "%s:%u", text_str(&texts.file), name.place.line);
	w->at = copy_words(&out);
	text_clear(&out);
	add_cut_text(&out, &texts.line, TEXT_BYTES);
	w->text = copy_words(&out);
	text_free(&out);
	text_free(&texts.file);
	text_free(&texts.line);
	text_free(&texts.comment);
}

static void
words_free(struct step_words *w)
{
	free(w->name);
	free(w->at);
	free(w->text);
}

/* Requests from outside are all different, and get labels while they run: the
 * words of the last few are kept, while their callers use them. */
static const struct step_words *
outside_words(struct trace *t, const struct request *rq)
{
	struct step_words *w = &t->outside[t->next_outside++ % N_OUTSIDE_WORDS];

	words_free(w);
	fill_words(t, rq, w);
	return w;
}

/* Steps are named once for each program and client. */
const struct step_words *
trace_words(struct trace *t, const struct request *rq)
{
	const struct program *program = request_program(rq);
	uint64_t key = (uint64_t)rq->client->id << 32 | rq->origin.step;
	struct chain_node *node = chains_find(&t->words, program, key);
	struct step_words *w = (struct step_words *)(void *)node;

	if (program == NULL)
		return outside_words(t, rq);
	if (w != NULL)
		return w;
	w = mem_calloc(1, sizeof(*w));
	w->node.p = program;
	w->node.n = key;
	w->program = program_ref(program);
	fill_words(t, rq, w);
	chains_add(&t->words, &w->node);
	return w;
}

static void
step_words_free(struct chain_node *node)
{
	struct step_words *w = (struct step_words *)(void *)node;

	program_unref(w->program);
	words_free(w);
	free(w);
}

void
trace_forget_words(struct trace *t)
{
	chains_sweep(&t->words, NULL, NULL, step_words_free);
	for (size_t i = 0; i < N_OUTSIDE_WORDS; i++) {
		words_free(&t->outside[i]);
		t->outside[i] = (struct step_words){0};
	}
}

void
trace_name_client(
    const struct trace *t, const struct client *c, struct text *out)
{
	struct text title = {0};

	text_addf(out, "Client %u (", c->id);
	add_letters(c->id, 'A', out);
	text_addc(out, ')');
	if (t->texts != NULL)
		t->texts->title(t->texts, c, &title);
	if (title.len > 0) {
		text_adds(out, ": ");
		add_cut_text(out, &title, LABEL_BYTES);
	}
	text_free(&title);
}

void
trace_name_context(const struct context *context, struct text *out)
{
	text_addf(out, "Context %u (", context->def->number);
	add_letters(context->def->number, 'a', out);
	text_addc(out, ')');
}

/* Appends what it runs on: scheduler and profile of the model, or the GPU. */
static void
add_machine(const struct sim_config *config, struct text *out)
{
	if (config->sched->reported)
		text_addf(out, "GPU %s", config->profile.description);
	else
		text_addf(
		    out, "%s %s", config->sched->name, config->profile.name);
}

void
trace_put_origin(struct trace *t)
{
	const struct sim_config *config = &t->sim->config;
	struct trace_args args = {.n = 0};

	if (t->texts != NULL && t->texts->command != NULL)
		trace_add_text(&args, "command", t->texts->command);
	trace_add_text(&args, "version", GPUWL_VERSION);
	if (config->sched->reported) {
		trace_add_text(&args, "gpu", config->profile.description);
	} else {
		trace_add_text(&args, "scheduler", config->sched->name);
		trace_add_text(&args, "profile", config->profile.name);
	}
	trace_add_number(&args, "seed", config->seed);
	trace_add_number(&args, "launch", t->launch);
	text_clear(&t->text);
	text_adds(&t->text, "gpuwl-top " GPUWL_VERSION ": ");
	add_machine(config, &t->text);
	text_addf(&t->text, " seed %" PRIu32, config->seed);
	trace_put_instant(t, (struct trace_place){GROUP_RUN, NUMBER_RUN},
	    text_str(&t->text), args.list, args.n);
}

void
trace_add_number(struct trace_args *args, const char *name, int64_t n)
{
	if (args->n < TRACE_MAX_ARGS)
		args->list[args->n++] = (struct trace_arg){name, NULL, n};
}

void
trace_add_nonzero(struct trace_args *args, const char *name, int64_t n)
{
	if (n != 0)
		trace_add_number(args, name, n);
}

void
trace_add_text(struct trace_args *args, const char *name, const char *text)
{
	if (text[0] != '\0' && args->n < TRACE_MAX_ARGS)
		args->list[args->n++] = (struct trace_arg){name, text, 0};
}

void
trace_add_request(struct trace_args *args, const struct request *rq,
    const struct step_words *words)
{
	trace_add_number(args, "client", rq->client->id);
	trace_add_number(args, "context", rq->context->def->number);
	trace_add_number(args, "step", rq->origin.step);
	trace_add_number(args, "iteration", (int64_t)rq->origin.iteration);
	trace_add_number(args, "request", (int64_t)rq->seq);
	trace_add_nonzero(args, "row", rq->row);
	trace_add_nonzero(args, "priority", rq->priority);
	trace_add_nonzero(args, "error", rq->error);
	trace_add_text(args, "at", words->at);
	trace_add_text(args, "text", words->text);
}

void
trace_add_times(struct trace *t, struct trace_args *args,
    const struct request *rq, bool ended)
{
	nsec ready = fence_time(&rq->queued),
	     start = fence_time(&rq->scheduled);

	if (ready != NSEC_NEVER && start != NSEC_NEVER && start >= ready)
		trace_add_number(args, "queue_ns", (int64_t)(start - ready));
	if (!ended)
		return;
	trace_add_number(
	    args, "latency_ns", (int64_t)(t->sim->now - rq->submit_ns));
	trace_add_nonzero(args, "late_ns", (int64_t)trace_late(t, rq));
	trace_add_nonzero(args, "preemptions", rq->preemptions);
}
