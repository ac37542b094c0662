/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The master of the card, and files that it authenticated (drm_auth.c of Linux):
 * the first file is master, and those that are opened meanwhile are of its group.
 * Rules: doc/model/i915.md "DRM core".
 */
#include <errno.h>
#include <string.h>

#include "device/i915/ioctls.h"
#include "device/i915/uapi.h"

/* User that is reported where namespaces have no other. */
#define OVERFLOW_UID 65534

static bool
is_admin(const struct i915_caller *caller)
{
	return caller->capabilities & I915_CAP_ADMIN;
}

static bool
is_current(const struct i915 *dev, const struct i915_master *m)
{
	return m->founder && m->group == dev->master;
}

/* Makes a file the master, with a group of its own. */
static void
found_group(struct i915 *dev, struct i915_master *m)
{
	m->group = dev->master = ++dev->last_master;
	m->founder = m->was = m->authenticated = true;
}

void
i915_master_open(
    struct i915 *dev, struct i915_file *file, const struct i915_caller *caller)
{
	struct i915_master *m = &file->master;

	m->authenticated = is_admin(caller);
	if (dev->master)
		m->group = dev->master;
	else
		found_group(dev, m);
}

bool
i915_is_master(const struct i915 *dev, const struct i915_file *file)
{
	return is_current(dev, &file->master);
}

void
i915_master_close(struct i915 *dev, struct i915_file *file)
{
	struct i915_master *m = &file->master;

	i915_table_remove(&dev->magics, m->magic);
	if (is_current(dev, m))
		dev->master = 0;
}

int
i915_get_magic(struct i915 *dev, struct i915_call *call)
{
	struct drm_auth *arg = (void *)call->arg;
	struct i915_master *m = &call->file->master;

	if (!m->magic)
		m->magic = i915_table_add(&dev->magics, 1, call->file);
	arg->magic = m->magic;
	return 0;
}

/* Each number is good for one time. */
int
i915_auth_magic(struct i915 *dev, struct i915_call *call)
{
	const struct drm_auth *arg = (void *)call->arg;
	const struct i915_master *master = &call->file->master;
	struct i915_file *file = i915_table_get(&dev->magics, arg->magic);

	if (!is_current(dev, master))
		return -EACCES;
	if (!file || file->master.group != master->group ||
	    file->master.magic_used)
		return -EINVAL;
	file->master.authenticated = true;
	file->master.magic_used = true;
	return 0;
}

/* A file that was master may be it again, in the process that opened it. */
static bool
may_change(const struct i915_call *call)
{
	const struct i915_file *file = call->file;

	return is_admin(call->caller) ||
	    (file->master.was && file->pid == call->caller->pid);
}

int
i915_set_master(struct i915 *dev, struct i915_call *call)
{
	struct i915_master *m = &call->file->master;

	if (!may_change(call))
		return -EACCES;
	if (is_current(dev, m))
		return 0;
	if (dev->master)
		return -EBUSY;
	if (m->founder)
		dev->master = m->group;
	else
		found_group(dev, m);
	return 0;
}

int
i915_drop_master(struct i915 *dev, struct i915_call *call)
{
	if (!may_change(call))
		return -EACCES;
	if (!is_current(dev, &call->file->master))
		return -EINVAL;
	dev->master = 0;
	return 0;
}

/* Reports only the caller itself, as client 0. */
int
i915_get_client(struct i915 *dev, struct i915_call *call)
{
	struct drm_client *arg = (void *)call->arg;

	(void)dev;
	if (arg->idx)
		return -EINVAL;
	*arg = (struct drm_client){
	    .auth = call->file->master.authenticated,
	    .pid = call->caller->pid,
	    .uid = OVERFLOW_UID,
	};
	return 0;
}

/* There are none any more. */
int
i915_get_stats(struct i915 *dev, struct i915_call *call)
{
	(void)dev;
	memset(call->arg, 0, sizeof(struct drm_stats));
	return 0;
}
