/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Keeps the changes of a run with the figures before each. Totals are taken over
 * all clients of a descriptor, so that their size does not grow with clients.
 */
#include "run/live/changes.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "base/mem.h"
#include "engine/sim.h"

void
changes_free(struct changes *c)
{
	for (size_t i = 0; i < c->n; i++)
		text_free(&c->list[i].what);
	free(c->list);
	*c = (struct changes){.noted = c->noted};
}

/* Returns the sum of a descriptor's context; NULL: the table is full. */
static struct context_sum *
sum_of_context(struct run_sums *sums, uint32_t workload, uint32_t context)
{
	struct context_sum *sum = sums->contexts;

	for (unsigned i = 0; i < sums->n_contexts; i++, sum++)
		if (sum->workload == workload && sum->context == context)
			return sum;
	if (sums->n_contexts == CHANGES_CONTEXTS)
		return NULL;
	sums->n_contexts++;
	*sum = (struct context_sum){.workload = workload, .context = context};
	return sum;
}

static void
add_client_sums(struct run_sums *sums, const struct client *c)
{
	for (uint32_t i = 0; i < c->n_contexts; i++) {
		const struct context *context = c->contexts[i];
		struct context_sum *sum;

		if (context->batches == 0)
			continue;
		sum = sum_of_context(
		    sums, client_workload(c), context->def->number);
		if (sum == NULL)
			continue;
		sum->batches += histogram_n(&context->times, LATENCY);
		sum->latency += histogram_sum(&context->times, LATENCY);
	}
}

struct run_sums
changes_sums(const struct sim *sim)
{
	struct run_sums sums = {
	    .at = sim->now,
	    .missed = sim->n_missed,
	};

	/* Idle iterations are counted when they begin, all of them when they
	 * end. */
	if (sim->n_iterations > sim->n_idle_iterations)
		sums.iterations = sim->n_iterations - sim->n_idle_iterations;
	for (size_t i = 0; i < sim->n_clients; i++)
		add_client_sums(&sums, sim->clients[i]);
	return sums;
}

static void
add_mean(
    struct run_figures *f, const struct context_sum *to, struct run_sums *from)
{
	const struct context_sum *was = sum_of_context(
	    from, to->workload, to->context);
	uint64_t n = to->batches - (was != NULL ? was->batches : 0);
	unsigned __int128 sum = to->latency - (was != NULL ? was->latency : 0);

	if (n == 0)
		return;
	f->contexts[f->n_contexts++] = (struct context_mean){
	    .workload = to->workload,
	    .context = to->context,
	    .latency = (nsec)(sum / n),
	};
}

struct run_figures
changes_between(const struct run_sums *from, const struct run_sums *to)
{
	struct run_figures f = {.span = to->at - from->at};
	struct run_sums was = *from;
	double seconds = (double)f.span / 1e9;

	if (f.span == 0)
		return f;
	f.iterations = (double)(to->iterations - from->iterations) / seconds;
	f.missed = (double)(to->missed - from->missed) / seconds;
	for (unsigned i = 0; i < to->n_contexts; i++)
		add_mean(&f, &to->contexts[i], &was);
	return f;
}

struct run_figures
changes_now(const struct changes *c, const struct sim *sim)
{
	static const struct run_sums launch;
	struct run_sums now = changes_sums(sim);

	return changes_between(c->n_recent > 0 ? &c->recent[0] : &launch, &now);
}

void
changes_tick(struct changes *c, const struct sim *sim, nsec span)
{
	nsec last = c->n_recent > 0 ? c->recent[c->n_recent - 1].at : 0;

	if (sim->now - last < span)
		return;
	if (c->n_recent == 2)
		c->recent[0] = c->recent[1];
	else if (c->n_recent == 0)
		c->recent[c->n_recent++] = (struct run_sums){0};
	c->recent[1] = changes_sums(sim);
	c->n_recent = 2;
}

static struct run_change *
new_change(struct changes *c)
{
	if (c->n == CHANGES_MAX) {
		text_free(&c->list[0].what);
		memmove(
		    c->list, c->list + 1, (CHANGES_MAX - 1) * sizeof(*c->list));
		c->n--;
		c->n_forgotten++;
	}
	c->list = mem_grow(c->list, c->n, &c->cap, sizeof(*c->list));
	c->list[c->n] = (struct run_change){0};
	return &c->list[c->n++];
}

/* Returns the change that is noted at this time: the last one, or a new one. */
static struct run_change *
change_at_now(struct changes *c, const struct sim *sim)
{
	struct run_change *change = c->n > 0 ? &c->list[c->n - 1] : NULL;

	if (change != NULL && change->launch == c->launch &&
	    change->at == sim->now) {
		text_adds(&change->what, "; ");
		return change;
	}
	change = new_change(c);
	change->at = sim->now;
	change->launch = c->launch;
	change->before = changes_now(c, sim);
	c->recent[0] = changes_sums(sim);
	c->n_recent = 1;
	return change;
}

void
changes_add(struct changes *c, const struct sim *sim, const char *fmt, ...)
{
	struct text what = {0};
	va_list args;

	va_start(args, fmt);
	text_addv(&what, fmt, args);
	va_end(args);
	text_adds(&change_at_now(c, sim)->what, text_str(&what));
	if (c->noted != NULL)
		c->noted(c, text_str(&what));
	text_free(&what);
}

void
changes_restarted(
    struct changes *c, const struct run_figures *before, const char *what)
{
	struct run_change *change = new_change(c);

	text_adds(&change->what, what);
	change->launch = ++c->launch;
	change->before = *before;
	c->n_recent = 0;
}

void
changes_copy(struct changes *c, const struct changes *from, uint64_t n)
{
	size_t kept = n > from->n_forgotten ? n - from->n_forgotten : 0;

	c->n_forgotten = n - kept;
	c->launch = from->launch;
	for (size_t i = 0; i < kept && i < from->n; i++) {
		c->list = mem_grow(c->list, c->n, &c->cap, sizeof(*c->list));
		c->list[c->n] = from->list[i];
		c->list[c->n].what = (struct text){0};
		text_adds(&c->list[c->n++].what, text_str(&from->list[i].what));
	}
}

struct run_figures
changes_after(const struct changes *c, size_t i, const struct sim *sim)
{
	return i + 1 < c->n ? c->list[i + 1].before : changes_now(c, sim);
}
