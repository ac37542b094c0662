/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * -L and -l: the GPUs of this machine and their engines, which libdrm and i915
 * report; the model's engines where there are none.
 */
#include "cli/modes.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <i915_drm.h>
#include <xf86drm.h>

#include "base/mem.h"
#include "base/output.h"
#include "base/text.h"
#include "engine/gpu/engine.h"
#include "engine/profile.h"
#include "run/options.h"
#include "run/plan.h"

#define MAX_DEVICES 64

struct devices {
	drmDevicePtr list[MAX_DEVICES];
	int n;
};

static void
find_devices(struct devices *d)
{
	d->n = drmGetDevices2(0, d->list, MAX_DEVICES);
	if (d->n < 0)
		d->n = 0;
	if (d->n > MAX_DEVICES)
		d->n = MAX_DEVICES;
}

static bool
has_node(const struct _drmDevice *dev, int node)
{
	return (dev->available_nodes & (1 << node)) != 0;
}

/* Returns the path of the render node, which needs no privileges, else of the
 * card; NULL: neither. */
static const char *
node_path(const struct _drmDevice *dev)
{
	if (has_node(dev, DRM_NODE_RENDER))
		return dev->nodes[DRM_NODE_RENDER];
	return has_node(dev, DRM_NODE_PRIMARY) ? dev->nodes[DRM_NODE_PRIMARY]
					       : NULL;
}

static int
open_device(const struct _drmDevice *dev)
{
	const char *path = node_path(dev);

	return path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;
}

static void
print_driver(int fd)
{
	drmVersionPtr version = drmGetVersion(fd);

	if (version == NULL)
		return;
	printf("  driver %s %d.%d.%d\n", version->name, version->version_major,
	    version->version_minor, version->version_patchlevel);
	drmFreeVersion(version);
}

static void
print_device(const struct _drmDevice *dev)
{
	int fd;

	for (int node = 0; node < DRM_NODE_MAX; node++)
		if (has_node(dev, node))
			printf("%s\n", dev->nodes[node]);
	if (dev->bustype == DRM_BUS_PCI)
		printf("  PCI %04x:%02x:%02x.%u, vendor %04x, device %04x\n",
		    dev->businfo.pci->domain, dev->businfo.pci->bus,
		    dev->businfo.pci->dev, dev->businfo.pci->func,
		    dev->deviceinfo.pci->vendor_id,
		    dev->deviceinfo.pci->device_id);
	fd = open_device(dev);
	if (fd < 0)
		return;
	print_driver(fd);
	close(fd);
}

static void
print_model(const struct profile *profile, const char *why)
{
	struct device dev;

	device_init(&dev, profile);
	output_textf(stdout, "%s; the model's engines (profile %s):\n", why,
	    profile->name);
	for (unsigned i = 0; i < dev.n_engines; i++) {
		const struct hw_engine *e = &dev.engines[i];

		printf("  %-6s class %s, instance %u, gt %u%s\n", e->name,
		    engine_class_names[e->class], e->instance, e->gt,
		    e->has_hevc ? ", HEVC" : "");
	}
}

/* Returns i915's list of engines, which the caller frees; NULL: none. */
static struct drm_i915_query_engine_info *
query_engines(int fd)
{
	struct drm_i915_query_engine_info *info;
	struct drm_i915_query_item item = {
	    .query_id = DRM_I915_QUERY_ENGINE_INFO,
	};
	struct drm_i915_query query = {
	    .num_items = 1,
	    .items_ptr = (uintptr_t)&item,
	};

	/* The first query, without a buffer, returns the length. */
	if (drmIoctl(fd, DRM_IOCTL_I915_QUERY, &query) != 0 ||
	    item.length < (int32_t)sizeof(*info))
		return NULL;
	info = mem_calloc(1, (size_t)item.length);
	item.data_ptr = (uintptr_t)info;
	if (drmIoctl(fd, DRM_IOCTL_I915_QUERY, &query) == 0 && item.length > 0)
		return info;
	free(info);
	return NULL;
}

static enum engine_class
class_of_i915(unsigned i915_class)
{
	switch (i915_class) {
	case I915_ENGINE_CLASS_RENDER: return CLASS_RCS;
	case I915_ENGINE_CLASS_COPY: return CLASS_BCS;
	case I915_ENGINE_CLASS_VIDEO: return CLASS_VCS;
	case I915_ENGINE_CLASS_VIDEO_ENHANCE: return CLASS_VECS;
	case I915_ENGINE_CLASS_COMPUTE: return CLASS_CCS;
	default: return CLASS_DEFAULT;
	}
}

/* Returns ", HEVC" or "", as print_model() prints it. */
static const char *
capabilities_of(const struct drm_i915_engine_info *e)
{
	enum engine_class cls = class_of_i915(e->engine.engine_class);

	return cls == CLASS_VCS &&
		(e->capabilities & I915_VIDEO_CLASS_CAPABILITY_HEVC) != 0
	    ? ", HEVC"
	    : "";
}

/* Prints the engines of a class. Names are the model's: numbered from 1 if the
 * class has several, whichever instances the kernel leaves out. */
static void
print_class(
    const struct drm_i915_query_engine_info *info, enum engine_class cls)
{
	unsigned n = 0, i = 0;
	char name[16];

	for (uint32_t k = 0; k < info->num_engines; k++)
		n += class_of_i915(info->engines[k].engine.engine_class) == cls;
	for (uint32_t k = 0; k < info->num_engines; k++) {
		const struct i915_engine_class_instance *e =
		    &info->engines[k].engine;

		if (class_of_i915(e->engine_class) != cls)
			continue;
		snprintf(name, sizeof(name), n > 1 ? "%s%u" : "%s",
		    engine_class_names[cls], ++i);
		printf("  %-6s class %s, instance %u%s\n", name,
		    engine_class_names[cls], e->engine_instance,
		    capabilities_of(&info->engines[k]));
	}
}

static bool
print_i915_engines(const struct _drmDevice *dev)
{
	struct drm_i915_query_engine_info *info = NULL;
	int fd = open_device(dev);
	drmVersionPtr version = fd >= 0 ? drmGetVersion(fd) : NULL;

	if (version != NULL && strcmp(version->name, "i915") == 0)
		info = query_engines(fd);
	if (info != NULL) {
		printf("%s:\n", node_path(dev));
		for (unsigned cls = 0; cls < N_CLASSES; cls++)
			print_class(info, cls);
	}
	free(info);
	drmFreeVersion(version);
	if (fd >= 0)
		close(fd);
	return info != NULL;
}

static bool
load_device_profile(struct profile *profile, const struct options *o)
{
	struct text why = {0}, line = {0};

	if (profile_load(profile, o->profile, &why))
		return true;
	source_add_line(&line, text_str(&why));
	output_text(stderr, text_str(&line));
	text_free(&line);
	text_free(&why);
	return false;
}

int
devices_list(const struct options *o)
{
	struct devices found;
	struct profile profile;

	if (!load_device_profile(&profile, o))
		return EXIT_STATUS_OPTIONS;
	find_devices(&found);
	for (int i = 0; i < found.n; i++)
		print_device(found.list[i]);
	if (found.n == 0)
		puts("none: no GPU found; -l lists the model's engines");
	drmFreeDevices(found.list, found.n);
	return output_close(EXIT_STATUS_OK);
}

int
devices_list_engines(const struct options *o)
{
	struct devices found;
	struct profile profile;
	bool any = false;

	if (!load_device_profile(&profile, o))
		return EXIT_STATUS_OPTIONS;
	find_devices(&found);
	for (int i = 0; i < found.n; i++)
		any = print_i915_engines(found.list[i]) || any;
	if (!any)
		print_model(&profile,
		    found.n == 0 ? "no GPU found"
				 : "no GPU that lists its engines");
	drmFreeDevices(found.list, found.n);
	return output_close(EXIT_STATUS_OK);
}
