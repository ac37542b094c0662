/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Parameters of contexts: doc/model/i915.md "Context parameters". Each has a
 * row: what reads it, what sets it, and since when it exists.
 */
#include <errno.h>

#include "device/i915/context.h"
#include "device/i915/ioctls.h"
#include "device/i915/uapi.h"

typedef int context_param_fn(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param);

static int
get_gtt_size(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	(void)call;
	(void)c;
	param->value = dev->config->address_size;
	return 0;
}

static int
get_no_error_capture(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	param->value = c->no_error_capture;
	return 0;
}

static int
set_no_error_capture(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	if (param->size)
		return -EINVAL;
	c->no_error_capture = param->value;
	return 0;
}

static int
get_bannable(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	param->value = c->state.bannable;
	return 0;
}

static int
set_bannable(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	(void)dev;
	if (param->size)
		return -EINVAL;
	if (!param->value && !(call->caller->capabilities & I915_CAP_ADMIN))
		return -EPERM;
	c->state.bannable = param->value;
	return 0;
}

static int
get_priority(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	param->value = (uint64_t)(int64_t)c->state.priority;
	return 0;
}

static int
set_context_priority(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	int64_t priority = (int64_t)param->value;

	if (param->size)
		return -EINVAL;
	if (dev->config->scheduler == I915_RING)
		return -ENODEV;
	if (priority > I915_CONTEXT_MAX_USER_PRIORITY ||
	    priority < I915_CONTEXT_MIN_USER_PRIORITY)
		return -EINVAL;
	if (priority > I915_CONTEXT_DEFAULT_PRIORITY &&
	    !(call->caller->capabilities & I915_CAP_NICE))
		return -EPERM;
	c->state.priority = (int32_t)priority;
	return 0;
}

static int
get_recoverable(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	param->value = c->state.recoverable;
	return 0;
}

static int
set_recoverable(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	if (param->size)
		return -EINVAL;
	c->state.recoverable = param->value;
	return 0;
}

/* A new number of the space, which the program destroys. */
static int
get_vm(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	uint32_t id;
	int rc;

	if (!i915_full_ppgtt(dev))
		return -ENODEV;
	rc = i915_context_name_space(dev, call->file, c->space, &id);
	if (!rc)
		param->value = id;
	return rc;
}

static int
set_vm(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	struct i915_space *space;

	if (!i915_full_ppgtt(dev))
		return -ENODEV;
	if (param->size)
		return -EINVAL;
	space = i915_table_get(&call->file->spaces, param->value);
	if (!space)
		return -ENOENT;
	i915_space_get(space);
	i915_space_put(dev, c->space);
	c->space = space;
	return 0;
}

static int
get_engines(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	if (i915_since(dev, 5, 14))
		return -EINVAL;
	if (!c->engines->user) {
		param->size = 0;
		return 0;
	}
	return i915_engines_write(dev, call, c->engines, param);
}

/* Size 0 was the way back to no map. */
static int
set_engines(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	bool old = !i915_since(dev, 5, 14);
	struct i915_engines *engines;
	int rc = 0;

	if (!old && c->engines && c->engines->user)
		return -EINVAL;
	if (old && param->size == 0)
		engines = i915_engines_legacy(dev);
	else
		rc = i915_engines_read(
		    dev, call, param->value, param->size, &engines);
	if (rc)
		return rc;
	if (old && i915_engines_check(dev, engines)) {
		i915_engines_free(dev, engines);
		return -EINVAL;
	}
	i915_engines_free(dev, c->engines);
	c->engines = engines;
	return 0;
}

static int
get_persistence(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	param->value = c->state.persistent;
	return 0;
}

/* Without persistence its requests are revoked by preemption and reset; with it
 * the hangcheck ends them. */
static int
set_persistence(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)call;
	if (param->size)
		return -EINVAL;
	if (!param->value &&
	    (dev->config->scheduler == I915_RING ||
		dev->config->graphics < 900))
		return -ENODEV;
	if (param->value && dev->no_hangcheck)
		return -EINVAL;
	c->state.persistent = param->value;
	return 0;
}

static int
get_protected(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	(void)c;
	param->value = 0;
	return 0;
}

/* There is no PXP. */
static int
set_protected(struct i915 *dev, struct i915_call *call, struct i915_context *c,
    struct drm_i915_gem_context_param *param)
{
	(void)dev;
	(void)call;
	(void)c;
	if (param->size)
		return -EINVAL;
	return param->value ? -ENODEV : 0;
}

/* A hint for the frequency, which this device does not have. */
static int
set_low_latency(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param)
{
	(void)call;
	(void)c;
	if (param->size || dev->config->scheduler != I915_GUC)
		return -EINVAL;
	return 0;
}

enum { ANY_TIME, UNTIL_USED, AT_CREATION };

static const struct {
	context_param_fn *get, *set; /* NULL: EINVAL */
	int when;                    /* it may be set */
	unsigned kernel;             /* first that has it; 0: any */
} context_params[] = {
    [I915_CONTEXT_PARAM_GTT_SIZE] = {get_gtt_size, NULL, 0, 0},
    [I915_CONTEXT_PARAM_NO_ERROR_CAPTURE] = {get_no_error_capture,
	set_no_error_capture, ANY_TIME, 0},
    [I915_CONTEXT_PARAM_BANNABLE] = {get_bannable, set_bannable, ANY_TIME, 0},
    [I915_CONTEXT_PARAM_PRIORITY] = {get_priority, set_context_priority,
	ANY_TIME, 0},
    [I915_CONTEXT_PARAM_SSEU] = {i915_sseu_get, i915_sseu_set, ANY_TIME, 0},
    [I915_CONTEXT_PARAM_RECOVERABLE] = {get_recoverable, set_recoverable,
	ANY_TIME, 0},
    [I915_CONTEXT_PARAM_VM] = {get_vm, set_vm, UNTIL_USED, 0},
    [I915_CONTEXT_PARAM_ENGINES] = {get_engines, set_engines, UNTIL_USED, 0},
    [I915_CONTEXT_PARAM_PERSISTENCE] = {get_persistence, set_persistence,
	ANY_TIME, 0},
    [I915_CONTEXT_PARAM_PROTECTED_CONTENT] = {get_protected, set_protected,
	AT_CREATION, I915_LINUX(5, 15)},
    [I915_CONTEXT_PARAM_LOW_LATENCY] = {NULL, set_low_latency, AT_CREATION,
	I915_LINUX(6, 9)},
};

#define N_PARAMS (sizeof(context_params) / sizeof(context_params[0]))

/* May it be set now? Proto contexts are of Linux 5.14; before, ENGINES and VM
 * could be set at any time. */
static bool
param_settable(const struct i915 *dev, const struct i915_context *c,
    uint64_t param, bool creating)
{
	switch (context_params[param].when) {
	case AT_CREATION: return creating;
	case UNTIL_USED:
		return creating || !c->in_use || !i915_since(dev, 5, 14);
	default: return true;
	}
}

int
i915_context_set(struct i915 *dev, struct i915_call *call,
    struct i915_context *c, struct drm_i915_gem_context_param *param,
    bool creating)
{
	int rc;

	if (param->param >= N_PARAMS ||
	    dev->config->kernel < context_params[param->param].kernel ||
	    !context_params[param->param].set ||
	    !param_settable(dev, c, param->param, creating))
		return -EINVAL;
	rc = context_params[param->param].set(dev, call, c, param);
	if (!rc)
		i915_context_changed(dev, c);
	return rc;
}

int
i915_gem_context_setparam(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_context_param *arg = (void *)call->arg;
	struct i915_context *c = i915_table_get(
	    &call->file->contexts, arg->ctx_id);

	return c ? i915_context_set(dev, call, c, arg, false) : -ENOENT;
}

int
i915_gem_context_getparam(struct i915 *dev, struct i915_call *call)
{
	struct drm_i915_gem_context_param *arg = (void *)call->arg;
	uint64_t n = arg->param;
	struct i915_context *c;
	int rc = i915_context_use(dev, call->file, arg->ctx_id, &c);

	if (rc)
		return rc;
	if (n >= N_PARAMS || !context_params[n].get ||
	    dev->config->kernel < context_params[n].kernel)
		return -EINVAL;
	if (n != I915_CONTEXT_PARAM_SSEU && n != I915_CONTEXT_PARAM_ENGINES)
		arg->size = 0;
	return context_params[n].get(dev, call, c, arg);
}
