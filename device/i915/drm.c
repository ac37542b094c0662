/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The core of DRM: who the driver is and what it can: doc/model/i915.md "DRM
 * core".
 */
#include <errno.h>
#include <string.h>

#include "device/i915/ioctls.h"
#include "device/i915/object.h"
#include "device/i915/uapi.h"

#define VERSION_MAJOR 1
#define VERSION_MINOR 6

/* Copies as much of s as the program has room for, and says how long it is. */
static int
version_string(const struct i915_call *call, uint64_t to, __kernel_size_t *len,
    const char *s)
{
	size_t room = *len, size = strlen(s);

	*len = size;
	if (room > size)
		room = size;
	return room && to ? i915_copy_out(call, to, s, room) : 0;
}

int
i915_version(struct i915 *dev, struct i915_call *call)
{
	struct drm_version *arg = (void *)call->arg;
	int rc;

	(void)dev;
	arg->version_major = VERSION_MAJOR;
	arg->version_minor = VERSION_MINOR;
	arg->version_patchlevel = 0;
	rc = version_string(call, (uintptr_t)arg->name, &arg->name_len, "i915");
	if (!rc)
		rc = version_string(
		    call, (uintptr_t)arg->date, &arg->date_len, "20201103");
	if (!rc)
		rc = version_string(call, (uintptr_t)arg->desc, &arg->desc_len,
		    "Intel Graphics");
	return rc;
}

/* All or nothing, unlike the strings of VERSION. */
int
i915_get_unique(struct i915 *dev, struct i915_call *call)
{
	struct drm_unique *arg = (void *)call->arg;
	const char *address = dev->config->pci_address;
	size_t room = arg->unique_len, size = strlen(address);

	arg->unique_len = size;
	if (room < size)
		return 0;
	return i915_copy_out(call, (uintptr_t)arg->unique, address, size);
}

int
i915_get_cap(struct i915 *dev, struct i915_call *call)
{
	struct drm_get_cap *arg = (void *)call->arg;

	(void)dev;
	switch (arg->capability) {
	case DRM_CAP_PRIME:
		arg->value = DRM_PRIME_CAP_IMPORT | DRM_PRIME_CAP_EXPORT;
		return 0;
	case DRM_CAP_TIMESTAMP_MONOTONIC:
	case DRM_CAP_SYNCOBJ:
	case DRM_CAP_SYNCOBJ_TIMELINE: arg->value = 1; return 0;
	case 0: return -EINVAL;
	default:
		/* Capabilities of displays. */
		return arg->capability <= DRM_CAP_LAST ? -EOPNOTSUPP : -EINVAL;
	}
}

int
i915_set_client_cap(struct i915 *dev, struct i915_call *call)
{
	(void)dev;
	(void)call;
	return -EOPNOTSUPP;
}

/* OA counters: there are none. */
int
i915_perf_refused(struct i915 *dev, struct i915_call *call)
{
	(void)dev;
	(void)call;
	return -ENODEV;
}

int
i915_perf_config_refused(struct i915 *dev, struct i915_call *call)
{
	(void)dev;
	(void)call;
	return -EINVAL;
}
