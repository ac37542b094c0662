/* SPDX-License-Identifier: GPL-3.0-or-later */
/* The GPUs of this machine, which libdrm finds without opening them. */
#include "device/hardware/node.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include <xf86drm.h>

#include "base/mem.h"
#include "device/hardware/node_private.h"
#include "device/hardware/part.h"

#define MAX_NODES 64

static void
copy_path(char out[NODE_PATH], const struct _drmDevice *dev, int kind)
{
	if ((dev->available_nodes & (1 << kind)) != 0)
		snprintf(out, NODE_PATH, "%s", dev->nodes[kind]);
}

/* Sets the folder of the device: that of a node has a link to it. */
static void
find_sysfs(struct node *node)
{
	const char *path = node_path(node), *slash;
	char link[NODE_PATH + 24], *whole;

	slash = path != NULL ? strrchr(path, '/') : NULL;
	if (slash == NULL)
		return;
	snprintf(link, sizeof link, "/sys/class/drm%s/device", slash);
	whole = realpath(link, NULL);
	if (whole != NULL)
		snprintf(node->sysfs, sizeof node->sysfs, "%s", whole);
	free(whole);
}

static struct node
describe_node(const struct _drmDevice *dev)
{
	struct node node = {0};

	copy_path(node.card, dev, DRM_NODE_PRIMARY);
	copy_path(node.render, dev, DRM_NODE_RENDER);
	find_sysfs(&node);
	if (dev->bustype != DRM_BUS_PCI)
		return node;
	node.is_pci = true;
	snprintf(node.address, sizeof node.address, "%04x:%02x:%02x.%u",
	    dev->businfo.pci->domain, dev->businfo.pci->bus,
	    dev->businfo.pci->dev, dev->businfo.pci->func);
	node.vendor = dev->deviceinfo.pci->vendor_id;
	node.device = dev->deviceinfo.pci->device_id;
	if (node.vendor == INTEL_VENDOR)
		node.part = part_find(node.device);
	return node;
}

/* Counts those of the same vendor and device before node i. */
static unsigned
count_alike(const struct nodes *nodes, const struct node *node)
{
	unsigned n = 0;

	for (size_t i = 0; i < nodes->n; i++)
		n += nodes->list[i].is_pci && node->is_pci &&
		    nodes->list[i].vendor == node->vendor &&
		    nodes->list[i].device == node->device;
	return n;
}

/* Finds all GPUs. */
static void
find_nodes(struct nodes *nodes)
{
	drmDevicePtr devices[MAX_NODES];
	int n = drmGetDevices2(0, devices, MAX_NODES);

	*nodes = (struct nodes){mem_calloc(MAX_NODES, sizeof *nodes->list), 0};
	if (n > MAX_NODES)
		n = MAX_NODES;
	for (int i = 0; i < n; i++) {
		struct node node = describe_node(devices[i]);

		node.nth = count_alike(nodes, &node);
		nodes->list[nodes->n++] = node;
	}
	if (n > 0)
		drmFreeDevices(devices, n);
}

/* Keeps the GPUs that the filter lets through, of which the card is one. */
static void
keep_matches(struct nodes *nodes, const struct node_filter *f)
{
	size_t kept = 0;
	int32_t seen = 0;

	for (size_t i = 0; i < nodes->n; i++) {
		if (!node_filter_takes(f, &nodes->list[i]))
			continue;
		if (f->card == FILTER_ANY || f->card == seen)
			nodes->list[kept++] = nodes->list[i];
		seen++;
	}
	nodes->n = kept;
}

bool
nodes_find(struct nodes *nodes, const char *filter, struct text *err)
{
	struct node_filter f;

	*nodes = (struct nodes){0};
	if (!node_filter_read(&f, filter, err))
		return false;
	find_nodes(nodes);
	keep_matches(nodes, &f);
	return true;
}

void
nodes_free(struct nodes *nodes)
{
	free(nodes->list);
	*nodes = (struct nodes){0};
}

bool
node_filter_check(const char *filter, struct text *err)
{
	struct node_filter f;

	return node_filter_read(&f, filter, err);
}

/* Says that no GPU matches, and what there is. */
static void
refuse_all(const char *filter, struct text *err)
{
	struct nodes all;

	find_nodes(&all);
	if (all.n == 0 || filter == NULL) {
		text_adds(err,
		    "no GPU found: expected a node in /dev/dri; without -D "
		    "workloads run on the model");
	} else {
		text_adds(err, "no GPU matches '");
		text_add_visible(err, filter, strlen(filter));
		text_adds(err, "': expected one of");
	}
	for (size_t i = 0; filter != NULL && i < all.n; i++)
		text_addf(err, "%s drm:%s", i > 0 ? "," : "",
		    node_path(&all.list[i]) != NULL ? node_path(&all.list[i])
						    : "");
	nodes_free(&all);
}

bool
node_choose(struct node *node, const char *filter, struct text *err)
{
	struct nodes nodes;
	bool found;

	if (!nodes_find(&nodes, filter, err))
		return false;
	found = nodes.n > 0;
	if (found)
		*node = nodes.list[0];
	else
		refuse_all(filter, err);
	nodes_free(&nodes);
	return found;
}

const char *
node_path(const struct node *node)
{
	return node->render[0] != '\0' ? node->render
	    : node->card[0] != '\0'    ? node->card
				       : NULL;
}

/* Says which group may open the node. */
static void
explain_access(const char *path, struct text *err)
{
	struct stat st;
	/* Without a group for it, distributions have the one of that name. */
	const struct group *group = stat(path, &st) == 0 && st.st_gid != 0
	    ? getgrgid(st.st_gid)
	    : NULL;

	text_addf(err,
	    "%s: permission denied: expected a member of its group, e.g. "
	    "after `sudo usermod -a -G %s $USER` and a new login",
	    path, group != NULL ? group->gr_name : "render");
}

int
node_open(const struct node *node, struct text *err)
{
	const char *path = node_path(node);
	int fd = path != NULL ? open(path, O_RDWR | O_CLOEXEC) : -1;

	if (fd >= 0)
		return fd;
	if (path == NULL)
		text_adds(err, "the GPU has no node in /dev/dri");
	else if (errno == EACCES)
		explain_access(path, err);
	else
		text_addf(err, "%s: %s", path, strerror(errno));
	return -1;
}

void
node_print_filters(
    const struct node *node, const char *indent, struct text *out)
{
	const char *path = node_path(node);

	if (path != NULL)
		text_addf(out, "%sdrm:%s\n", indent, path);
	if (node->sysfs[0] != '\0')
		text_addf(out, "%ssys:%s\n", indent, node->sysfs);
	if (node->is_pci)
		text_addf(out, "%spci:vendor=%04x,device=%04x,card=%u\n",
		    indent, node->vendor, node->device, node->nth);
}
