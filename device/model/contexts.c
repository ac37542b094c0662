/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Processes, their open files and their contexts. A process is a client of the
 * simulation, from its first context until nothing is left of it.
 */
#include <stdlib.h>

#include "base/mem.h"
#include "base/text.h"
#include "base/util.h"
#include "device/model/model.h"
#include "engine/client/client.h"
#include "engine/sim.h"

struct model_program *
model_program(struct model *m, uint32_t pid)
{
	struct chain_node *node = chains_find(&m->programs, NULL, pid);

	return node != NULL ? container_of(node, struct model_program, node)
			    : NULL;
}

static struct model_program *
program_of(struct model *m, const struct gpu_context_state *state)
{
	struct model_program *p = model_program(m, state->pid);
	struct text command = {0};

	if (p != NULL)
		return p;
	p = mem_calloc(1, sizeof *p);
	p->node.n = state->pid;
	p->client = backend_client_new(m->sim, state->program,
	    m->process_number != NULL
		? m->process_number(m->process_data, state->pid)
		: state->pid,
	    &m->owner);
	if (m->host->ops->command != NULL) {
		m->host->ops->command(m->host, state->pid, &command);
		backend_client_set_command(p->client, text_str(&command));
		text_free(&command);
	}
	chains_add(&m->programs, &p->node);
	return p;
}

static struct model_file *
file_of(struct model *m, struct model_program *p, uint64_t id)
{
	struct chain_node *node = chains_find(&m->files, NULL, id);
	struct model_file *file;

	if (node != NULL)
		return container_of(node, struct model_file, node);
	file = mem_calloc(1, sizeof *file);
	file->node.n = id;
	file->next = p->files;
	p->files = file;
	chains_add(&m->files, &file->node);
	return file;
}

/* Adds it to the contexts of its file. */
static void
link_context(struct gpu_context *c)
{
	c->at = &c->file->contexts;
	c->next = *c->at;
	if (c->next != NULL)
		c->next->at = &c->next;
	*c->at = c;
}

struct gpu_context *
model_context_new(struct gpu *gpu, const struct gpu_context_state *state)
{
	struct model *m = model_of(gpu);
	struct model_program *p = program_of(m, state);
	struct gpu_context *c = mem_calloc(1, sizeof *c);
	struct context_setup setup = {
	    .number = state->id,
	    .priority = (int16_t)state->priority,
	    .persistent = state->persistent,
	    .bannable = state->bannable,
	    .recoverable = state->recoverable,
	    .has_engines = state->id == 0,
	};
	struct text err = {0};

	c->refs = 1;
	c->model = m;
	c->priority = state->priority;
	c->file = file_of(m, p, state->client);
	c->context = backend_context_new(p->client, &setup, &err);
	link_context(c);
	text_free(&err);
	return c;
}

void
model_context_set(struct gpu *gpu, struct gpu_context *c,
    const struct gpu_context_state *state)
{
	(void)gpu;
	if (c->context == NULL)
		return;
	if (state->priority != c->priority)
		backend_context_set_priority(c->context, state->priority);
	c->priority = state->priority;
	backend_context_set_persistent(c->context, state->persistent);
	backend_context_set_bannable(c->context, state->bannable);
	backend_context_set_recoverable(c->context, state->recoverable);
}

/* Adds the time that the context had engines to times: with that at semaphores,
 * up to the last question. */
static void
add_run_times(const struct gpu_context *c, nsec times[N_GPU_CLASSES])
{
	const struct sim *sim = c->model->sim;
	struct sim_times of;

	if (c->context == NULL)
		return;
	sim_context_times(sim, c->context, &of);
	for (unsigned i = 0; i < sim->device.n_engines; i++)
		times[sim->device.engines[i].class] += of.run_ns[i];
	for (unsigned i = 0; i < N_GPU_CLASSES; i++)
		times[i] += c->waited_ns[i];
}

/* Frees a file, unless contexts are left of it. */
static void
orphan_file(struct model *m, struct model_file *file)
{
	file->orphan = true;
	if (file->contexts != NULL)
		return;
	chains_remove(&m->files, &file->node);
	free(file);
}

void
model_context_put(struct gpu_context *c)
{
	if (--c->refs > 0)
		return;
	*c->at = c->next;
	if (c->next != NULL)
		c->next->at = c->at;
	add_run_times(c, c->file->run_ns);
	if (c->context != NULL)
		backend_context_release(c->context);
	if (c->file->orphan)
		orphan_file(c->model, c->file);
	free(c);
}

void
model_context_free(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	if (c->context != NULL)
		backend_context_destroy(c->context);
	model_context_put(c);
}

bool
model_context_banned(struct gpu *gpu, struct gpu_context *c)
{
	(void)gpu;
	return c->context == NULL || c->context->ban.banned;
}

struct gpu_reset_stats
model_reset_stats(struct gpu *gpu, struct gpu_context *c)
{
	struct gpu_reset_stats stats = {
	    .resets = (uint32_t)model_of(gpu)->n_resets,
	};

	if (c->context != NULL) {
		stats.guilty = c->context->ban.guilty;
		stats.innocent = c->context->ban.active;
	}
	return stats;
}

uint64_t
model_client_ns(struct gpu *gpu, uint64_t client, unsigned class)
{
	struct model *m = model_of(gpu);
	struct chain_node *node = chains_find(&m->files, NULL, client);
	nsec times[N_GPU_CLASSES] = {0};
	const struct model_file *file;

	if (node == NULL || class >= N_GPU_CLASSES)
		return 0;
	file = container_of(node, struct model_file, node);
	for (const struct gpu_context *c = file->contexts; c != NULL;
	     c = c->next)
		add_run_times(c, times);
	return file->run_ns[class] + times[class];
}

static void
free_program(struct model *m, struct model_program *p)
{
	struct model_file *file, *next;

	for (file = p->files; file != NULL; file = next) {
		next = file->next;
		orphan_file(m, file);
	}
	backend_client_leave(p->client);
	free(p);
}

void
model_program_gone(struct gpu *gpu, uint32_t pid)
{
	struct model *m = model_of(gpu);
	struct chain_node *node = chains_find(&m->programs, NULL, pid);

	if (node == NULL)
		return;
	chains_remove(&m->programs, node);
	free_program(m, container_of(node, struct model_program, node));
}

void
model_programs_leave(struct model *m)
{
	for (size_t i = 0; i < m->programs.cap; i++)
		while (m->programs.heads[i] != NULL)
			model_program_gone(
			    &m->gpu, (uint32_t)m->programs.heads[i]->n);
}

void
model_programs_free(struct model *m)
{
	chains_free(&m->programs);
	chains_free(&m->files);
}
