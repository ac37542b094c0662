/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Contexts and the address spaces that programs make for them: their life.
 * Rules: doc/model/i915.md "Contexts".
 */
#include "device/i915/context.h"

#include <errno.h>
#include <stdlib.h>

#include "base/mem.h"
#include "device/i915/ioctls.h"
#include "device/i915/uapi.h"

static struct i915_context *
context_new(struct i915 *dev, struct i915_file *file)
{
	struct i915_context *c = mem_calloc(1, sizeof(*c));

	c->refs = 1;
	c->file = file;
	c->program = i915_program_ref(file->marked.program);
	c->state = (struct gpu_context_state){
	    .client = file->id,
	    .pid = (uint32_t)c->program->node.n,
	    .program = c->program->name,
	    .persistent = !dev->no_hangcheck,
	    .bannable = true,
	    .recoverable = true,
	};
	c->space = i915_space_new(dev, file);
	return c;
}

void
i915_context_default(struct i915 *dev, struct i915_file *file)
{
	struct i915_context *c = context_new(dev, file);

	i915_table_add(&file->contexts, 0, c);
}

struct i915_context *
i915_context_get(struct i915_context *c)
{
	c->refs++;
	return c;
}

void
i915_context_put(struct i915 *dev, struct i915_context *c)
{
	if (--c->refs)
		return;
	i915_engines_free(dev, c->engines);
	if (c->gpu)
		dev->gpu->ops->context_free(dev->gpu, c->gpu);
	i915_space_put(dev, c->space);
	i915_fence_put(dev, c->last);
	i915_program_put(dev, c->program);
	free(c);
}

void
i915_context_close(struct i915 *dev, struct i915_context *c)
{
	struct gpu_context *gpu = c->gpu;

	if (c->id)
		i915_give(c->program, I915_LIMIT_CONTEXTS, 1);
	if (dev->no_hangcheck) {
		c->state.persistent = false;
		i915_context_changed(dev, c);
	}
	i915_engines_free(dev, c->engines);
	c->engines = NULL;
	c->gpu = NULL;
	c->file = NULL;
	/* May end its requests, each of which keeps it. */
	if (gpu)
		dev->gpu->ops->context_free(dev->gpu, gpu);
	i915_context_put(dev, c);
}

void
i915_context_changed(struct i915 *dev, struct i915_context *c)
{
	if (c->gpu)
		dev->gpu->ops->context_set(dev->gpu, c->gpu, &c->state);
}

int
i915_context_use(struct i915 *dev, struct i915_file *file, uint64_t id,
    struct i915_context **context)
{
	struct i915_context *c = i915_table_get(&file->contexts, id);

	*context = c;
	if (!c)
		return -ENOENT;
	if (c->in_use)
		return 0;
	if (!c->engines)
		c->engines = i915_engines_legacy(dev);
	if (i915_engines_check(dev, c->engines))
		return -EINVAL;
	c->in_use = true;
	c->gpu = dev->gpu->ops->context_new(dev->gpu, &c->state);
	return 0;
}

/* A parameter that is set as the context is made. */
static int
create_setparam(
    struct i915 *dev, struct i915_call *call, uint64_t user, void *data)
{
	struct drm_i915_gem_context_create_ext_setparam ext;
	int rc = i915_copy_in(call, &ext, user, sizeof(ext));

	if (rc)
		return rc;
	if (ext.param.ctx_id)
		return -EINVAL;
	return i915_context_set(dev, call, data, &ext.param, true);
}

static bool
client_banned(struct gpu *gpu, uint64_t client)
{
	return gpu->ops->client_banned && gpu->ops->client_banned(gpu, client);
}

int
i915_gem_context_create(struct i915 *dev, struct i915_call *call)
{
	static i915_extension_fn *const serve[] = {
	    [I915_CONTEXT_CREATE_EXT_SETPARAM] = create_setparam,
	};
	struct drm_i915_gem_context_create_ext *arg = (void *)call->arg;
	struct i915_context *c;
	int rc;

	if (arg->flags & I915_CONTEXT_CREATE_FLAGS_UNKNOWN)
		return -EINVAL;
	if (dev->gpu->ops->wedged(dev->gpu) ||
	    client_banned(dev->gpu, call->file->id))
		return -EIO;
	rc = i915_take(dev, call->file->marked.program, I915_LIMIT_CONTEXTS, 1);
	if (rc)
		return rc;
	c = context_new(dev, call->file);
	c->single_timeline = arg->flags &
	    I915_CONTEXT_CREATE_FLAGS_SINGLE_TIMELINE;
	if (arg->flags & I915_CONTEXT_CREATE_FLAGS_USE_EXTENSIONS)
		rc = i915_extensions(dev, call, arg->extensions, serve, 1, c);
	if (rc) {
		i915_give(c->program, I915_LIMIT_CONTEXTS, 1);
		i915_context_put(dev, c);
		return rc;
	}
	c->id = i915_table_add(&call->file->contexts, 1, c);
	c->state.id = c->id;
	arg->ctx_id = c->id;
	/* After graphics 12 there are no proto contexts. */
	if (dev->config->graphics > 1299)
		rc = i915_context_use(dev, call->file, c->id, &c);
	return rc;
}

int
i915_gem_context_destroy(struct i915 *dev, struct i915_call *call)
{
	const struct drm_i915_gem_context_destroy *arg = (void *)call->arg;
	struct i915_context *c;

	if (arg->pad)
		return -EINVAL;
	if (!arg->ctx_id)
		return -ENOENT;
	c = i915_table_remove(&call->file->contexts, arg->ctx_id);
	if (!c)
		return -ENOENT;
	i915_context_close(dev, c);
	return 0;
}

int
i915_gem_reset_stats(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_reset_stats *arg = (void *)call->arg;
	struct gpu_reset_stats stats;
	struct i915_context *c;
	int rc;

	if (arg->flags || arg->pad)
		return -EINVAL;
	rc = i915_context_use(dev, call->file, arg->ctx_id, &c);
	if (rc)
		return rc;
	stats = dev->gpu->ops->reset_stats(dev->gpu, c->gpu);
	arg->reset_count = call->caller->capabilities & I915_CAP_ADMIN
	    ? stats.resets
	    : 0;
	arg->batch_active = stats.guilty;
	arg->batch_pending = stats.innocent;
	return 0;
}

int
i915_context_name_space(struct i915 *dev, struct i915_file *file,
    struct i915_space *space, uint32_t *id)
{
	struct i915_program *program = file->marked.program;
	int rc = i915_take(dev, program, I915_LIMIT_CONTEXTS, 1);

	if (rc)
		return rc;
	space = space ? i915_space_get(space) : i915_space_new(dev, file);
	*id = i915_table_add(&file->spaces, 1, space);
	return 0;
}

int
i915_gem_vm_create(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_vm_control *arg = (void *)call->arg;
	int rc;

	if (!i915_full_ppgtt(dev))
		return -ENODEV;
	if (arg->flags)
		return -EINVAL;
	rc = i915_extensions(dev, call, arg->extensions, NULL, 0, NULL);
	if (rc)
		return rc;
	return i915_context_name_space(dev, call->file, NULL, &arg->vm_id);
}

int
i915_gem_vm_destroy(struct i915 *dev, struct i915_call *call)
{
	const struct drm_i915_gem_vm_control *arg = (void *)call->arg;
	struct i915_space *space;

	if (arg->flags || arg->extensions)
		return -EINVAL;
	space = i915_table_remove(&call->file->spaces, arg->vm_id);
	if (!space)
		return -ENOENT;
	i915_give(call->file->marked.program, I915_LIMIT_CONTEXTS, 1);
	i915_space_put(dev, space);
	return 0;
}
