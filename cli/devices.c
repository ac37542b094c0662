/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * -L and -l: the GPUs of this machine and their engines, which libdrm and i915
 * report. Without -D, -l lists the engines of the model.
 */
#include "cli/modes.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <xf86drm.h>

#include "base/output.h"
#include "base/text.h"
#include "device/hardware/facts.h"
#include "device/hardware/node.h"
#include "device/hardware/part.h"
#include "engine/gpu/engine.h"
#include "engine/profile.h"
#include "run/options.h"
#include "run/plan.h"

/* Writes a line for the user, and frees its words. */
static void
print_why(struct text *why)
{
	struct text line = {0};

	source_add_line(&line, text_str(why));
	output_text(stderr, text_str(&line));
	text_free(&line);
	text_free(why);
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
print_pci(const struct node *node)
{
	if (!node->is_pci)
		return;
	printf("  PCI %s, vendor %04x, device %04x", node->address,
	    node->vendor, node->device);
	if (node->part != NULL)
		printf(" (%s, graphics %u)", node->part->codename,
		    node->part->graphics / 100);
	puts("");
}

static void
print_node(const struct node *node)
{
	struct text filters = {0}, why = {0};
	int fd;

	if (node->card[0] != '\0')
		puts(node->card);
	if (node->render[0] != '\0')
		puts(node->render);
	print_pci(node);
	fd = node_open(node, &why);
	if (fd >= 0) {
		print_driver(fd);
		close(fd);
	} else {
		output_textf(stdout, "  %s\n", text_str(&why));
	}
	node_print_filters(node, "  -D ", &filters);
	output_text(stdout, text_str(&filters));
	text_free(&filters);
	text_free(&why);
}

/* Prints the engines of a device, with the gt if that is known. */
static void
print_device_engines(const struct device *dev, bool gt)
{
	for (unsigned i = 0; i < dev->n_engines; i++) {
		const struct hw_engine *e = &dev->engines[i];

		printf("  %-6s class %s, instance %u", e->name,
		    engine_class_names[e->class], e->instance);
		if (gt)
			printf(", gt %u", e->gt);
		puts(e->has_hevc ? ", HEVC" : "");
	}
}

static void
print_model(const struct profile *profile, const char *why)
{
	struct device dev;

	device_init(&dev, profile);
	output_textf(stdout, "%s; the model's engines (profile %s):\n", why,
	    profile->name);
	print_device_engines(&dev, true);
}

/* Prints the engines of a GPU as the model of it has them. False: why says why
 * it lists none. */
static bool
print_node_engines(const struct node *node, struct text *why)
{
	int fd = node_open(node, why);
	struct facts facts;
	struct profile profile;
	struct device dev;
	bool ok = fd >= 0 && facts_read(&facts, node, fd, why);

	if (ok) {
		facts_profile(&facts, &profile);
		device_init(&dev, &profile);
		output_textf(stdout, "%s:\n", node_path(node));
		print_device_engines(&dev, false);
	}
	if (fd >= 0)
		close(fd);
	return ok;
}

static bool
load_device_profile(struct profile *profile, const struct options *o)
{
	struct text why = {0};

	if (profile_load(profile, o->profile, &why))
		return true;
	print_why(&why);
	return false;
}

/* Finds the GPUs of -D, else all. False: none is what -D names, which is
 * reported. */
static bool
find_devices(struct nodes *found, const struct options *o)
{
	struct text why = {0};
	struct node first;

	if (nodes_find(found, o->device, &why) &&
	    (o->device == NULL || found->n > 0 ||
		node_choose(&first, o->device, &why)))
		return true;
	nodes_free(found);
	print_why(&why);
	return false;
}

int
devices_list(const struct options *o)
{
	struct nodes found;
	struct profile profile;

	if (!load_device_profile(&profile, o) || !find_devices(&found, o))
		return EXIT_STATUS_OPTIONS;
	for (size_t i = 0; i < found.n; i++)
		print_node(&found.list[i]);
	if (found.n == 0)
		puts("none: no GPU found; -l lists the model's engines");
	nodes_free(&found);
	return output_close(EXIT_STATUS_OK);
}

/* Prints the engines of the first GPU, which -D has named. */
static int
list_chosen(const struct nodes *found)
{
	struct text why = {0};

	if (print_node_engines(&found->list[0], &why))
		return output_close(EXIT_STATUS_OK);
	print_why(&why);
	return EXIT_STATUS_OPTIONS;
}

int
devices_list_engines(const struct options *o)
{
	struct nodes found;
	struct profile profile;
	int status;

	if (!load_device_profile(&profile, o) || !find_devices(&found, o))
		return EXIT_STATUS_OPTIONS;
	if (o->device != NULL) {
		status = list_chosen(&found);
	} else {
		print_model(&profile,
		    found.n == 0 ? "no GPU found" : "no GPU chosen (-D)");
		status = output_close(EXIT_STATUS_OK);
	}
	nodes_free(&found);
	return status;
}
