/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Calls that were refused, as lines for a user: who called what with what, and
 * why that is an error. Only calls that make or submit something: programs
 * find out by others, and by their errors, what a device has.
 */
#include <errno.h>
#include <inttypes.h>
#include <string.h>
#include <sys/ioctl.h>

#include "device/i915/device.h"
#include "device/i915/uapi.h"

static void
add_execbuf(const void *arg, struct text *out)
{
	const struct drm_i915_gem_execbuffer2 *e = arg;

	text_addf(out,
	    "GEM_EXECBUFFER2 of %u object%s, context %" PRIu64
	    ", flags %#" PRIx64,
	    e->buffer_count, e->buffer_count == 1 ? "" : "s",
	    (uint64_t)e->rsvd1, (uint64_t)e->flags);
}

static void
add_setparam(const void *arg, struct text *out)
{
	const struct drm_i915_gem_context_param *p = arg;

	if (p->param == I915_CONTEXT_PARAM_PRIORITY)
		text_addf(out, "CONTEXT_SETPARAM of priority %" PRId64,
		    (int64_t)p->value);
	else
		text_addf(out,
		    "CONTEXT_SETPARAM of parameter %" PRIu64
		    ", value %#" PRIx64,
		    (uint64_t)p->param, (uint64_t)p->value);
	text_addf(out, ", context %u", p->ctx_id);
}

static void
add_context_create(const void *arg, struct text *out)
{
	const struct drm_i915_gem_context_create_ext *c = arg;

	text_addf(out, "CONTEXT_CREATE with flags %#x", c->flags);
}

static void
add_create(const void *arg, struct text *out)
{
	const struct drm_i915_gem_create *c = arg;

	text_addf(out, "GEM_CREATE of %" PRIu64 " bytes", (uint64_t)c->size);
}

static const struct {
	unsigned request;
	void (*add)(const void *arg, struct text *out);
} told_calls[] = {
    {DRM_IOCTL_I915_GEM_EXECBUFFER2, add_execbuf},
    {DRM_IOCTL_I915_GEM_CONTEXT_SETPARAM, add_setparam},
    {DRM_IOCTL_I915_GEM_CONTEXT_CREATE_EXT, add_context_create},
    {DRM_IOCTL_I915_GEM_CREATE, add_create},
};

static const struct {
	int error;
	bool grave; /* never the answer to a question */
	const char *why;
} told_errors[] = {
    {EPERM, true, "it needs CAP_SYS_NICE, as a priority above 0 does"},
    {EACCES, true, "the program may not do that"},
    {EIO, true, "the context, or its client, is banned after hangs"},
    {ENOMEM, true, "the program has reached its limit of memory"},
    {ENOSPC, true, "the address space or the table is full"},
    {EFAULT, true, "it points to memory that the program does not have"},
    {ENOENT, false, "there is no such object, context or fence"},
    {ENODEV, false, "this device, or its kernel, does not have that"},
    {EINVAL, false, "its arguments are not valid on this device"},
};

void
i915_set_refusals(struct i915 *dev, i915_refused_fn *refused, void *data)
{
	dev->refused = refused;
	dev->refused_data = data;
}

void
i915_tell_refusal(struct i915 *dev, const struct i915_call *call, int rc)
{
	size_t i = 0, j = 0, n = sizeof(told_calls) / sizeof(*told_calls);
	struct text line = {0};
	bool submits;

	while (i < n &&
	    _IOC_NR(told_calls[i].request) != _IOC_NR(call->ioctl->request))
		i++;
	n = sizeof(told_errors) / sizeof(*told_errors);
	while (j < n && told_errors[j].error != -rc)
		j++;
	if (j == n || i == sizeof(told_calls) / sizeof(*told_calls))
		return;
	submits = i == 0;
	text_addf(&line, "%s (pid %u): ", call->caller->name,
	    (unsigned)call->caller->pid);
	told_calls[i].add(call->arg, &line);
	text_addf(&line, ": %s, %s", strerrorname_np(-rc),
	    dev->refused_why != NULL ? dev->refused_why : told_errors[j].why);
	dev->refused(dev->refused_data, text_str(&line),
	    submits || told_errors[j].grave);
	text_free(&line);
}

void
i915_set_no_display(struct i915 *dev, i915_no_display_fn *told, void *data)
{
	dev->no_display = told;
	dev->no_display_data = data;
}

void
i915_tell_no_display(
    struct i915 *dev, const struct i915_call *call, unsigned request)
{
	const struct i915_caller *caller = call->caller;
	struct text line = {0};

	if (dev->no_display == NULL || caller->pid == dev->display_pid ||
	    _IOC_TYPE(request) != DRM_IOCTL_BASE ||
	    _IOC_NR(request) != _IOC_NR(DRM_IOCTL_MODE_GETRESOURCES))
		return;
	dev->display_pid = caller->pid;
	text_addf(&line,
	    "%s (pid %u) asks for displays (KMS), which the virtual device does "
	    "not have: run it in a compositor, e.g. weston --backend=headless "
	    "--renderer=gl, or without a surface",
	    caller->name, (unsigned)caller->pid);
	dev->no_display(dev->no_display_data, text_str(&line));
	text_free(&line);
}
