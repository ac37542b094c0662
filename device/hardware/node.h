/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The GPUs of this machine, and filters that choose one of them, as -D has them:
 *
 *   drm:/dev/dri/NODE   a node, or a link to it
 *   sys:PATH            a folder of sysfs: of the PCI device, or of a node
 *   pci:[vendor=intel|HEX][,device=HEX|CODENAME][,card=N]
 *                       the Nth (from 0) of those of that vendor and device
 *
 * doc/model/libdrm.md "Filters".
 */
#ifndef DEVICE_HARDWARE_NODE_H
#define DEVICE_HARDWARE_NODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/text.h"

struct gpu_part;

#define NODE_PATH 96

/* A GPU. A path that it does not have is "". */
struct node {
	char card[NODE_PATH];   /* /dev/dri/card0 */
	char render[NODE_PATH]; /* /dev/dri/renderD128, without privileges */
	char sysfs[256];        /* the folder of its device */
	bool is_pci;            /* it has the members below */
	char address[16];       /* 0000:00:02.0 */
	uint16_t vendor, device;
	unsigned nth;                /* of its vendor and device, from 0 */
	const struct gpu_part *part; /* NULL: not in the table */
};

struct nodes {
	struct node *list; /* in the order of libdrm */
	size_t n;
};

/* Returns true if filter is a valid one; else err has what was expected. */
bool node_filter_check(const char *filter, struct text *err);

/* Finds the GPUs that a filter lets through; NULL: all. The caller frees them
 * with nodes_free(). False: the filter is invalid, and err says how. */
bool nodes_find(struct nodes *nodes, const char *filter, struct text *err);
void nodes_free(struct nodes *nodes);

/* Finds the first GPU that a filter lets through. False: there is none, or the
 * filter is invalid; err says what there is. */
bool node_choose(struct node *node, const char *filter, struct text *err);

/* Returns the path of the render node, else of the card; NULL: neither. */
const char *node_path(const struct node *node);
/* Opens it, for reading and writing, closed on exec. -1: err says why, and what
 * would be needed. */
int node_open(const struct node *node, struct text *err);

/* Appends the filters that choose that node, each on a line that begins with
 * indent. */
void node_print_filters(
    const struct node *node, const char *indent, struct text *out);

#endif
